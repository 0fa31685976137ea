"""Dismiss, Restore and the other acts: from a row of the queue, and from the page of a combination."""

import html
import re
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from selftest import models
from selftest.core.judging.findings import CheckName
from selftest.models import Actor, Combination, Cycle, ReviewEvent, Run, Tuning
from selftest.reviewing.assignment import assign
from selftest.reviewing.dismissal import dismiss, undismiss
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of
from tests.roles import give


@pytest.fixture
def broken(db: None) -> Combination:
    return factory.flagged("tell me about molybdenum")


@pytest.fixture
def three(db: None) -> list[Combination]:
    """In the queue, the newest first."""
    now = timezone.now()
    return [factory.flagged(f"what is metal {n}", now=now - timedelta(hours=n)) for n in (1, 2, 3)]


def seen(combination: Combination, **more: object) -> dict[str, object]:
    return {"seen_run": combination.last_run_id, **more}


def is_dismissed(combination: Combination) -> bool:
    combination.refresh_from_db()
    return combination.review_status == "dismissed"


def toasts_of(response: HttpResponse) -> list[str]:
    return re.findall(r'id="toast-([^"]+)"', response.content.decode())


# --- from a row of the queue ---


def test_dismissing_leaves_a_quiet_row_with_its_undo(htmx: Client, broken: Combination) -> None:
    response = htmx.post(f"/combinations/{broken.pk}/dismiss", seen(broken, back="/flags"))
    assert response.status_code == 200
    assert not is_whole(response)
    assert is_dismissed(broken)
    assert "Dismissed tell me about molybdenum Restore" in text_of(response)
    assert 'id="count" hx-swap-oob="true">0<' in response.content.decode()
    assert b" autofocus" in response.content


def test_undo_brings_the_row_back(htmx: Client, broken: Combination) -> None:
    htmx.post(f"/combinations/{broken.pk}/dismiss", seen(broken, back="/flags"))
    response = htmx.post(f"/combinations/{broken.pk}/undismiss", {"back": "/flags"})
    assert response.status_code == 200
    assert not is_dismissed(broken)
    assert "Flagged now" in text_of(response)


def test_one_flagged_again_since_is_not_dismissed_and_shown_as_it_is(htmx: Client, broken: Combination) -> None:
    looked = seen(broken, back="/flags")
    factory.ask(broken, [factory.finding(summary="answered by 'news'")])
    response = htmx.post(f"/combinations/{broken.pk}/dismiss", looked)
    assert response.status_code == 200
    assert not is_dismissed(broken)
    text = text_of(response)
    assert f"Flagged again since you looked, by run {broken.last_run_id} : Unasked source, answered by 'news'." in text
    assert "Nothing was dismissed" in text
    assert f'name="seen_run" value="{broken.last_run_id}"' in response.content.decode()


def test_one_that_ran_clean_since_can_be_dismissed(htmx: Client, broken: Combination) -> None:
    looked = seen(broken, back="/flags")
    factory.ask(broken)
    assert htmx.post(f"/combinations/{broken.pk}/dismiss", looked).status_code == 200
    assert is_dismissed(broken)


def test_dismissing_twice_says_the_same_twice(htmx: Client, broken: Combination) -> None:
    for _ in range(2):
        response = htmx.post(f"/combinations/{broken.pk}/dismiss", seen(broken, back="/flags"))
        assert response.status_code == 200
        assert "Dismissed" in text_of(response)
    assert broken.events.filter(kind=ReviewEvent.Kind.DISMISSED).count() == 1


def test_undoing_what_was_flagged_again_says_so(htmx: Client, broken: Combination, reviewer: User) -> None:
    dismiss(broken, Actor.person(reviewer))
    factory.ask(broken, [factory.finding()])
    response = htmx.post(f"/combinations/{broken.pk}/undismiss")
    assert response.status_code == 200
    assert "Already in the queue" in text_of(response)


