"""What was learnt, in words: a finding in lists, why one superseded another, and what is known in one place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from review.contexts.cause_names import title_of
from review.contexts.findings import GUARANTEE_OF, name_of_check
from review.filters import as_query, memory_query
from review.page_urls import cause_url, combination_url, numbered_url, page_url, queue_url, with_query
from review.query_text import shortened
from selftest.findings.core.categories import CORRECTION_TAG
from selftest.findings.filters import MemoryFilter
from selftest.findings.listing import Surroundings, known
from selftest.findings.models import Act, Finding, Proposal
from selftest.reading.queue import QueueFilter, Tab

SHOWN_KNOWN = 5
LINK_CHARACTERS = 90  # of a finding that is named in a line
MODEL = "language_model"


@dataclass(frozen=True)
class AboutLink:
    """One thing that a finding is about. page: "" where it has no page."""

    kind: str
    words: str
    page: str


@dataclass(frozen=True)
class FindingLink:
    """Another finding, by its text. page: "" for one that was deleted."""

    number: int
    words: str
    page: str

    @classmethod
    def of(cls, row: Finding | None, number: int | None) -> "FindingLink":
        """number: that it had, also where the row is gone."""
        if row is None:
            return cls(number or 0, "deleted", "")
        return cls(row.pk, shortened(" ".join(row.content.split()), LINK_CHARACTERS), finding_url(row.pk))


@dataclass(frozen=True)
class Supersession:
    """One finding by another one. why: in sentences. undo: where a form takes it back, "" where that cannot be.

    by, at: who did it and when; at: None where that is not known any more.
    """

    loser: FindingLink
    winner: FindingLink
    why: str
    by: str
    at: datetime | None
    undo: str

    @classmethod
    def of(cls, loser: Finding, winner: Finding, act: Act | None) -> "Supersession":
        """act: the entry of the story; None where it is not known."""
        return cls(
            FindingLink.of(loser, loser.pk),
            FindingLink.of(winner, winner.pk),
            f"{why_words(act.why if act else None)} {who_wins(loser, winner)}",
            act.actor if act else "",
            act.at if act else None,
            undo_url([act.pk]) if act else "",
        )


@dataclass(frozen=True)
class LearntLine:
    """A finding in a list. superseded_by: None for an active one. superseded: how many it superseded.

    tags: all but the one that says that it is a correction, which `is_correction` does.
    """

    number: int
    content: str
    category: str
    of_category: str
    tags: tuple[str, ...]
    is_correction: bool
    by: str
    at: datetime
    page: str
    about: tuple[AboutLink, ...]
    superseded_by: Supersession | None
    superseded: int

    @classmethod
    def of(cls, row: Finding, act: Act | None = None) -> "LearntLine":
        """act: that by which it is superseded."""
        winner = row.superseded_by
        return cls(
            number=row.pk,
            content=row.content,
            category=row.category,
            of_category=findings_url(MemoryFilter(category=row.category)),
            tags=tuple(tag for tag in row.tags if tag.casefold() != CORRECTION_TAG),
            is_correction=row.is_correction,
            by=row.actor,
            at=row.created_at,
            page=finding_url(row.pk),
            about=about_links(row),
            superseded_by=None if winner is None else Supersession.of(row, winner, act),
            superseded=len(row.superseded.all()),
        )


@dataclass(frozen=True)
class ProposalRow:
    """That one finding should supersede another one. winner: None where `successor` is saved when it is accepted."""

    pk: int
    loser: LearntLine
    winner: LearntLine | None
    successor: str
    why: str
    at: datetime

    @classmethod
    def of(cls, row: Proposal) -> "ProposalRow":
        """In words."""
        winner = LearntLine.of(row.winner) if row.winner else None
        return cls(row.pk, LearntLine.of(row.loser), winner, row.content, why_words(row.why), row.created_at)


@dataclass(frozen=True)
class Known:
    """What is known where a reader is. rest: the list of all of it, "" where this is all. leave: where to add to it."""

    lines: tuple[LearntLine, ...]
    rest: str
    leave: str


def known_here(around: Surroundings, everything: MemoryFilter) -> Known:
    """everything: lists all that is known there."""
    rows = known(around, SHOWN_KNOWN + 1)
    rest = findings_url(everything) if len(rows) > SHOWN_KNOWN else ""
    return Known(tuple(map(LearntLine.of, rows[:SHOWN_KNOWN])), rest, leave_url(everything))


def leave_url(here: MemoryFilter) -> str:
    """Where a finding is left on the cause or the combination that is named: the form, filled in."""
    return with_query(page_url("new-finding"), memory_query(here))


def about_links(row: Finding) -> tuple[AboutLink, ...]:
    """What it is about, the most exact first."""
    links = []
    if row.combination is not None:
        words = shortened(row.combination.last_query_text, LINK_CHARACTERS)
        links.append(AboutLink("Combination", words, combination_url(row.combination.pk, "")))
    if row.cause is not None:
        links.append(AboutLink("Cause", title_of(row.cause), cause_url(row.cause.pk)))
    if row.check_name:
        is_known = row.check_name in GUARANTEE_OF  # else the list of flags knows no such filter
        page = _flags_url("check", row.check_name) if is_known else ""
        links.append(AboutLink("Check", name_of_check(row.check_name), page))
    if row.source:
        links.append(AboutLink("Source", row.source, _flags_url("source", row.source)))
    if row.target is not None:
        links.append(AboutLink("Target", row.target.name, numbered_url("target", row.target.pk)))
    return tuple(links)


def why_words(why: Mapping[str, Any] | None) -> str:
    """Why two findings cannot both hold, in a sentence or two."""
    if not why:
        return "No rule decided."
    sentence = str(why.get("sentence", "")) or "no reason was given"
    if why.get("rule") == MODEL:
        return f"A language model says: {sentence.rstrip('.')}."
    older, newer, shared = (_quoted(why.get(name)) for name in ("older", "newer", "shared"))
    sides = f": {older or 'nothing'} against {newer or 'nothing'}" if older or newer else ""
    in_common = f" Both speak of {shared} ({round(100 * float(why.get('overlap', 0)))} % in common)." if shared else ""
    return f"{sentence[:1].upper()}{sentence[1:]}{sides}.{in_common}"


def who_wins(loser: Finding, winner: Finding) -> str:
    """Why this one of the two stands."""
    if winner.pk > loser.pk:
        return "The newer one stands."
    return (
        "A person's correction stands, whatever others say later." if winner.is_correction else "The older one stands."
    )


def finding_url(number: int) -> str:
    """The page of a finding."""
    return numbered_url("finding", number)


def findings_url(filters: MemoryFilter, **more: str) -> str:
    """The list of findings with these filters."""
    return with_query(page_url("findings"), memory_query(filters, **more))


def undo_url(acts: Sequence[int]) -> str:
    """Where these acts, and no others, are taken back."""
    return reverse("undo-findings", args=[acts])


def _flags_url(name: str, value: str) -> str:
    filters = QueueFilter(tab=Tab.EVER)
    return queue_url(as_query(filters, **{name: value}))


def _quoted(words: Any) -> str:
    return ", ".join(f"“{word}”" for word in words) if isinstance(words, list) else ""
