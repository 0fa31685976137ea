"""What may be asked besides, counted by hand, and which answers are remembered."""

import pytest

from selftest.core.judging.answers import Answer
from selftest.core.judging.probe_budget import Budget, Recall, earned, left_over
from selftest.core.judging.probes import Probe, Purpose, Urgency


def spent(urgency: Urgency, begun: int, queries: int = 8, per_query: float = 1.0) -> int:
    """How many may be asked in a row once so many queries are begun."""
    budget = Budget(queries, per_query)
    for _ in range(begun):
        budget.begin()
    while budget.spend(urgency):
        pass
    return budget.spent


@pytest.mark.parametrize(
    ("urgency", "begun", "may_be_asked"),
    [
        (Urgency.EXPLAIN, 1, 8),  # all of them at any time
        (Urgency.EXPLAIN, 8, 8),
        (Urgency.SUSPECT, 0, 6),  # a quarter is kept for explaining
        (Urgency.SUSPECT, 4, 7),  # half of that quarter, as half of the queries are over
        (Urgency.SUSPECT, 8, 8),  # nothing any more
        (Urgency.WORTHWHILE, 0, 2),  # a quarter at once
        (Urgency.WORTHWHILE, 4, 4),  # half way to three quarters
        (Urgency.WORTHWHILE, 8, 6),
        (Urgency.ROUTINE, 0, 0),
        (Urgency.ROUTINE, 2, 0),  # 6.5 × 0.25 ** 1.5 = 0.81
        (Urgency.ROUTINE, 4, 2),  # 7 × 0.5 ** 1.5 = 2.47
        (Urgency.ROUTINE, 8, 8),
        (Urgency.IF_KNOWN, 8, 0),
    ],
)
def test_the_more_hangs_on_it_the_more_may_be_asked(urgency: Urgency, begun: int, may_be_asked: int) -> None:
    assert spent(urgency, begun) == may_be_asked


@pytest.mark.parametrize(
    ("over", "may_be_asked"),
    [
        (0, 0),
        (3, 3),  # 7 without what is kept for explaining, and one for each of the four queries to come
        (6, 6),  # 7.75 and one
        (7, 8),  # no other query is left
        (8, 8),
    ],
)
def test_what_can_be_spared_leaves_a_probe_for_each_query_that_has_no_verdict(over: int, may_be_asked: int) -> None:
    budget = Budget(8)
    for _ in range(over):
        budget.begin()
        budget.end()
    if over < 8:
        budget.begin()
    while budget.spend(Urgency.SPARE):
        pass
    assert budget.spent == may_be_asked


@pytest.mark.parametrize(("queries", "per_query", "at_most"), [(8, 1.0, 8), (8, 0.3, 2), (3, 2.5, 7), (8, 0.0, 0)])
def test_as_many_can_be_sent_as_the_budget_says_that_there_are(queries: int, per_query: float, at_most: int) -> None:
    assert Budget(queries, per_query).at_most == at_most
    assert spent(Urgency.EXPLAIN, queries, queries, per_query) == at_most


def test_what_was_spent_on_one_thing_is_not_there_for_another() -> None:
    budget = Budget(8)
    budget.begin()
    assert [budget.spend(Urgency.EXPLAIN) for _ in range(7)] == [True] * 7
    assert not budget.spend(Urgency.SUSPECT)
    assert budget.spend(Urgency.EXPLAIN)
    assert not budget.spend(Urgency.EXPLAIN)
    assert budget.spent == 8


def test_a_query_may_earn_more_or_less_than_one_asking() -> None:
    assert spent(Urgency.EXPLAIN, begun=1, queries=8, per_query=0.5) == 4
    assert spent(Urgency.EXPLAIN, begun=1, queries=8, per_query=0.0) == 0
    assert spent(Urgency.EXPLAIN, begun=1, queries=2, per_query=3.0) == 6


@pytest.mark.parametrize(
    ("unspent", "queries", "per_query", "more"),
    [(0, 8, 1.0, 0), (1, 8, 1.0, 1), (2, 8, 1.0, 2), (5, 8, 1.0, 2), (5, 8, 3.0, 5), (9, 8, 0.3, 0), (9, 3, 1.0, 0)],
)
def test_a_cycle_may_send_what_the_one_before_did_not_up_to_a_quarter_of_its_own(
    unspent: int, queries: int, per_query: float, more: int
) -> None:
    assert left_over(unspent, queries, per_query, answered=64) == more
    assert left_over(unspent, queries, per_query, answered=63) == 0, "the first queries have more anyway"
    assert Budget(queries, per_query, more).at_most == int(queries * per_query) + more


def test_of_what_tells_something_only_together_nothing_is_begun_that_cannot_be_ended() -> None:
    budget = Budget(8)
    assert not budget.spend(Urgency.EXPLAIN, together=9)
    assert budget.spent == 0
    assert [budget.spend(Urgency.EXPLAIN, left) for left in range(8, 0, -1)] == [True] * 8
    assert not budget.spend(Urgency.EXPLAIN)


def test_what_was_left_over_counts_like_the_rest() -> None:
    budget = Budget(8, left_over=2)
    for _ in range(8):
        budget.begin()
    while budget.spend(Urgency.WORTHWHILE):
        pass
    assert budget.spent == 7  # three quarters of ten
    while budget.spend(Urgency.ROUTINE):
        pass
    assert budget.spent == 10


def test_more_queries_than_were_foreseen_earn_nothing_more() -> None:
    assert spent(Urgency.WORTHWHILE, begun=20) == spent(Urgency.WORTHWHILE, begun=8)


OLD, NEW, NEWER = (Answer(text, "ferry", 1.0) for text in ("old", "new", "newer"))


def probe(fresh: int = 0, text: str = "next ferry", only: str = "") -> Probe:
    return Probe(text, Purpose.PART, Urgency.SUSPECT, "ferry", only, fresh)


def test_an_earlier_answer_will_do_where_none_need_be_fresh() -> None:
    recall = Recall({("next ferry", ""): OLD})
    assert recall.answer(probe()) == OLD
    assert recall.answer(probe(fresh=1)) is None


def test_fresh_answers_are_told_in_the_order_in_which_they_came() -> None:
    recall = Recall({("next ferry", ""): OLD})
    recall.note(probe(fresh=1), NEW)
    assert (recall.answer(probe(fresh=1)), recall.answer(probe(fresh=2))) == (NEW, None)
    recall.note(probe(fresh=2), NEWER)
    assert (recall.answer(probe(fresh=1)), recall.answer(probe(fresh=2))) == (NEW, NEWER)


def test_what_was_asked_just_now_is_fresh_for_the_next_to_ask() -> None:
    recall = Recall({})
    assert recall.answer(probe()) is None
    recall.note(probe(), NEW)
    assert (recall.answer(probe()), recall.answer(probe(fresh=1))) == (NEW, NEW)


def test_another_text_and_a_source_asked_by_name_are_other_questions() -> None:
    recall = Recall({("next ferry", ""): OLD})
    assert recall.answer(probe(text="high tide")) is None
    assert recall.answer(probe(only="ferry")) is None
    recall.note(probe(only="ferry"), NEW)
    assert (recall.answer(probe(only="ferry")), recall.answer(probe())) == (NEW, OLD)


@pytest.mark.parametrize(("answered", "expected"), [(0, 3.5), (63, 3.5), (64, 2.0), (9000, 2.0)])
def test_the_first_64_queries_of_a_target_earn_three_quarters_more(answered: int, expected: float) -> None:
    assert earned(2.0, answered) == expected
