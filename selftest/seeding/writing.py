"""Goes through the cycles in order and writes what each left, as recording does it for a real one."""

import hashlib
import heapq
import json
import random
from array import array
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User

from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import Finding
from selftest.cycles.lifecycle import SEED_BITS
from selftest.cycles.recording import ENGINE, EXCERPT_CHARACTERS
from selftest.cycles.suspect_assignment import ingredient_ids
from selftest.models import Combination, Cycle, Flag, ReviewEvent, Run, Target, Tuning, VocabularyVersion
from selftest.seeding.bulk import EPOCH, ROWS_AT_ONCE, Rows, stamper
from selftest.seeding.checking import Checker
from selftest.seeding.counting import Counting
from selftest.seeding.layout import CycleLaidOut, Layout, batch_size_for
from selftest.seeding.queries import Queries
from selftest.seeding.request import ProgressBar, SeedRequest
from selftest.seeding.stories import Kind, Story, stories_of
from selftest.storage import full_text
from selftest.storage.serialization import answer_columns, evidence_document
from selftest.storage.target_clients import open_target
from selftest.storage.texts import sha256_hex, storable

TRIGGERS = (
    *[Cycle.Trigger.SCHEDULE] * 46,
    *[Cycle.Trigger.PAGE] * 2,
    Cycle.Trigger.API,
    Cycle.Trigger.COMMAND,
)
STRANGERS: list[tuple[str, int | None]] = [("reviewer", None), ("admin", None), ("key first start", None)]
REVIEW_NOTES = {
    Kind.DISMISSED: ("", "", "", "looked at it: the router was restarting", "known, has a ticket", "harmless"),
    Kind.UNDISMISSED: ("",),
    Kind.ASSIGNED: ("",),
    Kind.UNASSIGNED: ("",),
    Kind.NOTED: (
        "looks like the router, not the source",
        "asked the owner of the source",
        "see also the two before it",
    ),
}
DONE = Run.State.DONE.value
SEEDED_OWNER = "seed_history"  # where a real cycle names its process
SECOND_US = 1_000_000
COUNTED_AT_ONCE = 500

CYCLE_COLUMNS = (
    "id target_id trigger state seed recipes queries_wanted vocabulary_id target_version queries_run flagged novel "
    "created_at started_at finished_at owner note combination_id replay_of_id"
)
COMBINATION_COLUMNS = (
    "id target_id fingerprint fingerprint_sha256 recipe_name query times_generated first_seen_timestamp "
    "last_query_text last_source_used last_latency_ms last_flagged_reason last_run_timestamp "
    "last_flagged_result_excerpt last_run_id last_flagged_run_id ever_flagged currently_flagged first_flagged_reason "
    "first_flagged_timestamp review_status flagged_check times_flagged suspect_id held_by_id held_at"
)
INGREDIENT_COLUMNS = "id combination_id ingredient_id"
ANSWER_COLUMNS = "source_used latency_ms http_status cached error own_error result result_length_bytes result_sha256"
NO_ANSWER = ("", None, None, False, "", "", "", None, "")
RUN_COLUMNS = (
    "id cycle_id target_id combination_id recipe_name place query query_text novel state asked_at finished_at "
    f"{ANSWER_COLUMNS} reason"
)
FLAG_COLUMNS = "id run_id combination_id check_name place reason evidence asked_again seen_again created_at"
AGAIN = 3  # askings of a flagged query at once
CAME_AGAIN_SHARE = 0.7  # of findings that come again each of these times
EVENT_COLUMNS = "id combination_id kind user_id actor note run_id act_id at"


@dataclass(frozen=True)
class Seeded:
    """What was written."""

    cycles: int
    combinations: int
    runs: int
    in_queue: int
    dismissed: int
    since: datetime


