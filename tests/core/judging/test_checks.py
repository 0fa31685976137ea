from dataclasses import replace
from time import process_time

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.core.judging.allowed_sources import allowed_sources
from selftest.core.judging.answers import Answer
from selftest.core.judging.check_table import CHECKS, specified_findings
from selftest.core.judging.context import CheckInput
from selftest.core.judging.findings import SPECIFIED, CheckName, Finding
from selftest.core.judging.latency import LatencyLimits
from tests.vocabularies import example_document

VOCABULARY = parse_vocabulary(example_document())
HEADERS = VOCABULARY.headers
AND = Part(PartKind.CONJUNCTION, " and ")
COMMA = Part(PartKind.MARK, ", ")

PHRASES = {
    "forecast": "wind speed",
    "news": "rss",
    "web": "google",
    "home": "thermostat",
    "changes": "since breakfast",
    "uptime": "is it up",
}


def intent(source: str) -> Part:
    return Part(PartKind.INTENT, PHRASES[source], source)


def chain(*sources: str) -> Query:
    parts = [intent(sources[0])]
    for source in sources[1:]:
        parts += [AND, intent(source)]
    return Query("multi_intent_chain", tuple(parts))


DISCOURSE = Query(
    "discourse_framing_plus_real_keyword",
    (
        Part(PartKind.DISCOURSE, "people keep mentioning"),
        Part(PartKind.MARK, " "),
        Part(PartKind.TOPIC, "comets"),
        Part(PartKind.MARK, ", and "),
        intent("news"),
    ),
)
CONDITIONAL = Query(
    "conditional_with_remainder",
    (
        Part(PartKind.CONDITION, "if the cellar is damp"),
        COMMA,
        Part(PartKind.CONSEQUENCE, "wake me"),
        COMMA,
        intent("news"),
    ),
)
OPEN = Query("no_intent_fallthrough", (Part(PartKind.TOPIC, "tungsten"),))
PAIR = Query(
    "proper_noun_plus_pronoun_intent",
    (
        Part(PartKind.PAIR, "Ohio and Utah"),
        AND,
        Part(PartKind.REQUEST, "I cannot get my printer to work"),
    ),
)
KEYWORD_REQUEST = Query(
    "proper_noun_plus_pronoun_intent",
    (Part(PartKind.REQUEST, "I nearly forgot the frost warning"),),
)


def merged(*sources: str, text: str = "Some content.") -> str:
    return "\n\n---\n\n".join(f"{HEADERS[source]}\n{text}" for source in sources)


def asking(
    query: Query,
    result: str = "Some content.",
    source_used: str = "fusion",
    *,
    vocabulary: Vocabulary = VOCABULARY,
    history_ms: tuple[float, ...] = (),
    latency_ms: float = 100.0,
    **answer: object,
) -> CheckInput:
    return CheckInput(query, Answer(result, source_used, latency_ms, **answer), vocabulary, history_ms)  # type: ignore[arg-type]


def names(asked: CheckInput) -> list[str]:
    return [str(found.check) for found in specified_findings(asked)]


def only(asked: CheckInput) -> Finding:
    (found,) = specified_findings(asked)
    return found


# --- what all have in common ---


def test_the_names_are_those_of_the_contract_in_priority_order():
    assert [str(name) for name in CheckName] == [
        "crash",
        "source_mismatch",
        "part_count_mismatch",
        "discourse_framing_dropped_kiwix",
        "conditional_remainder_missing_sections",
        "unexpected_empty",
        "latency_outlier",
        "section_repeated",
        "item_repeated",
        "section_blank",
        "text_before_header",
        "header_unknown",
        "source_contradicts_sections",
        "piece_blank",
        "frame_debris",
        "part_lost",
        "part_differs",
        "pair_broken",
        "order_matters",
        "conjunction_matters",
        "asked_twice_differs",
        "synthetic_query_cached",
        "part_slow",
    ]
    assert [str(name) for name in SPECIFIED] == [str(name) for name in CheckName][:7]
    assert tuple(CHECKS) == tuple(CheckName)


