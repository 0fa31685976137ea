"""A target's own documentation: added, read again and removed by an admin. All of it or nothing."""

from collections.abc import Mapping

from django.db import IntegrityError, transaction
from django.utils import timezone

from selftest.knowledge.core.documents import DocumentRefusedError
from selftest.knowledge.gathering import from_address, from_folder, from_upload, gathered
from selftest.knowledge.index.writing import Written
from selftest.knowledge.ingestion import ReadDocument, read_for
from selftest.knowledge.models import Documentation
from selftest.knowledge.publishing import publish, withdraw
from selftest.refusals import RefusedError

Origin = Documentation.Origin


class DocumentationRefusedError(RefusedError):
    """The documentation cannot be read. The message names what, why and the way out; nothing has changed."""


def add(documentation: Documentation, upload: bytes = b"") -> Written:
    """Saves a new documentation with all its documents. upload: of an upload, the file that `location` names.

    Raises DocumentationRefusedError.
    """
    try:
        if documentation.origin == Origin.UPLOAD:
            files = from_upload(documentation.location, upload)
        elif documentation.origin == Origin.URL:
            files = from_address(documentation.location)
        else:
            files = from_folder(documentation.location)
        _read(documentation, files)  # a refusal comes before anything is written, and outside of the transaction
        return _save(documentation, files)
    except DocumentRefusedError as fault:
        raise DocumentationRefusedError(str(fault)) from fault
    except IntegrityError as fault:
        raise DocumentationRefusedError(
            f"{documentation.target} has a documentation {documentation.name!r} already; choose another name"
        ) from fault


def read_again(documentation: Documentation, name: str = "", upload: bytes = b"") -> Written:
    """Reads it from where it is, or a newer upload. What cannot be read leaves what there is, and is noted with it.

    Raises DocumentationRefusedError.
    """
    try:
        files = from_upload(name, upload) if name else gathered(documentation)
        read = _read(documentation, files)
    except DocumentRefusedError as fault:
        documentation.problem = str(fault)[:500]
        documentation.save(update_fields=["problem"])
        raise DocumentationRefusedError(str(fault)) from fault
    if name:
        documentation.location = name[:1000]
    return _publish(documentation, read)


def describe(documentation: Documentation) -> Written:
    """Saves what is said of it, such as its version, which each of its pieces has. Nothing is fetched for it."""
    documents = documentation.documents.order_by("path").values_list("path", "content")
    return _publish(documentation, _read(documentation, dict(documents)))


def remove(documentation: Documentation) -> int:
    """Takes it away, with all that was found by it; how many pieces that was."""
    with transaction.atomic():
        dropped = withdraw(documentation)
        documentation.delete()
    return dropped


def _save(documentation: Documentation, files: Mapping[str, str]) -> Written:
    with transaction.atomic():
        documentation.save()  # its number is part of where its documents are read
        return _publish(documentation, _read(documentation, files))


def _publish(documentation: Documentation, read: list[ReadDocument]) -> Written:
    with transaction.atomic():
        documentation.read_at, documentation.problem = timezone.now(), ""
        documentation.save()
        return publish(read, documentation)


def _read(documentation: Documentation, files: Mapping[str, str]) -> list[ReadDocument]:
    return [read_for(documentation, path, files[path]) for path in sorted(files)]
