"""The web server and the worker as child processes: started, watched until one of them or this one ends, and stopped.

    python -m selftest.operating.supervision PLAN

`manage.py start` becomes this program once everything is prepared: what only waits loads the standard library alone,
and takes an eighth of the memory. PLAN is a Plan as JSON. Ends with 1 where a child dies.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from types import FrameType
from typing import NoReturn

from selftest.operating.running_instance import tell_that_it_serves

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STOP_GRACE_S = 10.0  # what still runs then is killed; the next start marks the cycles that it left open
TIED_PROCESS = "selftest.operating.tied_process"
POLL_S = 0.2
ANSWER_LIMIT_S = 60.0

Children = Mapping[str, "subprocess.Popen[bytes]"]


@dataclass(frozen=True)
class Plan:
    """programs: by name, each a Python module or file with its arguments. lock: the descriptor that they inherit.

    host, port: where the web server listens. allowed_host: a name that it answers to. environment: variables for both.
    announced: where readers find it.
    """

    programs: Mapping[str, Sequence[str]]
    environment: Mapping[str, str]
    host: str
    port: int
    allowed_host: str
    announced: str
    lock: int


class StopRequest:
    """Ctrl-C, SIGTERM or a closed terminal. The first of them interrupts, and no other can interrupt the stopping.

    Supervisors signal the whole process group, and `uv run` hands its own signal on: two come close together.
    """

    def __init__(self) -> None:
        self._came = False
        self._may_raise = False
        for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell started this with SIGINT ignored
            signal.signal(number, self._note)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup: a closed terminal is no reason to stop
            signal.signal(signal.SIGHUP, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        is_first, self._came = not self._came, True
        if is_first and self._may_raise:
            raise KeyboardInterrupt

    @contextmanager
    def interrupts(self) -> Iterator[None]:
        """Raises KeyboardInterrupt within, or at once if the request came earlier."""
        self._may_raise = True
        try:
            if self._came:
                raise KeyboardInterrupt
            yield
        finally:
            self._may_raise = False
        if self._came:  # raised where Python swallows it, as in a finaliser
            raise KeyboardInterrupt

    def ignore_further(self) -> None:
        """Until the process has ended, at which Python restores the defaults of what it handled: to die of it."""
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)


def hold_stop_signals() -> None:
    """What comes from now on waits until this process is another program and listens for it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)


def become_supervisor(plan: Plan) -> NoReturn:
    """This process is from now on the one that watches; call hold_stop_signals() before."""
    os.set_inheritable(plan.lock, True)
    command = [sys.executable, "-m", "selftest.operating.supervision", json.dumps(asdict(plan))]
    os.execv(sys.executable, command)  # noqa: S606 - our own words only


def main(document: str) -> int:
    """Watches until the end; what the process ends with."""
    plan = Plan(**json.loads(document))
    os.set_inheritable(plan.lock, False)
    request = StopRequest()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    try:
        with _children(plan) as children, request.interrupts():
            trouble = _watch(plan, children)
    except KeyboardInterrupt:
        _say("Stopped.")
        return 0
    finally:
        request.ignore_further()
    print(trouble, file=sys.stderr)  # noqa: T201 - there is no command whose stderr could be used
    return 1


def _watch(plan: Plan, children: Children) -> str:
    """Reports when the server answers; returns what is wrong once a child has ended, or nothing answers."""
    deadline = time.monotonic() + ANSWER_LIMIT_S
    answers = False
    while all(child.poll() is None for child in children.values()):
        if not answers and (answers := _answers(plan)):
            _say(f"Gadfly is at {plan.announced}  (Ctrl-C stops it)")
            tell_that_it_serves(plan.lock)
        if not answers and time.monotonic() > deadline:
            return f"the web server has not answered within {ANSWER_LIMIT_S:g} s"
        time.sleep(POLL_S)
    died = next(name for name, child in children.items() if child.poll() is not None)
    return f"{died} ended with code {children[died].returncode}; everything else was stopped with it"


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - as above


@contextmanager
def _children(plan: Plan) -> Iterator[Children]:
    """Each in a process group of its own; all are stopped at the end.

    They end by themselves where this process is killed. Until then, theirs is the lock.
    """
    ends_with_us, kept_open = os.pipe()
    tied = [sys.executable, "-m", TIED_PROCESS, str(ends_with_us), f"{STOP_GRACE_S:g}"]
    children: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for name, program in plan.programs.items():
            children[name] = subprocess.Popen(  # noqa: S603 - our own words only
                [*tied, *program],
                start_new_session=True,
                pass_fds=(ends_with_us, plan.lock),
                env={**os.environ, **plan.environment},
            )
        yield children
    finally:
        _stop(list(children.values()))
        os.close(ends_with_us)
        os.close(kept_open)


def _stop(children: Sequence["subprocess.Popen[bytes]"]) -> None:
    for child in children:
        if child.poll() is None:
            child.terminate()
    deadline = time.monotonic() + STOP_GRACE_S
    for child in children:
        with suppress(subprocess.TimeoutExpired):
            child.wait(max(0.0, deadline - time.monotonic()))
        _kill_group(child)
        child.wait()


def _kill_group(child: "subprocess.Popen[bytes]") -> None:
    """Kills what is left of the child's processes, its own children included."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _answers(plan: Plan) -> bool:
    """Whether the application itself answers; the port is open before it is loaded."""
    asked = HTTPConnection(plan.host, plan.port, timeout=5)
    as_a_proxy_would = {"Host": plan.allowed_host, "X-Forwarded-Proto": "https"}
    try:
        asked.request("GET", "/health", headers=as_a_proxy_would)
        return asked.getresponse().status > 0
    except (OSError, HTTPException):
        return False
    finally:
        asked.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
