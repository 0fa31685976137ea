"""One run and its answer, headers told apart."""

from dataclasses import dataclass
from itertools import groupby

from selftest.core.answers import split_sections
from selftest.models import Run
from selftest.store import vocabulary_of


def run_numbered(pk: int) -> Run | None:
    """With its whole answer, and the vocabulary that it was checked against."""
    return Run.objects.select_related("combination", "target", "cycle__vocabulary").filter(pk=pk).first()


@dataclass(frozen=True)
class AnswerPart:
    """A header, or the text between two; joined they are the answer, character by character."""

    is_header: bool
    text: str


def parts_of_answer(run: Run) -> list[AnswerPart]:
    """The answer of `run` with its headers told apart, by the vocabulary that it was checked against."""
    version = run.cycle.vocabulary
    headers = vocabulary_of(version).headers if version is not None else {}
    opened_at = {section.line for section in split_sections(run.result, headers) if section.source is not None}
    lines = enumerate(_lines(run.result), start=1)
    return [
        AnswerPart(is_header, "".join(text for _, text in found))
        for is_header, found in groupby(lines, lambda numbered: numbered[0] in opened_at)
    ]


def _lines(text: str) -> list[str]:
    """Ended by line feeds and nothing else, as sections count them."""
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])
