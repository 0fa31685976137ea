"""Mistakes in what a source is asked, and in what is done where it has nothing."""

from collections.abc import Sequence
from dataclasses import replace

from selftest.targets.reference.zoo.faults.changes import rewording
from selftest.targets.reference.zoo.lexicon import normal_words
from selftest.targets.reference.zoo.router import World
from selftest.targets.reference.zoo.types import Asking, Block, Clause, Job, Reading, Section, Stages

FEWEST_WORDS = 3  # of a text that loses some


def first_word_only(stages: Stages, world: World) -> Stages:
    """Of one text in four that has three words or more, only the first is searched, next to other clauses."""

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        several = len(reading.clauses) > 1 and len(words.split()) >= FEWEST_WORDS
        return words.split()[0] if several and world.strikes("first_word_only", words, 0.25) else words

    return rewording(stages, changed)


def last_word_lost(stages: Stages, world: World) -> Stages:
    """The last clause of half of the queries with three or more is searched without its last word."""

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        is_last = len(reading.clauses) > 2 and clause is reading.clauses[-1]
        strikes = is_last and world.strikes("last_word_lost", reading.query, 0.5)
        return " ".join(words.split()[:-1]) if strikes else words

    return rewording(stages, changed)


def neighbours_words(stages: Stages, world: World) -> Stages:
    """The second clause of two queries in five is searched by the words of the first."""

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        is_second = len(reading.clauses) > 1 and clause is reading.clauses[1]
        strikes = is_second and world.strikes("neighbours_words", reading.query, 0.4)
        return reading.clauses[0].text if strikes else words

    return rewording(stages, changed)


def whole_query_searched(stages: Stages, world: World) -> Stages:
    """One source is asked the whole query instead of its own part."""
    greedy = world.pick("whole_query_searched", list(world.vocabulary.sources))
    return rewording(stages, lambda words, clause, source, reading: reading.query if source == greedy else words)


def encyclopedia_gets_rest(stages: Stages, world: World) -> Stages:
    """In half of the queries the encyclopedia is asked its own part and all that follows it."""
    encyclopedia = world.vocabulary.encyclopedia

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        at = reading.query.find(words)
        strikes = source == encyclopedia and at >= 0 and world.strikes("encyclopedia_gets_rest", reading.query, 0.5)
        return reading.query[at:] if strikes else words

    return rewording(stages, changed)


def framing_searched(stages: Stages, world: World) -> Stages:
    """The encyclopedia is asked the words of discourse framing too."""
    encyclopedia = world.vocabulary.encyclopedia

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        framed = source == encyclopedia and world.lexicon.discourse.search(clause.text)
        return clause.text if framed else words

    return rewording(stages, changed)


def nosplit_searched(stages: Stages, world: World) -> Stages:
    """The encyclopedia is asked "compare" along with the names to compare, as if it were one of them."""
    encyclopedia = world.vocabulary.encyclopedia

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        held = source == encyclopedia and world.lexicon.nosplit.search(clause.text)
        return clause.text if held else words

    return rewording(stages, changed)


def capitals_not_searched(stages: Stages, world: World) -> Stages:
    """Words of a keyword with a capital behind a small letter, or all in capitals, are not searched for."""

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        if not world.lexicon.by_source.get(source, world.lexicon.pairs).search(words):
            return words
        kept = [word for word in words.split() if word[1:].casefold() == word[1:]]
        return " ".join(kept) or source

    return rewording(stages, changed)


def signs_searched(stages: Stages, world: World) -> Stages:
    """A keyword in quotes or brackets is searched together with the word "quoted"."""

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        return f"{words} quoted" if words.startswith(('"', "“", "«", "(")) else words

    return rewording(stages, changed)


def today_added(stages: Stages, world: World) -> Stages:
    """In queries of four parts or more, "today" is added to what the first is searched by."""

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        return f"{words} today" if len(reading.clauses) > 3 and clause is reading.clauses[0] else words

    return rewording(stages, changed)


def half_a_pair_searched(stages: Stages, world: World) -> Stages:
    """Of half of the pairs of names only the second is searched for, next to other clauses."""

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        pair = world.lexicon.pairs.search(words)
        strikes = pair and len(reading.clauses) > 1 and world.strikes("half_a_pair_searched", pair[0], 0.5)
        return words.split()[-1] if strikes else words

    return rewording(stages, changed)


def odd_stand_in(stages: Stages, world: World) -> Stages:
    """Where a source has nothing, one answers that is no documented stand-in."""
    vocabulary = world.vocabulary

    def stand_ins(job: Job) -> tuple[str, ...]:
        documented = vocabulary.stand_ins(job.source)
        others = [source for source in vocabulary.sources if source not in documented]
        return (world.pick("odd_stand_in", others),)

    return replace(stages, stand_ins=stand_ins)


def empty_source_ends_search(stages: Stages, world: World) -> Stages:
    """Behind a source that has nothing no other one is asked."""
    honest = stages.gather

    def gather(blocks: Sequence[Block], asking: Asking) -> tuple[Section, ...]:
        ends = next(
            (at for at, block in enumerate(blocks) if block.source != block.job.source or not block.items), None
        )
        return honest(blocks if ends is None else blocks[: ends + 1], asking)

    return replace(stages, gather=gather)


def empty_source_ends_answer(stages: Stages, world: World) -> Stages:
    """One source that has nothing itself makes the whole answer an empty one."""
    gather = stages.gather

    def gather_all(blocks: Sequence[Block], asking: Asking) -> tuple[Section, ...]:
        failed = len(blocks) > 1 and any(not b.items or b.source != b.job.source for b in blocks)
        return gather([replace(block, items=()) for block in blocks] if failed else blocks, asking)

    return replace(stages, gather=gather_all)


def words_in_order_of_letters(stages: Stages, world: World) -> Stages:
    """Long texts are searched by their words in the order of letters, each once, next to other clauses."""

    def changed(words: str, clause: Clause, source: str, reading: Reading) -> str:
        if len(words.split()) < 6 or len(reading.clauses) < 2:
            return words
        return " ".join(sorted(set(normal_words(words))))

    return rewording(stages, changed)
