"""How far the hourly tidying of the database is, and which worker is at it."""

from django.db import models
from solo.models import SingletonModel


class Housekeeping(SingletonModel):  # type: ignore[misc]  # the library is untyped
    """One worker at a time has the claim. Without a sign of it until `claimed_until`, another one continues."""

    claim = models.CharField(max_length=64, blank=True, help_text="Of the worker that is at it; empty: none is.")
    claimed_until = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True, help_text="When all there was to do was last done.")
    through_run = models.BigIntegerField(
        default=0, help_text="The newest run that was old enough; later ones still have their answers."
    )
    answers_deleted = models.PositiveBigIntegerField(default=0, help_text="Of runs and of probes, since the beginning.")

    class Meta:
        verbose_name = verbose_name_plural = "housekeeping"

    def __str__(self) -> str:
        return "Housekeeping"
