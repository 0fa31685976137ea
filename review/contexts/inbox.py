"""The inbox: causes in rows, as tabs and filters leave them; and a row after it was judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from review.charts.cycle_bars import CycleBars, CycleCount, cycle_bars
from review.contexts.cause_names import checks_of, list_of
from review.contexts.choices import ListTab, SelectOption
from review.contexts.file_links import FileLinks
from review.contexts.findings import name_of_check
from review.contexts.news import News
from review.contexts.parts import Chip
from review.contexts.people import username
from review.contexts.status_line import StatusLine
from review.contexts.verdicts import JUDGING_ROW, JudgingForm, VerdictLine
from review.page_urls import numbered_url
from selftest.core.insight.quiet import QuietSpell
from selftest.reading.causes import CauseSpells, CauseState, ExampleQuery, ShownCause, spells_of
from selftest.reading.queue import Tab

SHOWN_BEFORE = 36  # characters of a query before what broke, in a row


TAB_NAMES: Mapping[CauseState, str] = {
    CauseState.INBOX: "Inbox",
    CauseState.JUDGED: "Judged",
    CauseState.ALL: "All causes",
}


@dataclass(frozen=True)
class CauseRow:
    """A cause in the list. shape: of the check that it shows in most. seen_flags: what a verdict acts on.

    open and now: combinations that wait, and those that are flagged on their last run. again: how often it was
    reproduced, "" where that was not tried. lately: that it was not seen for long, or is back, "" for neither; odds: of
    that, by chance. page: its own, which knows the list that the reader was in. now_list: what `now` counts.
    """

    pk: int
    shape: str
    checks: str
    first_check: str
    sentence: str
    query: str
    parts: tuple[Chip, ...]
    open: int
    now: int
    flags: int
    again: str
    bars: CycleBars | None
    lately: str
    odds: str
    first_seen: datetime
    last_seen: datetime
    holder: str
    target: str
    verdict: VerdictLine | None
    is_in_inbox: bool
    page: str
    now_list: str
    judge_at: str
    reopen_at: str

    @property
    def other_checks(self) -> str:
        """The rest of `checks` behind the first."""
        return self.checks.removeprefix(self.first_check)

    @property
    def telling_parts(self) -> tuple[Chip, ...]:
        """The parts from a little before what broke on: a row has one line for them."""
        first = next((place for place, chip in enumerate(self.parts) if chip.is_broken or chip.is_suspect), 0)
        begin, room = first, SHOWN_BEFORE
        while begin and len(self.parts[begin - 1].text) <= room:
            begin -= 1
            room -= len(self.parts[begin].text)
        return (Chip("… ", ""), *self.parts[begin:]) if begin else self.parts

    @classmethod
    def of(cls, shown: ShownCause, page: str) -> "CauseRow":
        """page: its address."""
        listed, example, tallies = shown.listed, shown.example, shown.tallies
        row = listed.row
        spells = spells_of(row, tallies)
        spell = spells.quiet or spells.ended
        return cls(
            pk=row.pk,
            shape=row.checks[0] if row.checks else "",
            checks=checks_of(row),
            first_check=name_of_check(row.checks[0]) if row.checks else "",
            sentence=row.sentence,
            query=example.text if example else "",
            parts=chips_of(example),
            open=listed.combinations.open,
            now=listed.combinations.now,
            flags=row.flags,
            again=f"{row.seen_again:,} of {row.asked_again:,}" if row.asked_again else "",
            bars=cycle_bars([CycleCount(tally.runs, tally.flagged) for tally in tallies]),
            lately=_lately(spells),
            odds=f"that could have shown it; {odds_of(spell)}" if spell else "",
            first_seen=row.first_seen,
            last_seen=row.last_seen,
            holder=username(row.held_by),
            target=row.target.name,
            verdict=VerdictLine.of(row),
            is_in_inbox=listed.is_in_inbox,
            page=page,
            now_list=list_of(row, Tab.NOW),
            judge_at=numbered_url("judge-cause", row.pk),
            reopen_at=numbered_url("reopen-cause", row.pk),
        )


def odds_of(spell: QuietSpell) -> str:
    """How likely chance would have kept so many queries clean."""
    if spell.chance < 0.0005:
        return "by chance that hardly ever happens"
    return f"by chance that happens {100 * spell.chance:.2g} % of the time"


def _lately(spells: CauseSpells) -> str:
    if spells.quiet:
        return f"not in the last {spells.quiet.runs:,}"
    return f"back after {spells.ended.runs:,}" if spells.ended else ""


def chips_of(example: ExampleQuery | None) -> tuple[Chip, ...]:
    """The parts of a smallest query, with the one that broke and the one that is suspected."""
    if example is None:
        return ()
    found = []
    for part in example.parts:
        chip = Chip.of(part.document)
        # What a mark between two parts says is neither.
        found.append(Chip(chip.text, chip.label, chip.kind, bool(chip.label) and part.is_suspect, part.is_broken))
    return tuple(found)


@dataclass(frozen=True)
class CauseFilters:
    """The filter bar. state: the tab, "" for the inbox. month: in which they were judged; it has no field.

    clear: where nothing is filtered, "" where it is so.
    """

    state: str
    month: str
    checks: tuple[SelectOption, ...]
    targets: tuple[SelectOption, ...]
    people: tuple[SelectOption, ...]
    verdicts: tuple[SelectOption, ...]
    clear: str
    chosen: tuple[str, ...]


@dataclass(frozen=True)
class InboxPage:
    """`/causes`. count: of the inbox. has_broken, has_suspects: what the legend explains. flags: where all are.

    people: those that causes can be assigned to, the reader first.

    without_cause: open flags that no cycle has put down to a cause yet; waiting: where these are. files: this list as
    a file. matching: causes on all pages; all_matching: where all of them are selected, or the first `most_at_once`.
    """

    count: int
    tabs: tuple[ListTab, ...]
    filters: CauseFilters
    rows: tuple[CauseRow, ...]
    judging: JudgingForm
    people: tuple[SelectOption, ...]
    names_targets: bool
    has_broken: bool
    has_suspects: bool
    older: str
    selects_all: bool
    all_matching: str
    matching: int
    most_at_once: int
    back: str
    flags: str
    without_cause: int
    waiting: str
    files: FileLinks
    status: StatusLine
    is_worker_missing: bool
    news: News
    may_review: bool


@dataclass(frozen=True)
class CauseRowAfter:
    """A row after it was judged or reopened, and the figures that have changed with it."""

    row: CauseRow
    count: int
    tabs: tuple[ListTab, ...]
    names_targets: bool
    back: str
    trouble: str
    may_review: bool = True
    judging: JudgingForm = JUDGING_ROW
