"""What holds of any answer, independent of the query: how a merged answer is put together. Pure; sends no probe.

An answer is looked at as pieces between rules, each opened by a header; never at what it says.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, groupby
from statistics import mean

from selftest.core.generation.queries import PartKind
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answer_item import as_item
from selftest.core.judging.answers import RULE, Section, excerpt, split_sections
from selftest.core.judging.boilerplate import LABEL, WORD, is_boilerplate
from selftest.core.judging.context import CheckInput
from selftest.core.judging.failure_phrases import LIST_ITEM, failure_phrase
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding, together

ITEM_WORDS = 2  # a line of one word may well stand twice: "closed"
MOST_LEAD_LINES = 3  # before a list: what was asked, a date, how many follow
MOST_NOTE_LINES = 3  # below a section's last item: who answered, from when
ITEM_MARK = re.compile(r"^(?:[-*•–]|\d+[.)]|\|\s*\d+\s*\|)\s+")
TABLE_RULE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?")  # below the head of a Markdown table
DIVIDER = re.compile(r"([^\w\s])(?: \1){2,}|([*~_+])\2\2")  # between items: "* * *"
TABLE_ROW = re.compile(r"\s*\|.*\|\s*")
LABELLED_SHARE = 0.5  # of a section's lines; where more have a label, mostly another one each, those are its items
FIGURE_BEHIND = re.compile(r" ?\([^()\d]{0,30}\d[^()]{0,30}\)(?= \||$)|(?<=\S) \[\d{1,3}\]")
REMARK = re.compile(r"\([^()]*\)")
TITLE_SHARE = 0.5  # of the mean length of a section's longer lines; what is shorter than that heads an item
PLACEHOLDER = re.compile(r"\{\{.{0,60}?\}\}|\{%.{0,60}?%\}|\$\{\w{1,40}\}|%\(\w{1,40}\)s")
PLACEHOLDER_ALONE = re.compile(r"\W{0,4}(?:\{\{ ?[a-z_.]{1,40} ?\}\}|\$\{[a-z_.]{1,40}\}|%\([a-z_.]{1,40}\)s)\W{0,4}")
# What Python and JavaScript print of a value that was not turned into text.
NOTATION_ALONE = re.compile(r"\W{0,4}(?:\w[\w.]{0,60} object at 0x[0-9a-f]{4,16}|\[object [A-Z]\w{2,40}\])\W{0,4}")
ONE_EACH = "one section for each source", "one section for each source, and for each part that it stands in for"
UNFINISHED_CHARACTERS = 6  # of a header's beginning: enough not to be any other bracket


@dataclass(frozen=True)
class AnswerLayout:
    """One answer, and how it is laid out. pieces: (1-based line, text) between the rules, blank ones too."""

    check_input: CheckInput

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """In order, by the documented headers."""
        return split_sections(self.check_input.answer.result, self.check_input.vocabulary.headers)

    @cached_property
    def headed(self) -> tuple[str, ...]:
        """The sources that opened a section, as often as they did."""
        return tuple(section.source for section in self.sections if section.source is not None)

    @cached_property
    def pieces(self) -> tuple[tuple[int, str], ...]:
        """What stands between rules, each with its line."""
        result = self.check_input.answer.result
        rules = [match.span() for match in RULE.finditer(result)]
        starts, ends = [0, *(end for _, end in rules)], [*(start for start, _ in rules), len(result)]
        line, seen, pieces = 1, 0, []
        for start, end in zip(starts, ends, strict=True):
            line += result.count("\n", seen, start)
            seen = start
            pieces.append((line, result[start:end]))
        return tuple(pieces)

    @property
    def is_merged(self) -> bool:
        """Whether it has headers, or says that it is merged."""
        return bool(self.headed) or self.check_input.answer.source_used == self.check_input.vocabulary.merged_source

    def found(
        self,
        check: CheckName,
        summary: str,
        promised: str,
        seen: str,
        line: int,
        kind: DiscrepancyKind | None = None,
        source: str | None = None,
    ) -> Finding:
        """source: whose section it is about."""
        evidence = Evidence(kind, (source,) if source else (), line=line)
        return Finding(check, summary, promised, excerpt(seen), f"line {line}", evidence=evidence)


def layout_of(check_input: CheckInput) -> AnswerLayout | None:
    """None for a crash and for a blank answer: there is nothing to be laid out."""
    if check_input.answer.error is not None or not check_input.answer.result.strip():
        return None
    return AnswerLayout(check_input)


def section_repeated(layout: AnswerLayout) -> Finding | None:
    """One section for each source and each part that it stands in for, and one for a condition that it opens with.

    Of a target that has a section for each part, no more of a source than parts may have brought.
    """
    own = _own_sections_of_conditions(layout)
    sections: dict[str, list[Section]] = {}
    for section in layout.sections:
        if section.source is not None and section.line not in own:
            sections.setdefault(section.source, []).append(section)
    by_part = layout.check_input.vocabulary.sections_by_part
    most = {
        source: _clauses_for(source, layout.check_input)
        if by_part
        else 1 + _stood_in_for(of_source, layout.check_input)
        for source, of_source in sections.items()
    }
    return together(
        layout.found(
            CheckName.SECTION_REPEATED,
            f"{len(of_source)} sections of {source} in one answer",
            f"at most {most[source]} for the parts of the query" if by_part else ONE_EACH[most[source] > 1],
            f"sections: {', '.join(layout.headed)}",
            of_source[most[source]].line,
            source=source,
        )
        for source, of_source in sections.items()
        if len(of_source) > most[source]
    )


def _stood_in_for(of_source: Sequence[Section], check_input: CheckInput) -> int:
    """How many clauses of other sources theirs may stand in for, as documented; none where one says nothing new."""
    source, said = of_source[0].source, set[str]()
    for section in of_source:
        lines = set(filter(None, map(str.strip, section.text.split("\n"))))
        if lines <= said:
            return 0
        said |= lines
    vocabulary, times = check_input.vocabulary, 0
    for clause in check_input.query.clauses:
        pointed = {part.source for part in clause.parts if part.kind == PartKind.INTENT}
        if not pointed or PartKind.DISCOURSE in clause.kinds:
            pointed.add(vocabulary.encyclopedia)
        times += any(source in vocabulary.stand_ins(other) for other in pointed - {source})
    return times


def _own_sections_of_conditions(layout: AnswerLayout) -> frozenset[int]:
    """The lines where a section begins that opens with a condition, and its source has one that says something else.

    The first for each condition.
    """
    parts = chain(*(clause.parts for clause in layout.check_input.query.clauses))
    conditions = (part.text.casefold().partition(" ")[2] for part in parts if part.kind == PartKind.CONDITION)
    own = set[int]()
    for condition in filter(None, {*conditions}):
        opens = re.compile(rf"[^\n]*(?<!\w){re.escape(condition)}(?!\w)")
        for section in layout.sections:
            is_other = any(
                o.source == section.source and o.text.strip() != section.text.strip() for o in layout.sections
            )
            if section.source is not None and is_other and opens.match(section.text.strip().casefold()):
                own.add(section.line)
                break
    return frozenset(own)


def item_repeated(layout: AnswerLayout) -> Finding | None:
    """Each item of a section once."""
    return together(_items_repeated(layout))


def _items_repeated(layout: AnswerLayout) -> Iterator[Finding]:
    for section in layout.sections:
        repeated = _first_repeated(section, layout.check_input)
        if repeated is not None:
            number, lines = repeated
            place = f"the section of {section.source}" if section.source else "the answer"
            yield layout.found(
                CheckName.ITEM_REPEATED,
                f"the same item twice in {place}",
                "each thing once",
                "\n".join(lines).strip(),
                section.line + number + (section.source is not None),
                source=section.source,
            )


def _first_repeated(section: Section, check_input: CheckInput) -> tuple[int, list[str]] | None:
    """The first item that stands in the section already, with how many lines stand before it; None for none.

    Of lines without a mark neither one such as "Source: a.example" is an item, nor a title, which is short beside the
    others, says what was asked or has another text below it each time: many an item is called "Wednesday night".
    Unless the target says that it lists each item once, each part that may bring it may have it there.
    """
    source = section.source or check_input.answer.source_used
    lengths = sorted(len(line) for line in section.text.splitlines() if line.strip())
    shortest = TITLE_SHARE * mean(lengths[len(lengths) // 2 :]) if lengths else 0.0
    labels = [match[1] for match in map(LABEL.match, section.text.splitlines()) if match]
    are_states = LABELLED_SHARE * len(lengths) < len(labels) < len(set(labels)) / LABELLED_SHARE

    def is_echo(line: str) -> bool:
        return as_item(line).echoes(check_input.query.text)

    def is_repeated(told: list[str], lines: list[str]) -> bool:
        longest = max(told, key=len)
        is_marked = len(lines) == 1 and ITEM_MARK.match(lines[0]) is not None
        is_told = is_marked or (len(longest) >= shortest and (are_states or not LABEL.match(longest)))
        return (
            seen[_key(told)] >= most
            and is_told
            and len(WORD.findall(longest)) >= ITEM_WORDS
            and (is_marked or not is_echo(longest))
        )

    def heads(told: list[str], below: list[str]) -> bool:
        return len(told) == 1 and len(max(below, key=len, default="")) > len(told[0]) and _key(below) not in seen

    most = 1 if check_input.vocabulary.lists_items_once else _clauses_for(source, check_input)
    seen = Counter[tuple[str, str]]()
    items = [
        (number, lines, list(map(_bare, _without_what_is_of_the_answer(lines, source, check_input))))
        for number, lines in _items(section.text)
    ]
    last = len(items) - 1
    for place, (number, lines, told) in enumerate(items):
        notes = MOST_NOTE_LINES if place == last else 0
        is_title = place < last and not ITEM_MARK.match(lines[0]) and heads(told, items[place + 1][2])
        ends = range(len(told), max(0, len(told) - notes - 1), -1)
        if not is_title and any(is_repeated(told[:end], lines) for end in ends):
            return number, lines
        leads = MOST_LEAD_LINES if place == 0 else 0
        seen.update({_key(told[above:]) for above in range(min(leads + 1, len(told)))})
    return None


def _clauses_for(source: str, check_input: CheckInput) -> int:
    """How many clauses may bring something of `source`, one at least: those with its keyword or one of a source that it
    stands in for, and those with none. A pair may bring it for each of its names.
    """
    stand_ins, times = check_input.vocabulary.stand_ins, 0
    for clause in check_input.query.clauses:
        sources = [part.source for part in clause.parts if part.kind == PartKind.INTENT]
        if not sources or any(source in stand_ins(each) for each in sources):
            times += 1 + (PartKind.PAIR in clause.kinds)
    return max(1, times)


def _key(told: Sequence[str]) -> tuple[str, str]:
    """What tells an item from others: its first line, and the longest of the rest."""
    return told[0] if told else "", max(told[1:], key=len, default="")


def _without_what_is_of_the_answer(lines: Sequence[str], source: str, check_input: CheckInput) -> list[str]:
    """The lines that tell something of an item. The one that begins an item of a list does where others below it do: of
    the few things that a source has, a title may stand in most answers too.
    """
    told = [line for line in lines if not _is_of_the_answer(line, source, check_input)]
    begins = told and told[0] is not lines[0] and ITEM_MARK.match(lines[0])
    return [lines[0], *told] if begins else told


def _is_of_the_answer(line: str, source: str, check_input: CheckInput) -> bool:
    """Whether it tells nothing of an item: it stands in most answers, or is a remark such as "(2 of 7 shown)"."""
    return is_boilerplate(line, source, check_input.boilerplate) or REMARK.fullmatch(line.strip()) is not None


def _without_dividers(lines: Sequence[str]) -> list[str]:
    """The same lines; empty in place of dividers and of the heads of tables."""
    return [
        "" if DIVIDER.fullmatch(line.strip()) or TABLE_RULE.fullmatch(below.strip()) else line
        for line, below in zip(lines, (*lines[1:], ""), strict=False)
    ]


def _items(text: str) -> Iterator[tuple[int, list[str]]]:
    """The items of a section as their lines, each with how many lines stand before it.

    A list's items are what is marked as such and least indented; of a text that begins otherwise they are the
    paragraphs and the rows of tables, or of a single one what ends with "Source: …" each time, or else its lines. What
    stands under an item, or is indented, belongs to it: "Read more" below each is no item twice, nor is what stands in
    the "See also" of two articles.
    """
    lines = _without_dividers(text.splitlines())
    marked = [line for line in lines if LIST_ITEM.match(line)]
    told = [line for line in lines if line.strip()]
    begins_early = len(told) == len(lines) or any(map(LIST_ITEM.match, told[: MOST_LEAD_LINES + 1]))
    is_list = bool(marked) and begins_early
    if not is_list and len(told) < len(lines):
        yield from _paragraphs(lines)
        return
    ending = None if is_list else _ending(lines)
    if ending is not None:
        yield from _records(lines, ending)
        return
    depth = min(map(_indent, marked), default=0)
    item: list[str] = []
    begun = 0
    for number, line in enumerate(lines):
        is_indented = line[:1].isspace() and item
        if (LIST_ITEM.match(line) and _indent(line) == depth) if is_list else not is_indented:
            if item:
                yield begun, item
            item, begun = [], number
        item.append(line)
    if item:
        yield begun, item


def _ending(lines: Sequence[str]) -> str | None:
    """The label that ends each item of a text without marks, as often as there are items; None where none does."""
    labels = [match[1] for match in map(LABEL.match, lines) if match]
    label, times = Counter(labels).most_common(1)[0] if labels else ("", 0)
    return label if times > 1 and len(labels) <= LABELLED_SHARE * len(lines) else None


def _records(lines: Sequence[str], ending: str) -> Iterator[tuple[int, list[str]]]:
    begun = 0
    for number, line in enumerate(lines, start=1):
        label = LABEL.match(line)
        if number == len(lines) or (label and label[1] == ending):
            yield begun, list(lines[begun:number])
            begun = number


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _bare(line: str) -> str:
    """Without what numbers or weighs an item: the mark before it and a figure in brackets behind it."""
    return FIGURE_BEHIND.sub("", ITEM_MARK.sub("", " ".join(line.split()))).casefold()


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """What blank lines part; a list belongs to the paragraph above it."""
    begun, item = 0, list[str]()
    for is_blank, numbered in groupby(enumerate(lines), key=lambda numbered: not numbered[1].strip()):
        if is_blank:
            continue
        paragraph = list(numbered)
        if item and not LIST_ITEM.match(paragraph[0][1]):
            yield begun, item
            item = []
        if TABLE_ROW.fullmatch(paragraph[0][1]):
            yield from ((number, [line]) for number, line in paragraph)
            continue
        if not item:
            begun = paragraph[0][0]
        item += [line for _, line in paragraph]
    if item:
        yield begun, item


def section_blank(layout: AnswerLayout) -> Finding | None:
    """Content below every header."""
    if not layout.sections:
        return layout.found(CheckName.SECTION_BLANK, "nothing but rules", "content, or nothing at all", "---", 1)
    return together(
        layout.found(
            CheckName.SECTION_BLANK,
            f"the section of {section.source} holds nothing",
            "content below every header; an empty section is dropped",
            f"sections: {', '.join(layout.headed)}",
            section.line,
            source=section.source,
        )
        for section in layout.sections
        if section.source is not None and not section.text
    )


def text_before_header(layout: AnswerLayout) -> Finding | None:
    """No text before the first header, unless the target documents that it has some."""
    if not layout.sections or layout.check_input.vocabulary.opens_with_text:
        return None
    first = layout.sections[0]
    if first.source is not None or not layout.headed:
        return None
    if _opens_like_a_header(first.text, layout.check_input.vocabulary):
        return None  # that is an unknown header
    return layout.found(
        CheckName.TEXT_BEFORE_HEADER,
        "text before the first header",
        "all text of a merged answer in a section of its own source",
        first.text,
        1,
    )


def header_unknown(layout: AnswerLayout) -> Finding | None:
    """No header but the documented ones."""
    # A page of one source may have any headings.
    return together(_unknown_headers(layout)) if layout.is_merged else None


def _unknown_headers(layout: AnswerLayout) -> Iterator[Finding]:
    for line, text in layout.pieces:
        stripped = text.lstrip()
        if _opens_like_a_header(stripped, layout.check_input.vocabulary):
            header = stripped.splitlines()[0].strip()
            yield layout.found(
                CheckName.HEADER_UNKNOWN,
                f"a header that the vocabulary does not know: {header}",
                f"one of the {len(layout.check_input.vocabulary.headers)} documented headers",
                header,
                line + text[: len(text) - len(stripped)].count("\n"),
            )


def source_contradicts_sections(layout: AnswerLayout) -> Finding | None:
    """A merged answer has headed sections, any other is from its one source."""
    vocabulary, used = layout.check_input.vocabulary, layout.check_input.answer.source_used
    if used == vocabulary.merged_source:
        text = layout.check_input.answer.result
        if layout.headed or failure_phrase(text, vocabulary.empty_phrases) is not None:
            return None
        summary = f"answered by {used!r}, and no section has a header"
        evidence = Evidence(DiscrepancyKind.NO_HEADERS, (used,))
    else:
        others = [source for source in layout.headed if source not in vocabulary.stand_ins(used)]
        is_under_its_own = used in layout.headed and "condition" not in layout.check_input.query.recipe
        if not others and not is_under_its_own:
            return None
        summary = f"answered by {used!r} alone, {f'with a section of {others[0]}' if others else 'and under a header'}"
        kind = DiscrepancyKind.OTHER_SECTIONS if others else DiscrepancyKind.HEADER_ON_SINGLE
        evidence = Evidence(kind, (used, *dict.fromkeys(others)))
    return Finding(
        CheckName.SOURCE_CONTRADICTS_SECTIONS,
        summary,
        "a merged answer in headed sections, any other from its one source and without a header",
        f"source_used {used!r}, sections: {', '.join(layout.headed) or 'none'}",
        "source_used and headers",
        evidence=evidence,
    )


def piece_blank(layout: AnswerLayout) -> Finding | None:
    """Something between every two rules."""
    if not layout.is_merged:
        return None  # a page of one source may part its chapters as it likes
    for line, text in layout.pieces[1:-1]:
        if not text.strip():
            return layout.found(
                CheckName.PIECE_BLANK,
                "nothing between two rules",
                "a section between every two rules",
                "two rules in a row",
                line,
            )
    return None


def frame_debris(layout: AnswerLayout) -> Finding | None:
    """Nothing left over of rules, headers and placeholders."""
    if not layout.is_merged:
        return None
    return together(chain(_debris(layout), _unfilled(layout)))


def _unfilled(layout: AnswerLayout) -> Iterator[Finding]:
    """Sections that begin with a line that is nothing but a placeholder, or a value as a program prints it; text that
    quotes one says more. They begin after what the source says in every answer, of itself or of what was asked.
    """
    given = layout.check_input
    lines = given.answer.result.split("\n")
    for section in layout.sections:
        said = [
            line
            for line in section.text.splitlines()
            if line.strip()
            and not _is_of_the_answer(line, section.source or "", given)
            and not as_item(line).echoes(given.query.text)
        ]
        for text in said[: MOST_LEAD_LINES + 1]:
            what = _unfilled_by(text.strip())
            if section.source is not None and what is not None:
                yield layout.found(
                    CheckName.FRAME_DEBRIS,
                    f"{what}: {text.strip()}",
                    "a section says what its source has found",
                    text,
                    next(number for number, line in enumerate(lines, 1) if number > section.line and text in line),
                    DiscrepancyKind.PLACEHOLDER,
                    section.source,
                )


def _unfilled_by(line: str) -> str | None:
    """What stands there in place of text; None for text."""
    if PLACEHOLDER_ALONE.fullmatch(line):
        return "a placeholder that was not filled in"
    return "a value that was not turned into text" if NOTATION_ALONE.fullmatch(line) else None


def _debris(layout: AnswerLayout) -> Iterator[Finding]:
    promised = "nothing of the answer's frame but whole headers and the rules between sections"
    check = CheckName.FRAME_DEBRIS
    vocabulary = layout.check_input.vocabulary
    if len(layout.pieces) > 1:
        for end, (line, text) in (("beginning", layout.pieces[0]), ("end", layout.pieces[-1])):
            if not text.strip():
                yield layout.found(
                    check, f"a rule at the {end} of the answer", promised, "---", line, DiscrepancyKind.RULE_AT_EDGE
                )
    # Without a common sign a header's words may stand anywhere.
    by_source = vocabulary.headers if header_shape(vocabulary) is not None else {}
    headers = tuple(by_source.values())
    for line, text in layout.pieces:
        opening = text.strip().split("\n", 1)[0].strip()
        unfinished = [source for source, header in by_source.items() if _is_cut(opening, header)]
        if unfinished and opening not in headers:
            summary, kind = f"an unfinished header: {opening}", DiscrepancyKind.UNFINISHED_HEADER
            source = unfinished[0] if len(unfinished) == 1 else None
            yield layout.found(check, summary, promised, opening, line, kind, source)
        filled_in = PLACEHOLDER.search(opening)
        if filled_in is not None:
            summary, kind = f"a placeholder that was not filled in: {filled_in[0]}", DiscrepancyKind.PLACEHOLDER
            yield layout.found(check, summary, promised, opening, line, kind)
    result = layout.check_input.answer.result
    for header in headers:
        for found in re.finditer(re.escape(header), result):
            up_to_its_end = result[result.rfind("\n", 0, found.start()) + 1 : found.end()].strip()
            if up_to_its_end not in headers:
                number = result.count("\n", 0, found.start()) + 1
                summary, kind = "a header in the middle of a line", DiscrepancyKind.HEADER_INSIDE_LINE
                yield layout.found(check, summary, promised, up_to_its_end, number, kind)


def _is_cut(line: str, header: str) -> bool:
    return len(line) >= UNFINISHED_CHARACTERS and line != header and header.startswith(line)


def _opens_like_a_header(text: str, vocabulary: Vocabulary) -> bool:
    """Whether the first line has the shape that all documented headers share without being one of them."""
    line = text.split("\n", 1)[0].strip()
    shape = header_shape(vocabulary)
    headers = tuple(vocabulary.headers.values())
    return shape is not None and shape.fullmatch(line) is not None and not line.startswith(headers)


def header_shape(vocabulary: Vocabulary) -> re.Pattern[str] | None:
    """What all documented headers have in common; None where any line would do."""
    return _shape(tuple(vocabulary.headers.values()))


@lru_cache(maxsize=64)
def _shape(headers: tuple[str, ...]) -> re.Pattern[str] | None:
    """What all `headers` have in common: how they begin and end, whether a dash parts them, whether a name in capitals
    comes first. None where they share no sign at the beginning: then any line would do.
    """
    openings = {re.sub(r"[\w\s].*", "", header) for header in headers}
    if len(openings) != 1 or openings == {""}:
        return None
    opening = openings.pop()
    closings = {re.sub(r".*[\w\s]", "", header) for header in headers}
    closing = closings.pop() if len(closings) == 1 else ""
    inner = [header[len(opening) : len(header) - len(closing)].strip() for header in headers]
    dash = next((d for d in (" — ", " – ", " - ", ": ") if all(d in text for text in inner)), "")
    names = [text.split(dash)[0] for text in inner] if dash else inner
    name = r"[^a-z\n]+?" if all(text == text.upper() for text in names) else r"[^\n]+?"
    label = rf"{re.escape(dash)}[^\n]+" if dash else ""
    return re.compile(rf"{re.escape(opening)}\s*{name}{label}{re.escape(closing)}")
