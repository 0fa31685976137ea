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
MOST_CHARACTERS = 6_000  # a letter of Unicode may come to 18
MOST_CLAUSE_CHARACTERS = 600  # what has no end by then is no sentence; reading it takes more than in proportion
MOST_CLAUSE_TERMS, MOST_TERMS = 40, 120  # of a clause, of a text: each is held against each of another text
ADVERB = "ly"
LEAST_ABLE = 8  # letters of a word that says what can be done: "table" does not
MOST_REPLACED = 3  # words of what is not to be, that take the place of the last one
LEAST_WORDS = 3  # of a statement in front of a comma
MOST_REMEMBERED = 20_000  # texts; the next save on a subject meets the same ones

_ENGLISH = snowballstemmer.stemmer("english")
_GERMAN = snowballstemmer.stemmer("german")
_QUOTES = str.maketrans("‘’‚‛´`“”„«»″", "'''''" + "'" + '"' * 6)
# Each place of a long run would be tried by what looks for a run before something else.
_SPACES, _MARKS = re.compile(r"\s{2,}"), re.compile(r"[.!?;:]{4,}")
_TOKEN = re.compile(r"«\w+»|%|[\w/]+(?:[.,;:/@#&+'-][\w/]+)*\+*", re.UNICODE)
_NUMBER = re.compile(r"(\d+(?:[.,]\d+)*)(ms|secs?|s|min|h|d|kb|mb|gb|kib|mib|gib|x|k|%)?")
_DATE = re.compile(r"\d{4}-\d\d(-\d\d)?|v?\d+\.\d+\.\d+.*|v\d[\d.]*")
_PARTICIPLE = re.compile("ge.{4,}(?:t|en)")
_SEPARABLE = re.compile(
    "^(ab|an|auf|aus|ein|nach|vor|um|weg|mit|hin|her|fest|zurück|weiter|zusammen)(?:ge|zu)(.{3,}(?:t|en))$"
)
_LETTER = re.compile(r"(?<=\w )A\b(?!')")  # "group A": no article
_INFLECTIONS = ("ed", "ing", "es")  # not "s": "lasts" is no "last"
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::\d\d)?")
_BREAKS = "|".join(sorted(lexicon.BREAKS))
_DIRECTIVES = "|".join(sorted(lexicon.DIRECTIVES))
_CLAUSE_END = re.compile(
    r"(?<![\s*])[.!?;:…]+(?=\s|$)|[\n()\[\]]|\s[–—-]+\s|[—]"
    rf"|,\s+(?=(?:and |und |or )?(?:{_BREAKS}|{_DIRECTIVES})\b)"
    r"|,\s+(?=only (?:then|so|this way)\b)"
    r"|,\s+(?=(?:as (?!well|long|soon|much|many|of|in|if)|per |says |according to |laut )\w)"
    rf"|\s(?=(?:but|because|although|though|whereas|sondern|aber|weil|obwohl)\s)"
    r"|\s(?=(?:and|und|or|oder)\s+(?:do|does|is|are|never|not|always|avoid|don't|can|must|nie|nicht|kein|immer)\b)"
)
_ASIDE = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_LISTED = re.compile(r"^(?:(?:and|or|und|oder)\b|(?:\S+ ){1,3}(?:and|or|und|oder)\b|[^,]{1,25},)")
_CONTRACTED = re.compile(rf"\b\w+'\w+\b|\b(?:{'|'.join(lexicon.CONTRACTIONS)})\b")
_INSTEAD = re.compile(lexicon.INSTEAD)
_SCOPE = re.compile(r"\s(?:for|in|on|at|für|im|bei|beim)\s.*")
_TOPIC = re.compile(r"^(\w{3,}(?: \w+)?)(?::| -)\s+(?=\w)")
_SAYS_OF = re.compile(rf"\s*(?:[-=]>|→)\s*|\s+\.\.+\s+|(?<=\w):\s+(?={lexicon.VERDICT}\b)")
_OVER = re.compile(r"\bover\b|(?<!prefer )(?<!prefers )\bto\b|\bgegenüber\b|\bvor\b|\bals\b|\bthan\b")
_EXCEPTING = frozenset(("unless", "except"))  # stems of conditions
_GERMAN_ENDINGS = ("ieren", "ierung", "ungen", "keit", "heit", "lich", "lichen")
_AGENTS = frozenset(lexicon.AGENTS)
_LIMITING = (
    lexicon.CONDITIONS
    | lexicon.PREPOSITIONS
    | lexicon.TIMES
    | lexicon.COMPLEMENTS
    | {"not", "nicht", "where", "ever", "without", "ohne", *lexicon.EVEN}
)
_INTRODUCING = "|".join(sorted(lexicon.CONDITIONS | lexicon.PREPOSITIONS | {"without", "ohne"}))
_INTRODUCED = re.compile(rf"(?:^|(?<=[.!?;:] )|(?<=\n))((?:{_INTRODUCING}) [^,.;:!?\n]+), ([^,.;:!?\n]+)")
_PHRASES = tuple((re.compile(pattern), meant) for pattern, meant in lexicon.PHRASES)


