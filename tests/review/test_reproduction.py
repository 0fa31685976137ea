"""A query copied as curl, JSON and pytest: it asks the same, and the test holds the target to its promise."""

import json
import os
import random
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.contexts.reproduction import Reproduction
from review.pytest_export.context import ExportContext
from review.pytest_export.pytest_file import pytest_file
from selftest.core.generation.examples import examples
from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.judging.answers import Answer
from selftest.core.judging.check_table import specified_findings
from selftest.core.judging.context import CheckInput
from selftest.core.judging.findings import CheckName, Finding
from selftest.models import Flag, Run, Target
from selftest.storage.serialization import evidence_document
from selftest.targets.reference.app import serve
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.target import ReferenceTarget

VOCABULARY = reference_vocabulary()
NASTY = 'it\'s "quoted"\\ `id` $(id) $HOME {1..3} [a-z] é ☃ \u202e \ud800 \'\'\' """ \n# {query} %s'


def http_target(**columns: object) -> Target:
    return Target(name="router", kind=Target.Kind.HTTP, base_url="http://127.0.0.1:9/", path="/search", **columns)


def exported(target: Target | None = None, text: str = "tell me about molybdenum", **more: object) -> ExportContext:
    query = Query("no_intent_fallthrough", (Part(PartKind.TOPIC, text),))
    context = ExportContext(12, fingerprint_of(query), query, target or http_target(), None, (), VOCABULARY)
    return replace(context, **more)  # type: ignore[arg-type]


def reproduction_of(context: ExportContext) -> Reproduction:
    return Reproduction.of(context, pytest_file(context))


def words_of(command: str) -> list[str]:
    return shlex.split(command.replace("\\\n", " "))


# --- curl ---


def test_curl_posts_the_query_with_the_names_that_the_target_has_for_its_fields() -> None:
    target = http_target(query_field="q", source_field="route_to", time_limit_s=30)
    words = words_of(reproduction_of(exported(target)).curl)
    assert words[:5] == ["curl", "--silent", "--show-error", "--globoff", "http://127.0.0.1:9/search"]
    assert words[words.index("--max-time") + 1] == "30"
    assert "X-Selftest: 1" in words
    assert json.loads(words[-1]) == {"q": "tell me about molybdenum", "route_to": "auto"}
    assert not any("X-API-Key" in word for word in words)


def test_a_key_is_named_and_never_told() -> None:
    reproduction = reproduction_of(exported(http_target(api_key="hush-hush")))
    assert '--header "X-API-Key: $TARGET_API_KEY"' in reproduction.curl
    assert "'X-API-Key': os.environ['TARGET_API_KEY']" in reproduction.test
    assert "hush-hush" not in repr(reproduction)


