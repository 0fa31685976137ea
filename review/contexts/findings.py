"""A promise that was not kept, in words; and a finding that has an innocent cause."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from selftest.core.judging.check_table import ABOUT_TIME
from selftest.core.judging.findings import CheckName
from selftest.core.judging.probes import Purpose
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

ASKED: Mapping[str, str] = {
    Purpose.PART: "Asked alone",
    Purpose.AGAIN: "Asked again",
    Purpose.ORDER: "Other order",
    Purpose.CONJUNCTION: "Other words",
    Purpose.PLAIN: "Plain words",
    Purpose.FEWER: "Fewer parts",
    Purpose.CONTROL: "Other phrase",
}

GUARANTEE_OF: Mapping[str, Guarantee] = {str(check): guarantee for check, guarantee in GUARANTEES.items()}


def name_of_check(check: str) -> str:
    """As pages name it; the stored name of a check that is not there any more."""
    guarantee = GUARANTEE_OF.get(check)
    return guarantee.name if guarantee else check


def sentence_of_check(check: str) -> str:
    """What it promises, in a sentence; "" for a check that is not there any more."""
    guarantee = GUARANTEE_OF.get(check)
    return guarantee.sentence if guarantee else ""


def is_about_time(flags: Sequence[Flag]) -> bool:
    """Whether one of them is of a check that judges how long the target takes."""
    return not ABOUT_TIME.isdisjoint(flag.check_name for flag in flags)


@dataclass(frozen=True)
class ProbeView:
    """A probe that a finding rests on. what: for what. brought: which sources had content, in words."""

    what: str
    text: str
    brought: str
    excerpt: str

    @classmethod
    def all_of(cls, evidence: Mapping[str, Any]) -> "tuple[ProbeView, ...]":
        """Each once: a probe that was repeated and brought the same says nothing new."""
        return tuple(dict.fromkeys(map(cls.of, evidence.get("asked", ()))))

    @classmethod
    def of(cls, shown: Mapping[str, Any]) -> "ProbeView":
        """shown: as evidence holds a probe."""
        sources = ", ".join(shown["brought"])
        excerpt = _cut(" ".join(shown["excerpt"].split()), SEEN_CHARACTERS)
        by_name = f"Asked {shown['only']}" if shown.get("only") else ""
        return cls(by_name or ASKED[Purpose(shown["purpose"])], shown["text"], sources or "nothing", excerpt)


@dataclass(frozen=True)
class FindingView:
    """A promise that was not kept, in words. shape: the check's name, and its symbol's.

    asked: the probes that it rests on. again: how often it was reproduced at once, "" where that was not tried. also:
    what its check found in other places of the same answer.
    """

    shape: str
    name: str
    sentence: str
    summary: str
    promised: str = ""
    seen: str = ""
    where: str = ""
    asked: tuple[ProbeView, ...] = ()
    again: str = ""
    also: tuple[str, ...] = ()

    @classmethod
    def of_flag(cls, flag: Flag) -> "FindingView":
        """With how often it was reproduced."""
        return replace(cls.of_evidence(flag), again=_again(flag.asked_again, flag.seen_again))

    @classmethod
    def of_evidence(cls, found: Flag | Explanation) -> "FindingView":
        """With its evidence and the probes that it rests on."""
        evidence = found.evidence
        asked = ProbeView.all_of(evidence)
        where = "" if asked else evidence["where"]  # the probes themselves say it
        told = cls.of_reason(found.reason, evidence["promised"], evidence["seen"], where)
        return replace(told, asked=asked, also=tuple(other["summary"] for other in evidence.get("also", ())))

    @classmethod
    def of_reason(cls, reason: str, promised: str = "", seen: str = "", where: str = "") -> "FindingView":
        """reason: `check: what happened`."""
        check, _, summary = reason.partition(": ")
        guarantee = GUARANTEE_OF[check]
        return cls(check, guarantee.name, guarantee.sentence, summary, promised, seen, PLACES.get(where, where))

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


def found_by(flags: Sequence[Flag], reason: str | None) -> tuple[FindingView, ...]:
    """The flags of the run that tells most; where that run is gone, what the combination itself remembers."""
    if flags:
        return tuple(map(FindingView.of_flag, flags))
    return (FindingView.of_reason(reason),) if reason else ()


@dataclass(frozen=True)
class ExplainedFinding:
    """A finding with an innocent cause. of_source: where all of its source's stand."""

    pk: int
    finding: FindingView
    cause: str
    source: str
    of_source: str
    run: int
    at: datetime

    @classmethod
    def of(cls, row: Explanation, target: str) -> "ExplainedFinding":
        """target: its name."""
        return cls(
            pk=row.pk,
            finding=FindingView.of_evidence(row),
            cause=row.get_cause_display(),
            source=row.source,
            of_source=explained_url(target, row.source),
            run=row.run_id,
            at=row.created_at,
        )


def explained_url(target: str, source: str = "", **more: str | int) -> str:
    """The page, held to a target and a source."""
    held_to = {"target": target, "source": source, **more}
    return f"{reverse('explained')}?{urlencode({name: value for name, value in held_to.items() if value})}"
