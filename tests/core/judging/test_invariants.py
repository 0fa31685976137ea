"""What holds of any answer: each promise broken once, spared where it only looks broken, with the line to look at."""

from dataclasses import replace

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.boilerplate import line_digest
from selftest.core.judging.check_table import broken_invariants
from selftest.core.judging.context import CheckInput
from selftest.core.judging.findings import CheckName, Finding
from tests.vocabularies import small_document

VOCABULARY = parse_vocabulary(small_document())
TIDES = "[TIDES — HOURS AND HEIGHTS]"
FERRY = "[FERRY — SAILINGS]"
HARBOUR = "[HARBOUR — BERTHS AND LIGHTS]"
QUERY = Query("multi_intent_chain", (Part(PartKind.INTENT, "high tide", "tides"),))


def found(
    result: str, source_used: str = "digest", vocabulary: Vocabulary = VOCABULARY, query: Query = QUERY
) -> tuple[Finding, ...]:
    return broken_invariants(CheckInput(query, Answer(result, source_used, 10.0), vocabulary))


def only(result: str, source_used: str = "digest") -> Finding:
    (one,) = found(result, source_used)
    return one


def merged(*pieces: str) -> str:
    return "\n\n---\n\n".join(pieces)


TWO = (f"{TIDES}\nHigh at six.\nLow at noon.", f"{FERRY}\nLeaves at seven.")


def test_a_merged_answer_in_order_breaks_nothing() -> None:
    assert found(merged(*TWO)) == ()


def test_an_answer_of_one_source_breaks_nothing() -> None:
    assert found("High at six.\nLow at noon.", "tides") == ()


def test_nothing_is_said_of_a_blank_answer_or_of_a_crash() -> None:
    assert found(" \n ") == ()
    crashed = CheckInput(QUERY, Answer(f"{TIDES}\n", "digest", 10.0, error="HTTP 500"), VOCABULARY)
    assert broken_invariants(crashed) == ()


@pytest.mark.parametrize("result", ["---", "---\n---", " ---\n\n-----\n"])
def test_an_answer_of_rules_alone_holds_nothing(result: str) -> None:
    assert found(result, "tides")[0].reason == "section_blank: nothing but rules"


def test_what_stands_under_each_item_is_no_item_twice() -> None:
    below = f"{TIDES}\n- High at six.\n  Read more on the page\n- Low at noon.\n  Read more on the page"
    assert found(below) == ()
    assert found(below.replace("- ", "")) == ()
    twice = only(f"{TIDES}\n- High at six.\n  By the pier\n- High at six.\n  By the pier")
    assert (twice.check, twice.seen, twice.where) == (
        CheckName.ITEM_REPEATED,
        "- High at six.\n  By the pier",
        "line 4",
    )


def test_paragraphs_are_items_whatever_line_all_of_them_share() -> None:
    first, second = "Ebb\nLow water at noon.\nSource: pilot", "Flow\nHigh water at six.\nSource: pilot"
    assert found(f"{TIDES}\n{first}\n\n{second}") == ()
    twice = only(f"{TIDES}\n{first}\n\n{second}\n\n{first}")
    assert (twice.check, twice.seen, twice.where) == (CheckName.ITEM_REPEATED, first, "line 10")


def test_one_header_may_be_a_part_of_another() -> None:
    headers = {"tides": "## Tides", "ferry": "## Tides of tomorrow", "harbour": "# Tides", "almanac": "## Almanac"}
    vocabulary = replace(VOCABULARY, headers=headers)
    answer = merged("## Tides\nHigh at six.", "## Tides of tomorrow\nLow at noon.", "# Tides\nNone.")
    assert found(answer, vocabulary=vocabulary) == ()


def test_headers_without_a_common_sign_may_stand_anywhere() -> None:
    headers = {source: f"{source.title()}:" for source in VOCABULARY.headers}
    answer = merged("Tides:\n- See also Ferry: at seven", "Ferry:\nFerr")
    assert found(answer, vocabulary=replace(VOCABULARY, headers=headers)) == ()


