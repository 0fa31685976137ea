"""What a target calls things, and what it does not call them."""

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db import models
from simple_history.models import HistoricalRecords

from selftest.evaluation.core.samples import Term

NAME_CHARACTERS = 200
MOST_RIVALS_CHARACTERS = 4_000


class TargetTerm(models.Model):
    """One term of a target, with its rivals."""

    target = models.ForeignKey("selftest.Target", on_delete=models.CASCADE, related_name="terms")
    name = models.CharField("term", max_length=NAME_CHARACTERS, help_text="As the target says it.")
    rivals = models.TextField(
        max_length=MOST_RIVALS_CHARACTERS,
        help_text="What must not stand in its place: one a line, each form of it. Capitals make no difference.",
    )

    history = HistoricalRecords()

    class Meta:
        verbose_name = "term"
        ordering = ["target", "name"]
        constraints = [models.UniqueConstraint(fields=["target", "name"], name="term_once")]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """One rival a line. Refuses a term without rivals, and one that is its own rival."""
        rivals = list(dict.fromkeys(" ".join(line.split()) for line in self.rivals.splitlines() if line.strip()))
        if not rivals:
            raise ValidationError({"rivals": "Name at least one."})
        if self.name.casefold().split() in [rival.casefold().split() for rival in rivals]:
            raise ValidationError({"rivals": f"“{self.name}” is the term itself."})
        self.rivals = "\n".join(rivals)


def terms_of(target_id: int) -> tuple[Term, ...]:
    """The dictionary of a target."""
    rows: Iterable[tuple[str, str]] = TargetTerm.objects.filter(target=target_id).values_list("name", "rivals")
    return tuple(Term(name, tuple(rivals.splitlines())) for name, rivals in rows)
