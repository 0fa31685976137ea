"""How the process begins that makes queries: tied to the one that writes them before it waits for work.

Apart from `supply`, which imports rows and so can be imported only once Django is set up.
"""

import os
from multiprocessing import parent_process
from signal import SIGINT, signal
from threading import Thread

import django


def begin() -> None:
    """The first that such a process does."""
    Thread(target=_end_with_parent, daemon=True).start()
    signal(SIGINT, lambda *_: os._exit(1))  # of the terminal: the one that writes says what is to be said
    django.setup()


def _end_with_parent() -> None:
    """A process that waits for work does not notice by itself that the one that would give it was killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
