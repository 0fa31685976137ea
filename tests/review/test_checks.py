"""How good the checks are: verdicts by check, the share of false alarms, and where each figure leads."""

import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Actor, Cause, Combination, Flag, Tuning
from selftest.reviewing.causes import judge, reopen
from selftest.reviewing.dismissal import judge_combination
from selftest.reviewing.judgement import Judgement
from tests.review import factory
from tests.review.pages import text_of

pytestmark = pytest.mark.django_db

TWICE, BLANK, ITEM = CheckName.SECTION_REPEATED, CheckName.SECTION_BLANK, CheckName.ITEM_REPEATED
Verdict = Cause.Verdict
ADA = Actor("ada")


def flag(check: CheckName, times: int = 3) -> Cause:
    for _ in range(times):
        factory.flagged("", factory.finding(check))
    assign_causes(factory.a_target(), timezone.now())
    return Cause.objects.get(checks=[check])


def judged(check: CheckName, verdict: Verdict, **columns: object) -> Cause:
    """A cause of this check without flags, judged now."""
    cause = factory.make_cause(checks=[check], **columns)
    judge(cause, Judgement(verdict), ADA)
    return cause


def line(client: Client, check: CheckName, address: str = "/checks") -> str:
    """The markup of this check's line."""
    page = client.get(address).content.decode()
    lines = re.split(r'<div class="table-line"', page)[1:]
    [found] = [one for one in lines if f"#{check}" in one.partition("</span>")[0]]
    return found.partition("</div>")[0]


def figures(client: Client, check: CheckName, address: str = "/checks") -> list[tuple[str, str]]:
    """Each link of its line but the first, and but those of months: where it leads, and the figure."""
    return links(line(client, check, address).partition("checks-share")[0])


def links(markup: str) -> list[tuple[str, str]]:
    """Where each leads, and the figure."""
    found = re.findall(r'<a\s[^>]*?href="([^"]*)"[^>]*>([\d,]+)', markup)
    return [(href.replace("&amp;", "&"), figure) for href, figure in found]


def judged_alone(check: CheckName, verdict: Verdict) -> Combination:
    """A flag of this check that was judged by itself."""
    made = factory.flagged("", factory.finding(check))
    judge_combination(made, Judgement(verdict), ADA)
    return made


def assert_each_list_has_as_many(client: Client, shown: list[tuple[str, str]]) -> None:
    for address, figure in shown:
        page = client.get(address).content.decode()
        if address.startswith("/flags"):  # rows of one check are folded
            assert re.search(rf'aria-current="page">[^<]*<span class="tabs-count">{figure}<', page), address
        else:
            assert len(re.findall(r'<li class="cause-row"', page)) == int(figure), address


def test_each_figure_is_as_many_as_the_list_that_it_leads_to_has(vera: Client) -> None:
    judge(flag(BLANK, 4), Judgement(Verdict.ACCEPTED), ADA)
    for verdict in Verdict:
        judged(TWICE, verdict)
    flag(ITEM, 2)
    shown = figures(vera, BLANK) + figures(vera, TWICE) + figures(vera, ITEM)
    assert len(shown) == 1 + 5 + 2
    assert_each_list_has_as_many(vera, shown)


def test_a_flag_that_was_judged_by_itself_counts_unless_a_judged_cause_shows_in_it(vera: Client) -> None:
    for verdict in (Verdict.FALSE_ALARM, Verdict.FALSE_ALARM, Verdict.CONFIRMED, Verdict.DISMISSED):
        judged_alone(TWICE, verdict)
    assign_causes(factory.a_target(), timezone.now())
    judge(flag(BLANK, 2), Judgement(Verdict.ACCEPTED), ADA)
    shown = figures(vera, TWICE)
    assert [figure for address, figure in shown if address.startswith("/flags?tab=dismissed")] == ["1", "2"]
    assert [figure for _, figure in figures(vera, BLANK)] == ["1"], "its two flags are told by their cause"
    assert_each_list_has_as_many(vera, shown)
    assert "67 %, 2 of 3" in re.sub(r"<[^>]+>", "", line(vera, TWICE))
    judge(Cause.objects.get(checks=[TWICE]), Judgement(Verdict.CONFIRMED), ADA)
    assert [figure for _, figure in figures(vera, TWICE)] == ["1"], "the cause covers them all now"


def test_a_judged_cause_that_shows_only_in_a_further_flag_of_a_query_tells_of_it(vera: Client) -> None:
    made = factory.flagged("", factory.finding(TWICE), factory.finding(BLANK))
    judge_combination(made, Judgement(Verdict.FALSE_ALARM), ADA)
    first, further = made.flags.order_by("place")
    first.cause = factory.make_cause(checks=[TWICE])
    further.cause = factory.make_cause(checks=[BLANK])
    Flag.objects.bulk_update([first, further], ["cause"])
    Combination.objects.filter(pk=made.pk).update(cause=first.cause)
    judged_alone(TWICE, Verdict.FALSE_ALARM)
    alone = f"/flags?tab=dismissed&check={TWICE}&verdict=false_alarm&is_alone=1"
    assert (alone, "2") in figures(vera, TWICE)
    judge(further.cause, Judgement(Verdict.CONFIRMED), ADA)
    assert (alone, "1") in figures(vera, TWICE)


