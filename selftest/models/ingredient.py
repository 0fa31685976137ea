"""What queries are made of, and the statistics of how often each went with which flags."""

from django.db import models

from selftest.core.insight.pair_names import members

ANY_CHECK = ""  # in the statistics: all runs, flagged or not


class Ingredient(models.Model):
    """A value out of a vocabulary, as fingerprints name it: `intent:news:headlines`.

    Or two of them suspected together, named as core.insight.suspects names a pair; no query uses such a row.
    """

    text = models.TextField()
    sha256 = models.CharField(max_length=64, unique=True, help_text="Indexed instead of the text.")

    class Meta:
        ordering = ["text"]

    def __str__(self) -> str:
        return " + ".join(members(self.text))


class CheckTally(models.Model):
    """How many runs of a target there were, in all and with a finding of one check. Counted when a cycle ends."""

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="+", db_index=False)
    check_name = models.CharField("check", max_length=60, blank=True)
    runs = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["target", "check_name"], name="check_tally_once")]

    def __str__(self) -> str:
        return f"{self.check_name or 'all runs'}: {self.runs}"


class IngredientTally(models.Model):
    """How many runs of a target used an ingredient, in all and with a finding of one check.

    Counted when a cycle ends.
    """

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="+", db_index=False)
    ingredient = models.ForeignKey("Ingredient", on_delete=models.CASCADE, related_name="tallies")
    check_name = models.CharField("check", max_length=60, blank=True)
    runs = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["target", "check_name", "-runs"]
        constraints = [
            models.UniqueConstraint(fields=["target", "check_name", "ingredient"], name="ingredient_tally_once")
        ]

    def __str__(self) -> str:
        return f"{self.ingredient}: {self.runs}"


class PairTally(models.Model):
    """How many runs of a target used an ingredient together with others, in all and with one check's finding.

    Counted when a cycle ends. A pair is counted at the ingredient with the lower id.
    """

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="+", db_index=False)
    ingredient = models.ForeignKey("Ingredient", on_delete=models.CASCADE, related_name="+")
    check_name = models.CharField("check", max_length=60, blank=True)
    runs = models.JSONField(default=dict, help_text="The other ingredient's id → runs.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["target", "check_name", "ingredient"], name="pair_tally_once")]

    def __str__(self) -> str:
        return f"{self.ingredient}: {len(self.runs)} others"


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

    def __str__(self) -> str:
        return f"{self.recipe_name} on {self.day}: {self.runs}"
