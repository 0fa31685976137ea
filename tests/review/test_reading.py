"""Pages and calls read the engine's rows through selftest.reading: none of them queries a model itself."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

REVIEW = Path(__file__).parents[2] / "review"
MODULES = sorted(path for room in ("views", "contexts", "api") for path in (REVIEW / room).glob("*.py"))


def _queried(module: ast.Module) -> Iterator[str]:
    imported = {
        name.asname or name.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("selftest.models")
        for name in node.names
    }
    for node in ast.walk(module):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr="objects") if name in imported:
                yield f"{name}.objects in line {node.lineno}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_page_and_no_call_queries_a_model_of_the_engine(path: Path) -> None:
    assert list(_queried(ast.parse(path.read_text()))) == []


def test_a_query_would_be_found() -> None:
    module = ast.parse("from selftest.models import Target\nTarget.objects.all()")
    assert list(_queried(module)) == ["Target.objects in line 2"]
