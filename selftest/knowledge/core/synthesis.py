"""An answer of a few sentences above the results, each with the result that it rests on. Pure.

Nothing is said that a result does not say: a sentence is a template's few words around a piece's own. What a language
model makes of it stands only where each sentence cites what holds its figures and names.
"""

import re
from collections.abc import Mapping, Sequence

import sentencex

from selftest.knowledge.core.answers import Citation, Hit, Synthesis
from selftest.knowledge.core.chunks import Kind
from selftest.knowledge.core.words import LANGUAGES, content_words, folded, language_of, stem, words_of

MOST_CITED = 3
LEAST_HELD = 0.5  # of the query's words in what is quoted; below it, an answer would be a guess
SHORTEST, LONGEST = 15, 320  # characters of a sentence that is quoted
WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {"do": "What to do", "run": "Run", "verdict": "Judged", "target": "Target"},
    "de": {"do": "Was zu tun ist", "run": "Befehl", "verdict": "Beurteilt", "target": "Ziel"},
}
_CITED = re.compile(r"\[(\d{1,2})\]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-ZÄÖÜ][\w-]*")
_STANDS_APART = re.compile(r"^\s*(?:[|#>`-]|\d+\.)")


def composed(query: str, hits: Sequence[Hit], locale: str) -> Synthesis | None:
    """What the best results say; None where what they would be quoted with does not hold the words of the query."""
    words = WORDS.get(locale[:2].lower(), WORDS["en"])
    best = ((hit, _said(query, hit, words)) for hit in hits[:MOST_CITED])
    told = [(hit, said) for hit, said in best if "exact" in hit.matched_by or held(query, said, hit) >= LEAST_HELD]
    if not told or told[0][0] is not hits[0]:
        return None
    text = " ".join(f"{said} [{number}]" for number, (_, said) in enumerate(told, start=1))
    return Synthesis(text, citations([hit for hit, _ in told]))


def citations(hits: Sequence[Hit]) -> tuple[Citation, ...]:
    """By their number in the text."""
    return tuple(
        Citation(number, hit.id, hit.title, next((action.url for action in hit.actions if action.url), ""))
        for number, hit in enumerate(hits, start=1)
    )


def held(query: str, said: str, hit: Hit) -> float:
    """The share of the query's words that is said, in [0, 1], by their stems in the result's language."""
    language = hit.language if hit.language in LANGUAGES else "en"
    wanted = {stem(word, language) for word in content_words(words_of(query), language_of(query, language))}
    there = {stem(word, language) for word in words_of(said)}
    return len(wanted & there) / len(wanted) if wanted else 0.0


def rests_on_sources(text: str, sources: Mapping[int, str]) -> bool:
    """Whether each sentence cites one of the sources, and these have every figure and name of it.

    sources: what each number stands for.
    """
    sentences = [each for each in sentencex.segment("en", text.strip()) if each.strip()]
    joined: list[str] = []
    for each in sentences:  # a citation behind the full stop belongs to the sentence before it
        behind = re.match(r"^(?:\s*\[\d{1,2}\])+", each)
        if behind and joined:
            joined[-1] += behind.group()
            each = each[behind.end() :]  # noqa: PLW2901
        if each.strip():
            joined.append(each)
    return bool(joined) and all(_rests(each, sources) for each in joined)


def _rests(sentence: str, sources: Mapping[int, str]) -> bool:
    numbers = [int(number) for number in _CITED.findall(sentence)]
    plain = _CITED.sub("", sentence).strip()
    if not numbers or not words_of(plain) or any(number not in sources for number in numbers):
        return False
    text = " ".join(sources[number] for number in numbers)
    if not set(_NUMBER.findall(plain)) <= set(_NUMBER.findall(text)):
        return False
    there = set(folded(text).replace("-", " ").split()) | set(map(folded, words_of(text)))
    return all(set(map(folded, words_of(name))) <= there for name in _NAME.findall(plain))


def _said(query: str, hit: Hit, words: Mapping[str, str]) -> str:
    details = hit.details
    if hit.kind == Kind.API:
        return _ended(hit.title)
    if hit.kind == Kind.DOCTOR:
        told = details.get("description") or (_best(query, hit) if hit.preview else "")
        parts = [_ended(f"{hit.title}: {told}" if told else hit.title)]
        if details.get("remedy"):
            parts.append(f"{words['do']}: {_ended(str(details['remedy']))}")
        if details.get("runCommand"):
            parts.append(f"{words['run']}: `{details['runCommand']}`.")
        return " ".join(parts)
    if hit.kind == Kind.CAUSE:
        verdict = f" {words['verdict']}: {_ended(str(details['verdict']))}" if details.get("verdict") else ""
        return _ended(hit.title) + verdict
    if hit.kind in (Kind.DOCS, Kind.GUARANTEE):
        best = _best(query, hit)
        return _ended(f"{hit.title}: {best}" if best else hit.title)
    return _ended(_best(query, hit) or hit.title)


def _best(query: str, hit: Hit) -> str:
    """The sentence of a result that has most words of the query, the first of equal ones."""
    language = hit.language if hit.language in LANGUAGES else "en"
    wanted = {stem(word, language) for word in content_words(words_of(query), language)}
    prose = "\n".join(line for line in hit.preview.splitlines() if not _STANDS_APART.match(line))
    said = (*sentencex.segment(language, prose), *sentencex.segment(language, hit.snippet.text))
    whole = [" ".join(each.split()) for each in said if "|" not in each and "…" not in each]  # no row, nothing cut
    fit = [each for each in whole if SHORTEST <= len(each) <= LONGEST]
    if not fit:
        return ""
    return max(fit, key=lambda each: len(wanted & {stem(word, language) for word in words_of(each)}))


def _ended(text: str) -> str:
    shown = " ".join(text.split())
    return shown if shown.endswith((".", "!", "?", ":", "`")) else f"{shown}."
