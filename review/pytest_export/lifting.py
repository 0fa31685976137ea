"""The source of functions together with everything of ours that they use, as text that needs only other libraries.

Pure: reads source, runs nothing. Annotations are not followed: under `from __future__ import annotations` they are
never evaluated, so what only they name is left behind.
"""

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

OURS = "selftest."


@dataclass
class Lifted:
    """definitions: name → source, each after those that it uses. imports: module → the names from it, () for itself."""

    definitions: dict[str, str] = field(default_factory=dict)
    imports: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The definitions, parted as a formatter would."""
        text, before = "", ""
        for definition in self.definitions.values():
            are_values = not any(each.startswith(("def ", "class ", "@")) for each in (before, definition))
            text += ("\n" if are_values else "\n\n\n") * bool(before) + definition
            before = definition
        return text


@dataclass(frozen=True)
class _Module:
    """lines: of its source. definitions: name → its statement. origins: name → the import that brings it."""

    lines: list[str]
    definitions: Mapping[str, ast.stmt]
    origins: Mapping[str, ast.Import | ast.ImportFrom]

    def text_of(self, name: str) -> str:
        statement = self.definitions[name]
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
        return "\n".join(self.lines[first - 1 : statement.end_lineno])


def lift(*roots: Callable[..., Any]) -> Lifted:
    """`roots` with all that they use. Raises ValueError where two modules have different things of one name."""
    lifted, owners = Lifted(), dict[str, str]()
    for root in roots:
        _lift_name(root.__name__, root.__module__, lifted, owners)
    return lifted


def _lift_name(name: str, module_name: str, lifted: Lifted, owners: dict[str, str]) -> None:
    module = _module(module_name)
    origin = module.origins.get(name)
    if isinstance(origin, ast.ImportFrom) and str(origin.module).startswith(OURS):
        _lift_name(name, str(origin.module), lifted, owners)
    elif origin is not None:
        module_of_it, names = (str(origin.module), (name,)) if isinstance(origin, ast.ImportFrom) else (name, ())
        lifted.imports[module_of_it] = tuple(sorted({*lifted.imports.get(module_of_it, ()), *names}))
    elif name in module.definitions:
        if name in owners:
            if owners[name] != module_name:
                raise ValueError(f"both {owners[name]} and {module_name} define {name}")
            return
        owners[name] = module_name  # before what it uses, as functions may call each other
        for used in _names_used_by(name, module_name):
            _lift_name(used, module_name, lifted, owners)
        lifted.definitions[name] = module.text_of(name)


@cache
def _module(name: str) -> _Module:
    source = inspect.getsource(sys.modules[name])
    definitions: dict[str, ast.stmt] = {}
    origins: dict[str, ast.Import | ast.ImportFrom] = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            origins |= {alias.asname or alias.name: statement for alias in statement.names}
        else:
            definitions |= dict.fromkeys(_bound_by(statement), statement)
    return _Module(source.split("\n"), definitions, origins)


@cache
def _names_used_by(name: str, module_name: str) -> tuple[str, ...]:
    return tuple(names_used(_module(module_name).definitions[name]))


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def names_used(tree: ast.AST) -> list[str]:
    """The names that are read when `tree` runs, each once, in order."""
    reader = _NameReader()
    reader.visit(tree)
    return list(reader.names)


class _NameReader(ast.NodeVisitor):
    def __init__(self) -> None:
        self.names: dict[str, None] = {}

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.names[node.id] = None

    def visit_arg(self, node: ast.arg) -> None:
        """Passes over its annotation."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for each in (*node.decorator_list, node.args, *node.body):
            self.visit(each)
