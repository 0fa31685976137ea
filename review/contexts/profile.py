"""What the pages about oneself may use."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from review.roles import ADMIN, REVIEWER, VIEWER

ROLE_WORDS = {
    VIEWER: "looks at everything and changes nothing",
    REVIEWER: "dismisses, restores, assigns, notes and runs cycles",
    ADMIN: "changes targets, settings, keys and users as well",
}
MAY_DO_EVERYTHING = "superuser"


@dataclass(frozen=True)
class Role:
    """A role and what it may do."""

    name: str
    words: str


@dataclass(frozen=True)
class ProfilePage:
    """form: a ProfileForm, with what is wrong in it. roles: empty where an admin has given none."""

    name: str
    roles: tuple[Role, ...]
    form: Any

    @classmethod
    def of(cls, user: User, groups: Iterable[str], form: Any) -> "ProfilePage":
        """groups: the names of the person's groups."""
        held = set(groups)
        roles = [Role(name, words) for name, words in ROLE_WORDS.items() if name in held]
        if user.is_superuser:
            roles.append(Role(MAY_DO_EVERYTHING, "may do everything"))
        return cls(user.get_username(), tuple(roles), form)


@dataclass(frozen=True)
class PasswordPage:
    """form: Django's PasswordChangeForm."""

    form: Any
