"""The numeric settings of the specification: defaults, bounds and meaning, for the environment and the admin. Pure."""

from dataclasses import dataclass

NEW_QUERIES = 64  # the first ones that a target is asked: they get more probes


@dataclass(frozen=True)
class SettingSpec:
    """One numeric setting. field: its column; variable: in the environment; least and most: the bounds, inclusive."""

    field: str
    variable: str
    default: float
    least: float
    most: float
    meaning: str

    @property
    def is_whole(self) -> bool:
        """Whether only whole numbers are valid, as the default is one."""
        return isinstance(self.default, int)

    @property
    def valid(self) -> str:
        """The valid values in words: `a whole number from 1 to 50`."""
        return f"{'a whole number' if self.is_whole else 'a number'} from {self.least:g} to {self.most:g}"

    def fault(self, value: float) -> str | None:
        """Why `value` is not valid, or None."""
        return None if self.least <= value <= self.most else f"{value:g} is not {self.valid}"


ENABLED_VARIABLE = "ADVERSARIAL_TEST_ENABLED"

SETTING_SPECS = (
    SettingSpec(
        "interval_minutes",
        "ADVERSARIAL_TEST_INTERVAL_MINUTES",
        60,
        1,
        10_080,  # a week; for less than that, switch it off
        "Minutes from one cycle to the next",
    ),
    SettingSpec(
        "batch_size",
        "ADVERSARIAL_TEST_BATCH_SIZE",
        8,
        1,
        1_000,
        "Queries in a cycle",
    ),
    SettingSpec(
        "latency_outlier_multiplier",
        "ADVERSARIAL_TEST_LATENCY_OUTLIER_MULTIPLIER",
        1.5,
        1.0,
        100.0,
        "How many times its recipe's own p95 a run must take to be an outlier",
    ),
    SettingSpec(
        "latency_outlier_floor_ms",
        "ADVERSARIAL_TEST_LATENCY_OUTLIER_FLOOR_MS",
        1000,
        0,
        600_000,
        "Milliseconds below which a run is never an outlier",
    ),
    SettingSpec(
        "latency_outlier_min_samples",
        "ADVERSARIAL_TEST_LATENCY_OUTLIER_MIN_SAMPLES",
        10,
        1,
        50,  # the window holds no more
        "Earlier runs of a recipe needed before latency is judged at all",
    ),
)
