"""The database fails in the middle of a cycle: it waits until that answers, and nothing is lost or asked twice."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.db import connection, connections
from django.db.backends.signals import connection_created

from selftest import tasks
from selftest.cycles import lifecycle
from selftest.cycles.runner import Status
from selftest.models import Combination, Cycle, Run, Target, Tuning
from selftest.storage import database_file, database_patience
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.routers import Route, honest

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("without_probes"),
    pytest.mark.slow("breaks the database on purpose"),
]

on_sqlite = pytest.mark.database("sqlite")
on_postgresql = pytest.mark.database("postgresql")

Break = Callable[[], None]
BEFORE = 3  # answers that are recorded before the database fails
TRIES = 4  # that fail before it is repaired
LONG = "".join(f"Line {number} of a long story.\n" for number in range(12_000))  # no page has room for it


@pytest.fixture
def cycle_that_breaks(
    make_target: MakeTarget, cycle_on: RunCycle, play: Callable[[Route], None], monkeypatch: pytest.MonkeyPatch
) -> Callable[[Break, Break], None]:
    """Runs a cycle in which `break_it` is done after three answers; `repair` comes after it was tried again a while."""

    def long_winded(query: str, source: str) -> tuple[str, str]:
        result, used = honest(query, source)
        return result + LONG, used

    def run(break_it: Break, repair: Break) -> None:
        tries = 0

        def wait(_: float) -> None:
            nonlocal tries
            tries += 1
            if tries == TRIES:
                repair()

        def after_some(over: int, planned: int) -> None:
            if over == BEFORE:
                break_it()

        monkeypatch.setattr(database_patience, "sleep", wait)
        play(long_winded)
        target = make_target("scripted")
        survived = cycle_on(target, 8, seed=1, progress=after_some)
        assert (survived.status, survived.queries_run, survived.flagged) == (Status.RAN, 8, 0)
        if repair is not nothing:
            assert tries >= TRIES
        after = cycle_on(target, 8, seed=2)
        assert (after.status, after.queries_run, after.flagged) == (Status.RAN, 8, 0)
        _check(target)

    return run


def _check(target: Target) -> None:
    for cycle in Cycle.objects.filter(target=target):
        assert (cycle.state, cycle.queries_run, cycle.novel) == ("finished", 8, 8)
        assert list(cycle.runs.values_list("state", flat=True)) == ["done"] * 8
    done = Run.objects.filter(state="done")
    assert done.count() == done.values("combination").distinct().count() == 16
    assert all(LONG[:200_000] in run.result for run in done), "the whole answers"
    assert not Combination.objects.exclude(times_generated=1).exists()


def nothing() -> None:
    pass


def raw(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


# --- a full disk ---


def leave_no_page(**_: object) -> None:
    """Every page from here on is one too many, as on a full disk: SQLite answers SQLITE_FULL."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")


@pytest.fixture
def no_free_page() -> None:
    """Pages that earlier tests gave back would be room."""
    raw("VACUUM")


def leave_all_pages(**_: object) -> None:
    raw("PRAGMA max_page_count = 1073741823")


@on_sqlite
@pytest.mark.usefixtures("no_free_page")
def test_a_disk_that_is_full_for_a_moment(cycle_that_breaks: Callable[[Break, Break], None]) -> None:
    cycle_that_breaks(leave_no_page, nothing)


@on_sqlite
@pytest.mark.usefixtures("no_free_page")
def test_a_disk_that_stays_full_until_somebody_makes_room(
    cycle_that_breaks: Callable[[Break, Break], None],
) -> None:
    def fill() -> None:
        leave_no_page()
        connection_created.connect(leave_no_page)

    def make_room() -> None:
        assert Cycle.objects.get().state == "running"
        connection_created.disconnect(leave_no_page)
        connection.close()

    try:
        cycle_that_breaks(fill, make_room)
    finally:
        connection_created.disconnect(leave_no_page)
        leave_all_pages()


@on_postgresql
def test_a_disk_of_the_server_that_is_full(cycle_that_breaks: Callable[[Break, Break], None]) -> None:
    def fill() -> None:
        raw(
            "CREATE FUNCTION full_disk() RETURNS trigger AS"
            " $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$ LANGUAGE plpgsql"
        )
        raw("CREATE TRIGGER full_disk BEFORE UPDATE ON selftest_run FOR EACH ROW EXECUTE FUNCTION full_disk()")

    def make_room() -> None:
        assert Cycle.objects.get().state == "running"
        raw("DROP TRIGGER full_disk ON selftest_run")
        raw("DROP FUNCTION full_disk")

    cycle_that_breaks(fill, make_room)


# --- locked ---


@pytest.fixture
def impatient() -> Iterator[None]:
    """A tenth of a second instead of twenty to wait for another's lock, on every connection made meanwhile."""
    options = connection.settings_dict["OPTIONS"]
    connection.close()
    if connection.vendor == "sqlite":
        kept, options["timeout"] = options.get("timeout"), 0.1
    else:
        kept, options["options"] = options.get("options"), "-c lock_timeout=100ms"
    yield
    name = "timeout" if connection.vendor == "sqlite" else "options"
    options.pop(name)
    if kept is not None:
        options[name] = kept
    connection.close()