def test_each_month_leads_to_what_was_judged_in_it(vera: Client) -> None:
    with time_machine.travel(datetime(2026, 9, 20, 12, tzinfo=UTC), tick=False):
        first = judged(TWICE, Verdict.FALSE_ALARM)
        judged(TWICE, Verdict.LATER)
        judged_alone(TWICE, Verdict.FALSE_ALARM)
    with time_machine.travel(datetime(2026, 10, 2, 12, tzinfo=UTC), tick=False):
        judge(first, Judgement(Verdict.CONFIRMED), ADA)
        judged_alone(TWICE, Verdict.ACCEPTED)
        vera.force_login(User.objects.get(username="vera"))
        months = line(vera, TWICE).partition("checks-months")[2]
        shown = links(months)
        assert [figure for _, figure in shown] == ["1", "1", "1", "1", "1", "1"]
        assert [("month=2026-09" in address, "month=2026-10" in address) for address, _ in shown] == [
            *[(True, False)] * 4,
            *[(False, True)] * 2,
        ]
        assert_each_list_has_as_many(vera, shown)


def test_the_share_of_false_alarms_is_of_what_says_whether_the_check_was_right(vera: Client) -> None:
    for verdict in (Verdict.FALSE_ALARM, Verdict.CONFIRMED, Verdict.LATER, Verdict.DISMISSED):
        judged(TWICE, verdict)
    shown = re.sub(r"<[^>]+>", "", line(vera, TWICE))
    assert "50 %, 1 of 2 (9 to 91 %)" in shown  # Wilson's bounds of one in two: 0.0945 and 0.9055
    judged(BLANK, Verdict.LATER)
    assert "none judged" in line(vera, BLANK)


def test_verdicts_are_told_by_the_month_in_which_they_were_given(vera: Client) -> None:
    with time_machine.travel(datetime(2026, 9, 20, 12, tzinfo=UTC), tick=False):
        first = judged(TWICE, Verdict.FALSE_ALARM)
        judged(TWICE, Verdict.CONFIRMED)
    with time_machine.travel(datetime(2026, 10, 2, 12, tzinfo=UTC), tick=False):
        judge(first, Judgement(Verdict.ACCEPTED), ADA)
        judge(first, Judgement(Verdict.FALSE_ALARM), ADA)
        undone = judged(TWICE, Verdict.FALSE_ALARM)
        reopen(undone, ADA)
        vera.force_login(User.objects.get(username="vera"))
        seen = re.sub(r'<span class="unseen">[^<]*</span>', "", line(vera, TWICE))
        shown = " ".join(re.sub(r"<[^>]+>", " ", seen).split())
    assert "Sep 2026: 1 of 2 causes Oct 2026: 1 of 1 cause" in shown
    assert "50 % , 1 of 2" in shown, "each cause counts once, by the verdict that it has"


def test_a_cause_counts_at_every_check_that_it_shows_in(vera: Client) -> None:
    cause = factory.make_cause(checks=[TWICE, BLANK, "of an earlier version"])
    judge(cause, Judgement(Verdict.CONFIRMED), ADA)
    for check in (TWICE, BLANK):
        assert figures(vera, check) == [(f"/?state=judged&check={check}&verdict=confirmed", "1")]


def test_it_says_which_checks_are_switched_off_and_leads_an_admin_to_the_setting(vera: Client, reviewer: User) -> None:
    judged(TWICE, Verdict.CONFIRMED)
    assert "switched off" not in text_of(vera.get("/checks"))
    tuning = Tuning.get_solo()
    tuning.checks_off = [TWICE, "of an earlier version"]
    tuning.save()
    assert "switched off" in line(vera, TWICE)
    assert text_of(vera.get("/checks")).count("switched off") == 1
    tuning.checks_off, tuning.explains = [], False
    tuning.save()
    assert text_of(vera.get("/checks")).count("switched off") == len(CheckName) - 7, "all but the specified ones"
    setting = 'href="/admin/selftest/tuning/"'
    assert setting not in vera.get("/checks").content.decode()
    User.objects.filter(pk=reviewer.pk).update(is_staff=True)
    assert setting in vera.get("/checks").content.decode()


def test_where_there_are_several_targets_one_can_be_chosen(vera: Client) -> None:
    judged(TWICE, Verdict.CONFIRMED)
    assert 'class="choices"' not in vera.get("/checks").content.decode()
    other = factory.make_target("a second one", is_default=False)
    judged(TWICE, Verdict.FALSE_ALARM, target=other)
    assert [figure for _, figure in figures(vera, TWICE)] == ["1", "1"]
    assert figures(vera, TWICE, "/checks?target=a+second+one") == [
        ("/?state=judged&target=a+second+one&check=section_repeated&verdict=false_alarm", "1")
    ]
    assert vera.get("/checks?target=nothing").status_code == 404


def test_without_flags_it_says_so_and_names_all_checks(vera: Client) -> None:
    assert "No target yet" in text_of(vera.get("/checks"))
    factory.make_target()
    page = text_of(vera.get("/checks"))
    assert "Nothing flagged, nothing judged" in page
    assert "Section twice" in page


def test_more_causes_ask_for_no_more_queries(vera: Client) -> None:
    factory.make_target()

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert vera.get("/checks").status_code == 200
        return len(asked)

    queries()  # the first one also makes the rows of the settings
    judged(TWICE, Verdict.CONFIRMED)
    few = queries()
    for check in (TWICE, BLANK, ITEM):
        for verdict in Verdict:
            judged(check, verdict)
    assert queries() == few


def test_it_is_read_by_get_and_by_those_with_a_role(vera: Client, onlooker: Client) -> None:
    factory.make_target()
    assert vera.post("/checks").status_code == 405
    assert onlooker.get("/checks").status_code == 200
