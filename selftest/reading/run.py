"""One run and its answer: its sections told apart, and what a finding points at."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import Any

from selftest.core.judging.answers import split_sections
from selftest.models import Flag, Run
from selftest.storage.serialization import evidence_of, vocabulary_of

CUT = "…"  # at the end of an excerpt that is shorter than what it is of
MAX_SECTIONS = 100  # told apart; a reader needs no more, and a page of thousands would be slow


def run_numbered(pk: int) -> Run | None:
    """With its whole answer, and the vocabulary that it was checked against."""
    runs = Run.objects.select_related("combination", "target", "cycle__vocabulary")
    return runs.defer("cycle__vocabulary__births").filter(pk=pk).first()


def days_kept(run: Run) -> int | None:
    """After how many days its answer was deleted, rounded down; None where it was not."""
    if run.answer_deleted_at is None or run.finished_at is None:
        return None
    return (run.answer_deleted_at - run.finished_at).days


def runs_beside(run: Run) -> tuple[int | None, int | None]:
    """The numbers of the run before and the run after, of the same combination."""
    numbers = Run.objects.filter(combination=run.combination_id).values_list("pk", flat=True)
    before = numbers.filter(pk__lt=run.pk).order_by("-pk").first()
    return before, numbers.filter(pk__gt=run.pk).order_by("pk").first()


@dataclass(frozen=True)
class AnswerPiece:
    """Whole lines of an answer. line: of its first, from 1. is_marked: a finding points at them."""

    text: str
    line: int
    is_header: bool
    is_marked: bool


@dataclass(frozen=True)
class AnswerPart:
    """One section, its header first; source None: what stands before the first header.

    others: how many sections this one part holds, where there are too many to tell apart.
    """

    source: str | None
    pieces: tuple[AnswerPiece, ...]
    others: int = 0


def parts_of_answer(run: Run, flags: Iterable[Flag] = ()) -> list[AnswerPart]:
    """The sections of the answer of `run`, by the vocabulary that it was checked against. Asks no database.

    Joined, the pieces are the answer, character by character. flags: of this run; what they point at is marked.
    """
    if not run.result:
        return []
    answer = _Answer(run, list(flags))
    begun = [*answer.parts(), (len(answer.lines) + 1, None, 0)]
    return [
        AnswerPart(source, tuple(answer.pieces(first, after)), others)
        for (first, source, others), (after, _, _) in pairwise(begun)
    ]


class _Answer:
    """The lines of an answer, from 1, and what is known of them. A span is its first line and the one after it."""

    def __init__(self, run: Run, flags: Sequence[Flag]) -> None:
        self.lines = run.result.split("\n")  # ended by line feeds and nothing else, as sections count them
        version = run.cycle.vocabulary
        headers = vocabulary_of(version).headers if version is not None else {}
        sections = split_sections(run.result, headers)
        opened = {section.line: section.source for section in sections if section.source is not None}
        self._headers = dict(islice(opened.items(), MAX_SECTIONS))
        self._others = list(opened)[MAX_SECTIONS:]
        self._are_headers_marked = any("headers" in flag.evidence["where"] for flag in flags)
        spans = (self._span(flag.evidence, run.result) for flag in flags)
        self._spans = [span for span in spans if span is not None]
        last = len(self.lines) + 1
        self._cuts = sorted(
            {1, last, *chain(*self._spans), *self._others[:1]}.union(*((n, n + 1) for n in self._headers))
        )

    def parts(self) -> list[tuple[int, str | None, int]]:
        """Where each begins, its source, and how many sections it holds that are not told apart."""
        begun: list[tuple[int, str | None, int]] = [(line, source, 0) for line, source in self._headers.items()]
        if self._others:
            begun.append((self._others[0], None, len(self._others)))
        if begun and not any(map(str.strip, self.lines[: begun[0][0] - 1])):
            return [(1, begun[0][1], 0), *begun[1:]]  # blank lines before the first header go with it
        return [(1, None, 0), *begun]

    def pieces(self, first: int, after: int) -> Iterator[AnswerPiece]:
        inside = self._cuts[bisect_left(self._cuts, first) : bisect_right(self._cuts, after)]
        for start, end in pairwise(inside):
            text = "\n".join(self.lines[start - 1 : end - 1]) + ("\n" if end <= len(self.lines) else "")
            is_header = start in self._headers
            is_marked = (is_header and self._are_headers_marked) or any(a <= start < b for a, b in self._spans)
            if text:
                yield AnswerPiece(text, start, is_header, is_marked)

    def _span(self, evidence: Mapping[str, Any], result: str) -> tuple[int, int] | None:
        """What its line points at, to the end of what was seen there; None where it points at no line."""
        line = evidence_of(evidence).line
        if line is None or line > len(self.lines):  # not told by line, or not kept
            return None
        begins = sum(map(len, self.lines[: line - 1])) + line - 1
        seen = evidence["seen"].removesuffix(CUT).rstrip()
        at = result.find(seen, begins)
        return line, line + 1 if at < 0 else line + 1 + result.count("\n", begins, at + len(seen))
