"""The settings of the specification: defaults, bounds and meaning, for the environment and the admin alike. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SettingSpec:
    """A number that can be tuned. least and most are valid themselves."""

    field: str
    variable: str
    default: float
    least: float
    most: float
    meaning: str

    @property
    def is_whole(self) -> bool:
        return isinstance(self.default, int)

    @property
    def valid(self) -> str:
        return f"{'a whole number' if self.is_whole else 'a number'} from {self.least:g} to {self.most:g}"

    def fault(self, value: float) -> str | None:
        """What is wrong with `value`, or None."""
        return None if self.least <= value <= self.most else f"{value:g} is not {self.valid}"


ENABLED_VARIABLE = "ADVERSARIAL_TEST_ENABLED"

SETTING_SPECS = (
    SettingSpec(
        "interval_minutes",
        "ADVERSARIAL_TEST_INTERVAL_MINUTES",
        60,
        1,
        10_080,  # a week: less often than that is rather switched off
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
