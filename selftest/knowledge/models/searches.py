"""What was searched: without the words, unless a person chose to have them kept."""

from django.conf import settings
from django.db import models


class Search(models.Model):
    """One search, for statistics. The query is kept as its SHA-256 alone."""

    at = models.DateTimeField(db_index=True)
    query_sha256 = models.CharField(max_length=64, help_text="Of the query in lower case, spaces made one.")
    intent = models.CharField(max_length=30, blank=True)
    language = models.CharField(max_length=10, blank=True)
    source = models.CharField(max_length=20, help_text="page, typing, api, legacy or command")
    results = models.PositiveIntegerField()
    latency_ms = models.FloatField()
    top_domains = models.JSONField(default=list, help_text="Of the first five results, in order.")

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "searches"
        indexes = [models.Index(fields=["query_sha256", "-id"], name="search_of_query")]

    def __str__(self) -> str:
        return f"{self.query_sha256[:12]}: {self.results}"


class HistoryEntry(models.Model):
    """A query of a person who chose to have theirs kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="searches")
    query = models.CharField(max_length=512)
    query_sha256 = models.CharField(max_length=64, db_index=True)
    results = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-id"]
        verbose_name_plural = "history entries"
        constraints = [models.UniqueConstraint(fields=["user", "query_sha256"], name="history_once_a_query")]

    def __str__(self) -> str:
        return self.query


class Feedback(models.Model):
    """What one reader thought of one result of one query; a later word of the same reader takes its place."""

    class Rating(models.TextChoices):
        """Thumbs."""

        UP = "up", "Helpful"
        DOWN = "down", "Not helpful"

    at = models.DateTimeField(db_index=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    actor = models.CharField(max_length=200)
    query_sha256 = models.CharField(max_length=64, db_index=True)
    chunk_key = models.CharField(max_length=100, db_index=True)
    chunk_kind = models.CharField(max_length=20)
    rating = models.CharField(max_length=10, choices=Rating.choices)
    comment = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "feedback"
        constraints = [
            models.UniqueConstraint(fields=["actor", "query_sha256", "chunk_key"], name="feedback_once_a_reader")
        ]

    def __str__(self) -> str:
        return f"{self.chunk_key}: {self.rating}"


class Click(models.Model):
    """A result that was opened, for the boost by popularity: counted a day, without who."""

    day = models.DateField()
    chunk_key = models.CharField(max_length=100)
    count = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-day", "chunk_key"]
        constraints = [models.UniqueConstraint(fields=["day", "chunk_key"], name="click_once_a_day")]

    def __str__(self) -> str:
        return f"{self.chunk_key}: {self.count}"


class QualityAlert(models.Model):
    """What the scheduled monitor found wrong with searches; closed by itself when it is no longer so."""

    class Kind(models.TextChoices):
        """What is wrong."""

        ZERO_RESULTS = "zero_results", "Many searches find nothing"
        LOW_RATED = "low_rated", "A result is often rated as not helpful"
        SLOW = "slow", "Searches are slow"

    kind = models.CharField(max_length=20, choices=Kind.choices)
    about = models.CharField(
        max_length=100, blank=True, help_text="The result or the query's SHA-256, where it is one."
    )
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    figures = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "about"], condition=models.Q(closed_at=None), name="one_open_alert_of_a_kind"
            )
        ]

    def __str__(self) -> str:
        return self.get_kind_display()
