"""Which flags have one cause: worlds of queries in which the tests know what goes wrong."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.insight.causes import FoundCause, find_causes
from selftest.core.insight.predicates import Predicate, QueryShape, bit
from selftest.core.insight.symptoms import EMPTY, ROUTING, SeenFlag, SeenRun
from tests.core.judging.relations.scripted import VOCABULARY

CONJUNCTIONS = tuple(Part(PartKind.CONJUNCTION, f" {text} ") for text in ("and", "plus", "also"))
KEYWORDS = tuple(
    Part(PartKind.INTENT, f"{source} {number}", source)
    for source in ("tides", "ferry", "harbour")
    for number in (1, 2, 3)
)
PAIRS = tuple(Part(PartKind.PAIR, f"{name} and Pollux") for name in ("Castor", "Leda", "Ebb"))
TOPICS = tuple(Part(PartKind.TOPIC, text) for text in ("knots", "whales", "shanties"))
REQUESTS = tuple(Part(PartKind.REQUEST, f"I want to {text}") for text in ("row", "fish"))
QUERIES = 240

Strikes = Callable[[Sequence[Part]], Iterable[int]]
"""The clauses of a query that go wrong."""


def queries(seed: int = 0) -> list[Query]:
    rng = random.Random(seed)
    made = []
    for _ in range(QUERIES):
        clauses = [
            rng.choice(rng.choice((KEYWORDS, KEYWORDS, PAIRS, TOPICS, REQUESTS))) for _ in range(rng.randint(1, 5))
        ]
        parts = [clauses[0]]
        for clause in clauses[1:]:
            parts += [rng.choice(CONJUNCTIONS), clause]
        made.append(Query("any_recipe", tuple(parts)))
    return made


def world(*faults: tuple[str, Strikes], seed: int = 0, share: float = 1.0) -> list[SeenRun]:
    """share: of what goes wrong that is seen. The keys of flags are by a thousand for each fault."""
    rng = random.Random(seed)
    runs = []
    for number, query in enumerate(queries(seed)):
        flags = []
        for fault, (symptom, strikes) in enumerate(faults):
            suspects = sum(bit(place) for place in set(strikes([clause.parts[0] for clause in query.clauses])))
            if suspects and rng.random() < share:
                flags.append(SeenFlag(1000 * fault + number, symptom, suspects))
        runs.append(SeenRun(QueryShape(query, VOCABULARY), tuple(flags)))
    return runs


def after_pairs(clauses: Sequence[Part]) -> list[int]:
    return [place + 1 for place, part in enumerate(clauses[:-1]) if part in PAIRS and clauses[place + 1] in REQUESTS]


def from_fourth(clauses: Sequence[Part]) -> range:
    return range(3, len(clauses))


def ferry_keyword(clauses: Sequence[Part]) -> list[int]:
    return [place for place, part in enumerate(clauses) if part.text == "ferry 2"]


def tides_later(clauses: Sequence[Part]) -> list[int]:
    return [place for place, part in enumerate(clauses) if place and part.source == "tides"]


def two_keywords(clauses: Sequence[Part]) -> list[int]:
    return [place for place, part in enumerate(clauses) if part.text in ("tides 1", "harbour 3")]


def everything(clauses: Sequence[Part]) -> range:
    return range(len(clauses))


def by_chance(clauses: Sequence[Part]) -> list[int]:
    return [random.Random("".join(part.text for part in clauses)).randrange(4 * len(clauses))]


def only(runs: list[SeenRun]) -> FoundCause:
    (cause,) = find_causes(runs)
    return cause


def test_where_nothing_is_flagged_there_is_no_cause() -> None:
    assert find_causes(world()) == []
    assert find_causes([]) == []


@pytest.mark.parametrize("share", [1.0, 0.6])
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    ("strikes", "sentence"),
    [
        (from_fourth, "the fourth part or a later one"),
        (ferry_keyword, "'ferry 2'"),
        (tides_later, "a keyword of tides, not in first place"),
        (two_keywords, "'harbour 3' or 'tides 1'"),
        (after_pairs, "a request right after a pair"),
    ],
)
def test_the_sentence_names_what_goes_wrong(strikes: Strikes, sentence: str, seed: int, share: float) -> None:
    cause = only(world((ROUTING, strikes), seed=seed, share=share))
    assert cause.predicate.sentence == sentence
    assert cause.evidence > 0


def test_counts_are_of_the_queries_that_could_have_shown_it() -> None:
    cause = only(world((ROUTING, ferry_keyword), share=0.6))
    holding = [query for query in queries() if any(part.text == "ferry 2" for part in query.parts)]
    assert cause.runs == len(holding)
    assert cause.struck == len(cause.flags) < len(holding)


def test_the_other_queries_are_those_without_it_and_of_them_those_that_show_the_same_are_counted() -> None:
    runs = world((ROUTING, ferry_keyword), (ROUTING, from_fourth), (EMPTY, tides_later))
    keyword = next(cause for cause in find_causes(runs) if cause.predicate.sentence == "'ferry 2'")
    without = [run for run in runs if not any(part.text == "ferry 2" for part in run.shape.query.parts)]
    assert keyword.other_runs == len(without) == QUERIES - keyword.runs
    assert keyword.other_struck == sum(any(flag.symptom == ROUTING for flag in run.flags) for run in without) > 0


def test_what_goes_wrong_everywhere_is_said_of_any_query() -> None:
    cause = only(world(("section_repeated", everything)))
    assert (cause.predicate.sentence, cause.runs, cause.struck) == ("any query", QUERIES, QUERIES)
    assert cause.evidence == 0


def test_what_chance_explains_as_well_is_one_cause_of_any_query() -> None:
    cause = only(world((ROUTING, lambda clauses: [place for place in by_chance(clauses) if place < len(clauses)])))
    assert (cause.predicate.sentence, cause.evidence) == ("any query", 0)


def test_two_faults_are_two_causes_and_each_flag_is_with_its_own() -> None:
    causes = find_causes(world((ROUTING, from_fourth), (ROUTING, ferry_keyword)))
    assert {cause.predicate.sentence for cause in causes} == {"the fourth part or a later one", "'ferry 2'"}
    keyword = next(cause for cause in causes if cause.predicate.family == "phrase")
    early = {
        1000 + number
        for number, query in enumerate(queries())
        if (struck := ferry_keyword([clause.parts[0] for clause in query.clauses])) and max(struck) < 3
    }
    assert early <= keyword.flags


def test_a_fault_that_always_stands_hides_no_other() -> None:
    causes = find_causes(world(("section_repeated", everything), (ROUTING, ferry_keyword)))
    assert [cause.predicate.sentence for cause in causes] == ["any query", "'ferry 2'"]


def test_each_flag_belongs_to_one_cause() -> None:
    runs = world((ROUTING, from_fourth), (EMPTY, two_keywords), ("crash", ferry_keyword), share=0.8)
    keys = [key for cause in find_causes(runs) for key in cause.flags]
    assert sorted(keys) == sorted(flag.key for run in runs for flag in run.flags)


@pytest.mark.parametrize("suspects", [0, 1 << 9, 1 << 20])
def test_a_flag_of_a_part_that_its_query_does_not_have_is_of_the_whole_query(suspects: int) -> None:
    strayed = [*world()]
    strayed[3] = replace(strayed[3], flags=(SeenFlag(7, ROUTING, suspects),))
    [cause] = find_causes(strayed)
    assert (cause.predicate, cause.flags, cause.struck) == (Predicate("any"), frozenset({7}), 1)


def test_a_part_outside_its_query_changes_nothing_of_what_is_said_of_those_inside() -> None:
    seen = world((ROUTING, from_fourth))
    outside = [
        replace(run, flags=tuple(replace(flag, suspects=flag.suspects | 1 << 12) for flag in run.flags)) for run in seen
    ]
    assert find_causes(outside) == find_causes(seen)


def test_a_stray_flag_joins_the_cause_whose_predicate_holds_of_its_query() -> None:
    runs = world((ROUTING, ferry_keyword))
    place = next(n for n, run in enumerate(runs) if run.flags and len(run.shape.parts) > 2)
    suspects = runs[place].flags[0].suspects
    stray = SeenFlag(9999, ROUTING, runs[place].shape.every & ~suspects)
    runs[place] = SeenRun(runs[place].shape, (*runs[place].flags, stray))
    assert 9999 in only(runs).flags


def with_other_orders(runs: list[SeenRun]) -> list[SeenRun]:
    """The same, and where the first of several parts is a keyword of tides, another order of the query goes wrong."""
    return [
        replace(run, flags=(*run.flags, SeenFlag(5000 + number, ROUTING, 0b1, is_firm=False)))
        if len(run.shape.parts) > 1 and run.shape.parts[0].sources == ("tides",)
        else run
        for number, run in enumerate(runs)
    ]


def test_what_another_order_shows_is_with_what_goes_wrong_as_asked() -> None:
    cause = only(with_other_orders(world((ROUTING, tides_later))))
    assert cause.predicate.sentence == "a keyword of tides, not in first place"
    assert max(cause.flags) >= 5000


def test_what_other_orders_alone_show_has_a_cause_of_its_own() -> None:
    causes = find_causes(with_other_orders(world((ROUTING, ferry_keyword))))
    assert {min(cause.flags) >= 5000 for cause in causes} == {True, False}


def test_what_another_order_shows_of_a_query_that_the_cause_cannot_hold_of_is_not_with_it() -> None:
    """A pair in a query with a keyword goes wrong; where there is no pair, that is not why."""

    def pair_beside_keyword(clauses: Sequence[Part]) -> list[int]:
        beside = any(part in KEYWORDS for part in clauses)
        return [place for place, part in enumerate(clauses) if beside and part in PAIRS]

    runs = with_other_orders(world((ROUTING, pair_beside_keyword)))
    cause = find_causes(runs)[0]
    assert cause.predicate.sentence == "a pair, in a query with a keyword"
    shown = {number: flag.key for number, run in enumerate(runs) for flag in run.flags if not flag.is_firm}
    with_pair = {
        key
        for number, key in shown.items()
        if {*PAIRS} & {clause.parts[0] for clause in runs[number].shape.query.clauses}
    }
    without_pair = {*shown.values()} - with_pair
    assert with_pair <= cause.flags
    assert without_pair
    assert not without_pair & cause.flags


def test_a_query_whose_flags_have_their_cause_says_nothing_of_another_one() -> None:
    """In long queries the second fault never shows: the first one comes before it."""

    def strikes_long(clauses: Sequence[Part]) -> range:
        return range(len(clauses) * (len(clauses) > 1))

    def hidden_in_long(clauses: Sequence[Part]) -> list[int]:
        return [] if len(clauses) > 1 else [place for place, part in enumerate(clauses) if part in PAIRS]

    runs = world((ROUTING, strikes_long), (ROUTING, hidden_in_long))
    alone = [run for run in runs if len(run.shape.parts) == 1]
    pairs = next(cause for cause in find_causes(runs) if cause.predicate.sentence == "a pair")
    assert pairs.evidence == pytest.approx(only(alone).evidence)


def test_two_predicates_that_explain_more_than_a_broad_one_are_two_causes() -> None:
    """All that goes wrong is for the encyclopedia, but not all that is for it goes wrong."""

    def before_keywords(clauses: Sequence[Part]) -> list[int]:
        return [place for place, part in enumerate(clauses[:-1]) if part in PAIRS and clauses[place + 1] in KEYWORDS]

    def topics(clauses: Sequence[Part]) -> list[int]:
        return [place for place, part in enumerate(clauses) if part in TOPICS]

    causes = find_causes(world((ROUTING, before_keywords), (ROUTING, topics), share=0.7))
    assert {cause.predicate.sentence for cause in causes} == {"a pair right before a keyword", "a topic"}


def test_a_cause_is_told_beside_another_one_that_strikes_most_queries() -> None:
    """What it explains may hide the other one, and so does not say that this is rare."""

    def most(clauses: Sequence[Part]) -> list[int]:
        rng = random.Random("".join(part.text for part in clauses))
        return [rng.randrange(len(clauses))] if rng.random() < 0.6 else []

    causes = find_causes(world((ROUTING, most), (ROUTING, tides_later), seed=2))
    assert [cause.predicate.sentence for cause in causes] == ["any query", "a keyword of tides, not in first place"]


def test_what_goes_wrong_where_two_keywords_share_a_source_says_so() -> None:
    def shared(clauses: Sequence[Part]) -> list[int]:
        sources = [part.source for part in clauses if part.source]
        return [place for place, part in enumerate(clauses) if sources.count(part.source) > 1]

    cause = only(world((ROUTING, shared), share=0.8))
    assert cause.predicate.sentence == "two keywords of the same source"


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_alternatives_are_told_though_each_leaves_most_flags_to_the_others(seed: int) -> None:
    """Only the first part for one of them is found wrong."""

    def first_of_three(clauses: Sequence[Part]) -> list[int]:
        encyclopedia = (*PAIRS, *TOPICS)
        return [n for n, part in enumerate(clauses) if part in encyclopedia or part.source in ("tides", "ferry")][:1]

    cause = only(world((ROUTING, first_of_three), seed=seed))
    assert cause.predicate.sentence == "a keyword of ferry, a part for the encyclopedia or a keyword of tides"


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_a_second_cause_explains_is_no_alternative_of_the_first(seed: int) -> None:
    def first_of_two(clauses: Sequence[Part]) -> list[int]:
        return [place for place, part in enumerate(clauses) if part.source in ("tides", "ferry")][:1]

    def pairs(clauses: Sequence[Part]) -> list[int]:
        return [place for place, part in enumerate(clauses) if part in PAIRS]

    causes = find_causes(world((ROUTING, first_of_two), (ROUTING, pairs), seed=seed))
    assert [cause.predicate.sentence for cause in causes] == ["a keyword of ferry or a keyword of tides", "a pair"]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_source_that_stands_in_for_a_second_cause_is_no_alternative_of_the_first(seed: int) -> None:
    """Pairs are for the encyclopedia, but of what is for it nothing else goes wrong."""

    def first_one(clauses: Sequence[Part]) -> list[int]:
        return [place for place, part in enumerate(clauses) if part in (*KEYWORDS, *PAIRS)][:1]

    causes = find_causes(world((ROUTING, first_one), seed=seed))
    assert [cause.predicate.sentence for cause in causes] == [
        *("a keyword of ferry, a keyword of harbour or a keyword of tides", "a pair")
    ]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_causes_are_told_that_together_explain_what_none_does_by_itself(seed: int) -> None:
    """Of each query only the first part that goes wrong is found, and that in two of five."""

    def first_one(clauses: Sequence[Part]) -> list[int]:
        return [n for n, part in enumerate(clauses) if part in PAIRS or part.text == "tides 2" or n > 3][:1]

    causes = find_causes(world((ROUTING, first_one), seed=seed, share=0.4))
    sentences = {cause.predicate.sentence for cause in causes}
    assert sentences == {"a pair", "'tides 2'", "the fifth part or a later one"}


def as_shown(runs: Iterable[SeenRun], check: str, keys: range) -> list[SeenRun]:
    """The same, and flags with these keys show in this check."""
    told = (Predicate("shown_as", (check,)),)
    return [
        replace(run, flags=tuple(replace(flag, told=told) if flag.key in keys else flag for flag in run.flags))
        for run in runs
    ]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_lost_parts_are_told_from_what_goes_wrong_by_chance_in_another_check(seed: int) -> None:
    def any_part(clauses: Sequence[Part]) -> list[int]:
        rng = random.Random("".join(part.text for part in clauses))
        return [rng.randrange(len(clauses))] if rng.random() < 0.6 else []

    def late_ferry(clauses: Sequence[Part]) -> list[int]:
        return [place for place in ferry_keyword(clauses) if place > 1]

    runs = world((ROUTING, any_part), (ROUTING, late_ferry), seed=seed)
    assert find_causes(runs)[0].predicate.sentence == "any query"  # all in one check: little tells them apart
    causes = find_causes(as_shown(as_shown(runs, "part_differs", range(1000)), "part_lost", range(1000, 2000)))
    assert [cause.predicate.sentence for cause in causes] == [
        *("any query", "'ferry 2', in third place or later, shown as part lost")
    ]
    assert causes[1].flags == {flag.key for run in runs for flag in run.flags if flag.key >= 1000}


def test_a_check_that_looks_at_pairs_alone_tells_no_cause() -> None:
    """Pairs that go wrong as often as the rest are no cause of their own, though a check of their own finds them."""

    def pairs_by_chance(clauses: Sequence[Part]) -> list[int]:
        return [place for place in by_chance(clauses) if place < len(clauses) and clauses[place] in PAIRS]

    def others_by_chance(clauses: Sequence[Part]) -> list[int]:
        return [place for place in by_chance(clauses) if place < len(clauses) and clauses[place] not in PAIRS]

    runs = world((ROUTING, pairs_by_chance), (ROUTING, others_by_chance))
    shown = as_shown(as_shown(runs, "pair_broken", range(1000)), "part_differs", range(1000, 2000))
    assert (only(shown).predicate.sentence, only(shown).evidence) == ("any query", 0)


def test_flags_that_nothing_explains_are_of_the_queries_that_their_check_looks_at() -> None:
    """A broken pair could have been shown in no query without a pair; a lost part in any."""
    pairs = [number for number, run in enumerate(world()) if set(PAIRS) & set(run.shape.query.parts)]
    runs = world((ROUTING, everything))
    runs = [replace(run, flags=run.flags if number in pairs[:2] else ()) for number, run in enumerate(runs)]
    cause = only(as_shown(runs, "pair_broken", range(1000)))
    assert (cause.predicate.sentence, cause.runs, cause.evidence) == ("a pair", len(pairs), 0)
    assert cause.runs + cause.other_runs == QUERIES
    lost = only(as_shown(runs, "part_lost", range(1000)))
    assert (lost.predicate.sentence, lost.runs, lost.evidence) == ("any query", QUERIES, 0)


def often_by_chance(clauses: Sequence[Part]) -> list[int]:
    rng = random.Random("".join(part.text for part in clauses))
    return [rng.randrange(len(clauses))] if rng.random() < 0.35 else []


def in_capitals(number: int) -> Query:
    """Two keywords in capitals, then two topics."""
    rng = random.Random(number)
    keywords = [replace(each, text=each.text.upper(), plain=each.text) for each in rng.sample(KEYWORDS, 2)]
    first, *others = (*keywords, *rng.sample(TOPICS, 2))
    return Query("any_recipe", (first, *(part for other in others for part in (CONJUNCTIONS[0], other))))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_flags_every_query_is_told_though_others_flag_other_parts_of_them(seed: int) -> None:
    """Of twelve queries in capitals each is flagged for its first part and for its topics; others by chance."""
    runs = world((ROUTING, often_by_chance), seed=seed)
    for number in range(12):
        flags = (SeenFlag(7000 + number, ROUTING, 0b1), SeenFlag(8000 + number, ROUTING, 0b1100))
        runs.append(SeenRun(QueryShape(in_capitals(number), VOCABULARY), flags))
    (cause,) = (one for one in find_causes(runs) if 7000 in one.flags)
    assert cause.evidence > 0
    assert "in capitals" in cause.predicate.sentence
    assert cause.flags == set(range(7000, 7012))


def test_of_how_answers_are_put_together_little_tells_no_second_cause() -> None:
    def merged(clauses: Sequence[Part]) -> range:
        return range(len(clauses) * (len({part.source for part in clauses if part.source}) > 1))

    def some_topics(clauses: Sequence[Part]) -> range:
        return range(len(clauses) * (TOPICS[0] in clauses and PAIRS[0] in clauses and not merged(clauses)))

    cause = only(world(("section_blank", merged), ("section_blank", some_topics)))
    assert cause.predicate.sentence == "a query for two or more sources"
    assert max(cause.flags) >= 1000
    assert (cause.struck, cause.other_struck) == (cause.runs, sum(key >= 1000 for key in cause.flags))


def test_causes_do_not_depend_on_the_order_of_runs() -> None:
    runs = world((ROUTING, from_fourth), (EMPTY, two_keywords), share=0.7)
    assert {cause.flags for cause in find_causes(runs)} == {cause.flags for cause in find_causes(runs[::-1])}


def some_part(clauses: Sequence[Part]) -> list[int]:
    return [place for place in by_chance(clauses) if place < len(clauses)]


def lost_or_changed(runs: list[SeenRun], lost: int) -> list[SeenRun]:
    """The flags of so many runs show as lost parts, those of the others as changed ones."""
    keys = [flag.key for run in runs for flag in run.flags]
    few = as_shown(runs, "part_differs", range(1000))
    return as_shown(few, "part_lost", range(keys[lost]))


def test_what_nothing_explains_is_told_apart_by_how_it_shows_where_either_is_seen_often() -> None:
    """Lost parts and changed ones, a third and more of each, are two causes that say so little; a few are no cause."""
    runs = world((ROUTING, some_part))
    every = sum(len(run.flags) for run in runs)
    assert every > 30
    halves = find_causes(lost_or_changed(runs, every // 2))
    assert [(cause.predicate.sentence, cause.evidence) for cause in halves] == [("any query", 0)] * 2
    assert sorted(len(cause.flags) for cause in halves) == [every // 2, every - every // 2]
    assert len(only(lost_or_changed(runs, 5)).flags) == every


@pytest.mark.parametrize("seed", [3, 6, 9])
def test_of_what_others_have_left_little_tells_no_further_cause(seed: int) -> None:
    """Beside so many predicates, one says by chance what a few parts have in common that go wrong by chance."""

    def rarely(clauses: Sequence[Part]) -> list[int]:
        place = random.Random("".join(part.text for part in clauses)).randrange(24 * len(clauses))
        return [place] if place < len(clauses) else []

    first, *others = find_causes(world((ROUTING, from_fourth), (ROUTING, rarely), seed=seed))
    assert first.predicate.sentence == "the fourth part or a later one"
    assert [(cause.predicate.sentence, cause.evidence) for cause in others] == [("any query", 0)]
