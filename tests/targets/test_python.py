"""A Python target against functions that misbehave. Expected values come from TARGET.md."""

import hashlib
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from selftest.core.judging.answers import Answer
from selftest.targets.base import Reachability
from selftest.targets.python import PythonTarget

FOUR_MIB = 4 * 1024 * 1024
REPOSITORY = Path(__file__).resolve().parents[2]


def target_at(dotted_path: str, time_limit_s: float = 5.0) -> PythonTarget:
    """Of a path that is allowed."""
    return PythonTarget(dotted_path, time_limit_s, [dotted_path.replace(":", ".").partition(".")[0]])


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """Writes an importable module of the given name and source."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)

    def write(name: str, source: str) -> None:
        path = tmp_path.joinpath(*name.split(".")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(source), encoding="utf-8")

    yield write
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.fixture
def ask(module: Callable[[str, str], None]) -> Callable[..., Answer]:
    """Asks `route` of a module with the given source."""

    def ask(source: str, time_limit_s: float = 5.0) -> Answer:
        module("asked_target", source)
        return target_at("asked_target.route", time_limit_s).ask("weather plus headlines")

    return ask


# --- A good answer ---


def test_an_answer_is_read_and_timed(ask):
    answer = ask("""
        def route(query: str, source: str = "auto") -> tuple[str, str]:
            return f"{query} — by {source}", "fusion"
    """)
    assert answer.result == "weather plus headlines — by auto"
    assert answer.source_used == "fusion"
    assert (answer.error, answer.http_status, answer.cached) == (None, None, False)
    assert answer.length_bytes == len(answer.result.encode())
    assert answer.sha256 == hashlib.sha256(answer.result.encode()).hexdigest()
    assert 0 < answer.latency_ms < 5000


def test_a_probe_names_its_source(module):
    module("probed_target", "def route(query, source='auto'): return source, source")
    assert target_at("probed_target:route").ask("topic", "kiwix").source_used == "kiwix"


def test_nul_and_lone_surrogates_are_kept_as_they_came(ask):
    answer = ask("def route(query, source): return 'a\\0b\\ud800c', 'web'")
    assert (answer.result, answer.error) == ("a\0b\ud800c", None)
    assert answer.length_bytes == 7  # a, NUL, b, three for the surrogate, c


# --- Crashes ---


def test_an_exception_is_a_crash_and_its_traceback_is_kept(ask):
    answer = ask("""
        def route(query, source):
            return look_up(query)

        def look_up(query):
            raise ValueError("boom")
    """)
    assert answer.error == "ValueError: boom"
    assert answer.result.startswith("Traceback (most recent call last):\n")
    assert 'raise ValueError("boom")' in answer.result
    assert "in look_up" in answer.result
    assert "selftest/targets" not in answer.result  # the target's frames, none of ours
    assert answer.source_used == ""


def test_an_exception_of_several_lines_is_told_on_one(ask):
    assert ask("def route(query, source): raise OSError('one\\n  two\\0')").error == "OSError: one two"


@pytest.mark.parametrize(
    ("raised", "error"),
    [
        ("SystemExit(3)", "SystemExit: 3"),
        ("KeyboardInterrupt", "KeyboardInterrupt"),
        ("GeneratorExit", "GeneratorExit"),
        ("MemoryError", "MemoryError"),
        ("ExceptionGroup('two', [ValueError('a'), KeyError('b')])", "ExceptionGroup: two (2 sub-exceptions)"),
    ],
)
def test_whatever_the_target_raises_is_its_own_crash(ask, raised, error):
    assert ask(f"def route(query, source): raise {raised}").error == error


def test_endless_recursion_is_a_crash(ask):
    answer = ask("def route(query, source): return route(query, source)")
    assert answer.error == "RecursionError: maximum recursion depth exceeded"


def test_an_exception_that_cannot_be_shown_is_a_crash_all_the_same(ask):
    answer = ask("""
        class Shy(Exception):
            def __str__(self):
                raise RuntimeError("no")

        def route(query, source):
            raise Shy
    """)
    assert answer.error == "Shy: (its message cannot be shown)"


def test_a_huge_message_does_not_fill_the_evidence(ask):
    answer = ask("def route(query, source): raise ValueError('x' * 50_000_000)")
    assert answer.error == "ValueError: " + "x" * 188 + "…"
    assert len(answer.result) < 100_000


@pytest.mark.parametrize(
    ("returned", "what"),
    [
        ("None", "a value of type NoneType"),
        ("'text'", "a value of type str"),
        ("['text', 'web']", "a value of type list"),
        ("('text',)", "a tuple of 1 (str)"),
        ("('text', None)", "a tuple of 2 (str, NoneType)"),
        ("(b'text', 'web')", "a tuple of 2 (bytes, str)"),
        ("('a', 'b', 'c')", "a tuple of 3 (str, str, str)"),
        ("tuple(range(9))", "a tuple of 9 (int, int, int, int, int, …)"),
    ],
)
def test_a_return_of_the_wrong_shape_is_a_crash_naming_what_came(ask, returned, what):
    answer = ask(f"def route(query, source): return {returned}")
    assert answer.error == f"returned {what}, not (result, source_used) as text"


def test_a_function_that_takes_no_source_is_a_crash(ask):
    assert "takes 1 positional argument but 2 were given" in (ask("def route(query): return '', ''").error or "")


def test_a_result_over_the_limit_is_cut_and_a_crash(ask):
    answer = ask(f"def route(query, source): return 'é' * ({FOUR_MIB} + 1), 'web'")
    assert answer.error == "the answer is over the limit of 4194304 characters (4 MiB)"
    assert answer.result == "é" * 2000
    assert answer.length_bytes == 2 * (FOUR_MIB + 1)


def test_a_result_of_just_the_limit_is_read(ask):
    assert ask(f"def route(query, source): return 'x' * {FOUR_MIB}, 'web'").error is None


# --- Time ---

NEVER_RETURNS = """
    import threading

    def route(query, source):
        threading.Event().wait()
