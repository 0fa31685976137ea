"""Fixtures for every test: throw-away servers, the browser, and what a run of the tests holds to."""

import os
import platform
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import TransactionTestCase, override_settings
from pytest_django import DjangoDbBlocker
from whitenoise.middleware import WhiteNoiseMiddleware

from tests import database, memory, servers

platform.processor()  # starts a program and remembers what it said: a model's client asks, and a test starts none

WAYS_TO_THE_DATABASE = {"db", "django_db_setup"}  # pytest-django refuses it to every other test
BROWSER_TESTS = Path(__file__).parent / "browser"

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
]


# --- servers and programs ---


def _need(program: servers.Program) -> str:
    """Where it is. Missing: the test is skipped, and in CI, where nothing is skipped, it fails."""
    path = program.find()
    if path is not None:
        return path
    message = f"{program.name} is not installed (Debian: apt-get install {program.packages})"
    if servers.in_ci():
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of an empty PostgreSQL that lives as long as the session."""
    _need(servers.POSTGRES)
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of an empty Redis that lives as long as the session."""
    _need(servers.REDIS)
    with servers.redis() as url:
        yield url


@pytest.fixture
def nginx() -> servers.Nginx:
    """Starts one with a site."""
    _need(servers.NGINX)
    return servers.nginx


@pytest.fixture(scope="session")
def systemd_analyze() -> str:
    return _need(servers.SYSTEMD)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    return _need(servers.CHROMIUM)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], chromium_path: str) -> dict[str, Any]:
    """The system's Chromium, not a build that pytest-playwright would download; loopback only."""
    return {**browser_type_launch_args, "executable_path": chromium_path, "args": CHROMIUM_ARGUMENTS}


# --- the database ---


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """One database for each worker, a copy; a test that commits gets it restored, which takes less than emptying it."""
    worker_id = os.environ.get("PYTEST_XDIST_WORKER", "master")  # a fixture of this name is xdist's
    with django_db_blocker.unblock():
        mine = database.database_for(connection, tmp_path_factory.mktemp("database"), worker_id)

    def restore(_: TransactionTestCase) -> None:
        assert not connection.in_atomic_block, "rows_of_module do not go with a test that commits"
        mine.restore()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", restore)
        yield
    with django_db_blocker.unblock():
        connection.close()


@pytest.fixture(scope="module")
def rows_of_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """For fixtures of module scope: the rows that they make are there for every test, which undoes its own changes."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def _database() -> str:
    return "sqlite" if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3") else "postgresql"


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    memory.forget()


# --- searches ---

# Seeded, and no test fails for taking long: that says more about the machine than about us.
SEEDED = hypothesis.settings(derandomize=True, deadline=None)
hypothesis.settings.register_profile("few", SEEDED, max_examples=20)
hypothesis.settings.register_profile("full", SEEDED, max_examples=200)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="each search at its full size; some half an hour")
    parser.addoption("--uses-database", action="store_true", help="only tests that use the database")


@pytest.fixture(scope="session")
def is_full(pytestconfig: pytest.Config) -> bool:
    """Whether a test that searches (examples, seeds, planted faults) does so at its full size, not in a moment."""
    return bool(pytestconfig.getoption("--full"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if marker := metafunc.definition.get_closest_marker("seeds"):
        metafunc.parametrize("seed", range(marker.kwargs["full" if metafunc.config.getoption("--full") else "few"]))


# --- the settings ---


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """No one guesses at them here; a hash that is slow on purpose would be most of the time that the tests take."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def _static_files_looked_for_once() -> Iterator[None]:
    """Each test client has a WhiteNoise of its own, and looking at every static file took longer than most requests."""
    files: dict[str, Any] = {}
    look = WhiteNoiseMiddleware.add_files_from_finders

    def recall(whitenoise: WhiteNoiseMiddleware) -> None:
        if not files:
            look(whitenoise)
            files.update(whitenoise.files)
        whitenoise.files.update(files)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", recall)
        yield


@pytest.fixture(autouse=True)
def _no_vectors_of_another_test() -> None:
    """A process keeps what it has read of the index, which no rollback takes back."""
    if encoding := sys.modules.get("selftest.knowledge.index.encoding"):
        encoding.forget()


def _tune(**columns: Any) -> None:
    from selftest.models import Tuning

    Tuning.get_solo()
    Tuning.objects.update(**columns)


@pytest.fixture
def without_probes(db: None) -> None:
    """Each query is asked once and nothing besides: for tests of who asks what and when, not of what is found."""
    _tune(probes_per_query=0)


@pytest.fixture
def seven_checks(db: None) -> None:
    """The specification's seven checks and nothing else."""
    _tune(explains=False)


# --- the run ---


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "database(vendor): only where the tests run on it: sqlite, postgresql")
    config.addinivalue_line("markers", "seeds(few, full): for each `seed` of so many; `full` of them with --full")
    config.addinivalue_line("markers", "browser: in a browser (all of tests/browser)")
    config.addinivalue_line("markers", "process: starts a process of its own (all that use `fresh_environment`)")
    config.addinivalue_line("markers", "slow(reason): takes seconds; `run.sh --quick` leaves it out")
    sys.addaudithook(_note_process)
    hypothesis.settings.load_profile("full" if config.getoption("--full") else "few")
    if not config.pluginmanager.has_plugin("tests.isolation"):
        complaint = "not isolated, so ./data and your environment count: run python -m pytest -p tests.isolation"
        if servers.in_ci():
            raise pytest.UsageError(complaint)
        config.issue_config_time_warning(pytest.PytestConfigWarning(complaint), stacklevel=2)
    if os.environ.get("DATABASE_URL", "").startswith("postgres") and _database() != "postgresql":
        raise pytest.UsageError("DATABASE_URL names a PostgreSQL, and the settings do not use it")


def pytest_report_header() -> str:
    return f"database: {_database()}"


@pytest.hookimpl(tryfirst=True)  # before -m asks for the markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(BROWSER_TESTS):
            item.add_marker("browser")
        if "fresh_environment" in getattr(item, "fixturenames", ()):
            item.add_marker("process")
    # Playwright's event loop stays in this thread once it runs, and Django would take every later test for a coroutine.
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
    left_out = [item for item in items if not _is_run_here(item, config.getoption("--uses-database"))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def _is_run_here(item: pytest.Item, only_with_database: bool) -> bool:
    if marker := item.get_closest_marker("database"):
        return _database() in marker.args
    if not only_with_database or item.get_closest_marker("django_db"):
        return True
    return not WAYS_TO_THE_DATABASE.isdisjoint(getattr(item, "fixturenames", ()))


_processes: list[str] = []
platform.processor()  # starts uname, the first time in a process: no test that asks a language model does so


def _note_process(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "subprocess.Popen":
        _processes.append(str(arguments[0]))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    _processes.clear()
    result = yield
    if _processes and not any(item.get_closest_marker(name) for name in ("process", "browser")):
        pytest.fail(f"it starts {_processes[0]}: mark it with @pytest.mark.process", pytrace=False)
    return result


def _skipped_in_ci(config: pytest.Config) -> int:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return len(reporter.stats.get("skipped", [])) if reporter and servers.in_ci() else 0


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _skipped_in_ci(session.config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if skipped := _skipped_in_ci(config):
        terminalreporter.write_line(f"{skipped} skipped: in CI nothing is skipped, so this run has failed.", red=True)
