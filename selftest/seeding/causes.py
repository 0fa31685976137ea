"""The causes that flags are put down to, as cycles and people would have left them.

By symptom and recipe; and by symptom alone what people dismissed one by one, which they then moved to a cause of its
own and judged.
"""

import random
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.insight.predicates import ANY, Predicate, QueryShape
from selftest.core.insight.symptoms import seen_run
from selftest.core.judging.findings import Finding
from selftest.cycles.cause_assignment import TALLY_CYCLES
from selftest.models import ENGINE, Cause, CauseEvent, CauseTally, Flag, Reduction, Target
from selftest.seeding.bulk import EPOCH
from selftest.storage.serialization import predicate_document

MOVED = "selected by hand"
VERDICTS = (
    Cause.Verdict.CONFIRMED,
    Cause.Verdict.FALSE_ALARM,
    Cause.Verdict.ACCEPTED,
    Cause.Verdict.LATER,
    Cause.Verdict.DISMISSED,
)
LATER_DAYS = 90
LIMIT_ASKINGS = 40
COLUMNS = (
    *("checks", "runs", "struck", "flags", "asked_again", "seen_again", "example", "first_seen", "last_seen"),
    *("verdict", "judged_by", "judged_at", "judged_version", "judged_through", "until_date"),
)
Key = tuple[str, str]  # the symptom, and the recipe; "" where people moved the flags
Length = tuple[int, int]  # of a query, as parts and letters


@dataclass
class _Counted:
    """What is new of a cause. shortest: of its new flags, with the length of its query."""

    row: Cause
    checks: Counter[str] = field(default_factory=Counter)
    shortest: tuple[Length, int] | None = None
    newest: int = 0
    struck: Counter[int] = field(default_factory=Counter)  # by cycle


