"""The files of a target's documentation, from a folder, an upload or an address. Changes nothing.

What is too large, leads elsewhere or cannot be read is refused as a whole, in one line.
"""

import io
import lzma
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from django.conf import settings

from selftest.knowledge.core.documents import DocumentRefusedError, decoded, structure_of
from selftest.knowledge.core.openapi import is_description
from selftest.knowledge.ingestion import MARKDOWN_NAMES, STRUCTURED_NAMES, is_readable
from selftest.knowledge.models import Documentation, SearchSettings
from selftest.targets.http.fetching import MOST_BYTES, NotFetchedError, fetch_document

# What zipfile raises for a damaged file; NotImplementedError for a way to pack that it does not know.
UNREADABLE_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    EOFError,
    OSError,
    ValueError,
)

MOST_FILES = 500  # that are read
MOST_ENTRIES = 5_000  # that are looked at
MOST_UNPACKED = 20 * 1024 * 1024  # bytes of all files together
LONGEST_PATH = 400  # characters
NAMES_BY_TYPE = {
    "text/markdown": ".md",
    "application/json": ".json",
    "application/yaml": ".yaml",
    "text/yaml": ".yaml",
    "application/x-yaml": ".yaml",
    "application/zip": ".zip",
}


def documentation_folder() -> Path:
    """Where folders of documentation are; nothing outside of it is read."""
    folder: Path = settings.ENVIRONMENT.data_dir / "documentation"
    return folder


def from_folder(location: str) -> dict[str, str]:
    """The documents of a folder below `documentation_folder()`, by path. Raises DocumentRefusedError."""
    top = documentation_folder().resolve()
    try:
        folder = (top / location).resolve()
        is_there = folder.is_dir()
    except (OSError, RuntimeError, ValueError) as fault:  # a name that is too long, a circle of links, a NUL
        raise DocumentRefusedError(f"{location[:100]!r} names no folder: {fault}; name one below {top}") from fault
    if not folder.is_relative_to(top):
        raise DocumentRefusedError(f"{location} is not below {top}; put the folder there")
    if not is_there:
        raise DocumentRefusedError(f"there is no folder {folder}; create it, and put the documents into it")
    files: dict[str, bytes] = {}
    total = 0
    for path in _walk(folder):
        name = path.relative_to(folder).as_posix()
        try:
            with path.open("rb") as file:
                files[name] = file.read(MOST_BYTES + 1)
        except OSError as fault:
            raise DocumentRefusedError(f"{name} cannot be read: {fault.strerror}") from fault
        total += len(files[name])
        _check_size(location, len(files), total)
    return _documents(files, location)


def from_upload(name: str, content: bytes) -> dict[str, str]:
    """One document, or those of a zip file, by path. Raises DocumentRefusedError."""
    name = PurePosixPath(name.replace("\\", "/")).name
    if len(content) > MOST_BYTES:
        raise DocumentRefusedError(f"{name} has {len(content):,} bytes; {MOST_BYTES:,} can be read: split it")
    if name.lower().endswith(".zip"):
        return _documents(_unpacked(name, content), name)
    if not is_readable(name):
        names = ", ".join((*MARKDOWN_NAMES, *STRUCTURED_NAMES, ".zip"))
        raise DocumentRefusedError(f"{name} is of no kind that can be read; give one of {names}")
    return {_safe_path(name): decoded(content, name)}


def from_address(url: str) -> dict[str, str]:
    """What is at an address whose host an admin has allowed, by path. Raises DocumentRefusedError."""
    hosts = SearchSettings.get_solo().documentation_hosts.split()
    try:
        fetched = fetch_document(url, hosts, settings.TARGET_PRIVATE)
    except NotFetchedError as fault:
        raise DocumentRefusedError(f"{url} was not fetched: {fault}") from fault
    name = PurePosixPath(unquote(urlsplit(fetched.url).path)).name or "index"
    if not (is_readable(name) or name.lower().endswith(".zip")):
        name += NAMES_BY_TYPE.get(fetched.media_type, "")
    return from_upload(name, fetched.content)


def gathered(documentation: Documentation) -> dict[str, str]:
    """Read once more from where it was read; of an upload, what was kept. Raises DocumentRefusedError."""
    if documentation.origin == Documentation.Origin.FOLDER:
        return from_folder(documentation.location)
    if documentation.origin == Documentation.Origin.URL:
        return from_address(documentation.location)
    return dict(documentation.documents.order_by("path").values_list("path", "content"))


def _walk(folder: Path) -> Iterator[Path]:
    """Files of a kind that is read, in order; links and what is hidden are passed over."""
    seen = 0
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            seen += 1
            if seen > MOST_ENTRIES:
                raise DocumentRefusedError(f"{folder.name} has more than {MOST_ENTRIES:,} files; give a smaller folder")
            path = Path(top, name)
            if is_readable(name) and not name.startswith(".") and path.is_file() and not path.is_symlink():
                yield path


def _unpacked(name: str, content: bytes) -> dict[str, bytes]:
    """The documents in a zip file. What its directory says of sizes is not believed."""
    files: dict[str, bytes] = {}
    total = 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_ENTRIES:
                raise DocumentRefusedError(f"{name} holds more than {MOST_ENTRIES:,} files; leave some out")
            for entry in entries:
                path = _safe_path(entry.filename)
                if entry.is_dir() or not is_readable(path) or _is_hidden(path):
                    continue
                if entry.flag_bits & 1:
                    raise DocumentRefusedError(f"{name} is encrypted; give it without a password")
                with archive.open(entry) as file:
                    files[path] = file.read(min(MOST_BYTES, MOST_UNPACKED - total) + 1)
                total += len(files[path])
                _check_size(name, len(files), total)
    except UNREADABLE_ZIP as fault:
        if isinstance(fault, DocumentRefusedError):
            raise
        raise DocumentRefusedError(f"{name} is no zip file that can be read: {' '.join(str(fault).split())}") from fault
    return files


def _check_size(name: str, files: int, total: int) -> None:
    if files > MOST_FILES:
        raise DocumentRefusedError(f"{name} holds more than {MOST_FILES} documents; leave some out")
    if total > MOST_UNPACKED:
        raise DocumentRefusedError(f"{name} holds more than {MOST_UNPACKED:,} bytes of documents; leave some out")


def _safe_path(path: str) -> str:
    """A path that stays where it is. Raises DocumentRefusedError."""
    parts = path.rstrip("/").split("/")
    is_odd = "\\" in path or ":" in parts[0] or not path.isprintable() or len(path) > LONGEST_PATH
    if is_odd or any(part in ("", ".", "..") for part in parts):
        raise DocumentRefusedError(f"the path {path[:100]!r} leads elsewhere or cannot be shown; rename the file")
    return path


def _is_hidden(path: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in path.split("/"))


def _documents(files: Mapping[str, bytes], name: str) -> dict[str, str]:
    """As text; JSON and YAML that describe no API are passed over, as folders hold much of that."""
    found = {}
    for path in sorted(files):
        if len(files[path]) > MOST_BYTES:
            raise DocumentRefusedError(f"{path} has more than {MOST_BYTES:,} bytes; split it")
        text = decoded(files[path], _safe_path(path))
        if path.lower().endswith(MARKDOWN_NAMES) or is_description(structure_of(text, path)):
            found[path] = text
    if not found:
        raise DocumentRefusedError(
            f"{name} holds no document that can be read; give Markdown, or OpenAPI as JSON or YAML"
        )
    return found
