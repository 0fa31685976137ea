"""What the sweep and the checks of examples found and may not decide."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Proposal(models.Model):
    """That one finding should supersede another one. A person accepts or refuses it; once, and for ever.

    What takes the place of a claim whose example does not hold any more is saved when it is accepted.
    """

    class State(models.TextChoices):
        """What became of it: a person decided, or the claim holds again."""

        OPEN = "open", "Awaits a decision"
        ACCEPTED = "accepted", "Accepted"
        REFUSED = "refused", "Refused"
        OUTDATED = "outdated", "Outdated: the claim holds again"

    class Origin(models.TextChoices):
        """What proposed it."""

        RULES = "rules", "Rules"
        MODEL = "model", "Language model"
        EXAMPLE = "example", "A claim's example"

    loser = models.ForeignKey("Finding", on_delete=models.CASCADE, related_name="proposals_against")
    winner = models.ForeignKey(
        "Finding",
        null=True,
        on_delete=models.CASCADE,
        related_name="proposals_for",
        help_text="Null: a successor, which is saved when it is accepted.",
    )
    content = models.TextField(blank=True, help_text="Of a successor: its text.")
    example = models.JSONField(null=True, help_text="Of a successor: the columns of its own example.")
    version = models.CharField(max_length=200, blank=True, help_text="Of the target, when the example was asked.")
    origin = models.CharField(max_length=10, choices=Origin.choices)
    why = models.JSONField(null=True, help_text="The rule, the words and the overlap; of a model its reason.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    actor = models.CharField(max_length=200, blank=True, help_text="Who decided.")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["loser", "winner"], name="proposal_once"),
            models.CheckConstraint(condition=~Q(loser=F("winner")), name="proposal_of_two"),
            models.UniqueConstraint(
                fields=["loser"], condition=Q(state="open", winner=None), name="one_open_successor"
            ),
        ]
        indexes = [models.Index(fields=["-id"], condition=Q(state="open"), name="proposal_open")]

    def __str__(self) -> str:
        return f"{self.winner_id or self.content} instead of {self.loser_id}"
