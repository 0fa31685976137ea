"""Text cut into sentences, and sentences into claims. Decides where one ends; must not know what is claimed."""

import re
from collections.abc import Sequence
from functools import lru_cache

from sentencex import segment

from selftest.evaluation.core.graders.refusals import opens_refusal
from selftest.evaluation.core.graders.wording import statement_of

MOST_CHARACTERS = 20_000  # of one text that are read: what a grader costs stays bounded, whatever it is given
LEAST_CLAUSE_WORDS = 3  # that carry meaning; a shorter clause says nothing without the rest of its sentence
MARKER = re.compile(  # of an item, a quote or a heading; "-5 °C" has no mark
    r"^(?:(?:[-*–—](?=\s)|[•·>#|])+|\(?\d{1,3}[.)](?=\s)|\[\d{1,3}\](?=\s))\s*"
)
RULE = re.compile(r"[-=*_|:\s]+")
CELLS = re.compile(r"\s+\|\s+|\s*\|\s*$")  # of a row of a table
BREAKS = re.compile(
    r";\s+|,?\s+(?:but|because|whereas|although|aber|sondern|weil|obwohl)\s+|,\s+(?:and|while|yet|und|während)\s+", re.I
)
EMPHASIS = re.compile(r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|`+|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)")


def plain(text: str) -> str:
    """`text` as UTF-8 can write it: half of a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=256)  # several graders read the same text
def sentences_of(text: str, language: str) -> tuple[str, ...]:
    """The sentences of `text`, in order, without marks of lists, tables and emphasis.

    A line ends a sentence, as items and headings have no full stop. language: a code of ISO 639-1; an unknown one is
    read like English.
    """
    found: list[str] = []
    for line in plain(text[:MOST_CHARACTERS]).splitlines():
        for cell in CELLS.split(line.strip()):
            piece = EMPHASIS.sub("", MARKER.sub("", cell.strip())).strip()
            if piece and not RULE.fullmatch(piece):
                found += [sentence for each in segment(language or "en", piece) if (sentence := each.strip())]
    return tuple(found)


def claims_of(sentence: str, language: str) -> tuple[str, ...]:
    """What one sentence claims: its clauses, where each says something by itself. A question claims nothing."""
    if sentence.endswith(("?", ":")):
        return ()
    cuts = list(BREAKS.finditer(sentence))
    clauses = zip((0, *(cut.end() for cut in cuts)), (*(cut.start() for cut in cuts), len(sentence)), strict=True)
    tokens = [statement_of(sentence[begin:end], language).tokens for begin, end in clauses]
    claims: list[str] = []
    start, head_tokens = 0, tokens[0]
    for place, cut in enumerate(cuts):
        head = sentence[start : cut.start()]
        least = 1 if opens_refusal(head) else LEAST_CLAUSE_WORDS  # what is told after a refusal, short or not
        if len(head_tokens) >= least and _has(least, tokens[place + 1 :]):
            claims.append(head.strip())
            start, head_tokens = cut.end(), tokens[place + 1]
        else:
            head_tokens |= tokens[place + 1]
    claims.append(sentence[start:].strip())
    return tuple(claim for claim in claims if statement_of(claim, language).weight)


def _has(least: int, clauses: Sequence[frozenset[str]]) -> bool:
    """Whether so many different words stand in these. Looks no farther than it has to: there may be many."""
    found: frozenset[str] = frozenset()
    for tokens in clauses:
        found |= tokens
        if len(found) >= least:
            return True
    return False
