"""Wilson's interval of a share: figures worked out by hand, with z² = 3.841459."""

import pytest

from selftest.core.insight.intervals import wilson_interval


@pytest.mark.parametrize(
    ("hits", "cases", "least", "most"),
    [
        (0, 10, 0.0, 0.27753),  # z² / (10 + z²) = 3.841459 / 13.841459
        (10, 10, 0.72247, 1.0),  # 10 / 13.841459
        (0, 1, 0.0, 0.79346),  # 3.841459 / 4.841459
        (1, 2, 0.09453, 0.90547),  # 0.5 ± 1.959964 · √(0.125 + 0.240091) / 2.920729
        (5, 10, 0.23659, 0.76341),  # 0.5 ± 1.959964 · √(0.025 + 0.009604) / 1.384146
        (1, 4, 0.04559, 0.69936),  # (0.25 + 0.480182 ± 1.959964 · √(0.046875 + 0.060023)) / 1.960365
    ],
)
def test_a_share_of_few_cases_lies_in_a_wide_interval(hits: int, cases: int, least: float, most: float) -> None:
    assert wilson_interval(hits, cases) == pytest.approx((least, most), abs=1e-4)


def test_more_cases_make_it_narrower_and_it_always_holds_the_share_that_was_seen() -> None:
    widths = []
    for cases in (4, 40, 400, 4_000_000):
        least, most = wilson_interval(cases // 4, cases)
        assert 0 <= least <= 0.25 <= most <= 1
        widths.append(most - least)
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.001


@pytest.mark.parametrize(("hits", "cases"), [(0, 0), (3, 2), (-1, 2)])
def test_what_is_no_share_is_refused(hits: int, cases: int) -> None:
    with pytest.raises(ValueError, match=f"{hits} of {cases} is no share"):
        wilson_interval(hits, cases)
