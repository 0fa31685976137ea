"""The pieces that search finds, as `selftest/knowledge/core/chunks.py` describes them."""

from django.db import models


class Chunk(models.Model):
    """One piece. What it is searched by stands beside it, in tables of each database's own."""

    key = models.CharField(max_length=100, unique=True, help_text="Its stable id.")
    kind = models.CharField(max_length=20)
    domain = models.CharField(max_length=20)
    document = models.ForeignKey(
        "Document", null=True, on_delete=models.CASCADE, related_name="chunks", help_text="Empty: it is live."
    )
    title = models.TextField()
    body = models.TextField()
    language = models.CharField(max_length=10)
    path = models.CharField(max_length=500, blank=True)
    anchor = models.CharField(max_length=300, blank=True)
    section_path = models.JSONField(default=list)
    tags = models.JSONField(default=list)
    identifiers = models.JSONField(default=list)
    product = models.CharField(max_length=100, blank=True)
    version = models.CharField(max_length=100, blank=True)
    service = models.CharField(max_length=100, blank=True)
    target = models.ForeignKey("selftest.Target", null=True, on_delete=models.CASCADE, related_name="+")
    url = models.CharField(max_length=1000, blank=True)
    details = models.JSONField(default=dict)
    for_admins = models.BooleanField(default=False)
    sha256 = models.CharField(max_length=64, help_text="Of all that it says.")

    class Meta:
        ordering = ["key"]
        indexes = [
            models.Index(fields=["path", "anchor"], name="chunk_of_path"),
            models.Index(fields=["kind", "key"], name="chunk_of_kind"),
        ]

    def __str__(self) -> str:
        return self.title
