"""One run: its answer in full, on the page and as a file."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from selftest.core.judging.findings import CheckName
from selftest.cycles import recording
from selftest.models import Run, Target
from selftest.operating.vocabularies import import_vocabulary
from selftest.storage.target_clients import bundled_vocabulary
from selftest.storage.texts import KEPT_RESULT_BYTES
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of


def test_a_clean_run_is_there_in_full(vera: Client) -> None:
    run = factory.ask(factory.make_combination("tell me about molybdenum"), result="A metal.\n" * 1000)
    text = text_of(vera.get(f"/runs/{run.pk}"))
    assert "tell me about molybdenum" in text
    assert "Clean" in text
    assert text.count("A metal.") == 1000
    assert "Size 9,000 bytes, all of it" in text
    assert run.result_sha256 in text


def test_a_flagged_run_tells_its_findings(vera: Client) -> None:
    run = factory.ask(factory.make_combination(), [factory.finding(), factory.finding(CheckName.UNEXPECTED_EMPTY)])
    text = text_of(vera.get(f"/runs/{run.pk}"))
    assert "Unasked source" in text
    assert "Empty answer" in text


def test_what_a_check_found_in_other_places_is_told_beside_it(vera: Client) -> None:
    other = factory.finding(CheckName.ITEM_REPEATED, summary="the same item twice in the section of news")
    first = replace(factory.finding(CheckName.ITEM_REPEATED, summary="the same item twice"), also=(other,))
    run = factory.ask(factory.make_combination(), [first])
    assert "Also the same item twice in the section of news" in text_of(vera.get(f"/runs/{run.pk}"))


def test_a_crash_tells_the_error(vera: Client) -> None:
    crash = factory.finding(CheckName.CRASH, summary="HTTP 500")
    run = factory.ask(factory.make_combination(), [crash], result="", error="HTTP 500: it broke")
    text = text_of(vera.get(f"/runs/{run.pk}"))
    assert "No usable answer: HTTP 500: it broke" in text
    assert "The answer is empty." in text


def test_a_failure_of_our_own_is_called_that(vera: Client) -> None:
    run = factory.plan_run(factory.make_combination())
    recording.claim(run, run.cycle.created_at)
    recording.record_own_failure(run, RuntimeError("ours"), run.cycle.created_at)
    text = text_of(vera.get(f"/runs/{run.pk}"))
    assert "Gadfly itself failed here; this says nothing about the target: RuntimeError: ours" in text


def test_one_not_asked_yet_says_so(vera: Client) -> None:
    run = factory.plan_run(factory.make_combination())
    text = text_of(vera.get(f"/runs/{run.pk}"))
    assert "Planned" in text
    assert "No answer was recorded." in text


def test_an_answer_that_was_cut_says_how_much_is_kept(vera: Client) -> None:
    run = factory.ask(factory.make_combination(), result="a" * (KEPT_RESULT_BYTES + 10))
    assert "Size the first 262,144 of 262,154 bytes were kept" in text_of(vera.get(f"/runs/{run.pk}"))


@pytest.mark.parametrize(
    ("result", "error", "http_status", "said"),
    [
        ("a" * 83, "", 200, "Size 83 bytes, all of it; the response had 9,000"),
        ("a" * 83, "not JSON", 502, "Size the first 83 of 9,000 bytes were kept"),
        ("a" * 83, "", None, "Size the first 83 of 9,000 bytes were kept"),
        ("a" * KEPT_RESULT_BYTES, "", 200, "Size the first 262,144 of 9,000,000 bytes were kept"),
        ("ä" * (KEPT_RESULT_BYTES // 2 - 1) + "a", "", 200, "Size the first 262,143 of 9,000,000 bytes were kept"),
    ],
    ids=["whole", "an error page", "a function's", "cut", "cut at a character"],
)
def test_a_text_out_of_a_response_is_not_called_cut_for_what_was_around_it(
    vera: Client, result: str, error: str, http_status: int | None, said: str
) -> None:
    run = factory.ask(factory.make_combination())
    came = 9_000_000 if len(result) > 9_000 else 9_000
    Run.objects.update(result=result, error=error, http_status=http_status, result_length_bytes=came)
    assert said in text_of(vera.get(f"/runs/{run.pk}"))


def no_longer_kept() -> Run:
    """Its answer was deleted after 30 days."""
    run = factory.ask(factory.make_combination(), result="A metal.\n")
    Run.objects.filter(pk=run.pk).update(result="", answer_deleted_at=run.finished_at + timedelta(days=30, hours=1))
    return run


def test_an_answer_that_is_no_longer_kept_is_not_called_empty(vera: Client) -> None:
    text = text_of(vera.get(f"/runs/{no_longer_kept().pk}"))
    assert "Size 9 bytes, no longer kept" in text
    assert "This answer is no longer kept: it was clean, and deleted after 30 days." in text
    assert "is empty" not in text


def test_the_file_of_an_answer_that_is_no_longer_kept_is_gone(vera: Client) -> None:
    response = vera.get(f"/runs/{no_longer_kept().pk}/answer.txt")
    assert response.status_code == 410
    assert response.content == b"This answer is no longer kept: it was clean, and deleted after 30 days.\n"


def test_htmx_gets_the_answer_alone(htmx: Client) -> None:
    run = factory.ask(factory.make_combination("tell me about molybdenum"), result="A metal.")
    response = htmx.get(f"/runs/{run.pk}")
    assert not is_whole(response)
    assert "tell me about molybdenum" not in text_of(response)
    assert text_of(response).endswith("Copy Download as text The whole answer, without a header A metal.")


# --- sections, and what a finding points at ---

KIWIX, NEWS = "[KIWIX — ENCYCLOPEDIC KNOWLEDGE]", "[NEWS — HEADLINES]"


@pytest.fixture
def headers(target: Target) -> None:
    """The vocabulary's headers of two sources, as the tests have them."""
    document = bundled_vocabulary()
    document["headers"] |= {"kiwix": KIWIX, "news": NEWS}  # type: ignore[index]
    import_vocabulary(target, document, timezone.now())


