"""Requesting a comparison of two targets, and what it asks; `comparing` asks it, in the worker."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django_q.tasks import async_task

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.evaluation.core.answer_differences import DifferenceKind
from selftest.evaluation.models import Comparison, GoldenSet
from selftest.evaluation.models.comparison import MOST_QUERIES
from selftest.evaluation.reading import pairs_to_ask
from selftest.models import Actor, Combination, Cycle, Run, Target
from selftest.models.combination import IN_QUEUE
from selftest.reading.tuning import is_enabled
from selftest.refusals import BrokerAwayError, RefusedError, UnknownError
from selftest.storage.broker_faults import BROKER_OR_DATABASE_AWAY
from selftest.storage.serialization import kept_answer, query_of, vocabulary_of
from selftest.storage.texts import storable

TASK = "selftest.tasks.planned_comparison"
WRITTEN = "written"  # instead of a recipe
LEASE_S = 60.0  # without a sign of life, beyond the time limits of both targets: its worker is gone
State = Comparison.State


@dataclass(frozen=True)
class Wanted:
    """What to compare. against: None for its own earlier answers, of `before_version` or, where that is "", of any."""

    target: Target
    against: Target | None
    queries: Comparison.Queries = Comparison.Queries.LAST
    at_most: int = 500
    before_version: str = ""
    golden_set: GoldenSet | None = None


@dataclass(frozen=True)
class Chosen:
    """A query that is to be asked. kept: what the target itself answered before, where it is held against that."""

    query: Query
    kept: Answer | None = None


def request(wanted: Wanted, actor: Actor) -> Comparison:
    """Saves a planned comparison and tells the worker. Raises RefusedError, BrokerAwayError."""
    planned = plan(wanted, actor)
    try:
        async_task(TASK, planned.pk, task_name=f"comparison {planned.pk}")
    except BROKER_OR_DATABASE_AWAY as failure:
        end(planned, State.STOPPED, f"it could not be handed to the worker: {failure}")
        raise BrokerAwayError(
            "the broker between here and the worker is away, so nothing was started; try again when it is back"
        ) from failure
    return planned


def plan(wanted: Wanted, actor: Actor) -> Comparison:
    """Saves a planned comparison. Raises RefusedError where there is nothing to compare, or one is under way."""
    _refuse(wanted)
    end_abandoned()
    asked = chosen(wanted)
    if not asked:
        raise RefusedError(_nothing_to_ask(wanted))
    try:
        with transaction.atomic():
            return Comparison.objects.create(
                target=wanted.target,
                against=wanted.against,
                before_version=wanted.before_version,
                queries=wanted.queries,
                golden_set=wanted.golden_set,
                golden_set_name=wanted.golden_set.name if wanted.golden_set else "",
                at_most=wanted.at_most,
                planned=len(asked),
                requested_by=actor.user,
                actor=actor.name,
                created_at=timezone.now(),
            )
    except IntegrityError as already:  # one_open_comparison
        raise RefusedError(f"{wanted.target} is being compared already; wait for the result or stop it") from already


def _refuse(wanted: Wanted) -> None:
    if not 1 <= wanted.at_most <= MOST_QUERIES:
        raise RefusedError(f"from 1 to {MOST_QUERIES} queries can be compared, not {wanted.at_most}")
    if wanted.against is not None and wanted.before_version:
        raise RefusedError("a version before is one of the target itself; leave out the other target")
    if (wanted.queries == Comparison.Queries.SET) != (wanted.golden_set is not None):
        raise RefusedError("name a golden set where its queries are to be asked, and only there")
    if wanted.golden_set is not None and wanted.against is None:
        raise RefusedError("a golden set needs another target; what one target changes, its reports tell")
    for each in filter(None, (wanted.target, wanted.against)):
        if not is_enabled(each):
            raise RefusedError(f"testing of {each} is switched off; switch it on to compare it")
        if vocabulary_in_force(each) is None:
            raise RefusedError(f"{each} has no vocabulary; give it one in the admin first")


def _nothing_to_ask(wanted: Wanted) -> str:
    if wanted.queries == Comparison.Queries.FLAGGED:
        return "no query has an open flag; compare the last queries"
    if wanted.golden_set is not None:
        return f"the set {wanted.golden_set} has no pair in use"
    if wanted.against is None:
        version = f" by version {wanted.before_version}" if wanted.before_version else " by an earlier version"
        return f"no answer of {wanted.target}{version} is kept; compare it with another target"
    return "neither target was asked anything yet; run a cycle first"


def stop(comparison: Comparison) -> bool:
    """Stops one that is planned or under way; what was compared until then is kept. False where it is over."""
    if comparison.state == State.PLANNED:
        return end(comparison, State.STOPPED, "stopped before it began")
    stopping = Comparison.objects.filter(pk=comparison.pk, state=State.RUNNING)
    return stopping.update(state=State.STOPPED, note="stopped by a person", finished_at=timezone.now()) == 1


def end_abandoned() -> int:
    """Ends those whose worker is gone; how many."""
    limit = Target.objects.aggregate(longest=Max("time_limit_s"))["longest"] or 0
    before = timezone.now() - timedelta(seconds=2 * limit + LEASE_S)
    gone = Comparison.objects.filter(state=State.RUNNING, last_sign_at__lt=before)
    return gone.update(state=State.STOPPED, note="its worker stopped", finished_at=timezone.now())


def chosen(wanted: Wanted | Comparison) -> list[Chosen]:
    """The queries that are to be asked, at most so many, the newest first: of either target, as one may be new."""
    if wanted.queries == Comparison.Queries.SET:
        pairs = pairs_to_ask(wanted.golden_set) if wanted.golden_set else []
        return [Chosen(_written(pair.current.query)) for pair in pairs if pair.current][: wanted.at_most]
    both = [each for each in (wanted.target, wanted.against) if each is not None]
    runs = Run.objects.filter(target__in=both, state=Run.State.DONE)
    if wanted.queries == Comparison.Queries.FLAGGED:
        flagged = Combination.objects.filter(IN_QUEUE, target__in=both).order_by("-id")
        runs = runs.filter(pk__in=flagged.values_list("last_flagged_run_id", flat=True)[: wanted.at_most])
    if wanted.against is None:
        runs = _of_version(runs, wanted)
    found: dict[str, Chosen] = {}
    for run in runs.select_related("combination").order_by("-id").iterator(chunk_size=500):
        kept = kept_answer(run) if wanted.against is None else None
        text = run.text
        if (wanted.against is None and kept is None) or text in found:
            continue
        found[text] = Chosen(query_of(run.document), kept)
        if len(found) == wanted.at_most:
            break
    return list(found.values())


def _written(text: str) -> Query:
    """A query that a person wrote: one part, which may name any source."""
    return Query(WRITTEN, (Part(PartKind.REQUEST, text),))


def _of_version(runs: QuerySet[Run], wanted: Wanted | Comparison) -> QuerySet[Run]:
    if wanted.before_version:
        return runs.filter(cycle__target_version=wanted.before_version)
    newest = Cycle.objects.filter(target=wanted.target).exclude(target_version="").order_by("-id").first()
    return runs if newest is None else runs.exclude(cycle__target_version=newest.target_version)


def end(comparison: Comparison, state: Comparison.State, note: str = "", **columns: object) -> bool:
    """Ends one that is planned or under way. False where it is over already."""
    open_ones = Comparison.objects.filter(pk=comparison.pk, state__in=Comparison.OPEN_STATES)
    ended = open_ones.update(state=state, note=storable(note), finished_at=timezone.now(), **columns)
    return ended == 1


def vocabulary_in_force(target: Target) -> Vocabulary | None:
    """None where it has none."""
    version = target.vocabularies.filter(in_force=True).first()
    return None if version is None else vocabulary_of(version)


WORSE_KINDS = {DifferenceKind.FINDING_CAME, DifferenceKind.ERROR}  # of groups of before they said so themselves


def is_worse(comparison: Comparison) -> bool:
    """Whether the target breaks what the other one keeps: a check finds something, or there is no answer."""
    return any(group.get("is_worse", group["kind"] in WORSE_KINDS) for group in comparison.groups)


# --- reading ---

SAYS = {
    DifferenceKind.ERROR: "an error",
    DifferenceKind.EMPTY: "empty sections",
    DifferenceKind.FINDING_CAME: "a finding came: {}",
    DifferenceKind.FINDING_WENT: "a finding went: {}",
    DifferenceKind.SOURCE: "another source",
    DifferenceKind.SECTIONS: "other sections",
    DifferenceKind.CONTENT: "other {}",
    DifferenceKind.UNSTEADY: "one target is unsteady: {}",
    DifferenceKind.CACHED: "from the cache",
    DifferenceKind.LATENCY: "{}",
}


def comparison_numbered(number: int) -> Comparison:
    """Raises UnknownError."""
    found = Comparison.objects.select_related("target", "against").filter(pk=number).first()
    if found is None:
        raise UnknownError(f"there is no comparison {number}")
    return found


def comparisons() -> QuerySet[Comparison]:
    """The newest first, without what differs."""
    return Comparison.objects.select_related("target", "against").defer("differences").order_by("-id")


def comparison_document(row: Comparison, with_queries: bool = True) -> dict[str, Any]:
    """As scripts get it. Groups come with the largest first; `members` are places in `differences`."""
    document = {
        "id": row.pk,
        "target": row.target.name,
        "against": None if row.against is None else row.against.name,
        "before_version": row.before_version,
        "queries": row.queries,
        "set": row.golden_set_name or None,
        "state": row.state,
        "note": row.note,
        "planned": row.planned,
        "compared": row.compared,
        "differing": row.differing,
        "requests": row.requests,
        "is_worse": is_worse(row),
        "requested_by": row.actor,
        "created_at": row.created_at.isoformat(),
        "finished_at": None if row.finished_at is None else row.finished_at.isoformat(),
        "groups": [_group_document(group) for group in row.groups],
        "latency": None if row.latency is None else {**row.latency, "says": _latency_says(row.latency)},
    }
    if with_queries:
        document["differences"] = [
            {**each, "differences": [{**one, "says": _says(one)} for one in each["differences"]]}
            for each in row.differences
        ]
    return document


def _group_document(group: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: group[name] for name in ("has", "kind", "subject", "before", "now", "sources", "members", "smallest")}
    return {**told, "queries": group["of"], "differing": len(group["members"]), "says": _says(group)}


def _says(told: Mapping[str, Any]) -> str:
    return SAYS[DifferenceKind(told["kind"])].format(told["subject"])


def _latency_says(latency: Mapping[str, Any]) -> str:
    change, low, high = (latency[name] for name in ("median_ms", "low_ms", "high_ms"))
    word = "as fast" if not latency["is_clear"] else "slower" if change > 0 else "faster"
    figures = f"{change:+.0f} ms on {latency['before_ms']:.0f} ms (95 % between {low:+.0f} and {high:+.0f} ms)"
    return f"{word}: {figures} at the median of {latency['pairs']} queries"
