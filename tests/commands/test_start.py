"""`manage.py start`: up from nothing, and down as a whole."""

import itertools
import json
import os
import random
import re
import resource
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import httpx
import psutil
import pytest

from review.login_throttling import ADDRESS_FAILURE_LIMIT
from review.password_hashing import SLOTS
from selftest.operating.supervision import StopRequest
from tests.commands.process import ROOT, Manage
from tests.commands.started import ALL_OF_THEM, ANSWER_LIMIT_S, Started, free_port, to_its_end

FIRST_RUNS_LIMIT_S = 30  # after the server answers
STOP_LIMIT_S = 30
WORKERS = 2


@pytest.fixture
def started(own_environment: dict[str, str], tmp_path: Path) -> Iterator[Started]:
    with to_its_end(Started(own_environment, tmp_path / "start.log")) as begun:
        yield begun


@pytest.fixture
def started_afresh(fresh_environment: dict[str, str], tmp_path: Path) -> Iterator[Started]:
    with to_its_end(Started(fresh_environment, tmp_path / "start.log")) as begun:
        yield begun


def _all_gone(processes: list[psutil.Process]) -> bool:
    _, alive = psutil.wait_procs(processes, timeout=STOP_LIMIT_S)
    return not alive


def _works(process: psutil.Process) -> bool:
    """A zombie has ended: only its parent, which may be the machine's own init, is slow to take note."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_fresh_machine_has_runs_to_show_soon_and_ctrl_c_stops_all_of_it(started_afresh: Started) -> None:
    started = started_afresh
    started_with = psutil.Process(started.process.pid).nice()
    started.wait_until(started.answers, ANSWER_LIMIT_S, "the server answers")

    def first_cycle_is_over() -> bool:
        return bool(started.get("/health")["adversarial_testing"]["status"] == "ok")

    started.wait_until(first_cycle_is_over, FIRST_RUNS_LIMIT_S, "the first cycle is over")
    assert started.get("/health")["adversarial_testing"]["total_combinations_tried"] == 8
    for name in ("reviewer", "admin"):
        assert re.search(rf"sign in as {name} +password \S{{12,}}", started.said)
    assert re.search(r"X-API-Key: +\S{16,}", started.said)

    with pytest.raises(HTTPError) as refused:  # by gunicorn, which knows nothing of the API
        started.get("/health?" + "x" * 10_000)
    assert refused.value.code == 414
    assert json.load(refused.value)["error"]["code"] == "uri_too_long"

    children = started.descendants()
    niceness = sorted(child.nice() - started_with for child in children)
    assert niceness == [0] * (len(children) - WORKERS) + [10] * WORKERS, "pages come before the tasks of cycles"
    started.process.send_signal(signal.SIGINT)
    assert started.process.wait(STOP_LIMIT_S) == 0
    assert _all_gone(children)
    assert "Traceback" not in started.said


@pytest.mark.parametrize("dying", ["gunicorn", "qcluster"])
def test_the_death_of_either_child_stops_the_other(started: Started, dying: str) -> None:
    started.wait_until(started.answers, ANSWER_LIMIT_S, "the server answers")
    children = started.descendants()
    direct = psutil.Process(started.process.pid).children()
    (victim,) = [child for child in direct if any(dying in word for word in child.cmdline())]
    os.kill(victim.pid, signal.SIGKILL)
    assert started.process.wait(STOP_LIMIT_S) == 1
    assert _all_gone(children)
    assert "everything else was stopped with it" in started.said


def test_a_closed_terminal_stops_all_of_it_and_a_second_start_shows_no_login_again(
    begin: Callable[..., Started], own_environment: dict[str, str], tmp_path: Path
) -> None:
    started = begin(preexec_fn=_heed_hangup)  # the tests themselves may run under nohup
    started.wait_until(started.answers, ANSWER_LIMIT_S, "the server answers")
    children = started.descendants()
    started.process.send_signal(signal.SIGHUP)
    assert started.process.wait(STOP_LIMIT_S) == 0
    assert _all_gone(children)

    again = Started(own_environment, tmp_path / "again.log")
    try:
        again.wait_until(again.answers, ANSWER_LIMIT_S, "the server answers again")
        assert "password" not in again.said
        assert "X-API-Key" not in again.said
    finally:
        children = again.descendants()
        again.process.send_signal(signal.SIGTERM)
        assert again.process.wait(STOP_LIMIT_S) == 0
    assert _all_gone(children)


@pytest.mark.slow("five seconds of failing to sign in")
def test_pages_are_quick_while_two_dozen_clients_fail_to_sign_in(started: Started) -> None:
    started.wait_until(started.answers, ANSWER_LIMIT_S, "the server answers")
    until = time.monotonic() + 5
    with ThreadPoolExecutor(24) as clients:
        failing = [clients.submit(_fail_to_sign_in, started.url, f"client {number}", until) for number in range(24)]
        waits_s = []
        while time.monotonic() < until:
            asked = time.monotonic()
            started.get("/health")
            waits_s.append(time.monotonic() - asked)
    answers = [answer for client in failing for answer in client.result()]
    assert {status for status, _ in answers} == {200, 429}
    assert sum(status == 200 for status, _ in answers) <= ADDRESS_FAILURE_LIMIT + SLOTS  # of one address
    assert all(retry_after for status, retry_after in answers if status == 429)
    assert sorted(waits_s)[len(waits_s) // 2] < 2.0  # was six seconds on a machine with nothing else to do
    assert "Traceback" not in started.said


def _fail_to_sign_in(url: str, name: str, until: float) -> list[tuple[int, str | None]]:
    """Status and Retry-After of each attempt."""
    answers = []
    with httpx.Client(base_url=url, trust_env=False, timeout=60) as browser:
        page = browser.get("/sign-in").text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token
        while time.monotonic() < until:
            form = {"csrfmiddlewaretoken": token[1], "username": f"{name}, {len(answers)}", "password": "wrong"}
            answer = browser.post("/sign-in", data=form)
            answers.append((answer.status_code, answer.headers.get("Retry-After")))
    return answers


def _heed_hangup() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def _ignore(*numbers: signal.Signals) -> Callable[[], None]:
    """What a shell does to what it puts into the background, and nohup to what it runs."""

    def ignore() -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)

    return ignore


@pytest.fixture
def begin(own_environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Started]]:
    """Starts as often as a test wants, one after the other or side by side; what is left at the end is killed."""
    with ExitStack() as stack:
        numbers = itertools.count()

        def one(**options: Any) -> Started:
            started = Started(own_environment, tmp_path / f"start {next(numbers)}.log", **options)
            stack.enter_context(to_its_end(started))
            return started

        yield one


def _spin(seconds: float) -> None:
    """To sleep takes longer than the moment in which a second signal did harm."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def test_a_second_request_never_interrupts_what_the_first_began() -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    try:
        request = StopRequest()
        with pytest.raises(KeyboardInterrupt), request.interrupts():
            signal.raise_signal(signal.SIGTERM)
        for number in numbers:
            signal.raise_signal(number)
        with pytest.raises(KeyboardInterrupt), request.interrupts():
            pytest.fail("what begins after the request must not run")
        request = StopRequest()
        signal.raise_signal(signal.SIGINT)  # while a child is started: noted, and no child is lost
        with pytest.raises(KeyboardInterrupt), request.interrupts():
            pytest.fail("what begins after the request must not run")
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


