"""What the charts draw and say: places by hand, nothing outside of its drawing, nothing unsaid."""

import re
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from review.charts.days import FlagCount, bars, daily_flags
from review.charts.histogram import histogram
from review.charts.latency import Sample, latency_chart
from review.charts.scale import STEPS_MS, apart, count_ticks, latency_words, log_axis
from review.charts.sparkline import sparkline
from review.charts.strip import RunOutcome, strip

NOW = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
TODAY = NOW.date()
CHECKS = {"crash": "Crash", "latency_outlier": "Slow answer"}
MIN_SAMPLES = 10

finite = st.floats(allow_nan=False, allow_infinity=False)
latencies = st.one_of(finite, st.floats(0, 60_000))


def sample(run: int, latency_ms: float, combination: int = 1, *, is_flagged: bool = False, query: str = "q") -> Sample:
    return Sample(run, latency_ms, NOW - timedelta(minutes=100 - run), combination, query, is_flagged)


def samples_of(*latencies_ms: float) -> list[Sample]:
    return [sample(run, latency_ms, run) for run, latency_ms in enumerate(latencies_ms, 1)]


def draw(name: str, chart: object) -> str:
    return render_to_string(f"shared/charts/{name}.html", {"chart": chart})


# --- axes ---


def test_an_axis_ends_at_the_next_1_2_or_5() -> None:
    axis = log_axis([35.0, 412.0])
    assert (axis.low_ms, axis.high_ms) == (20.0, 500.0)
    assert axis.ticks_ms(8) == (20.0, 50.0, 100.0, 200.0, 500.0)


def test_a_step_on_the_axis_is_a_factor() -> None:
    axis = log_axis([1.0, 100.0])
    assert [axis.place(at_ms) for at_ms in (1.0, 10.0, 100.0)] == pytest.approx([0, 0.5, 1])


def test_equal_values_stand_in_the_middle_of_a_decade_or_more() -> None:
    axis = log_axis([100.0, 100.0])
    assert (axis.low_ms, axis.high_ms) == (20.0, 500.0)
    assert axis.place(100.0) == pytest.approx(0.5)


def test_zero_stands_on_the_lower_edge() -> None:
    axis = log_axis([0.0, 3.0])
    assert axis.low_ms == 0.1
    assert axis.place(0.0) == axis.place(0.02) == 0


def test_too_many_ticks_are_thinned_to_decades_and_then_to_every_second() -> None:
    assert log_axis([1.0, 3000.0]).ticks_ms(8) == (1.0, 10.0, 100.0, 1000.0)
    assert log_axis([0.1, 1e9]).ticks_ms(8) == (0.1, 10.0, 1000.0, 1e5, 1e7, 1e9)


@pytest.mark.parametrize(
    ("most", "ticks"),
    [(1, (0, 1)), (2, (0, 1, 2)), (7, (0, 4, 8)), (22, (0, 15, 30)), (50, (0, 25, 50)), (101, (0, 100, 200))],
)
def test_counts_end_at_a_round_number(most: int, ticks: tuple[int, ...]) -> None:
    assert count_ticks(most) == ticks


def test_labels_too_close_are_moved_apart_and_kept_inside() -> None:
    assert apart(100, 110, 34, 17, 223) == (88, 122)
    assert apart(16, 20, 34, 17, 223) == (17, 51)
    assert apart(222, 224, 34, 17, 223) == (189, 223)
    assert apart(50, 150, 34, 17, 223) == (50, 150)


@pytest.mark.parametrize(
    ("latency_ms", "words"),
    [
        (0, "0 ms"),
        (0.05, "under 0.1 ms"),
        (0.4, "0.4 ms"),
        (9.94, "9.9 ms"),
        (9.96, "10 ms"),
        (35.2, "35 ms"),
        (11900, "11900 ms"),
    ],
)
def test_small_latencies_keep_a_decimal_and_the_others_are_as_the_reasons_write_them(
    latency_ms: float, words: str
) -> None:
    assert latency_words(latency_ms) == words


@given(st.lists(finite, min_size=1), st.integers(2, 12))
def test_every_value_has_a_place_and_never_too_many_ticks(latencies_ms: list[float], most: int) -> None:
    axis = log_axis(latencies_ms)
    assert all(0 <= axis.place(latency_ms) <= 1 for latency_ms in latencies_ms)
    assert 1 <= len(axis.ticks_ms(most)) <= most
    assert set(axis.ticks_ms(most)) <= set(STEPS_MS)


