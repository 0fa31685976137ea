"""`/findings`: what was learnt, in three tabs, beside the tree of its categories."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from django.db.models import QuerySet

from review.contexts.choices import ListTab
from review.contexts.learnt import AboutLink, LearntLine, ProposalRow, findings_url
from selftest.findings import listing
from selftest.findings.filters import FindingTab, MemoryFilter
from selftest.findings.models import Finding, Proposal

Row = TypeVar("Row", Finding, Proposal)
PAGE_ROWS = 25
SHOWN_CATEGORIES = 40  # of one level of the tree, the fullest first
NO_NAME = "–"  # a segment of a category that is empty
TAB_NAMES = {FindingTab.ACTIVE: "Active", FindingTab.SUPERSEDED: "Superseded", FindingTab.PROPOSALS: "Proposals"}


@dataclass(frozen=True)
class CategoryBranch:
    """A category of the tree. name: its last segment. count: findings in it and below. below: only where it is open."""

    name: str
    count: int
    page: str
    is_chosen: bool
    below: tuple["CategoryBranch", ...]


@dataclass(frozen=True)
class FindingsPage:
    """`/findings`. around: what the list is limited to, None for all. anywhere: all categories of the tab.

    older: the address of those before these, "" at the end. hidden: what the search asks for and shows no field of.
    """

    tabs: tuple[ListTab, ...]
    tab: FindingTab
    tree: tuple[CategoryBranch, ...]
    anywhere: str
    category: str
    text: str
    around: AboutLink | None
    hidden: tuple[tuple[str, str], ...]
    lines: tuple[LearntLine, ...]
    proposals: tuple[ProposalRow, ...]
    older: str
    clear: str
    is_anything_saved: bool
    is_continued: bool
    here: str
    may_review: bool


def findings_page(
    filters: MemoryFilter, around: AboutLink | None, before: int | None, may_review: bool
) -> FindingsPage:
    """around: the cause or the combination that the filters name. before: the list begins before this number."""
    is_proposals = filters.tab is FindingTab.PROPOSALS
    rows: list[Finding] = [] if is_proposals else _page(listing.listed(filters), before)
    proposals: list[Proposal] = _page(listing.listed_proposals(filters), before) if is_proposals else []
    shown = (proposals if is_proposals else rows)[:PAGE_ROWS]
    has_more = len(rows) + len(proposals) > PAGE_ROWS
    acts = listing.acts_in_force(rows)
    counts = listing.counts_by_tab(filters)
    hidden = {"tab": filters.tab.value if filters.tab is not FindingTab.ACTIVE else "", "category": filters.category}
    hidden |= {"cause": str(filters.cause or ""), "combination": str(filters.combination or "")}
    return FindingsPage(
        tabs=tuple(
            ListTab(TAB_NAMES[tab], counts[tab], findings_url(replace(filters, tab=tab)), tab is filters.tab)
            for tab in FindingTab
        ),
        tab=filters.tab,
        tree=category_tree(listing.counts_by_category(filters), filters),
        anywhere=findings_url(replace(filters, category="")),
        category=filters.category,
        text=filters.text,
        around=around,
        hidden=tuple((name, value) for name, value in hidden.items() if value),
        lines=tuple(LearntLine.of(row, acts.get(row.pk)) for row in rows[:PAGE_ROWS]),
        proposals=tuple(map(ProposalRow.of, proposals[:PAGE_ROWS])),
        older=findings_url(filters, before=str(shown[-1].pk)) if has_more else "",
        clear=findings_url(MemoryFilter(tab=filters.tab)) if filters.is_narrow else "",
        is_anything_saved=listing.is_anything_saved(),
        is_continued=before is not None,
        here=findings_url(filters),
        may_review=may_review,
    )


def category_tree(counts: Mapping[str, int], filters: MemoryFilter) -> tuple[CategoryBranch, ...]:
    """The categories by segment in any case, the fullest first; only what leads to the chosen one is open, and it.

    counts: findings by category. What is chosen is there also where it holds nothing.
    """
    chosen = _path(filters.category)
    whole: Counter[tuple[str, ...]] = Counter({chosen[: depth + 1]: 0 for depth in range(len(chosen))})
    written: dict[tuple[str, ...], str] = {}
    for category, count in [*sorted(counts.items(), key=lambda one: (-one[1], one[0])), (filters.category, 0)]:
        path = _path(category)
        for depth, segment in enumerate(category.split("/") if path else ()):
            whole[path[: depth + 1]] += count
            written.setdefault(path[: depth + 1], segment)
    by_parent: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for path in whole:
        by_parent.setdefault(path[:-1], []).append(path)

    def branches(parent: tuple[str, ...]) -> tuple[CategoryBranch, ...]:
        paths = sorted(by_parent.get(parent, []), key=lambda path: (-whole[path], path))
        kept = [path for place, path in enumerate(paths) if place < SHOWN_CATEGORIES or path == chosen[: len(path)]]
        return tuple(branch(path) for path in kept)

    def branch(path: tuple[str, ...]) -> CategoryBranch:
        is_chosen, is_open = path == chosen, path == chosen[: len(path)]
        address = findings_url(
            replace(filters, category="/".join(written[path[: depth + 1]] for depth in range(len(path))))
        )
        return CategoryBranch(
            written[path] or NO_NAME, whole[path], address, is_chosen, branches(path) if is_open else ()
        )

    return branches(())


def _path(category: str) -> tuple[str, ...]:
    return tuple(category.casefold().split("/")) if category else ()


def _page(rows: QuerySet[Row], before: int | None) -> list[Row]:
    """One more than a page shows where there are more."""
    return list((rows if before is None else rows.filter(pk__lt=before))[: PAGE_ROWS + 1])