@pytest.mark.slow("starts the whole product for each pair of signals")
def test_two_signals_close_together_stop_everything_every_time(begin: Callable[..., Started], is_full: bool) -> None:
    rng = random.Random(11)
    for stop in range(26 if is_full else 3):
        started = begin(start_new_session=True)
        started.wait_until(started.answers if stop % 4 else started.has_children, ANSWER_LIMIT_S, "there are children")
        family = [psutil.Process(started.process.pid), *started.descendants()]
        os.killpg(started.process.pid, signal.SIGTERM)
        _spin(rng.choice([0, 0.00005, 0.0002, 0.0005, 0.002, 0.02]) * rng.random())  # as `uv run` hands its own on
        with suppress(ProcessLookupError):
            os.kill(started.process.pid, rng.choice([signal.SIGTERM, signal.SIGINT]))
        assert started.process.wait(STOP_LIMIT_S) == 0, started.said
        assert _all_gone(family[1:])
        assert "Stopped." in started.said
        assert "Traceback" not in started.said


@pytest.mark.slow("what was started has ten seconds to end")
def test_what_a_killed_start_leaves_ends_by_itself_and_the_next_start_takes_over(begin: Callable[..., Started]) -> None:
    started = begin()
    left = started.wait_until_all_are_there()
    started.process.kill()
    started.process.wait()
    again = begin()
    again.wait_until(again.answers, ANSWER_LIMIT_S, "the server answers again")
    assert not [process for process in left if _works(process)], "it waited for them"


