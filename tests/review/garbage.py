"""An application whose objects grow old at /age; any other page says how often the oldest were looked through."""

import gc
from collections.abc import Callable
from typing import Any

YOUNGER = 1
OLDEST = 2
TIMES = 11  # more than after which Python itself would look through the oldest


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    if environ["PATH_INFO"] == "/age":
        for _ in range(TIMES):
            gc.collect(YOUNGER)
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(gc.get_stats()[OLDEST]["collections"]).encode()]