@pytest.mark.parametrize(
    ("query", "result", "source_used"),
    [
        (chain("news", "home", "uptime"), merged("news", "home", "uptime"), "fusion"),
        (DISCOURSE, merged("kiwix", "news"), "fusion"),
        (DISCOURSE, "Comets are ice.", "kiwix"),
        (CONDITIONAL, merged("kiwix", "news"), "fusion"),
        (OPEN, "Tungsten is a metal.", "kiwix"),
        (PAIR, "Two states.", "kiwix"),
        (KEYWORD_REQUEST, "No frost tonight.", "forecast"),
    ],
)
def test_an_answer_that_keeps_every_promise_is_clean(query: Query, result: str, source_used: str):
    assert specified_findings(asking(query, result, source_used)) == ()


def test_a_reason_begins_with_the_name_of_its_check_and_a_colon():
    found = only(asking(OPEN, "Some stories.", "news"))
    assert found.reason == f"source_mismatch: {found.summary}"
    assert found.summary == "answered by 'news', which nothing in the query points at"


def test_all_findings_are_kept_in_priority_order():
    traceback = 'Traceback (most recent call last):\n  File "router.py", line 3, in route'
    query = chain("news", "home", "uptime", "web")
    slow = asking(query, f"could not connect\n\n---\n\n{HEADERS['news']}\n{traceback}", "changes")
    slow = replace(slow, answer=replace(slow.answer, latency_ms=9000.0), history_ms=[1000.0] * 10)
    assert names(slow) == ["crash", "source_mismatch", "part_count_mismatch", "unexpected_empty", "latency_outlier"]


def test_every_finding_tells_what_was_promised_what_was_seen_and_where():
    askings = [
        asking(OPEN, "", "", error="ConnectionResetError"),
        asking(OPEN, "Traceback (most recent call last):\n", "kiwix"),
        asking(OPEN, "Some stories.", "news"),
        asking(chain("news", "home", "uptime"), "x", "fusion"),
        asking(DISCOURSE, "x", "news"),
        asking(CONDITIONAL, "x", "news"),
        asking(OPEN, "no results found", "kiwix"),
        asking(OPEN, "x", "kiwix", latency_ms=9000.0, history_ms=(1000.0,) * 10),
    ]
    for asked in askings:
        (found,) = specified_findings(asked)
        assert all((found.summary, found.promised, found.seen, found.where))


# --- crash ---


def test_an_error_is_a_crash_and_hides_what_else_there_is_nothing_to_see_of():
    asked = asking(CONDITIONAL, "", "", error="no answer within 60 s", latency_ms=60_000.0, history_ms=(1000.0,) * 20)
    found = only(asked)
    assert found.reason == "crash: no answer within 60 s"
    assert found.seen == "no answer within 60 s"
    assert found.where == "error"


def test_what_came_with_an_error_is_kept_as_evidence():
    found = only(asking(OPEN, "<html>Internal Server Error</html>", "", error="HTTP 500", http_status=500))
    assert found.reason == "crash: HTTP 500"
    assert found.seen == "HTTP 500\n<html>Internal Server Error</html>"


def test_an_error_of_many_lines_is_a_reason_of_one():
    error = 'ValueError: bad\nTraceback (most recent call last):\n  File "x.py"' + " and more" * 100
    found = only(asking(OPEN, "", "", error=error))
    assert "\n" not in found.reason
    assert found.reason.startswith("crash: ValueError: bad Traceback")
    assert len(found.reason) <= len("crash: ") + 301
    assert found.seen == error


@pytest.mark.parametrize(
    ("result", "line"),
    [
        ('Traceback (most recent call last):\n  File "a.py", line 1, in b\nKeyError: 1', 1),
        ('So far so good.\n\n   Traceback (most recent call last):\n  File "a.py"', 3),
        ('one\n> Traceback (most recent call last):\n>   File "a.py"', 2),
        ('Internal error: Traceback (most recent call last):\n  File "a.py", line 1', 1),
        ('Internal error: Traceback (most recent call last): \r\n\r\n  File "a.py", line 1', 1),
        ("fine\nTraceback (most recent call last):", 2),
        # Put on one line
        ('Internal error: Traceback (most recent call last): File "/a.py", line 3', 1),
        ('Internal error: Traceback (most recent call last):File "/a.py", line 3', 1),
        (r'Internal error: Traceback (most recent call last):\n  File "/a.py", line 3', 1),
        (r'fine: {"error": "Traceback (most recent call last):\r\n\tFile \"/a.py\", line 3"}', 1),
        (r'fine: "{\"error\": \"Traceback (most recent call last):\\n  File \\\"/a.py\\\", line 3\"}"', 1),
    ],
)
def test_a_raw_traceback_in_the_answer_is_a_crash(result: str, line: int):
    found = only(asking(OPEN, result, "kiwix"))
    assert found.reason == "crash: a raw traceback in the answer"
    assert found.where == f"line {line}"
    assert "Traceback (most recent call last):" in found.seen


