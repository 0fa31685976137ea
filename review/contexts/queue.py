"""`/`: its rows and groups, its tabs and filters, and a row after an act on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from review.charts.sparkline import Sparkline, sparkline
from review.contexts.assignees import assigned_in_words
from review.contexts.cause_names import CauseLink
from review.contexts.choices import SelectOption
from review.contexts.file_links import FileLinks
from review.contexts.findings import FindingView, found_by, name_of_check
from review.contexts.news import News
from review.contexts.parts import Chip
from review.contexts.people import username
from review.contexts.shapes import is_last_run_unchecked
from review.contexts.status_line import StatusLine
from review.contexts.verdicts import JUDGED_AS, JUDGING_ROW, JudgingForm, VerdictLine, judged_in_words
from review.filters import NO_ONE
from review.page_urls import numbered_url, page_url
from selftest.core.generation.recipes import RECIPES
from selftest.core.judging.findings import GROUPS
from selftest.guarantees import GUARANTEES
from selftest.models import Cause, Combination, Flag
from selftest.reading.dismissals import Dismissal
from selftest.reading.groups import Group, group_name
from selftest.reading.queue import Age, QueueFilter, Sort, Tab
from selftest.reading.verdicts import JudgedAs


@dataclass(frozen=True)
class QueueRow:
    """A combination in the queue. finding: of its last flagged run; others: what else that run did not keep.

    verdict: what it was dismissed with; None where it is not.
    page: its own, which knows in which list the reader was. seen_run: what a dismissal acts on. back: where a form
    without JavaScript comes back to. source and latency_ms: of the last run; flagged_source: of the last flagged one.
    was_changed: its verdict was, just now.
    latency_ms and latencies are told only where a flag is about time, the latter of several runs.
    """

    pk: int
    query: str
    parts: tuple[Chip, ...]
    cause: CauseLink | None
    recipe: str
    target: str
    is_flagged_now: bool
    verdict: VerdictLine | None
    is_unchecked: bool
    finding: FindingView
    others: tuple[str, ...]
    source: str
    flagged_source: str
    latency_ms: float | None
    latencies: Sparkline | None
    times: int
    times_flagged: int
    first_flagged: datetime | None
    last_run: datetime | None
    holder: str
    seen_run: int | None
    flagged_run: int | None
    excerpt: str
    page: str
    back: str
    dismiss_at: str
    undismiss_at: str
    again_at: str
    flagged_run_at: str
    was_changed: bool = False

    @property
    def is_dismissed(self) -> bool:
        """Whether it waits for no one."""
        return self.verdict is not None

    @classmethod
    def of(
        cls,
        combination: Combination,
        flags: Sequence[Flag],
        latencies: Sequence[tuple[float, bool]],
        page: str,
        back: str,
        dismissal: Dismissal | None = None,
    ) -> "QueueRow":
        """flags: of its last flagged run. latencies: oldest first, with whether each run was flagged; or none.

        dismissal: its newest.
        """
        finding, *others = found_by(flags, combination.last_flagged_reason or combination.first_flagged_reason)
        flagged_run = combination.last_flagged_run
        return cls(
            pk=combination.pk,
            query=flagged_run.text if flagged_run else combination.last_query_text,
            parts=tuple(map(Chip.of, flagged_run.document["parts"])) if flagged_run else (),
            cause=CauseLink.of(combination.cause),
            recipe=combination.recipe_name,
            target=combination.target.name,
            is_flagged_now=combination.currently_flagged,
            verdict=VerdictLine.of_dismissal(combination, dismissal),
            is_unchecked=is_last_run_unchecked(combination),
            finding=finding,
            others=tuple(other.name for other in others),
            source=combination.last_source_used or "",
            flagged_source=flagged_run.source_used if flagged_run else "",
            latency_ms=combination.last_latency_ms if latencies else None,
            latencies=_trend(latencies),
            times=combination.times_generated,
            times_flagged=combination.times_flagged,
            first_flagged=combination.first_flagged_timestamp,
            last_run=combination.last_run_timestamp,
            holder=username(combination.held_by),
            seen_run=combination.last_run_id,
            flagged_run=combination.last_flagged_run_id,
            excerpt=combination.last_flagged_result_excerpt or "",
            page=page,
            back=back,
            dismiss_at=numbered_url("dismiss", combination.pk),
            undismiss_at=numbered_url("undismiss", combination.pk),
            again_at=numbered_url("run-again", combination.pk),
            flagged_run_at=numbered_url("run", flagged_run.pk) if flagged_run else "",
        )


def _trend(latencies: Sequence[tuple[float, bool]]) -> Sparkline | None:
    if len(latencies) < 2:  # one run is no trend
        return None
    return sparkline([ms for ms, _ in latencies], [is_flagged for _, is_flagged in latencies])


@dataclass(frozen=True)
class GroupAct:
    """The button of a group. open, key_sum and seen_run tell exactly which rows it counts; none: it is not shown.

    count: of all its rows, as its heading has it.
    query: the filter that they are found by. restores: it returns them to the queue.
    """

    key: str
    count: int
    open: int
    key_sum: int
    seen_run: int
    query: str
    at: str
    restores: bool
    back: str

    @classmethod
    def of(cls, key: str, group: Group | None, query: str, restores: bool, back: str) -> "GroupAct":
        """group: None where nothing of it is left."""
        counted = (group.count, group.open, group.key_sum, group.seen_run) if group else (0, 0, 0, 0)
        return cls(key, *counted, query, page_url("bulk-group"), restores, back)


NO_CAUSE_YET = "not put down to a cause yet"


@dataclass(frozen=True)
class GroupRow:
    """Rows with the same cause, shown as one; cause: None for those of a check that have none yet.

    page: the list of them alone.
    """

    key: str
    shape: str
    name: str
    sentence: str
    cause: CauseLink | None
    target: str
    newest: datetime
    oldest: datetime
    page: str
    rows_address: str
    act: GroupAct

    @classmethod
    def of(cls, group: Group, cause: CauseLink | None, target: str, page: str, act: GroupAct) -> "GroupRow":
        """act: its button."""
        return cls(
            key=act.key,
            shape=cause.shape if cause else group.check,
            name=cause.checks if cause else name_of_check(group.check),
            sentence=cause.sentence if cause else NO_CAUSE_YET,
            cause=cause,
            target=target,
            newest=group.newest,
            oldest=group.oldest,
            page=page,
            rows_address=f"{page}&of=group",
            act=act,
        )


@dataclass(frozen=True)
class DoneToGroup:
    """What a verdict on a group has come to. words: the same, with how many; toast: its name; page: of the bulk act.

    act: what an undo finds the group by, in the list that it stands in. undo_at: "" where nothing was changed.
    """

    act: GroupAct
    words: str
    name: str
    sentence: str
    toast: str
    page: str
    undo_at: str


def group_key(target: int, check: str, cause: int | None) -> str:
    """Names the group on a page."""
    return group_name(target, check, cause).replace(".", "-")


@dataclass(frozen=True)
class Entry:
    """One line of the list: a row, or a group of several."""

    row: QueueRow | None = None
    group: GroupRow | None = None


TAB_NAMES = {
    Tab.REVIEW: "Needs review",
    Tab.NOW: "Flagged now",
    Tab.EVER: "Ever flagged",
    Tab.DISMISSED: "Dismissed",
}
SORT_NAMES = {
    Sort.NEWEST: "Newest run",
    Sort.SEVERITY: "Most severe",
    Sort.AGE: "Oldest flag",
    Sort.FLAGGED: "Most often flagged",
}
VERDICT_NAMES = {**JUDGED_AS, JudgedAs.DISMISSED: "Dismissed without a verdict"}
AGE_NAMES = {
    Age.DAY: "in the last day",
    Age.WEEK: "in the last week",
    Age.MONTH: "in the last 30 days",
    Age.OLDER: "more than 30 days ago",
}


@dataclass(frozen=True)
class TabLink:
    """A tab with the number of its rows."""

    name: str
    count: int
    address: str
    is_here: bool


@dataclass(frozen=True)
class FilterOption:
    """A value of one of the filter's fields."""

    value: str
    name: str
    is_chosen: bool


