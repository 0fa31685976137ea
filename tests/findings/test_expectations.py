"""What an example says should be seen: whether an answer is so, what five answers come to, and what is true instead."""

import pytest

from selftest.findings.core.expectations import (
    CheckOutcome,
    Expect,
    Expectation,
    Seen,
    holds,
    outcome_of,
    seen_instead,
    successor,
)

NEWS_ALONE = Seen(sources=frozenset({"news"}), text="Nothing\nnew  Today.")
BOTH = Seen(sources=frozenset({"news", "web"}), headers=frozenset({"news", "web"}), text="…", is_flagged=True)


@pytest.mark.parametrize(
    ("kind", "named", "of_news_alone", "of_both"),
    [
        (Expect.SOURCES, ("news",), True, False),
        (Expect.SOURCES, ("web", "news"), False, True),
        (Expect.HEADER, ("news",), False, True),
        (Expect.NO_HEADER, ("news",), True, False),
        (Expect.PHRASE, ("nothing NEW today",), True, False),
        (Expect.NO_PHRASE, ("nothing new",), False, True),
        (Expect.FLAGGED, ("crash",), False, True),
        (Expect.NOT_FLAGGED, ("crash",), True, False),
    ],
)
def test_an_answer_is_as_expected_or_not(
    kind: Expect, named: tuple[str, ...], of_news_alone: bool, of_both: bool
) -> None:
    expected = Expectation(kind, named)
    assert (holds(expected, NEWS_ALONE), holds(expected, BOTH)) == (of_news_alone, of_both)


@pytest.mark.parametrize(
    ("held", "outcome"),
    [
        ([True], CheckOutcome.HOLDS),
        ([False] * 5, CheckOutcome.BROKEN),
        ([False, True, False, True, True], CheckOutcome.UNSTEADY),
        ([False, False, False, False, True], CheckOutcome.UNSTEADY),
        ([False] * 4, CheckOutcome.UNSTEADY),
    ],
)
def test_only_five_of_five_doubt_a_claim(held: list[bool], outcome: CheckOutcome) -> None:
    assert outcome_of(held) is outcome


def test_what_is_seen_instead_is_named_only_where_all_answers_show_it() -> None:
    expected = Expectation(Expect.SOURCES, ("web",))
    assert seen_instead(expected, [BOTH] * 5) == Expectation(Expect.SOURCES, ("news", "web"))
    assert seen_instead(expected, [BOTH] * 4 + [NEWS_ALONE]) is None
    assert seen_instead(expected, [Seen()] * 5) is None
    for kind in set(Expect) - {Expect.SOURCES}:
        instead = seen_instead(Expectation(kind, ("x",)), [BOTH] * 5)
        assert instead is not None
        assert holds(instead, BOTH) is not holds(Expectation(kind, ("x",)), BOTH)


@pytest.mark.parametrize(
    ("version", "held_in", "ending"),
    [
        ("3.51", "3.50", " since 3.51; 5 of 5"),
        ("3.51", "3.51", " in 3.51; 5 of 5"),
        ("3.51", "", " in 3.51; 5 of 5"),
        ("", "", "; 5 of 5"),
        ("", "3.50", "; 5 of 5"),
    ],
)
def test_a_successor_says_since_when_where_that_is_known(version: str, held_in: str, ending: str) -> None:
    expected, instead = Expectation(Expect.PHRASE, ("sorry",)), Expectation(Expect.NO_PHRASE, ("sorry",))
    said = successor("rss", expected, instead, version, held_in)
    assert said == f"The answer to “rss” does not hold “sorry”{ending}"


def test_a_long_query_is_cut_in_a_successor() -> None:
    expected = Expectation(Expect.SOURCES, ("news", "web", "home"))
    said = successor("x" * 4_000, expected, None, "", "")
    assert said == f"The answer to “{'x' * 200}…” comes from other sources than news, web and home; 5 of 5"