@pytest.mark.parametrize(
    "result",
    [
        "A traceback lists the calls, most recent call last.",
        "Python prints “Traceback (most recent call last):” and then the calls.",
        "Look for Traceback (most recent call last): in the log.\nThe File menu has it.",
        'The error in File "a.py" was mended.',
        'Look for Traceback (most recent call last): in the log, then for File "a.py".',
        r'Look for Traceback (most recent call last):\n in the log, then for File "a.py".',
    ],
)
def test_an_answer_that_speaks_of_tracebacks_is_none(result: str):
    assert specified_findings(asking(OPEN, result, "kiwix")) == ()


def test_a_traceback_in_an_answer_hides_no_other_finding():
    result = 'Traceback (most recent call last):\n  File "a.py", line 1'
    assert names(asking(OPEN, result, "news")) == ["crash", "source_mismatch"]


@pytest.mark.parametrize(
    "odd",
    [
        "x Traceback (most recent call last):" + "\n" * (1024 * 1024),
        "x Traceback (most recent call last):" + " \n" * (1024 * 1024),
        "x Traceback (most recent call last):\n" * 50_000,
        ("x Traceback (most recent call last):" + "\n" * 40) * 25_000,
        "Traceback (most recent call last)" * 60_000,
        "x Traceback (most recent call last):" + " " * (4 * 1024 * 1024),
        "x Traceback (most recent call last):" + r"\n" * (2 * 1024 * 1024),
        "x Traceback (most recent call last):" + " " + r"\n " * (1024 * 1024),
        "x Traceback (most recent call last):" + "\\" * (4 * 1024 * 1024),
        "x Traceback (most recent call last): File " + "\\" * (4 * 1024 * 1024),
        ("x Traceback (most recent call last):" + r"\n " * 40) * 25_000,
        "x Traceback (most recent call last): File " * 100_000,
        "> " * (1024 * 1024),
        "\t" * (2 * 1024 * 1024) + "x",
        (" " * 100 + "\n") * 20_000,
    ],
    ids=lambda odd: f"{odd[:3]!r}…{odd[-3:]!r}, {len(odd)}",
)
def test_no_answer_however_odd_keeps_the_checks_for_long(odd: str):
    begun = process_time()
    specified_findings(asking(OPEN, odd, "kiwix"))
    assert process_time() - begun < 3.0


# --- source mismatch ---


@pytest.mark.parametrize(
    ("query", "allowed"),
    [
        (OPEN, {"fusion", "kiwix", "web"}),  # web stands in for kiwix
        (PAIR, {"fusion", "kiwix", "web"}),
        (DISCOURSE, {"fusion", "kiwix", "web", "news"}),
        (CONDITIONAL, {"fusion", "kiwix", "web", "news"}),  # no keyword in the condition: the encyclopedia's
        (KEYWORD_REQUEST, {"fusion", "forecast"}),
        (chain("home", "uptime", "changes"), {"fusion", "home", "uptime", "changes"}),
        (chain("home", "news"), {"fusion", "home", "news", "web"}),  # web stands in for news
    ],
)
def test_a_query_may_be_answered_by_what_it_points_at_and_what_stands_in_for_that(query: Query, allowed: set[str]):
    assert allowed_sources(query, VOCABULARY) == allowed
    for source in [*VOCABULARY.headers, "fusion", "", "KIWIX", "kiwix "]:
        found = "source_mismatch" in names(asking(query, merged("kiwix", "news"), source))
        assert found == (source not in allowed)


def test_a_keyword_anywhere_in_the_query_points_at_its_source():
    query = Query("nested_proper_noun_pairs", (Part(PartKind.PAIR, "Google and Amazon"),))
    assert allowed_sources(query, VOCABULARY) == {"fusion", "kiwix", "web"}
    condition = Part(PartKind.CONDITION, "if the thermostat fails")
    assert allowed_sources(Query("conditional_with_remainder", (condition,)), VOCABULARY) == {"fusion", "home"}


def test_a_fallback_stands_in_one_way_only():
    query = chain("web", "home")
    assert "source_mismatch" in names(asking(query, merged("web", "home"), "news"))