def pieces_of(response: HttpResponse) -> list[tuple[str | None, list[tuple[str, bool, bool]]]]:
    """Source, and the pieces as text, header?, marked?"""
    parts = response.context["page"].answer.parts
    return [(part.source, [(p.text, p.is_header, p.is_marked) for p in part.pieces]) for part in parts]


@pytest.mark.usefixtures("headers")
def test_the_answer_is_told_apart_by_its_sections(vera: Client) -> None:
    result = f"A word first.\n\n{KIWIX}\nA metal.\n\n---\n\n{NEWS}\nNothing new.\n"
    run = factory.ask(factory.make_combination(), result=result, source="fusion")
    response = vera.get(f"/runs/{run.pk}")
    assert pieces_of(response) == [
        (None, [("A word first.\n\n", False, False)]),
        ("kiwix", [(f"{KIWIX}\n", True, False), ("A metal.\n\n---\n\n", False, False)]),
        ("news", [(f"{NEWS}\n", True, False), ("Nothing new.\n", False, False)]),
    ]
    text = text_of(response)
    assert f"Before the first header A word first. kiwix {KIWIX} A metal. --- news {NEWS} Nothing new." in text


@pytest.mark.usefixtures("headers")
@pytest.mark.parametrize(
    "result",
    [
        "",
        "\n",
        "a",
        "a\n",
        "\n\na\n\n",
        f"{KIWIX}",
        f"\n \n{KIWIX}\n",
        f"{KIWIX}\n{NEWS}\n{KIWIX}",
        f"a\r\n{KIWIX} b\x0bc\u2028d\n",
        f"{KIWIX}\nx\n" * 300,
    ],
)
def test_joined_the_pieces_are_the_answer(vera: Client, result: str) -> None:
    run = factory.ask(factory.make_combination(), [factory.finding(where="headers")], result=result)
    parts = pieces_of(vera.get(f"/runs/{run.pk}"))
    assert "".join(text for _, pieces in parts for text, _, _ in pieces) == result


@pytest.mark.usefixtures("headers")
def test_blank_lines_before_the_first_header_are_no_section(vera: Client) -> None:
    run = factory.ask(factory.make_combination(), result=f"\n\n{KIWIX}\nA metal.\n")
    assert [source for source, _ in pieces_of(vera.get(f"/runs/{run.pk}"))] == ["kiwix"]


@pytest.mark.usefixtures("headers")
def test_the_line_that_a_finding_names_is_marked_to_the_end_of_what_was_seen(vera: Client) -> None:
    result = f"{KIWIX}\nA metal.\n\n{NEWS}\nCould not connect\nto the feed reader.\n\n{KIWIX}\nMore.\n"
    empty = factory.finding(
        CheckName.UNEXPECTED_EMPTY, seen="Could not connect\nto the feed reader.", where="line 4", promised="content"
    )
    run = factory.ask(factory.make_combination(), [empty], result=result)
    response = vera.get(f"/runs/{run.pk}")
    marked = [text for _, pieces in pieces_of(response) for text, _, is_marked in pieces if is_marked]
    assert marked == [f"{NEWS}\n", "Could not connect\nto the feed reader.\n"]
    markup = response.content.decode()
    assert f'<a href="#answer-{run.pk}-line-4">Seen</a>' in markup
    assert f'<mark id="answer-{run.pk}-line-4"><strong>{NEWS}' in markup


