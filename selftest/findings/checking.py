"""Asks the examples of claims: once a day, and when their target's version changes, within a budget of requests.

A claim of which none of five answers is as expected gets a proposed successor, for a person to accept; no claim is
superseded here. What comes and goes, an answer that is an error and a target that is away propose nothing.
"""

import logging
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from selftest.core.generation.vocabulary import Vocabulary, VocabularyError
from selftest.core.judging.answers import Answer, sources_with_header
from selftest.core.judging.findings import CheckName
from selftest.cycles import ownership
from selftest.cycles.requests_in_turn import NoMoreRequestsError, RequestsInTurn
from selftest.findings.core.expectations import (
    OF_CHECKS,
    TRIES,
    CheckOutcome,
    Expectation,
    Seen,
    holds,
    outcome_of,
    seen_instead,
    successor,
)
from selftest.findings.examples import columns_of, expectation_of
from selftest.findings.models import CheckingRound, Example, ExampleCheck, Finding, FindingSettings, Proposal
from selftest.findings.saving import outdate_successors
from selftest.models import Target
from selftest.reading.smallest_queries import running_on
from selftest.reading.target_versions import version_of
from selftest.reading.tuning import is_enabled
from selftest.reviewing.finding_judge import FindingJudge
from selftest.storage.serialization import query_of, vocabulary_of
from selftest.storage.target_clients import open_target
from selftest.storage.texts import storable
from selftest.targets.base import TargetClient

log = logging.getLogger(__name__)

AGAIN_AFTER = timedelta(hours=23)  # once a day, by a schedule that looks every hour
KEPT_CHECKS = 100  # of an example; what came of all of them is counted
SWITCHED_OFF = "switched off"
SEEN_CHARACTERS = 300  # of an error, in a note


@dataclass
class Checked:
    """What a round did. examples: those of which it is known now. note: why it ended early, "" where it did not."""

    examples: int = 0
    proposed: int = 0
    requests: int = 0
    note: str = ""

    def __str__(self) -> str:
        done = f"checked {self.examples}, proposed {self.proposed}, {self.requests} requests"
        return f"{done}; {self.note}" if self.note else done


def is_on() -> bool:
    """Whether examples are checked at all."""
    return bool(FindingSettings.get_solo().example_requests)


def targets_to_check() -> list[int]:
    """The targets that active claims with examples are about."""
    rows = _active().filter(target__enabled=True).order_by("target").values_list("target", flat=True)
    return list(rows.distinct()) if is_on() else []


def has_new_version(target: Target) -> bool:
    """Whether it answers with another version than one that examples on it were asked of."""
    version = version_of(target)
    asked = _active().filter(target=target, checked_at__isnull=False)
    return bool(version) and is_on() and asked.exclude(checked_version=version).exists()


def check_target(number: int) -> str:
    """One round on the target of this number. Does nothing where another process is at it; returns what was done."""
    row = Target.objects.filter(pk=number).first()
    if row is None or not is_on() or not is_enabled(row):
        return SWITCHED_OFF
    current = _claimed(row)
    if current is None:
        return "another worker checks it, or today's requests are used up"
    try:
        checked = _check(row, current)
    finally:
        CheckingRound.objects.filter(pk=current.pk, owner=current.owner).update(owner="")
    log.info("The examples of %s: %s", row, checked)
    return str(checked)


def _active() -> QuerySet[Example]:
    return Example.objects.filter(finding__superseded_by=None)


def _claimed(row: Target) -> CheckingRound | None:
    """The round of this target, which is ours until it is over; None where it is another process's."""
    now = timezone.now()
    mine, today = CheckingRound.objects.filter(target=row), now.date()
    CheckingRound.objects.bulk_create([CheckingRound(target=row)], ignore_conflicts=True)
    mine.exclude(day=today, day__isnull=False).update(day=today, requests=0)
    left = now - timedelta(seconds=row.time_limit_s + ownership.LEASE_GRACE_S)
    is_free = Q(owner="") | Q(last_sign_at__lt=left)
    budget = FindingSettings.get_solo().example_requests
    if not mine.filter(is_free, requests__lt=budget).update(owner=ownership.this_process(), last_sign_at=now):
        return None
    return mine.get()


def _check(row: Target, current: CheckingRound) -> Checked:
    version = row.vocabularies.filter(in_force=True).first()
    try:
        if version is None:
            return Checked(note=f"{row} has no vocabulary")
        vocabulary = vocabulary_of(version)
        client = open_target(row, vocabulary)
    except (ValueError, VocabularyError) as fault:
        return Checked(note=str(fault))
    with closing(client):
        reached = client.reach()
        if not reached.reachable:
            return Checked(note=f"the target is away: {reached.detail}")
        due = _due(row, reached.version, timezone.now())
        requests = _requests(row, client, current)
        return _ask_all(due, _Asker(row, requests, vocabulary), storable(reached.version)[:200])


def _due(row: Target, version: str, now: datetime) -> Iterable[Example]:
    """What was asked longest ago comes first: each has its turn, however small the budget is."""
    is_due = Q(checked_at=None) | Q(checked_at__lt=now - AGAIN_AFTER)
    if version:
        is_due |= ~Q(checked_version=version)
    return list(_active().filter(is_due, target=row).select_related("finding"))


def _requests(row: Target, client: TargetClient, current: CheckingRound) -> RequestsInTurn:
    mine = CheckingRound.objects.filter(pk=current.pk, owner=current.owner)

    def is_searched() -> bool:
        return running_on(row).exists()

    def lives(sent: int) -> bool:
        return mine.update(requests=current.requests + sent, last_sign_at=timezone.now()) == 1

    at_most = FindingSettings.get_solo().example_requests - current.requests
    return RequestsInTurn(row, client, at_most, is_busy=is_searched, show_it_lives=lives)


