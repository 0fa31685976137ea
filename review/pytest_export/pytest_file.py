"""A pytest file that asks a query again and holds the target to the promises that it broke.

Pure: values in, Python out. The file needs httpx and the standard library, and nothing of Gadfly: the checks stand in
it in their own source, as a cycle runs them.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from review.pytest_export.asking import ask_function
from review.pytest_export.context import ExportContext
from review.pytest_export.lifting import lift, names_used
from review.pytest_export.relations import UNKNOWN, about_relation
from selftest.core.generation.queries import Clause
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.allowed_sources import allowed_sources
from selftest.core.judging.answers import Answer
from selftest.core.judging.check_table import CHECKS, Export
from selftest.core.judging.content import moved_items, unmatched_items
from selftest.core.judging.context import CheckInput, content_of
from selftest.core.judging.findings import GROUPS, CheckName, Family
from selftest.core.judging.invariants import layout_of
from selftest.models import Flag
from selftest.storage.serialization import evidence_of

# What an exported test may call; the source of what it does call stands in its file.
LIFTABLE: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        function.__name__: function
        for function in (
            Answer,
            CheckInput,
            layout_of,
            content_of,
            unmatched_items,
            moved_items,
            *(check.function for check in CHECKS.values() if check.export is Export.SOURCE),
        )
    }
)
# What the assertions may name, and how it is made; each may name those below it.
MADE = MappingProxyType(
    {
        "layout": "layout_of(check_input)",
        "check_input": "CheckInput(QUERY, answer, VOCABULARY)",
        "together": "content_of(answer, VOCABULARY).by_source",
    }
)
BROUGHT = [
    "",
    "",
    "def brought(text, source='auto'):",
    '    """Each source with content, and its items."""',
    "    return content_of(ask(text, source), VOCABULARY).by_source",
]


def pytest_file(context: ExportContext) -> str:
    """Valid Python for every query."""
    test = _test_function(context)
    own = [*ask_function(context), *(BROUGHT if "brought" in _names(test) else []), "", "", *test]
    names = _names(own)
    lifted = lift(*(function for name, function in LIFTABLE.items() if name in names))
    modules: dict[str, tuple[str, ...]] = {name: () for name in ("json", "os", "pkgutil", "time") if name in names}
    imports = _imports({**lifted.imports, **modules, "types": ("SimpleNamespace",)})
    return "\n".join(
        [
            f'"""Asks combination {context.combination} again. Needs Python 3.11, pytest and httpx."""',
            "",
            "# ruff: noqa: F821",  # annotations name types that are not lifted
            "from __future__ import annotations",
            "",
            *imports,
            *_third_party(names),
            "",
            *_query(context, has_clauses="CheckInput" in names),
            "",
            "",
            *own,
            *(_vocabulary(context.vocabulary) if "VOCABULARY" in names else []),
            "",
            "",
            "# --- from here on Gadfly's own source, as its cycles run it ---",
            "",
            "",
            lifted.source,
            "",
        ]
    )


def _imports(names_by_module: Mapping[str, tuple[str, ...]]) -> list[str]:
    whole = [f"import {module}" for module, names in sorted(names_by_module.items()) if not names]
    return [
        *whole,
        *(f"from {module} import {', '.join(names)}" for module, names in sorted(names_by_module.items()) if names),
    ]


def _third_party(names: Sequence[str]) -> list[str]:
    modules = [f"import {module}" for module in ("httpx", "pytest") if module in names]
    return ["", *modules] if modules else []


def _names(lines: list[str]) -> list[str]:
    return names_used(ast.parse("\n".join(lines)))


def _query(context: ExportContext, has_clauses: bool) -> list[str]:
    query = context.query
    clauses = ["    clauses=[", *(line for clause in query.clauses for line in _clause(clause)), "    ],"]
    return [
        "QUERY = SimpleNamespace(",
        f"    text={query.text!r},",
        f"    recipe={query.recipe!r},",
        f"    intended_sources={query.intended_sources!r},",
        *(clauses if has_clauses else []),
        ")",
    ]


def _clause(clause: Clause) -> list[str]:
    """What the checks of one answer look at."""
    parts = (
        f"SimpleNamespace(kind={part.kind.value!r}, text={part.text!r}, source={part.source!r})"
        for part in clause.parts
    )
    kinds = sorted(kind.value for kind in clause.kinds)
    return [
        "        SimpleNamespace(",
        f"            kinds={kinds!r},",
        "            parts=[",
        *(f"                {part}," for part in parts),
        "            ],",
        "        ),",
    ]


def _test_function(context: ExportContext) -> list[str]:
    checks = [CheckName(flag.check_name) for flag in context.flags]
    assertions: list[str] = []
    untold: list[str] = []
    for check, flag in zip(checks, context.flags, strict=True):
        lines = _assertion(context, flag)
        assertions += ["", f"# {check}: {CHECKS[check].doc}", *lines]
        untold += [check] * all(line.startswith("#") for line in lines)
    if untold:  # last, so that the others are asserted; to pass would say that the promise is kept
        reason = f"cannot be asserted: {', '.join(untold)}; see the comments above"
        assertions += ["", f"pytest.skip({reason!r})"]
    if not checks:
        assertions = ["", "# It broke no promise so far: this only holds that an answer comes."]
    made: list[str] = []
    for name, value in MADE.items():
        if name in _names([*made, *assertions]):
            made.insert(0, f"{name} = {value}")
    name = "_".join([*checks[:1], "combination", str(context.combination)])
    body = ["answer = ask(QUERY.text)", *made, *assertions]
    return [f"def test_{name}():", *(f"    {line}".rstrip() for line in body)]


def _assertion(context: ExportContext, flag: Flag) -> list[str]:
    check = CHECKS[CheckName(flag.check_name)]
    if context.vocabulary is None and check.name not in WITHOUT_VOCABULARY:
        return ["# The vocabulary that it was checked against is not known any more."]
    if check.export is Export.SOURCE:
        looked_at = "layout and {}(layout)" if check.name in GROUPS[Family.OF_ANY_ANSWER] else "{}(check_input)"
        return [
            f"found = {looked_at.format(check.function.__name__)}",
            "assert not found, f'{found.reason} ({found.where}); seen: {found.seen}'",
        ]
    if check.name is CheckName.SOURCE_MISMATCH and context.vocabulary:
        allowed = sorted(allowed_sources(context.query, context.vocabulary))
        return [f"assert answer.source_used in {allowed!r}, answer.source_used"]
    if check.export is Export.VALUES or context.vocabulary is None:
        return _about_latency(flag)
    return about_relation(context, flag, context.vocabulary)


WITHOUT_VOCABULARY = (CheckName.CRASH, CheckName.LATENCY_OUTLIER, CheckName.PART_SLOW)


def _about_latency(flag: Flag) -> list[str]:
    evidence = evidence_of(flag.evidence)
    if evidence.threshold_ms is None:
        return UNKNOWN
    at_most = f"{evidence.threshold_ms:.0f}"
    if flag.check_name == CheckName.LATENCY_OUTLIER:
        return [f"assert answer.cached or answer.latency_ms <= {at_most}"]
    if not evidence.parts:
        return UNKNOWN
    return [
        "# Twice, as anything may be slow once.",
        f"part_ms = min(ask({evidence.parts[0]!r}).latency_ms for _ in range(2))",
        f"assert part_ms <= {at_most}, f'alone: {{part_ms:.0f}} ms'",
    ]


def _vocabulary(vocabulary: Vocabulary | None) -> list[str]:
    """As much of it as the checks of one answer look at."""
    if vocabulary is None:
        return ["", "", "VOCABULARY = None"]
    values: dict[str, Mapping[str, object] | Sequence[str] | str | bool] = {
        "headers": dict(vocabulary.headers),
        "merged_source": vocabulary.merged_source,
        "empty_phrases": vocabulary.empty_phrases,
        "encyclopedia": vocabulary.encyclopedia,
        "fallbacks": dict(vocabulary.fallbacks),
        "lists_items_once": vocabulary.lists_items_once,
        "opens_with_text": vocabulary.opens_with_text,
        "sections_by_part": vocabulary.sections_by_part,
    }
    return [
        "",
        "",
        "class Vocabulary:",
        '    """What is documented of the router, as of the run that was flagged."""',
        "",
        *(textwrap.indent(f"{name} = {_literal(value)}", "    ") for name, value in values.items()),
        "",
        inspect.getsource(Vocabulary.stand_ins),
        "",
        "VOCABULARY = Vocabulary()",
    ]


def _literal(value: Mapping[str, object] | Sequence[str] | str | bool) -> str:
    """One entry a line."""
    if isinstance(value, str | bool):
        return repr(value)
    if isinstance(value, Mapping):
        lines = [f"    {key!r}: {each!r}," for key, each in value.items()]
        return "\n".join(["{", *lines, "}"])
    return "\n".join(["(", *(f"    {each!r}," for each in value), ")"])
