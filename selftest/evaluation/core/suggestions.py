"""What a vocabulary may grow by: candidates, and why one is unfit. Pure: no clock, no database, no target.

A candidate comes from a language model or out of a target's answers, and is trusted in nothing.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from selftest.core.generation.vocabulary import Vocabulary, phrases_pattern

FEWEST_CHARACTERS = 3
MOST_CHARACTERS = 80
MOST_ANSWER_CHARACTERS = 100_000
MOST_CANDIDATES = 60  # of one round: a person reads each
UNFIT_CHARACTERS = 200  # kept of the text of one that is unfit
NAME = r"(?:[^\W\d_]|\d)[\w'’.-]*"
NAME_WORDS = 3  # of each side of a pair
MOST_WORDS = {"pair": 8, "condition": 12, "topic": 5}
ARTICLES = frozenset({"the", "a", "an"})
HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # Unicode's classes of what is not seen
SHAPE = re.compile(r"[\w '’.&-]+")
CONDITION = re.compile(r"if \w.*", re.I)
# Function words that tell a language, and are no words of another one here.
LANGUAGES = {
    "English": frozenset(["the", "of", "is", "are", "if", "with", "from", "about", "what"]),
    "German": frozenset(["der", "das", "und", "ist", "wenn", "mit", "nicht", "ein", "eine", "über", "für"]),
    "French": frozenset(["les", "des", "est", "une", "pour", "avec", "dans", "sur", "qui", "si"]),
    "Spanish": frozenset(["el", "los", "las", "una", "por", "con", "para", "está"]),
    "Italian": frozenset(["il", "gli", "della", "sono", "che", "di", "per"]),
    "Dutch": frozenset(["het", "een", "niet", "als", "voor", "van"]),
}


class SuggestionKind(StrEnum):
    """What a suggestion is. The values are stored."""

    PAIR = "pair"
    CONDITION = "condition"
    TOPIC = "topic"


# A topic follows a discourse phrase and stands alone.
SEED_LISTS = {
    SuggestionKind.PAIR: ("proper_noun_pairs",),
    SuggestionKind.CONDITION: ("conditions",),
    SuggestionKind.TOPIC: ("discourse_topics", "open_topics"),
}


@dataclass(frozen=True)
class Candidate:
    """Something a vocabulary might grow by. why: where it was seen, or what the model says."""

    kind: SuggestionKind
    text: str
    why: str = ""


@dataclass(frozen=True)
class Unfit:
    """A candidate that no person needs to look at, and the reason."""

    candidate: Candidate
    reason: str


@dataclass
class Sorted:
    """Candidates that are fit, their spaces made single; and the others."""

    fit: list[Candidate] = field(default_factory=list)
    unfit: list[Unfit] = field(default_factory=list)


# --- what a model answered ---


class UnreadableAnswerError(ValueError):
    """The answer holds no list of candidates. The message says why."""


def read_answer(text: str) -> Sorted:
    """The candidates of an answer `{"pairs": [text], "conditions": [text], "topics": [text]}`, also in a fence.

    Nothing is checked yet; what is no text is unfit. Raises UnreadableAnswerError.
    """
    if len(text) > MOST_ANSWER_CHARACTERS:
        raise UnreadableAnswerError(f"the answer is longer than {MOST_ANSWER_CHARACTERS} characters")
    document = _document(text)
    if not isinstance(document, dict):
        raise UnreadableAnswerError("the answer is no object with pairs, conditions and topics")
    read = Sorted()
    for kind in SuggestionKind:
        _read_list(kind, document.get(f"{kind}s", []), read)
    del read.unfit[MOST_CANDIDATES:]
    return read


def _document(text: str) -> Any:
    body = text[text.find("{") : text.rfind("}") + 1]  # some models put a fence or a sentence around it
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as fault:
        raise UnreadableAnswerError("the answer is not JSON") from fault


def _read_list(kind: SuggestionKind, entries: object, read: Sorted) -> None:
    if not isinstance(entries, list):
        read.unfit.append(Unfit(Candidate(kind, _cut(entries)), "a list is needed"))
        return
    for entry in entries:
        if not isinstance(entry, str):
            read.unfit.append(Unfit(Candidate(kind, _cut(entry)), "no text"))
        elif len(read.fit) < MOST_CANDIDATES:
            read.fit.append(Candidate(kind, entry, "proposed by the model"))
        else:
            read.unfit.append(Unfit(Candidate(kind, _cut(entry)), f"more than {MOST_CANDIDATES} at once"))


def _cut(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=True)
    return text[:UNFIT_CHARACTERS]


# --- the checks ---


def sort_out(candidates: Iterable[Candidate], vocabulary: Vocabulary, known: Iterable[Candidate] = ()) -> Sorted:
    """Which of the candidates are fit for this vocabulary.

    known: those that wait or were refused; `why` says which, as it ends the sentence "like …, which …".
    """
    taken = {_key(one): f"like “{one.text}”, which {one.why}" for one in (*_of_vocabulary(vocabulary), *known)}
    sorted_out = Sorted()
    for given in candidates:
        candidate = replace(given, text=given.text.strip())
        reason = unfit_reason(candidate, vocabulary) or taken.get(_key(candidate), "")
        if reason:
            sorted_out.unfit.append(Unfit(replace(candidate, text=_cut(candidate.text)), reason))
            continue
        fit = replace(candidate, text=_plain(candidate.text))
        taken[_key(fit)] = f"like “{fit.text}”, which comes before it"
        sorted_out.fit.append(fit)
    return sorted_out


def unfit_reason(candidate: Candidate, vocabulary: Vocabulary) -> str:
    """Why this text alone is unfit for the vocabulary, "" where it is fit. Duplicates are looked for by `sort_out`."""
    text = candidate.text
    if any(unicodedata.category(character) in HIDDEN for character in text):
        return "holds a character that cannot be seen"
    text = _plain(text)
    if not FEWEST_CHARACTERS <= len(text) <= MOST_CHARACTERS:
        return f"{len(text)} characters; from {FEWEST_CHARACTERS} to {MOST_CHARACTERS} are fit"
    if not SHAPE.fullmatch(text) or not any(map(str.isalpha, text)):
        return "holds other signs than letters, digits and those of names"
    if len(text.split()) > MOST_WORDS[candidate.kind]:
        return f"more than {MOST_WORDS[candidate.kind]} words"
    return _form_fault(candidate.kind, text) or _language_fault(text, vocabulary) or _words_fault(candidate, vocabulary)


def _form_fault(kind: SuggestionKind, text: str) -> str:
    if kind is SuggestionKind.PAIR:
        return "" if _sides(text) else "no two names joined by “and”"
    if kind is SuggestionKind.CONDITION:
        is_one = CONDITION.fullmatch(text) and len(re.findall(r"\bif\b", text, re.I)) == 1
        return "" if is_one and len(text.split()) > 2 else "no condition that begins with “if”"
    return ""


def _sides(text: str) -> tuple[str, str] | None:
    """The two names of a pair; None for anything else."""
    sides = text.split(" and ")
    if len(sides) != 2:
        return None
    for side in sides:
        words = [word for word in side.split() if word.casefold() not in ARTICLES]
        if not words or len(words) > NAME_WORDS or not (words[0][0].isupper() or words[0][0].isdigit()):
            return None
    return sides[0], sides[1]


def _language_fault(text: str, vocabulary: Vocabulary) -> str:
    own = " ".join(_phrases(vocabulary))
    foreign = sorted(_scripts(text) - _scripts(own))
    if foreign:
        return f"in {', '.join(foreign).lower()} letters, which the vocabulary has none of"
    spoken, words = _languages(own), _languages(text)
    if words and spoken and not words & spoken:
        return f"in another language than the vocabulary: {', '.join(sorted(words))}"
    return ""


def _scripts(text: str) -> set[str]:
    return {unicodedata.name(letter, "UNKNOWN").split()[0] for letter in text if letter.isalpha()}


def _languages(text: str) -> set[str]:
    """Of which a function word stands in the text."""
    words = set(text.casefold().split())
    return {language for language, telling in LANGUAGES.items() if words & telling}


def _words_fault(candidate: Candidate, vocabulary: Vocabulary) -> str:
    """A condition may hold keywords, as it is routed by them; no other may."""
    said = _unaccented(candidate.text)
    if candidate.kind is not SuggestionKind.CONDITION and (named := vocabulary.sources_named_in(said)):
        return f"holds a keyword of {', '.join(sorted(named))}"
    if candidate.kind is SuggestionKind.PAIR:
        said = " / ".join(_sides(_plain(candidate.text)) or ())
    lists = {
        "a conjunction": [phrase.strip(" ,") for phrase in vocabulary.conjunctions],
        "a phrase that must not split": vocabulary.nosplit_phrases,
        "a discourse phrase": vocabulary.discourse_phrases,
        "a phrase for no result": vocabulary.empty_phrases,
    }
    for words, phrases in lists.items():
        usable = [phrase for phrase in phrases if phrase]
        if usable and (found := re.search(phrases_pattern(usable), said.casefold())):
            return f"holds {words}: “{found[0]}”"
    return ""


# --- what counts as the same ---


def _key(candidate: Candidate) -> tuple[str, ...]:
    """Equal for texts that look alike: case, accents, plural, articles, dashes and the order of a pair apart."""
    text = _unaccented(candidate.text).casefold()
    if candidate.kind is SuggestionKind.PAIR:
        return (candidate.kind, *sorted(_bare(side) for side in text.split(" and ")))
    return (candidate.kind, _bare(text))


def _bare(text: str) -> str:
    words = re.findall(r"[^\W_]+", re.sub(r"['’]", "", text))
    return " ".join(_singular(word) for word in words if word not in ARTICLES)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "oes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _plain(text: str) -> str:
    """In Unicode's compatible form, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _unaccented(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", _plain(text)) if not unicodedata.combining(c))


