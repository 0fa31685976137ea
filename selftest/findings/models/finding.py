"""What was learnt, and what it is about."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from selftest.findings.core.categories import KEY_CHARACTERS

CATEGORY_CHARACTERS = 300
SOURCE_CHARACTERS = 200


class Subject(models.Model):
    """What findings of scoped categories are compared by. Its row is written first by each change: one at a time."""

    key = models.CharField(max_length=KEY_CHARACTERS + 10, unique=True, help_text="Normalised, with the scope.")
    changes = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return self.key


class Finding(models.Model):
    """One thing that was learnt. Superseded, it is hidden and kept. Text, category and tags stay as they were saved."""

    content = models.TextField()
    category = models.CharField(max_length=CATEGORY_CHARACTERS)
    tags = models.JSONField(default=list, blank=True)
    is_correction = models.BooleanField(default=False, help_text="Of a person: it wins over what others say.")
    subject = models.ForeignKey(
        "Subject",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="findings",
        db_index=False,
        help_text="Null: outside the categories that are compared.",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    actor = models.CharField(max_length=200, help_text="Who saved it: the name of a person or a key, or the engine.")
    created_at = models.DateTimeField()
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="superseded", help_text="Null: active."
    )

    target = models.ForeignKey(
        "selftest.Target", null=True, blank=True, on_delete=models.SET_NULL, related_name="findings"
    )
    source = models.CharField(max_length=SOURCE_CHARACTERS, blank=True)
    check_name = models.CharField("check", max_length=60, blank=True)
    cause = models.ForeignKey("selftest.Cause", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    combination = models.ForeignKey(
        "selftest.Combination", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-id"]
        indexes = [
            # The candidates of a save: corrections first, then the newest.
            models.Index(
                fields=["subject", "-is_correction", "-id"],
                condition=Q(superseded_by__isnull=True),
                name="finding_candidates",
            ),
            models.Index(fields=["category", "-id"], name="finding_category"),
        ]

    def __str__(self) -> str:
        return self.content
