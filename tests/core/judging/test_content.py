"""What an answer brought: by source and item by item."""

import pytest

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answer_item import AnswerItem
from selftest.core.judging.answers import Answer
from selftest.core.judging.content import (
    NOTHING,
    agree,
    differ,
    has_own_remark,
    items_of,
    listed_by,
    missing_items,
    moved_items,
    unmatched_items,
    without_frame,
    without_remarks_on_items,
)
from selftest.core.judging.context import content_of


def texts(answer: Answer, vocabulary: Vocabulary) -> dict[str, list[str]]:
    return {source: [item.text for item in items] for source, items in content_of(answer, vocabulary).by_source.items()}


@pytest.mark.parametrize(
    ("line", "echoes"),
    [
        ("Next page: /ferry?q=next+ferry+plus+high+ti%E2%80%A6&page=2", False),  # cut within a word
        ("Next page: /ferry?q=next+ferry+plus&page=2", True),
        ("More at /gulls?q=gulls", False),
        ('Results for "next" are shown as well as for "nxet".', True),
        ('Results for "nxet”" are shown as well as for "next”".', True),
        ('The "gull" plus "tern" guide, by the harbour watch.', False),  # `plus` stands between two others
        ('Ann called it "the last ferry of the year".', False),
    ],
)
def test_a_line_that_quotes_the_query_says_what_was_asked(line: str, echoes: bool) -> None:
    assert AnswerItem(line).echoes("next ferry plus high tide") is echoes


@pytest.mark.parametrize(("line", "echoes"), [("You asked: weather", True), ("Tides: weather warning", False)])
def test_a_query_of_one_word_is_quoted_by_a_line_that_says_nothing_else(line: str, echoes: bool) -> None:
    assert AnswerItem(line).echoes("weather") is echoes


def test_a_letter_that_cannot_be_seen_makes_no_other_word() -> None:
    assert AnswerItem("You asked: next ferry").echoes("ne\u200bxt ferry")


def test_an_item_behind_a_label_is_the_same_item() -> None:
    item = AnswerItem("The ferry leaves at seven. Tickets are sold on board.")
    assert item.is_like(AnswerItem("Quick answer: The ferry leaves at seven"))
    assert not item.is_like(AnswerItem("Quick answer: Gulls have come back"))


def test_only_a_line_in_brackets_as_a_whole_is_a_remark() -> None:
    assert AnswerItem("(2 of 7 shown)").is_remark
    assert not AnswerItem("Leaves at seven (late)").is_remark


@pytest.mark.parametrize(
    ("line", "other", "is_own"),
    [
        ("(1 of 2 shards answered)", "High water at six", True),
        ("(1 of 2 shards answered)", "(1 of 2 shards answered)", False),
        ("1 of 2 shards answered", "High water at six", False),
        ('(nothing for "high tide")', "High water at six", False),
    ],
    ids=["a remark", "both have it", "no remark", "it names what was asked"],
)
def test_a_remark_of_a_section_alone_is_its_own(line: str, other: str, is_own: bool) -> None:
    assert has_own_remark([AnswerItem(line)], [AnswerItem(other)], "high tide plus next ferry") is is_own


HIGH, LOW, SHARDS, COPY = "High water at six", "Low ebb at noon", "(1 of 2 shards answered)", "(copy from 7 min ago)"


@pytest.mark.parametrize(
    ("again", "agreed"),
    [
        ((HIGH, LOW, COPY), True),  # a remark is no item
        ((HIGH,), False),
        ((HIGH, SHARDS), None),  # it says why it is less
        ((SHARDS,), None),
        ((HIGH, "Gulls on the pier", SHARDS), False),  # that is no reason for another item
        ((HIGH, LOW, "Gulls on the pier", SHARDS), False),  # nor to have more
    ],
)
def test_two_sections_agree_unless_an_item_differs_and_neither_says_why(
    again: tuple[str, ...], agreed: bool | None
) -> None:
    one, other = (tuple(map(AnswerItem, lines)) for lines in ((HIGH, LOW), again))
    assert agree(one, other, "high tide") is agreed
    assert agree(other, one, "high tide") is agreed


