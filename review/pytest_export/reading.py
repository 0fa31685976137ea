"""How a copied pytest function reads an answer: its sections, its pieces, what is only a failure. Pure."""

from functools import reduce
from operator import or_

from review.pytest_export.context import ExportContext
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import (
    LEAD_IN,
    LONG_STATEMENT_CHARACTERS,
    NO_WORD,
    RULE,
    failure_phrase,
    split_sections,
)
from selftest.core.judging.check_table import CHECKS, Export
from selftest.core.judging.findings import CheckName


def needs_of(context: ExportContext) -> Export:
    """What the checks of its flags need, together."""
    return reduce(or_, (CHECKS[CheckName(flag.check_name)].export for flag in context.flags), Export.NOTHING)


def reading(context: ExportContext) -> list[str]:
    """Ends with `texts`, what stands before and below the headers, and `opened`, the sources with a header.

    For checks of the frame also with `pieces`, what stands between rules, and `is_merged`; for those that tell content
    from failures with `is_only_a_failure`; for relations with `brought` and `together`, what the query brought.
    """
    needed = needs_of(context)
    return [
        *_sections(context.vocabulary),
        *(_pieces(context.vocabulary) if Export.PIECES in needed and context.vocabulary else []),
        *(_failures(context, context.vocabulary) if Export.FAILURES in needed and context.vocabulary else []),
        *(BROUGHT if Export.CONTENT in needed and context.vocabulary else []),
    ]


def _sections(vocabulary: Vocabulary | None) -> list[str]:
    headers = dict(vocabulary.headers) if vocabulary else {}
    return [
        "",
        "# A header counts as a whole, at the start of a line.",
        f"header_of = {headers!r}",
        "source_of = {header: source for source, header in header_of.items()}",
        "",
        "def sections(result):",
        '    """Each header, "" for none, with the text below it."""',
        "    longest_first = '|'.join(re.escape(each) for each in sorted(source_of, key=len, reverse=True))",
        r"    header = re.compile(rf'^[^\S\n]*({longest_first})(?=\s|\Z)', re.M)",
        "    found = list(header.finditer(result)) if source_of else []",
        "    cuts = [0, *(place for each in found for place in each.span()), len(result)]",
        "    texts = [result[start:end] for start, end in zip(cuts[::2], cuts[1::2])]",
        "    return list(zip(['', *(each[1] for each in found)], texts))",
        "",
        "opened = {source_of[header] for header, _ in sections(result) if header}",
        "texts = [text for _, text in sections(result)]",
    ]


def _pieces(vocabulary: Vocabulary) -> list[str]:
    return [
        f"pieces = re.split({RULE.pattern!r}, result, flags=re.M)",
        "first_lines = [piece.strip().split('\\n')[0].strip() for piece in pieces]",
        f"is_merged = bool(opened) or source_used == {vocabulary.merged_source!r}",
    ]


def _failures(context: ExportContext, vocabulary: Vocabulary) -> list[str]:
    result = context.run.result if context.run else ""
    sections = split_sections(result, vocabulary.headers)
    failures = sorted({s.text for s in sections if failure_phrase(s.text, vocabulary.empty_phrases)})
    phrases = [NO_WORD.sub("", phrase.casefold()) for phrase in vocabulary.empty_phrases]
    return [
        "",
        f"seen_before = {failures!r}",
        f"phrases = {phrases!r}",
        "",
        "def is_only_a_failure(text):",
        '    """What was seen before, or one line that opens with a failure phrase."""',
        f"    text = re.sub({RULE.pattern!r}, '', text, flags=re.M).strip()",
        "    line = text.casefold()",
        f"    if text in seen_before or '\\n' in line or len(line) > {LONG_STATEMENT_CHARACTERS}:",
        "        return text in seen_before",
        f"    after_lead_in = re.sub({LEAD_IN.pattern!r}, '', line)",
        f"    openings = [re.sub({NO_WORD.pattern!r}, '', each) for each in (line, after_lead_in)]",
        r"    words = [r'\s+'.join(map(re.escape, phrase.split())) for phrase in phrases]",
        r"    return any(re.match(rf'{each}(?!\w)', opening) for each in words for opening in openings)",
    ]


BROUGHT = [
    "",
    "def brought(result, source_used, *_):",
    '    """Each source with content, and its lines; what is only a failure phrase is no content."""',
    "    found = {}",
    "    has_headers = any(header for header, _ in sections(result))",
    "    for header, text in sections(result):",
    "        lines = [' '.join(line.split()) for line in text.splitlines()]",
    r"        lines = [line for line in lines if re.search(r'[^\W\d_]', line)]",
    "        if bool(header) == has_headers and lines and not is_only_a_failure(text):",
    "            found.setdefault(source_of.get(header, source_used), []).extend(lines)",
    "    return found",
    "",
    "together = brought(result, source_used)",
]
