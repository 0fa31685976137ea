"""The filter by assignee as pages name its choices."""

from collections.abc import Mapping, Sequence

from review.filters import NO_ONE


def assignee_names(people: Sequence[str], me: str, chosen: str) -> dict[str, str]:
    """The choices of a filter by assignee, by what an address has of them. chosen: stays to be seen."""
    names = {"": "anyone", me: "me", NO_ONE: "no one", **{name: name for name in people if name != me}}
    return names | ({} if chosen in names else {chosen: chosen})


def assigned_in_words(names: Mapping[str, str], assignee: str, is_unassigned: bool) -> str:
    """`assigned to me`, for a filter; "" where any will do."""
    if is_unassigned:
        return "assigned to no one"
    return f"assigned to {names[assignee]}" if assignee else ""
