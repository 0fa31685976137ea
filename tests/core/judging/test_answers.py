from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.core.judging.answers import Section, sources_with_header, split_sections
from selftest.core.judging.failure_phrases import failure_of_section, failure_phrase
from tests.vocabularies import small_document

HEADERS = small_document()["headers"]
ALMANAC, TIDES, FERRY = HEADERS["almanac"], HEADERS["tides"], HEADERS["ferry"]
MiB = 1024 * 1024


def sources_in(result: str) -> list[str | None]:
    return [section.source for section in split_sections(result, HEADERS)]


# --- sections ---


def test_a_merged_answer_falls_into_its_sections():
    result = f"{ALMANAC}\nNarwhals are whales.\n\nWith a tusk.\n\n---\n\n{TIDES}\nHigh at noon.\n"
    assert split_sections(result, HEADERS) == (
        Section("almanac", "Narwhals are whales.\n\nWith a tusk.", 1),
        Section("tides", "High at noon.", 8),
    )


def test_an_answer_without_header_is_one_section_of_no_source():
    assert split_sections("High at noon.\n\nLow at six.\n", HEADERS) == (
        Section(None, "High at noon.\n\nLow at six.", 1),
    )


def test_text_before_the_first_header_is_a_section_of_no_source():
    result = f"Here is what I found:\n\n{TIDES}\nHigh at noon."
    assert split_sections(result, HEADERS) == (
        Section(None, "Here is what I found:", 1),
        Section("tides", "High at noon.", 3),
    )


@pytest.mark.parametrize("result", ["", " ", "\n\n", "---", "\n---\n\n -----  \n"])
def test_nothing_but_space_and_rules_has_no_section(result: str):
    assert split_sections(result, HEADERS) == ()


def test_a_header_without_text_is_a_section_all_the_same():
    assert split_sections(f"{TIDES}\n\n---\n\n{FERRY}", HEADERS) == (
        Section("tides", "", 1),
        Section("ferry", "", 5),
    )


def test_a_source_may_have_several_sections():
    assert sources_in(f"{TIDES}\na\n{FERRY}\nb\n{TIDES}\nc") == ["tides", "ferry", "tides"]


def test_without_any_known_header_there_is_only_text():
    assert split_sections(f"{TIDES}\nx", {}) == (Section(None, f"{TIDES}\nx", 1),)


def test_a_header_whose_label_holds_a_second_dash_is_recognised_whole():
    assert sources_in(f"{ALMANAC}\nNarwhals are whales.") == ["almanac"]


@pytest.mark.parametrize(
    "line",
    [
        "[ALMANAC — THINGS KNOWN]",  # the label cut at its second dash
        "[ALMANAC — ANYTHING AT ALL]",
        "[GULLS — NO SUCH SOURCE]",
        "[TIDES]",
        "[TIDES — HOURS AND HEIGHTS",
        "TIDES — HOURS AND HEIGHTS",
        "[tides — hours and heights]",
        "[TIDES - HOURS AND HEIGHTS]",  # a hyphen is no dash
        "See [TIDES — HOURS AND HEIGHTS]",
        "“[TIDES — HOURS AND HEIGHTS]”",
        "> [TIDES — HOURS AND HEIGHTS]",
        "[TIDES — HOURS AND HEIGHTS]s",
        "[TIDES — HOURS AND HEIGHTS](https://example.invalid)",
        "no almanac involved; tides neither",
    ],
)
def test_only_the_exact_string_at_the_start_of_a_line_is_a_header(line: str):
    assert sources_in(f"before\n{line}\nafter") == [None]


@pytest.mark.parametrize("space", ["", " ", "\t", "\u00a0"])
def test_space_around_a_header_does_not_matter(space: str):
    assert sources_in(f"{space}{TIDES}{space}\nHigh at noon.") == ["tides"]


def test_text_may_follow_a_header_on_its_line():
    assert split_sections(f"{TIDES} High at noon.", HEADERS) == (Section("tides", "High at noon.", 1),)


def test_of_two_headers_the_longer_one_wins_where_it_begins_with_the_other():
    headers = {"a": "# Tides", "b": "# Tides — tomorrow"}
    result = "# Tides — tomorrow\nlow\n# Tides\nhigh"
    assert [section.source for section in split_sections(result, headers)] == ["b", "a"]
    headers = dict(reversed(headers.items()))
    assert [section.source for section in split_sections(result, headers)] == ["b", "a"]


def test_signs_in_a_header_are_no_pattern():
    headers = {"a": "(.*) [A-Z]+ | ^$"}
    assert [s.source for s in split_sections("anything\n(.*) [A-Z]+ | ^$\nx", headers)] == [None, "a"]


