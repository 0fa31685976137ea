"""Comparisons of two targets: their list with the form of a new one, and one of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from review.contexts.choices import SelectOption
from review.contexts.shapes import COMPARISON_SHAPES
from review.page_urls import numbered_url, with_query
from selftest.evaluation.comparison_requests import comparison_document
from selftest.evaluation.models import Comparison
from selftest.evaluation.models.comparison import DEFAULT_QUERIES, MOST_QUERIES

SHOWN_MEMBERS = 20  # queries of a group
EARLIER = ""  # instead of another target: its own earlier answers


@dataclass(frozen=True)
class ComparisonLine:
    """One comparison. says: how it ended, or how far it is."""

    pk: int
    target: str
    against: str
    queries: str
    state: str
    shape: str
    says: str
    is_open: bool
    actor: str
    created_at: datetime
    address: str

    @classmethod
    def of(cls, row: Comparison) -> "ComparisonLine":
        """Of its row."""
        is_open = row.state in Comparison.OPEN_STATES
        if is_open:
            says = f"{row.compared} of {row.planned} compared"
        else:
            says = f"{row.differing} of {row.compared} differ" if row.compared else "nothing was compared"
        return cls(
            row.pk,
            row.target.name,
            row.against.name if row.against else f"version {row.before_version}" if row.before_version else "before",
            row.golden_set_name or row.get_queries_display(),
            row.get_state_display(),
            COMPARISON_SHAPES[Comparison.State(row.state)],
            says,
            is_open,
            row.actor,
            row.created_at,
            numbered_url("comparison", row.pk),
        )


@dataclass(frozen=True)
class ComparisonForm:
    """What is to be compared, as it was typed. trouble: why it was refused; "" where it was not."""

    targets: tuple[SelectOption, ...]
    against: tuple[SelectOption, ...]
    queries: tuple[SelectOption, ...]
    sets: tuple[SelectOption, ...]
    at_most: str
    before: str
    most: int
    trouble: str


@dataclass(frozen=True)
class ComparisonsPage:
    """`/comparisons`. older: the address of those before these, "" at the end."""

    lines: tuple[ComparisonLine, ...]
    form: ComparisonForm
    older: str


@dataclass(frozen=True)
class Told:
    """In what a query differs."""

    says: str
    before: str
    now: str


@dataclass(frozen=True)
class Member:
    """A query that differs."""

    query: str
    told: tuple[Told, ...]


@dataclass(frozen=True)
class GroupView:
    """Queries with one kind of difference. smallest: the smallest query with it, "" where it was not looked for.

    members: the shortest ones; more: how many others there are.
    """

    has: str
    count: str
    told: Told
    smallest: str
    members: tuple[Member, ...]
    more: int


@dataclass(frozen=True)
class ComparisonPage:
    """One comparison. latency: in a sentence, "" where it is not told. seen: changes with what is shown."""

    line: ComparisonLine
    note: str
    progress: tuple[int, int]
    groups: tuple[GroupView, ...]
    latency: str
    requests: int
    poll: str
    seen: str

    @classmethod
    def of(cls, row: Comparison) -> "ComparisonPage":
        """Of its row."""
        document = comparison_document(row)
        seen = f"{row.state}-{row.compared}-{row.requests}"
        line = ComparisonLine.of(row)
        return cls(
            line,
            row.note,
            (row.compared, row.planned),
            tuple(_group(group, document["differences"]) for group in document["groups"]),
            document["latency"]["says"] if document["latency"] else "",
            row.requests,
            with_query(line.address, {"seen": seen}),
            seen,
        )


def _group(group: Mapping[str, Any], differences: Sequence[Mapping[str, Any]]) -> GroupView:
    places = group["members"]
    return GroupView(
        group["has"],
        f"{group['differing']} of {group['queries']}",
        _told(group),
        group["smallest"],
        tuple(
            Member(differences[place]["query"], tuple(map(_told, differences[place]["differences"])))
            for place in places[:SHOWN_MEMBERS]
        ),
        max(0, len(places) - SHOWN_MEMBERS),
    )


def _told(told: Mapping[str, Any]) -> Told:
    return Told(told["says"], told["before"], told["now"])


def comparison_form(
    fields: Mapping[str, str], targets: Iterable[str], sets: Iterable[str], trouble: str = ""
) -> ComparisonForm:
    """Filled in with what was typed, or with what most people want."""
    names = tuple(targets)
    target, against = fields.get("target", names[0] if names else ""), fields.get("against", EARLIER)
    queries = fields.get("queries", Comparison.Queries.LAST)
    return ComparisonForm(
        tuple(SelectOption(name, name, name == target) for name in names),
        (
            SelectOption(EARLIER, "its own earlier answers", not against),
            *(SelectOption(name, name, name == against) for name in names),
        ),
        tuple(SelectOption(value, label, value == queries) for value, label in Comparison.Queries.choices),
        tuple(SelectOption(name, name, name == fields.get("set")) for name in sets),
        fields.get("at_most", str(DEFAULT_QUERIES)),
        fields.get("before", ""),
        MOST_QUERIES,
        trouble,
    )