class Writer:
    """Goes through the cycles in order. Times are whole microseconds since 1970 until they are written."""

    def __init__(
        self,
        wish: SeedRequest,
        version: VocabularyVersion,
        queries: Queries,
        layout: Layout,
        now: datetime,
        bar: ProgressBar,
    ) -> None:
        self._wish = wish
        self._version = version
        self._queries = queries
        self._layout = layout
        self._bar = bar
        self._rng = random.Random(f"answers:{wish.seed}")
        self._stories = stories_of(wish, layout)
        self._checker = Checker(wish.target, version, self._rng)
        self._counting = Counting(wish.target)
        self._stamp = stamper()
        self._cycles = Rows(Cycle, CYCLE_COLUMNS)
        self._combinations = Rows(Combination, COMBINATION_COLUMNS)
        self._ingredients = Rows(Combination.ingredients.through, INGREDIENT_COLUMNS)
        self._runs = Rows(Run, RUN_COLUMNS)
        self._flags = Rows(Flag, FLAG_COLUMNS)
        self._events = Rows(ReviewEvent, EVENT_COLUMNS)
        self._first_combination = self._combinations.next_pk
        self._first_run = self._runs.next_pk
        self._now_us = (now - EPOCH) // timedelta(microseconds=1)
        self._interval_us = Tuning.get_solo().interval_minutes * 60 * SECOND_US
        self._last = LastOfEach(wish.combinations)
        self._reviews: list[tuple[int, int, int, ReviewEvent.Kind]] = []  # to come: when, which, combination, what
        self._reviewers: list[tuple[str, int | None]] = [
            (user.get_username(), user.pk) for user in User.objects.order_by("pk")[:5]
        ]
        self._target_version = _target_version(wish.target)

    def write(self) -> Seeded:
        clock_us = self._slot_us(0)
        for number, laid_out in enumerate(self._layout.cycles):
            begin_us = max(clock_us, self._slot_us(number)) + self._rng.randrange(SECOND_US)
            self._review_until(begin_us)
            clock_us = self._write_cycle(number, laid_out, begin_us) + 1
            self._bar.go_on(laid_out.planned)
        self._review_until(max(self._now_us, clock_us))
        for rows in (self._cycles, self._runs, self._flags, self._events):
            rows.flush()
        self._counting.write()
        self._counting.suspect_anew(self._stories, self._queries)
        self._write_combinations()
        dismissed = sum(story.is_dismissed for story in self._stories.values())
        since = EPOCH + timedelta(microseconds=self._slot_us(0))
        in_queue = len(self._stories) - dismissed
        return Seeded(len(self._layout.cycles), len(self._queries), self._wish.runs, in_queue, dismissed, since)

    def _slot_us(self, number: int) -> int:
        """When the schedule calls for this cycle; the one after the last is due now."""
        before_now: int = (len(self._layout.cycles) - number) * self._interval_us
        return self._now_us - before_now

    def _write_cycle(self, number: int, laid_out: CycleLaidOut, created_us: int) -> int:
        """The cycle and its runs; when it was over."""
        rng, stamp = self._rng, self._stamp
        pk = self._cycles.next_pk
        self._cycles.next_pk += 1
        started_us = created_us + rng.randrange(2_000, 20_000)
        planned_us = started_us + rng.randrange(5_000, 50_000)
        clock_us, flagged = planned_us, 0
        for place in range(laid_out.done):
            asked_us = clock_us + 500 + int(rng.random() * 4_000)
            clock_us, is_flagged = self._write_done(pk, laid_out, place, asked_us, planned_us)
            flagged += is_flagged
        state, note, over_us = self._end(number, laid_out, clock_us)
        for place in range(laid_out.done, laid_out.planned):
            self._write_undone(pk, laid_out, place, clock_us, over_us, planned_us)
        self._counting.end_cycle((EPOCH + timedelta(microseconds=over_us)).date())
        reached = laid_out.planned > 0
        self._cycles.add(
            (
                pk,
                self._wish.target.pk,
                rng.choice(TRIGGERS),
                state,
                self._wish.seed if number == 0 else rng.getrandbits(SEED_BITS),
                "[]",
                laid_out.planned or batch_size_for(self._wish.runs),
                self._version.pk if reached else None,
                self._target_version if reached else "",
                laid_out.done,
                flagged,
                min(laid_out.done, laid_out.novel_planned),
                stamp(created_us),
                None if laid_out.ending == "off" else stamp(started_us),
                stamp(over_us),
                "" if laid_out.ending == "off" else SEEDED_OWNER,
                note,
                None,
                None,
            )
        )
        return over_us

    def _end(self, number: int, laid_out: CycleLaidOut, clock_us: int) -> tuple[Cycle.State, str, int]:
        """How the cycle ended, why, and when."""
        match laid_out.ending:
            case "away" | "lost":
                over_us = clock_us + self._rng.randrange(SECOND_US, 5 * SECOND_US)
                return Cycle.State.TARGET_UNAVAILABLE, _away_note(self._wish.target), over_us
            case "died":  # found by the next cycle
                over_us = max(clock_us, self._slot_us(number + 1)) + SECOND_US
                return Cycle.State.INTERRUPTED, "its worker died; what was recorded is kept", over_us
            case "off":
                return Cycle.State.INTERRUPTED, "switched off before it could start", clock_us
            case _:
                return Cycle.State.FINISHED, "", clock_us + self._rng.randrange(1_000, 20_000)

    def _write_done(
        self, cycle_pk: int, laid_out: CycleLaidOut, place: int, asked_us: int, planned_us: int
    ) -> tuple[int, bool]:
        """One answered run: when it was recorded, and whether it was flagged."""
        index = self._layout.asked[laid_out.first + place]
        recipe = self._queries.recipe(index)
        story = self._stories.get(index)
        found: Sequence[Finding] = ()
        if story is not None and story.flagged[story.runs]:
            answer, found = self._checker.flagged(self._queries.query(index), story.check)
        else:
            answer = self._checker.clean(self._queries, index)
        finished_us = asked_us + int(answer.latency_ms * 1000) + 300 + int(self._rng.random() * 3_000)
        reason = storable(found[0].reason) if found else None
        pk = self._first_run + laid_out.first + place
        columns = self._stored(answer, bool(found))
        is_novel = place < laid_out.novel_planned
        ingredients = self._queries.ingredients(index)
        self._counting.note(recipe, ingredients, [finding.check for finding in found], is_novel)
        self._runs.add(
            (
                pk,
                cycle_pk,
                self._wish.target.pk,
                self._first_combination + index,
                recipe,
                place,
                self._queries.document(index),
                self._queries.text(index),
                is_novel,
                DONE,
                self._stamp(asked_us),
                self._stamp(finished_us),
                *columns,
                reason,
            )
        )
        self._last.note(index, pk, answer.source_used, answer.latency_ms, finished_us, planned_us)
        if story is not None:
            if found:
                story.suspect = self._counting.suspect_of(found[0].check, ingredients)
            self._go_on(story, index, pk, answer, found, finished_us)
        return finished_us, bool(found)

    def _stored(self, answer: Answer, was_made_storable: bool) -> Sequence[Any]:
        """ANSWER_COLUMNS of a run. Clean answers are made of the vocabulary, which is storable as it stands."""
        if was_made_storable:
            columns = answer_columns(answer) | {"own_error": ""}
            return [columns[name] for name in ANSWER_COLUMNS.split()]
        raw = answer.result.encode()
        digest = hashlib.sha256(raw).hexdigest()
        return (
            answer.source_used,
            answer.latency_ms,
            answer.http_status,
            answer.cached,
            "",
            "",
            answer.result,
            len(raw),
            digest,
        )

    def _write_undone(
        self, cycle_pk: int, laid_out: CycleLaidOut, place: int, clock_us: int, over_us: int, planned_us: int
    ) -> None:
        """A run that no answer was recorded of: the first of them was asked, the others never were."""
        index = self._layout.asked[laid_out.first + place]
        was_asked = place == laid_out.done
        was_lost = was_asked and laid_out.ending == "died"
        self._last.plan(index, planned_us)
        self._runs.add(
            (
                self._first_run + laid_out.first + place,
                cycle_pk,
                self._wish.target.pk,
                self._first_combination + index,
                self._queries.recipe(index),
                place,
                self._queries.document(index),
                self._queries.text(index),
                place < laid_out.novel_planned,
                (Run.State.INTERRUPTED if was_lost else Run.State.SKIPPED).value,
                self._stamp(clock_us + 1_000) if was_asked else None,
                self._stamp(over_us) if was_lost else None,
                *NO_ANSWER,
                None,
            )
        )

    def _go_on(self, story: Story, index: int, run: int, answer: Answer, found: Sequence[Finding], at_us: int) -> None:
        """What recording does with a run of a combination that is ever flagged."""
        if found:
            self._follow_flagged(story, index, run, answer, found, at_us)
        else:
            story.last_reason = None
            if story.is_flagged:
                story.is_flagged = False
                self._tell(index, ReviewEvent.Kind.CAME_BACK_CLEAN, "", run, at_us)
        if story.runs in story.reviews:
            self._plan_reviews(story, index, at_us)
        story.runs += 1

    def _follow_flagged(
        self, story: Story, index: int, run: int, answer: Answer, found: Sequence[Finding], at_us: int
    ) -> None:
        reason = storable(found[0].reason)
        for place, finding in enumerate(found):
            evidence = json.dumps(evidence_document(finding))
            at = self._stamp(at_us)
            pk, self._flags.next_pk = self._flags.next_pk, self._flags.next_pk + 1
            row = (pk, run, self._first_combination + index, finding.check.value, place, storable(finding.reason))
            seen_again = AGAIN if self._rng.random() < CAME_AGAIN_SHARE else self._rng.randrange(AGAIN)
            self._flags.add((*row, evidence, AGAIN, seen_again, at))
        if story.is_dismissed:
            self._tell(index, ReviewEvent.Kind.RESURFACED, reason, run, at_us)
        elif not story.is_flagged:
            self._tell(index, ReviewEvent.Kind.FLAGGED, reason, run, at_us)
        story.check = found[0].check
        story.times_flagged += 1
        story.is_flagged, story.is_dismissed, story.last_reason, story.last_flagged_run = True, False, reason, run
        story.excerpt = storable(answer.result or answer.error or "")[:EXCERPT_CHARACTERS]
        if story.first_reason is None:
            story.first_reason, story.first_at = reason, at_us

    def _plan_reviews(self, story: Story, index: int, at_us: int) -> None:
        """Some time before the combination's next run, or before now."""
        is_last = story.runs == len(story.in_cycles) - 1
        until_us = self._now_us if is_last else self._slot_us(story.in_cycles[story.runs + 1])
        turns = sorted(self._rng.randrange(at_us, max(at_us + 1, until_us)) for _ in range(2))
        for place, kind in enumerate(story.reviews[story.runs]):
            heapq.heappush(self._reviews, (turns[place], place, index, kind))

    def _review_until(self, until_us: int) -> None:
        while self._reviews and self._reviews[0][0] <= until_us:
            at_us, _, index, kind = heapq.heappop(self._reviews)
            story = self._stories[index]
            actor, user = self._rng.choice(self._reviewers or STRANGERS)
            if kind in (Kind.ASSIGNED, Kind.UNASSIGNED):
                if user is None:
                    continue  # only a person who signs in can hold anything
                story.held_by, story.held_at = (user, at_us) if kind is Kind.ASSIGNED else (None, 0)
            elif kind is not Kind.NOTED:
                story.is_dismissed = kind is Kind.DISMISSED
            note = self._rng.choice(REVIEW_NOTES[kind])
            self._tell(index, kind, note, self._last.run[index], at_us, actor, user)

    def _tell(
        self,
        index: int,
        kind: ReviewEvent.Kind,
        note: str,
        run: int,
        at_us: int,
        actor: str = ENGINE,
        user: int | None = None,
    ) -> None:
        pk, self._events.next_pk = self._events.next_pk, self._events.next_pk + 1
        combination = self._first_combination + index
        self._events.add((pk, combination, kind.value, user, actor, note, run, None, self._stamp(at_us)))

    def _write_combinations(self) -> None:
        never = Story((), {}, ())
        last, queries, stamp = self._last, self._queries, self._stamp
        suspects = {story.suspect for story in self._stories.values() if story.suspect}  # pairs among them
        ids = ingredient_ids(suspects.union(*map(queries.ingredients, self._stories)))
        for index in range(len(queries)):
            story = self._stories.get(index, never)
            fingerprint = queries.fingerprint(index)
            is_dismissed = story.is_dismissed
            self._combinations.add(
                (
                    self._first_combination + index,
                    self._wish.target.pk,
                    fingerprint,
                    sha256_hex(fingerprint),
                    queries.recipe(index),
                    queries.document(index),
                    last.times[index],
                    stamp(last.first_planned_us[index]),
                    queries.text(index),
                    last.source(index),
                    last.latency_ms[index],
                    story.last_reason,
                    stamp(last.at_us[index]),
                    story.excerpt,
                    last.run[index],
                    story.last_flagged_run,
                    story.first_reason is not None,
                    story.is_flagged,
                    story.first_reason,
                    None if story.first_reason is None else stamp(story.first_at),
                    Combination.ReviewStatus.DISMISSED.value if is_dismissed else None,
                    "" if story.check is None else story.check.value,
                    story.times_flagged,
                    None if story.suspect is None else ids[story.suspect],
                    story.held_by,
                    None if story.held_by is None else stamp(story.held_at),
                )
            )
            if index % COUNTED_AT_ONCE == 0:
                self._bar.go_on(min(COUNTED_AT_ONCE, len(queries) - index))
        self._combinations.flush()
        self._write_ingredients(ids)
        self._make_findable()

    def _write_ingredients(self, ids: Mapping[str, int]) -> None:
        for index in sorted(self._stories):
            for name in sorted(self._queries.ingredients(index)):
                pk, self._ingredients.next_pk = self._ingredients.next_pk, self._ingredients.next_pk + 1
                self._ingredients.add((pk, self._first_combination + index, ids[name]))
        self._ingredients.flush()

    def _make_findable(self) -> None:
        first, queries = self._first_combination, self._queries
        for table, indexes in (
            (full_text.ALL_WORDS, range(len(queries))),
            (full_text.FLAGGED_WORDS, sorted(self._stories)),
        ):
            for begin in range(0, len(indexes), ROWS_AT_ONCE):
                chunk = indexes[begin : begin + ROWS_AT_ONCE]
                full_text.enter(table, ((first + index, queries.text(index)) for index in chunk))


