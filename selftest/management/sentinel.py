"""django-q2's cluster, which here ends whenever it is told to, and its guard, which gives it up after a kill.

The processes of a cluster share queues and events of `multiprocessing`. A process that is killed while it waits for one
keeps the lock: the others get no more tasks, though all look alive, and setting the event blocks forever.
"""

import _thread
import os
from multiprocessing import Event
from multiprocessing.process import BaseProcess
from types import FrameType
from uuid import uuid4

from django_q.cluster import Cluster, Sentinel, get_mp_context

KILLED = 70  # the guard's exit code; none of Python's or of the shell's


class GuardEndedError(Exception):
    """The guard has failed, and with it the cluster."""


class StoppableCluster(Cluster):  # type: ignore[misc]  # the library is untyped
    """Stops at a signal that comes while it starts, or that has ended its guard too: both come to a whole group."""

    is_told_to_stop = False

    def start(self) -> None:
        """Starts the guard. In place of the library's, which waits until it is ready.

        It asks an event for that, whose lock a guard that is ended by the signal may keep: then it would wait forever.
        """
        self.stop_event, self.start_event = Event(), Event()
        told = (self.stop_event, self.start_event, self.cluster_id, self.broker, self.timeout)
        self.sentinel = get_mp_context().Process(target=ReplacingSentinel, name=f"Process-{uuid4().hex}", args=told)
        self.sentinel.start()
        if self.is_told_to_stop:
            self.tell_to_stop()  # there may have been no event yet

    def tell_to_stop(self) -> None:
        """Lets the guard finish what is being worked on; `join` waits for that."""
        self.is_told_to_stop = True
        if self.stop_event is not None:
            # In a thread: it blocks forever if the guard died while it waited for the event. Not by `threading`, one of
            # whose locks the interrupted main thread may hold.
            _thread.start_new_thread(self.stop_event.set, ())

    def sig_handler(self, signum: int, frame: FrameType | None) -> None:
        """For SIGTERM and SIGINT, in place of the library's, which waits for the guard within the handler."""
        self.tell_to_stop()

    def join(self) -> None:
        """Waits until the guard has ended. Raises GuardEndedError where it failed."""
        self.sentinel.join()
        if self.sentinel.exitcode not in (0, KILLED) and not self.is_told_to_stop:
            raise GuardEndedError(f"the guard of the cluster ended with exit code {self.sentinel.exitcode}")

    @property
    def was_killed(self) -> bool:
        """Whether its guard gave it up after a kill, and a new one is wanted."""
        return self.sentinel.exitcode == KILLED and not self.is_told_to_stop


class ReplacingSentinel(Sentinel):  # type: ignore[misc]  # the library is untyped
    """Replaces what has ended by itself, as the library does, and nothing after a kill."""

    def reincarnate(self, process: BaseProcess) -> None:
        """Ends the whole cluster where `process` was ended by a signal."""
        if process.exitcode is not None and process.exitcode < 0:
            for one in (*self.pool, self.monitor, self.pusher):
                one.kill()  # what they worked on is handed over again
            os._exit(KILLED)
        super().reincarnate(process)
