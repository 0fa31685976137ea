"""What kills, restarts, full disks and wrong clocks do to a running installation. `python -m tests.chaos`."""
