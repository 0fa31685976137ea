"""Two documents, and the lines in which they differ. Pure."""

import difflib
import json
from dataclasses import dataclass

CONTEXT_LINES = 3
KINDS = {"+": "added", "-": "removed", " ": "kept"}


@dataclass(frozen=True)
class Line:
    """sign: "+", "-" or " " for a line of the document; "…" where lines were left out."""

    sign: str
    text: str

    @property
    def kind(self) -> str:
        """What its sign means, as a class of a page."""
        return KINDS.get(self.sign, "gap")


def pretty(document: object) -> str:
    """As a person reads it, a value on each line."""
    return json.dumps(document, indent=2, ensure_ascii=False)


def differing_lines(before: object, after: object) -> list[Line]:
    """The changed lines with a few around them; [] for the same document, however its keys are ordered in the file."""
    lines = difflib.unified_diff(_lines(before), _lines(after), n=CONTEXT_LINES, lineterm="")
    body = list(lines)[2:]  # without the names of the two
    return [Line("…", line) if line.startswith("@@") else Line(line[0], line[1:]) for line in body]


def _lines(document: object) -> list[str]:
    return pretty(document).splitlines()
