"""What comes first where all share the same cores: /health, then pages, then the tasks of cycles."""

import os

PAGE_NICENESS = 1
TASK_NICENESS = 10  # a tenth of a core is left to one beside a process that wants all of it


def give_way(niceness: int) -> None:
    """Gives the process that niceness, unless it has more already; on Linux the thread, and those that it starts."""
    os.setpriority(os.PRIO_PROCESS, 0, max(os.getpriority(os.PRIO_PROCESS, 0), niceness))
