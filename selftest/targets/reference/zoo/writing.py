"""From sections to text: headers, rules, items, and the lines around them. Must not know why a source was asked."""

import re
from collections.abc import Sequence
from urllib.parse import quote_plus

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.chance import fraction
from selftest.targets.reference.zoo.content import DAYS, PEOPLE, THINGS, content
from selftest.targets.reference.zoo.lexicon import normal_words
from selftest.targets.reference.zoo.manner import Manner
from selftest.targets.reference.zoo.reading import StagesOf
from selftest.targets.reference.zoo.types import Asking, Block, Item, Job, Outcome, Section

MARKS = {"bullets": "- ", "dots": "• ", "lines": "", "paragraphs": "", "table": ""}
DISCLAIMER = "These results were gathered by a program. They may be incomplete, out of date or wrong; check them first."
ECHOED_CHARACTERS = 80  # of a query in its echo
TRANSLATED_SHARE, CORRECTED_SHARE = 0.4, 0.3  # of items; of words searched for
OFFERED_SHARE = 1 / 3  # of answers
ITEM_EMOJI = "👍👉📌💡🔹"
LEAD_INS = (
    "Here is what I found about {words}:",
    "You asked about {words}. This came up:",
    "I looked for {words} and found this:",
    "On {words}, these look most useful:",
)
CLOSINGS = (
    "Let me know if you need more on {words}.",
    "Would you like to know more about {words}?",
    "I hope this answers what you asked about {words}.",
    "Tell me if {words} is not what you meant.",
)
FOOTERS = ("Showing {shown} of {found}.", "and {left_out} more", "… {left_out} more results in the full list")
COPY_SHARE = 0.5  # of askings for a query after the first
LANGUAGES = ("Danish", "Portuguese", "Finnish", "Welsh")
LONGEST_HIGHLIGHT_WORDS = 12  # of a query of thousands of characters, the first few are enough


