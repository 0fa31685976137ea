"""What a target could have answered: with all promises kept, or one of them broken. Knows no rows and no time."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp

from selftest.core.generation.queries import ENCYCLOPEDIA_KINDS, FREE_KINDS, Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.allowed_sources import allowed_sources
from selftest.core.judging.answers import Answer
from selftest.core.judging.failure_phrases import failure_phrase
from selftest.core.judging.findings import CheckName

RULE = "\n\n---\n\n"
LINES = ("1 new today.", "As yesterday.", "2 found.", "7 of 7.")  # short, as there may be millions of them
DROPPED_SHARE = 0.8  # of the sections of a chain that may be missing: sources that had nothing
STAND_IN_SHARE = 0.1  # of answers that the documented fallback gives
SIGMA = 0.45  # of the log of a latency: the slowest in twenty take twice the median
MEDIANS_MS = {  # a keyword route is fast, a fan-out slow; in the proportions of the specification
    "no_intent_fallthrough": 900.0,
    "proper_noun_plus_pronoun_intent": 1100.0,
    "conditional_with_remainder": 1200.0,
    "nosplit_adjacent_to_real_conjunction": 1300.0,
    "multi_intent_chain": 1500.0,
    "discourse_framing_plus_real_keyword": 1600.0,
    "nested_proper_noun_pairs": 2000.0,
}
MEDIAN_MS = 1400.0  # of a recipe not in that list
CACHED_MS = (4.0, 40.0)
CRASHES = (
    ("TypeError: 'NoneType' object is not iterable", "merge", "for item in found:"),
    ("KeyError: 'articles'", "search", "return document['articles']"),
    ("TimeoutError: timed out", "consult", "return source.ask(text)"),
)
WEIGHTS = {  # two of them happen to any query now and then, the others show a defect of the router
    CheckName.CRASH: 1,
    CheckName.SOURCE_MISMATCH: 2,
    CheckName.PART_COUNT_MISMATCH: 4,
    CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX: 6,
    CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS: 4,
    CheckName.UNEXPECTED_EMPTY: 2,
    CheckName.LATENCY_OUTLIER: 4,
    CheckName.SECTION_REPEATED: 1,
    CheckName.ITEM_REPEATED: 1,
    CheckName.SECTION_BLANK: 1,
    CheckName.TEXT_BEFORE_HEADER: 1,
    CheckName.HEADER_UNKNOWN: 1,
    CheckName.SOURCE_CONTRADICTS_SECTIONS: 1,
    CheckName.PIECE_BLANK: 1,
    CheckName.FRAME_DEBRIS: 1,
}  # none that needs more than one answer
OPENING_LINE = "Here is what came up."
UNKNOWN_SOURCE = "ARCHIVE"  # in a header, where the name of a source should be


@dataclass(frozen=True)
class AnswerText:
    """The text of an answer and the source that gave it."""

    result: str
    source_used: str


@dataclass(frozen=True)
class PartAnswer:
    """What a part of a query gets: the section of a source, in any of these wordings."""

    source: str
    texts: tuple[str, ...]


class Answers:
    """What a router of this vocabulary answers. over_http: a status comes with it, and no traceback with a crash."""

    def __init__(self, vocabulary: Vocabulary, over_http: bool) -> None:
        self._vocabulary = vocabulary
        self._over_http = over_http
        # A vocabulary may list one of them as a failure phrase; with a list after it, it is content.
        self._lines = tuple(line if self._is_content(line) else f"{line}\n\n1. {line}" for line in LINES)
        self._ways: dict[CheckName, Callable[[Query, random.Random], AnswerText | None]] = {
            CheckName.CRASH: self._raw_traceback,
            CheckName.SOURCE_MISMATCH: self._stray,
            CheckName.PART_COUNT_MISMATCH: self._few_parts,
            CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX: self._without_encyclopedia,
            CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS: self._without_sections,
            CheckName.UNEXPECTED_EMPTY: self._empty,
            CheckName.SECTION_REPEATED: self._section_again,
            CheckName.ITEM_REPEATED: self._item_again,
            CheckName.SECTION_BLANK: self._blank_section,
            CheckName.TEXT_BEFORE_HEADER: self._text_first,
            CheckName.HEADER_UNKNOWN: self._strange_header,
            CheckName.SOURCE_CONTRADICTS_SECTIONS: self._wrongly_named,
            CheckName.PIECE_BLANK: self._blank_piece,
            CheckName.FRAME_DEBRIS: self._rule_last,
        }

    @property
    def http_status(self) -> int | None:
        """That of every answer."""
        return 200 if self._over_http else None

    def part_answers(self, parts: Sequence[Part]) -> list[PartAnswer]:
        """What the parts of a query get, in their order."""
        return [part_answer for part in parts if (part_answer := self.part_answer(part)) is not None]

    def part_answer(self, part: Part) -> PartAnswer | None:
        """What one part gets; None: nothing."""
        source = self._source(part)
        return None if source is None else PartAnswer(source, self._lines)

    def _source(self, part: Part) -> str | None:
        """The source that a router asks about this part by its own promises; None: no source."""
        if part.kind is PartKind.INTENT:
            return part.source
        if part.kind in FREE_KINDS:
            return min(self._vocabulary.sources_named_in(part.text), default=self._vocabulary.encyclopedia)
        if part.kind in ENCYCLOPEDIA_KINDS and part.kind is not PartKind.DISCOURSE:
            return self._vocabulary.encyclopedia
        return None

    def _is_content(self, text: str) -> bool:
        return failure_phrase(text, self._vocabulary.empty_phrases) is None

    def honest(self, recipe: str, part_answers: Sequence[PartAnswer], rng: random.Random) -> AnswerText:
        """An answer that keeps every promise: a section for each source, in the order asked."""
        found: dict[str, str] = {}
        for part_answer in part_answers:
            text = part_answer.texts[int(rng.random() * len(part_answer.texts))]
            before = found.get(part_answer.source)
            if before is None or text not in before:  # merging keeps each thing once
                found[part_answer.source] = f"{before}\n{text}" if before else text
        if recipe == "multi_intent_chain":
            self._drop_some(found, rng)
        elif recipe != "conditional_with_remainder" and len(found) == 1:
            ((source, text),) = found.items()
            stand_ins = self._vocabulary.fallbacks.get(source)
            if stand_ins and recipe == "no_intent_fallthrough" and rng.random() < STAND_IN_SHARE:
                source = stand_ins[0]
            return AnswerText(text, source)
        return self._merged(found)

    def _drop_some(self, found: dict[str, str], rng: random.Random) -> None:
        """At most half: fewer sections than that break the promise."""
        for _ in range(len(found) // 2):
            if rng.random() < DROPPED_SHARE:
                del found[list(found)[int(rng.random() * len(found))]]

    def _merged(self, found: dict[str, str]) -> AnswerText:
        return AnswerText(RULE.join(self._sections(found)), self._vocabulary.merged_source)

    def _sections(self, found: dict[str, str]) -> list[str]:
        headers = self._vocabulary.headers
        return [f"{headers[source]}\n{text}" for source, text in found.items()]

    def broken(self, check: CheckName, query: Query, latency_ms: float, rng: random.Random) -> Answer | None:
        """An answer that breaks the promise behind `check`; None where this query has no such promise."""
        if check is CheckName.CRASH and rng.random() < 0.8:
            return self._crash(latency_ms, rng)
        answer = self._ways[check](query, rng)
        return None if answer is None else Answer(answer.result, answer.source_used, latency_ms, self.http_status)

    def _crash(self, latency_ms: float, rng: random.Random) -> Answer:
        error, function, line = rng.choice(CRASHES)
        result = "" if self._over_http else _traceback(error, function, line)
        return Answer(result, "", latency_ms, self.http_status, error=error)

    def _raw_traceback(self, query: Query, rng: random.Random) -> AnswerText:
        answer = self.honest(query.recipe, self.part_answers(query.parts), rng)
        return AnswerText(f"{answer.result}\n{_traceback(*rng.choice(CRASHES))}", answer.source_used)

    def _stray(self, query: Query, rng: random.Random) -> AnswerText | None:
        strays = sorted(set(self._vocabulary.sources) - allowed_sources(query, self._vocabulary))
        return AnswerText(self._lines[0], rng.choice(strays)) if strays else None

    def _few_parts(self, query: Query, rng: random.Random) -> AnswerText | None:
        part_answers = self.part_answers(query.parts)
        if query.recipe != "multi_intent_chain" or len(part_answers) < 2:
            return None
        left = rng.sample(part_answers, (len(part_answers) - 1) // 2)
        return self._merged({found.source: found.texts[0] for found in left}) if left else self._alone(query)

    def _without_encyclopedia(self, query: Query, rng: random.Random) -> AnswerText | None:
        if query.recipe != "discourse_framing_plus_real_keyword":
            return None
        return self._alone(query)

    def _without_sections(self, query: Query, rng: random.Random) -> AnswerText | None:
        return self._alone(query) if query.recipe == "conditional_with_remainder" else None

    def _alone(self, query: Query) -> AnswerText:
        """The last thing asked for, as if nothing else had been."""
        part_answer = self.part_answers(query.parts)[-1]
        return AnswerText(part_answer.texts[0], part_answer.source)

    def _empty(self, query: Query, rng: random.Random) -> AnswerText | None:
        part_answers = self.part_answers(query.parts)
        phrase = rng.choice(self._vocabulary.empty_phrases) if self._vocabulary.empty_phrases else ""
        text = f"{phrase.capitalize()}." if phrase else ""
        found = {part_answer.source: part_answer.texts[0] for part_answer in part_answers}
        if len(found) == 1 or not phrase:
            return AnswerText(text, part_answers[0].source)
        found[rng.choice(list(found))] = text
        return self._merged(found)

    # --- how an answer is put together ---

    def _found(self, query: Query) -> dict[str, str]:
        return {part_answer.source: part_answer.texts[0] for part_answer in self.part_answers(query.parts)}

    def _framed(self, text: str) -> AnswerText:
        return AnswerText(text, self._vocabulary.merged_source)

    def _section_again(self, query: Query, rng: random.Random) -> AnswerText:
        sections = self._sections(self._found(query))
        return self._framed(RULE.join([*sections, rng.choice(sections)]))

    def _item_again(self, query: Query, rng: random.Random) -> AnswerText:
        found = self._found(query)
        source = rng.choice(list(found))
        times = len(query.clauses) + 1  # more often than parts could have brought it
        return self._merged({**found, source: "\n".join([found[source]] * times)})

    def _blank_section(self, query: Query, rng: random.Random) -> AnswerText:
        found = self._found(query)
        return self._merged({**found, rng.choice(list(found)): ""})

    def _text_first(self, query: Query, rng: random.Random) -> AnswerText:
        return self._framed(f"{OPENING_LINE}\n\n{self._merged(self._found(query)).result}")

    def _strange_header(self, query: Query, rng: random.Random) -> AnswerText:
        first, *others = self._sections(self._found(query))
        return self._framed(RULE.join([*others, re.sub(r"\w+", UNKNOWN_SOURCE, first, count=1)]))

    def _wrongly_named(self, query: Query, rng: random.Random) -> AnswerText:
        """One of several sources is named for all of them; or a merged answer, of what one alone has given."""
        found = self._found(query)
        if len(found) > 1:
            return AnswerText(self._merged(found).result, next(iter(found)))
        return self._framed(next(iter(found.values())))

    def _blank_piece(self, query: Query, rng: random.Random) -> AnswerText | None:
        sections = self._sections(self._found(query))
        return self._framed(f"{RULE.rstrip()}{RULE}".join(sections)) if len(sections) > 1 else None

    def _rule_last(self, query: Query, rng: random.Random) -> AnswerText:
        return self._framed(self._merged(self._found(query)).result + RULE.rstrip())


def latency_ms(recipe: str, rng: random.Random) -> float:
    """A random latency of one query."""
    return median_ms(recipe) * exp(rng.gauss(0.0, SIGMA))


def median_ms(recipe: str) -> float:
    """The median latency of a recipe."""
    return MEDIANS_MS.get(recipe, MEDIAN_MS)


def _traceback(error: str, function: str, line: str) -> str:
    return f'Traceback (most recent call last):\n  File "router.py", line 212, in {function}\n    {line}\n{error}\n'
