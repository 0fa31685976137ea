"""How a query is written: a long one shortened, and what no eye can tell apart marked and named."""

import re

import pytest
from django.test import Client

from review.query_text import LEAST_LEFT_OUT, QUERY_CHARACTERS, cut, pieces, shortened
from review.templatetags.queries import query, whole_query
from selftest.core.generation.recipes.unusual_spellings import in_lookalikes
from selftest.models import Actor, Combination
from selftest.reviewing.dismissal import dismiss
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, text_of

CYRILLIC_A = "U+0430 CYRILLIC SMALL LETTER A"
LONG = "knots " * 800 + "and rss"


def marked(text: str) -> list[str]:
    return [name for piece in pieces(text) for name in piece.code_points]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("we\N{CYRILLIC SMALL LETTER A}ther", [CYRILLIC_A]),
        ("we\N{ZERO WIDTH SPACE}ather", ["U+200B ZERO WIDTH SPACE"]),
        ("rss\N{NO-BREAK SPACE}feeds", ["U+00A0 NO-BREAK SPACE"]),
        ("\N{FULLWIDTH LATIN SMALL LETTER R}ss", ["U+FF52 FULLWIDTH LATIN SMALL LETTER R"]),
        ("what\N{RIGHT SINGLE QUOTATION MARK}s up", ["U+2019 RIGHT SINGLE QUOTATION MARK"]),
        ("r\N{ZERO WIDTH JOINER}ss", ["U+200D ZERO WIDTH JOINER"]),
        ("rss\N{RIGHT-TO-LEFT OVERRIDE}", ["U+202E RIGHT-TO-LEFT OVERRIDE"]),
        ("a\x07b", ["U+0007 without a name"]),
        ("\N{CYRILLIC SMALL LETTER A}\N{CYRILLIC SMALL LETTER ES}\N{CYRILLIC SMALL LETTER IE} news", None),
    ],
)
def test_what_is_not_what_it_seems_is_named(text: str, named: list[str] | None) -> None:
    assert marked(text) == named if named else len(marked(text)) == 3
    assert "".join(piece.text for piece in pieces(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "weather and rss",
        "погода и новости, rss",
        "Αθήνα weather",
        "天気 and news",
        "Zürich café naïve",
        "“rss” «news» …",
        "family \N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN} news",
        "می‌خواهم",
        "10 m² and 5 °C",
        "",
    ],
)
def test_what_is_what_it_seems_is_left_alone(text: str) -> None:
    assert marked(text) == []


def test_whatever_the_recipe_of_look_alikes_writes_is_marked() -> None:
    phrases = ["weather", "rss feeds", "what's offline", "ace", "is it up"]
    written = [text for phrase in phrases for text in in_lookalikes(phrase) if text != phrase]
    assert [text for text in written if not marked(f"{text} and headlines")] == []


def test_a_mark_has_its_code_point_on_hover_and_for_screen_readers() -> None:
    markup = query("we\N{CYRILLIC SMALL LETTER A}ther")
    assert f'we<span class="odd" title="{CYRILLIC_A}">а</span>' in markup
    assert f'<span class="code-points"> ({CYRILLIC_A}) </span>ther' in markup


def test_without_the_names_of_code_points_the_text_is_the_query() -> None:
    text = "rss\N{NO-BREAK SPACE}feeds \N{FULLWIDTH LATIN SMALL LETTER A} & news"
    markup = re.sub(r'<span class="code-points">.*?</span>', "", whole_query(text))
    assert re.sub(r"<[^>]+>", "", markup) == text.replace("&", "&amp;")


def test_many_marks_in_a_row_are_named_in_short() -> None:
    markup = query("".join(chr(ord(letter) + 0xFEE0) for letter in "weather"))
    assert markup.count("title=") == 7
    assert markup.count("U+FF57 FULLWIDTH LATIN SMALL LETTER W") == 2
    assert "and 3 more)" in markup


