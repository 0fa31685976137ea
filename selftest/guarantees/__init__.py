"""One short page per check: the promise it relies on, what breaks it, what does not. Read once, at import.

A page is `# name`, one sentence, and then `## heading` with its paragraphs; nothing else of Markdown is used.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType

from selftest.core.judging.findings import CheckName

HEADINGS = ("Promised", "What breaks it", "What does not")


@dataclass(frozen=True)
class Guarantee:
    """The promise behind a check, in words. name: two or three words. sentence: what its flag says happened."""

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


def read(check: CheckName) -> Guarantee:
    """The page of a check. Raises ValueError for one without a page."""
    page = resources.files(__package__).joinpath(f"{check}.md")
    if not page.is_file():
        raise ValueError(f"the check {check} has no page {check}.md in selftest/guarantees")
    return parse(check, page.read_text(encoding="utf-8"))


GUARANTEES: Mapping[CheckName, Guarantee] = MappingProxyType({check: read(check) for check in CheckName})