class LastOfEach:
    """The `last_*` columns of every combination, some 40 bytes each."""

    def __init__(self, combinations: int) -> None:
        self.run = array("q", bytes(8 * combinations))
        self.latency_ms = array("d", bytes(8 * combinations))
        self.at_us = array("q", bytes(8 * combinations))
        self.first_planned_us = array("q", bytes(8 * combinations))
        self.times = array("I", bytes(4 * combinations))
        self._source = array("I", bytes(4 * combinations))
        self._sources: list[str] = []
        self._numbers: dict[str, int] = {}

    def note(self, index: int, run: int, source: str, latency_ms: float, at_us: int, planned_us: int) -> None:
        number = self._numbers.get(source)
        if number is None:
            number = self._numbers[source] = len(self._sources)
            self._sources.append(source)
        self.plan(index, planned_us)
        self.run[index] = run
        self.latency_ms[index] = latency_ms
        self.at_us[index] = at_us
        self.times[index] += 1
        self._source[index] = number

    def plan(self, index: int, planned_us: int) -> None:
        self.first_planned_us[index] = self.first_planned_us[index] or planned_us

    def source(self, index: int) -> str:
        return self._sources[self._source[index]]


def _target_version(target: Target) -> str:
    """What the target last called itself; the bundled one, which is in this process, can be looked at."""
    if target.kind == Target.Kind.REFERENCE:
        with closing(open_target(target, None)) as opened:
            return opened.reach().version
    known = Cycle.objects.filter(target=target).exclude(target_version="").order_by("-id")
    return str(known.values_list("target_version", flat=True).first() or "")


def _away_note(target: Target) -> str:
    """What a real cycle says where nobody answers."""
    if target.kind == Target.Kind.HTTP:
        return f"GET {target.base_url}{target.health_path}: [Errno 111] Connection refused"
    return "closed"