# --- section_repeated ---


def test_two_sections_of_one_source_are_found_at_the_second() -> None:
    one = only(merged(*TWO, f"{TIDES}\nLow at eight."))
    assert one.reason == "section_repeated: 2 sections of tides in one answer"
    assert one.seen == "sections: tides, ferry, tides"
    assert (
        one.where == "line 12"
    )  # 3 lines, a rule between blank ones, 2 lines, a rule between blank ones, then the header


def test_a_condition_may_have_a_section_of_its_own_that_opens_with_it() -> None:
    condition = Part(PartKind.CONDITION, "if the tide is high")
    query = Query("conditional", (condition, Part(PartKind.MARK, ", "), Part(PartKind.CONSEQUENCE, "tell me")))
    own = f"{TIDES}\nCondition “the tide is high”: not met."
    assert found(merged(own, TWO[1], TWO[0]), query=query) == ()
    assert [one.check for one in found(merged(own, TWO[1], TWO[0]))] == [CheckName.SECTION_REPEATED]
    assert [one.check for one in found(merged(own, TWO[1], own), query=query)] == [CheckName.SECTION_REPEATED]
    (one,) = found(merged(own, *TWO, f"{TIDES}\nLow."), query=query)
    assert (one.check, one.where) == (CheckName.SECTION_REPEATED, "line 17")  # the second that is not the condition's
    ferry = f"{FERRY}\nNo ferry, as the tide is high."
    assert found(merged(ferry, TWO[0], own), query=query) == (), "another source may open with it too"


def test_a_target_with_a_section_for_each_part_has_no_more_of_a_source_than_parts_may_bring() -> None:
    by_part = replace(VOCABULARY, sections_by_part=True)
    two = (Part(PartKind.INTENT, "high tide", "tides"), Part(PartKind.CONJUNCTION, " and "))
    query = Query("multi_intent_chain", (*two, Part(PartKind.INTENT, "low tide", "tides")))
    again = f"{TIDES}\nLow at eight."
    assert found(merged(*TWO, again), vocabulary=by_part, query=query) == ()
    assert [one.check for one in found(merged(*TWO, again), query=query)] == [CheckName.SECTION_REPEATED]
    (one,) = found(merged(*TWO, again, again), vocabulary=by_part, query=query)
    assert (one.summary, one.promised) == ("3 sections of tides in one answer", "at most 2 for the parts of the query")
    assert one.where == "line 17", "the third of them, 5 lines below the second"
    (one,) = found(merged(*TWO, again), vocabulary=by_part)
    assert one.promised == "at most 1 for the parts of the query"


def test_what_stands_in_for_another_source_may_have_a_section_of_its_own_for_each_part_of_it() -> None:
    stands_in = replace(VOCABULARY, fallbacks={"ferry": ("tides",)})
    two = (Part(PartKind.INTENT, "high tide", "tides"), Part(PartKind.CONJUNCTION, " and "))
    query = Query("multi_intent_chain", (*two, Part(PartKind.INTENT, "next ferry", "ferry")))
    instead = f"{TIDES}\nOf ferries: none below three metres."
    assert found(merged(*TWO, instead), vocabulary=stands_in, query=query) == ()
    (one,) = found(merged(*TWO, instead, f"{TIDES}\nLow at eight."), vocabulary=stands_in, query=query)
    assert one.promised == "one section for each source, and for each part that it stands in for"
    assert one.where == "line 17", "the third of tides, 5 lines below the second"
    for nothing_new in (TWO[0], f"{TIDES}\n"):
        checks = {one.check: one for one in found(merged(*TWO, nothing_new), vocabulary=stands_in, query=query)}
        assert checks[CheckName.SECTION_REPEATED].promised == "one section for each source", "it stands in for nothing"
    assert found(merged(*TWO, instead), query=query) != (), "nothing says that it may stand in"


# --- item_repeated ---