# --- the sparkline ---


def test_a_sparkline_says_in_words_what_it_shows() -> None:
    chart = sparkline([30, 90, 412, 35], [False, False, True, False])
    assert chart.words == "Latency of the last 4 runs: 30 to 412 ms, last 35 ms; 1 flagged"


def test_a_flagged_run_has_another_shape_than_a_clean_one() -> None:
    chart = sparkline([10, 100], [False, True])  # the axis is 10 to 100 ms
    assert chart.line == "M4.0 20.0L92.0 4.0"
    assert chart.dots == "M4.0 20.0h0"
    assert chart.flags == "M92.0 1.0l3 5.5h-6z"


def test_only_the_last_ten_runs_count() -> None:
    chart = sparkline([9999.0, *[50.0] * 10], [True, *[False] * 10])
    assert chart.words == "Latency of the last 10 runs: 50 ms, last 50 ms"
    assert chart.flags == ""


def test_a_run_without_a_latency_leaves_its_place_empty() -> None:
    chart = sparkline([10, None, 100, None], [False, True, False, True])
    assert chart.dots.count("M") == 2
    assert chart.words == "Latency of the last 4 runs: 10 to 100 ms, last without an answer; 2 flagged"


def test_one_run_is_a_dot_in_the_middle_and_none_a_dash() -> None:
    one = sparkline([100.0], [False])  # the middle of 20 to 500 ms
    assert (one.line, one.dots, one.words) == ("", "M48.0 12.0h0", "Latency of the only run: 100 ms")
    page = Template("{% load charts %}{% sparkline chart %}")
    assert (
        page.render(Context({"chart": sparkline([], [])}))
        == '<span class="chart-spark" title="No latency yet">–</span>'
    )
    assert 'role="img" aria-label="Latency of the only run: 100 ms"' in page.render(Context({"chart": one}))


def test_one_run_is_seen_where_a_line_would_end() -> None:
    page = Template("{% load charts %}{% sparkline chart %}")
    one, two = (page.render(Context({"chart": sparkline([100.0] * n, [False] * n)})) for n in (1, 2))
    assert 'viewBox="-44 0 96 24"' in one  # 48 is seen at 92
    assert 'viewBox="0 0 96 24"' in two
    assert "L92.0 12.0" in two


@given(st.lists(st.tuples(st.one_of(st.none(), latencies), st.booleans()), max_size=14))
def test_no_sparkline_leaves_its_view(runs: list[tuple[float | None, bool]]) -> None:
    chart = sparkline([latency_ms for latency_ms, _ in runs], [is_flagged for _, is_flagged in runs])
    for x, y in re.findall(r"[ML](\S+) ([\d.-]+)", chart.line + chart.dots):
        assert 2 <= float(x) <= 94  # half a stroke of 3.5 on either side
        assert 2 <= float(y) <= 22
    for x, y in re.findall(r"M(\S+) ([\d.-]+)l3 5.5", chart.flags):
        assert 3.5 <= float(x) <= 92.5
        assert 0.5 <= float(y) <= 18


# --- the strip ---


def test_a_strip_names_each_run_and_counts_each_kind() -> None:
    chart = strip(
        [
            RunOutcome(3, "clean", "Clean", NOW),
            RunOutcome(5, "flagged", "Crash", NOW),
            RunOutcome(8, "unanswered", "Skipped", None),
        ]
    )
    assert chart.words == "3 runs, oldest first"
    assert [words for _, words in chart.sums] == ["1 clean", "1 flagged", "1 not answered"]
    assert [mark.words for mark in chart.marks] == [
        "Run 3: Clean, 2026-06-30 12:00 UTC",
        "Run 5: Crash, 2026-06-30 12:00 UTC",
        "Run 8: Skipped",
    ]


def test_each_mark_of_a_strip_is_a_link_with_words_for_screen_readers() -> None:
    page = draw("strip", strip([RunOutcome(3, "clean", "<script>", NOW)]))
    assert f'href="{reverse("run", args=[3])}"' in page
    assert 'class="unseen">Run 3: &lt;script&gt;, 2026-06-30 12:00 UTC<' in page


