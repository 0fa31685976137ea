"""Runs with their answers and flags, and what they make of a combination, as recording does it for real ones."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import Finding
from selftest.cycles.recording import LISTED_CHARACTERS
from selftest.models import Flag, ReviewEvent, Run
from selftest.seeding.bulk import Rows
from selftest.seeding.causes import CauseWriter
from selftest.seeding.checking import Checker
from selftest.seeding.counting import Counting
from selftest.seeding.draft import Draft
from selftest.seeding.plan import PlannedCycle
from selftest.seeding.review_events import EventWriter
from selftest.seeding.review_histories import FlagHistory
from selftest.storage.serialization import answer_columns, evidence_document
from selftest.storage.texts import storable

DONE = Run.State.DONE.value
ANSWER_COLUMNS = (
    "source_used latency_ms http_status cached error own_error result result_length_bytes result_sha256"
    " answer_deleted_at"
)
NO_ANSWER = ("", None, None, False, "", "", "", None, "", None)
RUN_COLUMNS = (
    "id cycle_id target_id combination_id recipe_name place query query_text novel state asked_at finished_at "
    f"{ANSWER_COLUMNS} reason unchecked"
)
FLAG_COLUMNS = (
    "id run_id combination_id check_name place reason evidence asked_again seen_again created_at cause_id"
    " is_latest is_placed_by_hand"
)
AS_ITS_COMBINATION = ("{}", "")  # query and its text
REPETITIONS = 3  # of a flagged query at once
REPRODUCED_SHARE = 0.7  # of findings that are reproduced each of these times


class RunWriter:
    """Writes the runs of one cycle after the other, each with its flags."""

    def __init__(self, draft: Draft, runs: Rows, counting: Counting, events: EventWriter, causes: CauseWriter) -> None:
        self._draft = draft
        self._causes = causes
        self._checker = Checker(draft.target, draft.version, draft.rng)
        self._counting = counting
        self._events = events
        self._runs = runs
        self._flags = Rows(Flag, FLAG_COLUMNS)

    def write_answered(
        self, cycle_pk: int, planned: PlannedCycle, position: int, asked_us: int, planned_us: int
    ) -> tuple[int, bool]:
        """One answered run; returns when it was recorded, and whether it was flagged."""
        index = self._draft.plan.asked[planned.first + position]
        recipe = self._draft.queries.recipe(index)
        history = self._draft.histories.get(index)
        found: Sequence[Finding] = ()
        if history is not None and history.flagged[history.runs]:
            answer, found = self._checker.flagged(self._draft.queries.query(index), history.check)
        else:
            answer = self._checker.clean(self._draft.queries, index)
        finished_us = asked_us + int(answer.latency_ms * 1000) + 300 + int(self._draft.rng.random() * 3_000)
        reason = storable(found[0].reason) if found else None
        pk = self._draft.first_run + planned.first + position
        was_never_needed = history is None and answer.result != ""
        deleted_us = self._draft.retention.deleted_us(finished_us) if was_never_needed else None
        columns = self._stored(answer, bool(found), deleted_us)
        is_novel = position < planned.novel_planned
        self._causes.note(recipe)
        self._counting.note(recipe, [finding.check for finding in found], is_novel)
        self._runs.add(
            (
                pk,
                cycle_pk,
                self._draft.target.pk,
                self._draft.first_combination + index,
                recipe,
                position,
                *AS_ITS_COMBINATION,
                is_novel,
                DONE,
                self._draft.stamp(asked_us),
                self._draft.stamp(finished_us),
                *columns,
                reason,
                False,
            )
        )
        self._draft.latest.record(index, pk, answer.source_used, answer.latency_ms, finished_us, planned_us)
        if history is not None:
            self._follow(history, index, pk, answer, found, finished_us)
        return finished_us, bool(found)

    def _stored(self, answer: Answer, was_made_storable: bool, deleted_us: int | None) -> Sequence[Any]:
        """ANSWER_COLUMNS of a run. Clean answers are made of the vocabulary, which is storable as it stands."""
        if was_made_storable:
            columns = answer_columns(answer) | {"own_error": "", "answer_deleted_at": None}
            return [columns[name] for name in ANSWER_COLUMNS.split()]
        raw = answer.result.encode()
        return (
            answer.source_used,
            answer.latency_ms,
            answer.http_status,
            answer.cached,
            "",
            "",
            answer.result if deleted_us is None else "",
            len(raw),
            hashlib.sha256(raw).hexdigest(),
            None if deleted_us is None else self._draft.stamp(deleted_us),
        )

    def write_unanswered(
        self, cycle_pk: int, planned: PlannedCycle, position: int, clock_us: int, over_us: int, planned_us: int
    ) -> None:
        """A run without a recorded answer: the first of them was asked, the others never were."""
        index = self._draft.plan.asked[planned.first + position]
        was_asked = position == planned.done
        was_lost = was_asked and planned.ending == "died"
        self._draft.latest.plan(index, planned_us)
        self._runs.add(
            (
                self._draft.first_run + planned.first + position,
                cycle_pk,
                self._draft.target.pk,
                self._draft.first_combination + index,
                self._draft.queries.recipe(index),
                position,
                *AS_ITS_COMBINATION,
                position < planned.novel_planned,
                (Run.State.INTERRUPTED if was_lost else Run.State.SKIPPED).value,
                self._draft.stamp(clock_us + 1_000) if was_asked else None,
                self._draft.stamp(over_us) if was_lost else None,
                *NO_ANSWER,
                None,
                None,
            )
        )

    def _follow(
        self, history: FlagHistory, index: int, run: int, answer: Answer, found: Sequence[Finding], at_us: int
    ) -> None:
        """As recording does with a run of a combination that is ever flagged."""
        if found:
            self._follow_flagged(history, index, run, answer, found, at_us)
        else:
            history.last_reason = None
            if history.is_flagged:
                history.is_flagged = False
                self._events.add(index, ReviewEvent.Kind.CAME_BACK_CLEAN, "", run, at_us)
        if history.runs in history.reviews:
            self._events.plan(history, index, at_us)
        history.runs += 1

    def _follow_flagged(
        self, history: FlagHistory, index: int, run: int, answer: Answer, found: Sequence[Finding], at_us: int
    ) -> None:
        reason = storable(found[0].reason)
        first, self._flags.next_pk = self._flags.next_pk, self._flags.next_pk + len(found)
        query, is_latest = self._draft.queries.query(index), not any(history.flagged[history.runs + 1 :])
        causes = self._causes.causes_of(query, list(enumerate(found, first)), at_us, history.ends_dismissed)
        for position, (finding, cause) in enumerate(zip(found, causes, strict=True)):
            evidence = json.dumps(evidence_document(finding))
            at = self._draft.stamp(at_us)
            combination, rng = self._draft.first_combination + index, self._draft.rng
            row = (first + position, run, combination, finding.check.value, position, storable(finding.reason))
            seen_again = REPETITIONS if rng.random() < REPRODUCED_SHARE else rng.randrange(REPETITIONS)
            self._causes.reproduced(cause, REPETITIONS, seen_again)
            self._flags.add((*row, evidence, REPETITIONS, seen_again, at, cause, is_latest, history.ends_dismissed))
        if history.is_dismissed:
            self._events.add(index, ReviewEvent.Kind.RESURFACED, reason, run, at_us)
        elif not history.is_flagged:
            self._events.add(index, ReviewEvent.Kind.FLAGGED, reason, run, at_us)
        history.check = found[0].check
        history.times_flagged += 1
        history.is_flagged, history.is_dismissed = True, False
        history.last_reason, history.last_flagged_run = reason, run
        history.excerpt = storable(answer.result or answer.error or "")[:LISTED_CHARACTERS]
        if history.first_reason is None:
            history.first_reason, history.first_at = reason, at_us

    def flush(self) -> None:
        """Writes what is left."""
        self._runs.flush()
        self._flags.flush()
