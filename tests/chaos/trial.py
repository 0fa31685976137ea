"""One scenario: things are asked for, a blow falls, and everything that was acknowledged is looked after."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from tests.chaos.installation import NO_ROWS, QUERIES, Installation, until

SETTLED_LIMIT_S = 120.0
START_LIMIT_S = 120.0
OVER = {"finished", "not_seen_again", "stopped", "interrupted", "target_unavailable"}
DONE = {"finished", "not_seen_again"}

Blow = Callable[[], str]


@dataclass
class Result:
    """What one scenario came to. wrong: sentences; slowest_s: from the end of a blow until everything was done."""

    name: str
    blows: Counter[str] = field(default_factory=Counter)
    acknowledged: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    slowest_s: float = 0.0
    wrong: list[str] = field(default_factory=list)


class Trial:
    """One scenario on one installation."""

    queries = QUERIES  # of one cycle

    def __init__(self, name: str, installation: Installation, rng: random.Random) -> None:
        self.result = Result(name)
        self._on = installation
        self._rng = rng
        self._cycles: set[int] = set()
        self._searches: set[int] = set()
        self._dismissals: Counter[int] = Counter()
        self._flagged: set[int] = set()

    def begin(self, limit_s: float = START_LIMIT_S) -> None:
        """Starts the installation, and lets it flag something."""
        self._on.supervise()
        self._until(lambda: self._on.call("GET", "/health") is not None, limit_s, "an answer after the start")
        self.set_up()
        self._on.rows("""UPDATE selftest_target SET reference_faults = '["section_twice"]'""")
        self._on.supervise()
        for _ in range(2):
            self._on.call("POST", "/adversarial/trigger")

    def set_up(self) -> None:
        """What else there has to be before anything is flagged."""

    def struck(self, blows: Iterable[Blow]) -> Result:
        """What it came to after all of them; after the first one that it has not recovered from, where there is one."""
        for number, blow in enumerate(blows, 1):
            try:
                self.strike(blow)
            except TimeoutError as late:
                self.result.wrong.append(f"blow {number}: {late}")
                return self.result
        return self.end()

    def strike(self, blow: Blow) -> None:
        """Asks for things, strikes at a random moment meanwhile, and waits until all is done."""
        before = self._on.family()
        over_at = [0.0]

        def later() -> None:
            time.sleep(self._rng.uniform(0.0, 3.0))
            self.result.blows[blow()] += 1
            over_at[0] = time.monotonic()

        striking = threading.Thread(target=later)
        striking.start()
        self.act()
        striking.join()
        time.sleep(0.5)
        self._on.supervise(before)
        self._until(self._is_settled, SETTLED_LIMIT_S, f"everything done after {dict(self.result.blows)}")
        self.result.slowest_s = max(self.result.slowest_s, time.monotonic() - over_at[0])
        self.check()

    def end(self) -> Result:
        """Whether the next cycle is clean, and how everything acknowledged ended."""
        try:  # it is refused while another one runs, as the schedule has it
            until(lambda: bool(self._on.call("POST", "/adversarial/trigger")), SETTLED_LIMIT_S, "a last, clean cycle")
        except TimeoutError as late:
            self.result.wrong.append(str(late))
        (last,) = self._on.rows("SELECT state FROM selftest_cycle WHERE trigger = 'api' ORDER BY id DESC LIMIT 1")
        if last != ("finished",):
            self.result.wrong.append(f"the last cycle ended as {last}")
        for kind, table, ids in (
            ("cycle", "selftest_cycle", self._cycles),
            ("search", "selftest_reduction", self._searches),
        ):
            for pk, state, note in self._on.rows(f"SELECT id, state, note FROM {table} WHERE id IN {_in(ids)}"):
                self.result.ended[f"{kind} {state}"] += 1
                if state not in DONE:
                    self.result.wrong.append(f"{kind} {pk} ended as {state}: {note}")
        return self.result

    def act(self) -> None:
        """Asks for cycles, a search and a dismissal."""
        for _ in range(2):
            queued = self._on.call("POST", "/adversarial/trigger", wait="false")
            if queued and queued["status"] == "queued":
                self._cycles.add(int(queued["cycle"]))
                self.result.acknowledged["cycle"] += 1
        listed = self._on.call("GET", "/adversarial/flagged", limit="100")
        rows = listed["flagged"] if listed else []
        with suppress(*NO_ROWS):
            self._flagged |= {pk for (pk,) in self._on.rows("SELECT id FROM selftest_combination WHERE ever_flagged")}
        if not rows:
            return
        row = self._rng.choice(rows)
        pk = self._id_of(row["fingerprint"])
        if pk is not None:
            search = self._on.call("POST", f"/api/v1/combinations/{pk}/reduce")
            if search and search.get("reduction"):
                self._searches.add(int(search["reduction"]))
                self.result.acknowledged["search"] += 1
            if self._on.call("POST", "/adversarial/dismiss", fingerprint=row["fingerprint"]):
                self._dismissals[pk] += 1
                self.result.acknowledged["dismissal"] += 1

    def _id_of(self, fingerprint: str) -> int | None:
        escaped = fingerprint.replace("'", "''")
        with suppress(*NO_ROWS):
            found = self._on.rows(f"SELECT id FROM selftest_combination WHERE fingerprint = '{escaped}'")
            return int(found[0][0]) if found else None
        return None

    def _is_settled(self) -> bool:
        self._on.supervise()
        try:
            cycles = self._on.rows(f"SELECT state FROM selftest_cycle WHERE id IN {_in(self._cycles)}")
            searches = self._on.rows(f"SELECT state FROM selftest_reduction WHERE id IN {_in(self._searches)}")
        except NO_ROWS:
            return False
        if {state for (state,) in [*cycles, *searches]} - OVER:
            return False
        health = self._on.call("GET", "/health")
        return health is not None and (health["status"], health["adversarial_testing"]["status"]) == ("ok", "ok")

    def check(self) -> None:
        """Notes what is lost, or was done otherwise than once."""
        wrong = self.result.wrong
        asked = self._on.rows(
            f"SELECT cycle_id, count(*) FROM selftest_run WHERE cycle_id IN {_in(self._cycles)} GROUP BY cycle_id"
        )
        wrong += [f"cycle {cycle} has {runs} runs" for cycle, runs in asked if runs != self.queries]
        flagged = {pk for (pk,) in self._on.rows("SELECT id FROM selftest_combination WHERE ever_flagged")}
        wrong += [f"the flag of combination {pk} is gone" for pk in self._flagged - flagged]
        self._flagged = flagged
        self._check_dismissals()
        counted = self._on.rows(
            "SELECT c.id FROM selftest_combination c WHERE times_generated <>"
            " (SELECT count(*) FROM selftest_run r WHERE r.combination_id = c.id AND r.state = 'done')"
        )
        wrong += [f"combination {pk} was counted otherwise than it was asked" for (pk,) in counted]

    def _check_dismissals(self) -> None:
        """Each is there, and in force until a new flag: nothing here undoes one."""
        of_each: dict[int, list[str]] = {}
        for pk, kind in self._on.rows(
            "SELECT combination_id, kind FROM selftest_reviewevent"
            f" WHERE combination_id IN {_in(self._dismissals)} ORDER BY id"
        ):
            if kind in ("dismissed", "undismissed", "resurfaced"):
                of_each.setdefault(pk, []).append(kind)
        dismissed = {
            pk
            for (pk,) in self._on.rows(
                f"SELECT id FROM selftest_combination WHERE id IN {_in(self._dismissals)}"
                " AND review_status = 'dismissed'"
            )
        }
        for pk, times in self._dismissals.items():
            kinds = of_each.get(pk, [])
            if kinds.count("dismissed") < times:
                self.result.wrong.append(f"a dismissal of combination {pk} is lost")
            if "undismissed" in kinds or (kinds[-1:] == ["dismissed"]) != (pk in dismissed):
                self.result.wrong.append(f"a dismissal of combination {pk} was undone: {kinds}")

    def _until(self, holds: Callable[[], bool], limit_s: float, what: str) -> None:
        try:
            until(holds, limit_s, what)
        except TimeoutError as late:
            raise TimeoutError(f"{late}\n{self._on.said()[-3000:]}") from late


def table(results: Sequence[Result]) -> str:
    """For people to read."""
    lines = []
    for result in results:
        lines.append(f"{result.name}: {'held' if not result.wrong else 'FAILED'}, slowest {result.slowest_s:.1f} s")
        for title, counted in (
            ("struck", result.blows),
            ("acknowledged", result.acknowledged),
            ("ended", result.ended),
        ):
            lines += [f"  {title:<13} {count:>5}  {what}" for what, count in sorted(counted.items())]
        lines += [f"  wrong: {sentence}" for sentence in result.wrong]
    return "\n".join(lines)


def _in(ids: Iterable[int]) -> str:
    return f"({', '.join(map(str, sorted(ids))) or '-1'})"