def test_a_strip_of_nothing_says_so() -> None:
    assert "No run yet" in draw("strip", strip([]))


# --- the latency history ---


def test_dots_stand_in_order_on_a_log_axis() -> None:
    chart = latency_chart(samples_of(10, 100, 1000), None, None, None, MIN_SAMPLES)
    assert [(dot.x, dot.y) for dot in chart.dots] == [(3, 224), (50, 120), (97, 16)]
    assert [tick.words for tick in chart.ticks] == ["10 ms", "20 ms", "50 ms", "100 ms", "200 ms", "500 ms", "1 s"]


def test_the_lines_are_named_with_their_figures() -> None:
    chart = latency_chart(samples_of(*range(10, 20)), None, 100.0, 1000.0, MIN_SAMPLES)
    assert [(rule.name, rule.words, rule.y) for rule in chart.rules] == [
        ("threshold", "1000 ms", 16),
        ("p95", "100 ms", 120),
    ]
    assert chart.note == ""
    assert chart.words == "10 to 19 ms, p95 100 ms, an outlier above 1000 ms"


def test_without_a_p95_the_chart_says_how_many_runs_it_takes() -> None:
    chart = latency_chart(samples_of(30, 40, 50, 60), None, None, None, MIN_SAMPLES)
    assert chart.rules == ()
    assert chart.note == "No p95 and no threshold yet: they take 10 timed runs, and there are 4."


def test_the_runs_of_the_combination_stand_out_by_shape_and_in_words() -> None:
    chart = latency_chart(
        [sample(1, 50, 7), sample(2, 60, 8, is_flagged=True), sample(3, 70, 7, is_flagged=True)],
        7,
        None,
        None,
        MIN_SAMPLES,
    )
    assert [dot.words for dot in chart.dots] == [
        "Run 1: 50 ms, this combination",
        "Run 2: 60 ms, flagged",
        "Run 3: 70 ms, flagged, this combination",
    ]
    page = draw("latency", chart)
    for kind in ("marked", "run-flagged", "marked-flagged"):
        assert f'class="chart-at chart-{kind}"' in page
    assert "2 of this combination, 2 flagged" in page


def test_nothing_timed_is_said_instead_of_drawn() -> None:
    page = draw("latency", latency_chart([], 7, None, None, MIN_SAMPLES))
    assert "No run of this recipe was timed yet." in page
    assert "<svg" not in page


def test_only_the_last_two_hundred_are_drawn() -> None:
    chart = latency_chart(samples_of(*range(1, 251)), None, None, None, MIN_SAMPLES)
    assert (len(chart.dots), chart.dots[0].sample.run, chart.rows[0].sample.run) == (200, 51, 250)


def test_each_dot_and_each_row_of_the_table_leads_to_its_run() -> None:
    page = draw("latency", latency_chart([sample(40, 50, 20)], None, None, None, MIN_SAMPLES))
    assert page.count(f'href="{reverse("run", args=[40])}"') == 2
    assert f'href="{reverse("combination", args=[20])}"' in page


def test_a_stored_script_is_shown_and_never_run() -> None:
    chart = latency_chart([sample(1, 50, query="<script>alert(1)</script>")], None, None, None, MIN_SAMPLES)
    page = draw("latency", chart)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script" not in page


@given(st.lists(latencies, min_size=1, max_size=40), st.one_of(st.none(), latencies), st.one_of(st.none(), latencies))
def test_no_dot_line_or_label_leaves_the_latency_chart(
    latencies_ms: list[float], p95_ms: float | None, threshold_ms: float | None
) -> None:
    chart = latency_chart(samples_of(*latencies_ms), 1, p95_ms, threshold_ms, MIN_SAMPLES)
    assert all(3 <= dot.x <= 97 and 16 <= dot.y <= 224 for dot in chart.dots)
    assert all(16 <= tick.at <= 224 for tick in chart.ticks)
    assert all(16 <= rule.y <= 224 and 16 <= rule.label_y <= 224 for rule in chart.rules)
    labels = sorted(rule.label_y for rule in chart.rules)
    assert all(lower - upper >= 33.8 for upper, lower in pairwise(labels))


# --- the histogram ---