def test_the_evidence_of_a_mismatch_names_the_allowed_and_the_used():
    found = only(asking(KEYWORD_REQUEST, "Some stories.", "news"))
    assert found.promised == "a source that the query points at: forecast, fusion"
    assert (found.seen, found.where) == ("news", "source_used")


# --- part count ---


ALL_SIX = tuple(PHRASES)


@pytest.mark.parametrize(
    ("present", "intended", "flagged"),
    [
        (0, 2, True),
        (1, 2, False),
        (0, 3, True),
        (1, 3, True),
        (2, 3, False),
        (3, 3, False),
        (1, 4, True),
        (2, 4, False),  # exactly half
        (2, 5, True),  # the rule is fewer than half, and 2 of 5 is
        (3, 5, False),
        (5, 5, False),
    ],
)
def test_fewer_than_half_of_the_intended_sections_is_a_mismatch(present: int, intended: int, flagged: bool):
    # Without web, which would stand in for news.
    sources = ("home", "uptime", "changes", "forecast", "news")[:intended]
    asked = asking(chain(*sources), merged(*sources[:present]) or "One plain answer.")
    assert names(asked) == (["part_count_mismatch"] if flagged else [])


def test_the_evidence_of_a_part_count_names_what_is_missing():
    found = only(asking(chain("home", "uptime", "changes"), merged("uptime")))
    assert found.summary == "1 of 3 intended sources have a section; missing: home, changes"
    assert found.promised == "a section for each of home, uptime, changes"
    assert found.seen == "source_used 'fusion', sections: uptime"
    assert found.where == "headers"


def test_sections_are_counted_by_source_and_not_by_header_lines():
    assert names(asking(chain("home", "uptime", "changes"), merged("home", "home", "home"))) == ["part_count_mismatch"]


def test_sections_of_sources_that_nobody_asked_for_do_not_count():
    asked = asking(chain("home", "uptime", "changes"), merged("forecast", "news", "web"))
    assert names(asked) == ["part_count_mismatch"]


def test_a_documented_fallback_counts_for_the_source_that_it_stands_in_for():
    assert names(asking(chain("news", "home", "uptime"), merged("web", "home"))) == []


def test_a_source_that_was_asked_for_itself_stands_in_for_no_other():
    query = chain("news", "web", "uptime")
    assert names(asking(query, merged("web"))) == ["part_count_mismatch"]


def test_a_header_with_a_second_dash_counts():
    # The label of news holds one.
    assert names(asking(chain("news", "home"), merged("news"))) == []


def test_names_in_the_text_do_not_count_as_sections():
    text = "NEWS, HOME and UPTIME: [NEWS — something], [HOME — something], [UPTIME — something]"
    assert names(asking(chain("news", "home", "uptime"), text)) == ["part_count_mismatch"]


@pytest.mark.parametrize("query", [OPEN, PAIR, DISCOURSE])
def test_part_counts_are_promised_for_chains_alone(query: Query):
    assert "part_count_mismatch" not in names(asking(query, "plain", "kiwix"))


# --- discourse framing ---


@pytest.mark.parametrize(
    ("result", "source_used", "flagged"),
    [
        ("Comets are ice.", "kiwix", False),
        (merged("news", "kiwix"), "fusion", False),
        (merged("kiwix"), "news", False),
        (merged("news"), "fusion", True),
        ("Some stories.", "news", True),
        ("plain web result, no kiwix involved", "web", True),  # the specification's own trap
        ("kiwix says: [KIWIX — something else]", "fusion", True),
        ("as [KIWIX — REFERENCE ARTICLES — UNRELATED TO THE OTHER PARTS] has it", "fusion", True),
    ],
)
def test_discourse_framing_keeps_the_encyclopedia_in_the_answer(result: str, source_used: str, flagged: bool):
    assert names(asking(DISCOURSE, result, source_used)) == (["discourse_framing_dropped_kiwix"] if flagged else [])


def test_the_check_is_called_kiwix_whatever_the_encyclopedia_is(small: Vocabulary):
    query = Query(
        "discourse_framing_plus_real_keyword",
        (Part(PartKind.DISCOURSE, "all of them go on about"), Part(PartKind.INTENT, "low tide", "tides")),
    )
    found = only(asking(query, "Low at six.", "tides", vocabulary=small))
    assert found.reason.startswith("discourse_framing_dropped_kiwix: ")
    assert "almanac" in found.summary
    assert "almanac" in found.promised
    assert "kiwix" not in found.summary + found.promised
    assert specified_findings(asking(query, f"{small.headers['almanac']}\nx", "digest", vocabulary=small)) == ()


