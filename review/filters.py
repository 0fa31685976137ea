"""The queue's filter as an address has it, both ways: any view of the queue is a link."""

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from typing import TypeVar

from django.core.exceptions import BadRequest
from django.utils.http import urlencode

from selftest.core.generation.recipes import RECIPES
from selftest.core.judging.findings import CheckName
from selftest.evaluation.core.pairs import PairKind
from selftest.evaluation.reading import PairFilter, PairState
from selftest.findings.filters import FindingTab, MemoryFilter
from selftest.reading.causes import CauseFilter, CauseState
from selftest.reading.queue import Age, QueueFilter, Sort, Tab
from selftest.reading.verdicts import JudgedAs, Month

Choice = TypeVar("Choice", bound=StrEnum)
TEXT_CHARACTERS = 2_000  # of a value in an address
DIGITS = 18  # of a number that every database can look up
NO_ONE = "none"  # as the choice of people has it, where others are names
NAMES = tuple(field.name for field in fields(QueueFilter))


def queue_filter(params: Mapping[str, str]) -> QueueFilter:
    """The filter that these GET parameters ask for. Raises BadRequest naming the one that makes no sense."""
    recipe = _text(params, "recipe")
    if recipe and recipe not in RECIPES:
        raise BadRequest(f"recipe: {recipe!r} is unknown; known are {', '.join(RECIPES)}")
    assignee, is_unassigned = _assignee(params)
    return QueueFilter(
        tab=_choice(params, "tab", Tab) or Tab.REVIEW,
        check=_choice(params, "check", CheckName),
        recipe=recipe,
        source=_text(params, "source"),
        ingredient=_text(params, "ingredient"),
        cause=_number(params, "cause"),
        group=_number(params, "group"),
        target=_text(params, "target"),
        age=_choice(params, "age", Age),
        verdict=_choice(params, "verdict", JudgedAs),
        month=_month(params),
        is_alone=params.get("is_alone", "") == "1",
        assignee=assignee,
        is_unassigned=is_unassigned,
        text=_text(params, "text"),
        sort=_choice(params, "sort", Sort) or Sort.NEWEST,
    )


def cause_filter(params: Mapping[str, str]) -> CauseFilter:
    """The filter of the list of causes that these GET parameters ask for. Raises BadRequest as `queue_filter` does."""
    assignee, is_unassigned = _assignee(params)
    return CauseFilter(
        state=_choice(params, "state", CauseState) or CauseState.INBOX,
        target=_text(params, "target"),
        check=_choice(params, "check", CheckName) or "",
        verdict=_choice(params, "verdict", JudgedAs),
        month=_month(params),
        assignee=assignee,
        is_unassigned=is_unassigned,
    )


def cause_query(filters: CauseFilter, **more: str) -> str:
    """The same as `as_query` for a list of causes."""
    named = {"target": filters.target, "check": filters.check, "verdict": filters.verdict, "month": filters.month}
    named |= {"assignee": filters.assignee}
    changed = {name: str(value) for name, value in named.items() if value}
    state = {} if filters.state is CauseState.INBOX else {"state": filters.state.value}
    return urlencode(state | changed | ({"is_unassigned": "1"} if filters.is_unassigned else {}) | more)


def memory_filter(params: Mapping[str, str]) -> MemoryFilter:
    """The filter of the list of findings that these GET parameters ask for. Raises BadRequest as `queue_filter`."""
    return MemoryFilter(
        tab=_choice(params, "tab", FindingTab) or FindingTab.ACTIVE,
        text=_text(params, "text"),
        category=_text(params, "category"),
        cause=_number(params, "cause"),
        combination=_number(params, "combination"),
    )


def pair_filter(params: Mapping[str, str]) -> PairFilter:
    """The filter of the golden set that these GET parameters ask for. Raises BadRequest as `queue_filter` does."""
    return PairFilter(
        state=_choice(params, "state", PairState) or PairState.ACTIVE,
        golden_set=_text(params, "set"),
        kind=_choice(params, "kind", PairKind) or "",
        text=_text(params, "text"),
    )


def memory_query(filters: MemoryFilter, **more: str) -> str:
    """The same as `as_query` for a list of findings."""
    named = {"text": filters.text, "category": filters.category, "cause": filters.cause}
    named |= {"combination": filters.combination}
    tab = {} if filters.tab is FindingTab.ACTIVE else {"tab": filters.tab.value}
    return urlencode(tab | {name: str(value) for name, value in named.items() if value} | more)


def as_query(filters: QueueFilter, **more: str) -> str:
    """The filter as the query of an address, without what is as always; "" for nothing. more: added to its end."""
    always = QueueFilter()
    values = _fields(filters)
    changed = {name: values[name] for name in NAMES if getattr(filters, name) != getattr(always, name)}
    return urlencode(changed | more)


def _fields(filters: QueueFilter) -> dict[str, str]:
    """The filter by names of an address, without what is empty."""
    named = {name: getattr(filters, name) for name in NAMES}
    filled = {name: value for name, value in named.items() if value not in (None, "") and value is not False}
    return {name: "1" if value is True else str(value) for name, value in filled.items()}


def _assignee(params: Mapping[str, str]) -> tuple[str, bool]:
    """The name, and whether those are meant that are assigned to no one."""
    name = _text(params, "assignee")
    is_no_one = name == NO_ONE or "1" in (params.get("is_unassigned"), params.get("unassigned"))
    return ("", True) if is_no_one else (name, False)


def _month(params: Mapping[str, str]) -> Month | None:
    text = params.get("month", "")
    try:
        return Month.of_text(text) if text else None
    except ValueError as fault:
        raise BadRequest(f"month: {text!r} is no month, such as 2026-12") from fault


def _choice(params: Mapping[str, str], name: str, choices: type[Choice]) -> Choice | None:
    value = params.get(name, "")
    if not value:
        return None
    try:
        return choices(value)
    except ValueError as fault:
        raise BadRequest(f"{name}: {value!r} is unknown; known are {', '.join(choices)}") from fault


def _number(params: Mapping[str, str], name: str) -> int | None:
    value = params.get(name, "")
    if value and not (value.isascii() and value.isdigit() and len(value) <= DIGITS):
        raise BadRequest(f"{name}: {value!r} is no number")
    return int(value) if value else None


def _text(params: Mapping[str, str], name: str) -> str:
    """As it stands where it may be an exact name, whose spaces count; empty where it is nothing but space."""
    value = params.get(name, "")
    if len(value) > TEXT_CHARACTERS:
        raise BadRequest(f"{name}: longer than {TEXT_CHARACTERS} characters")
    return value if value.strip() else ""
