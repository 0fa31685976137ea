"""Acts upon many rows: selected ones, a group, all of a frozen list; each undone as a whole."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from selftest import models
from selftest.core.judging.findings import CheckName
from selftest.models import Actor, BulkAct, Cause, Combination, ReviewEvent
from selftest.reading.queue import QueueFilter
from selftest.reviewing import bulk_acts
from selftest.reviewing.assignment import assign
from selftest.reviewing.dismissal import dismiss, judge_combination, undismiss
from selftest.reviewing.judgement import Judgement
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, text_of
from tests.roles import give

OTTO = Actor("oskar")
ACTS = ["/bulk/rows", "/bulk/group", "/bulk/freeze", "/bulk/1/apply", "/bulk/1/undo"]


def selected(*rows: Combination, act: str = "dismiss", **more: str) -> dict[str, object]:
    return {"act": act, "row": [f"{row.pk}:{row.last_run_id}" for row in rows], "back": "/flags?sort=age", **more}


def statuses(rows: list[Combination]) -> list[str | None]:
    found = Combination.objects.in_bulk([row.pk for row in rows])
    return [found[row.pk].review_status for row in rows]


def verdicts(rows: list[Combination]) -> list[str | None]:
    found = Combination.objects.in_bulk([row.pk for row in rows])
    return [found[row.pk].verdict for row in rows]


def hidden_fields(response: HttpResponse, action: str) -> dict[str, str]:
    """What the form that leads to `action` carries without being filled in."""
    form = re.search(rf'<form[^>]* action="{action}"[^>]*>(.*?)</form>', response.content.decode(), re.S)
    assert form, f"no form leads to {action}"
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[1]))


@pytest.fixture
def three(db: None) -> list[Combination]:
    return [factory.flagged(f"number {n}") for n in range(3)]


# --- selected rows ---


def test_selected_rows_are_dismissed_and_undone_as_a_whole(vera: Client, three: list[Combination]) -> None:
    response = vera.post("/bulk/rows", selected(*three[:2]), follow=True)
    assert response.redirect_chain == [("/flags?sort=age", 302)]
    assert statuses(three) == ["dismissed", "dismissed", None]
    assert "Dismissed: 2 flags (Unasked source) Undo" in text_of(response)
    act = BulkAct.objects.get()
    response = vera.post(f"/bulk/{act.pk}/undo", {"back": "/flags"}, follow=True)
    assert statuses(three) == [None] * 3
    assert "Undone: 2 flags as before." in text_of(response)
    assert "Dismissed: 2 flags" not in text_of(response)


def test_selected_rows_are_judged_and_a_list_is_by_its_own_form(vera: Client, three: list[Combination]) -> None:
    rows = {**selected(*three[:2]), "verdict": "accepted", "reason": "known", "link": "https://tracker.example/7"}
    del rows["act"]
    assert "Accepted: 2 flags" in text_of(vera.post("/bulk/rows", rows, follow=True))
    vera.post("/bulk/freeze", {"act": "dismiss"})
    act = BulkAct.objects.order_by("-id")[0]
    said = {"verdict": "later", "reason": "", "until_date": "2030-01-31"}
    assert "Later: 1 flag" in text_of(vera.post(f"/bulk/{act.pk}/apply", said, follow=True))
    found = Combination.objects.in_bulk([row.pk for row in three])
    assert [found[row.pk].verdict for row in three] == ["accepted", "accepted", "later"]
    assert str(found[three[2].pk].until_date) == "2030-01-31"


def test_rows_that_were_flagged_again_are_left_alone_and_named(vera: Client, three: list[Combination]) -> None:
    seen = selected(*three)
    factory.ask(three[1], [factory.finding()])
    response = vera.post("/bulk/rows", seen, follow=True)
    assert response.redirect_chain == [(f"/bulk/{BulkAct.objects.get().pk}", 302)]
    text = text_of(response)
    assert "1 had changed since the list was made and were skipped." in text
    assert "Dismissed: 2 flags" in text
    assert "Skipped because they changed Unasked source number 1 Changed since it was listed; skipped" in text
    assert statuses(three) == ["dismissed", None, "dismissed"]


def test_rows_that_somebody_else_dismissed_first_are_left_alone(vera: Client, three: list[Combination]) -> None:
    dismiss(three[0], OTTO)
    vera.post("/bulk/rows", selected(*three))
    act = BulkAct.objects.get()
    vera.post(f"/bulk/{act.pk}/undo")
    assert statuses(three) == ["dismissed", None, None]


def test_an_undo_names_what_changed_since(vera: Client, three: list[Combination]) -> None:
    vera.post("/bulk/rows", selected(*three))
    undismiss(three[2], OTTO)
    act = BulkAct.objects.get()
    response = vera.post(f"/bulk/{act.pk}/undo", follow=True)
    text = text_of(response)
    assert "Undone for 2 of 3; 1 had changed since and were skipped." in text
    assert "number 2 Changed since; not undone" in text


def test_rows_can_be_taken_and_released(vera: Client, reviewer: User, three: list[Combination]) -> None:
    vera.post("/bulk/rows", selected(*three, act="take"))
    assert set(Combination.objects.values_list("held_by__username", flat=True)) == {"vera"}
    assert "Assigned: 3 flags" in text_of(vera.get("/flags"))
    vera.post("/bulk/rows", selected(*three[:1], act="release"))
    assert Combination.objects.get(pk=three[0].pk).held_by is None


def test_rows_are_assigned_to_another_and_that_is_undone(vera: Client, three: list[Combination]) -> None:
    give(User.objects.create_user("oskar"), "reviewer")
    vera.post("/bulk/rows", selected(*three, act="take", assignee="oskar"))
    assert set(Combination.objects.values_list("held_by__username", flat=True)) == {"oskar"}
    assert set(ReviewEvent.objects.filter(kind="taken").values_list("actor", "assignee")) == {("vera", "oskar")}
    assert "Assigned to oskar: 3 flags" in text_of(vera.get("/flags"))
    act = BulkAct.objects.get()
    assert "Assigned to oskar" in text_of(vera.get(f"/bulk/{act.pk}"))
    vera.post(f"/bulk/{act.pk}/undo")
    assert set(Combination.objects.values_list("held_by", flat=True)) == {None}


def test_another_s_rows_are_not_released_by_the_dozen(vera: Client, three: list[Combination]) -> None:
    other = give(User.objects.create_user("oskar"), "reviewer")
    assign(three[0], Actor.person(other))
    vera.post("/bulk/rows", selected(*three[:1], act="release"))
    assert Combination.objects.get(pk=three[0].pk).held_by == other


def test_dismissed_rows_are_put_back(vera: Client, three: list[Combination]) -> None:
    for row in three:
        dismiss(row, OTTO)
    vera.post("/bulk/rows", selected(*three[:2], act="undismiss"))
    assert statuses(three) == [None, None, "dismissed"]


def test_with_nothing_selected_nothing_is_done_and_that_is_said(vera: Client, three: list[Combination]) -> None:
    response = vera.post("/bulk/rows", {"act": "dismiss", "back": "/flags"}, follow=True)
    assert "Nothing was changed: nothing is selected" in text_of(response)
    assert not BulkAct.objects.exists()


def test_a_reason_is_kept_for_every_row(vera: Client, three: list[Combination]) -> None:
    vera.post("/bulk/rows", selected(*three, reason="the feed was down"))
    notes = {event.note for row in three for event in row.events.filter(kind="dismissed")}
    assert notes == {"the feed was down"}


@pytest.mark.parametrize(
    "wrong", [{"act": "x"}, {"act": ""}, {"row": ["x"]}, {"row": [":1"]}, {"row": ["1:x"]}, {"row": ["9" * 40]}]
)
def test_what_makes_no_sense_is_refused(vera: Client, three: list[Combination], wrong: dict[str, object]) -> None:
    assert vera.post("/bulk/rows", {**selected(*three), **wrong}).status_code == 400
    assert statuses(three) == [None] * 3


# --- a group ---


def test_a_group_is_dismissed_by_the_button_that_counted_it(vera: Client) -> None:
    alone, heap = factory.flagged("alone"), factory.heap(3)
    fields = hidden_fields(vera.get("/flags"), "/bulk/group")
    assert fields["count"] == "3"
    response = vera.post("/bulk/group", {**fields, "act": "dismiss"}, follow=True)
    assert "Dismissed: 3 flags (Unasked source) Undo" in text_of(response)
    assert statuses([alone, *heap]) == [None, "dismissed", "dismissed", "dismissed"]


@pytest.mark.parametrize("verdict", ["confirmed", "false_alarm", "accepted", "later", "dismissed"])
def test_a_group_gets_any_verdict_with_what_is_said_about_it(vera: Client, verdict: str) -> None:
    heap = factory.heap(3)
    fields = hidden_fields(vera.get("/flags"), "/bulk/group")
    said = {"verdict": verdict, "reason": "the feed is closed", "link": "https://tracker.example/7"}
    vera.post("/bulk/group", {**fields, **said})
    kept = {None if verdict == "dismissed" else verdict}
    assert set(Combination.objects.values_list("verdict", flat=True)) == kept
    told = heap[0].events.get(kind="dismissed")
    assert (told.note, told.link) == ("the feed is closed", "https://tracker.example/7")


def test_a_group_is_judged_in_its_place_and_undone_there(vera: Client, htmx: Client) -> None:
    heap = factory.heap(3)
    fields = hidden_fields(vera.get("/flags"), "/bulk/group")
    answer = htmx.post("/bulk/group", {**fields, "verdict": "accepted"})
    assert "Accepted 3 Unasked source, a query about metal Undo" in text_of(answer)
    assert "Accepted: 3 flags (Unasked source) Undo" in text_of(answer)  # the toast
    assert '<span id="count" hx-swap-oob="true">0</span>' in answer.content.decode()
    undo = f"/bulk/{BulkAct.objects.get().pk}/undo"
    answer = htmx.post(undo, hidden_fields(answer, undo))
    assert statuses(heap) == [None] * 3
    assert "Unasked source 3 flags" in text_of(answer)
    assert "Accepted" not in text_of(answer)


def test_a_group_that_is_another_by_now_says_so_in_its_place(vera: Client, htmx: Client) -> None:
    heap = factory.heap(3)
    fields = hidden_fields(vera.get("/flags"), "/bulk/group")
    dismiss(heap[0], OTTO)
    answer = text_of(htmx.post("/bulk/group", {**fields, "verdict": "accepted"}))
    assert "Nothing was changed: the list has changed since its 3 rows were counted; look again first." in answer
    assert "Unasked source 2 flags" in answer
    assert statuses(heap) == ["dismissed", None, None]


def test_a_group_of_dismissed_ones_gets_another_verdict_from_a_list_that_is_filtered_by_verdict(vera: Client) -> None:
    heap, other = factory.heap(3), factory.flagged("", factory.finding(CheckName.CRASH))
    for row in (*heap, other):
        judge_combination(row, Judgement(Cause.Verdict.ACCEPTED), OTTO)
    fields = hidden_fields(vera.get("/flags?tab=dismissed&verdict=accepted"), "/bulk/group")
    answer = vera.post("/bulk/group", {**{n: html.unescape(v) for n, v in fields.items()}, "verdict": "confirmed"})
    assert answer.status_code == 302
    assert verdicts([*heap, other]) == ["confirmed", "confirmed", "confirmed", "accepted"]
    vera.post(f"/bulk/{BulkAct.objects.get().pk}/undo", {"back": "/flags"})
    assert verdicts([*heap, other]) == ["accepted"] * 4


@pytest.mark.parametrize("change", ["gone", "come", "exchanged"])
def test_a_group_that_is_another_by_now_is_left_whole(vera: Client, change: str) -> None:
    heap = factory.heap(3)
    fields = hidden_fields(vera.get("/flags"), "/bulk/group")
    if change in ("gone", "exchanged"):
        dismiss(heap[0], OTTO)
    if change in ("come", "exchanged"):
        new = factory.flagged("another of them")
        Combination.objects.filter(pk=new.pk).update(cause=heap[1].cause_id, last_flagged_run=heap[0].last_flagged_run)
    response = vera.post("/bulk/group", {**fields, "act": "dismiss"}, follow=True)
    message = "Nothing was changed: the list has changed since its 3 rows were counted; look again first."
    assert message in text_of(response)
    assert statuses(heap[1:]) == [None, None]
    assert not BulkAct.objects.exists()


def test_a_row_of_a_group_that_was_flagged_again_leaves_the_group_whole(vera: Client) -> None:
    heap = factory.heap(3)
    fields = hidden_fields(vera.get("/flags"), "/bulk/group")
    factory.ask(heap[1], [factory.finding()])
    response = vera.post("/bulk/group", {**fields, "act": "dismiss"}, follow=True)
    assert "Nothing was changed" in text_of(response)
    assert statuses(heap) == [None] * 3


def test_new_flags_outside_of_the_group_do_not_matter_to_it(vera: Client) -> None:
    heap = factory.heap(3)
    fields = hidden_fields(vera.get("/flags"), "/bulk/group")
    factory.flagged("", factory.finding(CheckName.CRASH))
    vera.post("/bulk/group", {**fields, "act": "dismiss"})
    assert statuses(heap) == ["dismissed"] * 3


@pytest.mark.parametrize("name", ["count", "key_sum", "seen_run"])
@pytest.mark.parametrize("value", ["", "x", "-1"])
def test_a_group_without_its_figures_is_refused(vera: Client, name: str, value: str) -> None:
    factory.heap(2)
    fields = hidden_fields(vera.get("/flags"), "/bulk/group")
    assert vera.post("/bulk/group", {**fields, name: value, "act": "dismiss"}).status_code == 400


# --- all of a list ---


def test_all_that_match_are_frozen_asked_for_once_and_then_dismissed(vera: Client, three: list[Combination]) -> None:
    crash = factory.flagged("a crash", factory.finding(CheckName.CRASH))
    page = vera.get("/flags?check=source_mismatch")
    assert "Judge all 3 matching…" in text_of(page)
    fields = hidden_fields(page, "/bulk/freeze")
    asked = vera.post("/bulk/freeze", {**fields, "act": "dismiss"}, follow=True)
    text = text_of(asked)
    assert "Judge 3 flags?" in text
    assert "Dismiss d Confirm c False alarm f Accept a Later l Cancel" in text
    assert statuses([*three, crash]) == [None] * 4

    late = factory.flagged("came too late")
    act = BulkAct.objects.get()
    done = vera.post(f"/bulk/{act.pk}/apply", {"reason": "the feed was down"}, follow=True)
    assert done.redirect_chain == [("/flags?check=source_mismatch", 302)]
    assert "Dismissed: 3 flags (Unasked source) Undo" in text_of(done)
    assert statuses([*three, crash, late]) == ["dismissed", "dismissed", "dismissed", None, None]
    assert three[0].events.get(kind="dismissed").note == "the feed was down"
    page = text_of(vera.get(f"/bulk/{act.pk}"))
    assert "Dismissed: 3 flags" in page
    assert "Undo for all 3" in page
    assert "the feed was down" in page

    vera.post(f"/bulk/{act.pk}/undo")
    assert statuses(three) == [None] * 3
    assert "Undone just now" in text_of(vera.get(f"/bulk/{act.pk}"))


def test_a_frozen_row_that_is_flagged_again_before_the_yes_is_left_alone(
    vera: Client, three: list[Combination]
) -> None:
    vera.post("/bulk/freeze", {"act": "dismiss"})
    factory.ask(three[0], [factory.finding()])
    act = BulkAct.objects.get()
    text = text_of(vera.post(f"/bulk/{act.pk}/apply", follow=True))
    assert "Skipped because they changed Unasked source number 0" in text
    assert statuses(three) == [None, "dismissed", "dismissed"]


def test_pressed_twice_it_is_done_once(vera: Client, three: list[Combination]) -> None:
    vera.post("/bulk/freeze", {"act": "dismiss"})
    act = BulkAct.objects.get()
    for _ in range(2):
        vera.post(f"/bulk/{act.pk}/apply")
    assert three[0].events.filter(kind="dismissed").count() == 1


def test_after_its_undo_it_is_not_done_again(vera: Client, three: list[Combination]) -> None:
    vera.post("/bulk/freeze", {"act": "dismiss"})
    act = BulkAct.objects.get()
    vera.post(f"/bulk/{act.pk}/apply")
    vera.post(f"/bulk/{act.pk}/undo")
    text = text_of(vera.post(f"/bulk/{act.pk}/apply", follow=True))
    assert "Nothing was changed: it was undone already" in text
    assert statuses(three) == [None] * 3


def test_what_was_not_done_cannot_be_undone(vera: Client, three: list[Combination]) -> None:
    vera.post("/bulk/freeze", {"act": "dismiss"})
    act = BulkAct.objects.get()
    assert "there is nothing to undo" in text_of(vera.post(f"/bulk/{act.pk}/undo", follow=True))


def test_an_empty_list_is_not_frozen(vera: Client) -> None:
    factory.a_target()
    assert "Nothing was changed" in text_of(vera.post("/bulk/freeze", {"act": "dismiss"}, follow=True))


def test_a_reason_that_is_too_long_stops_it(vera: Client, three: list[Combination]) -> None:
    vera.post("/bulk/freeze", {"act": "dismiss"})
    act = BulkAct.objects.get()
    text = text_of(vera.post(f"/bulk/{act.pk}/apply", {"reason": "x" * 2001}, follow=True))
    assert "the reason has 2001 characters" in text
    assert statuses(three) == [None] * 3


def test_a_long_list_is_shown_a_page_at_a_time(vera: Client) -> None:
    for n in range(105):
        factory.flagged(f"number {n:03}")
    vera.post("/bulk/freeze", {"act": "dismiss"})
    page = vera.get(f"/bulk/{BulkAct.objects.get().pk}").context["page"]
    assert page.count == 105
    assert len(page.lines) == 100
    rest = vera.get(page.older).context["page"]
    assert len(rest.lines) == 5
    assert rest.older == ""


def test_script_in_a_query_and_a_reason_is_text(vera: Client) -> None:
    row = factory.flagged(f"tell me {SCRIPT}")
    vera.post("/bulk/rows", selected(row, reason=SCRIPT))
    assert_escaped(vera.get(f"/bulk/{BulkAct.objects.get().pk}"))


# --- who and how ---


def test_an_act_that_is_not_there_is_not_found(vera: Client) -> None:
    assert vera.get("/bulk/4711").status_code == 404
    assert vera.post("/bulk/4711/apply").status_code == 404
    assert vera.post("/bulk/4711/undo").status_code == 404


@pytest.mark.parametrize("address", ACTS)
def test_nothing_is_done_by_reading(vera: Client, address: str) -> None:
    assert vera.get(address).status_code == 405


@pytest.mark.parametrize("address", ACTS)
def test_a_viewer_can_change_nothing(onlooker: Client, three: list[Combination], address: str) -> None:
    response = onlooker.post(address, selected(*three))
    assert response.status_code == 403
    assert statuses(three) == [None] * 3


def test_a_viewer_may_look_at_an_act_and_is_shown_no_button(vera: Client, three: list[Combination]) -> None:
    vera.post("/bulk/rows", selected(*three))
    viewer = Client()
    viewer.force_login(give(User.objects.create_user("otto"), "viewer"))
    text = text_of(viewer.get(f"/bulk/{BulkAct.objects.get().pk}"))
    assert "Dismissed: 3 flags" in text
    assert "Undo for all" not in text


@pytest.mark.parametrize("address", ACTS)
def test_a_stranger_can_do_nothing(client: Client, three: list[Combination], address: str) -> None:
    assert client.post(address, selected(*three))["Location"] == "/sign-in"
    assert statuses(three) == [None] * 3


def test_a_form_never_leads_to_another_site(vera: Client, three: list[Combination]) -> None:
    response = vera.post("/bulk/rows", {**selected(*three), "back": "https://elsewhere.example/"})
    assert response["Location"] == "/flags"


def test_the_number_of_queries_does_not_grow_with_the_list(vera: Client) -> None:
    counts = []
    for n in (2, 20):
        rows = [factory.flagged() for _ in range(n)]
        vera.post("/bulk/rows", selected(*rows))
        with CaptureQueriesContext(connection) as queries:
            vera.get(f"/bulk/{BulkAct.objects.order_by('id').last().pk}")  # type: ignore[union-attr]
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 12


# --- another reviewer was there too ---


def test_what_another_undid_already_is_not_said_to_be_undone_again(vera: Client, three: list[Combination]) -> None:
    vera.post("/bulk/rows", selected(*three))
    act = BulkAct.objects.get()
    bulk_acts.undo(act, models.Actor("otto"))
    for row in three:
        dismiss(row, models.Actor("otto"))
    text = text_of(vera.post(f"/bulk/{act.pk}/undo", {"back": "/flags"}, follow=True))
    assert "it was already undone" in text
    assert "flags as before" not in text
    assert statuses(three) == ["dismissed"] * 3


def test_what_another_has_done_is_not_claimed_and_a_reason_that_came_too_late_is_said_to_be_lost(
    vera: Client, three: list[Combination]
) -> None:
    act = bulk_acts.freeze_all(BulkAct.Kind.DISMISS, QueueFilter(), models.Actor("vera"))
    bulk_acts.apply(act, models.Actor("otto"))
    response = vera.post(f"/bulk/{act.pk}/apply", {"reason": "mine"}, follow=True)
    assert "what you said was not kept" in text_of(response)
    assert "Done by otto" in text_of(response)
    response = vera.post(f"/bulk/{act.pk}/apply", follow=True)
    assert "Someone else had already done it" in text_of(response)
    assert 'id="toast-' not in response.content.decode()


def test_where_no_row_could_be_changed_no_undo_is_offered(vera: Client, three: list[Combination]) -> None:
    asked = selected(*three)
    for row in three:
        dismiss(row, models.Actor("otto"))
    response = vera.post("/bulk/rows", asked, follow=True)
    assert "3 had changed since the list was made" in text_of(response)
    assert 'id="toast-' not in response.content.decode()


def test_a_row_says_which_run_was_seen_of_it(vera: Client, three: list[Combination]) -> None:
    assert vera.post("/bulk/rows", {"act": "dismiss", "row": f"{three[0].pk}:"}).status_code == 400
    assert statuses(three) == [None] * 3
