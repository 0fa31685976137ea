"""An item of an answer, and when two of them say the same: by their words, never by what they mean. Pure."""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from urllib.parse import unquote_plus

SAME_ITEM_SHARE = 0.7  # of their words: a time or a count in a line makes it no other item
LEAST_CUT_CHARACTERS = 3  # that are left of a line which was cut: "See […]"
LEAST_TITLE_CHARACTERS = 8
FEWEST_ORDERED_WORDS = 4
LONGEST_KEPT = 500  # characters of a line
FEWEST_IN_COMMON = 2  # before it is looked whether one line shortens the other
FEWEST_ECHOED = 2  # words of the query
MOST_ADDED = 2  # words to them: "You asked"
MOST_ADDED_BY_HEADING = 4  # "Since you asked if …:"
FORMS = {
    "aside": re.compile(r"\(.*\)$"),
    "listed": re.compile(r"(?:[-*•–+]|\d+[.)]|\[\d+\]) "),
    "row": re.compile(r"\|"),
    "heading": re.compile(r"#|\*\*.*\*\*$"),
    "sentence": re.compile(r".*[.!?:…][\"”’»)]*$"),
}
LABEL_AND_VALUE = 2  # cells
MOST_TITLE_WORDS = 5
MOST_LAST_WORDS = 4  # "Fetched 8:05, 2 h 5 min ago"
HAS_FIGURE = re.compile(r"\d")
FIGURES = re.compile(r"\d+")
TITLE_ENDS = frozenset(":—–-(@|·")
CLAUSE_END = re.compile(r"[,;] | and | but ")
SENTENCE_END = re.compile(r"[.!?][\"”»)]*$")
# "… 14 more lines", "... and 3 others", "and 5 more", "+5 more"
MORE = re.compile(
    r"(?:…|\.{3})\s*(?:[^\W\d]+ )?\+?\d+\b"
    r"|(?:[^\W\d]+ \+?|\+)\d+ (?:more|others?|further|weitere|mehr|autres|de plus|más|otros|altri)\b(?! than\b)"
)
# "Showing 3 of 7.", "3/7 results"
SHARE_SHOWN = re.compile(r"(?:[^\W\d]+ )?\d+(?: ?/ ?| (?:out )?of | von | sur | de )\d+(?: [^\W\d]+)?\W*")
# "and so on…", "and so on… [2]", "and so on [...] from a.example"
SAYS_CUT = r"(?=[^\[\]()]*(?:\d|more|truncated|omitted|shortened))[^\[\]()]+"
CUT = re.compile(
    r"\s*(?:[\[(](?:…|\.{3})[\])].*"
    rf"|[\[(](?:…|\.{{3}}){SAYS_CUT}[\])]$"
    rf"|(?:…|\.{{3}}) ?(?:[\[(]{SAYS_CUT}[\])])?$)"
)
ADDRESS = re.compile(r"\W*(https?://[^\s?#]+)")  # what comes after it may well differ at each asking
ADDRESS_ALONE = re.compile(r"[\W\d]*https?://\S+")
# A line that only says where an item is, its date and its author: "Sun, 1 Mar 2026 | Olga | https://a.example/7".
BYLINE = re.compile(r"(?P<rest>.*\s)(?P<address>https?://[^\s?#]+)(?:[?#]\S*)?")
MOST_BYLINE_WORDS = 6  # without the address
SENT_VALUE = re.compile(r"[?&]\w+=([^&#\s]+)")  # of a link: "/news?q=late+trains&page=2"
QUOTED = re.compile(r"[\"“”«‹]([^\"“”«»‹›]+)[\"“”»›]")
IN_SINGLE_QUOTES = re.compile(r"(?<!\w)['‘]([^'‘’]+)['’](?!\w)")
# What stands right between marks, also where marks of the query are quoted with its words: "locked”".
TIGHTLY_QUOTED = re.compile(r"(?<=[\"“”«‹])(?=\S)[^\"“”«»‹›]+(?<=\S)(?=[\"“”»›])")
ALL_QUOTED = QUOTED, TIGHTLY_QUOTED, IN_SINGLE_QUOTES
ITEM_ASIDE = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)")
CELL_END = re.compile(r"[|:,;] ?| [—–] ")
ENUMERATION = re.compile(r"[,;]| and ")
IN_BRACKETS = re.compile(r"\(([^()]*)\)")
LABEL_END = re.compile(r": | [—–] ")
LAST_ASIDE = re.compile(r"\s*(?:\([^()]*\)|\[\d+\])$")  # or the mark of a footnote
LEAST_QUICK_CHARACTERS = 12  # of an item that stands behind a label once more
INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")  # a keyword with one of them is the same word
LEAST_ABBREVIATION = 3  # letters: "Sat" of "Saturday"
INITIAL = re.compile(r"(?<![\w.])([A-Z])\.(?!\w)")  # "Ada L." of "Ada Lovelace", not "9 a.m." nor "U.S."
NEGATIONS = frozenset({"no", "not", "never", "without"})
SHORTENED_SHARE = 0.5  # of the words of a line, that are left where some are left out in between
ANY_WORD = re.compile(r"[^\W_]+")
ITEM_START = re.compile(r"\A(?:\[?\d+[.)\]] |\W)+")
ROW_NUMBER = re.compile(r"\A\d{1,3} \| ")
BOLD = re.compile(r"\*\*(?=\S)([^*]+)(?<=\S)\*\*")
PIECE_END = re.compile(r".*(?:[.!?][\"”»)]*| \|)(?= )")  # where a sentence or a cell ends last
MARK = re.compile(r"\W+")  # before an item: "• ", "- "
SAYS_SOMETHING = re.compile(r"[^\W_]")
APOSTROPHES = str.maketrans("‘’", "''")
LETTERS = re.compile(r"[^\W\d_]+")  # figures are left out: what is measured changes from one answer to the next
# So does a number that has letters too: "trace 644d5336".
IDENTIFIER = re.compile(r"(?<![^\W_])(?=[^\W\d_]*\d)(?=\d*[^\W\d_])[^\W_]{6,}(?![^\W_])")


