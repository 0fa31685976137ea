"""Classes: each that a page has is styled or used by a script, each that is styled is used, in one stylesheet alone."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEMPLATES = [path for path in (ROOT / "templates").rglob("*.html") if "admin" not in path.parts]  # Django's own styles
TAGS = list((ROOT / "review/templatetags").glob("*.py"))
STYLESHEETS = list((ROOT / "static").glob("*.css"))
SCRIPTS = [path.read_text() for path in (ROOT / "static").glob("*.js")]
LEVELS = {"success", "error"}  # of Django's messages: beside `note`
OF_THE_DOCUMENT = {"scripted"}  # a script sets it; any block may look different then
NAME = r"[a-zA-Z][\w-]*"
VALUE = "\0"  # where a template or an f-string writes a value


def classes_of_pages() -> Iterator[str]:
    """As they are written. What holds a VALUE is a beginning: `diff-` and the kind of the line."""
    for path in TEMPLATES:
        text = re.sub(r"\{\{.*?\}\}", VALUE, path.read_text())
        for block in re.findall(r"\{% block main_class %\}(.*?)\{% endblock %\}", text):
            yield from block.split()
        for attribute in re.findall(r'\bclass="([^"]*)"', re.sub(r"\{%.*?%\}", " ", text)):
            yield from attribute.split()
    for path in TAGS:
        text = re.sub(r"\{[^{}\n]*\}", VALUE, path.read_text())
        for attribute in re.findall(r'\bclass="([^"]*)"', text):
            yield from attribute.split()


def styled() -> dict[str, set[str]]:
    """Each class, with the stylesheets that have it in a selector."""
    found = defaultdict(set)
    for path in STYLESHEETS:
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        for selectors in re.findall(r"([^{};]+)\{", text):
            for name in re.findall(rf"\.({NAME})", selectors):
                found[name].add(path.name)
    return found


def strings_of_scripts() -> set[str]:
    strings = (string for script in SCRIPTS for string in re.findall(r'"[^"\n]*"|\'[^\'\n]*\'|`[^`]*`', script))
    return {name for string in strings for name in re.findall(NAME, string)}


def test_each_class_of_a_page_is_styled_or_used_by_a_script() -> None:
    known = set(styled()) | strings_of_scripts()
    unknown = {
        name
        for name in set(classes_of_pages()) - {VALUE}
        if not any(each.startswith(name.split(VALUE)[0]) if VALUE in name else each == name for each in known)
    }
    assert unknown == set()


def test_each_class_that_is_styled_is_used() -> None:
    used = set(classes_of_pages())
    beginnings = tuple(name.split(VALUE)[0] for name in used if VALUE in name and not name.startswith(VALUE))
    in_tags = {name for path in TAGS for name in re.findall(NAME, path.read_text())}
    known = used | in_tags | strings_of_scripts() | LEVELS
    assert {name for name in styled() if name not in known and not name.startswith(beginnings)} == set()


def test_each_class_is_styled_in_one_stylesheet() -> None:
    spread = {name: files for name, files in styled().items() if len(files) > 1 and name not in OF_THE_DOCUMENT}
    assert spread == {}
