"""What each page costs the server, on a seeded history, and whether it grows with the rows.

python -m tests.benchmarks.pages --data-dir BIG [--against SMALL]
python -m tests.benchmarks.pages --database-url BIG [--against SMALL]

Make both with `manage.py seed_history` and bring them to the newest migration. No server and no socket: each page is
asked of Django in a process, by a reviewer named `benchmark`, who is added to the database. With --against, each page
is then asked of SMALL, a folder or a URL too, before the next: so a machine's slow minutes are those of both. What
lists count is kept until the queue changes; with --after-change it has, before each request. Ends with 1 where a page
is slower than its limit or grows.
"""

# ruff: noqa: T201 - what a command says

import argparse
import gc
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from html import unescape
from itertools import cycle, islice
from time import perf_counter, process_time
from typing import Any

from tests.isolation import clean

LIMIT_MS = 60.0
INBOX_LIMIT_MS = 40.0
MAX_GROWTH = 1.5
FLOOR_MS = 5.0  # for growth: below it, what else the machine does tells more than the rows
REQUESTS = 40
WARM_UP = 3
DIFFERENT = 40  # addresses of one page
DEEP = 6  # pages further
SAMPLED_KEYS = 400
SHOWN_SQL_CHARACTERS = 1200
OLDER = r'href="([^"]*[?&;](?:after|before|below)=[^"]*)"'
POLLED = r'hx-get="([^"]*seen=[^"]*)"'


@dataclass(frozen=True)
class Cost:
    """Of one page. cpu_ms: of this process alone, so on SQLite what a machine with other work to do does not blur."""

    p50_ms: float
    p95_ms: float
    cpu_p95_ms: float
    queries: int
    status: int

    def judged_ms(self, by_cpu: bool) -> float:
        return self.cpu_p95_ms if by_cpu else self.p95_ms


# --- what there is to be asked ---


@dataclass(frozen=True)
class Rows:
    """What addresses name, drawn from the database at random but for `often`, the most often asked."""

    flagged: list[int]
    never_flagged: list[int]
    often: list[int]
    runs: list[int]
    cycles: list[int]
    groups: list[int]  # by their cause, the largest first
    ingredients: list[str]
    sources: list[str]
    recipes: list[str]
    checks: list[str]
    causes: list[int]
    target: int
    target_name: str
    common: list[str]  # words
    rare: list[str]


def rows_of_database() -> Rows:
    from django.db.models import Count, Max

    from selftest.core.generation.recipes import RECIPES
    from selftest.core.judging.findings import CheckName
    from selftest.models import Cause, Combination, Cycle, Run
    from selftest.storage.full_text import words_of

    rng = random.Random(1)

    def keys(rows: Any, wanted: int = DIFFERENT) -> list[int]:
        newest = rows.aggregate(newest=Max("pk"))["newest"] or 0
        drawn = rng.sample(range(1, newest + 1), min(newest, SAMPLED_KEYS * 40))
        found: list[int] = []
        for first in range(0, len(drawn), SAMPLED_KEYS):
            found += rows.filter(pk__in=drawn[first : first + SAMPLED_KEYS]).order_by().values_list("pk", flat=True)
            if len(found) >= wanted:
                break
        return found[:wanted]

    every = Combination.objects.order_by()
    flagged = every.filter(ever_flagged=True)
    some = Combination.objects.filter(pk__in=keys(flagged)).select_related("target")
    said = Counter(word for row in some for word in sorted(set(words_of(row.last_query_text))))
    by_frequency = [word for word, _ in said.most_common()]
    heaps = flagged.filter(review_status=None, cause__isnull=False).values_list("cause", flat=True)
    largest = heaps.annotate(rows=Count("pk")).order_by("-rows")
    first = some[0]
    return Rows(
        flagged=keys(flagged),
        never_flagged=keys(every.filter(ever_flagged=False)),
        often=list(every.order_by("-times_generated").values_list("pk", flat=True)[:DIFFERENT]),
        runs=keys(Run.objects.filter(state="done")),
        cycles=keys(Cycle.objects.filter(queries_run__gt=0)),
        groups=list(largest[:DIFFERENT]),
        ingredients=[row.ingredients.order_by("pk")[0].text for row in some],
        sources=sorted({row.last_source_used or "" for row in some} - {""}),
        recipes=list(RECIPES),
        checks=list(CheckName),
        causes=list(Cause.objects.filter(merged_into=None).values_list("pk", flat=True)[:DIFFERENT]),
        target=first.target_id,
        target_name=first.target.name,
        common=by_frequency[:3],
        rare=by_frequency[-DIFFERENT:],
    )


