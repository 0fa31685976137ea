"""What changed since the index was brought up to date."""

from django.db import models


class Change(models.Model):
    """A row that live pieces are made of was written or deleted. Triggers add these; who brings pieces up to date

    deletes them in the same transaction. Only ever added to, so that writers never wait for each other here.
    """

    kind = models.CharField(max_length=20, help_text="Of the piece, or of what leads to pieces.")
    number = models.BigIntegerField(help_text="Of the row, which may be gone.")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"
