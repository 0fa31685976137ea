"""Which of the product's own files are searched: packaged lists and seeds, and what an admin has put beside them."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from selftest.knowledge.core.chunks import Kind
from selftest.knowledge.core.doctor_seeds import LANGUAGES, KnownCheck, Prepared, controls_of, prepare
from selftest.knowledge.core.documents import DocumentRefusedError, decoded, structure_of

SEEDS = Path(__file__).parent / "seeds"
ALLOW_LIST = SEEDS / "documents.json"
CHECKS = "selftest.operating.doctor.checks.CHECKS"  # looked up at run time: they know the whole installation
MANIFEST_NAME = "documents-manifest.json"
CONTROLS_NAME = "doctor-controls.json"
KINDS = {"documents": Kind.DOCS, "guarantees": Kind.GUARANTEE}


@dataclass(frozen=True)
class SourceFile:
    """A Markdown file. path: below the root, with forward slashes."""

    path: str
    kind: Kind
    file: Path


@dataclass(frozen=True)
class WrittenFile:
    """What became of a file of `sources prepare`: "written", "unchanged", or "kept" as an admin has edited it."""

    path: Path
    outcome: str


@dataclass(frozen=True)
class PreparedSources:
    """documents: how many are listed. without_seed, without_check: as in Prepared."""

    checks: int
    without_seed: tuple[str, ...]
    without_check: tuple[str, ...]
    documents: int
    files: tuple[WrittenFile, ...]


def knowledge_folder() -> Path:
    """Where an admin's own lists are kept."""
    folder: Path = settings.ENVIRONMENT.data_dir / "knowledge"
    return folder


def source_files(root: Path | None = None, allow_list: Path = ALLOW_LIST) -> list[SourceFile]:
    """Those of the allow-list; where it leads to none, those of the manifest; else those below the scan roots."""
    top = (root or Path(settings.BASE_DIR)).resolve()
    listed = _read(allow_list)
    found = [file for name, kind in KINDS.items() for file in _matching(top, listed.get(name), kind)]
    if not found:
        manifest = _read(knowledge_folder() / MANIFEST_NAME)
        rows = manifest.get("documents") or ()
        found = [
            file
            for row in rows
            if isinstance(row, Mapping)
            for file in _matching(top, [row.get("path")], _kind(row.get("kind")))
        ]
    if not found:
        found = list(_matching(top, listed.get("scan"), Kind.DOCS))
    by_path = {file.path: file for file in reversed(found)}
    return [by_path[path] for path in sorted(by_path)]


def doctor_checks() -> Prepared:
    """Each check that exists, with its seeds and with what an admin has set."""
    controls = _read(knowledge_folder() / CONTROLS_NAME).get("checks")
    return prepare(known_checks(), doctor_seeds(), controls if isinstance(controls, Mapping) else None)


def known_checks() -> list[KnownCheck]:
    """The checks of `manage.py doctor`."""
    return [
        KnownCheck(check.code, check.title, check.severity, check.symptoms, check.remedy, check.command)
        for check in import_string(CHECKS)
    ]


@cache
def doctor_seeds() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """The packaged words, by language and code."""
    return {language: json.loads((SEEDS / f"doctor.{language}.json").read_text("utf-8")) for language in LANGUAGES}


def prepare_sources(overwrite: bool = False) -> PreparedSources:
    """Writes the controls of checks and the list of documents where an admin can edit them.

    overwrite: also what was edited since it was written.
    """
    prepared = prepare(known_checks(), doctor_seeds())
    files = source_files()
    rows = [{"path": file.path, "kind": str(file.kind)} for file in files]
    folder = knowledge_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    written = (
        _write(folder / CONTROLS_NAME, "checks", controls_of(prepared), overwrite),
        _write(folder / MANIFEST_NAME, "documents", rows, overwrite),
    )
    return PreparedSources(len(prepared.checks), prepared.without_seed, prepared.without_check, len(files), written)


def _matching(root: Path, patterns: Any, kind: Kind) -> Iterator[SourceFile]:
    """Files below `root`; a link that leads out of it is passed over."""
    for pattern in patterns if isinstance(patterns, list) else ():
        if not isinstance(pattern, str) or not pattern or pattern.startswith("/") or ".." in pattern.split("/"):
            continue
        for file in sorted(root.glob(pattern)):
            if file.is_file() and file.resolve().is_relative_to(root):
                yield SourceFile(file.relative_to(root).as_posix(), kind, file)


def _kind(name: Any) -> Kind:
    return Kind.GUARANTEE if name == Kind.GUARANTEE else Kind.DOCS


def _read(path: Path) -> Mapping[str, Any]:
    """A JSON file; empty where there is none. Raises DocumentRefusedError where it cannot be read."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as fault:
        raise DocumentRefusedError(f"{path.name} cannot be read: {fault.strerror}") from fault
    value = structure_of(decoded(content, path.name), path.name)
    if not isinstance(value, dict):
        raise DocumentRefusedError(f"{path.name} is not a JSON object; delete it, and prepare the sources again")
    return value


def _write(path: Path, name: str, content: Any, overwrite: bool) -> WrittenFile:
    """With the SHA-256 of its content, by which it is known later whether anyone edited it."""
    try:
        present = _read(path)
    except DocumentRefusedError:
        present = {"sha256": "edited"}
    if present and not overwrite and present.get("sha256") != _sha256(present.get(name)):
        return WrittenFile(path, "kept")
    document = {"sha256": _sha256(content), name: content}
    if present == document:
        return WrittenFile(path, "unchanged")
    path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", "utf-8")
    path.chmod(0o600)
    return WrittenFile(path, "written")


def _sha256(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