def test_remarks_alone_make_no_section_another_one() -> None:
    assert not differ([AnswerItem(HIGH)], [AnswerItem(HIGH), AnswerItem(COPY)])
    assert differ([AnswerItem(HIGH)], [AnswerItem(LOW)])


def test_a_merged_answer_brings_the_lines_of_each_section(small: Vocabulary) -> None:
    result = (
        "[TIDES — HOURS AND HEIGHTS]\n- High  at six.\n\n- Low at noon.\n\n---\n\n[FERRY — SAILINGS]\nLeaves at seven."
    )
    assert texts(Answer(result, "digest", 1.0), small) == {
        "tides": ["- High at six.", "- Low at noon."],
        "ferry": ["Leaves at seven."],
    }


def test_an_answer_without_headers_is_brought_by_the_source_that_it_names(small: Vocabulary) -> None:
    assert texts(Answer("High at six.", "tides", 1.0), small) == {"tides": ["High at six."]}


def test_two_sections_of_one_source_are_brought_together(small: Vocabulary) -> None:
    result = "[FERRY — SAILINGS]\nLeaves at seven.\n\n---\n\n[FERRY — SAILINGS]\nLate today."
    assert texts(Answer(result, "digest", 1.0), small) == {"ferry": ["Leaves at seven.", "Late today."]}


def test_a_section_that_is_blank_or_a_failure_phrase_brings_nothing(small: Vocabulary) -> None:
    sections = (
        "[TIDES — HOURS AND HEIGHTS]",
        "[FERRY — SAILINGS]\nCould not connect.",
        "[HARBOUR — BERTHS AND LIGHTS]\nTwo.",
    )
    assert content_of(Answer("\n\n---\n\n".join(sections), "digest", 1.0), small).sources == {"harbour"}


def test_an_answer_that_is_a_failure_phrase_brings_nothing_and_says_which(small: Vocabulary) -> None:
    brought = content_of(Answer("Nothing to report.", "tides", 1.0), small)
    assert (brought.sources, brought.empty_phrase) == (frozenset(), "nothing to report")


def test_a_blank_answer_brings_nothing_and_no_phrase(small: Vocabulary) -> None:
    brought = content_of(Answer(" \n", "tides", 1.0), small)
    assert (brought.sources, brought.empty_phrase) == (frozenset(), "")


def test_a_crash_brings_nothing(small: Vocabulary) -> None:
    assert content_of(Answer("High at six.", "tides", 1.0, error="HTTP 500"), small) == NOTHING


def test_items_are_lines_with_a_letter_or_a_figure_each_once() -> None:
    assert [item.text for item in items_of("High at six.\n---\n12:30\nHigh  at six.\nLow.")] == [
        "High at six.",
        "12:30",
        "Low.",
    ]


def test_a_line_that_quotes_another_behind_a_label_is_no_item_of_its_own() -> None:
    lines = [
        "Quick answer: Kofi serves 884 guests",
        "- Kofi **serves** 884 guests near the canopy.",
        "Today: open late",
    ]
    assert [item.text for item in items_of("\n".join(lines))] == lines[1:]
    assert [item.text for item in items_of("\n".join((lines[0], lines[2])))] == [lines[0], lines[2]]


@pytest.mark.parametrize(
    ("line", "is_remark"),
    [
        ("(2 of 7 shown)", True),
        ("… 14 more lines; ask for this alone to see them.", True),
        ("... and 3 others", True),
        ("… the gulls came back", False),
        ("... +2 lines, ask for this alone", True),
        ("14 more gulls", False),
        ("+12 more than yesterday", False),
        ("and 5 more", True),
        ("+5 more boats at the pier", True),
        ("plus 12 others, ask the pier", True),
        ("Showing 3 of 7.", True),
        ("3/7 results", True),
        ("Platform 3 of 7 is shut", False),
    ],
)
def test_a_remark_stands_in_brackets_or_says_how_many_there_are(line: str, is_remark: bool) -> None:
    assert AnswerItem(line).is_remark is is_remark


