"""`/targets` and `/targets/<id>`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from review.contexts.cycles import CycleLine
from review.contexts.people import username
from review.contexts.shapes import ASKING, AWAY, KEPT, STOPPED, WAITING
from review.contexts.suggestions import SuggestionsView
from selftest.core.generation.queries import PartKind
from selftest.models import Cycle, Target, VocabularyVersion
from selftest.operating.connection_test import Trial
from selftest.reading.vocabulary_differences import Line

REACHED = {
    Cycle.State.PLANNED: (WAITING, "Waiting for the worker"),
    Cycle.State.RUNNING: (ASKING, "Being asked"),
    Cycle.State.FINISHED: (KEPT, "Reached"),
    Cycle.State.TARGET_UNAVAILABLE: (AWAY, "Away"),
    Cycle.State.INTERRUPTED: (STOPPED, "Last cycle interrupted"),
}
KIND_WORDS = {
    PartKind.INTENT: "Phrases by source",
    PartKind.CONJUNCTION: "Conjunctions",
    PartKind.NOSPLIT: "Phrases that must not split",
    PartKind.PAIR: "Proper-noun pairs",
    PartKind.DISCOURSE: "Discourse phrases",
    PartKind.TOPIC: "Topics",
    PartKind.CONDITION: "Conditions",
    PartKind.CONSEQUENCE: "Consequences",
    PartKind.REQUEST: "Requests in the first person",
}
LIST_WORDS = {
    "conjunctions": "Conjunctions",
    "nosplit_phrases": "Phrases that must not split",
    "discourse_phrases": "Discourse phrases",
    "empty_phrases": "Phrases for no result",
}
SEED_WORDS = {
    "proper_noun_pairs": "Proper-noun pairs",
    "conditions": "Conditions",
    "consequences": "Consequences",
    "pronoun_requests": "Requests in the first person",
    "discourse_topics": "Discourse topics",
    "open_topics": "Open topics",
}
SHOWN_INGREDIENTS = 50  # added or removed of one kind; the document's lines hold the rest
BY_NOBODY = "a command or the first start"


@dataclass(frozen=True)
class VersionLine:
    """A version of a vocabulary. by: who imported it."""

    number: int
    is_in_force: bool
    at: datetime
    by: str

    @classmethod
    def of(cls, version: VocabularyVersion) -> "VersionLine":
        """As the row has it."""
        by = username(version.created_by) or BY_NOBODY
        return cls(version.number, version.in_force, version.created_at, by)


@dataclass(frozen=True)
class TargetLine:
    """A target. shape, reached: how it was when it was last asked, at `reached_at`, by cycle `cycle`.

    place: where it is, without any name and password.
    """

    pk: int
    name: str
    kind: str
    place: str
    is_enabled: bool
    is_default: bool
    shape: str
    reached: str
    reached_at: datetime | None
    cycle: int | None
    why: str
    vocabulary: VersionLine | None

    @classmethod
    def of(cls, target: Target, newest: Cycle | None, in_force: VocabularyVersion | None) -> "TargetLine":
        """newest: its newest cycle."""
        shape, reached = REACHED[Cycle.State(newest.state)] if newest else (WAITING, "Not asked yet")
        return cls(
            pk=target.pk,
            name=target.name,
            kind=target.get_kind_display(),
            place=_place(target),
            is_enabled=target.enabled,
            is_default=target.is_default,
            shape=shape,
            reached=reached,
            reached_at=(newest.finished_at or newest.started_at or newest.created_at) if newest else None,
            cycle=newest.pk if newest else None,
            why=newest.note if newest else "",
            vocabulary=VersionLine.of(in_force) if in_force else None,
        )


def _place(target: Target) -> str:
    match target.kind:
        case Target.Kind.HTTP:
            return _without_password(target.base_url) + target.path
        case Target.Kind.PYTHON:
            return target.dotted_path
        case _:
            return ""


def _without_password(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""  # not a URL, so there is no telling where its password is
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl().rstrip("/")


@dataclass(frozen=True)
class TargetsPage:
    """`/targets`."""

    targets: tuple[TargetLine, ...]


@dataclass(frozen=True)
class Count:
    """How many phrases there are of something."""

    words: str
    phrases: int


@dataclass(frozen=True)
class Change:
    """What one kind of ingredient gained and lost. more_*: how many are not named here."""

    kind: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    more_added: int
    more_removed: int


@dataclass(frozen=True)
class VocabularyView:
    """One version, and what changed since the one before. previous: its number, None for the first."""

    version: VersionLine
    sha256: str
    sources: tuple[Count, ...]
    lists: tuple[Count, ...]
    previous: int | None
    changes: tuple[Change, ...]
    lines: tuple[Line, ...]

    @classmethod
    def of(
        cls, version: VocabularyVersion, before: VocabularyVersion | None, lines: Sequence[Line]
    ) -> "VocabularyView":
        """before: the version that this one replaced; lines: the differences."""
        content = version.content
        lists = _counts(LIST_WORDS, content) + _counts(SEED_WORDS, content.get("seeds", {}))
        return cls(
            version=VersionLine.of(version),
            sha256=version.sha256,
            sources=tuple(Count(source, len(phrases)) for source, phrases in sorted(content["sources"].items())),
            lists=tuple(lists),
            previous=before.number if before else None,
            changes=tuple(_changes(_own_words(before), _own_words(version))) if before else (),
            lines=tuple(lines),
        )


def _counts(words: Mapping[str, str], lists: Mapping[str, Any]) -> list[Count]:
    return [Count(named, len(lists.get(key, ()))) for key, named in words.items()]


def _own_words(version: VocabularyVersion) -> list[str]:
    """Its ingredients without those that recipes make of its keywords, such as the same in capitals."""
    keywords = {f"{source}:{phrase}" for source, phrases in version.content["sources"].items() for phrase in phrases}
    begins = f"{PartKind.INTENT}:"
    return [name for name in version.births if not name.startswith(begins) or name.removeprefix(begins) in keywords]


def _changes(before: Iterable[str], after: Iterable[str]) -> list[Change]:
    """By kind; ingredients are `kind:text`, or `intent:source:text`."""
    added, removed = set(after) - set(before), set(before) - set(after)
    changes = []
    for kind, words in KIND_WORDS.items():
        gained, lost = _of_kind(kind, added), _of_kind(kind, removed)
        if gained or lost:
            shown = (tuple(gained[:SHOWN_INGREDIENTS]), tuple(lost[:SHOWN_INGREDIENTS]))
            more = (max(0, len(found) - SHOWN_INGREDIENTS) for found in (gained, lost))
            changes.append(Change(words, *shown, *more))
    return changes


def _of_kind(kind: PartKind, ingredients: Iterable[str]) -> list[str]:
    return sorted(name.removeprefix(f"{kind}:") for name in ingredients if name.startswith(f"{kind}:"))


@dataclass(frozen=True)
class TrialView:
    """What came of asking a target just now."""

    shape: str
    verdict: str
    detail: str
    version: str
    query: str
    latency_ms: float | None
    http_status: int | None
    source: str
    error: str
    refusal: str
    lines: str

    @classmethod
    def of(cls, trial: Trial) -> "TrialView":
        """The verdict comes first: there, there but failing, or away."""
        if trial.works:
            shape, verdict = KEPT, "Reachable and answering"
        elif trial.refusal:
            shape, verdict = AWAY, "Reachable, but it cannot be asked"
        elif trial.reachable:
            shape, verdict = STOPPED, "Reachable, but its answer is a crash"
        else:
            shape, verdict = AWAY, "Not reachable"
        return cls(
            shape=shape,
            verdict=verdict,
            detail=trial.detail,
            version=trial.version,
            query=trial.query,
            latency_ms=trial.latency_ms,
            http_status=trial.http_status,
            source=trial.source_used,
            error=trial.error,
            refusal=trial.refusal,
            lines=trial.lines,
        )


@dataclass(frozen=True)
class TargetPage:
    """`/targets/<id>`. is_off: nothing is asked of it, here or anywhere. trial: what came of a check just now."""

    target: TargetLine
    time_limit_s: float
    requests_at_once: int
    requests_per_second: float | None
    is_off: bool
    trial: TrialView | None
    trouble: str
    vocabulary: VocabularyView | None
    versions: tuple[VersionLine, ...]
    cycles: tuple[CycleLine, ...]
    suggestions: SuggestionsView