class Writing:
    """The healthy writing stages of one router."""

    def __init__(self, vocabulary: Vocabulary, manner: Manner, seed: int, stages: StagesOf) -> None:
        self._vocabulary = vocabulary
        self._manner = manner
        self._seed = seed
        self._stages = stages

    def write_items(self, section: Section) -> list[str]:
        """The items as lines or paragraphs; an empty string is an empty line."""
        manner, written, number = self._manner, self._sponsored(section.source), 0
        headed = manner.sub_headings and len(section.blocks) > 1
        between = ["* * *"] if manner.divider else [""] if manner.item_form == "paragraphs" else []
        for block in section.blocks:
            has_note = block.is_closest or bool(block.refers_to)
            if has_note:
                written += [*(between if number else []), _closest_or_above(block)]
            if not block.items:
                if manner.partial_notes and not block.refers_to:
                    written.append(f"({self._note()} for: {_short(block.job.words)})")
                continue
            if headed and not has_note:
                written.append(f"{_short(block.job.words).capitalize()}:")
            if manner.item_form == "headed table" and (headed or has_note or not number):
                written += ["| Name | Details |", "| --- | --- |"]
            for at, item in enumerate(block.items):
                number += 1
                if number > 1 and (at or not has_note):
                    written += between
                written += self._item(item, number, block.job)
        return written

    def _sponsored(self, source: str) -> list[str]:
        """The same two items, whatever is asked."""
        if not self._manner.sponsored:
            return []
        items = content("page", source, "sponsored items", self._seed, source)[:2]
        return [line for item in items for line in (f"Sponsored: {item.title}. {item.body}", "")]

    def _note(self) -> str:
        return next(iter(self._vocabulary.empty_phrases), "nothing").capitalize()

    def _item(self, item: Item, number: int, job: Job) -> list[str]:
        manner = self._manner
        body = self._body(item.body, job)
        score = f" (relevance {0.99 - number / 50:.2f})" if manner.scores else ""
        score += f" ({item.place} of {item.of})" if manner.places and item.of else ""
        if manner.footnotes:
            first, *others = body.split("\n", 1)  # below a long text its number would be overlooked
            body = "\n".join([f"{first} [{number}]", *others])
        notes = self._notes(item)
        if manner.item_form == "links":
            return [item.url, *notes]
        if manner.item_form in ("table", "headed table"):
            place = f"| {number} " if manner.item_form == "table" else ""
            return [f"{place}| {item.title}{score} | {' '.join([*body.split(), *notes])} |"]
        mark = self._mark(item, number)
        if manner.nested:
            mark = mark or "- "
        below = " " * len(mark)
        body = re.sub(r"\n(?=.)", f"\n{below}", body)
        if manner.nested:
            deeper = re.sub(r"\n(?=.)", "\n  ", body)
            lines = [f"{mark}{item.title}{score}", f"{below}- {deeper}", f"{below}  - from {item.site}"]
        elif manner.titles:
            lines = [f"{mark}{item.title}{score}", f"{below}{body}"]
        else:
            lines = [f"{mark}{body}{score}"]
        if manner.urls:
            lines.append(f"{below}{item.url}")
        if manner.item_sources:
            lines.append(f"{below}Source: {item.site}")
        if manner.feed_lines:
            lines.append(f"{below}{_published(item)}")
        return [*lines, *(f"{below}{line}" for line in notes)]

    def _mark(self, item: Item, number: int) -> str:
        """What an item begins with. number: its place in the section."""
        form = self._manner.item_form
        if form == "numbers":
            return f"{number}. "
        if form == "numbers through":
            return f"{item.place or number}. "
        if form == "emoji":
            return f"{ITEM_EMOJI[int(fraction('emoji', item.key) * len(ITEM_EMOJI))]} "
        return MARKS.get(form, "")

    def _notes(self, item: Item) -> list[str]:
        """What is said below an item of how it was got."""
        notes = [f"Fetched {item.fetched}"] if item.fetched else []
        if item.age:
            notes.append(item.age)
        if self._manner.translated and fraction("translated", item.key) < TRANSLATED_SHARE:
            notes.append(f"(translated from the {LANGUAGES[int(fraction('from', item.key) * len(LANGUAGES))]})")
        return notes

    def _body(self, body: str, job: Job) -> str:
        if self._manner.body_limit and len(body) > self._manner.body_limit:
            body = f"{body[: self._manner.body_limit].rsplit(' ', 1)[0]}…"
        if self._manner.highlights:
            words = [re.escape(word) for word in normal_words(job.words)[:LONGEST_HIGHLIGHT_WORDS] if len(word) > 3]
            body = re.sub(rf"(?<!\w)({'|'.join(words)})(?!\w)", r"**\1**", body, flags=re.I) if words else body
        return body

    def write_section(self, section: Section, asking: Asking, is_first: bool) -> str:
        """The text below one header."""
        if section.note:
            return self._dressed(section.note)
        lines = [
            *self._lead(section, asking, is_first),
            *self._stages().write_items(section),
            *self._tail(section, asking),
        ]
        return self._dressed("\n".join(lines))

    def _lead(self, section: Section, asking: Asking, is_first: bool) -> list[str]:
        manner, lines = self._manner, list[str]()
        if manner.lead_ins:
            lines.append(self._worded(LEAD_INS, section, asking))
        conditions = [block.job.clause.text for block in section.blocks if block.job.clause.role == "condition"]
        if manner.condition_frames and conditions:
            lines.append(f"Since you asked if {_short(conditions[0])}:")
        if is_first and manner.opening == "echo":
            lines.append(f"You asked: {_short(asking.query)}")
        if is_first and manner.opening == "count":
            lines.append(f"{len(section.items)} results below.")
        if manner.corrects:
            lines += _corrections(section)
        if manner.quick_answer:
            lines += [f"Quick answer: {_first_sentence(section.items[0].body)}", ""]
        if manner.results_for:
            words = ", ".join(f'"{_short(block.job.words)}"' for block in section.blocks if block.items)
            lines.append(f"Results for {words}:")
        if manner.dated:
            lines.append(self._date(section.source))
        return lines

    def _worded(self, wordings: Sequence[str], section: Section, asking: Asking) -> str:
        """One of `wordings`, always the same for a query, about what the section is for."""
        wording = wordings[int(fraction(wordings[0], self._seed, section.source, asking.query) * len(wordings))]
        return wording.format(words=_short(" and ".join(block.job.words for block in section.blocks if block.items)))

    def _footer(self, section: Section) -> str:
        footer = FOOTERS[int(fraction("footer", self._seed, section.source) * len(FOOTERS))]
        shown, left_out = len(section.items), section.left_out
        return footer.format(shown=shown, left_out=left_out, found=shown + left_out)

    def _date(self, source: str) -> str:
        day = int(fraction("day", self._seed, source) * 28) + 1
        if self._manner.dated == "weekday":
            return f"as of {DAYS[day % 7]} {day} March, {day % 24:02}:{day:02}"
        return f"as of 2026-03-{day:02}"

    def _tail(self, section: Section, asking: Asking) -> list[str]:
        manner, lines = self._manner, list[str]()
        if manner.shared_limit and section.left_out:
            lines.append(self._footer(section))
        if manner.footnotes:
            lines += ["", *(f"[{number}] {item.url}" for number, item in enumerate(section.items, 1))]
        if manner.no_more:
            lines.append("No more results.")
        if manner.volatile == "counter":
            lines.append(f"Viewed {1000 + int(fraction('views', asking.query, asking.tick) * 9000)} times today")
        if manner.volatile == "price":
            lines.append(f"Price: {fraction('price', section.source, asking.query, asking.tick) * 90 + 10:.2f} EUR")
        if manner.did_you_mean:
            word = THINGS[int(fraction("meant", section.items[0].key) * len(THINGS))]
            lines.append(f"Did you mean: {word}?")
        if manner.read_more:
            lines.append("Read more below each item")
        if manner.source_line:
            lines.append(f"Source: {section.source}_en")
        if manner.closing_count:
            lines.append(f"({len(section.items)} of {len(section.items) + 20} shown)")
        if manner.answer_limit:
            lines.append(f"Next page: /{section.source}?q={quote_plus(_short(asking.query))}&page=2")
        if section.is_partial:
            lines.append(f"(partial: 1 of 2 shards of {section.source} answered in time)")
        copied = fraction("copy", section.source, asking.query, asking.tick)
        if manner.copies and asking.tick and copied < COPY_SHARE:
            lines.append(f"(copy from {int(copied * 110) + 1} min ago)")
        if manner.answered_in:
            spent_ms = 20 + int(fraction("spent", section.source, asking.query, asking.tick) * 400)
            lines.append(f"Answered by {section.source} in {spent_ms} ms")
        if manner.licence:
            lines += ["", "Text is available under CC BY-SA 4.0; terms may apply."]
        if manner.closings:
            lines += ["", self._worded(CLOSINGS, section, asking)]
        return lines

    def _dressed(self, text: str) -> str:
        manner = self._manner
        if manner.spaced_lines:
            text = "\n\n\n".join(line for line in text.split("\n") if line)
        if manner.entities:
            text = text.replace("&", "&amp;").replace("'", "&#39;")
        if manner.curly_quotes:
            text = re.sub(r"(?<=\w)'", "’", re.sub(r'"([^"\n]*)"', r"“\1”", text))
        if manner.trailing_spaces:
            text = re.sub(r"(?<=\S)$", "  ", text, flags=re.M)
        return text

    def join(self, written: Sequence[tuple[Section, str]]) -> str:
        """Sections under their headers, with the documented rule between them."""
        gap = "\n\n" if self._manner.gap_after_header else "\n"
        lines = "\n" * (self._manner.gap_around_rule + 1)
        parts = [f"{self._head(s, at, len(written))}{gap}{text}" for at, (s, text) in enumerate(written, 1)]
        return f"{lines}---{lines}".join(parts)

    def _head(self, section: Section, number: int, count: int) -> str:
        header = self._stages().header_of(section.source)
        if self._manner.underlined:
            header += f"\n{'=' * len(header)}"
        return f"{header}\n({number} of {count})" if self._manner.numbered_sections else header

    def compose(self, sections: Sequence[Section], jobs: tuple[Job, ...], asking: Asking) -> Outcome:
        """One text: merged under headers, or without a header where one source answers."""
        stages, merged = self._stages(), self._vocabulary.merged_source
        written = [(s, stages.write_section(s, asking, index == 0)) for index, s in enumerate(sections)]
        if self._manner.disclaimer:
            last, text = written[-1]
            written[-1] = (last, f"{text}\n\n{DISCLAIMER}")
        left_out = sorted({job.source for job in jobs} - {section.source for section in sections})
        if self._manner.names_left_out and left_out:
            last, text = written[-1]
            written[-1] = (last, f"{text}\n· also asked: {', '.join(left_out)}")
        notes = self._closing_notes(sections[-1].source, asking)
        if notes:
            last, text = written[-1]
            written[-1] = (last, "\n\n".join((text, *notes)))
        several = len({job.source for job in jobs}) > 1 and self._manner.sole_section_headed
        if len(sections) > 1 or several or asking.reading.headed:
            return Outcome(self._opening(len(sections), jobs) + stages.join(written), merged, 0.0, asked=jobs)
        return Outcome(written[0][1], sections[0].source, 0.0, asked=jobs)

    def _opening(self, count: int, jobs: tuple[Job, ...]) -> str:
        """What a merged answer begins with: a paragraph, or nothing."""
        lines = [f"Here is what {count} sources say."] if self._manner.summary else []
        if self._manner.contents:
            parts = dict.fromkeys(_short(job.clause.text) for job in jobs)
            lines += ["You asked for:", *(f"- {part}" for part in parts)]
        return "\n".join([*lines, "", ""]) if lines else ""

    def _closing_notes(self, source: str, asking: Asking) -> list[str]:
        """What ends the answer, a paragraph each."""
        notes = []
        if self._manner.offers and fraction("offer", self._seed, asking.query) < OFFERED_SHARE:
            others = [other for other in self._vocabulary.headers if other != source]
            other = others[int(fraction("offered", self._seed, asking.query) * len(others))]
            notes.append(f"You may ask {other} about this as well.")
        if self._manner.traces:
            trace = fraction("trace", self._seed, asking.query, asking.tick)
            notes.append(f"Done in {trace * 9:.2f} ms, trace {int(trace * 16**8):08x}")
        return notes


