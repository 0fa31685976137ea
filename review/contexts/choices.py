"""What a page offers to choose from: values of a filter, and links to other ways to look at it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from selftest.models import Target


@dataclass(frozen=True)
class SelectOption:
    """One of the values of a filter. value: as it stands in the URL."""

    value: str
    words: str
    is_chosen: bool


@dataclass(frozen=True)
class PageLink:
    """A way to look at a page: another target, more days."""

    words: str
    address: str
    is_chosen: bool


@dataclass(frozen=True)
class ListTab:
    """A tab of a list and how many rows it holds."""

    name: str
    count: int
    address: str
    is_here: bool


def target_links(
    targets: Sequence[tuple[int, str]], chosen: Target, url_of: Callable[[str], str]
) -> tuple[PageLink, ...]:
    """The same page of each target, by the names of `targets`; () where there is one at most."""
    if len(targets) <= 1:
        return ()
    return tuple(PageLink(name, url_of(name), pk == chosen.pk) for pk, name in targets)
