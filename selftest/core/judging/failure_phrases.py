"""Whether a text is only a failure phrase, or content that at most mentions one. Pure; looks at signs and lengths."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

SHORT_STATEMENT_CHARACTERS = 60  # one that names its subject first: "The feed is not configured."
SHORT_STATEMENT_WORDS = 8
ADVICE_CHARACTERS = 160  # what may follow a failure: "Please try again later."
LONG_STATEMENT_CHARACTERS = 600  # one that opens with the phrase may continue with the exception's own words
LIST_ITEM = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s+")
MARKED_LINE = re.compile(r"^\s*(?:[-*•–]\s|\d+[.)]\s|[#\[])", re.M)  # an item of a list, or any header
# What underlines the header, and "(1 of 5)" on a line of its own.
ABOVE = re.compile(r"(?:[^\w\n()]+\n)?(?:\s*\([^()\n]*\)\s*\n)?\s*")
PARAGRAPH_END = re.compile(r"\n\s*\n")
SECOND_SENTENCE = re.compile(r"[.!?…;]\s")
# How a sentence begins that says what to do, and nothing that a source knows.
ADVICE = re.compile(
    r"(?:please|try|retry|check|use|set|see|add|enter|provide|configure|enable|export|define|install|start|restart|run|"
    r"update|verify|make sure|contact|ask|you (?:need|have) to|to (?:enable|use|configure|fix) (?:it|this)|is it|"
    r"bitte|prüfen?|setzen?|versuchen?|veuillez|vérifiez)\b"
)
ASIDE = re.compile(r"(?<=\w)[^\S\n](?:\([^()\n]*\)|(?:to |at )?https?://\S+)")  # "(gateway answered late)", an address
NO_WORD = re.compile(r"^\W+")
# "Error: …", "Sorry, …", "uptime — …", "[error] …"
LEAD_IN = re.compile(r"^\W*(?:(?:[\w '’/-]|\.(?!\s)){1,40}(?:[:,–—]\s+|[\])>]\W*(?!$)))?")
SECOND_LEAD_IN = re.compile(r"[^\W\d][\w '’/-]{0,39}:\s+")  # "web: SearXNG: …", in a line of its own
BARE_LEAD_IN = re.compile(r"\W*[^\W\d]+(?: [^\W\d]+)?[^\w.]*")  # "Error", "# Search failed:" and no more


def failure_phrase(text: str, phrases: tuple[str, ...]) -> str | None:
    """The failure phrase that `text` *is*, or None where it is content that at most mentions one.

    A statement of one paragraph counts when it opens with the phrase (after "Error:" and kin), or is one short sentence
    that holds it and is no item of a list; sentences or lines that only say what to do may follow it. A list of several
    counts when each item opens with a phrase. Several paragraphs count when the first, or the second after a bare
    "Error", opens with the phrase, or names its subject and says what to do, and no more than a little follows. News
    about people who "could not connect" is content, and so is a report of which one sentence says so.

    Limits: nothing but signs, lengths and how advice begins is looked at. A long sentence that names its subject first
    is missed; content in one breath with a failure is taken for it ("All doors locked, garage sensor not configured.",
    "Garage sensor: not configured. All doors locked.").
    """
    statement = text.strip().casefold()
    if not statement or len(statement) > LONG_STATEMENT_CHARACTERS:
        return None
    return _failure_of(statement, phrases)


def failure_of_section(text: str, phrases: tuple[str, ...]) -> str | None:
    """The same of a section as relations read it: what underlines its header is of that, and a line in brackets above,
    such as "(1 of 5)", of the answer. Below its first line may stand a list of what to do, with its heading.

    The specification's check of empty sections looks at all of their text.
    """
    above = ABOVE.match(text)
    if above and not mentions_any(phrases).search(above[0].casefold()):
        text = text[above.end() :]
    told = [line.strip() for line in text.splitlines() if line.strip()]
    lists_advice = len(told) > 2 and heads_advice(told[1:])
    return failure_phrase(told[0] if lists_advice else text, phrases)


@lru_cache(maxsize=2048)  # each section is looked at by several checks
def _failure_of(statement: str, phrases: tuple[str, ...]) -> str | None:
    if not mentions_any(phrases).search(statement):
        return None
    if PARAGRAPH_END.search(statement):
        return _phrase_of_paragraphs(statement, phrases)
    lines = statement.splitlines()
    items = [line for line in lines if LIST_ITEM.match(line)]
    clauses = items if len(items) > 1 else [statement]
    opened_with = [_opening_phrase(LIST_ITEM.sub("", clause), phrases) for clause in clauses]
    if None not in opened_with:
        return opened_with[0]
    sentence, *others = (one for line in lines for one in SECOND_SENTENCE.split(line) if one)
    if items or not _is_advice(others):
        return None
    return _phrase_in_short(sentence, phrases)


def _phrase_of_paragraphs(statement: str, phrases: tuple[str, ...]) -> str | None:
    first, *others = (paragraph.strip() for paragraph in PARAGRAPH_END.split(statement))
    if BARE_LEAD_IN.fullmatch(first):
        first, *others = others
    advice = "\n".join(others)
    if len(advice) >= ADVICE_CHARACTERS or MARKED_LINE.search(advice) or LIST_ITEM.match(first):
        return None
    opened_with = _opening_phrase(first, phrases, then=r"(?!,)")  # "Nothing to report, said the master." begins a story
    sentence, *sentences = SECOND_SENTENCE.split(first)
    if opened_with is not None or not sentences or not _is_advice(sentences):
        return opened_with
    return _phrase_in_short(sentence, phrases)


def _phrase_in_short(sentence: str, phrases: tuple[str, ...]) -> str | None:
    """The phrase that a short sentence holds, after naming its subject. What stands in brackets makes it no longer."""
    sentence = ASIDE.sub("", sentence)
    if len(sentence) > SHORT_STATEMENT_CHARACTERS or len(sentence.split()) > SHORT_STATEMENT_WORDS:
        return None
    return next((phrase for phrase in phrases if _words(phrase).search(sentence)), None)


def _is_advice(sentences: Sequence[str]) -> bool:
    """Whether each says what to do; true of none."""
    return sum(map(len, sentences)) < ADVICE_CHARACTERS and all(ADVICE.match(one.strip()) for one in sentences)


def heads_advice(lines: Iterable[str]) -> bool:
    """Whether the first of them announces the others, which are a short list of what to do."""
    heading, *listed = (*lines, "")
    is_short = sum(map(len, listed)) < ADVICE_CHARACTERS
    return heading.endswith(":") and is_short and all(map(_is_advice_item, listed[:-1]))


def _is_advice_item(line: str) -> bool:
    mark = LIST_ITEM.match(line)
    return mark is not None and ADVICE.match(line[mark.end() :].casefold()) is not None


@lru_cache(maxsize=64)
def mentions_any(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Finds no less than the phrases one by one do; nearly every section is told to be none of them at once."""
    opened_by = (NO_WORD.sub("", phrase) for phrase in phrases)
    return re.compile("|".join(_words(phrase).pattern for phrase in dict.fromkeys((*opened_by, *phrases))) or r"(?!)")


@lru_cache(maxsize=1024)  # every section is held against every phrase
def _words(phrase: str, then: str = "") -> re.Pattern[str]:
    spaced = r"\s+".join(map(re.escape, phrase.casefold().split()))
    return re.compile(rf"(?<!\w){spaced}(?!\w){then}")


def _opening_phrase(statement: str, phrases: tuple[str, ...], then: str = "") -> str | None:
    openings = [statement]
    if lead_in := LEAD_IN.match(statement):
        openings.append(statement[lead_in.end() :])
        second = SECOND_LEAD_IN.match(openings[-1]) if lead_in[0].rstrip().endswith(":") else None
        if second and "\n" not in statement:
            openings.append(openings[-1][second.end() :])
    openings = [NO_WORD.sub("", opening) for opening in openings]
    for phrase in phrases:
        if any(_words(NO_WORD.sub("", phrase), then).match(opening) for opening in openings):
            return phrase
    return None