def test_an_item_twice_in_a_section_is_found_at_the_second() -> None:
    one = only(merged(TWO[0], f"{FERRY}\n- Leaves at seven.\n- Late today.\n-  LEAVES at seven."))
    assert one.reason == "item_repeated: the same item twice in the section of ferry"
    assert one.seen == "-  LEAVES at seven."
    assert one.where == "line 10"


def test_an_item_twice_in_an_answer_of_one_source_is_found() -> None:
    one = only("High at six.\nHigh at six.", "tides")
    assert one.summary == "the same item twice in the answer"
    assert one.where == "line 2"


@pytest.mark.parametrize(
    "result",
    [
        merged(f"{TIDES}\nHigh at six.", f"{FERRY}\nHigh at six."),  # in two sections
        f"{TIDES}\nclosed\nclosed",  # a line of one word
        f"{TIDES}\n12:30 5.1\n12:30 5.1",  # figures
        f"{TIDES}\nHigh at six.\n\nLow at noon.\n\nHigh at seven.",  # blank lines
        f"{TIDES}\nHigh tide - all tables\n\nHigh at six.\n\nHigh tide - all tables\n\nLow at noon.",  # as was asked
        f"{TIDES}\n| Day | Height |\n| :-- | --: |\n| Sunday tide | 5.1 |\n\nLow tide\n\n| Day | Height |\n|---|---|\n"
        "| Monday tide | 4.9 |",  # the head of a table
        f"{TIDES}\nHigh at six.\n\n(translated from the Welsh)\n\nLow at noon.\n\n(translated from the Welsh)",
    ],
)
def test_lines_that_may_well_stand_twice_are_spared(result: str) -> None:
    assert found(result) == ()


@pytest.mark.parametrize("times", [2, 3])
@pytest.mark.parametrize("lists_items_once", [True, False])
def test_an_item_may_stand_once_for_each_part_unless_the_target_lists_it_once(
    times: int, lists_items_once: bool
) -> None:
    low = Part(PartKind.INTENT, "low tide", "tides")
    query = Query("multi_intent_chain", (*QUERY.parts, Part(PartKind.CONJUNCTION, " plus "), low))
    answer = "\n".join(["- Slack water by the old pier"] * times)
    vocabulary = replace(VOCABULARY, lists_items_once=lists_items_once)
    checks = [each.check for each in found(answer, "tides", vocabulary, query)]
    assert checks == ([CheckName.ITEM_REPEATED] if lists_items_once or times == 3 else [])


def test_a_part_whose_source_another_stands_in_for_may_bring_an_item_too() -> None:
    ferry = Part(PartKind.INTENT, "next ferry", "ferry")
    query = Query("multi_intent_chain", (*QUERY.parts, Part(PartKind.CONJUNCTION, " plus "), ferry))
    answer = "\n".join(["- Slack water by the old pier"] * 2)
    stands_in = replace(VOCABULARY, fallbacks={"ferry": ("tides",)})
    assert found(answer, "tides", stands_in, query) == ()
    assert [each.check for each in found(answer, "tides", VOCABULARY, query)] == [CheckName.ITEM_REPEATED]


def test_a_pair_may_bring_an_item_for_each_of_its_names() -> None:
    query = Query("nested_proper_noun_pairs", (Part(PartKind.PAIR, "Castor and Pollux"),))
    line = "The weather has little influence on it"
    assert found("\n".join([line] * 2), "almanac", VOCABULARY, query) == ()
    assert [each.check for each in found("\n".join([line] * 3), "almanac", VOCABULARY, query)] == [
        CheckName.ITEM_REPEATED
    ]


def test_a_title_that_most_answers_have_still_tells_an_item_from_others_of_a_list() -> None:
    """Where a source has few things: what is in most answers is learnt as what it says whatever it is asked."""
    items = "- North pier\n  - a light that burns\n- South pier\n  - a light that burns"
    usual = {"tides": frozenset(map(line_digest, ("- North pier", "- South pier")))}
    answer = Answer(merged(f"{TIDES}\n{items}", TWO[1]), "digest", 10.0)
    assert broken_invariants(CheckInput(QUERY, answer, VOCABULARY, boilerplate=usual)) == ()
    twice = replace(answer, result=answer.result.replace("South", "North"))
    (one,) = broken_invariants(CheckInput(QUERY, twice, VOCABULARY, boilerplate=usual))
    assert one.check == CheckName.ITEM_REPEATED


