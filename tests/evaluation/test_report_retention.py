"""Answers in reports go after as many days as those of runs; what came of each pair stays."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from selftest.evaluation import report_retention
from selftest.evaluation.evaluating import evaluate
from selftest.evaluation.models import PairResult, Report
from selftest.evaluation.saving import default_set
from selftest.models import Housekeeping, Target, Tuning
from selftest.operating.housekeeping import Outcome, keep_house
from tests.evaluation.pairs import CLEO, content, made_pair

# Committed, as a report asks in threads.
pytestmark = pytest.mark.django_db(transaction=True)

GOING = {"result", "answer_deleted_at", "scores"}


@pytest.fixture
def report(target: Target) -> Report:
    """Two pairs, of which one does not hold; it ended 31 days ago."""
    parts = ({"text": "weather", "source": "forecast"},)
    made_pair("weather", target, content("weather", sources=("forecast",), parts=parts))
    made_pair("wrong", target, content("headlines", sources=("forecast",)))
    found = evaluate(default_set(), target, CLEO)
    aged(found, 31)
    return found


def aged(report: Report, days: int) -> None:
    Report.objects.filter(pk=report.pk).update(finished_at=timezone.now() - timedelta(days=days))


def columns(name: str) -> dict[str, Any]:
    return PairResult.objects.filter(name=name).values().get()


@pytest.mark.parametrize("name", ["weather", "wrong"])
def test_an_answer_goes_after_thirty_days_and_outcome_and_scores_stay(report: Report, name: str) -> None:
    before = columns(name)
    assert keep_house() is Outcome.DONE
    after = columns(name)
    assert {column for column in before if before[column] != after[column]} <= GOING
    assert (after["result"], after["answer_deleted_at"] is None) == ("", False)
    assert [{**score, "details": []} for score in before["scores"]] == after["scores"]
    assert before["result"]


def test_they_are_counted_once(report: Report) -> None:
    keep_house()
    assert Housekeeping.objects.get().answers_deleted == 2
    keep_house()
    assert Housekeeping.objects.get().answers_deleted == 2


def test_more_than_a_batch_goes_too(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_retention, "BATCH_RESULTS", 1)
    assert keep_house() is Outcome.DONE
    assert not PairResult.objects.exclude(result="").exists()


def test_younger_ones_stay(report: Report) -> None:
    aged(report, 29)
    keep_house()
    assert columns("weather")["result"]


def test_with_zero_days_all_stay(report: Report) -> None:
    Tuning.get_solo()
    Tuning.objects.update(keep_answers_days=0)
    keep_house()
    assert columns("weather")["result"]


def test_the_page_says_that_an_answer_is_no_longer_kept(report: Report, vera: Client) -> None:
    page = f"/evaluation/reports/{report.pk}"
    assert "no longer kept" not in vera.get(page).content.decode()
    keep_house()
    assert vera.get(page).content.decode().count("The answer is no longer kept: it was deleted after 31 days.") == 2
