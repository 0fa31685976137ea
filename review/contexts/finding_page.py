"""`/findings/<id>`: one finding, what it did to others and they to it; and `/findings/new`, where one is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from review.contexts.choices import SelectOption
from review.contexts.finding_example import ExampleFields, ExampleForm, ExampleShown, example_form, example_shown
from review.contexts.findings import GUARANTEE_OF, name_of_check
from review.contexts.learnt import AboutLink, FindingLink, LearntLine, ProposalRow, Supersession, finding_url, why_words
from selftest.findings import listing, reading
from selftest.findings.filters import MemoryFilter
from selftest.findings.models import Act, Finding
from selftest.findings.models.finding import CATEGORY_CHARACTERS, SOURCE_CHARACTERS

SHOWN_ACTS = 100
KNOWN_CATEGORIES = 40  # that the form proposes, the fullest first
Kind = Act.Kind
ALONE = {  # that no other finding has to do with
    Kind.DELETED: "Deleted",
    Kind.EXAMPLE: "Example changed",
    Kind.REFUSED: "Refused: what its example shows now",
}


@dataclass(frozen=True)
class FindingStoryLine:
    """What happened. other: the finding that it happened with, None for none."""

    what: str
    other: FindingLink | None
    why: str
    by: str
    at: datetime

    @classmethod
    def of(cls, act: Act, number: int) -> "FindingStoryLine":
        """As the finding of this number saw it."""
        is_mine = act.number == number
        other = FindingLink.of(act.other, act.other_number) if is_mine else FindingLink.of(act.finding, act.number)
        has_other = act.other_number is not None
        why = why_words(act.why) if act.why else ""
        what = _what(Kind(act.kind), is_mine) if has_other else ALONE[Kind(act.kind)]
        return cls(what, other if has_other else None, why, act.actor, act.at)


def _what(kind: Kind, is_mine: bool) -> str:
    """is_mine: it happened to the finding; else through it, to the other one."""
    match kind:
        case Kind.SUPERSEDED:
            return "Superseded by" if is_mine else "Superseded"
        case Kind.UNDONE:
            return "Active again beside" if is_mine else "Not superseding any more"
        case Kind.FREED:
            return "Active again; deleted was" if is_mine else "Deleted; active again is"
        case Kind.REFUSED:
            return "Refused: to be superseded by" if is_mine else "Refused: to supersede"
        case _:
            return ALONE[kind]


@dataclass(frozen=True)
class FindingPage:
    """`/findings/<id>`. superseded: what it superseded; undo_all: where all of that is taken back, "" for one or none.

    proposals: that await a decision on it. example: None without one; example_form: None where it can have none.
    """

    line: LearntLine
    superseded: tuple[Supersession, ...]
    proposals: tuple[ProposalRow, ...]
    example: ExampleShown | None
    example_form: ExampleForm | None
    story: tuple[FindingStoryLine, ...]
    here: str
    may_review: bool


def finding_page(row: Finding, may_review: bool, fields: ExampleFields | None = None, trouble: str = "") -> FindingPage:
    """All that is kept of one finding. fields, trouble: of an example that was sent and not kept, and why."""
    losers = list(row.superseded.order_by("-id"))
    acts = listing.acts_in_force([row, *losers])
    told = reading.story_of(row.pk).select_related("finding", "other")[:SHOWN_ACTS]
    return FindingPage(
        line=LearntLine.of(row, acts.get(row.pk)),
        superseded=tuple(Supersession.of(loser, row, acts.get(loser.pk)) for loser in losers),
        proposals=tuple(map(ProposalRow.of, listing.proposals_of(row))),
        example=example_shown(row),
        example_form=example_form(row, fields, trouble) if may_review else None,
        story=tuple(FindingStoryLine.of(act, row.pk) for act in told),
        here=finding_url(row.pk),
        may_review=may_review,
    )


@dataclass(frozen=True)
class FindingForm:
    """`/findings/new`. tags: with commas between them. around: the cause or the combination that it is left on.

    trouble: why it was not saved, "" before it was tried. limit: characters of the text, and so of the others.
    """

    content: str
    category: str
    tags: str
    source: str
    targets: tuple[SelectOption, ...]
    checks: tuple[SelectOption, ...]
    cause: int | None
    combination: int | None
    around: AboutLink | None
    categories: tuple[str, ...]
    limit: int
    category_limit: int
    source_limit: int
    trouble: str


@dataclass(frozen=True)
class FindingFields:
    """What stands in the fields of the form."""

    content: str = ""
    category: str = ""
    tags: str = ""
    target: str = ""
    source: str = ""
    check: str = ""
    cause: int | None = None
    combination: int | None = None


def finding_form(
    fields: FindingFields,
    around: AboutLink | None,
    targets: Sequence[tuple[int, str]],
    limit: int,
    trouble: str = "",
) -> FindingForm:
    """targets: that can be chosen, by number and name."""
    return FindingForm(
        content=fields.content,
        category=fields.category,
        tags=fields.tags,
        source=fields.source,
        targets=tuple(SelectOption(name, name, name == fields.target) for _, name in targets),
        checks=tuple(SelectOption(check, name_of_check(check), check == fields.check) for check in GUARANTEE_OF),
        cause=fields.cause,
        combination=fields.combination,
        around=around,
        categories=_fullest(listing.counts_by_category(MemoryFilter())),
        limit=limit,
        category_limit=CATEGORY_CHARACTERS,
        source_limit=SOURCE_CHARACTERS,
        trouble=trouble,
    )


def _fullest(counts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda category: (-counts[category], category))[:KNOWN_CATEGORIES])