class CauseWriter:
    """Puts flags down to causes, one run after the other, and writes what is counted of these."""

    def __init__(self, target: Target, vocabulary: Vocabulary, seed: int) -> None:
        self._target = target
        self._vocabulary = vocabulary
        self._rng = random.Random(f"causes:{seed}")
        self._cycles: deque[tuple[int, Counter[str]]] = deque(maxlen=TALLY_CYCLES)  # the newest; runs by recipe
        rows = Cause.objects.filter(target=target, merged_into=None).order_by("id")
        known = ((_key_of(row), row) for row in rows)
        self._counted = {key: _Counted(row) for key, row in known if key is not None}
        self._new: list[_Counted] = []
        self._of_key = {counted.row.pk: counted for counted in self._counted.values()}

    def begin_cycle(self, pk: int) -> None:
        """What follows is of this cycle."""
        self._cycles.append((pk, Counter()))

    def note(self, recipe: str) -> None:
        """An answered run."""
        self._cycles[-1][1][recipe] += 1

    def causes_of(self, query: Query, flags: Sequence[tuple[int, Finding]], at_us: int, is_moved: bool) -> list[int]:
        """The key of each flag's cause. flags: of one run, with their keys. is_moved: whether people moved them."""
        length = len(query.clauses), len(query.text)
        at = EPOCH + timedelta(microseconds=at_us)
        causes: list[int] = []
        run = seen_run(QueryShape(query, self._vocabulary), flags)
        for (pk, finding), seen in zip(flags, run.flags, strict=True):
            counted = self._of((seen.symptom, "" if is_moved else query.recipe), at)
            counted.checks[finding.check] += 1
            counted.newest = pk
            counted.row.first_seen = min(counted.row.first_seen, at)
            counted.row.last_seen = max(counted.row.last_seen, at)
            if counted.shortest is None or (length, pk) < counted.shortest:
                counted.shortest = length, pk
            counted.struck[self._cycles[-1][0]] += counted.row.pk not in causes
            causes.append(counted.row.pk)
        return causes

    def reproduced(self, cause: int, asked_again: int, seen_again: int) -> None:
        """How often a flag of this cause was reproduced."""
        row = self._of_key[cause].row
        row.asked_again += asked_again
        row.seen_again += seen_again

    def _of(self, key: Key, at: datetime) -> _Counted:
        if key not in self._counted:
            symptom, recipe = key
            predicate = Predicate("recipe", (recipe,)) if recipe else ANY
            row = Cause.objects.create(
                target=self._target,
                symptom=symptom,
                predicate=predicate_document(predicate),
                sentence=predicate.sentence if recipe else MOVED,
                is_evident=bool(recipe),
                first_seen=at,
                last_seen=at,
            )
            CauseEvent.objects.create(cause=row, kind=CauseEvent.Kind.FOUND, actor=ENGINE, note=row.sentence, at=at)
            self._counted[key] = self._of_key[row.pk] = _Counted(row)
            self._new.append(self._counted[key])
        return self._counted[key]

    def write(self, now: datetime, people: Sequence[tuple[str, int | None]], version: str) -> None:
        """Saves what was counted, and judges what people have moved. people: names with accounts."""
        for (symptom, recipe), counted in self._counted.items():
            if not counted.newest:
                continue
            self._sum_up(counted, recipe)
            if not recipe:
                actor, user = self._rng.choice(people)
                self._judge(counted, symptom, now, version, actor, user)
        self._minimise(now)
        changed = [counted for counted in self._counted.values() if counted.newest]
        Cause.objects.bulk_update([counted.row for counted in changed], COLUMNS, batch_size=100)
        CauseTally.objects.filter(cause__in=[counted.row.pk for counted in changed]).delete()
        CauseTally.objects.bulk_create(
            [tally for (_, recipe), counted in self._counted.items() for tally in self._tallies(counted, recipe)],
            batch_size=500,
        )

    def _sum_up(self, counted: _Counted, recipe: str) -> None:
        row = counted.row
        row.flags += counted.checks.total()
        row.checks = [check for check, _ in (Counter(dict.fromkeys(row.checks, 1)) + counted.checks).most_common()]
        if counted.shortest is not None:
            row.example_id = counted.shortest[1]
        row.runs = sum(runs[recipe] if recipe else runs.total() for _, runs in self._cycles)
        row.struck = sum(counted.struck[cycle] for cycle, _ in self._cycles)

    def _judge(
        self, counted: _Counted, symptom: str, now: datetime, version: str, actor: str, user: int | None
    ) -> None:
        row = counted.row
        verdict = row.verdict or VERDICTS[len(symptom) % len(VERDICTS)]
        row.verdict, row.judged_by, row.judged_at, row.judged_through = verdict, actor, now, counted.newest
        row.judged_version = version
        if verdict == Cause.Verdict.LATER:
            row.until_date = now.date() + timedelta(days=LATER_DAYS)
        CauseEvent.objects.create(
            cause=row, kind=CauseEvent.Kind.JUDGED, verdict=verdict, actor=actor, user_id=user, at=now
        )

    def _minimise(self, now: datetime) -> None:
        """As if the smallest query of each new cause had been looked for, and nothing could be left out."""
        examples = [counted.shortest[1] for counted in self._new if counted.shortest]
        for flag in Flag.objects.filter(pk__in=examples).select_related("run__combination"):
            Reduction.objects.create(
                combination_id=flag.combination_id,
                run=flag.run,
                check_name=flag.check_name,
                state=Reduction.State.FINISHED,
                askings_at_most=LIMIT_ASKINGS,
                askings=LIMIT_ASKINGS,
                smallest=flag.run.document,
                smallest_text=flag.run.text,
                kept=list(range(len(flag.run.document["parts"]))),
                is_minimal=True,
                result=flag.run.result,
                source_used=flag.run.source_used,
                created_at=now,
                finished_at=now,
            )

    def _tallies(self, counted: _Counted, recipe: str) -> Iterable[CauseTally]:
        for cycle, runs in self._cycles:
            if counted.newest and (could := runs[recipe] if recipe else runs.total()):
                yield CauseTally(cause=counted.row, cycle_id=cycle, runs=could, flagged=counted.struck[cycle])


def _key_of(row: Cause) -> Key | None:
    """None for a cause that nothing is put down to here."""
    if row.sentence == MOVED:
        return (row.symptom, "") if row.verdict else None
    predicate = row.predicate
    is_open = row.verdict is None and predicate["family"] == "recipe"
    return (row.symptom, predicate["values"][0]) if is_open else None