# --- section_blank ---


@pytest.mark.parametrize("below", ["", "\n", "\n   \n"])
def test_a_header_with_nothing_below_it_is_found(below: str) -> None:
    one = only(merged(TWO[1], f"{TIDES}{below}"))
    assert one.reason == "section_blank: the section of tides holds nothing"
    assert one.where == "line 6"


def test_a_header_right_after_a_header_is_a_blank_section() -> None:
    assert [item.check for item in found(f"{TIDES}\n{FERRY}\nLeaves at seven.")] == [CheckName.SECTION_BLANK]


def test_a_section_that_only_says_that_there_is_nothing_is_not_blank() -> None:
    assert found(merged(TWO[0], f"{FERRY}\nNothing to report.")) == ()


# --- text_before_header ---


def test_text_before_the_first_header_is_found() -> None:
    one = only(f"Here you are:\n\n{merged(*TWO)}")
    assert one.reason == "text_before_header: text before the first header"
    assert (one.seen, one.where) == ("Here you are:", "line 1")


def test_a_target_that_documents_text_before_its_headers_is_not_accused_of_it() -> None:
    answer = f"Here you are:\n\n{merged(*TWO)}"
    assert found(answer, vocabulary=replace(VOCABULARY, opens_with_text=True)) == ()


def test_text_without_any_header_stands_before_none() -> None:
    assert found("Here you are:\n\nHigh at six.", "tides") == ()


# --- header_unknown ---


def test_a_header_in_the_shape_of_all_others_is_unknown() -> None:
    one = only(merged(TWO[0], "[GULLS — SIGHTINGS]\nThree.", TWO[1]))
    assert one.reason == "header_unknown: a header that the vocabulary does not know: [GULLS — SIGHTINGS]"
    assert one.where == "line 7"


def test_an_unknown_header_in_first_place_is_no_text_before_the_headers() -> None:
    assert [item.check for item in found(merged("[GULLS — SIGHTINGS]\nThree.", TWO[1]))] == [CheckName.HEADER_UNKNOWN]


@pytest.mark.parametrize(
    "piece",
    [
        f"{FERRY}\nLeaves at seven.\n[GULLS — SIGHTINGS]\nThree.",  # below a header it is content
        "[gulls — sightings]\nThree.",  # no capitals
        "[GULLS]\nThree.",  # no dash
        "(GULLS — SIGHTINGS)\nThree.",  # other brackets
    ],
)
def test_what_is_not_opened_in_the_shape_of_a_header_is_none(piece: str) -> None:
    assert CheckName.HEADER_UNKNOWN not in {item.check for item in found(merged(TWO[0], piece))}


def test_an_answer_of_one_source_may_have_a_header_of_its_own() -> None:
    assert found("[GULLS — SIGHTINGS]\nThree.", "tides") == ()


def test_where_headers_share_no_sign_at_their_beginning_none_is_unknown() -> None:
    document = small_document()
    document["headers"] = {"almanac": "Almanac:", "tides": "# Tides", "ferry": "Ferry —", "harbour": "[HARBOUR]"}
    odd = parse_vocabulary(document)
    assert found("# Tides\nHigh at six.\n\n---\n\n# Gulls\nThree.", vocabulary=odd) == ()


def test_headers_may_share_their_sign_and_no_dash() -> None:
    document = small_document()
    document["headers"] = {"almanac": "## Almanac", "tides": "## Tides", "ferry": "## Ferry", "harbour": "## Harbour"}
    markdown = parse_vocabulary(document)
    (one,) = found("## Tides\nHigh at six.\n\n---\n\n## Gulls\nThree.", vocabulary=markdown)
    assert one.reason == "header_unknown: a header that the vocabulary does not know: ## Gulls"


