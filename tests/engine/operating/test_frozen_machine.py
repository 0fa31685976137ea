"""A machine that freezes in a transaction on PostgreSQL: the others work on, and it does too when it is thawed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import psutil
import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from review.environment import read_environment
from selftest.cycles import lifecycle
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.planning import plan
from selftest.models import Cycle, Run
from selftest.operating.sweeping import Sweeper
from tests.database import ROOT
from tests.engine.conftest import MakeTarget
from tests.engine.cycles.test_killed import database_url

pytestmark = [pytest.mark.database("postgresql"), pytest.mark.process]

LIMIT_S = 30.0
# Freezes between two statements of its first transaction.
FREEZING = """
import os, signal, sys
import django
from review import environment
environment.IDLE_IN_TRANSACTION_MS = 1000
django.setup()
from django.db import transaction
from selftest.models import Run
from selftest.operating.database_faults import database_fault
from selftest.storage.database_patience import PASSING, keep_trying

run, seen = Run.objects.filter(pk=sys.argv[1]), []

def write():
    with transaction.atomic():
        run.update(latency_ms=1.0)
        if not seen:
            os.kill(os.getpid(), signal.SIGSTOP)
        try:
            run.update(latency_ms=2.0)
        except PASSING as fault:
            seen.append(database_fault(fault).name)
            raise

keep_trying(write)
print(*seen)
"""


@contextmanager
def frozen_at(run: Run) -> Iterator["subprocess.Popen[str]"]:
    """Another process, which has written to this run in a transaction that it has not ended."""
    environment = {**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "review.settings"}
    command = [sys.executable, "-c", FREEZING, str(run.pk)]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + LIMIT_S
        while psutil.Process(process.pid).status() != psutil.STATUS_STOPPED:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("without_probes")
def test_the_sweep_gets_through_and_the_thawed_process_begins_its_transaction_again(make_target: MakeTarget) -> None:
    target = make_target()
    cycle = lifecycle.prepare(CycleRequest(target, Cycle.Trigger.PAGE, 2, 1))
    long_ago = timezone.now() - timedelta(minutes=5)
    cycle.state, cycle.owner, cycle.created_at, cycle.started_at = "running", "elsewhere:1:1.00", long_ago, long_ago
    cycle.save()
    asked, _ = plan(cycle, target.vocabularies.get(), timezone.now())
    Run.objects.filter(pk=asked.pk).update(state=Run.State.ASKING)
    with frozen_at(asked) as other:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = '{LIMIT_S:g}s'")  # instead of waiting for ever
        Sweeper().sweep()
        cycle.refresh_from_db()
        assert (cycle.state, cycle.owner) == ("planned", "")
        asked.refresh_from_db()
        assert (asked.state, asked.latency_ms) == ("interrupted", None)
        other.send_signal(signal.SIGCONT)
        assert other.communicate(timeout=LIMIT_S)[0] == "BUSY\n"
    asked.refresh_from_db()
    assert asked.latency_ms == 2.0


@pytest.mark.parametrize(
    ("asked", "limit"), [("", "1min"), ("?options=-c%20idle_in_transaction_session_timeout%3D2min", "2min")]
)
@pytest.mark.django_db
@pytest.mark.parametrize("host", ["127.0.0.1", "its folder"])
def test_the_server_takes_what_we_ask_of_it_by_tcp_and_by_its_socket_unless_the_url_asks_otherwise(
    tmp_path: Path, asked: str, limit: str, host: str
) -> None:
    if host == "its folder":
        with connection.cursor() as cursor:
            cursor.execute("SHOW unix_socket_directories")
            (host,) = cursor.fetchone()
    found = read_environment({"DATA_DIR": str(tmp_path), "DATABASE_URL": database_url() + asked}).database
    known = {"host": host, "port": found["PORT"], "user": found["USER"], "dbname": found["NAME"]}
    with psycopg.connect(**known, **found["OPTIONS"]) as other:
        assert other.execute("SHOW idle_in_transaction_session_timeout").fetchone() == (limit,)
        assert other.info.get_parameters()["tcp_user_timeout"] == "30000"
