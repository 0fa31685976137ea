"""One answer under examination: its clauses, what each of them needs, and what is known of it alone."""

import hashlib
import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain

from selftest.core.generation.queries import ENCYCLOPEDIA_KINDS, FREE_KINDS, Clause, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary, phrases_pattern
from selftest.core.judging.answer_item import (
    SAYS_SOMETHING,
    AnswerItem,
    as_item,
    with_straight_apostrophes,
    without_invisible,
    words_in,
)
from selftest.core.judging.answers import Answer, excerpt, split_sections
from selftest.core.judging.boilerplate import ANY_QUESTION, END, EVERY_SOURCE, AnsweredLines, is_boilerplate
from selftest.core.judging.content import (
    NOTHING,
    SourceContent,
    agree,
    closing_items,
    differ,
    items_of,
    unmatched_items,
    without_closing,
)
from selftest.core.judging.failure_phrases import failure_of_section, failure_phrase, heads_advice, mentions_any
from selftest.core.judging.findings import CheckName, Evidence, Finding, ProbeEvidence
from selftest.core.judging.latency import LatencyLimits
from selftest.core.judging.probes import Probe, Purpose, Urgency

NO_DETAILS = Evidence()
END_LINES = 6  # at each end
FEWEST_WORDS_ASKED = 2
MOST_WORDS_AROUND = 9  # what was asked, in a lead-in or an offer: "Tell me if … is not what you meant."
CALLED_KINDS = frozenset(PartKind) - {PartKind.CONJUNCTION, PartKind.NOSPLIT, PartKind.DISCOURSE, PartKind.MARK}
ALL_TURNS = 256
MOST_NOTE_WORDS = 3  # beside the sources that a note names: "Also asked: news, web"
FAILURE_ITEMS = 2  # lines of a failure that says more than its phrase
POINTS_BACK = re.compile(r"\b(?:it|this|that|them|these|those|him|her)\W*$", re.IGNORECASE)
LOOKS_UP = re.compile(
    r"(?:look|search|google|find|check|read|show|tell)\b.* (?:it|this|that|them|these|those)(?: up)?(?: online)?$",
    re.IGNORECASE,
)
BETWEEN_ASKED = re.compile(r"\W+\w+\W+"), re.compile(r"\W+")  # "tides, and next ferry"
UP_TO_CUT = re.compile(r"[^….?!]*…")
COUNT = re.compile(r"\d+")
LINK = re.compile(r"\S*(?://|/\S*/|www\.|[?&]\w+=)\S*")  # "/news?q=late+trains&page=2", "/news/page/2"
SUBJECT_SHARE = 0.6  # of the items, which may have lines around them
SPARE = 2  # companions that may have nothing to say themselves
COMPOUNDS = 2  # that a part is tried in: the second where the others in the first bring too little


