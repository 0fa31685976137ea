"""Cycles: the list, one with its runs, and asking for one now."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ
from pytest_django import DjangoAssertNumQueries

from selftest.core.judging.answers import Answer
from selftest.core.judging.probes import Purpose
from selftest.cycles import recording
from selftest.models import Cycle, Run, Target, Tuning
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of


def test_the_list_has_the_newest_first_with_what_they_came_to(vera: Client) -> None:
    factory.make_cycle(Cycle.State.INTERRUPTED, "its worker died")
    newest = factory.make_cycle()
    factory.ask(factory.make_combination(), [factory.finding()], cycle=newest)
    text = text_of(vera.get("/cycles"))
    assert text.index("Finished") < text.index("Interrupted")
    assert "bundled Command Asked 1 of 8 New 1 Flagged 1" in text
    assert "its worker died" in text


def test_without_cycles_the_list_says_what_one_is(vera: Client, target: Target) -> None:
    text = text_of(vera.get("/cycles"))
    assert "No cycles yet" in text
    assert "Run a cycle now" in text


def test_older_cycles_are_one_link_away(vera: Client) -> None:
    made = [factory.make_cycle().pk for _ in range(52)]
    first = vera.get("/cycles").context["page"]
    second = vera.get(first.older).context["page"]
    assert [cycle.pk for cycle in (*first.cycles, *second.cycles)] == sorted(made, reverse=True)


def test_htmx_gets_the_lines_of_the_list_alone(htmx: Client) -> None:
    factory.make_cycle()
    response = htmx.get("/cycles")
    assert not is_whole(response)
    assert "Finished" in text_of(response)


def test_a_cycle_shows_all_its_runs_the_clean_ones_too(vera: Client) -> None:
    cycle = factory.make_cycle()
    factory.ask(factory.make_combination("a clean one"), cycle=cycle)
    factory.ask(factory.make_combination("a broken one"), [factory.finding()], source="home", cycle=cycle)
    factory.plan_run(factory.make_combination("one to come"), cycle)
    text = text_of(vera.get(f"/cycles/{cycle.pk}"))
    assert "Clean a clean one no_intent_fallthrough kiwix 35 ms" in text
    assert "Unasked source a broken one no_intent_fallthrough home 35 ms" in text
    assert "Planned one to come no_intent_fallthrough – –" in text
    assert "2 of 8 asked" in text


def test_a_cycle_tells_what_its_probes_were_for(vera: Client) -> None:
    run = factory.ask(factory.make_combination("weather plus headlines"))
    assert "Probes" not in text_of(vera.get(f"/cycles/{run.cycle_id}"))
    for purpose in (Purpose.AGAIN, Purpose.PART, Purpose.PART):
        factory.probe(run, "weather", "forecast", purpose=purpose)
    assert "3 probes: 2 asked alone, 1 asked again" in text_of(vera.get(f"/cycles/{run.cycle_id}"))


def test_a_clean_run_whose_parts_found_no_probe_says_so(vera: Client) -> None:
    cycle = factory.make_cycle()
    for text, is_unchecked in (("a checked one", False), ("another one", True)):
        factory.ask(factory.make_combination(text), cycle=cycle, is_unchecked=is_unchecked)
    text = text_of(vera.get(f"/cycles/{cycle.pk}"))
    assert "Clean a checked one" in text
    assert "Clean, parts not checked another one" in text


@pytest.mark.parametrize(
    ("at_most", "sent", "unchecked", "words"),
    [
        (8, 8, 4, "8 of 8 probes used, 4 queries unchecked. Probes: 8 asked alone"),
        (8, 3, 0, "3 of 8 probes used. Probes: 3 asked alone"),
        (1, 1, 1, "1 of 1 probe used, 1 query unchecked. Probes: 1 asked alone"),
        (0, 0, 2, "0 of 0 probes used, 2 queries unchecked"),
        (8, 0, 0, "0 of 8 probes used"),
    ],
)
def test_a_cycle_tells_how_many_probes_it_used_and_how_many_queries_are_unchecked(
    at_most: int, sent: int, unchecked: int, words: str, vera: Client
) -> None:
    cycle = factory.make_cycle()
    run = factory.ask(factory.make_combination(), cycle=cycle)
    for _ in range(unchecked):
        factory.ask(factory.make_combination(), cycle=cycle, is_unchecked=True)
    for _ in range(sent):
        factory.probe(run, "weather", "forecast", purpose=Purpose.PART)
    Cycle.objects.filter(pk=cycle.pk).update(probes_at_most=at_most)
    assert vera.get(f"/cycles/{cycle.pk}").context["page"].probes == words


def test_a_cycle_without_probes_says_nothing_of_any(vera: Client) -> None:
    cycle = factory.make_cycle()
    factory.ask(factory.make_combination(), cycle=cycle)
    text = text_of(vera.get(f"/cycles/{cycle.pk}"))
    assert "probe" not in text
    assert "unchecked" not in text


def test_what_is_unchecked_is_counted_while_the_cycle_runs(vera: Client) -> None:
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    factory.ask(factory.make_combination(), cycle=cycle, is_unchecked=True)
    Cycle.objects.update(unchecked=None, probes_at_most=8)  # counted at the end only
    assert "0 of 8 probes used, 1 query unchecked" in text_of(vera.get(f"/cycles/{cycle.pk}"))


def test_a_cycle_that_has_not_begun_says_that_it_waits(vera: Client) -> None:
    cycle = factory.make_cycle(Cycle.State.PLANNED)
    text = text_of(vera.get(f"/cycles/{cycle.pk}"))
    assert "Waiting for the worker" in text
    assert "Nothing asked yet" in text


def test_the_page_follows_a_cycle_until_it_is_over(htmx: Client) -> None:
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    run = factory.plan_run(factory.make_combination(), cycle)
    assert 'data-poll-s="2"' in htmx.get(f"/cycles/{cycle.pk}").content.decode()
    recording.claim(run, cycle.created_at)
    response = htmx.get(f"/cycles/{cycle.pk}")
    assert not is_whole(response)
    assert "Asking" in text_of(response)
    Cycle.objects.update(state=Cycle.State.FINISHED, finished_at=cycle.created_at)
    assert "data-poll-s" not in htmx.get(f"/cycles/{cycle.pk}").content.decode()


def test_while_nothing_changes_the_page_is_told_nothing(htmx: Client) -> None:
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    run = factory.plan_run(factory.make_combination(), cycle)
    poll = htmx.get(f"/cycles/{cycle.pk}").context["page"].poll
    assert htmx.get(poll).status_code == 204
    recording.claim(run, cycle.created_at)
    assert htmx.get(poll).status_code == 200
    poll = htmx.get(f"/cycles/{cycle.pk}?from=0").context["page"].poll
    assert poll.startswith(f"/cycles/{cycle.pk}?from=0&seen=")
    assert htmx.get(poll).status_code == 204
    Cycle.objects.update(state=Cycle.State.FINISHED, finished_at=cycle.created_at)
    assert htmx.get(poll).status_code == 200


def test_an_address_that_was_polled_is_an_ordinary_page_to_anybody_else(vera: Client) -> None:
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    poll = vera.get(f"/cycles/{cycle.pk}").context["page"].poll
    assert is_whole(vera.get(poll))


def test_a_line_of_the_list_follows_its_cycle_until_it_is_over(htmx: Client) -> None:
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    run = factory.plan_run(factory.make_combination(), cycle)
    line = htmx.get("/cycles").context["page"].cycles[0]
    assert '<progress value="0" max="8"' in htmx.get("/cycles").content.decode()
    assert htmx.get(line.poll).status_code == 204
    recording.claim(run, cycle.created_at)
    recording.record(run, Answer("Content.", "kiwix", 3.0), (), cycle.created_at)
    response = htmx.get(line.poll)
    assert not is_whole(response)
    assert '<progress value="1" max="8"' in response.content.decode()
    Cycle.objects.update(state=Cycle.State.FINISHED, finished_at=cycle.created_at)
    response = htmx.get(line.poll)
    assert "Finished" in text_of(response)
    assert "data-poll-s" not in response.content.decode()


def test_a_line_alone_is_only_for_htmx(vera: Client) -> None:
    cycle = factory.make_cycle()
    assert vera.get(f"/cycles/{cycle.pk}/line")["Location"] == f"/cycles/{cycle.pk}"


def test_one_cycle_tells_how_it_came_about(vera: Client) -> None:
    cycle = factory.make_cycle()
    Cycle.objects.update(recipes=["multi_intent_chain", "no_intent_fallthrough"])
    text = text_of(vera.get(f"/cycles/{cycle.pk}"))
    assert "Trigger Command" in text
    assert "Recipes multi_intent_chain, no_intent_fallthrough" in text
    assert "Vocabulary version 1 Seed 7" in text
    command = "uv run manage.py run_cycle --seed 7 --count 8 --recipe multi_intent_chain no_intent_fallthrough"
    assert f'<code id="command">{command}</code>' in vera.get(f"/cycles/{cycle.pk}").content.decode()


def test_the_command_names_a_target_that_is_not_the_default(vera: Client) -> None:
    cycle = factory.make_cycle(target=factory.make_target("the cellar's", is_default=False))
    command = vera.get(f"/cycles/{cycle.pk}").context["page"].command
    assert command == """uv run manage.py run_cycle --seed 7 --count 8 --target 'the cellar'"'"'s'"""


# --- held to a target or a state ---


def test_the_list_can_be_held_to_a_target_and_a_state(vera: Client) -> None:
    cellar = factory.make_target("cellar", is_default=False)
    factory.make_cycle()
    wanted = factory.make_cycle(Cycle.State.INTERRUPTED, target=cellar)
    factory.make_cycle(target=cellar)
    page = vera.get(f"/cycles?target={cellar.pk}&state=interrupted").context["page"]
    assert [cycle.pk for cycle in page.cycles] == [wanted.pk]
    assert [(option.words, option.is_chosen) for option in page.targets] == [("bundled", False), ("cellar", True)]
    assert [option.value for option in page.states if option.is_chosen] == ["interrupted"]


def test_older_ones_are_held_to_the_same(vera: Client) -> None:
    for _ in range(51):
        factory.make_cycle(Cycle.State.INTERRUPTED)
        factory.make_cycle()
    older = vera.get("/cycles?state=interrupted").context["page"].older
    assert older.startswith("/cycles?state=interrupted&before=")
    assert {cycle.state for cycle in vera.get(older).context["page"].cycles} == {"Interrupted"}


def test_where_none_is_in_that_state_it_says_so(vera: Client) -> None:
    factory.make_cycle()
    text = text_of(vera.get("/cycles?state=running"))
    assert "No cycle of this target is in this state. All cycles" in text
    assert "No cycles yet" not in text


@pytest.mark.parametrize(
    ("question", "fault"),
    [("target=x", "target: not a number"), ("target=4711", "target: unknown number"), ("state=done", "state: one of ")],
)
def test_what_it_cannot_be_held_to_is_refused_by_name(vera: Client, question: str, fault: str) -> None:
    response = vera.get(f"/cycles?{question}")
    assert response.status_code == 400
    assert fault in text_of(response)


# --- what it repeats ---


def test_a_repetition_tells_what_it_repeats(vera: Client) -> None:
    earlier = factory.make_cycle()
    combination = factory.make_combination("tell me about molybdenum")
    again, replay = factory.make_cycle(), factory.make_cycle()
    Cycle.objects.filter(pk=again.pk).update(combination=combination)
    Cycle.objects.filter(pk=replay.pk).update(replay_of=earlier)
    text = text_of(vera.get("/cycles"))
    assert "Repeats tell me about molybdenum" in text
    assert f"Repeats cycle {earlier.pk} " in text
    markup = vera.get(f"/cycles/{again.pk}").content.decode()
    assert f'<a href="/combinations/{combination.pk}">one combination</a>' in markup
    assert "The same seed" not in markup
    assert f'<a href="/cycles/{earlier.pk}">cycle {earlier.pk}</a>' in vera.get(f"/cycles/{replay.pk}").content.decode()
    assert f"Replays Cycle {replay.pk}" in text_of(vera.get(f"/cycles/{earlier.pk}"))


def test_replay_hands_it_to_the_worker_and_shows_the_new_one(
    vera: Client, django_capture_on_commit_callbacks: object
) -> None:
    earlier = factory.make_cycle()
    factory.ask(factory.make_combination(), cycle=earlier)
    assert f'action="/cycles/{earlier.pk}/replay"' in vera.get(f"/cycles/{earlier.pk}").content.decode()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        response = vera.post(f"/cycles/{earlier.pk}/replay", follow=True)
    replay = Cycle.objects.get(replay_of=earlier)
    assert response.redirect_chain == [(f"/cycles/{replay.pk}", 302)]
    assert (replay.state, replay.queries_wanted) == (Cycle.State.PLANNED, 1)
    assert OrmQ.objects.count() == 1


def test_a_replay_that_is_refused_says_why(vera: Client) -> None:
    cycle = factory.make_cycle()
    text = text_of(vera.post(f"/cycles/{cycle.pk}/replay", follow=True))
    assert f"Nothing was asked: cycle {cycle.pk} ended before it had chosen any query" in text
    factory.ask(factory.make_combination(), cycle=cycle)
    Tuning.objects.update_or_create(pk=Tuning.get_solo().pk, defaults={"enabled": False})
    text = text_of(vera.post(f"/cycles/{cycle.pk}/replay", follow=True))
    assert "Testing is switched off, so nothing was asked." in text
    assert Cycle.objects.count() == 1


def test_what_is_not_over_offers_no_replay(vera: Client) -> None:
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    factory.plan_run(factory.make_combination(), cycle)
    assert "Replay" not in text_of(vera.get(f"/cycles/{cycle.pk}")).replace("Replay asks the very same ones", "")


def test_who_may_only_look_replays_nothing(onlooker: Client) -> None:
    cycle = factory.make_cycle()
    factory.ask(factory.make_combination(), cycle=cycle)
    assert "/replay" not in onlooker.get(f"/cycles/{cycle.pk}").content.decode()
    assert onlooker.post(f"/cycles/{cycle.pk}/replay").status_code == 403
    assert Cycle.objects.count() == 1


def test_reading_replays_nothing_and_an_unknown_one_is_not_found(vera: Client) -> None:
    cycle = factory.make_cycle()
    assert vera.get(f"/cycles/{cycle.pk}/replay").status_code == 405
    assert vera.post("/cycles/4711/replay").status_code == 404
    assert vera.post(f"/cycles/{cycle.pk}/line").status_code == 405


def test_what_is_asked_is_counted_while_it_runs(vera: Client) -> None:
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    factory.ask(factory.make_combination(), [factory.finding()], cycle=cycle)
    Cycle.objects.update(queries_run=0, flagged=0, novel=0)  # counted at the end only
    assert "1 of 8 asked 1 new 1 flagged" in text_of(vera.get(f"/cycles/{cycle.pk}"))
    assert "Asked 1 of 8" in text_of(vera.get("/cycles"))


def test_many_runs_come_in_pages(vera: Client) -> None:
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    for _ in range(103):
        factory.plan_run(factory.make_combination(), cycle)
    first = vera.get(f"/cycles/{cycle.pk}").context["page"]
    second = vera.get(first.more).context["page"]
    assert [run.place for run in (*first.runs, *second.runs)] == list(range(1, 104))
    assert second.more == ""


def test_script_is_shown_as_text(vera: Client) -> None:
    cycle = factory.make_cycle(Cycle.State.INTERRUPTED, SCRIPT)
    factory.ask(factory.make_combination(f"tell me {SCRIPT}"), source=SCRIPT, cycle=cycle)
    assert_escaped(vera.get(f"/cycles/{cycle.pk}"))
    assert_escaped(vera.get("/cycles"))


def test_the_number_of_queries_does_not_grow_with_the_runs(
    vera: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    Tuning.get_solo()
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    for count in (1, 20):
        for _ in range(count):
            factory.ask(factory.make_combination(), [factory.finding()], cycle=cycle)
            factory.make_cycle()
        with django_assert_max_num_queries(10):
            vera.get(f"/cycles/{cycle.pk}")
        with django_assert_max_num_queries(20):
            vera.get("/cycles")


def test_the_flags_of_a_finished_cycle_lead_to_the_queue(vera: Client) -> None:
    cycle = factory.make_cycle()
    factory.ask(factory.make_combination(), [factory.finding()], cycle=cycle)
    assert 'class="strong" href="/flags">1 flagged</a>' in vera.get(f"/cycles/{cycle.pk}").content.decode()
    clean = factory.make_cycle()
    assert "0 flagged</span>" in vera.get(f"/cycles/{clean.pk}").content.decode()


def test_the_version_of_the_target_is_called_that(vera: Client) -> None:
    cycle = factory.make_cycle()
    Cycle.objects.update(target_version="reference-1")
    assert "Target bundled (version reference-1)" in text_of(vera.get(f"/cycles/{cycle.pk}"))


# --- asking for one ---


@pytest.mark.usefixtures("target")
def test_that_it_waits_is_not_said_any_more_once_it_has_begun(vera: Client) -> None:
    address = vera.post("/cycles/run")["Location"]
    Cycle.objects.update(state=Cycle.State.FINISHED, started_at=timezone.now(), finished_at=timezone.now())
    text = text_of(vera.get(address))
    assert "Finished" in text
    assert "takes it next" not in text
    assert "Queued" not in text


@pytest.mark.usefixtures("target")
def test_asking_for_a_cycle_hands_it_to_the_worker_and_shows_it(
    vera: Client, django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        response = vera.post("/cycles/run", follow=True)
    cycle = Cycle.objects.get()
    assert cycle.trigger == Cycle.Trigger.PAGE
    assert response.redirect_chain == [(f"/cycles/{cycle.pk}", 302)]
    assert "Waiting for the worker" in text_of(response)
    assert OrmQ.objects.count() == 1
    assert not Run.objects.exists()


@pytest.mark.usefixtures("target")
def test_switched_off_it_says_so_and_queues_nothing(vera: Client) -> None:
    Tuning.objects.update_or_create(pk=Tuning.get_solo().pk, defaults={"enabled": False})
    response = vera.post("/cycles/run", {"back": "/cycles"}, follow=True)
    assert response.redirect_chain == [("/cycles", 302)]
    assert "Testing is switched off, so nothing was asked." in text_of(response)
    assert not Cycle.objects.exists()


def test_without_a_target_it_says_so(vera: Client) -> None:
    assert "Nothing was asked: there is no target yet" in text_of(vera.post("/cycles/run", follow=True))


def test_reading_asks_for_nothing(vera: Client, target: Target) -> None:
    assert vera.get("/cycles/run").status_code == 405
    assert not Cycle.objects.exists()


def test_a_stranger_asks_for_nothing(client: Client, target: Target) -> None:
    assert client.post("/cycles/run")["Location"] == "/sign-in"
    assert not Cycle.objects.exists()


def test_the_form_s_token_is_needed(reviewer: User, target: Target) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(reviewer)
    assert strict.post("/cycles/run").status_code == 403


# --- refusals ---


@pytest.mark.parametrize("pk", [4711, 10**30])
def test_an_unknown_one_is_not_found(vera: Client, pk: int) -> None:
    assert vera.get(f"/cycles/{pk}").status_code == 404


def test_a_place_that_is_no_number_is_refused(vera: Client) -> None:
    cycle = factory.make_cycle()
    assert vera.get("/cycles?before=x").status_code == 400
    assert vera.get(f"/cycles/{cycle.pk}?from=x").status_code == 400


def test_only_reading_is_allowed(vera: Client) -> None:
    cycle = factory.make_cycle()
    assert vera.post("/cycles").status_code == 405
    assert vera.post(f"/cycles/{cycle.pk}").status_code == 405


def test_a_stranger_is_sent_to_sign_in(client: Client, db: None) -> None:
    cycle = factory.make_cycle()
    assert client.get("/cycles")["Location"] == "/sign-in?next=%2Fcycles"
    assert client.get(f"/cycles/{cycle.pk}")["Location"].startswith("/sign-in?next=")
