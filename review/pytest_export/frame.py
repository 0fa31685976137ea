"""What a copied pytest function asserts of how an answer is put together. Pure: values in, lines of Python out."""

import re

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import RULE
from selftest.core.judging.findings import CheckName
from selftest.core.judging.invariants import ITEM_WORDS, PLACEHOLDER, UNFINISHED_CHARACTERS

DASHES = (" — ", " – ", " - ", ": ")  # between the name and the label of a header


def about_frame(check: CheckName, vocabulary: Vocabulary) -> list[str]:
    """The assertions of one check of how an answer is put together."""
    match check:
        case CheckName.SECTION_REPEATED:
            return [
                "headers_seen = [header for header, _ in sections(result) if header]",
                "assert len(headers_seen) == len(set(headers_seen)), headers_seen",
            ]
        case CheckName.ITEM_REPEATED:
            return _about_items()
        case CheckName.SECTION_BLANK:
            return [
                f"blank = [header for header, text in sections(result) if header and {_blank('text')}]",
                "assert not blank, blank",
            ]
        case CheckName.TEXT_BEFORE_HEADER:
            return [f"assert not opened or {_blank('texts[0]')}, texts[0][:200]"]
        case CheckName.HEADER_UNKNOWN:
            return _about_headers(vocabulary)
        case CheckName.SOURCE_CONTRADICTS_SECTIONS:
            return _about_source(vocabulary)
        case CheckName.PIECE_BLANK:
            return ["assert not is_merged or all(map(str.strip, pieces[1:-1])), 'nothing between two rules'"]
        case _:
            return _about_debris()


def _blank(name: str) -> str:
    return f"not re.sub({RULE.pattern!r}, '', {name}, flags=re.M).strip()"


def _about_items() -> list[str]:
    return [
        "for text in texts:",
        "    items = [' '.join(line.split()).casefold() for line in text.splitlines()]",
        rf"    items = [item for item in items if len(re.findall(r'[^\W\d_]+', item)) >= {ITEM_WORDS}]",
        "    assert len(items) == len(set(items)), [item for item in items if items.count(item) > 1]",
    ]


def _about_headers(vocabulary: Vocabulary) -> list[str]:
    """In the shape that all documented headers share: how they begin and end, and what parts name and label."""
    headers = list(vocabulary.headers.values())
    begins = {re.sub(r"[\w\s].*", "", header) for header in headers}
    ends = {re.sub(r".*[\w\s]", "", header) for header in headers}
    begin, end = (signs.pop() if len(signs) == 1 else "" for signs in (begins, ends))
    dash = next((dash for dash in DASHES if all(dash in header for header in headers)), "")
    if not begin:
        return ["# The documented headers have no sign in common that others could be told by."]
    return [
        f"begin, dash, end = {begin!r}, {dash!r}, {end!r}",
        "shaped = [line for line in first_lines if line.startswith(begin) and dash in line and line.endswith(end)]",
        "unknown = [line for line in shaped if not line.startswith(tuple(source_of))]",
        "assert not is_merged or not unknown, unknown",
    ]


def _about_source(vocabulary: Vocabulary) -> list[str]:
    stand_ins = {source: sorted(vocabulary.stand_ins(source)) for source in vocabulary.headers}
    return [
        "# Each source, with those documented to stand in for it.",
        f"stand_ins = {stand_ins!r}",
        f"if source_used == {vocabulary.merged_source!r}:",
        "    has_content = bool(result.strip()) and not is_only_a_failure(result)",
        "    assert opened or not has_content, f'{source_used}, and no section has a header'",
        "else:",
        "    others = opened - set(stand_ins.get(source_used, [source_used]))",
        "    assert not others, f'{source_used}, with sections of {sorted(others)}'",
    ]


def _about_debris() -> list[str]:
    return [
        "if is_merged:",
        "    ends = [pieces[0], pieces[-1]]",
        "    assert len(pieces) == 1 or all(map(str.strip, ends)), 'a rule at the beginning or the end'",
        f"    begun = [line for line in first_lines if len(line) >= {UNFINISHED_CHARACTERS} and line not in source_of]",
        "    cut = [line for line in begun if any(header.startswith(line) for header in source_of)]",
        "    assert not cut, f'an unfinished header: {cut}'",
        "    lines = [line.strip() for line in result.split('\\n')]",
        "    inside = [line for line in lines for header in source_of if line.find(header) > 0]",
        "    assert not inside, f'a header in the middle of a line: {inside}'",
        f"    unfilled = [line for line in first_lines if re.search({PLACEHOLDER.pattern!r}, line)]",
        "    assert not unfilled, f'a placeholder that was not filled in: {unfilled}'",
    ]
