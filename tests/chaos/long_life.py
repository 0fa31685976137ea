"""A trial of all that a long life has: cycles that are spread, verdicts, notices, and answers that grow old."""

import json
import threading
from collections import Counter
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

from tests.chaos.blows import CLOCK_WRONG
from tests.chaos.installation import NO_ROWS, Installation, until
from tests.chaos.trial import Result, Trial

QUERIES = 24  # of one cycle: two chunks at the pace below
PACE = 10  # requests a second; without it the bundled router is too fast for chunks
REQUESTS_AT_ONCE = 12  # three workers' shares
SWEPT_LIMIT_S = 330.0  # a killed worker's claim on housekeeping holds for five minutes
OLD_RUNS = 5  # clean ones that grow old before each blow
CHANNEL = """
from django.utils import timezone
from selftest.models import Channel
Channel.objects.create(name="trial", kind="webhook", url="{url}", secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                       hourly_limit=1000, created_at=timezone.now())
"""


class Receiver:
    """Takes in webhooks; how often each id came, and the event that it told."""

    def __init__(self) -> None:
        self.times: Counter[str] = Counter()
        self.events: dict[str, str] = {}
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.times[self.headers["webhook-id"]] += 1
                receiver.events[self.headers["webhook-id"]] = json.dumps(json.loads(body)["data"], sort_keys=True)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class LongLife(Trial):
    """The same trial, with more that must not get lost."""

    queries = QUERIES

    def __init__(self, name: str, installation: Installation, rng: Random, receiver: Receiver) -> None:
        super().__init__(name, installation, rng)
        self._receiver = receiver
        self._verdicts: Counter[int] = Counter()

    def set_up(self) -> None:
        self._on.rows(f"UPDATE selftest_target SET requests_at_once = {REQUESTS_AT_ONCE}, requests_per_second = {PACE}")
        self._on.manage("shell", "-c", CHANNEL.format(url=self._receiver.url))

    def act(self) -> None:
        self._grow_old()
        super().act()
        causes = self._on.call("GET", "/api/v1/causes")
        for cause in (causes or {}).get("causes", [])[:1]:
            verdict = self._rng.choice(("confirmed", "accepted", "false_alarm"))
            if self._on.call("POST", f"/api/v1/causes/{cause['id']}/judge", body={"verdict": verdict}):
                self._verdicts[cause["id"]] += 1
                self.result.acknowledged["verdict"] += 1

    def _grow_old(self) -> None:
        """Some clean runs, and all that were over before these, become a year old; the workers are to look for such."""
        with suppress(*NO_ROWS):
            self._on.rows(
                "UPDATE selftest_run SET finished_at = '2020-01-01 00:00:00+00'"
                " WHERE finished_at IS NOT NULL AND id <= (SELECT max(id) FROM"
                " (SELECT id FROM selftest_run WHERE state = 'done' AND reason IS NULL AND answer_deleted_at IS NULL"
                f" ORDER BY id LIMIT {OLD_RUNS}) AS clean)"
            )
            self._on.rows("UPDATE selftest_housekeeping SET finished_at = NULL, through_run = 0")

    def check(self) -> None:
        super().check()
        wrong = self.result.wrong
        gone = self._on.rows("SELECT id FROM selftest_run WHERE reason IS NOT NULL AND answer_deleted_at IS NOT NULL")
        wrong += [f"the answer of flagged run {pk} was deleted" for (pk,) in gone]
        for pk, times in self._verdicts.items():
            ((given,),) = self._on.rows(
                f"SELECT count(*) FROM selftest_causeevent WHERE cause_id = {pk} AND kind = 'judged'"
            )
            if given < times:
                wrong.append(f"{times - given} verdicts on cause {pk} are lost")
        wrong += [
            f"notice {pk} has {ways} ways to one channel"
            for pk, ways in self._on.rows(
                "SELECT notice_id, count(*) FROM selftest_delivery GROUP BY notice_id HAVING count(*) <> 1"
            )
        ]

    def _is_one_deleted(self) -> bool:
        """By a worker, or now: one that handed housekeeping over lately leaves it for five minutes."""
        self._on.run("housekeeping").wait()
        return bool(self._on.rows("SELECT 1 FROM selftest_run WHERE answer_deleted_at IS NOT NULL LIMIT 1"))

    def _happened(self, told: dict[str, Any]) -> int:
        """How often that may be told in the same words: a cause that is judged again may come back again, and each time
        that a clock goes wrong no cycle finishes for a while.
        """
        if told.get("cause") is None:
            return max(1, sum(self.result.blows[name] for name in CLOCK_WRONG))
        ((times,),) = self._on.rows(
            f"SELECT count(*) FROM selftest_causeevent WHERE cause_id = {told['cause']:d} AND kind = 'came_back'"
        )
        return max(times, 1)

    def end(self) -> Result:
        result = super().end()
        self._grow_old()  # when a blow was dealt, no run may have been over yet
        with suppress(TimeoutError):  # what follows says so
            until(self._is_one_deleted, SWEPT_LIMIT_S, "an old answer is deleted")
        sent = {
            str(uid).replace("-", "")
            for (uid,) in self._on.rows("SELECT uid FROM selftest_delivery WHERE state = 'sent'")
        }
        received = {uid.removeprefix("msg_") for uid in self._receiver.times}
        if lost := sent - received:
            result.wrong.append(f"{len(lost)} notices were never received")
        for told, times in Counter(self._receiver.events.values()).items():
            if times > self._happened(json.loads(told)):
                result.wrong.append(f"told {times} times, each time as another one: {told}")
        result.ended["notice received"] = len(received)
        result.ended["notice received again, after a kill in its middle"] = sum(
            times - 1 for times in self._receiver.times.values()
        )
        ((chunks,),) = self._on.rows("SELECT count(*) FROM selftest_chunk")
        ((dead,),) = self._on.rows("SELECT count(*) FROM selftest_chunk WHERE deaths > 0")
        ((deleted,),) = self._on.rows("SELECT count(*) FROM selftest_run WHERE answer_deleted_at IS NOT NULL")
        result.ended |= Counter({"chunk": chunks, "chunk with a dead worker": dead, "answer deleted": deleted})
        for what, number in (("chunk", chunks), ("answer was deleted", deleted), ("notice came", len(received))):
            if not number:
                result.wrong.append(f"no {what}, so nothing is proven of it")
        return result
