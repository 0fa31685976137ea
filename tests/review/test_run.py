"""One run: its answer in full, on the page and as a file."""

import pytest
from django.test import Client

from selftest import recording
from selftest.core.checks import CheckName
from selftest.store import KEPT_RESULT_BYTES
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of


def test_a_clean_run_is_there_in_full(vera: Client) -> None:
    run = factory.ask(factory.make_combination("tell me about molybdenum"), result="A metal.\n" * 1000)
    text = text_of(vera.get(f"/runs/{run.pk}"))
    assert "tell me about molybdenum" in text
    assert "Clean" in text
    assert text.count("A metal.") == 1000
    assert "9,000 bytes, all of it." in text
    assert run.result_sha256 in text


def test_a_flagged_run_tells_its_findings(vera: Client) -> None:
    run = factory.ask(factory.make_combination(), [factory.finding(), factory.finding(CheckName.UNEXPECTED_EMPTY)])
    text = text_of(vera.get(f"/runs/{run.pk}"))
    assert "Unasked source" in text
    assert "Empty answer" in text


def test_a_crash_tells_the_error(vera: Client) -> None:
    crash = factory.finding(CheckName.CRASH, summary="HTTP 500")
    run = factory.ask(factory.make_combination(), [crash], result="", error="HTTP 500: it broke")
    text = text_of(vera.get(f"/runs/{run.pk}"))
    assert "No usable answer: HTTP 500: it broke" in text
    assert "The answer holds no text at all." in text


def test_a_failure_of_our_own_is_called_that(vera: Client) -> None:
    run = factory.plan_run(factory.make_combination())
    recording.claim(run, run.cycle.created_at)
    recording.record_own_failure(run, RuntimeError("ours"), run.cycle.created_at)
    text = text_of(vera.get(f"/runs/{run.pk}"))
    assert "Gadfly itself failed here, which says nothing about the target: RuntimeError: ours" in text


def test_one_not_asked_yet_says_so(vera: Client) -> None:
    run = factory.plan_run(factory.make_combination())
    text = text_of(vera.get(f"/runs/{run.pk}"))
    assert "Planned" in text
    assert "No answer was recorded." in text


def test_an_answer_that_was_cut_says_how_much_is_kept(vera: Client) -> None:
    run = factory.ask(factory.make_combination(), result="a" * (KEPT_RESULT_BYTES + 10))
    assert "The first 262,144 of 262,154 bytes were kept." in text_of(vera.get(f"/runs/{run.pk}"))


def test_htmx_gets_the_answer_alone(htmx: Client) -> None:
    run = factory.ask(factory.make_combination("tell me about molybdenum"), result="A metal.")
    response = htmx.get(f"/runs/{run.pk}")
    assert not is_whole(response)
    assert text_of(response) == "A metal. 8 bytes, all of it. Download as text"


def test_script_in_the_answer_is_shown_as_text(vera: Client) -> None:
    run = factory.ask(factory.make_combination(f"tell me {SCRIPT}"), result=SCRIPT, source=SCRIPT)
    assert_escaped(vera.get(f"/runs/{run.pk}"))


def test_the_file_is_text_and_nothing_that_a_browser_would_run(vera: Client) -> None:
    run = factory.ask(factory.make_combination(), result=f"é {SCRIPT}")
    response = vera.get(f"/runs/{run.pk}/answer.txt")
    assert response.content.decode() == f"é {SCRIPT}"
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="run-{run.pk}.txt"'
    assert response["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("address", ["/runs/4711", "/runs/4711/answer.txt"])
def test_an_unknown_one_is_not_found(vera: Client, address: str) -> None:
    assert vera.get(address).status_code == 404


@pytest.mark.parametrize("rest", ["", "/answer.txt"])
def test_only_reading_is_allowed(vera: Client, rest: str) -> None:
    run = factory.ask(factory.make_combination())
    assert vera.post(f"/runs/{run.pk}{rest}").status_code == 405


@pytest.mark.parametrize("rest", ["", "/answer.txt"])
def test_a_stranger_is_sent_to_sign_in(client: Client, db: None, rest: str) -> None:
    run = factory.ask(factory.make_combination())
    assert client.get(f"/runs/{run.pk}{rest}")["Location"].startswith("/sign-in?next=")
