"""Events: what people do with flagged combinations, and what the engine notes, in order of time."""

import heapq

from django.contrib.auth.models import User

from selftest.models import ENGINE, Cause, ReviewEvent
from selftest.seeding.bulk import Rows
from selftest.seeding.draft import Draft
from selftest.seeding.review_histories import FlagHistory, Kind

Verdict = Cause.Verdict
MOST_REVIEWERS = 5
WITHOUT_ACCOUNT: list[tuple[str, int | None]] = [("reviewer", None), ("admin", None), ("key first start", None)]
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
EVENT_COLUMNS = "id combination_id kind user_id actor assignee note verdict before link run_id act_id at"
VERDICTS = (None, None, Verdict.CONFIRMED.value, Verdict.FALSE_ALARM.value, Verdict.ACCEPTED.value)  # None: without one


class EventWriter:
    """Writes events and keeps the reviews that are planned for later."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._events = Rows(ReviewEvent, EVENT_COLUMNS)
        self._planned: list[tuple[int, int, int, ReviewEvent.Kind]] = []  # when, which, combination, what
        self.people: list[tuple[str, int | None]] = [
            (user.get_username(), user.pk) for user in User.objects.order_by("pk")[:MOST_REVIEWERS]
        ] or WITHOUT_ACCOUNT

    def plan(self, history: FlagHistory, index: int, at_us: int) -> None:
        """Plans what people do after a run: some time before the combination's next run, or before now."""
        is_last = history.runs == len(history.in_cycles) - 1
        until_us = self._draft.now_us if is_last else self._draft.due_us(history.in_cycles[history.runs + 1])
        turns = sorted(self._draft.rng.randrange(at_us, max(at_us + 1, until_us)) for _ in range(2))
        for position, kind in enumerate(history.reviews[history.runs]):
            heapq.heappush(self._planned, (turns[position], position, index, kind))

    def write_until(self, until_us: int) -> None:
        """Writes what people have done by then."""
        while self._planned and self._planned[0][0] <= until_us:
            at_us, _, index, kind = heapq.heappop(self._planned)
            history = self._draft.histories[index]
            actor, user = self._draft.rng.choice(self.people)
            if kind in (Kind.ASSIGNED, Kind.UNASSIGNED):
                if user is None:
                    continue  # only a person who can sign in is assigned anything
                history.held_by, history.held_at = (user, at_us) if kind is Kind.ASSIGNED else (None, 0)
            elif kind is not Kind.NOTED:
                history.is_dismissed = kind is Kind.DISMISSED
                if history.is_dismissed:
                    history.verdict, history.dismissed_at = self._draft.rng.choice(VERDICTS), at_us
            note = self._draft.rng.choice(REVIEW_NOTES[kind])
            verdict = history.verdict if kind is Kind.DISMISSED else None
            self.add(index, kind, note, self._draft.latest.run[index], at_us, actor, user, verdict)

    def add(
        self,
        index: int,
        kind: ReviewEvent.Kind,
        note: str,
        run: int,
        at_us: int,
        actor: str = ENGINE,
        user: int | None = None,
        verdict: str | None = None,
    ) -> None:
        """Writes one event, of the engine where no person is named."""
        pk, self._events.next_pk = self._events.next_pk, self._events.next_pk + 1
        combination = self._draft.first_combination + index
        told = (kind.value, user, actor, None, note, verdict, None, None)
        self._events.add((pk, combination, *told, run, None, self._draft.stamp(at_us)))

    def flush(self) -> None:
        """Writes what is left."""
        self._events.flush()
