"""How the pages look to the signed-in person: carried in the session, so that no page has to ask the database for it.

It is read from the profile at sign-in and when the profile is saved; another browser follows at its next sign-in.
"""

from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest

from review.models import Profile

IN_SESSION = "look"


@dataclass(frozen=True)
class Look:
    """theme: light or dark, or empty where the system decides. keyboard: whether single keys do something."""

    theme: str = ""
    keyboard: bool = True

    @classmethod
    def of(cls, profile: Profile) -> "Look":
        return cls("" if profile.theme == Profile.Theme.SYSTEM else profile.theme, profile.keyboard)


def look(request: HttpRequest) -> dict[str, Look]:
    """For every template. A request that failed before it had a session has the default look."""
    session = getattr(request, "session", None)
    kept = session.get(IN_SESSION) if session is not None else None
    return {"look": Look(**kept) if kept else Look()}


def keep(request: HttpRequest, profile: Profile) -> None:
    request.session[IN_SESSION] = asdict(Look.of(profile))


def after_sign_in(sender: Any, request: HttpRequest, user: User, **_: object) -> None:
    keep(request, Profile.of(user))
