"""Whether the database answers, is up to date, and agrees with this machine on time and secrets."""

import shlex
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.db import connection

from selftest.models import ApiKey, Installation
from selftest.operating.database_faults import in_one_line
from selftest.operating.doctor.diagnosis import Diagnosis, Situation, State
from selftest.operating.doctor.encrypted_rows import unreadable_rows
from selftest.storage.database_clock import database_now
from selftest.storage.unapplied_migrations import migration_differences

CLOCK_TOLERANCE = timedelta(minutes=1)
MAKE_KEY = "openssl rand -hex 24"  # for API_KEYS, which takes 16 characters or more
UPGRADE = "git pull && uv sync"  # as the README has it


def reachable(situation: Situation) -> Sequence[Diagnosis]:
    """Whether it answers at all."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except AnyDatabaseError as fault:
        step, command = "Start the database.", _look_at_database()
        return [Diagnosis(State.WRONG, "No answer", detail=in_one_line(fault), next_step=step, command=command)]
    return [Diagnosis(State.OK, "PostgreSQL answers" if connection.vendor == "postgresql" else "SQLite answers")]


def migrated(situation: Situation) -> Sequence[Diagnosis]:
    """Whether its tables are those of this version."""
    apart = migration_differences()
    if apart.newer:
        step = "Upgrade this machine to the version that migrated the database, then start Gadfly again."
        words, first = "Migrated by a newer version of Gadfly", f"the first is {' '.join(apart.newer[0])}"
        return [Diagnosis(State.WRONG, words, detail=first, next_step=step, command=UPGRADE)]
    if apart.unapplied:
        count, first = len(apart.unapplied), f"the first is {' '.join(apart.unapplied[0])}"
        words = f"{count} migration{'s' * (count != 1)} not applied"
        step = "Stop Gadfly, apply them, and start it again."
        return [Diagnosis(State.WRONG, words, detail=first, next_step=step, command="manage.py migrate")]
    return [Diagnosis(State.OK, "Up to date")]


def clock(situation: Situation) -> Sequence[Diagnosis]:
    """Whether this machine, the database and what was written lately agree on what time it is."""
    apart = database_now() - situation.now if connection.vendor == "postgresql" else timedelta()
    if abs(apart) > CLOCK_TOLERANCE:
        return [_clock_wrong(f"The database's clock differs by {_length(abs(apart))}")]
    *_, newest = situation.requested or (situation.now,)
    if newest > situation.now + CLOCK_TOLERANCE:
        return [_clock_wrong("The newest cycle was requested in the future", newest)]
    return [Diagnosis(State.OK, "In agreement")]


def secrets(situation: Situation) -> Sequence[Diagnosis]:
    """Whether what is stored encrypted can be read, and all machines have the same SECRET_KEY."""
    installation = Installation.get_solo()
    if installation.key_mark and not installation.has_this_key():
        step = "Give every machine the same SECRET_KEY, then restart; an earlier key goes into SECRET_KEY_FALLBACKS."
        return [Diagnosis(State.WRONG, "Another SECRET_KEY than this process's was in use", next_step=step)]
    if unreadable := unreadable_rows():
        step = "Put the earlier key into SECRET_KEY_FALLBACKS and restart, or enter what is secret again."
        return [Diagnosis(State.WRONG, f"Those of {', '.join(unreadable)} cannot be decrypted", next_step=step)]
    if settings.DEBUG:
        step = "Unset DEBUG: its error pages show settings to anyone."
        return [Diagnosis(State.WRONG, "DEBUG is on", next_step=step, command="DEBUG=false manage.py start")]
    return [Diagnosis(State.OK, "Readable")]


def api_keys(situation: Situation) -> Sequence[Diagnosis]:
    """Whether scripts can call at all."""
    count = len(settings.API_KEYS) + ApiKey.objects.filter(revoked_at=None).count()
    if count:
        return [Diagnosis(State.OK, f"{count} in force")]
    return [Diagnosis(State.OFF, "None: scripts can only read what is open")]


def _look_at_database() -> str:
    """Shows whether the server takes connections, or the file of SQLite and whose it is; never a password."""
    known = connection.settings_dict
    if connection.vendor != "postgresql":
        return shlex.join(["ls", "-l", str(known["NAME"])])
    where = [*(["-h", known["HOST"]] if known["HOST"] else []), *(["-p", str(known["PORT"])] if known["PORT"] else [])]
    return shlex.join(["pg_isready", *where])


def _clock_wrong(words: str, at: datetime | None = None) -> Diagnosis:
    step = "Have every machine's clock set by NTP. What was written with a wrong time is passed over by itself."
    return Diagnosis(State.WRONG, words, at, next_step=step, command="timedatectl set-ntp true")


def _length(apart: timedelta) -> str:
    minutes = int(apart.total_seconds() // 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"
