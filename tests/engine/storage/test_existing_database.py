"""A database made before the engine's modules were moved goes on working with this version.

databases/before_the_rooms.sql holds it as SQL: a target of the bundled kind over `small_document()`, two cycles of five
queries with their flags, probes and statistics, one dismissal, one assignment and one note by vera, the schedule's
row, and a third cycle waiting in the worker's queue. Stored rows name functions, keys and fingerprints of that version.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils.module_loading import import_string
from django_q.conf import Conf
from django_q.models import OrmQ, Schedule
from django_q.signing import SignedPackage
from django_q.tasks import async_task

from selftest.core.generation.fingerprint import fingerprint_of
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import Status, run_cycle
from selftest.models import Combination, Cycle, Flag, Run, Target, VocabularyVersion
from selftest.operating.schedule import SCHEDULED_TASK, follow_tuning
from selftest.storage.serialization import query_of
from tests.review.pages import text_of
from tests.roles import give

pytestmark = pytest.mark.database("sqlite")

DUMP = Path(__file__).parent / "databases" / "before_the_rooms.sql"
ITS_SECRET_KEY = "the version from before the engine was moved"
FLAGGED = 8


@contextmanager
def in_use(file: Path) -> Iterator[None]:
    """This database instead of the tests' own."""
    connection.close()
    usual, connection.settings_dict["NAME"] = connection.settings_dict["NAME"], str(file)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual


@pytest.fixture(scope="module")
def migrated(django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That database as a file, brought to this version."""
    file = tmp_path_factory.mktemp("existing") / "existing.sqlite3"
    made = sqlite3.connect(file)
    made.executescript(DUMP.read_text(encoding="utf-8"))
    made.close()
    with django_db_blocker.unblock(), in_use(file):
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the file alone is copied
    return file


@pytest.fixture
def existing(django_db_blocker: Any, migrated: Path, tmp_path: Path) -> Iterator[Target]:
    """A copy of it in use; its target."""
    copy = shutil.copy(migrated, tmp_path)
    with django_db_blocker.unblock(), in_use(Path(copy)):
        yield Target.objects.get()


def test_its_rows_are_read_and_its_queue_opens(existing: Target) -> None:
    vera = Client()
    vera.force_login(give(User.objects.get(username="vera"), "reviewer"))
    page = vera.get("/flags")
    assert page.status_code == 200
    waiting = Combination.objects.filter(ever_flagged=True, review_status=None)
    assert waiting.count() == FLAGGED - 1
    assert any(f"/combinations/{combination.pk}" in page.content.decode() for combination in waiting)
    for combination in waiting:
        assert vera.get(f"/combinations/{combination.pk}").status_code == 200


def test_its_flags_wait_for_a_cause_until_the_next_cycle(existing: Target) -> None:
    vera = Client()
    vera.force_login(give(User.objects.get(username="vera"), "reviewer"))
    assert "no cause yet: the next cycle assigns" in text_of(vera.get("/"))
    Cycle.objects.filter(state=Cycle.State.PLANNED).delete()
    run_cycle(CycleRequest(existing, Cycle.Trigger.COMMAND, 1, 9))
    assert "no cause yet" not in text_of(vera.get("/"))
    assert not Flag.objects.filter(cause=None).exists()


def test_its_fingerprints_are_those_of_this_version(existing: Target) -> None:
    combinations = list(Combination.objects.all())
    assert [fingerprint_of(query_of(row.query)) for row in combinations] == [row.fingerprint for row in combinations]
    assert any('"joint: and "' in row.fingerprint for row in combinations)


def test_a_cycle_continues_where_the_last_one_stopped(existing: Target) -> None:
    before = set(Combination.objects.values_list("fingerprint", flat=True))
    Cycle.objects.filter(state=Cycle.State.PLANNED).delete()
    outcome = run_cycle(CycleRequest(existing, Cycle.Trigger.COMMAND, 5, 9))
    assert (outcome.status, outcome.queries_run) == (Status.RAN, 5)
    fresh = Run.objects.filter(cycle=outcome.cycle)
    assert all(run.novel and run.combination.fingerprint not in before for run in fresh)
    assert VocabularyVersion.objects.count() == 1


def test_its_queued_task_runs(existing: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Conf, "SECRET_KEY", ITS_SECRET_KEY)
    task = SignedPackage.loads(OrmQ.objects.get().payload)
    assert task["func"] == "selftest.tasks.planned_cycle"
    async_task(task["func"], *task["args"], sync=True)
    cycle = Cycle.objects.get(pk=task["args"][0])
    assert (cycle.state, cycle.queries_run) == (Cycle.State.FINISHED, 3)


def test_its_schedule_is_kept_and_calls_what_is_there(existing: Target) -> None:
    before = Schedule.objects.get()
    follow_tuning()
    after = Schedule.objects.get()
    assert (after.pk, after.func, after.next_run) == (before.pk, SCHEDULED_TASK, before.next_run)
    assert callable(import_string(before.func))
    assert import_string(before.func)().startswith("cycle ")
