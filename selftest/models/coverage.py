"""Which pairs and triples of ingredient values have been asked together."""

from django.db import models


class Coverage(models.Model):
    """What one recipe has asked of a target, as sets of bits; they mean what core.generation.coverage says."""

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="coverage", db_index=False)
    recipe_name = models.CharField(max_length=100)
    values = models.JSONField(default=list, help_text="Ingredients, in the order in which they were first asked.")
    pairs = models.BinaryField(default=bytes)
    triples = models.BinaryField(default=bytes)
    queries = models.PositiveBigIntegerField(default=0)
    turn = models.PositiveBigIntegerField(default=0, help_text="Turns it has had, including those that it sat out.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["target", "recipe_name"], name="coverage_once_per_recipe")]

    def __str__(self) -> str:
        return f"{self.recipe_name}: {self.queries} queries"