@dataclass(frozen=True)
class Page:
    """addresses: some of it, each for another row where it has rows. `further`: how many pages on it is looked at.

    is_after_change: each time the queue has just changed, so that nothing is known of it.
    """

    name: str
    addresses: Callable[[Rows], Sequence[str]]
    further: int = 0
    polls: bool = False  # not the page itself, but what it asks for again and again
    htmx: bool = False
    is_after_change: bool = False
    limit_ms: float = LIMIT_MS


def at(template: str, column: str = "") -> Callable[[Rows], Sequence[str]]:
    """The addresses that `template` makes of each of a column's values."""
    from urllib.parse import quote_plus

    def addresses(rows: Rows) -> list[str]:
        if not column:
            return [template]
        values = getattr(rows, column)
        return [template.format(quote_plus(str(value))) for value in (values if isinstance(values, list) else [values])]

    return addresses


def pairs(rows: Rows) -> list[str]:
    from urllib.parse import urlencode

    beside = zip(rows.ingredients, rows.ingredients[1:], strict=False)
    return ["/flags?" + urlencode({"ingredient": json.dumps(sorted(pair))}) for pair in beside if len(set(pair)) == 2]


PAGES = (
    Page("inbox", at("/"), limit_ms=INBOX_LIMIT_MS),
    Page("inbox, just after a change", at("/"), is_after_change=True),
    *(Page(f"inbox, {state}", at(f"/?state={state}"), limit_ms=INBOX_LIMIT_MS) for state in ("judged", "all")),
    Page("inbox of a check", at("/?check={}", "checks"), limit_ms=INBOX_LIMIT_MS),
    Page("cause", at("/causes/{}", "causes")),
    Page("cause, just after a change", at("/causes/{}", "causes"), is_after_change=True),
    Page("queue", at("/flags")),
    *(Page(f"queue, tab {tab}", at(f"/flags?tab={tab}")) for tab in ("now", "ever", "dismissed")),
    *(Page(f"queue, by {sort}", at(f"/flags?sort={sort}")) for sort in ("severity", "age", "flagged")),
    Page("queue, rows and no groups", at("/flags?flat=1")),
    *(Page(f"queue, rows by {sort}", at(f"/flags?flat=1&sort={sort}")) for sort in ("severity", "age", "flagged")),
    Page("queue of a check", at("/flags?check={}", "checks")),
    Page("queue of a recipe", at("/flags?recipe={}", "recipes")),
    Page("queue of a source", at("/flags?source={}", "sources")),
    Page("queue of an ingredient", at("/flags?ingredient={}", "ingredients")),
    Page("queue of a pair of ingredients", pairs),
    Page("queue of a word of an ingredient", at("/flags?ingredient={}", "rare")),
    Page("queue of a target", at("/flags?target={}", "target_name")),
    *(Page(f"queue of an age ({age})", at(f"/flags?age={age}")) for age in ("day", "week", "older")),
    Page("queue with a common word", at("/flags?text={}", "common")),
    Page("queue with a rare word", at("/flags?text={}", "rare")),
    Page("ever flagged with a common word", at("/flags?tab=ever&flat=1&text={}", "common")),
    Page("queue, an opened group", at("/flags?group={}", "groups")),
    Page("queue, an opened group further on", at("/flags?group={}", "groups"), further=1),
    Page("queue of a cause", at("/flags?cause={}", "groups")),
    Page("queue of a cause further on", at("/flags?cause={}", "groups"), further=1),
    Page("queue without a cause", at("/flags?group=0")),
    Page("queue, far down", at("/flags"), further=DEEP),
    Page("queue, far down the rows", at("/flags?flat=1"), further=DEEP),
    Page("ever flagged, far down the rows", at("/flags?tab=ever&flat=1"), further=DEEP),
    Page("queue, its rows alone", at("/flags"), htmx=True),
    Page("queue, polled", at("/flags"), polls=True),
    Page("combination, flagged", at("/combinations/{}", "flagged")),
    Page("combination, from a filtered queue", at("/combinations/{}?check=crash&sort=severity", "flagged")),
    Page("combination with many runs", at("/combinations/{}", "often")),
    Page("combination never flagged", at("/combinations/{}", "never_flagged")),
    Page("its comparison", at("/combinations/{}/diff", "flagged")),
    Page("explained", at("/explained")),
    Page("explained of a source", at("/explained?source={}", "sources")),
    Page("explained of a check", at("/explained?check={}", "checks")),
    Page("all combinations", at("/combinations")),
    Page("all combinations, far down", at("/combinations"), further=DEEP),
    *(
        Page(f"all combinations, {state}", at(f"/combinations?state={state}"))
        for state in ("queue", "flagged_now", "ever_flagged", "dismissed", "never_flagged", "not_asked")
    ),
    Page("all combinations of a recipe", at("/combinations?recipe={}", "recipes")),
    Page("all combinations of a target", at("/combinations?target={}", "target_name")),
    Page("all combinations with a common word", at("/combinations?text={}", "common")),
    Page("all combinations with a rare word", at("/combinations?text={}", "rare")),
    Page("all combinations, word and recipe", at("/combinations?recipe=multi_intent_chain&text={}", "rare")),
    Page("all combinations, flagged with a word", at("/combinations?state=ever_flagged&text={}", "common")),
    Page("cycles", at("/cycles")),
    Page("cycles, far down", at("/cycles"), further=DEEP),
    Page("cycles of a target", at("/cycles?target={}", "target")),
    Page("cycles without an answer", at("/cycles?state=target_unavailable")),
    Page("cycle", at("/cycles/{}", "cycles")),
    Page("run", at("/runs/{}", "runs")),
    Page("answer of a run", at("/runs/{}/answer.txt", "runs")),
    Page("recipes", at("/recipes")),
    Page("recipe", at("/recipes/{}", "recipes")),
    Page("targets", at("/targets")),
    Page("target", at("/targets/{}", "target")),
    Page("activity", at("/activity")),
    Page("activity of a person", at("/activity?who=benchmark")),
    Page("checks", at("/checks")),
    Page("checks, just after a change", at("/checks"), is_after_change=True),
    Page("status", at("/status")),
    Page("overview", at("/overview")),
    Page("profile", at("/profile")),
    Page("/health", at("/health")),
    Page("/adversarial/flagged", at("/adversarial/flagged")),
    Page("/api/v1/combinations", at("/api/v1/combinations")),
    Page("/api/v1/combinations, one", at("/api/v1/combinations/{}", "flagged")),
    Page("/api/v1/runs", at("/api/v1/runs")),
    Page("/api/v1/flags", at("/api/v1/flags")),
    Page("/api/v1/cycles", at("/api/v1/cycles")),
    Page("/api/v1/coverage", at("/api/v1/coverage")),
)