@dataclass(frozen=True)
class Term:
    """A word that matters. word: as written; stem: as compared; sign: -1 for the second of two opposites.

    preposition: the one before it. group: those of one number are negated together ("without a summary"); 0: not.
    modifies: it says which of the things that the next word names. is_minor: it makes the clause say nothing else.
    article: the German one before it that shows who does it to whom, or "".
    """

    word: str
    stem: str
    sign: int = 1
    preposition: str = ""
    group: int = 0
    modifies: bool = False
    is_minor: bool = False
    article: str = ""

    @cached_property
    def denied(self) -> frozenset[str]:
        """The stems of what it is the opposite of: "reachable" of "unreachable"."""
        return denied_by(self.word, self.stem)

    @property
    def is_scope(self) -> bool:
        """Whether it says where, for what or of which."""
        return self.preposition in lexicon.PREPOSITIONS


@dataclass(frozen=True)
class Quantity:
    """A number. measure: what its unit measures, or ""; value: in the smallest unit; bound: "at most" and the like.

    counted: the stem of the word behind it where it has no unit.
    """

    value: float
    measure: str
    bound: str = ""
    counted: str = ""


@dataclass(frozen=True)
class Clause:
    """One thing that is said. sign: -1 where it is denied; light_sign: -1 where a word like "fails" denies it.

    conditions: stems of when it holds; covered: of when it holds too ("even if").
    versions: of what it holds; markers: the words that made it so, as written.
    """

    terms: tuple[Term, ...]
    sign: int
    light_sign: int
    quantities: tuple[Quantity, ...]
    conditions: frozenset[str]
    covered: frozenset[str]
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
        return frozenset((*stems, *(stem for term in self.terms for stem in term.denied)))

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
    """What `text` states, in its order; at most MOST_CLAUSES with about MOST_TERMS."""
    plain = _plain(text)
    light, denying = (
        (lexicon.LIGHT, lexicon.LIGHT_NEGATIVE)
        if scope is Scope.CLAIM
        else (lexicon.LIGHT_IN_FEEDBACK, lexicon.LIGHT_NEGATIVE_IN_FEEDBACK)
    )
    names = frozenset(name.lower() for name in lexicon.NAMES.intersection(text.split()) | set(_LETTER.findall(text)))
    is_german = _is_german(text.lower())
    found: list[Clause] = []
    for words, is_question in _pieces(plain):
        for part, is_denied in _instead(words):
            clause = _Reader(is_german, light, denying, set(names)).clause(part, is_denied, is_question)
            if clause is not None:
                found.append(clause)
            if len(found) == MOST_CLAUSES or sum(len(clause.terms) for clause in found) >= MOST_TERMS:
                return tuple(found)
    return tuple(found)


@lru_cache(maxsize=MOST_REMEMBERED)
def stem_of(word: str, is_german: bool = False) -> str:
    """The word as it is compared: of words for the same thing the first one, without its ending."""
    same = _same(word)
    if "-" in same or "'" in same:
        same = re.sub(r"\W", "", same)
    if is_german:
        same = _SEPARABLE.sub(r"\1\2", same)
        if _PARTICIPLE.fullmatch(same):
            same = same[2:]
    elif len(same) >= LEAST_ABLE and same.endswith("able"):  # "searchable": to search
        same = same.removesuffix("able")
    stem: str = (_GERMAN if is_german else _ENGLISH).stemWord(same)
    return stem


