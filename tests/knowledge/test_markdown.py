"""Markdown in sections, and as a page that is safe to show."""

import time

import pytest

from selftest.knowledge.core.documents import DocumentRefusedError, structure_of
from selftest.knowledge.core.markdown import html_of, read_markdown

TEXT = """---
title: The kettle
tags: [Kitchen, steel]
lang: de-DE
---
Before all.

# Kettle

It *boils* `water`.

```
## No heading
```

> ## None either

## Care
| part | how |
| --- | --- |
| lid | by *hand* |

### Care
## Care
"""


def test_sections_begin_at_headings_outside_code_and_quotes_with_anchors_like_githubs() -> None:
    read = read_markdown(TEXT, "kettle.md")
    assert (read.title, read.language, read.tags) == ("The kettle", "de", ("kitchen", "steel"))
    assert [(one.anchor, one.path, one.body) for one in read.sections] == [
        ("", (), "Before all."),
        ("kettle", ("Kettle",), "It boils water.\n## No heading\nNone either"),
        ("care", ("Kettle", "Care"), "part | how\nlid | by hand"),
        ("care-1", ("Kettle", "Care", "Care"), ""),
        ("care-2", ("Kettle", "Care"), ""),
    ]
    assert [(one.start, one.end) for one in read.sections][:3] == [(5, 7), (7, 17), (17, 22)]


def test_a_long_section_becomes_several_pieces_of_the_same_anchor() -> None:
    read = read_markdown("## Long\n\n" + "word " * 400 + "\n\n" + "more " * 400, "long.md")
    assert [(one.anchor, one.piece) for one in read.sections] == [("long", 0), ("long", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](javascript:alert(1))",
        "![x](https://evil.example/pixel.png)",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt&colon;alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x](//evil.example)",
        "<javascript:alert(1)>",
        '# <svg onload=alert(1)> "x" onmouseover="alert(1)',
        '```"onload=alert(1)\nx\n```',
        '[x](https://a.example "a\\" onclick=alert(1)")',
        "| a |\n| :-: |\n| <iframe src=x> |",
    ],
)
def test_nothing_in_a_document_becomes_a_script_a_style_an_image_or_a_tag_of_its_own(text: str) -> None:
    html = html_of(text, "x.md", lambda path: None)
    lowered = html.lower()
    assert not any(tag in lowered for tag in ("<script", "<img", "<svg", "<iframe", "style="))
    assert not any(f'href="{scheme}' in lowered for scheme in ("javascript", "data", "//"))
    outside_quotes = "".join(lowered.replace("&quot;", "").split('"')[::2])
    assert " on" not in outside_quotes.partition(">")[0]


def test_links_lead_to_known_documents_to_headings_and_to_the_web() -> None:
    text = "[a](b.md#x) [c](no.md) [d](#e) [f](https://g.example/)\n\n## E"
    html = html_of(text, "a.md", lambda path: f"/knowledge/docs/{path}" if path == "b.md" else None)
    assert '<a href="/knowledge/docs/b.md#doc-x" rel="noopener noreferrer nofollow">a</a> c <a href="#doc-e"' in html
    assert 'href="https://g.example/"' in html
    assert '<h3 id="doc-e">E</h3>' in html


@pytest.mark.parametrize(
    "text",
    [
        "x" * 1_000_001,
        "a\n" * 60_000,
        "# a\n" * 20_000,
        "x" * 100_001,
        "> a\n" + "b\n" * 150_000,
        "word " * 5_000,
        "```\n" * 50_001,
        ("[" * 19_999 + "\n\n") * 20,  # each such paragraph takes a tenth of a second
    ],
)
def test_a_huge_document_is_refused_with_one_line_that_names_it(text: str) -> None:
    with pytest.raises(DocumentRefusedError, match=r"^big\.md.*$"):
        read_markdown(text, "big.md")


@pytest.mark.parametrize(
    "text", ["[" * 20_000, "a**b" * 5_000, "`" * 20_000, ">" * 20_000, "- " * 20_000, "[a](" * 5_000, "<" * 20_000]
)
def test_hostile_markdown_is_read_in_seconds(text: str) -> None:
    began = time.monotonic()
    read_markdown(text, "hostile.md")
    assert time.monotonic() - began < 5


NINES = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9)
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (NINES, "x.yaml has more than 400,000 values; split it"),
        ("a: &a [*a]", "x.yaml: the alias 'a' repeats nothing before it; write it out"),
        ("[" * 5_000, "x.yaml is nested more than 64 levels deep; flatten it"),
        ('{"a":' * 50_000, "x.yaml is nested more than 64 levels deep; flatten it"),
        ("[" * 70 + "]" * 70, "x.yaml is nested more than 64 levels deep; flatten it"),
        ('!!python/object/apply:os.system ["true"]', "x.yaml cannot be read: could not determine a constructor"),
        ("a: " + "9" * 10_000, "x.yaml cannot be read: Exceeds the limit"),
        ('{"a" 1}', "x.yaml is not JSON: line 1, column 6"),
    ],
)
def test_bombs_are_refused_with_one_line(text: str, why: str) -> None:
    with pytest.raises(DocumentRefusedError) as refused:
        structure_of(text, "x.yaml")
    assert str(refused.value).startswith(why)
    assert "\n" not in str(refused.value)


def test_what_yaml_makes_of_names_and_dates_is_text() -> None:
    assert structure_of('200: 2024-01-01\nno: .nan\nx: "\\0"', "x") == {"200": "2024-01-01", "false": "nan", "x": "�"}
