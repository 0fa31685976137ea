"""One short page per check: the promise it rests on, what breaks it, what does not. Read once, at import.

A page is `# name`, one sentence, and then `## heading` with its paragraphs; nothing else of Markdown is used.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType

from selftest.core.judging.specified_checks import SPECIFIED, CheckName

HEADINGS = ("Promised", "What breaks it", "What does not")


@dataclass(frozen=True)
class Guarantee:
    """What a check rests on, in words. name: two or three words. sentence: what its flag says happened."""

    check: CheckName
    name: str
    sentence: str
    promised: str
    breaks: str
    does_not: str


def parse(check: CheckName, text: str) -> Guarantee:
    """Paragraphs come back as one line each, with a blank line between. Raises ValueError naming what is missing."""
    title, *chapters = re.split(r"^## ", text, flags=re.M)
    headings = tuple(chapter.split("\n", 1)[0].strip() for chapter in chapters)
    if headings != HEADINGS:
        raise ValueError(f"the page of {check} has the headings {headings}, not {HEADINGS}")
    name, _, sentence = title.removeprefix("# ").partition("\n")
    return Guarantee(check, name.strip(), _flowing(sentence), *(_flowing(c.split("\n", 1)[1]) for c in chapters))


def _flowing(text: str) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text.strip()))


def _read(check: CheckName) -> Guarantee:
    return parse(check, resources.files(__package__).joinpath(f"{check}.md").read_text(encoding="utf-8"))


GUARANTEES: Mapping[CheckName, Guarantee] = MappingProxyType({check: _read(check) for check in CheckName})

_OTHERS = tuple(check for check in CheckName if check not in SPECIFIED)
RELATIONS = _OTHERS[_OTHERS.index(CheckName.PART_LOST) :]  # the first of them, as they stand by priority
GROUPS: Mapping[str, tuple[CheckName, ...]] = MappingProxyType(
    {
        "As specified": SPECIFIED,
        "Of any answer": _OTHERS[: -len(RELATIONS)],
        "The target against itself": RELATIONS,
    }
)  # by name, in order of priority