def _same(word: str) -> str:
    return lexicon.SAME.get(word) or lexicon.SAME.get(word.removesuffix("s"), word)


@lru_cache(maxsize=MOST_REMEMBERED)
def denied_by(word: str, stem: str) -> frozenset[str]:
    """The stems of which a prefix makes it the opposite. The word's own too, as endings hang on its length."""
    if word in lexicon.NOT_DENYING:
        return frozenset()
    rests = [
        each.removeprefix(prefix) for prefix in lexicon.DENYING for each in (word, stem) if each.startswith(prefix)
    ]
    return frozenset(each for rest in rests if len(rest) >= lexicon.LEAST_DENIED for each in (rest, stem_of(rest)))


@lru_cache(maxsize=MOST_REMEMBERED)
def stems_of_category(category: str) -> frozenset[str]:
    """The words of a path: they are said by the place already."""
    words = re.findall(r"[^\W_]+", category.casefold())
    joined = [re.sub(r"\W|_", "", part) for part in category.casefold().split("/")]
    return frozenset(stem_of(word, german) for word in (*words, *joined) for german in (False, True))


def _plain(text: str) -> str:
    plain = _SPACES.sub(lambda spaces: "\n\n"[: spaces[0].count("\n")] or " ", text)
    plain = re.sub(r"[*_`~]{1,3}(?=\w)|(?<=\w)[*_`~]{1,3}(?!\w)", "", plain)  # emphasis of Markdown
    plain = unicodedata.normalize("NFKC", plain)[:MOST_CHARACTERS].translate(_QUOTES).lower()
    plain = _MARKS.sub(lambda marks: "?.." if "?" in marks[0] else "...", plain)
    plain = re.sub(r"\b[ée]?(?:tl;\s?dr|tl/dr|tl-dr|tl dr|tldr)s?\b", "tldr", plain)
    plain = re.sub(r'"([^"\n]{1,80})"', lambda quoted: _joined(quoted[1]), plain)
    plain = _without_asides(_SAYS_OF.sub(" is ", plain))
    plain = re.sub(
        r"^\W*(?:no|nope|nah|nein|yes|yep|ja|ok|okay|well|sorry|so|correction|korrektur|update|actually)\b\s*[,.!:]\s*",
        "",
        plain,
    )
    plain = _CONTRACTED.sub(lambda word: _expanded(word[0]), plain)
    if (topic := _TOPIC.match(plain)) and lexicon.STOP_WORDS.isdisjoint(topic[1].split()):
        plain = f"{topic[1]} is {plain[topic.end() :]}"
    for pattern, meant in _PHRASES:
        plain = pattern.sub(meant, plain)
    plain = re.sub(r"\s+(?=[.,;:!](?:\s|$))", "", plain)
    return _INTRODUCED.sub(r"\2 \1", plain)  # "if it is slow, it fails": fails if it is slow


def _without_asides(plain: str) -> str:
    """What stands in brackets is said behind the rest, so that it divides nothing; a condition stays where it is."""
    asides = []

    def taken(aside: re.Match[str]) -> str:
        said = aside[1] or aside[2] or ""
        first = said.split()[:1]
        if first and lexicon.STOP_WORDS.issuperset(_TOKEN.findall(said)[1:]):
            return " "
        if first and (first[0] in lexicon.CONDITIONS or first[0] in lexicon.PREPOSITIONS):
            return f" {said} "
        asides.append(said)
        return " "

    main = _ASIDE.sub(taken, plain)
    return "\n".join((main, *asides))


def _joined(quoted: str) -> str:
    """Quoted words are one name; what they say is not said here."""
    marked = re.sub(r"(?<=\w)[^\w\s'-](?=\w)", lambda mark: f"x{ord(mark[0])}", quoted)  # "a/b" is not "a-b"
    words = re.findall(r"\w+", marked)
    is_word = quoted in lexicon.STOP_WORDS | lexicon.NEGATORS | lexicon.LIGHT_IN_FEEDBACK
    is_name = len(words) > 1 or is_word or marked != quoted
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
    words += ["der" for word in words if word.endswith(_GERMAN_ENDINGS)]
    german, english = (sum(word in known for word in words) for known in (lexicon.GERMAN, lexicon.ENGLISH))
    return german > english or (german == english and any(mark in plain for mark in "äöüß"))


