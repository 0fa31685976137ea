"""Pieces read back: by what they must be, by their identifiers, and what they are ranked by."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.db import connection

from selftest.knowledge.core.answers import Filters
from selftest.knowledge.core.ranking import Counts
from selftest.knowledge.models import Chunk

LOOKED_UP = 900  # keys in one statement
MOST_NAMED = 100  # pieces that one search takes by their identifiers

Condition = tuple[str, list[str | int]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a piece is ranked by."""

    pk: int
    key: str
    kind: str
    language: str
    stems: Counts
    length: float
    same_as: str
    service: str
    tags: tuple[str, ...]
    target_id: int | None


def condition(filters: Filters, for_admin: bool) -> Condition:
    """What pieces must be, over the table `c`."""
    said: list[str] = []
    values: list[str | int] = []
    for column, wanted in (("domain", filters.domains), ("kind", filters.kinds)):
        if wanted:
            said.append(f"c.{column} IN ({', '.join('%s' for _ in wanted)})")
            values += sorted(wanted)
    for column, text in (("product", filters.product), ("version", filters.version), ("service", filters.service)):
        if text:
            said.append(f"c.{column} = %s")
            values.append(text)
    for tag in sorted(filters.tags):
        said.append("c.tag_line LIKE %s ESCAPE '!'")
        plain = tag.casefold().replace("!", "!!").replace("%", "!%").replace("_", "!_")
        values.append(f"%\n{plain}\n%")
    if filters.targets:
        said.append(f"(c.target_id IS NULL OR c.target_id IN ({', '.join('%s' for _ in filters.targets)}))")
        values += sorted(filters.targets)
    if not for_admin:
        said.append("NOT c.for_admins")
    return " AND ".join(said) or "1 = 1", values


def named(keys: Sequence[str], wanted: Condition) -> list[tuple[str, int]]:
    """Rows with any of these identifiers, as (identifier, row)."""
    where, values = wanted
    found: list[tuple[str, int]] = []
    statement = (
        "SELECT i.value, c.id FROM knowledge_identifier i JOIN knowledge_chunk c ON c.id = i.chunk_id "  # noqa: S608
        f"WHERE i.value IN ({', '.join('%s' for _ in keys)}) AND {where} ORDER BY c.key LIMIT {MOST_NAMED}"
    )
    with connection.cursor() as cursor:
        if keys:
            cursor.execute(statement, [*keys, *values])
            found = [(value, pk) for value, pk in cursor.fetchall()]
    return found


def ranked(pks: Collection[int], wanted: Condition) -> dict[int, Ranked]:
    """What those of these rows are ranked by that are there, and what they must be."""
    where, values = wanted
    found: dict[int, Ranked] = {}
    with connection.cursor() as cursor:
        for places in _some(pks):
            cursor.execute(
                "SELECT c.id, key, kind, language, stems, length, same_as, service, tag_line, target_id "  # noqa: S608
                f"FROM knowledge_chunk c WHERE c.id IN ({places}) AND {where}",
                values,
            )
            for pk, key, kind, language, stems, length, same_as, service, tags, target in cursor.fetchall():
                told = tuple(tag for tag in tags.split("\n") if tag)
                found[pk] = Ranked(pk, key, kind, language, Counts(stems), length, same_as, service, told, target)
    return found


def _some(pks: Collection[int]) -> Iterator[str]:
    """Row keys as SQL, some at a time; written out, as to bind hundreds takes longer than to look them up."""
    ordered = sorted(pks)
    for start in range(0, len(ordered), LOOKED_UP):
        yield ", ".join(f"{pk:d}" for pk in ordered[start : start + LOOKED_UP])


def whole(keys: Sequence[str]) -> list[Chunk]:
    """Rows by their key, without what they are ranked by."""
    return list(Chunk.objects.filter(key__in=keys).defer("stems", "vector"))


def titles(keys: Sequence[str]) -> dict[str, str]:
    """What rows are called, by their key."""
    return dict(Chunk.objects.filter(key__in=keys).values_list("key", "title"))