def test_bins_are_preferred_numbers_and_hold_every_run_once() -> None:
    chart = histogram([10, 11, 20, 99, 100])  # the axis is 10 to 100 ms
    filled = {each.words: (each.runs, each.share) for each in chart.bins if each.runs}
    assert filled == {
        "10 to 12.5 ms": (2, "40.0 %"),
        "20 to 25 ms": (1, "20.0 %"),
        "80 to 100 ms": (2, "40.0 %"),
    }
    assert [(tick.words, tick.at) for tick in chart.ticks] == [
        ("10 ms", 0),
        ("20 ms", 30.1),
        ("50 ms", 69.9),
        ("100 ms", 100),
    ]


def test_a_wide_span_has_bins_at_1_2_and_5() -> None:
    assert [each.words for each in histogram([1, 999]).bins][:3] == ["1 to 2 ms", "2 to 5 ms", "5 to 10 ms"]


def test_the_quantiles_are_named_and_the_p95_waits_for_enough_runs() -> None:
    few, enough = histogram([100.0] * 9), histogram([100.0] * 10)
    assert [line.name for line in few.quantiles] == ["p50"]
    assert few.note == "No p95 yet: it takes 10 timed runs."
    assert [(line.name, line.words, line.x) for line in enough.quantiles] == [
        ("p50", "100 ms", 50),
        ("p95", "100 ms", 50),
    ]
    assert enough.words == "10 runs: 100 ms, p50 100 ms, p95 100 ms"


def test_a_histogram_of_nothing_says_so() -> None:
    page = draw("histogram", histogram([]))
    assert "No run was timed yet." in page
    assert "<svg" not in page


@given(st.lists(latencies, min_size=1, max_size=60))
def test_no_bar_leaves_the_histogram_and_no_run_is_lost(latencies_ms: list[float]) -> None:
    chart = histogram(latencies_ms)
    assert sum(each.runs for each in chart.bins) == len(latencies_ms)
    for each in chart.bins:
        assert each.x >= 0
        assert each.x + each.width <= 100.01
        assert 48 <= each.y <= 208
        assert each.y + each.height == pytest.approx(208)
    assert all(0 <= line.x <= 100 for line in chart.quantiles)
    assert all(0 <= tick.at <= 100 for tick in chart.ticks)
    assert all(48 <= tick.at <= 208 for tick in chart.counts)


# --- flags per day ---


def test_each_check_has_a_row_on_one_scale() -> None:
    counts = [
        FlagCount(TODAY, "crash", 1),
        FlagCount(TODAY, "latency_outlier", 31),
        FlagCount(TODAY, "latency_outlier", 31),
    ]
    crash, slow = daily_flags(counts, CHECKS, TODAY, days=10).rows
    assert (crash.shape, crash.name, crash.total, slow.total) == ("crash", "Crash", 1, 62)
    assert [(bar.words, bar.x, bar.width, bar.height) for bar in crash.bars] == [
        ("30 Jun 2026: 1 flag", 91.25, 7.5, 3.0)
    ]
    assert [(bar.y, bar.height) for bar in slow.bars] == [(1, 31)]
    assert slow.words == "Slow answer: 62 flags on 1 of 10 days, most on 30 Jun 2026: 62"


def test_days_outside_of_the_span_are_left_out() -> None:
    counts = [FlagCount(TODAY - timedelta(days=days), "crash", 5) for days in (-1, 0, 9, 10)]
    chart = daily_flags(counts, CHECKS, TODAY, days=10)
    assert (chart.rows[0].total, chart.first, chart.last) == (10, "21 Jun 2026", "30 Jun 2026")
    assert [(line.day, line.flags, line.total) for line in chart.lines] == [
        (date(2026, 6, 30), (5,), 5),
        (date(2026, 6, 21), (5,), 5),
    ]


def test_a_check_that_has_no_name_yet_keeps_its_flags() -> None:
    chart = daily_flags([FlagCount(TODAY, "new_check", 2)], CHECKS, TODAY)
    assert [(row.shape, row.name, row.total) for row in chart.rows][-1] == ("flagged", "new_check", 2)
    assert "new_check" in draw("daily_flags", chart)


