"""Cycles as pieces: of each target the newest that did not end well, as those alone say why in words.

Any other one is found by its number; see `combinations.py`.
"""

from collections.abc import Collection, Iterator

from django.db.models import QuerySet
from django.urls import reverse

from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.live.wording import identifiers_of, key_of, labelled, lines
from selftest.models import Cycle

NEWEST = 500  # of a target
BADLY = (Cycle.State.TARGET_UNAVAILABLE, Cycle.State.INTERRUPTED)


def chunks_of(numbers: Collection[int]) -> Iterator[Chunk]:
    """Of those with these numbers that are among the newest of their target that did not end well, in order."""
    rows = Cycle.objects.filter(pk__in=numbers, state__in=BADLY).order_by("pk")
    oldest: dict[int, int] = {}
    for row in rows:
        if row.target_id not in oldest:
            newest = _ended_badly(row.target_id)[:NEWEST]
            oldest[row.target_id] = min(newest.values_list("pk", flat=True))
        if row.pk >= oldest[row.target_id]:
            yield chunk_of(row)


def with_neighbours(numbers: Collection[int]) -> set[int]:
    """Those that a change of these may take out or let in, as well: at the end of the newest of each target."""
    found = set(numbers)
    for target in set(Cycle.objects.filter(pk__in=numbers).order_by().values_list("target_id", flat=True)):
        end = _ended_badly(target)[max(NEWEST - len(numbers), 0) : NEWEST + len(numbers)]
        found.update(end.values_list("pk", flat=True))
    return found


def chunk_of(row: Cycle) -> Chunk:
    """A cycle, however it ended."""
    state = row.get_state_display()
    return Chunk(
        key_of(Kind.CYCLE, row.pk),
        Kind.CYCLE,
        f"Cycle {row.pk}: {state}",
        lines(
            f"Cycle {row.pk}: {state}",
            row.note,
            labelled("Started by", row.get_trigger_display()),
            labelled("Version", row.target_version),
        ),
        path=f"cycles/{row.pk}",
        tags=(row.state,),
        identifiers=identifiers_of(row.pk, "cycle"),
        version=row.target_version,
        target_id=row.target_id,
        url=reverse("cycle", args=[row.pk]),
        details={"number": row.pk, "state": row.state},
    )


def _ended_badly(target: int) -> QuerySet[Cycle]:
    return Cycle.objects.filter(target=target, state__in=BADLY).order_by("-pk")