# --- asking ---


def open_database(place: str) -> None:
    """place: a folder with an SQLite file, or the URL of a PostgreSQL."""
    clean(os.environ)
    if "://" in place:
        os.environ["DATABASE_URL"] = place
    else:
        os.environ["DATA_DIR"] = place
    os.environ["DJANGO_SETTINGS_MODULE"] = "review.settings"
    import django

    django.setup()


def reviewer() -> Any:
    """The browser of a person who may review."""
    from django.contrib.auth.models import User
    from django.test import Client

    from tests.roles import give

    user, _ = User.objects.get_or_create(username="benchmark")
    client = Client(headers={"host": "localhost"})
    client.force_login(give(user, "reviewer"))
    return client


@dataclass(frozen=True)
class Statement:
    sql: str
    params: Any
    took_ms: float


@contextmanager
def statements() -> Iterator[list[Statement]]:
    from django.db import connection

    seen: list[Statement] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        began = perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            seen.append(Statement(sql, params, (perf_counter() - began) * 1000))

    with connection.execute_wrapper(note):
        yield seen


def addresses_of(page: Page, rows: Rows, client: Any) -> tuple[list[str], str]:
    """Where to ask; where nowhere, why."""
    from django.urls import Resolver404, resolve

    found: list[str] = []
    for address in page.addresses(rows)[:DIFFERENT]:
        try:
            resolve(address.partition("?")[0])
        except Resolver404:
            return [], "no such page"
        if there := _go_on_from(address, page, client):
            found.append(there)
    return found, "" if found else "no row for it"


