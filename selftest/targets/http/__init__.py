"""A target behind an HTTP API: its settings, its transport, and how an answer is read out of what came."""

import sys

# httpx loads its own command line where it can, with a terminal's colours and tables: 5 MB in each process for nothing.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # to Python a module that is not there
