"""Mistakes in what is one clause and what are two, and in which of them count."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.chance import fraction
from selftest.targets.reference.conditional import Conditional
from selftest.targets.reference.decomposition import Guard, IsNoun, Joint, KeepClause, Text
from selftest.targets.reference.faults.registry import Setting, fault
from selftest.targets.reference.framing import named_sources
from selftest.targets.reference.phrases import content_words, holds
from selftest.targets.reference.steps import Steps

SENTENCE_END = re.compile("[?!…]")
MOST_CLAUSES = 3  # the first three of five are over half, so no count of sections gives this away


@fault('After a pair, "and I …" is not split off, and the pair or the request is lost.')
def pronoun_as_noun(steps: Steps, setting: Setting) -> Steps:
    honest = steps.is_noun
    return replace(steps, is_noun=lambda word: honest(word) or word.split("'")[0] == "I")


@fault("One pair of names anywhere keeps the whole query in one piece, so the pair or other intents get no section.")
def pair_vetoes_splitting(steps: Steps, setting: Setting) -> Steps:
    return replace(steps, guard_pairs=_all_or_none(steps.guard_pairs))


@fault('One "compare" or "versus" anywhere keeps the whole query in one piece, so its subject gets no section.')
def nosplit_vetoes_splitting(steps: Steps, setting: Setting) -> Steps:
    return replace(steps, guard_nosplit=_all_or_none(steps.guard_nosplit))


def _all_or_none(honest: Guard) -> Guard:
    def guard(text: Text) -> frozenset[Joint]:
        return frozenset(text.joints) if honest(text) else frozenset()

    return guard


@fault("Of several pairs only the first is kept whole; the halves of the others are looked up apart.")
def only_first_pair_guarded(steps: Steps, setting: Setting) -> Steps:
    honest = steps.guard_pairs

    def first_of(text: Text) -> frozenset[Joint]:
        return frozenset(sorted(honest(text))[:1])

    return replace(steps, guard_pairs=first_of)


@fault('An intent made of stop words alone, such as "is it up", gets no section.')
def stop_word_keywords_dropped(steps: Steps, setting: Setting) -> Steps:
    return replace(steps, keep_clause=_also_dropping(steps.keep_clause, lambda clause: not content_words(clause)))


@fault('An intent of three letters or fewer, such as "rss", is dropped or swallows the rest of the query.')
def short_keywords_dropped(steps: Steps, setting: Setting) -> Steps:
    return replace(steps, keep_clause=_also_dropping(steps.keep_clause, lambda clause: len(clause) <= 3))


def _also_dropping(honest: KeepClause, drops: Callable[[str], bool]) -> KeepClause:
    def keep(clause: str, vocabulary: Vocabulary) -> bool:
        return not drops(clause) and honest(clause, vocabulary)

    return keep


@fault("From the fourth on, the intents of a long query get no section.")
def clause_swallowed_after_third(steps: Steps, setting: Setting) -> Steps:
    return _decomposing(steps, lambda clauses: clauses[:MOST_CLAUSES])


@fault("Of a query with several intents only the first is answered, with no header.")
def collapses_to_first_intent(steps: Steps, setting: Setting) -> Steps:
    return _decomposing(steps, lambda clauses: clauses[:1])


@fault("Intents of one certain source are answered only where they come first.")
def answered_only_in_first_place(steps: Steps, setting: Setting) -> Steps:
    source = next(iter(setting.vocabulary.sources))

    def first_or_other(clauses: list[str]) -> list[str]:
        others = [clause for clause in clauses[1:] if named_sources(clause, setting.vocabulary) != (source,)]
        return [*clauses[:1], *others]

    return _decomposing(steps, first_or_other)


@fault("Of several intents of one source only the first is answered.")
def one_intent_a_source(steps: Steps, setting: Setting) -> Steps:
    def firsts(clauses: list[str]) -> list[str]:
        first: dict[tuple[str, ...], str] = {}
        for clause in clauses:
            named = named_sources(clause, setting.vocabulary)
            first.setdefault(named or (clause,), clause)
        return list(first.values())

    return _decomposing(steps, firsts)


def _decomposing(steps: Steps, kept: Callable[[list[str]], list[str]]) -> Steps:
    honest = steps.decompose

    def decompose(
        query: str, vocabulary: Vocabulary, names: IsNoun, guards: Sequence[Guard], keep: KeepClause
    ) -> list[str]:
        return kept(honest(query, vocabulary, names, guards, keep))

    return replace(steps, decompose=decompose)


@fault("What one certain conjunction joins is not parted, so one source answers for both or the halves are mixed up.")
def conjunction_overlooked(steps: Steps, setting: Setting) -> Steps:
    honest, overlooked = steps.guard_nosplit, _marked_conjunction("conjunction_overlooked", setting.vocabulary)

    def guard(text: Text) -> frozenset[Joint]:
        return honest(text) | {joint for joint in text.joints if holds(text.text[slice(*joint)], (overlooked,))}

    return replace(steps, guard_nosplit=guard)


@fault("What follows one certain conjunction is not answered.")
def clause_after_conjunction_dropped(steps: Steps, setting: Setting) -> Steps:
    honest, marked = steps.decompose, _marked_conjunction("clause_after_conjunction_dropped", setting.vocabulary)

    def decompose(
        query: str, vocabulary: Vocabulary, names: IsNoun, guards: Sequence[Guard], keep: KeepClause
    ) -> list[str]:
        clauses = honest(query, vocabulary, names, guards, keep)
        return [clause for clause in clauses if f" {marked} {clause}".casefold() not in f" {query}".casefold()]

    return replace(steps, decompose=decompose)


def _marked_conjunction(fault_name: str, vocabulary: Vocabulary) -> str:
    """One that no pair is joined by, where there is one."""
    said = " ".join(vocabulary.seeds.proper_noun_pairs).casefold()
    free = [word.strip() for word in vocabulary.conjunctions if word.casefold() not in said]
    return min(free or map(str.strip, vocabulary.conjunctions), key=lambda word: fraction(fault_name, word))


@fault("Only the first sentence of a query is read, and a question or an exclamation mark ends it wherever it stands.")
def only_first_sentence_read(steps: Steps, setting: Setting) -> Steps:
    honest = steps.decompose

    def decompose(
        query: str, vocabulary: Vocabulary, names: IsNoun, guards: Sequence[Guard], keep: KeepClause
    ) -> list[str]:
        return honest(SENTENCE_END.split(query)[0] or query, vocabulary, names, guards, keep)

    return replace(steps, decompose=decompose)


@fault("A condition is answered alone, with no header, and the remainder that follows it is lost.")
def remainder_swallowed(steps: Steps, setting: Setting) -> Steps:
    return _reading_conditionals(steps, lambda conditional: replace(conditional, remainder=""))


@fault("Of `if condition, consequence, remainder` only the remainder is answered, with no header.")
def condition_swallowed(steps: Steps, setting: Setting) -> Steps:
    return _reading_conditionals(steps, lambda conditional: replace(conditional, condition="", consequence=""))


@fault("A condition in second or third place is not answered, and neither is its consequence.")
def later_condition_swallowed(steps: Steps, setting: Setting) -> Steps:
    honest = steps.read_conditional

    def read(query: str, vocabulary: Vocabulary) -> Conditional | None:
        conditional = honest(query, vocabulary)
        if conditional is None or not conditional.before:
            return conditional
        return replace(conditional, condition="", consequence="")

    return replace(steps, read_conditional=read)


def _reading_conditionals(steps: Steps, misread: Callable[[Conditional], Conditional]) -> Steps:
    honest = steps.read_conditional

    def read(query: str, vocabulary: Vocabulary) -> Conditional | None:
        conditional = honest(query, vocabulary)
        if conditional is None or not conditional.remainder:
            return conditional
        return misread(conditional)

    return replace(steps, read_conditional=read)