def test_a_long_query_keeps_its_beginning_and_its_end() -> None:
    short = shortened(LONG)
    assert short.startswith("knots knots")
    assert short.endswith("and rss")
    assert "… (4,572 more characters) …" in short  # 4,807 without 240, and 5 more of a word that would be cut
    a_little_longer = "x" * (QUERY_CHARACTERS + LEAST_LEFT_OUT - 1)
    assert shortened(a_little_longer) == a_little_longer
    assert "… (60 more characters) …" in shortened(f"{a_little_longer}x")


@pytest.mark.parametrize("shift", range(9))
def test_no_word_is_cut_in_two_where_a_space_is_near(shift: int) -> None:
    text = "x" * shift + " " + "printing press " * 40
    head, left_out, tail = cut(text, 120)
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + left_out + len(tail) == len(text)
    assert {*head.split()[1:], *tail.split()} == {"printing", "press"}
    assert 120 - 2 * 20 <= len(head) + len(tail) <= 120


def test_a_word_without_a_space_near_is_cut() -> None:
    assert cut("x" * 400, 120) == ("x" * 90, 280, "x" * 30)
    assert cut("a " + "x" * 400 + " b", 120)[1] == 404 - 120


def test_a_text_that_is_no_query_of_ours_is_escaped() -> None:
    assert "<script>" not in query(SCRIPT) + query(f"{SCRIPT}\N{ZERO WIDTH SPACE}") + query(SCRIPT * 100)


# --- on pages ---


@pytest.fixture
def long(db: None) -> Combination:
    return factory.flagged(LONG)


def heading(client: Client, address: str) -> str:
    match = re.search(r"<h1.*?</h1>", client.get(address).content.decode(), re.S)
    assert match
    return match[0]


def test_a_long_query_is_short_in_headings_and_whole_below(vera: Client, long: Combination) -> None:
    for address in (f"/combinations/{long.pk}", f"/combinations/{long.pk}/diff", f"/runs/{long.last_run_id}"):
        assert len(heading(vera, address)) < 500, address
        text = text_of(vera.get(address))
        assert "Whole query, 4,807 characters" in text
        assert LONG in text


@pytest.mark.parametrize("address", ["/flags", "/combinations", "/overview", "/flags?tab=dismissed"])
def test_a_long_query_is_short_in_lists(address: str, vera: Client, long: Combination) -> None:
    dismiss(factory.flagged(f"{LONG} too"), Actor("vera"))
    assert len(re.findall("knots", text_of(vera.get(address)))) < 300


def test_a_long_query_is_short_where_many_are_acted_upon(vera: Client, long: Combination) -> None:
    response = vera.post("/bulk/freeze", {"act": "dismiss"}, follow=True)
    assert "more characters …" in text_of(response)
    assert len(text_of(response)) < 2_000


@pytest.mark.parametrize(
    "address", ["/flags", "/combinations", "/combinations/{}", "/runs/{}", "/cycles/{}", "/overview"]
)
def test_a_look_alike_is_marked_wherever_a_query_is_shown(address: str, vera: Client, db: None) -> None:
    odd = factory.flagged("we\N{CYRILLIC SMALL LETTER A}ther and rss")
    run = odd.last_run
    assert run
    pk = {"/combinations/{}": odd.pk, "/runs/{}": run.pk, "/cycles/{}": run.cycle_id}.get(address)
    page = vera.get(address.format(pk)).content.decode()
    assert f'<span class="odd" title="{CYRILLIC_A}">' in page
    assert f'<span class="code-points"> ({CYRILLIC_A}) </span>' in page


def test_script_in_a_long_query_is_shown_as_text(vera: Client, db: None) -> None:
    odd = factory.flagged(f"{SCRIPT} {LONG}")
    for address in ("/flags", f"/combinations/{odd.pk}"):
        assert_escaped(vera.get(address))
