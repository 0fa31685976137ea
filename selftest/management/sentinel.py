"""django-q2's guard, which here gives up a cluster of which a process was killed; `qcluster` then starts a new one.

The processes of a cluster share queues of `multiprocessing`. One that is killed while it waits there takes the queue's
lock along, and no other one gets a task any more, though all look alive.
"""

import os
from multiprocessing.process import BaseProcess

from django_q.cluster import Sentinel

KILLED = 70  # the guard's exit code; none of Python's or of the shell's


class ReplacingSentinel(Sentinel):  # type: ignore[misc]  # the library is untyped
    """Replaces what has ended by itself, as the library does, and nothing after a kill."""

    def reincarnate(self, process: BaseProcess) -> None:
        """Ends the whole cluster where `process` was ended by a signal."""
        if process.exitcode is not None and process.exitcode < 0:
            for one in (*self.pool, self.monitor, self.pusher):
                one.kill()  # what they worked on is handed over again
            os._exit(KILLED)
        super().reincarnate(process)