@pytest.mark.parametrize("times", [2, 3, 2000])
def test_an_item_that_comes_again_and_again_is_found_once(times: int) -> None:
    one = only(f"{TIDES}\n" + "- Breaking: the ferry has sunk in the harbour\n" * times + "- High at six o'clock")
    assert one.summary == "the same item twice in the section of tides"
    assert one.where == "line 3"


@pytest.mark.parametrize("mark", ["", "- "])
def test_a_state_that_comes_twice_is_found_though_it_looks_like_a_label(mark: str) -> None:
    states = ("Kitchen window: closed", "Back door: locked", "Kitchen window: closed")
    one = only(f"{TIDES}\n" + "\n".join(f"{mark}{state}" for state in states))
    assert (one.check, one.where) == (CheckName.ITEM_REPEATED, "line 4")


def test_a_short_item_of_a_marked_list_is_no_title() -> None:
    long = "- High at six o'clock, and it will be a spring tide with all that this means for the moorings"
    assert only(f"{TIDES}\n- Low at noon\n{long}\n- Low at noon").check == CheckName.ITEM_REPEATED


def test_titles_sources_and_scores_of_items_make_none_the_same() -> None:
    bodies = ("High at six o'clock, and a spring tide", "Low at noon on the pier, and mud at the slipway")
    items = "\n".join(f"Tuesday night\n{body}\nSource: a.example" for body in bodies)
    assert found(f"{TIDES}\n{items}") == ()
    again = "1. High at six o'clock (0.97)\n2. Low at noon (0.95)\n3. High at six o'clock (0.93)"
    assert only(f"{TIDES}\n{again}").check == CheckName.ITEM_REPEATED


def test_a_title_is_no_item_where_each_item_ends_with_its_source() -> None:
    title, pier = "Tides of the town, all results", "Low at noon on the pier"
    items = f"{title}\nHigh at six o'clock\nSource: a.example\n{title}\n{pier}\nSource: b.example"
    assert found(f"{TIDES}\n{items}") == ()
    assert only(f"{TIDES}\n{items}\n{title}\n{pier}\nSource: b.example").where == "line 8"


def test_a_list_below_a_paragraph_belongs_to_it() -> None:
    below = "See also\n\n- Moorings"
    articles = (
        "High at six o'clock, and a spring tide is due",
        "Low at noon on the pier, and mud where boats are drawn up",
    )
    text = "\n\n".join(f"{article}\n\n{below}" for article in articles)
    lead = "Of all the tides\n\nIn the town and the moorings\n\nFor the whole week\n\nWith what they mean"
    assert found(f"{TIDES}\n{lead}\n\n{text}") == ()
    assert only(f"{TIDES}\n{lead}\n\n{text}\n\n{text}").check == CheckName.ITEM_REPEATED


SIX, NOON, ROW = "High at six o'clock", "Low at noon on the pier", "| {} | High tides (relevance 0.{}) | {} [{}] |"


@pytest.mark.parametrize(
    ("below", "line"),
    [
        (f"{SIX}\n7 min ago\n* * *\n{NOON}\n9 min ago\n* * *\n{SIX}\n7 min ago\nDid you mean: gulls?", 8),  # dividers
        (f'Results for "tides":\n{SIX}\n\n{NOON}\n\n{SIX}\nAnswered by tides in 7 ms', 7),  # a lead, and a note
        (
            "\n".join(("Sponsored", "", ROW.format(1, 9, SIX, 1), ROW.format(2, 8, NOON, 2), ROW.format(3, 7, SIX, 3))),
            6,
        ),
        ("\n\n".join((ROW.format(1, 9, SIX, 1), ROW.format(2, 8, NOON, 2), ROW.format(3, 7, SIX, 3), "By tides")), 6),
    ],
    ids=["dividers", "lead_and_note", "rows", "rows_apart"],
)
def test_an_item_that_stands_twice_is_found_whatever_stands_around_it(below: str, line: int) -> None:
    one = only(f"{TIDES}\n{below}")
    assert (one.check, one.where) == (CheckName.ITEM_REPEATED, f"line {line}")


