"""Two distributions as cumulative shares, and where they are furthest apart; and a figure over windows. Pure."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from review.charts.scale import Tick, log_axis, tick_words

WIDTH = 100  # the curves are stretched to the width of the page
EDGE = 2  # of it, so that what happens at 0 and at 1 is seen
HEIGHT_PX, TOP_PX, BASE_PX = 160, 8, 136
MOST_TICKS = 5
COURSE_WIDTH_PX, COURSE_HEIGHT_PX, COURSE_MARGIN_PX = 160, 40, 6
LEAST_SPAN = 0.2  # of the reference: closer up, noise looks like news


@dataclass(frozen=True)
class Distributions:
    """Paths of steps in a view of 100 × 160. gap_x in percent; gap_top and gap_base in pixels."""

    reference: str
    window: str
    gap_x: float
    gap_top: float
    gap_base: float
    ticks: tuple[Tick, ...]
    shares: tuple[Tick, ...]
    words: str
    height: int = HEIGHT_PX


def distributions(
    reference: Sequence[float], window: Sequence[float], words_of: Callable[[float], str], *, is_latency: bool
) -> Distributions:
    """Both rising, one value at least. words_of: a value with its unit. is_latency: on a logarithmic axis, in ms.

    Raises ValueError for none.
    """
    if not reference or not window:
        raise ValueError("nothing to draw")
    place, ticks = _latency_axis([*reference, *window]) if is_latency else _linear_axis([*reference, *window])
    at, gap = max(((value, _gap(reference, window, value)) for value in {*reference, *window}), key=lambda one: one[1])
    heights = sorted(_height(_share(values, at)) for values in (reference, window))
    return Distributions(
        reference=_steps(reference, place),
        window=_steps(window, place),
        gap_x=place(at),
        gap_top=heights[0],
        gap_base=heights[1],
        ticks=ticks,
        shares=tuple(Tick(f"{share} %", _height(share / 100)) for share in (0, 50, 100)),
        words=f"{_percent(reference, at)} of the {len(reference)} values of the reference are {words_of(at)} or less, "
        f"and {_percent(window, at)} of the {len(window)} of the window: {gap:.2f} apart",
    )


def _share(values: Sequence[float], at: float) -> float:
    return bisect_right(values, at) / len(values)


def _gap(one: Sequence[float], other: Sequence[float], at: float) -> float:
    return abs(_share(one, at) - _share(other, at))


def _percent(values: Sequence[float], at: float) -> str:
    return f"{100 * _share(values, at):.0f} %"


def _height(share: float) -> float:
    return round(BASE_PX - (BASE_PX - TOP_PX) * share, 1)


def _latency_axis(values: Sequence[float]) -> tuple[Callable[[float], float], tuple[Tick, ...]]:
    axis = log_axis(values)

    def place(value: float) -> float:
        return round(WIDTH * axis.place(value), 2)

    return place, tuple(Tick(tick_words(at_ms), place(at_ms)) for at_ms in axis.ticks_ms(MOST_TICKS))


def _linear_axis(values: Sequence[float]) -> tuple[Callable[[float], float], tuple[Tick, ...]]:
    top = max([1.0, *values])

    def place(value: float) -> float:
        return round(EDGE + (WIDTH - 2 * EDGE) * value / top, 2)

    return place, tuple(Tick(f"{at:g}", place(at)) for at in (0, top / 2, top))


def _steps(values: Sequence[float], place: Callable[[float], float]) -> str:
    """From the left edge at no share to the right edge at all of it."""
    path = [f"M0 {_height(0)}"]
    for value in sorted(set(values)):
        path.append(f"H{place(value):g}V{_height(_share(values, value)):g}")
    return "".join([*path, f"H{WIDTH}"])


@dataclass(frozen=True)
class WindowFigure:
    """One figure of a window. verdict: calm, suspect or drift."""

    value: float
    verdict: str


@dataclass(frozen=True)
class Course:
    """Paths in a view of 160 × 40, "" where there is nothing of the kind, and the same in words.

    reference_y: the height of the reference. dots: points that the stroke makes round. suspects: open diamonds.
    drifts: filled triangles.
    """

    line: str
    dots: str
    suspects: str
    drifts: str
    reference_y: float
    words: str
    width: int = COURSE_WIDTH_PX
    height: int = COURSE_HEIGHT_PX


def course(windows: Sequence[WindowFigure], reference: float, words_of: Callable[[float], str]) -> Course:
    """windows: the oldest first."""
    values = [window.value for window in windows]
    low, high = min([reference, *values]), max([reference, *values])
    least = LEAST_SPAN * abs(reference) or LEAST_SPAN
    if high - low < least:
        low, high = (low + high - least) / 2, (low + high + least) / 2
    tall = COURSE_HEIGHT_PX - 2 * COURSE_MARGIN_PX
    step = (COURSE_WIDTH_PX - 2 * COURSE_MARGIN_PX) / max(len(windows) - 1, 1)

    def y(value: float) -> float:
        return round(COURSE_HEIGHT_PX - COURSE_MARGIN_PX - tall * (value - low) / (high - low), 1)

    places = [
        (COURSE_MARGIN_PX + place * step, y(window.value), window.verdict) for place, window in enumerate(windows)
    ]
    points = "L".join(f"{x:.1f} {at:.1f}" for x, at, _ in places)
    return Course(
        line=f"M{points}" if len(places) > 1 else "",
        dots="".join(f"M{x:.1f} {at:.1f}h0" for x, at, verdict in places if verdict == "calm"),
        suspects="".join(f"M{x:.1f} {at - 4:.1f}l4 4l-4 4l-4-4z" for x, at, verdict in places if verdict == "suspect"),
        drifts="".join(f"M{x:.1f} {at - 4:.1f}l4 7h-8z" for x, at, verdict in places if verdict == "drift"),
        reference_y=y(reference),
        words=_course_words(windows, reference, words_of),
    )


def _course_words(windows: Sequence[WindowFigure], reference: float, words_of: Callable[[float], str]) -> str:
    usual = f"reference {words_of(reference)}"
    if not windows:
        return f"No window yet; {usual}"
    noted = [window.verdict for window in windows if window.verdict != "calm"]
    count = f"the last {len(windows)} windows" if len(windows) > 1 else "the only window"
    told = "".join(f", {noted.count(one)} {one}" for one in ("suspect", "drift") if one in noted)
    return f"Of {count} the newest is at {words_of(windows[-1].value)}; {usual}{told}"