@pytest.mark.slow("what was started has ten seconds to end")
def test_nothing_is_left_where_the_cluster_is_killed_together_with_its_start(begin: Callable[..., Started]) -> None:
    started = begin()
    left = started.wait_until_all_are_there()
    leaders = [psutil.Process(started.process.pid), *psutil.Process(started.process.pid).children()]
    for process in leaders:
        process.kill()
    started.process.wait()
    assert _all_gone(left)


def test_a_second_start_says_which_process_serves_where_and_workers_beside_it_may_run(
    begin: Callable[..., Started], manage_process: Manage
) -> None:
    first = begin()
    first.wait_until(first.answers, ANSWER_LIMIT_S, "the server answers")
    first.wait_until(lambda: "Gadfly is at" in first.said, ANSWER_LIMIT_S, "it knows")
    second = manage_process("start", "--port", str(free_port()))
    assert second.returncode == 2
    (line,) = second.stderr.splitlines()
    assert f"process {first.process.pid} serves {first.url}/" in line
    beside = manage_process("run_cycle", "--count", "1")
    assert (beside.returncode, "ran: 1 asked" in beside.stdout) == (0, True), beside.stdout + beside.stderr


def test_of_three_first_starts_at_once_one_prepares_and_the_others_wait(
    fresh_environment: dict[str, str], tmp_path: Path
) -> None:
    with ExitStack() as stack:
        starts = [Started(fresh_environment, tmp_path / f"{number}.log") for number in range(3)]
        for started in starts:
            stack.enter_context(to_its_end(started))
        deadline = time.monotonic() + ANSWER_LIMIT_S
        while sum(started.process.poll() is not None for started in starts) < 2:
            assert time.monotonic() < deadline, [started.said for started in starts]
            time.sleep(0.1)
        (serving,) = [started for started in starts if started.process.poll() is None]
        assert "shown only once" in serving.said
        for other in starts:
            if other is not serving:
                assert other.process.returncode == 2
                assert f"process {serving.process.pid} serves {serving.url}/" in other.said
                assert "shown only once" not in other.said
                assert "Traceback" not in other.said


def test_ctrl_c_counts_in_the_background_of_a_shell_and_under_nohup_a_closed_terminal_does_not(
    begin: Callable[..., Started],
) -> None:
    started = begin(preexec_fn=_ignore(signal.SIGINT, signal.SIGHUP))
    started.wait_until(started.answers, ANSWER_LIMIT_S, "the server answers")
    children = started.descendants()
    started.process.send_signal(signal.SIGHUP)
    started.wait_until(started.answers, ANSWER_LIMIT_S, "it still answers")
    started.process.send_signal(signal.SIGINT)
    assert started.process.wait(STOP_LIMIT_S) == 0
    assert _all_gone(children)


def test_what_others_could_read_is_closed_to_them(
    begin: Callable[..., Started], own_environment: dict[str, str]
) -> None:
    folder = Path(own_environment["DATA_DIR"])
    folder.chmod(0o755)
    (folder / "gadfly.sqlite3").chmod(0o644)
    (folder / "backup.sqlite3").touch(0o644)
    started = begin(umask=0o022)
    started.wait_until(started.answers, ANSWER_LIMIT_S, "the server answers")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    names = {
        "gadfly.sqlite3",
        "gadfly.sqlite3-wal",
        "gadfly.sqlite3-shm",
        "backup.sqlite3",
        "secret_key",
        "running.lock",
    }
    assert names <= set(modes)
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_where_the_log_is_json_a_line_of_the_web_server_is_too(own_environment: dict[str, str], tmp_path: Path) -> None:
    with to_its_end(Started(own_environment | {"LOG_FORMAT": "json"}, tmp_path / "start.log")) as started:
        started.wait_until(started.answers, ANSWER_LIMIT_S, "the server answers")
        with socket.create_connection(("127.0.0.1", started.port)) as connection:
            connection.sendall(b"GET /\r\n\r\n")
            connection.recv(1000)
        started.wait_until(lambda: "Invalid request" in started.said, ANSWER_LIMIT_S, "it says what came")
        (line,) = [line for line in started.said.splitlines() if "Invalid request" in line]
        assert json.loads(line)["logger"] == "gunicorn.error"


