"""What search finds: one piece of what is known, whatever it came from. Pure: values alone."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What a piece is. Also the allow-list of `filters.entityTypes`."""

    DOCS = "docs"
    API = "api"
    DOCTOR = "doctor"
    FINDING = "finding"
    CAUSE = "cause"
    FLAG = "flag"
    GUARANTEE = "guarantee"
    GOLDEN_PAIR = "golden_pair"
    TARGET = "target"
    CYCLE = "cycle"


class Domain(StrEnum):
    """What kinds belong together. Also the allow-list of `filters.domains`."""

    KNOWLEDGE = "knowledge"
    FINDINGS = "findings"
    CAUSES = "causes"
    GUARANTEES = "guarantees"
    PLATFORM = "platform"


DOMAINS: Mapping[Kind, Domain] = {
    Kind.DOCS: Domain.KNOWLEDGE,
    Kind.API: Domain.KNOWLEDGE,
    Kind.DOCTOR: Domain.KNOWLEDGE,
    Kind.FINDING: Domain.FINDINGS,
    Kind.CAUSE: Domain.CAUSES,
    Kind.FLAG: Domain.CAUSES,
    Kind.GUARANTEE: Domain.GUARANTEES,
    Kind.GOLDEN_PAIR: Domain.GUARANTEES,
    Kind.TARGET: Domain.PLATFORM,
    Kind.CYCLE: Domain.PLATFORM,
}

INGESTED = frozenset({Kind.DOCS, Kind.API, Kind.DOCTOR, Kind.GUARANTEE})  # read from documents, by a rebuild
LIVE = frozenset(Kind) - INGESTED  # read from rows, by each change of them


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece: a section, an operation, a check, or a row of the product.

    id: stable: made of what names the piece, never of when or in which order it was read.
    body: plain text, as a person would read it.
    language: of title and body, as "en", "de", "fr", "es" or "ru"; anything else is searched as it stands.
    path, anchor: of the document and the section in it; `path#anchor` names a piece in measurements.
    identifiers: what finds it when typed as it is, in any case: a check's code, an operation id, `GET /path`, `#12`.
    target_id: whose piece it is; None: of no target, found whatever target is filtered by.
    url: where *Open* leads; an address of this product, or one of the target's documentation.
    details: what its kind adds, as JSON: method, parameters and responses of an operation, commands of a check.
    for_admins: left out for anyone else.
    """

    id: str
    kind: Kind
    title: str
    body: str
    language: str = "en"
    path: str = ""
    anchor: str = ""
    section_path: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    product: str = ""
    version: str = ""
    service: str = ""
    target_id: int | None = None
    url: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    for_admins: bool = False

    @property
    def domain(self) -> Domain:
        """Where its kind belongs."""
        return DOMAINS[self.kind]

    def sha256(self) -> str:
        """Of all it says: equal pieces need not be written again."""
        said = (
            self.id, self.kind, self.title, self.body, self.language, self.path, self.anchor, self.section_path,
            self.tags, self.identifiers, self.product, self.version, self.service, self.target_id, self.url,
            self.details, self.for_admins,
        )  # fmt: skip
        return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def chunk_id(*names: object) -> str:
    """A stable id of what names a piece: the first name as it is, and 16 hexadecimal digits of all of them.

    `chunk_id("docs", "README.md", "run-it", 0)` → `"docs:3f…"`.
    """
    digest = hashlib.sha256("\x1f".join(str(name) for name in names).encode(errors="surrogatepass")).hexdigest()
    return f"{names[0]}:{digest[:16]}"
