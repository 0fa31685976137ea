"""Checking, saving and removing targets. A target with a history is never removed."""

from django.db import transaction

from selftest.models import Actor, Target
from selftest.refusals import RefusedError
from selftest.storage.encrypted_columns import has_unreadable, renew
from selftest.storage.target_clients import open_target, unreadable

SECRET_COLUMNS = ("api_key", "secret_headers")


class InvalidTargetError(RefusedError):
    """A target's settings are not valid. field: the column at fault, or "" where it is not one alone."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def check_target(target: Target) -> None:
    """Opens the target, as a cycle would, and closes it. Raises InvalidTargetError where that fails."""
    try:
        open_target(target, None).close()
    except ValueError as fault:
        message = str(fault)
        field, separator, rest = message.partition(": ")
        if separator and field in {column.name for column in Target._meta.get_fields()}:
            raise InvalidTargetError(field, rest) from fault
        raise InvalidTargetError("", message) from fault


def save_target(target: Target, actor: Actor, reason: str = "") -> None:
    """Saves a checked target. The history names `actor` and `reason`, and never the API key."""
    target._history_user = actor.user  # type: ignore[attr-defined]  # read by the history, which is untyped
    target._change_reason = reason or None  # type: ignore[attr-defined]
    target.save()


def has_unreadable_secrets(target: Target) -> bool:
    """Whether what is stored for it was encrypted by a SECRET_KEY that is no longer known."""
    return has_unreadable(target, SECRET_COLUMNS)


def renew_encryption() -> list[str]:
    """Encrypts by SECRET_KEY what was encrypted by one of SECRET_KEY_FALLBACKS, so that these can go.

    Returns what it did, and each target whose secrets cannot be decrypted, in sentences.
    """
    renewed = renew(Target, SECRET_COLUMNS)
    done = f"Encrypted by the present SECRET_KEY from now on: the secrets of {len(renewed.done)} targets."
    return [*([done] if renewed.done else []), *(f"{unreadable(target)}." for target in renewed.unreadable.values())]


def is_removable(target: Target) -> bool:
    """Whether it was never asked: a history is never deleted along with its target."""
    return not (target.cycles.exists() or target.combinations.exists())


def remove_target(target: Target, actor: Actor) -> None:
    """Deletes a target and its vocabularies. Raises RefusedError where it has a history."""
    target._history_user = actor.user  # type: ignore[attr-defined]  # read by the history, which is untyped
    with transaction.atomic():
        if not is_removable(target):
            raise RefusedError(f"{target} has a history, which is kept; switch it off instead")
        target.delete()
