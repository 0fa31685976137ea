"""People that causes and flags are assigned to, as pages name them: to choose one, and to filter by."""

from collections.abc import Mapping, Sequence

from review.contexts.choices import SelectOption
from review.filters import NO_ONE


def assignee_names(people: Sequence[str], me: str, chosen: str) -> dict[str, str]:
    """The choices of a filter by assignee, by what an address has of them. chosen: stays to be seen."""
    names = {"": "anyone", me: "me", NO_ONE: "no one", **{name: name for name in people if name != me}}
    return names | ({} if chosen in names else {chosen: chosen})


def assignable(people: Sequence[str], me: str, or_no_one: bool = True) -> tuple[SelectOption, ...]:
    """What a form can assign to: the reader first, then the others; last no one, where that is a choice."""
    names = {me: "me", **{name: name for name in people if name != me}} | ({"": "no one"} if or_no_one else {})
    return tuple(SelectOption(value, words, value == me) for value, words in names.items())


def assigned_in_words(names: Mapping[str, str], assignee: str, is_unassigned: bool) -> str:
    """`assigned to me`, for a filter; "" where any will do."""
    if is_unassigned:
        return "assigned to no one"
    return f"assigned to {names[assignee]}" if assignee else ""
