"""`/combinations/<id>`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from review.contexts.findings import GUARANTEE_OF, Finding, found_by
from review.contexts.queue import Row
from review.contexts.runs import AnswerView, RunLine
from selftest.core.recipes import RECIPES
from selftest.guarantees import Guarantee
from selftest.models import Combination, Flag, ReviewEvent, Run


@dataclass(frozen=True)
class Ingredient:
    """A part of the query as it was first said."""

    kind: str
    text: str
    source: str


@dataclass(frozen=True)
class StoryLine:
    """What happened to a combination: `what` by `actor`, who is "" for the engine."""

    what: str
    actor: str
    note: str
    run: int | None
    at: datetime

    @classmethod
    def of(cls, event: ReviewEvent) -> "StoryLine":
        actor = event.actor if event.kind in PEOPLE_DO else ""
        return cls(event.get_kind_display(), actor, event.note, event.run_id, event.at)


PEOPLE_DO = (ReviewEvent.Kind.DISMISSED, ReviewEvent.Kind.UNDISMISSED)


@dataclass(frozen=True)
class CombinationPage:
    """`/combinations/<id>`. row: None for one that was never flagged. guarantee: what its first finding rests on."""

    pk: int
    query: str
    recipe: str
    stresses: str
    target: str
    fingerprint: str
    times: int
    first_seen: datetime
    row: Row | None
    findings: tuple[Finding, ...]
    guarantee: Guarantee | None
    answer: AnswerView | None
    ingredients: tuple[Ingredient, ...]
    story: tuple[StoryLine, ...]
    runs: tuple[RunLine, ...]
    older_runs: str

    @classmethod
    def of(
        cls,
        combination: Combination,
        flags: Sequence[Flag],
        answer: AnswerView | None,
        story: Sequence[ReviewEvent],
        runs: Sequence[Run],
        older_runs: str,
        row: Row | None,
    ) -> "CombinationPage":
        findings = found_by(flags, combination.last_flagged_reason or combination.first_flagged_reason)
        recipe = RECIPES.get(combination.recipe_name)
        return cls(
            pk=combination.pk,
            query=combination.last_query_text,
            recipe=combination.recipe_name,
            stresses=recipe.stresses if recipe else "",
            target=combination.target.name,
            fingerprint=combination.fingerprint,
            times=combination.times_generated,
            first_seen=combination.first_seen_timestamp,
            row=row,
            findings=findings,
            guarantee=GUARANTEE_OF[findings[0].shape] if findings else None,
            answer=answer,
            ingredients=tuple(Ingredient(*part) for part in combination.query["parts"] if part[1].strip(" ,")),
            story=tuple(map(StoryLine.of, story)),
            runs=tuple(map(RunLine.of, runs)),
            older_runs=older_runs,
        )
