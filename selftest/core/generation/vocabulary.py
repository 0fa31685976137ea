"""What a target routes by: the document parsed into values, or refused with each fault named. Pure."""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

MAX_PHRASE_CHARACTERS = 500  # a phrase is a few words; beyond this a document is malformed, not rich
LIST_KEYS = ("conjunctions", "nosplit_phrases", "discourse_phrases", "empty_phrases", "presence_only")
UNREAD = "?"  # in place of a value that is no text; the document is refused for it
ANY_SOURCE = "\N{HORIZONTAL ELLIPSIS}"  # in place of a source that a line names
REQUIRED_KEYS = ("name", "sources", "conjunctions", "headers", "encyclopedia", "merged_source", "seeds")


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a document: `key` is a path into it such as `sources.news[3]`."""

    key: str
    fault: str

    def __str__(self) -> str:
        return f"{self.key}: {self.fault}"


class VocabularyError(ValueError):
    """A document that is not valid. `faults` names every key and what is wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))


@dataclass(frozen=True)
class Seeds:
    """Phrases that are not keywords, for the recipes to combine with those that are."""

    proper_noun_pairs: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    consequences: tuple[str, ...] = ()
    pronoun_requests: tuple[str, ...] = ()
    discourse_topics: tuple[str, ...] = ()
    open_topics: tuple[str, ...] = ()


