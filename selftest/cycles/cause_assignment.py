"""Which cause each recent flag of a target is put down to, decided again after every cycle.

Outside the transaction that ends the cycle: should it fail, the next cycle's does the same for all.
"""

import gc
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from itertools import compress
from threading import Lock
from typing import Any

from django.db import transaction
from django.db.models import TextField
from django.db.models.functions import Cast

from selftest.core.insight.causes import FoundCause, find_causes
from selftest.core.insight.holding import Holding
from selftest.core.insight.identity import identities
from selftest.core.insight.predicates import Predicate, QueryShape
from selftest.core.insight.quiet import ended_spell
from selftest.core.insight.symptoms import SeenRun, seen_run
from selftest.core.judging.findings import CheckName
from selftest.models import ENGINE, Cause, CauseEvent, CauseTally, Flag, Installation, Run, Target, VocabularyVersion
from selftest.models.run import AS_ASKED
from selftest.reading.causes import known_predicate, waiting_flags
from selftest.storage.chunks import chunks
from selftest.storage.leading_causes import follow_flags, lock_combinations_of
from selftest.storage.locks import locked
from selftest.storage.serialization import (
    finding_of,
    predicate_document,
    predicate_of,
    query_of,
    vocabulary_of,
)

WINDOW_RUNS = 10_000  # the newest that causes are told by
KEPT_RUNS = 2 * WINDOW_RUNS  # of all targets, in each process; some 5 KB each
DIGEST_BYTES = 16
TALLY_CYCLES = 60  # the newest whose figures are kept
KNOWN_CHECKS = {check.value: check for check in CheckName}
COLUMNS = (  # what an assignment decides; the others are people's
    *("symptom", "predicate", "sentence", "is_evident", "checks", "runs", "struck", "other_runs", "other_struck"),
    *("flags", "asked_again", "seen_again", "example_id", "first_seen", "last_seen", "new_flags"),
)
SEEN = ("created_at", "asked_again", "seen_again")
TALLY = ("pk", "cause", "cycle", "runs", "flagged")
Kind = CauseEvent.Kind
Group = tuple[FoundCause, frozenset[int]]  # with the flags that people left to the engine


@dataclass(frozen=True)
class _FlagRow:
    """A flag as its row has it."""

    check: str
    at: datetime
    asked_again: int
    seen_again: int


_ToldByFlag = tuple[int, str, str]
"""The key of a flag, its check, and its evidence as its row has it."""


class _SeenRuns:
    """The runs of each target's last window as causes see them: most of a window is that of the cycle before."""

    def __init__(self) -> None:
        self._of_target: dict[int, Mapping[bytes, SeenRun]] = {}  # what was told last stands last
        self._lock = Lock()

    def of(self, target: int) -> Mapping[bytes, SeenRun]:
        """By a digest of their rows."""
        return self._of_target.get(target, {})

    def keep(self, target: int, seen: Mapping[bytes, SeenRun]) -> None:
        """Instead of those of its window before. With too many of all, other targets' are forgotten."""
        with self._lock:
            self._of_target.pop(target, None)
            self._of_target[target] = seen
            while sum(map(len, self._of_target.values())) > KEPT_RUNS:
                del self._of_target[next(iter(self._of_target))]


SEEN_RUNS = _SeenRuns()


def _seen(query: str, flags: Sequence[_ToldByFlag], in_force: VocabularyVersion) -> SeenRun:
    """query: its document, as its row has it."""
    shape = QueryShape(query_of(json.loads(query)), vocabulary_of(in_force))
    return seen_run(shape, [(key, finding_of(KNOWN_CHECKS[check], json.loads(told))) for key, check, told in flags])


@dataclass
class _Window:
    """The newest runs of a target. runs: as causes see them, in the order of `cycles`, the cycle of each.

    flags: by key. lengths: key → of its query, as parts and letters. cause_of: key → the cause that it has now.
    by_hand: keys of those that a person placed.
    """

    runs: list[SeenRun] = field(default_factory=list)
    cycles: list[int] = field(default_factory=list)
    flags: dict[int, _FlagRow] = field(default_factory=dict)
    lengths: dict[int, tuple[int, int]] = field(default_factory=dict)
    cause_of: dict[int, int] = field(default_factory=dict)
    by_hand: set[int] = field(default_factory=set)

    @property
    def newest_cycles(self) -> list[int]:
        """Those whose figures are kept, the newest first."""
        return sorted(set(self.cycles), reverse=True)[:TALLY_CYCLES]


