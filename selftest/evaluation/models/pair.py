"""The golden set: pairs, and what each of them ever was."""

from django.conf import settings
from django.db import models

from selftest.evaluation.core.pairs import KIND_NAMES, NAME_CHARACTERS


class GoldenSet(models.Model):
    """Pairs that are asked together."""

    name = models.SlugField(max_length=100, unique=True)
    description = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class GoldenPair(models.Model):
    """A query with the structure that its answer must have. What it says stands in its current version."""

    golden_set = models.ForeignKey("GoldenSet", on_delete=models.PROTECT, related_name="pairs", db_index=False)
    name = models.CharField(max_length=NAME_CHARACTERS)
    current = models.OneToOneField(
        "PairVersion", null=True, on_delete=models.PROTECT, related_name="+", help_text="The newest version."
    )

    class Meta:
        ordering = ["golden_set", "name"]
        constraints = [models.UniqueConstraint(fields=["golden_set", "name"], name="pair_name_once_per_set")]

    def __str__(self) -> str:
        return self.name


class PairVersion(models.Model):
    """What a pair said from then on, and what it was made on. Append-only: the next one replaces it."""

    class Act(models.TextChoices):
        """What made this version."""

        PROMOTED = "promoted", "Promoted"
        IMPORTED = "imported", "Imported"
        EDITED = "edited", "Edited"
        REBASELINED = "rebaselined", "Rebaselined"
        ARCHIVED = "archived", "Archived"
        RESTORED = "restored", "Restored"

    pair = models.ForeignKey("GoldenPair", on_delete=models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveIntegerField(help_text="Counted for each pair, from 1.")
    act = models.CharField(max_length=20, choices=Act.choices)
    is_archived = models.BooleanField(default=False, help_text="It is not asked any more.")

    query = models.TextField()
    kind = models.CharField(max_length=20, choices=[(kind.value, name) for kind, name in KIND_NAMES.items()])
    expectations = models.JSONField(help_text="What must hold of the structure of its answer.")
    keyphrases = models.JSONField(default=list, blank=True, help_text="For graders.")
    reference = models.TextField(blank=True, help_text="For graders: what a good answer says.")

    target = models.ForeignKey(
        "selftest.Target", null=True, on_delete=models.SET_NULL, related_name="+", help_text="That it was made on."
    )
    made_on = models.JSONField(help_text="Target, its version and vocabulary, and what of that the pair depends on.")
    combination = models.ForeignKey(
        "selftest.Combination", null=True, on_delete=models.SET_NULL, related_name="+", help_text="Promoted from it."
    )
    cause = models.ForeignKey(
        "selftest.Cause", null=True, on_delete=models.SET_NULL, related_name="+", help_text="Promoted from it."
    )
    why = models.CharField(max_length=500, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    actor = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pair", "-number"]
        constraints = [models.UniqueConstraint(fields=["pair", "number"], name="pair_version_once")]

    def __str__(self) -> str:
        return f"{self.pair} {self.number}"
