"""A verdict with what is said about it: the same on a cause, on one flag and on many."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils import timezone

from selftest.models import Cause, Combination
from selftest.refusals import RefusedError
from selftest.reviewing.events import NOTE_CHARACTERS
from selftest.storage.texts import storable

Verdict = Cause.Verdict
COLUMNS = ("verdict", "dismissed_at", "until_date", "until_version", "judged_version")  # of a dismissed combination
LINK_CHARACTERS = 500
VERSION_CHARACTERS = 200


@dataclass(frozen=True)
class Judgement:
    """A verdict. link: where it is tracked, of a confirmed one. until_*: when one for later comes back, any of them.

    until_version: the target's; where it is the one that the target has, any other. until_other_version: any other
    than the one that each target has.
    """

    verdict: Cause.Verdict = Verdict.DISMISSED
    reason: str = ""
    link: str = ""
    until_date: date | None = None
    until_new_flags: int | None = None
    until_version: str = ""
    until_other_version: bool = False

    def checked(self) -> "Judgement":
        """As it is kept: conditions of *Later* alone.

        Raises RefusedError for a reason or a link that cannot be, and for a condition that holds already.
        """
        kept = replace(self, reason=checked_reason(self.reason), link=checked_link(self.link))
        if self.verdict is not Verdict.LATER:
            return replace(kept, until_date=None, until_new_flags=None, until_version="", until_other_version=False)
        if self.until_date is not None and self.until_date <= timezone.now().date():
            raise RefusedError(f"{self.until_date} is not after today; name a later day to put it off until")
        if self.until_new_flags is not None and self.until_new_flags < 1:
            raise RefusedError("it cannot be put off until no new flags; name one or more")
        return replace(kept, until_version=storable(self.until_version)[:VERSION_CHARACTERS])

    @property
    def stored_verdict(self) -> Cause.Verdict | None:
        """As a combination has it."""
        return stored(self.verdict)

    def version_awaited(self, version: str) -> str:
        """The version that brings it back, of a target that has `version` now; "" for none."""
        return version if self.until_other_version else self.until_version

    def columns(self, version: str, now: datetime) -> dict[str, Any]:
        """Of a combination that is dismissed with it. version: that its target has."""
        awaited = self.version_awaited(version)
        return {
            "review_status": Combination.ReviewStatus.DISMISSED,
            "verdict": self.stored_verdict,
            "dismissed_at": now,
            "until_date": self.until_date,
            "until_version": awaited or None,
            "judged_version": version if awaited else None,
        }


def stored(verdict: Cause.Verdict) -> Cause.Verdict | None:
    """As a combination has it: None for a dismissal without one."""
    return None if verdict is Verdict.DISMISSED else verdict


def verdict_of(combination: Combination) -> Cause.Verdict:
    """That a dismissed combination has."""
    return Verdict(combination.verdict or Verdict.DISMISSED)


def columns_of(row: Cause | Combination, names: Iterable[str]) -> dict[str, Any]:
    """What these columns hold, as an event keeps it: days and moments to the microsecond."""
    values = {name: getattr(row, name) for name in names}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in values.items()}


def kept_columns(
    model: type[Cause | Combination], before: Mapping[str, Any] | None, names: Iterable[str]
) -> dict[str, Any]:
    """The same as it was before the event that kept it; nothing of an event that kept none."""
    if before is None:
        return {}
    fields = {field.name: field for field in model._meta.concrete_fields}
    return {name: fields[name].to_python(before[name]) for name in names}


def checked_reason(text: str) -> str:
    """The reason as it is kept. Raises RefusedError for one that is too long."""
    text = storable(text).strip()
    if len(text) > NOTE_CHARACTERS:
        raise RefusedError(f"the reason has {len(text)} characters; the limit is {NOTE_CHARACTERS}")
    return text


def checked_link(link: str) -> str:
    """The link as it is kept. Raises RefusedError for one that no browser should open."""
    link = storable(link).strip()
    if not link:
        return ""
    if len(link) > LINK_CHARACTERS:
        raise RefusedError(f"the link has {len(link)} characters; the limit is {LINK_CHARACTERS}")
    try:
        URLValidator(schemes=["http", "https"])(link)
    except ValidationError as fault:
        raise RefusedError(f"the link {link!r} is no http or https URL; copy it from the issue tracker") from fault
    return link