def assign_causes(target: Target, now: datetime) -> None:
    """Puts each recent flag of `target` down to a cause; the rows of causes, their story and their figures follow."""
    version = target.vocabularies.filter(in_force=True).first()
    if version is None:
        return
    with _without_collecting():
        window = _window(target, version)
        if not window.flags:
            return
        found = find_causes(window.runs)
    with transaction.atomic():
        locked(Target.objects).get(pk=target.pk)  # two assignments for one target, one after the other
        _read_placements(window)
        _Assignment(target, window, now).save(found)
        Installation.queue_changed()


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Python's collector would look through a growing heap of small values again and again: half of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _window(target: Target, in_force: VocabularyVersion) -> _Window:
    window = _Window()
    done = Run.objects.filter(target=target, state=Run.State.DONE, own_error="").order_by("-id")
    rows = list(done.values_list("pk", "cycle", Cast(AS_ASKED, TextField()))[:WINDOW_RUNS])
    rows.reverse()
    before, now = SEEN_RUNS.of(target.pk), dict[bytes, SeenRun]()
    for chunk in chunks(rows):  # what flags say takes more room than what is kept of it
        told = _told_by_flags(window, [run for run, _, _ in chunk])
        for run, cycle, query in chunk:
            flags = told.get(run, ())
            digest = blake2b(repr((query, flags, in_force.sha256)).encode(), digest_size=DIGEST_BYTES).digest()
            seen = now[digest] = now.get(digest) or before.get(digest) or _seen(query, flags, in_force)
            window.runs.append(seen)
            window.cycles.append(cycle)
            length = len(seen.shape.query.clauses), len(seen.shape.query.text)
            window.lengths |= {flag.key: length for flag in seen.flags}
    SEEN_RUNS.keep(target.pk, now)
    return window


def _told_by_flags(window: _Window, runs: Sequence[int]) -> Mapping[int, Sequence[_ToldByFlag]]:
    """By run what its flags say; their rows go into `window`."""
    told: dict[int, list[_ToldByFlag]] = defaultdict(list)
    flags = Flag.objects.filter(run__in=runs, check_name__in=KNOWN_CHECKS).order_by("run", "place")
    evidence = Cast("evidence", TextField())
    for key, run, check, document, *seen in flags.values_list("pk", "run", "check_name", evidence, *SEEN):
        told[run].append((key, check, document))
        window.flags[key] = _FlagRow(check, *seen)
    return told


def _read_placements(window: _Window) -> None:
    """Where each flag is now: while causes were looked for, a person may have moved some."""
    for chunk in chunks(window.flags):
        placed = Flag.objects.filter(pk__in=chunk, cause__isnull=False).order_by()
        for key, cause, is_placed_by_hand in placed.values_list("pk", "cause", "is_placed_by_hand"):
            window.cause_of[key] = cause
            if is_placed_by_hand:
                window.by_hand.add(key)


def _columns_of(row: Cause) -> dict[str, Any]:
    return {name: getattr(row, name) for name in COLUMNS}


