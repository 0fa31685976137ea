"""What flagged queries are made of, and the statistics of recipes."""

from django.db import models
from django.db.models import Q

ANY_CHECK = ""  # in the statistics: all runs, flagged or not


class Ingredient(models.Model):
    """A value out of a vocabulary, as fingerprints name it: `intent:news:headlines`."""

    text = models.TextField()
    sha256 = models.CharField(max_length=64, unique=True, help_text="Indexed instead of the text.")

    class Meta:
        ordering = ["text"]

    def __str__(self) -> str:
        return self.text


class RecipeTally(models.Model):
    """The statistics of one day for one recipe of a target: runs in all, or those with a finding of one check.

    Counted when a cycle ends, so that no page has to count millions of runs.
    """

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="+", db_index=False)
    recipe_name = models.CharField(max_length=100)
    check_name = models.CharField("check", max_length=60, blank=True)
    day = models.DateField(help_text="When the cycle ended, in UTC.")
    runs = models.PositiveBigIntegerField(default=0)
    flagged = models.PositiveBigIntegerField(default=0, help_text="Runs with any finding; of all runs only.")
    novel = models.PositiveBigIntegerField(
        default=0, help_text="Combinations asked for the first time; of all runs only."
    )

    class Meta:
        ordering = ["target", "day", "recipe_name", "check_name"]
        constraints = [
            models.UniqueConstraint(fields=["target", "day", "recipe_name", "check_name"], name="recipe_tally_once")
        ]
        # Summed for every page and for /health, which read nothing but this. The check is named in it, too: SQLite
        # reads the rows otherwise, though the condition says what it is.
        indexes = [
            models.Index(
                fields=["target", "novel", "check_name"], condition=Q(check_name=""), name="recipe_tally_novel"
            )
        ]

    def __str__(self) -> str:
        return f"{self.recipe_name} on {self.day}: {self.runs}"
