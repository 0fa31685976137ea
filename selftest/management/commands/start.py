"""`manage.py start`: the whole product in the foreground, until Ctrl-C or until a part of it dies."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from http.client import HTTPConnection, HTTPException
from types import FrameType
from typing import Any

import redis
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error as AnyDatabaseError
from django.utils import timezone

from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.triggering import trigger_later
from selftest.findings.models import FindingSettings
from selftest.findings.schedule import follow_settings
from selftest.management.arguments import whole_number
from selftest.models import Cycle, Installation, Target, Tuning
from selftest.operating.database_faults import in_one_line
from selftest.operating.first_start import (
    FirstLogin,
    SetupError,
    ensure_first_login,
    ensure_target,
    one_at_a_time,
    prepare_database,
)
from selftest.operating.running_instance import RunningLock, hold
from selftest.operating.schedule import follow_tuning
from selftest.refusals import BrokerAwayError
from selftest.storage.data_folder import make_private
from selftest.storage.encrypted_columns import renew

WEB_WORKER = "review.web_server.Worker"
FEWEST_WEB_WORKERS, MOST_WEB_WORKERS = 2, 8  # one each core; one alone would answer nothing while it is restarted
WEB_THREADS = 8  # a triggered cycle occupies its request's thread until it is over
STOP_GRACE_S = 10.0  # what still runs then is killed; the next start marks the cycles that it left open
TIED_PROCESS = "selftest.operating.tied_process"
POLL_S = 0.2
ANSWER_LIMIT_S = 60.0


class Command(BaseCommand):
    """Web server and worker as child processes; ends when one of them does."""

    help = "Starts everything: database, first login, web server, worker, schedule and a first cycle. Ctrl-C stops it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=whole_number(1, 65535), default=8000)

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        """Exits with 2 where the configuration is not valid, and with 1 where a child process dies."""
        request = StopRequest()
        try:
            with request.interrupts():
                lock = self._prepare(host, port)
            with _children(host, port, lock.descriptor) as (web, worker), request.interrupts():
                self._watch(host, port, lock, {"the web server": web, "the worker": worker})
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")
        finally:
            request.ignore_further()

    def _prepare(self, host: str, port: int) -> RunningLock:
        folder = settings.ENVIRONMENT.data_dir
        try:
            lock = hold(folder, _public_url(host, port), self._say)
            if complaint := make_private(folder):
                self._say(complaint)
            _check_address(host, port)
            _check_redis()
            prepare_database()
            self._fill_database()
        except (SetupError, BrokerAwayError) as fault:
            raise CommandError(str(fault), returncode=2 if isinstance(fault, SetupError) else 1) from fault
        except AnyDatabaseError as fault:
            raise CommandError(in_one_line(fault), returncode=2) from fault
        return lock

    def _fill_database(self) -> None:
        prepared = ensure_target()
        login = ensure_first_login()
        if login is not None:
            self._show(login)
        for change in prepared.changes:
            self.stdout.write(change)
        with one_at_a_time():
            # Always written, so that a disk that is full is known now.
            Installation.with_this_key().save(update_fields=["key_mark"])
            _start_testing(prepared.target)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _show(self, login: FirstLogin) -> None:
        self.stdout.write("\nCreated at this first start and shown only once:\n")
        for name, password in login.passwords.items():
            self.stdout.write(f"  sign in as {name:<10} password {password}")
        if login.key is not None:
            self.stdout.write(f"  scripts send {'X-API-Key:':<10} {login.key}")
        self.stdout.write("")
        self.stdout.flush()

    def _watch(self, host: str, port: int, lock: RunningLock, children: dict[str, "subprocess.Popen[bytes]"]) -> None:
        """Reports when the server answers; ends when a child does."""
        deadline = time.monotonic() + ANSWER_LIMIT_S
        answers = False
        while all(child.poll() is None for child in children.values()):
            if not answers and (answers := _answers(host, port)):
                self._say(f"Gadfly is at {_public_url(host, port)}  (Ctrl-C stops it)")
                lock.serves()
            if not answers and time.monotonic() > deadline:
                raise CommandError(f"the web server has not answered within {ANSWER_LIMIT_S:g} s")
            time.sleep(POLL_S)
        died = next(name for name, child in children.items() if child.poll() is not None)
        raise CommandError(f"{died} ended with code {children[died].returncode}; everything else was stopped with it")


class StopRequest:
    """Ctrl-C, SIGTERM or a closed terminal. The first of them interrupts, and no other can interrupt the stopping.

    Supervisors signal the whole process group, and `uv run` hands its own signal on: two come close together.
    """

    def __init__(self) -> None:
        self._came = False
        self._may_raise = False
        for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell started this with SIGINT ignored
            signal.signal(number, self._note)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup: a closed terminal is no reason to stop
            signal.signal(signal.SIGHUP, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        is_first, self._came = not self._came, True
        if is_first and self._may_raise:
            raise KeyboardInterrupt

    @contextmanager
    def interrupts(self) -> Iterator[None]:
        """Raises KeyboardInterrupt within, or at once if the request came earlier."""
        self._may_raise = True
        try:
            if self._came:
                raise KeyboardInterrupt
            yield
        finally:
            self._may_raise = False
        if self._came:  # raised where Python swallows it, as in a finaliser
            raise KeyboardInterrupt

    def ignore_further(self) -> None:
        """Until the process has ended, at which Python restores the defaults of what it handled: to die of it."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)


