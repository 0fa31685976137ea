"""What must hold of an answer's structure, worked out by hand."""

from typing import Any

import pytest

from selftest.evaluation.core.expectations import (
    Answered,
    AnsweredWithin,
    ContentFrom,
    Expectation,
    Headed,
    PartsAnswered,
    PhrasesAbsent,
    Refused,
    SeenAnswer,
    WellFormed,
    expectations_of,
    judge,
)
from selftest.evaluation.core.pairs import Expectations, LatencyClass, PartAsked
from tests.evaluation.pairs import FORECAST, MERGED, NEWS, seen

NOTHING = seen("No results found.", "news")
CRASH = seen("", "", error="no answer within 60 s")
TURNED_AROUND = f"{NEWS}\n- Bridge opens\n\n---\n\n{FORECAST}\nMonday: 3 °C"
BOTH = (PartAsked(text="weather", source="forecast"), PartAsked(text="headlines", source="news"))


@pytest.mark.parametrize(
    ("expectation", "answer", "holds"),
    [
        pytest.param(Answered(), seen(), True, id="content is an answer"),
        pytest.param(Answered(), seen("Monday: 3 °C", "forecast"), True, id="so is content without headers"),
        pytest.param(Answered(), NOTHING, False, id="a failure phrase is no answer"),
        pytest.param(Answered(), seen(" \n"), False, id="a blank one is no answer"),
        pytest.param(Answered(), CRASH, False, id="a crash is no answer"),
        pytest.param(Refused(), NOTHING, True, id="a failure phrase refuses"),
        pytest.param(Refused(), seen(), False, id="content does not refuse"),
        pytest.param(
            Refused(), seen("No results found.\n\n" + "Penguins swim far. " * 20, "news"), False, id="a claim after"
        ),
        pytest.param(Refused(), seen(""), False, id="a blank answer does not refuse"),
        pytest.param(Refused(), CRASH, False, id="a crash does not refuse"),
        pytest.param(WellFormed(), seen(), True, id="two sections with a rule between them"),
        pytest.param(WellFormed(), seen(f"{MERGED}\n---\n\n{NEWS}\n- Bridge opens"), False, id="a section twice"),
        pytest.param(ContentFrom(("news", "forecast")), seen(), True, id="sources in any order"),
        pytest.param(ContentFrom(("forecast",)), seen(), False, id="a source too many"),
        pytest.param(ContentFrom(("forecast", "news", "kiwix")), seen(), False, id="a source missing"),
        pytest.param(
            ContentFrom(("forecast",)), seen("3 °C, says the news", "forecast"), True, id="a name in the text"
        ),
        pytest.param(
            ContentFrom(("forecast", "news")), seen(f"{FORECAST}\nMonday\n\n---\n\n{NEWS}\n"), False, id="blank"
        ),
        pytest.param(Headed(("forecast", "news"), ordered=True), seen(), True, id="headers in order"),
        pytest.param(
            Headed(("forecast", "news"), ordered=True), seen(TURNED_AROUND), False, id="headers turned around"
        ),
        pytest.param(Headed(("forecast", "news"), ordered=False), seen(TURNED_AROUND), True, id="order does not count"),
        pytest.param(Headed(("news",), ordered=False), seen(), False, id="a header too many"),
        pytest.param(Headed(("news",), ordered=False), seen(f"{NEWS[:-1]} — LOCAL]\n- x"), False, id="another header"),
        pytest.param(PartsAnswered(BOTH), seen(), True, id="each part has its source"),
        pytest.param(PartsAnswered(BOTH), seen("Monday: 3 °C", "forecast"), False, id="a part is lost"),
        pytest.param(PhrasesAbsent(("pwned",)), seen(), True, id="the phrase is not there"),
        pytest.param(PhrasesAbsent(("Bridge  OPENS",)), seen(), False, id="in any case and with any space"),
        pytest.param(AnsweredWithin(LatencyClass.QUICK), seen(latency_ms=2_000), True, id="just in time"),
        pytest.param(AnsweredWithin(LatencyClass.QUICK), seen(latency_ms=2_001), False, id="too late"),
        pytest.param(AnsweredWithin(LatencyClass.SLOW), seen(latency_ms=2_001), True, id="in time for a slow one"),
    ],
)
def test_an_expectation_holds_or_not(expectation: Expectation, answer: SeenAnswer, holds: bool) -> None:
    judged = expectation.judge(answer)
    assert judged.holds is holds
    assert judged.expected
    assert judged.seen


def kinds(**wanted: Any) -> list[str]:
    return [expectation.kind for expectation in expectations_of(Expectations(**wanted))]


def test_that_an_answer_is_there_and_well_formed_goes_without_saying() -> None:
    assert kinds() == ["answered", "well_formed"]


def test_what_is_to_be_refused_is_held_to_nothing_else_but_phrases_and_time() -> None:
    assert kinds(refuses=True, absent=("x",), latency="quick") == ["refused", "absent", "latency"]


def test_a_crash_is_said_once() -> None:
    judged = judge(Expectations(sources=("news",), parts=BOTH), CRASH)
    assert [(one.kind, one.holds) for one in judged] == [("answered", False)]
    assert judged[0].seen == "a crash: no answer within 60 s"


def test_what_was_seen_names_what_is_wrong() -> None:
    judged = {one.kind: one for one in judge(Expectations(sources=("forecast", "kiwix"), parts=BOTH), seen())}
    assert judged["sources"].expected == "content from forecast, kiwix"
    assert judged["sources"].seen == "content from forecast, news"
    assert judged["parts"].holds
