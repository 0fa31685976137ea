"""The exported test of each check of answers and of relations: it fails on the fault, and not without it."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType, ModuleType
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from review.pytest_export.context import ExportContext
from review.pytest_export.pytest_file import pytest_file
from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.findings import CheckName
from selftest.models import Flag, Run, Target
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary

VOCABULARY = reference_vocabulary()
NEWS, KIWIX, UPTIME = (VOCABULARY.headers[source] for source in ("news", "kiwix", "uptime"))
MERGED = VOCABULARY.merged_source
RULE = "\n\n---\n\n"
NEWS_ITEM, KIWIX_ITEM, UPTIME_ITEM = "The harbour was opened.", "Iron is a metal.", "All services are up."
HEALTHY = f"{NEWS}\n{NEWS_ITEM}{RULE}{KIWIX}\n{KIWIX_ITEM}"
QUERY = "what are the headlines and tell me about iron"
Said = tuple[str, str]
TOLD = {"promised": "p", "seen": "s", "where": "headers"}


@pytest.fixture
def router() -> Iterator[Callable[[Mapping[Any, Any]], None]]:
    """A Python target that answers from a table: a text, or (text, the source asked by name)."""
    module = ModuleType("told_router")
    sys.modules["told_router"] = module

    def answers(table: Mapping[Any, Any]) -> None:
        def route(text: str, source: str) -> Said:
            said = table.get((text, source), table.get(text, (HEALTHY, MERGED)))
            return said.pop(0) if isinstance(said, list) else said

        module.route = route  # type: ignore[attr-defined]

    yield answers
    del sys.modules["told_router"]


def copied(
    check: CheckName,
    target: Target | None = None,
    summary: str = "as it was found",
    query: Query = Query("no_intent_fallthrough", (Part(PartKind.TOPIC, QUERY),)),  # noqa: B008 - it never changes
    and_also: Mapping[CheckName, Mapping[str, Any]] = MappingProxyType({}),
    vocabulary: Vocabulary = VOCABULARY,
    **evidence: Any,
) -> Any:
    """The function for a flag of `check`. and_also: the evidence of other flags of the run."""
    flags = [
        Flag(check_name=name.value, reason=f"{name}: {summary}", evidence={**TOLD, **details})
        for name, details in {check: evidence, **and_also}.items()
    ]
    target = target or Target(name="py", kind=Target.Kind.PYTHON, dotted_path="told_router.route", time_limit_s=20)
    run = Run(pk=1, result=f"{NEWS}\n{NEWS_ITEM}", source_used="news")
    context = ExportContext(12, fingerprint_of(query), query, target, run, flags, vocabulary)
    scope: dict[str, Callable[[], None]] = {}
    exec(compile(pytest_file(context), "copied", "exec"), scope)  # type: ignore[arg-type]
    return scope[f"test_{check}_combination_12"]


def asked(purpose: str, text: str, *brought: str) -> dict[str, Any]:
    return {"purpose": purpose, "text": text, "source_used": "", "brought": list(brought), "excerpt": ""}


# --- how an answer is put together ---


@pytest.mark.parametrize(
    ("check", "result", "source"),
    [
        (CheckName.SECTION_REPEATED, f"{HEALTHY}{RULE}{NEWS}\nAnother.", MERGED),
        (CheckName.ITEM_REPEATED, f"{NEWS}\n{NEWS_ITEM}\n{NEWS_ITEM}{RULE}{KIWIX}\n{KIWIX_ITEM}", MERGED),
        (CheckName.SECTION_BLANK, f"{NEWS}\n{RULE}{KIWIX}\n{KIWIX_ITEM}", MERGED),
        (CheckName.TEXT_BEFORE_HEADER, f"Here it is.\n\n{HEALTHY}", MERGED),
        (CheckName.HEADER_UNKNOWN, HEALTHY.replace(NEWS, NEWS.replace(NEWS.strip("[ ").split()[0], "ARCHIVE")), MERGED),
        (CheckName.SOURCE_CONTRADICTS_SECTIONS, HEALTHY, "news"),
        (CheckName.SOURCE_CONTRADICTS_SECTIONS, NEWS_ITEM, MERGED),
        (CheckName.PIECE_BLANK, HEALTHY.replace(RULE, f"\n\n---{RULE}"), MERGED),
        (CheckName.FRAME_DEBRIS, f"{HEALTHY}\n\n---", MERGED),
        (CheckName.FRAME_DEBRIS, HEALTHY.replace(KIWIX_ITEM, f"Iron. {UPTIME}"), MERGED),
        (CheckName.FRAME_DEBRIS, HEALTHY.replace(NEWS, NEWS[:8]), MERGED),
        (CheckName.FRAME_DEBRIS, HEALTHY.replace(NEWS, "{{ header }}"), MERGED),
    ],
)
def test_it_holds_an_answer_to_how_it_is_put_together(
    check: CheckName, result: str, source: str, router: Callable[[Mapping[Any, Any]], None]
) -> None:
    test = copied(check)
    router({QUERY: (result, source)})
    with pytest.raises(AssertionError):
        test()
    for healthy in ((HEALTHY, MERGED), (f"{NEWS}\n{NEWS_ITEM}", MERGED), (NEWS_ITEM, "news")):
        router({QUERY: healthy})
        test()


def test_it_knows_which_parts_of_the_query_may_bring_an_item_each(
    router: Callable[[Mapping[Any, Any]], None],
) -> None:
    parts = (
        Part(PartKind.INTENT, "headlines", "news"),
        Part(PartKind.CONJUNCTION, " and "),
        Part(PartKind.TOPIC, "iron"),
    )
    repeated = f"{NEWS}\n" + f"{NEWS_ITEM}\n" * 3
    each_may = replace(VOCABULARY, lists_items_once=False)
    test = copied(CheckName.ITEM_REPEATED, query=Query("two_source_conjunction", parts), vocabulary=each_may)
    router({"headlines and iron": (repeated, MERGED)})
    with pytest.raises(AssertionError):
        test()
    router({"headlines and iron": (repeated.replace(NEWS_ITEM, "", 1), MERGED)})
    test()


def test_of_a_query_that_broke_several_promises_each_is_held_against_the_query_itself(
    router: Callable[[Mapping[Any, Any]], None],
) -> None:
    fewer = f"{PART} and the lottery"
    lost = {"asked": [asked("fewer", fewer, "news"), asked("part", PART, "kiwix")]}
    differs = {"kind": "uncalled_section", "sources": ["kiwix"], "asked": [asked("part", "the news", "news")]}
    test = copied(CheckName.PART_LOST, and_also={CheckName.PART_DIFFERS: differs}, **lost)
    router({QUERY: (f"{NEWS}\n{NEWS_ITEM}", MERGED), fewer: (HEALTHY, MERGED), "the news": (NEWS_ITEM, "news")})
    test()  # only what was asked of some of its parts has the other section


# --- the target against itself ---

PART = "tell me about iron"


def test_what_a_part_brings_alone_must_not_be_lost(router: Callable[[Mapping[Any, Any]], None]) -> None:
    test = copied(CheckName.PART_LOST, asked=[asked("part", PART, "kiwix")])
    router({QUERY: (f"{NEWS}\n{NEWS_ITEM}", MERGED), PART: (KIWIX_ITEM, "kiwix")})
    with pytest.raises(AssertionError, match="is answered by kiwix alone"):
        test()
    router({QUERY: (f"{NEWS}\n{NEWS_ITEM}", MERGED), PART: ("Web.", "web"), (PART, "kiwix"): (KIWIX_ITEM, "kiwix")})
    with pytest.raises(AssertionError, match="is answered by kiwix alone"):
        test()
    router({PART: (KIWIX_ITEM, "kiwix")})
    test()
    router({QUERY: (f"{NEWS}\n{NEWS_ITEM}", MERGED), PART: ("No results found.", "kiwix")})
    test()


@pytest.mark.parametrize("is_of_fewer", [False, True])
def test_what_is_empty_alone_must_have_a_section_that_says_so(
    is_of_fewer: bool, router: Callable[[Mapping[Any, Any]], None]
) -> None:
    query = f"{PART} and the lottery" if is_of_fewer else QUERY
    evidence = [asked("part", PART), *([asked("fewer", query, "news")] if is_of_fewer else [])]
    test = copied(CheckName.PART_LOST, kind="empty_left_out", sources=["kiwix"], parts=[PART], asked=evidence)
    router({query: (f"{NEWS}\n{NEWS_ITEM}{RULE}{UPTIME}\n{UPTIME_ITEM}", MERGED)})
    with pytest.raises(AssertionError, match="no section says that there is nothing for 'tell me about iron'"):
        test()
    router({query: (f"{NEWS}\n{NEWS_ITEM}{RULE}{KIWIX}\nNo results found.", MERGED)})
    test()


def test_what_is_lost_without_the_others_is_sought_without_them(
    router: Callable[[Mapping[Any, Any]], None],
) -> None:
    fewer = f"{PART} and the lottery"
    test = copied(CheckName.PART_LOST, asked=[asked("fewer", fewer, "news"), asked("part", PART, "kiwix")])
    router({fewer: (f"{NEWS}\n{NEWS_ITEM}", MERGED), PART: (KIWIX_ITEM, "kiwix")})
    with pytest.raises(AssertionError, match="is answered by kiwix alone"):
        test()
    router({QUERY: (f"{NEWS}\n{NEWS_ITEM}", MERGED), fewer: (HEALTHY, MERGED), PART: (KIWIX_ITEM, "kiwix")})
    test()


def test_who_was_asked_for_by_others_stands_in_for_nobody(router: Callable[[Mapping[Any, Any]], None]) -> None:
    known = VOCABULARY.sources
    source, stand_in = next((s, f) for s in known for f in VOCABULARY.fallbacks.get(s, ()) if f in known)
    first, second = known[source][0], known[stand_in][0]
    parts = (
        Part(PartKind.INTENT, first, source),
        Part(PartKind.CONJUNCTION, " and "),
        Part(PartKind.INTENT, second, stand_in),
    )
    query = Query("multi_intent_chain", parts)
    test = copied(CheckName.PART_LOST, query=query, asked=[asked("part", first, source)])
    together = f"{VOCABULARY.headers[stand_in]}\nWhat was asked of it."
    router({query.text: (together, MERGED), first: ("What it has.", source)})
    with pytest.raises(AssertionError, match="alone, and here not"):
        test()
    router({query.text: (f"{together}{RULE}{VOCABULARY.headers[source]}\nWhat it has.", MERGED)})
    test()


def test_no_half_of_a_pair_may_be_lost(router: Callable[[Mapping[Any, Any]], None]) -> None:
    told = {"kind": "half_missing", "sources": ["kiwix"], "parts": ["Castor and Pollux"]}
    test = copied(CheckName.PAIR_BROKEN, **told, asked=[asked("part", PART, "kiwix")])
    router({PART: (f"{KIWIX_ITEM}\nPollux is a star.", "kiwix")})
    with pytest.raises(AssertionError, match="Pollux is a star"):
        test()
    router({PART: (KIWIX_ITEM, "kiwix")})
    test()


def test_a_section_that_no_part_brings_alone_must_not_be_there(router: Callable[[Mapping[Any, Any]], None]) -> None:
    told = {"kind": "uncalled_section", "sources": ["kiwix"]}
    test = copied(CheckName.PART_DIFFERS, **told, asked=[asked("part", PART, "news")])
    router({PART: (NEWS_ITEM, "news")})
    with pytest.raises(AssertionError, match="that no part brings alone"):
        test()
    router({QUERY: (f"{NEWS}\n{NEWS_ITEM}", MERGED), PART: (NEWS_ITEM, "news")})
    test()


@pytest.mark.parametrize("check", [CheckName.PART_DIFFERS, CheckName.PAIR_BROKEN])
def test_a_part_brings_what_it_brings_alone(check: CheckName, router: Callable[[Mapping[Any, Any]], None]) -> None:
    told = {"kind": "nothing_of_part", "sources": ["kiwix"], "parts": [PART]}
    test = copied(check, **told, asked=[asked("part", PART, "kiwix")])
    router({PART: ("Saturn and Jupiter are planets.", "kiwix")})
    with pytest.raises(AssertionError, match="nothing of"):
        test()
    router({PART: (KIWIX_ITEM, "kiwix")})
    test()


def test_a_phrase_that_says_lacks_changes_no_promise(router: Callable[[Mapping[Any, Any]], None]) -> None:
    part = "who lacks a harbour"
    summary = f"the section of kiwix holds nothing of what {part!r} brings alone"
    told = {"kind": "nothing_of_part", "sources": ["kiwix"], "parts": [part], "asked": [asked("part", part, "kiwix")]}
    test = copied(CheckName.PART_DIFFERS, summary=summary, **told)
    router({part: (f"{KIWIX_ITEM}\nPollux is a star.", "kiwix")})
    test()  # something of it is there, and that is all that was promised
    router({part: ("Saturn and Jupiter are planets.", "kiwix")})
    with pytest.raises(AssertionError, match="nothing of"):
        test()


@pytest.mark.parametrize("kind", ["foreign_subject", "extra_items"])
def test_what_no_part_brings_alone_is_foreign(kind: str, router: Callable[[Mapping[Any, Any]], None]) -> None:
    evidence = [asked("part", PART, "kiwix")]
    test = copied(CheckName.PART_DIFFERS, kind=kind, sources=["kiwix"], asked=evidence)
    router({QUERY: (f"{HEALTHY}\nSaturn is a planet.", MERGED), PART: (KIWIX_ITEM, "kiwix")})
    with pytest.raises(AssertionError, match="Saturn is a planet"):
        test()
    router({PART: (KIWIX_ITEM, "kiwix")})
    test()


def test_what_a_part_brings_keeps_its_order(router: Callable[[Mapping[Any, Any]], None]) -> None:
    told = {"kind": "order_changed", "sources": ["kiwix"], "parts": ["Saturn and Jupiter"]}
    evidence = [asked("part", "Saturn and Jupiter", "kiwix"), asked("part", PART, "kiwix")]
    test = copied(CheckName.PAIR_BROKEN, **told, asked=evidence)
    alone = {PART: (KIWIX_ITEM, "kiwix"), "Saturn and Jupiter": ("Saturn has rings.\nJupiter is large.", "kiwix")}
    router({QUERY: (f"{KIWIX}\nJupiter is large.\n{KIWIX_ITEM}\nSaturn has rings.", MERGED), **alone})
    with pytest.raises(AssertionError, match="in another order"):
        test()
    router({QUERY: (f"{KIWIX}\nSaturn has rings.\n{KIWIX_ITEM}\nJupiter is large.", MERGED), **alone})
    test()


@pytest.mark.parametrize(
    ("check", "purpose"), [(CheckName.ORDER_MATTERS, "order"), (CheckName.CONJUNCTION_MATTERS, "conjunction")]
)
def test_another_wording_brings_the_same_sources(
    check: CheckName, purpose: str, router: Callable[[Mapping[Any, Any]], None]
) -> None:
    test = copied(check, asked=[asked(purpose, "said otherwise", "news"), asked("again", QUERY, "news")])
    router({"said otherwise": (NEWS_ITEM, "news")})
    with pytest.raises(AssertionError, match="not"):
        test()
    turned = f"{KIWIX}\n{KIWIX_ITEM}{RULE}{NEWS}\nOther news."
    router({"said otherwise": (turned, MERGED)})
    test()


@pytest.mark.parametrize(("check", "purpose"), [(CheckName.ORDER_MATTERS, "order"), (CheckName.PART_DIFFERS, "plain")])
def test_another_wording_brings_the_same_things(
    check: CheckName, purpose: str, router: Callable[[Mapping[Any, Any]], None]
) -> None:
    told = {"kind": "items_differ", "sources": ["kiwix"]}
    evidence = [asked(purpose, "said otherwise", "kiwix", "news"), asked("again", QUERY, "kiwix", "news")]
    test = copied(check, **told, asked=evidence)
    router({"said otherwise": (HEALTHY.replace(KIWIX_ITEM, "Saturn is a planet."), MERGED)})
    with pytest.raises(AssertionError, match="Saturn is a planet"):
        test()
    router({"said otherwise": (HEALTHY.replace(NEWS_ITEM, "Other news."), MERGED)})
    test()


def test_the_same_words_bring_the_same_sources(router: Callable[[Mapping[Any, Any]], None]) -> None:
    test = copied(CheckName.ASKED_TWICE_DIFFERS, asked=[asked("again", QUERY, "news")])
    router({QUERY: [(HEALTHY, MERGED), (HEALTHY, MERGED), (NEWS_ITEM, "news")]})
    with pytest.raises(AssertionError, match="then"):
        test()
    router({})
    test()


def test_a_part_takes_no_longer_than_its_like(router: Callable[[Mapping[Any, Any]], None]) -> None:
    router({})
    asked_for = [asked("part", PART, "kiwix"), asked("control", "tell me about tin", "kiwix")]
    evidence = {"parts": [PART], "asked": asked_for}
    with pytest.raises(AssertionError, match="alone: "):
        copied(CheckName.PART_SLOW, threshold_ms=0.0, **evidence)()
    copied(CheckName.PART_SLOW, threshold_ms=9000.0, **evidence)()


@pytest.mark.parametrize("fills_its_cache", [True, False])
def test_a_synthetic_query_fills_no_cache(fills_its_cache: bool, httpserver: HTTPServer) -> None:
    seen: set[str] = set()

    def answer(request: Request) -> Response:
        query = request.get_json()["query"]
        assert request.headers["X-Selftest"] == "1"
        document = {"result": HEALTHY, "source_used": MERGED, "success": True, "cached": query in seen}
        seen.update([query] if fills_its_cache else [])
        return Response(json.dumps(document), content_type="application/json")

    httpserver.expect_request("/search").respond_with_handler(answer)
    target = Target(name="r", kind=Target.Kind.HTTP, base_url=httpserver.url_for(""), path="/search", time_limit_s=20)
    test = copied(CheckName.SYNTHETIC_QUERY_CACHED, target, asked=[asked("again", QUERY, "news")])
    if fills_its_cache:
        with pytest.raises(AssertionError, match="filled the cache"):
            test()
    else:
        test()


@pytest.mark.parametrize("check", list(CheckName)[15:])
def test_without_its_evidence_it_asks_and_does_not_say_that_the_promise_is_kept(
    check: CheckName, router: Callable[[Mapping[Any, Any]], None]
) -> None:
    router({})
    if check is CheckName.ASKED_TWICE_DIFFERS:  # needs none: it asks again
        copied(check)()
        return
    with pytest.raises(pytest.skip.Exception, match=f"cannot be asserted: {check};"):
        copied(check)()
