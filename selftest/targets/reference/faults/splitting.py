"""Mistakes in what is one clause and what are two, and in which of them count. Each knows one step, none another."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.chance import marked
from selftest.targets.reference.phrases import content_words, holds, named_sources
from selftest.targets.reference.steps import (
    Conditional,
    Conjunction,
    Guard,
    GuardedText,
    IsNoun,
    KeepClause,
    Steps,
)

SENTENCE_END = re.compile("[?!…]")
MOST_CLAUSES = 3  # the first three of five are over half, so no count of sections gives this away


def pronoun_as_noun(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """After a pair, "and I …" is not split off, and the pair or the request is lost."""
    honest = steps.is_noun
    return replace(steps, is_noun=lambda word: honest(word) or word.split("'")[0] == "I")


def pair_vetoes_splitting(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """One pair of names anywhere keeps the whole query in one piece, so the pair or other intents get no section."""
    return replace(steps, guard_pairs=_all_or_none(steps.guard_pairs))


def nosplit_vetoes_splitting(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """One "compare" or "versus" anywhere keeps the whole query in one piece, so its subject gets no section."""
    return replace(steps, guard_nosplit=_all_or_none(steps.guard_nosplit))


def _all_or_none(honest: Guard) -> Guard:
    def guard(text: GuardedText) -> frozenset[Conjunction]:
        return frozenset(text.conjunctions) if honest(text) else frozenset()

    return guard


def only_first_pair_guarded(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Of several pairs only the first is kept whole; the halves of the others are looked up separately."""
    honest = steps.guard_pairs

    def first_of(text: GuardedText) -> frozenset[Conjunction]:
        return frozenset(sorted(honest(text))[:1])

    return replace(steps, guard_pairs=first_of)


def stop_word_keywords_dropped(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """An intent made of stop words alone, such as "is it up", gets no section."""
    return replace(steps, keep_clause=_also_dropping(steps.keep_clause, lambda clause: not content_words(clause)))


def short_keywords_dropped(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """An intent of three letters or fewer, such as "rss", is dropped or swallows the rest of the query."""
    return replace(steps, keep_clause=_also_dropping(steps.keep_clause, lambda clause: len(clause) <= 3))


def _also_dropping(honest: KeepClause, drops: Callable[[str], bool]) -> KeepClause:
    def keep(clause: str) -> bool:
        return not drops(clause) and honest(clause)

    return keep


def clause_swallowed_after_third(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """From the fourth on, the intents of a long query get no section."""
    return _decomposing(steps, lambda clauses: clauses[:MOST_CLAUSES])


def collapses_to_first_intent(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Of a query with several intents only the first is answered, with no header."""
    return _decomposing(steps, lambda clauses: clauses[:1])


def answered_only_in_first_place(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Intents of one particular source are answered only where they come first."""
    source = next(iter(vocabulary.sources))

    def first_or_other(clauses: list[str]) -> list[str]:
        others = [clause for clause in clauses[1:] if named_sources(clause, vocabulary.sources) != (source,)]
        return [*clauses[:1], *others]

    return _decomposing(steps, first_or_other)


def one_intent_a_source(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Of several intents of one source only the first is answered."""

    def firsts(clauses: list[str]) -> list[str]:
        first: dict[tuple[str, ...], str] = {}
        for clause in clauses:
            named = named_sources(clause, vocabulary.sources)
            first.setdefault(named or (clause,), clause)
        return list(first.values())

    return _decomposing(steps, firsts)


def _decomposing(steps: Steps, kept: Callable[[list[str]], list[str]]) -> Steps:
    honest = steps.decompose

    def decompose(query: str, is_noun: IsNoun, guards: Sequence[Guard], keep: KeepClause) -> list[str]:
        return kept(honest(query, is_noun, guards, keep))

    return replace(steps, decompose=decompose)


def conjunction_overlooked(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """What one particular conjunction joins is not split, so one source answers for both or the halves are mixed up."""
    honest, overlooked = steps.guard_nosplit, marked_conjunction("conjunction_overlooked", vocabulary)

    def guard(text: GuardedText) -> frozenset[Conjunction]:
        return honest(text) | {
            conjunction for conjunction in text.conjunctions if holds(text.text[slice(*conjunction)], (overlooked,))
        }

    return replace(steps, guard_nosplit=guard)


def clause_after_conjunction_dropped(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """What follows one particular conjunction is not answered."""
    honest, struck = steps.decompose, marked_conjunction("clause_after_conjunction_dropped", vocabulary)

    def decompose(query: str, is_noun: IsNoun, guards: Sequence[Guard], keep: KeepClause) -> list[str]:
        clauses = honest(query, is_noun, guards, keep)
        return [clause for clause in clauses if f" {struck} {clause}".casefold() not in f" {query}".casefold()]

    return replace(steps, decompose=decompose)


def marked_conjunction(fault_name: str, vocabulary: Vocabulary) -> str:
    """One conjunction that joins no known pair, if possible."""
    pairs = " ".join(vocabulary.seeds.proper_noun_pairs).casefold()
    free = [word.strip() for word in vocabulary.conjunctions if word.casefold() not in pairs]
    return marked(fault_name, free or [word.strip() for word in vocabulary.conjunctions])


def only_first_sentence_read(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Only the first sentence of a query is read, and any question or exclamation mark ends it."""
    honest = steps.decompose

    def decompose(query: str, is_noun: IsNoun, guards: Sequence[Guard], keep: KeepClause) -> list[str]:
        return honest(SENTENCE_END.split(query)[0] or query, is_noun, guards, keep)

    return replace(steps, decompose=decompose)


def remainder_swallowed(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """A condition is answered alone, with no header, and the remainder that follows it is lost."""
    return _reading_conditionals(steps, lambda conditional: replace(conditional, remainder=""))


def condition_swallowed(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """Of `if condition, consequence, remainder` only the remainder is answered, with no header."""
    return _reading_conditionals(steps, lambda conditional: replace(conditional, condition="", consequence=""))


def later_condition_swallowed(steps: Steps, vocabulary: Vocabulary) -> Steps:
    """A condition in second or third place is not answered, and neither is its consequence."""
    honest = steps.read_conditional

    def read(query: str) -> Conditional | None:
        conditional = honest(query)
        if conditional is None or not conditional.before:
            return conditional
        return replace(conditional, condition="", consequence="")

    return replace(steps, read_conditional=read)


def _reading_conditionals(steps: Steps, misread: Callable[[Conditional], Conditional]) -> Steps:
    honest = steps.read_conditional

    def read(query: str) -> Conditional | None:
        conditional = honest(query)
        if conditional is None or not conditional.remainder:
            return conditional
        return misread(conditional)

    return replace(steps, read_conditional=read)