def test_a_title_apart_from_another_text_each_time_is_no_item() -> None:
    title, after = "High tides of the town", "High at seven, and no spring tide"
    assert found(f"{TIDES}\n{title}\n\n{after}\n\n* * *\n\n{title}\n\n{NOON} and later on") == ()
    assert only(f"{TIDES}\n{title}\n\n{after}\n\n* * *\n\n{title}\n\n{after}").where == "line 8"


def test_items_with_titles_of_their_own_above_the_same_line_are_two() -> None:
    items = f"Of the town\n{SIX}\n\nOf the harbour\n{NOON}\n\nOf the pier\n{SIX}"
    assert found(f"{TIDES}\n{items}") == ()


def test_what_a_check_finds_in_other_sections_stands_beside_its_first_finding() -> None:
    twice = [f"{header}\nHigh at six o'clock.\nHigh at six o'clock." for header in (TIDES, FERRY, HARBOUR)]
    one = only(merged(*twice))
    assert one.summary == "the same item twice in the section of tides"
    assert [other.summary for other in one.also] == [
        "the same item twice in the section of ferry",
        "the same item twice in the section of harbour",
    ]


def test_each_unknown_header_and_each_thing_left_over_is_found_at_its_line() -> None:
    headers = only(merged(TWO[0], "[GULLS — SIGHTINGS]\nThree.", "[CRABS — CATCHES]\nFour."))
    assert [(each.check, each.where) for each in (headers, *headers.also)] == [
        (CheckName.HEADER_UNKNOWN, "line 7"),
        (CheckName.HEADER_UNKNOWN, "line 12"),
    ]
    debris = only(merged(f"{TIDES}\n[object Object]", TWO[1]) + "\n\n---\n")
    assert [each.summary for each in (debris, *debris.also)] == [
        "a rule at the end of the answer",
        "a value that was not turned into text: [object Object]",
    ]


# --- source_contradicts_sections ---


def test_an_answer_of_one_source_with_a_section_of_another_contradicts_itself() -> None:
    one = only(merged(*TWO), "tides")
    assert one.reason == "source_contradicts_sections: answered by 'tides' alone, with a section of ferry"
    assert one.seen == "source_used 'tides', sections: tides, ferry"


def test_an_answer_of_one_source_under_its_own_header_contradicts_itself() -> None:
    one = only(f"{TIDES}\nHigh at six.", "tides")
    assert one.reason == "source_contradicts_sections: answered by 'tides' alone, and under a header"


def test_a_condition_may_bring_its_header_along() -> None:
    condition = Query("conditional_with_remainder", (Part(PartKind.CONDITION, "if the tide is high"),))
    assert found(f"{TIDES}\nHigh at six.", "tides", query=condition) == ()


def test_a_merged_answer_without_any_header_contradicts_itself() -> None:
    one = only("High at six.\n\n---\n\nLeaves at seven.")
    assert one.reason == "source_contradicts_sections: answered by 'digest', and no section has a header"


@pytest.mark.parametrize(
    ("result", "source_used"),
    [
        (f"{HARBOUR}\nTwo berths.", "ferry"),  # its documented fallback
        ("Nothing to report.", "digest"),  # several sources, and none has anything
    ],
)
def test_a_section_of_a_fallback_and_a_failure_phrase_contradict_nothing(result: str, source_used: str) -> None:
    assert found(result, source_used) == ()


# --- piece_blank ---


def test_two_rules_with_nothing_between_them_are_found() -> None:
    one = only(f"{TWO[0]}\n\n---\n\n---\n\n{TWO[1]}")
    assert one.reason == "piece_blank: nothing between two rules"
    assert one.where == "line 6"


# --- frame_debris ---


