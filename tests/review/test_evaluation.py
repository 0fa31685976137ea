"""The golden set and its reports on pages: lists, a pair with its versions, its form, and what a person does."""

import html
import re

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from selftest.evaluation import saving
from selftest.evaluation.evaluating import evaluate
from selftest.evaluation.models import GoldenPair, PairResult, PairVersion, Report
from selftest.evaluation.reading import pair_numbered
from selftest.evaluation.saving import default_set
from selftest.models import Target
from tests.evaluation.pairs import CLEO, content, made_pair
from tests.evaluation.test_saving import BOTH, merged, rename_header
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of

pytestmark = pytest.mark.django_db

FORM = {"name": "both", "set": "golden", "query": "weather and headlines", "kind": "synthesis"}
FORM |= {"sources": "forecast\r\nnews", "headers": "forecast\r\nnews", "headers_ordered": "1", "latency": "quick"}
FORM |= {"parts": "forecast: weather\r\nnews: headlines", "keyphrases": "°C", "why": "both at once"}


@pytest.fixture
def pair(target: Target) -> GoldenPair:
    return made_pair("news alone", target, content("headlines", sources=("news",)))


# --- the list ---


def test_before_there_is_a_pair_the_page_says_how_one_comes(vera: Client) -> None:
    assert "manage.py golden import bundled" in text_of(vera.get("/evaluation"))


def test_the_list_is_filtered_by_words_kind_and_state(vera: Client, pair: GoldenPair) -> None:
    saving.archive(made_pair("gone", pair.current.target), CLEO, "", 1)  # type: ignore[union-attr, arg-type]
    for address, there in {
        "/evaluation": True,
        "/evaluation?text=alone+headl": True,
        "/evaluation?text=zebra": False,
        "/evaluation?kind=bait": False,
        "/evaluation?set=golden": True,
        "/evaluation?state=rebaseline": False,
        "/evaluation?state=archived": False,
    }.items():
        assert ("news alone" in text_of(vera.get(address))) is there, address
    assert "gone" in text_of(vera.get("/evaluation?state=archived"))


def test_a_pair_whose_ground_has_moved_says_so_in_the_list_and_on_its_page(vera: Client, pair: GoldenPair) -> None:
    rename_header(Target.objects.get())
    assert "Rebaseline? header of news: was" in text_of(vera.get("/evaluation?state=rebaseline"))
    assert "A gate does not pass until" in text_of(vera.get(f"/evaluation/pairs/{pair.pk}"))
    vera.post(f"/evaluation/pairs/{pair.pk}/rebaseline", {"seen": "1", "why": "on purpose"})
    text = text_of(vera.get(f"/evaluation/pairs/{pair.pk}"))
    assert "A gate does not pass until" not in text
    assert "2. Rebaselined by vera" in text
    assert "on purpose" in text


@pytest.mark.parametrize("name", ["set", "text"])
def test_a_filter_that_no_database_can_hold_finds_nothing(vera: Client, pair: GoldenPair, name: str) -> None:
    response = vera.get(f"/evaluation?{name}=weather%00")
    assert response.status_code == 200
    assert pair.name not in response.content.decode()


def test_the_next_page_of_the_list_comes_as_rows_alone(htmx: Client, pair: GoldenPair) -> None:
    response = htmx.get("/evaluation", {"before": pair.pk + 1})
    assert not is_whole(response)
    assert "news alone" in text_of(response)


def test_the_list_asks_no_more_queries_for_more_pairs(vera: Client, target: Target) -> None:
    counts = []
    for number in range(2):
        for each in range(1 + 5 * number):
            made_pair(f"pair {number} {each}", target)
        rename_header(target, ("news", "web")[number])
        with CaptureQueriesContext(connection) as queries:
            vera.get("/evaluation")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_what_is_typed_is_shown_as_text(vera: Client, target: Target) -> None:
    pair = made_pair(SCRIPT, target, content(SCRIPT, absent=(SCRIPT,)))
    assert_escaped(vera.get("/evaluation"))
    assert_escaped(vera.get(f"/evaluation/pairs/{pair.pk}"))
    assert_escaped(vera.get(f"/evaluation/pairs/{pair.pk}/edit"))


# --- the form ---


def test_a_combination_is_promoted_with_a_form_that_is_filled_in(vera: Client, target: Target) -> None:
    combination = factory.combination_of(BOTH, target)
    run = factory.ask(combination, result=merged(target), source="fusion")
    assert (
        f"/evaluation/pairs/new?combination={combination.pk}"
        in vera.get(f"/combinations/{combination.pk}").content.decode()
    )
    page = vera.get(f"/evaluation/pairs/new?combination={combination.pk}")
    assert f"run {run.pk}" in text_of(page)
    assert ">\nforecast\nnews</textarea>" in page.content.decode()
    vera.post("/evaluation/pairs/new", {**FORM, "combination": combination.pk})
    version = PairVersion.objects.get()
    assert (version.combination, version.actor, version.why) == (combination, "vera", "both at once")
    assert version.expectations == {
        "sources": ["forecast", "news"],
        "headers": ["forecast", "news"],
        "headers_ordered": True,
        "parts": [{"text": "weather", "source": "forecast"}, {"text": "headlines", "source": "news"}],
        "absent": [],
        "latency": "quick",
        "refuses": False,
    }
    assert version.made_on["structure"] == ["forecast", "news"]


