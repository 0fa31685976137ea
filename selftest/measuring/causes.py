"""How well causes tell planted faults apart: how many there are, whether they are pure, and whether they say why."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median_low
from types import MappingProxyType

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.insight.causes import FoundCause, find_causes
from selftest.core.insight.identity import identities
from selftest.core.insight.predicates import QueryShape
from selftest.core.insight.symptoms import SeenRun, seen_run
from selftest.core.judging.findings import CheckName, Finding
from selftest.measuring.detection import Engine, observed
from selftest.measuring.observation import generated_queries
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.chance import marked_phrase
from selftest.targets.reference.faults.registry import FAULTS
from selftest.targets.reference.faults.splitting import marked_conjunction

EMPTY_RATE = 0.1
EARLY_QUERIES = 40
CYCLES = 10  # over which causes are followed
BATCH = 8  # queries of a cycle
LARGEST = 2
OWN_FLAGS = 5  # of a fault alone, at least, to expect that it is told from others

Declared = Callable[[Vocabulary], str]


def _says(words: str) -> Declared:
    return lambda vocabulary: words


def _says_keyword_of(fault: str) -> Declared:
    return lambda vocabulary: repr(marked_phrase(fault, vocabulary.sources))


def _says_conjunction_of(fault: str) -> Declared:
    return lambda vocabulary: repr(marked_conjunction(fault, vocabulary).strip())


# What the sentence of a fault's cause has to say.
TRIGGERS: Mapping[str, Declared] = MappingProxyType(
    {
        "doubles_kept": _says("same source"),
        "keywords_ignore_discourse": _says("a framed topic"),
        "discourse_words_searched": _says("a framed topic"),
        "capitals_not_recognised": _says("in capitals"),
        "quoted_keyword_not_recognised": _says("in quotes"),
        "keyword_sent_astray": _says_keyword_of("keyword_sent_astray"),
        "exception_on_phrase": _says_keyword_of("exception_on_phrase"),
        "slow_path": _says_keyword_of("slow_path"),
        "pronoun_as_noun": _says("a pair right before a request"),
        "pair_vetoes_splitting": _says("a pair"),
        "nosplit_vetoes_splitting": _says("must not split"),
        "only_first_pair_guarded": _says("a pair"),
        "stop_word_keywords_dropped": _says("'is it up'"),
        "short_keywords_dropped": _says("three letters or fewer"),
        "clause_swallowed_after_third": _says("the fourth part or a later one"),
        "collapses_to_first_intent": _says("the second part or a later one"),
        "answered_only_in_first_place": _says("not in first place"),
        "one_intent_a_source": _says("same source"),
        "conjunction_overlooked": _says_conjunction_of("conjunction_overlooked"),
        "clause_after_conjunction_dropped": _says_conjunction_of("clause_after_conjunction_dropped"),
        "only_first_sentence_read": _says("ends a sentence"),
        "remainder_swallowed": _says("behind a condition"),
        "condition_swallowed": _says("a condition"),
        "later_condition_swallowed": _says("a condition"),
    }
)


@dataclass
class CauseFigures:
    """One fault in several seeds. causes: how many, of each. largest: the share of flags in the two largest ones.

    named: seeds in which the largest one's sentence says what triggers it; None where the fault does not declare that.
    sentences: of the largest ones. early: flags of the first queries, and those of them that had the cause then that
    they have in the end. kept: causes that were there some cycles before the end, and those that still are.
    """

    fault: str
    causes: list[int] = field(default_factory=list)
    largest: list[float] = field(default_factory=list)
    named: int | None = None
    sentences: Counter[str] = field(default_factory=Counter)
    early: tuple[int, int] = (0, 0)
    kept: tuple[int, int] = (0, 0)

    @property
    def median(self) -> int:
        """Of the number of causes."""
        return median_low(self.causes)


@dataclass(frozen=True)
class SetFigures:
    """Several faults at once. present: those that brought about flags. causes: how many were found.

    flags: those whose fault is known; pure: those of them that are in a cause that is mostly of their fault. unseen:
    faults that most flags of no cause are of, each with how many flags it alone brings about: with few or none, what
    it does looks like another one's. hidden: faults with enough flags of their own, most of which stand behind a first
    finding of the same run that another fault brings about.
    """

    faults: tuple[str, ...]
    present: int
    causes: int
    flags: int
    pure: int
    unseen: Mapping[str, int]
    hidden: frozenset[str] = frozenset()

    @property
    def is_one_missed(self) -> bool:
        """Whether an unseen one has enough flags of its own."""
        return any(own >= OWN_FLAGS for own in self.unseen.values())


@dataclass(frozen=True)
class _Judged:
    query: Query
    findings: tuple[Finding, ...]


def measure_fault_causes(fault: str, seeds: int, queries: int) -> CauseFigures:
    """The causes of one fault's flags."""
    vocabulary = reference_vocabulary()
    declared = TRIGGERS.get(fault)
    words = declared(vocabulary) if declared else None
    figures = CauseFigures(fault, named=None if words is None else 0)
    for seed in range(seeds):
        runs = _seen(_judged((fault,), seed, queries), vocabulary)
        causes = find_causes(runs)
        if not causes:
            continue
        flags = sum(len(run.flags) for run in runs)
        figures.causes.append(len(causes))
        figures.largest.append(sum(len(cause.flags) for cause in causes[:LARGEST]) / flags)
        sentence = causes[0].predicate.sentence
        figures.sentences[sentence] += 1
        if figures.named is not None and words is not None:
            figures.named += words in sentence
        figures.early = _sum(figures.early, _early(runs, causes))
        figures.kept = _sum(figures.kept, _kept(runs))
    return figures