def _pieces(plain: str) -> Iterator[tuple[str, bool]]:
    """Each clause, and whether it is asked."""
    start = 0
    for end in _CLAUSE_END.finditer(plain):
        if end.end() > start:
            for part in _without_remarks(plain[start : min(end.start(), start + MOST_CLAUSE_CHARACTERS)]):
                yield part, "?" in end[0]
        start = max(start, end.end())
    for part in _without_remarks(plain[start : start + MOST_CLAUSE_CHARACTERS]):
        yield part, False


def _without_remarks(words: str) -> Iterator[str]:
    """The statement, and what is remarked behind a comma: neither one of a list, nor what limits or doubts it."""
    for comma in re.finditer(r",\s+", words):
        said, remark = words[: comma.start()], words[comma.end() :]
        following = _TOKEN.findall(remark)
        if not following or not _is_complete(_TOKEN.findall(said)):
            continue
        if not lexicon.TRYING.isdisjoint(following[:2]):  # how it is known
            yield said
            return
        is_only = following[0] in lexicon.ONLY and not lexicon.NEGATORS.isdisjoint(said.split())
        is_limit = (following[0] in _LIMITING and not is_only) or not lexicon.HEDGES.isdisjoint(following)
        is_listed = (
            _LISTED.match(remark)
            and following[0] not in lexicon.TRYING
            and lexicon.AUXILIARIES.isdisjoint(following[:4])
        )
        if is_only or not (is_limit or is_listed):
            yield said
            yield from _without_remarks(remark)
            return
    yield words


def _is_complete(words: list[str]) -> bool:
    """Whether these may be a statement by themselves: something is said of something."""
    if len(words) < LEAST_WORDS or words[0] in _LIMITING:
        return False
    if words[0] not in lexicon.DETERMINERS or not lexicon.AUXILIARIES.isdisjoint(words):
        return True
    return any(word in lexicon.NEGATORS or word in lexicon.LIGHT or _may_be_verb(word) for word in words[2:])


def _may_be_verb(word: str) -> bool:
    return word.endswith(("s", "ed", "t", "en")) and not word.endswith("ss")


def _instead(words: str) -> Iterator[tuple[str, bool]]:
    """Such as “use A instead of B” says two things; the second one is denied."""
    is_preferring = not lexicon.PREFERRING.isdisjoint(words.split())
    split = _INSTEAD.search(words) or (_OVER.search(words) if is_preferring else None)
    if split is None:
        yield words, False
        return
    kept, dropped = words[: split.start()], words[split.end() :].strip()
    scope = _SCOPE.search(dropped)
    limit = scope[0] if scope else ""  # that of both
    said, dropped = kept.split(), dropped.removesuffix(limit)
    yield f"{kept} {limit}", False
    other = dropped.split()
    is_in_place = len(said) > 1 and (said[-2] in lexicon.DETERMINERS | lexicon.PREPOSITIONS or said[-2].endswith("s"))
    if len(other) <= MOST_REPLACED and is_in_place:
        dropped = " ".join((*said[:-1], *other))  # "after the check rather than the source": in the same place
    is_denied = sum(word in lexicon.NEGATORS for word in said) % 2 == 0  # not so B in "never A instead of B"
    yield f"{dropped} {limit}", is_denied