def test_lines_may_end_as_windows_ends_them():
    result = f"{TIDES}\r\nHigh at noon.\r\n\r\n---\r\n\r\n{FERRY}\r\nAt ten.\r\n"
    assert split_sections(result, HEADERS) == (
        Section("tides", "High at noon.", 1),
        Section("ferry", "At ten.", 6),
    )


@pytest.mark.parametrize("sign", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_only_a_line_feed_ends_a_line(sign: str):
    """A page of a book or a web page may hold these signs; an editor that is told a line counts line feeds."""
    assert sources_in(f"quoted:{sign}{TIDES}") == [None]
    assert split_sections(f"one{sign}two\n{TIDES}\n", HEADERS)[1] == Section("tides", "", 2)


def test_rules_belong_to_no_section_and_dashes_in_text_stay():
    result = f"{TIDES}\na -- b\n--\n-----\nc --- d\n---x"
    assert split_sections(result, HEADERS) == (Section("tides", "a -- b\n--\nc --- d\n---x", 1),)


def test_sources_with_header_are_those_that_opened_a_section(small: Vocabulary):
    result = f"ferry and harbour are in the text only\n{TIDES}\nx\n{ALMANAC}\ny\n{TIDES}\nz"
    assert sources_with_header(result, small.headers) == {"tides", "almanac"}
    assert sources_with_header("no almanac involved", small.headers) == set()


LINES = st.sampled_from(
    [*HEADERS.values(), "text", " ", "", "---", "[TIDES", "a [TIDES — HOURS AND HEIGHTS]", "\u2028"]
)


@given(lines=st.lists(LINES, max_size=15))
def test_each_header_line_opens_one_section_at_its_own_line(lines: list[str]):
    by_header = {header: source for source, header in HEADERS.items()}
    expected = [(by_header[line], number) for number, line in enumerate(lines, start=1) if line in by_header]
    sections = split_sections("\n".join(lines), HEADERS)
    assert [(s.source, s.line) for s in sections if s.source] == expected
    assert all(section.source or section.text for section in sections)


# --- failure phrases ---


@pytest.mark.parametrize(
    "text",
    [
        "Could not connect",
        "could not connect.",
        "  Could not connect to the tide gauge.\n",
        "COULD NOT CONNECT",
        "Error: could not connect to 10.0.0.7",
        "ferry: Gauge: could not connect (twice)",
        "None of the sources has anything.\n- tides: could not connect\n- ferry: Gauge: could not connect (twice)",
        "Sorry, could not connect right now.",
        "tides — could not connect",
        "**Could not connect**",
        "(could not connect)",
        "⚠ Could not connect to the gauge",
        "The gauge at the pier could not connect.",  # one short line that names its subject first
        "Could not connect: ConnectionError\nHTTPConnectionPool(host='x', port=80): Max retries exceeded",
        "There is nothing to report today.",
        "Could not  connect",
        "Nothing  to\treport",  # however it is spaced
        "Nothing to\nreport.",
        "The gauge could not\u00a0connect.",
        "- could not connect\n- nothing to report",  # a list of failures and nothing else
        # What to do about it, in a paragraph of its own
        "Could not connect to the tide gauge.\n\nPlease try again later.",
        "Error: could not connect.\r\n\r\nAsk the harbour master.",
        "Could not connect\n\nSee the log.\n \nAnd call the office.",
        "Could not connect\n\n" + "x" * 159,
        # It names its subject and says what to do; a note on the whole answer stands below
        "The gauge could not connect. Check its address.\n\nAll of this was gathered by a program.",
        "(could not connect)\nPlease try again later.",
        # A bare lead-in, in a paragraph of its own
        "Error\n\nCould not connect to news feed",
        "# Error\n\n**Could not connect**",
        "Search failed:\n\n\nCould not connect.\n\nPlease try again later.",
    ],
)
def test_a_failure_phrase_counts_where_it_is_the_answer(small: Vocabulary, text: str):
    assert failure_phrase(text, small.empty_phrases) in ("could not connect", "nothing to report")


@pytest.mark.parametrize(
    "text",
    [
        "(1 of 5)\r\nThe gauge could not connect. Check its address.",
        "(2 of 4)\n\nCould not connect",
        "=====\n(2 of 4)\n\nThe gauge could not connect. Check its address.",
        "-----\r\nThe gauge could not connect. Check its address.",
    ],
)
def test_what_underlines_a_header_or_stands_above_a_failure_in_brackets_is_no_part_of_it(small: Vocabulary, text: str):
    assert failure_phrase(text, small.empty_phrases) is None, "the specification looks at all of the text"
    assert failure_of_section(text, small.empty_phrases) == "could not connect"


@pytest.mark.parametrize("above", ["", "(1 of 5)\n"])
@pytest.mark.parametrize(
    ("below", "is_failure"),
    [
        ("What you can try:\n- Ask again in a few minutes\n- Ask for one thing", True),
        ("What you can try:  \n\n- Ask again in a few minutes  \n\n- Ask for one thing", True),
        ("- High water at six\n- Low ebb at noon", False),
        ("Tomorrow:\n- High water at six\n- Low ebb at noon", False),
    ],
    ids=["a list of what to do", "with blank lines", "a list without a heading", "a list of something else"],
)
def test_a_section_may_list_what_to_do_below_its_failure(small: Vocabulary, above: str, below: str, is_failure: bool):
    found = failure_of_section(f"{above}Could not connect to the gauge.\n{below}", small.empty_phrases)
    assert found == ("could not connect" if is_failure else None)


@pytest.mark.parametrize("text", ["(could not connect)\nPlease try again later.", "Could not connect"])
def test_a_failure_that_stands_in_brackets_itself_is_one(small: Vocabulary, text: str):
    assert failure_of_section(text, small.empty_phrases) == "could not connect"


def test_a_section_with_something_below_a_remark_is_content(small: Vocabulary):
    assert failure_of_section("(1 of 5)\nHigh water at six", small.empty_phrases) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "High at noon.",
        "The spokesman said that there was nothing to reporters' liking.",  # not as whole words
        "Pilot boat: in the outer harbour, could not connect a tow since May. Tugs stand by at the lock.",
        "Berth 4: radio: could not connect\nBerth 5: free\nBerth 6: free",
        "Could not connected",
        # An item of news, and a list of them
        "- Rescuers could not connect to the stranded ship, says the coastguard",
        "1. Rescuers could not connect to the stranded ship, says the coastguard",
        "- Storm moves east\n- Rescuers could not connect to the stranded ship\n- Ferry sold",
        "• Could not connect to the islands: storm cuts cable\n• Ferry company sold\n• New pier opens",
        # Paragraphs
        "Storm moves east.\n\nRescuers could not connect to the ship.\n\nFerry sold.",
        "Nothing to report, said the harbour master on Monday.\n\nOn Tuesday the pier was gone.",
        "Could not connect to the islands: storm cuts cable\n\n- Ferry sold\n- New pier opens",
        "Could not connect to the islands\n\n# Ferry sold\nTo a neighbour.",
        "Could not connect to the islands\n\n[FERRY SOLD]",
        "- Could not connect to the islands\n\nThe ferry is sold.",
        "Headlines\n\n- Could not connect to the islands: storm cuts cable",
        "Could not connect\n\n" + "x" * 160,  # more than a little advice
        "The gauge could not connect.\n\nLow tide is at six.",  # inside a paragraph beside another
        "High at noon.\n\nCould not connect to the second gauge.",  # a sentence is no bare lead-in
        "14 degrees\n\nCould not connect to the second gauge.",  # nor is a figure
        "Storm moves east\n\nCould not connect to the islands.",  # nor a headline
        "Error\n\nHigh at noon.",
        "Tide for tomorrow: 14 feet. Second gauge could not connect.",
        "Is it high? The gauge could not connect.",
        "Lights on; pier lamp could not connect.",
        # One sentence that is no longer short
        "The gauge at the old pier could not connect.",  # 9 words
        "Schifffahrtsamtsgebäude Wilhelmshaven-Nordosthafen could not connect",  # 5 words, 68 characters
        "The gauge at the old pier (by the harbour) could not connect.",  # nor is it without its aside
        # One sentence of several, and one about someone else
        "All gulls fed. Harbour radio: could not connect.",
        "Engineers said the probe could not connect to the relay satellite on Tuesday.",
        # One long paragraph that tells of it
        "The islands were cut off for most of the night, and although the coastguard tried on all channels it could "
        "not connect to the mainland until the morning, when a fishing boat relayed the call and the ferry set out.",
        "could not connect " + "and so on " * 60,  # 618 characters: no error message
    ],
)
def test_content_that_mentions_a_failure_is_content(small: Vocabulary, text: str):
    assert failure_phrase(text, small.empty_phrases) is None


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("The feed is not configured.", "not configured"),
        ("Kiwix is not configured.", "not configured"),
        ("Unable to retrieve news: HTTP 500", "unable to retrieve"),
        ("We were unable to retrieve the news.", "unable to retrieve"),
        ("Sorry, no results found", "no results found"),
        ("Kiwix is not configured. Set KIWIX_URL in the environment.", "not configured"),
        ("The house is not configured. Please set HASS_URL. Restart it.", "not configured"),
        ("The gauge could not connect (gateway answered late, 2 of 3 tries). Try again later.", "could not connect"),
        ("The house is not configured. Please set HASS_URL. Then it rains.", None),
        ("The house is not configured.\nSet HASS_URL in the environment.", "not configured"),
        ("The house is not configured\nTo enable it, set HASS_URL", "not configured"),
        ("Search failed: web is not configured.\nExport SEARCH_URL. You need to restart the router.", "not configured"),
        ("The house could not connect to http://hub.internal:8123/api/states. Is it running?", "could not connect"),
        ("The lamp is not configured.\nThe door is shut.", None),
        ("- The lamp is not configured.\n- Set the table for two.", None),
        ("The feed is not configured! Check the settings.", "not configured"),
        ("[error] could not connect to the feed", "could not connect"),
        ("(kiwix) no results found", "no results found"),
        ("The lamp is not configured. The door is shut.", None),
        ("The lamp is not configured. Please note: the door is shut and it rains, " + "and so on " * 15, None),
        ("[1] Rescuers could not connect to the stranded ship, says the coastguard", None),
        ("No results  found", "no results found"),
        ("Error: could not connect to x\ntrace", "could not connect"),
        ("Could not connect to the forecast service.\n\nPlease try again later.", "could not connect"),
        ("Error\n\nCould not connect to news feed", "could not connect"),
        ("All doors locked. Garage sensor: not configured.", None),
        ("Forecast for tomorrow: 14 degrees. Air quality sensor not configured.", None),
        ("Engineers said the probe could not connect to the relay satellite on Tuesday.", None),
    ],
)
def test_what_routers_say_is_told_apart(example: Vocabulary, text: str, phrase: str | None):
    assert failure_phrase(text, example.empty_phrases) == phrase


