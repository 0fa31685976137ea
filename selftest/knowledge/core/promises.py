"""Which sentence of a target's own documentation makes the promise that a check holds it to. Pure: words alone.

A sentence makes a promise where it holds a word of each idea of that promise; one idea may stand in its headings
instead. English only: in another language no sentence is found.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import sentencex

from selftest.core.judging.findings import CheckName
from selftest.knowledge.core.words import stem, words_of

LONGEST_SENTENCE, FEWEST_WORDS = 250, 4  # a longer one is a list, a shorter one a label
MOST_SENTENCES = 20_000  # of one document
BY_HEADING = 0.6  # what an idea counts that only the headings name
BINDING = 0.5  # what a word such as "never" adds: without one a sentence tells, and promises nothing
MORE_WORDS, MOST_MORE = 0.1, 0.5  # for each further word of the promise
LEAST_SCORE = 2.5  # below this, sentences of the documentations that this was tried on made other promises

IDEAS: Mapping[CheckName, tuple[str, ...]] = {
    CheckName.CRASH: ("answer respond response reply returns", "error exception crash traceback trace fails failure"),
    CheckName.SOURCE_MISMATCH: (
        "source provider backend engine",
        "keyword keywords words word trigger triggers term",
        "route routed routes decides decide picks chosen chooses leads sends",
    ),
    CheckName.PART_COUNT_MISMATCH: (
        "several multiple parts part intents questions",
        "section sections headed",
        "each every own one",
    ),
    CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX: (
        "encyclopedia encyclopaedia kiwix wikipedia",
        "talking everyone discourse framing heard",
    ),
    CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS: (
        "if condition conditional",
        "remainder rest half halves unrelated both",
        "section sections part parts separate separately",
    ),
    CheckName.UNEXPECTED_EMPTY: (
        "empty nothing blank failure",
        "answer reply source provider",
        "never instead fallback fallbacks stand omitted left",
    ),
    CheckName.LATENCY_OUTLIER: (
        "second seconds ms milliseconds latency slower",
        "answer reply query request response",
        "within most limit under percentile longer exceeds",
    ),
    CheckName.SECTION_REPEATED: ("section sections header", "one once single together twice", "source provider"),
    CheckName.ITEM_REPEATED: (
        "item items entry entries headline headlines result results story stories",
        "once duplicate duplicates twice repeated deduplicated",
    ),
    CheckName.SECTION_BLANK: (
        "section sections header heading",
        "empty nothing blank without",
        "left omitted dropped skipped removed hidden leaves shown",
    ),
    CheckName.TEXT_BEFORE_HEADER: (
        "header headers heading",
        "first above below before under begins starts preamble",
        "text content everything answer reply",
    ),
    CheckName.HEADER_UNKNOWN: (
        "header headers heading",
        "exact exactly listed fixed documented vocabulary",
        "source provider section sections",
    ),
    CheckName.SOURCE_CONTRADICTS_SECTIONS: ("source", "used", "sections section several merged name names"),
    CheckName.PIECE_BLANK: ("rule rules separator divider", "between separates separated", "section sections content"),
    CheckName.FRAME_DEBRIS: (
        "placeholder placeholders separator rule template markup",
        "beginning end filled appears shown raw leak leaks",
        "never only no",
    ),
    CheckName.PART_LOST: (
        "part parts intent intents request requests",
        "lost dropped missing ignored forgotten",
        "every each all nothing never no none",
    ),
    CheckName.PART_DIFFERS: (
        "part parts section",
        "alone itself separately",
        "same change changes influence influences affect affects",
    ),
    CheckName.PAIR_BROKEN: (
        "pair pairs names name title titles",
        "split splits separated broken",
        "never not one whole together",
    ),
    CheckName.ORDER_MATTERS: (
        "order",
        "parts part sections questions queries query",
        "same any change changes affect affects regardless matter matters",
    ),
    CheckName.CONJUNCTION_MATTERS: (
        "conjunction conjunctions connector connectors joining",
        "same any alike equivalent interchangeable equally",
    ),
    CheckName.ASKED_TWICE_DIFFERS: (
        "same identical repeated twice again",
        "query queries question words request",
        "sources source provider route routed results result",
        "always same deterministic chance random every",
    ),
    CheckName.SYNTHETIC_QUERY_CACHED: ("cache caches cached", "test tests synthetic selftest automatic automated"),
    CheckName.PART_SLOW: (
        "phrase phrases keyword keywords",
        "time latency seconds slower long",
        "same similar more times other",
    ),
}

BINDS = "must always never every each guarantee guaranteed promise exactly only no none cannot nothing all any"


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: its text, with the headings that it stands under."""

    text: str
    headings: tuple[str, ...]
    anchor: str


@dataclass(frozen=True, slots=True)
class PromiseFound:
    """The sentence, where it stands, and how well it fits: more is better."""

    text: str
    anchor: str
    score: float


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(word, "en") for word in words)


_IDEAS = {check: tuple(_stems(words.split()) for words in ideas) for check, ideas in IDEAS.items()}
_BINDS = _stems(BINDS.split())


def promises_in(passages: Iterable[Passage]) -> dict[CheckName, PromiseFound]:
    """For each check the best sentence; the first of several that are as good. None for a check without one."""
    best: dict[CheckName, PromiseFound] = {}
    for sentence, passage, said, above in _sentences(passages):
        for check, ideas in _IDEAS.items():
            score = _score(ideas, said, above)
            if score >= LEAST_SCORE and (check not in best or score > best[check].score):
                best[check] = PromiseFound(sentence, passage.anchor, score)
    return best


def _sentences(passages: Iterable[Passage]) -> Iterator[tuple[str, Passage, frozenset[str], frozenset[str]]]:
    left = MOST_SENTENCES
    for passage in passages:
        above = _stems(word for heading in passage.headings for word in words_of(heading))
        for line in passage.text.split("\n"):
            if " | " in line:  # a row of a table
                continue
            for sentence in map(str.strip, sentencex.segment("en", line)):
                left -= 1
                if left < 0:
                    return
                words = words_of(sentence)
                if len(words) >= FEWEST_WORDS and len(sentence) <= LONGEST_SENTENCE and not sentence.endswith("?"):
                    yield sentence, passage, _stems(words), above


def _score(ideas: tuple[frozenset[str], ...], said: frozenset[str], above: frozenset[str]) -> float:
    """0 where it makes another promise."""
    named = [idea & said for idea in ideas]
    silent = [idea for idea, words in zip(ideas, named, strict=True) if not words]
    if len(silent) > 1 or (len(ideas) == 2 and silent) or any(not idea & above for idea in silent):
        return 0.0
    # Ideas of any number count as three: how many a promise has says nothing about how well a sentence fits it.
    fit = 3 * (len(ideas) - (1 - BY_HEADING) * len(silent)) / len(ideas)
    more = min(MOST_MORE, MORE_WORDS * (sum(map(len, named)) - len(ideas) + len(silent)))
    return round(fit + more + (BINDING if said & _BINDS else -BINDING), 6)
