"""Flagged combinations, and rows by their number: asked of their own tables, so that they are always up to date.

There may be a million: they are not written as pieces. What they answered is not told, as it may be private.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from django.db.models import QuerySet
from django.urls import reverse

from selftest.knowledge.core.answers import Filters
from selftest.knowledge.core.chunks import DOMAINS, Chunk, Kind
from selftest.knowledge.core.filtering import passes
from selftest.knowledge.live.cycles import chunk_of
from selftest.knowledge.live.wording import checks_in_words, identifiers_of, key_of, labelled, lines, titled
from selftest.models import Combination, Cycle, Run, Target
from selftest.models.run import ASKED_COLUMNS
from selftest.storage.full_text import newest_holding
from selftest.storage.texts import sha256_hex

LOOKED_AT = 500  # combinations that hold the words, in one go
LOOKED_THROUGH = 5_000  # of them, where filters leave few; some 25 ms, however many there are
MOST_NUMBERS = 10  # that one query names
LARGEST = 2**63 - 1
SHA256 = re.compile("[0-9a-fA-F]{64}")
NUMBERED = re.compile(r"(?:(flag|combination|cycle|run)\s*)?#?(\d{1,19})", re.IGNORECASE)
SHOWN = (  # answers, which are long and may be private, are not read
    *("pk", "target_id", "fingerprint", "fingerprint_sha256", "recipe_name", "last_query_text", "flagged_check"),
    *("ever_flagged", "currently_flagged", "review_status"),
)
RUN_COLUMNS = ("target_id", "cycle_id", "state", *ASKED_COLUMNS)

T = TypeVar("T")


def flagged(words: Sequence[str], filters: Filters, limit: int) -> list[Chunk]:
    """Combinations that were ever flagged and whose query has words that begin with each of these, the newest first.

    Nothing for no word. Where filters leave few, LOOKED_THROUGH of those with the words are looked at, at most.
    """
    if not words or not _may_be(filters, Kind.FLAG):
        return []
    found: list[Chunk] = []
    below: int | None = None
    rows = _shown().filter(target__in=filters.targets) if filters.targets else _shown()
    at_once = LOOKED_AT if filters.targets or filters.tags else limit
    for _ in range(0, LOOKED_THROUGH, LOOKED_AT):
        held = newest_holding(" ".join(words), below, at_once, ever_flagged=True)
        pieces = (_piece(row) for row in rows.filter(pk__in=held.keys).order_by("-pk"))
        found += [piece for piece in pieces if passes(piece, filters)]
        if held.looked_to is None or len(found) >= limit:
            break
        below = held.looked_to
    return found[:limit]


def named(said: Iterable[str], filters: Filters) -> list[Chunk]:
    """Combinations, cycles and runs that are named exactly, in any state, flagged or not; each as `said` orders them.

    said: `#12`, `run 12`, `cycle #12`, a fingerprint or its SHA-256; anything else names nothing. Causes, findings,
    pairs and targets are pieces of the index and found there.
    """
    asked = list(dict.fromkeys(said))
    numbers: dict[str, list[int]] = {"combination": [], "cycle": [], "run": []}
    for word, number in [each for each in map(_number_in, asked) if each is not None][:MOST_NUMBERS]:
        for table in [word] if word else numbers:
            numbers[table].append(number)
    found = _of_fingerprints(asked)
    if wanted := numbers["combination"]:
        found += [_piece(row) for row in _in_order(_shown().in_bulk(wanted), wanted)]
    if wanted := numbers["cycle"]:
        found += [chunk_of(row) for row in _in_order(Cycle.objects.in_bulk(wanted), wanted)]
    if wanted := numbers["run"]:
        runs = Run.objects.select_related("combination").only(*RUN_COLUMNS)
        found += [_of_run(row) for row in _in_order(runs.in_bulk(wanted), wanted)]
    return [piece for piece in {each.id: each for each in found}.values() if passes(piece, filters)]


def _number_in(said: str) -> tuple[str, int] | None:
    """The table, "" for any, and the number that a text names; None for one that names none, such as `12` alone."""
    match = NUMBERED.fullmatch(said.strip())
    if match is None or match[0].isdigit() or int(match[2]) > LARGEST:
        return None
    word = (match[1] or "").casefold()
    return "combination" if word == "flag" else word, int(match[2])


def _in_order(rows: Mapping[int, T], numbers: Iterable[int]) -> list[T]:
    return [rows[number] for number in dict.fromkeys(numbers) if number in rows]


def _of_fingerprints(said: Iterable[str]) -> list[Chunk]:
    """Fingerprints as they stand, or hashes of them. Each target may have one."""
    hashes: set[str] = set()
    for each in said:
        if each.lstrip().startswith("["):  # a JSON array
            hashes |= {sha256_hex(each), sha256_hex(each.strip())}
        elif SHA256.fullmatch(each.strip()):
            hashes.add(each.strip().lower())
    if not hashes:
        return []
    targets = Target.objects.order_by().values("pk")  # the index of fingerprints begins with them
    return [_piece(row) for row in _shown().filter(target__in=targets, fingerprint_sha256__in=hashes).order_by("-pk")]


def _shown() -> QuerySet[Combination]:
    return Combination.objects.only(*SHOWN)


def _piece(row: Combination) -> Chunk:
    if not row.ever_flagged:
        state = "Never flagged"
    elif row.review_status == Combination.ReviewStatus.DISMISSED:
        state = "Dismissed"
    else:
        state = "Flagged now" if row.currently_flagged else "Flagged before"
    return Chunk(
        key_of(Kind.FLAG, row.pk),
        Kind.FLAG,
        titled(row.last_query_text),
        lines(
            labelled("Query", row.last_query_text),
            labelled("Check", checks_in_words([row.flagged_check] if row.flagged_check else [])),
            labelled("Recipe", row.recipe_name),
            state,
        ),
        path=f"combinations/{row.pk}",
        tags=tuple(filter(None, (row.flagged_check, row.recipe_name))),
        identifiers=(*identifiers_of(row.pk, "combination", "flag"), row.fingerprint_sha256),
        target_id=row.target_id,
        url=reverse("combination", args=[row.pk]),
        details={
            "number": row.pk,
            "fingerprint": row.fingerprint,
            "check": row.flagged_check,
            "ever_flagged": row.ever_flagged,
            "currently_flagged": row.currently_flagged,
        },
    )


def _of_run(row: Run) -> Chunk:
    """A run is a part of its cycle. What it answered is on its page alone."""
    return Chunk(
        f"run:{row.pk}",
        Kind.CYCLE,
        titled(f"Run {row.pk}: {row.text}"),
        lines(labelled("Query", row.text), f"Of cycle {row.cycle_id}", row.get_state_display()),
        path=f"runs/{row.pk}",
        tags=(row.state,),
        identifiers=identifiers_of(row.pk, "run"),
        target_id=row.target_id,
        url=reverse("run", args=[row.pk]),
        details={"number": row.pk, "cycle": row.cycle_id, "combination": row.combination_id},
    )


def _may_be(filters: Filters, kind: Kind) -> bool:
    """Whether a piece of this kind can pass at all: none has a product, a version or a service."""
    of_kind = not filters.kinds or kind in filters.kinds
    of_domain = not filters.domains or DOMAINS[kind] in filters.domains
    return of_kind and of_domain and not (filters.product or filters.version or filters.service)
