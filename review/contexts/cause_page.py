"""Gathers what the page of one cause shows."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from review.contexts.cause import CauseFlagLine, CausePage, CauseStoryLine, Course, FindingFilter, OtherCause
from review.contexts.cause_names import list_of, title_of
from review.contexts.combination import BrokenGuarantee, with_promises
from review.contexts.combination_page import latency_beside
from review.contexts.findings import FindingView
from review.contexts.inbox import CauseRow
from review.contexts.learnt import known_here
from review.contexts.runs import AnswerView
from review.contexts.verdicts import JudgingForm
from review.filters import cause_query
from review.page_urls import cause_url, combination_url, inbox_url, with_query
from selftest.core.insight.predicates import Predicate
from selftest.findings.filters import MemoryFilter
from selftest.findings.listing import around_cause
from selftest.models import Cause, Flag
from selftest.reading.causes import (
    CauseFilter,
    flags_of,
    listed_cause,
    listed_causes,
    oldest_flag,
    other_causes,
    predicate_text,
    shown_causes,
    spells_of,
    story_of,
    told_by_flags,
)
from selftest.reading.queue import Tab, queue_revision
from selftest.reading.run import parts_of_answer, run_numbered
from selftest.reading.target_versions import version_of

SHOWN_FLAGS = 20
SHOWN_EVENTS = 50
SHOWN_SAID = 24
SHOWN_OTHERS = 40

ToldFlag = tuple[Flag, Sequence[Predicate]]
"""A flag with what is said of its finding."""


@dataclass(frozen=True)
class ListedFlags:
    """Which flags of a cause are listed. before: those before this one; None: from the newest on.

    is_told: whether it is shown what they say; said: only those that say this.
    """

    before: int | None = None
    is_told: bool = False
    said: Predicate | None = None


def page_of(
    found: Cause, filters: CauseFilter, people: Sequence[str], now: datetime, may_review: bool, wanted: ListedFlags
) -> CausePage:
    """people: names of those who can be assigned."""
    revision = queue_revision()
    query = cause_query(filters)
    [shown_cause] = shown_causes([listed_cause(found, revision, now)])
    example = shown_cause.example
    here = cause_url(found.pk, query)
    row = CauseRow.of(shown_cause, here)
    shown = [example.flag] if example else []
    run = run_numbered(example.flag.run_id) if example else None
    answer = AnswerView.of(run, parts_of_answer(run, shown), shown) if run else None
    broken = with_promises(BrokenGuarantee.all_of(shown, None, answer), found.target_id)
    told = told_by_flags(found) if wanted.is_told else []
    listed = _listed(found, wanted, told)
    last = listed[:SHOWN_FLAGS][-1].pk if listed else 0
    beside = _beside(found, [one.row.pk for one in listed_causes(filters, revision, now)], query)
    return CausePage(
        row=row,
        title=title_of(found),
        broken=broken[0] if broken else None,
        answer=answer,
        example_page=combination_url(example.flag.combination_id, "") if example else "",
        is_minimised=bool(example and example.is_minimised),
        course=Course.of(found, spells_of(found, shown_cause.tallies), oldest_flag(found)),
        now_list=list_of(found, Tab.NOW),
        open_list=list_of(found, Tab.REVIEW),
        flags=tuple(map(_flag_line, listed[:SHOWN_FLAGS])),
        said=_said(told, wanted.said, here),
        ask="" if wanted.is_told or len(listed) < 2 else f"{with_query(here, {'said': predicate_text(None)})}#flags",
        older_flags=_older(here, wanted, last) if len(listed) > SHOWN_FLAGS else "",
        story=tuple(
            CauseStoryLine.of(event, cause_url(event.other_id) if event.other_id else "")
            for event in story_of(found)[:SHOWN_EVENTS]
        ),
        judging=JudgingForm.of_one(version_of(found.target)),
        people=tuple(people),
        others=tuple(OtherCause(other.pk, title_of(other)) for other in other_causes(found)[:SHOWN_OTHERS]),
        latency=latency_beside(example.flag.combination, shown) if example else None,
        known=known_here(around_cause(found, example), MemoryFilter(cause=found.pk)),
        list_query=query,
        back=inbox_url(query),
        here=here,
        before=beside[0],
        after=beside[1],
        may_review=may_review,
    )


def _listed(found: Cause, wanted: ListedFlags, told: Sequence[ToldFlag]) -> list[Flag]:
    """Those of one page, and one more where there are more."""
    if wanted.said is None:
        flags = flags_of(found)
        return list((flags if wanted.before is None else flags.filter(pk__lt=wanted.before))[: SHOWN_FLAGS + 1])
    saying = (flag for flag, said in told if wanted.said in said)
    return [flag for flag in saying if wanted.before is None or flag.pk < wanted.before][: SHOWN_FLAGS + 1]


def _older(here: str, wanted: ListedFlags, last: int) -> str:
    said = {"said": predicate_text(wanted.said)} if wanted.is_told else {}
    return f"{with_query(here, {**said, 'before': last})}#flags"


def _said(told: Sequence[ToldFlag], chosen: Predicate | None, here: str) -> tuple[FindingFilter, ...]:
    """What tells some from others, the most frequent first: what all of them say tells nothing."""
    counts = Counter(one for _, said in told for one in said)
    return tuple(
        FindingFilter(
            one.filter_words,
            count,
            f"{with_query(here, {'said': predicate_text(None if one == chosen else one)})}#flags",
            one == chosen,
        )
        for one, count in counts.most_common()
        if count < len(told)
    )[:SHOWN_SAID]


def _flag_line(flag: Flag) -> CauseFlagLine:
    finding = FindingView.of_reason(flag.reason)
    combination = flag.combination
    return CauseFlagLine(
        pk=flag.pk,
        query=flag.run.text,
        check=finding.name,
        summary=finding.title,
        at=flag.created_at,
        page=combination_url(combination.pk, ""),
        is_open=combination.review_status is None,
        is_now=combination.currently_flagged and combination.last_flagged_run_id == flag.run_id,
    )


def _beside(found: Cause, listed: Sequence[int], query: str) -> tuple[str, str]:
    """The pages of those before and after it in the list; "" at its ends, and where it is not in it."""
    if found.pk not in listed:
        return "", ""
    at = listed.index(found.pk)
    before = cause_url(listed[at - 1], query) if at else ""
    after = cause_url(listed[at + 1], query) if at + 1 < len(listed) else ""
    return before, after
