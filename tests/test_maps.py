"""The maps in selftest/README.md and review/README.md hold to the tree: every path and name in them is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAPS = [ROOT / "selftest" / "README.md", ROOT / "review" / "README.md"]
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.<>*-]*(?:/[\w.<>*-]*)+|[\w-]+\.(?:py|md|html|css|js|svg|toml|json|sh)")
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?(?:\(\))?")
COMMAND = re.compile(r"(?:bash|python|uv run|manage\.py|curl) .*|--[\w-]+")


def _quoted(page: Path) -> list[str]:
    text = re.sub(r"^( {4}.*|```[\s\S]*?^```)$", "", page.read_text(encoding="utf-8"), flags=re.M)
    return sorted(set(QUOTED.findall(text)))


def _paths(page: Path) -> list[str]:
    return [quoted for quoted in _quoted(page) if PATH.fullmatch(quoted) and not quoted.startswith("/")]


def _names(page: Path) -> list[str]:
    return [q for q in _quoted(page) if NAME.fullmatch(q) and not PATH.fullmatch(q)]


def _is_there(page: Path, path: str) -> bool:
    """From the page's own folder or from the root; `<name>` and `*` stand for any name, and one has to fit."""
    pattern = re.sub(r"<[^>]*>", "*", path).rstrip("/")
    return any(next(folder.glob(pattern), None) for folder in (page.parent, ROOT))


def _defined() -> set[str]:
    """Every class, function, constant and attribute of the product's own modules."""
    names: set[str] = set()
    for folder in ("selftest", "review", "tests"):
        for file in (ROOT / folder).rglob("*.py"):
            names.add(file.stem)
            names.update(_names_in(ast.parse(file.read_text(encoding="utf-8"))))
    return names


def _names_in(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
    return found


@pytest.mark.parametrize("page", MAPS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_on_a_map_is_in_the_tree(page: Path) -> None:
    paths = _paths(page)
    assert paths, "the map names no path"
    assert [path for path in paths if not _is_there(page, path)] == []


@pytest.mark.parametrize("page", MAPS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_name_on_a_map_is_defined(page: Path) -> None:
    defined = _defined()
    names = [name.removesuffix("()") for name in _names(page)]
    assert names, "the map names nothing in the code"
    assert [name for name in names if not set(name.split(".")) <= defined] == []


@pytest.mark.parametrize("page", MAPS, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_map_quotes_only_paths_names_and_commands(page: Path) -> None:
    others = [q for q in _quoted(page) if not (PATH.fullmatch(q) or NAME.fullmatch(q) or COMMAND.fullmatch(q))]
    assert [quoted for quoted in others if not quoted.startswith("/")] == []


@pytest.mark.parametrize("page", MAPS, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_map_is_one_page(page: Path) -> None:
    assert len(page.read_text(encoding="utf-8").splitlines()) <= 110


def test_the_map_of_the_engine_names_every_room() -> None:
    named = " ".join(_paths(MAPS[0]))
    rooms = [path.name for path in (ROOT / "selftest").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert [room for room in rooms if f"{room}/" not in named] == []