@dataclass
class _Reader:
    """Reads one clause word by word."""

    is_german: bool
    light: frozenset[str]
    denying: frozenset[str]
    names: set[str]  # words that are no names elsewhere
    terms: list[Term] = field(default_factory=list)
    quantities: list[Quantity] = field(default_factory=list)
    conditions: set[str] = field(default_factory=set)
    covered: set[str] = field(default_factory=set)
    versions: set[str] = field(default_factory=set)
    markers: list[str] = field(default_factory=list)
    affirmed: list[str] = field(default_factory=list)
    sign: int = 1
    light_sign: int = 1
    preposition: str = ""
    group: int = 0
    is_conditional: bool = False
    is_aside: bool = False
    is_covered: bool = False
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
        letters = [
            word
            for before, word in zip(["", *tokens], tokens, strict=False)
            if len(word) == 1 and word.isalpha() and word not in "ai" and not before[:1].isdigit()  # not so "4 s"
        ]
        if letters:
            self.names |= {"a"}  # "A calls B": no article
        while place < len(tokens) and len(self.terms) < MOST_CLAUSE_TERMS:
            place += self._read(tokens, place)
        if not self.terms and self.conditions:  # all that is said is when
            if not self.conditions.isdisjoint(_EXCEPTING):  # "works unless it is old": fails if it is old
                self.conditions -= _EXCEPTING
                self.sign = -self.sign
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
            frozenset(self.covered),
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
        if word in lexicon.REASONS and not _NUMBER.match(following):
            self.is_aside = True
            return 1
        if self.is_aside and word in lexicon.TIMES:
            return 1
        if word in lexicon.BOUNDS or (word in lexicon.ONLY and not following and self.sign > 0):
            return 1
        if word in lexicon.ONLY and _NUMBER.match(following):
            return 1
        if word in lexicon.CONDITIONS or (word == "where" and place):
            # "only" by itself restricts what stands next to it, up to the end.
            self.is_conditional = True
            if before in lexicon.EVEN:
                self.is_covered = True
                return 1
            self.conditions.add(stem_of(word, self.is_german) if word in lexicon.ONLY | {"unless", "except"} else "")
            self.conditions.discard("")
            return 1
        if word in lexicon.TIMES and not (word in lexicon.NAMED_BY_TIME and before in lexicon.DETERMINERS):
            (self.covered if self.is_covered else self.conditions).add(stem_of(word, self.is_german))
            return 1
        if word in lexicon.AFFIRMING:
            self.affirmed.append(word)
        if word in self.names:
            self._term(word, before, following)
        elif word in lexicon.HEDGES and (self.is_german or word not in lexicon.ONLY_GERMAN):
            self.is_hedged = True
        elif self.is_conditional:
            self._condition(word)
        elif word in lexicon.NEGATORS and (word not in lexicon.STOPPING or _denies(before, following)):
            self.sign = -self.sign
            self.markers.append(word)
        elif word in ("without", "ohne"):
            self.group = len(self.terms) + 1
            self.preposition = ""
            self.markers.append(word)
        elif word in lexicon.PASSIVE and (self.is_german or following):
            self.is_passive = self.is_passive or not _AGENTS.isdisjoint(tokens if self.is_german else tokens[place:])
        elif word in lexicon.ORDERING:
            self._term(word, before, following)
        elif word in lexicon.PREPOSITIONS and (self.is_german or word != "an"):
            if following:  # else it belongs to the verb: "ruft den Kalender auf"
                self.preposition = word
                self.group = 0
        elif word not in lexicon.STOP_WORDS:
            self._term(word, before, following)
        return 1

    def _term(self, word: str, before: str, following: str) -> None:
        if word in self.denying and not _is_attribute(word, before, following):
            self.light_sign = -self.light_sign
            self.is_light = True
            self.markers.append(word)
            self.preposition = ""
            return
        is_named = before in lexicon.DETERMINERS and word in lexicon.LIGHT_VERBS and _is_named(following)
        if word in self.light and word not in self.names and not is_named:  # "the work calendar": a name
            self.is_light = True
            return
        plain, sign = lexicon.OPPOSITES.get(word) or lexicon.OPPOSITES.get(_same(word)) or _inflected(word)
        plain = word if sign > 0 else plain
        is_verb = not before and self.light is not lexicon.LIGHT  # a directive starts with one
        modifies = (
            not is_verb and _may_modify(word, before) and _is_named(following) and following not in lexicon.ORDERING
        )
        article = before if self.is_german and before in lexicon.OF_CASE else ""
        for part in _parts(plain):
            stem = stem_of(part, self.is_german)
            self.terms.append(
                Term(part, stem, sign, self.preposition, self.group, modifies, self._is_minor(word), article)
            )
            sign = 1

    def _is_minor(self, word: str) -> bool:
        """Whether it says how it is done, why or since when, or of a claim that it is there."""
        is_adverb = word.endswith(ADVERB) and word not in lexicon.NO_ADVERBS
        is_claim = self.light is lexicon.LIGHT
        return self.is_aside or is_adverb or (is_claim and not self.preposition and word in lexicon.GENERAL_VERBS)

    def _condition(self, word: str) -> None:
        conditions = self.covered if self.is_covered else self.conditions
        if word in lexicon.NEGATORS:
            conditions.add("not")
        elif word not in lexicon.STOP_WORDS and word not in lexicon.PREPOSITIONS and word not in self.light:
            conditions.add(stem_of(word, self.is_german))

    def _number(self, word: str, before: str, following: str) -> int:
        """How many tokens a number took; 0: no number starts there."""
        if before in lexicon.VERSIONS and (word[0].isdigit() or _DATE.fullmatch(word)):
            if before not in lexicon.SINCE:
                self.versions.add(word)
            return 1
        if _DATE.fullmatch(word):
            if before in lexicon.ON:
                self.conditions.add(word)
            return 1
        bound = lexicon.BOUNDS.get(before, "")
        if clock := _CLOCK.fullmatch(word):
            self._quantity(int(clock[1]) * 60 + int(clock[2]), "clock", bound)
            return 1
        if number := _NUMBER.fullmatch(word):
            value, unit, used = _value(number[1]), number[2] or "", 1
        elif word in lexicon.NUMBER_WORDS or (
            word in lexicon.ONE
            and (
                (following in lexicon.UNITS and (self.is_german or following not in lexicon.ONLY_GERMAN))
                or bound
                or _counts(word, before, following)
            )
        ):
            value, unit, used = lexicon.NUMBER_WORDS.get(word, 1.0), "", 1
            if word in lexicon.HOW_OFTEN:
                unit = "times"
        else:
            return 0
        if unit == "k":
            value, unit = value * 1000, ""
        if not unit and following in lexicon.UNITS and (self.is_german or following not in lexicon.ONLY_GERMAN):
            unit, used = following, 2
        measure, factor = lexicon.UNITS.get("times" if unit == "x" else unit, ("", 1.0))
        counted = stem_of(following, self.is_german) if not unit and _is_named(following) else ""
        self._quantity(value * factor, measure, bound, counted)
        return used

    def _quantity(self, value: float, measure: str, bound: str, counted: str = "") -> None:
        if self.is_conditional:
            self.conditions.add(f"{value:g} {measure}")
        else:
            self.quantities.append(Quantity(value, measure, bound, counted))


