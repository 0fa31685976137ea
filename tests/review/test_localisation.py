"""Messages of search: every one there is in German too, and the compiled file is that of the text."""

import gettext
import re
from ast import literal_eval
from pathlib import Path

from review.localisation import ACTIONS, MESSAGES
from tests.database import ROOT

FOLDER = ROOT / "locale" / "de" / "LC_MESSAGES"
PLACEHOLDER = re.compile(r"%\(\w+\)s")


def read(source: Path) -> dict[str, str]:
    """Texts and their translations, each on a line of its own or on several."""
    found = {}
    for entry in source.read_text(encoding="utf-8").split("\n\n"):
        pair = re.search(r'msgid (".*")\nmsgstr ((?:"[^\n]*"\n?)+)', entry)
        if pair:
            found[literal_eval(pair[1])] = "".join(map(literal_eval, pair[2].split("\n")[: pair[2].count('\n"') + 1]))
    return found


def test_every_message_and_label_is_there_in_german() -> None:
    german = read(FOLDER / "django.po")
    texts = {*MESSAGES.values(), *ACTIONS.values()}
    assert set(german) - {""} == texts
    assert all(german.values())


def test_a_translation_has_the_values_of_its_text() -> None:
    for text, german in read(FOLDER / "django.po").items():
        if text:
            assert sorted(PLACEHOLDER.findall(german)) == sorted(PLACEHOLDER.findall(text))


def test_the_compiled_file_is_that_of_the_text() -> None:
    """If not: `manage.py compilemessages`, where there is gettext."""
    with (FOLDER / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for text, german in read(FOLDER / "django.po").items():
        assert compiled.gettext(text) == german
