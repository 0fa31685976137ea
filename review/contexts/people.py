"""People as pages name them."""

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User

from review.filters import NO_ONE


def username(user: User | None) -> str:
    """The name to sign in with; "" for none."""
    return user.get_username() if user else ""


def assignee_names(people: Sequence[str], me: str, chosen: str) -> dict[str, str]:
    """The choices of a filter by assignee, by what an address has of them. chosen: stays to be seen."""
    names = {"": "anyone", me: "me", NO_ONE: "no one", **{name: name for name in people if name != me}}
    return names | ({} if chosen in names else {chosen: chosen})


def assigned_in_words(names: Mapping[str, str], assignee: str, is_unassigned: bool) -> str:
    """`assigned to me`, for a filter; "" where any will do."""
    if is_unassigned:
        return "assigned to no one"
    return f"assigned to {names[assignee]}" if assignee else ""
