"""An answer above the results quotes them, cites them, and says nothing of its own."""

import json
from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer

from selftest.knowledge.core.answers import SearchRequest, Synthesis
from selftest.knowledge.core.chunks import Kind
from selftest.knowledge.core.synthesis import rests_on_sources
from selftest.knowledge.index import writing
from selftest.knowledge.models import SearchSettings
from selftest.knowledge.searching import search
from tests.knowledge.pieces import DESCALE, EVERY, GRINDER, piece

pytestmark = pytest.mark.django_db

SOURCES = {1: "Descaling. Run the program every 2 months, or the Boiler loses pressure.", 2: "The grinder jams."}


@pytest.fixture(autouse=True)
def _pieces() -> None:
    writing.put(EVERY)


def synthesis(text: str, locale: str = "en-US") -> Synthesis | None:
    return search(SearchRequest(text, locale=locale)).synthesis


def test_the_sentence_that_answers_is_quoted_with_its_source() -> None:
    said = synthesis("oily beans grinder")
    assert said is not None
    assert said.text == "Grinder jams: Beans that are too oily jam the grinder. [1]"
    assert [(cited.number, cited.id) for cited in said.citations] == [(1, GRINDER.id)]
    assert said.by == "template"


def test_a_check_says_what_to_do_in_the_language_of_the_reader() -> None:
    remedy = {"remedy": "Fill the tank", "runCommand": "manage.py doctor"}
    writing.put([piece("Tank", "The tank is empty.", Kind.DOCTOR, identifiers=("CM009",), details=remedy)])
    english, german = synthesis("CM009"), synthesis("CM009", "de-DE")
    assert english is not None
    assert german is not None
    assert english.text == "Tank: The tank is empty. What to do: Fill the tank. Run: `manage.py doctor`. [1]"
    assert german.text == "Tank: The tank is empty. Was zu tun ist: Fill the tank. Befehl: `manage.py doctor`. [1]"


@pytest.mark.parametrize("text", ["weather in the mountains of Peru", "what is the grinder warranty period in Spain"])
def test_nothing_is_composed_of_results_that_do_not_say_it(text: str) -> None:
    assert synthesis(text) is None


def test_nothing_is_composed_where_an_admin_says_so() -> None:
    SearchSettings.objects.update_or_create(pk=1, defaults={"compose_answers": False})
    SearchSettings.clear_cache()
    assert synthesis("oily beans grinder") is None


@pytest.mark.parametrize(
    ("text", "rests"),
    [
        ("The program is run every 2 months [1].", True),
        ("The program is run every 2 months. [1]", True),
        ("Run it every 2 months [1]. A jam is the grinder's [2].", True),
        ("Run it every 2 months.", False),
        ("Run it every 2 months [1]. It is easy.", False),
        ("Run it every 3 months [1].", False),
        ("Run it every 2 months [3].", False),
        ("It keeps the Boiler well [1].", True),
        ("It keeps the Compressor well [1].", False),
        ("It jams every 2 months [2].", False),
        ("", False),
        ("[1]", False),
    ],
)
def test_other_words_stand_only_where_each_sentence_cites_its_figures_and_names(text: str, rests: bool) -> None:
    assert rests_on_sources(text, SOURCES) is rests


@pytest.fixture
def model(httpserver: HTTPServer) -> Iterator[HTTPServer]:
    SearchSettings.objects.update_or_create(
        pk=1,
        defaults={
            "rephrase": True,
            "rephrase_timeout_ms": 500,
            "model_url": httpserver.url_for("/v1"),
            "model_name": "small",
        },
    )
    SearchSettings.clear_cache()
    yield httpserver
    SearchSettings.clear_cache()


def reply(httpserver: HTTPServer, text: object) -> None:
    body = {"choices": [{"message": {"content": text}}]}
    httpserver.expect_request("/v1/chat/completions").respond_with_data(
        json.dumps(body), content_type="application/json"
    )


def test_a_model_may_put_what_is_cited_in_other_words(model: HTTPServer) -> None:
    reply(model, "Oily beans make the grinder jam [1].")
    said = synthesis("oily beans grinder")
    assert said is not None
    assert (said.text, said.by) == ("Oily beans make the grinder jam [1].", "small")
    assert GRINDER.body in json.loads(model.log[0][0].data)["messages"][1]["content"]
    assert DESCALE.body not in json.loads(model.log[0][0].data)["messages"][1]["content"]


@pytest.mark.parametrize(
    "text", ["Use dry beans.", "Clean it 3 times [1].", "Ask Vera about it [1].", "", None, "x [1] " * 900]
)
def test_what_a_model_adds_is_dropped_and_the_template_stands(model: HTTPServer, text: object) -> None:
    reply(model, text)
    said = synthesis("oily beans grinder")
    assert said is not None
    assert said.by == "template"


def test_a_model_that_fails_leaves_the_template(model: HTTPServer) -> None:
    model.expect_request("/v1/chat/completions").respond_with_data("no", status=500)
    said = synthesis("oily beans grinder")
    assert said is not None
    assert said.by == "template"


def test_a_model_is_asked_nothing_where_nothing_is_cited(model: HTTPServer) -> None:
    assert synthesis("weather in the mountains of Peru") is None
    assert not model.log
