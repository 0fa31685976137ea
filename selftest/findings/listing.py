"""Findings as pages list them: by tab, words and category, and those that matter to one cause or one combination."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Case, Count, IntegerField, Prefetch, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from selftest.findings import reading
from selftest.findings.core.categories import CLAIMS
from selftest.findings.filters import FindingTab, MemoryFilter
from selftest.findings.models import Act, Finding, Proposal
from selftest.models import Cause, Combination, Flag, VocabularyVersion
from selftest.reading.causes import ExampleQuery, cause_numbered, example_queries
from selftest.reading.combination import combination_numbered
from selftest.reading.queue import findings_of

# What a finding shares with a page, the most telling first. What it is about as a whole target counts nothing.
ABOUT_THIS = 8
ABOUT_ITS_CAUSE = 4
ABOUT_ITS_CHECK = 2
ABOUT_ITS_SOURCE = 1


@dataclass(frozen=True)
class Surroundings:
    """What a cause or a combination has to do with: findings about any of it matter there.

    is_cause: whether the cause itself is looked at; else it is the one of the combination.
    """

    target: int
    target_name: str
    checks: tuple[str, ...]
    sources: tuple[str, ...]
    cause: int | None = None
    combination: int | None = None

    @property
    def is_cause(self) -> bool:
        return self.combination is None


def around_cause(row: Cause, example: ExampleQuery | None) -> Surroundings:
    """example: the query that shows it, as `example_queries` has it."""
    parts = [part.document for part in example.parts] if example else []
    return Surroundings(row.target_id, row.target.name, tuple(row.checks), _sources(parts), cause=row.pk)


def around_combination(row: Combination, flags: Sequence[Flag]) -> Surroundings:
    """flags: of the run that was flagged last."""
    checks = tuple(flag.check_name for flag in flags)
    sources = _sources(row.query["parts"])
    return Surroundings(row.target_id, row.target.name, checks, sources, cause=row.cause_id, combination=row.pk)


def known(around: Surroundings, at_most: int) -> list[Finding]:
    """The active findings that matter there most, the most relevant first."""
    mine = _matches(around)
    telling = (
        Case(When(one, then=Value(weight)), default=Value(0), output_field=IntegerField()) for one, weight in mine
    )
    rows = Finding.objects.filter(superseded_by__isnull=True).filter(_known(around, mine))
    ranked = rows.annotate(relevance=sum(telling, Value(0))).order_by("-relevance", "-is_correction", "-id")
    most = list(ranked.values_list("pk", flat=True)[:at_most])  # sorted without what they are about, which is wide
    found = _with_subjects(Finding.objects.all()).in_bulk(most)
    return [found[pk] for pk in most if pk in found]


def listed(filters: MemoryFilter) -> QuerySet[Finding]:
    """Of the first two tabs, the newest first."""
    rows = reading.findings(filters.text, filters.category, include_superseded=True)
    rows = rows.filter(superseded_by__isnull=filters.tab is not FindingTab.SUPERSEDED)
    around = _around(filters)
    return _with_subjects(rows if around is None else rows.filter(_known(around, _matches(around))))


def listed_proposals(filters: MemoryFilter) -> QuerySet[Proposal]:
    """Of the third tab: by what would stand afterwards."""
    sides = (Prefetch(side, _with_subjects(Finding.objects.all())) for side in ("loser", "winner"))
    rows = reading.open_proposals().select_related(None).prefetch_related(*sides)
    if not filters.is_narrow:
        return rows
    matching = listed(replace(filters, tab=FindingTab.ACTIVE)).order_by().values("pk")
    return rows.filter(Q(winner__in=matching) | Q(winner=None, loser__in=matching))


def counts_by_tab(filters: MemoryFilter) -> Mapping[FindingTab, int]:
    """How many each tab holds."""
    counts = {tab: listed(replace(filters, tab=tab)).count() for tab in (FindingTab.ACTIVE, FindingTab.SUPERSEDED)}
    return counts | {FindingTab.PROPOSALS: listed_proposals(filters).count()}


def counts_by_category(filters: MemoryFilter) -> Mapping[str, int]:
    """How many of the tab each category holds, whatever category is chosen."""
    anywhere = replace(filters, category="")
    if filters.tab is FindingTab.PROPOSALS:
        stands = Coalesce("winner__category", "loser__category")  # what is not saved yet is of the claim's category
        proposed = listed_proposals(anywhere).order_by().annotate(stands=stands).values_list("stands")
        return dict(proposed.annotate(count=Count("pk")))
    return dict(listed(anywhere).order_by().values_list("category").annotate(count=Count("pk")))


def is_anything_saved() -> bool:
    """Whether the memory holds a finding."""
    return Finding.objects.exists()


def acts_numbered(numbers: Sequence[int]) -> list[Act]:
    """Entries of the story, in the order in which they happened."""
    return list(Act.objects.filter(pk__in=numbers).order_by("pk"))


def acts_in_force(rows: Sequence[Finding]) -> Mapping[int, Act]:
    """By finding: that by which it is superseded now, with its why."""
    winners = {row.pk: row.superseded_by_id for row in rows if row.superseded_by_id is not None}
    acts = Act.objects.filter(number__in=winners, kind=Act.Kind.SUPERSEDED).order_by("pk")
    return {act.number: act for act in acts if act.other_number == winners[act.number]}


def proposals_of(row: Finding) -> QuerySet[Proposal]:
    """That it should supersede another one, or another one it."""
    return listed_proposals(MemoryFilter()).filter(Q(loser=row) | Q(winner=row))


def known_sources(row: Finding) -> list[str]:
    """The sources of the target that a finding is about, or else of the default one, by the vocabulary in force."""
    here = {"target": row.target_id} if row.target_id else {"target__is_default": True}
    version = VocabularyVersion.objects.filter(in_force=True, **here).first()
    return sorted(version.content["headers"]) if version else []


def _around(filters: MemoryFilter) -> Surroundings | None:
    if filters.cause is not None and (cause := cause_numbered(filters.cause)):
        return around_cause(cause, example_queries([cause]).get(cause.pk))
    if filters.combination is not None and (combination := combination_numbered(filters.combination)):
        run = combination.last_flagged_run_id
        return around_combination(combination, findings_of([run]).get(run, []) if run else [])
    return None


def _matches(around: Surroundings) -> list[tuple[Q, int]]:
    """Each way to matter there, and its weight. What names another target never does."""
    here = Q(target=around.target) | Q(target=None)
    matches = [
        (here & Q(check_name__in=around.checks), ABOUT_ITS_CHECK),
        (here & Q(source__in=around.sources), ABOUT_ITS_SOURCE),
    ]
    if around.cause is not None:
        of_cause = Q(cause__in=reading.with_merged(around.cause))
        matches.append((of_cause, ABOUT_THIS if around.is_cause else ABOUT_ITS_CAUSE))
    if around.is_cause:
        its = Combination.objects.filter(cause=around.cause, ever_flagged=True)  # which a narrow index holds
        matches.append((Q(combination__in=its.values("pk")), ABOUT_ITS_CAUSE))
    else:
        matches.append((Q(combination=around.combination), ABOUT_THIS))
    return matches


def _known(around: Surroundings, matches: Sequence[tuple[Q, int]]) -> Q:
    found = Q(target=around.target) | Q(target=None, category__istartswith=f"{CLAIMS}{around.target_name}/")
    found &= Q(cause=None, combination=None, check_name="", source="")
    for one, _ in matches:
        found |= one
    return found


def _sources(parts: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part[2] for part in parts if part[2]))


def _with_subjects(rows: QuerySet[Finding]) -> QuerySet[Finding]:
    """With what they are about, and what each superseded."""
    losers = Prefetch("superseded", Finding.objects.only("pk", "superseded_by"))
    return rows.select_related("target", "cause", "combination", "superseded_by").prefetch_related(losers)