def test_a_value_of_figures_and_one_word_quotes_nothing_that_has_the_word_too() -> None:
    lines = ["- sensor.remote: 84 % (since 19:36)", "- sensor.grid: 58 W (since 18:54)"]
    assert [item.text for item in items_of("\n".join(lines))] == lines


def test_a_row_of_a_table_quotes_nothing() -> None:
    """A forecast of few words says the same of two places."""
    lines = [
        "| Hull | Monday: Night: 25 °F, steady wind |",
        "| Goole | Monday: Morning: 40 °F, quiet wind Night: 21 °F, steady wind |",
    ]
    assert [item.text for item in items_of("\n".join(lines))] == lines


def test_lines_that_show_the_same_value_behind_labels_of_their_own_are_all_items() -> None:
    lines = [
        "door.front: locked (last changed 07:22)",
        "door.back: locked (last changed Friday 08:50)",
        "door.side: locked (last changed 07:22)",
    ]
    assert [item.text for item in items_of("\n".join(lines))] == lines


def test_a_line_with_a_label_is_not_taken_for_a_quote_of_the_line_that_quotes_it() -> None:
    quote, state = "Quick answer: lock.cellar: locked (last changed 07:22)", "lock.cellar: locked (last changed 07:22)"
    other = "lock.barn: locked (last changed 18:40)"
    assert [item.text for item in items_of(f"{quote}\n{state}\n{other}")] == [state, other]


@pytest.mark.parametrize(
    ("line", "is_blank"),
    [("- […] (relevance 0.95)", True), ("High […]", False), ("- 42", False), ("- [...names] copies it", False)],
)
def test_a_line_that_was_cut_before_its_first_word_is_blank(line: str, is_blank: bool) -> None:
    assert AnswerItem(line).is_blank is is_blank


def test_a_line_that_shows_a_whole_other_one_behind_a_label_is_no_item_however_short() -> None:
    lines = ["Quick answer: down", "• down", "Cellar: dry", "Attic: dry", "dry"]
    assert [item.text for item in items_of("\n".join(lines))] == lines[1:]
    assert len(items_of("3 free\nEast pier: free")) == 2


@pytest.mark.parametrize(
    ("line", "sums_up"),
    [
        ("Quick answer: gulls on the pier", True),  # as alone, of another item
        ("In short: up", True),  # what the section shows
        ("In short: down", False),
        ("Meter: 7469", False),  # a figure is in no line, whatever that says
        ("Gulls on the pier", False),
    ],
)
def test_a_line_sums_up_behind_a_label_that_others_have_or_what_its_section_shows(line: str, sums_up: bool) -> None:
    section, elsewhere = items_of(f"{line}\n| Ferry | up |"), items_of("Quick answer: high water at six")
    assert AnswerItem(line).sums_up(section, elsewhere) is sums_up