def test_script_in_the_quiet_row_is_text(htmx: Client) -> None:
    combination = factory.flagged(f"tell me {SCRIPT}")
    assert_escaped(htmx.post(f"/combinations/{combination.pk}/dismiss", seen(combination, back="/flags")))


def test_a_form_comes_back_to_the_queue_with_a_toast(vera: Client, broken: Combination) -> None:
    response = vera.post(f"/combinations/{broken.pk}/dismiss", seen(broken, back="/flags?sort=age"), follow=True)
    assert response.redirect_chain == [("/flags?sort=age", 302)]
    assert "Dismissed: tell me about molybdenum" in text_of(response)
    response = vera.post(f"/combinations/{broken.pk}/undismiss", {"back": "/flags"}, follow=True)
    assert toasts_of(response) == []
    assert not is_dismissed(broken)


@pytest.mark.parametrize(
    "back", ["https://elsewhere.example/", "//elsewhere.example/", "/\\elsewhere.example", "javascript:1", ""]
)
def test_a_form_never_leads_to_another_site(vera: Client, broken: Combination, back: str) -> None:
    response = vera.post(f"/combinations/{broken.pk}/dismiss", seen(broken, back=back))
    assert response["Location"] == "/flags"


# --- from its own page: on to the next ---


def test_a_dismissal_goes_on_to_the_next_in_the_list(vera: Client, three: list[Combination]) -> None:
    first, second, _ = three
    response = vera.post(f"/combinations/{first.pk}/dismiss", seen(first, list=""), follow=True)
    assert is_dismissed(first)
    assert response.redirect_chain == [(f"/combinations/{second.pk}", 302)]
    assert "Dismissed: what is metal 1" in text_of(response)
    assert toasts_of(response) == [f"combination-{first.pk}"]


@pytest.mark.parametrize(
    ("query", "next_one"),
    [
        ("", 1),  # the newest run first: hours 1, 2, 3
        ("sort=age", None),  # the oldest flag first: the one of hour 1 is the last
        ("sort=flagged", 2),  # the third was flagged twice, so: the third, the first, the second
        ("check=crash", None),
        ("text=metal+3", 2),
    ],
)
def test_the_next_is_that_of_the_list_that_the_reader_came_from(
    vera: Client, three: list[Combination], query: str, next_one: int | None
) -> None:
    if query == "sort=flagged":
        when: datetime | None = three[2].last_run_timestamp
        factory.ask(three[0], [factory.finding()], now=three[0].last_run_timestamp)
        factory.ask(three[2], [factory.finding()], now=when)
    response = vera.post(f"/combinations/{three[0].pk}/dismiss", seen(three[0], list=query))
    params = f"?{query}" if query else ""
    assert response["Location"] == (
        f"/flags{params}" if next_one is None else f"/combinations/{three[next_one].pk}{params}"
    )


def test_to_htmx_the_way_on_is_told(htmx: Client, three: list[Combination]) -> None:
    response = htmx.post(f"/combinations/{three[0].pk}/dismiss", seen(three[0], list="sort=newest"))
    assert response["HX-Redirect"] == f"/combinations/{three[1].pk}"


def test_after_the_last_one_it_goes_back_to_the_list_and_says_done(vera: Client, three: list[Combination]) -> None:
    response = vera.post(f"/combinations/{three[2].pk}/dismiss", seen(three[2], list=""), follow=True)
    assert response.redirect_chain == [("/flags", 302)]
    assert "Done: that was the last in this list." in text_of(response)
    assert toasts_of(response) == [f"combination-{three[2].pk}"]


def test_undo_from_the_toast_returns_to_the_one_that_was_dismissed(vera: Client, three: list[Combination]) -> None:
    first = three[0]
    response = vera.post(f"/combinations/{first.pk}/dismiss", seen(first, list="sort=newest&tab=ever"), follow=True)
    match = re.search(r'action="(/combinations/\d+/undismiss\?[^"]+)"', response.content.decode())
    assert match
    response = vera.post(match[1].replace("&amp;", "&"), {"back": "/elsewhere"}, follow=True)
    assert response.redirect_chain == [(f"/combinations/{first.pk}?tab=ever", 302)]
    assert not is_dismissed(first)
    assert toasts_of(response) == []


