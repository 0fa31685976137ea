"""What is said in the reader's language: which one, and the messages of search by their keys.

`X-Locale`, then `Accept-Language`, then the default. The pages are English: only the API of search takes part in this.
The German texts stand in `locale/de/LC_MESSAGES/django.po`. The compiled file is kept beside it: a new machine has no
gettext; where there is one, `manage.py compilemessages` writes it.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext, gettext_noop
from django.utils.translation.trans_real import parse_accept_lang_header

HEADER = "X-Locale"
DEFAULT = "en-US"
LOCALES: Mapping[str, str] = {"en": "en-US", "de": "de-DE"}  # by language, which is also its folder in locale/

MESSAGES: Mapping[str, str] = {
    "knowledge.validation.q_required": gettext_noop("q must hold something to search for"),
    "knowledge.validation.q_max_512": gettext_noop("q may have 512 characters at most"),
    "knowledge.validation.tenant_required": gettext_noop("filters.target must name a target"),
    "knowledge.validation.k_range": gettext_noop("k must be a whole number from 1 to 50"),
    "knowledge.validation.unknown_filter": gettext_noop("%(field)s is no filter; known are: %(known)s"),
    "knowledge.validation.unknown_field": gettext_noop("%(field)s is no field of this request"),
    "knowledge.validation.unknown_value": gettext_noop("%(field)s: %(value)s is unknown; known are: %(known)s"),
    "knowledge.validation.malformed": gettext_noop("%(field)s: %(problem)s"),
    "knowledge.validation.no_object": gettext_noop("the body must be a JSON object"),
    "knowledge.history.no_person": gettext_noop("a history belongs to a person: sign in"),
}
ACTIONS: Mapping[str, str] = {
    "open": gettext_noop("Open"),
    "curl": gettext_noop("Curl"),
    "run": gettext_noop("Run"),
    "remedy": gettext_noop("Remedy"),
    "more": gettext_noop("More like this"),
}  # labels, by the kind of action


def locale_of(request: HttpRequest) -> str:
    """One of LOCALES; a locale that is not there gives way to the next in order."""
    asked = [request.headers.get(HEADER, "").strip()]
    asked += [name for name, _ in parse_accept_lang_header(request.headers.get("Accept-Language", ""))]
    languages = (name.replace("_", "-").partition("-")[0].casefold() for name in asked)
    return next((LOCALES[language] for language in languages if language in LOCALES), DEFAULT)


def speaking(locale: str) -> AbstractContextManager[Any]:
    """While it lasts, `message_of` and `label_of` speak this locale."""
    return translation.override(locale.partition("-")[0])


def message_of(key: str, **values: object) -> str:
    """The message of this key, with its values."""
    return gettext(MESSAGES[key]) % values


def label_of(action: str, otherwise: str) -> str:
    """The label of this kind of action; `otherwise` for one that is not known here."""
    return gettext(ACTIONS[action]) if action in ACTIONS else otherwise
