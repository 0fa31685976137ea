"""The queue: what is in it, in which order, and what stands there when it is empty."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django_q.models import Schedule
from pytest_django import DjangoAssertNumQueries

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.findings import CheckName
from selftest.cycles import statistics
from selftest.guarantees import GUARANTEES
from selftest.models import Actor, Combination, Cycle, ReviewEvent, Target, Tuning
from selftest.operating.schedule import follow_tuning
from selftest.reviewing.dismissal import dismiss
from selftest.storage.serialization import query_document
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)


def test_a_flagged_combination_stands_there_with_what_was_promised_and_seen(vera: Client) -> None:
    broken = factory.finding(promised="a source: kiwix, web", seen="home")
    factory.flagged("tell me about molybdenum", broken, source="home")
    text = text_of(vera.get("/flags"))
    assert "1 to review" in text
    assert "Unasked source answered by 'home' Flagged now" in text
    assert "tell me about molybdenum" in text
    assert "Expected a source: kiwix, web Seen home" in text
    assert "Source home Last run" in text
    assert "Times run 1" in text
    assert "no_intent_fallthrough" in text


def test_each_check_has_its_own_shape_and_words(vera: Client) -> None:
    for check in CheckName:
        factory.flagged("", factory.finding(check))
    first = vera.get("/flags")
    both = [first, vera.get(first.context["page"].older)]
    page, text = "".join(each.content.decode() for each in both), " ".join(map(text_of, both))
    for check in CheckName:
        assert page.count(f"shapes.svg#{check}") == 1
        assert text.count(f" {GUARANTEES[check].name} answered by 'home'") == 1


def test_one_that_came_back_clean_stays_and_says_that_it_was_flagged(vera: Client) -> None:
    combination = factory.flagged("tell me about molybdenum")
    factory.ask(combination)
    text = text_of(vera.get("/flags"))
    assert "1 to review" in text
    assert "answered by 'home' Was flagged" in text
    assert "answered by 'home' Flagged now" not in text


def test_what_is_of_the_latest_run_and_what_of_the_flagged_one_is_said(vera: Client) -> None:
    combination = factory.flagged(source="home")
    text = text_of(vera.get("/flags"))
    assert "Raw answer Some" in text
    assert "Source home Last run" in text
    factory.ask(combination, source="kiwix")
    text = text_of(vera.get("/flags"))
    assert "Raw answer of the flagged run" in text
    assert "Latest source kiwix Last run" in text


def test_the_latency_is_told_of_flags_about_time_alone(vera: Client) -> None:
    slow = factory.flagged("tell me about molybdenum", factory.finding(CheckName.LATENCY_OUTLIER))
    assert "Source kiwix Latency 35 ms Last run" in text_of(vera.get("/flags"))
    factory.ask(slow)
    assert "Latest latency 35 ms Latencies" in text_of(vera.get("/flags"))


def test_with_one_target_rows_do_not_name_it_and_with_two_they_do(vera: Client) -> None:
    factory.flagged()
    assert "Target bundled" not in text_of(vera.get("/flags"))
    second = factory.make_target("second", is_default=False)
    factory.ask(factory.make_combination("", second), [factory.finding()], cycle=factory.make_cycle(target=second))
    text = text_of(vera.get("/flags"))
    assert "Target bundled Source" in text
    assert "Target second Source" in text


BODY = "<html><head><title>Internal Server Error</title></head><body>" + "It broke. " * 60


def test_a_crash_with_a_long_body_is_told_once_and_briefly(vera: Client) -> None:
    error = f"HTTP 500: {BODY[:200]}…"
    crash = factory.finding(CheckName.CRASH, summary=error, seen=f"{error}\n{BODY[:300]}…", where="error")
    factory.flagged("", crash, result=BODY, error=error)
    found = vera.get("/flags").context["page"].rows[0].finding
    assert found.title == f"{error[:100].rstrip()}…"
    assert found.brief_seen == error


def test_what_was_seen_keeps_one_mark_where_it_is_cut(vera: Client) -> None:
    factory.flagged("", factory.finding(CheckName.CRASH, seen="HTTP 500\n" + "x" * 300 + "…"))
    assert vera.get("/flags").context["page"].rows[0].finding.brief_seen == "HTTP 500\n" + "x" * 231 + "…"


def test_what_is_short_is_shown_as_it_is(vera: Client) -> None:
    factory.flagged("", factory.finding(seen="the end… "))
    assert vera.get("/flags").context["page"].rows[0].finding.brief_seen == "the end… "


def test_the_other_findings_of_the_run_are_named(vera: Client) -> None:
    factory.flagged("", factory.finding(), factory.finding(CheckName.LATENCY_OUTLIER))
    assert "Also Slow answer" in text_of(vera.get("/flags"))


def test_dismissed_and_clean_combinations_are_not_there(vera: Client, reviewer: User) -> None:
    gone = factory.flagged("a dismissed one")
    dismiss(gone, Actor.person(reviewer))
    factory.ask(factory.make_combination("a clean one"))
    response = vera.get("/flags")
    assert "0 to review" in text_of(response)
    assert response.context["page"].rows == ()
    assert "a clean one" not in text_of(response)


def test_the_newest_run_comes_first(vera: Client) -> None:
    for hours, query in ((3, "oldest"), (1, "newest"), (2, "middle")):
        factory.flagged(f"the {query} one", now=NOON - timedelta(hours=hours))
    text = text_of(vera.get("/flags?flat=1"))
    assert text.index("the newest one") < text.index("the middle one") < text.index("the oldest one")


def test_times_are_relative_with_the_exact_one_beside_them(vera: Client) -> None:
    factory.flagged(now=timezone.now() - timedelta(minutes=3))
    page = vera.get("/flags").content.decode()
    assert "3 min ago</time>" in page
    assert '<time datetime="2' in page
    assert ' UTC">' in page


def test_script_in_a_query_a_reason_and_an_answer_is_shown_as_text(vera: Client) -> None:
    broken = factory.finding(summary=SCRIPT, promised=SCRIPT, seen=SCRIPT)
    factory.flagged(f"tell me {SCRIPT}", broken, result=SCRIPT, source=SCRIPT)
    assert_escaped(vera.get("/flags"))


# --- empty ---


def test_without_a_target_it_says_what_to_do(vera: Client) -> None:
    text = text_of(vera.get("/flags"))
    assert "No target yet" in text
    assert "manage.py start" in text
    assert "Run a cycle now" not in text


@pytest.mark.usefixtures("target")
def test_before_the_first_cycle_it_says_what_comes(vera: Client) -> None:
    follow_tuning()
    text = text_of(vera.get("/flags"))
    assert "Nothing asked yet" in text
    assert "A cycle starts every 60 minutes." in text
    assert "Run a cycle now" in text


def test_with_everything_clean_it_says_what_was_covered(vera: Client) -> None:
    for _ in range(3):
        statistics.count(factory.ask(factory.make_combination()).cycle, timezone.now())  # as a cycle's end does
    text = text_of(vera.get("/flags"))
    assert "No flags so far" in text
    assert "3 combinations tried so far" in text
    assert "dealt with" not in text


def test_with_everything_dismissed_it_says_that_it_was_dealt_with(vera: Client, reviewer: User) -> None:
    dismiss(factory.flagged(), Actor.person(reviewer))
    ReviewEvent.objects.update(at=timezone.now() - timedelta(days=2))
    text = text_of(vera.get("/flags"))
    assert "Nothing to review" in text
    assert "Every flag has been dealt with" in text


# --- what was dismissed ---


def test_what_was_dismissed_is_a_tab_away_and_can_be_put_back(vera: Client, reviewer: User) -> None:
    gone = factory.flagged("tell me about molybdenum")
    dismiss(gone, Actor.person(reviewer))
    text = text_of(vera.get("/flags?tab=dismissed"))
    assert "tell me about molybdenum" in text
    assert "Restore" in text
    after = vera.post(f"/combinations/{gone.pk}/undismiss", {"back": "/flags?tab=dismissed"}, follow=True)
    assert after.redirect_chain == [("/flags?tab=dismissed", 302)]
    assert "Back in the queue: tell me about molybdenum" in text_of(after)
    assert "Nothing dismissed yet" in text_of(after)


def test_one_flagged_again_after_its_dismissal_is_among_the_dismissed_no_more(vera: Client, reviewer: User) -> None:
    again = factory.flagged("again")
    dismiss(again, Actor.person(reviewer))
    factory.ask(again, [factory.finding()])
    assert vera.get("/flags?tab=dismissed").context["page"].rows == ()
    assert [row.query for row in vera.get("/flags").context["page"].rows] == ["again"]


def test_script_in_a_dismissed_query_is_shown_as_text(vera: Client, reviewer: User) -> None:
    dismiss(factory.flagged(f"tell me {SCRIPT}"), Actor.person(reviewer))
    assert_escaped(vera.get("/flags?tab=dismissed"))


# --- as things stand ---


@pytest.mark.usefixtures("target")
def test_switched_off_it_says_so_and_offers_no_cycle(vera: Client) -> None:
    Tuning.objects.update_or_create(pk=Tuning.get_solo().pk, defaults={"enabled": False})
    response = vera.get("/flags")
    text, markup = text_of(response), response.content.decode()
    assert "Switched off : nothing is scheduled and nothing is asked." in text
    assert re.search(r"<span><span[^>]*>.* Switched off</span>: nothing is scheduled", markup)  # one box, so no gap
    assert "Run a cycle now" not in text


@pytest.mark.usefixtures("target")
def test_switched_off_in_the_environment_counts_too(vera: Client, settings: LazySettings) -> None:
    settings.ADVERSARIAL_TEST_ENABLED = False
    assert "Switched off" in text_of(vera.get("/flags"))


def test_a_target_that_is_switched_off_is_named(vera: Client, target: Target) -> None:
    Target.objects.update(enabled=False)
    text = text_of(vera.get("/flags"))
    assert "bundled is switched off" in text
    assert "Run a cycle now" not in text


def test_a_target_that_is_away_is_named_with_the_reason(vera: Client) -> None:
    away = factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, "connection refused")
    text = text_of(vera.get("/flags"))
    assert f"bundled is away. Cycle {away.pk} could not reach it just now : connection refused" in text
    factory.make_cycle()
    assert "is away" not in text_of(vera.get("/flags"))


@pytest.mark.usefixtures("target")
def test_a_cycle_that_no_worker_takes_is_called_late(vera: Client) -> None:
    follow_tuning()
    schedule = Schedule.objects.get()
    schedule.next_run = timezone.now() - timedelta(hours=2)
    schedule.save()
    assert "The next was due 2 h ago and is waiting for the worker" in text_of(vera.get("/flags"))


# --- pages of it ---


def test_older_rows_are_one_link_away_and_each_row_is_shown_once(vera: Client) -> None:
    made = [factory.flagged(f"number {n:03}", now=NOON - timedelta(minutes=n // 7)) for n in range(35)]
    first = vera.get("/flags?flat=1")
    older = first.context["page"].older
    second = vera.get(older)
    shown = [row.pk for page in (first, second) for row in page.context["page"].rows]
    assert len(first.context["page"].rows) == 20
    assert sorted(shown) == sorted(combination.pk for combination in made)
    assert second.context["page"].older == ""


def test_htmx_gets_the_rows_alone_at_the_same_address(htmx: Client) -> None:
    factory.flagged("tell me about molybdenum")
    response = htmx.get("/flags")
    assert not is_whole(response)
    assert "tell me about molybdenum" in text_of(response)
    assert "HX-Request" in response["Vary"]


@pytest.mark.parametrize(
    "after",
    [
        "x",
        "~",
        "2026-06-30T12:00:00~1",
        "2026-06-30T12:00:00+00:00~x",
        "2026-13-45T12:00:00+00:00~1",
        "2026-06-30T12:00:00+00:00~1~1",
        f"2026-06-30T12:00:00+00:00~{'9' * 40}",
        "1~" * 40,
    ],
)
@pytest.mark.parametrize("flat", ["", "1"])
def test_a_place_that_makes_no_sense_is_refused(vera: Client, after: str, flat: str) -> None:
    factory.flagged()
    assert vera.get("/flags", {"after": after, **({"flat": flat} if flat else {})}).status_code == 400


def test_the_number_of_queries_does_not_grow_with_the_rows(
    vera: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    Tuning.get_solo()
    for count in (1, 30):
        for _ in range(count):
            factory.flagged()
        with django_assert_max_num_queries(27):
            vera.get("/flags")


# --- who and how ---


def test_a_stranger_is_sent_to_sign_in_and_back(client: Client, db: None) -> None:
    response = client.get("/flags?tab=dismissed")
    assert response.status_code == 302
    assert response["Location"] == "/sign-in?next=%2Fflags%3Ftab%3Ddismissed"


def test_a_stranger_s_htmx_is_told_where_to_go(client: Client, db: None) -> None:
    bad = client.get("/flags", headers={"HX-Request": "true", "HX-Current-URL": "http://[::1"})
    assert bad["HX-Redirect"] == "/sign-in"
    response = client.get("/flags", headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/?after=x"})
    assert response["HX-Redirect"] == "/sign-in?next=%2F%3Fafter%3Dx"


def test_only_reading_is_allowed(vera: Client) -> None:
    assert vera.post("/flags").status_code == 405


def test_only_staff_is_shown_the_way_to_the_admin(vera: Client, admin_client: Client) -> None:
    assert "Admin" not in text_of(vera.get("/flags"))
    assert "Admin" in text_of(admin_client.get("/flags"))


def test_nothing_of_it_is_kept_by_the_browser(vera: Client) -> None:
    assert "no-store" in vera.get("/flags")["Cache-Control"]


def test_what_only_fills_up_a_very_long_query_is_cut_and_the_rest_of_it_is_not(vera: Client, target: Target) -> None:
    said = Query(
        "very_long_input",
        (Part(PartKind.TOPIC, "knots"), Part(PartKind.MARK, " knots" * 400), Part(PartKind.INTENT, "rss", "news")),
    )
    combination = factory.make_combination()
    Combination.objects.filter(pk=combination.pk).update(query=query_document(said), last_query_text=said.text)
    combination.refresh_from_db()
    factory.ask(combination, [factory.finding()])
    text = text_of(vera.get("/flags"))
    assert "… (2,280 more characters) …" in text  # 2,400 without 120 of its beginning and end
    assert text.count("knots") < 100
    assert "rss" in text


def test_a_row_that_was_flagged_says_where_its_last_run_was_not_checked(vera: Client) -> None:
    broken = factory.flagged("an odd one")
    factory.ask(broken)
    assert 'title="Its last run was clean. Only' in vera.get("/flags").content.decode()
    factory.ask(broken, is_unchecked=True)
    assert 'title="Its last run was clean, parts not checked. Only' in vera.get("/flags").content.decode()
