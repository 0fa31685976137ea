"""The sentence of a target's own documentation that makes the promise of a check."""

from django.db import models


class Promise(models.Model):
    """The best sentence of one document for one check."""

    document = models.ForeignKey("Document", on_delete=models.CASCADE, related_name="promises")
    check_name = models.CharField(max_length=50)
    text = models.CharField(max_length=500)
    anchor = models.CharField(max_length=300, blank=True)
    score = models.FloatField(help_text="How well it fits; more is better.")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["document", "check_name"], name="promise_of_check")]

    def __str__(self) -> str:
        return self.text
