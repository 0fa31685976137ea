"""Gathers what the page of one cause shows."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import QuerySet

from review.contexts.cause import CauseFlagLine, CausePage, CauseStoryLine, Course, OtherCause
from review.contexts.combination import BrokenGuarantee
from review.contexts.findings import FindingView
from review.contexts.inbox import VERDICT_ACTS, CauseRow, title_of
from review.contexts.runs import AnswerView
from review.filters import cause_query
from review.page_urls import cause_url, combination_url, inbox_url, with_query
from selftest.models import Cause, Flag
from selftest.reading.causes import (
    CauseFilter,
    causes,
    example_queries,
    flags_of,
    listed_cause,
    listed_causes,
    newest_tallies,
    oldest_flag,
    spells_of,
    story_of,
    version_of,
)
from selftest.reading.queue import queue_revision
from selftest.reading.run import parts_of_answer, run_numbered

SHOWN_FLAGS = 20
SHOWN_EVENTS = 50
SHOWN_OTHERS = 40


def page_of(
    found: Cause, filters: CauseFilter, people: Sequence[str], now: datetime, may_review: bool, before: int | None
) -> CausePage:
    """people: names of those who can be assigned. before: its flags begin before this one."""
    revision = queue_revision()
    query = cause_query(filters)
    tallies = newest_tallies([found])[found.pk]
    example = example_queries([found]).get(found.pk)
    here = cause_url(found.pk, query)
    row = CauseRow.of(listed_cause(found, revision, now), example, tallies, here)
    shown = [example.flag] if example else []
    run = run_numbered(example.flag.run_id) if example else None
    answer = AnswerView.of(run, parts_of_answer(run, shown), shown) if run else None
    broken = BrokenGuarantee.all_of(shown, None, answer)
    listed = list(_flags(found, before)[: SHOWN_FLAGS + 1])
    last = listed[:SHOWN_FLAGS][-1].pk if listed else 0
    beside = _beside(found, [one.row.pk for one in listed_causes(filters, revision, now)], query)
    return CausePage(
        row=row,
        title=title_of(found),
        broken=broken[0] if broken else None,
        answer=answer,
        example_page=combination_url(example.flag.combination_id, "") if example else "",
        is_minimised=bool(example and example.is_minimised),
        course=Course.of(found, spells_of(found, tallies), oldest_flag(found)),
        flags=tuple(map(_flag_line, listed[:SHOWN_FLAGS])),
        older_flags=f"{with_query(here, {'before': last})}#flags" if len(listed) > SHOWN_FLAGS else "",
        story=tuple(
            CauseStoryLine.of(event, cause_url(event.other_id) if event.other_id else "")
            for event in story_of(found)[:SHOWN_EVENTS]
        ),
        verdicts=VERDICT_ACTS,
        people=tuple(people),
        others=tuple(
            OtherCause(other.pk, title_of(other))
            for other in causes().filter(target=found.target_id).exclude(pk=found.pk).order_by("-flags")[:SHOWN_OTHERS]
        ),
        version=version_of(found.target),
        list_query=query,
        back=inbox_url(query),
        here=here,
        before=beside[0],
        after=beside[1],
        may_review=may_review,
    )


def _flags(found: Cause, before: int | None) -> QuerySet[Flag]:
    flags = flags_of(found)
    return flags if before is None else flags.filter(pk__lt=before)


def _flag_line(flag: Flag) -> CauseFlagLine:
    finding = FindingView.of_reason(flag.reason)
    combination = flag.combination
    return CauseFlagLine(
        pk=flag.pk,
        query=flag.run.query_text,
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
