"""Another verdict from the pages: on a dismissed flag, on many, on a judged cause; and its undo."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Actor, BulkAct, Cause, Combination
from selftest.reviewing.causes import judge
from selftest.reviewing.dismissal import dismiss, judge_combination
from selftest.reviewing.judgement import Judgement
from tests.review import factory
from tests.review.pages import text_of

ADA = Actor("ada")
Verdict = Cause.Verdict


@pytest.fixture
def accepted(db: None) -> Combination:
    row = factory.flagged("what is metal")
    judge_combination(row, Judgement(Verdict.ACCEPTED, "known"), ADA)
    return row


@pytest.fixture
def judged(db: None) -> Cause:
    for _ in range(2):
        factory.flagged("", factory.finding(CheckName.SECTION_BLANK))
    assign_causes(factory.a_target(), timezone.now())
    cause = Cause.objects.get()
    judge(cause, Judgement(Verdict.ACCEPTED, "known"), ADA)
    cause.refresh_from_db()
    return cause


def verdict_of(row: Combination) -> tuple[str | None, str | None]:
    row.refresh_from_db()
    return row.review_status, row.verdict


def undo_of_toast(answer: HttpResponse) -> str:
    found = re.search(r'id="toast-.*?action="([^"]+)"', answer.content.decode(), re.S)
    assert found
    return found[1].replace("&amp;", "&")


def form(row: Combination, verdict: str, **more: str) -> dict[str, object]:
    return {"verdict": verdict, "seen_run": row.last_run_id, "back": "/flags?tab=dismissed", **more}


def test_a_dismissed_row_gets_another_verdict_and_the_undo_gives_the_former_one_back(
    vera: Client, accepted: Combination
) -> None:
    answer = vera.post(f"/combinations/{accepted.pk}/dismiss", form(accepted, "confirmed", seen_verdict="accepted"))
    assert verdict_of(accepted) == ("dismissed", "confirmed")
    answer = vera.get("/flags?tab=dismissed")
    assert "Confirmed: what is metal Undo" in text_of(answer)
    page = text_of(vera.get(f"/combinations/{accepted.pk}"))
    assert "Verdict changed from Accepted to Confirmed by vera" in page
    vera.post(undo_of_toast(answer), {"back": "/flags?tab=dismissed"})
    assert verdict_of(accepted) == ("dismissed", "accepted")
    assert "Verdict changed back to Accepted by vera" in text_of(vera.get(f"/combinations/{accepted.pk}"))
    assert "Decided by ada" in text_of(vera.get("/flags?tab=dismissed"))
    assert "known" in text_of(vera.get("/flags?tab=dismissed"))


def test_in_place_the_changed_row_has_an_undo_and_no_restore(htmx: Client, accepted: Combination) -> None:
    answer = htmx.post(f"/combinations/{accepted.pk}/dismiss", form(accepted, "later", seen_verdict="accepted"))
    assert "Later what is metal Undo" in text_of(answer)
    assert "Restore" not in text_of(answer)
    action = re.search(r'hx-post="(/combinations/\d+/undismiss\?[^"]+)"', answer.content.decode())
    assert action
    answer = htmx.post(action[1], {"back": "/flags?tab=dismissed"})
    assert verdict_of(accepted) == ("dismissed", "accepted")


def test_the_page_of_a_dismissed_flag_offers_another_verdict(vera: Client, accepted: Combination) -> None:
    page = vera.get(f"/combinations/{accepted.pk}?tab=dismissed")
    assert '<input type="hidden" name="seen_verdict" value="accepted">' in page.content.decode()
    said = form(accepted, "false_alarm", seen_verdict="accepted", list="tab=dismissed", reason="it is right so")
    vera.post(f"/combinations/{accepted.pk}/dismiss", said)
    assert verdict_of(accepted) == ("dismissed", "false_alarm")


def test_a_verdict_that_changed_meanwhile_stays_and_the_reader_is_told(vera: Client, accepted: Combination) -> None:
    said = form(accepted, "confirmed", seen_verdict="later")
    answer = vera.post(f"/combinations/{accepted.pk}/dismiss", said, follow=True)
    assert "Its verdict was changed to “Accepted” since you looked; look again first." in text_of(answer)
    assert verdict_of(accepted) == ("dismissed", "accepted")


def test_a_form_that_names_no_seen_verdict_changes_none(vera: Client, accepted: Combination) -> None:
    answer = vera.post(f"/combinations/{accepted.pk}/dismiss", form(accepted, "confirmed"), follow=True)
    assert "ada has already dismissed it: “known”." in text_of(answer)
    assert verdict_of(accepted) == ("dismissed", "accepted")


def test_selected_dismissed_rows_get_another_verdict_each_from_the_one_that_was_seen(
    vera: Client, accepted: Combination
) -> None:
    plain = factory.flagged("what is rust")
    dismiss(plain, ADA)
    page = vera.get("/flags?tab=dismissed&flat=1").content.decode()
    rows = re.findall(r'value="(\d+:\d+:\w+)"', page)
    assert rows == [f"{plain.pk}:{plain.last_run_id}:dismissed", f"{accepted.pk}:{accepted.last_run_id}:accepted"]
    vera.post("/bulk/rows", {"verdict": "confirmed", "row": rows, "back": "/flags?tab=dismissed"})
    assert [verdict_of(row)[1] for row in (plain, accepted)] == ["confirmed", "confirmed"]
    vera.post(f"/bulk/{BulkAct.objects.get().pk}/undo", {"back": "/flags"})
    assert [verdict_of(row) for row in (plain, accepted)] == [("dismissed", None), ("dismissed", "accepted")]


@pytest.mark.parametrize("wrong", ["x", "Accepted"])
def test_a_seen_verdict_that_is_none_is_refused(vera: Client, accepted: Combination, wrong: str) -> None:
    said = form(accepted, "confirmed", seen_verdict=wrong)
    assert vera.post(f"/combinations/{accepted.pk}/dismiss", said).status_code == 400
    row = f"{accepted.pk}:{accepted.last_run_id}:{wrong}"
    assert vera.post("/bulk/rows", {"verdict": "confirmed", "row": [row]}).status_code == 400
    assert verdict_of(accepted) == ("dismissed", "accepted")


def test_a_judged_cause_gets_another_verdict_and_the_undo_gives_the_former_one_back(
    vera: Client, judged: Cause
) -> None:
    said = {"verdict": "confirmed", "seen_flags": judged.flags, "seen_verdict": "accepted", "back": "/?state=judged"}
    answer = vera.post(f"/causes/{judged.pk}/judge", said, follow=True)
    assert set(Combination.objects.values_list("verdict", flat=True)) == {"confirmed"}
    assert "Verdict changed from Accepted to Confirmed by vera" in text_of(vera.get(f"/causes/{judged.pk}"))
    vera.post(undo_of_toast(answer), {"back": "/"})
    judged.refresh_from_db()
    assert (judged.verdict, judged.judged_by, judged.reason) == ("accepted", "ada", "known")
    assert set(Combination.objects.values_list("verdict", flat=True)) == {"accepted"}
    assert "Verdict changed back to Accepted by vera" in text_of(vera.get(f"/causes/{judged.pk}"))
    assert "Verdict changed from Accepted to Confirmed" in text_of(vera.get("/activity"))


def test_several_judged_causes_get_another_verdict_and_one_undo_gives_back_all(vera: Client, judged: Cause) -> None:
    row = f"{judged.pk}:{judged.flags}:accepted"
    answer = vera.post("/causes/judge", {"verdict": "later", "row": [row], "back": "/?state=judged"}, follow=True)
    judged.refresh_from_db()
    assert judged.verdict == "later"
    vera.post(undo_of_toast(answer), {"back": "/"})
    judged.refresh_from_db()
    assert (judged.verdict, judged.until_date) == ("accepted", None)


def test_a_cause_that_was_judged_since_the_page_was_loaded_is_left_alone(vera: Client, judged: Cause) -> None:
    said = {"verdict": "confirmed", "seen_flags": judged.flags, "back": "/"}
    answer = vera.post(f"/causes/{judged.pk}/judge", said, follow=True)
    assert "Ada has judged it “Accepted” since you looked; look again first." in text_of(answer)
    judged.refresh_from_db()
    assert judged.verdict == "accepted"


@pytest.mark.parametrize("wrong", ["x", "1,", "7"])
def test_an_undo_that_names_no_verdicts_of_these_causes_is_refused(vera: Client, judged: Cause, wrong: str) -> None:
    assert vera.post(f"/causes/{judged.pk},{judged.pk}/reopen?judged={wrong}", {"back": "/"}).status_code == 400
    judged.refresh_from_db()
    assert judged.verdict == "accepted"