def _go_on_from(address: str, page: Page, client: Any) -> str:
    for _ in range(page.further):
        address = link_in(client.get(address), OLDER) or address
    return link_in(client.get(address), POLLED) if page.polls else address


def link_in(response: Any, pattern: str) -> str:
    """The last address of this kind in a page."""
    links = re.findall(pattern, response.content.decode())
    return unescape(links[-1]) if links else ""


def cost_of(page: Page, addresses: Sequence[str], client: Any, requests: int) -> Cost:
    from selftest.models import Installation

    headers = {"HX-Request": "true"} if page.htmx or page.polls else {}

    def ask(address: str) -> int:
        return int(client.get(address, headers=headers).status_code)

    for address in islice(cycle(addresses), min(WARM_UP, requests)):
        ask(address)
    if page.is_after_change:
        Installation.queue_changed()
    with statements() as seen:
        status = ask(addresses[0])
    took_ms, cpu_ms = [], []
    for address in islice(cycle(addresses), requests):
        if page.is_after_change:
            Installation.queue_changed()
        began, began_cpu = perf_counter(), process_time()
        ask(address)
        took_ms.append((perf_counter() - began) * 1000)
        cpu_ms.append((process_time() - began_cpu) * 1000)
    return Cost(at_share(took_ms, 0.5), at_share(took_ms, 0.95), at_share(cpu_ms, 0.95), len(seen), status)


