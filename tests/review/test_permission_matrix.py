"""Every address, by every method, for everyone: exactly what `tests/review/permission_table.py` says."""

import json
import re
from typing import Any

import pytest

from tests.admin.conftest import shown_values
from tests.review.every_address import IDENTITIES, METHODS, Installation, installation, routes
from tests.review.permission_table import TABLE

ARGUMENT = re.compile(r"\(\?P<\w+>[^)]*\)|\(\[\^/\]\+\)|<[^>]+>")
DOORS = ("/sign-in", "/admin/login/")


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Installation:
    return installation()


def test_every_address_has_a_line() -> None:
    missing = sorted(set(routes()) - set(TABLE))
    assert missing == [], "say in tests/review/permission_table.py who gets what from these"


def test_every_line_has_an_address() -> None:
    gone = sorted(set(TABLE) - set(routes()))
    assert gone == [], "nothing is there any more: take these out of tests/review/permission_table.py"


@pytest.mark.django_db
@pytest.mark.parametrize("route", TABLE)
def test_an_address_is_read_and_acted_upon_by_those_whom_its_line_lets_in(route: str, made: Installation) -> None:
    assert _seen(route, ["GET", "POST"], made) == {name: TABLE[route].kind[name] for name in ("GET", "POST")}


@pytest.mark.slow("7,000 requests")
@pytest.mark.django_db
@pytest.mark.parametrize("route", TABLE)
def test_every_other_method_is_answered_as_its_line_says(route: str, made: Installation) -> None:
    others = [method for method in METHODS if method not in ("GET", "POST")]
    assert _seen(route, others, made) == {name: TABLE[route].kind[name] for name in others}


def _seen(route: str, methods: list[str], made: Installation) -> dict[str, list[str]]:
    """By method, the answer to each who asks."""
    line = TABLE[route]
    path = _path(route, line.rows.split(), made)
    form = _filled(line.form, made)
    if line.page_form and "POST" in methods:
        shown: Any = made.ask("superuser", "GET", path)
        form = shown_values(shown) | form
    if line.is_json:
        form = json.dumps(form)
    return {method: [_answer(made, identity, method, path, form) for identity in IDENTITIES] for method in methods}


def _answer(made: Installation, identity: str, method: str, path: str, form: Any) -> str:
    response = made.ask(identity, method, path, form)
    is_door = response.status_code == 302 and response["Location"].partition("?")[0] in DOORS
    return "door" if is_door else str(response.status_code)


def _path(route: str, rows: list[str], made: Installation) -> str:
    values = [str(made.ids[row]) for row in rows]
    arguments = len(ARGUMENT.findall(route))
    assert arguments == len(values), f"{route} has {arguments} arguments"
    return ARGUMENT.sub(lambda _: values.pop(0), route).replace("^", "").replace("$", "")


def _filled(said: Any, made: Installation) -> Any:
    """`said` with the rows of the installation where it names one in braces."""
    match said:
        case str():
            is_whole = said[:1] == "{" and said[1:-1] in made.ids  # a number stays one
            return made.ids[said[1:-1]] if is_whole else said.format(**made.ids)
        case dict():
            return {name: _filled(value, made) for name, value in said.items()}
        case list():
            return [_filled(value, made) for value in said]
        case _:
            return said
