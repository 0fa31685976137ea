"""The answer in a response, or the reason why it has none: a crash of the target. Decides by TARGET.md alone.

Must not know how the response was asked for, or what a query means.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from selftest.targets.http import status_codes
from selftest.targets.http.settings import HttpSettings
from selftest.targets.http.transport import ReceivedResponse
from selftest.targets.limits import first_text, one_line, over_the_limit

MAX_VERSION_CHARACTERS = 100  # a version, not an essay
MAX_NAMES = 20  # of fields, in a note for a person
MAX_NAME_CHARACTERS = 60
MAX_WHOLE_NUMBER_DIGITS = 1000  # Python refuses to read more than 4300, and would call the whole answer unreadable

_MISSING = object()


@dataclass(frozen=True)
class ParsedAnswer:
    """result, source_used: "" where a crash brought none. error: why it is a crash, None where it is not.

    unreadable: as of an Answer.
    """

    result: str
    source_used: str
    cached: bool
    error: str | None
    unreadable: tuple[str, ...] | None = None


class _NoAnswer(Exception):  # noqa: N818 - the reason why the response is a crash
    pass


class _NoSuchField(_NoAnswer):
    """The names in the target's settings are others than those in its answers. names: of the fields that are there."""

    def __init__(self, reason: str, names: tuple[str, ...]) -> None:
        super().__init__(reason)
        self.names = names


def parse_answer(received: ReceivedResponse, settings: HttpSettings) -> ParsedAnswer:
    """The answer in `received`. Where there is none, `error` says why, and `result` is the first bytes that came."""
    try:
        return _answer(received, settings)
    except _NoSuchField as reason:
        return ParsedAnswer(first_text(received.body), "", False, str(reason), reason.names)
    except _NoAnswer as reason:
        return ParsedAnswer(first_text(received.body), "", False, str(reason))


def parse_version(received: ReceivedResponse) -> str:
    """The version that a health response gives, "" where none; the header wins over the body."""
    in_header = received.headers.get("x-version", "").strip()
    if in_header:
        return one_line(in_header)[:MAX_VERSION_CHARACTERS]
    if received.incomplete or received.encoding or received.is_cut:
        return ""
    try:
        version = _document(received.body).get("version", "")
    except _NoAnswer:
        return ""
    if isinstance(version, bool) or not isinstance(version, str | int | float):
        return ""
    return one_line(str(version))[:MAX_VERSION_CHARACTERS]


def _answer(received: ReceivedResponse, settings: HttpSettings) -> ParsedAnswer:
    """Raises _NoAnswer, its message the reason."""
    if received.incomplete:
        raise _NoAnswer(received.incomplete)
    _refuse_status(received)
    if received.encoding:
        raise _NoAnswer(
            f"the answer is in Content-Encoding {one_line(received.encoding)}, although identity was asked for"
        )
    if received.is_cut:
        raise _NoAnswer(over_the_limit("bytes"))
    document = _document(received.body)
    cached = _field(document, settings.cached_field) is True
    success = _field(document, settings.success_field)
    if success is False:
        return _failure(document, settings, cached)
    if success not in (True, None, _MISSING):
        raise _NoAnswer(f"field {settings.success_field!r} is {_kind(success)}, neither true nor false")
    result = _text_field(document, settings.result_field)
    return ParsedAnswer(result, _text_field(document, settings.source_used_field), cached, None)


def _failure(document: Mapping[str, Any], settings: HttpSettings, cached: bool) -> ParsedAnswer:
    """A crash that the target itself reports."""
    error = _field(document, settings.error_field)
    if error in (_MISSING, None, ""):
        error = f"field {settings.success_field!r} is false, and no reason is given"
    elif not isinstance(error, str):
        error = _json_text(error)
    result = _field(document, settings.result_field)
    source_used = _field(document, settings.source_used_field)
    return ParsedAnswer(
        result=result if isinstance(result, str) else "",
        source_used=source_used if isinstance(source_used, str) else "",
        cached=cached,
        error=error,
    )


def _refuse_status(received: ReceivedResponse) -> None:
    """Raises _NoAnswer for every status but 2xx."""
    status = received.status or 0
    if status_codes.is_answer(status):
        return
    if status_codes.is_redirect(status):
        location = one_line(received.headers.get("location", "nowhere"))
        raise _NoAnswer(f"HTTP {status}: a redirect to {location}; redirects are not followed")
    if received.encoding:
        raise _NoAnswer(f"HTTP {status}, with a body in Content-Encoding {one_line(received.encoding)}")
    excerpt = one_line(first_text(received.body))
    raise _NoAnswer(f"HTTP {status}: {excerpt}" if excerpt else f"HTTP {status}, without a body")


def _document(body: bytearray) -> dict[str, Any]:
    if not body.strip():
        raise _NoAnswer("the answer is empty, not JSON")
    try:
        # NaN and Infinity are not JSON, but Python writes them; no field that is read here may hold one.
        document = json.loads(body.decode("utf-8"), parse_int=_whole_number)
    except UnicodeDecodeError as error:
        raise _NoAnswer(f"the answer is not JSON: invalid UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise _NoAnswer("the answer is JSON nested too deeply to be read") from error
    except ValueError as error:
        raise _NoAnswer(f"the answer is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise _NoAnswer(f"the answer is not a JSON object but {_kind(document)}")
    return document


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= MAX_WHOLE_NUMBER_DIGITS else float(digits)


def _field(document: Mapping[str, Any], dotted_path: str) -> Any:
    """The value at `dotted_path`, _MISSING where a step leads nowhere."""
    value: Any = document
    for step in dotted_path.split("."):
        if not isinstance(value, dict) or step not in value:
            return _MISSING
        value = value[step]
    return value


def _text_field(document: Mapping[str, Any], dotted_path: str) -> str:
    value = _field(document, dotted_path)
    if value is _MISSING:
        raise _NoSuchField(f"field {dotted_path!r} is missing", _names(document))
    if isinstance(value, dict | list):  # the text is further inside
        raise _NoSuchField(f"field {dotted_path!r} is {_kind(value)}, not text", _names(document))
    if not isinstance(value, str):
        raise _NoAnswer(f"field {dotted_path!r} is {_kind(value)}, not text")
    return value


def _names(document: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields of an answer as a target's settings name them: those inside an object joined to it by a dot."""
    names: list[str] = []
    for name, value in document.items():
        names.append(one_line(name)[:MAX_NAME_CHARACTERS])
        if isinstance(value, dict):
            names += [f"{names[-1]}.{one_line(inner)[:MAX_NAME_CHARACTERS]}" for inner in list(value)[:MAX_NAMES]]
        if len(names) >= MAX_NAMES:
            return (*names[:MAX_NAMES], "…")
    return tuple(names)


def _kind(value: object) -> str:
    """What JSON calls the kind of `value`, with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "text"
        case dict():
            return "an object"
        case list():
            return "a list"
        case _:
            return "a number"


def _json_text(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return f"{_kind(value)} nested too deeply to be shown"