"""


def test_a_call_that_never_returns_ends_at_the_limit(ask):
    answer = ask(NEVER_RETURNS, time_limit_s=0.3)
    assert answer.error == "no answer within 0.3 s"
    assert 295 <= answer.latency_ms < 2500
    assert answer.result == ""


def test_whole_seconds_are_written_without_a_fraction(ask):
    assert ask(NEVER_RETURNS, time_limit_s=1).error == "no answer within 1 s"


@pytest.mark.process
def test_a_call_that_never_returns_does_not_hold_up_the_exit(module, tmp_path):
    module("stuck_target", NEVER_RETURNS)
    asking = "print(T('stuck_target.route', 0.2, ['stuck_target']).ask('q').error)"
    program = f"from selftest.targets.python import PythonTarget as T; {asking}"
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": f"{REPOSITORY}:{tmp_path}"},
        capture_output=True,
        text=True,
        timeout=10,
        check=True,
    )
    assert ended.stdout.strip() == "no answer within 0.2 s"


# --- Caches ---

SUPPRESSING = """
    import contextlib, threading

    suppressed_in = set()

    @contextlib.contextmanager
    def cache_suppressed():
        suppressed_in.add(threading.get_ident())
        try:
            yield
        finally:
            suppressed_in.clear()
"""


def test_the_call_is_made_inside_the_cache_suppressing_context_of_its_module(ask):
    route = """
    def route(query, source):
        return str(threading.get_ident() in suppressed_in), "web"
    """
    assert ask(SUPPRESSING + route).result == "True"
    assert sys.modules["asked_target"].suppressed_in == set()


def test_the_context_is_left_after_a_crash_too(ask):
    answer = ask(SUPPRESSING + "\n    def route(query, source): raise ValueError(str(len(suppressed_in)))\n")
    assert answer.error == "ValueError: 1"
    assert sys.modules["asked_target"].suppressed_in == set()


def test_the_context_may_sit_on_the_callable_itself(module):
    suffix = (
        "\n    def route(q, s): return str(len(suppressed_in)), 'web'\n    route.cache_suppressed = cache_suppressed\n"
    )
    module("carrying_target", SUPPRESSING + suffix + "    del cache_suppressed\n")
    assert target_at("carrying_target.route").ask("topic").result == "1"


def test_a_context_that_fails_is_a_crash_of_the_target(ask):
    answer = ask("""
        def cache_suppressed():
            raise RuntimeError("no cache to suppress")

        def route(query, source):
            return "text", "web"
    """)
    assert answer.error == "RuntimeError: no cache to suppress"


def test_a_context_that_swallows_the_exception_is_a_crash_all_the_same(ask):
    answer = ask("""
        import contextlib

        def cache_suppressed():
            return contextlib.suppress(ValueError)

        def route(query, source):
            raise ValueError("unseen")
    """)
    assert answer.error == "returned a value of type NoneType, not (result, source_used) as text"


def test_a_context_that_cannot_be_called_is_refused(module):
    module("uncallable_context", "cache_suppressed = True\ndef route(q, s): return '', ''")
    with pytest.raises(ValueError, match="cache_suppressed of 'uncallable_context' cannot be called"):
        target_at("uncallable_context.route")


# --- Paths that lead nowhere ---


@pytest.mark.parametrize("path", ["", "route", ".route", "a..route", ":route", "a:", "a:b:c", "a b.route", "a/b.route"])
def test_what_is_no_dotted_path_is_refused(path):
    with pytest.raises(ValueError, match=r"^dotted_path: must look like package\.module\.function"):
        target_at(path)


def test_a_module_that_is_not_there_is_named():
    with pytest.raises(ValueError, match=r"^dotted_path: there is no module 'no_such_package'$"):
        target_at("no_such_package.router.route")


def test_a_missing_import_inside_the_module_is_told_apart(module):
    module("needs_more", "import surely_not_installed")
    with pytest.raises(ValueError, match=r"importing 'needs_more' raised ModuleNotFoundError: .*surely_not_installed"):
        target_at("needs_more.route")


@pytest.mark.parametrize("fault", ["raise SystemExit(2)", "1 / 0", "def broken(:", "raise KeyError('x')"])
def test_a_module_that_fails_while_it_is_imported_is_refused(module, fault):
    module("failing_target", fault)
    with pytest.raises(ValueError, match=r"^dotted_path: importing 'failing_target' raised "):
        target_at("failing_target.route")


def test_a_name_that_the_module_lacks_is_refused(module):
    module("lacking_target", "")
    with pytest.raises(ValueError, match="module 'lacking_target' has no 'route'"):
        target_at("lacking_target.route")


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("route = 5", "int"),
        ("class route: pass", "type"),
        ("from time import sleep as route", "builtin_function_or_method"),
        ("import functools\nroute = functools.partial(print)", "partial"),
    ],
)
def test_what_is_no_plain_function_is_refused(module, source, kind):
    module("odd_target", source)
    with pytest.raises(ValueError, match=rf"'odd_target\.route' is of type {kind}, not a function"):
        target_at("odd_target.route")


def test_a_function_that_a_module_only_imports_is_refused(module):
    module("importing_target", "from cProfile import run")
    with pytest.raises(
        ValueError, match="'run' is not defined in 'importing_target' but imported there from 'cProfile'"
    ):
        target_at("importing_target.run")


# --- Paths that are not allowed ---


@pytest.mark.parametrize("allowed", [[], ["routers"], ["unwanted.routers"], ["unwanted_target_too"]])
def test_a_path_outside_of_what_is_allowed_is_refused_and_not_even_imported(module, allowed):
    module("unwanted_target", "def route(q, s): return '', ''")
    with pytest.raises(ValueError, match=r"^dotted_path: 'unwanted_target\.route' is not allowed.* PYTHON_TARGETS"):
        PythonTarget("unwanted_target.route", 5.0, allowed)
    assert "unwanted_target" not in sys.modules


@pytest.mark.parametrize("path", ["cProfile.run", "os.system", "subprocess:run", "allowed_target_not.route"])
def test_only_whole_names_of_a_path_count(path):
    with pytest.raises(ValueError, match=r"is not allowed.* only allowed_target now"):
        PythonTarget(path, 5.0, ["allowed_target"])


@pytest.mark.parametrize("allowed", ["package", "package.routers", "package.routers.route"])
def test_a_path_below_an_allowed_one_is_called(module, allowed):
    module("package.routers", "def route(q, s): return q, 'web'")
    assert PythonTarget("package.routers:route", 5.0, [allowed]).ask("topic").result == "topic"


def test_a_time_limit_that_cannot_be_is_refused(module):
    module("hasty_target", "def route(q, s): return '', ''")
    with pytest.raises(ValueError, match=r"^time_limit_s: "):
        target_at("hasty_target.route", -1)


# --- Reach ---


def test_an_imported_function_is_reachable_with_its_modules_version(module):
    module("versioned_target", "__version__ = '3.41'\ndef route(q, s): return '', ''")
    target = target_at("versioned_target.route")
    assert target.reach() == Reachability(True, "versioned_target.route is imported", "3.41")
    target.close()


def test_the_version_of_the_package_will_do(module):
    module("versioned_package.__init__", "__version__ = '2'")
    module("versioned_package.router", "def route(q, s): return '', ''")
    assert target_at("versioned_package.router.route").reach().version == "2"


def test_a_module_without_a_version_has_none(module):
    module("unversioned_target", "__version__ = (1, 2)\ndef route(q, s): return '', ''")
    assert target_at("unversioned_target.route").reach().version == ""


def test_several_threads_may_ask_at_once(module):
    module(
        "meeting_target",
        """
        import threading
        meeting = threading.Barrier(4)

        def route(query, source):
            meeting.wait(5)
            return query, "web"
        """,
    )
    target = target_at("meeting_target.route")
    results: list[str] = []
    threads = [threading.Thread(target=lambda q=q: results.append(target.ask(q).result)) for q in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["a", "b", "c", "d"]
