"""What an exported test holds of the engine's source decides as the engine does, and needs nothing else of ours."""

import random
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import lru_cache
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.pytest_export import lifting
from review.pytest_export.lifting import lift
from review.pytest_export.pytest_file import LIFTABLE
from selftest.core.generation.examples import examples
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.judging.answers import Answer
from selftest.core.judging.check_table import CHECKS, Export
from selftest.core.judging.content import moved_items, unmatched_items
from selftest.core.judging.context import CheckInput, content_of
from selftest.core.judging.failure_phrases import failure_phrase
from selftest.core.judging.findings import GROUPS, Family
from selftest.core.judging.invariants import layout_of
from selftest.measuring.detection import fault_names
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.target import ReferenceTarget

pytestmark = pytest.mark.slow("judges the answers of every planted fault")

VOCABULARY = reference_vocabulary()
EXPORTED = [check for check in CHECKS.values() if check.export is Export.SOURCE]
Scope = Mapping[str, Any]


def run(*functions: Callable[..., Any]) -> Scope:
    """The names of what was lifted, in a program of their own."""
    lifted = lift(*functions)
    imports = [
        f"from {module} import {', '.join(names)}" if names else f"import {module}"
        for module, names in lifted.imports.items()
    ]
    assert not any("selftest" in statement or "review" in statement for statement in imports)
    scope: dict[str, Any] = {}
    exec("\n".join(["from __future__ import annotations", *imports, lifted.source]), scope)
    return scope


run_once = lru_cache(run)


@pytest.fixture(scope="module")
def lifted() -> Scope:
    return run(*LIFTABLE.values())


@pytest.fixture(scope="module")
def queries() -> list[Query]:
    return [query for recipe in RECIPES.values() for query in examples(recipe, VOCABULARY, random.Random(3))]


def found_by_engine(check_input: CheckInput) -> dict[str, str]:
    layout = layout_of(check_input)
    looked_at = {
        check.name: layout if check.name in GROUPS[Family.OF_ANY_ANSWER] else check_input for check in EXPORTED
    }
    found = {check.name: looked_at[check.name] and check.function(looked_at[check.name]) for check in EXPORTED}
    return {name: finding.reason for name, finding in found.items() if finding}


def found_by_lifted(scope: Scope, check_input: CheckInput) -> dict[str, str]:
    query, answer = check_input.query, scope["Answer"](**vars(check_input.answer))
    asked = SimpleNamespace(
        text=query.text, recipe=query.recipe, intended_sources=query.intended_sources, clauses=query.clauses
    )
    here = scope["CheckInput"](asked, answer, VOCABULARY)
    layout = scope["layout_of"](here)
    found = {}
    for check in EXPORTED:
        looked_at = layout if check.name in GROUPS[Family.OF_ANY_ANSWER] else here
        found[check.name] = looked_at and scope[check.function.__name__](looked_at)
    return {name: finding.reason for name, finding in found.items() if finding}


@pytest.mark.parametrize("fault", [None, *fault_names()])
def test_it_finds_what_the_engine_finds_in_each_answer(fault: str | None, lifted: Scope, queries: list[Query]) -> None:
    with closing(ReferenceTarget(faults=[fault] if fault else (), empty_rate=0.2, sleep=lambda _: None)) as router:
        for query in queries:
            answer = router.ask(query.text)
            check_input = CheckInput(query, answer, VOCABULARY)
            assert found_by_lifted(lifted, check_input) == found_by_engine(check_input)
            there = lifted["content_of"](answer, VOCABULARY).by_source
            here = content_of(answer, VOCABULARY).by_source
            assert {s: [i.text for i in items] for s, items in there.items()} == {
                s: [i.text for i in items] for s, items in here.items()
            }


HEADER = VOCABULARY.headers["kiwix"]
ANSWERS = (
    "", " \n", "---", f"{HEADER}", f"{HEADER}\n\n---\n\n{HEADER}\nIron.", f"Before.\n{HEADER}\nIron.", HEADER[:9],
    f"{HEADER}\n- Iron is one.\n- Iron is one.", "Error: could not connect", "They could not connect, and went home.",
    f"{HEADER}\nIron. {HEADER}", "{{ header }}", "[ARCHIVE — OLD]\nx", f"{HEADER}\nNo results found.\n\n---\n\n",
    "Traceback (most recent call last):\n  File \"a\", line 1", f"\x85{HEADER}\u2028x",
)  # fmt: skip


