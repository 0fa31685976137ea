"""`manage.py search` and `manage.py doctor suggest`: in groups for people, in the API's document for scripts."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from selftest.knowledge.core.chunks import Kind
from selftest.knowledge.index import writing
from selftest.knowledge.models import Search
from tests.api.conftest import caller, key, make_target, target  # noqa: F401 - fixtures
from tests.knowledge.pieces import BREW, EVERY, GRINDER, KEYS, PUMP, piece

pytestmark = pytest.mark.django_db

DRAIN = piece(
    "Drain", "The drain overflows.", Kind.DOCTOR, identifiers=("CM008",), url="/status#CM008",
    details={"checkCode": "CM008", "runCommand": "manage.py doctor", "remedyCommand": "rm x", "isDestructive": True},
)  # fmt: skip


def said(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def read(*arguments: str) -> Any:
    return json.loads(said(*arguments, "--json"))


@pytest.fixture
def _pieces(db: None) -> None:
    writing.put([*EVERY, DRAIN])


@pytest.mark.usefixtures("_pieces")
def test_results_stand_in_groups() -> None:
    lines = said("search", "tank of the brewer").splitlines()
    names = [line for line in lines if not line.startswith(" ")]
    assert names == sorted(names, key=["Docs", "API", "Doctor"].index)
    assert lines[lines.index("Doctor") + 1] == "  Pump"
    assert "      The pump runs dry when the tank is empty. Fill the tank." in lines


@pytest.mark.usefixtures("_pieces")
def test_json_is_the_document_that_the_api_answers(caller: Client) -> None:  # noqa: F811
    ours = read("search", "startBrew", "--k", "3")
    theirs = caller.post("/v1/search/query", {"q": "startBrew", "k": 3}, "application/json").json()
    assert list(ours) == list(theirs)
    assert [list(one) for one in ours["results"]] == [list(one) for one in theirs["results"]]
    assert ours["results"][0] == theirs["results"][0]
    assert ours["results"][0]["id"] == BREW.id


@pytest.mark.usefixtures("_pieces")
def test_it_is_filtered_and_counted_and_finds_what_is_for_admins() -> None:
    assert {one["kind"] for one in read("search", "brew the tank", "--type", "api", "--type", "doctor")["results"]} == {
        "api", "doctor",
    }  # fmt: skip
    assert {one["kind"] for one in read("search", "brew", "--service", "brewer")["results"]} == {"api"}
    for name in ("version", "product", "service", "tag"):
        with pytest.raises(CommandError, match="'none' is unknown; known are"):
            read("search", "grinder", f"--{name}", "none")
    assert read("search", "descaling", "--tag", "care")["results"]
    assert KEYS.id in [one["id"] for one in read("search", "service keys")["results"]]
    assert set(Search.objects.values_list("source", flat=True)) == {"command"}


@pytest.mark.usefixtures("_pieces")
def test_a_misspelt_word_is_mended_in_words() -> None:
    assert said("search", "grindr").splitlines()[0] == "Did you mean: grinder"


def test_where_nothing_is_found_it_says_whether_there_is_anything() -> None:
    assert "manage.py knowledge rebuild" in said("search", "grinder")
    writing.put([GRINDER])
    assert said("search", "zzzz qqqq", "--type", "api").startswith("Nothing found.")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["  "], "nothing to search for"),
        (["x" * 513], "512 characters"),
        (["x", "--target", "elsewhere"], "unknown target 'elsewhere'"),
        (["x", "--type", "vex"], "invalid choice: 'vex'"),
        (["x", "--k", "51"], "a whole number from 1 to 50"),
    ],
)
def test_what_cannot_be_asked_is_refused(arguments: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        said("search", *arguments)


@pytest.mark.usefixtures("_pieces")
def test_the_doctor_names_checks_for_a_symptom() -> None:
    assert [one["id"] for one in read("doctor", "suggest", "pump runs dry", "--k", "1")["results"]] == [PUMP.id]
    assert {one["kind"] for one in read("doctor", "suggest", "brew the tank")["results"]} == {"doctor"}
    lines = said("doctor", "suggest", "the drain overflows").splitlines()
    assert lines[:2] == ["Doctor", "  CM008  Drain"]
    assert "      Run: manage.py doctor" in lines
    assert "      Remedy: rm x (destructive)" in lines


@pytest.mark.usefixtures("_pieces")
def test_the_doctors_own_options_stand_before_the_word_too() -> None:
    assert json.loads(said("doctor", "--json", "suggest", "pump"))["results"]
