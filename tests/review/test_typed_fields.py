"""A verdict that is refused: what was typed beside it stands in its form again, once."""

from collections.abc import Callable

import pytest
from django.test import Client

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Cause, Combination
from tests.engine.conftest import NOW
from tests.review import factory
from tests.review.pages import text_of

pytestmark = pytest.mark.django_db

TYPED = {"verdict": "later", "reason": "wait & see", "link": "https://tracker.example/7", "until_date": "2020-01-31"}
SHOWN = ('value="wait &amp; see"', 'value="https://tracker.example/7"', 'value="2020-01-31"')
REFUSED = "2020-01-31 is not after today"


@pytest.fixture
def flagged() -> Combination:
    found = factory.flagged("", factory.finding(CheckName.SECTION_BLANK))
    assign_causes(factory.a_target(), NOW)
    return found


def _cause_page(client: Client, row: Combination) -> tuple[str, dict[str, str]]:
    cause = Cause.objects.get()
    return f"/causes/{cause.pk}/judge", {"seen_flags": str(cause.flags), "back": "/?check=section_blank"}


def _causes(client: Client, row: Combination) -> tuple[str, dict[str, str]]:
    cause = Cause.objects.get()
    return "/causes/judge", {"row": f"{cause.pk}:{cause.flags}", "back": "/"}


def _combination_page(client: Client, row: Combination) -> tuple[str, dict[str, str]]:
    return f"/combinations/{row.pk}/dismiss", {"seen_run": str(row.last_run_id), "list": ""}


def _flags(client: Client, row: Combination) -> tuple[str, dict[str, str]]:
    return "/bulk/rows", {"act": "dismiss", "row": f"{row.pk}:{row.last_run_id}", "back": "/flags"}


def _frozen_list(client: Client, row: Combination) -> tuple[str, dict[str, str]]:
    asked = client.post("/bulk/freeze", {"act": "dismiss", "list": "", "back": "/flags"})
    return f"{asked['Location']}/apply", {}


@pytest.mark.parametrize("form", [_cause_page, _causes, _combination_page, _flags, _frozen_list])
def test_what_was_typed_stands_in_the_form_again_once(
    form: Callable[[Client, Combination], tuple[str, dict[str, str]]], vera: Client, flagged: Combination
) -> None:
    address, fields = form(vera, flagged)
    answer = vera.post(address, TYPED | fields)
    page = vera.get(answer["Location"])
    assert REFUSED in text_of(page)
    for value in SHOWN:
        assert value in page.content.decode()
    again = vera.get(answer["Location"]).content.decode()
    assert not any(value in again for value in SHOWN)
    flagged.refresh_from_db()
    assert flagged.review_status is None


def test_a_refused_link_leads_back_to_the_page_of_the_cause_in_its_list(vera: Client, flagged: Combination) -> None:
    address, fields = _cause_page(vera, flagged)
    answer = vera.post(address, TYPED | fields | {"link": "tracker", "until_date": ""})
    assert answer["Location"] == f"/causes/{Cause.objects.get().pk}?check=section_blank"
    assert 'value="tracker"' in vera.get(answer["Location"]).content.decode()
