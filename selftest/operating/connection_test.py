"""One plain question to a target, so that a person sees whether it is there and answers. Records nothing."""

import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from copy import copy
from dataclasses import dataclass

from selftest.core.generation.vocabulary import Vocabulary, VocabularyError
from selftest.core.judging.answers import Answer
from selftest.models import Target
from selftest.reading.status import is_enabled
from selftest.refusals import RefusedError
from selftest.storage.serialization import storable, vocabulary_of
from selftest.storage.target_clients import open_target
from selftest.targets.base import TargetAway

log = logging.getLogger(__name__)

TRIAL_LIMIT_S = 20.0  # somebody waits for it in a browser, and a web worker is held meanwhile
TRIALS_AT_ONCE = 8
QUERY_WITHOUT_VOCABULARY = "hello"
FIRST_LINES = 12
FIRST_CHARACTERS = 1500
HIDDEN = "••••"


@dataclass(frozen=True)
class Trial:
    """What came of one try, in plain words.

    detail: what was tried and seen, or why nothing could be. query: "" where nothing was asked. latency_ms: None where
    no answer came. error: why the answer is none; "" where it is one. refusal: why one that was reached cannot be
    asked. lines: the answer's first ones.
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
        return self.reachable and self.latency_ms is not None and not self.error


def check_now(target: Target) -> Trial:
    """Tries `target` because a reviewer asked. Raises RefusedError where it is switched off, as then nobody asks it."""
    if not is_enabled(target):
        raise RefusedError(f"{target} is switched off, so it is asked nothing; switch it on first")
    return try_connections([target])[0]


def try_connections(targets: Iterable[Target]) -> list[Trial]:
    """Tries each target, all at once; in their order. Never raises for what a target is, does or lacks."""
    tries = [(target, _vocabulary(target)) for target in targets]
    with ThreadPoolExecutor(TRIALS_AT_ONCE, thread_name_prefix="try") as pool:
        return list(pool.map(lambda given: _try(*given), tries))


def _vocabulary(target: Target) -> Vocabulary | None:
    version = target.vocabularies.filter(in_force=True).first()
    try:
        return None if version is None else vocabulary_of(version)
    except VocabularyError:  # it was read by rules that have become stricter since; cycles say so
        return None


def _try(row: Target, vocabulary: Vocabulary | None) -> Trial:
    """Touches no database: it runs in a thread of its own."""
    hurried = copy(row)
    hurried.time_limit_s = min(row.time_limit_s, TRIAL_LIMIT_S)
    try:
        with closing(open_target(hurried, vocabulary)) as target:
            reached = target.reach()
            detail = _shown(reached.detail, row)
            if not reached.reachable:
                return Trial(row, False, detail)
            query = _plain_query(vocabulary)
            try:
                return _answered(row, detail, _shown(reached.version, row), query, target.ask(query))
            except TargetAway as away:
                return Trial(row, True, detail, query=query, refusal=_shown(str(away), row))
    except ValueError as fault:
        return Trial(row, False, f"cannot be opened: {_shown(str(fault), row)}")
    except Exception as failure:
        log.exception("Trying %s failed", row)
        kind = type(failure).__name__
        return Trial(row, False, f"Gadfly itself failed ({kind}); its log tells more. The target is not to blame")


def _answered(row: Target, detail: str, version: str, query: str, answer: Answer) -> Trial:
    return Trial(
        row,
        True,
        detail,
        version,
        query,
        answer.latency_ms,
        answer.http_status,
        _shown(answer.source_used, row),
        _shown(answer.error or "", row),
        _first_lines(_shown(answer.result, row)),
    )


def _plain_query(vocabulary: Vocabulary | None) -> str:
    """One intent, one source: the least that any target answers."""
    if vocabulary is None:
        return QUERY_WITHOUT_VOCABULARY
    return vocabulary.sources[min(vocabulary.sources)][0]  # by name, as PostgreSQL keeps no order of keys


def _shown(text: str, row: Target) -> str:
    """A target that echoes its request must not put our key on a page."""
    return storable(text.replace(row.api_key, HIDDEN) if row.api_key else text)


def _first_lines(text: str) -> str:
    lines = text.splitlines()
    kept = "\n".join(lines[:FIRST_LINES])
    whole = len(lines) <= FIRST_LINES and len(kept) <= FIRST_CHARACTERS
    return kept if whole else kept[:FIRST_CHARACTERS].rstrip() + "\n…"
