"""`manage.py measure_drift`: how often the rule of drift is wrong, and how soon it is right, by simulation."""

import json
from dataclasses import asdict
from statistics import fmean
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from selftest.evaluation.core.drift import WINDOW_VALUES
from selftest.management.arguments import whole_number
from selftest.management.tables import console_on, table_of

SIMULATIONS, HOURS = 1_000, 720


class Command(BaseCommand):
    """Prints a table, or one line of JSON."""

    help = (
        "Simulates months of 14 series without drift, and traffic of which 40 % is spoiled. It needs no database; a "
        "thousand months take about ten minutes."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        some = whole_number(1, 100_000)
        parser.add_argument("--simulations", type=some, default=SIMULATIONS, metavar="N", help=f"months; {SIMULATIONS}")
        parser.add_argument("--trials", type=some, metavar="N", help="of spoiled traffic; as many as months")
        parser.add_argument("--hours", type=some, default=HOURS, help=f"windows of a month; {HOURS}")
        parser.add_argument("--seed", type=whole_number(0, 2**32 - 1), default=1, help="of all chance; 1")
        parser.add_argument("--json", action="store_true", help="one line of JSON instead of a table")

    def handle(self, *args: Any, simulations: int, trials: int | None, hours: int, seed: int, **options: Any) -> None:
        """Exits with 0 whatever the figures are: a few months prove nothing."""
        # It loads scipy, which no other command does without need.
        from selftest.evaluation.core.drift_simulation import simulate

        found = simulate(simulations, trials or simulations, hours, seed)
        document = {
            "simulations": simulations,
            "hours": hours,
            "series": len(found.powers),
            "window": WINDOW_VALUES,
            "false_alarms": fmean(found.alarms),
            "most_false_alarms": max(found.alarms),
            "months_with_one_or_none": found.share_of_calm_months,
            "false_alarms_of_moving_cache": fmean(found.alarms_of_moving_cache),
            "trials": found.trials,
            "power": found.least_power,
            "powers": [{**asdict(power), "metric": power.metric.value} for power in found.powers],
            "keeps_bar": found.keeps_bar,
        }
        if options["json"]:
            self.stdout.write(json.dumps(document))
            return
        self.stdout.write(
            f"{simulations} months of {hours} hours, {len(found.powers)} series without drift: "
            f"{document['false_alarms']:.3f} false alarms a month, at most {document['most_false_alarms']}; one or "
            f"none in {document['months_with_one_or_none']:.1%}; {document['false_alarms_of_moving_cache']:.3f} while "
            "the cache's share goes from 20 to 80 %."
        )
        windows = [f"after {number} of {WINDOW_VALUES}" for number in range(1, len(found.powers[0].found) + 1)]
        table = table_of("40 % spoiled", "true gap", "suspect at once", *windows)
        for power in found.powers:
            shares = (f"{share:.2f}" for share in (power.true_gap, power.suspect_at_once, *power.found))
            table.add_row(power.metric, *shares)
        console_on(self.stdout).print(table)
        self.stdout.write(f"Least power after two windows: {found.least_power:.2f}.")
