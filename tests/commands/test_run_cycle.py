"""`manage.py run_cycle`: what it prints, what it refuses, and how it stops."""

import ctypes
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from selftest.models import Target
from selftest.operating.vocabularies import import_vocabulary
from selftest.storage.target_clients import bundled_vocabulary
from tests.commands.process import ROOT, Manage

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def bundled(tmp_path: Path) -> Path:
    """The bundled vocabulary document, in a file."""
    path = tmp_path / "document.json"
    path.write_text(json.dumps(bundled_vocabulary()))
    return path


def test_an_honest_router_gets_no_flag_on_a_fresh_machine(manage_afresh: Manage) -> None:
    ran = manage_afresh("run_cycle", "--count", "40", "--json", "--seed", "7")
    assert ran.returncode == 0, ran.stderr
    (line,) = ran.stdout.splitlines()
    said = json.loads(line)
    assert (said["status"], said["queries_run"], said["flagged"]) == ("ran", 40, 0)
    assert isinstance(said["cycle"], str)
    assert len({run["fingerprint"] for run in said["runs"]}) == 40
    assert set(said["runs"][0]) == {"fingerprint", "recipe_name", "query", "source_used", "latency_ms", "reason"}


def test_the_same_seed_on_an_empty_history_asks_the_same_queries(manage: Manage) -> None:
    first = manage("run_cycle", "--count", "12", "--seed", "11", "--json")
    Target.objects.filter(is_default=True).update(is_default=False, name="before")
    import_vocabulary(Target.objects.create(name="new", kind="reference", is_default=True), bundled_vocabulary(), NOON)
    other = manage("run_cycle", "--count", "12", "--seed", "11", "--json")
    queries = [[run["query"] for run in json.loads(ran.stdout)["runs"]] for ran in (first, other)]
    assert queries[0] == queries[1]
    assert len(queries[0]) == 12


def test_held_to_recipes_it_asks_no_other(manage: Manage) -> None:
    wanted = ["no_intent_fallthrough", "multi_intent_chain"]
    ran = manage("run_cycle", "--count", "6", "--json", "--recipe", *wanted)
    assert {run["recipe_name"] for run in json.loads(ran.stdout)["runs"]} == set(wanted)


def test_without_json_a_table_names_each_query(manage: Manage) -> None:
    ran = manage("run_cycle", "--count", "1", "--recipe", "no_intent_fallthrough")
    assert "no_intent_fallthrough" in ran.stdout
    assert "ran: 1 asked, 0 flagged" in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--recipe", "no_such_recipe"], "unknown recipe 'no_such_recipe'"),
        (["--target", "nowhere"], "unknown target 'nowhere'"),
        (["--count", "0"], "--count: '0' is not valid"),
        (["--count", "many"], "--count: 'many' is not valid"),
        (["--seed", "-1"], "--seed: '-1' is not valid"),
    ],
)
def test_what_does_not_exist_is_named_and_ends_with_2(manage: Manage, arguments: list[str], named: str) -> None:
    ran = manage("run_cycle", *arguments)
    assert ran.returncode == 2
    assert named in ran.stderr
    assert "Traceback" not in ran.stderr


def test_switched_off_in_the_environment_it_asks_nothing(manage_process: Manage) -> None:
    ran = manage_process("run_cycle", "--json", ADVERSARIAL_TEST_ENABLED="false")
    said = json.loads(ran.stdout)
    assert (said["status"], said["queries_run"], said["flagged"], said["runs"]) == ("disabled", 0, 0, [])


def test_a_target_that_is_away_is_said_to_be(manage: Manage, settings: Any, bundled: Path) -> None:
    settings.TARGET_URL, settings.TARGET_VOCABULARY = "http://127.0.0.1:9", bundled
    said = json.loads(manage("run_cycle", "--json").stdout)
    assert (said["status"], said["queries_run"]) == ("target_unavailable", 0)
    assert "127.0.0.1:9" in said["note"]


