"""The rail: the links beside every page, in groups, and which of them stands for the page that is shown.

Where a link leads is decided in GROUPS and nowhere else.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from review.page_urls import page_url, with_query


@dataclass(frozen=True)
class RailPage:
    """A link of the rail. page: the name of its URL; query: what that URL asks for.

    below: the names of further URLs that are reached from there, and for which this link is marked, too.
    """

    name: str
    page: str
    query: tuple[tuple[str, str], ...] = ()
    below: tuple[str, ...] = ()

    def fit(self, page: str, query: Mapping[str, str]) -> int:
        """How well it stands for a page with this query: 0 not at all; more where more of its own query agrees."""
        if page != self.page and page not in self.below:
            return 0
        return 1 + len(self.query) if all(query.get(name) == value for name, value in self.query) else 0


@dataclass(frozen=True)
class RailLink:
    """current: what `aria-current` says of it; "" where another link, or none, stands for the page."""

    name: str
    address: str
    current: str


@dataclass(frozen=True)
class RailGroup:
    """Links for one kind of work."""

    name: str
    links: tuple[RailLink, ...]


OF_ONE_FLAG = ("combination", "diff", "bulk")  # their URLs say in which list the reader was
GROUPS = {
    "Review": (
        RailPage("Inbox", "inbox", below=("cause", "activity")),
        RailPage("All flags", "queue", below=OF_ONE_FLAG),
        RailPage("Judged", "inbox", (("state", "judged"),), below=("cause",)),
    ),
    "Understand": (
        RailPage("Checks", "checks"),
        RailPage("Coverage", "recipes", below=("recipe", "combinations")),
        RailPage("Explained", "explained"),
        RailPage("Findings", "findings", below=("finding", "new-finding")),
        RailPage(
            "Evaluation",
            "evaluation",
            below=(
                "pair",
                "new-pair",
                "edit-pair",
                "reports",
                "report",
                "comparisons",
                "comparison",
                "drift",
                "drift-series",
            ),
        ),
    ),
    "Operate": (
        RailPage("Cycles", "cycles", below=("cycle", "run")),
        RailPage("Targets", "targets", below=("target",)),
        RailPage("Health", "health-page", below=("overview",)),
        RailPage("Search quality", "search-quality"),
    ),
}


def rail_groups(page: str, query: Mapping[str, str]) -> tuple[RailGroup, ...]:
    """The groups, as the page of this URL name and query shows them. page: "" where no URL led to it."""
    pages = [entry for entries in GROUPS.values() for entry in entries]
    nearest = max(pages, key=lambda entry: entry.fit(page, query))
    here = nearest if nearest.fit(page, query) else None
    return tuple(
        RailGroup(name, tuple(_link(entry, page, is_here=entry is here) for entry in entries))
        for name, entries in GROUPS.items()
    )


def _link(entry: RailPage, page: str, is_here: bool) -> RailLink:
    exactness = "page" if entry.page == page else "true"
    return RailLink(entry.name, with_query(page_url(entry.page), entry.query), exactness if is_here else "")
