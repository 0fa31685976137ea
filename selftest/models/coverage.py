"""Which pairs and triples of ingredient values have been asked together."""

from django.db import models

from selftest.models.target import Target


class Coverage(models.Model):
    """What one recipe has asked of a target, as sets of bits; core.coverage gives them their meaning."""

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="coverage", db_index=False)
    recipe_name = models.CharField(max_length=100)
    values = models.JSONField(default=list, help_text="Ingredients, in the order in which they were first asked.")
    pairs = models.BinaryField(default=bytes)
    triples = models.BinaryField(default=bytes)
    queries = models.PositiveBigIntegerField(default=0)
    turn = models.PositiveBigIntegerField(
        default=0, help_text="How many turns it has had, or would have had if it had not sat out."
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["target", "recipe_name"], name="coverage_once_per_recipe")]

    def __str__(self) -> str:
        return f"{self.recipe_name}: {self.queries} queries"
