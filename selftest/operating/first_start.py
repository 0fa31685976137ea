"""What a first start creates where it is missing: the database, a target with its vocabulary, logins and a key."""

import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.db import Error as AnyDatabaseError
from django.db import connection, transaction
from django.utils import timezone

from selftest.core.generation.vocabulary import VocabularyError
from selftest.models import ApiKey, Installation, Target, VocabularyVersion
from selftest.operating.database_faults import in_one_line
from selftest.operating.keys import make_api_key
from selftest.operating.notices import channels
from selftest.operating.targets import InvalidTargetError, check_target, has_unreadable_secrets, renew_encryption
from selftest.operating.vocabularies import import_vocabulary
from selftest.reading.worker import any_worker
from selftest.refusals import SetupError
from selftest.storage import queue_triggers
from selftest.storage.serialization import content_sha256
from selftest.storage.target_clients import bundled_vocabulary
from selftest.storage.unapplied_migrations import migration_differences

BUNDLED_NAME = "reference"
PASSWORD_BYTES = 12
PREPARING = 0x676164666C79  # the key of PostgreSQL's advisory lock: "gadfly"


@dataclass(frozen=True)
class FirstLogin:
    """Shown once and never again. passwords: by user name. key: None where the environment sets keys."""

    passwords: dict[str, str]
    key: str | None


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Of all processes on one database, one prepares it; the others wait here. Not to be nested."""
    if connection.vendor == "sqlite":
        with _folder_locked(Path(connection.settings_dict["NAME"]).parent):
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [PREPARING])
    try:
        yield
    finally:
        with suppress(AnyDatabaseError), connection.cursor() as cursor:  # a connection that broke has let go of it
            cursor.execute("SELECT pg_advisory_unlock(%s)", [PREPARING])


@contextmanager
def _folder_locked(folder: Path) -> Iterator[None]:
    """By its own descriptor: to close one of the database file would end SQLite's locks on it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # no such folder; to open the database says so in better words
        yield
        return
    try:
        with suppress(OSError):  # without locks, as on some network file systems
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def prepare_database() -> None:
    """Migrates the database to this version and creates the cache table. Raises SetupError, also for a newer one."""
    try:
        with one_at_a_time():
            if _unapplied():
                call_command("migrate", interactive=False, verbosity=0)
            queue_triggers.after_migrate()  # which a start that was killed may have left undone
            if "db.DatabaseCache" in settings.CACHES["default"]["BACKEND"]:
                call_command("createcachetable", verbosity=0)
    except AnyDatabaseError as fault:
        raise SetupError(in_one_line(fault)) from fault


def require_this_version() -> None:
    """Raises SetupError where the database is of another version."""
    if _unapplied():
        raise SetupError("the database is not migrated to this version: run `manage.py start` once first")


def require_common_key() -> None:
    """Raises SetupError where workers run that have another SECRET_KEY: each would discard the tasks of the other."""
    if Installation.get_solo().has_unknown_key() and any_worker():
        raise SetupError(
            "SECRET_KEY differs from that of the machines that run already: set the same one here, or stop them where "
            "theirs is lost"
        )


def _unapplied() -> bool:
    """Whether the database lacks migrations of this version. Raises SetupError where this one lacks some of its."""
    apart = migration_differences()
    if apart.newer:
        raise SetupError(
            f"the database is of a newer version of Gadfly, which has applied {' '.join(apart.newer[0])}: "
            "upgrade this machine to that version"
        )
    return bool(apart.unapplied)


@dataclass(frozen=True)
class Prepared:
    """The default target. changes: what this start changed about targets, in sentences to be shown."""

    target: Target
    changes: tuple[str, ...] = ()


def ensure_target() -> Prepared:
    """The default target: that of TARGET_URL, else the present default, else the bundled one. Raises SetupError."""
    with one_at_a_time(), transaction.atomic():
        target, changes = _environment_target() if settings.TARGET_URL else (_known_target(), [])
        changes += [*renew_encryption(), *channels.renew_encryption()]
        if settings.TARGET_VOCABULARY is not None:
            changes += _follow(target, _read_document(settings.TARGET_VOCABULARY))
        elif target.kind == Target.Kind.REFERENCE:
            _follow(target, bundled_vocabulary())
        if not target.vocabularies.filter(in_force=True).exists():
            raise SetupError(
                f"{target} has no vocabulary: set TARGET_VOCABULARY to the path of its vocabulary document"
            )
    return Prepared(target, tuple(changes))


