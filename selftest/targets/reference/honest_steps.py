"""The honest implementation of every step, put together for one vocabulary. Runs none of them."""

from collections.abc import Callable
from functools import partial

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference import cache, conditional, merging, source_choice, splitting
from selftest.targets.reference.steps import AskSource, FoundItem, Routed, Steps


def honest_steps(vocabulary: Vocabulary, sleep: Callable[[float], None]) -> Steps:
    """The steps of a router without faults that routes by `vocabulary`."""
    return Steps(
        read_conditional=partial(conditional.read_conditional, vocabulary=vocabulary),
        is_noun=splitting.is_noun,
        guard_pairs=partial(splitting.guard_pairs, vocabulary=vocabulary),
        guard_nosplit=partial(splitting.guard_nosplit, vocabulary=vocabulary),
        keep_clause=partial(splitting.keep_clause, vocabulary=vocabulary),
        decompose=partial(splitting.decompose, vocabulary=vocabulary),
        sources_of=partial(source_choice.sources_of, vocabulary=vocabulary),
        search_text=partial(source_choice.search_text, vocabulary=vocabulary),
        consult=_consult,
        merge=merging.merge,
        header_of=vocabulary.headers.__getitem__,
        write_merged=merging.write_merged,
        sign=_sign,
        cache_is_suppressed=cache.is_suppressed,
        sleep=sleep,
    )


def _consult(source: str, text: str, ask: AskSource) -> tuple[FoundItem, ...]:
    """Asks `source` for `text`, and does nothing else."""
    return ask(source, text)


def _sign(routed: Routed, query: str) -> Routed:
    """The answer goes out as it is."""
    return routed