def test_undo_on_its_page_stays_there(vera: Client, reviewer: User, broken: Combination) -> None:
    dismiss(broken, Actor.person(reviewer))
    response = vera.post(f"/combinations/{broken.pk}/undismiss", {"list": ""}, follow=True)
    assert response.redirect_chain == [(f"/combinations/{broken.pk}", 302)]
    assert "Flagged now" in text_of(response)


def test_the_reason_is_kept_in_the_story(vera: Client, broken: Combination) -> None:
    vera.post(f"/combinations/{broken.pk}/dismiss", seen(broken, list="", reason=" known\r\nsince May "))
    event = broken.events.get(kind=ReviewEvent.Kind.DISMISSED)
    assert (event.actor, event.note) == ("vera", "known\nsince May")


def test_a_reason_that_is_too_long_dismisses_nothing(vera: Client, broken: Combination) -> None:
    response = vera.post(f"/combinations/{broken.pk}/dismiss", seen(broken, list="", reason="x" * 2001), follow=True)
    assert "The reason has 2001 characters; the limit is 2000." in text_of(response)
    assert not is_dismissed(broken)


@pytest.mark.parametrize("by_htmx", [False, True])
def test_flagged_again_since_it_is_shown_as_it_is_and_what_is_new_is_said(
    vera: Client, broken: Combination, by_htmx: bool
) -> None:
    looked = seen(broken, list="sort=age")
    new = factory.ask(broken, [factory.finding(CheckName.CRASH, summary="a raw traceback")])
    headers = {"HX-Request": "true"} if by_htmx else {}
    response = vera.post(f"/combinations/{broken.pk}/dismiss", looked, headers=headers, follow=True)
    assert response.status_code == 200
    assert is_whole(response) is not by_htmx
    assert not is_dismissed(broken)
    text = text_of(response)
    assert f"Flagged again since you looked, by run {new.pk} : Crash, a raw traceback." in text
    assert f'<a href="/runs/{new.pk}">run {new.pk}</a>' in response.content.decode()
    assert f'name="seen_run" value="{new.pk}"' in response.content.decode()
    assert response.context["page"].place.query == "sort=age"


def test_script_in_what_is_new_is_text(vera: Client, broken: Combination) -> None:
    looked = seen(broken, list="")
    factory.ask(broken, [factory.finding(summary=SCRIPT)])
    assert_escaped(vera.post(f"/combinations/{broken.pk}/dismiss", looked, follow=True))


# --- next and previous ---


def test_next_and_previous_lead_through_the_list(vera: Client, three: list[Combination]) -> None:
    first, second, third = (f"/combinations/{c.pk}" for c in three)
    assert vera.get(f"{second}/next")["Location"] == third
    assert vera.get(f"{second}/previous")["Location"] == first
    assert vera.get(f"{second}/next?sort=age")["Location"] == f"{first}?sort=age"
    assert vera.get(f"{second}/previous?sort=age")["Location"] == f"{third}?sort=age"


def test_at_the_ends_of_the_list_it_says_so(vera: Client, three: list[Combination]) -> None:
    response = vera.get(f"/combinations/{three[2].pk}/next", follow=True)
    assert response.redirect_chain == [(f"/combinations/{three[2].pk}", 302)]
    assert "This is the last in the list." in text_of(response)
    clean = factory.make_combination()
    assert vera.get(f"/combinations/{clean.pk}/previous")["Location"] == f"/combinations/{clean.pk}"


# --- take, release, note ---