def test_days_without_flags_say_so_and_name_every_check() -> None:
    chart = daily_flags([], CHECKS, TODAY)
    page = draw("daily_flags", chart)
    assert "No flags in 90 days." in page
    assert "No flags: Crash, Slow answer" in page
    assert "<details>" not in page


def test_many_checks_stand_by_kind_and_those_without_flags_in_one_line() -> None:
    checks = {
        "crash": "Crash",
        "latency_outlier": "Slow answer",
        "part_lost": "Part lost",
        "pair_broken": "Pair broken",
    }
    kinds = {"As specified": ["latency_outlier", "crash"], "The target against itself": ["part_lost", "pair_broken"]}
    counts = [FlagCount(TODAY, "latency_outlier", 2), FlagCount(TODAY, "pair_broken", 3), FlagCount(TODAY, "new", 4)]
    chart = daily_flags(counts, checks, TODAY, groups=kinds)
    assert [(group.name, [row.name for row in group.rows], group.quiet) for group in chart.groups] == [
        ("As specified", ["Slow answer"], ("Crash",)),
        ("The target against itself", ["Pair broken", "new"], ("Part lost",)),
    ]
    assert [row.name for row in chart.rows] == ["Slow answer", "Pair broken", "new"]
    assert chart.lines[0].flags == (2, 3, 4)


def test_the_table_of_days_holds_each_figure() -> None:
    chart = daily_flags([FlagCount(TODAY, "crash", 1234)], CHECKS, TODAY)
    cells = "".join(f'<td class="chart-number">{figure}</td>' for figure in ("1,234", "1,234"))
    assert f'<tr><th scope="row">30 Jun 2026</th>{cells}</tr>' in draw("daily_flags", chart)


def test_the_wall_adds_all_checks_of_a_day() -> None:
    chart = bars([FlagCount(TODAY, "crash", 3), FlagCount(TODAY, "latency_outlier", 4)], TODAY)
    assert [tick.words for tick in chart.ticks] == ["0", "4", "8"]
    assert [bar.words for bar in chart.bars] == ["30 Jun 2026: 7 flags"]
    assert chart.bars[0].height == 157.5  # 7 of 8, of 180 pixels
    page = draw("bars", chart)
    assert "7 flags on 1 of 30 days, most on 30 Jun 2026: 7" in page
    assert '<tr><th scope="row">30 Jun 2026</th><td class="chart-number">7</td></tr>' in page


def test_a_wall_without_flags_says_so() -> None:
    assert "No flags in 30 days" in draw("bars", bars([], TODAY))


@given(
    st.lists(st.tuples(st.integers(0, 100), st.sampled_from([*CHECKS, "other"]), st.integers(1, 10**12)), max_size=30),
    st.integers(1, 90),
)
def test_no_bar_of_a_day_leaves_its_row(raw: list[tuple[int, str, int]], days: int) -> None:
    counts = [FlagCount(TODAY - timedelta(days=before), check, flags) for before, check, flags in raw]
    rows = daily_flags(counts, CHECKS, TODAY, days)
    wall = bars(counts, TODAY, days)
    for bar in (*(bar for row in rows.rows for bar in row.bars), *wall.bars):
        assert bar.x >= 0
        assert bar.x + bar.width <= 100
        assert bar.y >= 0
    assert all(bar.y + bar.height == pytest.approx(32) for row in rows.rows for bar in row.bars)
    assert all(bar.y + bar.height == pytest.approx(192) for bar in wall.bars)
    within = sum(flags for before, _, flags in raw if before < days)
    assert sum(row.total for row in rows.rows) == sum(line.total for line in wall.lines) == within


# --- the policy ---


def test_no_chart_has_a_style_or_a_script() -> None:
    history = [sample(run, 10 * run, 7, is_flagged=run % 3 == 0) for run in range(1, 30)]
    counts = [FlagCount(TODAY, "crash", 3)]
    pages = [
        draw("latency", latency_chart(history, 7, 200.0, 1000.0, MIN_SAMPLES)),
        draw("histogram", histogram([each.latency_ms for each in history])),
        draw("strip", strip([RunOutcome(1, "clean", "Clean", NOW)])),
        draw("daily_flags", daily_flags(counts, CHECKS, TODAY)),
        draw("bars", bars(counts, TODAY)),
    ]
    for page in pages:
        assert not re.search(r"\sstyle=|<style|<script|\son\w+=", page)