@pytest.mark.parametrize(
    ("one", "other", "is_like"),
    [
        ("Front door locked", "Front door locked", True),
        ("Meter: 7469.34 kWh", "meter: 7470.01 kWh", True),  # figures and case are no difference
        ("Answered in 0.4 ms, trace 644d5336", "Answered in 1.7 ms, trace c8f29a41", True),  # nor is an identifier
        ("a b c 5th", "a b c 6pm", False),  # too short for an identifier
        (
            '| Lyra (rank 2) (2 of 5) | Smiths call it "the harp". |',
            '| Lyra (rank 1) (1 of 2) | Smiths call it "the harp". It rises in spring behind the hill. Vega is in. |',
            True,  # its first sentence, as asides differ
        ),
        (
            '| 1 | Lyra (rank 2) | Smiths call it "the harp". |',
            '| 2 | Lyra (rank 1) | Smiths call it "the harp". It rises in spring behind the hill. Vega is in. |',
            True,  # as the number of the row does
        ),
        (
            "Moths hum. (rank 2) (1 of 6)",
            "Moths hum. They come at dusk from the old hill, as the wind turns. (3 of 3)",
            False,
        ),
        (
            "Moths hum at night. (rank 2) (1 of 6)",
            "Moths hum at night. They come at dusk from the old hill, as the wind turns. (3 of 3)",
            True,  # of several words
        ),
        ("| Lyra (1 of 2) | Moths hum. |", "| Lyra (2 of 2) | Moths hum. They come at dusk from the old hill. |", True),
        (
            "The ferry is late today (Hull).",
            "The ferry is late today (Goole). It sails at nine from the old pier.",
            False,  # what is in brackets tells the two apart
        ),
        (
            "| Lyra (2 of 5) | Smiths call it a harp |",
            "| Lyra (1 of 2) | Smiths call it a harp of iron that rises in spring behind the old hill. |",
            False,  # no sentence ends there
        ),
        ("the ferry leaves late today again", "the ferry leaves late today", True),  # 5 of 6 words
        ("a b c d e f g", "a b c d e f g h i j", True),  # 7 of 10
        ("a b c d e f", "a b c d e f g h i", False),  # 6 of 9
        ("High at six", "Leaves at seven", False),
        ("Johannes Kepler", "Johannes Kepler: he found that planets move in ellipses", True),  # its title
        ("The museum shows letters…", "The museum shows letters of a keeper to his wife", True),  # cut, and says so
        ("The museum shows letters …[truncated, 602 more chars]", "The museum shows letters of a keeper", True),
        ("The museum shows letters [… 31 more words]", "The museum shows letters of a keeper to his wife", True),
        ("The museum [truncated by rats] shows", "The museum shows letters of a keeper to his wife", False),
        ("See […]", "See also", True),
        ("… […]", "See also", False),
        ("It is old. [2] First in Wick, […] (3 min)", "It is old. [1] First in Wick, later in Deal […]", True),
        ("https://a.example/tides/71", "https://a.example/tides/4390", False),
        ("https://a.example/tides/71?from=41", "https://a.example/tides/71?from=7", True),
        ("Sun, 1 Mar | Olga | https://a.example/7", "Sat, 7 Mar | Quinn | https://a.example/7?from=9", True),
        ("Sun, 1 Mar | Olga | https://a.example/7", "Sun, 1 Mar | Olga | https://a.example/8", False),
        ("The museum shows letters", "The museum shows letters of a keeper to his wife", False),
        ("12:30", "12:31", True),  # figures alone change as well
        ("12:30", "12:30", True),
    ],
)
def test_items_are_alike_from_seven_tenths_of_their_words_on(one: str, other: str, is_like: bool) -> None:
    assert AnswerItem(one).is_like(AnswerItem(other)) is is_like
    assert AnswerItem(other).is_like(AnswerItem(one)) is is_like


@pytest.mark.parametrize(
    ("section", "unmatched"),
    [
        (("* ferry: no crossing on Sunday night, change", "CHG6651"), []),
        (("* ferry: no crossing on Sunday", "night, change CHG6651", "* tide: high"), []),
        (("* ferry: no crossing on Sunday night, change", "CHG6652"), ["CHG6652"]),
        (("CHG6651", "* ferry: no crossing on Sunday night, change"), ["CHG6651"]),  # of nothing before it
    ],
)
def test_lines_that_break_elsewhere_are_the_same_items(section: tuple[str, ...], unmatched: list[str]) -> None:
    known = [AnswerItem("* ferry: no crossing on Sunday night, change CHG6651"), AnswerItem("* tide: high")]
    assert [item.text for item in unmatched_items([AnswerItem(line) for line in section], known)] == unmatched


def test_unmatched_items_are_those_that_are_like_none_of_the_others() -> None:
    known = items_of("High at six today\nLow at noon today")
    section = items_of("High at seven today\nHigh at six today\nThree gulls seen")
    assert [item.text for item in unmatched_items(section, known)] == ["High at seven today", "Three gulls seen"]
    assert unmatched_items(section, section) == ()
    assert unmatched_items(section, ()) == section


