"""Two answers side by side: which lines differ, and in changed ones which words. Pure: texts in, rows out."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

COMPARED_LINES = 200  # of each, from where they part: comparing takes time by the square, and no one reads more
WORD_PAIRS = 25_000  # looked at in all; lines after that are told apart as a whole
SHOWN_CHARACTERS = 1_000  # of a line
CONTEXT_LINES = 3
WORD = re.compile(r"\S+\s*|\s+")


@dataclass(frozen=True)
class Span:
    """A piece of a line. is_changed: the other side has something else here, or nothing."""

    text: str
    is_changed: bool = False


@dataclass(frozen=True)
class Side:
    """A line of one answer. number: from 1."""

    number: int
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Row:
    """kind: kept, changed, removed, added; or skipped, for so many lines that are the same on both sides."""

    kind: str
    before: Side | None = None
    after: Side | None = None
    skipped: int = 0


@dataclass(frozen=True)
class Comparison:
    """rows: () where nothing differs. left_out: lines of either answer that were not compared any more."""

    rows: tuple[Row, ...]
    left_out_before: int = 0
    left_out_after: int = 0

    @property
    def is_same(self) -> bool:
        return not self.rows

    def _count(self, kind: str) -> int:
        return sum(row.kind == kind for row in self.rows)

    @property
    def changed(self) -> int:
        return self._count("changed")

    @property
    def removed(self) -> int:
        return self._count("removed")

    @property
    def added(self) -> int:
        return self._count("added")


def compare(before: str, after: str) -> Comparison:
    """`after` against `before`, both as lines ended by line feeds."""
    if before == after:
        return Comparison(())
    left, right = before.split("\n"), after.split("\n")
    head = _common(left, right)
    tail = _common(left[head:][::-1], right[head:][::-1])
    left_middle, right_middle = left[head : len(left) - tail], right[head : len(right) - tail]
    left_out = len(left_middle) - COMPARED_LINES, len(right_middle) - COMPARED_LINES
    is_cut = max(left_out) > 0
    rows = [
        *_around(left[:head], 0, 0, keep_last=True),
        *_middle(left_middle[:COMPARED_LINES], right_middle[:COMPARED_LINES], head),
    ]
    if not is_cut:  # what is the same at their ends stands behind what was left out
        rows += _around(left[len(left) - tail :], len(left) - tail, len(right) - tail, keep_last=False)
    return Comparison(tuple(rows), max(left_out[0], 0), max(left_out[1], 0))


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    """How many lines both begin with."""
    shorter = min(len(left), len(right))
    return next((n for n in range(shorter) if left[n] != right[n]), shorter)


def _around(same: Sequence[str], before: int, after: int, keep_last: bool) -> Iterator[Row]:
    """The lines at one end that are the same: those nearest to a difference, and how many more there are.

    before, after: how many lines of each answer stand above them.
    """
    kept = min(CONTEXT_LINES, len(same))
    skipped = len(same) - kept
    if keep_last and skipped:
        yield Row("skipped", skipped=skipped)
    for n in range(skipped, len(same)) if keep_last else range(kept):
        yield _kept(same[n], before + n, after + n)
    if not keep_last and skipped:
        yield Row("skipped", skipped=skipped)


def _middle(left: Sequence[str], right: Sequence[str], above: int) -> Iterator[Row]:
    # Blank lines are junk: they are many, and what stands between them tells more of where the two meet.
    matcher = difflib.SequenceMatcher(lambda line: not line.strip(), left, right, autojunk=False)
    pairs_left = WORD_PAIRS
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            yield from _folded(left[i:i_end], above + i, above + j)
            continue
        for a, b in zip_longest(range(i, i_end), range(j, j_end)):
            if b is None:
                yield Row("removed", before=_whole(left[a], above + a))
            elif a is None:
                yield Row("added", after=_whole(right[b], above + b))
            else:
                words = WORD.findall(_shown(left[a])), WORD.findall(_shown(right[b]))
                pairs_left -= len(words[0]) * len(words[1])
                if pairs_left < 0:
                    yield Row("changed", _whole(left[a], above + a), _whole(right[b], above + b))
                else:
                    yield _changed(*words, above + a, above + b)


def _folded(same: Sequence[str], before: int, after: int) -> Iterator[Row]:
    if len(same) <= 2 * CONTEXT_LINES + 1:
        yield from (_kept(line, before + n, after + n) for n, line in enumerate(same))
        return
    last = len(same) - CONTEXT_LINES
    yield from (_kept(same[n], before + n, after + n) for n in range(CONTEXT_LINES))
    yield Row("skipped", skipped=last - CONTEXT_LINES)
    yield from (_kept(same[n], before + n, after + n) for n in range(last, len(same)))


def _kept(line: str, before: int, after: int) -> Row:
    spans = (Span(_shown(line)),)
    return Row("kept", Side(before + 1, spans), Side(after + 1, spans))


def _whole(line: str, above: int) -> Side:
    return Side(above + 1, (Span(_shown(line), is_changed=True),))


def _changed(left: list[str], right: list[str], before: int, after: int) -> Row:
    opcodes = difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    spans_before = tuple(Span("".join(left[i:end]), tag != "equal") for tag, i, end, _, _ in opcodes if i < end)
    spans_after = tuple(Span("".join(right[j:end]), tag != "equal") for tag, _, _, j, end in opcodes if j < end)
    return Row("changed", Side(before + 1, spans_before), Side(after + 1, spans_after))


def _shown(line: str) -> str:
    return line if len(line) <= SHOWN_CHARACTERS else f"{line[:SHOWN_CHARACTERS]}…"