def test_one_is_taken_and_released(vera: Client, reviewer: User, broken: Combination) -> None:
    response = vera.post(f"/combinations/{broken.pk}/take", {"list": "sort=age"}, follow=True)
    assert response.redirect_chain == [(f"/combinations/{broken.pk}?sort=age", 302)]
    assert "Assigned to vera" in text_of(response)
    vera.post(f"/combinations/{broken.pk}/release", {"list": ""})
    broken.refresh_from_db()
    assert broken.held_by is None
    kinds = list(broken.events.order_by("-id").values_list("kind", flat=True)[:2])
    assert kinds == ["released", "taken"]


def test_one_is_assigned_to_another_who_may_review(vera: Client, broken: Combination) -> None:
    other = give(User.objects.create_user("oskar"), "reviewer")
    assert '<option value="oskar">oskar</option>' in vera.get(f"/combinations/{broken.pk}").content.decode()
    response = vera.post(f"/combinations/{broken.pk}/take", {"list": "", "assignee": "oskar"}, follow=True)
    assert "Assigned to oskar just now" in text_of(response)
    assert "Assigned to oskar by vera" in text_of(response)
    broken.refresh_from_db()
    assert broken.held_by == other
    assert "Assigned to oskar" in text_of(vera.get("/activity"))


@pytest.mark.parametrize("name", ["nobody-here", "onlooker"])
def test_one_is_assigned_to_no_one_who_may_not_review(vera: Client, broken: Combination, name: str) -> None:
    User.objects.create_user("onlooker")
    response = vera.post(f"/combinations/{broken.pk}/take", {"list": "", "assignee": name})
    assert response.status_code == 400
    broken.refresh_from_db()
    assert broken.held_by is None


def test_one_that_somebody_else_took_first_is_not_taken_over(vera: Client, broken: Combination) -> None:
    other = User.objects.create_user("otto")
    assign(broken, Actor.person(other))
    response = vera.post(f"/combinations/{broken.pk}/take", {"list": ""}, follow=True)
    assert "It is assigned to otto already" in text_of(response)
    broken.refresh_from_db()
    assert broken.held_by == other


def test_a_note_is_put_into_the_story(vera: Client, broken: Combination) -> None:
    response = vera.post(f"/combinations/{broken.pk}/note", {"list": "", "note": f"look:\r\n{SCRIPT}"}, follow=True)
    assert "Note added by vera" in text_of(response)
    assert_escaped(response)
    assert broken.events.get(kind="noted").note == f"look:\n{SCRIPT}"


@pytest.mark.parametrize(("note", "why"), [(" ", "The note is empty"), ("x" * 2001, "The note has 2001 characters")])
def test_a_note_that_is_none_is_refused(vera: Client, broken: Combination, note: str, why: str) -> None:
    response = vera.post(f"/combinations/{broken.pk}/note", {"list": "", "note": note}, follow=True)
    assert why in text_of(response)
    assert not broken.events.filter(kind="noted").exists()


def test_to_htmx_an_act_shows_the_page_as_it_is_then(htmx: Client, broken: Combination) -> None:
    response = htmx.post(f"/combinations/{broken.pk}/take", {"list": ""}, follow=True)
    assert not is_whole(response)
    assert "Assigned to vera" in text_of(response)
    response = htmx.post(f"/combinations/{broken.pk}/note", {"list": "", "note": ""}, follow=True)
    assert "The note is empty" in text_of(response)


# --- run again ---


@pytest.mark.parametrize("times", [1, 5])
def test_it_is_asked_again_by_the_worker_and_its_page_shows_how_far_that_is(
    vera: Client, broken: Combination, times: int
) -> None:
    response = vera.post(f"/combinations/{broken.pk}/again", {"times": times, "list": "sort=age"}, follow=True)
    cycle = Cycle.objects.get(combination=broken)
    assert cycle.queries_wanted == times
    assert response.redirect_chain == [(f"/combinations/{broken.pk}?sort=age&again={cycle.pk}", 302)]
    assert "Run again: Planned Waiting for the worker." in text_of(response)