@dataclass(frozen=True)
class CheckInput:
    """All that a check may look at. history_ms: earlier uncached runs of the recipe, oldest first, not this one.

    boilerplate: source → digests of the lines that it says whatever it is asked.
    """

    query: Query
    answer: Answer
    vocabulary: Vocabulary
    history_ms: Sequence[float] = ()
    limits: LatencyLimits = field(default_factory=LatencyLimits)
    boilerplate: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def items_of(self, source: str, brought: SourceContent) -> tuple[AnswerItem, ...]:
        """What `brought` has of `source` without boilerplate; where that is all, without what every source says."""
        items = brought.by_source.get(source, ())
        left = self._telling.get((source, items))
        if left is None:
            left = self._telling[source, items] = self._without_boilerplate(source, items)
        return left

    @cached_property
    def _telling(self) -> dict[tuple[str, tuple[AnswerItem, ...]], tuple[AnswerItem, ...]]:
        """Kept: a section is held against its parts several times on the way to a verdict."""
        return {}

    def _without_boilerplate(self, source: str, items: tuple[AnswerItem, ...]) -> tuple[AnswerItem, ...]:
        all_of_them, ends = frozenset(items), frozenset(_ends(items))  # an answer may have thousands of lines
        of_all = {EVERY_SOURCE: self.boilerplate.get(EVERY_SOURCE, frozenset())}
        # A line that names what was asked may be all that a source says: "kettle: on".
        for known, offers in ((self.boilerplate, all_of_them), (self.boilerplate, ends), (of_all, ends)):
            left = tuple(item for item in items if not self._is_said_of_any(item, source, known, item in offers))
            if left:
                return left
        return items

    def _is_said_of_any(
        self, item: AnswerItem, source: str, known: Mapping[str, frozenset[str]], may_offer: bool
    ) -> bool:
        """Whether `source` says it whatever it is asked. may_offer: also with what was asked in it."""
        if any(is_boilerplate(line, source, known) for line in self.vocabulary.whichever_source(item.text)):
            return True
        return may_offer and is_boilerplate(self._for_any_question(item), source, known)

    def observed(self, items: Sequence[AnswerItem]) -> tuple[str, ...]:
        """The lines of an answer to one part, also as they would be for another source; its ends for any question.

        Without other lines that quote what was asked: they differ from question to question.
        """
        ends = _ends(items)
        told = (item.text for item in items if item not in ends and not item.echoes(self.query.text))
        lines = (*told, *map(self._for_any_question, ends))
        return tuple(chain(*map(self.vocabulary.whichever_source, lines)))

    def frames(self, item: AnswerItem, section: Sequence[AnswerItem]) -> bool:
        """Whether it opens or ends the section with what was asked, and little else: "Here is what I found about …:".

        What was asked is several words, or the line a heading; a line with figures of its own tells something.
        """
        if item not in _ends(section) or not self._names_asked(item):
            return False
        told = [item.plain[start:end] for start, end in self._asked_in(item.plain)]
        if not any(item.text.endswith(":") or len(words_in(text)) >= FEWEST_WORDS_ASKED for text in told):
            return False
        around = self._for_any_question(item)
        return not COUNT.search(around) and len(set(words_in(around.casefold()))) <= MOST_WORDS_AROUND

    def _for_any_question(self, item: AnswerItem) -> str:
        """Its text with a sign in place of what was asked, or of several such in a row."""
        text = item.plain
        for start, end in reversed(self._asked_in(text) if self._names_asked(item) else ()):
            text = text[:start] + ANY_QUESTION + text[end:]
        return text

    def _names_asked(self, item: AnswerItem) -> bool:
        """Whether something that was asked may stand in it; few lines do, and a pattern is made for those only."""
        folded = " ".join(item.plain.casefold().split())
        return any(text in folded for text in self._asked_texts)

    @cached_property
    def _asked_texts(self) -> tuple[str, ...]:
        """All that its parts may be asked as, or be called, casefolded, the longest first."""
        clauses = self.query.clauses
        parts = [part for clause in clauses for part in clause.parts if part.kind in CALLED_KINDS]
        texts = {text for part in parts for text in (part.text, part.plain) if text}
        texts |= {part.text.partition(" ")[2] for part in parts if part.kind is PartKind.CONDITION}  # without "if"
        free = [part.text.casefold() for part in parts if part.kind in FREE_KINDS]  # searched by a keyword in them
        keywords = chain(*self.vocabulary.sources.values())
        texts |= {phrase for phrase in keywords if any(phrase.casefold() in text for text in free)} if free else set()
        wholes = [standalone_part(clause, self.vocabulary) for clause in clauses]
        texts |= {text for part in wholes for text in (part.alone, part.as_written, part.framed)}
        told = (without_invisible(with_straight_apostrophes(text)) for text in texts if SAYS_SOMETHING.search(text))
        said = {" ".join(text.casefold().split()) for text in told}
        return tuple(sorted(said, key=lambda text: (-len(text), text)))

    def _asked_in(self, text: str) -> list[tuple[int, int]]:
        """From where to where it stands in `text`; several in a row are one, of which the last may be cut."""
        asked, found, end = _any_of(self._asked_texts), list[tuple[int, int]](), 0
        while first := asked.search(text, end):
            end = first.end()
            while more := _next_in_row(asked, text, end):
                end = more.end()
            if rest := UP_TO_CUT.match(text, end):
                end = rest.end()
            found.append((first.start(), end))
        return found

    def agreements(self, one: SourceContent, other: SourceContent) -> tuple[tuple[str, bool], ...]:
        """Of two answers to the same: which sources bring the same in both, as far as that can be told."""
        told = {source: self.agree(source, one, other) for source in sorted(one.sources & other.sources)}
        return tuple((source, is_so) for source, is_so in told.items() if is_so is not None)

    def agree(self, source: str, one: SourceContent, other: SourceContent, asked: str = "") -> bool | None:
        """Whether the two bring the same of `source`; None where one only has less and says why.

        asked: what both answer, if that is not the query.
        """
        return agree(self.items_of(source, one), self.items_of(source, other), asked or self.query.text)


