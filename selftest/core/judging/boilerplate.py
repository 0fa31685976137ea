"""What a source says whatever it is asked: labels, notes, dates, titles. Pure: learnt from its answers, line by line.

Such lines tell no two answers apart. They are told from content by that: they stand in answers to different questions.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

FEWEST_QUESTIONS = 4  # before anything is told of a source
FEWEST_SOURCES = 2  # that say so in most of their answers, before it is told of all
FEWEST_TIMES = 2  # that each of several sources says so, to different questions, where it does now and then
STANDS_SHARE = 0.8  # of them
STATE_SHARE = 0.5  # of a source's answers; one that so often says nothing else has no boilerplate, but a state
QUESTIONS_REMEMBERED = 24  # of one source, the last ones
EVERY_SOURCE = ""
LINES_REMEMBERED = 60  # of one answer
DIGEST_BYTES = 5
SENTENCE_WORDS = 6
WORD = re.compile(r"[^\W\d_]+")
SERIAL = re.compile(r"(?<![^\W_])(?=[^\W\d_]*\d)(?=\d*[^\W\d_])[^\W_]{6,}(?![^\W_])")  # "trace 644d5336"
# "Source: a.example", "- Did you mean: kettle?"; what has more words behind it is a sentence
LABEL = re.compile(r"\W*((?:[^\W\d]+ ){0,3}[^\W\d]+): \S+(?: \S+){0,2}\s*$")


@lru_cache(maxsize=8192)  # the lines of a part are held against many queries
def line_digest(line: str) -> str:
    """The same for lines that differ in what follows the same label; for short ones also in figures and signs alone,
    and in identifiers.

    A sentence is another one with other figures: "between 10:15 and midnight the reading drops to 7"; so is an address.
    """
    label = LABEL.match(line)
    if label:
        return _digest(label[1].casefold())
    words = WORD.findall(SERIAL.sub(" ", line.casefold()))
    is_exact = len(words) >= SENTENCE_WORDS or "://" in line
    return _digest(line.casefold() if is_exact else " ".join(words))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()


AnsweredLines = tuple[str, str, tuple[str, ...]]
"""A source, the words that it was asked, and the lines that it brought."""


Answers = list[tuple[str, list[str]]]
"""Of one source, oldest first: the digest of a question, and those of the lines of its answer."""


@dataclass
class Boilerplate:
    """answers: by source, of the last questions only."""

    answers: dict[str, Answers] = field(default_factory=dict)
    _lines: dict[str, frozenset[str]] | None = field(default=None, init=False, repr=False, compare=False)

    def note(self, observed: Iterable[AnsweredLines]) -> None:
        """One more answer each; the last one to a question counts."""
        for source, question, lines in observed:
            key = _digest(question.casefold())
            answer = (key, sorted({line_digest(line) for line in lines[:LINES_REMEMBERED]}))
            before = self.answers.get(source, [])
            if answer not in before:
                others = [other for other in before if other[0] != key]
                self.answers[source] = [*others, answer][-QUESTIONS_REMEMBERED:]
                self._lines = None

    def lines(self) -> dict[str, frozenset[str]]:
        """source → the digests of its boilerplate lines; under EVERY_SOURCE what several sources say, and most of them.

        A source that has no boilerplate is left out.
        """
        if self._lines is None:
            self._lines = self._learnt()
        return self._lines

    def _learnt(self) -> dict[str, frozenset[str]]:
        by_source = {source: [lines for _, lines in answers] for source, answers in self.answers.items()}
        found = {
            source: _told_apart(answers) for source, answers in by_source.items() if len(answers) >= FEWEST_QUESTIONS
        }
        several = [_in_most(answers) for answers in by_source.values() if len(answers) > 1]
        said_by = Counter(line for lines in several for line in lines)
        fewest = max(FEWEST_SOURCES, STANDS_SHARE * len(several))
        in_most = frozenset(line for line, sources in said_by.items() if sources >= fewest)
        found[EVERY_SOURCE] = in_most | self._at_many_questions()
        return {source: lines for source, lines in found.items() if lines}

    def _at_many_questions(self) -> frozenset[str]:
        """What several sources say now and then, to several questions each: "You may ask the web as well."."""
        questions = defaultdict[str, dict[str, set[str]]](lambda: defaultdict(set))  # line → source → digests
        for source, answers in self.answers.items():
            if not _is_state([lines for _, lines in answers]):
                for question, lines in answers:
                    for line in lines:
                        questions[line][source].add(question)
        return frozenset(line for line, by_source in questions.items() if _is_said_anywhere(by_source.values()))


def _is_said_anywhere(questions: Collection[set[str]]) -> bool:
    """questions: of each source that says it, those that it says it to."""
    several = [of_source for of_source in questions if len(of_source) >= FEWEST_TIMES]
    return len(several) >= FEWEST_SOURCES and len(frozenset().union(*several)) >= FEWEST_QUESTIONS


def _in_most(answers: Sequence[Sequence[str]]) -> frozenset[str]:
    stands = Counter(line for lines in answers for line in lines)
    return frozenset(line for line, times in stands.items() if times >= STANDS_SHARE * len(answers))


def _told_apart(answers: Sequence[Sequence[str]]) -> frozenset[str]:
    """The lines in most answers, unless the source says nothing else: then they are its state."""
    return frozenset() if _is_state(answers) else _in_most(answers)


def _is_state(answers: Sequence[Sequence[str]]) -> bool:
    """Whether most of them say nothing but what stands in most of them."""
    shared = _in_most(answers)
    return sum(shared.issuperset(lines) for lines in answers) > STATE_SHARE * len(answers)


def is_boilerplate(line: str, source: str, known: Mapping[str, frozenset[str]]) -> bool:
    """Whether `source` says so whatever it is asked. known: digests of lines as a Boilerplate has learnt them."""
    digest = line_digest(line)
    return digest in known.get(source, ()) or digest in known.get(EVERY_SOURCE, ())