def progress(client: Client, combination: Combination, cycle: Cycle, query: str = "") -> HttpResponse:
    path = f"/combinations/{combination.pk}/again/{cycle.pk}{query}"
    return client.get(path, headers={"HX-Request": "true"})  # type: ignore[return-value]


@pytest.fixture
def asking(broken: Combination) -> Cycle:
    """Asked again twice, under way."""
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    Cycle.objects.filter(pk=cycle.pk).update(combination=broken, queries_wanted=2)
    factory.ask(broken, cycle=cycle)
    factory.plan_run(broken, cycle)
    cycle.refresh_from_db()
    return cycle


def test_the_progress_tells_what_came_so_far_and_nothing_when_nothing_is_new(
    vera: Client, broken: Combination, asking: Cycle
) -> None:
    response = progress(vera, broken, asking, "?since=1")
    text = text_of(response)
    assert "Run again: Running 1 of 2 asked, 0 flagged." in text
    assert "Clean 35 ms" in text
    assert b'data-poll-s="2"' in response.content
    match = re.search(r'hx-get="([^"]+)"', response.content.decode())
    assert match
    address = match[1].replace("&amp;", "&")
    assert vera.get(address, headers={"HX-Request": "true"}).status_code == 204


def test_once_it_is_over_the_history_and_the_story_follow_and_the_polling_ends(
    vera: Client, broken: Combination, asking: Cycle
) -> None:
    since = broken.last_run_id
    Run.objects.filter(cycle=asking, state="planned").delete()
    new = factory.ask(broken, [factory.finding()], cycle=asking)
    Cycle.objects.filter(pk=asking.pk).update(state=Cycle.State.FINISHED, finished_at=timezone.now())
    response = progress(vera, broken, asking, f"?since={since}&sort=age")
    page = response.content.decode()
    assert "Run again: Finished 2 of 2 asked, 1 flagged." in text_of(response)
    assert "Flagged again: view" in text_of(response)
    assert "data-poll-s" not in page
    assert '<section id="history" hx-swap-oob="true">' in page
    assert '<div id="story" hx-swap-oob="true">' in page
    assert f'href="/runs/{new.pk}"' in page


def test_once_it_came_back_clean_the_head_of_the_page_says_so_too(
    vera: Client, broken: Combination, asking: Cycle
) -> None:
    since = broken.last_run_id
    page = vera.get(f"/combinations/{broken.pk}").content.decode()
    Run.objects.filter(cycle=asking, state="planned").delete()
    factory.ask(broken, cycle=asking)
    Cycle.objects.filter(pk=asking.pk).update(state=Cycle.State.FINISHED, finished_at=timezone.now())
    response = progress(vera, broken, asking, f"?since={since}")
    swapped = response.content.decode()
    for name in ("state", "facts", "broken-heading"):
        assert f'id="{name}"' in page
        assert re.search(rf'id="{name}"[^>]* hx-swap-oob="true"', swapped)
    assert "Was flagged Its last run was clean" in text_of(response)
    assert "Run 3 times Flagged 1 time" in text_of(response)
    assert "Broken when last flagged" in text_of(response)


def test_without_htmx_the_progress_is_on_the_page(vera: Client, broken: Combination, asking: Cycle) -> None:
    response = vera.get(f"/combinations/{broken.pk}/again/{asking.pk}?sort=age")
    assert response["Location"] == f"/combinations/{broken.pk}?sort=age&again={asking.pk}"
    other = factory.make_combination()
    assert vera.get(f"/combinations/{other.pk}/again/{asking.pk}").status_code == 404


def test_it_is_not_asked_again_twice_at_once(vera: Client, broken: Combination) -> None:
    for _ in range(2):
        response = vera.post(f"/combinations/{broken.pk}/again", {"times": 1, "list": ""}, follow=True)
    assert "Nothing was asked: this combination is being asked again already" in text_of(response)
    assert Cycle.objects.filter(combination=broken).count() == 1