@dataclass(frozen=True)
class OptionGroup:
    """Options of one kind. name: what they have in common."""

    name: str
    choices: tuple[FilterOption, ...]


@dataclass(frozen=True)
class FilterForm:
    """What the filter's fields hold and offer. chosen: what is set, in words, for where the fields are folded.

    cause, group: their numbers, which have no field. one_cause: what the first or the other of them names.
    verdicts: none where nothing listed is dismissed. unnamed: what has no field of its own and stays.
    """

    tab: str
    text: str
    ingredient: str
    cause: int | None
    group: int | None
    one_cause: CauseLink | None
    checks: tuple[OptionGroup, ...]
    recipes: tuple[FilterOption, ...]
    sources: tuple[FilterOption, ...]
    targets: tuple[FilterOption, ...]
    any_target: str
    ages: tuple[FilterOption, ...]
    people: tuple[FilterOption, ...]
    verdicts: tuple[FilterOption, ...]
    unnamed: tuple[tuple[str, str], ...]
    sorts: tuple[FilterOption, ...]
    chosen: tuple[str, ...]
    is_narrow: bool
    clear_url: str

    @classmethod
    def of(
        cls,
        filters: QueueFilter,
        sources: Sequence[str],
        targets: Sequence[str],
        left_out: Sequence[str],
        clear_url: str,
        cause: Cause | None,
        people: Mapping[str, str],
    ) -> "FilterForm":
        """left_out: the targets that are listed only where they are named. cause: the one that is filtered by.

        people: the choices of the filter by assignee, by what an address has of them.
        """
        names = {
            name: f"{name} (switched off)" if name in left_out else name for name in _with(targets, filters.target)
        }
        return cls(
            tab="" if filters.tab is Tab.REVIEW else filters.tab.value,
            text=filters.text,
            ingredient=filters.ingredient,
            cause=filters.cause,
            group=filters.group,
            one_cause=CauseLink.of(cause),
            checks=tuple(
                OptionGroup(name, _options({check: GUARANTEES[check].name for check in checks}, filters.check or ""))
                for name, checks in GROUPS.items()
            ),
            recipes=_options({name: name for name in RECIPES}, filters.recipe),
            sources=_options({name: name for name in _with(sources, filters.source)}, filters.source),
            targets=_options(names, filters.target) if len(targets) > 1 or filters.target else (),
            any_target="any switched on" if left_out else "any",
            ages=_options({age.value: name for age, name in AGE_NAMES.items()}, filters.age or ""),
            verdicts=()
            if filters.tab is Tab.REVIEW and not filters.verdict
            else _options({meant.value: words for meant, words in VERDICT_NAMES.items()}, filters.verdict or ""),
            people=_options(people, NO_ONE if filters.is_unassigned else filters.assignee),
            unnamed=(*_field("month", str(filters.month or "")), *_field("is_alone", "1" if filters.is_alone else "")),
            sorts=_options(
                {"" if sort is Sort.NEWEST else sort.value: name for sort, name in SORT_NAMES.items()},
                "" if filters.sort is Sort.NEWEST else filters.sort,
            ),
            chosen=_chosen(filters, people),
            is_narrow=filters.is_narrow,
            clear_url=clear_url,
        )


