"""Categories: which ones are compared, what subject one is about, and whose word counts most. Pure."""

import re
from dataclasses import dataclass
from enum import StrEnum

CLAIMS = "claim/capability/"
FEEDBACK = "feedback/"
FROM_USERS = "feedback/from-user/"
CORRECTION_TAG = "correction"
KEY_CHARACTERS = 300  # of the column; no category is longer


class Scope(StrEnum):
    """The two kinds of categories that are compared."""

    CLAIM = "claim"
    FEEDBACK = "feedback"


@dataclass(frozen=True)
class Subject:
    """What a category is about. path: a claim's target and subject; of feedback the last segment."""

    scope: Scope
    path: str

    @property
    def key(self) -> str:
        """By which findings on one subject are looked up: no case, no plural, one kind of separator."""
        words = [_singular(word) for word in re.split(r"[\s_-]+", self.path) if word]
        return f"{self.scope}:{'-'.join(words)}"[:KEY_CHARACTERS]


def subject_of(category: str) -> Subject | None:
    """The subject of a scoped category; None for all others, and for one that names no subject."""
    folded = category.casefold().rstrip("/")
    if folded.startswith(CLAIMS):
        segments = [segment.strip() for segment in folded.removeprefix(CLAIMS).split("/")]
        return Subject(Scope.CLAIM, "/".join(segments)) if all(segments) else None
    if folded.startswith(FEEDBACK) and folded != FROM_USERS.rstrip("/"):
        return Subject(Scope.FEEDBACK, folded.rpartition("/")[2].strip())
    return None


def is_scoped(category: str) -> bool:
    """Whether it is kept to the letter and compared."""
    return category.casefold().startswith((CLAIMS, FEEDBACK))


def is_correction(category: str, tags: tuple[str, ...]) -> bool:
    """Whether a person corrects something here: that wins over whatever others say later."""
    return category.casefold().startswith(FROM_USERS) or CORRECTION_TAG in (tag.casefold() for tag in tags)


def _singular(word: str) -> str:
    return "/".join(part[:-1] if len(part) >= 4 and part.endswith("s") else part for part in word.split("/"))
