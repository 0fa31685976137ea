"""The memory of the default installation: when it is up, and when each page has been looked at.

python -m tests.benchmarks.memory [--pages 1000] [--rounds 4] [--cycles 2]

Runs `manage.py start` on a data folder of its own, lets a few cycles end, signs in as the admin and follows every link
to a page of a kind not seen before, the search among them; each round asks for them all once more, so that each web
process has served each. Memory is PSS, of which a page that processes share counts as a part for each. Other programs
of the same Python would share its library too: with any beside it, the figures are too low.
"""

# ruff: noqa: T201 - what a command says

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import psutil

from tests.chaos.installation import Installation, until

LIMIT_MB = 450.0  # when it is up
START_LIMIT_S = 180.0
CYCLE_LIMIT_S = 120.0
PAGE_LIMIT_S = 60.0
PASSWORD = re.compile(r"sign in as admin +password (\S+)")
LINK = re.compile(r'<a [^>]*href="([^"]+)"')
NUMBER = re.compile(r"\d+")
NOT_FOLLOWED = ("/static/", "/sign-out", "/admin/logout")
OF_A_KIND = 2  # pages that differ by a number or by what stands behind the question mark


def pss_mb(process: psutil.Process) -> float:
    """In 10^6 bytes."""
    try:
        rollup = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    except OSError:  # it has ended
        return 0.0
    return sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) * 1024 / 1e6


def memory_mb(installation: Installation) -> dict[str, float]:
    """By what the processes are."""
    return {part: sum(map(pss_mb, processes)) for part, processes in installation.family().items() if processes}


def links_of(page: httpx.Response) -> Iterator[str]:
    """Paths on the same server, with what is asked for."""
    for link in LINK.findall(page.text):
        target = urlsplit(urljoin(str(page.url), unescape(link)))
        if target.netloc == page.url.netloc.decode() and not target.path.startswith(NOT_FOLLOWED):
            yield f"{target.path}?{target.query}" if target.query else target.path


def pages(client: httpx.Client, most: int) -> list[str]:
    """Addresses of every kind of page that links lead to, from the first one and from a search."""
    found: dict[str, list[str]] = {}
    waiting = ["/", "/search?q=a+promised+source+left+out", "/flags?ingredient=the", "/admin/"]
    seen = set(waiting)
    while waiting and sum(map(len, found.values())) < most:
        path = waiting.pop(0)
        same_kind = found.setdefault(NUMBER.sub("0", path.partition("?")[0]), [])
        if len(same_kind) == OF_A_KIND:
            continue
        answer = client.get(path)
        answer.raise_for_status()
        same_kind.append(path)
        if answer.headers["content-type"].startswith("text/html"):
            waiting += (new := sorted({*links_of(answer)} - seen))
            seen.update(new)
    return [path for same_kind in found.values() for path in same_kind]


def sign_in(client: httpx.Client, said: str) -> None:
    """As the admin that the start has told of."""
    password = PASSWORD.search(said)
    assert password, said
    form = client.get("/sign-in")
    token = {"csrfmiddlewaretoken": client.cookies["csrftoken"]}
    client.post(str(form.url), data={"username": "admin", "password": password[1], **token}).raise_for_status()


def run_cycles(installation: Installation, count: int) -> None:
    """Lets the first cycle and as many more end."""
    ended = "SELECT count(*) FROM selftest_cycle WHERE state = 'finished'"
    for number in range(1, count + 2):
        until(lambda least=number: installation.rows(ended)[0][0] >= least, CYCLE_LIMIT_S, f"cycle {number} ends")  # type: ignore[misc]
        installation.call("POST", "/adversarial/trigger", wait="false")


def tell(when: str, found: dict[str, float]) -> float:
    """Prints the figures; their sum."""
    total = sum(found.values())
    parts = ", ".join(f"{part} {mb:.0f}" for part, mb in found.items())
    print(f"{when:<24} {total:6.1f} MB ({total * 1e6 / 2**20:.0f} MiB): {parts}")
    return total


def arguments_of(given: Sequence[str]) -> argparse.Namespace:
    title = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.memory", description=title)
    parser.add_argument("--pages", type=int, default=1_000, help="at most so many")
    parser.add_argument("--rounds", type=int, default=4, help="how often each page is asked for")
    parser.add_argument("--cycles", type=int, default=2, help="after the first one")
    return parser.parse_args(given)


def main(given: Sequence[str]) -> int:
    wish = arguments_of(given)
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder))
        installation.start()
        try:
            until(lambda: installation.call("GET", "/health") is not None, START_LIMIT_S, "it is up")
            run_cycles(installation, wish.cycles)
            up_mb = tell("up", memory_mb(installation))
            server = f"http://127.0.0.1:{installation.port}"
            with httpx.Client(base_url=server, follow_redirects=True, timeout=PAGE_LIMIT_S) as client:
                sign_in(client, installation.said())
                paths = pages(client, wish.pages)
                for number in range(2, wish.rounds + 1):
                    for path in paths:
                        client.get(path).raise_for_status()
                    tell(f"{len(paths)} pages, {number} times", memory_mb(installation))
        finally:
            installation.stop()
    is_over = up_mb > LIMIT_MB
    print(*["MORE THAN ITS LIMIT"] * is_over, sep="\n")
    return int(is_over)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
