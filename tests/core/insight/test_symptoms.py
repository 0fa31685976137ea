"""What a flag is a symptom of, and which parts of its query it may be about."""

import pytest

from selftest.core.insight.predicates import QueryShape
from selftest.core.insight.symptoms import EMPTY, ROUTING, TIME, SeenRun, seen_run, with_common_roots
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding
from tests.core.judging.relations.scripted import BERTHS, FERRY, HIGH, VOCABULARY, query_of

QUERY = query_of(HIGH, FERRY, BERTHS)
LOST = CheckName.PART_LOST


def finding(
    check: CheckName, kind: DiscrepancyKind | None = None, seen: str = "", **evidence: tuple[str, ...]
) -> Finding:
    return Finding(check, "", "", seen, "", evidence=Evidence(kind, **evidence))


def seen(*findings: Finding) -> SeenRun:
    return seen_run(QueryShape(QUERY, VOCABULARY), list(enumerate(findings)))


def test_a_clean_run_has_no_flags() -> None:
    assert seen().flags == ()


@pytest.mark.parametrize(
    ("one", "symptom", "suspects"),
    [
        (finding(LOST, parts=("next ferry",)), ROUTING, 0b010),
        (finding(CheckName.SOURCE_MISMATCH), ROUTING, 0b111),
        (finding(CheckName.ORDER_MATTERS, sources=("harbour",)), ROUTING, 0b100),
        (finding(CheckName.PART_SLOW, parts=("next ferry",)), TIME, 0b010),
        (finding(CheckName.UNEXPECTED_EMPTY, DiscrepancyKind.ONLY_FAILURE_PHRASE, sources=("tides",)), EMPTY, 0b001),
        (finding(CheckName.SECTION_REPEATED, sources=("tides",)), "section_repeated", 0b111),
        (finding(CheckName.FRAME_DEBRIS, DiscrepancyKind.RULE_AT_EDGE), "frame_debris rule_at_edge", 0b111),
    ],
)
def test_findings_tell_what_they_are_symptoms_of_and_of_which_parts(one: Finding, symptom: str, suspects: int) -> None:
    (flag,) = seen(one).flags
    assert (flag.symptom, flag.suspects) == (symptom, suspects)


@pytest.mark.parametrize(("check", "is_firm"), [(LOST, True), (CheckName.ORDER_MATTERS, False)])
def test_what_shows_in_another_wording_says_little_of_where_parts_stand(check: CheckName, is_firm: bool) -> None:
    assert [flag.is_firm for flag in seen(finding(check, sources=("ferry",))).flags] == [is_firm]


def test_errors_are_told_apart_by_their_first_line_without_its_numbers() -> None:
    one, same, other = (
        seen(finding(CheckName.CRASH, DiscrepancyKind.NO_ANSWER, said)).flags[0].symptom
        for said in ("HTTP 500: line 12", "HTTP 502: line 7\nmore", "refused")
    )
    assert one == same != other


def test_what_its_check_finds_in_other_parts_is_suspected_too() -> None:
    one = finding(LOST, parts=("next ferry",))
    also = Finding(LOST, "", "", "", "", evidence=Evidence(parts=("berths free",)))
    together = Finding(LOST, "", "", "", "", evidence=one.evidence, also=(also,))
    assert seen(together).flags[0].suspects == 0b110


@pytest.mark.parametrize(
    ("root", "result"),
    [
        (finding(CheckName.HEADER_UNKNOWN), "source_contradicts_sections no_headers"),
        (finding(CheckName.SECTION_BLANK, sources=("ferry",)), LOST),
        (finding(CheckName.UNEXPECTED_EMPTY, DiscrepancyKind.BLANK_ANSWER), LOST),
        (finding(CheckName.CRASH, DiscrepancyKind.TRACEBACK, sources=("ferry",)), LOST),
    ],
)
def test_what_follows_from_another_finding_has_its_symptom(root: Finding, result: str) -> None:
    follows = (
        finding(LOST, sources=("ferry",), parts=("next ferry",))
        if result == LOST
        else finding(CheckName.SOURCE_CONTRADICTS_SECTIONS, DiscrepancyKind.NO_HEADERS, sources=("digest",))
    )
    first, second = seen(root, follows).flags
    assert first.symptom == second.symptom not in (ROUTING, result)


@pytest.mark.parametrize(("source", "symptom"), [("tides", EMPTY), ("ferry", "item_repeated")])
def test_a_failure_phrase_that_is_repeated_follows_from_the_empty_parts_of_its_source(
    source: str, symptom: str
) -> None:
    empty = finding(CheckName.UNEXPECTED_EMPTY, DiscrepancyKind.ONLY_FAILURE_PHRASE, sources=("tides",))
    repeated = finding(CheckName.ITEM_REPEATED, sources=(source,))
    assert [flag.symptom for flag in seen(empty, repeated).flags] == [EMPTY, symptom]


def test_what_a_finding_says_is_kept_with_its_flag() -> None:
    (flag,) = seen(finding(LOST, parts=("next ferry",), sources=("ferry",))).flags
    assert {one.as_addition for one in flag.told} == {
        *("shown as part lost", "in the section of ferry", "without 'next ferry' in the answer")
    }
    (flag,) = seen(finding(CheckName.CRASH, DiscrepancyKind.NO_ANSWER, "HTTP 500: line 12")).flags
    assert {one.as_addition for one in flag.told} == {"shown as crash", "ending in 'HTTP : line '"}
    (flag,) = seen(finding(LOST, parts=("berths free",))).flags
    assert "in the last part" in {one.as_addition for one in flag.told}


@pytest.mark.parametrize(
    ("beside", "is_of_the_header"),
    [
        (finding(LOST, sources=("ferry",), parts=("next ferry",)), True),
        (finding(LOST, sources=("harbour",), parts=("berths free",)), False),
        (finding(CheckName.PART_DIFFERS, DiscrepancyKind.FOREIGN_SUBJECT, sources=("tides",)), True),
        (finding(CheckName.PART_DIFFERS, DiscrepancyKind.NOTHING_OF_PART, sources=("tides",)), False),
    ],
)
def test_an_unfinished_header_explains_what_its_section_lacks_and_what_another_has_too_much(
    beside: Finding, is_of_the_header: bool
) -> None:
    header = finding(CheckName.FRAME_DEBRIS, DiscrepancyKind.UNFINISHED_HEADER, sources=("ferry",))
    first, second = seen(header, beside).flags
    assert second.symptom == (first.symptom if is_of_the_header else ROUTING)


def test_a_blank_section_of_another_source_explains_no_loss() -> None:
    blank = finding(CheckName.SECTION_BLANK, sources=("tides",))
    lost = finding(LOST, sources=("ferry",), parts=("next ferry",))
    assert [flag.symptom for flag in seen(blank, lost).flags] == ["section_blank", ROUTING]


@pytest.mark.parametrize(("often", "root"), [(ROUTING, ROUTING), (EMPTY, EMPTY)])
def test_of_an_empty_answer_and_wrong_routing_together_what_comes_alone_more_often_is_the_root(
    often: str, root: str
) -> None:
    empty = finding(CheckName.UNEXPECTED_EMPTY, DiscrepancyKind.ONLY_FAILURE_PHRASE)
    lost = finding(LOST, parts=("next ferry",))
    alone = {ROUTING: lost, EMPTY: empty}
    runs = [seen(empty, lost), seen(alone[often]), seen(alone[often])]
    together, *_ = with_common_roots(runs)
    assert {flag.symptom for flag in together.flags} == {root}