def _denies(before: str, following: str) -> bool:
    """Whether "stop" between these words denies what stands behind it, and is not all that is said."""
    if following in lexicon.CONDITIONS:
        return False
    return not before or not following or following.endswith("ing")


@lru_cache(maxsize=MOST_REMEMBERED)
def _inflected(word: str) -> tuple[str, int]:
    """The same of another form of a word that has an opposite: "stripped" of "strip"; else itself."""
    if not word.endswith(_INFLECTIONS):
        return word, 1
    stem = stem_of(word)
    return next((lexicon.OPPOSITES[base] for base in (stem, f"{stem}e") if base in lexicon.OPPOSITES), (word, 1))


def _may_modify(word: str, before: str) -> bool:
    """Whether it may be no verb: it does not end like one, and nothing before it calls for one."""
    return (
        before not in lexicon.BEFORE_VERBS
        and not word.endswith("s")
        and (not word.endswith("t") or word in lexicon.OPPOSITES)
    )


def _counts(word: str, before: str, following: str) -> bool:
    return word == "one" and before not in lexicon.DETERMINERS and _is_named(following)


def _is_attribute(word: str, before: str, following: str) -> bool:
    """Whether it says which, as in "failed queries": that denies nothing."""
    is_in_front = not before or before in lexicon.DETERMINERS or before in lexicon.PREPOSITIONS
    return word.endswith(("ed", "en", "ing")) and is_in_front and _is_named(following)


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
