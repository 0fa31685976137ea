"""What stands in the database when a browser comes: a real cycle against the bundled router, some faults on."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.evaluation import drifting
from selftest.evaluation.comparing import run_planned
from selftest.evaluation.comparison_requests import Wanted, plan
from selftest.evaluation.core.drift import Metric
from selftest.evaluation.evaluating import evaluate
from selftest.evaluation.models import (
    Comparison,
    DriftProposal,
    DriftSeries,
    DriftWatch,
    GraderScore,
    Report,
    Threshold,
)
from selftest.evaluation.reading import set_named
from selftest.evaluation.saving import BUNDLED_FILE, archive, import_pairs
from selftest.findings.core.expectations import Expect, Expectation
from selftest.findings.examples import ExampleDraft
from selftest.findings.models import ExampleCheck, Finding, Proposal
from selftest.findings.saving import About, Draft, put_example, save_finding
from selftest.models import Actor, Cause, Combination, Cycle, Run, Target
from selftest.operating.schedule import follow_tuning
from selftest.operating.vocabularies import import_vocabulary
from selftest.reviewing.dismissal import dismiss
from selftest.targets.reference.bundled_vocabulary import reference_document
from tests.review import factory
from tests.roles import give

PASSWORD = "a long enough password"
FAULTS = [
    "exception_on_phrase",
    "traceback_in_text",
    "failure_phrase_as_content",
    "keywords_ignore_discourse",
    "collapses_to_first_intent",
    "clause_swallowed_after_third",
    "remainder_swallowed",
]


def make_reviewer(name: str = "vera", is_admin: bool = True) -> User:
    user = User.objects.create_user(name, password=PASSWORD, is_staff=is_admin, is_superuser=is_admin)
    return give(user, "reviewer")


def a_working_day(reviewer: User) -> None:
    """Cycles of every kind, a queue with every check in it, and a combination with a long story."""
    follow_tuning()
    target = factory.a_target()
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, "connection refused", now=timezone.now() - timedelta(hours=30))
    target.reference_faults = FAULTS
    target.save()
    run_cycle(CycleRequest(target, Cycle.Trigger.SCHEDULE, count=60, seed=11))
    slow = factory.finding(
        CheckName.LATENCY_OUTLIER,
        summary="4210 ms; the recipe's p95 is 1180 ms over 46 runs",
        promised="at most 1770 ms",
        seen="4210 ms",
        where="latency_ms",
    )
    factory.flagged("who invented the jacquard loom", slow, result="Johannes Gutenberg and the movable type.\n")
    for age, combination in enumerate(Combination.objects.filter(ever_flagged=True).order_by("id")):
        if age % 4 == 3:
            factory.ask(combination, result="[KIWIX — ENCYCLOPEDIC KNOWLEDGE]\nClean again.", source="fusion")
        _age(combination, timedelta(minutes=7 * age**2), timedelta(hours=5 * age**2 + 1))
    storied = Combination.objects.filter(currently_flagged=True).order_by("-last_run_timestamp")[1]
    dismiss(storied, Actor.person(reviewer))
    factory.ask(storied, [factory.finding(), slow], result="[HOME — STATES OF THE HOUSE]\nThe door is locked.\n")
    factory.ask(storied)
    factory.ask(storied, [factory.finding()], error="HTTP 502: the router could not be reached", result="")
    run_cycle(CycleRequest(target, Cycle.Trigger.PAGE))
    factory.make_cycle(Cycle.State.INTERRUPTED, "its worker died; what was recorded is kept")


def ask_golden_set(target: Target) -> Report:
    """Two reports with pairs that hold, that are broken and that ask to be rebaselined; a run with scores."""
    cleo = Actor("cleo")
    lines = BUNDLED_FILE.read_text(encoding="utf-8").splitlines()
    import_pairs("golden", target, "\n".join(lines[12:32]), cleo, "the first ones")
    golden = set_named("golden")
    evaluate(golden, target, cleo)
    document = target.vocabularies.get(in_force=True).content
    conjunctions = [one for one in document["conjunctions"] if one != " and then "]
    import_vocabulary(target, {**document, "conjunctions": conjunctions}, timezone.now())
    archive(golden.pairs.earliest("pk"), cleo, "too easy", 1)
    Threshold.objects.create(grader="keyphrase_coverage", value=0.5, why="as calibrated")
    for run in Run.objects.filter(state=Run.State.DONE):
        GraderScore.objects.create(
            run=run,
            grader="keyphrase_coverage",
            value=0.25,
            label="graded",
            reason="1 of 4 named",
            details=["missing: glaciers"],
            threshold=0.5,
            is_below=True,
        )
    return evaluate(golden, target, cleo)


def drift() -> DriftSeries:
    """Series of both kinds, an alert, and a proposal. The series that drifts."""
    target = factory.a_target()
    DriftWatch.objects.get_or_create(target=target)
    usual = [100.0 + place / 2 for place in range(200)]
    key = ("megaquery", Metric.LATENCY, False)
    for times in (1, 1, 1.1, 4):
        window = usual if not DriftSeries.objects.exists() else [times * value for value in usual[::5]]
        drifting.add_values(target, {key: window})
    drifting.add_values(target, {("megaquery", Metric.EMPTY, True): [0.0] * 12})
    DriftProposal.objects.create(target=target, what="version 3.50 → 3.51", created_at=timezone.now())
    return DriftSeries.objects.get(metric=Metric.LATENCY)


def learn(cause: Cause, combination: Combination) -> Finding:
    """Findings of every kind, six of them about this cause, an example, two proposals. The superseded one."""
    of_cause = About(cause.target, "rss", cause.checks[0], cause)
    loser, *_ = [
        save_finding(Draft(category, content, tags, about), Actor(name)).finding
        for category, content, tags, about, name in (
            ("claim/capability/calendar/wrapper", "wrapper cannot pass arguments", (), About(), "key nightly"),
            ("claim/capability/calendar/wrapper", "calendar wrapper does pass arguments", ("slow",), of_cause, "vera"),
            ("feedback/from-user/uptime", "Never judge uptime during the restart.", ("correction",), of_cause, "vera"),
            ("notes/of/a/deep/category", "A long one. " * 60, (), About(combination=combination), "vera"),
            *((f"claim/capability/rss/{n}", f"It drops clause {n}.", (), of_cause, "vera") for n in range(4)),
        )
    ]
    one, other = Finding.objects.filter(superseded_by=None)[:2]
    Proposal.objects.create(loser=one, winner=other, origin=Proposal.Origin.MODEL, created_at=timezone.now())
    _doubt(Finding.objects.filter(category__startswith="claim/capability/rss/")[0])
    loser.refresh_from_db()
    return loser


def _doubt(claim: Finding) -> None:
    """An example that held once and does not now; and what holds instead, as a proposal."""
    now = timezone.now()
    expected = Expectation(Expect.HEADER, ("news",))
    example = put_example(claim, ExampleDraft(expected, "weather plus headlines"), Actor("vera"))
    for outcome, tries, held in (("holds", 1, 1), ("broken", 5, 0)):
        ExampleCheck.objects.create(example=example, at=now, version="3.51", outcome=outcome, tries=tries, held=held)
    content = "The answer to “weather plus headlines” has no header of news since 3.51; 5 of 5"
    Proposal.objects.create(loser=claim, content=content, origin=Proposal.Origin.EXAMPLE, created_at=now)


def compare() -> Comparison:
    """The default target against an honest router: what its faults change."""
    faulty = factory.a_target()
    honest = Target.objects.create(name="production", kind=Target.Kind.REFERENCE)
    import_vocabulary(honest, reference_document(), timezone.now())
    row = plan(Wanted(faulty, honest, at_most=20), Actor("vera"))
    run_planned(row)
    return row


def _age(combination: Combination, last: timedelta, first: timedelta) -> None:
    now = timezone.now()
    Combination.objects.filter(pk=combination.pk).update(
        last_run_timestamp=now - last, first_flagged_timestamp=now - first - last
    )
