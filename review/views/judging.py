"""The verdict that a form sends: the same fields for a cause, a flag, a selection and a whole list."""

from dataclasses import replace
from datetime import date, timedelta

from django.core.exceptions import BadRequest
from django.utils import timezone

from review.views.pages import Request, number
from selftest.models import Cause
from selftest.reviewing.judgement import Judgement

LATER_DAYS = 7  # for which it is put off where nothing else was said
Verdict = Cause.Verdict
TEACHING = (Verdict.ACCEPTED, Verdict.CONFIRMED)  # a person has learnt something then: to leave a finding is offered


def judgement(request: Request, otherwise: Cause.Verdict | None = None) -> Judgement:
    """As the form has it. otherwise: the verdict of a form that names none. Raises BadRequest naming the field."""
    found = Judgement(
        _verdict(request.POST.get("verdict", otherwise or "")),
        request.POST.get("reason", "").replace("\r\n", "\n"),
        request.POST.get("link", ""),
        _date(request),
        number(request.POST.get("until_new_flags", ""), "until_new_flags"),
        until_other_version=bool(request.POST.get("until_other_version")),
    )
    if found.until_date is None and found.until_new_flags is None and not found.until_other_version:
        return replace(found, until_date=timezone.now().date() + timedelta(days=LATER_DAYS))
    return found


def seen_verdict(request: Request) -> Cause.Verdict | None:
    """That the form was made on; None: nothing was decided then."""
    return verdict_named(request.POST.get("seen_verdict", ""))


def verdict_named(value: str) -> Cause.Verdict | None:
    """None for "". Raises BadRequest for what is no verdict."""
    return _verdict(value) if value else None


def _verdict(value: str) -> Cause.Verdict:
    if value not in Verdict.values:
        raise BadRequest(f"verdict: {value!r} is unknown; known are {', '.join(Verdict.values)}")
    return Verdict(value)


def _date(request: Request) -> date | None:
    text = request.POST.get("until_date", "")
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as fault:
        raise BadRequest(f"until_date: {text!r} is no date, such as 2026-12-31") from fault