@pytest.mark.parametrize(
    ("result", "summary"),
    [
        (f"---\n{merged(*TWO)}", "a rule at the beginning of the answer"),
        (f"{merged(*TWO)}\n\n---", "a rule at the end of the answer"),
        (merged(TWO[0], "[FERRY — SAIL\nLeaves at seven."), "an unfinished header: [FERRY — SAIL"),
        (merged(TWO[0], f"{FERRY}\nSee {TIDES}"), "a header in the middle of a line"),
        (merged(TWO[0], "{{ section }}"), "a placeholder that was not filled in: {{ section }}"),
        (merged(TWO[0], f"{FERRY}\n\n{{{{ items }}}}"), "a placeholder that was not filled in: {{ items }}"),
        (merged(TWO[0], f"{FERRY}\nToday:\n- ${{items}}"), "a placeholder that was not filled in: - ${items}"),
        (merged(TWO[0], f"{FERRY}\n[object Object]"), "a value that was not turned into text: [object Object]"),
        (
            merged(TWO[0], f"{FERRY}\n<harbour.Departure object at 0x7f3a5c0d>"),
            "a value that was not turned into text: <harbour.Departure object at 0x7f3a5c0d>",
        ),
    ],
)
def test_what_is_left_of_the_frame_is_found(result: str, summary: str) -> None:
    one = only(result)
    assert one.check == CheckName.FRAME_DEBRIS
    assert one.summary == summary


def test_debris_is_told_with_its_line() -> None:
    assert only(f"---\n{merged(*TWO)}").where == "line 1"
    assert only(f"{merged(*TWO)}\n\n---").where == "line 10"
    assert only(merged(TWO[0], f"{FERRY}\nSee {TIDES}")).where == "line 8"


def test_remarks_and_echoes_above_a_placeholder_do_not_hide_it() -> None:
    above = "(1 of 2)\n(copy from 7 min ago)\n(partial)\nYou asked: high tide\n(of today)"
    assert only(merged(TWO[0], f"{FERRY}\n{above}\n{{{{ items }}}}")).where == "line 13"


def test_a_placeholder_under_a_header_is_told_with_its_line_and_source() -> None:
    one = only(merged(TWO[0], f"{FERRY}\n\n{{{{ items }}}}"))
    assert (one.where, one.evidence.sources) == ("line 9", ("ferry",))


def test_an_unfinished_header_is_told_with_the_source_that_it_is_of() -> None:
    assert only(merged(TWO[0], "[FERRY — SAIL\nLeaves at seven.")).evidence.sources == ("ferry",)


@pytest.mark.parametrize(
    "text",
    [
        "Write {{ items }} into the template.",
        "Six feet.\nUse:\nas in:\nthis:\n{{ items }}",
        "It prints [object Object]",
        "object Lesson",
    ],
)
def test_a_section_that_quotes_a_placeholder_is_content(text: str) -> None:
    assert found(merged(TWO[0], f"{FERRY}\n{text}")) == ()


@pytest.mark.parametrize(
    "page",
    [
        "# Tides\n\n---\n\n## Heights\nSix feet.\n\n---\n\n---\n",  # headings and rules of a page
        "---\ntitle: Tides\n---\nSix feet.",
        "{{ not filled in }}",
    ],
)
def test_headings_and_rules_of_a_page_of_one_source_are_its_own(page: str) -> None:
    assert found(page, "tides") == ()


def test_a_header_that_one_source_writes_in_its_own_text_is_content() -> None:
    assert found(f"The feed calls it {TIDES} today.", "almanac") == ()


# --- all of them ---


def test_all_that_is_broken_comes_in_priority_order() -> None:
    result = f"Hello.\n\n{TIDES}\n\n---\n\n---\n\n{TIDES}\nHigh at six.\nHigh at six.\n\n---\n"
    assert [item.check for item in found(result)] == [
        CheckName.SECTION_REPEATED,
        CheckName.ITEM_REPEATED,
        CheckName.SECTION_BLANK,
        CheckName.TEXT_BEFORE_HEADER,
        CheckName.PIECE_BLANK,
        CheckName.FRAME_DEBRIS,
    ]


def test_an_invariant_looks_at_no_word_of_the_query() -> None:
    asking = CheckInput(QUERY, Answer(merged(*TWO), "digest", 10.0), VOCABULARY)
    assert broken_invariants(replace(asking, query=Query("odd", ()))) == ()
