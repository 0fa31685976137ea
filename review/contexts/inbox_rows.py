"""Gathers the rows of the inbox: a page of them with tabs and filters, and a row after it was acted on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.contrib.auth.models import User
from django.http import QueryDict

from review.contexts.assignees import assigned_in_words, assignee_names
from review.contexts.choices import ListTab, SelectOption
from review.contexts.inbox import (
    TAB_NAMES,
    CauseFilters,
    CauseRow,
    CauseRowAfter,
)
from review.contexts.verdicts import JUDGED_AS, judged_in_words
from review.filters import NO_ONE, cause_filter, cause_query
from review.page_urls import cause_url, inbox_url
from selftest.core.judging.findings import GROUPS
from selftest.guarantees import GUARANTEES
from selftest.models import Cause
from selftest.reading.causes import (
    CauseFilter,
    CauseState,
    ListedCause,
    ShownCause,
    causes_by_state,
    listed_cause,
    listed_causes,
    shown_causes,
)
from selftest.reading.queue import QueueRevision

PAGE_ROWS = 20  # as the list of flags has
MOST_AT_ONCE = 200  # causes that a verdict is given to: the undo names each in its address


def cause_rows(found: Sequence[ShownCause], filters: CauseFilter) -> tuple[CauseRow, ...]:
    """Each leads back to the list that the filter leaves."""
    query = cause_query(filters)
    return tuple(CauseRow.of(one, cause_url(one.listed.row.pk, query)) for one in found)


def cause_tabs(filters: CauseFilter, by_state: Mapping[CauseState, Sequence[ListedCause]]) -> tuple[ListTab, ...]:
    """Each tab with its count, through the same filters."""
    return tuple(
        ListTab(
            name,
            len(by_state[state]),
            inbox_url(cause_query(replace(filters, state=state, verdict=None, month=None))),
            state is filters.state,
        )
        for state, name in TAB_NAMES.items()
    )


def row_after(
    row: Cause, back: str, revision: QueueRevision, now: datetime, trouble: str = "", undo: str = ""
) -> CauseRowAfter:
    """A row of the list whose URL is `back`, after it was acted on. undo: where that is taken back."""
    filters = cause_filter(QueryDict(back.partition("?")[2]))
    [shown] = cause_rows(shown_causes([listed_cause(row, revision, now)]), filters)
    if undo:
        shown = replace(shown, reopen_at=undo)
    return CauseRowAfter(
        row=shown,
        count=len(listed_causes(CauseFilter(target=filters.target), revision, now)),
        tabs=cause_tabs(filters, causes_by_state(filters, revision, now)),
        names_targets=len(revision.targets) > 1,
        back=back,
        trouble=trouble,
    )


def cause_filters(filters: CauseFilter, revision: QueueRevision, people: Sequence[str], user: User) -> CauseFilters:
    """people: names of those who may be assigned."""
    names = assignee_names(people, user.get_username(), filters.assignee)
    checks = {check: GUARANTEES[check].name for group in GROUPS.values() for check in group}
    targets = [name for _, name in revision.targets]
    chosen = (
        checks.get(filters.check, ""),  # type: ignore[call-overload]  # a plain name is equal to its check
        filters.target,
        assigned_in_words(names, filters.assignee, filters.is_unassigned),
        JUDGED_AS[filters.verdict] if filters.verdict else "",
        judged_in_words(filters.month) if filters.month else "",
    )
    is_narrow = any(chosen)
    return CauseFilters(
        state="" if filters.state is CauseState.INBOX else filters.state,
        month=str(filters.month or ""),
        checks=tuple(SelectOption(check, name, check == filters.check) for check, name in checks.items()),
        targets=tuple(SelectOption(name, name, name == filters.target) for name in targets) if len(targets) > 1 else (),
        people=tuple(
            SelectOption(value, name, value == (NO_ONE if filters.is_unassigned else filters.assignee))
            for value, name in names.items()
        ),
        verdicts=tuple(SelectOption(meant, words, meant is filters.verdict) for meant, words in JUDGED_AS.items()),
        clear=inbox_url(cause_query(CauseFilter(state=filters.state))) if is_narrow else "",
        chosen=tuple(filter(None, chosen)),
    )
