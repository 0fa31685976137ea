"""What a search takes among so many pieces: all that it does, and full text alone; and writing them, and a rebuild.

python -m tests.benchmarks.search [--pieces 10000 100000] [--database-url URL]

Pieces and queries are made up, by a seed: one to five words, misspelt words, questions and identifiers. With a URL of
PostgreSQL, in a database of its own beside the one that it names. Beside the clock: the time of processors that this
process took and, on PostgreSQL on this machine, its server's, which others on a busy machine add nothing to. Ends with
1 where a limit is not kept, by the clock or, with --processor, by the time of processors.
"""

# ruff: noqa: T201 - what a command says

import argparse
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
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
    parser.add_argument("--processor", action="store_true", help="hold the limits to the time of processors")
    sizes = parser.parse_args(given)
    with beside(sizes.database_url) if sizes.database_url else temporary_database():
        return max([measure(count, sizes.queries, sizes.processor) for count in sorted(sizes.pieces)])


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


def measure(count: int, queries: int, by_processor: bool) -> int:
    """With so many pieces in the database in use; 1 where a limit is not kept."""
    from django.db import connection

    from selftest.knowledge.core.answers import Filters, SearchRequest
    from selftest.knowledge.core.queries import parse
    from selftest.knowledge.index import pieces, words, writing
    from selftest.knowledge.models import Chunk
    from selftest.knowledge.searching import search

    made = Making(count)
    known = list(made.pieces())
    began = Moment.now()
    writing.put(known)
    written_s = began.since_s(by_processor)
    print(f"{count:,} pieces: {began.told()} to write")
    began = Moment.now()
    writing.replace(Chunk.objects.filter(document=None), known)
    print(f"  {began.told()} to compare with all of them again")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # as the server does by itself after a while
    asked = made.queries(queries)
    every = timed("all that a search does", asked, lambda text: search(SearchRequest(text)), by_processor)
    anything = pieces.condition(Filters(), for_admin=True)
    alone = timed(
        "full text",
        asked,
        lambda text: words.candidates([((word,),) for word in parse(text, "en").words], True, anything),
        by_processor,
    )
    limit = next((ms for most, ms in sorted(ALL_LIMITS_MS.items()) if count <= most), None)
    if limit is None:
        return 0
    is_small = count <= min(ALL_LIMITS_MS)
    kept_all = every <= limit and (not is_small or (alone <= WORDS_LIMIT_MS and written_s <= REBUILD_LIMIT_S))
    print(f"  allowed: {limit:g} ms{f', {WORDS_LIMIT_MS:g} ms, {REBUILD_LIMIT_S:g} s' if is_small else ''}")
    return 0 if kept_all else 1


class Moment:
    """When something began, by the clock and by the processors of this process and of the database's."""

    def __init__(self, clock_s: float, own_s: float, server_s: float) -> None:
        self._clock_s, self._own_s, self._server_s = clock_s, own_s, server_s

    @classmethod
    def now(cls) -> "Moment":
        server_s = _server_s()
        return cls(perf_counter(), process_time(), server_s)

    def since_s(self, by_processor: bool) -> float:
        """How long ago it was."""
        clock_s, own_s, server_s = self._since()
        return own_s + server_s if by_processor else clock_s

    def told(self) -> str:
        clock_s, own_s, server_s = self._since()
        return f"{clock_s:.1f} s ({own_s:.1f} s of this process, {server_s:.1f} s of a server)"

    def _since(self) -> tuple[float, float, float]:
        clock_s, own_s = perf_counter() - self._clock_s, process_time() - self._own_s
        return clock_s, own_s, _server_s() - self._server_s


def _server_s() -> float:
    """How long the server's process for this connection has been on a processor; 0 where there is none here."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    file = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
    return int(file.read_text().split()[0]) / 1e9 if file.exists() else 0.0


def timed(what: str, asked: Sequence[str], ask: Callable[[str], object], by_processor: bool = False) -> float:
    """Prints what these take; their 95th percentile in ms."""
    from selftest.core.judging.latency import quantile_ms

    for each in asked[:WARM_UP]:
        ask(each)
    clocks, processors = [], []
    for each in asked:
        began = Moment.now()
        ask(each)
        clocks.append(began.since_s(by_processor=False) * 1e3)
        processors.append(began.since_s(by_processor=True) * 1e3)
    print(
        f"  {what}: {quantile_ms(clocks, 0.5):.1f} ms at the median, {quantile_ms(clocks, 0.95):.1f} ms at the 95th "
        f"percentile; {quantile_ms(processors, 0.5):.1f} and {quantile_ms(processors, 0.95):.1f} ms of processors"
    )
    return quantile_ms(processors if by_processor else clocks, 0.95)


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
        self._shares = list(accumulate(1 / (place + 30) for place in range(len(self._words))))
        self._count = count

    def pieces(self) -> "Iterator[Chunk]":
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
        return " ".join(rng.choices(self._words, cum_weights=self._shares, k=length))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
