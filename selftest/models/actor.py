"""Who acts: a person, or a script by its key. No row of its own; review events keep its name."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User


@dataclass(frozen=True)
class Actor:
    """Who does it, as the story will name them."""

    name: str
    user: User | None = None

    @classmethod
    def person(cls, user: Any) -> "Actor":
        return cls(user.get_username(), user)
