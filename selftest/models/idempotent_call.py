"""Calls of the API that carry an idempotency key, so that each of them acts once."""

from django.db import models


class IdempotentCall(models.Model):
    """A call that is under way, or its answer. One that is refused leaves no row: it changed nothing."""

    identity = models.CharField(
        max_length=64, unique=True, help_text="Keyed hash of who called, method, path and idempotency key."
    )
    request_sha256 = models.CharField(max_length=64, help_text="Of the query string and the body.")
    attempt = models.PositiveIntegerField(default=1, help_text="More than 1: an earlier one was lost in the middle.")
    created_at = models.DateTimeField(db_index=True)
    claimed_at = models.DateTimeField(help_text="When the attempt that is under way began.")
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Of the answer; empty: not answered.")
    body = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"idempotent call {self.pk}"
