"""Every check of the installation, with its code, and one round of all of them. A code is never given to another."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from selftest.operating.doctor import database, machine, targets, work
from selftest.operating.doctor.diagnosis import Diagnosis, DoctorCheck, Severity, Situation, State
from selftest.storage.broker_faults import BROKER_OR_DATABASE_AWAY

log = logging.getLogger(__name__)

ERROR, WARNING = Severity.ERROR, Severity.WARNING

CHECKS: tuple[DoctorCheck, ...] = (
    DoctorCheck(
        "GF001",
        "Database",
        ERROR,
        ("every page says that the database is away", "cycles stop in the middle"),
        "Start the database, and check DATABASE_URL. Cycles wait for it and lose nothing.",
        database.reachable,
        "manage.py dbshell",
    ),
    DoctorCheck(
        "GF002",
        "Migrations",
        ERROR,
        ("no such column", "no such table", "errors after an upgrade"),
        "Stop Gadfly, apply the migrations, and start it again.",
        database.migrated,
        "manage.py migrate",
    ),
    DoctorCheck(
        "GF003",
        "Clock",
        WARNING,
        ("times are wrong", "a cycle from the future", "stale though cycles run"),
        "Have every machine's clock set by NTP.",
        database.clock,
        "timedatectl set-ntp true",
    ),
    DoctorCheck(
        "GF004",
        "Secrets",
        ERROR,
        ("the target refuses the key", "tasks fail with a bad signature", "everyone is signed out after a restart"),
        "Give every machine the same SECRET_KEY; an earlier one goes into SECRET_KEY_FALLBACKS.",
        database.secrets,
        "manage.py start",
    ),
    DoctorCheck(
        "GF005",
        "API keys",
        WARNING,
        ("401 from the API", "a script cannot dismiss"),
        "Make a key in the admin, or set API_KEYS.",
        database.api_keys,
        database.MAKE_KEY,
    ),
    DoctorCheck(
        "GF010",
        "Disk",
        ERROR,
        ("database or disk is full", "cycles end as interrupted"),
        "Make room on the disk of DATA_DIR, or keep raw answers for fewer days.",
        machine.disk,
        "df -h",
    ),
    DoctorCheck(
        "GF011",
        "Permissions",
        ERROR,
        ("unable to open database file", "attempt to write a readonly database"),
        "Give DATA_DIR to the user that Gadfly runs as, and to no one else.",
        machine.permissions,
        "chmod -R go= DATA_DIR",
    ),
    DoctorCheck(
        "GF020",
        "Testing",
        WARNING,
        ("nothing is asked", "no cycles", "the trigger answers disabled"),
        "Switch it on under Settings in the admin, or start with ADVERSARIAL_TEST_ENABLED=true.",
        work.switched_on,
        work.SWITCH_ON,
    ),
    DoctorCheck(
        "GF021",
        "Worker",
        ERROR,
        ("cycles stay planned", "Run a cycle does nothing", "the worker is missing"),
        "Start a worker, and keep it running as a service.",
        work.worker,
        work.START_WORKER,
    ),
    DoctorCheck(
        "GF022",
        "Schedule",
        ERROR,
        ("no cycle comes by itself", "the next cycle is overdue"),
        "Save the settings in the admin, or start Gadfly again: either creates the schedule.",
        work.schedule,
        "manage.py start",
    ),
    DoctorCheck(
        "GF023",
        "Finished cycles",
        ERROR,
        ("stale", "the last cycle is hours old", "nothing new is flagged"),
        "Look at the newest cycles, and at the worker's log.",
        work.finished_cycles,
        "manage.py run_cycle",
    ),
    DoctorCheck(
        "GF024",
        "Tasks waiting",
        WARNING,
        ("the worker cannot keep up", "Redis is away", "pages are slow to show a cycle"),
        "Start more workers, ask fewer queries per cycle, or leave more time between cycles.",
        work.broker,
        work.START_WORKER,
    ),
    DoctorCheck(
        "GF025",
        "Waiting too long",
        ERROR,
        ("a cycle is planned and never starts", "the search for a smallest query never starts", "stranded work"),
        "Start a worker; what waits is handed over again every minute.",
        work.stranded,
        work.START_WORKER,
    ),
    DoctorCheck(
        "GF026",
        "Errors in Gadfly",
        WARNING,
        ("runs end with an error of Gadfly's own",),
        "Read the worker's log at the time of the run, and report it.",
        work.own_faults,
        work.READ_LOG,
    ),
    DoctorCheck(
        "GF027",
        "Given up",
        WARNING,
        ("a query is never asked again", "one query kills the worker"),
        "Open the combination, and report it to the target's maintainers.",
        work.abandoned,
        "manage.py doctor --only GF027",
    ),
    DoctorCheck(
        "GF028",
        "Raw answers",
        WARNING,
        ("the database grows", "an answer is no longer kept"),
        "Start a worker, which deletes old clean answers every hour; how long they are kept is a setting.",
        work.answers,
        "manage.py housekeeping",
    ),
    DoctorCheck(
        "GF029",
        "Notices",
        WARNING,
        ("no message in Slack", "no mail", "the webhook is not called"),
        "Correct the channel's address or secret in the admin, and send a test.",
        work.notices,
        "manage.py doctor --only GF029",
    ),
    DoctorCheck(
        "GF030",
        "Target",
        ERROR,
        ("target unavailable", "connection refused", "cycles end at once", "401 from the target"),
        "Start the target, or correct its address and key in the admin.",
        targets.reachable,
        "manage.py doctor --only GF030",
    ),
    DoctorCheck(
        "GF031",
        "Vocabulary",
        ERROR,
        ("no query can be made", "a recipe is never used", "unknown sources in answers"),
        "Import a vocabulary document of what the router routes by.",
        targets.vocabulary,
        "manage.py vocabulary check FILE",
    ),
    DoctorCheck(
        "GF032",
        "Mail server",
        WARNING,
        ("no mail", "the mail server refuses", "connection refused by smtp"),
        "Start the mail server, or correct the channel's URL in the admin.",
        work.mail,
        "manage.py doctor --only GF032",
    ),
)


@dataclass(frozen=True)
class Examined:
    """A check and what it found, of each thing that it looks at."""

    check: DoctorCheck
    found: tuple[Diagnosis, ...]

    @property
    def problems(self) -> int:
        """How many of them a person has to do something about."""
        return sum(one.is_problem for one in self.found)

    @property
    def errors(self) -> int:
        """How many of these are more than a warning."""
        return sum(one.is_problem and self.check.severity_of(one) is Severity.ERROR for one in self.found)


def examine(
    situation: Situation, checks: Sequence[DoctorCheck] = CHECKS, say: Callable[[DoctorCheck], None] | None = None
) -> list[Examined]:
    """All checks, in their order; one that cannot be made says why. say: is told of each before it is made."""
    examined = []
    for check in checks:
        if say is not None:
            say(check)
        try:
            found = tuple(check.diagnose(situation))
        except BROKER_OR_DATABASE_AWAY as fault:
            words = " ".join(str(fault).split())[:200]
            step = "Mend what is named first, then look again."
            found = (Diagnosis(State.UNKNOWN, "Cannot be told", detail=words, next_step=step),)
        except Exception as fault:  # a fault of ours in one check must not hide what the others find
            log.exception("Check %s failed", check.code)
            found = (_own_fault(check, fault),)
        examined.append(Examined(check, found))
    return examined


def _own_fault(check: DoctorCheck, fault: Exception) -> Diagnosis:
    """By its type alone: its words may hold a secret that the check looks at."""
    step = "Gadfly itself failed here. Make this check alone, and report what it logs."
    command = f"manage.py doctor --only {check.code}"
    return Diagnosis(State.UNKNOWN, "Cannot be told", detail=type(fault).__name__, next_step=step, command=command)
