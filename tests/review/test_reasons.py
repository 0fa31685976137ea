"""Why something was decided, said afterwards in the toast that tells of it."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import BulkAct, Cause, Combination, ReviewEvent
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of

pytestmark = pytest.mark.django_db


def reason_at(response: HttpResponse) -> str:
    """Where the toast's form sends a reason; "" without one."""
    found = re.search(r'action="([^"]+/reason)"', response.content.decode())
    return found.group(1) if found else ""


def dismissed(client: Client, **fields: str) -> tuple[Combination, HttpResponse]:
    found = factory.flagged("tell me about molybdenum")
    form = {"seen_run": str(found.last_run_id), "back": "/flags"} | fields
    return found, client.post(f"/combinations/{found.pk}/dismiss", form, follow=True)  # type: ignore[return-value]


def judged(client: Client, count: int = 2) -> tuple[list[Cause], HttpResponse]:
    for check in (CheckName.SECTION_REPEATED, CheckName.SECTION_BLANK)[:count]:
        factory.flagged("", factory.finding(check))
    assign_causes(factory.a_target(), timezone.now())
    causes = list(Cause.objects.order_by("id"))
    form = {"verdict": "accepted", "row": [f"{cause.pk}:{cause.flags}" for cause in causes], "back": "/"}
    return causes, client.post("/causes/judge", form, follow=True)  # type: ignore[return-value]


def test_a_dismissal_gets_its_reason_from_the_toast(vera: Client) -> None:
    found, answer = dismissed(vera)
    page = text_of(
        vera.post(reason_at(answer), {"reason": "known since May", "name": f"combination-{found.pk}"}, follow=True)
    )
    assert "Dismissed: tell me about molybdenum: “known since May” Undo" in page
    newest = ReviewEvent.objects.filter(combination=found).first()
    assert newest is not None
    assert (newest.kind, newest.note, newest.actor) == ("reasoned", "known since May", "vera")
    assert "known since May" in text_of(vera.get("/flags?tab=dismissed"))
    assert "Reason added by vera" in text_of(vera.get(f"/combinations/{found.pk}"))


def test_the_toast_asks_for_no_reason_that_was_given(vera: Client) -> None:
    assert reason_at(dismissed(vera, reason="known since May")[1]) == ""


def test_a_reason_of_many_stands_with_each_of_them(vera: Client) -> None:
    found = [factory.flagged(f"what is metal {n}") for n in range(3)]
    rows = [f"{one.pk}:{one.last_run_id}" for one in found]
    answer = vera.post("/bulk/rows", {"act": "dismiss", "row": rows, "back": "/flags"}, follow=True)
    vera.post(reason_at(answer), {"reason": "one and the same", "back": "/flags"})
    assert BulkAct.objects.get().note == "one and the same"
    told = ReviewEvent.objects.filter(kind="reasoned").values_list("combination", "note")
    assert set(told) == {(one.pk, "one and the same") for one in found}


def test_several_causes_are_one_toast_whose_reason_and_undo_are_of_all(vera: Client) -> None:
    causes, answer = judged(vera)
    assert len(re.findall(r'class="toast" id=', answer.content.decode())) == 1
    vera.post(reason_at(answer), {"reason": "will stay", "back": "/"})
    assert set(Cause.objects.values_list("reason", flat=True)) == {"will stay"}
    assert set(ReviewEvent.objects.filter(kind="reasoned").values_list("note", flat=True)) == {"will stay"}
    undo = re.search(r'action="([^"]+/reopen\?judged=[0-9,%C]+)"', answer.content.decode())
    assert undo is not None
    vera.post(undo.group(1), {"back": "/"})
    assert set(Cause.objects.values_list("verdict", flat=True)) == {None}
    assert not Combination.objects.filter(review_status="dismissed").exists()
    assert "Accepted: 2 causes" not in text_of(vera.get("/"))
    assert len(causes) == 2


def test_to_htmx_the_toasts_come_back_with_the_reason_in_them(htmx: Client) -> None:
    judged(htmx, 1)
    name = f"causes-{Cause.objects.get().pk}"
    after = htmx.post(f"/causes/{Cause.objects.get().pk}/reason", {"reason": SCRIPT, "name": name})
    assert not is_whole(after)
    assert reason_at(after) == ""
    assert_escaped(after)


@pytest.mark.parametrize(
    ("reason", "words"), [("", "The reason is empty"), ("x" * 2001, "The reason has 2001 characters")]
)
def test_a_reason_that_cannot_be_kept_is_refused_in_words(vera: Client, htmx: Client, reason: str, words: str) -> None:
    found, answer = dismissed(vera)
    assert words in text_of(vera.post(reason_at(answer), {"reason": reason, "back": "/flags"}, follow=True))
    refused = htmx.post(f"/combinations/{found.pk}/reason", {"reason": reason})
    assert refused.status_code == 409
    assert refused["Content-Type"].startswith("text/plain")
    assert words in refused.content.decode()
    assert not ReviewEvent.objects.filter(kind="reasoned").exists()


def test_what_was_undone_meanwhile_has_no_reason(vera: Client) -> None:
    found, answer = dismissed(vera)
    vera.post(f"/combinations/{found.pk}/undismiss", {"back": "/flags"})
    page = text_of(vera.post(reason_at(answer), {"reason": "known", "back": "/flags"}, follow=True))
    assert "is not dismissed any more" in page
    causes, answer = judged(vera, 1)
    vera.post(f"/causes/{causes[0].pk}/reopen", {"back": "/"})
    assert "is not judged any more" in text_of(vera.post(reason_at(answer), {"reason": "known"}, follow=True))
    assert not ReviewEvent.objects.filter(kind="reasoned").exists()
