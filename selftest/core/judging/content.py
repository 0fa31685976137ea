"""What an answer brought: which sources, and which items of each. Pure; items are compared, never understood."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, takewhile

from selftest.core.judging.answer_item import FEWEST_ORDERED_WORDS, SAYS_SOMETHING, AnswerItem, as_item

TABLE_HEAD = re.compile(r"^[^\S\n]*\|.*\n(?=[^\S\n]*\|(?:[^\S\n]*:?-+:?[^\S\n]*\|)+[^\S\n]*$)", re.M)
# A table whose columns are aligned by spaces, with a rule below its head: "host   now", "-----  ---", "a-01   5 %".
ALIGNED_TABLE = re.compile(r"^.*\S {2,}\S.*\n[^\S\n]*[-=]+(?: {2,}[-=]+)+[^\S\n]*\n((?:.*\S {2,}\S.*(?:\n|\Z))+)", re.M)
COLUMN_GAP = re.compile(r" {2,}")
FEWEST_OF_FORM = 2
FRAMES = {  # what is no item beside items of the form
    "listed": ("heading", "sentence", "line"),
    "row": ("heading", "sentence", "line"),
    "line": ("heading", "sentence"),
}
PARAGRAPHS = re.compile(r"\n\s*\n")
ONE_LINE = re.compile(r"(?!\s*(?:[-*•–|]|\d+[.)]|\[\d)\s*).+")  # that is marked as no item, row or footnote
# Lines at the end of an answer that may be of all of it: an offer, how it came about, how long it took.
MOST_CLOSING = 3
MOST_WRAPPED_LINES = 8  # of a paragraph
LISTED_SHARE = 0.7  # of the words of a line that lists several items
MOST_TOLD_WORDS = 20  # of an item that a line tells of in short; nearly any words may stand in a long one


@dataclass(frozen=True)
class SourceContent:
    """by_source: source → its items, in order; a section that is blank or only a failure phrase brought nothing.

    empty: the sources of such sections. empty_phrase: the failure phrase that the whole answer is, "" where it is
    content; said_by: the source that is said to have answered so. closing: the lines that end the answer in
    paragraphs of their own, and may be of all of it.
    """

    by_source: Mapping[str, tuple[AnswerItem, ...]]
    empty_phrase: str = ""
    said_by: str = ""
    empty: frozenset[str] = frozenset()
    closing: tuple[AnswerItem, ...] = ()

    @cached_property
    def above_closing(self) -> list[tuple[AnswerItem, ...]]:
        """The sections without the lines that close the answer; one that has no others is left out."""
        left = (tuple(item for item in items if item not in self.closing) for items in self.by_source.values())
        return [items for items in left if items]

    @property
    def sources(self) -> frozenset[str]:
        """Those that brought something."""
        return frozenset(self.by_source)

    @property
    def headed(self) -> frozenset[str]:
        """Those with a section, whatever it says."""
        return self.sources | self.empty


NOTHING = SourceContent({})


@lru_cache(maxsize=256)
def items_of(text: str) -> tuple[AnswerItem, ...]:
    """The lines of `text` that hold a letter or a figure, each once. No heads of tables, nor what quotes another."""
    with_rows = ALIGNED_TABLE.sub(_as_rows, TABLE_HEAD.sub("", text))
    lines = (" ".join(line.split()) for line in with_rows.splitlines())
    items = tuple(as_item(line) for line in dict.fromkeys(lines) if SAYS_SOMETHING.search(line))
    return tuple(item for item in items if not item.quotes_one_of(items))


def _as_rows(table: re.Match[str]) -> str:
    """The lines below the head of an aligned table, each as a row."""
    rows = (" | ".join(COLUMN_GAP.split(line.strip())) for line in table[1].splitlines())
    return "".join(f"| {row} |\n" for row in rows)


def closing_items(text: str) -> tuple[AnswerItem, ...]:
    """The lines at the end of `text` that stand in paragraphs of their own."""
    return items_of("\n".join(_closing_paragraphs(text)))


def without_closing(text: str) -> list[str]:
    """`text`, and what is left of it without one or more of the lines that close it."""
    paragraphs = PARAGRAPHS.split(text.strip())
    left_out = range(len(_closing_paragraphs(text)) + 1)
    return ["\n\n".join(paragraphs[: len(paragraphs) - count]) for count in left_out]


def _closing_paragraphs(text: str) -> list[str]:
    last = PARAGRAPHS.split(text.strip())[1:][-MOST_CLOSING:]
    return list(takewhile(ONE_LINE.fullmatch, reversed(last)))[::-1]


def unmatched_items(items: Collection[AnswerItem], known: Collection[AnswerItem]) -> tuple[AnswerItem, ...]:
    """Those of `items` that are like none of `known`, nor the same words in lines of another length."""
    return _unmatched_items(tuple(items), tuple(known))


@lru_cache(maxsize=4096)  # a section is held against its parts several times on the way to a verdict
def _unmatched_items(items: tuple[AnswerItem, ...], known: tuple[AnswerItem, ...]) -> tuple[AnswerItem, ...]:
    texts = {item.text for item in known}
    unmatched = [item for item in items if item.text not in texts and not any(item.is_like(other) for other in known)]
    rewrapped = _rewrapped_items(items, known) if unmatched else ()
    return tuple(item for item in unmatched if item not in rewrapped)


def _rewrapped_items(items: tuple[AnswerItem, ...], known: tuple[AnswerItem, ...]) -> frozenset[AnswerItem]:
    """Those of runs of lines that are a run of `known` word for word, broken elsewhere: "* router: planned work," and
    "change 7" are "* router: planned work, change 7".
    """
    told = {text for _, text in _runs(known)}
    return frozenset(item for run, text in _runs(items) if text in told for item in run)


def _runs(items: tuple[AnswerItem, ...]) -> Iterator[tuple[tuple[AnswerItem, ...], str]]:
    """Each with its text, as far as a paragraph may go."""
    for start in range(len(items)):
        for end in range(start + 1, min(start + MOST_WRAPPED_LINES, len(items)) + 1):
            yield items[start:end], " ".join(item.text for item in items[start:end])


def listed_by(line: AnswerItem, items: Collection[AnswerItem]) -> frozenset[AnswerItem]:
    """Those of `items` that `line` lists, where they are several: "Up: NAS, mail", "Sources: Ohm; Volt".

    By what stands before a label's end or behind it; the line says little else. Or by what stands in its cells, the
    first among it, behind labels elsewhere: "id: A-1", "what: oil change". Or each of its pieces, but for the first, is
    of one item: "Doors: front locked, back open", "Front: locked; back: open".
    """
    in_cells = {item: value for item in items if (value := line.cell_with_value_of(item))}
    if len(set(in_cells.values())) >= FEWEST_OF_FORM and line.first_cell in in_cells.values():
        return frozenset(in_cells)
    named = {item: words for item in items for words in item.either_side if words <= line.words}
    said = frozenset[str]().union(*named.values())
    if len(named) >= FEWEST_OF_FORM and len(said) >= LISTED_SHARE * len(line.words):
        return frozenset(named)
    told = _told_in_short(line, [item for item in items if len(item.words) <= MOST_TOLD_WORDS])
    return told if len(told) >= FEWEST_OF_FORM else frozenset()


def _told_in_short(line: AnswerItem, items: Sequence[AnswerItem]) -> frozenset[AnswerItem]:
    """Those that its pieces are of, one each; none where any but the first is of none or of several."""
    told = set[AnswerItem]()
    for place, piece in enumerate(line.pieces):
        those = [item for item in items if piece.is_of(item)]
        if len(those) == 1:
            told.add(those[0])
        elif place:
            return frozenset()
    return frozenset(told)


def missing_items(
    items: Collection[AnswerItem], section: Collection[AnswerItem], alone: Collection[AnswerItem]
) -> tuple[AnswerItem, ...]:
    """Those of `items` that the section neither has nor lists. alone: all that the same part brings."""
    unmatched = unmatched_items(items, section)
    listed = frozenset[AnswerItem]().union(*(listed_by(line, alone) for line in section)) if unmatched else ()
    return tuple(item for item in unmatched if item not in listed)


def without_frame(
    items: Iterable[AnswerItem], section: Sequence[AnswerItem], known: Collection[AnswerItem]
) -> tuple[AnswerItem, ...]:
    """`items` without what stands above or below a list of which several are known: "Say so if you want more."."""
    forms = Counter(item.form for item in section if item in known)
    frame = set[AnswerItem]()
    for form in FRAMES.keys() & {form for form, count in forms.items() if count >= FEWEST_OF_FORM}:
        for lines in (section, section[::-1]):
            beyond = takewhile(lambda item: item not in known or item.form != form, lines)  # noqa: B023 - used at once
            frame |= {item for item in beyond if item.form in FRAMES[form]}
        if section[0] not in known and section[0].is_short_title:
            frame.add(section[0])
    return tuple(item for item in items if item not in frame)


def has_own_remark(items: Iterable[AnswerItem], other: Collection[AnswerItem], query: str) -> bool:
    """Whether a section says something of itself that the other does not, as "(1 of 2 shards answered)" does.

    A remark that names what was asked is about that part, not about the section.
    """
    remarks = [item for item in items if item.is_remark and not item.echoes(query)]
    return bool(unmatched_items(remarks, [item for item in other if item.is_remark]))


def without_remarks_on_items(section: Sequence[AnswerItem], alone: Iterable[Sequence[AnswerItem]]) -> list[AnswerItem]:
    """`section` without remarks that follow an item which they follow in the answer to one part too.

    What closes a section is about all of it.
    """
    behind = {pair for items in alone for pair in pairwise(items)}
    on_items = {remark for item, remark in pairwise(section[:-1]) if remark.is_remark and (item, remark) in behind}
    return [item for item in section if item not in on_items]


def differ(items: Collection[AnswerItem], others: Collection[AnswerItem]) -> bool:
    """Whether one of the two has an item that the other lacks; remarks are no items."""
    return any(_unmatched_both_ways(items, others))


def agree(items: Collection[AnswerItem], others: Collection[AnswerItem], query: str) -> bool | None:
    """Whether two sections are the same; None where one only has less and says why."""
    gone, come = _unmatched_both_ways(items, others)
    if bool(gone) != bool(come):
        less, more = (others, items) if gone else (items, others)
        if has_own_remark(less, more, query):
            return None
    return not (gone or come)


def _unmatched_both_ways(
    items: Collection[AnswerItem], others: Collection[AnswerItem]
) -> tuple[tuple[AnswerItem, ...], tuple[AnswerItem, ...]]:
    told, held = (tuple(item for item in each if not item.is_remark) for each in (items, others))
    return unmatched_items(told, held), unmatched_items(held, told)


def moved_items(
    items: Collection[AnswerItem], section: Collection[AnswerItem], others: Iterable[Collection[AnswerItem]]
) -> tuple[AnswerItem, ...]:
    """The items in the order of the section, where that is not their own; without remarks and what others bring too.

    Nor lines of few words beside others: "from a.example" may stand behind several items, and is told of at the first.
    """
    shared = {item.text for brought in others for item in brought}
    told = [item for item in items if item.text not in shared and not item.is_remark]
    of_several_words = [item for item in told if len(item.words) >= FEWEST_ORDERED_WORDS or "://" in item.text]
    own = [item.text for item in (of_several_words if len(of_several_words) > 1 else told)]
    there = [item for item in section if item.text in own]
    kept = {item.text for item in there}
    return tuple(there) if [item.text for item in there] != [text for text in own if text in kept] else ()


def are_moved(source: str, one: SourceContent, other: SourceContent) -> bool:
    """Whether the two have the same items of `source` in another order, as far as both have them."""
    return bool(moved_items(one.by_source.get(source, ()), other.by_source.get(source, ()), ()))