def test_a_cause_without_a_query_says_why_it_cannot_be_promoted(vera: Client, target: Target) -> None:
    cause = factory.make_cause()
    response = vera.get(f"/evaluation/pairs/new?cause={cause.pk}", follow=True)
    assert "No query of this cause is kept" in text_of(response)


@pytest.mark.parametrize(
    ("changes", "trouble"),
    [
        ({"sources": "teletext"}, "'teletext' is no source of bundled"),
        ({"parts": "weather"}, "line 1 must be “source: text”"),
        ({"query": " "}, "Query: string should have at least 1 character"),
        ({"latency": "soon"}, "Expectations.latency: input should be"),
        ({"set": "nowhere"}, "Unknown set 'nowhere'"),
        ({"name": ""}, "Name: a pair needs one of at most 200 characters; this has 0"),
        ({"name": "\u200b\u2060"}, "Name: it has no character that can be seen"),
        ({"name": "a" * 201}, "Name: a pair needs one of at most 200 characters; this has 201"),
    ],
)
def test_what_cannot_be_saved_is_said_and_what_was_typed_stays(
    vera: Client, target: Target, changes: dict[str, str], trouble: str
) -> None:
    default_set()
    response = vera.post("/evaluation/pairs/new", {**FORM, **changes})
    assert trouble in text_of(response)
    assert "both at once" in response.content.decode()
    assert not GoldenPair.objects.exists()


def test_an_edit_of_what_has_changed_meanwhile_is_refused(vera: Client, pair: GoldenPair) -> None:
    saving.archive(pair, CLEO, "", 1)
    response = vera.post(f"/evaluation/pairs/{pair.pk}/edit", {**FORM, "seen": "1"})
    assert "has another version by now" in text_of(response)
    assert pair.versions.count() == 2


def test_an_edit_is_the_next_version(vera: Client, pair: GoldenPair) -> None:
    vera.post(f"/evaluation/pairs/{pair.pk}/edit", {**FORM, "seen": "1"})
    current = pair_numbered(pair.pk).current
    assert current is not None
    assert (current.number, current.query, current.act) == (2, "weather and headlines", "edited")
    assert "Changed: query, kind, expectations" in text_of(vera.get(f"/evaluation/pairs/{pair.pk}"))


def test_a_viewer_may_look_and_not_change(onlooker: Client, pair: GoldenPair) -> None:
    page = onlooker.get(f"/evaluation/pairs/{pair.pk}")
    assert page.status_code == 200
    assert "Archive" not in text_of(page)
    assert onlooker.get("/evaluation/pairs/new").status_code == 403
    assert onlooker.post(f"/evaluation/pairs/{pair.pk}/archive", {"seen": "1"}).status_code == 403


@pytest.mark.parametrize("address", ["/evaluation/pairs/9", "/evaluation/pairs/9/edit", "/evaluation/reports/9"])
def test_what_is_not_there_is_not_found(vera: Client, address: str) -> None:
    assert vera.get(address).status_code == 404


@pytest.mark.parametrize(
    ("address", "method"),
    [("/evaluation", "post"), ("/evaluation/reports", "post"), ("/evaluation/pairs/1/archive", "get")],
)
def test_other_methods_are_refused(vera: Client, address: str, method: str) -> None:
    assert getattr(vera, method)(address).status_code == 405


# --- reports ---


def test_before_there_is_a_report_the_page_says_how_one_comes(vera: Client) -> None:
    assert "manage.py eval_batch" in text_of(vera.get("/evaluation/reports"))


@pytest.mark.django_db(transaction=True)
def test_a_report_shows_what_broke_first_and_what_differs_from_another(vera: Client, target: Target) -> None:
    made_pair("both", target, content("weather and headlines", headers=("forecast", "news")))
    first = evaluate(default_set(), target, CLEO)
    Target.objects.update(reference_faults=["collapses_to_first_intent"])
    second = evaluate(default_set(), Target.objects.get(), CLEO)
    listed = text_of(vera.get("/evaluation/reports"))
    assert listed.index("Does not pass") < listed.index("Passes")
    text = text_of(vera.get(f"/evaluation/reports/{second.pk}"))
    assert "Expected headers of forecast, news Seen headers of no source" in text
    assert "both Held → Broken Broken now: Headers" in text
    assert f"report {first.pk}" in text_of(vera.get(f"/evaluation/pairs/{GoldenPair.objects.get().pk}"))
    itself = text_of(vera.get(f"/evaluation/reports/{second.pk}?against={second.pk}"))
    assert "pair by pair" in itself