@contextmanager
def another_connection() -> Iterator[Callable[[str], object]]:
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        other = sqlite3.connect(settings["NAME"], isolation_level=None)
    else:
        other = psycopg.connect(  # type: ignore[assignment]
            host=settings["HOST"],
            port=settings["PORT"],
            user=settings["USER"],
            dbname=settings["NAME"],
            autocommit=True,
        )
    try:
        yield other.execute
    finally:
        other.close()


@pytest.mark.usefixtures("impatient")
def test_a_database_that_another_holds_locked(cycle_that_breaks: Callable[[Break, Break], None]) -> None:
    with another_connection() as execute:

        def lock() -> None:
            execute("BEGIN IMMEDIATE" if connection.vendor == "sqlite" else "BEGIN")
            if connection.vendor == "sqlite":
                execute("UPDATE selftest_target SET base_url = base_url")
            else:
                execute("LOCK TABLE selftest_run")

        def unlock() -> None:
            execute("ROLLBACK")

        cycle_that_breaks(lock, unlock)


# --- gone ---


@on_postgresql
def test_a_server_that_ends_our_session(cycle_that_breaks: Callable[[Break, Break], None]) -> None:
    with another_connection() as execute:

        def end_session() -> None:
            execute(f"SELECT pg_terminate_backend({connections['default'].connection.info.backend_pid})")

        cycle_that_breaks(end_session, nothing)


@on_sqlite
def test_a_file_that_is_moved_away_and_comes_back(cycle_that_breaks: Callable[[Break, Break], None]) -> None:
    file = Path(connection.settings_dict["NAME"])
    elsewhere = file.with_suffix(".elsewhere")

    def bring_back() -> None:
        assert not file.exists(), "an empty database in its place would be taken for the real one"
        elsewhere.rename(file)
        assert Cycle.objects.get().state == "running"

    def take_away() -> None:
        file.rename(elsewhere)

    cycle_that_breaks(take_away, bring_back)


@on_sqlite
def test_a_connection_knows_when_its_file_was_replaced(tmp_path: Path) -> None:
    file = Path(connection.settings_dict["NAME"])
    connection.close()
    connection.ensure_connection()
    database_file.check_database_is_there()
    kept = tmp_path / "kept.sqlite3"
    os.link(file, kept)
    try:
        file.unlink()
        file.touch()
        with pytest.raises(database_file.OperationalError, match="no longer where it was"):
            database_file.check_database_is_there()
        assert not database_file.is_missing()
        file.unlink()
        assert database_file.is_missing()
    finally:
        file.unlink(missing_ok=True)
        os.link(kept, file)
    database_file.check_database_is_there()


# --- at any statement ---


class Outage:
    """Raises instead of statement number `at`, counted from 0, and every one after it until it was tried again."""

    def __init__(self, at: int | None) -> None:
        self.seen = 0
        self._at = at
        self._is_over = False

    def __call__(self, execute: Callable[..., object], sql: str, *details: object) -> object:
        number = self.seen
        self.seen += 1
        if self._at is not None and number >= self._at and not self._is_over:
            raise database_file.OperationalError("the server closed the connection")
        return execute(sql, *details)

    def end(self, _: float = 0.0) -> None:
        self._is_over = True


def _run_as_handed_over(cycle: Cycle, outage: Outage) -> None:
    """What fails before it has begun is handed over again by the sweep."""
    with connection.execute_wrapper(outage):
        for _ in range(2):
            try:
                tasks.planned_cycle(cycle.pk)
            except database_file.OperationalError:
                outage.end()
            else:
                return


def test_away_at_any_statement_of_a_cycle_it_is_run_whole_and_nothing_twice(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch, is_full: bool
) -> None:
    Tuning.get_solo()
    Tuning.objects.update(probes_per_query=1)

    def run(at: int | None) -> int:
        outage = Outage(at)
        monkeypatch.setattr(database_patience, "sleep", outage.end)
        cycle = lifecycle.prepare(lifecycle.CycleRequest(make_target("collapsing"), Cycle.Trigger.PAGE, 3, 5))
        cycle.save()
        _run_as_handed_over(cycle, outage)
        cycle.refresh_from_db()
        assert (cycle.state, cycle.queries_run, cycle.novel) == ("finished", 3, 3), f"statement {at}: {cycle.note}"
        assert list(cycle.runs.values_list("state", flat=True)) == ["done"] * 3, f"statement {at}"
        generated = Combination.objects.filter(target=cycle.target).values_list("times_generated", flat=True)
        assert list(generated) == [1] * 3, f"statement {at}"
        return outage.seen

    statements = run(None)
    assert statements > 50
    for at in range(0, statements, 1 if is_full else 7):
        run(at)
