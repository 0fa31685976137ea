"""`manage.py start`: the whole product in the foreground, until Ctrl-C or until a part of it dies."""

import os
import socket
import sys
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error as AnyDatabaseError
from django.db import connections
from django.utils import timezone

from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.triggering import trigger_later
from selftest.evaluation.drift_schedule import schedule_drift
from selftest.evaluation.schedule import follow_settings as follow_evaluation_settings
from selftest.findings.schedule import follow_settings
from selftest.knowledge.schedule import follow_settings as follow_search_settings
from selftest.knowledge.schedule import rebuild_soon, schedule_index
from selftest.management.arguments import whole_number
from selftest.models import Cycle, Installation, Target, Tuning
from selftest.operating.database_faults import DatabaseFault, database_fault, in_one_line
from selftest.operating.first_start import (
    FirstLogin,
    ensure_first_login,
    ensure_target,
    one_at_a_time,
    prepare_database,
    require_common_key,
)
from selftest.operating.running_instance import hold
from selftest.operating.schedule import follow_tuning
from selftest.operating.supervision import Plan, StopRequest, become_supervisor, hold_stop_signals
from selftest.refusals import BrokerAwayError, SetupError
from selftest.storage.broker_faults import require_broker
from selftest.storage.data_folder import make_private
from selftest.storage.encrypted_columns import encrypted_columns, renew

WEB_WORKER = "review.web_server.Worker"
FEWEST_WEB_WORKERS, MOST_WEB_WORKERS = 2, 8  # one each core; one alone would answer nothing while it is restarted
WEB_THREADS = 8  # a triggered cycle occupies its request's thread until it is over
KEEP_ALIVE_S = 20  # longer than a reader thinks: a click on a connection that is just being closed would fail


class Command(BaseCommand):
    """Web server and worker as child processes; ends when one of them does."""

    help = "Starts everything: database, first login, web server, worker, schedule and a first cycle. Ctrl-C stops it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=whole_number(1, 65535), default=8000)

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        """Exits with 2 where a person has to change something first, with 1 where to start again may be enough."""
        request = StopRequest()
        try:
            with request.interrupts():
                plan = _plan(host, port, self._prepare(host, port))
                hold_stop_signals()
        except KeyboardInterrupt:
            request.ignore_further()
            self.stdout.write("Stopped.")
            return
        except CommandError:
            request.ignore_further()
            raise
        connections.close_all()
        self.stdout.flush()
        become_supervisor(plan)

    def _prepare(self, host: str, port: int) -> int:
        """The lock of DATA_DIR."""
        folder = settings.ENVIRONMENT.data_dir
        try:
            lock = hold(folder, _public_url(host, port), self._say)
            if complaint := make_private(folder):
                self._say(complaint)
            if was_open := settings.ENVIRONMENT.was_open:
                self._say(f"Others could read {was_open} until now: replace the keys if they may have been read.")
            _check_address(host, port)
            require_broker()
            prepare_database()
            require_common_key()
            self._fill_database()
        except (SetupError, BrokerAwayError) as fault:
            raise CommandError(str(fault), returncode=_exit_code(fault)) from fault
        except AnyDatabaseError as fault:
            raise CommandError(in_one_line(fault), returncode=_exit_code(fault)) from fault
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


def _exit_code(fault: Exception) -> int:
    is_away = isinstance(fault, BrokerAwayError) or database_fault(fault) in (DatabaseFault.AWAY, DatabaseFault.BUSY)
    return 1 if is_away else 2


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


def _start_testing(target: Target) -> None:
    """A first cycle at once, if there is none or the last one is an interval ago; then the schedule."""
    now = timezone.now()
    interval = timedelta(minutes=Tuning.get_solo().interval_minutes)
    # One from a time that is not yet was requested while the clock was ahead.
    if not Cycle.objects.filter(target=target, created_at__gt=now - interval, created_at__lte=now).exists():
        trigger_later(CycleRequest(target, Cycle.Trigger.SCHEDULE))
    follow_tuning()
    follow_settings()
    follow_evaluation_settings()
    schedule_drift()
    follow_search_settings()
    schedule_index()
    rebuild_soon()
    for model, columns in encrypted_columns().items():
        renew(model, columns)  # those of targets and channels have told what they did by now


def _plan(host: str, port: int, lock: int) -> Plan:
    return Plan(
        programs={"the web server": web_server(host, port), "the worker": [sys.argv[0], "qcluster"]},
        environment={"PUBLIC_URL": _linked_url(host, port)},
        host=_shown(host).strip("[]"),
        port=port,
        allowed_host=settings.ENVIRONMENT.one_host,
        announced=_public_url(host, port),
        lock=lock,
    )


def web_server(host: str, port: int) -> list[str]:
    """The module that serves pages and API there, and its arguments."""
    bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    application = settings.WSGI_APPLICATION.replace(".application", ":application")
    serve = ["gunicorn", application, "--bind", bind, "--worker-class", WEB_WORKER, "--workers", str(_web_workers())]
    tune = [
        "--threads",
        str(WEB_THREADS),
        "--keep-alive",
        str(KEEP_ALIVE_S),
        "--graceful-timeout",
        "5",
        "--log-level",
        "warning",
        "--no-control-socket",
        "--preload",  # the processes share what is loaded: 80 MB less for two of them
    ]
    return serve + tune


def _web_workers() -> int:
    """As many as this process has cores to run on, within limits: each takes some 60 MB."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1  # not on macOS
    return min(MOST_WEB_WORKERS, max(FEWEST_WEB_WORKERS, cores))


def _public_url(host: str, port: int) -> str:
    here = f"http://{_shown(host)}:{port}/"
    public = f"{_linked_url(host, port)}/"
    return here if public == here else f"{public} once a proxy hands it on to {here}"


def _linked_url(host: str, port: int) -> str:
    """What links in notices begin with."""
    return str(settings.ENVIRONMENT.linked_url) or f"http://{_shown(host)}:{port}"
