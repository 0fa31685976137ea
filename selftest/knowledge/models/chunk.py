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
    # Stays when its target is deleted, until what it is found by is taken out with it; see `live/`.
    target = models.ForeignKey(
        "selftest.Target", null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    url = models.CharField(max_length=1000, blank=True)
    details = models.JSONField(default=dict)
    for_admins = models.BooleanField(default=False)
    sha256 = models.CharField(max_length=64, help_text="Of all that it says.")
    # Also of the pieces of one section of a document: one result, whichever of them is found.
    same_as = models.CharField(max_length=120, help_text="Pieces that say the same in other languages have the same.")
    tag_line = models.TextField(blank=True, help_text="Its tags in lower case, a newline around each.")
    stems = models.TextField(blank=True, help_text="What it is ranked by: each stem with its weighted count.")
    length = models.FloatField(default=0, help_text="The sum of these counts.")
    vector = models.BinaryField(null=True, help_text="By the encoder of the index: whole numbers of -127 to 127.")
    written = models.BigIntegerField(default=0, db_index=True, help_text="By which write of the index.")
    changed_at = models.DateTimeField(null=True, help_text="When it was last written otherwise.")

    class Meta:
        ordering = ["key"]
        indexes = [
            models.Index(fields=["path", "anchor"], name="chunk_of_path"),
            models.Index(fields=["kind", "key"], name="chunk_of_kind"),
        ]

    def __str__(self) -> str:
        return self.title


class Identifier(models.Model):
    """What finds a piece when it is typed as it is."""

    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="names")
    value = models.CharField(max_length=300, db_index=True, help_text="As `identifier_key` writes it.")

    class Meta:
        ordering = ["value"]

    def __str__(self) -> str:
        return self.value


class Term(models.Model):
    """A word of the index, in the language of the pieces that have it."""

    language = models.CharField(max_length=10)
    word = models.CharField(max_length=60, db_index=True)
    stem = models.CharField(max_length=60, db_index=True)
    pieces = models.IntegerField(default=0, help_text="How many have it.")

    class Meta:
        ordering = ["word", "language"]
        constraints = [models.UniqueConstraint(fields=["language", "word"], name="term_of_language")]

    def __str__(self) -> str:
        return self.word


class IndexState(models.Model):
    """One row: what all pieces are together. What changes pieces changes it in the same transaction."""

    writes = models.BigIntegerField(default=0, help_text="Grows with each change of any piece.")
    pieces = models.IntegerField(default=0)
    total_length = models.FloatField(default=0)
    encoder = models.CharField(
        max_length=100, blank=True, help_text="What the vectors were made by; empty: there are no vectors."
    )

    class Meta:
        verbose_name = "state of the index"
        verbose_name_plural = "state of the index"

    def __str__(self) -> str:
        return f"{self.pieces} pieces"
