"""A column whose text is encrypted at rest, by a key that is derived from SECRET_KEY. Knows no table."""

import base64
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models

PURPOSE = b"gadfly: secrets of targets at rest"  # keeps this key apart from all others that SECRET_KEY is good for


class UnreadableSecret(str):
    """What is stored where it cannot be decrypted: SECRET_KEY was replaced. Saved again, it stays as it is."""

    __slots__ = ()


def encrypted(text: str) -> str:
    """`text` as it is stored; "" stays empty, so that a column tells whether there is a secret."""
    return _fernet(settings.SECRET_KEY).encrypt(text.encode()).decode("ascii") if text else ""


def decrypted(stored: str) -> str:
    """The text that `stored` was made of, by this SECRET_KEY or one of SECRET_KEY_FALLBACKS; else UnreadableSecret."""
    return _decrypted(stored, _secret_keys()) if stored else ""


@lru_cache(maxsize=256)  # lists read the same target's row with each of their rows
def _decrypted(stored: str, secret_keys: tuple[str, ...]) -> str:
    try:
        return MultiFernet(map(_fernet, secret_keys)).decrypt(stored.encode()).decode()
    except InvalidToken:
        return UnreadableSecret(stored)


def is_outdated(stored: str) -> bool:
    """Whether it can be decrypted by one of SECRET_KEY_FALLBACKS only."""
    try:
        _fernet(settings.SECRET_KEY).decrypt(stored.encode())
    except InvalidToken:
        return bool(stored) and not isinstance(decrypted(stored), UnreadableSecret)
    return False


class EncryptedTextField(models.TextField):  # type: ignore[type-arg]  # text in, text out
    """Text that is encrypted in the database, and there alone. It cannot be searched for."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        """The text itself, or UnreadableSecret: a row must be readable to be mended."""
        return None if value is None else decrypted(value)

    def get_prep_value(self, value: Any) -> Any:
        """What is stored of it."""
        if value is None or isinstance(value, UnreadableSecret):
            return None if value is None else str(value)
        return encrypted(str(value))


def _secret_keys() -> tuple[str, ...]:
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


@lru_cache(maxsize=8)
def _fernet(secret_key: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(secret_key.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