@dataclass(frozen=True)
class Vocabulary:
    """A target's own words. Phrases keep their case and are compared without it; conjunctions keep their spaces.

    keeps_empty_sections: whether a merged answer has a section too for a source that found nothing, which says so.
    lists_items_once: whether what two parts bring of one source stands there once. ignores_signs: whether a source
    brings the same for a phrase in quotes, in brackets or with a sign after it. nosplit_holds_query: whether a
    nosplit phrase keeps all of a query together, not only what it stands before. opens_with_text: whether a merged
    answer may begin with text of no section. sections_by_part: whether each part of a query may have a section of its
    own. presence_only: sources that may say other things among others than alone.
    """

    name: str
    sources: Mapping[str, tuple[str, ...]]
    conjunctions: tuple[str, ...]
    headers: Mapping[str, str]
    encyclopedia: str
    merged_source: str
    nosplit_phrases: tuple[str, ...] = ()
    discourse_phrases: tuple[str, ...] = ()
    empty_phrases: tuple[str, ...] = ()
    fallbacks: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    seeds: Seeds = Seeds()
    keeps_empty_sections: bool = False
    lists_items_once: bool = False
    ignores_signs: bool = False
    nosplit_holds_query: bool = False
    opens_with_text: bool = False
    sections_by_part: bool = False
    presence_only: tuple[str, ...] = ()

    def stand_ins(self, source: str) -> frozenset[str]:
        """The source itself and those documented as its fallbacks."""
        return frozenset((source, *self.fallbacks.get(source, ())))

    def companions_of(self, source: str, apart: bool = False, place: int = 0) -> list[str]:
        """A phrase of each other source, first of those that have nothing to do with `source`; its own without others.

        apart: without those that stand in for `source`. place: which phrase of each, from 0, or its last one.
        """
        without = self.stand_ins(source) if apart else {source}
        others = [other for other in self.sources if other not in without]
        apart_first = sorted(others, key=lambda other: source in self.stand_ins(other))
        phrases = [self.sources[other] for other in apart_first or list(self.sources)[:1]]
        return [of_other[min(place, len(of_other) - 1)] for of_other in phrases]

    def conjunction_for(self, text: str) -> str:
        """A conjunction that does not occur in `text`, if there is one."""
        free = (c for c in self.conjunctions if c.strip().casefold() not in text.casefold())
        return next(free, self.conjunctions[0])

    def sources_named_in(self, text: str) -> frozenset[str]:
        """Every source with a keyword phrase in `text`: whole words, case apart, also a phrase inside a longer one."""
        return self._sources_named(text.casefold())

    @cached_property
    def _sources_named(self) -> Callable[[str], frozenset[str]]:
        """Remembered, since many queries have the same parts."""

        @lru_cache(maxsize=4096)
        def named(folded: str) -> frozenset[str]:
            return frozenset(source for source, pattern in self._keyword_patterns if pattern.search(folded))

        return named

    def sources_of(self, phrase: str) -> tuple[str, ...]:
        """The sources that list it, one or several."""
        return self._sources_by_phrase.get(phrase.casefold(), ())

    @cached_property
    def _sources_by_phrase(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for source, phrases in self.sources.items():
            for phrase in {phrase.casefold() for phrase in phrases}:
                found[phrase] = (*found.get(phrase, ()), source)
        return found

    def whichever_source(self, line: str) -> tuple[str, ...]:
        """`line`, and where it names a source, also as it would be for each other: "You may ask … as well."."""
        return self._whichever_source(line)

    @cached_property
    def _whichever_source(self) -> Callable[[str], tuple[str, ...]]:
        """Remembered, since many answers have the same lines."""
        names = re.compile(phrases_pattern(sorted(self.headers, key=len, reverse=True)), re.IGNORECASE)

        @lru_cache(maxsize=8192)
        def said(line: str) -> tuple[str, ...]:
            return tuple(dict.fromkeys((line, names.sub(ANY_SOURCE, line))))

        return said

    @cached_property
    def _keyword_patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        return [(source, re.compile(phrases_pattern(phrases))) for source, phrases in self.sources.items()]


def phrases_pattern(phrases: Iterable[str]) -> str:
    """Finds each of `phrases` in a casefolded text: whole words, with any space between them."""
    flexible = (r"\s+".join(map(re.escape, phrase.casefold().split())) for phrase in phrases)
    return rf"(?<!\w)(?:{'|'.join(flexible)})(?!\w)"


def _single_spaced(text: str) -> str:
    return " ".join(text.split())


def parse_vocabulary(document: object) -> Vocabulary:
    """The vocabulary that a decoded JSON `document` describes.

    Raises VocabularyError naming every faulty key; nothing of a faulty document is used.
    Keys and meaning: the target protocol's vocabulary document.
    """
    return _Parser().parse(document)


class _Parser:
    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def refuse(self, key: str, fault: str) -> None:
        self.faults.append(Fault(key, fault))

    def parse(self, document: object) -> Vocabulary:
        if not isinstance(document, dict):
            raise VocabularyError([Fault("document", f"an object is needed, not {_kind(document)}")])
        self._check_keys("", document, [f.name for f in fields(Vocabulary)])
        for key in REQUIRED_KEYS:
            if key not in document:
                self.refuse(key, "missing")
        vocabulary = Vocabulary(
            name=self._text("name", document.get("name", UNREAD)),
            sources=self._phrases_by_source("sources", document.get("sources", {})),
            headers=self._headers(document.get("headers", {})),
            encyclopedia=self._text("encyclopedia", document.get("encyclopedia", UNREAD)),
            merged_source=self._text("merged_source", document.get("merged_source", UNREAD)),
            fallbacks=self._phrases_by_source("fallbacks", document.get("fallbacks", {})),
            seeds=self._seeds(document.get("seeds", {})),
            keeps_empty_sections=self._yes_or_no("keeps_empty_sections", document),
            lists_items_once=self._yes_or_no("lists_items_once", document),
            ignores_signs=self._yes_or_no("ignores_signs", document),
            nosplit_holds_query=self._yes_or_no("nosplit_holds_query", document),
            opens_with_text=self._yes_or_no("opens_with_text", document),
            sections_by_part=self._yes_or_no("sections_by_part", document),
            **{key: self._phrases(key, document.get(key, [])) for key in LIST_KEYS},
        )
        self._check_whole(vocabulary)
        if self.faults:
            raise VocabularyError(self.faults)
        return vocabulary

    def _check_keys(self, prefix: str, found: Mapping[Any, Any], known: list[str]) -> None:
        for key in found:
            if key not in known:
                close = difflib.get_close_matches(str(key), known, n=1)
                self.refuse(f"{prefix}{key}", "unknown key" + (f"; did you mean {close[0]!r}?" if close else ""))

    def _text(self, key: str, value: object) -> str:
        if not isinstance(value, str):
            self.refuse(key, f"text is needed, not {_kind(value)}")
            return UNREAD
        if not value.strip():
            self.refuse(key, "empty")
        elif value != value.strip():
            self.refuse(key, f"{value!r} has space around it")
        self._check_characters(key, value)
        return value

    def _yes_or_no(self, key: str, document: Mapping[Any, Any]) -> bool:
        value: object = document.get(key, False)
        if not isinstance(value, bool):
            self.refuse(key, f"true or false is needed, not {_kind(value)}")
            return False
        return value

    def _check_characters(self, key: str, value: str) -> None:
        if any(ord(c) < 32 or 0xD800 <= ord(c) <= 0xDFFF for c in value):
            self.refuse(key, f"{value!r} holds a control character or half a surrogate pair")
        if len(value) > MAX_PHRASE_CHARACTERS:
            self.refuse(key, f"{len(value)} characters; at most {MAX_PHRASE_CHARACTERS}")

    def _phrases(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            self.refuse(key, f"a list is needed, not {_kind(value)}")
            return ()
        phrases = []
        seen: dict[str, int] = {}
        for index, phrase in enumerate(value):
            here = f"{key}[{index}]"
            if not isinstance(phrase, str):
                self.refuse(here, f"text is needed, not {_kind(phrase)}")
                continue
            if not phrase.strip():
                self.refuse(here, "empty phrase")
                continue
            self._check_spaces(here, phrase, joins=key == "conjunctions")
            self._check_characters(here, phrase)
            first = seen.setdefault(_single_spaced(phrase.casefold()), index)
            if first != index:
                self.refuse(here, f"{phrase!r} is already at {key}[{first}]")
            phrases.append(phrase)
        return tuple(phrases)

    def _check_spaces(self, key: str, phrase: str, joins: bool) -> None:
        if joins and not (phrase.endswith(" ") and (phrase.startswith(" ") or not phrase[0].isalnum())):
            self.refuse(
                key, f"{phrase!r} would glue words together; give it with its spaces: {f' {phrase.strip()} '!r}"
            )
        if not joins and phrase != phrase.strip():
            self.refuse(key, f"{phrase!r} has space around it")

    def _phrases_by_source(self, key: str, value: object) -> Mapping[str, tuple[str, ...]]:
        if not isinstance(value, dict):
            self.refuse(key, f"an object is needed, not {_kind(value)}")
            return MappingProxyType({})
        found = {}
        for source, phrases in value.items():
            self._text(f"{key}.{source}", source)
            found[source] = self._phrases(f"{key}.{source}", phrases)
            if not found[source] and isinstance(phrases, list):
                self.refuse(f"{key}.{source}", "no phrases" if key == "sources" else "no sources")
        return MappingProxyType(found)

    def _headers(self, value: object) -> Mapping[str, str]:
        if not isinstance(value, dict):
            self.refuse("headers", f"an object is needed, not {_kind(value)}")
            return MappingProxyType({})
        headers = {source: self._text(f"headers.{source}", text) for source, text in value.items()}
        for source, header in headers.items():
            if set(header) == {"-"}:
                self.refuse(f"headers.{source}", f"{header!r} parts sections; none could be told by it")
        return MappingProxyType(headers)

    def _seeds(self, value: object) -> Seeds:
        if not isinstance(value, dict):
            self.refuse("seeds", f"an object is needed, not {_kind(value)}")
            return Seeds()
        names = [f.name for f in fields(Seeds)]
        self._check_keys("seeds.", value, names)
        return Seeds(**{name: self._phrases(f"seeds.{name}", value[name]) for name in names if name in value})

    def _check_whole(self, vocabulary: Vocabulary) -> None:
        """Checks between keys, for those that are valid themselves, so that no fault is reported twice."""
        faulty = {fault.key for fault in self.faults}
        known = {*vocabulary.sources} | ({vocabulary.encyclopedia} if "encyclopedia" not in faulty else set())
        knows_all = not {"sources", "encyclopedia"} & faulty
        knows_stand_ins = not any(key.split(".")[0] == "fallbacks" for key in faulty)
        if not vocabulary.sources and "sources" not in faulty:
            self.refuse("sources", "no source; a router has at least one")
        if "merged_source" not in faulty and vocabulary.merged_source in known:
            self.refuse(
                "merged_source",
                f"{vocabulary.merged_source!r} is a source of its own; a merged answer could not be told apart",
            )
        for source in sorted(known - set(vocabulary.headers)) if "headers" not in faulty else ():
            self.refuse(f"headers.{source}", "missing; without it a section of this source cannot be recognised")
        owners: dict[str, str] = {}
        for source, header in vocabulary.headers.items():
            if f"headers.{source}" not in faulty and owners.setdefault(header, source) != source:
                self.refuse(f"headers.{source}", f"the same header as {owners[header]!r}")
        stand_ins = {s for sources in vocabulary.fallbacks.values() for s in sources}
        for source in vocabulary.headers:
            if knows_all and knows_stand_ins and source not in known | stand_ins:
                self.refuse(f"headers.{source}", "no such source in sources, encyclopedia or fallbacks")
        for source in vocabulary.fallbacks:
            if knows_all and source not in known:
                self.refuse(f"fallbacks.{source}", "no such source in sources or encyclopedia")
        for index, source in enumerate(vocabulary.presence_only):
            if "headers" not in faulty and source not in vocabulary.headers:
                self.refuse(f"presence_only[{index}]", f"{source!r} is no source with a header")


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null" if value is None else type(value).__name__)


# --- what is needed of a vocabulary ---


@dataclass(frozen=True)
class Requirement:
    """At least `least` items in one key of the vocabulary document.

    key: a path such as `seeds.conditions`. item and items: what one and several of them are called. usable: how many of
    them a recipe can use.
    """

    key: str
    item: str
    items: str
    usable: Callable[[Vocabulary], int]
    least: int = 1

    def times(self, least: int) -> "Requirement":
        """The same with another number."""
        return replace(self, least=least)

    def missing(self, vocabulary: Vocabulary) -> int:
        """How many more are needed; 0: enough."""
        return max(0, self.least - self.usable(vocabulary))


Alternatives = tuple[tuple[Requirement, ...], ...]  # of which one has to be met whole


@dataclass(frozen=True)
class Shortage:
    """A requirement that is not met, as a sentence. missing: how many more are needed, at least 1."""

    requirement: Requirement
    missing: int

    def __str__(self) -> str:
        more = (
            f"one more {self.requirement.item}"
            if self.missing == 1
            else f"{self.missing} more {self.requirement.items}"
        )
        return f"needs {more} in {self.requirement.key}"


def shortages(alternatives: Alternatives, vocabulary: Vocabulary) -> tuple[Shortage, ...]:
    """What the alternative that is closest to being met lacks; nothing where one is met."""
    return min((_shortages(requirements, vocabulary) for requirements in alternatives), key=_size)


def _shortages(requirements: Sequence[Requirement], vocabulary: Vocabulary) -> tuple[Shortage, ...]:
    return tuple(
        Shortage(requirement, missing) for requirement in requirements if (missing := requirement.missing(vocabulary))
    )


def _size(found: Sequence[Shortage]) -> int:
    return sum(shortage.missing for shortage in found)
