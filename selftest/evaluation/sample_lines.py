"""Answers to be graded, as lines of JSON: what a line may hold, and what is wrong with one that cannot be read."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from selftest.evaluation.core.samples import Part, Sample, Term
from selftest.refusals import RefusedError

FIELDS = frozenset(field.name for field in fields(Sample)) - {"changing"}  # known of a target, not of an answer
TEXTS = frozenset(("query", "answer", "reference", "language"))
PARTS = frozenset(("sections", "context"))


class SampleError(RefusedError):
    """A line that holds no sample. The message says which one."""


def documents(lines: Iterable[str], name: str) -> list[tuple[str, dict[str, Any]]]:
    """Each line that is not blank, with where it stands in `name`. Raises SampleError."""
    numbered = ((f"{name} line {number}", line) for number, line in enumerate(lines, start=1) if line.strip())
    return [(where, _document(line, where)) for where, line in numbered]


def _document(line: str, where: str) -> dict[str, Any]:
    try:
        document = json.loads(line.removeprefix("\ufeff"))  # some editors put a mark before the first line
    except (ValueError, RecursionError) as fault:
        raise SampleError(f"{where}: no JSON") from fault
    if not isinstance(document, dict):
        raise SampleError(f"{where}: no object")
    return document


def read_samples(file: Path) -> list[Sample]:
    """One sample a line, with the fields of Sample and no others. Raises SampleError, also for a file without any."""
    try:
        lines = file.read_text(encoding="utf-8").split("\n")  # JSON may hold what else ends a line
    except (OSError, UnicodeDecodeError) as fault:
        raise SampleError(f"{file} cannot be read: {fault}") from fault
    samples = []
    for where, document in documents(lines, str(file)):
        if unknown := sorted(set(document) - FIELDS):
            raise SampleError(f"{where}: unknown field {unknown[0]!r}; known: {', '.join(sorted(FIELDS))}")
        samples.append(sample_of_line(document, where))
    if not samples:
        raise SampleError(f"{file} holds no sample")
    return samples


def sample_of_line(document: Mapping[str, Any], where: str) -> Sample:
    """The sample of a line; other fields than those of Sample are passed over. Raises SampleError."""
    given = {name: value for name, value in document.items() if name in FIELDS and value is not None}
    if "answer" not in given:
        raise SampleError(f"{where}: answer is missing")
    try:
        return Sample(**{"query": "", **{name: _value(name, value) for name, value in given.items()}})
    except (TypeError, LookupError) as fault:
        raise SampleError(f"{where}: {fault}") from fault


def terms_of_line(document: Mapping[str, Any], where: str) -> tuple[Term, ...]:
    """`terms` of a line: term → its rival, or a list of them. Raises SampleError."""
    given = document.get("terms")
    if given is None:
        return ()
    if not isinstance(given, dict):
        raise SampleError(f"{where}: terms is no object")
    try:
        lists = {name: [rivals] if isinstance(rivals, str) else rivals for name, rivals in given.items()}
        return tuple(Term(name, tuple(_value(f"terms: {name}", rivals))) for name, rivals in lists.items())
    except TypeError as fault:
        raise SampleError(f"{where}: {fault}") from fault


def _value(name: str, value: Any) -> Any:
    if name in TEXTS:
        return _text(name, value)
    if not isinstance(value, list):
        raise TypeError(f"{name} is no list")
    if name in PARTS:
        return tuple(_part(name, each) for each in value)
    return tuple(_text(name, each) for each in value)


def _part(name: str, value: Any) -> Part:
    """A text alone is of no known source."""
    if isinstance(value, str):
        return Part(None, value)
    if not isinstance(value, dict) or "text" not in value:
        raise TypeError(f"{name} holds something that is neither a text nor an object with source and text")
    source = value.get("source")
    return Part(None if source is None else _text(name, source), _text(name, value["text"]))


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} holds something that is no text")
    return value