def _sum(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]


def _early(runs: Sequence[SeenRun], causes: Sequence[FoundCause]) -> tuple[int, int]:
    """Flags of the first queries, and those of them whose cause has most in common with the one of the end."""
    first = find_causes(runs[:EARLY_QUERIES])
    continued = identities({number: cause.flags for number, cause in enumerate(causes)}, [one.flags for one in first])
    there = sum(
        len(cause.flags & causes[number].flags)
        for cause, number in zip(first, continued, strict=True)
        if number is not None
    )
    return sum(len(cause.flags) for cause in first), there


def _kept(runs: Sequence[SeenRun]) -> tuple[int, int]:
    """Causes that were there CYCLES before the end, and those that kept their number in every cycle since."""
    begin = len(runs) - CYCLES * BATCH
    if begin <= 0:
        return 0, 0
    before = {number: cause.flags for number, cause in enumerate(find_causes(runs[:begin]))}
    at_first = set(before)
    fresh = len(before)
    for end in range(begin + BATCH, len(runs) + 1, BATCH):
        found = [cause.flags for cause in find_causes(runs[:end])]
        now = {}
        for flags, number in zip(found, identities(before, found), strict=True):
            fresh += number is None
            now[fresh if number is None else number] = flags
        before = now
    return len(at_first), len(at_first & before.keys())


def measure_set(number: int, queries: int, sizes: Sequence[int] = (2, 3)) -> SetFigures:
    """The causes of a random set of faults at once; the number says which.

    Which fault a flag is of is found by asking each flagged query again with one fault at a time.
    """
    rng = random.Random(number)
    faults = tuple(rng.sample(sorted(FAULTS), sizes[number % len(sizes)]))
    vocabulary = reference_vocabulary()
    judged = _judged(faults, number, queries)
    causes = find_causes(_seen(judged, vocabulary))
    blamed = _blamed(faults, number, judged)
    by_cause = [Counter(fault for key in cause.flags for fault in blamed[key]) for cause in causes]
    majority = [min(counts, key=lambda fault: (-counts[fault], fault), default="") for counts in by_cause]
    known = [(key, main) for cause, main in zip(causes, majority, strict=True) for key in cause.flags if blamed[key]]
    present = {fault for those in blamed.values() for fault in those}
    own, first = _own_flags(blamed)
    return SetFigures(
        faults,
        len(present),
        len(causes),
        len(known),
        sum(main in blamed[key] for key, main in known),
        {fault: own[fault] for fault in sorted(present - set(majority))},
        frozenset(fault for fault in present if own[fault] >= OWN_FLAGS and 2 * first[fault] < own[fault]),
    )


def _own_flags(blamed: Mapping[int, set[str]]) -> tuple[Counter[str], Counter[str]]:
    """Flags that each fault alone brings about, and those of them that are the first finding of their run."""
    own = {key: fault for key, those in blamed.items() if len(those) == 1 for fault in those}
    return Counter(own.values()), Counter(fault for key, fault in own.items() if key % len(CheckName) == 0)


def _judged(faults: tuple[str, ...], seed: int, queries: int) -> list[_Judged]:
    vocabulary = reference_vocabulary()
    router = observed(Engine.WHOLE, faults, EMPTY_RATE, seed)
    try:
        return [
            _Judged(query, router.verdict(query).findings) for query in generated_queries(vocabulary, seed, queries)
        ]
    finally:
        router.close()


def _seen(judged: Sequence[_Judged], vocabulary: Vocabulary) -> list[SeenRun]:
    return [
        seen_run(
            QueryShape(one.query, vocabulary),
            [(_key(run, place), finding) for place, finding in enumerate(one.findings)],
        )
        for run, one in enumerate(judged)
    ]


def _key(run: int, place: int) -> int:
    return len(CheckName) * run + place


def _blamed(faults: Sequence[str], seed: int, judged: Sequence[_Judged]) -> dict[int, set[str]]:
    """Key of a flag → the faults that bring it about by themselves."""
    blamed: dict[int, set[str]] = {}
    for run, one in enumerate(judged):
        for place in range(len(one.findings)):
            blamed[_key(run, place)] = set()
    for fault in faults:
        router = observed(Engine.WHOLE, (fault,), EMPTY_RATE, seed, is_thrifty=False)
        for run, one in enumerate(judged):
            if one.findings:
                found = {finding.check for finding in router.verdict(one.query).findings}
                for place, finding in enumerate(one.findings):
                    if finding.check in found:
                        blamed[_key(run, place)].add(fault)
        router.close()
    return blamed
