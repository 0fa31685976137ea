"""The sweep: once a day it looks for contradictions that no save has seen, among claims and feedback alone.

What the rules in force are certain of is done; what only looks like one, and all that a language model says, is
proposed. What a person has told apart or refused is not brought up again.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from django.db import transaction
from django.utils import timezone

from selftest.findings import language_model
from selftest.findings.core.beliefs import Outcome, Profile, Why
from selftest.findings.core.model_answers import read_answer
from selftest.findings.core.near_misses import near_misses
from selftest.findings.core.profiles import outcome_of, verdict
from selftest.findings.models import Finding, FindingSettings, Proposal
from selftest.findings.reading import belief_of, told_apart
from selftest.findings.saving import supersede
from selftest.models import ENGINE, Actor
from selftest.operating.language_model import ModelError

log = logging.getLogger(__name__)

FEWEST = 2
MOST_SWEPT = 2_000  # corrections first, then the newest
MOST_ON_A_SUBJECT = 100  # are compared with each other: some 5,000 pairs
MOST_PROPOSALS = 50  # of one sweep; a person reads them

_Pair = tuple[Finding, Finding]


@dataclass
class Swept:
    """What a sweep did. findings: looked at; ignored: what was wrong in a model's answer, how often."""

    findings: int = 0
    superseded: int = 0
    proposed: int = 0
    ignored: Counter[str] = field(default_factory=Counter)
    model: str = "not asked"

    def document(self) -> dict[str, Any]:
        """As the command prints it."""
        return {**vars(self), "ignored": dict(self.ignored)}


def sweep_if_on() -> Swept | None:
    """The scheduled sweep; None where it is switched off."""
    return sweep() if FindingSettings.get_solo().sweeps else None


def sweep() -> Swept:
    """One sweep."""
    settings = FindingSettings.get_solo()
    profile = Profile(settings.profile)
    swept = Swept(len(findings := _in_scope()))
    if swept.findings < FEWEST:
        log.info("The sweep has only %d findings to compare; nothing to do", swept.findings)
        return swept
    apart = told_apart({finding.pk for finding in findings})
    swept.superseded = _apply_rules(findings, profile, apart)
    left = _in_scope()
    proposed = _from_rules(left, profile)
    if language_model.is_configured(settings):
        proposed += _from_model(left, settings, swept)
    swept.proposed = _propose(proposed, apart)
    log.info("The sweep of %d findings superseded %d, proposed %d", swept.findings, swept.superseded, swept.proposed)
    return swept


def _in_scope() -> list[Finding]:
    rows = Finding.objects.filter(subject__isnull=False, superseded_by__isnull=True)
    return list(rows.order_by("-is_correction", "-id")[:MOST_SWEPT])


def _apply_rules(findings: Iterable[Finding], profile: Profile, apart: set[frozenset[int]]) -> int:
    on_subject: dict[int, list[Finding]] = defaultdict(list)
    for finding in findings:
        on_subject[finding.subject_id or 0].append(finding)
    gone: set[int] = set()
    for rows in on_subject.values():
        # The newest correction first, as it wins over all others.
        for one, other in combinations(rows[:MOST_ON_A_SUBJECT], 2):
            if gone & {one.pk, other.pk} or frozenset((one.pk, other.pk)) in apart:
                continue
            decided = _decided(one, other, profile)
            if decided is not None:
                loser, winner, why = decided
                supersede(loser, winner, why, profile, Actor(ENGINE))
                gone.add(loser.pk)
    return len(gone)


def _decided(one: Finding, other: Finding, profile: Profile) -> tuple[Finding, Finding, Why] | None:
    older, newer = sorted((one, other), key=lambda finding: finding.pk)
    found = verdict(belief_of(older), belief_of(newer), profile)
    if found.outcome is Outcome.NONE:
        return None
    return (older, newer, found.why) if found.outcome is Outcome.NEWER_WINS else (newer, older, found.why)


def _from_rules(findings: Iterable[Finding], profile: Profile) -> list[Proposal]:
    by_number = {finding.pk: finding for finding in findings}
    proposed = []
    for number, other, why in near_misses({pk: belief_of(finding) for pk, finding in by_number.items()}):
        older, newer = by_number[number], by_number[other]
        is_newer = outcome_of(belief_of(older), belief_of(newer), profile) is Outcome.NEWER_WINS
        loser, winner = (older, newer) if is_newer else (newer, older)
        proposed.append(Proposal(loser=loser, winner=winner, origin=Proposal.Origin.RULES, why=why.document()))
    return proposed


def _from_model(findings: list[Finding], settings: FindingSettings, swept: Swept) -> list[Proposal]:
    lines, shown = language_model.lines_of(findings, settings.model_characters)
    if len(shown) < FEWEST:
        return []
    try:
        text = language_model.answer_to(lines, settings)
    except ModelError as fault:
        log.warning("The language model gave no answer to the sweep: %s", fault)
        swept.model = f"no answer: {fault}"
        return []
    answer = read_answer(text, {finding.pk: finding.is_correction for finding in shown})
    swept.model, swept.ignored = "answered", answer.ignored
    if answer.ignored:
        log.warning("Of the language model's answer was ignored: %s", dict(answer.ignored))
    return [
        Proposal(
            loser_id=pair.loser,
            winner_id=pair.winner,
            origin=Proposal.Origin.MODEL,
            why={"rule": "language_model", "sentence": pair.reason},
        )
        for pair in answer.pairs
    ]


def _propose(proposed: Iterable[Proposal], apart: set[frozenset[int]]) -> int:
    """Each pair once for ever, in whichever direction; how many are new."""
    pairs = Proposal.objects.exclude(winner=None).values_list("loser", "winner")
    known = {frozenset(pair) for pair in pairs} | apart
    now = timezone.now()
    added: list[Proposal] = []
    for proposal in proposed:
        pair = frozenset((proposal.loser_id, proposal.winner_id or 0))
        if pair not in known and len(added) < MOST_PROPOSALS:
            known.add(pair)
            proposal.created_at = now
            added.append(proposal)
    with transaction.atomic():
        Proposal.objects.bulk_create(added, ignore_conflicts=True)
    return len(added)
