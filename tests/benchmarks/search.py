"""What a search takes among so many pieces: all that it does, and full text alone; and writing them, and a rebuild.

python -m tests.benchmarks.search [--pieces 10000 100000] [--database-url URL]

Pieces and queries are made up, by a seed: one to five words, misspelt words, questions and identifiers. With a URL of
PostgreSQL, in a database of its own beside the one that it names. Ends with 1 where a limit is not kept.
"""

# ruff: noqa: T201 - what a command says

import argparse
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from tests.benchmarks.database import temporary_database
from tests.isolation import clean

if TYPE_CHECKING:
    from selftest.knowledge.core.chunks import Chunk

PIECES = (10_000,)
QUERIES = 200
WARM_UP = 5
WORDS_OF_TITLE, WORDS_OF_BODY = 5, 90
INVENTED_WORDS = 20_000
SYLLABLES = ("ba", "ko", "ri", "ten", "mu", "sol", "ver", "pan", "dre", "lin", "gor", "tis", "mel", "qua", "fo", "zen")
ALL_LIMITS_MS = {10_000: 40.0, 100_000: 80.0}  # at the 95th percentile, by the most pieces that each holds for
WORDS_LIMIT_MS = 10.0  # for the smaller one
REBUILD_LIMIT_S = 30.0  # likewise


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.search", description=__doc__)
    parser.add_argument("--pieces", type=int, nargs="+", default=PIECES)
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--database-url")
    sizes = parser.parse_args(given)
    with beside(sizes.database_url) if sizes.database_url else temporary_database():
        return max([measure(count, sizes.queries) for count in sorted(sizes.pieces)])


@contextmanager
def beside(url: str) -> Iterator[None]:
    """A database of its own on the same server."""
    clean(os.environ)
    os.environ["DATABASE_URL"] = url
    os.environ["DJANGO_SETTINGS_MODULE"] = "review.settings"
    import django

    django.setup()
    from django.db import connection

    name = str(connection.settings_dict["NAME"])
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    yield
    connection.creation.destroy_test_db(name, verbosity=0)


def measure(count: int, queries: int) -> int:
    """With so many pieces in the database in use; 1 where a limit is not kept."""
    from django.db import connection

    from selftest.knowledge.core.answers import Filters, SearchRequest
    from selftest.knowledge.core.queries import parse
    from selftest.knowledge.index import pieces, words, writing
    from selftest.knowledge.models import Chunk
    from selftest.knowledge.searching import search

    made = Making(count)
    began = perf_counter()
    writing.put(made.pieces())
    print(f"{count:,} pieces: {perf_counter() - began:.1f} s to write")
    began, cpu = perf_counter(), process_time()
    writing.replace(Chunk.objects.filter(document=None), made.pieces())
    rebuilt_s, cpu_s = perf_counter() - began, process_time() - cpu
    print(f"  {rebuilt_s:.1f} s to compare with all of them again, {cpu_s:.1f} s of this process")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # as the server does by itself after a while
    asked = made.queries(queries)
    every = timed("all that a search does", asked, lambda text: search(SearchRequest(text)))
    anything = pieces.condition(Filters(), for_admin=True)
    alone = timed(
        "full text",
        asked,
        lambda text: words.candidates([((word,),) for word in parse(text, "en").words], True, anything),
    )
    limit = next((ms for most, ms in sorted(ALL_LIMITS_MS.items()) if count <= most), None)
    if limit is None:
        return 0
    is_small = count <= min(ALL_LIMITS_MS)
    kept_all = every <= limit and (not is_small or (alone <= WORDS_LIMIT_MS and rebuilt_s <= REBUILD_LIMIT_S))
    print(f"  allowed: {limit:g} ms{f', {WORDS_LIMIT_MS:g} ms, {REBUILD_LIMIT_S:g} s' if is_small else ''}")
    return 0 if kept_all else 1


def timed(what: str, asked: Sequence[str], ask: Callable[[str], object]) -> float:
    """Prints what these take; their 95th percentile in ms."""
    from selftest.core.judging.latency import quantile_ms

    for each in asked[:WARM_UP]:
        ask(each)
    clocks, cpus = [], []
    for each in asked:
        began, cpu = perf_counter(), process_time()
        ask(each)
        clocks.append((perf_counter() - began) * 1e3)
        cpus.append((process_time() - cpu) * 1e3)
    p50, p95 = quantile_ms(clocks, 0.5), quantile_ms(clocks, 0.95)
    print(
        f"  {what}: {p50:.1f} ms at the median, {p95:.1f} ms at the 95th percentile; "
        f"{quantile_ms(cpus, 0.5):.1f} and {quantile_ms(cpus, 0.95):.1f} ms of this process"
    )
    return p95


class Making:
    """Pieces of words whose frequencies fall as those of a language do, and queries of them.

    The commonest is in 4 of 10 pieces, as `one` is in our own documents.
    """

    def __init__(self, count: int) -> None:
        from selftest.knowledge.core.synonyms import groups

        rng = random.Random(1)
        invented = ("".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 4))) for _ in range(INVENTED_WORDS))
        self._words = [*(word for group in groups() for phrase in group for word in phrase), *invented]
        rng.shuffle(self._words)
        self._shares = [1 / (place + 30) for place in range(len(self._words))]
        self._count = count

    def pieces(self) -> "Iterator[Chunk]":
        """The same each time."""
        from selftest.knowledge.core.chunks import Chunk, Kind, chunk_id

        rng = random.Random(2)
        for number in range(self._count):
            yield Chunk(
                chunk_id(Kind.DOCS, str(number)),
                Kind.DOCS,
                self._text(rng, WORDS_OF_TITLE),
                self._text(rng, WORDS_OF_BODY),
                path=f"made/{number // 10}.md",
                anchor=str(number),
                url="/",
                identifiers=(f"MADE{number}",),
            )

    def queries(self, count: int) -> list[str]:
        """One in seven is misspelt, one a question, one an identifier."""
        rng = random.Random(3)
        ways = (
            *(lambda length=length: self._text(rng, length) for length in (1, 2, 3, 5)),
            lambda: rng.choice(self._words)[:-1] + "x",
            lambda: f"how do I {self._text(rng, 6)}",
            lambda: f"MADE{rng.randrange(self._count)}",
        )
        return [ways[number % len(ways)]() for number in range(count)]

    def _text(self, rng: random.Random, length: int) -> str:
        return " ".join(rng.choices(self._words, self._shares, k=length))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
