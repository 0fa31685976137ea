"""Findings of a made-up history: as real saves, the sweep and people would have left them. Adds rows only."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from operator import attrgetter

from selftest.core.judging.findings import CheckName
from selftest.findings.core.beliefs import Profile
from selftest.findings.core.categories import is_correction, subject_of
from selftest.findings.core.profiles import verdict
from selftest.findings.models import Act, Finding, Proposal, Subject
from selftest.findings.reading import belief_of
from selftest.models import Cause, Combination
from selftest.seeding.request import SeedRequest

SHARE = 0.03  # of the combinations: 300 findings with 10,000
SEEDER = "seed"
KINDS = ("claim", "claim", "claim", "note", "note", "superseded", "superseded", "proposed")
STATES = (Proposal.State.OPEN, Proposal.State.ACCEPTED, Proposal.State.REFUSED)
WHAT = ("a summary", "the weekday", "hostnames", "raw links", "error codes", "a table", "unit signs", "time zones")
WHERE = ("morning briefings", "outage notes", "weather answers", "house reports", "feed digests", "backup mails")
CANNOT = ("quotes", "umlauts", "long lists", "two conditions", "nested pairs", "capital letters", "arrows", "questions")


@dataclass(frozen=True)
class _Pair:
    """Two rows of which the second one, which is newer, stands or is proposed to."""

    loser: Finding
    winner: Finding
    kind: str


def seed_findings(part: SeedRequest, since: datetime, until: datetime) -> None:
    """Those of one part of a history, saved in the time that it is about."""
    rng = random.Random(part.seed)
    rows, pairs = _drafted(part, round(part.combinations * SHARE), rng)
    _place(rows, since, until, rng)
    _give_subjects(rows)
    Finding.objects.bulk_create(rows)
    acts = _supersede([pair for pair in pairs if pair.kind == "superseded"])
    acts += _propose([pair for pair in pairs if pair.kind == "proposed"])
    Act.objects.bulk_create(sorted(acts, key=attrgetter("at")))  # numbered as they happened


def _drafted(part: SeedRequest, count: int, rng: random.Random) -> tuple[list[Finding], list[_Pair]]:
    causes = list(Cause.objects.filter(target=part.target, merged_into=None).order_by("-id")[:200])
    flagged = list(Combination.objects.filter(target=part.target, ever_flagged=True).order_by("-id")[:count])
    said = list(product(WHAT, WHERE))
    rows: list[Finding] = []
    pairs: list[_Pair] = []
    while len(rows) < count:
        number, kind = len(rows), rng.choice(KINDS)
        what, where = said[number % len(said)]
        if kind == "claim":
            row = Finding(category=f"claim/capability/{part.target}/case-{number}", target=part.target)
            row.content = f"The router does not pass {rng.choice(CANNOT)} to {rng.choice(WHERE)}"
            _say_what_about(row, causes, flagged, rng)
            rows.append(row)
        elif kind == "note":
            rows.append(
                Finding(category=f"notes/{where.replace(' ', '-')}", content=f"{where.capitalize()} hold {what}")
            )
        else:
            category = f"feedback/from-agent/{where.replace(' ', '-')}-{number}"
            other = category if kind == "superseded" else f"{category}-too"
            pair = _Pair(
                Finding(category=category, content=f"Always include {what} in {where}."),
                Finding(category=other, content=f"Never include {what} in {where}."),
                kind,
            )
            pairs.append(pair)
            rows += [pair.loser, pair.winner]
    return rows, pairs


def _say_what_about(row: Finding, causes: Sequence[Cause], flagged: Sequence[Combination], rng: random.Random) -> None:
    if causes and rng.random() < 0.5:
        row.cause = rng.choice(causes)
        row.check_name = next(iter(row.cause.checks), "")
    elif flagged:
        row.combination = rng.choice(flagged)
    else:
        row.check_name = str(CheckName.CRASH)


def _place(rows: Sequence[Finding], since: datetime, until: datetime, rng: random.Random) -> None:
    """In time, one after the other as their numbers are."""
    ages = sorted(((until - since) * rng.random() for _ in rows), reverse=True)
    for row, age in zip(rows, ages, strict=True):
        row.created_at = until - age
        row.actor = SEEDER
        row.is_correction = is_correction(row.category, tuple(row.tags))


def _give_subjects(rows: Sequence[Finding]) -> None:
    keys = {id(row): subject.key for row in rows if (subject := subject_of(row.category)) is not None}
    Subject.objects.bulk_create([Subject(key=key) for key in sorted(set(keys.values()))], ignore_conflicts=True)
    known = dict(Subject.objects.filter(key__in=set(keys.values())).values_list("key", "pk"))
    for row in rows:
        row.subject_id = known.get(keys.get(id(row), ""))


def _supersede(pairs: Sequence[_Pair]) -> list[Act]:
    acts = []
    for pair in pairs:
        pair.loser.superseded_by = pair.winner
        why = verdict(belief_of(pair.loser), belief_of(pair.winner), Profile.V2).why
        acts.append(_act(pair, Act.Kind.SUPERSEDED, pair.winner.created_at, why=why.document(), profile=Profile.V2))
    Finding.objects.bulk_update([pair.loser for pair in pairs], ["superseded_by"], batch_size=500)
    return acts


def _propose(pairs: Sequence[_Pair]) -> list[Act]:
    """The sweep found them under two subjects; a person decided on two of three."""
    proposals, acts, accepted = [], [], []
    for number, pair in enumerate(pairs):
        why = {"rule": "other_subject", "sentence": "opposite directives about another subject"}
        state, at = STATES[number % len(STATES)], pair.winner.created_at
        decided = {} if state is Proposal.State.OPEN else {"actor": SEEDER, "decided_at": at}
        proposals.append(
            Proposal(
                loser=pair.loser, winner=pair.winner, origin="rules", why=why, state=state, created_at=at, **decided
            )
        )
        if state is Proposal.State.ACCEPTED:
            pair.loser.superseded_by = pair.winner
            accepted.append(pair.loser)
            acts.append(_act(pair, Act.Kind.SUPERSEDED, at, why=why))
        elif state is Proposal.State.REFUSED:
            acts.append(_act(pair, Act.Kind.REFUSED, at, why=why))
    Proposal.objects.bulk_create(proposals)
    Finding.objects.bulk_update(accepted, ["superseded_by"], batch_size=500)
    return acts


def _act(pair: _Pair, kind: Act.Kind, at: datetime, **columns: object) -> Act:
    return Act(
        kind=kind,
        finding=pair.loser,
        number=pair.loser.pk,
        other=pair.winner,
        other_number=pair.winner.pk,
        actor=SEEDER,
        at=at,
        **columns,
    )