@pytest.mark.parametrize(
    "text",
    ["All lights on, pier lamp could not connect.", "Pier lamp: could not connect. All lights on."],
)
def test_content_in_one_breath_with_a_failure_is_taken_for_it(small: Vocabulary, text: str):
    """The known limit: nothing but signs and lengths is looked at."""
    assert failure_phrase(text, small.empty_phrases) == "could not connect"


def test_the_phrase_is_given_as_the_vocabulary_has_it():
    document = small_document()
    document["empty_phrases"] = ["No Tides Found"]
    assert failure_phrase("no tides found", parse_vocabulary(document).empty_phrases) == "No Tides Found"


def test_signs_in_a_failure_phrase_are_no_pattern():
    document = small_document()
    document["empty_phrases"] = ["(.*)", "[n/a]"]
    vocabulary = parse_vocabulary(document)
    assert failure_phrase("High at noon.", vocabulary.empty_phrases) is None
    assert failure_phrase("[N/A]", vocabulary.empty_phrases) == "[n/a]"


def test_without_failure_phrases_nothing_is_a_failure():
    document = small_document()
    del document["empty_phrases"]
    assert failure_phrase("could not connect", parse_vocabulary(document).empty_phrases) is None


# --- large and odd answers ---

ODD = {
    "letters": "a" * (2 * MiB),
    "line feeds": "\n" * (2 * MiB),
    "spaces": " " * (2 * MiB),
    "a line of spaces before a word": " " * (2 * MiB) + "x",
    "lines of one space": " \n" * (2 * MiB),
    "dashes": "-" * (2 * MiB),
    "dashes before a word": "-" * (2 * MiB) + "x",
    "dashes and spaces": "- " * (2 * MiB),
    "opening brackets": "[TIDES" * (MiB // 2),
    "headers": f"{TIDES}\n" * 30_000,
    "line separators": "\u2028" * MiB,
    "lead-ins": "a: " * MiB,
    "failure phrases": "could not connect " * 200_000,
    "list marks": "- \n" * MiB,
    "NUL": "\x00" * (2 * MiB),
}


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_answer_of_megabytes_is_read_in_a_moment(small: Vocabulary, odd: str):
    begun = process_time()
    split_sections(ODD[odd], HEADERS)
    failure_phrase(ODD[odd], small.empty_phrases)
    assert process_time() - begun < 2.0


@pytest.mark.parametrize(
    "filling", ["a", " ", ".", "-", ":", "a ", "a.", " \n", "\n", "1.", "a:", "—", "a\n\n", "# ", "could not "]
)
def test_a_statement_at_the_length_limit_is_read_in_a_moment(small: Vocabulary, filling: str):
    begun = process_time()
    for length in (160, 600):
        failure_phrase((filling * length)[: length - 1] + "x", small.empty_phrases)
    assert process_time() - begun < 0.2