def _chosen(filters: QueueFilter, people: Mapping[str, str]) -> tuple[str, ...]:
    """What has a field and is set; a cause is named on a line of its own."""
    values = (
        f"“{filters.text}”" if filters.text else "",
        GUARANTEES[filters.check].name if filters.check else "",
        filters.recipe,
        filters.source,
        filters.ingredient,
        filters.target,
        f"first flagged {AGE_NAMES[filters.age]}" if filters.age else "",
        VERDICT_NAMES[filters.verdict] if filters.verdict else "",
        judged_in_words(filters.month) if filters.month else "",
        "of no judged cause" if filters.is_alone else "",
        assigned_in_words(people, filters.assignee, filters.is_unassigned),
    )
    return tuple(value for value in values if value)


def _field(name: str, value: str) -> tuple[tuple[str, str], ...]:
    return ((name, value),) if value else ()


def _with(names: Sequence[str], chosen: str) -> list[str]:
    """What was chosen stays to be seen, also where nothing of that name is left."""
    return [*names, *({chosen} - {"", *names})]


def _options(names: Mapping[str, str], chosen: str) -> tuple[FilterOption, ...]:
    return tuple(FilterOption(value, name, value == chosen) for value, name in names.items())


@dataclass(frozen=True)
class LeftOut:
    """A target that is switched off, how many of its flags this list would hold, and where it holds them."""

    target: str
    count: int
    address: str


@dataclass(frozen=True)
class ViewLink:
    """A saved view. by: who shares it, "" for one's own. count: of its rows now; None where that is not known."""

    pk: int
    name: str
    address: str
    by: str
    is_shared: bool
    is_here: bool
    count: int | None


