"""Filters of a measured query, as the API names them, as values."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from selftest.knowledge.core.answers import Filters
from selftest.knowledge.core.chunks import Domain, Kind
from selftest.knowledge.measuring.queries import QueriesError
from selftest.models import Target

Value = TypeVar("Value", Kind, Domain)
NAMES = ("domains", "entityTypes", "type", "product", "version", "service", "tags", "target")


def filters_of(said: Mapping[str, object]) -> Filters:
    """Raises QueriesError for a name or a value that is none: never a wider search."""
    for name in said:
        if name not in NAMES:
            raise QueriesError(f"no filter is called {name}; there are {', '.join(NAMES)}")
    kinds = {_one(Kind, each, name) for name in ("entityTypes", "type") for each in _texts(said.get(name))}
    names = _texts(said.get("target"))
    targets = dict(Target.objects.filter(name__in=names).values_list("name", "pk"))
    for name in names:
        if name not in targets:
            raise QueriesError(f"no target is called {name}")
    product, version, service = (next(iter(_texts(said.get(name))), "") for name in ("product", "version", "service"))
    return Filters(
        frozenset(_one(Domain, each, "domains") for each in _texts(said.get("domains"))),
        frozenset(kinds),
        product,
        version,
        service,
        frozenset(_texts(said.get("tags"))),
        frozenset(targets.values()),
    )


def _texts(value: object) -> list[str]:
    if value is None:
        return []
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, Iterable) or not all(isinstance(each, str) for each in found):
        raise QueriesError(f"a filter is text or a list of texts, not {value!r:.60}")
    return [str(each) for each in found]


def _one(kind: type[Value], said: str, name: str) -> Value:
    try:
        return kind(said)
    except ValueError as fault:
        raise QueriesError(f"{said!r:.60} is no value of {name}; there are {', '.join(kind)}") from fault
