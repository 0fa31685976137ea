"""In what the answers of two targets to one query differ: cases worked out by hand."""

from dataclasses import replace

import pytest

from selftest.evaluation.core.answer_differences import Difference, DifferenceKind, Seen, differences, volatile_sources

NEWS, WEB = ("- a flood in the north", "- a new bridge"), ("- a page on bridges",)
HONEST = Seen("", "fusion", ("news", "web"), {}, False, 20.0, {"news": NEWS, "web": WEB})
Kind = DifferenceKind


def told(before: list[Seen], now: list[Seen]) -> list[tuple[Kind, str]]:
    return [(one.kind, one.subject) for one in differences(before, now)]


def test_equal_answers_do_not_differ() -> None:
    assert differences([HONEST, HONEST], [HONEST, HONEST]) == ()


def test_a_section_that_is_always_missing_is_told_with_its_source() -> None:
    without = replace(HONEST, sections=("news",), lines={"news": NEWS})
    assert differences([HONEST] * 2, [without] * 2) == (
        Difference(Kind.SECTIONS, "sections", "news, web", "news", ("web",)),
    )


def test_what_comes_and_goes_at_both_is_no_difference() -> None:
    without = replace(HONEST, sections=("news",), lines={"news": NEWS})
    assert differences([HONEST, without], [without, HONEST]) == ()


@pytest.mark.parametrize("is_of_target", [True, False])
def test_what_comes_and_goes_at_one_of_the_two_makes_that_one_unsteady(is_of_target: bool) -> None:
    without = replace(HONEST, sections=("news",), lines={"news": NEWS})
    steady, unsteady = [HONEST, HONEST], [HONEST, without]
    (one,) = differences(steady, unsteady) if is_of_target else differences(unsteady, steady)
    assert (one.kind, one.is_of_target) == (Kind.UNSTEADY, is_of_target)


def test_a_line_that_one_shows_each_time_and_the_other_never_is_told() -> None:
    shorter = replace(HONEST, lines={"news": NEWS[:1], "web": WEB})
    (one,) = differences([HONEST] * 2, [shorter] * 2)
    assert (one.kind, one.before, one.now, one.sources) == (Kind.CONTENT, "- a new bridge", "", ("news",))


def test_a_line_that_one_shows_at_times_is_no_difference() -> None:
    shorter = replace(HONEST, lines={"news": NEWS[:1], "web": WEB})
    assert differences([HONEST, shorter], [shorter, shorter]) == ()


def test_a_figure_alone_makes_no_other_line() -> None:
    one = replace(HONEST, lines={"news": NEWS, "web": ("- 14 pages on port 8080",)})
    other = replace(HONEST, lines={"news": NEWS, "web": ("- 15 pages on port 9090",)})
    assert differences([one] * 2, [other] * 2) == ()


@pytest.mark.parametrize("web", [WEB, ("- nothing on bridges",)])
def test_a_copy_in_the_cache_tells_nothing_of_a_source_that_changes_each_time(web: tuple[str, ...]) -> None:
    days = (("- snow in June",), ("- a strike at the port",))
    before = [HONEST, *(replace(HONEST, lines={"news": day, "web": WEB}) for day in days)]
    copied = replace(HONEST, lines={"news": ("- a comet at dusk",), "web": web})
    others = [] if web == WEB else [(Kind.CONTENT, "lines of web")]
    now = [copied, *[replace(copied, cached=True)] * 2]
    assert told(before, now) == [*others, (Kind.UNSTEADY, "cache")]


def test_an_error_says_all_of_a_query() -> None:
    crash = Seen("IndexError: list index", "", (), {}, False, 20.0)
    assert told([HONEST] * 2, [crash] * 2) == [(Kind.ERROR, "error")]


def test_what_breaks_is_worse_and_what_is_mended_is_not() -> None:
    crash = Seen("IndexError: list index", "", (), {}, False, 20.0)
    assert [one.is_worse for one in differences([HONEST] * 2, [crash] * 2)] == [True]
    assert [one.is_worse for one in differences([crash] * 2, [HONEST] * 2)] == [False]
    assert [one.is_worse for one in differences([HONEST] * 2, [crash, HONEST])] == [True]
    assert [one.is_worse for one in differences([crash, HONEST], [HONEST] * 2)] == [False]
    assert not any(one.is_worse for one in differences([HONEST] * 2, [replace(HONEST, cached=True)] * 2))


def test_sources_that_bring_something_else_each_time_are_volatile() -> None:
    other = replace(HONEST, lines={"news": ("- snow in June",), "web": WEB})
    without = replace(HONEST, lines={"news": NEWS})
    assert volatile_sources([HONEST, HONEST]) == frozenset()
    assert volatile_sources([HONEST, other]) == {"news"}
    assert volatile_sources([HONEST, without]) == {"web"}
    assert volatile_sources([without, HONEST]) == {"web"}
    assert volatile_sources([]) == frozenset()


def test_a_section_that_turned_into_a_failure_phrase_comes_before_its_lost_lines() -> None:
    empty = replace(HONEST, lines={"news": NEWS, "web": ("No results found.",)}, empty=("web",))
    assert told([HONEST] * 2, [empty] * 2) == [(Kind.EMPTY, "empty sections"), (Kind.CONTENT, "lines of web")]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ([20, 30], [1500, 1600], [(Kind.LATENCY, "slower")]),
        ([1500, 1600], [20, 30], [(Kind.LATENCY, "faster")]),
        ([20, 1600], [1500, 1700], []),  # once as slow as the other
        ([500, 510], [690, 720], []),  # not twice as slow
        ([5, 6], [40, 50], []),  # by less than 200 ms
    ],
)
def test_one_query_is_slower_where_each_asking_is_and_by_much(
    before: list[float], now: list[float], expected: list[tuple[Kind, str]]
) -> None:
    def of(latencies: list[float]) -> list[Seen]:
        return [replace(HONEST, latency_ms=ms) for ms in latencies]

    assert told(of(before), of(now)) == expected


def test_an_answer_from_the_cache_at_one_only_is_told() -> None:
    assert told([HONEST] * 2, [replace(HONEST, cached=True)] * 2) == [(Kind.CACHED, "cache")]