def _of_vocabulary(vocabulary: Vocabulary) -> list[Candidate]:
    return [
        Candidate(kind, text, "the vocabulary has")
        for kind, lists in SEED_LISTS.items()
        for name in lists
        for text in getattr(vocabulary.seeds, name)
    ]


def _phrases(vocabulary: Vocabulary) -> list[str]:
    seeds = vocabulary.seeds
    keywords = [phrase for phrases in vocabulary.sources.values() for phrase in phrases]
    lists: Sequence[Sequence[str]] = (keywords, vocabulary.conjunctions, vocabulary.discourse_phrases)
    own = [phrase for phrases in lists for phrase in phrases]
    return [*own, *seeds.conditions, *seeds.consequences, *seeds.pronoun_requests, *seeds.open_topics]


def key_text(candidate: Candidate) -> str:
    """The same for candidates that count as the same."""
    return " / ".join(_key(candidate))


# --- what is made of those that fit ---


def simplest_query(candidate: Candidate, vocabulary: Vocabulary) -> str:
    """What shows how a target takes it: itself, and a condition with a consequence."""
    if candidate.kind is SuggestionKind.CONDITION and vocabulary.seeds.consequences:
        return f"{candidate.text}, {vocabulary.seeds.consequences[0]}"
    return candidate.text


def grown(document: dict[str, Any], accepted: Iterable[Candidate]) -> dict[str, Any]:
    """The vocabulary document with these at the end of their lists. What a list holds already stays once."""
    seeds = {name: list(phrases) for name, phrases in document.get("seeds", {}).items()}
    for candidate in accepted:
        for name in SEED_LISTS[candidate.kind]:
            phrases = seeds.setdefault(name, [])
            if candidate.text.casefold() not in map(str.casefold, phrases):
                phrases.append(candidate.text)
    return {**document, "seeds": seeds}