def _ask_all(due: Iterable[Example], asker: "_Asker", version: str) -> Checked:
    checked = Checked()
    for example in due:
        try:
            asked = asker.asked(example)
        except NoMoreRequestsError as stopped:
            checked.note = str(stopped)
            if not checked.examples:  # the next round begins with another one, as this one may need too much
                Example.objects.filter(pk=example.pk).update(tried_at=timezone.now())
            break
        checked.examples += 1
        checked.proposed += _keep(example, asked, version)
    checked.requests = asker.requests.sent
    return checked


@dataclass(frozen=True)
class _Asked:
    """What asking an example came to. seen: usable answers, in order. error: why one was of no use, "" for none."""

    expected: Expectation
    seen: Sequence[Seen]
    error: str = ""

    @property
    def held(self) -> list[bool]:
        return [holds(self.expected, one) for one in self.seen]

    @property
    def outcome(self) -> CheckOutcome:
        return CheckOutcome.UNANSWERED if self.error else outcome_of(self.held)


class _Asker:
    """Asks examples of one target until enough is known of each."""

    def __init__(self, row: Target, requests: RequestsInTurn, vocabulary: Vocabulary) -> None:
        self.requests = requests
        self._row = row
        self._vocabulary = vocabulary

    def asked(self, example: Example) -> _Asked:
        """As often as it takes: once where the first answer is as expected. Raises NoMoreRequestsError."""
        expected = expectation_of(example)
        seen: list[Seen] = []
        for _ in range(TRIES):
            is_flagged, answer = self._answer(example, expected)
            fault = _fault_of(answer)
            if fault and expected.named[0] != CheckName.CRASH:
                return _Asked(expected, seen, fault)
            seen.append(self._seen(answer, is_flagged))
            if holds(expected, seen[0]):
                break
        return _Asked(expected, seen)

    def _answer(self, example: Example, expected: Expectation) -> tuple[bool, Answer]:
        if expected.kind not in OF_CHECKS:
            return False, self.requests.ask(example.query_text)
        query, check = query_of(example.query or {}), CheckName(expected.named[0])
        judge = FindingJudge(self._row, query.recipe, check, self.requests, self._vocabulary)
        return judge.shows_again(query), judge.answers[query.text]

    def _seen(self, answer: Answer, is_flagged: bool) -> Seen:
        headers = sources_with_header(answer.result, self._vocabulary.headers)
        is_merged = answer.source_used == self._vocabulary.merged_source
        own = frozenset() if is_merged or not answer.source_used else frozenset({answer.source_used})
        return Seen(headers or own, headers, answer.result, is_flagged)


def _fault_of(answer: Answer) -> str:
    """Why nothing can be read from it; "" for an answer."""
    if answer.error is not None:
        return storable(answer.error)[:SEEN_CHARACTERS]
    return "" if answer.unreadable is None else "the answer has none of the fields that the target is set to"


def _keep(example: Example, asked: _Asked, version: str) -> bool:
    """Records it; whether that proposes a successor."""
    now, outcome = timezone.now(), asked.outcome
    instead = seen_instead(asked.expected, asked.seen) if outcome is CheckOutcome.BROKEN else None
    held_in = {"held_version": version} if outcome is CheckOutcome.HOLDS else {}
    with transaction.atomic():
        known = Example.objects.filter(pk=example.pk).update(
            tried_at=now,
            checked_at=now,
            checked_version=version,
            outcome=outcome,
            times_checked=F("times_checked") + 1,
            **held_in,
        )
        if not known:  # replaced or removed meanwhile
            return False
        ExampleCheck.objects.create(
            example=example,
            at=now,
            version=version,
            outcome=outcome,
            tries=len(asked.seen),
            held=sum(asked.held),
            note=asked.error or (f"The answer {instead}" if instead else ""),
        )
        old = example.checks.order_by("-id").values_list("pk", flat=True)[KEPT_CHECKS:]
        ExampleCheck.objects.filter(pk__in=list(old)).delete()
        if outcome is CheckOutcome.HOLDS:
            outdate_successors(example.finding)
        return outcome is CheckOutcome.BROKEN and _propose(example, asked.expected, instead, version)


def _propose(example: Example, expected: Expectation, instead: Expectation | None, version: str) -> bool:
    """A successor of the claim; not where one is open, or a person has decided on one of this version."""
    claim = example.finding
    earlier = Proposal.objects.filter(loser=claim, origin=Proposal.Origin.EXAMPLE)
    decided = earlier.filter(version=version, created_at__gte=example.created_at)
    if earlier.filter(state=Proposal.State.OPEN).exists() or decided.exclude(state=Proposal.State.OUTDATED).exists():
        return False
    if not Finding.objects.filter(pk=claim.pk, superseded_by=None).exists():
        return False
    now = f"it {instead}" if instead else "it comes from other sources"
    sentence = f"Expected of its example: the answer {expected}. Seen {TRIES} of {TRIES} times: {now}"
    Proposal.objects.create(
        loser=claim,
        content=successor(example.query_text, expected, instead, version, example.held_version),
        example=columns_of(instead) if instead else None,
        version=version,
        origin=Proposal.Origin.EXAMPLE,
        why={"rule": "example", "sentence": sentence},
        created_at=timezone.now(),
    )
    return True
