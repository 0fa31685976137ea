"""Who acts: a person, or a script with its key. Not a row; review events keep the name."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

ENGINE = "engine"  # the name under which events have what no person did


@dataclass(frozen=True)
class Actor:
    """Who acts, under the name that the activity will show."""

    name: str
    user: User | None = None

    @classmethod
    def person(cls, user: Any) -> "Actor":
        """The actor for a signed-in user."""
        return cls(user.get_username(), user)
