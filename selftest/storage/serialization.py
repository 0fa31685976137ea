"""Core values ↔ rows, and nothing else: the only place that knows both shapes."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from selftest.core.generation.pair_coverage import PairCoverage
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.core.insight.predicates import Predicate
from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding
from selftest.core.judging.probes import Probe, Purpose
from selftest.models import Coverage, Run, VocabularyVersion
from selftest.models import Probe as ProbeRow
from selftest.storage.texts import KEPT_RESULT_BYTES, sha256_hex, storable

KEPT_ERROR_BYTES = 16 * 1024
PART_KINDS = {kind.value: kind for kind in PartKind}  # to call the class instead takes five times as long
LINE_OF_EARLIER_VERSIONS = re.compile(r"line (\d+)")  # how evidence told it before it had the field `line`


def query_document(query: Query) -> dict[str, Any]:
    """A query as the JSON that rows hold."""
    return {"recipe": query.recipe, "parts": [part_document(part) for part in query.parts]}


def part_document(part: Part) -> list[str]:
    """Kind, text and source; and the plain phrase, where the text is written in another way."""
    return [part.kind, part.text, part.source, *filter(None, [part.plain])]


def query_of(document: Mapping[str, Any]) -> Query:
    """The query that `query_document` made this of."""
    return Query(document["recipe"], tuple(_part(*part) for part in document["parts"]))


@lru_cache(maxsize=16384)  # queries are made of the same parts over and over
def _part(kind: str, *texts: str) -> Part:
    return Part(PART_KINDS[kind], *texts)


def coverage_of(row: Coverage) -> PairCoverage:
    """What a recipe has covered, as its row holds it."""
    return PairCoverage(row.values, bytes(row.pairs), bytes(row.triples), row.queries, row.turn)


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


def kept_answer(row: ProbeRow | Run) -> Answer | None:
    """The answer without an error; None where it was cut, as half of one cannot be compared, or is kept no longer."""
    if row.result_length_bytes is None or row.latency_ms is None or row.answer_deleted_at is not None:
        return None
    if row.result_length_bytes > KEPT_RESULT_BYTES:
        return None
    return Answer(row.result, row.source_used, row.latency_ms, row.http_status, row.cached)


def probe_columns(probe: Probe) -> dict[str, Any]:
    """The columns of a probe that hold what was asked."""
    return {
        "purpose": probe.purpose,
        "text": storable(probe.text),
        "text_sha256": sha256_hex(probe.text),
        "source": probe.source[:200] if probe.purpose is Purpose.PART else "",
        "only": probe.only[:200],
    }


def evidence_document(finding: Finding) -> dict[str, Any]:
    """promised, seen and where; of its Evidence each field that says something.

    `asked` where it rests on probes; `also` where its check has found something in other places.
    """
    document: dict[str, Any] = {key: storable(getattr(finding, key)) for key in ("promised", "seen", "where")}
    if finding.asked:
        document["asked"] = [
            {
                "purpose": shown.purpose,
                "text": storable(shown.text),
                "source_used": storable(shown.source_used),
                "brought": [storable(source) for source in shown.brought],
                "excerpt": storable(shown.excerpt),
                **({"only": storable(shown.only)} if shown.only else {}),
            }
            for shown in finding.asked
        ]
    if finding.also:
        document["also"] = [
            {"summary": storable(other.summary), "where": storable(other.where), **_evidence_fields(other.evidence)}
            for other in finding.also
        ]
    return document | _evidence_fields(finding.evidence)


def _evidence_fields(evidence: Evidence) -> dict[str, Any]:
    lists = {name: list(map(storable, getattr(evidence, name))) for name in ("sources", "parts", "items")}
    fields = {"kind": evidence.kind, **lists, "line": evidence.line, "threshold_ms": evidence.threshold_ms}
    return {name: value for name, value in fields.items() if value not in (None, [])}


def evidence_of(document: Mapping[str, Any]) -> Evidence:
    """The fields of a stored finding. Of one that was stored without them only the line is known, by its `where`.

    A kind that this version does not know is passed over.
    """
    kind, line = document.get("kind"), document.get("line")
    if line is None and (place := LINE_OF_EARLIER_VERSIONS.fullmatch(document["where"])):
        line = int(place[1])
    return Evidence(
        kind=DiscrepancyKind(kind) if kind in tuple(DiscrepancyKind) else None,
        sources=tuple(document.get("sources", ())),
        parts=tuple(document.get("parts", ())),
        items=tuple(document.get("items", ())),
        line=line,
        threshold_ms=document.get("threshold_ms"),
    )


def finding_of(check: CheckName, evidence: Mapping[str, Any]) -> Finding:
    """A stored finding as far as causes look at it: without its sentences, but for what was seen."""
    also = tuple(Finding(check, "", "", "", "", evidence=evidence_of(other)) for other in evidence.get("also", ()))
    return Finding(check, "", "", evidence.get("seen", ""), "", evidence=evidence_of(evidence), also=also)


def predicate_document(predicate: Predicate) -> dict[str, Any]:
    """A predicate as the JSON that rows hold."""
    of = [predicate_document(one) for one in predicate.of]
    return {"family": predicate.family, "values": list(predicate.values), **({"of": of} if of else {})}


def predicate_of(document: Mapping[str, Any]) -> Predicate:
    """The predicate that `predicate_document` made this of."""
    of = tuple(predicate_of(one) for one in document.get("of", ()))
    return Predicate(document["family"], tuple(document["values"]), of)


@dataclass(frozen=True)
class StoredVocabulary:
    """A vocabulary as it is stored, equal to another one of the same content."""

    sha256: str
    row: VocabularyVersion = field(compare=False)


def vocabulary_of(version: VocabularyVersion) -> Vocabulary:
    """The vocabulary of one version. Raises VocabularyError where it is no longer valid."""
    return _parsed(StoredVocabulary(version.sha256, version))


@lru_cache(maxsize=16)  # pages and cycles read the same few again and again
def _parsed(stored: StoredVocabulary) -> Vocabulary:
    return parse_vocabulary(stored.row.content)


def content_sha256(document: object) -> str:
    """The same for the same document, however its keys were ordered in the file."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=True).encode()).hexdigest()
