"""The charts of drift: steps of two distributions, and the course of a figure over windows."""

import pytest

from review.charts.distributions import BASE_PX, TOP_PX, WindowFigure, course, distributions


def plain(value: float) -> str:
    return f"{value:g}"


def test_the_curves_rise_by_a_step_at_each_value() -> None:
    chart = distributions([0.0, 1.0], [1.0, 1.0], plain, is_latency=False)
    half = (BASE_PX + TOP_PX) / 2
    assert chart.reference == f"M0 {BASE_PX}H2V{half:g}H98V{TOP_PX}H100"
    assert chart.window == f"M0 {BASE_PX}H98V{TOP_PX}H100"


def test_the_gap_stands_where_the_curves_are_furthest_apart() -> None:
    chart = distributions([0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 1.0], plain, is_latency=False)
    assert (chart.gap_x, chart.gap_top, chart.gap_base) == (2.0, 40.0, 104.0)  # from 75 % down to 25 %
    assert chart.words == (
        "75 % of the 4 values of the reference are 0 or less, and 25 % of the 4 of the window: 0.50 apart"
    )


def test_latencies_stand_on_a_logarithmic_axis() -> None:
    chart = distributions([100.0, 1000.0], [100.0, 1000.0], plain, is_latency=True)
    assert [tick.words for tick in chart.ticks] == ["100 ms", "200 ms", "500 ms", "1 s"]


def test_nothing_is_not_drawn() -> None:
    with pytest.raises(ValueError, match="nothing"):
        distributions([], [], plain, is_latency=False)


def test_a_course_marks_what_is_suspect_and_what_is_drift() -> None:
    windows = [WindowFigure(1.0, "calm"), WindowFigure(2.0, "suspect"), WindowFigure(2.0, "drift")]
    chart = course(windows, 1.0, plain)
    assert chart.line == "M6.0 34.0L80.0 6.0L154.0 6.0"
    assert (chart.dots, chart.suspects, chart.drifts) == (
        "M6.0 34.0h0",
        "M80.0 2.0l4 4l-4 4l-4-4z",
        "M154.0 2.0l4 7h-8z",
    )
    assert chart.words == "Of the last 3 windows the newest is at 2; reference 1, 1 suspect, 1 drift"


def test_noise_is_not_blown_up() -> None:
    chart = course([WindowFigure(1.0, "calm"), WindowFigure(1.01, "calm")], 1.0, plain)
    assert chart.line == "M6.0 20.7L154.0 19.3"


def test_without_a_window_only_the_reference_is_drawn() -> None:
    chart = course([], 0.0, plain)
    assert (chart.line, chart.words) == ("", "No window yet; reference 0")
