"""Whether a claim only says that there is no answer. By its words; one that also tells something is no refusal."""

import re
from collections.abc import Collection
from functools import lru_cache

from selftest.evaluation.core.graders.word_lists import REFUSAL_OPENING, REFUSAL_WORDS, REFUSALS
from selftest.evaluation.core.graders.wording import statement_of

MOST_OTHER_WORDS = 3  # that are neither the query's nor usual: what was looked for, in other words than it was asked
OPENS = re.compile(rf"{REFUSAL_OPENING}(?:{'|'.join(REFUSALS)})")
APOLOGY = re.compile(rf"{REFUSAL_OPENING}[\W_]*")
# What is told of "no data", "no results": of a refusal, that they are not there.
PREDICATE = re.compile(
    r"\W*(?:(?:has|have|had|will|would|can|could|may|might|must|should) (?:not |never )?(?:been |be )?"
    r"|(?:is|are|was|were) )(?:not |never |ever |being )?(?P<verb>\w+)"
)
TAIL = re.compile(r"[,:;(–—]| (?:and|but|as|since|because|und|aber|weil|da) ")  # where something else may be told


def opens_refusal(clause: str) -> bool:
    """Whether `clause` begins by saying that there is no answer."""
    return OPENS.match(clause.lower()) is not None


def is_refusal(claim: str, query: str, language: str, phrases: Collection[str] = ()) -> bool:
    """Whether `claim` says that there is no answer, and nothing else.

    phrases: what the target says where it has nothing, in lower case; each is a refusal where it is the whole claim.
    """
    said = claim.lower().strip()
    if said.strip(" .!…()[]*_") in phrases or (said and APOLOGY.fullmatch(said)):
        return True
    opening = OPENS.match(said)
    if opening is None:
        return False
    rest = said[opening.end() :]
    tail = TAIL.search(rest)
    told = PREDICATE.match(rest)
    if told and _tells(told["verb"], query, language) and not _tells(opening[0], query, language):
        return False  # "no data was lost" says what became of the data
    before, after = (rest[: tail.start()], rest[tail.end() :]) if tail else (rest, "")
    return (
        _tells(before, query, language) <= MOST_OTHER_WORDS
        and not _tells(after, query, language)
        and statement_of(rest, language).numbers <= statement_of(query, language).numbers
    )


def _tells(text: str, query: str, language: str) -> int:
    """How many words it has that are neither the query's nor usual in a refusal."""
    return len(statement_of(text, language).words - statement_of(query, language).words - _usual(language))


@lru_cache(maxsize=16)
def _usual(language: str) -> frozenset[str]:
    return statement_of(" ".join(sorted(REFUSAL_WORDS)), language).words
