"""Rows as the engine itself writes them: a target, cycles, and runs recorded with the findings that a test wants."""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import count
from typing import Any

from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName, Finding
from selftest.core.judging.probes import Purpose
from selftest.cycles import recording
from selftest.cycles.planning import new_combination
from selftest.cycles.recording import ExaminationDetails
from selftest.models import Cause, Combination, Cycle, Explanation, Flag, Installation, Probe, Run, Target
from selftest.operating.vocabularies import import_vocabulary
from selftest.storage.leading_causes import follow_flags
from selftest.storage.target_clients import bundled_vocabulary
from selftest.storage.texts import sha256_hex

_numbers = count(1)


def make_target(name: str = "bundled", is_default: bool = True) -> Target:
    target = Target.objects.create(name=name, kind=Target.Kind.REFERENCE, is_default=is_default)
    import_vocabulary(target, bundled_vocabulary(), timezone.now())
    return target


def a_target() -> Target:
    return Target.objects.filter(is_default=True).first() or make_target()


def make_cycle(
    state: Cycle.State = Cycle.State.FINISHED, note: str = "", now: datetime | None = None, target: Target | None = None
) -> Cycle:
    now = now or timezone.now()
    target = target or a_target()
    is_over = state not in (Cycle.State.PLANNED, Cycle.State.RUNNING)
    return Cycle.objects.create(
        target=target,
        trigger=Cycle.Trigger.COMMAND,
        state=state,
        seed=7,
        queries_wanted=8,
        vocabulary=target.vocabularies.get(in_force=True),
        created_at=now,
        started_at=None if state == Cycle.State.PLANNED else now,
        finished_at=now if is_over else None,
        note=note,
    )


def finding(check: CheckName = CheckName.SOURCE_MISMATCH, **words: Any) -> Finding:
    told = {"summary": "answered by 'home'", "promised": "a source: kiwix, web", "seen": "home", "where": "source_used"}
    return Finding(check, **{**told, **words})


def make_combination(text: str = "", target: Target | None = None) -> Combination:
    text = text or f"tell me about subject {next(_numbers)}"
    query = Query("no_intent_fallthrough", (Part(PartKind.TOPIC, text),))
    return combination_of(query, target)


def combination_of(query: Query, target: Target | None = None) -> Combination:
    combination = new_combination(target or a_target(), query, timezone.now())
    combination.save()
    return combination


def plan_run(combination: Combination, cycle: Cycle | None = None) -> Run:
    cycle = cycle or make_cycle()
    return Run.objects.create(
        cycle=cycle,
        target=combination.target,
        combination=combination,
        recipe_name=combination.recipe_name,
        place=cycle.runs.count(),
        query=combination.query,
        query_text=combination.last_query_text,
        novel=combination.times_generated == 0,
    )


def ask(
    combination: Combination,
    findings: Sequence[Finding] = (),
    result: str = "Some real content.",
    source: str = "kiwix",
    error: str | None = None,
    now: datetime | None = None,
    cycle: Cycle | None = None,
    is_unchecked: bool = False,
) -> Run:
    """One run of `combination`, recorded as the engine records it."""
    now = now or timezone.now()
    run = plan_run(combination, cycle)
    assert recording.claim(run, now)
    details = ExaminationDetails(is_unchecked=is_unchecked)
    assert recording.record(run, Answer(result, source, 35.2, error=error), findings, now, details)
    Cycle.objects.filter(pk=run.cycle_id).update(  # as a cycle's end counts its runs
        queries_run=F("queries_run") + 1,
        flagged=F("flagged") + int(bool(findings)),
        novel=F("novel") + int(run.novel),
        unchecked=Coalesce("unchecked", 0) + int(is_unchecked),
    )
    combination.refresh_from_db()
    run.refresh_from_db()
    return run


def flagged(text: str = "", *findings: Finding, now: datetime | None = None, **answer: str) -> Combination:
    """A combination in the queue."""
    combination = make_combination(text)
    ask(combination, findings or (finding(),), now=now, **answer)  # type: ignore[arg-type]
    return combination


def heap(count: int, about: str = "metal", check: CheckName = CheckName.SOURCE_MISMATCH) -> list[Combination]:
    """Combinations in the queue with one cause, the oldest first: a group there."""
    made = [flagged(f"tell me about {about} {n}", finding(check)) for n in range(count)]
    put_down(made, make_cause(checks=[check], sentence=f"a query about {about}"))
    return made


def put_down(rows: Collection[Combination], cause: Cause) -> None:
    """All flags of these go to the cause, as the engine puts them there."""
    flags = Flag.objects.filter(combination__in=[row.pk for row in rows])
    flags.update(cause=cause)
    follow_flags(flags.values_list("pk", flat=True))
    Installation.queue_changed()
    for row in rows:
        row.refresh_from_db()


def make_cause(**columns: Any) -> Cause:
    """A cause without flags."""
    now = timezone.now()
    predicate = {"family": "any", "values": []}
    common = {"symptom": "blank", "predicate": predicate, "sentence": "any query", "is_evident": False}
    return Cause.objects.create(**{"target": a_target(), **common, "first_seen": now, "last_seen": now, **columns})


def probe(run: Run, text: str, source: str, empty_phrase: str = "", purpose: Purpose = Purpose.PART) -> Probe:
    """An extra asking for `run`, as the engine keeps it."""
    result = empty_phrase or f"All about {text}."
    return Probe.objects.create(
        target=run.target,
        run=run,
        purpose=purpose,
        text=text,
        text_sha256=sha256_hex(text),
        source=source,
        asked_at=timezone.now(),
        source_used=source,
        latency_ms=12.0,
        result=result,
        result_length_bytes=len(result),
        result_sha256=sha256_hex(result),
        empty_phrase=empty_phrase,
    )


def asked_alone(text: str, *brought: str, excerpt: str = "") -> dict[str, object]:
    """What a finding's evidence holds of a probe."""
    return {"purpose": "part", "text": text, "source_used": "", "brought": list(brought), "excerpt": excerpt}


def explanation(
    run: Run,
    check: CheckName = CheckName.PART_LOST,
    source: str = "uptime",
    cause: Explanation.Cause = Explanation.Cause.EMPTY_ALONE,
    **words: str,
) -> Explanation:
    told = {"summary": "uptime says 'could not connect' alone too", "promised": "its source", "seen": "none", **words}
    evidence = {
        "promised": told["promised"],
        "seen": told["seen"],
        "where": "headers",
        "asked": [asked_alone("are the services up", excerpt="Could not connect.")],
    }
    return Explanation.objects.create(
        run=run,
        target=run.target,
        combination=run.combination,
        check_name=check,
        reason=f"{check}: {told['summary']}",
        evidence=evidence,
        cause=cause,
        source=source,
        created_at=timezone.now(),
    )
