"""The signed webhook: its body, its three headers and its secret, as standardwebhooks.com has them."""

import base64
import json
import secrets
from binascii import Error as NotBase64
from datetime import UTC, datetime

from django.conf import settings
from standardwebhooks import Webhook

from selftest.operating.notices.message import Message
from selftest.targets.http.posting import post_json

SECRET_PREFIX = "whsec_"  # noqa: S105 - how each secret begins
MIN_SECRET_BYTES, MAX_SECRET_BYTES = 24, 64  # as the standard has it


def new_secret() -> str:
    """A secret that no one has used."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode("ascii")


def check_secret(secret: str) -> None:
    """ValueError for one that cannot sign."""
    try:
        size = len(base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True))
    except (NotBase64, ValueError):
        size = 0
    if not MIN_SECRET_BYTES <= size <= MAX_SECRET_BYTES:
        raise ValueError(f"must be {SECRET_PREFIX} and the Base64 of {MIN_SECRET_BYTES} to {MAX_SECRET_BYTES} bytes")


def body_of(message: Message) -> bytes:
    """The JSON: `type`, `timestamp` (of the event), and `data`: words, detail, link, and what programs want to know."""
    data = {"words": message.words, "detail": message.detail, "link": message.link, **message.facts}
    at = message.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return json.dumps({"type": message.kind, "timestamp": at, "data": data}).encode("ascii")


def send(url: str, secret: str, message: Message, now: datetime) -> str:
    """Posts it once; "" where it was received, else why not. now: signed, so that a receiver can refuse what is old."""
    body = body_of(message)
    identifier = f"msg_{message.uid.hex}"
    headers = {
        "webhook-id": identifier,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign(identifier, now.astimezone(UTC), body.decode("ascii")),
    }
    return post_json(url, headers, body, settings.TARGET_PRIVATE)