def test_a_port_that_is_taken_is_said_to_be(own_environment: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ran = subprocess.run(
            [sys.executable, "manage.py", "start", "--port", port],
            check=False,
            cwd=ROOT,
            env=own_environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert ran.returncode == 2
    assert f"cannot listen on 127.0.0.1:{port}" in ran.stderr
    assert "--port" in ran.stderr


def test_a_worker_before_any_start_says_what_to_do(manage_afresh: Manage) -> None:
    ran = manage_afresh("qcluster")
    assert ran.returncode == 1
    assert "run `manage.py start` once first" in ran.stderr


def test_a_worker_with_another_secret_key_refuses_to_take_tasks(manage_process: Manage) -> None:
    manage_process("run_cycle", "--count", "1")
    ran = manage_process("qcluster", SECRET_KEY="of another machine, and long enough too")
    assert ran.returncode == 1
    assert "SECRET_KEY differs from that of the machine where `manage.py start` runs" in ran.stderr


def test_a_worker_whose_broker_is_away_says_so_in_one_line(manage_process: Manage) -> None:
    ran = manage_process("qcluster", REDIS_URL="redis://:secret@127.0.0.1:1/0")
    assert ran.returncode == 1
    (line,) = ran.stderr.splitlines()
    assert line.startswith("CommandError: REDIS_URL='redis://…@127.0.0.1:1/0': nothing answers there: ")


def _limited(file_size: int) -> Callable[[], None]:
    """No file may be larger: what writing meets on a disk that is nearly full, or altogether."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))


def _limit_files(started: Started, size: int) -> None:
    for process in started.descendants():
        process.rlimit(psutil.RLIMIT_FSIZE, (size, psutil.RLIM_INFINITY))


@pytest.mark.parametrize("file_size", [0, 30, 200_000])
@pytest.mark.parametrize(
    "command", [("start",), ("run_cycle",), ("vocabulary", "export"), ("migrate", "--verbosity=0")]
)
def test_a_disk_with_too_little_space_is_one_line(
    fresh_environment: dict[str, str], command: tuple[str, ...], file_size: int
) -> None:
    ran = subprocess.run(
        [sys.executable, "manage.py", *command],
        check=False,
        cwd=ROOT,
        env=fresh_environment,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=_limited(file_size),
    )
    assert ran.returncode == 2
    (line,) = ran.stderr.splitlines()
    assert fresh_environment["DATA_DIR"] in line if file_size < 100 else "the database cannot be used: " in line


def test_where_there_is_no_more_space_while_it_runs_pages_and_api_say_so_and_the_log_has_no_traceback(
    started_afresh: Started,
) -> None:
    started = started_afresh
    started.wait_until(started.answers, ANSWER_LIMIT_S, "the server answers")
    started.wait_until(lambda: "Gadfly is at" in started.said, ANSWER_LIMIT_S, "it knows")
    (key,) = re.findall(r"X-API-Key: +(\S+)", started.said)
    started.wait_until(lambda: len(started.descendants()) == ALL_OF_THEM, ANSWER_LIMIT_S, "all processes are there")
    _limit_files(started, 0)
    with httpx.Client(base_url=started.url, timeout=10) as client:
        token = re.findall(r'csrfmiddlewaretoken" value="(\w+)', client.get("/sign-in").text)[0]
        form = {"csrfmiddlewaretoken": token, "username": "reviewer", "password": "wrong"}
        page = client.post("/sign-in", data=form)
        assert page.status_code == 503
        assert "check its folder, and its disk" in page.text
        call = client.post("/adversarial/trigger", headers={"X-API-Key": key})
        assert (call.status_code, call.json()["error"]["code"]) == (503, "database_unavailable")
        assert client.get("/health").status_code == 200
        _limit_files(started, psutil.RLIM_INFINITY)
        assert client.post("/sign-in", data=form).status_code == 200
        queued = client.post("/adversarial/trigger", params={"wait": "false"}, headers={"X-API-Key": key})
        assert queued.status_code == 202  # also where a cycle of the schedule is running
    started.wait_until(
        lambda: bool(started.get("/health")["worker"]["status"] == "ok"), ANSWER_LIMIT_S, "it works again"
    )
    assert "Traceback" not in started.said


@pytest.mark.parametrize(
    ("variable", "url", "said"),
    [
        ("DATABASE_URL", "postgres://127.0.0.1:1/gadfly", "the database cannot be used: "),
        ("REDIS_URL", "redis://127.0.0.1:1/0", "REDIS_URL='redis://127.0.0.1:1/0': nothing answers there: "),
    ],
)
def test_a_server_that_is_away_is_one_line_and_a_start_that_may_be_tried_again(
    manage_process: Manage, variable: str, url: str, said: str
) -> None:
    ran = manage_process("start", **{variable: url})
    assert ran.returncode == 1, "with 2, the unit for systemd leaves it stopped"
    (line,) = ran.stderr.splitlines()
    assert line.startswith(f"CommandError: {said}")