@pytest.mark.django_db(transaction=True)
def test_a_report_shows_the_mean_of_each_grader_as_advice(vera: Client, target: Target) -> None:
    made_pair("one", target, content("weather", sources=("forecast",), keyphrases=("°C",)))
    made_pair("other", target, content("weather please", sources=("forecast",), keyphrases=("snow on Mars",)))
    text = text_of(vera.get(f"/evaluation/reports/{evaluate(default_set(), target, CLEO).pk}"))
    assert "Graders advice, no part of the outcome" in text
    assert "Keyphrase coverage 0.500 the mean of 2 of 2 answers: 2 graded" in text
    assert "Contextual recall the mean" not in text


def test_a_report_of_a_target_that_was_away_says_so(vera: Client, pair: GoldenPair, target: Target) -> None:
    report = Report.objects.create(
        golden_set=pair.golden_set,
        target=target,
        state="target_unavailable",
        note="connection refused",
        actor="cleo",
        started_at="2026-01-01T00:00Z",
    )
    text = text_of(vera.get(f"/evaluation/reports/{report.pk}"))
    assert "Target unavailable" in text
    assert "connection refused" in text


# --- a report of many pairs ---

PAIRS = 60  # more than a page of 50


@pytest.fixture
def long_report(pair: GoldenPair, target: Target) -> Report:
    """60 pairs that hold, and 55 that do not; each has an answer of 3,000 characters."""
    report = Report.objects.create(
        golden_set=pair.golden_set,
        target=target,
        state=Report.State.FINISHED,
        pairs=PAIRS + 55,
        broken=55,
        actor="cleo",
        started_at="2026-01-01T00:00Z",
        finished_at="2026-01-01T00:01Z",
    )
    outcomes = [PairResult.Outcome.HELD] * PAIRS + [PairResult.Outcome.BROKEN] * 55
    PairResult.objects.bulk_create(
        PairResult(
            report=report,
            name=f"pair {number:03}",
            kind="happy",
            query="weather",
            outcome=outcome,
            judged=[{"kind": "sources", "expected": "forecast", "seen": "web", "holds": outcome == "held"}],
            scores=[],
            structure=["forecast"],
            changes=[],
            result=f"{number:03} " + "x" * 2_990 + " end",
            result_length_bytes=2_998,
            latency_ms=1.0,
        )
        for number, outcome in enumerate(outcomes)
    )
    return report


def names(response: HttpResponse) -> list[str]:
    return re.findall(r'class="result-name">([^<]*)<', response.content.decode())


def test_a_long_report_has_fifty_pairs_that_do_not_hold_and_then_fifty_that_do(
    vera: Client, long_report: Report
) -> None:
    page = vera.get(f"/evaluation/reports/{long_report.pk}")
    assert names(page) == [f"pair {number:03}" for number in (*range(60, 110), *range(50))]
    assert "Does not hold 55" in text_of(page)
    assert "Held 60" in text_of(page)
    assert len(page.content) < 400_000


@pytest.mark.parametrize(("show", "rest"), [("failing", range(110, 115)), ("held", range(50, 60))])
def test_more_of_them_come_with_and_without_scripts(vera: Client, long_report: Report, show: str, rest: range) -> None:
    page = vera.get(f"/evaluation/reports/{long_report.pk}").content.decode()
    (more,) = (link for link in re.findall(r'<a href="([^"]*after=[^"]*)"', page) if show in link)
    address = html.unescape(more)
    assert names(vera.get(address)) == [f"pair {number:03}" for number in rest]
    part = vera.get(address, headers={"HX-Request": "true"})
    assert names(part) == [f"pair {number:03}" for number in rest]
    assert not is_whole(part)
    assert "after=" not in part.content.decode()


def test_a_list_has_the_beginning_of_an_answer_and_says_where_the_whole_one_is(
    vera: Client, long_report: Report
) -> None:
    address = f"/evaluation/reports/{long_report.pk}"
    assert "xx end" not in text_of(vera.get(address))
    result = long_report.results.get(name="pair 070")
    assert f'href="{address}?result={result.pk}"' in vera.get(address).content.decode()
    alone = vera.get(f"{address}?result={result.pk}")
    assert names(alone) == ["pair 070"]
    assert "xx end" in text_of(alone)


def test_of_many_differences_the_first_hundred_are_shown_and_then_all(vera: Client, long_report: Report) -> None:
    empty = Report.objects.get(pk=long_report.pk)
    empty.pk = None
    empty.save()
    address = f"/evaluation/reports/{long_report.pk}?against={empty.pk}"
    text = text_of(vera.get(address))
    assert text.count("not asked →") == 100
    assert "All differences: 15 more" in text
    assert text_of(vera.get(f"{address}&differences=all")).count("not asked →") == 115


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("show=some", 400),
        ("differences=few", 400),
        ("after=x", 400),
        ("after=1", 400),
        ("result=x", 400),
        ("result=999999", 404),
    ],
)
def test_what_a_report_cannot_show_is_refused(vera: Client, long_report: Report, query: str, status: int) -> None:
    assert vera.get(f"/evaluation/reports/{long_report.pk}?{query}").status_code == status