@pytest.mark.parametrize(
    ("section", "left"),
    [
        ((HIGH, COPY, LOW), (HIGH, LOW)),
        ((HIGH, LOW, COPY), (HIGH, LOW, COPY)),
        ((LOW, COPY, HIGH), (LOW, COPY, HIGH)),
        ((), ()),
    ],
    ids=["behind its item", "at the end", "behind another item", "an empty section"],
)
def test_a_remark_that_stands_behind_its_item_alone_too_belongs_to_the_item(
    section: tuple[str, ...], left: tuple[str, ...]
) -> None:
    items, one = (tuple(map(AnswerItem, texts)) for texts in (section, (HIGH, COPY)))
    assert tuple(item.text for item in without_remarks_on_items(items, [one])) == left


FROM = "from a.example"
STARS = ("Castor is a star", "Pollux is another one", "Twins in the sky")


@pytest.mark.parametrize(
    ("alone", "there", "has_moved"),
    [
        ((STARS[0], FROM, STARS[1], STARS[2]), (STARS[1], FROM, STARS[2]), False),
        ((STARS[0], FROM, STARS[1], STARS[2]), (STARS[2], FROM, STARS[1]), True),
        ((STARS[0], "https://a.example/1"), ("https://a.example/1", STARS[0]), True),
        (("up", "down"), ("down", "up"), True),
    ],
    ids=["the label of an item that is not there", "two items", "an address", "nothing else"],
)
def test_a_line_of_few_words_is_in_no_order_beside_others(
    alone: tuple[str, ...], there: tuple[str, ...], has_moved: bool
) -> None:
    items, section = (tuple(map(AnswerItem, lines)) for lines in (alone, there))
    assert bool(moved_items(items, section, ())) is has_moved


@pytest.mark.parametrize(
    ("first", "is_same"),
    [
        ("Norway, in trade, refers to a body of work.", True),
        ("“Norway, in trade, refers to a body.”", True),
        ("Norway, in trade, refers to", False),
        ("So it is.", False),
    ],
    ids=["a sentence", "quoted", "within a sentence", "a short one"],
)
def test_a_paragraph_of_which_only_the_first_sentence_is_there_is_the_same(first: str, is_same: bool) -> None:
    whole = AnswerItem(f"{first} Later authors disagreed about where it began. Much was catalogued by hand since then.")
    assert AnswerItem(first).is_like(whole) is is_same
    assert whole.is_like(AnswerItem(first)) is is_same


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        ("**Zero trust** (redirected from 'trust (concept)')", True),
        ("**Zero hour** (nearest article)", False),
        ("(nearest article)", False),
    ],
)
def test_an_aside_makes_it_no_other_item(other: str, is_same: bool) -> None:
    assert AnswerItem("**Zero trust** (nearest article)").is_like(AnswerItem(other)) is is_same


def test_a_line_that_has_the_words_of_the_query_in_single_quotes_echoes_them() -> None:
    line = AnswerItem("5 shown for 'licence count', as of 07:32")
    assert line.echoes("licence count plus next ferry")
    assert not line.echoes("next ferry")
    assert not AnswerItem("O'Rourke's licence count isn't known").echoes("Rourke plus next ferry")


def test_the_head_of_a_table_is_no_item() -> None:
    table = "| Day | Height |\n| :-- | --: |\n| Sunday | 5.1 |\n| Monday | 4.9 |"
    assert [item.text for item in items_of(table)] == ["| Sunday | 5.1 |", "| Monday | 4.9 |"]
    assert [item.text for item in items_of("| Sunday | 5.1 |\n---")] == ["| Sunday | 5.1 |"]


def test_a_line_of_a_table_that_is_aligned_by_spaces_is_a_row_without_its_head() -> None:
    table = "Water (2)\nday      height\n-------  ------\nSunday   5.1 m\nMonday   4.9 m\nAs of noon"
    assert [item.text for item in items_of(table)] == [
        "Water (2)",
        "| Sunday | 5.1 m |",
        "| Monday | 4.9 m |",
        "As of noon",
    ]
    assert [item.text for item in items_of("Sunday   5.1 m\n---")] == ["Sunday 5.1 m"]  # no head, no table
    below_rule = f"As of noon\n=======  ======\n{table.splitlines()[1]}\n=======  ======\nSunday   5.1 m"
    assert [item.text for item in items_of(below_rule)] == ["As of noon", "| Sunday | 5.1 m |"]


