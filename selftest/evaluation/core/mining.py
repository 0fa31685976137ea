"""Pairs and topics that a target's own answers speak of, the likeliest first. Pure: no clock, no database.

Only its encyclopedia is read for topics: other sources tell of the house, the weather or the day, and no query asks
for these by name. Nothing is checked here: `suggestions` does.

No conditions: a condition has to be something that a source can answer, and a clause with "if" or "when" in an answer
tells of the world instead. Of 800 answers of the bundled router all such clauses were seven like "when it comes near
the Sun", and what queries had asked before; causes hold no words but those of queries.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import split_sections
from selftest.evaluation.core.suggestions import ARTICLES, Candidate, SuggestionKind

MOST_PAIRS = 15
MOST_TOPICS = 25
FEWEST_ANSWERS = 2  # that speak of a topic which no title names
SUBJECT_WORDS = 3
CAPITALISED = r"[A-Z][^\W\d_]+(?:[ -][A-Z][^\W\d_]+){0,2}"
PAIR = re.compile(rf"(?<![\w-])({CAPITALISED}) and (?:the )?({CAPITALISED})(?![\w-])")
TITLE = re.compile(r"^\W{0,4}([^\W\d_][\w' -]{2,50}?)(?: \([^)\n]*\))?(?::| [—–-] )", re.M)
SUBJECT = re.compile(
    r"(?:^|[.!?:—] )((?:The |An? )?[A-Z][\w'-]*(?: [\w'-]+){0,3}?) (?:is|are|was|were)(?! not\b)\b", re.M
)
NAME_WITHIN = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
# What begins a sentence and is no subject that could be asked for, or stands before one that is something else.
NO_SUBJECT_WORDS = (
    "it this that these those they there he she we you i what which who here his her its their our my your each every "
    "all some most many one two three no none not in on at of by for to from with as if when where while since and or "
    "but so then about before after under over between among both only also first last such because until again word "
    "name term"
)
NO_SUBJECT = frozenset(NO_SUBJECT_WORDS.split())


@dataclass(frozen=True)
class GivenAnswer:
    """An answer and its source. asked: phrases of its query. is_flagged: an open cause rests on it."""

    text: str
    source: str
    asked: tuple[str, ...] = ()
    is_flagged: bool = False


@dataclass
class _Seen:
    """In how many answers something was seen, and how it was written."""

    answers: Counter[str]
    flagged: Counter[str]
    titles: set[str]

    def note(self, names: Iterable[str], answer: GivenAnswer) -> None:
        for name in set(names):
            self.answers[name] += 1
            self.flagged[name] += answer.is_flagged

    def ranked(self) -> list[str]:
        """Those of flagged answers first, as what breaks something is worth more; then the most frequent, by name."""
        return sorted(self.answers, key=lambda name: (not self.flagged[name], -self.answers[name], name))

    def why(self, name: str) -> str:
        count, flagged = self.answers[name], self.flagged[name]
        said = f"in {count} answer{'s' * (count != 1)} of the target"
        return f"{said}, {flagged} of them flagged" if flagged else said


def mine(answers: Iterable[GivenAnswer], vocabulary: Vocabulary) -> list[Candidate]:
    """Pairs of names joined by “and”, and topics: titles and subjects of sentences. The same text counts once."""
    pairs, topics = (_Seen(Counter(), Counter(), set()) for _ in range(2))
    names: set[str] = set()  # words with a capital within a sentence
    for answer in {(one.text, one.source): one for one in answers}.values():
        sections = split_sections(answer.text, vocabulary.headers)
        known = [section.text for section in sections if (section.source or answer.source) == vocabulary.encyclopedia]
        prose = _without(answer.asked, "\n".join(known))
        names |= set(NAME_WITHIN.findall(prose))
        pairs.note((f"{first} and {second}" for first, second in map(_two, PAIR.finditer(prose)) if first), answer)
        titles = {_topic(title) for title in TITLE.findall(prose)} - {""}
        topics.titles |= titles
        topics.note(titles | ({_topic(subject) for subject in SUBJECT.findall(prose)} - {""}), answer)
    frequent = [name for name in topics.ranked() if name in topics.titles or topics.answers[name] >= FEWEST_ANSWERS]
    found = [Candidate(SuggestionKind.PAIR, name, pairs.why(name)) for name in pairs.ranked()[:MOST_PAIRS]]
    for name in frequent[:MOST_TOPICS]:
        text = name.capitalize() if name.capitalize() in names else name
        found.append(Candidate(SuggestionKind.TOPIC, text, topics.why(name)))
    return found


def _without(asked: Iterable[str], prose: str) -> str:
    """A target that repeats what it was asked says nothing new by that."""
    phrases = {phrase.strip().removeprefix("if ") for phrase in asked}
    told = sorted((re.escape(phrase) for phrase in phrases if phrase), key=len, reverse=True)
    return re.sub(rf"(?<!\w)(?:{'|'.join(told)})(?!\w)", "…", prose, flags=re.I) if told else prose


def _two(match: re.Match[str]) -> tuple[str, str]:
    """The names without an article; two times "" where one is what a sentence begins with."""
    first, second = (" ".join(_without_article(name.split())) for name in match.groups())
    is_pair = first and second and first != second and first.casefold() not in NO_SUBJECT
    return (first, second) if is_pair else ("", "")


def _topic(name: str) -> str:
    """As it is asked for: without an article, its first letter small where the rest does not say that it is a name."""
    words = _without_article(name.split())
    if not words or len(words) > SUBJECT_WORDS or NO_SUBJECT & {words[0].casefold(), words[-1].casefold()}:
        return ""
    if any(word[:1].isupper() for word in words[1:]) or not words[0][1:].islower():
        return " ".join(words)
    return " ".join([words[0].casefold(), *words[1:]])


def _without_article(words: list[str]) -> list[str]:
    return words[1:] if words and words[0].casefold() in ARTICLES else words
