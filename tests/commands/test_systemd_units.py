"""The units for systemd, as they are handed out: read by it, and started with no more of the disk than they allow."""

import json
import shlex
import shutil
import signal
import subprocess
import sys
from configparser import RawConfigParser, SectionProxy
from pathlib import Path

import psutil
import pytest
from django.utils import timezone

from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.triggering import trigger_later
from selftest.models import Cycle, Installation, Target
from selftest.operating.vocabularies import import_vocabulary
from tests.commands.process import DEPLOYMENT, ROOT
from tests.commands.started import ANSWER_LIMIT_S, Started, to_its_end
from tests.engine.cycles.test_killed import working
from tests.vocabularies import example_document

pytestmark = pytest.mark.process

CYCLE_LIMIT_S = 30  # after the server answers
# As ProtectSystem=strict, ReadWritePaths and PrivateTmp have it. Homes stay: the interpreter may be in one. It takes
# the right to mount; without that, all the rest of the unit is tested.
RESTRICTED = """
set -e
mount --make-rprivate /
mount --bind "$DATA_DIR" "$DATA_DIR"
mount --bind "$TMPDIR" "$TMPDIR"
mount -o remount,bind,ro /
mount -o remount,bind,ro "$(stat --format %m .)"
if touch written-beside 2>/dev/null; then rm written-beside; echo "the disk is not read-only" >&2; exit 1; fi
exec "$@"
"""


def service_of(name: str) -> SectionProxy:
    unit = RawConfigParser()
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string((DEPLOYMENT / name).read_text())
    return unit["Service"]


def may_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("name", ["gadfly.service", "gadfly-worker.service"])
def test_systemd_finds_nothing_wrong_with_a_unit(name: str, tmp_path: Path, systemd_analyze: str) -> None:
    text = (DEPLOYMENT / name).read_text()
    for written, here in (("/opt/gadfly/.venv/bin/python", sys.executable), ("/opt/gadfly", str(ROOT))):
        assert written in text
        text = text.replace(written, here)
    (tmp_path / name).write_text(text)
    command = [systemd_analyze, "verify", "--man=no", "--recursive-errors=no", str(tmp_path / name)]
    verified = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")


def test_a_shell_reads_each_value_of_its_environment_as_it_stands_there(tmp_path: Path) -> None:
    """As the head of the file has it done for commands. systemd itself takes & ; $ as they are, quoted or not."""
    text = (DEPLOYMENT / "gadfly.env").read_text()
    examples = {
        "DATABASE_URL": "postgres://gadfly:PASSWORD@db.example/gadfly",
        "REDIS_URL": "redis://redis.example:6379/0",
    }
    entered = {
        "DATABASE_URL": 'postgres://gadfly:a$HOME;b"`c\\@db.example/gadfly?sslmode=verify-full&sslrootcert=/etc/ca.pem',
        "REDIS_URL": "redis://:a b#c$(d)@redis.example:6379/0",
    }
    for name, example in examples.items():
        assert example in text
        text = text.replace(example, entered[name]).replace(f"# {name}=", f"{name}=")
    file = tmp_path / "gadfly.env"
    file.write_text(text)
    told = "import json, os; print(json.dumps(dict(os.environ)))"
    command = 'set -a; . "$1"; exec "$2" -c "$3"'
    read = subprocess.run(
        ["sh", "-c", command, "sh", str(file), sys.executable, told], env={}, capture_output=True, text=True, check=True
    )
    found = json.loads(read.stdout)
    assert {name: found.get(name) for name in entered} == entered
    assert (found["DATA_DIR"], found["HTTPS"], found["LOG_FORMAT"]) == ("/var/lib/gadfly", "true", "json")
    assert read.stderr == ""


def test_all_of_it_works_with_no_more_of_the_disk_than_its_unit_lets_it_have(
    own_environment: dict[str, str], tmp_path: Path
) -> None:
    service = service_of("gadfly.service")
    assert f"DATA_DIR='{service['ReadWritePaths']}'" in (DEPLOYMENT / "gadfly.env").read_text().splitlines()
    assert (service["ProtectSystem"], service["PrivateTmp"]) == ("strict", "yes")
    assert (service["KillSignal"], service["KillMode"]) == ("SIGTERM", "mixed")
    assert shlex.split(service["ExecStart"])[1:3] == ["manage.py", "start"]

    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment = own_environment | {"TMPDIR": str(temporary)}
    within = ["unshare", "--mount", "bash", "-c", RESTRICTED, "bash"] if may_mount() else []
    with to_its_end(Started(environment, tmp_path / "start.log", within, umask=int(service["UMask"], 8))) as started:
        started.wait_until(started.answers, ANSWER_LIMIT_S, "the server answers")

        def first_cycle_is_over() -> bool:
            return bool(started.get("/health")["adversarial_testing"]["status"] == "ok")

        started.wait_until(first_cycle_is_over, CYCLE_LIMIT_S, "the first cycle is over")
        children = started.descendants()
        started.process.send_signal(signal.SIGTERM)
        assert started.process.wait(int(service["TimeoutStopSec"])) == 0
        assert psutil.wait_procs(children, timeout=10)[1] == []
        assert "Read-only" not in started.said
        assert "Traceback" not in started.said


def stop_as(service: SectionProxy, main: psutil.Process) -> None:
    """As systemd begins to: `mixed` sends the signal to the main process, the default to each one of the unit."""
    others = [] if service.get("KillMode") == "mixed" else main.children(recursive=True)
    for process in (main, *others):
        process.send_signal(signal.Signals[service["KillSignal"]])


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("without_probes")
def test_a_worker_that_is_stopped_as_its_unit_says_asks_its_cycle_to_the_end() -> None:
    service = service_of("gadfly-worker.service")
    target = Target.objects.create(
        name="gated", kind=Target.Kind.PYTHON, dotted_path="tests.engine.routers.gated", requests_at_once=1
    )
    import_vocabulary(target, example_document(), timezone.now())
    Installation.with_this_key()
    cycle = trigger_later(CycleRequest(target, Cycle.Trigger.PAGE, 2, 1))
    assert cycle is not None
    with working(*shlex.split(service["ExecStart"])[2:]) as worker:
        worker.next_query()
        children = psutil.Process(worker.process.pid).children(recursive=True)
        stop_as(service, psutil.Process(worker.process.pid))
        worker.answer()
        worker.next_query()
        worker.answer()
        assert worker.process.wait(int(service["TimeoutStopSec"])) == 0
        assert psutil.wait_procs(children, timeout=10)[1] == []
    cycle.refresh_from_db()
    assert (cycle.state, cycle.queries_run) == ("finished", 2)
    assert list(cycle.runs.values_list("state", flat=True)) == ["done", "done"]
