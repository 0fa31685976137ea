"""What a finding says is what its own evidence shows, over routers of the zoo with faults and habits of all kinds."""

import random
from ast import literal_eval
from collections.abc import Iterator, Mapping

import pytest

from selftest.core.generation.generator import Generator, introductions
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer, split_sections
from selftest.core.judging.findings import SPECIFIED, CheckName, DiscrepancyKind, Finding
from selftest.measuring.observation import Observed
from selftest.targets.reference.zoo.faults.registry import FAULTS
from selftest.targets.reference.zoo.habits import random_subset
from selftest.targets.reference.zoo.target import zoo_target

FEW_QUERIES, MANY_QUERIES = 25, 500
EMPTY_RATE = 0.1
MISSING = (DiscrepancyKind.NOTHING_OF_PART, DiscrepancyKind.ITEMS_MISSING, DiscrepancyKind.HALF_MISSING)
EXTRA = (DiscrepancyKind.FOREIGN_SUBJECT, DiscrepancyKind.EXTRA_ITEMS)


def findings(fault: str, queries: int) -> Iterator[tuple[Finding, Answer, Vocabulary]]:
    """What is found on a router with this fault and some habits, each with the answer that it is about."""
    number = list(FAULTS).index(fault)
    target = zoo_target(random_subset(random.Random(number)), (fault,), number, EMPTY_RATE)
    observed = Observed(target, target.vocabulary)
    generator = Generator(
        target.vocabulary, introductions(target.vocabulary, 1, {}), list(RECIPES.values()), {}, number
    )
    for query in generator.next_queries(queries):
        verdict, answer = observed.verdict_and_answer(query)
        for finding in verdict.findings if verdict.seen_in is None else ():
            for one in (finding, *finding.also):
                yield one, answer, target.vocabulary


def sections(answer: Answer, vocabulary: Vocabulary) -> Mapping[str | None, str]:
    """The text of each source's sections; of an answer without a header, that of its source."""
    texts: dict[str | None, str] = {}
    for section in split_sections(answer.result, vocabulary.headers):
        source = section.source or answer.source_used
        texts[source] = "\n".join((texts.get(source, ""), section.text))
    return texts


def lines(text: str) -> set[str]:
    return {" ".join(line.split()) for line in text.splitlines()}


def assert_specified(finding: Finding, answer: Answer, vocabulary: Vocabulary) -> None:
    """That the answer alone shows what one of the seven checks of the specification found."""
    evidence, texts = finding.evidence, sections(answer, vocabulary)
    headed = {section.source for section in split_sections(answer.result, vocabulary.headers)} - {None}
    if finding.check is CheckName.CRASH:
        assert (answer.error is None) == (evidence.kind is DiscrepancyKind.TRACEBACK)
    elif finding.check is CheckName.SOURCE_MISMATCH:
        assert (evidence.sources, finding.seen) == ((answer.source_used,), answer.source_used)
        assert answer.source_used not in finding.promised.split(": ")[1].split(", ")
    elif finding.check in (CheckName.PART_COUNT_MISMATCH, CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX):
        assert evidence.sources, "it does not say what is missing"
        assert not set(evidence.sources) & headed, "it has a section"
        assert evidence.sources != (answer.source_used,), "it answers alone"
    elif finding.check is CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS:
        assert not headed
    elif evidence.kind is DiscrepancyKind.BLANK_ANSWER:
        assert not answer.result.strip()
    elif finding.check is CheckName.UNEXPECTED_EMPTY:
        (source,) = evidence.sources or (answer.source_used,)
        phrase = literal_eval(finding.summary.split(" is only ")[1])
        assert " ".join(phrase.split()).casefold() in " ".join(texts[source].split()).casefold()
    elif finding.check is CheckName.LATENCY_OUTLIER:
        assert evidence.threshold_ms is not None
        assert answer.latency_ms > evidence.threshold_ms


def assert_shown(finding: Finding, answer: Answer, vocabulary: Vocabulary) -> None:
    """That nothing in the answer or in the probes says the opposite of the finding."""
    evidence, texts = finding.evidence, sections(answer, vocabulary)
    brought = {source for shown in finding.asked if shown.text in evidence.parts for source in shown.brought}
    if finding.check in SPECIFIED:
        assert_specified(finding, answer, vocabulary)
    elif evidence.kind in MISSING:
        assert not lines(texts[evidence.sources[0]]) & set(evidence.items), "a line that is missing is there"
    elif evidence.kind in EXTRA:
        assert set(evidence.items) <= lines(texts[evidence.sources[0]]), "a line that is too much is not there"
    elif evidence.kind is DiscrepancyKind.UNCALLED_SECTION:
        assert set(evidence.sources) <= texts.keys()
        assert not any(set(evidence.sources) & set(shown.brought) for shown in finding.asked), "a part brings it"
    elif evidence.kind in (DiscrepancyKind.UNCALLED_ALONE, DiscrepancyKind.PAIR_SPLIT):
        assert set(evidence.sources) <= brought
    elif evidence.kind is DiscrepancyKind.KEYWORD_PASSED_OVER:
        assert not set(evidence.sources) & brought
    elif evidence.kind is DiscrepancyKind.EMPTY_LEFT_OUT:
        assert not set(evidence.sources) & texts.keys(), "it has a section"
        assert evidence.parts, "it does not say what is left out"
        assert not brought, "the part is not empty alone"
    elif finding.check is CheckName.PART_LOST:
        assert evidence.sources, "it does not say what is missing"
        assert set(evidence.sources) <= brought, "the part does not bring it alone"
        by_name = {shown.only for shown in finding.asked if set(evidence.sources) <= set(shown.brought)}
        assert ("by name" in finding.summary) == (by_name == set(evidence.sources)), "the router was not let choose"
        is_there = any(f" {source}" in finding.seen.split("content from:")[1] for source in evidence.sources)
        assert not is_there or by_name == set(evidence.sources), "it is among the others"
    elif evidence.kind is DiscrepancyKind.SOURCES_DIFFER:
        there = {source for source in texts if source is not None}
        assert any(set(shown.brought) ^ there for shown in finding.asked), "the same sources are in each answer"
    elif evidence.kind is DiscrepancyKind.ITEMS_DIFFER:
        assert set(evidence.sources) <= texts.keys(), "the source that brings something else is not there"
        assert len({shown.text for shown in finding.asked}) > 1, "it was not asked in another way"
    elif finding.check is CheckName.SECTION_REPEATED:
        headed = [section.source for section in split_sections(answer.result, vocabulary.headers)]
        assert headed.count(evidence.sources[0]) > 1
    elif finding.check is CheckName.SECTION_BLANK:
        blank = {one.source for one in split_sections(answer.result, vocabulary.headers) if not one.text.strip()}
        assert set(evidence.sources) <= blank
    elif finding.check is CheckName.HEADER_UNKNOWN:
        assert evidence.line is not None
        assert finding.seen == answer.result.split("\n")[evidence.line - 1].strip() not in vocabulary.headers.values()
    elif evidence.kind is DiscrepancyKind.PLACEHOLDER:
        assert evidence.line is not None
        assert finding.seen.strip() in answer.result.split("\n")[evidence.line - 1]


@pytest.mark.parametrize("fault", FAULTS)
def test_no_finding_says_the_opposite_of_its_evidence(fault: str, is_full: bool) -> None:
    for finding, answer, vocabulary in findings(fault, MANY_QUERIES if is_full else FEW_QUERIES):
        assert_shown(finding, answer, vocabulary)
