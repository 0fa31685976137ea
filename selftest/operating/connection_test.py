"""One plain query to a target, so that a person sees whether it can be reached and answers. Records nothing."""

import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from copy import copy
from dataclasses import dataclass

from selftest.core.generation.vocabulary import Vocabulary, VocabularyError
from selftest.core.judging.answers import Answer
from selftest.models import Target
from selftest.reading.tuning import is_enabled
from selftest.refusals import RefusedError
from selftest.storage.serialization import vocabulary_of
from selftest.storage.target_clients import open_target
from selftest.storage.texts import storable
from selftest.targets.base import TargetAway

log = logging.getLogger(__name__)

TRIAL_LIMIT_S = 20.0  # a person waits for it in a browser, and it occupies a web worker
TRIALS_AT_ONCE = 8
QUERY_WITHOUT_VOCABULARY = "hello"
FIRST_LINES = 12
FIRST_CHARACTERS = 1500


@dataclass(frozen=True)
class Trial:
    """The result of one connection test.

    detail: what was tried and seen, or why nothing could be tried. query: "" where nothing was asked. latency_ms: None
    without an answer. error: why the answer is not usable, or "". refusal: why a target that was reached cannot be
    asked, or "". lines: the first ones of the answer.
    """

    target: Target
    reachable: bool
    detail: str
    version: str = ""
    query: str = ""
    latency_ms: float | None = None
    http_status: int | None = None
    source_used: str = ""
    error: str = ""
    lines: str = ""
    refusal: str = ""

    @property
    def works(self) -> bool:
        """Whether it was reached and gave a usable answer."""
        return self.reachable and self.latency_ms is not None and not self.error


def check_now(target: Target) -> Trial:
    """Tests `target` at a reviewer's request. Raises RefusedError where it is switched off: off is off."""
    if not is_enabled(target):
        raise RefusedError(f"{target} is switched off, so nothing can be sent to it; switch it on first")
    return try_connections([target])[0]


def try_connections(targets: Iterable[Target]) -> list[Trial]:
    """Tests all targets at once; the results are in their order. Never raises for the fault of a target."""
    tries = [(target, _vocabulary(target)) for target in targets]
    with ThreadPoolExecutor(TRIALS_AT_ONCE, thread_name_prefix="try") as pool:
        return list(pool.map(lambda given: _try(*given), tries))


def _vocabulary(target: Target) -> Vocabulary | None:
    version = target.vocabularies.filter(in_force=True).first()
    try:
        return None if version is None else vocabulary_of(version)
    except VocabularyError:  # the rules have become stricter since it was imported; cycles report that
        return None


def _try(row: Target, vocabulary: Vocabulary | None) -> Trial:
    """Does not touch the database: it runs in a thread of its own."""
    hurried = copy(row)
    hurried.time_limit_s = min(row.time_limit_s, TRIAL_LIMIT_S)
    try:
        with closing(open_target(hurried, vocabulary)) as target:
            reached = target.reach()
            detail = storable(reached.detail)
            if not reached.reachable:
                return Trial(row, False, detail)
            query = _plain_query(vocabulary)
            try:
                return _answered(row, detail, storable(reached.version), query, target.ask(query))
            except TargetAway as away:
                return Trial(row, True, detail, query=query, refusal=storable(str(away)))
    except ValueError as fault:
        return Trial(row, False, f"cannot be opened: {storable(str(fault))}")
    except Exception as failure:
        log.exception("Trying %s failed", row)
        kind = type(failure).__name__
        return Trial(row, False, f"Gadfly itself failed ({kind}), not the target; see Gadfly's log")


def _answered(row: Target, detail: str, version: str, query: str, answer: Answer) -> Trial:
    return Trial(
        row,
        True,
        detail,
        version,
        query,
        answer.latency_ms,
        answer.http_status,
        storable(answer.source_used),
        storable(_told(answer)),
        _first_lines(storable(answer.result)),
    )


def _plain_query(vocabulary: Vocabulary | None) -> str:
    """One intent for one source: the simplest query that a target can answer."""
    if vocabulary is None:
        return QUERY_WITHOUT_VOCABULARY
    return vocabulary.sources[min(vocabulary.sources)][0]  # by name, as PostgreSQL keeps no order of keys


def _told(answer: Answer) -> str:
    """Why it is not usable; of an answer with other fields than expected, which it has."""
    if answer.unreadable is None:
        return answer.error or ""
    return f"{answer.error}; the answer has: {', '.join(answer.unreadable) or 'no field'}"


def _first_lines(text: str) -> str:
    lines = text.splitlines()
    kept = "\n".join(lines[:FIRST_LINES])
    whole = len(lines) <= FIRST_LINES and len(kept) <= FIRST_CHARACTERS
    return kept if whole else kept[:FIRST_CHARACTERS].rstrip() + "\n…"
