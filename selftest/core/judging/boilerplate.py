"""What a source says whatever it is asked: labels, notes, dates, titles. Pure: learnt from its answers, line by line.

Such lines tell no two answers apart. They are told from content by that: they stand in answers to different questions.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from selftest.core.judging.answer_item import with_straight_apostrophes

FEWEST_QUESTIONS = 4  # before anything is told of a source
FEWEST_SOURCES = 2  # that say so in most of their answers, before it is told of all
FEWEST_TIMES = 2  # that each of several sources says so, to different questions, where it does now and then
STANDS_SHARE = 0.8  # of them
FEWEST_BESIDE = 3  # other answers that such a line comes with
STATE_SHARE = 0.5  # of a source's answers; one that so often says nothing else has no boilerplate, but a state
QUESTIONS_REMEMBERED = 24  # of one source, the last ones
EVERY_SOURCE = ""
LINES_REMEMBERED = 60  # of one answer
FEWEST_ENDS = 3  # questions to which a line ends a section
ANY_QUESTION = "\N{OBJECT REPLACEMENT CHARACTER}"  # in place of what was asked, in a line that says so
QUESTION_END = re.compile(rf"{ANY_QUESTION}[.?!…]+")
FEWEST_WORDED = 3  # questions to which a line with that sign is said
END = "."  # before a question: its only line is the last one of a section in a merged answer
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
    The digest of a line with ANY_QUESTION begins with that; which sign ends the question there makes no other line.
    """
    line = with_straight_apostrophes(line)
    if ANY_QUESTION in line:
        return ANY_QUESTION + _digest(QUESTION_END.sub(ANY_QUESTION, line.casefold()))
    label = LABEL.match(line)
    if label:
        return _digest(label[1].casefold())
    words = WORD.findall(SERIAL.sub(" ", line.casefold()))
    is_exact = len(words) >= SENTENCE_WORDS or "://" in line
    return _digest(line.casefold() if is_exact else " ".join(words))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()


AnsweredLines = tuple[str, str, tuple[str, ...]]
"""A source, the words that it was asked, and the lines that it brought; after END the one that ends its section."""


Answers = list[tuple[str, list[str]]]
"""Of one source, oldest first: the digest of a question, and those of the lines of its answer; ends as ends."""


@dataclass
class Boilerplate:
    """answers: by source, of the last questions only."""

    answers: dict[str, Answers] = field(default_factory=dict)
    _lines: dict[str, frozenset[str]] | None = field(default=None, init=False, repr=False, compare=False)
    _told: dict[str, "_Told"] = field(default_factory=dict, init=False, repr=False, compare=False)

    def note(self, observed: Iterable[AnsweredLines]) -> None:
        """One more answer each; the last one to a question counts, of ends each."""
        for source, question, lines in observed:
            told = sorted({line_digest(line) for line in lines[:LINES_REMEMBERED]})
            is_end = question.startswith(END)
            key = END + _digest(question.casefold() + told[0]) if is_end else _digest(question.casefold())
            before = self.answers.get(source, [])
            if (key, told) not in before:
                alike = [other for other in before if other[0].startswith(END) == is_end and other[0] != key]
                unlike = [other for other in before if other[0].startswith(END) != is_end]
                self.answers[source] = [*unlike, *alike[1 - QUESTIONS_REMEMBERED :], (key, told)]
                self._lines = None
                self._told.pop(source, None)

    def lines(self) -> dict[str, frozenset[str]]:
        """source → the digests of its boilerplate lines; under EVERY_SOURCE what several sources say, and most of them.

        A source that has no boilerplate is left out.
        """
        if self._lines is None:
            self._lines = self._learnt()
        return self._lines

    def _learnt(self) -> dict[str, frozenset[str]]:
        for source in self.answers.keys() - self._told.keys():
            self._told[source] = _told_by(self.answers[source])
        by_source = {source: self._told[source] for source in self.answers}
        several = [told.in_most for told in by_source.values() if told.in_most is not None]
        said_by = Counter(line for lines in several for line in lines)
        fewest = max(FEWEST_SOURCES, STANDS_SHARE * len(several))
        in_most = frozenset(line for line, sources in said_by.items() if sources >= fewest)
        found = {source: told.boilerplate for source, told in by_source.items()}
        found[EVERY_SOURCE] = in_most | _at_many_questions(by_source.values())
        return {source: lines for source, lines in found.items() if lines}


