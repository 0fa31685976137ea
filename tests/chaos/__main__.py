"""Kills and restarts what a running installation consists of, at random moments, while it is asked to do things.

    python -m tests.chaos [--kills 200] [--postgres-kills 100] [--restarts 20] [--others 5] [--seed 1]

After each blow, within two minutes and with no hand but that of a supervisor, which starts what has ended: every cycle,
search and dismissal that was acknowledged is done, once; no flag is gone; `/health` is ok. Prints a table of it.
"""

import argparse
import sys
from collections.abc import Sequence

from tests.chaos import scenarios
from tests.chaos.trial import table

OTHERS = (
    scenarios.broker_on_sqlite,
    scenarios.broker_on_redis,
    scenarios.locks,
    scenarios.full_disks,
    scenarios.clocks,
    scenarios.two_schedulers_on_sqlite,
    scenarios.two_schedulers_on_postgres,
    scenarios.long_life,
    scenarios.first_schema,
)


def main(arguments: Sequence[str]) -> int:
    """0 where everything held."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200, help="on SQLite")
    parser.add_argument("--postgres-kills", type=int, default=100, help="on PostgreSQL and Redis")
    parser.add_argument("--restarts", type=int, default=20, help="of PostgreSQL, and as many of Redis")
    parser.add_argument("--others", type=int, default=5, help="of every other scenario, or of the one named by --only")
    parser.add_argument("--only", choices=[scenario.__name__ for scenario in OTHERS])
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    large = (
        (scenarios.kills_on_sqlite, asked.kills),
        (scenarios.kills_on_postgres, asked.postgres_kills),
        (scenarios.restarts, asked.restarts),
    )
    chosen = [(scenario, asked.others) for scenario in OTHERS if asked.only in (None, scenario.__name__)]
    results = []
    for scenario, times in (*(() if asked.only else large), *chosen):
        if times:
            results.append(scenario(times, asked.seed))
            sys.stdout.write(f"{table(results[-1:])}\n")
            sys.stdout.flush()
    return int(any(result.wrong for result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
