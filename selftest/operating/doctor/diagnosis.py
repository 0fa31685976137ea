"""What a check of the installation is, and what it says. Knows no check."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from django.db.models import Q, QuerySet, Subquery

from selftest.models import Cycle
from selftest.operating.health import TestingHealth, TestingStatus, testing_health
from selftest.reading.worker import waiting_tasks, worker_clusters


class Severity(StrEnum):
    """What it means where something is wrong."""

    ERROR = "error"  # nothing is tested, or something is lost, until it is mended
    WARNING = "warning"  # it works now, and may not for long


class State(StrEnum):
    """What was found."""

    OK = "ok"
    WAITING = "waiting"  # nothing to do but wait
    OFF = "off"  # switched off by a person
    WRONG = "wrong"
    UNKNOWN = "unknown"  # it could not be told, which is a problem itself


@dataclass(frozen=True)
class Diagnosis:
    """What one check found, of one thing. words: in a line. at: since or until when.

    subject: which of several it is about, "" where there is one; target: its key, where it is one. next_step: what to
    do, "" for nothing. command: that does it, or a page where it is done; "" for the check's. cycle: the one that
    shows it. severity: None for the check's.
    """

    state: State
    words: str
    at: datetime | None = None
    detail: str = ""
    subject: str = ""
    next_step: str = ""
    command: str = ""
    target: int | None = None
    cycle: int | None = None
    severity: Severity | None = None

    @property
    def is_problem(self) -> bool:
        """Whether a person has to do something about it."""
        return bool(self.next_step)


@dataclass(frozen=True)
class Situation:
    """What the checks look at, each read once. asks_targets: they may be asked now; else their last cycle tells."""

    now: datetime
    asks_targets: bool = False

    @cached_property
    def testing(self) -> TestingHealth:
        """The figures of `/health`."""
        return testing_health(self.now)

    @property
    def is_on(self) -> bool:
        """Whether testing is switched on."""
        return self.testing.status is not TestingStatus.DISABLED

    @cached_property
    def requested(self) -> tuple[datetime, ...]:
        """When the first cycle and the newest one were requested: once where they are the same, empty before."""
        of_ends = Q(pk=_number(Cycle.objects.order_by("id"))) | Q(pk=_number(Cycle.objects.order_by("-id")))
        return tuple(Cycle.objects.filter(of_ends).order_by("id").values_list("created_at", flat=True))

    @cached_property
    def clusters(self) -> int | None:
        """Workers with a fresh heartbeat; None: it cannot be told."""
        return worker_clusters()

    @cached_property
    def waiting_tasks(self) -> int | None:
        """Tasks that no worker has taken; None: it cannot be told."""
        return waiting_tasks()


def _number(cycles: QuerySet[Cycle]) -> Subquery:
    return Subquery(cycles.values("pk")[:1])


Diagnose = Callable[[Situation], Sequence[Diagnosis]]


@dataclass(frozen=True)
class DoctorCheck:
    """code: stays what it is for ever. symptoms: what a person notices, in their words. remedy: what mends it.

    command: that helps with whatever it finds.
    """

    code: str
    title: str
    severity: Severity
    symptoms: tuple[str, ...]
    remedy: str
    diagnose: Diagnose
    command: str

    def command_for(self, found: Diagnosis) -> str:
        """What helps with what was found; "" where all is well or only time helps."""
        is_well = found.state in (State.OK, State.WAITING)
        return found.command or ("" if is_well else self.command)

    def severity_of(self, found: Diagnosis) -> Severity:
        """What it means, where it is a problem."""
        return found.severity or self.severity
