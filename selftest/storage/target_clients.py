"""The client that asks the target of a row."""

from dataclasses import fields

from django.conf import settings

from selftest.core.generation.vocabulary import Vocabulary
from selftest.models import Target
from selftest.models.encrypted import UnreadableSecret
from selftest.targets.base import TargetClient
from selftest.targets.http.settings import HttpSettings
from selftest.targets.http.target import HttpTarget
from selftest.targets.python import PythonTarget
from selftest.targets.redaction import RedactingClient, Redactor, Secret
from selftest.targets.reference.bundled_vocabulary import reference_document
from selftest.targets.reference.faults.registry import FAULTS
from selftest.targets.reference.target import ReferenceTarget


def bundled_vocabulary() -> object:
    """The document that the bundled target routes by."""
    return reference_document()


def bundled_faults() -> dict[str, str]:
    """The faults that can be switched on in the bundled target: name → what a caller then sees, in a sentence."""
    return {fault.name: fault.seen for fault in FAULTS.values()}


def open_target(target: Target, vocabulary: Vocabulary | None) -> TargetClient:
    """The client for this row. Raises ValueError where its settings do not make sense.

    The bundled router routes by `vocabulary`, or by the one that it comes with.
    """
    match target.kind:
        case Target.Kind.HTTP:
            return _opened(_http_settings(target))
        case Target.Kind.PYTHON:
            return PythonTarget(target.dotted_path, target.time_limit_s, settings.PYTHON_TARGETS)
        case _:
            return ReferenceTarget(
                vocabulary=vocabulary, faults=target.reference_faults, empty_rate=target.reference_empty_rate
            )


def _http_settings(target: Target) -> HttpSettings:
    for column in ("api_key", "secret_headers"):
        if isinstance(getattr(target, column), UnreadableSecret):
            raise ValueError(f"{column}: {unreadable(target)}")
    columns = {f.name: getattr(target, f.name) for f in fields(HttpSettings) if f.name != "allows_private"}
    return HttpSettings(**columns, allows_private=settings.TARGET_PRIVATE)


def unreadable(target: Target) -> str:
    """What is wrong where a secret of `target` cannot be decrypted, and what to do."""
    return (
        f"The secrets of target {target} cannot be decrypted, as SECRET_KEY was replaced: enter it again in the "
        "admin, or name the earlier key in SECRET_KEY_FALLBACKS"
    )


def _opened(http: HttpSettings) -> TargetClient:
    """Everything that a target sends comes through here, so no secret of it gets any further."""
    redactor = Redactor(Secret(name, value) for name, value in http.secrets)
    client = HttpTarget(http)
    return RedactingClient(client, redactor) if redactor else client