LIST = ("- High at six", "- Low at noon")
ROWS = ("| High | 5.1 |", "| Low | 0.4 |")
PLAIN_LINES = ("High tide: six o'clock", "Low tide: twelve o'clock")


@pytest.mark.parametrize(
    ("above", "known", "below", "left"),
    [
        (["Worth knowing", "Here is what I found."], LIST, ["Say so if you want more."], []),
        (["**Worth knowing**"], ROWS, ["Say so if you want more."], []),
        (
            ["Worth knowing", "Here is what I found."],
            PLAIN_LINES,
            ["Say so if you want more.", "(by hand)"],
            ["(by hand)"],
        ),
        ([], LIST, ["- Gulls at three"], ["- Gulls at three"]),
        ([], PLAIN_LINES, ["Gulls: three o'clock"], ["Gulls: three o'clock"]),
        (["Gulls at 3, and terns"], PLAIN_LINES, [], ["Gulls at 3, and terns"]),
        (["Here is what I found."], LIST[:1], [], ["Here is what I found."]),
        ([], ("High at six.", "Low at noon."), ["Gulls at three."], ["Gulls at three."]),
    ],
    ids=["list", "table", "lines", "an item", "a line", "a line with figures", "one known is too few", "sentences"],
)
def test_what_stands_around_a_list_is_no_item_of_it(
    above: list[str], known: tuple[str, ...], below: list[str], left: list[str]
) -> None:
    section = [AnswerItem(line) for line in (*above, *known, *below)]
    items = [item for item in section if item.text not in known]
    assert [item.text for item in without_frame(items, section, set(map(AnswerItem, known)))] == left


def test_what_stands_within_a_list_is_an_item_of_it() -> None:
    section = [AnswerItem(line) for line in (LIST[0], "Gulls at three.", LIST[1])]
    assert without_frame(section[1:2], section, set(map(AnswerItem, LIST))) == (section[1],)


@pytest.mark.parametrize(
    ("line", "other", "is_same"),
    [
        ("Sat: rain, 5 to 13 degrees", "Saturday 15 March: rain, 5 to 13 degrees, wind 18 km/h", True),
        ("Sun 16 Mar all day: birthday of Ruth", "Sunday, 16 March all day: birthday of Ruth", True),
        ("Open today until seven in the evening", "Open today, Thu 14 Nov until seven in the evening", True),
        ("Sat: fog, 2 to 4 degrees", "Saturday 15 March: rain, 5 to 13 degrees, wind 18 km/h", False),
        ("3. Sat: rain, 5 to 13 degrees", "1. Saturday 15 March: rain, 5 to 13 degrees, wind 18 km/h", True),
        ("Sat rain", "Saturday 15 March: rain, 5 to 13 degrees, wind 18 km/h", False),  # half of it at least
        ("Tickets for the late boat", "Tickets for the late boat to the old pier are sold on board", False),  # cut off
        ("Harbour master: Ada L.", "Harbour master: Ada Lovelace (ext. 12)", True),
        ("Harbour master: Ada M.", "Harbour master: Ada Lovelace (ext. 12)", False),
        ("Ferry to Hull at 9 a.m. from", "Ferry to Hull at 9 a.m. from pier 4 with no cars today", False),
    ],
)
def test_a_line_with_words_abbreviated_or_left_out_in_between_is_the_same(line: str, other: str, is_same: bool) -> None:
    assert AnswerItem(line).is_like(AnswerItem(other)) is is_same
    assert AnswerItem(other).is_like(AnswerItem(line)) is is_same


