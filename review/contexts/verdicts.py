"""Verdicts as pages show them: the form that judges, what was decided about a cause or a flag, the filter by it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from review.charts.scale import counted
from selftest.models import Cause, Combination
from selftest.reading.dismissals import Dismissal
from selftest.reading.verdicts import JudgedAs, Month

Verdict = Cause.Verdict


@dataclass(frozen=True)
class VerdictAct:
    """A button that judges. value: as forms send it."""

    value: str
    name: str
    key: str


# Dismiss first: Enter in a field of the form presses the first button, and that one says the least.
VERDICT_ACTS = (
    VerdictAct(Verdict.DISMISSED, "Dismiss", "d"),
    VerdictAct(Verdict.CONFIRMED, "Confirm", "c"),
    VerdictAct(Verdict.FALSE_ALARM, "False alarm", "f"),
    VerdictAct(Verdict.ACCEPTED, "Accept", "a"),
    VerdictAct(Verdict.LATER, "Later", "l"),
)
JUDGED_AS: Mapping[JudgedAs, str] = {
    **{JudgedAs(verdict.value): verdict.label for verdict in Verdict},
    JudgedAs.OF_THE_CHECK: "Confirmed, false alarm or accepted",
}


@dataclass(frozen=True)
class JudgingForm:
    """What a verdict is given with. other_version: the choice to put off until then, in words; "" where none was told.

    of_flags: each of them is back with its next flag, so none is put off until so many. name: begins the ids of its
    fields. typed: what stands in them, by their names, after it was refused.
    """

    acts: tuple[VerdictAct, ...] = VERDICT_ACTS
    other_version: str = ""
    of_flags: bool = False
    name: str = "judging"
    typed: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_one(cls, version: str, of_flags: bool = False) -> "JudgingForm":
        """For a single cause or flag. version: that its target answers with, "" where it has told none."""
        return cls(other_version=f"another version than {version}" if version else "", of_flags=of_flags)

    @property
    def is_put_off(self) -> bool:
        """Whether what was typed says until when."""
        return any(name.startswith("until_") for name in self.typed)

    @classmethod
    def of_several(cls, has_versions: bool, of_flags: bool = False) -> "JudgingForm":
        """For those that are selected, or a whole list."""
        return cls(
            other_version="another version of the target" if has_versions else "", of_flags=of_flags, name="said"
        )


JUDGING_ROW = JudgingForm()  # a row has its buttons alone


@dataclass(frozen=True)
class VerdictLine:
    """What was decided. value: as forms send it. new: how many flags came since.

    until: what it waits for, "" for nothing.
    """

    value: str
    words: str
    by: str
    at: datetime | None
    new: int
    reason: str
    link: str
    until: str

    @classmethod
    def of(cls, row: Cause) -> "VerdictLine | None":
        """None for one that is not judged."""
        if row.verdict is None:
            return None
        until = _until(row.until_date, row.until_new_flags, row.until_version, row.judged_version)
        verdict = Verdict(row.verdict)
        by, at = row.judged_by, row.judged_at
        return cls(verdict, verdict.label, by, at, row.new_flags, row.reason, row.link, until)

    @classmethod
    def of_dismissal(cls, row: Combination, dismissal: Dismissal | None) -> "VerdictLine | None":
        """None for one that is not dismissed. dismissal: that stands."""
        if row.review_status != Combination.ReviewStatus.DISMISSED:
            return None
        verdict = Verdict(row.verdict or Verdict.DISMISSED)
        is_later = row.verdict == Verdict.LATER
        until = _until(row.until_date, None, row.until_version or "", row.judged_version or "") if is_later else ""
        if dismissal is None:
            return cls(verdict, verdict.label, "", row.dismissed_at, 0, "", "", until)
        event = dismissal.event
        return cls(verdict, verdict.label, event.actor, event.at, 0, dismissal.reason, event.link or "", until)


def _until(day: date | None, new_flags: int | None, version: str, version_then: str) -> str:
    conditions = []
    if day is not None:
        conditions.append(f"until {day.day} {day:%b %Y}")
    if new_flags is not None:
        conditions.append(f"until {counted(new_flags, 'new flag')}")
    if version:
        conditions.append(f"until {'another version than ' if version == version_then else 'version '}{version}")
    return " or ".join(conditions)


def changed_in_words(before: str | None, verdict: str | None) -> str:
    """`Verdict changed from Accepted to Confirmed`. Both as rows have them, nothing where none was named."""
    former, now = (Verdict(value or Verdict.DISMISSED).label for value in (before, verdict))
    return f"{now} again" if former == now else f"Verdict changed from {former} to {now}"


def changed_back_in_words(verdict: str | None) -> str:
    """`Verdict changed back to Accepted`."""
    return f"Verdict changed back to {Verdict(verdict or Verdict.DISMISSED).label}"


def judged_in_words(month: Month) -> str:
    """`judged in Jun 2026`, for a filter."""
    return f"judged in {month_name(month)}"


def month_name(month: Month) -> str:
    """`Jun 2026`."""
    return f"{month.first_day:%b %Y}"
