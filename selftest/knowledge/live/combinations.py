"""Flagged combinations, and rows by their number: asked of their own tables, so that they are always up to date.

There may be a million: they are not written as pieces. What they answered is not told, as it may be private.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from django.db.models import QuerySet
from django.urls import reverse

from selftest.knowledge.core.answers import Filters
from selftest.knowledge.core.chunks import DOMAINS, Chunk, Kind
from selftest.knowledge.core.filtering import passes
from selftest.knowledge.live.cycles import chunk_of
from selftest.knowledge.live.wording import checks_in_words, identifiers_of, key_of, labelled, lines, titled
from selftest.models import Combination, Cycle, Run
from selftest.storage.full_text import newest_holding
from selftest.storage.texts import sha256_hex

LOOKED_AT = 500  # combinations that hold the words, in one go
LOOKED_THROUGH = 5_000  # of them, where filters leave few; some 20 ms, however many there are
MOST_NUMBERS = 10  # that one query names
LARGEST = 2**63 - 1
NUMBERED = re.compile(r"(?:(flag|combination|cycle|run)\s*)?#?(\d{1,19})", re.IGNORECASE)
SHOWN = (  # answers, which are long and may be private, are not read
    *("pk", "target_id", "fingerprint", "fingerprint_sha256", "recipe_name", "last_query_text", "flagged_check"),
    *("ever_flagged", "currently_flagged", "review_status"),
)


def flagged(words: Sequence[str], filters: Filters, limit: int) -> list[Chunk]:
    """Combinations that were ever flagged and whose query has words that begin with each of these, the newest first.

    Nothing for no word. Of those that filters leave out, LOOKED_THROUGH are passed over at most.
    """
    if not words or not _may_be(filters, Kind.FLAG):
        return []
    found: list[Chunk] = []
    below: int | None = None
    for _ in range(0, LOOKED_THROUGH, LOOKED_AT):
        wanted = LOOKED_AT if _is_narrow(filters) else limit
        numbers = newest_holding(" ".join(words), below, wanted, ever_flagged=True)
        found += [piece for piece in _pieces(_shown().filter(pk__in=numbers)) if passes(piece, filters)]
        if len(numbers) < wanted or len(found) >= limit:
            break
        below = numbers[-1]
    return found[:limit]


def named(said: Iterable[str], filters: Filters) -> list[Chunk]:
    """Combinations, runs and cycles that are named exactly, in the order of `said`: any state, flagged or not.

    said: `#12`, `run 12`, `cycle #12`, a fingerprint or its SHA-256; anything else names nothing. Causes, findings,
    pairs and targets are pieces of the index and found there.
    """
    names = list(dict.fromkeys(said))
    found = {piece.id: piece for piece in _of_fingerprints(names)}
    numbers = 0
    for each in names:
        match = NUMBERED.fullmatch(each.strip())
        if match is None or match[0].isdigit() or int(match[2]) > LARGEST or numbers == MOST_NUMBERS:
            continue
        numbers += 1
        for piece in _numbered((match[1] or "").casefold(), int(match[2])):
            found.setdefault(piece.id, piece)
    return [piece for piece in found.values() if passes(piece, filters)]


def _numbered(word: str, number: int) -> Iterator[Chunk]:
    if word in ("", "flag", "combination"):
        yield from _pieces(_shown().filter(pk=number))
    if word in ("", "cycle"):
        yield from (chunk_of(row) for row in Cycle.objects.filter(pk=number))
    if word in ("", "run"):
        yield from (_of_run(row) for row in Run.objects.filter(pk=number).only(*_RUN_COLUMNS))


def _of_fingerprints(said: Sequence[str]) -> list[Chunk]:
    """Fingerprints as they stand, or the hashes of some. Each target may have one."""
    hashes = {sha256_hex(text) for each in said for text in (each, each.strip())}
    hashes.update(each.strip().lower() for each in said if re.fullmatch(r"\s*[0-9a-fA-F]{64}\s*", each))
    return _pieces(_shown().filter(fingerprint_sha256__in=hashes))


def _shown() -> QuerySet[Combination]:
    return Combination.objects.only(*SHOWN)


def _pieces(rows: QuerySet[Combination]) -> list[Chunk]:
    return [_piece(row) for row in rows.order_by("-pk")]


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


_RUN_COLUMNS = ("pk", "target_id", "combination_id", "cycle_id", "query_text", "state")


def _of_run(row: Run) -> Chunk:
    """A run is a part of its cycle. What it answered is on its page alone."""
    return Chunk(
        f"run:{row.pk}",
        Kind.CYCLE,
        titled(f"Run {row.pk}: {row.query_text}"),
        lines(labelled("Query", row.query_text), f"Of cycle {row.cycle_id}", row.get_state_display()),
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


def _is_narrow(filters: Filters) -> bool:
    """Whether some flagged combinations pass and others do not."""
    return bool(filters.targets or filters.tags)
