"""Core values ↔ rows, and nothing else: the only place that knows both shapes."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from django.db import transaction

from selftest.core.generation.coverage import Coverage as Covered
from selftest.core.generation.generator import births_of
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.checks import Finding
from selftest.core.judging.latency import LatencyLimits
from selftest.core.judging.probes import Probe, Purpose
from selftest.models import Coverage, Run, Target, Tuning, VocabularyVersion
from selftest.models import Probe as ProbeRow
from selftest.targets.base import Target as OpenTarget
from selftest.targets.http import HttpSettings, HttpTarget
from selftest.targets.python import PythonTarget
from selftest.targets.reference import FAULTS, ReferenceTarget, reference_document

KEPT_RESULT_BYTES = 256 * 1024  # of an answer; its length and sha256 are of all that came
KEPT_ERROR_BYTES = 16 * 1024
HALF_SURROGATE = re.compile("[\ud800-\udfff]")


def storable(text: str, limit_bytes: int = KEPT_RESULT_BYTES) -> str:
    """`text` as every database can hold it: NUL shown as ␀, half a surrogate pair as �, cut at `limit_bytes`."""
    whole = HALF_SURROGATE.sub("�", text.replace("\x00", "␀"))
    cut = whole.encode()[:limit_bytes]
    return whole if len(cut) == len(whole.encode()) else cut.decode(errors="ignore")


def fingerprint_sha256(fingerprint: str) -> str:
    return hashlib.sha256(fingerprint.encode(errors="surrogatepass")).hexdigest()  # scripts may ask for any string


def query_document(query: Query) -> dict[str, Any]:
    return {"recipe": query.recipe, "parts": [part_document(part) for part in query.parts]}


def part_document(part: Part) -> list[str]:
    """Kind, text and source; and where it is written otherwise than its plain phrase, that."""
    return [part.kind, part.text, part.source, *filter(None, [part.plain])]


def query_of(document: Mapping[str, Any]) -> Query:
    parts = tuple(Part(PartKind(kind), *texts) for kind, *texts in document["parts"])
    return Query(document["recipe"], parts)


def coverage_of(row: Coverage) -> Covered:
    return Covered(row.values, bytes(row.pairs), bytes(row.triples), row.queries, row.turn)


def answer_columns(answer: Answer) -> dict[str, Any]:
    """The columns of a run that hold its answer. length and sha256 are computed where the target gave none."""
    raw = answer.result.encode(errors="surrogatepass")
    return {
        "source_used": storable(answer.source_used)[:200],
        "latency_ms": answer.latency_ms,
        "http_status": answer.http_status,
        "cached": answer.cached,
        "error": storable(answer.error or "", KEPT_ERROR_BYTES),
        "result": storable(answer.result),
        "result_length_bytes": len(raw) if answer.length_bytes is None else answer.length_bytes,
        "result_sha256": answer.sha256 or hashlib.sha256(raw).hexdigest(),
    }


def kept_answer(row: ProbeRow) -> Answer | None:
    """The answer that a probe brought; None where it was cut, as half of one can be held against nothing."""
    if row.result_length_bytes > KEPT_RESULT_BYTES:
        return None
    return Answer(row.result, row.source_used, row.latency_ms, row.http_status, row.cached)


def probe_columns(probe: Probe) -> dict[str, Any]:
    return {
        "purpose": probe.purpose,
        "text": storable(probe.text),
        "text_sha256": fingerprint_sha256(probe.text),
        "source": probe.source[:200] if probe.purpose is Purpose.PART else "",
        "only": probe.only[:200],
    }


def evidence_document(finding: Finding) -> dict[str, Any]:
    """promised, seen and where, and `asked` where it rests on extra askings."""
    document: dict[str, Any] = {key: storable(getattr(finding, key)) for key in ("promised", "seen", "where")}
    if finding.asked:
        document["asked"] = [
            {
                "purpose": shown.purpose,
                "text": storable(shown.text),
                "source_used": storable(shown.source_used),
                "brought": [storable(source) for source in shown.brought],
                "excerpt": storable(shown.excerpt),
            }
            for shown in finding.asked
        ]
    return document


def latency_history_ms(target: Target, recipe_name: str, runs: int, before: int | None = None) -> list[float]:
    """The last uncached, error-free latencies of a recipe on `target`, or those before one run; oldest first."""
    samples = Run.objects.filter(
        target=target, recipe_name=recipe_name, state=Run.State.DONE, cached=False, error="", latency_ms__isnull=False
    )
    if before is not None:
        samples = samples.filter(pk__lt=before)
    newest_first = samples.order_by("-id").values_list("latency_ms", flat=True)[:runs]
    return [latency_ms for latency_ms in reversed(list(newest_first)) if latency_ms is not None]


def latency_limits(tuning: Tuning) -> LatencyLimits:
    return LatencyLimits(
        multiplier=tuning.latency_outlier_multiplier,
        floor_ms=tuning.latency_outlier_floor_ms,
        min_samples=tuning.latency_outlier_min_samples,
    )


def vocabulary_of(version: VocabularyVersion) -> Vocabulary:
    return parse_vocabulary(version.content)


def content_sha256(document: object) -> str:
    """The same for the same document, however its keys were ordered in the file."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def put_vocabulary(target: Target, document: object, now: datetime, user: Any = None) -> tuple[VocabularyVersion, bool]:
    """`document` as the vocabulary in force of `target`, and whether that changed anything.

    Raises VocabularyError; the version in force then stays.
    """
    vocabulary = parse_vocabulary(document)
    sha256 = content_sha256(document)
    with transaction.atomic():
        in_force = target.vocabularies.select_for_update().filter(in_force=True).first()
        if in_force is not None and in_force.sha256 == sha256:
            return in_force, False
        last = target.vocabularies.order_by("-number").first()
        number = 1 if last is None else last.number + 1
        target.vocabularies.filter(in_force=True).update(in_force=False)
        births = births_of(vocabulary, number, in_force.births if in_force else {})
        version = VocabularyVersion.objects.create(
            target=target,
            number=number,
            content=document,
            sha256=sha256,
            births=births,
            in_force=True,
            created_at=now,
            created_by=user,
        )
    return version, True


def bundled_vocabulary() -> object:
    """The document that the bundled target routes by."""
    return reference_document()


def bundled_faults() -> dict[str, str]:
    """The faults that can be switched on in the bundled target: name → what a caller then sees, in a sentence."""
    return {fault.name: fault.seen for fault in FAULTS.values()}


def open_target(target: Target, vocabulary: Vocabulary | None) -> OpenTarget:
    """What answers for this row. Raises ValueError where its settings do not make sense.

    The bundled router routes by `vocabulary`, or by the one that it comes with.
    """
    match target.kind:
        case Target.Kind.HTTP:
            return HttpTarget(HttpSettings(**{f.name: getattr(target, f.name) for f in fields(HttpSettings)}))
        case Target.Kind.PYTHON:
            return PythonTarget(target.dotted_path, target.time_limit_s)
        case _:
            return ReferenceTarget(
                vocabulary=vocabulary, faults=target.reference_faults, empty_rate=target.reference_empty_rate
            )