def words_in(text: str) -> list[str]:
    """In order, without figures and identifiers."""
    return LETTERS.findall(IDENTIFIER.sub(" ", text) if HAS_FIGURE.search(text) else text)


def with_straight_apostrophes(text: str) -> str:
    """The same: a router may write "what’s on" where it was asked for "what's on"."""
    return text.translate(APOSTROPHES)


def without_invisible(text: str) -> str:
    """The same: a router may leave out what parts no words."""
    return INVISIBLE.sub("", text)


@dataclass(frozen=True)
class AnswerItem:
    """A line as it is compared."""

    text: str

    @cached_property
    def plain(self) -> str:
        """Its text with what HTML entities stand for, and straight apostrophes, without invisible characters."""
        return without_invisible(with_straight_apostrophes(html.unescape(self.text)))

    @cached_property
    def words(self) -> frozenset[str]:
        """Without figures, casefolded; an HTML entity is the character that it stands for, an address is one word.

        Of a line that only says where an item is, the address is all: who is named there may differ.
        """
        text = without_invisible(html.unescape(self.text)).casefold()
        byline = BYLINE.fullmatch(text)
        if byline is not None and len(words_in(byline["rest"])) <= MOST_BYLINE_WORDS:
            return frozenset({byline["address"]})
        address = ADDRESS.match(text)
        if address is None:
            return frozenset(words_in(text))
        return frozenset({address[1], *words_in(text[address.end() :])})

    @cached_property
    def is_remark(self) -> bool:
        """Whether it is of the answer, not of what was asked: in brackets as a whole, as "(via two mirrors)" is, how
        many of all there are, or how many more behind dots.
        """
        return self.form == "aside" or self.tells_of_more or SHARE_SHOWN.fullmatch(self.text) is not None

    @cached_property
    def tells_of_more(self) -> bool:
        """Whether it says how many more items its section has: "and 5 more"."""
        return MORE.match(self.text) is not None

    @property
    def is_blank(self) -> bool:
        """Whether it was cut before its first word: "- […]"."""
        return self.is_cut and not self._letters

    @property
    def is_address(self) -> bool:
        """Whether it says only where something is, as a footnote does: "[2] https://a.example/7"."""
        return ADDRESS_ALONE.fullmatch(self.text) is not None

    def echoes(self, query: str) -> bool:
        """Whether it only says what was asked, as a heading or "You asked: …" does, or quotes it: a link to more."""
        asked = as_item(query).words
        if any(words <= asked for words in self._quoted):
            return True
        added, repeated = len(self.words - asked), len(self.words & asked)
        if self.text.endswith(":"):
            return repeated > 0 and added <= MOST_ADDED_BY_HEADING
        label, behind, has_figure = self._labelled
        if has_figure and not HAS_FIGURE.search(query):
            return False  # a value
        if label <= MOST_ADDED and (len(behind) >= FEWEST_ECHOED or (behind and behind == asked)):
            return behind <= asked
        return (repeated >= FEWEST_ECHOED and added <= MOST_ADDED) or (repeated > 0 and not added)

    @cached_property
    def _quoted(self) -> tuple[frozenset[str], ...]:
        """The words of each text that it has in quotes or sends with a link."""
        text = html.unescape(self.text)
        sent = map(unquote_plus, SENT_VALUE.findall(self.text))
        quoted = (*sent, *(found for marks in ALL_QUOTED for found in marks.findall(text)))
        return tuple(words for words in (as_item(text).words for text in quoted) if words)

    @cached_property
    def _labelled(self) -> tuple[int, frozenset[str], bool]:
        """How many words its label has; those behind it, and whether there is a figure."""
        label, _, rest = self.text.partition(": ")
        return len(label.split()), as_item(rest).words, HAS_FIGURE.search(rest) is not None

    def quotes_one_of(self, others: Iterable["AnswerItem"]) -> bool:
        """Whether it shows another one or its beginning behind a label, as "Quick answer: …" does.

        One that has the same value behind a label of its own is no such: "door.front: locked", "door.back: locked"; nor
        is a row of a table.
        """
        value = self._value
        if value is None or not value._letters or self.form == "row":
            return False
        if len(value._letters) < LEAST_QUICK_CHARACTERS:
            alike = [other for other in others if other != self and other._value == value]
            return not alike and any(MARK.sub("", other.text, count=1) == value.text for other in others)
        return any(
            value._letters in other._letters and not other._shows_behind_label(value) and not other._quotes(self)
            for other in others
            if other is not self
        )

    def sums_up(self, section: Iterable["AnswerItem"], elsewhere: Iterable["AnswerItem"]) -> bool:
        """Whether it is no item but tells of one behind a label, as other answers do or as a line of its section shows.

        "Quick answer: up", of whichever item is the first.
        """
        value = self._value
        if value is None:
            return False
        return self.has_label_of_one_of(elsewhere) or (
            bool(value.words) and any(value.words <= item.words for item in section if item != self)
        )

    def counts(self, number: int) -> bool:
        """Whether it is a short line with this number alone, of things that it names: "2 requests answered here"."""
        is_short = 0 < len(LETTERS.findall(self.text)) <= MOST_TITLE_WORDS
        return self.form != "listed" and is_short and FIGURES.findall(self.text) == [str(number)]

    def has_label_of_one_of(self, others: Iterable["AnswerItem"]) -> bool:
        """Whether one of the others begins with the same label, whatever stands behind it."""
        label = self.text.partition(": ")[0] + ": "
        return self._value is not None and any(other.text.startswith(label) for other in others)

    def _quotes(self, other: "AnswerItem") -> bool:
        """Whether what stands behind its label is the other one, or its beginning."""
        value = self._value
        return value is not None and bool(value._letters) and other._letters.startswith(value._letters)

    def _shows_behind_label(self, value: "AnswerItem") -> bool:
        own = self._value
        return own is not None and (own._letters.startswith(value._letters) or own._shows_behind_label(value))

    def is_like(self, other: "AnswerItem") -> bool:
        """Whether it is the same item, perhaps with another time, count or ending."""
        if self.text == other.text or self._begins(other) or other._begins(self):
            return True
        if len(self._without_asides) >= LEAST_TITLE_CHARACTERS and self._without_asides == other._without_asides:
            return True
        common = len(self.words & other.words)
        if common >= SAME_ITEM_SHARE * (len(self.words) + len(other.words) - common):
            return True  # also of figures alone
        if self.form != other.form and "row" in (self.form, other.form) and self._has_cells_of(other):
            return True  # a row of a table, and the same as an item of a list
        if common < FEWEST_IN_COMMON:
            return False
        if self._begins_without_asides(other) or other._begins_without_asides(self):
            return True
        if self._shortens(other) or other._shortens(self) or self._skips(other) or other._skips(self):
            return True
        if self._retells(other) or other._retells(self):
            return True
        return self._is_stamped_as(other)

    @cached_property
    def form(self) -> str:
        """How it is written: an aside, an item of a list, a row of a table, a heading, a sentence, or a plain line."""
        return next((name for name, pattern in FORMS.items() if pattern.match(self.text)), "line")

    @property
    def is_heading(self) -> bool:
        """Whether it stands above what it names."""
        return self.form == "heading" or self.text.endswith(":")

    @property
    def is_statement(self) -> bool:
        """Whether it is a sentence that ends, and asks for nothing."""
        return self.text.rstrip('"”»)]').endswith(".")

    @cached_property
    def _value(self) -> "AnswerItem | None":
        """What stands behind its label, if it has one."""
        label, colon, rest = self.text.partition(": ")
        added = sum(1 for word in label.split() if SAYS_SOMETHING.search(word))
        return as_item(rest) if colon and added <= MOST_ADDED else None

    @cached_property
    def _behind_label(self) -> str:
        """What stands behind its label, where it is long enough to tell which item it is of; else ""."""
        rest = LABEL_END.split(self.text, maxsplit=1)[-1]
        return rest if LEAST_QUICK_CHARACTERS <= len(rest) < len(self.text) else ""

    @property
    def is_short_title(self) -> bool:
        """Whether it may head a list: a few words without figures and without an end."""
        return len(self.words) <= MOST_TITLE_WORDS and self.form == "line" and not HAS_FIGURE.search(self.text)

    @cached_property
    def either_side(self) -> tuple[frozenset[str], ...]:
        """The words before the end of its label and those behind it; all of them where it has none."""
        sides = LABEL_END.split(self.text, maxsplit=1)
        words = (as_item(side).words for side in sides)
        return tuple(each for each in words if each)

    @cached_property
    def pieces(self) -> tuple["AnswerItem", ...]:
        """What stands between commas, behind its label if it has one: several words each, but for names in brackets."""
        told = self._unmarked.partition(": ")[2] or self._unmarked
        names = (name for found in IN_BRACKETS.findall(told) for name in ENUMERATION.split(found))
        others = (as_item(piece) for piece in ENUMERATION.split(IN_BRACKETS.sub("", told)))
        return (*(piece for piece in others if len(piece.words) > 1), *map(as_item, names))

    def is_of(self, other: "AnswerItem") -> bool:
        """Whether it has no other words, or begins with the other's label."""
        if other._label and f"{self._letters} ".startswith(f"{other._label} "):
            return True
        return bool(self.words) and self.words <= other.words and not self._denies(other)

    @cached_property
    def _label(self) -> str:
        """The words of its label, in order; "" where it has none."""
        label, *rest = LABEL_END.split(self._unmarked, maxsplit=1)
        return as_item(label)._letters if rest else ""

    @cached_property
    def _unmarked(self) -> str:
        """Without the bullet or the number before it, and without signs for bold letters."""
        return ITEM_START.sub("", BOLD.sub(r"\1", self.text), count=1)

    @cached_property
    def _without_asides(self) -> str:
        return ITEM_ASIDE.sub("", self._unmarked if self.form == "listed" else self.text)

    @cached_property
    def _letters(self) -> str:
        """Its words in order up to where it was cut, without figures: a note's number differs from answer to answer."""
        return " ".join(words_in(CUT.sub("", html.unescape(self.text)).casefold()))

    @cached_property
    def is_cut(self) -> bool:
        """Whether it ends before its end, as dots say."""
        return CUT.search(self.text) is not None

    def _begins(self, other: "AnswerItem") -> bool:
        """Whether it is the other cut short, as dots say, or its title alone, which a sign parts from the rest.

        Or its first sentences or clauses, as where many sections leave little room; or its beginning behind a label:
        "Quick answer: …".
        """
        if self.is_cut:
            return len(self._letters) >= LEAST_CUT_CHARACTERS and other._letters.startswith(self._letters)
        if self._behind_label and other.text.startswith(self._behind_label):
            return True
        sentence = self._sentence
        if sentence and other._unmarked.startswith(sentence) and CLAUSE_END.match(other._unmarked, len(sentence)):
            return True
        own = next((title for title in self._titles if other._unmarked.startswith(title)), None)
        if own is None:
            return False
        rest = other._unmarked[len(own) :]
        if SENTENCE_END.search(own) and len(self.words) >= FEWEST_ORDERED_WORDS:
            return rest[:1] == " "
        return rest.lstrip()[:1] in TITLE_ENDS

    def _begins_without_asides(self, other: "AnswerItem") -> bool:
        """Whether it ends with a sentence where the other continues, whatever the numbers of rows say, and figures in
        brackets.
        """
        own = self._pieces.rstrip("| ")
        is_long = len(words_in(own)) >= FEWEST_ORDERED_WORDS or self.form == other.form == "row"
        if not (is_long and SENTENCE_END.search(own) and other._pieces.startswith(f"{own} ")):
            return False
        told, others = (
            {aside for aside in ITEM_ASIDE.findall(item.text) if not HAS_FIGURE.search(aside)} for item in (self, other)
        )
        return told <= others

    @cached_property
    def _sentence(self) -> str:
        """All of it without the stop at its end, if it is a sentence of several words; else ""."""
        return self._unmarked.rstrip(".") if self.is_statement and len(self.words) >= FEWEST_ORDERED_WORDS else ""

    @cached_property
    def _titles(self) -> tuple[str, ...]:
        """What may stand before the rest of it elsewhere: all of it, and without its last brackets."""
        own = dict.fromkeys((self._unmarked, LAST_ASIDE.sub("", self._unmarked)))
        return tuple(title for title in own if len(title) >= LEAST_TITLE_CHARACTERS)

    def _has_cells_of(self, other: "AnswerItem") -> bool:
        """Whether they have the first cell in common: "| NAS | up |" is "• NAS: down since noon" elsewhere.

        Or the first one of either is among the other's, and another too: "| 7 | NAS | up |" is "• NAS, up".
        """
        own, others = self._cells, other._cells
        if not own or not others:
            return False
        if own[0] == others[0] and LETTERS.search(own[0]) and len(own[0].split()) <= MOST_TITLE_WORDS:
            return True
        common = {cell for cell in {*own} & {*others} if LETTERS.search(cell)}
        return len(common) >= FEWEST_IN_COMMON and not common.isdisjoint({own[0], others[0]})

    def cell_with_value_of(self, other: "AnswerItem") -> str:
        """Its cell with what stands behind the other's label; "" where it has none, or only two cells itself."""
        if len(other._cells) != LABEL_AND_VALUE or len(self._cells) <= LABEL_AND_VALUE:
            return ""
        value = other._cells[1]
        return value if value in self._cells else ""

    @property
    def first_cell(self) -> str:
        """Which tells it from others, as a number or a name does; "" where it has no cells."""
        return self._cells[0] if self._cells else ""

    @cached_property
    def _cells(self) -> tuple[str, ...]:
        """What stands in each of its cells, where it has several: of "| NAS | up |" and of "• NAS: up"."""
        cells = (" ".join(ANY_WORD.findall(cell.casefold())) for cell in CELL_END.split(self._unmarked))
        told = tuple(cell for cell in cells if cell)
        return told if len(told) > 1 else ()

    @cached_property
    def _sequence(self) -> tuple[str, ...]:
        """Its words and figures in order, without what stands in brackets."""
        return tuple(ANY_WORD.findall(html.unescape(self._without_asides).casefold()))

    def _is_stamped_as(self, other: "AnswerItem") -> bool:
        """Whether they differ in a time or count at the end: "Ferry to Hull late, 5 min ago", "… late 12 Mar 13:43"."""
        own, whole = self._sequence, other._sequence
        same = _begun_alike(own, whole)
        if same < FEWEST_ORDERED_WORDS:
            return False
        while same and own[same - 1].isdigit():
            same -= 1  # the 12 of "12 min ago" and of "12 Mar" is of the time
        return same > 0 and _is_stamp(own[same:]) and _is_stamp(whole[same:])

    @cached_property
    def _pieces(self) -> str:
        """Its cells and sentences, without the number of a row and what stands in brackets."""
        return ITEM_ASIDE.sub("", ROW_NUMBER.sub("", self._unmarked))

    def _skips(self, other: "AnswerItem") -> bool:
        """Whether it is the other without sentences before its last words: "Gulls came back in May. Fetched 8:05"."""
        own, whole = self._pieces, other._pieces
        if len(own) >= len(whole) or own[:LEAST_TITLE_CHARACTERS] != whole[:LEAST_TITLE_CHARACTERS]:
            return False
        same = _begun_alike(own, whole)
        begun = PIECE_END.match(own, 0, same)
        if begun is None or len(words_in(begun[0])) < FEWEST_ORDERED_WORDS:
            return False
        last, rest = (words_in(text[begun.end() :].casefold()) for text in (own, whole))
        return 0 < len(last) <= MOST_LAST_WORDS and rest[-len(last) :] == last

    def _retells(self, other: "AnswerItem") -> bool:
        """Whether it says what the first clause of the other does: "Lowest is the ebb at 2 m", "The ebb is at 2 m, …".

        In a few words more, and in the same order but for the shortest.
        """
        clause = other._first_clause
        is_more = clause is not None and clause.words < self.words
        if clause is None or not is_more or len(self.words) - len(clause.words) > MOST_ADDED or clause._denies(self):
            return False
        rest = iter(self._sequence)
        return all(word in rest for word in clause._sequence if len(word) >= LEAST_ABBREVIATION)

    def _denies(self, other: "AnswerItem") -> bool:
        """Whether one of the two has a negation that the other has not."""
        return bool((self.words ^ other.words) & NEGATIONS)

    @cached_property
    def _first_clause(self) -> "AnswerItem | None":
        """Its first clause, if it has several words, and another clause."""
        clause, *others = CLAUSE_END.split(self._unmarked, maxsplit=1)
        return as_item(clause) if others and len(as_item(clause).words) >= FEWEST_ORDERED_WORDS else None

    def _shortens(self, other: "AnswerItem") -> bool:
        """Whether it is the other with some words abbreviated or left out: "Sat: rain, 11°" of "Saturday 16 March: …".

        Its beginning alone is no such: that is the other cut off.
        """
        short, long = self._sequence, other._sequence
        is_short = FEWEST_ORDERED_WORDS <= len(short) <= len(long) and len(short) >= SHORTENED_SHARE * len(long)
        if not is_short:
            return False
        initials = {letter.casefold() for letter in INITIAL.findall(self.text)}
        if short[:-1] == long[: len(short) - 1] and short[-1] not in initials:
            return False
        rest = iter(long)
        for word in short:
            may_be_short = word in initials or (len(word) >= LEAST_ABBREVIATION and word.isalpha())
            for whole in rest:
                if word == whole or (may_be_short and whole.startswith(word)):
                    break
            else:
                return False
        return True


def _begun_alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words, or characters of a text, the two have in common before they differ."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _is_stamp(words: tuple[str, ...]) -> bool:
    """Whether they are figures with a unit or two, a figure first."""
    return bool(words) and words[0].isdigit() and sum(not word.isdigit() for word in words) <= MOST_ADDED


def as_item(line: str) -> AnswerItem:
    """`line` as it is compared. A short one is kept, with all that is worked out of it: it comes again and again."""
    return _kept_item(line) if len(line) <= LONGEST_KEPT else AnswerItem(line)


@lru_cache(maxsize=8192)
def _kept_item(line: str) -> AnswerItem:
    return AnswerItem(line)
