"""What a text states, clause by clause: which words matter, whether they are affirmed, of what, and when. Pure."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import snowballstemmer

from selftest.findings.core import lexicon
from selftest.findings.core.categories import Scope

MOST_CLAUSES = 12  # of a text: what stands further back is rationale
MOST_REMEMBERED = 20_000  # texts; the next save on a subject meets the same ones

_ENGLISH = snowballstemmer.stemmer("english")
_GERMAN = snowballstemmer.stemmer("german")
_QUOTES = str.maketrans("‘’‚‛´`“”„«»″", "'''''" + "'" + '"' * 6)
_TOKEN = re.compile(r"«\w+»|%|[\w/]+(?:[.,;:/@#&+'-][\w/]+)*\+*", re.UNICODE)
_NUMBER = re.compile(r"(\d+(?:[.,]\d+)*)(ms|secs?|s|min|h|d|kb|mb|gb|kib|mib|gib|x|k|%)?")
_DATE = re.compile(r"\d{4}-\d\d(-\d\d)?|v?\d+\.\d+\.\d+.*|v\d[\d.]*")
_PARTICIPLE = re.compile("ge.{4,}(?:t|en)")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::\d\d)?")
_BREAKS = "|".join(sorted(lexicon.BREAKS))
_DIRECTIVES = "|".join(sorted(lexicon.DIRECTIVES))
_CLAUSE_END = re.compile(
    r"[.!?;:…]+(?=\s|$)|[\n()\[\]]|\s[–—-]+\s|[—]"
    rf"|,\s+(?=(?:and |und |or )?(?:{_BREAKS}|{_DIRECTIVES})\b)"
    rf"|\s(?=(?:but|because|although|though|whereas|sondern|aber|weil|obwohl)\s)"
    r"|\s(?=(?:and|und|or|oder)\s+(?:do|does|is|are|never|not|always|avoid|don't|can|must|nie|nicht|kein|immer)\b)"
)
_CONTRACTED = re.compile(rf"\b\w+'\w+\b|\b(?:{'|'.join(lexicon.CONTRACTIONS)})\b")
_INSTEAD = re.compile(lexicon.INSTEAD)
_OVER = re.compile(r"\bover\b|(?<!prefer )(?<!prefers )\bto\b|\bgegenüber\b|\bvor\b|\bals\b")
_PHRASES = tuple((re.compile(pattern), meant) for pattern, meant in lexicon.PHRASES)


@dataclass(frozen=True)
class Term:
    """A word that matters. word: as written; stem: as compared; sign: -1 for the second of two opposites.

    preposition: the one before it. group: those of one number are negated together ("without a summary"); 0: not.
    modifies: it says which of the things that the next word names.
    """

    word: str
    stem: str
    sign: int = 1
    preposition: str = ""
    group: int = 0
    modifies: bool = False

    @property
    def is_scope(self) -> bool:
        """Whether it says where, for what or of which."""
        return self.preposition in lexicon.SCOPES


@dataclass(frozen=True)
class Quantity:
    """A number. measure: what its unit measures, or ""; value: in the smallest unit; bound: "at most" and the like."""

    value: float
    measure: str
    bound: str = ""


@dataclass(frozen=True)
class Clause:
    """One thing that is said. sign: -1 where it is denied; light_sign: -1 where a word like "fails" denies it.

    conditions: stems of when it holds; versions: of what it holds; markers: the words that made it so, as written.
    """

    terms: tuple[Term, ...]
    sign: int
    light_sign: int
    quantities: tuple[Quantity, ...]
    conditions: frozenset[str]
    versions: frozenset[str]
    is_asserted: bool
    is_passive: bool
    is_light: bool
    markers: tuple[str, ...]
    is_german: bool

    @cached_property
    def stems(self) -> frozenset[str]:
        """All by which a word of another clause may be the same or the opposite."""
        stems = [term.stem for term in self.terms]
        return frozenset((*stems, *(stem.removeprefix(prefix) for prefix in lexicon.DENYING for stem in stems)))

    @cached_property
    def heads(self) -> frozenset[str]:
        """The same where endings are many: first letters."""
        return frozenset(stem[: lexicon.LEAST_ALIKE] for stem in self.stems)

    @property
    def direction(self) -> int:
        """1: affirmed, -1: denied."""
        return self.sign * self.light_sign


@lru_cache(maxsize=MOST_REMEMBERED)
def clauses_of(text: str, scope: Scope) -> tuple[Clause, ...]:
    """What `text` states, in its order; at most MOST_CLAUSES."""
    plain = _plain(text)
    light = lexicon.LIGHT if scope is Scope.CLAIM else lexicon.LIGHT_IN_FEEDBACK
    names = frozenset(name.lower() for name in lexicon.NAMES.intersection(text.split()))
    is_german = _is_german(plain)
    found: list[Clause] = []
    for words, is_question in _pieces(plain):
        for part, is_denied in _instead(words):
            clause = _Reader(is_german, light, set(names)).clause(part, is_denied, is_question)
            if clause is not None:
                found.append(clause)
            if len(found) == MOST_CLAUSES:
                return tuple(found)
    return tuple(found)


@lru_cache(maxsize=MOST_REMEMBERED)
def stem_of(word: str, is_german: bool = False) -> str:
    """The word as it is compared: of words for the same thing the first one, without its ending."""
    same = lexicon.SAME.get(word, word)
    if "-" in same or "'" in same:
        same = re.sub(r"\W", "", same)
    if is_german and _PARTICIPLE.fullmatch(same):
        same = same[2:]
    stem: str = (_GERMAN if is_german else _ENGLISH).stemWord(same)
    return stem


@lru_cache(maxsize=MOST_REMEMBERED)
def stems_of_category(category: str) -> frozenset[str]:
    """The words of a path: they are said by the place already."""
    words = re.findall(r"[^\W_]+", category.casefold())
    joined = [re.sub(r"\W|_", "", part) for part in category.casefold().split("/")]
    return frozenset(stem_of(word, german) for word in (*words, *joined) for german in (False, True))


def _plain(text: str) -> str:
    plain = re.sub(r"[*_`~]{1,3}(?=\w)|(?<=\w)[*_`~]{1,3}(?!\w)", "", text)  # emphasis of Markdown
    plain = unicodedata.normalize("NFKC", plain).translate(_QUOTES).lower()
    plain = re.sub(r"\b[ée]?(?:tl;\s?dr|tl/dr|tl-dr|tl dr|tldr)s?\b", "tldr", plain)
    plain = re.sub(r'"([^"\n]{1,80})"', lambda quoted: _joined(quoted[1]), plain)
    plain = re.sub(r"^\W*(?:no|nein|yes|ja|correction|korrektur|update|actually)\b\s*[,.!:]\s*", "", plain)
    plain = _CONTRACTED.sub(lambda word: _expanded(word[0]), plain)
    for pattern, meant in _PHRASES:
        plain = pattern.sub(meant, plain)
    return plain


def _joined(quoted: str) -> str:
    """Quoted words are one name; what they say is not said here."""
    words = re.findall(r"\w+", quoted)
    is_name = len(words) > 1 or quoted in lexicon.STOP_WORDS | lexicon.NEGATORS | lexicon.LIGHT_IN_FEEDBACK
    return "".join(words) + "quoted" * (len(words) == 1) if is_name else quoted


def _expanded(word: str) -> str:
    meant = lexicon.CONTRACTIONS.get(word)
    if meant is not None:
        return meant
    if word.endswith("n't"):
        return f"{word[:-3]} not"
    return word.removesuffix("'s").removesuffix("'re").removesuffix("'ll").removesuffix("'ve").removesuffix("'d")


def _is_german(plain: str) -> bool:
    words = re.findall(r"[^\W\d_]+", plain)
    german, english = (sum(word in known for word in words) for known in (lexicon.GERMAN, lexicon.ENGLISH))
    return german > english or (german == english and any(mark in plain for mark in "äöüß"))


def _pieces(plain: str) -> Iterator[tuple[str, bool]]:
    """Each clause, and whether it is asked."""
    start, condition = 0, ""
    for end in _CLAUSE_END.finditer(plain):
        words = plain[start : end.start()]
        if end.end() > start and words.strip():
            if end[0].startswith(",") and words.split()[0] in lexicon.CONDITIONS:
                condition = words  # of what follows
            else:
                yield f"{words} {condition}", "?" in end[0]
                condition = ""
        start = max(start, end.end())
    if plain[start:].strip():
        yield f"{plain[start:]} {condition}", False


def _instead(words: str) -> Iterator[tuple[str, bool]]:
    """Such as “use A instead of B” says two things; the second one is denied."""
    is_preferring = not lexicon.PREFERRING.isdisjoint(words.split())
    split = _INSTEAD.search(words) or (_OVER.search(words) if is_preferring else None)
    if split is None:
        yield words, False
        return
    yield words[: split.start()], False
    yield words[split.end() :], True


@dataclass
class _Reader:
    """Reads one clause word by word."""

    is_german: bool
    light: frozenset[str]
    names: set[str]  # words that are no names elsewhere
    terms: list[Term] = field(default_factory=list)
    quantities: list[Quantity] = field(default_factory=list)
    conditions: set[str] = field(default_factory=set)
    versions: set[str] = field(default_factory=set)
    markers: list[str] = field(default_factory=list)
    affirmed: list[str] = field(default_factory=list)
    sign: int = 1
    light_sign: int = 1
    preposition: str = ""
    group: int = 0
    is_conditional: bool = False
    is_hedged: bool = False
    is_passive: bool = False
    is_light: bool = False

    def clause(self, words: str, is_denied: bool, is_question: bool) -> Clause | None:
        """None where nothing is said."""
        tokens = _TOKEN.findall(words)
        if not tokens:
            return None
        if is_denied:
            self.sign = -1
            self.markers.append("instead")
        place = 0
        if any(len(word) == 1 and word.isalpha() and word not in "ai" for word in tokens):
            self.names |= {"a"}  # "A calls B": no article
        while place < len(tokens):
            place += self._read(tokens, place)
        if not self.terms and self.conditions:  # all that is said is when
            self.terms = [Term(stem, stem) for stem in sorted(self.conditions)]
            self.conditions.clear()
        if not self.terms and not self.quantities and not self.is_light:
            return None
        return Clause(
            tuple(self.terms),
            self.sign,
            self.light_sign,
            tuple(self.quantities),
            frozenset(self.conditions),
            frozenset(self.versions),
            not (self.is_hedged or is_question),
            self.is_passive,
            self.is_light,
            tuple(self.markers or self.affirmed),
            self.is_german,
        )

    def _read(self, tokens: list[str], place: int) -> int:
        """Reads the word at `place`; how many were used up."""
        word = tokens[place]
        following = tokens[place + 1] if place + 1 < len(tokens) else ""
        before = tokens[place - 1] if place else ""
        if used := self._number(word, before, following):
            return used
        if word in lexicon.BOUNDS:
            return 1
        if word in lexicon.CONDITIONS:
            # "only" by itself restricts what stands next to it, up to the end.
            self.is_conditional = True
            self.conditions.add(stem_of(word, self.is_german) if word in ("only", "nur", "unless", "except") else "")
            self.conditions.discard("")
            return 1
        if word in lexicon.TIMES:
            self.conditions.add(stem_of(word, self.is_german))
            return 1
        if word in lexicon.AFFIRMING:
            self.affirmed.append(word)
        if word in self.names:
            self._term(word, before, following)
        elif word in lexicon.HEDGES:
            self.is_hedged = True
        elif self.is_conditional:
            self._condition(word)
        elif word in lexicon.NEGATORS:
            self.sign = -self.sign
            self.markers.append(word)
        elif word in ("without", "ohne"):
            self.group = len(self.terms) + 1
            self.preposition = ""
            self.markers.append(word)
        elif word in lexicon.PASSIVE and (self.is_german or following):
            self.is_passive = self.is_passive or "by" in tokens or "von" in tokens or "durch" in tokens
        elif word in lexicon.PREPOSITIONS and (self.is_german or word != "an"):
            if following:  # else it belongs to the verb: "ruft den Kalender auf"
                self.preposition = word
                self.group = 0
        elif word not in lexicon.STOP_WORDS:
            self._term(word, before, following)
        return 1

    def _term(self, word: str, before: str, following: str) -> None:
        if word in lexicon.LIGHT_NEGATIVE:
            self.light_sign = -self.light_sign
            self.is_light = True
            self.markers.append(word)
            self.preposition = ""
            return
        if word in self.light and word not in self.names:
            self.is_light = True
            return
        plain, sign = lexicon.OPPOSITES.get(word, (word, 1))
        modifies = _may_modify(word, before) and _is_named(following)
        for part in _parts(plain):
            stem = stem_of(part, self.is_german)
            self.terms.append(Term(part, stem, sign, self.preposition, self.group, modifies))
            sign = 1

    def _condition(self, word: str) -> None:
        if word in lexicon.NEGATORS:
            self.conditions.add("not")
        elif word not in lexicon.STOP_WORDS and word not in lexicon.PREPOSITIONS and word not in self.light:
            self.conditions.add(stem_of(word, self.is_german))

    def _number(self, word: str, before: str, following: str) -> int:
        """How many tokens a number took; 0: it is none."""
        if before in lexicon.VERSIONS and (word[0].isdigit() or _DATE.fullmatch(word)):
            if before not in lexicon.SINCE:
                self.versions.add(word)
            return 1
        if _DATE.fullmatch(word):
            return 1
        bound = lexicon.BOUNDS.get(before, "")
        if clock := _CLOCK.fullmatch(word):
            self._quantity(int(clock[1]) * 60 + int(clock[2]), "clock", bound)
            return 1
        if number := _NUMBER.fullmatch(word):
            value, unit, used = _value(number[1]), number[2] or "", 1
        elif word in lexicon.NUMBER_WORDS or (word in lexicon.ONE and (following in lexicon.UNITS or bound)):
            value, unit, used = lexicon.NUMBER_WORDS.get(word, 1.0), "", 1
            if word in lexicon.HOW_OFTEN:
                unit = "times"
        else:
            return 0
        if unit == "k":
            value, unit = value * 1000, ""
        if not unit and following in lexicon.UNITS:
            unit, used = following, 2
        measure, factor = lexicon.UNITS.get("times" if unit == "x" else unit, ("", 1.0))
        self._quantity(value * factor, measure, bound)
        return used

    def _quantity(self, value: float, measure: str, bound: str) -> None:
        if self.is_conditional:
            self.conditions.add(f"{value:g} {measure}")
        else:
            self.quantities.append(Quantity(value, measure, bound))


def _may_modify(word: str, before: str) -> bool:
    """Whether it may be no verb: it does not end like one, and nothing before it calls for one."""
    return bool(before) and before not in lexicon.BEFORE_VERBS and not word.endswith(("s", "t"))


def _is_named(word: str) -> bool:
    return bool(word) and word not in lexicon.STOP_WORDS | lexicon.PREPOSITIONS | lexicon.NEGATORS | lexicon.CONDITIONS


def _parts(word: str) -> list[str]:
    """A hyphenated word's parts; one with a short part is a name and stays whole."""
    parts = [part for part in re.split(r"[-/]", word) if part]
    if len(parts) > 1 and all(len(part) > 2 for part in parts):  # not so "e-mail"
        return [part for part in parts if part not in lexicon.STOP_WORDS]
    return [re.sub(r"[^\w+]", "", word)]


def _value(text: str) -> float:
    """10,000 and 10.000 are ten thousand, 1.5 and 1,5 one and a half."""
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", text):
        return float(re.sub(r"[.,]", "", text))
    return float(re.sub(r"[.,](?=.*[.,])", "", text).replace(",", "."))