def test_a_traceback_is_marked_as_far_as_it_was_quoted(vera: Client) -> None:
    traceback = "Traceback (most recent call last):\n" + '  File "merge.py", line 3\n' * 40
    crash = factory.finding(CheckName.CRASH, seen=f"{traceback[:300]}…", where="line 3")
    run = factory.ask(factory.make_combination(), [crash], result=f"A metal.\n\n{traceback}after\n")
    (_, pieces), *_ = pieces_of(vera.get(f"/runs/{run.pk}"))
    assert [is_marked for _, _, is_marked in pieces] == [False, True, False]
    assert pieces[1][0] == "Traceback (most recent call last):\n" + '  File "merge.py", line 3\n' * 11, (
        "the last line only began in it"
    )


def test_a_line_that_was_not_kept_is_not_marked(vera: Client) -> None:
    run = factory.ask(factory.make_combination(), [factory.finding(where="line 900")], result="A metal.\n")
    markup = vera.get(f"/runs/{run.pk}").content.decode()
    assert "<mark" not in markup
    assert f'<a href="#answer-{run.pk}">Seen</a>' in markup


@pytest.mark.usefixtures("headers")
def test_headers_are_marked_where_the_finding_is_about_them(vera: Client) -> None:
    missing = factory.finding(CheckName.PART_COUNT_MISMATCH, where="headers")
    run = factory.ask(factory.make_combination(), [missing], result=f"{KIWIX}\nA metal.\n{NEWS}\nNo news.\n")
    response = vera.get(f"/runs/{run.pk}")
    marked = [text for _, pieces in pieces_of(response) for text, _, is_marked in pieces if is_marked]
    assert marked == [f"{KIWIX}\n", f"{NEWS}\n"]
    assert f'<a href="#answer-{run.pk}-line-1">Seen</a>' in response.content.decode()


@pytest.mark.parametrize(
    ("check", "where", "place", "mark"),
    [
        (CheckName.SOURCE_MISMATCH, "source_used", "-source", "<mark>home</mark>"),
        (CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX, "source_used and headers", "-source", "<mark>home</mark>"),
        (CheckName.LATENCY_OUTLIER, "latency_ms", "-latency", "<mark>35 ms</mark>"),
        (CheckName.UNEXPECTED_EMPTY, "the whole answer", "", ""),
        (CheckName.PART_COUNT_MISMATCH, "headers", "", ""),
    ],
)
def test_seen_leads_to_what_it_speaks_of(vera: Client, check: CheckName, where: str, place: str, mark: str) -> None:
    run = factory.ask(factory.make_combination(), [factory.finding(check, where=where)], source="home")
    markup = vera.get(f"/runs/{run.pk}").content.decode()
    assert f'<a href="#answer-{run.pk}{place}">Seen</a>' in markup
    assert f'id="answer-{run.pk}{place}"' in markup
    assert mark in markup


def test_an_error_is_where_a_crash_was_seen(vera: Client) -> None:
    crash = factory.finding(CheckName.CRASH, where="error")
    run = factory.ask(factory.make_combination(), [crash], result="", error="HTTP 500: it broke")
    markup = vera.get(f"/runs/{run.pk}").content.decode()
    assert f'<a href="#answer-{run.pk}-error">Seen</a>' in markup
    assert f'id="answer-{run.pk}-error"' in markup


@pytest.mark.usefixtures("headers")
def test_of_thousands_of_sections_one_hundred_are_told_apart(vera: Client) -> None:
    run = factory.ask(factory.make_combination(), result=f"{KIWIX}\nx\n" * 3000)
    response = vera.get(f"/runs/{run.pk}")
    assert len(pieces_of(response)) == 101
    assert "2,900 more sections" in text_of(response)


def test_the_runs_of_the_same_combination_beside_it_are_one_link_away(vera: Client) -> None:
    combination = factory.make_combination()
    first, second, third = (factory.ask(combination) for _ in range(3))
    factory.ask(factory.make_combination())
    middle = vera.get(f"/runs/{second.pk}").content.decode()
    assert f'<a href="/runs/{first.pk}" rel="prev">Previous run</a>' in middle
    assert f'<a href="/runs/{third.pk}" rel="next">Next run</a>' in middle
    assert 'rel="prev"' not in vera.get(f"/runs/{first.pk}").content.decode()
    assert 'rel="next"' not in vera.get(f"/runs/{third.pk}").content.decode()


def test_the_number_of_queries_is_fixed(vera: Client, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    combination = factory.make_combination()
    for checks in ([], [CheckName.CRASH], list(CheckName)):
        for _ in range(3):
            run = factory.ask(combination, [factory.finding(check) for check in checks], result="a line\n" * 1000)
        with django_assert_max_num_queries(10):
            vera.get(f"/runs/{run.pk}")


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


def test_a_clean_run_whose_parts_found_no_probe_says_so(vera: Client) -> None:
    run = factory.ask(factory.make_combination(), is_unchecked=True)
    assert "Clean, parts not checked" in text_of(vera.get(f"/runs/{run.pk}"))
    assert "not checked" not in text_of(vera.get(f"/runs/{factory.ask(factory.make_combination()).pk}"))
