"""What can be said of a query, of some of its parts, or of a finding, to tell what a cause strikes from the rest. Pure.

A predicate is a value: it can be kept, said in a sentence and tested on any query, or on any flag. A family makes all
that are alike; one more is one small class in FAMILIES.
"""

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from selftest.core.generation.queries import ENCYCLOPEDIA_KINDS, FREE_KINDS, Clause, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary

Places = int
"""Some parts of a query, as bits: 1 for the first, 2 for the second, 4 for the third …; 0 for none."""

# A part that is several things at once is what comes first here: "compare A and B" is a pair.
KINDS = (
    PartKind.CONDITION,
    PartKind.PAIR,
    PartKind.REQUEST,
    PartKind.LOOKALIKE,
    PartKind.NOSPLIT,
    PartKind.DISCOURSE,
    PartKind.INTENT,
    PartKind.TOPIC,
    PartKind.CONSEQUENCE,
)
KIND_NAMES: Mapping[str, str] = MappingProxyType(
    {
        PartKind.CONDITION: "a condition",
        PartKind.PAIR: "a pair",
        PartKind.REQUEST: "a request",
        PartKind.LOOKALIKE: "a keyword in other letters",
        PartKind.NOSPLIT: "a phrase that must not split",
        PartKind.DISCOURSE: "a framed topic",
        PartKind.INTENT: "a keyword",
        PartKind.TOPIC: "a topic",
        PartKind.CONSEQUENCE: "a consequence",
    }
)
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
MOST_PARTS = 7  # that are told apart
LENGTHS = (100, 200, 400, 800, 1600)  # characters
SHORT_WORD_LETTERS = 3
QUOTES = "\"'“”„‘’«»()[]"
ENDS_OF_SENTENCES = "?!…"

ENCYCLOPEDIA = "the encyclopedia"  # whatever the vocabulary calls it

BOTH, ANY_OF = "both", "any_of"
JOINING_COST = 2.0


@dataclass(frozen=True, order=True)
class Predicate:
    """family: the name of what makes it; BOTH and ANY_OF join others. values: what it is about, empty for nothing.

    of: what is joined: two that hold of the same part, or several of one family of which one is enough.
    """

    family: str
    values: tuple[str, ...] = ()
    of: "tuple[Predicate, ...]" = ()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.family, self.values, self.of))

    @property
    def sentence(self) -> str:
        """What has to be in a query, without a full stop."""
        if self.family == BOTH:
            one, other = self.of
            return f"{one.sentence}, {other.as_addition}"
        if self.family == ANY_OF:
            *others, last = (each.sentence for each in self.of)
            return f"{', '.join(others)} or {last}"
        return FAMILIES[self.family].sentence(self.values)

    @property
    def as_addition(self) -> str:
        """The same behind another one's sentence."""
        if self.of:
            return f"where {self.sentence} is"
        return FAMILIES[self.family].addition(self.values)

    @property
    def is_known(self) -> bool:
        """Whether this version of the product can tell where it holds."""
        return all(one.is_known for one in self.of) if self.of else self.family in FAMILIES

    @cached_property
    def is_of_finding(self) -> bool:
        """Whether it is about a finding, and not about a query; joined ones are about queries."""
        return isinstance(FAMILIES.get(self.family), OfFinding)

    @property
    def filter_words(self) -> str:
        """What flags have in common that it is said of; of one about a finding."""
        family = FAMILIES[self.family]
        return family.filter_words(self.values) if isinstance(family, OfFinding) else self.sentence

    @property
    def of_query(self) -> "Predicate":
        """What it says of a query, without what it says of a finding."""
        if self.is_of_finding:
            return ANY
        one, *others = self.of if self.family == BOTH else (self,)
        return one.of_query if others and others[0].is_of_finding else self

    def fits(self, told: Collection["Predicate"]) -> bool:
        """Whether it can be about a finding of which this is told: what it says of findings is among it."""
        return all(one in told for one in (self, *self.of) if one.is_of_finding)

    @property
    def cost(self) -> float:
        """How much it asks one to believe, in nats: the logarithm of how many others like it could be said."""
        if self.of:
            return sum(one.cost for one in self.of) + JOINING_COST
        return FAMILIES[self.family].cost

    def places(self, shape: "QueryShape") -> Places:
        """The parts that it holds of; none where it does not hold. Of the query as a whole, or of a finding: all."""
        if not self.of:
            return shape.every if self.is_of_finding else shape.places_of(self)
        first, *others = (each.places(shape) for each in self.of)
        for other in others:
            first = first & other if self.family == BOTH else first | other
        return first