@dataclass(frozen=True)
class _Told:
    """What the answers of one source tell, without those of others. in_most: what stands in most; None for one answer.

    repeated: line → the questions it is said to, where they are several. worded: how often each line is said that has
    ANY_QUESTION.
    """

    boilerplate: frozenset[str]
    in_most: frozenset[str] | None
    repeated: Mapping[str, frozenset[str]]
    worded: Counter[str]


def _told_by(answers: Answers) -> _Told:
    by_question = {key: _content_of(lines) for key, lines in answers if not key.startswith(END)}
    alone = list(by_question.values())
    told_apart = _told_apart(alone) if len(alone) >= FEWEST_QUESTIONS else frozenset()
    if _is_state(alone):
        ends, repeated = frozenset[str](), dict[str, frozenset[str]]()
    else:
        ends, repeated = _ends(answers, alone), _repeated(by_question)
    worded = Counter(line for _, lines in answers for line in lines if line.startswith(ANY_QUESTION))
    return _Told(told_apart | ends, _in_most(alone) if len(alone) > 1 else None, repeated, worded)


def _ends(answers: Answers, alone: Sequence[Sequence[str]]) -> frozenset[str]:
    """What ends sections to several questions, and is said alone too: "Please write before you come."."""
    times = Counter(line for key, lines in answers if key.startswith(END) for line in lines)
    said = {line for lines in alone for line in lines}
    return frozenset(line for line, count in times.items() if count >= FEWEST_ENDS and line in said)


def _repeated(by_question: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    questions = defaultdict[str, set[str]](set)
    for question, lines in by_question.items():
        for line in lines:
            questions[line].add(question)
    return {line: frozenset(keys) for line, keys in questions.items() if len(keys) >= FEWEST_TIMES}


def _at_many_questions(every: Collection[_Told]) -> frozenset[str]:
    """What several sources say now and then, to several questions each: "You may ask the web as well."."""
    by_line = defaultdict[str, list[frozenset[str]]](list)
    worded = Counter[str]()
    for told in every:
        worded += told.worded
        for line, questions in told.repeated.items():
            by_line[line].append(questions)
    said = (line for line, questions in by_line.items() if _is_said_anywhere(questions))
    return frozenset(said) | frozenset(line for line, times in worded.items() if times >= FEWEST_WORDED)


def _content_of(lines: Sequence[str]) -> list[str]:
    """Without those that are about the question."""
    return [line for line in lines if not line.startswith(ANY_QUESTION)]


def _is_said_anywhere(questions: Sequence[frozenset[str]]) -> bool:
    """questions: of each source that says it several times, those that it says it to."""
    return len(questions) >= FEWEST_SOURCES and len(frozenset().union(*questions)) >= FEWEST_QUESTIONS


def _in_most(answers: Sequence[Sequence[str]]) -> frozenset[str]:
    stands = Counter(line for lines in answers for line in lines)
    return frozenset(line for line, times in stands.items() if times >= STANDS_SHARE * len(answers))


def _told_apart(answers: Sequence[Sequence[str]]) -> frozenset[str]:
    """The lines in most answers, unless the source says nothing else: then they are its state.

    One that always comes with the same others is what they are: a state's first line.
    """
    shared = frozenset() if _is_state(answers) else _in_most(answers)
    beside = {line: {frozenset(lines) - shared for lines in answers if line in lines} for line in shared}
    return frozenset(line for line, others in beside.items() if len(others) >= FEWEST_BESIDE)


def _is_state(answers: Sequence[Sequence[str]]) -> bool:
    """Whether most of them say nothing but what stands in most of them."""
    shared = _in_most(answers)
    return sum(shared.issuperset(lines) for lines in answers) > STATE_SHARE * len(answers)


def is_boilerplate(line: str, source: str, known: Mapping[str, frozenset[str]]) -> bool:
    """Whether `source` says so whatever it is asked. known: digests of lines as a Boilerplate has learnt them."""
    digest = line_digest(line)
    return digest in known.get(source, ()) or digest in known.get(EVERY_SOURCE, ())