@lru_cache(maxsize=64)
def _any_of(texts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(phrases_pattern(texts), re.IGNORECASE)


def _next_in_row(asked: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    """What of it stands next behind `end`, with a word between the two at most."""
    gaps = (gap.match(text, end) for gap in BETWEEN_ASKED)
    return next(filter(None, (asked.match(text, gap.end()) for gap in gaps if gap)), None)


def _ends(section: Sequence[AnswerItem]) -> list[AnswerItem]:
    """Where a line may be about all of it; before and behind it there may be a date, a licence, how long it took."""
    told = [item for item in section if not item.is_remark]
    lines = min(END_LINES, max(1, len(told) * 2 // 5))
    return [*told[:lines], *told[-lines:]] if len(told) > 1 else []


@dataclass(frozen=True)
class SourceNeed:
    """A source that a clause points at by the vocabulary. is_firm: by a keyword or a kind, not by chance words."""

    source: str
    is_firm: bool


@dataclass(frozen=True)
class StandalonePart:
    """A clause of the query. alone: what it is asked as by itself, in the vocabulary's own words, without framing.

    as_written: the same with its case and quotes; what a source finds may depend on them. halves: the two names of a
    pair; none where it cannot be told what stands between them. points_back: whether it speaks of another part, as
    "tell me about it" may; alone it tells nothing then, and needs no source.
    """

    clause: Clause
    alone: str
    as_written: str
    needs: tuple[SourceNeed, ...]
    halves: tuple[str, ...] = ()
    points_back: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """All that it, or a piece of it, may be asked as."""
        pieces = (*self.halves, self.shortened, *self.topics)
        return tuple(text for text in dict.fromkeys((self.alone, self.as_written, self.framed, *pieces)) if text)

    @property
    def shortened(self) -> str:
        """A request without its first word; "" for every other part."""
        return self.alone.partition(" ")[2] if PartKind.REQUEST in self.kinds else ""

    @property
    def framed(self) -> str:
        """What it is asked as with its framing, if it has any."""
        return self.clause.plain

    @property
    def subject(self) -> str:
        """What it is about: a condition whatever follows from it, a pair whatever stands before it; else all of it."""
        kinds = PartKind.CONDITION, PartKind.PAIR
        told = (part.plain or part.text for part in self.clause.parts if part.kind in kinds)
        return next(told, self.alone)

    @property
    def may_name_no_subject(self) -> bool:
        """Whether it may say no more than where to look, as a keyword or a request alone does: "look it up"."""
        return self.kinds - {PartKind.MARK} in ({PartKind.INTENT}, {PartKind.REQUEST})

    @property
    def asks_for_another(self) -> bool:
        """Whether it says by a pronoun that it is about something else: "look it up online", not "is it up"."""
        return self.may_name_no_subject and LOOKS_UP.match(self.alone) is not None

    @property
    def has_signs(self) -> bool:
        """Whether it is written in quotes, in brackets or with a sign that it is not asked with alone."""
        return self.as_written.casefold() != self.alone.casefold()

    @property
    def kinds(self) -> frozenset[PartKind]:
        """The kinds of its query parts."""
        return self.clause.kinds

    def is_open(self, encyclopedia: str) -> bool:
        """Whether a router may choose between the encyclopedia and what stands in for it."""
        return any(need.source == encyclopedia and not need.is_firm for need in self.needs)

    @property
    def topics(self) -> tuple[str, ...]:
        """What another part may be about: a condition without its first word; else all of it, or its pair."""
        if PartKind.CONDITION in self.kinds:
            return (self.subject.partition(" ")[2],)
        return tuple(dict.fromkeys((self.alone, self.subject)))

    def is_named_by(self, item: AnswerItem) -> bool:
        """Whether `item` has all words of it, of a pair those of both halves.

        Of a condition its words but the first tell: "if the door is locked, let me know" may have items below "The door
        is locked:".
        """
        told = self.topics if PartKind.CONDITION in self.kinds and any(self.topics) else (self.alone,)
        texts = self.halves or told
        words = frozenset[str]().union(*(as_item(text).words for text in texts))
        return bool(words) and words <= item.words

    @property
    def source(self) -> str:
        """The one that it points at first; "" for none."""
        return self.needs[0].source if self.needs else ""


def standalone_part(clause: Clause, vocabulary: Vocabulary) -> StandalonePart:
    """How `clause` is asked alone, and which sources it needs by the vocabulary."""
    topics = [part.text for part in clause.parts if part.kind is PartKind.TOPIC]
    alone, as_written = clause.plain, clause.text
    if clause.kinds - {PartKind.MARK} == {PartKind.DISCOURSE, PartKind.TOPIC} and len(topics) == 1:
        alone = as_written = topics[0]  # framing changes no subject
    if POINTS_BACK.search(alone) and PartKind.REQUEST in clause.kinds and PartKind.INTENT not in clause.kinds:
        return StandalonePart(clause, alone, as_written, (), points_back=True)
    needs: dict[str, SourceNeed] = {}
    for part in clause.parts:
        if part.kind is PartKind.INTENT:
            needs[part.source] = SourceNeed(part.source, is_firm=True)
            for other in vocabulary.sources_of(part.plain or part.text):
                needs.setdefault(other, SourceNeed(other, is_firm=False))
        elif part.kind in ENCYCLOPEDIA_KINDS:
            # A topic without keyword and framing may go to the encyclopedia or to what stands in for it.
            is_firm = part.kind is not PartKind.TOPIC or PartKind.DISCOURSE in clause.kinds
            needs[vocabulary.encyclopedia] = SourceNeed(vocabulary.encyclopedia, is_firm)
        elif part.kind in FREE_KINDS:
            named = sorted(vocabulary.sources_named_in(part.text)) or [vocabulary.encyclopedia]
            for source in named:
                needs.setdefault(source, SourceNeed(source, is_firm=False))
    return StandalonePart(clause, alone, as_written, tuple(needs.values()), _halves(clause, vocabulary))


def parts_of(queries: Iterable[Query], vocabulary: Vocabulary) -> frozenset[str]:
    """The parts of all these, as written."""
    return frozenset(standalone_part(clause, vocabulary).as_written for query in queries for clause in query.clauses)


def _halves(clause: Clause, vocabulary: Vocabulary) -> tuple[str, ...]:
    pair = next((part.plain or part.text for part in clause.parts if part.kind is PartKind.PAIR), "")
    for conjunction in vocabulary.conjunctions if pair else ():
        halves = re.split(re.escape(conjunction), pair, flags=re.IGNORECASE)
        if len(halves) == 2 and all(half.strip() for half in halves):
            return tuple(half.strip() for half in halves)
    return ()


def content_of(answer: Answer, vocabulary: Vocabulary) -> SourceContent:
    """What `answer` brought; nothing for a crash."""
    if answer.error is not None:
        return NOTHING
    return _brought(answer.result, answer.source_used, tuple(vocabulary.headers.items()), vocabulary.empty_phrases)


@lru_cache(maxsize=512)  # what a part brings alone is held against many queries
def _brought(
    result: str, source_used: str, headers: tuple[tuple[str, str], ...], phrases: tuple[str, ...]
) -> SourceContent:
    sections = split_sections(result, dict(headers))
    if not any(section.source for section in sections):
        phrase = failure_phrase(result, phrases)
        items = items_of(result)
        if phrase is not None or not items:
            return SourceContent({}, phrase or "", source_used)
        return SourceContent({source_used: items}, closing=closing_items(result))
    by_source: dict[str, tuple[AnswerItem, ...]] = {}
    for section in sections:
        items = items_of(section.text)
        texts = without_closing(section.text) if section is sections[-1] else [section.text]
        is_failure = any(failure_of_section(text, phrases) is not None for text in texts)
        if section.source is not None and items and not is_failure:
            by_source[section.source] = by_source.get(section.source, ()) + items
    headed = frozenset(section.source for section in sections if section.source is not None)
    return SourceContent(by_source, empty=headed - by_source.keys(), closing=closing_items(sections[-1].text))


Comparison = Generator[Probe, Answer | None, tuple[Finding, ...]]
"""What a relation is: it yields the probes that it wants, is sent their answers, and ends with its findings."""

Asked = Generator[Probe, Answer | None, SourceContent | None]


@dataclass
class ExaminationContext:
    """A query with its answer, and all that is known of its parts.

    volatile: sources that are compared by presence only. steady: those that need not be asked twice to be believed.
    longest: source → the most items that a section of it ever had. known_causes: accusations that tell nothing new.
    off: checks whose findings are not wanted. overdue: parts, as written, that come first. spends: whether probes are
    asked for; else only what is known already is used. is_reproducible: queries that were asked again never showed
    anything else. seldom_confirmed: source and kind of differences that nearly always turned out to be legal; refused:
    how many probes were.
    """

    check_input: CheckInput
    volatile: frozenset[str] = frozenset()
    steady: frozenset[str] = frozenset()
    asked: dict[Probe, Answer] = field(default_factory=dict)
    longest: Mapping[str, int] = field(default_factory=dict)
    known_causes: frozenset[tuple[str, ...]] = frozenset()
    off: frozenset[CheckName] = frozenset()
    overdue: frozenset[str] = frozenset()
    spends: bool = True
    is_reproducible: bool = False
    seldom_confirmed: frozenset[tuple[str, str]] = frozenset()
    refused: int = 0

    @property
    def query(self) -> Query:
        return self.check_input.query

    @property
    def vocabulary(self) -> Vocabulary:
        return self.check_input.vocabulary

    @cached_property
    def parts(self) -> tuple[StandalonePart, ...]:
        """One for each clause of the query, in order."""
        return tuple(standalone_part(clause, self.vocabulary) for clause in self.query.clauses)

    @cached_property
    def brought(self) -> SourceContent:
        """What the answer brought."""
        return content_of(self.check_input.answer, self.vocabulary)

    @property
    def asked_sources(self) -> frozenset[str]:
        """Those that have a section, and those that were asked for one: they may have shared the room out too."""
        needed = (need.source for part in self.parts for need in part.needs if need.is_firm)
        return self.brought.headed.union(needed)

    def contributors(self, source: str) -> tuple[StandalonePart, ...]:
        """The parts that need it."""
        return tuple(part for part in self.parts if any(need.source == source for need in part.needs))

    def may_bring(self, part: StandalonePart, source: str) -> bool:
        """Whether items of `source` may be there because of `part`: it needs it, or one that it stands in for.

        Framing may rightly bring any source, not only the encyclopedia.
        """
        if part.points_back or PartKind.DISCOURSE in part.kinds or any(not need.is_firm for need in part.needs):
            return True
        return self.may_be_answered_by(part, source)

    def may_be_answered_by(self, part: StandalonePart, source: str) -> bool:
        """Whether `part` needs `source`, or one that it is documented to stand in for."""
        return any(source in self.vocabulary.stand_ins(need.source) for need in part.needs)

    def is_firmly_needed(self, source: str) -> bool:
        """Whether a part can be answered by nothing else."""
        return any(need.source == source and need.is_firm for part in self.parts for need in part.needs)

    @property
    def lengths(self) -> Mapping[str, int]:
        """source → the most items that a section of it has in the merged ones of the answers at hand."""
        lengths: dict[str, int] = {}
        for answer in (self.check_input.answer, *self.asked.values()):
            if answer.source_used == self.vocabulary.merged_source:
                for source, items in content_of(answer, self.vocabulary).by_source.items():
                    lengths[source] = max(len(items), lengths.get(source, 0))
        return lengths

    @property
    def observed(self) -> tuple[AnsweredLines, ...]:
        """What a source brought for one part alone, in the answers at hand that are of one source; and how sections end
        that are there for one part.
        """
        return (*self._observed_alone, *self._observed_ends)

    @property
    def _observed_ends(self) -> Iterable[AnsweredLines]:
        for source, items in self.brought.by_source.items():
            parts = [part for part in self.parts if self.may_bring(part, source)]
            told = [item.text for item in items if not item.is_remark]
            if len(told) > 1 and len(parts) == 1 and len(self.brought.headed) > 1 and source in self.vocabulary.headers:
                yield source, END + parts[0].subject, (told[-1],)

    @property
    def _observed_alone(self) -> tuple[AnsweredLines, ...]:
        texts = {text: part.subject for part in self.parts for text in (part.alone, part.as_written)}
        return tuple(
            (source, texts[probe.text], self.check_input.observed(items))
            for probe, answer in self.asked.items()
            if probe.text in texts and len(content_of(answer, self.vocabulary).sources) == 1
            for source, items in content_of(answer, self.vocabulary).by_source.items()
            if source in self.vocabulary.headers
        )

    def items_of(self, source: str, brought: SourceContent) -> tuple[AnswerItem, ...]:
        """The same as of its input."""
        return self.check_input.items_of(source, brought)

    def differ(self, source: str, one: SourceContent, other: SourceContent) -> bool:
        """Whether the two bring other items of `source`."""
        return differ(self.items_of(source, one), self.items_of(source, other))

    def may_be_cut(self, source: str) -> bool:
        """Whether a limit to the length of a section may be why something is not there.

        Not where only one part is to be told of, nor where a section of it had more already.
        """
        longest = max(self.longest.get(source, 0), self.lengths.get(source, 0))
        return len(self.contributors(source)) > 1 and len(self.brought.by_source.get(source, ())) >= longest

    def ask(self, probe: Probe) -> Generator[Probe, Answer | None, Answer | None]:
        """Asks for `probe` and remembers its answer as evidence; None where there is none to be had."""
        answer = yield probe if self.spends else replace(probe, urgency=Urgency.IF_KNOWN, ahead=())
        if answer is None:
            self.refused += 1
        else:
            self.asked[probe] = answer
        return answer

    @cached_property
    def turn(self) -> int:
        """From 0 to ALL_TURNS - 1, the same for the same query in every target: what goes by turns needs no counter."""
        return hashlib.blake2b(self.query.text.encode(errors="surrogatepass"), digest_size=1).digest()[0]

    def look_into(self, found: Iterable[Finding]) -> None:
        """Spends no more once something is found that is wanted and has no known cause: a person looks into that."""
        if any(self.is_news(each) for finding in found for each in (finding, *finding.also)):
            self.spends = False

    def is_news(self, finding: Finding) -> bool:
        """Whether it is wanted and has no known cause."""
        return finding.check not in self.off and finding.accusation not in self.known_causes

    def alone(self, part: StandalonePart, urgency: Urgency, fresh: int = 0, only: str = "") -> Asked:
        """What `part` brings alone; None where that is not to be had, as its own crash is no answer to that either."""
        return self.of(part.alone, part, urgency, fresh, only)

    def of(self, text: str, part: StandalonePart, urgency: Urgency, fresh: int = 0, only: str = "") -> Asked:
        """The same for another text of `part`. only: the source that is asked by name."""
        return self._brought_by(Probe(text, Purpose.PART, urgency, only or part.source, only, fresh))

    def of_each(
        self, urgencies: Mapping[StandalonePart, Urgency], fresh: int = 0, ahead: tuple[Probe, ...] = ()
    ) -> Generator[Probe, Answer | None, dict[StandalonePart, SourceContent]]:
        """What each of these parts brings as it is written, asked together; those without an answer are left out.

        fresh: as of a probe. Then it takes all of them to tell something: no more is asked after one without an answer.
        ahead: what is asked next, whatever they bring.
        """
        probes = [
            Probe(part.as_written, Purpose.PART, urgency, part.source, fresh=fresh, together=left if fresh else 1)
            for left, (part, urgency) in zip(range(len(urgencies), 0, -1), urgencies.items(), strict=True)
        ]
        brought = {}
        for place, part in enumerate(urgencies):
            content = yield from self._brought_by(replace(probes[place], ahead=(*probes[place + 1 :], *ahead)))
            if content is not None:
                brought[part] = content
            elif fresh:
                break
        return brought

    def _brought_by(self, probe: Probe) -> Asked:
        answer = yield from self.ask(probe)
        if answer is None or answer.error is not None:
            return None
        return content_of(answer, self.vocabulary)

    def chosen_otherwise(
        self, part: StandalonePart, source: str, urgency: Urgency
    ) -> Generator[Probe, Answer | None, str]:
        """What brought an open part among the others, though `source` does alone; "" for none.

        A router whose model chooses between the encyclopedia and what stands in for it is free to; asked by name, the
        other one tells what it has on the part. What it is asked of a condition is not told by that: there it is enough
        that nothing else needs it, or that a heading has the words of this part alone.
        """
        choices = self.vocabulary.stand_ins(self.vocabulary.encyclopedia)
        if source not in choices:
            return ""
        others = sorted((choices - {source}) & self.brought.sources)
        if PartKind.CONDITION in part.kinds:
            for other in others:
                if not self.is_firmly_needed(other) or self._has_heading_of(part, other):
                    return other
        for other in others:
            by_name = yield from self.alone(part, urgency, only=other)
            items = () if by_name is None else self.items_of(other, by_name)
            if len(unmatched_items(items, self.brought.by_source[other])) < len(items):
                return other
        return ""

    def _has_heading_of(self, part: StandalonePart, source: str) -> bool:
        """Whether a heading in the section of `source` names this part, and no other."""
        return any(
            item.is_heading and [each for each in self.parts if each.is_named_by(item)] == [part]
            for item in self.brought.by_source[source]
        )

    def is_answered_among_others(
        self, part: StandalonePart, by: frozenset[str], source: str, urgency: Urgency
    ) -> Generator[Probe, Answer | None, bool | None]:
        """Whether one of `by`, which answer `part` alone as `source` has nothing on it, also answers it in another
        compound of as many sections; None where that cannot be told.

        A router may leave it to a fallback where it is asked alone only, or where few sections would be left. What is
        framed is asked with its framing there too, as that may add a source. Where too many of the others have nothing,
        it is asked among others once more.
        """
        among = max(1, len(self.brought.headed))
        asked = part.framed if PartKind.DISCOURSE in part.kinds else part.alone
        for place in range(COMPOUNDS):
            companions = self.vocabulary.companions_of(source, apart=True, place=place)[: among + SPARE]
            text = control_compound(asked, companions, self.vocabulary)
            there = yield from self._brought_by(Probe(text, Purpose.CONTROL, urgency))
            if not there:
                break
            if not there.sources & by:
                return False
            if len(there.headed - self.vocabulary.stand_ins(source)) >= among:
                return True
        return None

    def takes_subject(
        self, part: StandalonePart, parts: Sequence[StandalonePart], items: Sequence[AnswerItem]
    ) -> Generator[Probe, Answer | None, bool]:
        """Whether `items`, which are not what `part` brings alone, are there as that is about one before it in `parts`.

        That may be so where it names no subject. It takes that of the part before it, or of the last one that is a
        topic or a pair: its source, asked by name, has most of the items on that.
        """
        if not items or not part.may_name_no_subject:
            return False
        for topic, subject in _topics_before(part, parts):
            by_name = yield from self.of(topic, subject, Urgency.EXPLAIN, only=part.source)
            known = () if by_name is None else self.items_of(part.source, by_name)
            if len(items) - len(unmatched_items(items, known)) >= SUBJECT_SHARE * len(items):
                return True
        return False

    def empty_on_subject(self, part: StandalonePart) -> Generator[Probe, Answer | None, tuple[str, str]]:
        """The last topic that it may be about, and what its source says by name on that, where it has nothing on any;
        "" and "" where it has something on one, or that cannot be told.
        """
        topic, said = "", ""
        for topic, subject in _topics_before(part, self.parts) if part.asks_for_another else ():
            by_name = yield from self.of(topic, subject, Urgency.EXPLAIN, only=part.source)
            if by_name is None or by_name.said_by not in ("", part.source) or by_name.sources - {part.source}:
                return "", ""
            said = by_name.empty_phrase or self.failure_line(by_name)
            if not said:
                return "", ""
        return topic, said

    def brought_with_framing(self, urgency: Urgency) -> Generator[Probe, Answer | None, frozenset[str] | None]:
        """The sources that framed parts bring with their framing, which may add some; None where that is unknown."""
        brought = frozenset[str]()
        for part in self.parts:
            if PartKind.DISCOURSE in part.kinds:
                framed = yield from self.of(part.framed, part, urgency)
                if framed is None:
                    return None
                brought |= framed.sources
        return brought

    def closes(self, item: AnswerItem, brought: SourceContent) -> bool:
        """Whether `item` may be of all of the answer: a line in a paragraph of its own at its end, or the last line of
        a section that names sources which have no section, and says little else: "also asked: forecast, news".
        """
        if item in brought.closing:
            return True
        if not any(items[-1] == item for items in brought.above_closing):
            return False
        missing = self.vocabulary.headers.keys() - brought.headed
        others, names = re.subn(phrases_pattern(missing), "", item.text.casefold()) if missing else ("", 0)
        return names > 0 and len(words_in(others)) <= MOST_NOTE_WORDS

    @property
    def left_out(self) -> tuple[StandalonePart, ...]:
        """The last parts, where the answer closes with how many it leaves out: "(2 requests were not looked up)".

        None of them may have a section, but for what an earlier part asks too, and no part alone may be answered so.
        """
        own_texts = {text for part in self.parts for text in part.texts}
        alone = [
            line
            for probe, answer in self.asked.items()
            if probe.text in own_texts
            for line in content_of(answer, self.vocabulary).closing
        ]
        for line in (line for line in self.brought.closing if not line.tells_of_more):
            counts = COUNT.findall(LINK.sub("", line.text))
            at = len(self.parts) - int(counts[0]) if len(counts) == 1 and len(counts[0]) == 1 else 0
            if 0 < at < len(self.parts) and not any(line.is_like(other) for other in alone):
                left = {need.source for part in self.parts[at:] for need in part.needs if need.is_firm}
                before = self.parts[:at]
                asked_before = {need.source for part in before for need in part.needs}
                conditions = [part for part in before if PartKind.CONDITION in part.kinds]
                if len(self.brought.headed & left - asked_before) <= len(conditions):
                    return self.parts[at:]  # each of them may be looked for anywhere
        return ()

    @property
    def is_held_together(self) -> bool:
        """Whether the target documents that it parts nothing of this query: no part tells what the whole should be."""
        kinds = {part.kind for part in self.query.parts}
        return self.vocabulary.nosplit_holds_query and PartKind.NOSPLIT in kinds

    def failure_line(self, content: SourceContent) -> str:
        """The first line of what may say that there is nothing, with a failure phrase in it; or "".

        It is short, but for a list of what to do: "You could:", "- ask at the desk". What was asked may stand above it.
        """
        items = [item for each in content.by_source.values() for item in each if not item.is_remark]
        if len(items) > 1 and items[0].echoes(self.query.text):
            _, first, *below = (item.text for item in items)
            is_failure = failure_phrase(first, self.vocabulary.empty_phrases) is not None
            if is_failure and (not below or heads_advice(below)):
                return first
        mentioned = mentions_any(self.vocabulary.empty_phrases)
        is_short = 0 < len(items) <= FAILURE_ITEMS or heads_advice(item.text for item in items[1:])
        return items[0].text if is_short and mentioned.search(items[0].text.casefold()) else ""

    def lacks(self, part: StandalonePart) -> tuple[SourceNeed, ...]:
        """The needs of `part` whose own source has no content in the answer, also where another stands in for it."""
        return tuple(need for need in part.needs if need.source not in self.brought.sources)

    def finding(
        self,
        check: CheckName,
        summary: str,
        promised: str,
        seen: str,
        about: Iterable[str],
        evidence: Evidence = NO_DETAILS,
    ) -> Finding:
        """about: the texts of the probes that it rests on."""
        shown = self.shown(about)
        where = "; ".join(dict.fromkeys(f"probe: {item.text!r}" for item in shown)) or "source_used"
        return Finding(check, summary, promised, seen, where, shown, evidence)

    def shown(self, about: Iterable[str]) -> tuple[ProbeEvidence, ...]:
        """The probes with these texts that were answered, as evidence."""
        texts = frozenset(about)
        return tuple(self._shown(probe, answer) for probe, answer in self.asked.items() if probe.text in texts)

    def _shown(self, probe: Probe, answer: Answer) -> ProbeEvidence:
        sources = tuple(sorted(content_of(answer, self.vocabulary).sources))
        return ProbeEvidence(probe.purpose, probe.text, answer.source_used, sources, excerpt(answer.result), probe.only)

    def seen(self) -> str:
        """What the answer brought, in words."""
        return f"source_used {self.check_input.answer.source_used!r}, content from: {named(self.brought.sources)}"


def _topics_before(part: StandalonePart, parts: Sequence[StandalonePart]) -> Iterable[tuple[str, StandalonePart]]:
    """What `part` may be about: the one before it in `parts`, and the last before it that is a topic or a pair; none of
    its own source.
    """
    before = parts[: parts.index(part)]
    about_topics = [each for each in before if each.kinds & ENCYCLOPEDIA_KINDS]
    for subject in dict.fromkeys((*before[-1:], *about_topics[-1:])):
        if all(need.source != part.source for need in subject.needs):
            yield from ((topic, subject) for topic in subject.topics)


def control_compound(text: str, companions: Iterable[str], vocabulary: Vocabulary) -> str:
    """`text` and phrases of other sources, to see what the target does with it in another compound."""
    return vocabulary.conjunction_for(text).join((text, *companions))


def named(sources: Iterable[str]) -> str:
    """Sources in words, in alphabetical order."""
    return ", ".join(sorted(sources)) or "no source"