@pytest.mark.process
def test_a_shell_gives_curl_exactly_the_query() -> None:
    command = reproduction_of(exported(text=NASTY)).curl
    echoed = subprocess.run(
        ["sh", "-c", f"curl() {{ for last; do :; done; printf %s \"$last\"; }}; {command}"],
        capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    assert json.loads(echoed)["query"] == exported(text=NASTY).query.text


def test_for_the_bundled_router_it_says_what_has_to_be_served_first() -> None:
    target = Target(name="bundled", kind=Target.Kind.REFERENCE, reference_faults=["remainder_swallowed", "slow"])
    reproduction = reproduction_of(exported(target))
    assert "in Gadfly's process" in reproduction.why_no_curl
    assert reproduction.serving == "uv run manage.py reference_target --fault remainder_swallowed slow"
    assert "http://127.0.0.1:8090/search" in reproduction.curl


def test_a_python_function_has_no_curl_and_a_command_that_asks_it_as_gadfly_does() -> None:
    target = Target(name="o'brien", kind=Target.Kind.PYTHON, dotted_path="package.router.route")
    reproduction = reproduction_of(exported(target, text=NASTY))
    assert reproduction.curl == ""
    assert "Python function in Gadfly's process" in reproduction.why_no_curl
    words = words_of(reproduction.command)
    assert words[:5] == ["uv", "run", "manage.py", "shell", "--no-imports"]
    compile(words[-1], "command", "exec")


# --- JSON ---


def test_json_holds_the_query_its_parts_and_what_was_found() -> None:
    found = Flag(check_name="crash", reason="crash: boom", evidence={"promised": "p", "seen": "s", "where": "error"})
    run = Run(pk=34, source_used="kiwix", latency_ms=35.2, error="boom", result_length_bytes=0, result_sha256="e3")
    document = json.loads(reproduction_of(exported(flags=(found,), run=run)).document)
    assert document["query"] == "tell me about molybdenum"
    assert document["parts"] == [{"kind": "topic", "text": "tell me about molybdenum", "source": ""}]
    assert document["fingerprint"] == '["topic:tell me about molybdenum"]'
    assert document["target"] == {"name": "router", "kind": "http"}
    assert document["findings"] == [
        {"check": "crash", "reason": "crash: boom", "promised": "p", "seen": "s", "where": "error"}
    ]
    assert document["run"]["id"] == 34
    assert document["run"]["source_used"] == "kiwix"


# --- pytest ---


def every_flag() -> tuple[Flag, ...]:
    evidence = {"promised": "at most 1000 ms", "seen": NASTY, "where": NASTY}
    return tuple(Flag(check_name=check.value, reason=f"{check}: {NASTY}", evidence=evidence) for check in CheckName)


@pytest.mark.parametrize(
    "target",
    [
        http_target(api_key="k", result_field="data.answer"),
        Target(name=NASTY, kind=Target.Kind.REFERENCE, reference_faults=["a\nb"]),
        Target(name="python", kind=Target.Kind.PYTHON, dotted_path="a.b:c"),
    ],
)
@given(text=st.text(min_size=1))
def test_it_is_python_whatever_the_query_holds(target: Target, text: str) -> None:
    compile(pytest_file(exported(target, text=f"x{text}", flags=every_flag())), "test", "exec")


def test_it_is_python_also_for_what_breaks_out_of_quotes() -> None:
    source = pytest_file(exported(text=NASTY, flags=every_flag(), run=Run(pk=1, result=NASTY)))
    compile(source, "test", "exec")


def test_without_its_vocabulary_only_what_needs_none_is_held() -> None:
    source = pytest_file(exported(vocabulary=None, flags=every_flag()))
    compile(source, "test", "exec")
    assert "found = crash(check_input)" in source
    assert "VOCABULARY = None" in source
    assert source.count("not known any more") == len(CheckName) - 3  # a crash and two limits in ms


@pytest.fixture
def served() -> Iterator[Callable[..., str]]:
    """Serves the bundled router with these faults; its address."""
    running = []

    def start(*faults: str) -> str:
        router = ReferenceTarget(faults=faults)
        server = serve(router)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        running.append((router, server))
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for router, server in running:
        server.shutdown()
        server.server_close()
        router.close()


def function_in(source: str) -> Callable[[], None]:
    scope: dict[str, Callable[[], None]] = {}
    exec(compile(source, "copied", "exec"), scope)  # type: ignore[arg-type]
    (found,) = (value for name, value in scope.items() if name.startswith("test_"))
    return found


def run_test(tmp_path: Path, source: str) -> subprocess.CompletedProcess[str]:
    path = tmp_path / "test_copied.py"
    path.write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(path)]
    environment = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)


HISTORY_MS = (10.0,) * 20  # of the recipe, so that a slow answer stands out


@lru_cache(maxsize=1)
def some_queries() -> list[Query]:
    seeds = range(12)
    return [q for seed in seeds for r in RECIPES.values() for q in examples(r, VOCABULARY, random.Random(seed))]


def found_by(router: ReferenceTarget, query: Query) -> tuple[Finding, ...]:
    return specified_findings(CheckInput(query, router.ask(query.text), VOCABULARY, HISTORY_MS))


