"""One state of the database, eight who ask, and every address that Django knows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from django_q.models import Schedule, Task

from review.models import SavedView
from selftest.evaluation.models import (
    Comparison,
    DriftAlert,
    DriftEvent,
    DriftProposal,
    DriftSeries,
    EvaluationSettings,
    GoldenSet,
    GraderSettings,
    Report,
    Suggestion,
    TargetTerm,
    Threshold,
    VocabularyGrowth,
)
from selftest.evaluation.saving import archive
from selftest.findings.core.expectations import Expect, Expectation
from selftest.findings.examples import ExampleDraft
from selftest.findings.models import ExampleCheck, FindingSettings, Proposal
from selftest.findings.saving import About, Draft, save_finding
from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.documentation_acts import add as add_documentation
from selftest.knowledge.index import writing
from selftest.knowledge.models import Documentation, Feedback, QualityAlert, SearchSettings
from selftest.models import (
    Actor,
    ApiKey,
    BulkAct,
    Cause,
    Channel,
    Cycle,
    Notice,
    Reduction,
    Target,
    Tuning,
    VocabularyVersion,
)
from selftest.operating.keys import make_api_key
from selftest.operating.notices.events import Event, tell
from selftest.reviewing import bulk_acts
from selftest.reviewing.dismissal import dismiss
from tests.evaluation.pairs import made_pair
from tests.review import factory
from tests.roles import give

IDENTITIES = ["anonymous", "wrong key", "key", "no role", "viewer", "reviewer", "admin", "superuser"]
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
PASSWORD = "a long enough password"


def routes(entries: list[Any] | None = None, before: str = "/") -> Iterator[str]:
    """Every address as the resolver has it, its arguments by name; some more than once."""
    for entry in get_resolver().url_patterns if entries is None else entries:
        route = f"{before}{entry.pattern}"
        if isinstance(entry, URLResolver):
            yield from routes(entry.url_patterns, route)
        elif isinstance(entry, URLPattern):
            yield route


@dataclass
class Installation:
    """ids: what stands in an address for an argument. headers and sessions: by identity, how it is known."""

    ids: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, dict[str, str]] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def ask(self, identity: str, method: str, path: str, form: dict[str, Any] | str | None = None) -> HttpResponseBase:
        """One request, of which nothing stays."""
        self.client.cookies.clear()
        if identity in self.sessions:
            self.client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[identity]
        body: dict[str, Any] = {}
        if method == "POST" and form is not None:
            is_json = isinstance(form, str)
            body = {"data": form, "content_type": "application/json"} if is_json else {"data": form}
        send = getattr(self.client, method.lower())
        with transaction.atomic():
            response: HttpResponseBase = send(path, headers=self.headers.get(identity, {}), **body)
            transaction.set_rollback(True)
        return response


def installation() -> Installation:
    """A row of each kind, an account of each role. Testing is switched off, so that no cycle is run."""
    made = Installation()
    people = {
        "no role": User.objects.create_user("no role", password=PASSWORD),
        "viewer": give(User.objects.create_user("viewer", password=PASSWORD), "viewer"),
        "reviewer": give(User.objects.create_user("reviewer", password=PASSWORD), "reviewer"),
        "admin": give(User.objects.create_user("admin", password=PASSWORD, is_staff=True), "admin"),
        "superuser": User.objects.create_superuser("superuser", password=PASSWORD),
    }
    for identity, person in people.items():
        client = Client()
        client.force_login(person)
        made.sessions[identity] = client.cookies[settings.SESSION_COOKIE_NAME].value
    made.headers = {"key": {"X-API-Key": make_api_key("script")}, "wrong key": {"X-API-Key": "never made"}}
    combination = factory.flagged("tell me about comets")
    run = combination.runs.get()
    closed = factory.flagged("tell me about looms")
    dismiss(closed, Actor("cleo"))
    probe = factory.probe(run, "comets", "kiwix")
    explanation = factory.explanation(run)
    act = bulk_acts.freeze_rows(BulkAct.Kind.ASSIGN, {combination.pk: run.pk}, Actor.person(people["reviewer"]))
    asking = factory.make_cycle()
    Cycle.objects.filter(pk=asking.pk).update(combination=combination)
    now = timezone.now()
    channel = Channel.objects.create(name="team", kind="apprise", url="json://127.0.0.1:9/", created_at=now)
    tell(Event(Notice.Kind.CAUSE_NEW, "event", "New cause", "/", now), now)
    Tuning.objects.update_or_create(pk=1, defaults={"enabled": False})
    FindingSettings.objects.update_or_create(pk=1, defaults={"sweeps": False})
    GraderSettings.get_solo().save()
    threshold = Threshold.objects.create(grader="faithfulness", value=0.8, why="as calibrated")
    term = TargetTerm.objects.create(target_id=run.target_id, name="item registry", rivals="registry")
    documentation = Documentation(target_id=run.target_id, name="manual", origin="upload", location="manual.md")
    add_documentation(documentation, b"# Manual\n\nEvery query gets an answer.")
    for words in ("Always name the owner.", "Never name the owner."):
        saved = save_finding(Draft("feedback/from-agent/reports", words), Actor("cleo"))
    act_on_finding = saved.acts[0]
    proposal = Proposal.objects.create(
        loser_id=act_on_finding.number, winner=saved.finding, origin=Proposal.Origin.MODEL, created_at=now
    )
    loser, winner = (
        save_finding(Draft("feedback/from-agent/mails", words), Actor("cleo")).finding
        for words in ("Send mails early.", "Mails go out late.")
    )
    open_proposal = Proposal.objects.create(loser=loser, winner=winner, origin=Proposal.Origin.RULES, created_at=now)
    pair, archived = (made_pair(name, run.target) for name in ("weather alone", "an archived one"))
    archive(archived, Actor("cleo"), "", 1)
    EvaluationSettings.objects.update_or_create(pk=1, defaults={"grades_runs": False})
    report = Report.objects.create(golden_set=pair.golden_set, target=run.target, actor="cleo", started_at=now)
    claim = save_finding(
        Draft(
            "claim/capability/reference/rss",
            "It reads feeds.",
            about=About(target=combination.target),
            example=ExampleDraft(Expectation(Expect.PHRASE, ("rss",)), "rss"),
        ),
        Actor("cleo"),
    ).finding
    check = ExampleCheck.objects.create(example=claim.example, at=now, outcome="holds", tries=1, held=1)
    comparison = Comparison.objects.create(target=run.target, at_most=1, state="finished", created_at=now)
    suggestion = Suggestion.objects.create(
        target=run.target, kind="topic", text="desert foxes", origin="mined", created_at=now
    )
    growth = VocabularyGrowth.objects.create(target=run.target, model_url="http://127.0.0.1:9/v1", model_name="tiny")
    series = DriftSeries.objects.create(
        target_id=run.target_id, recipe_name=run.recipe_name, metric="latency", cached=False, reference=[1.0, 2.0]
    )
    drift_alert = DriftAlert.objects.create(
        series=series,
        target_id=run.target_id,
        began_at=now,
        reference=[1.0, 2.0],
        window=[3.0],
        distance=1.0,
        is_up=True,
        p_value=0.001,
    )
    drift_proposal = DriftProposal.objects.create(target_id=run.target_id, what="version 1 → 2", created_at=now)
    feedback = Feedback.objects.create(
        at=now, actor="otto", query_sha256="a" * 64, chunk_key="docs:1", chunk_kind="docs", rating="up"
    )
    drift_event = DriftEvent.objects.create(
        kind="began", target_id=run.target_id, series=series, actor="engine", at=now
    )
    writing.put([Chunk("docs:tank", Kind.DOCS, "Tank", "The tank is empty.")])
    task = {"func": "x", "started": now, "stopped": now, "success": False}
    made.ids = {
        "app": "selftest",
        "nothing": "no/such/page/",
        "chunk": "docs:tank",
        "recipe": combination.recipe_name,
        "cause": factory.make_cause().pk,
        "judged": factory.make_cause(verdict=Cause.Verdict.ACCEPTED).pk,
        "combination": combination.pk,
        "fingerprint": combination.fingerprint,
        "dismissed": closed.fingerprint,
        "run": run.pk,
        "flag": run.flags.get().pk,
        "probe": probe.pk,
        "explanation": explanation.pk,
        "event": combination.events.latest("pk").pk,
        "channel": channel.pk,
        "delivery": channel.deliveries.get().pk,
        "cycle": run.cycle_id,
        "asking": asking.pk,
        "target": run.target_id,
        "content_type": ContentType.objects.get_for_model(Target).pk,
        "version": VocabularyVersion.objects.get().pk,
        "tuning": 1,
        "comparison": comparison.pk,
        "suggestion": suggestion.pk,
        "growth": growth.pk,
        "growth_history": growth.history.latest().pk,
        "other_target": factory.make_target("other", is_default=False).pk,
        "pair": pair.pk,
        "archived_pair": archived.pk,
        "pair_version": pair.current_id,
        "golden_set": GoldenSet.objects.create(name="empty").pk,
        "report": report.pk,
        "evaluation_settings": 1,
        "evaluation_settings_history": EvaluationSettings.history.latest().pk,
        "drift_series": series.pk,
        "drift_alert": drift_alert.pk,
        "drift_proposal": drift_proposal.pk,
        "drift_event": drift_event.pk,
        "search_settings": SearchSettings.get_solo().pk,
        "search_settings_history": SearchSettings.history.latest().pk,
        "search_feedback": feedback.pk,
        "quality_alert": QualityAlert.objects.create(kind="slow", opened_at=now).pk,
        "finding": saved.finding.pk,
        "own_document": "README.md",
        "documentation": documentation.pk,
        "target_document": "manual.md",
        "claim": claim.pk,
        "example": claim.example.pk,
        "example_check": check.pk,
        "finding_act": act_on_finding.pk,
        "proposal": proposal.pk,
        "open_proposal": open_proposal.pk,
        "finding_settings": 1,
        "finding_settings_history": FindingSettings.history.latest().pk,
        "threshold": threshold.pk,
        "threshold_history": threshold.history.latest().pk,
        "term": term.pk,
        "term_history": term.history.latest().pk,
        "grader_settings": 1,
        "grader_settings_history": GraderSettings.history.latest().pk,
        "tuning_history": Tuning.history.latest().pk,
        "target_history": Target.history.latest().pk,
        "act": act.pk,
        "reduction": Reduction.objects.create(
            combination=combination, run=run, check_name="crash", state="finished", askings_at_most=40, created_at=now
        ).pk,
        "view": SavedView.objects.create(owner=people["reviewer"], name="mine").pk,
        "apikey": ApiKey.objects.get().pk,
        "schedule": Schedule.objects.create(name="x", func="x").pk,
        "failure": Task.objects.create(id="a" * 32, name="x", **task).pk,
        "user": User.objects.create_user("someone").pk,
        "group": Group.objects.get(name="viewer").pk,
    }
    return made
