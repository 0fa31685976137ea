"""A target that is a function in this process: one call within a time limit, and whether it answered or crashed.

Must not know what it calls: anything that the function raises or returns is recorded, and none of it stops the worker.
"""

import hashlib
import importlib
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from types import FunctionType, ModuleType

from selftest.core.judging.answers import Answer
from selftest.targets.base import AUTO, Reachability, TargetClient
from selftest.targets.limits import (
    FIRST_BYTES,
    MAX_ANSWER_BYTES,
    checked_time_limit_s,
    no_answer_within,
    one_line,
    over_the_limit,
)

CACHE_SUPPRESSING = "cache_suppressed"  # a target offers its context manager under this name, if it has one
MAX_TRACEBACK_CHARACTERS = 64 * 1024  # its end says most; a message in it may be of any size


@dataclass
class _Outcome:
    """How a call ended; neither is set while it runs."""

    returned: object = None
    raised: BaseException | None = None


class PythonTarget(TargetClient):
    """`route(query, source) -> (result, source_used)` at a dotted path. Safe to share between threads where it is."""

    def __init__(self, dotted_path: str, time_limit_s: float, allowed: Iterable[str]) -> None:
        """dotted_path: "package.module.function" or "package.module:function", of a function that this module defines.

        allowed: the dotted paths that it must begin with one of; nothing else is even imported. Raises ValueError
        naming the fault.
        """
        self.dotted_path = dotted_path
        self.time_limit_s = checked_time_limit_s(time_limit_s)
        self._module, self._route = _imported(dotted_path, tuple(allowed))
        self._suppressing = _cache_suppressing(self._module, self._route)

    def ask(self, query: str, source: str = AUTO) -> Answer:
        """The answer of one call, timed, in the function's cache-suppressing context where it has one.

        An exception is a crash, with its traceback as the result; so is a call that does not return in time, which
        keeps running in its thread. Never raises TargetAway.
        """
        outcome = _Outcome()
        done = threading.Event()

        def call() -> None:
            try:
                with self._suppressing():
                    outcome.returned = self._route(query, source)
            # SystemExit and the like too: in a thread they would end nothing and be lost. A person's Ctrl-C is
            # delivered to the main thread, never here.
            except BaseException as error:  # noqa: BLE001
                outcome.raised = error
            finally:
                done.set()

        # A daemon, as nothing can stop a function that never returns: it must not hold up the exit of the worker.
        thread = threading.Thread(target=call, name=f"target {self.dotted_path}", daemon=True)
        started = perf_counter()
        thread.start()
        in_time = done.wait(self.time_limit_s)
        latency_ms = (perf_counter() - started) * 1000
        if not in_time:
            return Answer("", "", latency_ms, error=no_answer_within(self.time_limit_s))
        if outcome.raised is not None:
            return Answer(_traceback(outcome.raised), "", latency_ms, error=_one_line_of(outcome.raised))
        return _answer(outcome.returned, latency_ms)

    def reach(self) -> Reachability:
        """Always there, as it was imported; the version is `__version__` of its module or package."""
        return Reachability(True, f"{self.dotted_path} is imported", _version(self._module))

    def close(self) -> None:
        """Does nothing: nothing is open."""


def _check_allowed(dotted_path: str, allowed: tuple[str, ...]) -> None:
    """Whole names are compared: "routers" does not allow "routers_old"."""
    names = dotted_path.replace(":", ".").split(".")
    if any(names[: len(prefix)] == prefix for prefix in (path.split(".") for path in allowed)):
        return
    listed = f"only {', '.join(allowed)}" if allowed else "none"
    raise ValueError(
        f"dotted_path: {dotted_path!r} is not allowed, as a Python target runs its code inside Gadfly; PYTHON_TARGETS "
        f"in Gadfly's environment names what may be called: {listed} now"
    )


