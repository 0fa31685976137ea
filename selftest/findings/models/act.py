"""What became of findings: one entry for each change, never changed itself."""

from django.conf import settings
from django.db import models


class Act(models.Model):
    """One entry of the story. It outlives the findings that it names, by the numbers that they had."""

    class Kind(models.TextChoices):
        """What happened to the finding."""

        SUPERSEDED = "superseded", "Superseded"
        UNDONE = "undone", "Supersession undone"
        FREED = "freed", "Active again, as what superseded it was deleted"
        DELETED = "deleted", "Deleted"
        REFUSED = "refused", "Proposal refused"
        EXAMPLE = "example", "Example given, replaced or removed"

    kind = models.CharField(max_length=20, choices=Kind.choices)
    finding = models.ForeignKey(
        "Finding", null=True, on_delete=models.SET_NULL, related_name="acts", help_text="What it happened to."
    )
    number = models.BigIntegerField(help_text="Of that finding, also when it is deleted.")
    other = models.ForeignKey(
        "Finding", null=True, on_delete=models.SET_NULL, related_name="acts_on_others", help_text="What superseded it."
    )
    other_number = models.BigIntegerField(null=True)
    undoes = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="undone_by", help_text="The act that this one undoes."
    )
    why = models.JSONField(null=True, help_text="The rule, the words and the overlap; null: no rule decided.")
    profile = models.CharField(max_length=10, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    actor = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["number", "-id"], name="act_of_finding"),
            models.Index(fields=["other_number", "-id"], name="act_of_other"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.number}"
