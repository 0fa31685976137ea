"""`manage.py qcluster`: django-q2's worker, on any number of machines; refuses where it would break their tasks.

Beside it, this process sweeps: what was requested and is held by no live worker is handed over again. And it tells
people of what has happened, so that no task of the cluster has to wait for their channels.
"""

import gc
import logging
import multiprocessing
import os
import sys
import threading
from typing import Any

from django.core.management.base import CommandError
from django.db import Error as AnyDatabaseError
from django.db import connection
from django_q.management.commands.qcluster import Command as ClusterCommand
from django_q.signals import post_spawn

import selftest.tasks  # noqa: F401 - loaded once, and not by each process that does tasks
from selftest.evaluation.graders_in_force import warm_up
from selftest.management.sentinel import GuardEndedError, StoppableCluster
from selftest.models import Installation
from selftest.operating.database_faults import in_one_line
from selftest.operating.first_start import require_this_version
from selftest.operating.notices import notifier
from selftest.operating.priority import TASK_NICENESS, give_way
from selftest.operating.sweeping import Sweeper
from selftest.operating.tied_process import end_children_with_this_process
from selftest.refusals import BrokerAwayError, SetupError
from selftest.storage.broker_faults import require_broker

log = logging.getLogger(__name__)

LAST_NOTICE_S = 5.0  # for what is being sent when the cluster ends: killed in its middle, it would be sent twice


class Command(ClusterCommand):  # type: ignore[misc]  # the library is untyped
    """django-q2's command, after a check of the database and of SECRET_KEY, with a sweep beside it."""

    help = "Starts another worker, for more machines on the same database and broker. `start` has one already."

    def handle(self, *args: Any, **options: Any) -> None:
        """Runs until it is stopped, or refuses at once."""
        try:
            require_broker()
            require_this_version()
            if not Installation.get_solo().has_this_key():
                # Tasks are signed with it: a worker with another one would fetch them and discard them.
                raise CommandError(
                    "SECRET_KEY differs from that of the machine where `manage.py start` runs; set the same one here"
                )
        except (SetupError, BrokerAwayError) as fault:
            raise CommandError(str(fault)) from fault
        except AnyDatabaseError as fault:
            raise CommandError(in_one_line(fault)) from fault
        post_spawn.connect(let_pages_first, dispatch_uid="niceness")  # sent in each process that does tasks
        post_spawn.connect(warm_up_process, dispatch_uid="entailment")
        end_children_with_this_process()  # killed, it would leave a cluster that nothing sweeps beside
        if name := options["cluster_name"]:
            os.environ["Q_CLUSTER_NAME"] = name  # where the library looks for it
        gc.collect()
        gc.freeze()  # what is never looked through again stays shared by all processes of the cluster
        started = StoppableCluster()
        started.start()
        if options["run_once"]:
            started.tell_to_stop()
        try:
            _work_beside(started)
        except GuardEndedError as fault:
            raise CommandError(f"{fault}; what it said before tells why") from fault
        if started.was_killed:
            os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - a new cluster, as this one was started


def let_pages_first(**_: object) -> None:
    """Where the same cores serve pages: people wait for those, and no one for a cycle."""
    give_way(TASK_NICENESS)


_telling = multiprocessing.Lock()  # of all processes of the cluster: the first that takes it tells, and keeps it


def warm_up_process(**_: object) -> None:
    """Has the entailment model ready before the first task needs it. Tasks do not wait for it."""
    try:
        warm_up(may_tell=lambda: _telling.acquire(block=False))
    except AnyDatabaseError as fault:
        log.warning("The entailment model is loaded at its first use: %s", in_one_line(fault))
    finally:
        connection.close()


def _work_beside(started: StoppableCluster) -> None:
    """Sweeps and notifies until the cluster ends."""
    stop = threading.Event()
    threading.Thread(target=Sweeper().run, args=(stop,), name="sweep", daemon=True).start()
    notifying = threading.Thread(target=notifier.run, args=(stop,), name="notify", daemon=True)
    notifying.start()
    try:
        started.join()
    finally:
        stop.set()
        notifying.join(LAST_NOTICE_S)