@pytest.mark.parametrize(
    ("line", "other", "is_same"),
    [
        ("| Pier | open |", "- Pier: closed for repairs until the spring", True),
        ("| Pier | open |", "- Quay: closed for repairs until the spring", False),
        ("- Pier: open", "- Pier: closed for repairs until the spring", False),  # no other layout
        ("| D-7 | Gull | pier 2 | noon | Ada | late |", "- Gull, pier 2, 5 min ago", True),
        ("| D-7 | Gull | 12 | noon | Ada | late |", "- Tern, 12, 5 min ago", False),  # figures tell no item
        ("| Gull | up | 2 d |", "- Tern, up, 2 d", False),  # nor does a state
        ("| 08:15 | Hull | late |", "- 08:55 Leeds: cancelled", False),
    ],
)
def test_a_row_and_an_item_of_a_list_are_the_same_by_their_first_cell_or_by_several(
    line: str, other: str, is_same: bool
) -> None:
    assert AnswerItem(line).is_like(AnswerItem(other)) is is_same


@pytest.mark.parametrize(
    ("line", "is_same"),
    [
        ("| 1 | On gulls (1 of 3) | They came back to the pier. Fetched 8:05 |", True),
        ("| 4 | On **gulls** | They came back to the pier. Fetched 8:05 |", True),
        ("On gulls | They came back to the pier. Fetched 8:05", True),
        ("| 1 | On gulls | They came back to the pier. That is how it begins |", False),  # no end of the other
        ("| 1 | On gulls | They left. Fetched 8:05 |", False),  # another sentence
        ("| 1 | On gulls | Fetched 8:05 |", False),  # too little that is the same
        ("| 1 | On gulls | They came back to the pier. Nests |", False),  # words from within
    ],
)
def test_a_row_with_sentences_left_out_before_its_end_is_the_same(line: str, is_same: bool) -> None:
    whole = AnswerItem("| 1 | On gulls (1 of 1) | They came back to the pier. Planks hold their nests. Fetched 9:10 |")
    assert AnswerItem(line).is_like(whole) is is_same
    assert whole.is_like(AnswerItem(line)) is is_same


def test_lines_of_figures_with_the_same_words_in_brackets_are_compared() -> None:
    line = AnswerItem("26 11 2026 8 05 (pier, gulls, boats)")
    assert not line.is_like(AnswerItem("26 11 2026 8 06 (pier, gulls, nests, planks)"))


@pytest.mark.parametrize(
    ("line", "is_same"),
    [
        ("• Ferry to Hull 12, 22 min ago", True),
        ("• Ferry to Hull 12 seen on Friday", False),  # no figure
        ("• Ferry to Hull 12, late by 5 min", False),  # says more than a unit
        ("• Ferry to Hull 12, 11 min ago", True),  # whatever figure the two have in common
        ("• Ferry to Goole, 22 min ago", False),  # another item
        ("• Ferry to Hull 12 Goole harbour quay 13:55", False),
    ],
)
def test_a_line_that_ends_in_another_time_is_the_same(line: str, is_same: bool) -> None:
    row = AnswerItem("3. Ferry to Hull 12 11 Mar 13:43")
    assert AnswerItem(line).is_like(row) is is_same
    assert row.is_like(AnswerItem(line)) is is_same


@pytest.mark.parametrize(
    "line",
    [
        "Gulls came back to the pier. [3]",
        "1. Gulls came back to the pier. (2 of 9)",
        "- Gulls came back to the pier.",
        "Gulls came back to the pier.",
    ],
)
def test_a_first_sentence_is_the_same_item_whatever_stands_around_it(line: str) -> None:
    whole = AnswerItem("3. Gulls came back to the pier. They nest under its planks. (1 of 2)")
    assert AnswerItem(line).is_like(whole)


@pytest.mark.parametrize(
    ("line", "is_same"),
    [
        ("The pier has taken 40 boats today.", True),
        ("The pier has taken 40 boats today", False),  # it has no end
        ("The pier has taken 40 boats.", False),  # cut within the clause
    ],
)
def test_a_sentence_may_end_after_its_first_clause(line: str, is_same: bool) -> None:
    whole = AnswerItem("The pier has taken 40 boats today and waits for two, which left Hull at noon and carry grain.")
    assert AnswerItem(line).is_like(whole) is is_same