@pytest.mark.parametrize("result", ANSWERS)
@pytest.mark.parametrize("source", [VOCABULARY.merged_source, "kiwix", "news"])
def test_it_finds_the_same_in_answers_at_the_edge(
    result: str, source: str, lifted: Scope, queries: list[Query]
) -> None:
    for query in queries:
        check_input = CheckInput(query, Answer(result, source, 1.0), VOCABULARY)
        assert found_by_lifted(lifted, check_input) == found_by_engine(check_input)


def test_among_these_answers_are_some_for_most_checks(queries: list[Query]) -> None:
    inputs = [CheckInput(query, Answer(text, "fusion", 1.0), VOCABULARY) for text in ANSWERS for query in queries]
    assert len({name for check_input in inputs for name in found_by_engine(check_input)}) >= 10


def test_items_are_compared_alike(lifted: Scope) -> None:
    lines = ("Iron is a metal.", "Iron is a metal…", "Pollux: a star", "Pollux", "12:30", "At 12:31 all was up", "Tin")
    ours = content_of(Answer("\n".join(lines), "kiwix", 1.0), VOCABULARY).by_source["kiwix"]
    theirs = lifted["content_of"](Answer("\n".join(lines), "kiwix", 1.0), VOCABULARY).by_source["kiwix"]
    for start in range(len(lines)):
        here, there = (
            unmatched_items(ours[start:], ours[:start]),
            lifted["unmatched_items"](theirs[start:], theirs[:start]),
        )
        assert [item.text for item in here] == [item.text for item in there]
        here = moved_items(ours[start:], ours[::-1], [ours[:1]])
        there = lifted["moved_items"](theirs[start:], theirs[::-1], [theirs[:1]])
        assert [item.text for item in here] == [item.text for item in there]


@given(st.sampled_from([*VOCABULARY.empty_phrases, "The news"]), st.text(max_size=40), st.text(max_size=40))
def test_what_it_calls_a_failure_is_one_to_the_engine_too(phrase: str, before: str, after: str) -> None:
    text, there = f"{before}{phrase}{after}", run_once(failure_phrase)["failure_phrase"]
    assert there(text, VOCABULARY.empty_phrases) == failure_phrase(text, VOCABULARY.empty_phrases)


@pytest.mark.parametrize("check", EXPORTED, ids=lambda check: str(check.name))
def test_each_check_stands_by_itself(check: Any) -> None:
    scope = run(check.function, CheckInput, layout_of)
    query = SimpleNamespace(text="iron", recipe="multi_intent_chain", intended_sources=("news", "kiwix"), clauses=())
    check_input = scope["CheckInput"](query, Answer(f"{HEADER}\nIron is a metal.", "fusion", 1.0), VOCABULARY)
    looked_at = scope["layout_of"](check_input) if check.name in GROUPS[Family.OF_ANY_ANSWER] else check_input
    assert scope[check.function.__name__](looked_at) is None


def test_only_what_is_used_comes_along() -> None:
    names = lift(failure_phrase).definitions
    assert "LEAD_IN" in names
    assert not {"Answer", "RULE", "split_sections"} & set(names)


def module_of(name: str, source: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    path = tmp_path / f"{name}.py"
    path.write_text(source)
    module = ModuleType(f"selftest.{name}")
    module.__file__ = str(path)
    exec(compile(source, str(path), "exec"), vars(module))
    monkeypatch.setitem(lifting.sys.modules, module.__name__, module)
    return module


def test_functions_that_call_each_other_are_lifted_once(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    annotated = "from __future__ import annotations\ndef even(n: Odd):\n    return n == 0 or odd(n - 1)\n"
    source = f"{annotated}\ndef odd(n):\n    return n != 0 and even(n - 1)\n"
    module = module_of("numbers", source, tmp_path, monkeypatch)
    scope = run(module.even, module.odd)
    assert scope["even"](4)
    assert not scope["odd"](4)


def test_two_things_of_one_name_are_refused(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one = module_of("one", "def same():\n    return 1\n", tmp_path, monkeypatch)
    other = module_of("other", "def same():\n    return 2\n", tmp_path, monkeypatch)
    with pytest.raises(ValueError, match=r"both selftest\.one and selftest\.other define same"):
        lift(one.same, other.same)