def test_other_recipes_promise_no_encyclopedia():
    assert specified_findings(asking(chain("news", "home"), merged("news", "home"))) == ()


# --- conditional remainder ---


@pytest.mark.parametrize(
    ("result", "flagged"),
    [
        (merged("kiwix", "news"), False),
        (merged("news"), False),  # one may be empty and dropped; none at all is the flag
        ("Some stories.", True),
        ("[NEWS — made up]\nSome stories.", True),
    ],
)
def test_a_conditional_with_remainder_has_at_least_one_section(result: str, flagged: bool):
    assert names(asking(CONDITIONAL, result)) == (["conditional_remainder_missing_sections"] if flagged else [])


def test_an_answer_of_a_single_source_to_a_conditional_lacks_its_sections():
    found = only(asking(CONDITIONAL, "Some stories.", "news"))
    assert found.check == "conditional_remainder_missing_sections"
    assert found.seen == "source_used 'news', sections: none"


# --- unexpected empty ---


@pytest.mark.parametrize("result", ["No results found.", "Error: could not connect to the server"])
def test_a_failure_phrase_as_the_answer_is_flagged(result: str):
    found = only(asking(OPEN, result, "kiwix"))
    assert found.check == "unexpected_empty"
    assert (found.seen, found.where) == (result, "line 1")


@pytest.mark.parametrize("result", ["", "  \n "])
def test_a_blank_answer_is_flagged(result: str):
    found = only(asking(OPEN, result, "kiwix"))
    assert found.reason == "unexpected_empty: the answer is blank"


def test_a_failure_phrase_as_a_whole_section_is_flagged_with_its_place():
    result = f"{merged('kiwix')}\n\n---\n\n{HEADERS['news']}\nNo recent articles.\n"
    found = only(asking(DISCOURSE, result))
    assert found.summary == "the section of news is only 'no recent articles'"
    assert found.seen == "No recent articles."
    assert found.where == "line 6"  # header, text, blank, rule, blank, header


def test_news_that_mention_a_failure_are_content():
    news = "- Rescuers could not connect to the ship\n- Mayor: unable to retrieve the archive\n- Fair opens"
    assert specified_findings(asking(DISCOURSE, f"{merged('kiwix')}\n\n---\n\n{HEADERS['news']}\n{news}")) == ()


# --- latency ---


def test_an_outlier_is_flagged_with_the_figures():
    found = only(asking(OPEN, "x", "kiwix", latency_ms=3001.0, history_ms=(2000.0,) * 12))
    assert found.check == "latency_outlier"
    assert found.summary == "3001 ms; the recipe's p95 is 2000 ms over 12 runs"
    assert (found.promised, found.seen, found.where) == ("at most 3000 ms", "3001 ms", "latency_ms")


@pytest.mark.parametrize(
    ("latency_ms", "history_ms"),
    [(3000.0, (2000.0,) * 12), (60_000.0, (2000.0,) * 9), (1000.0, (1.0,) * 50), (60_000.0, ())],
)
def test_no_outlier_below_threshold_samples_or_floor(latency_ms: float, history_ms: tuple[float, ...]):
    assert specified_findings(asking(OPEN, "x", "kiwix", latency_ms=latency_ms, history_ms=history_ms)) == ()


def test_a_cached_answer_is_not_judged():
    asked = asking(OPEN, "x", "kiwix", latency_ms=60_000.0, history_ms=(2000.0,) * 12, cached=True)
    assert specified_findings(asked) == ()


def test_the_limits_are_those_that_were_tuned():
    asked = asking(OPEN, "x", "kiwix", latency_ms=500.0, history_ms=(100.0, 100.0))
    assert specified_findings(asked) == ()
    tuned = replace(asked, limits=LatencyLimits(multiplier=2.0, floor_ms=10.0, min_samples=2))
    assert names(tuned) == ["latency_outlier"]


def test_a_lookalike_may_be_taken_for_a_subject_of_the_encyclopedia_also_where_we_see_the_keyword_in_it() -> None:
    lookalike = Part(PartKind.LOOKALIKE, "failed\N{NO-BREAK SPACE}backups")
    query = Query("lookalike_keyword", (lookalike,))
    assert allowed_sources(query, VOCABULARY) >= {"kiwix", "uptime"}