@pytest.mark.parametrize("times", ["21", "0"])
def test_no_number_of_times_is_refused(vera: Client, broken: Combination, times: str) -> None:
    response = vera.post(f"/combinations/{broken.pk}/again", {"times": times, "list": ""}, follow=True)
    assert f"a combination is asked again 1 to 20 times, not {times}" in text_of(response)


def test_switched_off_nothing_is_asked(vera: Client, broken: Combination) -> None:
    Tuning.get_solo()
    Tuning.objects.update(enabled=False)
    response = vera.post(f"/combinations/{broken.pk}/again", {"times": 1, "list": ""}, follow=True)
    assert "Testing is switched off, so nothing was asked." in text_of(response)
    assert not Cycle.objects.filter(combination=broken).exists()


# --- refusals ---

# --- verdicts ---


@pytest.mark.parametrize("by_htmx", [False, True])
def test_a_row_is_judged_and_says_so_with_its_undo(
    vera: Client, htmx: Client, broken: Combination, by_htmx: bool
) -> None:
    client = htmx if by_htmx else vera
    asked = seen(broken, back="/flags", verdict="false_alarm")
    response = client.post(f"/combinations/{broken.pk}/dismiss", asked, follow=True)
    assert f"False alarm: {broken.last_query_text}" in text_of(response)
    assert is_dismissed(broken)
    assert broken.verdict == "false_alarm"


def test_the_list_of_the_dismissed_says_who_why_and_until_when(vera: Client, broken: Combination) -> None:
    said = {"verdict": "later", "reason": f"see https://wiki.example {SCRIPT}", "link": "https://tracker.example/7"}
    asked = seen(broken, list="", until_date="2030-01-31", **said)
    vera.post(f"/combinations/{broken.pk}/dismiss", asked)
    for page in ("/flags?tab=dismissed", f"/combinations/{broken.pk}"):
        response = vera.get(page)
        text = text_of(response)
        assert "until 31 Jan 2030" in text
        assert "by vera" in text
        assert_escaped(response)
        assert 'href="https://tracker.example/7"' in response.content.decode()
        assert 'href="https://wiki.example"' in response.content.decode()


def test_later_is_a_week_where_nothing_was_said(vera: Client, broken: Combination) -> None:
    vera.post(f"/combinations/{broken.pk}/dismiss", seen(broken, list="", verdict="later"))
    broken.refresh_from_db()
    assert broken.until_date == timezone.now().date() + timedelta(days=7)


@pytest.mark.parametrize(
    "wrong", [{"verdict": "wrong"}, {"verdict": "later", "until_date": "soon"}, {"until_new_flags": "x"}]
)
def test_a_verdict_that_makes_no_sense_is_refused(vera: Client, broken: Combination, wrong: dict[str, str]) -> None:
    assert vera.post(f"/combinations/{broken.pk}/dismiss", seen(broken, list="", **wrong)).status_code == 400
    assert not is_dismissed(broken)


def test_a_link_that_no_browser_should_open_judges_nothing(vera: Client, broken: Combination) -> None:
    asked = seen(broken, list="", verdict="confirmed", link="javascript:alert(1)")
    response = vera.post(f"/combinations/{broken.pk}/dismiss", asked, follow=True)
    assert "no http or https URL" in text_of(response)
    assert not is_dismissed(broken)


ACTS = ["dismiss", "undismiss", "take", "release", "note", "again"]


def test_one_that_was_never_flagged_cannot_be_dismissed(vera: Client) -> None:
    clean = factory.make_combination()
    factory.ask(clean)
    response = vera.post(f"/combinations/{clean.pk}/dismiss", {"list": "", "seen_run": clean.last_run_id}, follow=True)
    assert "This combination was never flagged" in text_of(response)