@dataclass(frozen=True)
class EmptyState:
    """What a list without rows says. link: where to go next, "" for nowhere. offers_cycle: with a button for one."""

    title: str
    text: str
    link: str = ""
    link_text: str = ""
    offers_cycle: bool = False

    @classmethod
    def filtered(cls, hidden: int, clear_url: str) -> "EmptyState":
        """hidden: how many there are without the filter."""
        return cls(f"The filter hides {hidden:,}", "No flag here matches all of it.", clear_url, f"Show all {hidden:,}")

    @classmethod
    def of_tab(
        cls, tab: Tab, status: StatusLine, tried: int, was_ever_flagged: bool, is_left_out: bool, settings: str
    ) -> "EmptyState":
        """Without a filter. tried: combinations. is_left_out: of targets that are switched off there are some.

        settings: "" for no link.
        """
        if tab is Tab.DISMISSED:
            text = "Dismissed flags stay here with their activity, and can be restored."
            title = "Nothing dismissed of targets that are on" if is_left_out else "Nothing dismissed yet"
            return cls(title, text, page_url("queue"), "Show what needs review")
        if not status.has_run:
            return cls._before_the_first_cycle(status, settings)
        so_far = f"{tried:,} combination{'s' * (tried != 1)} tried so far"
        if was_ever_flagged or is_left_out:
            text = f"{so_far}. Every flag{' of targets that are on' * is_left_out} has been dealt with."
            return cls("Nothing to review", text, page_url("cycles"), "Show the cycles")
        text = f"{so_far}, and every answer kept its promises."
        return cls("No flags so far", text, page_url("recipes"), "Show the coverage by recipe")

    @classmethod
    def done_today(cls, tab: Tab, dismissed: int, status: StatusLine) -> "EmptyState":
        what = " that is flagged now" * (tab is Tab.NOW)
        text = f"{dismissed:,} flag{'s' * (dismissed != 1)} dismissed today, and none{what} is left."
        if status.next_run and not status.is_disabled:
            text += " The next cycle may find more."
        return cls("Done for today", text, f"{page_url('queue')}?tab=dismissed", "Show dismissed")

    @classmethod
    def _before_the_first_cycle(cls, status: StatusLine, settings: str) -> "EmptyState":
        text = "A cycle asks the target a batch of new queries and checks each answer against the target's promises."
        text += " Each broken promise waits here until someone dismisses it."
        if status.is_disabled:
            return cls("Nothing asked yet", f"Testing is switched off. {text}", settings, "Settings")
        if status.interval_minutes:
            text += f" A cycle starts every {status.interval_minutes} minutes."
        return cls("Nothing asked yet", text, offers_cycle=status.can_run)


@dataclass(frozen=True)
class QueuePage:
    """`/`. left_out: targets whose flags stand behind a link. older: the address of what comes after these entries.

    may_review: the reader may act. people: who rows can be assigned to. all_count: how many an act upon all of
    this list changes. query: the filter that they are found by, as an address has it. files: this list as a file.
    empty: the text where no row is listed; None where some are, and where there is no target at all.
    """

    count: int
    tabs: tuple[TabLink, ...]
    form: FilterForm
    left_out: tuple[LeftOut, ...]
    entries: tuple[Entry, ...]
    older: str
    is_continuation: bool
    is_in_group: bool
    names_targets: bool
    names_causes: bool
    restores: bool
    all_count: int
    query: str
    back: str
    files: FileLinks
    views: tuple[ViewLink, ...]
    news: News
    status: StatusLine
    is_worker_missing: bool
    empty: "EmptyState | None"
    may_review: bool
    judging: JudgingForm
    people: tuple[SelectOption, ...]

    @property
    def rows(self) -> tuple[QueueRow, ...]:
        """Its rows outside of groups."""
        return tuple(entry.row for entry in self.entries if entry.row)


@dataclass(frozen=True)
class RowAfter:
    """A row after an act on it, and the figures of the list that it stands in.

    count: of the queue now. trouble: why nothing was done, "" if it was. group_act: of the group that it was shown in.
    """

    row: QueueRow
    count: int
    tabs: tuple[TabLink, ...]
    all_count: int
    names_targets: bool
    names_causes: bool
    trouble: str = ""
    may_review: bool = True  # or no act would have been possible
    judging: JudgingForm = JUDGING_ROW
    is_in_group: bool = False
    group_act: GroupAct | None = None


@dataclass(frozen=True)
class GroupAfter:
    """A group after an act on it, or after that was undone, and the figures of the list that it stands in.

    group: as it stands; None where `done` says what became of it. trouble: why not all was done, "" if it was.
    """

    group: GroupRow | None
    done: DoneToGroup | None
    count: int
    tabs: tuple[TabLink, ...]
    all_count: int
    names_targets: bool
    trouble: str = ""
    may_review: bool = True
    judging: JudgingForm = JUDGING_ROW
    group_act: GroupAct | None = None
