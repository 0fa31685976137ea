"""`/evaluation/pairs/new` and `…/edit`: the form of a pair, as text for people and back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from review.contexts.choices import SelectOption
from review.contexts.evaluation import time_in_words
from review.page_urls import numbered_url
from selftest.evaluation.core.pairs import (
    KIND_NAMES,
    NAME_CHARACTERS,
    QUERY_CHARACTERS,
    LatencyClass,
    PairContent,
    PairError,
    content_of,
)
from selftest.evaluation.promoting import Draft

ANY_TIME = "any time"


@dataclass(frozen=True)
class PairFields:
    """What stands in the fields. Lists have one entry a line; parts as `source: text`."""

    name: str = ""
    golden_set: str = ""
    target: str = ""
    query: str = ""
    kind: str = ""
    sources: str = ""
    headers: str = ""
    headers_ordered: bool = False
    parts: str = ""
    absent: str = ""
    latency: str = ""
    refuses: bool = False
    keyphrases: str = ""
    reference: str = ""
    why: str = ""
    combination: int | None = None
    cause: int | None = None
    seen: int | None = None

    def content(self) -> PairContent:
        """What they say. Raises PairError."""
        document: dict[str, Any] = {
            "query": self.query,
            "kind": self.kind,
            "expectations": {
                "sources": _lines(self.sources),
                "headers": _lines(self.headers),
                "headers_ordered": self.headers_ordered,
                "parts": [_part(number, line) for number, line in enumerate(_lines(self.parts), 1)],
                "absent": _lines(self.absent),
                "latency": self.latency or None,
                "refuses": self.refuses,
            },
            "keyphrases": _lines(self.keyphrases),
            "reference": self.reference,
        }
        return content_of(document)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _part(number: int, line: str) -> Mapping[str, str]:
    source, colon, text = line.partition(":")
    if not colon or not source.strip() or not text.strip():
        raise PairError([f"parts: line {number} must be “source: text”"])
    return {"source": source.strip(), "text": text.strip()}


def fields_of(content: PairContent, **more: Any) -> PairFields:
    """A pair as its form shows it. more: fields that are not of its content."""
    wanted = content.expectations
    return PairFields(
        query=content.query,
        kind=content.kind,
        sources="\n".join(wanted.sources),
        headers="\n".join(wanted.headers),
        headers_ordered=wanted.headers_ordered,
        parts="\n".join(f"{part.source}: {part.text}" for part in wanted.parts),
        absent="\n".join(wanted.absent),
        latency=wanted.latency or "",
        refuses=wanted.refuses,
        keyphrases="\n".join(content.keyphrases),
        reference=content.reference,
        **more,
    )


@dataclass(frozen=True)
class PairForm:
    """The form. around: the words and the page of what it is promoted from, () for a pair of its own.

    run: the good answer that it is read off, None where there was none. trouble: why it was not saved. pair: that is
    edited, None for a new one.
    """

    fields: PairFields
    sets: tuple[SelectOption, ...]
    targets: tuple[SelectOption, ...]
    kinds: tuple[SelectOption, ...]
    latencies: tuple[SelectOption, ...]
    around: tuple[str, str, str] | tuple[()]
    run: int | None
    run_page: str
    query_characters: int
    name_characters: int
    trouble: str
    pair: int | None
    pair_name: str


def pair_form(
    fields: PairFields,
    sets: Sequence[str],
    targets: Sequence[tuple[int, str]],
    around: tuple[str, str, str] | tuple[()] = (),
    draft: Draft | None = None,
    trouble: str = "",
    pair: tuple[int, str] | None = None,
) -> PairForm:
    """pair: number and name of the one that is edited."""
    times = {"": ANY_TIME} | {str(name): time_in_words(name) for name in LatencyClass}
    run = draft.run if draft else None
    return PairForm(
        fields=fields,
        sets=tuple(SelectOption(name, name, name == fields.golden_set) for name in sets),
        targets=tuple(SelectOption(name, name, name == fields.target) for _, name in targets),
        kinds=tuple(SelectOption(kind, name, kind == fields.kind) for kind, name in KIND_NAMES.items()),
        latencies=tuple(SelectOption(name, words, name == fields.latency) for name, words in times.items()),
        around=around,
        run=run,
        run_page=numbered_url("run", run) if run else "",
        query_characters=QUERY_CHARACTERS,
        name_characters=NAME_CHARACTERS,
        trouble=trouble,
        pair=pair[0] if pair else None,
        pair_name=pair[1] if pair else "",
    )
