"""The client that asks the target of a row."""

from dataclasses import fields

from django.conf import settings

from selftest.core.generation.vocabulary import Vocabulary
from selftest.models import Target
from selftest.targets.base import TargetClient
from selftest.targets.http.settings import HttpSettings
from selftest.targets.http.target import HttpTarget
from selftest.targets.python import PythonTarget
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
            columns = {f.name: getattr(target, f.name) for f in fields(HttpSettings) if f.name != "allows_private"}
            return HttpTarget(HttpSettings(**columns, allows_private=settings.TARGET_PRIVATE))
        case Target.Kind.PYTHON:
            return PythonTarget(target.dotted_path, target.time_limit_s, settings.PYTHON_TARGETS)
        case _:
            return ReferenceTarget(
                vocabulary=vocabulary, faults=target.reference_faults, empty_rate=target.reference_empty_rate
            )