def _published(item: Item) -> str:
    """Date, author and address, as a feed tells them."""
    minute = int(fraction("published", item.key) * 28 * 1440)
    day, hour = minute // 1440 + 1, minute // 60 % 24
    author = PEOPLE[int(fraction("author", item.key) * len(PEOPLE))]
    weekday = DAYS[(day + 5) % 7][:3]  # the 1st of March 2026 was a Sunday
    return f"{weekday}, {day:02} Mar 2026 {hour:02}:{minute % 60:02}:00 GMT | {author} | {item.url}"


def _corrections(section: Section) -> list[str]:
    """A line for some of the words searched for, with two letters of the longest of them changed about."""
    lines = []
    for words in (block.job.words for block in section.blocks if block.items):
        longest = max(words.split(), key=len, default="")
        if len(longest) > 3 and fraction("spelt", words) < CORRECTED_SHARE:
            other = f"{longest[:2]}{longest[3]}{longest[2]}{longest[4:]}"
            lines.append(f'Results for "{_short(other)}" are shown as well as for "{_short(longest)}".')
    return lines


def _closest_or_above(block: Block) -> str:
    """Says that a block has the closest there is, or where the results stand that it would repeat."""
    words = _short(block.job.words)
    if not block.refers_to:
        return f'No exact match for "{words}"; closest: {block.items[0].title}'
    before = f'No exact match for "{words}";' if block.is_closest else f'For "{words}"'
    return f'{before} see the results for "{_short(block.refers_to)}" above.'


def _first_sentence(text: str) -> str:
    return text.split("\n", 1)[0].split(". ", 1)[0]


def _short(text: str) -> str:
    return text if len(text) <= ECHOED_CHARACTERS else f"{text[:ECHOED_CHARACTERS].rsplit(' ', 1)[0]}…"
