"""Which blows fall on which installation, and how many."""

import random
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from itertools import cycle, islice, pairwise
from pathlib import Path

from tests import servers
from tests.chaos import blows
from tests.chaos.installation import Installation, until
from tests.chaos.long_life import LongLife, Receiver
from tests.chaos.trial import START_LIMIT_S, Blow, Result, Trial

ONE_MACHINE = ("start", "qcluster", "worker", "gunicorn", "web")
TWO_MACHINES = (*ONE_MACHINE, "second")
EVERY_MINUTE = {"ADVERSARIAL_TEST_INTERVAL_MINUTES": "1"}
SCHEDULED_APART_S = 30.0  # of two cycles of one schedule of one minute
FIRST_SCHEMA_ROWS = 100_000
FIRST_SCHEMA_LIMIT_S = 900.0

Scenario = Callable[[int, int], Result]


@contextmanager
def _trial(
    name: str, seed: int, folder: Path | None = None, with_second_worker: bool = False, **variables: str
) -> Iterator[tuple[LongLife, Installation, random.Random]]:
    """A trial that has not begun, with all that a long life has."""
    rng = random.Random(f"{name} {seed}")
    with ExitStack() as stack:
        folder = folder or Path(stack.enter_context(_folder()))
        receiver = stack.enter_context(closing(Receiver()))
        spread = {"ADVERSARIAL_TEST_BATCH_SIZE": str(LongLife.queries)}
        installation = Installation(folder, with_second_worker, **spread, **variables)
        stack.callback(installation.stop)
        yield LongLife(name, installation, rng, receiver), installation, rng


def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="gadfly-chaos-")


@contextmanager
def _servers() -> Iterator[dict[str, str]]:
    with servers.postgres() as database, servers.redis() as broker:
        yield {"DATABASE_URL": database, "REDIS_URL": broker}


def kills_on_sqlite(times: int, seed: int) -> Result:
    """SIGKILL of one process at a time: start, the worker or one of its own, the web server or one of its own."""
    with _trial("kills, SQLite", seed) as (trial, installation, rng):
        trial.begin()
        return trial.struck([partial(blows.kill_one, installation, rng, ONE_MACHINE)] * times)


def kills_on_postgres(times: int, seed: int) -> Result:
    """The same with PostgreSQL, and Redis as the broker."""
    with _servers() as urls, _trial("kills, PostgreSQL and Redis", seed, **urls) as (trial, installation, rng):
        trial.begin()
        return trial.struck([partial(blows.kill_one, installation, rng, ONE_MACHINE)] * times)


def long_life(times: int, seed: int) -> Result:
    """All that falls on two machines, in turn."""
    name = "a long life, PostgreSQL and Redis"
    with (
        _servers() as urls,
        _trial(name, seed, None, True, **urls) as (trial, installation, rng),
        _restarts(urls, rng) as restarted,
    ):
        trial.begin()
        kill = partial(blows.kill_one, installation, rng, TWO_MACHINES)
        others = partial(blows.deliver_twice, installation), partial(blows.flush_the_broker, installation)
        return trial.struck([kill, kill, *restarted, kill, *others] * times)


def restarts(times: int, seed: int) -> Result:
    """PostgreSQL and Redis, in turn, away for up to five seconds; Redis comes back empty."""
    with (
        _servers() as urls,
        _trial("restarts of servers", seed, **urls) as (trial, _, rng),
        _restarts(urls, rng) as restarted,
    ):
        trial.begin()
        return trial.struck(restarted * times)


@contextmanager
def _restarts(urls: dict[str, str], rng: random.Random) -> Iterator[tuple[Blow, Blow]]:
    postgres, redis = blows.Restartable(urls["DATABASE_URL"]), blows.Restartable(urls["REDIS_URL"])

    def restart(server: blows.Restartable, number: signal.Signals, name: str) -> str:
        server.restart(number, rng.uniform(0.0, 5.0))
        return name

    try:
        yield (
            partial(restart, postgres, signal.SIGINT, "PostgreSQL"),
            partial(restart, redis, signal.SIGKILL, "Redis"),
        )
    finally:
        postgres.stop()
        redis.stop()


def broker_on_sqlite(times: int, seed: int) -> Result:
    """Tasks delivered twice, and lost, in turn, with the database as the broker."""
    with _trial("broker, SQLite", seed) as (trial, installation, _):
        return _broker(trial, installation, times)


def broker_on_redis(times: int, seed: int) -> Result:
    """The same with Redis."""
    with _servers() as urls, _trial("broker, PostgreSQL and Redis", seed, **urls) as (trial, installation, _):
        return _broker(trial, installation, times)


def _broker(trial: Trial, installation: Installation, times: int) -> Result:
    trial.begin()
    return trial.struck(
        [partial(blows.deliver_twice, installation), partial(blows.flush_the_broker, installation)] * times
    )


