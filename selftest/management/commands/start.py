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
from django.utils import timezone

from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.triggering import trigger_later
from selftest.management.arguments import whole_number
from selftest.models import Cycle, Installation, Target, Tuning
from selftest.operating.first_start import FirstLogin, SetupError, ensure_first_login, ensure_target, prepare_database
from selftest.operating.schedule import follow_tuning
from selftest.refusals import BrokerAwayError

WEB_WORKERS = 2
WEB_THREADS = 8  # a triggered cycle occupies its request's thread until it is over
STOP_GRACE_S = 10.0  # what still runs then is killed; the next start marks the cycles that it left open
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
        for number in (signal.SIGTERM, signal.SIGHUP):  # a closed terminal stops it as well
            signal.signal(number, _interrupt)
        try:
            self._prepare(host, port)
            with _children(host, port) as (web, worker):
                self._watch(host, port, {"the web server": web, "the worker": worker})
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")

    def _prepare(self, host: str, port: int) -> None:
        try:
            _check_address(host, port)
            _check_redis()
            prepare_database()
            prepared = ensure_target()
        except SetupError as fault:
            raise CommandError(str(fault), returncode=2) from fault
        login = ensure_first_login()
        Installation.with_this_key()
        if login is not None:
            self._show(login)
        for change in prepared.changes:
            self.stdout.write(change)
        try:
            _start_testing(prepared.target)
        except BrokerAwayError as refusal:
            raise CommandError(str(refusal)) from refusal

    def _show(self, login: FirstLogin) -> None:
        self.stdout.write("\nCreated at this first start and shown only once:\n")
        for name, password in login.passwords.items():
            self.stdout.write(f"  sign in as {name:<10} password {password}")
        if login.key is not None:
            self.stdout.write(f"  scripts send {'X-API-Key:':<10} {login.key}")
        self.stdout.write("")
        self.stdout.flush()

    def _watch(self, host: str, port: int, children: dict[str, "subprocess.Popen[bytes]"]) -> None:
        """Reports when the server answers; ends when a child does."""
        deadline = time.monotonic() + ANSWER_LIMIT_S
        answers = False
        while all(child.poll() is None for child in children.values()):
            if not answers and (answers := _answers(host, port)):
                self.stdout.write(f"Gadfly is at {_public_url(host, port)}  (Ctrl-C stops it)")
                self.stdout.flush()
            if not answers and time.monotonic() > deadline:
                raise CommandError(f"the web server has not answered within {ANSWER_LIMIT_S:g} s")
            time.sleep(POLL_S)
        died = next(name for name, child in children.items() if child.poll() is not None)
        raise CommandError(f"{died} ended with code {children[died].returncode}; everything else was stopped with it")


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


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


@contextmanager
def _children(host: str, port: int) -> Iterator[tuple["subprocess.Popen[bytes]", "subprocess.Popen[bytes]"]]:
    """The web server and the worker, each in a process group of its own; both are stopped at the end."""
    bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    application = settings.WSGI_APPLICATION.replace(".application", ":application")
    serve = ["gunicorn", application, "--bind", bind, "--worker-class", "gthread", "--workers", str(WEB_WORKERS)]
    tune = ["--threads", str(WEB_THREADS), "--graceful-timeout", "5", "--log-level", "warning", "--no-control-socket"]
    commands = [[sys.executable, "-m", *serve, *tune], [sys.executable, sys.argv[0], "qcluster"]]
    children: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            children.append(subprocess.Popen(command, start_new_session=True))  # noqa: S603 - our own words only
        web, worker = children
        yield web, worker
    finally:
        _stop(children)


def _stop(children: list["subprocess.Popen[bytes]"]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # a second Ctrl-C must not leave half of it running
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
    if not settings.ENVIRONMENT.https:
        return here
    return f"https://{_allowed_host()}/ once a proxy hands it on to {here}"