def _known_target() -> Target:
    known = Target.objects.order_by("-is_default", "id").first()
    return known or Target.objects.create(name=BUNDLED_NAME, kind=Target.Kind.REFERENCE, is_default=True)


def _environment_target() -> tuple[Target, list[str]]:
    """The target at TARGET_URL, made the default one, and what that changed."""
    base_url = settings.TARGET_URL.rstrip("/")
    found = Target.objects.filter(kind=Target.Kind.HTTP, base_url=base_url).first()
    target = found or Target(name=_free_name(base_url), kind=Target.Kind.HTTP, base_url=base_url)
    target.api_key = settings.TARGET_API_KEY or target.api_key
    if not has_unreadable_secrets(target):  # what to do about them is said, and can be done in the admin alone
        _check(target)
    changes = []
    if not target.is_default:
        changes.append(f"{target} is now the default target.")
        Target.objects.filter(is_default=True).update(is_default=False)
        target.is_default = True
    if found is None and Target.objects.filter(name=BUNDLED_NAME, enabled=True).update(enabled=False):
        changes.append(f"The bundled target, {BUNDLED_NAME}, is switched off; switch it on again in the admin.")
    target.save()
    return target, changes


def _check(target: Target) -> None:
    try:
        check_target(target)
    except InvalidTargetError as fault:
        variable = "TARGET_API_KEY" if fault.field == "api_key" else "TARGET_URL"
        # Neither the key nor a password in the URL is repeated.
        shown = (
            "" if variable == "TARGET_API_KEY" or urlsplit(target.base_url).password else f"={settings.TARGET_URL!r}"
        )
        raise SetupError(f"{variable}{shown} is not valid: {fault}") from fault


def _free_name(base_url: str) -> str:
    """Host, port and path, which tell targets apart and hold no secret."""
    url = urlsplit(base_url)
    host = f"{url.hostname}:{url.port}" if url.port else str(url.hostname)
    plain = f"{host}{url.path}"[:90]
    names = (plain, *(f"{plain} ({number})" for number in range(2, 1000)))
    return next(name for name in names if not Target.objects.filter(name=name).exists())


def _read_document(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as fault:
        raise SetupError(f"TARGET_VOCABULARY={str(path)!r} is not valid: not a JSON document: {fault}") from fault


def _follow(target: Target, document: object) -> list[str]:
    """Puts `document` in force unless the environment gave the same last time: an admin's later change stays."""
    given = target.vocabularies.filter(from_environment=True).order_by("-number").first()
    if given is not None and given.sha256 == content_sha256(document):
        return []
    try:
        version, is_new = import_vocabulary(target, document, timezone.now())
    except VocabularyError as fault:
        raise SetupError(f"TARGET_VOCABULARY={str(settings.TARGET_VOCABULARY)!r} is not valid: {fault}") from fault
    VocabularyVersion.objects.filter(pk=version.pk).update(from_environment=True)
    return [f"{version} is in force."] if is_new else []


def ensure_first_login() -> FirstLogin | None:
    """Creates a reviewer, an admin and a key for scripts where there is no user yet; None where there is one."""
    with one_at_a_time():
        return None if User.objects.exists() else _first_login()


def _first_login() -> FirstLogin:
    passwords = {name: secrets.token_urlsafe(PASSWORD_BYTES) for name in ("reviewer", "admin")}
    with transaction.atomic():
        people = [
            User.objects.create_user("reviewer", password=passwords["reviewer"]),
            User.objects.create_superuser("admin", password=passwords["admin"]),
        ]
        for person in people:  # each is named after its role; what a role may do is up to the web side
            person.groups.set(Group.objects.filter(name=person.username))
        needs_key = not settings.API_KEYS and not ApiKey.objects.exists()
        key = make_api_key("first start") if needs_key else None
    return FirstLogin(passwords, key)