def small(times: int, seed: int) -> Result:
    """One of each that is over at once, on one installation and its shortest cycles: what the tests do each time."""
    rng = random.Random(seed)
    with ExitStack() as stack:
        installation = Installation(Path(stack.enter_context(_folder())))
        stack.callback(installation.stop)
        trial = Trial("a small one, SQLite", installation, rng)
        trial.begin()
        kills = [partial(blows.kill_one, installation, rng, ONE_MACHINE)] * times
        others = blows.deliver_twice, blows.flush_the_broker, partial(blows.lock, for_s=2.0)
        return trial.struck([*kills, *(partial(blow, installation) for blow in others)])


def locks(times: int, seed: int) -> Result:
    """SQLite, held by something else for 30 s."""
    with _trial("locks, SQLite", seed) as (trial, installation, _):
        trial.begin()
        return trial.struck([partial(blows.lock, installation)] * times)


def full_disks(times: int, seed: int) -> Result:
    """No space for 20 s. Raises RuntimeError where no file system can be mounted."""
    with (
        _folder() as folder,
        blows.small_disk(Path(folder) / "data"),
        _trial("full disks", seed, Path(folder)) as (trial, installation, _),
    ):
        trial.begin()
        return trial.struck([partial(blows.fill_the_disk, installation)] * times)


def clocks(times: int, seed: int) -> Result:
    """An hour back, right again, ten days ahead, right again; a cycle is due every minute."""
    with _folder() as folder:
        clock = blows.Clock(Path(folder))
        with _trial("clocks", seed, Path(folder), **clock.variables, **EVERY_MINUTE) as (trial, _, _):
            turns = cycle(("an hour back", "right again", "ten days ahead", "right again"))
            trial.begin()
            return trial.struck([partial(clock.set, name) for name in islice(turns, 4 * times)])


def two_schedulers_on_sqlite(times: int, seed: int) -> Result:
    """A second worker beside the first; one of them is killed. No minute has two scheduled cycles."""
    with _trial("two schedulers, SQLite", seed, None, True, **EVERY_MINUTE) as struck:
        return _two_schedulers(*struck, times)


def two_schedulers_on_postgres(times: int, seed: int) -> Result:
    """The same with PostgreSQL, and Redis as the broker."""
    with _servers() as urls:
        name = "two schedulers, PostgreSQL and Redis"
        with _trial(name, seed, None, True, **EVERY_MINUTE, **urls) as struck:
            return _two_schedulers(*struck, times)


def _two_schedulers(trial: Trial, installation: Installation, rng: random.Random, times: int) -> Result:
    def scheduled() -> list[tuple[int, float]]:
        seconds = "EXTRACT(EPOCH FROM created_at)" if installation.is_postgres else "julianday(created_at) * 86400"
        return installation.rows(
            f"SELECT id, {seconds} FROM selftest_cycle WHERE trigger = 'schedule' ORDER BY created_at"
        )

    def after_the_next() -> Blow:
        def blow() -> str:
            before = len(scheduled())
            until(lambda: len(scheduled()) > before, 150.0, "the next scheduled cycle")
            return blows.kill_one(installation, rng, ("qcluster", "worker", "second"))

        return blow

    trial.begin()
    result = trial.struck([after_the_next() for _ in range(times)])
    made = scheduled()
    for (earlier, at), (later, then) in pairwise(made):
        if float(then) - float(at) < SCHEDULED_APART_S:
            result.wrong.append(f"cycles {earlier} and {later} were both scheduled within {then - at:.0f} s")
    result.acknowledged["scheduled cycle"] = len(made)
    return result


def first_schema(times: int, seed: int) -> Result:
    """A database of the first schema with 100,000 runs is migrated by a start; then one process at a time is killed."""
    with _trial("first schema, SQLite", seed) as (trial, installation, rng):
        trial.begin()
        until(
            partial(_has_no_open_cycle, installation), START_LIMIT_S, "no cycle runs"
        )  # stopped, it would go on later
        installation.stop()
        installation.manage(
            "seed_history", "--combinations", str(FIRST_SCHEMA_ROWS // 3), "--runs", str(FIRST_SCHEMA_ROWS)
        )
        installation.manage("migrate", "selftest", "0001_initial", "--verbosity", "0")
        before = installation.rows("SELECT id FROM selftest_combination WHERE ever_flagged ORDER BY id")
        trial.begin(FIRST_SCHEMA_LIMIT_S)
        result = trial.struck([partial(blows.kill_one, installation, rng, ONE_MACHINE)] * times)
        after = installation.rows("SELECT id FROM selftest_combination WHERE ever_flagged")
        lost = set(before) - set(after)
        if lost:
            result.wrong.append(f"{len(lost)} flags are gone")
        result.acknowledged["flag before"] = len(before)
        return result


def _has_no_open_cycle(installation: Installation) -> bool:
    return not installation.rows("SELECT 1 FROM selftest_cycle WHERE state IN ('planned', 'running')")
