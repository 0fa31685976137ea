"""What a first start makes, where it is missing: the database, a target with its vocabulary, logins and a key."""

import json
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from selftest.core.vocabulary import VocabularyError
from selftest.models import ApiKey, Target
from selftest.services import make_api_key
from selftest.store import bundled_vocabulary, content_sha256, put_vocabulary

BUNDLED_NAME = "reference"
PASSWORD_BYTES = 12


class SetupError(Exception):
    """A start that cannot go on as configured. The message is one line that says what to change."""


@dataclass(frozen=True)
class FirstLogin:
    """Shown once; nothing of it can be read again later. key: None where the environment gives keys."""

    passwords: dict[str, str]
    key: str | None


def prepare_database() -> None:
    """Brings the database to this version, and makes the table of the cache."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)
    if "db.DatabaseCache" in settings.CACHES["default"]["BACKEND"]:
        call_command("createcachetable", verbosity=0)


def ensure_target() -> Target:
    """The default target: the one of TARGET_URL, else the one there is, else the bundled one. Raises SetupError."""
    if settings.TARGET_URL:
        target = _environment_target()
    else:
        target = Target.objects.order_by("-is_default", "id").first() or Target.objects.create(
            name=BUNDLED_NAME, kind=Target.Kind.REFERENCE, is_default=True
        )
    if settings.TARGET_VOCABULARY is not None:
        _put_new(target, _read_document(settings.TARGET_VOCABULARY))
    elif target.kind == Target.Kind.REFERENCE:
        _put_new(target, bundled_vocabulary())
    if not target.vocabularies.filter(in_force=True).exists():
        raise SetupError(f"{target} has no vocabulary: set TARGET_VOCABULARY to the path of its vocabulary document")
    return target


def _environment_target() -> Target:
    """The target at TARGET_URL as the default one; the bundled one, if there is one, is switched off."""
    with transaction.atomic():
        found = Target.objects.filter(kind=Target.Kind.HTTP, base_url=settings.TARGET_URL).first()
        target = found or Target(
            name=urlsplit(settings.TARGET_URL).netloc, kind=Target.Kind.HTTP, base_url=settings.TARGET_URL
        )
        if found is None:
            Target.objects.filter(is_default=True).update(is_default=False)
            Target.objects.filter(kind=Target.Kind.REFERENCE, name=BUNDLED_NAME).update(enabled=False)
            target.is_default = True
        target.api_key = settings.TARGET_API_KEY or target.api_key
        target.save()
    return target


def _read_document(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as fault:
        raise SetupError(f"TARGET_VOCABULARY={str(path)!r} is not valid: no JSON document: {fault}") from fault


def _put_new(target: Target, document: object) -> None:
    """Puts a document in force that the target never had; one that an admin has since replaced stays replaced."""
    if target.vocabularies.filter(sha256=content_sha256(document)).exists():
        return
    try:
        put_vocabulary(target, document, timezone.now())
    except VocabularyError as fault:
        raise SetupError(f"TARGET_VOCABULARY={str(settings.TARGET_VOCABULARY)!r} is not valid: {fault}") from fault


def ensure_first_login() -> FirstLogin | None:
    """A reviewer, an admin and a key for scripts, where there is no user yet; None where there is one."""
    if User.objects.exists():
        return None
    passwords = {name: secrets.token_urlsafe(PASSWORD_BYTES) for name in ("reviewer", "admin")}
    with transaction.atomic():
        User.objects.create_user("reviewer", password=passwords["reviewer"])
        User.objects.create_superuser("admin", password=passwords["admin"])
        needs_key = not settings.API_KEYS and not ApiKey.objects.exists()
        key = make_api_key("first start") if needs_key else None
    return FirstLogin(passwords, key)
