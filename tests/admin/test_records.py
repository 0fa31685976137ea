"""Records: looked at, filtered and searched, never changed; and lists that count no millions."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from selftest.admin import pagination
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.models import Combination, Cycle, Flag, ReviewEvent, Run
from tests.admin.conftest import make_history, make_target, page_of, text_of

RECORDS = [Cycle, Run, Combination, Flag, ReviewEvent]


@pytest.fixture(scope="module")
def history(rows_of_module: None) -> Cycle:
    """Made once: a cycle takes longer than most tests here, and none of them needs one to itself."""
    return make_history(make_target(), User.objects.create_superuser("admin"))


def _listing(client: Client, model: Any, **filters: str) -> Any:
    response = client.get(reverse(f"admin:selftest_{model._meta.model_name}_changelist"), filters)
    assert response.status_code == 200, filters
    return response


def _rows(response: Any) -> list[Any]:
    return list(response.context["cl"].result_list)


@pytest.mark.parametrize("model", RECORDS)
def test_what_no_database_can_look_for_is_refused(admin_client: Client, history: Cycle, model: Any) -> None:
    listing = reverse(f"admin:selftest_{model._meta.model_name}_changelist")
    for filters in ({"q": "\x00"}, {"state": "\x00"}, {"recipe_name": "a\x00b"}, {"check": "\x00"}):
        assert admin_client.get(listing, filters).status_code == 400, filters


@pytest.mark.parametrize("model", RECORDS)
def test_a_record_is_not_changed_added_or_deleted(admin_client: Client, history: Cycle, model: Any) -> None:
    row = model.objects.first()
    before = model.objects.values().get(pk=row.pk)
    name = f"admin:selftest_{model._meta.model_name}"
    assert admin_client.post(page_of(row), {"state": "done", "reason": "x"}).status_code == 403
    assert admin_client.get(reverse(f"{name}_add")).status_code == 403
    assert admin_client.post(reverse(f"{name}_add"), {}).status_code == 403
    assert admin_client.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    admin_client.post(
        reverse(f"{name}_changelist"), {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    )
    assert model.objects.values().get(pk=row.pk) == before


def test_parts_are_shown_by_the_words_of_pages_also_where_one_is_spelt_otherwise(
    admin_client: Client, history: Cycle
) -> None:
    parts = [["intent", "WEATHER", "forecast", "weather"], ["joint", " plus ", ""], ["topic", "moon", ""]]
    Combination.objects.update(query={"recipe": "keywords_in_other_case", "parts": parts})
    page = admin_client.get(page_of(Combination.objects.first())).content.decode()
    for line in ("intent: 'WEATHER' → forecast", "conjunction: ' plus '", "topic: 'moon'"):
        assert escape(line) in page


def test_an_answer_stands_there_whole_and_as_text(admin_client: Client, history: Cycle) -> None:
    run = Run.objects.first()
    assert run is not None
    answer = "<script>alert('x')</script>\n\n    indented\n---\nend"
    Run.objects.filter(pk=run.pk).update(result=answer)
    page = text_of(admin_client.get(page_of(run)))
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;\n\n    indented\n---\nend</pre>" in page
    assert "<script>alert" not in page


def test_the_evidence_of_a_flag_is_shown(admin_client: Client, history: Cycle) -> None:
    flag = Flag.objects.first()
    assert flag is not None
    page = text_of(admin_client.get(page_of(flag)))
    for label in ("Promised", "Seen", "Where"):
        assert f"<label>{label}:</label>" in page


def test_the_story_names_the_person_and_escapes_the_note(admin_client: Client, history: Cycle) -> None:
    page = text_of(admin_client.get(page_of(ReviewEvent.objects.get(kind="dismissed"))))
    assert "known &lt;b&gt;for years&lt;/b&gt;" in page
    assert "Dismissed by admin" in page


def test_runs_are_filtered_by_state_recipe_target_and_check(admin_client: Client, history: Cycle) -> None:
    run = Run.objects.filter(reason__isnull=False).first()
    assert run is not None
    assert run.reason is not None
    check = run.reason.partition(":")[0]
    for filters in (
        {"state__exact": "done"},
        {"recipe": run.recipe_name},
        {"target__id__exact": str(run.target_id)},
        {"check": check},
        {"q": str(run.pk)},
    ):
        found = _rows(_listing(admin_client, Run, **filters))
        assert run in found, filters
    assert {found.recipe_name for found in _rows(_listing(admin_client, Run, recipe=run.recipe_name))} == {
        run.recipe_name
    }
    assert all(
        (found.reason or "").startswith(f"{check}:") for found in _rows(_listing(admin_client, Run, check=check))
    )
    assert _rows(_listing(admin_client, Run, state__exact="planned")) == []
    assert _rows(_listing(admin_client, Run, check="latency_outlier")) == []


def test_combinations_flags_and_events_are_filtered_too(admin_client: Client, history: Cycle) -> None:
    dismissed = Combination.objects.get(review_status="dismissed")
    assert _rows(_listing(admin_client, Combination, review_status__exact="dismissed")) == [dismissed]
    assert dismissed in _rows(
        _listing(admin_client, Combination, recipe=dismissed.recipe_name, ever_flagged__exact="1")
    )
    flag = dismissed.flags.first()
    assert flag is not None
    assert flag in _rows(_listing(admin_client, Flag, check=flag.check_name, recipe=dismissed.recipe_name))
    assert len(_rows(_listing(admin_client, ReviewEvent, kind__exact="dismissed"))) == 1
    assert _rows(_listing(admin_client, Cycle, state__exact="finished", trigger__exact="command")) == [history]


def test_a_search_finds_words_of_a_query(admin_client: Client, history: Cycle) -> None:
    run = Run.objects.first()
    assert run is not None
    assert run in _rows(_listing(admin_client, Run, q=run.text))
    assert _rows(_listing(admin_client, Run, q="no such words in any query")) == []


def test_a_cycle_leads_to_its_runs(admin_client: Client, history: Cycle) -> None:
    url = f"{reverse('admin:selftest_run_changelist')}?cycle__id__exact={history.pk}"
    assert url in text_of(admin_client.get(page_of(history)))
    assert len(_rows(admin_client.get(url))) == history.queries_run


def test_a_list_asks_as_many_questions_for_many_rows_as_for_few(admin_client: Client, history: Cycle) -> None:
    def rows_and_questions() -> dict[str, tuple[int, int]]:
        found = {}
        for model in RECORDS:
            with CaptureQueriesContext(connection) as questions:
                rows = len(_rows(_listing(admin_client, model)))
            found[model.__name__] = rows, len(questions)
        return found

    rows_and_questions()  # fills what Django keeps, such as content types
    few = rows_and_questions()
    run_cycle(CycleRequest(history.target, Cycle.Trigger.COMMAND, count=40))
    many = rows_and_questions()
    assert all(many[name][0] > rows for name, (rows, _) in few.items())
    assert {name: questions for name, (_, questions) in many.items()} == {
        name: questions for name, (_, questions) in few.items()
    }


@pytest.mark.parametrize("model", RECORDS)
def test_a_list_counts_no_further_than_it_leads(
    admin_client: Client, history: Cycle, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pagination, "REACHABLE_ROWS", 0)
    with CaptureQueriesContext(connection) as queries:
        page = text_of(_listing(admin_client, model))
    counts = [query["sql"] for query in queries if "COUNT(" in query["sql"] and model._meta.db_table in query["sql"]]
    assert counts
    assert all("LIMIT 1" in sql for sql in counts)
    assert "use a filter or the search for older ones" in page


def test_a_list_of_runs_reads_no_answers(admin_client: Client, history: Cycle) -> None:
    with CaptureQueriesContext(connection) as queries:
        _listing(admin_client, Run)
    assert not [query for query in queries if '"selftest_run"."result"' in query["sql"]]


def test_a_list_is_newest_first_and_in_no_other_order(admin_client: Client, history: Cycle) -> None:
    numbers = [row.pk for row in _rows(_listing(admin_client, Run, o="2"))]
    assert numbers == sorted(numbers, reverse=True)
