"""API keys: created, revoked, recognised. Only their hashes are kept."""

import hashlib
import hmac
import secrets

from django.conf import settings
from django.utils import timezone

from selftest.models import Actor, ApiKey

KEY_BYTES = 24


def make_api_key(name: str) -> str:
    """Creates a key and returns it, which only the caller can show: just its hash is kept."""
    key = secrets.token_urlsafe(KEY_BYTES)
    ApiKey.objects.create(name=name, sha256=_sha256(key), created_at=timezone.now())
    return key


def revoke_api_key(key: ApiKey) -> bool:
    """Revokes the key for good; whether that changed anything."""
    return ApiKey.objects.filter(pk=key.pk, revoked_at__isnull=True).update(revoked_at=timezone.now()) == 1


def owner_of_key(key: str) -> Actor | None:
    """The actor with this key, or None. Every comparison takes the same time for any key."""
    given = _sha256(key)
    found: str | None = None
    for known in settings.API_KEYS:
        if hmac.compare_digest(given, _sha256(known)):
            found = "key of the environment"
    for row in ApiKey.objects.filter(revoked_at__isnull=True):
        if hmac.compare_digest(given, row.sha256):
            found = f"key {row.name}"
    return None if found is None else Actor(found)


def _sha256(key: str) -> str:
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()