def test_a_dismissal_says_which_run_it_was_made_on(vera: Client, broken: Combination) -> None:
    assert vera.post(f"/combinations/{broken.pk}/dismiss", {"seen_run": ""}).status_code == 400
    assert not is_dismissed(broken)


# --- another reviewer was there too ---

OTTO = models.Actor("otto")


def test_an_undo_takes_back_that_dismissal_and_no_later_one_of_somebody_else(vera: Client, broken: Combination) -> None:
    vera.post(f"/combinations/{broken.pk}/dismiss", seen(broken))
    undo = re.findall(r'action="(/combinations/[^"]*/undismiss[^"]*)"', vera.get("/cycles").content.decode())[0]
    undismiss(broken, OTTO)
    dismiss(broken, OTTO, "known, ticket 7")
    response = vera.post(html.unescape(undo), {"back": "/flags"}, follow=True)
    assert "Otto has dismissed it again since" in text_of(response)
    assert is_dismissed(broken)
    assert toasts_of(response) == []


def test_who_comes_second_is_told_who_was_first_and_why_and_keeps_what_they_wrote(
    vera: Client, broken: Combination
) -> None:
    asked = seen(broken, list="", reason="looks like the parser")
    dismiss(broken, OTTO, "known, ticket 7")
    response = vera.post(f"/combinations/{broken.pk}/dismiss", asked, follow=True)
    assert "otto has already dismissed it: “known, ticket 7”. Your reason was kept as a note." in text_of(response)
    assert toasts_of(response) == []
    newest = broken.events.order_by("-id").first()
    assert newest
    assert (newest.kind, newest.note) == ("noted", "looks like the parser")


def test_nor_from_a_row(htmx: Client) -> None:
    clean = factory.make_combination()
    assert htmx.post(f"/combinations/{clean.pk}/dismiss").status_code == 400


@pytest.mark.parametrize("act", ACTS)
def test_an_unknown_one_is_not_found(vera: Client, act: str) -> None:
    assert vera.post(f"/combinations/4711/{act}").status_code == 404


@pytest.mark.parametrize("act", ACTS)
def test_nothing_is_done_by_reading(vera: Client, broken: Combination, act: str) -> None:
    assert vera.get(f"/combinations/{broken.pk}/{act}").status_code == 405


@pytest.mark.parametrize("act", ACTS)
def test_who_may_only_look_can_do_nothing(onlooker: Client, broken: Combination, act: str) -> None:
    before = ReviewEvent.objects.count()
    assert onlooker.post(f"/combinations/{broken.pk}/{act}", seen(broken, list="", reason="x")).status_code == 403
    assert (ReviewEvent.objects.count(), Cycle.objects.filter(combination=broken).count()) == (before, 0)


@pytest.mark.parametrize("act", ACTS)
def test_a_stranger_can_do_nothing(client: Client, broken: Combination, act: str) -> None:
    response = client.post(f"/combinations/{broken.pk}/{act}", seen(broken, list=""))
    assert response["Location"] == "/sign-in"
    assert not is_dismissed(broken)


@pytest.mark.parametrize("seen_run", ["x", "-1", "1.5", "9" * 40])
def test_a_run_that_is_no_number_is_refused(vera: Client, broken: Combination, seen_run: str) -> None:
    response = vera.post(f"/combinations/{broken.pk}/dismiss", {"seen_run": seen_run, "list": ""})
    assert response.status_code == 400
    assert not is_dismissed(broken)


def test_a_list_that_makes_no_sense_is_refused(vera: Client, broken: Combination) -> None:
    assert vera.post(f"/combinations/{broken.pk}/dismiss", seen(broken, list="sort=colour")).status_code == 400
    assert not is_dismissed(broken)


def test_without_the_token_of_the_form_nothing_is_done(reviewer: User, broken: Combination) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(reviewer)
    response = strict.post(f"/combinations/{broken.pk}/dismiss", seen(broken))
    assert response.status_code == 403
    assert "This form is out of date" in text_of(response)
    assert not is_dismissed(broken)