@lru_cache(maxsize=8192)  # the same few hundred hold of most queries
def _predicate(family: str, values: tuple[str, ...]) -> Predicate:
    return Predicate(family, values)


ANY = Predicate("any")


class Form(NamedTuple):
    """A part of a query without its words.

    kinds: all that it is, what it mostly is first. ways: how its keyword is written, and what it is made of.
    """

    kinds: tuple[str, ...]
    ways: tuple[str, ...]

    @property
    def kind(self) -> str:
        """What it mostly is."""
        return self.kinds[0]


@dataclass(frozen=True)
class PartShape:
    """One part of a query, whatever stands around it.

    sources: those that its keywords point at, also keywords that a condition or a request happens to hold; of what has
    none, ENCYCLOPEDIA where it is for that. phrases: kind and text of its ingredients, as the vocabulary has them.
    """

    form: Form
    sources: tuple[str, ...]
    phrases: tuple[tuple[str, str], ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """All that it is."""
        return self.form.kinds

    @cached_property
    def predicates(self) -> Mapping[Predicate, bool]:
        """What its words say, each with whether it is about the query as a whole."""
        return {
            _predicate(name, values): family.is_of_whole
            for name, family in families_of(OfWords)
            for values in family.found_in(self)
        }


@lru_cache(maxsize=16384)  # queries are made of the same parts over and over
def _part_shape(clause: Clause, held: tuple[str, ...]) -> PartShape:
    kind = next((kind for kind in KINDS if kind in clause.kinds), PartKind.TOPIC)
    parts = [part for part in clause.parts if part.kind is not PartKind.MARK]
    return PartShape(
        Form(
            tuple(dict.fromkeys([kind, *(part.kind for part in parts if part.kind in KIND_NAMES)])),
            _ways(clause),
        ),
        tuple(dict.fromkeys(clause.intended_sources + held))
        or ((ENCYCLOPEDIA,) if clause.kinds & ENCYCLOPEDIA_KINDS else ()),
        tuple((part.kind, part.plain or part.text.strip()) for part in parts),
    )


def _held_sources(clause: Clause, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Those of keywords that stand in a part which was not made of them: "if it is raining" asks for the weather."""
    if clause.kinds.isdisjoint(FREE_KINDS):
        return ()
    texts = (part.text for part in clause.parts if part.kind in FREE_KINDS)
    return tuple(sorted({source for text in texts for source in vocabulary.sources_named_in(text)}))


def _ways(clause: Clause) -> tuple[str, ...]:
    spelled = [part for part in clause.parts if part.kind in (PartKind.INTENT, PartKind.LOOKALIKE)]
    ways = []
    if any(part.plain and part.text != part.plain and part.text.lower() == part.plain.lower() for part in spelled):
        ways.append("in capitals")
    if any(sign in clause.text and sign not in clause.plain for sign in QUOTES):
        ways.append("in quotes or brackets")
    if any(sign in clause.text for sign in ENDS_OF_SENTENCES):
        ways.append("with a sign that ends a sentence")
    words = " ".join(part.plain or part.text for part in spelled).split()
    if words and sum(map(len, words)) <= SHORT_WORD_LETTERS:
        ways.append("of three letters or fewer")
    if len(words) > 1 and all(len(word) <= SHORT_WORD_LETTERS for word in words):
        ways.append("of short words alone")
    return tuple(ways)


Forms = tuple[Form, ...]
"""Of each part, in order."""

Before = tuple[str, ...]
"""Of each part the conjunction that stands before it; "" where it is the first, or where a comma separates it."""


class Whole(NamedTuple):
    """A query without its parts, of which only their number is told.

    length: the most of LENGTHS that it has; 0 for fewer characters. sources: those that its keywords point at.
    repeated: the parts for a source that another part before them is for too. shared: those with a keyword of a source
    that another part has one of too, before or after.
    """

    recipe: str
    length: int
    parts: int
    sources: int
    repeated: Places
    shared: Places


Aspect = Forms | Before | Whole


@dataclass(frozen=True)
class AspectShape:
    """What families of one class look at. Queries that are alike in it share it."""

    families: "type[OfAspect[Any]]"
    aspect: Aspect

    @cached_property
    def predicates(self) -> Mapping[Predicate, Places]:
        """All of these families that hold, each with the parts that it holds of."""
        found: dict[Predicate, Places] = {}
        for name, family in families_of(self.families):
            for values, places in family.found_in(self.aspect):
                predicate = _predicate(name, values)
                found[predicate] = found.get(predicate, 0) | places
        return found


@lru_cache(maxsize=16384)  # many queries are alike in one aspect
def _aspect_shape(families: "type[OfAspect[Any]]", aspect: Aspect) -> AspectShape:
    return AspectShape(families, aspect)


@dataclass(frozen=True)
class QueryShape:
    """A query as predicates look at it. vocabulary: whose keywords are seen in conditions and requests too.

    Thousands are kept: each holds little of its own, and what many share.
    """

    query: Query
    vocabulary: Vocabulary = field(compare=False, repr=False)

    @cached_property
    def parts(self) -> tuple[PartShape, ...]:
        """In order."""
        return tuple(_part_shape(clause, _held_sources(clause, self.vocabulary)) for clause in self.query.clauses)

    @property
    def conjunctions(self) -> Before:
        """What joins the parts."""
        return _conjunctions_before(self.query)

    @cached_property
    def every(self) -> Places:
        """All parts."""
        return all_of(len(self.parts))

    @cached_property
    def aspects(self) -> tuple[AspectShape, ...]:
        """All that families look at but single words."""
        return (
            _aspect_shape(OfForms, tuple([part.form for part in self.parts])),
            _aspect_shape(OfConjunctions, self.conjunctions),
            _aspect_shape(OfWhole, self._whole),
        )

    @property
    def _whole(self) -> Whole:
        characters = len(self.query.text)
        length = max((length for length in LENGTHS if length <= characters), default=0)
        parts_for: dict[str, Places] = {}
        repeated = shared = 0
        for place, part in enumerate(self.parts):
            for source in part.sources:
                if source in parts_for:
                    repeated |= bit(place)
                    if source != ENCYCLOPEDIA:
                        shared |= parts_for[source] | bit(place)
            for source in part.sources:
                parts_for[source] = parts_for.get(source, 0) | bit(place)
        sources = len(parts_for.keys() - {ENCYCLOPEDIA})
        return Whole(self.query.recipe, length, len(self.parts), sources, repeated, shared)

    def places_of(self, predicate: Predicate) -> Places:
        """The parts that one holds of which is not joined and about no finding."""
        if not isinstance(FAMILIES.get(predicate.family), OfWords):
            return next((one.predicates[predicate] for one in self.aspects if predicate in one.predicates), 0)
        found = [place for place, part in enumerate(self.parts) if predicate in part.predicates]
        is_of_whole = bool(found) and self.parts[found[0]].predicates[predicate]
        return self.every if is_of_whole else sum(map(bit, found))


def _conjunctions_before(query: Query) -> Before:
    found: list[str] = []
    parts = iter(query.parts)
    for clause in query.clauses:
        before = ""
        for part in parts:
            if part == clause.parts[0]:
                break
            before = part.text.strip() if part.kind is PartKind.CONJUNCTION else before
        found.append(before)
        deque(islice(parts, len(clause.parts) - 1), maxlen=0)  # the rest of the clause
    return tuple(found)


def bit(place: int) -> Places:
    """The part at this place, from 0."""
    return 1 << place


def all_of(parts: int) -> Places:
    """So many parts."""
    return (1 << parts) - 1


Values = tuple[str, ...]
Found = Iterator[tuple[Values, Places]]
Seen = TypeVar("Seen", Forms, Before, Whole)
AnyFamily = TypeVar("AnyFamily", bound="Family")


class Family(ABC):
    """Predicates that differ in their values alone.

    cost: the logarithm of about how many there are. is_of_words: whether several of them may be one cause, as keywords
    that are spelled alike, or sources that fail alike. is_of_few_words: whether most queries may hold one of those.
    """

    cost: float
    is_of_words = False
    is_of_few_words = False

    @abstractmethod
    def sentence(self, values: Values) -> str:
        """What has to be in a query."""

    def addition(self, values: Values) -> str:
        """The same behind another sentence."""
        return f"in {self.sentence(values)}"


class OfAspect(Family, Generic[Seen]):
    """Looks at one aspect of queries: what holds is told once for all that are alike in it."""

    @abstractmethod
    def found_in(self, seen: Seen) -> Found:
        """All that hold, each with the parts that it holds of; the same values may come several times."""


class OfForms(OfAspect[Forms]):
    """Looks at what each part is."""


class OfConjunctions(OfAspect[Before]):
    """Looks at what joins the parts."""


class OfWhole(OfAspect[Whole]):
    """Looks at the query as a whole."""


class OfWords(Family):
    """Looks at each part's words alone. is_of_whole: whether it is about the query as a whole."""

    is_of_whole = False

    @abstractmethod
    def found_in(self, part: PartShape) -> Iterator[Values]:
        """All that hold of it."""


class AnyQuery(OfForms):
    """Holds always."""

    cost = 0.0

    def found_in(self, seen: Forms) -> Found:
        yield (), all_of(len(seen))

    def sentence(self, values: Values) -> str:
        return "any query"


class Parts(OfForms):
    """At least so many parts."""

    cost = 1.8

    def found_in(self, seen: Forms) -> Found:
        for number in range(2, min(len(seen), MOST_PARTS) + 1):
            yield (str(number),), all_of(len(seen))

    def sentence(self, values: Values) -> str:
        return f"a query of {NUMBERS[int(values[0])]} or more parts"


class Sources(OfWhole):
    """Keywords of at least so many sources."""

    cost = 1.8

    def found_in(self, seen: Whole) -> Found:
        for number in range(1, min(seen.sources, MOST_PARTS) + 1):
            yield (str(number),), all_of(seen.parts)

    def sentence(self, values: Values) -> str:
        number = int(values[0])
        return "a query with a keyword" if number == 1 else f"a query for {NUMBERS[number]} or more sources"


class WithKind(OfForms):
    """A part of this kind anywhere: about the query as a whole."""

    cost = 2.3

    def found_in(self, seen: Forms) -> Found:
        for kind in {kind for part in seen for kind in part.kinds}:
            yield (kind,), all_of(len(seen))

    def sentence(self, values: Values) -> str:
        return f"a query with {KIND_NAMES[values[0]]}"


class OfKind(OfForms):
    """A part of this kind."""

    cost = 2.3

    def found_in(self, seen: Forms) -> Found:
        for place, part in enumerate(seen):
            for kind in part.kinds:
                yield (kind,), bit(place)

    def sentence(self, values: Values) -> str:
        return KIND_NAMES[values[0]]

    def addition(self, values: Values) -> str:
        return f"where that is {KIND_NAMES[values[0]]}"


class Again(OfForms):
    """A part of this kind that has one of its kind before it."""

    cost = 2.3

    def found_in(self, seen: Forms) -> Found:
        counts: Counter[str] = Counter()
        for place, part in enumerate(seen):
            counts[part.kind] += 1
            if counts[part.kind] > 1:
                yield (part.kind,), bit(place)

    def sentence(self, values: Values) -> str:
        return f"{KIND_NAMES[values[0]]} after another one"

    def addition(self, values: Values) -> str:
        return "after another one of its kind"


class From(OfForms):
    """The parts from this place on, from 1: the first one is not among them."""

    cost = 2.0

    def found_in(self, seen: Forms) -> Found:
        for start in range(1, min(len(seen), MOST_PARTS)):
            yield (str(start),), all_of(len(seen)) & ~(bit(start) - 1)

    def sentence(self, values: Values) -> str:
        return f"the {ORDINALS[int(values[0])]} part or a later one"

    def addition(self, values: Values) -> str:
        start = int(values[0])
        return "not in first place" if start == 1 else f"in {ORDINALS[start]} place or later"


class AtEnd(OfForms):
    """The first or the last of several parts."""

    cost = 1.0

    def found_in(self, seen: Forms) -> Found:
        if len(seen) > 1:
            yield ("first",), bit(0)
            yield ("last",), bit(len(seen) - 1)

    def sentence(self, values: Values) -> str:
        return f"the {values[0]} part of a query"

    def addition(self, values: Values) -> str:
        return f"in {values[0]} place"


class Neighbours(OfForms):
    """A part of one kind right before one of another, or of its own: about both."""

    cost = 4.0

    def found_in(self, seen: Forms) -> Found:
        for (place, one), (_, other) in pairwise(enumerate(seen)):
            yield (one.kind, other.kind), self.meant(place)

    def meant(self, first: int) -> Places:
        """Which of the two parts, of which one stands at `first`, it is about."""
        return bit(first) | bit(first + 1)

    def sentence(self, values: Values) -> str:
        return f"{KIND_NAMES[values[0]]} with {_other_kind(values)} right after it"


class RightBefore(Neighbours):
    """The same about the first of the two."""

    def meant(self, first: int) -> Places:
        return bit(first)

    def sentence(self, values: Values) -> str:
        return f"{KIND_NAMES[values[0]]} right before {_other_kind(values)}"

    def addition(self, values: Values) -> str:
        return f"right before {_other_kind(values)}"


class RightAfter(Neighbours):
    """The same about the second of the two."""

    def meant(self, first: int) -> Places:
        return bit(first + 1)

    def sentence(self, values: Values) -> str:
        return f"{KIND_NAMES[values[1]]} {self.addition(values)}"

    def addition(self, values: Values) -> str:
        return f"right after {KIND_NAMES[values[0]] if values[0] != values[1] else 'another one'}"


def _other_kind(values: Values) -> str:
    return "another one" if values[0] == values[1] else KIND_NAMES[values[1]]


class PointsAt(OfWords):
    """A part for this source."""

    cost = 2.1
    is_of_words = True
    is_of_few_words = True

    def found_in(self, part: PartShape) -> Iterator[Values]:
        for source in part.sources:
            yield (source,)

    def sentence(self, values: Values) -> str:
        return f"a part for {ENCYCLOPEDIA}" if values == (ENCYCLOPEDIA,) else f"a keyword of {values[0]}"

    def addition(self, values: Values) -> str:
        return f"for {values[0]}"


class SameSource(OfWhole):
    """A part for a source that another part before it is for too."""

    cost = 1.5

    def found_in(self, seen: Whole) -> Found:
        if seen.repeated:
            yield (), seen.repeated

    def sentence(self, values: Values) -> str:
        return "a second part for the same source"

    def addition(self, values: Values) -> str:
        return "after another part for the same source"


class SharedSource(OfWhole):
    """Parts with keywords of one source: they are asked in one place, while two for the encyclopedia share nothing."""

    cost = 1.5

    def found_in(self, seen: Whole) -> Found:
        if seen.shared:
            yield (), seen.shared

    def sentence(self, values: Values) -> str:
        return "two keywords of the same source"

    def addition(self, values: Values) -> str:
        return "where another keyword is of the same source"


class Joined(OfConjunctions):
    """What this conjunction joins, on either side."""

    cost = 2.0

    def found_in(self, seen: Before) -> Found:
        for place, before in enumerate(seen):
            if before and place:
                yield (before,), bit(place - 1) | bit(place)

    def sentence(self, values: Values) -> str:
        return f"what {values[0]!r} joins"

    def addition(self, values: Values) -> str:
        return f"joined by {values[0]!r}"


class After(OfConjunctions):
    """What stands behind this conjunction."""

    cost = 2.0

    def found_in(self, seen: Before) -> Found:
        for place, before in enumerate(seen):
            if before:
                yield (before,), bit(place)

    def sentence(self, values: Values) -> str:
        return f"what follows {values[0]!r}"

    def addition(self, values: Values) -> str:
        return f"after {values[0]!r}"


class Behind(OfForms):
    """What stands anywhere behind a part of this kind, or one that is written like this."""

    cost = 3.0

    def found_in(self, seen: Forms) -> Found:
        for place, part in enumerate(seen[:-1]):
            later = all_of(len(seen)) & ~(bit(place + 1) - 1)
            for what in (part.kind, *part.ways):
                yield (what,), later

    def sentence(self, values: Values) -> str:
        return f"what stands behind {KIND_NAMES.get(values[0], f'a keyword {values[0]}')}"

    def addition(self, values: Values) -> str:
        return f"behind {KIND_NAMES.get(values[0], f'a keyword {values[0]}')}"


class Phrase(OfWords):
    """This phrase of the vocabulary."""

    cost = 5.0
    is_of_words = True

    def found_in(self, part: PartShape) -> Iterator[Values]:
        return iter(part.phrases)

    def sentence(self, values: Values) -> str:
        return repr(values[1])

    def addition(self, values: Values) -> str:
        return f"with {values[1]!r}"


class WithPhrase(OfWords):
    """This phrase anywhere: about the query as a whole."""

    cost = 5.0
    is_of_whole = True

    def found_in(self, part: PartShape) -> Iterator[Values]:
        return iter(part.phrases)

    def sentence(self, values: Values) -> str:
        return f"a query with {values[1]!r}"

    def addition(self, values: Values) -> str:
        return f"with {values[1]!r} in the same query"


class OfRecipe(OfWhole):
    """Made by this recipe."""

    cost = 3.2

    def found_in(self, seen: Whole) -> Found:
        yield (seen.recipe,), all_of(seen.parts)

    def sentence(self, values: Values) -> str:
        return f"a query of the recipe {values[0]}"


class Written(OfForms):
    """How a keyword is written, and what it is made of."""

    cost = 2.3

    def found_in(self, seen: Forms) -> Found:
        for place, part in enumerate(seen):
            for way in part.ways:
                yield (way,), bit(place)

    def sentence(self, values: Values) -> str:
        return f"a keyword {values[0]}"

    def addition(self, values: Values) -> str:
        return values[0]


class Long(OfWhole):
    """A query of at least so many characters."""

    cost = 2.3

    def found_in(self, seen: Whole) -> Found:
        for length in LENGTHS:
            if length <= seen.length:
                yield (str(length),), all_of(seen.parts)

    def sentence(self, values: Values) -> str:
        return f"a query of {values[0]} characters or more"


class FindingShape(NamedTuple):
    """A finding as predicates look at it.

    check: that it shows in. sources: whose sections it is about. parts: of the query, that it is about, and every: all.
    missing: those that are missing, in their own words. error: the first line of a target's error, without numbers.
    """

    check: str
    sources: tuple[str, ...] = ()
    parts: Places = 0
    every: Places = 0
    missing: tuple[str, ...] = ()
    error: str = ""


class OfFinding(Family):
    """Looks at a finding. What it says of a query is nothing: each might show it."""

    @abstractmethod
    def found_in(self, finding: FindingShape) -> Iterator[Values]:
        """All that hold of it."""

    @abstractmethod
    def filter_words(self, values: Values) -> str:
        """What flags have in common where it is used as a filter, in a few words."""


class ShownAs(OfFinding):
    """The check that it shows in."""

    cost = 4.0

    def found_in(self, finding: FindingShape) -> Iterator[Values]:
        yield (finding.check,)

    def sentence(self, values: Values) -> str:
        return f"a query, {self.addition(values)}"

    def addition(self, values: Values) -> str:
        return f"shown as {self.filter_words(values)}"

    def filter_words(self, values: Values) -> str:
        return values[0].replace("_", " ")


class OfSection(OfFinding):
    """The source whose section it is about."""

    cost = 2.1

    def found_in(self, finding: FindingShape) -> Iterator[Values]:
        for source in finding.sources:
            yield (source,)

    def sentence(self, values: Values) -> str:
        return f"the section of {values[0]}"

    def filter_words(self, values: Values) -> str:
        return f"of {values[0]}"


class InPlace(OfFinding):
    """The place of the part that it is about: the only one, the first or the last."""

    cost = 1.0

    def found_in(self, finding: FindingShape) -> Iterator[Values]:
        first, last = bit(0), finding.every ^ (finding.every >> 1)
        if finding.parts == first == last:
            yield ("only",)
        elif finding.parts and finding.parts in (first, last):
            yield ("first" if finding.parts == first else "last",)

    def sentence(self, values: Values) -> str:
        return f"the {values[0]} part"

    def filter_words(self, values: Values) -> str:
        return self.sentence(values)


class Missing(OfFinding):
    """The part that is missing from the answer."""

    cost = 5.0

    def found_in(self, finding: FindingShape) -> Iterator[Values]:
        for part in finding.missing:
            yield (part,)

    def sentence(self, values: Values) -> str:
        return f"a query without {values[0]!r} in its answer"

    def addition(self, values: Values) -> str:
        return f"without {values[0]!r} in the answer"

    def filter_words(self, values: Values) -> str:
        return f"without {values[0]!r}"


class WithError(OfFinding):
    """The first line of an error, without numbers."""

    cost = 3.0

    def found_in(self, finding: FindingShape) -> Iterator[Values]:
        if finding.error:
            yield (finding.error,)

    def sentence(self, values: Values) -> str:
        return f"a query that ends in {values[0]!r}"

    def addition(self, values: Values) -> str:
        return f"ending in {values[0]!r}"

    def filter_words(self, values: Values) -> str:
        return values[0]


@lru_cache(maxsize=16384)  # many flags say the same
def told_of(finding: FindingShape) -> tuple[Predicate, ...]:
    """All that hold of a finding."""
    return tuple(
        _predicate(name, values)
        for name, family in families_of(OfFinding)
        for values in dict.fromkeys(family.found_in(finding))
    )


# The names are kept with causes: they stay. Where two say as much, the one that comes first here is said.
FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "any": AnyQuery(),
        "of_kind": OfKind(),
        "with_kind": WithKind(),
        "from": From(),
        "at_end": AtEnd(),
        "points_at": PointsAt(),
        "same_source": SameSource(),
        "shared_source": SharedSource(),
        "again": Again(),
        "right_after": RightAfter(),
        "right_before": RightBefore(),
        "neighbours": Neighbours(),
        "after": After(),
        "joined": Joined(),
        "behind": Behind(),
        "phrase": Phrase(),
        "with_phrase": WithPhrase(),
        "written": Written(),
        "parts": Parts(),
        "sources": Sources(),
        "long": Long(),
        "recipe": OfRecipe(),
        "shown_as": ShownAs(),
        "of_section": OfSection(),
        "in_place": InPlace(),
        "missing": Missing(),
        "with_error": WithError(),
    }
)
RANK: Mapping[str, int] = MappingProxyType({name: place for place, name in enumerate((*FAMILIES, BOTH, ANY_OF))})


@cache
def families_of(kind: type[AnyFamily]) -> tuple[tuple[str, AnyFamily], ...]:
    """Those of this class, each with its name."""
    return tuple((name, family) for name, family in FAMILIES.items() if isinstance(family, kind))
