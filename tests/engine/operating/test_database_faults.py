"""What the database's surroundings do to it, on real SQLite: a full disk, a folder that is read-only."""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import redis
from django.db import IntegrityError, InterfaceError, OperationalError

from review import log_lines
from selftest.operating.database_faults import DatabaseFault, database_fault


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "small.sqlite3")) as connection:
        connection.execute("CREATE TABLE texts (text TEXT)")
        yield connection


def _from(cause: BaseException) -> OperationalError:
    """As Django raises it."""
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


def _refused(connection: sqlite3.Connection, statement: str) -> sqlite3.Error:
    with pytest.raises(sqlite3.Error) as refused:
        connection.execute(statement)
    return refused.value


def test_a_full_disk_is_known_by_sqlite_s_own_code(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA max_page_count = 3")
    refused = _refused(database, "INSERT INTO texts VALUES (zeroblob(100000))")
    assert database_fault(_from(refused)) is DatabaseFault.FULL


def test_what_may_only_be_read_is_known(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA query_only = 1")
    assert database_fault(_from(_refused(database, "INSERT INTO texts VALUES ('x')"))) is DatabaseFault.READ_ONLY


def test_a_folder_that_is_not_there_is_known(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as refused:
        sqlite3.connect(tmp_path / "none" / "x.sqlite3")
    assert database_fault(_from(refused.value)) is DatabaseFault.UNREADABLE


def test_a_lock_of_another_is_no_fault_of_ours(database: sqlite3.Connection, tmp_path: Path) -> None:
    database.execute("BEGIN EXCLUSIVE")
    with closing(sqlite3.connect(tmp_path / "small.sqlite3", timeout=0)) as other:
        assert database_fault(_from(_refused(other, "SELECT * FROM texts"))) is DatabaseFault.BUSY


def test_a_table_that_is_missing_stays_a_fault_of_ours(database: sqlite3.Connection) -> None:
    assert database_fault(_from(_refused(database, "SELECT * FROM nothing"))) is None
    assert database_fault(IntegrityError("twice")) is None
    assert database_fault(None) is None
    assert database_fault(ValueError("no database at all")) is None


def test_a_server_that_is_away_full_or_read_only_is_known() -> None:
    assert database_fault(_from(psycopg.OperationalError("connection refused"))) is DatabaseFault.AWAY
    assert database_fault(_from(psycopg.errors.AdminShutdown())) is DatabaseFault.AWAY
    assert database_fault(_from(psycopg.errors.DiskFull())) is DatabaseFault.FULL
    assert database_fault(_from(psycopg.errors.IdleInTransactionSessionTimeout())) is DatabaseFault.BUSY
    assert database_fault(_from(psycopg.errors.ReadOnlySqlTransaction())) is DatabaseFault.READ_ONLY
    assert database_fault(InterfaceError("connection already closed")) is DatabaseFault.AWAY
    assert database_fault(_from(psycopg.errors.UndefinedTable())) is None


def test_the_failure_to_roll_back_hides_nothing(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA query_only = 1")
    cause = sqlite3.OperationalError("no such savepoint")
    cause.__context__ = _from(_refused(database, "INSERT INTO texts VALUES ('x')"))
    assert database_fault(_from(cause)) is DatabaseFault.READ_ONLY


def test_a_disk_that_a_file_does_not_fit_on_is_full() -> None:
    with Path("/dev/full").open("wb", buffering=0) as full, pytest.raises(OSError) as refused:
        full.write(b"x")
    assert database_fault(refused.value) is DatabaseFault.FULL


class Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.addFilter(log_lines.OneLinePerFault())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def worker_log() -> Iterator[tuple[logging.Logger, Lines]]:
    log_lines.forget()
    logger, lines = logging.Logger("django-q"), Lines()
    logger.addHandler(lines)
    yield logger, lines
    log_lines.forget()


def _fail(logger: logging.Logger, error: Exception) -> None:
    try:
        raise error
    except type(error):
        logger.exception("Failed to pull task from broker")


def test_a_worker_without_a_database_logs_one_line_a_minute_whatever_process_it_is(
    worker_log: tuple[logging.Logger, Lines],
) -> None:
    logger, log = worker_log
    child = os.fork()
    if child == 0:
        _fail(logger, OperationalError("connection refused"))
        os._exit(len(log.lines))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    for _ in range(5):
        _fail(logger, OperationalError("connection refused"))
        logger.critical("reincarnated pusher %s after sudden death", "x")
    assert log.lines == []
    log_lines.forget()
    _fail(logger, OperationalError("connection\nrefused"))
    (line,) = log.lines
    assert line == (
        "Failed to pull task from broker: The database does not answer: check that it runs, then try again. "
        "(django.db.utils.OperationalError: connection refused)"
    )


@pytest.mark.parametrize(
    ("heartbeat", "line"),
    [
        (
            _from(psycopg.OperationalError("connection to server failed:\n\tIs the server running?")),
            "The database does not answer: check that it runs, then try again. "
            "(django.db.utils.OperationalError: connection to server failed: Is the server running?)",
        ),
        (
            redis.ConnectionError("Error 111 connecting to 127.0.0.1:6379. Connection refused."),
            "Redis cannot be used: check that it runs, and that REDIS_URL is right. "
            "(redis.exceptions.ConnectionError: Error 111 connecting to 127.0.0.1:6379. Connection refused.)",
        ),
    ],
)
def test_a_heartbeat_that_fails_is_one_line_a_minute_too(
    worker_log: tuple[logging.Logger, Lines], heartbeat: Exception, line: str
) -> None:
    logger, log = worker_log
    for _ in range(5):
        logger.error(heartbeat)
        _fail(logger, heartbeat)
    assert log.lines == [line]


def test_an_error_of_another_kind_that_is_the_message_stays_as_it_is(worker_log: tuple[logging.Logger, Lines]) -> None:
    logger, log = worker_log
    for _ in range(2):
        logger.error(ValueError("ours"))
    assert log.lines == ["ours", "ours"]


def test_a_task_that_failed_for_its_database_is_one_line(worker_log: tuple[logging.Logger, Lines]) -> None:
    logger, log = worker_log
    result = (
        "database or disk is full : Traceback (most recent call last):\n  x\ndjango.db.utils.OperationalError: database"
    )
    logger.error("Failed 'cycle' (cycle 1) - " + result)
    assert log.lines == ["Failed 'cycle' (cycle 1) - database or disk is full"]


def test_a_fault_of_ours_keeps_its_traceback(worker_log: tuple[logging.Logger, Lines]) -> None:
    logger, log = worker_log
    _fail(logger, ValueError("ours"))
    logger.critical("reincarnated pusher after sudden death")
    assert "Traceback" in log.lines[0]
    assert len(log.lines) == 2
