"""`/activity`: what people and scripts did, a line for each act."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from review.contexts.bulk import done_word
from review.contexts.cause import CauseStoryLine
from review.contexts.cause_names import title_of
from review.contexts.choices import SelectOption
from review.contexts.combination import words_of
from review.contexts.drift import event_words
from review.contexts.learnt import FindingLink
from review.page_urls import cause_url, combination_url, numbered_url, page_url, with_query
from selftest.evaluation.models import DriftEvent, SuggestionDecision
from selftest.findings.models import Act, Finding
from selftest.models import BulkAct, CauseEvent, ReviewEvent
from selftest.reading.activity import Entry, Source

WITHOUT_NOTE = frozenset({Source.UNDONE, Source.FINDING, Source.FINDING_ACT})
FINDING_WORDS = {
    Act.Kind.SUPERSEDED: "Finding superseded",
    Act.Kind.UNDONE: "Undone: finding superseded",
    Act.Kind.FREED: "Finding active again",
    Act.Kind.DELETED: "Finding deleted",
    Act.Kind.REFUSED: "Proposal refused: both kept",
    Act.Kind.EXAMPLE: "Example changed",
}


@dataclass(frozen=True)
class ActivityLine:
    """who did `what` on `on`; page: of that. query: on a combination, whose text `on` is. of_who: all that they did.

    of_which: how a bulk act's list was selected, "" for another act.
    """

    who: str
    of_who: str
    what: str
    on: str
    is_query: bool
    page: str
    of_which: str
    note: str
    at: datetime

    @classmethod
    def of(cls, entry: Entry) -> "ActivityLine":
        """In words."""
        what, on, page, of_which = _told(entry)
        is_query = entry.source is Source.COMBINATION
        who = entry.actor
        # The note is of the act that was undone; what is done to findings has none.
        note = "" if entry.source in WITHOUT_NOTE else entry.row.note
        return cls(who, activity_url(who), what, on, is_query, page, of_which, note, entry.at)


def _told(entry: Entry) -> tuple[str, str, str, str]:
    """What was done, on what, the page of that, and how a list was selected."""
    row = entry.row
    match row:
        case ReviewEvent():
            words = words_of(row)
            if row.kind == ReviewEvent.Kind.ASSIGNED:
                words = f"Assigned to {row.assignee or 'self'}"
            return words, row.combination.last_query_text, combination_url(row.combination_id, ""), ""
        case CauseEvent():
            return CauseStoryLine.of(row, "").what, title_of(row.cause), cause_url(row.cause_id), ""
        case DriftEvent():
            return *event_words(row), ""
        case BulkAct():
            done = done_word(row)
            what = f"Undone: {done.lower()}" if entry.source is Source.UNDONE else done
            flags = f"{entry.flags:,} flag{'s' * (entry.flags != 1)}"
            return what, flags, numbered_url("bulk", row.pk), row.selection
        case Finding():
            return "Finding saved", *_named(row, row.pk), ""
        case Act():
            return _done_to_finding(row), *_named(row.finding, row.number), ""
        case SuggestionDecision():
            what = f"Suggestion{'s' * (row.count != 1)} {row.act}"
            return what, f"{row.count} for {row.target}", f"{numbered_url('target', row.target_id)}#suggestions", ""
    raise TypeError(f"no words for {row!r}")


def _done_to_finding(act: Act) -> str:
    is_accepted = act.kind == Act.Kind.SUPERSEDED and not act.profile
    return "Proposal accepted: superseded" if is_accepted else FINDING_WORDS[Act.Kind(act.kind)]


def _named(row: Finding | None, number: int) -> tuple[str, str]:
    """A finding by its text, and its page: of a deleted one the list of findings."""
    if row is None:
        return f"finding {number}", page_url("findings")
    link = FindingLink.of(row, number)
    return link.words, link.page


@dataclass(frozen=True)
class ActivityPage:
    """people: whose acts can be chosen. older: the address of those before these, "" at the end."""

    who: str
    people: tuple[SelectOption, ...]
    lines: tuple[ActivityLine, ...]
    older: str
    is_first: bool

    @classmethod
    def of(
        cls, who: str, people: Sequence[str], entries: Sequence[Entry], older: str, is_first: bool
    ) -> "ActivityPage":
        """people: by name. who: the chosen one, who stays to be seen also without an account; "" for all."""
        names = [*people, *({who} - {"", *people})]
        return cls(
            who=who,
            people=tuple(SelectOption(name, name, name == who) for name in names),
            lines=tuple(map(ActivityLine.of, entries)),
            older=older,
            is_first=is_first,
        )


def activity_url(who: str = "", after: str = "") -> str:
    """What this one did, or all; after: the cursor of the last line that was shown."""
    asked = {name: value for name, value in (("who", who), ("after", after)) if value}
    return with_query(page_url("activity"), asked)