def broken_by(fault: str, check: CheckName) -> tuple[Query, Answer, tuple[Finding, ...]]:
    """A query that the bundled router answers well, and with this fault breaks the promise of `check`."""
    with closing(ReferenceTarget()) as honest, closing(ReferenceTarget(faults=[fault])) as faulty:
        for query in some_queries():
            found = found_by(faulty, query)
            if found and found[0].check is check and not found_by(honest, query):
                return query, faulty.ask(query.text), found
    raise AssertionError(f"{fault} never broke {check}")


@pytest.mark.parametrize(
    ("check", "fault"),
    [
        (CheckName.CRASH, "exception_on_phrase"),
        (CheckName.CRASH, "traceback_in_text"),
        (CheckName.SOURCE_MISMATCH, "source_swapped"),
        (CheckName.PART_COUNT_MISMATCH, "collapses_to_first_intent"),
        (CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX, "keywords_ignore_discourse"),
        (CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS, "remainder_swallowed"),
        (CheckName.UNEXPECTED_EMPTY, "failure_phrase_as_content"),
        (CheckName.UNEXPECTED_EMPTY, "empty_answer"),
        pytest.param(
            CheckName.LATENCY_OUTLIER,
            "slow_path",
            marks=pytest.mark.slow("asks a router that is slow until its history tells"),
        ),
    ],
)
def test_the_copied_test_fails_while_the_fault_is_there_and_passes_once_it_is_gone(
    check: CheckName, fault: str, served: Callable[..., str], tmp_path: Path
) -> None:
    query, answer, found = broken_by(fault, check)
    flags = tuple(Flag(check_name=f.check.value, reason=f.reason, evidence=evidence_document(f)) for f in found)
    run = Run(pk=34, result=answer.result, source_used=answer.source_used, error=answer.error or "")

    def test_on(address: str) -> Callable[[], None]:
        target = Target(name="router", kind=Target.Kind.HTTP, base_url=address, path="/search", time_limit_s=20)
        return function_in(pytest_file(exported(target, query=query, flags=flags, run=run)))

    with pytest.raises(AssertionError):
        test_on(served(fault))()
    test_on(served())()


@pytest.mark.process
def test_of_a_python_target_the_function_itself_is_called_and_pytest_runs_it(tmp_path: Path) -> None:
    (tmp_path / "router.py").write_text(
        "def route(query, source):\n    return 'All about it.', SOURCE\nSOURCE = 'home'\n"
    )
    target = Target(name="python", kind=Target.Kind.PYTHON, dotted_path="router.route", time_limit_s=20)
    evidence = {"promised": "kiwix", "seen": "home", "where": "source_used"}
    flag = Flag(check_name="source_mismatch", reason="source_mismatch: home", evidence=evidence)
    source = pytest_file(exported(target, text="molybdenum", flags=(flag,)))
    broken = run_test(tmp_path, source)
    assert broken.returncode == 1
    assert "AssertionError: home" in broken.stdout
    mended = (tmp_path / "router.py").read_text().replace("'home'", "'kiwix'")
    (tmp_path / "router.py").write_text(mended)
    result = run_test(tmp_path, source)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("check", [CheckName.LATENCY_OUTLIER, CheckName.PART_DIFFERS, CheckName.PAIR_BROKEN])
def test_a_flag_whose_evidence_has_no_fields_is_skipped_and_never_passed(check: CheckName) -> None:
    """As versions before the fields have stored it: prose alone, which nothing parses."""
    flag = Flag(check_name=check, reason=f"{check}: x", evidence={"promised": "x", "seen": "y", "where": "z"})
    source = pytest_file(exported(flags=(flag,)))
    assert source.count(f"pytest.skip('cannot be asserted: {check}; see the comments above')") == 1
    assert "\nimport httpx\nimport pytest\n" in source


def test_what_can_be_asserted_beside_it_is_asserted_first() -> None:
    flags = (
        Flag(check_name="section_repeated", reason="section_repeated: x", evidence={}),
        Flag(
            check_name="part_differs", reason="part_differs: x", evidence={"promised": "x", "seen": "y", "where": "z"}
        ),
    )
    source = pytest_file(exported(flags=flags))
    assert 0 < source.index("assert not found") < source.index("pytest.skip")
