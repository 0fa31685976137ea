"""The page of one combination: promised and seen, its parts, answers, runs and activity, and what is like it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import (
    Actor,
    BulkAct,
    Combination,
    Cycle,
    Flag,
    Run,
    Target,
)
from selftest.reviewing import bulk_acts
from selftest.reviewing.assignment import assign
from selftest.reviewing.dismissal import dismiss
from selftest.reviewing.notes import add_note
from selftest.storage.target_clients import bundled_vocabulary
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of


@pytest.fixture
def broken(db: None) -> Combination:
    return factory.flagged("tell me about molybdenum", factory.finding(), factory.finding(CheckName.LATENCY_OUTLIER))


def at(combination: Combination, query: str = "") -> str:
    return f"/combinations/{combination.pk}{query}"


def chain(*parts: Part) -> Combination:
    """A combination of these parts, not asked yet."""
    query = Query("multi_intent_chain", parts)
    return factory.combination_of(query)


# --- promised and seen ---


def test_every_finding_stands_beside_what_was_promised(vera: Client, broken: Combination) -> None:
    text = text_of(vera.get(at(broken)))
    assert "Unasked source The answer comes from a source that nothing in the query points at." in text
    assert "Expected a source: kiwix, web The source that answers is one that the query's own words lead to" in text
    assert "Seen home Show it in the answer the source that the answer names" in text
    assert "source_mismatch: answered by 'home'" in text
    assert "Slow answer" in text
    assert "What does not The merged source, always" in text


def test_the_evidence_leads_to_its_place_in_the_answer(vera: Client) -> None:
    found = factory.finding(CheckName.CRASH, seen="Traceback", where="line 2")
    combination = factory.flagged("", found, result="Fine.\nTraceback\nFine.")
    page = vera.get(at(combination)).content.decode()
    place = f"answer-{combination.last_flagged_run_id}-line-2"
    assert f'href="#{place}"' in page
    assert f'<mark id="{place}">' in page


def test_one_whose_runs_were_deleted_still_tells_its_first_reason(vera: Client, broken: Combination) -> None:
    broken.runs.all().delete()
    text = text_of(vera.get(at(broken)))
    assert "source_mismatch: answered by 'home'" in text
    assert "Its runs are no longer kept." in text


# --- where it stands ---


def test_each_standing_is_told_in_words_with_what_will_bring_it_back(
    vera: Client, reviewer: User, broken: Combination
) -> None:
    def standing() -> str:
        return text_of(vera.get(at(broken)))

    assert "Flagged now A clean run does not remove it from the queue." in standing()
    factory.ask(broken)
    assert "Was flagged Its last run was clean" in standing()
    dismiss(broken, Actor.person(reviewer))
    assert "Dismissed A new flag brings it back; clean runs do not." in standing()
    clean = factory.make_combination()
    assert "Not asked yet" in text_of(vera.get(at(clean)))
    factory.ask(clean)
    assert "Never flagged Its first flag puts it in the queue." in text_of(vera.get(at(clean)))


def test_a_last_run_whose_parts_were_not_checked_is_not_called_clean_alone(vera: Client, broken: Combination) -> None:
    factory.ask(broken, is_unchecked=True)
    text = text_of(vera.get(at(broken)))
    assert "Was flagged Its last run was clean, parts not checked, which does not remove it" in text
    assert "(clean, parts not checked) and run" in text
    assert "Clean, parts not checked" in text
    page = vera.get(at(broken)).context["page"]
    assert page.history.strip.sums == (("unchecked", "1 clean, parts not checked"), ("flagged", "1 flagged"))
    never = factory.make_combination()
    factory.ask(never, is_unchecked=True)
    words = "Never flagged Its last run was clean, parts not checked. Its first flag puts it in the queue."
    assert words in text_of(vera.get(at(never)))
    factory.ask(never)
    assert "Never flagged Its first flag puts it in the queue." in text_of(vera.get(at(never)))


def test_it_says_how_often_it_ran_and_who_holds_it(vera: Client, reviewer: User, broken: Combination) -> None:
    factory.ask(broken)
    assign(broken, Actor.person(reviewer))
    text = text_of(vera.get(at(broken)))
    assert "Assigned to vera just now" in text
    assert "Run 2 times Flagged 1 time First flagged just now Last run just now" in text
    assert 'href="/recipes/no_intent_fallthrough"' in vera.get(at(broken)).content.decode()


def test_a_viewer_sees_it_all_and_no_act(onlooker: Client, broken: Combination) -> None:
    response = onlooker.get(at(broken))
    text = text_of(response)
    assert "Unasked source" in text
    for act in ("Dismiss", "Assign", "Run again", "Add note"):
        assert act not in text
    assert b'action="/combinations/' not in response.content


# --- its parts ---


def test_each_part_is_labelled_and_leads_to_what_was_flagged_with_it(vera: Client) -> None:
    parts = (
        Part(PartKind.INTENT, "weather", "forecast"),
        Part(PartKind.CONJUNCTION, " and "),
        Part(PartKind.INTENT, "headlines", "news"),
    )
    combination = chain(*parts)
    factory.ask(combination, [factory.finding()])
    text = text_of(vera.get(at(combination)))
    assert "Ingredients intent → forecast weather" in text
    assert "conjunction and" in text
    assert 'href="/flags?ingredient=intent%3Anews%3Aheadlines"' in vera.get(at(combination)).content.decode()


def test_each_broken_promise_leads_to_the_cause_of_its_flag(vera: Client, broken: Combination) -> None:
    assert "Cause:" not in text_of(vera.get(at(broken)))
    assert "Its flags are not put down to a cause yet." in text_of(vera.get(at(broken)))
    assign_causes(broken.target, timezone.now())
    page = vera.get(at(broken)).context["page"]
    causes = [Flag.objects.get(run=broken.last_flagged_run, place=place).cause_id for place in (0, 1)]
    assert [one.cause.page for one in page.broken] == [f"/causes/{pk}" for pk in causes]
    assert causes[0] != causes[1]
    assert vera.get(at(broken)).content.decode().count("Cause: <a href=") == 2


# --- its answers ---


def test_the_answer_is_there_whole_with_its_headers_told_apart(vera: Client) -> None:
    document = bundled_vocabulary()
    assert isinstance(document, dict)
    header = document["headers"]["news"]
    combination = factory.flagged(result=f"{header}\nOne & two <three>.\n\nThe end.")
    page = vera.get(at(combination)).content.decode()
    assert f"<strong>{header}\n</strong>One &amp; two &lt;three&gt;.\n\nThe end.</pre>" in page


def test_a_clean_run_does_not_hide_the_answer_that_was_flagged(vera: Client, broken: Combination) -> None:
    flagged = broken.last_flagged_run_id
    factory.ask(broken, result="A good one.")
    text = text_of(vera.get(at(broken)))
    assert f"Flagged answer run {flagged}" in text
    assert "Broken when last flagged" in text
    assert "A good one." not in text


def test_the_flagged_answer_is_compared_with_the_latest_clean_one(vera: Client) -> None:
    combination = factory.make_combination()
    factory.ask(combination, result="Older.")
    clean = factory.ask(combination, result="The door is open.")
    flagged = factory.ask(combination, [factory.finding()], result="The door is locked.")
    text = text_of(vera.get(at(combination)))
    assert f"Run {clean.pk} (clean) and run {flagged.pk} (flagged)" in text
    response = vera.get(at(combination, "/diff"))
    assert is_whole(response)
    text = text_of(response)
    assert "1 line changed" in text
    assert "was: The door is open." in text
    assert "is: The door is locked." in text
    assert b"<mark>locked.</mark>" in response.content


def test_to_htmx_the_comparison_comes_alone(htmx: Client, broken: Combination) -> None:
    factory.ask(broken, result="Other.")
    assert not is_whole(htmx.get(at(broken, "/diff")))


def test_without_a_clean_answer_it_says_that_there_is_none(vera: Client, broken: Combination) -> None:
    assert "No clean run yet to compare with" in text_of(vera.get(at(broken)))
    assert "No run has come back clean so far." in text_of(vera.get(at(broken, "/diff")))
    clean = factory.make_combination()
    assert "It was never flagged." in text_of(vera.get(at(clean, "/diff")))


def test_a_clean_answer_that_is_no_longer_kept_is_not_compared(vera: Client) -> None:
    combination = factory.make_combination()
    clean = factory.ask(combination)
    factory.ask(combination, [factory.finding()])
    Run.objects.filter(pk=clean.pk).update(result="", answer_deleted_at=clean.finished_at + timedelta(days=30))
    text = text_of(vera.get(at(combination, "/diff")))
    assert f"The latest clean answer, of run {clean.pk}, is no longer kept: it was deleted after 30 days." in text


def test_long_answers_are_compared_in_part_and_it_says_how_much_is_left_out(vera: Client) -> None:
    combination = factory.make_combination()
    factory.ask(combination, result="\n".join(f"clean {n}" for n in range(1_300)))
    factory.ask(combination, [factory.finding()], result="\n".join(f"flagged {n}" for n in range(1_500)))
    text = text_of(vera.get(at(combination, "/diff")))
    assert "1,100 more lines of the clean answer and 1,300 of the flagged one are not shown" in text


# --- its runs ---


def test_the_runs_are_a_strip_and_a_table_in_pages(vera: Client) -> None:
    combination = factory.make_combination()
    runs = [factory.ask(combination).pk for _ in range(27)]
    first = vera.get(at(combination)).context["page"].history
    second = vera.get(first.older).context["page"].history
    assert [run.pk for run in (*first.runs, *second.runs)] == sorted(runs, reverse=True)
    assert [mark.run for mark in first.strip.marks] == runs
    assert {mark.kind for mark in first.strip.marks} == {"clean"}


def test_the_latencies_of_its_recipe_are_drawn_with_its_own_marked(vera: Client, broken: Combination) -> None:
    for _ in range(10):
        factory.ask(factory.make_combination())
    cached = factory.ask(factory.make_combination())
    Run.objects.filter(pk=cached.pk).update(cached=True)
    chart = vera.get(at(broken)).context["page"].latency
    assert [dot.is_marked for dot in chart.dots] == [True, *[False] * 10]
    assert {rule.name: rule.words for rule in chart.rules} == {"p95": "35 ms", "threshold": "1000 ms"}
    assert chart.dots[0].sample.is_flagged


def test_latencies_are_no_matter_of_a_flag_that_is_not_about_time(vera: Client) -> None:
    found = factory.flagged("tell me about molybdenum", factory.finding())
    answer = vera.get(at(found))
    assert answer.context["page"].latency is None
    assert "Latency of its recipe" not in text_of(answer)


def test_what_was_promised_comes_first_and_the_smallest_query_before_the_answer(
    vera: Client, broken: Combination
) -> None:
    text = text_of(vera.get(at(broken)))
    headings = ["Expected", "Smallest query", "Flagged answer", "Ingredients", "First flagged", "Runs", "Latency of"]
    places = [text.index(heading) for heading in headings]
    assert places == sorted(places)


# --- its activity ---


def test_the_story_is_told_from_its_newest_event(vera: Client, reviewer: User, broken: Combination) -> None:
    dismiss(broken, Actor.person(reviewer), "known since May")
    factory.ask(broken, [factory.finding()])
    factory.ask(broken)
    add_note(broken, Actor.person(reviewer), "look at the joint")
    assign(broken, Actor.person(reviewer))
    text = text_of(vera.get(at(broken)))
    story = text[text.index("Activity") :]
    told = [
        "Assigned to vera",
        "Note added by vera",
        "look at the joint",
        "Came back clean",
        "Flagged again after dismissal",
    ]
    places = [story.index(words) for words in (*told, "Dismissed by vera", "known since May")]
    assert places == sorted(places)


def test_the_dismissal_in_force_is_restored_from_the_activity_too(
    vera: Client, reviewer: User, broken: Combination
) -> None:
    dismiss(broken, Actor.person(reviewer))
    add_note(broken, Actor.person(reviewer), "a note after it")
    page = vera.get(at(broken)).context["page"]
    assert [(line.what, line.can_restore) for line in page.story] == [
        ("Note added", False),
        ("Dismissed", True),
        ("Flagged", False),
    ]
    factory.ask(broken, [factory.finding()])
    assert not any(line.can_restore for line in vera.get(at(broken)).context["page"].story)


def test_what_was_done_to_many_at_once_leads_there(vera: Client, reviewer: User, broken: Combination) -> None:
    act = bulk_acts.freeze_rows(BulkAct.Kind.DISMISS, {broken.pk: broken.last_run_id}, Actor.person(reviewer))
    bulk_acts.apply(act, Actor.person(reviewer))
    assert f'<a href="/bulk/{act.pk}">bulk action</a>' in vera.get(at(broken)).content.decode()


# --- what is alike ---


def test_up_to_five_open_ones_with_the_same_cause_are_named_newest_first(
    vera: Client, reviewer: User, broken: Combination
) -> None:
    now = timezone.now()
    same = [factory.flagged(f"alike {n}", now=now + timedelta(minutes=n)) for n in range(7)]
    other_check = factory.flagged("not alike", factory.finding(CheckName.CRASH))
    dismiss(same[6], Actor.person(reviewer))
    other_cause = factory.flagged("of another cause")
    factory.put_down([broken, *same], factory.make_cause())
    factory.put_down([other_check, other_cause], factory.make_cause())
    page = vera.get(at(broken, "?sort=age")).context["page"]
    assert [one.query for one in page.alike] == ["alike 5", "alike 4", "alike 3", "alike 2", "alike 1"]
    assert page.alike[0].address == f"/combinations/{same[5].pk}?sort=age"
    broken.refresh_from_db()
    assert page.alike_list == f"/flags?group={broken.cause_id}"
    assert len(vera.get(page.alike_list).context["page"].rows) == 7


# --- copies ---


def test_it_can_be_copied_as_curl_json_and_pytest(vera: Client) -> None:
    factory.a_target()
    Target.objects.update(kind=Target.Kind.HTTP, base_url="http://127.0.0.1:9", api_key="hush-hush")
    combination = factory.flagged("tell me about molybdenum")
    response = vera.get(at(combination))
    page = response.context["page"].reproduction
    assert page.curl.startswith("curl --silent --show-error --globoff http://127.0.0.1:9/search")
    assert "assert answer.source_used in ['fusion', 'kiwix', 'web'], answer.source_used" in page.test
    assert '"reason": "source_mismatch: answered by \'home\'"' in page.document
    for name in ("as-curl", "as-json", "as-pytest"):
        assert f'data-copy="{name}"' in response.content.decode()
        assert f'id="{name}"' in response.content.decode()
    assert b"hush-hush" not in response.content


# --- everything else ---


@pytest.mark.parametrize("page", ["", "/diff"], ids=["page", "comparison"])
def test_script_anywhere_is_shown_as_text(vera: Client, reviewer: User, page: str) -> None:
    broken = factory.finding(summary=SCRIPT, promised=SCRIPT, seen=SCRIPT, where=SCRIPT)
    combination = factory.make_combination(f"tell me {SCRIPT}")
    factory.ask(combination, result=f"Clean {SCRIPT}")
    factory.ask(combination, [broken], result=SCRIPT, source=SCRIPT, error=SCRIPT)
    add_note(combination, Actor.person(reviewer), SCRIPT)
    dismiss(combination, Actor.person(reviewer), SCRIPT)
    User.objects.filter(pk=reviewer.pk).update(username=SCRIPT)
    assign(combination, Actor.person(User.objects.get(pk=reviewer.pk)))
    assert_escaped(vera.get(at(combination, page)))


def test_the_number_of_queries_does_not_grow(
    vera: Client, reviewer: User, broken: Combination, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    vera.get(at(broken))
    for count in (1, 20):
        for n in range(count):
            alike = factory.flagged(f"alike {count} {n}")
            factory.put_down([alike, broken], factory.make_cause())
            factory.ask(broken)
            factory.ask(broken, [factory.finding()])
            add_note(broken, Actor.person(reviewer), "a note")
        cycle = Cycle.objects.create(
            target=broken.target, trigger=Cycle.Trigger.PAGE, seed=1, queries_wanted=5, combination=broken,
            created_at=timezone.now(),
        )  # fmt: skip
        factory.plan_run(broken, cycle)
        with django_assert_max_num_queries(24):
            vera.get(at(broken, "?sort=severity"))
        with django_assert_max_num_queries(10):
            vera.get(at(broken, "/diff"))
        cycle.delete()


def test_the_list_that_the_reader_came_from_stays_with_the_page(vera: Client, broken: Combination) -> None:
    place = vera.get(at(broken, "?check=source_mismatch&sort=age&again=3&before=4")).context["page"].place
    assert place.query == "check=source_mismatch&sort=age"
    assert place.back == "/flags?check=source_mismatch&sort=age"


@pytest.mark.parametrize("query", ["?sort=colour", "?tab=x", "?check=x", "?before=x", "?again=x"])
def test_a_parameter_that_makes_no_sense_is_refused(vera: Client, broken: Combination, query: str) -> None:
    factory.plan_run(broken, Cycle.objects.create(
        target=broken.target, trigger="page", seed=1, queries_wanted=1, combination=broken, created_at=timezone.now()
    ))  # fmt: skip
    assert vera.get(at(broken, query)).status_code == 400


@pytest.mark.parametrize("page", ["", "/diff", "/next", "/previous", "/again/1"])
@pytest.mark.parametrize("pk", [4711, 10**30])
def test_an_unknown_one_is_not_found(vera: Client, pk: int, page: str) -> None:
    assert vera.get(f"/combinations/{pk}{page}").status_code == 404


@pytest.mark.parametrize("page", ["", "/diff", "/next", "/previous", "/again/1"])
def test_only_reading_is_allowed(vera: Client, broken: Combination, page: str) -> None:
    assert vera.post(at(broken, page)).status_code == 405


@pytest.mark.parametrize("page", ["", "/diff", "/next", "/previous", "/again/1"])
def test_a_stranger_is_sent_to_sign_in(client: Client, broken: Combination, page: str) -> None:
    assert client.get(at(broken, page))["Location"].startswith("/sign-in?next=")


def test_somebody_without_a_role_sees_nothing(client: Client, broken: Combination) -> None:
    client.force_login(User.objects.create_user("nobody"))
    for page in ("", "/diff", "/next"):
        assert client.get(at(broken, page)).status_code == 403
