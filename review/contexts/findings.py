"""A promise that was not kept, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from selftest.core.checks import CheckName
from selftest.core.probes import Purpose
from selftest.guarantees import GUARANTEES, Guarantee
from selftest.models import Explanation, Flag

# What a finding calls its place, in a reader's words. "": the evidence itself says it already.
PLACES = {
    "source_used": "the source that the answer names",
    "headers": "the section headers",
    "source_used and headers": "the source that the answer names, and the section headers",
    "latency_ms": "",
    "error": "",
}

TITLE_CHARACTERS = 100  # of a reason, in the one line that a row has for it

SEEN_CHARACTERS = 240  # of what was seen, in a row; the combination's page has all of it

QUOTED_CHARACTERS = 40  # of a body, to find it again in the error that quotes it

ASKED_BESIDES = "asked besides: "  # a place that the evidence itself shows
ASKED = {
    Purpose.PART: "Asked alone",
    Purpose.AGAIN: "Asked again",
    Purpose.ORDER: "Other order",
    Purpose.CONJUNCTION: "Other words",
    Purpose.PLAIN: "Plain words",
    Purpose.FEWER: "Fewer parts",
    Purpose.CONTROL: "Other phrase",
}

GUARANTEE_OF: Mapping[str, Guarantee] = {str(check): guarantee for check, guarantee in GUARANTEES.items()}


@dataclass(frozen=True)
class Asked:
    """A probe that a finding rests on. what: for what. brought: which sources had content, in words."""

    what: str
    text: str
    brought: str
    excerpt: str

    @classmethod
    def all_of(cls, evidence: Mapping[str, Any]) -> "tuple[Asked, ...]":
        """Each once: the same query with the same result says nothing new."""
        return tuple(dict.fromkeys(map(cls.of, evidence.get("asked", ()))))

    @classmethod
    def of(cls, shown: Mapping[str, Any]) -> "Asked":
        sources = ", ".join(shown["brought"])
        excerpt = _cut(" ".join(shown["excerpt"].split()), SEEN_CHARACTERS)
        return cls(ASKED[Purpose(shown["purpose"])], shown["text"], sources or "nothing", excerpt)


@dataclass(frozen=True)
class Finding:
    """A promise that was not kept, in words. shape: the check's name, and its symbol's.

    asked: the probes that it rests on. again: how often it was reproduced, "" where that was not tried.
    """

    shape: str
    name: str
    sentence: str
    summary: str
    promised: str = ""
    seen: str = ""
    where: str = ""
    asked: tuple[Asked, ...] = ()
    again: str = ""

    @classmethod
    def of_flag(cls, flag: Flag) -> "Finding":
        return replace(cls.of_evidence(flag), again=_again(flag.asked_again, flag.seen_again))

    @classmethod
    def of_evidence(cls, found: Flag | Explanation) -> "Finding":
        evidence = found.evidence
        told = cls.of_reason(found.reason, evidence["promised"], evidence["seen"], evidence["where"])
        return replace(told, asked=Asked.all_of(evidence))

    @classmethod
    def of_reason(cls, reason: str, promised: str = "", seen: str = "", where: str = "") -> "Finding":
        check, _, summary = reason.partition(": ")
        guarantee = GUARANTEE_OF[check]
        place = "" if where.startswith(ASKED_BESIDES) else PLACES.get(where, where)
        return cls(check, guarantee.name, guarantee.sentence, summary, promised, seen, place)

    @property
    def title(self) -> str:
        """The summary on one line, not longer than a row has room for."""
        return _cut(" ".join(self.summary.split()), TITLE_CHARACTERS)

    @property
    def brief_seen(self) -> str:
        """What was seen, as much of it as a row shows: an error that quotes the body is not followed by the body."""
        error, _, body = self.seen.partition("\n")
        beginning = " ".join(body.split())[:QUOTED_CHARACTERS]
        is_quoted = self.shape == CheckName.CRASH and beginning and beginning in error
        return _cut(error if is_quoted else self.seen, SEEN_CHARACTERS)


def _again(asked: int, seen: int) -> str:
    return f"{seen} of {asked}" if asked else ""


def _cut(text: str, limit: int) -> str:
    """Not longer than `limit`, with one mark where something is left out: what was cut before keeps no second one."""
    whole = text.rstrip("…")
    return text if len(whole) <= limit else f"{whole[:limit].rstrip()}…"


def found_by(flags: Sequence[Flag], reason: str | None) -> tuple[Finding, ...]:
    """The flags of the run that tells most; where that run is gone, what the combination itself remembers."""
    if flags:
        return tuple(map(Finding.of_flag, flags))
    return (Finding.of_reason(reason),) if reason else ()
