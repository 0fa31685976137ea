"""What a document must be to be read: its limits, and JSON and YAML within them. Pure: text in, values out."""

import datetime
import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

MOST_MARKDOWN = 1_000_000  # characters; the longest README of a large project has some 300,000
MOST_STRUCTURED = 5_000_000  # characters of JSON; the description of a large cloud's API has some 4,000,000
MOST_YAML = 2_000_000  # characters; YAML is read some ten times slower than JSON
DEEPEST = 64  # levels; a description of an API has some 20
MOST_NODES = 400_000  # values, each counted as often as an alias repeats it

_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


class DocumentRefusedError(ValueError):
    """A document cannot be read. The message is one line: which, why, and the way out."""


def printable(text: str) -> str:
    """`text` with \\n at line ends, and � for what no page can show and no database hold."""
    return _UNSTORABLE.sub("�", text.replace("\r\n", "\n").replace("\r", "\n"))


def decoded(content: bytes, name: str) -> str:
    """Bytes as text. Raises DocumentRefusedError unless they are UTF-8."""
    try:
        return printable(content.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        raise DocumentRefusedError(
            f"{name} is not UTF-8 text: byte {fault.start} cannot be read; save it as UTF-8"
        ) from fault


def structure_of(text: str, name: str) -> Any:
    """JSON, or else YAML, as plain values with names of text. Raises DocumentRefusedError."""
    if len(text) > MOST_STRUCTURED:
        raise DocumentRefusedError(f"{name} has {len(text):,} characters; {MOST_STRUCTURED:,} can be read: split it")
    is_json = text.lstrip()[:1] in ("{", "[")
    try:
        value = json.loads(text) if is_json else _yaml(text, name)
    except json.JSONDecodeError as fault:
        value = _flow_yaml(text, name, fault)
    except RecursionError as fault:
        raise _too_deep(name) from fault
    except (ValueError, yaml.YAMLError) as fault:
        if isinstance(fault, DocumentRefusedError):
            raise
        raise DocumentRefusedError(f"{name} cannot be read: {_line(fault)}") from fault
    return _Plain(name).of(value)


def _flow_yaml(text: str, name: str, fault: json.JSONDecodeError) -> Any:
    """YAML may begin with a brace, too; where it is not that either, what JSON has against it is said."""
    try:
        return _yaml(text, name)
    except (ValueError, yaml.YAMLError):
        where = f"line {fault.lineno}, column {fault.colno}"
        raise DocumentRefusedError(f"{name} is not JSON: {where}: {fault.msg}") from fault


def _yaml(text: str, name: str) -> Any:
    if len(text) > MOST_YAML:
        raise DocumentRefusedError(
            f"{name} has {len(text):,} characters; {MOST_YAML:,} of YAML can be read: give it as JSON"
        )
    _check_events(text, name)
    return yaml.load(text, Loader=_loader())  # noqa: S506 - a safe loader


def _loader() -> type[Any]:
    """The safe loader, in C where it is there."""
    found: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return found


def _check_events(text: str, name: str) -> None:
    """Counts what a document becomes once aliases are followed, before anything is built of it."""
    sizes: dict[str, int] = {}
    open_anchors: list[str | None] = []
    counts = [0]
    for event in yaml.parse(text, Loader=_loader()):
        match event:
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                open_anchors.append(event.anchor)
                counts.append(1)
                if len(open_anchors) > DEEPEST:
                    raise _too_deep(name)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                size, anchor = counts.pop(), open_anchors.pop()
                if anchor:
                    sizes[anchor] = size
                counts[-1] += size
            case yaml.AliasEvent():
                if event.anchor not in sizes:
                    raise DocumentRefusedError(
                        f"{name}: the alias {event.anchor!r} repeats nothing before it; write it out"
                    )
                counts[-1] += sizes[event.anchor]
            case yaml.ScalarEvent():
                counts[-1] += 1
                if event.anchor:
                    sizes[event.anchor] = 1
        if counts[-1] > MOST_NODES:
            raise DocumentRefusedError(f"{name} has more than {MOST_NODES:,} values; split it")


class _Plain:
    """Values as JSON has them: what YAML makes of dates, numbers as names and sets is text, numbers and lists."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0

    def of(self, value: Any, depth: int = 0) -> Any:
        """Raises DocumentRefusedError for more levels or values than can be read."""
        self._count += 1
        if depth > DEEPEST:
            raise _too_deep(self._name)
        if self._count > MOST_NODES:
            raise DocumentRefusedError(f"{self._name} has more than {MOST_NODES:,} values; split it")
        if isinstance(value, Mapping):
            return {_name_of(name): self.of(each, depth + 1) for name, each in value.items()}
        if isinstance(value, list | tuple | set):
            return [self.of(each, depth + 1) for each in value]
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return value if abs(value) < 1e300 else str(value)  # neither infinity nor NaN is JSON
        return printable(_text(value))


def _name_of(name: Any) -> str:
    return str(name).lower() if isinstance(name, bool) else printable(_text(name))  # `on` and `no` are truth to YAML


def _text(value: Any) -> str:
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _too_deep(name: str) -> DocumentRefusedError:
    return DocumentRefusedError(f"{name} is nested more than {DEEPEST} levels deep; flatten it")


def _line(fault: Exception) -> str:
    return " ".join(str(fault).split())[:200]