def at_share(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure(place: str, wanted: str, requests: int, after_change: bool) -> Iterator[dict[str, Cost]]:
    """Each page by its name; none of it where it is left out."""
    open_database(place)
    from review.stack_room import with_stack_room
    from review.web_server import collect_garbage, leave_garbage_to_quiet_seconds

    client, rows = reviewer(), rows_of_database()
    client.get("/flags")  # reads the templates
    gc.collect()
    gc.freeze()  # as the server does with all that is there before it serves
    leave_garbage_to_quiet_seconds()
    pages = selected(wanted)
    for page in (replace(page, is_after_change=True) for page in pages) if after_change else pages:
        addresses, why_not = addresses_of(page, rows, client)
        if not addresses:
            print(f"left out: {page.name}: {why_not}", file=sys.stderr)
            yield {}
            continue
        yield {page.name: with_stack_room(cost_of)(page, addresses, client, requests)}  # as the server asks them
        collect_garbage()  # a quiet second


def selected(wanted: str) -> list[Page]:
    return [page for page in PAGES if wanted.casefold() in page.name.casefold()]


def explain(place: str, wanted: str, number: int) -> None:
    """Prints the slowest statements of the selected pages, and how the database goes about them."""
    open_database(place)
    from django.db import connection

    client, rows = reviewer(), rows_of_database()
    client.get("/flags")  # reads the templates
    every: list[tuple[str, Statement]] = []
    for page in selected(wanted):
        addresses, _ = addresses_of(page, rows, client)
        for address in addresses[:WARM_UP]:
            with statements() as seen:  # for the first time: what is kept from one page to the next is not there yet
                client.get(address)
            every += [(address, statement) for statement in seen]
    every.sort(key=lambda found: -found[1].took_ms)
    how = "EXPLAIN (ANALYZE, BUFFERS)" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    for address, statement in every[:number]:
        print(f"\n{statement.took_ms:.1f} ms on {address}\n{statement.sql[:SHOWN_SQL_CHARACTERS]}\n{statement.params}")
        if statement.sql.startswith(("SELECT", "WITH")):
            with connection.cursor() as cursor:
                cursor.execute(f"{how} {statement.sql}", statement.params)
                for line in cursor.fetchall():
                    print("   ", line[-1])


# --- telling ---


def verdicts(cost: Cost, small: Cost | None, limit_ms: float, by_cpu: bool) -> list[str]:
    found = []
    if cost.status not in (200, 204, 410):  # 410: of an answer that is no longer kept
        found.append(f"STATUS {cost.status}")
    if cost.judged_ms(by_cpu) > limit_ms:
        found.append("SLOW")
    if small is not None:
        if cost.judged_ms(by_cpu) > FLOOR_MS and growth(cost, small, by_cpu) > MAX_GROWTH:
            found.append("GROWS")
        if cost.queries > small.queries:
            found.append(f"QUERIES {small.queries} → {cost.queries}")
    return found


def growth(cost: Cost, small: Cost, by_cpu: bool) -> float:
    return cost.judged_ms(by_cpu) / small.judged_ms(by_cpu)


def tell(costs: dict[str, Cost], small: dict[str, Cost], by_cpu: bool) -> int:
    print(f"{'':40} {'p50':>7} {'p95':>7} {'cpu':>7} {'queries':>7} {'small':>7} {'growth':>7}")
    limits_ms = {page.name: page.limit_ms for page in PAGES}
    bad = 0
    for name, cost in costs.items():
        other = small.get(name)
        line = f"{name:40} {cost.p50_ms:7.1f} {cost.p95_ms:7.1f} {cost.cpu_p95_ms:7.1f} {cost.queries:7}"
        line += f" {other.judged_ms(by_cpu):7.1f} {growth(cost, other, by_cpu):7.2f}" if other else " " * 16
        found = verdicts(cost, other, limits_ms[name], by_cpu)
        bad += bool(found)
        print(line, *found)
    print(f"{len(costs)} pages, {bad} of them slower than their limit or growing by more than {MAX_GROWTH:g}")
    return 1 if bad else 0


def in_turns(places: Sequence[str], wish: argparse.Namespace) -> list[dict[str, Cost]]:
    """Settings are read once in a process, so each database has one of its own. It measures a page for each line."""
    wanted = ["--pages", wish.pages, "--requests", str(wish.requests), *["--after-change"] * wish.after_change]
    costs: list[dict[str, Cost]] = [{} for _ in places]
    with ExitStack() as running:
        processes = [
            running.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", "tests.benchmarks.pages", "--measure", place, *wanted],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for place in places
        ]
        for _ in selected(wish.pages):
            for process, found in zip(processes, costs, strict=True):
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write("\n")
                process.stdin.flush()
                found.update({name: Cost(**cost) for name, cost in json.loads(process.stdout.readline()).items()})
    return costs


def arguments_of(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.pages", description=(__doc__ or "").split("\n")[0]
    )
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--data-dir", dest="place", help="of an SQLite database")
    place.add_argument("--database-url", dest="place", help="of a PostgreSQL")
    place.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--against", metavar="SMALL", help="a folder or a URL: the same pages on fewer rows")
    parser.add_argument("--pages", default="", metavar="TEXT", help="only those with this in their name")
    parser.add_argument("--requests", type=int, default=REQUESTS, help=f"of each page (default: {REQUESTS})")
    parser.add_argument(
        "--after-change", action="store_true", help="each page as if the queue had just changed: nothing is known of it"
    )
    parser.add_argument(
        "--by-cpu", action="store_true", help="judge by this process's own time: for SQLite on a busy machine"
    )
    parser.add_argument("--slowest", type=int, metavar="N", help="instead: their N slowest statements, explained")
    return parser.parse_args(given)


def main(given: Sequence[str]) -> int:
    wish = arguments_of(given)
    if wish.measure:
        pages = measure(wish.measure, wish.pages, wish.requests, wish.after_change)
        for _, costs in zip(sys.stdin, pages, strict=False):
            print(json.dumps({name: asdict(cost) for name, cost in costs.items()}), flush=True)
        return 0
    if wish.slowest:
        explain(wish.place, wish.pages, wish.slowest)
        return 0
    costs, *small = in_turns([wish.place, wish.against] if wish.against else [wish.place], wish)
    return tell(costs, small[0] if small else {}, wish.by_cpu)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