@pytest.mark.parametrize(
    ("line", "is_same"),
    [
        ("Sensors: lowest is the harbour gate at 12 %.", True),
        ("Sensors: lowest of all by far is the harbour gate at 12 %.", False),  # it says more
        ("Sensors: lowest is the pier gate at 12 %.", False),
        ("The harbour gate is not at 12 %.", False),
        ("Gate of harbour: the one is at 12 %.", False),
    ],
)
def test_a_line_may_retell_the_first_clause_of_another(line: str, is_same: bool) -> None:
    assert AnswerItem(line).is_like(AnswerItem("The harbour gate is at 12 % and should be replaced.")) is is_same


def test_a_line_may_list_what_has_the_same_labels_elsewhere() -> None:
    duty = [AnswerItem(line) for line in ("Harbour master: Ada Lovelace", "Until: 12 Mar 20:00", "Deputy: Tom Hull")]
    assert listed_by(AnswerItem("Harbour master Ada L.; Until in 6 h; Deputy Tom H."), duty) == frozenset(duty)


def test_a_place_behind_a_sign_may_be_left_out() -> None:
    assert AnswerItem("Today 18:30: Running group (outdoors)").is_like(AnswerItem("Today 18:30: Running group @ Canal"))


def test_a_value_behind_what_was_asked_is_no_echo() -> None:
    assert not AnswerItem("Water level: 87 %").echoes("water level")
    assert AnswerItem("Water level: none").echoes("water level none")


STATES = items_of("- Mail: up, 42 ms\n- Backup job: up, 18 ms\n- Boat radio: up, 7 ms")


@pytest.mark.parametrize(
    ("line", "listed"),
    [
        ("Up: mail, backup job, boat radio", 3),
        ("Up: mail, backup job", 2),
        ("Up: mail", 0),  # one is no list
        ("The mail and the backup job were moved to another building in the spring of last year", 0),
    ],
)
def test_a_line_may_list_several_items_by_their_names(line: str, listed: int) -> None:
    assert len(listed_by(AnswerItem(line), STATES)) == listed
    assert len(missing_items(STATES, [AnswerItem(line)], STATES)) == len(STATES) - listed


DOORS = items_of("The front door is locked since 07:52.\nThe back door is unlocked.\nThe shed is locked since noon.")


@pytest.mark.parametrize(
    ("line", "listed"),
    [
        ("Doors: front door locked, back door unlocked, shed locked.", 3),
        ("Doors: 2 of 3 locked (front, shed).", 2),
        ("Doors: front and back.", 0),  # a word may be of anything, but in brackets
        ("Doors: locked, unlocked.", 0),
        ("Doors: 4 known (front, cellar, back).", 0),  # no such cellar
        ("Watch: front door locked, back door unlocked, gulls nest on it.", 0),
    ],
)
def test_a_line_may_say_of_several_items_in_short_how_they_are(line: str, listed: int) -> None:
    assert len(listed_by(AnswerItem(line), DOORS)) == listed


def test_a_line_may_list_what_stands_behind_labels() -> None:
    sources = items_of("Source: Harbour almanac - Castor\nSource: Harbour almanac - Pollux")
    assert listed_by(AnswerItem("Sources: Harbour almanac - Castor; Pollux"), sources) == frozenset(sources)


def test_a_row_lists_what_stands_in_its_cells_behind_labels_elsewhere() -> None:
    record = [AnswerItem(line) for line in ("id: D-7", "boat: Gull", "owner: Ada Lovelace")]
    assert listed_by(AnswerItem("- D-7, Gull, leaves in 4 d"), record) == frozenset(record[:2])
    assert not listed_by(AnswerItem("- D-8, Gull, leaves in 4 d"), record)
    figures = [AnswerItem(line) for line in ("Wind: 5", "Waves: 7", "Swell: 9")]
    assert not listed_by(AnswerItem("Lottery: 3, 5, 7, 9"), figures)
    assert not listed_by(AnswerItem("Gull: late"), [AnswerItem("pier: late"), AnswerItem("quay: late")])