def _imported(dotted_path: str, allowed: tuple[str, ...]) -> tuple[ModuleType, Callable[[str, str], object]]:
    module_path, _, name = dotted_path.rpartition(":" if ":" in dotted_path else ".")
    if not all(part.isidentifier() for part in (*module_path.split("."), name)):
        expected = "package.module.function or package.module:function"
        raise ValueError(f"dotted_path: must look like {expected}, not {dotted_path!r}")
    _check_allowed(dotted_path, allowed)
    module = _module(module_path)
    try:
        route = getattr(module, name)
    except AttributeError as error:
        raise ValueError(f"dotted_path: module {module_path!r} has no {name!r}") from error
    if not isinstance(route, FunctionType):
        raise ValueError(f"dotted_path: {dotted_path!r} is of type {type(route).__name__}, not a function")
    if route.__module__ != module.__name__:
        # What a module has imported was never meant to be called from outside: subprocess.run, for one.
        raise ValueError(
            f"dotted_path: {name!r} is not defined in {module_path!r} but imported there from {route.__module__!r}"
        )
    return module, route


def _module(module_path: str) -> ModuleType:
    try:
        return importlib.import_module(module_path)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module runs code of its own, SystemExit included
        if isinstance(error, ModuleNotFoundError) and f"{module_path}.".startswith(f"{error.name}."):
            raise ValueError(f"dotted_path: there is no module {error.name!r}") from error
        raise ValueError(f"dotted_path: importing {module_path!r} raised {_one_line_of(error)}") from error


def _cache_suppressing(
    module: ModuleType, route: Callable[[str, str], object]
) -> Callable[[], AbstractContextManager[object]]:
    """What the target offers for calls that must leave no trace in its caches; else a context that does nothing.

    Looked for on the function, and on its module.
    """
    for candidate in (route, module):
        offered: Callable[[], AbstractContextManager[object]] | None = getattr(candidate, CACHE_SUPPRESSING, None)
        if offered is not None:
            if not callable(offered):
                raise ValueError(f"dotted_path: {CACHE_SUPPRESSING} of {module.__name__!r} cannot be called")
            return offered
    return nullcontext


def _answer(returned: object, latency_ms: float) -> Answer:
    if not (isinstance(returned, tuple) and len(returned) == 2 and all(isinstance(part, str) for part in returned)):
        return Answer("", "", latency_ms, error=f"returned {_shape(returned)}, not (result, source_used) as text")
    result, source_used = returned
    # A lone surrogate is legal in a str, but has no UTF-8 of its own.
    encoded = result.encode("utf-8", errors="surrogatepass")
    too_long = len(result) > MAX_ANSWER_BYTES
    return Answer(
        result=result[:FIRST_BYTES] if too_long else result,
        source_used=source_used,
        latency_ms=latency_ms,
        error=over_the_limit("characters") if too_long else None,
        length_bytes=len(encoded),
        sha256=hashlib.sha256(encoded).hexdigest(),
    )


def _shape(returned: object) -> str:
    """The types of what was returned; never its repr, which is code of the target and may be of any size."""
    if not isinstance(returned, tuple):
        return f"a value of type {type(returned).__name__}"
    kinds = ", ".join(type(part).__name__ for part in returned[:5])
    return f"a tuple of {len(returned)} ({kinds}{', …' if len(returned) > 5 else ''})"


def _one_line_of(error: BaseException) -> str:
    try:
        message = str(error)
    except Exception:  # noqa: BLE001 - __str__ is code of the target too
        message = "(its message cannot be shown)"
    return one_line(f"{type(error).__name__}: {message}" if message else type(error).__name__)


def _traceback(error: BaseException) -> str:
    """The traceback from the target's own first frame on; its end where it is very long."""
    first = error.__traceback__
    text = "".join(traceback.format_exception(type(error), error, first.tb_next if first else None))
    return text if len(text) <= MAX_TRACEBACK_CHARACTERS else "…" + text[-MAX_TRACEBACK_CHARACTERS:]


def _version(module: ModuleType) -> str:
    """`__version__` of the module, else of the package at the top of it; "" where neither has one."""
    for candidate in (module, sys.modules.get(module.__name__.partition(".")[0])):
        version = getattr(candidate, "__version__", None)
        if isinstance(version, str):
            return version
    return ""
