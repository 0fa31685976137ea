"""The mistakes that can be switched on. Each plants itself in one step; the router never asks which are in."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from selftest.core.vocabulary import Vocabulary
from selftest.targets.reference import framing
from selftest.targets.reference.chance import fraction
from selftest.targets.reference.conditional import Conditional
from selftest.targets.reference.decomposition import Guard, IsNoun, Joint, KeepClause, Text, keywords
from selftest.targets.reference.framing import Clause
from selftest.targets.reference.merging import RULE, HeaderOf, Section, body
from selftest.targets.reference.phrases import content_words, holds, straightened
from selftest.targets.reference.sources.base import Item
from selftest.targets.reference.steps import Ask, Routed, Steps

SLOW_S = 1.8  # above the one-second floor and far above one and a half times any honest answer
AFFLICTED_SHARE = 0.25  # of questions: often enough to be met within a cycle or two, too rare to look like a rule
MOST_CLAUSES = 3


@dataclass(frozen=True)
class Setting:
    """What a fault may look at when it is planted. sleep: seconds."""

    vocabulary: Vocabulary
    sleep: Callable[[float], None]


Plant = Callable[[Steps, Setting], Steps]


@dataclass(frozen=True)
class Fault:
    """seen: what a caller sees, in one sentence."""

    name: str
    seen: str
    plant: Plant


_faults: dict[str, Fault] = {}
FAULTS: Mapping[str, Fault] = MappingProxyType(_faults)


def fault(seen: str) -> Callable[[Plant], Plant]:
    def register(plant: Plant) -> Plant:
        _faults[plant.__name__] = Fault(plant.__name__, seen, plant)
        return plant

    return register


def marked_phrase(fault_name: str, vocabulary: Vocabulary) -> str:
    """The one keyword that a fault strikes at: the same in every process, another for another fault."""
    return min(keywords(vocabulary), key=lambda phrase: fraction(fault_name, phrase))


def is_afflicted(fault_name: str, text: str) -> bool:
    """Whether a fault that strikes at a share of all questions strikes at this one; the same at every asking."""
    return fraction(fault_name, straightened(text).casefold()) < AFFLICTED_SHARE


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


@fault("A discourse-framed query that holds any keyword is answered without the encyclopedia.")
def keywords_ignore_discourse(steps: Steps, setting: Setting) -> Steps:
    honest = steps.sources_of

    def sources_of(clause: Clause, vocabulary: Vocabulary) -> tuple[str, ...]:
        named = framing.named_sources(clause.query, vocabulary)
        return named if named and framing.is_framed(clause.text, vocabulary) else honest(clause, vocabulary)

    return replace(steps, sources_of=sources_of)


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


@fault("Every section is about the whole query, so the encyclopedia brings articles on words of the other intents.")
def whole_query_to_every_source(steps: Steps, setting: Setting) -> Steps:
    honest = steps.search_text

    def search_text(clause: Clause, source: str, vocabulary: Vocabulary) -> str:
        return honest(Clause(clause.query, clause.query), source, vocabulary)

    return replace(steps, search_text=search_text)


@fault('The encyclopedia brings articles on "everyone" and "talking" beside the subject, or in its place.')
def discourse_words_searched(steps: Steps, setting: Setting) -> Steps:
    return replace(steps, search_text=lambda clause, source, vocabulary: straightened(clause.text))


@fault("Of `if condition, consequence, remainder` only the condition is answered, with no header.")
def remainder_swallowed(steps: Steps, setting: Setting) -> Steps:
    return _reading_conditionals(steps, lambda conditional: replace(conditional, remainder=""))


@fault("Of `if condition, consequence, remainder` only the remainder is answered, with no header.")
def condition_swallowed(steps: Steps, setting: Setting) -> Steps:
    return _reading_conditionals(steps, lambda conditional: replace(conditional, condition="", consequence=""))


def _reading_conditionals(steps: Steps, misread: Callable[[Conditional], Conditional]) -> Steps:
    honest = steps.read_conditional

    def read(query: str, vocabulary: Vocabulary) -> Conditional | None:
        conditional = honest(query, vocabulary)
        if conditional is None or not conditional.remainder:
            return conditional
        return misread(conditional)

    return replace(steps, read_conditional=read)


@fault("From the fourth on, the intents of a long query get no section.")
def clause_swallowed_after_third(steps: Steps, setting: Setting) -> Steps:
    return _decomposing(steps, MOST_CLAUSES)


@fault("Of a query with several intents only the first is answered, with no header.")
def collapses_to_first_intent(steps: Steps, setting: Setting) -> Steps:
    return _decomposing(steps, 1)


def _decomposing(steps: Steps, most: int) -> Steps:
    honest = steps.decompose

    def decompose(
        query: str, vocabulary: Vocabulary, names: IsNoun, guards: Sequence[Guard], keep: KeepClause
    ) -> list[str]:
        return honest(query, vocabulary, names, guards, keep)[:most]

    return replace(steps, decompose=decompose)


@fault("The first section of a merged answer comes again at its end.")
def section_twice(steps: Steps, setting: Setting) -> Steps:
    honest = steps.merge

    def merge(found: Sequence[Section]) -> tuple[Section, ...]:
        sections = honest(found)
        return (*sections, sections[0]) if len(sections) > 1 else sections

    return replace(steps, merge=merge)


@fault("Every line of a section comes twice.")
def items_twice(steps: Steps, setting: Setting) -> Steps:
    honest = steps.merge

    def merge(found: Sequence[Section]) -> tuple[Section, ...]:
        return tuple(replace(section, items=section.items * 2) for section in honest(found))

    return replace(steps, merge=merge)


@fault("The last section of a merged answer has its header and nothing below it.")
def empty_section_kept(steps: Steps, setting: Setting) -> Steps:
    honest = steps.merge

    def merge(found: Sequence[Section]) -> tuple[Section, ...]:
        sections = honest(found)
        return (*sections[:-1], replace(sections[-1], items=())) if len(sections) > 1 else sections

    return replace(steps, merge=merge)


@fault("Sections are opened by headers that no documentation lists.")
def made_up_header(steps: Steps, setting: Setting) -> Steps:
    return replace(steps, header_of=lambda source, vocabulary: f"[{source.upper()} — ASSORTED FINDINGS]")


@fault("The sections of a merged answer stand without any header.")
def merged_without_headers(steps: Steps, setting: Setting) -> Steps:
    def write(sections: Sequence[Section], vocabulary: Vocabulary, header: HeaderOf) -> str:
        return RULE.join(map(body, sections))

    return replace(steps, write_merged=write)


@fault("Any query with one certain keyword in it ends in an exception.")
def exception_on_phrase(steps: Steps, setting: Setting) -> Steps:
    honest = steps.consult
    phrase = marked_phrase("exception_on_phrase", setting.vocabulary)

    def consult(source: str, text: str, ask: Ask) -> tuple[Item, ...]:
        if holds(text, (phrase,)):
            raise IndexError("list index out of range")
        return honest(source, text, ask)

    return replace(steps, consult=consult)


@fault("About one question in four brings a raw traceback in the text of its section.")
def traceback_in_text(steps: Steps, setting: Setting) -> Steps:
    honest = steps.consult

    def consult(source: str, text: str, ask: Ask) -> tuple[Item, ...]:
        found = honest(source, text, ask)
        return (*found, Item("traceback", _a_traceback())) if is_afflicted("traceback_in_text", text) else found

    return replace(steps, consult=consult)


def _a_traceback() -> str:
    try:
        raise KeyError("temperature")
    except KeyError:
        return traceback.format_exc().rstrip()


@fault("About one question in four is answered with a failure phrase, as the whole answer or as a whole section.")
def failure_phrase_as_content(steps: Steps, setting: Setting) -> Steps:
    honest = steps.consult
    phrase = next(iter(setting.vocabulary.empty_phrases), "could not connect")

    def consult(source: str, text: str, ask: Ask) -> tuple[Item, ...]:
        if is_afflicted("failure_phrase_as_content", f"{source} {text}"):
            return (Item(f"failure:{text}", f"{phrase.capitalize()}."),)
        return honest(source, text, ask)

    return replace(steps, consult=consult)


@fault("Any query with one certain keyword in it takes more than a second and a half.")
def slow_path(steps: Steps, setting: Setting) -> Steps:
    honest = steps.consult
    phrase = marked_phrase("slow_path", setting.vocabulary)

    def consult(source: str, text: str, ask: Ask) -> tuple[Item, ...]:
        if holds(text, (phrase,)):
            setting.sleep(SLOW_S)
        return honest(source, text, ask)

    return replace(steps, consult=consult)


@fault("An answer from one source says that it is from another, which nothing in the query names.")
def source_swapped(steps: Steps, setting: Setting) -> Steps:
    honest, vocabulary = steps.sign, setting.vocabulary

    def sign(routed: Routed, query: str) -> Routed:
        signed = honest(routed, query)
        meant = {vocabulary.encyclopedia, *framing.named_sources(query, vocabulary)}
        allowed = frozenset[str]().union(*(vocabulary.stand_ins(source) for source in meant))
        others = [source for source in vocabulary.sources if source not in allowed]
        if signed.source_used == vocabulary.merged_source or not others:
            return signed
        return replace(signed, source_used=others[0])

    return replace(steps, sign=sign)


@fault("About one query in four gets an answer with no text at all.")
def empty_answer(steps: Steps, setting: Setting) -> Steps:
    honest = steps.sign

    def sign(routed: Routed, query: str) -> Routed:
        signed = honest(routed, query)
        return replace(signed, result="") if is_afflicted("empty_answer", query) else signed

    return replace(steps, sign=sign)


@fault("A synthetic query fills the cache: asked again, it comes back at once and as cached.")
def cache_not_suppressed(steps: Steps, setting: Setting) -> Steps:
    return replace(steps, cache_is_suppressed=lambda: False)


def planted(steps: Steps, names: Sequence[str], setting: Setting) -> Steps:
    """`steps` with the named faults in, in the order of FAULTS. Raises ValueError for an unknown name."""
    unknown = sorted(set(names) - set(FAULTS))
    if unknown:
        raise ValueError(f"unknown fault {', '.join(map(repr, unknown))}; known: {', '.join(FAULTS)}")
    for known in FAULTS.values():
        if known.name in names:
            steps = known.plant(steps, setting)
    return steps
