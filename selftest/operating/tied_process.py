"""Runs a Python program that ends when the process that started it does, even if that one was killed.

    python -m selftest.operating.tied_process DESCRIPTOR GRACE_S {MODULE | FILE.py} [ARGUMENT ...]

DESCRIPTOR is the reading end of a pipe; only the starter has the other end, so the kernel closes it whenever and
however the starter ends. Each process that the program forks watches the pipe too: none depends on another to be told.
Knows nothing of what it runs.
"""

import os
import runpy
import signal
import sys
import threading
import time
from pathlib import Path


def tie(descriptor: int, grace_s: float) -> None:
    """Once the pipe is closed: this process gets SIGTERM; after `grace_s`, its whole group is killed.

    Call it in the main thread of a process that leads a group of its own.
    """
    leader = os.getpid()
    if os.getpgrp() != leader:
        raise RuntimeError("a tied process needs a process group of its own, or others would be killed with it")
    main_thread = threading.get_ident()

    def watch() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # they are for the main thread
        while os.read(descriptor, 1):
            pass  # nothing is ever written: reading returns at the end
        if os.getpid() == leader:
            signal.pthread_kill(main_thread, signal.SIGTERM)  # it may be blocked in a call, so it is told directly
        time.sleep(grace_s)
        os.killpg(leader, signal.SIGKILL)

    def start() -> None:
        threading.Thread(target=watch, name="tied to its starter", daemon=True).start()

    start()
    os.register_at_fork(after_in_child=start)


def end_children_with_this_process() -> None:
    """Whatever this process forks from now on, and what that forks, is killed when it ends, however it does."""
    reading, writing = os.pipe()
    is_child = False

    def watch() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while os.read(reading, 1):
            pass  # nothing is ever written
        os.kill(os.getpid(), signal.SIGKILL)

    def start() -> None:
        nonlocal is_child
        if not is_child:
            os.close(writing)  # a grandchild inherits none
        is_child = True
        threading.Thread(target=watch, name="ends with its parent", daemon=True).start()

    os.register_at_fork(after_in_child=start)


def main(descriptor: str, grace_s: str, program: str, *arguments: str) -> None:
    """Becomes `program`, with its arguments, as if Python had been started with it."""
    tie(int(descriptor), float(grace_s))
    sys.argv = [program, *arguments]
    if program.endswith(".py"):
        sys.path[0] = str(Path(program).resolve().parent)
        runpy.run_path(program, run_name="__main__")
    else:
        runpy.run_module(program, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