def _one_line(fault: Exception) -> str:
    return " ".join(str(fault).split())


def _shown(host: str) -> str:
    return "127.0.0.1" if host in ("0.0.0.0", "") else f"[{host}]" if ":" in host else host  # noqa: S104 - shown only


def _check_address(host: str, port: int) -> None:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as fault:
        raise SetupError(
            f"cannot listen on {host}:{port}: {fault.strerror}; choose others with --host, --port"
        ) from fault


def _check_redis() -> None:
    if url := settings.ENVIRONMENT.redis_url:
        try:
            redis.Redis.from_url(url, socket_connect_timeout=5).ping()
        except redis.RedisError as fault:
            shown = url if "@" not in url else f"redis://…@{url.rpartition('@')[2]}"  # without its password
            raise SetupError(f"REDIS_URL={shown!r} is not valid: nothing answers there: {_one_line(fault)}") from fault


def _start_testing(target: Target) -> None:
    """A first cycle at once, if there is none or the last one is an interval ago; then the schedule."""
    now = timezone.now()
    interval = timedelta(minutes=Tuning.get_solo().interval_minutes)
    # One from a time that is not yet was requested while the clock was ahead.
    if not Cycle.objects.filter(target=target, created_at__gt=now - interval, created_at__lte=now).exists():
        trigger_later(CycleRequest(target, Cycle.Trigger.SCHEDULE))
    follow_tuning()
    follow_settings()
    renew(FindingSettings, ("model_key",))


@contextmanager
def _children(host: str, port: int, lock: int) -> Iterator[tuple["subprocess.Popen[bytes]", "subprocess.Popen[bytes]"]]:
    """The web server and the worker, each in a process group of its own; both are stopped at the end.

    They end by themselves where this process is killed. Until then, theirs is the lock (a descriptor).
    """
    bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    application = settings.WSGI_APPLICATION.replace(".application", ":application")
    serve = ["gunicorn", application, "--bind", bind, "--worker-class", WEB_WORKER, "--workers", str(_web_workers())]
    tune = ["--threads", str(WEB_THREADS), "--graceful-timeout", "5", "--log-level", "warning", "--no-control-socket"]
    ends_with_us, kept_open = os.pipe()
    tied = [sys.executable, "-m", TIED_PROCESS, str(ends_with_us), f"{STOP_GRACE_S:g}"]
    commands = [[*tied, *serve, *tune], [*tied, sys.argv[0], "qcluster"]]
    public = {"PUBLIC_URL": _linked_url(host, port)}
    children: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            children.append(
                subprocess.Popen(  # noqa: S603 - our own words only
                    command, start_new_session=True, pass_fds=(ends_with_us, lock), env=os.environ | public
                )
            )
        web, worker = children
        yield web, worker
    finally:
        _stop(children)
        os.close(ends_with_us)
        os.close(kept_open)


def _web_workers() -> int:
    """As many as this process has cores to run on, within limits: each takes some 60 MB."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1  # not on macOS
    return min(MOST_WEB_WORKERS, max(FEWEST_WEB_WORKERS, cores))


def _stop(children: list["subprocess.Popen[bytes]"]) -> None:
    for child in children:
        if child.poll() is None:
            child.terminate()
    deadline = time.monotonic() + STOP_GRACE_S
    for child in children:
        with suppress(subprocess.TimeoutExpired):
            child.wait(max(0.0, deadline - time.monotonic()))
        _kill_group(child)
        child.wait()


def _kill_group(child: "subprocess.Popen[bytes]") -> None:
    """Kills what is left of the child's processes, its own children included."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _answers(host: str, port: int) -> bool:
    """Whether the application itself answers; the port is open before it is loaded."""
    asked = HTTPConnection(_shown(host).strip("[]"), port, timeout=5)
    as_a_proxy_would = {"Host": _allowed_host(), "X-Forwarded-Proto": "https"}
    try:
        asked.request("GET", "/health", headers=as_a_proxy_would)
        return asked.getresponse().status > 0
    except (OSError, HTTPException):
        return False
    finally:
        asked.close()


def _allowed_host() -> str:
    """A host name that the application answers to."""
    first = str(settings.ALLOWED_HOSTS[0])
    return "localhost" if first == "*" else first.lstrip(".")


def _public_url(host: str, port: int) -> str:
    here = f"http://{_shown(host)}:{port}/"
    public = f"{_linked_url(host, port)}/"
    return here if public == here else f"{public} once a proxy hands it on to {here}"


def _linked_url(host: str, port: int) -> str:
    """What links in notices begin with."""
    if settings.ENVIRONMENT.public_url:
        return str(settings.ENVIRONMENT.public_url)
    return f"https://{_allowed_host()}" if settings.ENVIRONMENT.https else f"http://{_shown(host)}:{port}"