class _Assignment:
    """What was found, brought together with the rows that are there. Within one transaction."""

    def __init__(self, target: Target, window: _Window, now: datetime) -> None:
        self._target = target
        self._window = window
        self._now = now
        self._rows = {row.pk: row for row in Cause.objects.filter(target=target, merged_into=None).order_by("id")}
        self._saved = {pk: _columns_of(row) for pk, row in self._rows.items()}
        self._events: list[CauseEvent] = []
        self._following: set[int] = set()  # flags that go where a person merged what they are like

    def save(self, found: Sequence[FoundCause]) -> None:
        """Rows, flags, story and figures."""
        groups = self._without_those_by_hand(found)
        before = self._known()
        continued = identities(before, [flags for _, flags in groups])
        rows = [self._row(group, number, before) for group, number in zip(groups, continued, strict=True)]
        self._move(groups, rows)
        self._end_those_without_flags(before)
        self._save_figures()
        self._tally(rows)
        CauseEvent.objects.bulk_create(self._events)

    def _without_those_by_hand(self, found: Iterable[FoundCause]) -> list[Group]:
        left = ((one, frozenset(one.flags - self._window.by_hand)) for one in found)
        return [(one, flags) for one, flags in left if flags]

    def _known(self) -> dict[int, frozenset[int]]:
        """Cause → those of its flags that are looked at."""
        known: dict[int, set[int]] = defaultdict(set)
        for flag, cause in self._window.cause_of.items():
            if flag not in self._window.by_hand and cause in self._rows:
                known[cause].add(flag)
        return {cause: frozenset(flags) for cause, flags in known.items()}

    @cached_property
    def _merged_by_hand(self) -> dict[tuple[str, Predicate], Cause]:
        """What is like a cause that a person merged goes where that went."""
        merged = {row.pk: row for row in Cause.objects.filter(target=self._target).exclude(merged_into=None)}
        goes_to = {}
        for row in merged.values():
            heir = row.merged_into_id
            while heir in merged:
                heir = merged[heir].merged_into_id
            if row.is_merged_by_hand and heir in self._rows:
                goes_to[row.symptom, predicate_of(row.predicate)] = self._rows[heir]
        return goes_to

    def _row(self, group: Group, number: int | None, before: Mapping[int, frozenset[int]]) -> Cause:
        found, flags = group
        if number is None and (merged := self._merged_by_hand.get((found.symptom, found.predicate))):
            self._following |= flags
            return merged
        row = None if number is None else self._rows[number]
        if row is None:
            row = Cause.objects.create(
                target=self._target,
                first_seen=min(self._window.flags[flag].at for flag in flags),
                last_seen=max(self._window.flags[flag].at for flag in flags),
                **self._columns(found, flags),
            )
            self._rows[row.pk] = row
            self._saved[row.pk] = _columns_of(row)
            came_from = max(before, key=lambda cause: len(before[cause] & flags), default=None)
            if came_from is not None and before[came_from] & flags:
                self._tell(row, Kind.SPLIT, f"from “{self._rows[came_from].sentence}”", self._rows[came_from])
            else:
                self._tell(row, Kind.FOUND, row.sentence)
            return row
        said = row.sentence
        for column, value in self._columns(found, flags).items():
            setattr(row, column, value)
        if row.sentence != said:
            self._tell(row, Kind.REWORDED, f"before: “{said}”")
        return row

    def _columns(self, found: FoundCause, flags: frozenset[int]) -> dict[str, Any]:
        return {
            "symptom": found.symptom,
            "predicate": predicate_document(found.predicate),
            "sentence": found.predicate.sentence,
            "is_evident": found.evidence > 0,
            "runs": found.runs,
            "struck": found.struck - self._struck_elsewhere(found, flags),
            "other_runs": found.other_runs,
            "other_struck": found.other_struck,
        }

    def _struck_elsewhere(self, found: FoundCause, flags: frozenset[int]) -> int:
        """Runs whose only flags of it are with another cause, as a person placed them."""
        if not (elsewhere := found.flags - flags):
            return 0
        of_runs = ((run.shape, {flag.key for flag in run.flags}) for run in self._window.runs if run.flags)
        return sum(
            bool(keys & elsewhere and not keys & flags and found.predicate.places(shape)) for shape, keys in of_runs
        )

    def _move(self, groups: Sequence[Group], rows: Sequence[Cause]) -> None:
        moved: dict[int, list[int]] = defaultdict(list)
        for (_, flags), row in zip(groups, rows, strict=True):
            moved[row.pk] += [flag for flag in flags if self._window.cause_of.get(flag) != row.pk]
        lock_combinations_of(flag for newly in moved.values() for flag in newly)
        for cause, newly in moved.items():
            for chunk in chunks(newly):
                Flag.objects.filter(pk__in=chunk).update(cause=cause)
                followers = [flag for flag in chunk if flag in self._following]
                Flag.objects.filter(pk__in=followers).update(is_placed_by_hand=True)
            for flag in newly:
                self._add(self._rows.get(self._window.cause_of.get(flag, 0)), flag, -1)
                self._add(self._rows[cause], flag, 1)
                self._window.cause_of[flag] = cause
        follow_flags(flag for newly in moved.values() for flag in newly)

    def _add(self, row: Cause | None, flag: int, sign: int) -> None:
        """What flags outside the window say of a row is in its figures already."""
        if row is not None:
            seen = self._window.flags[flag]
            row.flags += sign
            row.asked_again += sign * seen.asked_again
            row.seen_again += sign * seen.seen_again

    def _end_those_without_flags(self, before: Mapping[int, frozenset[int]]) -> None:
        """A cause that lost all of its flags is merged into the one that has most of them now."""
        for cause, flags in before.items():
            if any(self._window.cause_of[flag] == cause for flag in flags):
                continue
            if self._rows[cause].flags:
                continue  # older ones, or such as a person placed
            [(heir, _)] = Counter(self._window.cause_of[flag] for flag in flags).most_common(1)
            Cause.objects.filter(pk=cause).update(merged_into=heir)
            merged = self._rows.pop(cause)
            self._tell(self._rows[heir], Kind.MERGED, f"with “{merged.sentence}”", merged)

    def _save_figures(self) -> None:
        """When and in which checks each was seen, its shortest query; a judged one says once that it has new flags."""
        flags_of: dict[int, list[int]] = defaultdict(list)
        for flag, cause in self._window.cause_of.items():
            flags_of[cause].append(flag)
        seen = self._window.flags
        for row in self._rows.values():
            if flags := flags_of.get(row.pk):
                row.first_seen = min(row.first_seen, *(seen[flag].at for flag in flags))
                row.last_seen = max(row.last_seen, *(seen[flag].at for flag in flags))
                row.checks = [check for check, _ in Counter(seen[flag].check for flag in flags).most_common()]
                row.example_id = min(flags, key=lambda flag: (self._window.lengths[flag], flag))
            if row.verdict is not None:
                new = waiting_flags(row).count()
                if new and not row.new_flags:
                    self._tell(row, Kind.CAME_BACK, f"{new} since it was judged: {row.get_verdict_display()}")
                row.new_flags = new
            before, after = self._saved[row.pk], _columns_of(row)
            if changed := {name: value for name, value in after.items() if value != before[name]}:
                Cause.objects.filter(pk=row.pk).update(**changed)

    def _tally(self, rows: Iterable[Cause]) -> None:
        """For each of the newest cycles: how many of its runs could have shown a cause, and how many did."""
        kept = set(self._window.newest_cycles)
        seen = [
            (cycle, run) for cycle, run in zip(self._window.cycles, self._window.runs, strict=True) if cycle in kept
        ]
        cycles = [cycle for cycle, _ in seen]
        holding = Holding([run.shape for _, run in seen])
        struck: dict[int | None, set[int]] = defaultdict(set)
        for place, (_, run) in enumerate(seen):
            for flag in run.flags:
                struck[self._window.cause_of.get(flag.key)].add(place)
        tallies: dict[tuple[int, int], tuple[int, int]] = {}
        for row in {row.pk: row for row in rows}.values():
            predicate, mine = known_predicate(row.predicate), struck[row.pk]
            held = [1] * len(seen) if predicate is None else holding.places_of(holding.bits(predicate))
            runs = Counter(compress(cycles, held))
            runs.update(cycles[place] for place in mine if not held[place])
            flagged = Counter(cycles[place] for place in mine)
            course = {cycle: (runs[cycle], flagged[cycle]) for cycle in sorted(runs)}
            self._tell_if_seen_again(row, course)
            tallies |= {(row.pk, cycle): figures for cycle, figures in course.items()}
        self._save_tallies(tallies)

    def _save_tallies(self, tallies: Mapping[tuple[int, int], tuple[int, int]]) -> None:
        """Only what has changed: most are of cycles that were counted before."""
        rows = CauseTally.objects.filter(cause__in=list(self._rows)).order_by()
        known = {(cause, cycle): (pk, (runs, flagged)) for pk, cause, cycle, runs, flagged in rows.values_list(*TALLY)}
        outdated = [pk for key, (pk, figures) in known.items() if tallies.get(key) != figures]
        for chunk in chunks(outdated):
            CauseTally.objects.filter(pk__in=chunk).delete()
        CauseTally.objects.bulk_create(
            [
                CauseTally(cause_id=key[0], cycle_id=key[1], runs=figures[0], flagged=figures[1])
                for key, figures in tallies.items()
                if key not in known or known[key][1] != figures
            ],
            batch_size=500,
        )

    def _tell_if_seen_again(self, cause: Cause, course: Mapping[int, tuple[int, int]]) -> None:
        """Once, in the cycle that shows it again. course: by cycle, the oldest first, its runs and those flagged."""
        newest = self._window.newest_cycles[0]
        spell = ended_spell(list(course.values()), cycles=1) if newest in course else None
        if spell is None:
            return
        note = f"in cycle {newest}, after {spell.runs} queries that could have shown it and did not"
        if not CauseEvent.objects.filter(cause=cause, kind=Kind.SEEN_AGAIN, note=note).exists():
            self._tell(cause, Kind.SEEN_AGAIN, note)

    def _tell(self, cause: Cause, kind: Kind, note: str, other: Cause | None = None) -> None:
        self._events.append(CauseEvent(cause=cause, kind=kind, actor=ENGINE, note=note, other=other, at=self._now))
