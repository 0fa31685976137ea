"""`/status`: what an installation needs, and for each thing that is wrong, what to do next."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from review.contexts.search import Asked
from review.contexts.shapes import AWAY, KEPT, STOPPED, WAITING
from selftest.knowledge.core.chunks import Kind
from selftest.models import Combination, Run
from selftest.operating.doctor.checks import Examined
from selftest.operating.doctor.diagnosis import Diagnosis, DoctorCheck, State

SHAPES: Mapping[State, str] = {
    State.OK: KEPT,
    State.WAITING: WAITING,
    State.OFF: STOPPED,
    State.WRONG: AWAY,
    State.UNKNOWN: AWAY,
}


LATE_HOUSEKEEPING = timedelta(hours=3)  # it is due every hour, and may wait behind long cycles


@dataclass(frozen=True)
class Sign:
    """One thing that was looked at. target, cycle: keys of the one it is about, and of the one that shows it.

    anchor: what the address of this line ends with; "" where an earlier line of the same check has it.
    search: finds what is known about the check.
    """

    code: str
    name: str
    subject: str
    target: int | None
    shape: str
    words: str
    at: datetime | None
    detail: str
    cycle: int | None
    next_step: str
    command: str
    anchor: str = ""
    search: str = ""

    @classmethod
    def of(cls, check: DoctorCheck, found: Diagnosis) -> "Sign":
        """As the check found it."""
        return cls(
            code=check.code,
            name=check.title,
            subject=found.subject,
            target=found.target,
            shape=SHAPES[found.state],
            words=found.words,
            at=found.at,
            detail=found.detail,
            cycle=found.cycle,
            next_step=found.next_step,
            command=check.command_for(found),
            search=Asked(check.code, Kind.DOCTOR).url(),
        )

    @property
    def is_wrong(self) -> bool:
        """Whether a person has to do something about it."""
        return bool(self.next_step)


@dataclass(frozen=True)
class OwnFailure:
    """A run on which Gadfly itself failed."""

    run: int
    cycle: int
    query: str
    why: str
    at: datetime | None

    @classmethod
    def of(cls, run: Run) -> "OwnFailure":
        """As the run has it."""
        return cls(run.pk, run.cycle_id, run.text, run.own_error, run.finished_at)


@dataclass(frozen=True)
class GivenUp:
    """A combination that is never asked again."""

    pk: int
    query: str
    recipe: str
    target: str
    since: datetime

    @classmethod
    def of(cls, combination: Combination) -> "GivenUp":
        """As the row has it."""
        return cls(
            combination.pk,
            combination.last_query_text,
            combination.recipe_name,
            combination.target.name,
            combination.first_seen_timestamp,
        )


@dataclass(frozen=True)
class HealthPage:
    """`/status`. more_given_up: there are more than are listed."""

    signs: tuple[Sign, ...]
    failures: tuple[OwnFailure, ...]
    runs_looked_at: int
    given_up: tuple[GivenUp, ...]
    more_given_up: bool
    broken_off_times: int

    @property
    def wrong(self) -> int:
        """How many things have to be dealt with."""
        return sum(sign.is_wrong for sign in self.signs)


def signs(examined: Iterable[Examined]) -> tuple[Sign, ...]:
    """A line for each thing that was looked at, what is wrong first."""
    found = [Sign.of(one.check, diagnosis) for one in examined for diagnosis in one.found]
    ordered = sorted(found, key=lambda sign: not sign.is_wrong)
    first = {sign.code: sign for sign in reversed(ordered)}
    return tuple(replace(sign, anchor=sign.code) if sign is first[sign.code] else sign for sign in ordered)