def test_a_target_without_a_vocabulary_says_which_variable_is_missing(manage: Manage, settings: Any) -> None:
    settings.TARGET_URL = "http://127.0.0.1:9"
    ran = manage("run_cycle")
    assert ran.returncode == 2
    assert "TARGET_VOCABULARY" in ran.stderr


def test_a_bad_environment_value_is_one_line_and_2(manage_process: Manage) -> None:
    ran = manage_process("run_cycle", ADVERSARIAL_TEST_BATCH_SIZE="lots")
    assert ran.returncode == 2
    assert ran.stderr == "ADVERSARIAL_TEST_BATCH_SIZE='lots' is not valid: a whole number from 1 to 1000\n"


def test_a_vocabulary_that_does_not_hold_names_the_key_in_one_line(
    manage: Manage, settings: Any, bundled: Path
) -> None:
    broken = json.loads(bundled.read_text())
    broken["sources"]["news"][1] = " "
    bundled.write_text(json.dumps(broken))
    settings.TARGET_VOCABULARY = bundled
    ran = manage("run_cycle")
    assert ran.returncode == 2
    assert "sources.news[1]: empty phrase" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_a_table_in_a_pipe_is_cut_to_no_width(manage: Manage) -> None:
    ran = manage("run_cycle", "--count", "8", "--seed", "3", "--recipe", "multi_intent_chain")
    assert ran.returncode == 0
    head, *rows = ran.stdout.splitlines()[:9]
    assert head.split() == ["recipe", "query", "source", "ms", "finding"]
    assert len(rows) == 8
    assert all(row.rstrip().endswith(("clean", "clean, parts not checked")) for row in rows)
    assert "…" not in "".join(rows)


def _to_process(process: subprocess.Popen[str], number: signal.Signals) -> None:
    process.send_signal(number)


def _to_last_thread(process: subprocess.Popen[str], number: signal.Signals) -> None:
    """As if it had come just before the main thread began to wait: its wait is not interrupted."""
    time.sleep(1)  # it waits by then
    threads = [int(task.name) for task in Path(f"/proc/{process.pid}/task").iterdir()]
    assert max(threads) != process.pid
    assert ctypes.CDLL(None).tgkill(process.pid, max(threads), number) == 0


@pytest.mark.parametrize(
    ("send", "way"),
    [(_to_process, signal.SIGINT), (_to_process, signal.SIGTERM), (_to_last_thread, signal.SIGINT)],
    ids=["interrupted", "terminated", "interrupted just before it waits"],
)
def test_stopped_while_the_target_hangs_it_ends_at_once_and_marks_the_cycle(
    send: Callable[[subprocess.Popen[str], signal.Signals], None],
    way: signal.Signals,
    manage_process: Manage,
    own_environment: dict[str, str],
    bundled: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        hanging.settimeout(60)
        environment = {
            **own_environment,
            "TARGET_URL": f"http://127.0.0.1:{hanging.getsockname()[1]}",
            "TARGET_VOCABULARY": str(bundled),
        }
        command = [sys.executable, "manage.py", "run_cycle", "--count", "8"]
        with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as process:
            health, _ = hanging.accept()
            with health:
                health.recv(65536)
                health.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            asked, _ = hanging.accept()
            with asked:
                asked.recv(65536)
                stopped_at = time.monotonic()
                send(process, way)
                said = process.communicate(timeout=20)[1]
                took_s = time.monotonic() - stopped_at
    assert process.returncode == 130
    assert took_s < 5, "the time limit of an answer is 60 s"
    assert said.splitlines()[-1] == "Stopped; the cycle is marked as interrupted."
    assert "Traceback" not in said
    away = {"TARGET_URL": "http://127.0.0.1:9", "TARGET_VOCABULARY": str(bundled)}
    after = json.loads(manage_process("run_cycle", "--json", "--count", "1", **away).stdout)
    assert after["status"] == "target_unavailable", "the target is free for the next cycle"
