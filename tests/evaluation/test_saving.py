"""The golden set: each change is a version that says who and why, and a file is imported whole or not at all."""

import json
from typing import Any

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.evaluation import saving
from selftest.evaluation.core.pairs import PairError, content_of, line_of
from selftest.evaluation.models import GoldenPair
from selftest.evaluation.promoting import draft_of_cause, draft_of_combination
from selftest.evaluation.reading import (
    PairFilter,
    PairState,
    export_lines,
    moved_under,
    pair_numbered,
    pairs,
    set_named,
)
from selftest.evaluation.saving import ImportRefusedError, default_set, ground_of, import_pairs
from selftest.models import Combination, Target
from selftest.operating.vocabularies import import_vocabulary
from selftest.refusals import OutdatedError, RefusedError
from selftest.storage.target_clients import bundled_vocabulary
from tests.evaluation.pairs import CLEO, content, made_pair
from tests.review import factory

pytestmark = pytest.mark.django_db

WEATHER = {"name": "weather alone", "query": "weather", "expectations": {"sources": ["forecast"]}}


def jsonl(*lines: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def rename_header(target: Target, source: str = "news") -> None:
    document: Any = bundled_vocabulary()
    import_vocabulary(target, {**document, "headers": {**document["headers"], source: f"[{source.upper()} — NEW]"}})


def acts(pair: GoldenPair) -> list[str]:
    return list(pair.versions.order_by("number").values_list("act", flat=True))


# --- versions ---


def test_a_change_is_a_new_version_with_who_and_why(target: Target) -> None:
    pair = made_pair("weather", target)
    saving.edit(pair, content("weather", sources=("forecast",), absent=("snow",)), CLEO, "no snow here", 1)
    first, second = pair.versions.order_by("number")
    assert (first.expectations["absent"], second.expectations["absent"]) == ([], ["snow"])
    assert (second.actor, second.why, second.act) == ("cleo", "no snow here", "edited")


def test_a_version_that_was_not_seen_is_not_replaced(target: Target) -> None:
    pair = made_pair("weather", target)
    saving.edit(pair, content("weather", sources=("forecast",)), CLEO, "", 1)
    with pytest.raises(OutdatedError, match="another version by now"):
        saving.archive(pair_numbered(pair.pk), CLEO, "", 1)


def test_an_archived_pair_is_kept_and_comes_back(target: Target) -> None:
    pair = made_pair("weather", target)
    saving.archive(pair, CLEO, "too easy", 1)
    assert not pairs(PairFilter())
    assert list(pairs(PairFilter(PairState.ARCHIVED))) == [pair]
    saving.restore(pair, CLEO, "", 2)
    assert acts(pair) == ["promoted", "archived", "restored"]
    with pytest.raises(RefusedError, match="in use already"):
        saving.restore(pair, CLEO, "", 3)


@pytest.mark.parametrize(
    "name", ["\u200b", "\u200b \u2060", "\u00ad\ufeff", "\u3164", "\u2800\u2800", "\u0301\ufe0f", "\x07"]
)
def test_a_name_that_cannot_be_seen_is_refused(target: Target, name: str) -> None:
    with pytest.raises(RefusedError, match="name: it has no character that can be seen"):
        made_pair(name, target)
    with pytest.raises(ImportRefusedError, match="line 1: name: it has no character that can be seen"):
        import_pairs("golden", target, jsonl({**WEATHER, "name": name}), CLEO, "")
    assert not GoldenPair.objects.exists()


@pytest.mark.parametrize("name", ["a\u200b", "7", "?", "🙂", "名前", "क्षि"])
def test_a_name_of_any_letter_figure_or_sign_is_fine(target: Target, name: str) -> None:
    assert made_pair(name, target).name == name


def test_a_name_is_taken_once_in_a_set(target: Target) -> None:
    made_pair("weather", target)
    with pytest.raises(RefusedError, match="has a pair 'weather' already"):
        made_pair("weather", target)


def test_a_source_that_the_target_does_not_have_is_refused(target: Target) -> None:
    with pytest.raises(RefusedError, match="'teletext' is no source of bundled"):
        made_pair("weather", target, content(sources=("teletext",)))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"headers": ("news", "news")}, "a source is named twice"),
        ({"refuses": True, "sources": ("news",)}, "an answer that refuses has no sources"),
    ],
)
def test_what_can_never_hold_is_refused(target: Target, wanted: dict[str, Any], said: str) -> None:
    with pytest.raises(RefusedError, match=said):
        made_pair("weather", target, content(**wanted))


# --- rebaseline ---


def test_a_pair_asks_to_be_rebaselined_when_a_header_it_expects_changes(target: Target) -> None:
    bears = made_pair("news", target, content("headlines", sources=("news",)))
    other = made_pair("weather", target)
    rename_header(target)
    moved = moved_under([bears, other])
    assert moved[other.pk] == ()
    assert [change.partition(":")[0] for change in moved[bears.pk]] == ["header of news"]
    assert list(pairs(PairFilter(PairState.REBASELINE))) == [bears]
    saving.rebaseline(bears, CLEO, "renamed on purpose", 1)
    assert not pairs(PairFilter(PairState.REBASELINE))
    assert acts(bears) == ["promoted", "rebaselined"]


def test_a_restored_pair_still_stands_on_the_ground_it_was_made_on(target: Target) -> None:
    pair = made_pair("news", target, content("headlines", sources=("news",)))
    saving.archive(pair, CLEO, "", 1)
    rename_header(target)
    saving.restore(pair, CLEO, "", 2)
    assert moved_under([pair])[pair.pk]


# --- promote ---

BOTH = Query(
    "plain_conjunction",
    (
        Part(PartKind.INTENT, "weather", "forecast"),
        Part(PartKind.CONJUNCTION, " and "),
        Part(PartKind.INTENT, "headlines", "news"),
    ),
)


def merged(target: Target) -> str:
    headers: Any = bundled_vocabulary()
    of = headers["headers"]
    return f"{of['forecast']}\nMonday: 3 °C\n\n---\n\n{of['news']}\n- Bridge opens\n"


def test_a_promoted_combination_expects_what_its_last_good_answer_had(target: Target) -> None:
    combination = factory.combination_of(BOTH, target)
    run = factory.ask(combination, result=merged(target), source="fusion")
    factory.ask(combination, [factory.finding()], result="odd", source="web")
    draft = draft_of_combination(Combination.objects.select_related("target").get(pk=combination.pk))
    wanted = draft.content.expectations
    assert draft.run == run.pk
    assert (wanted.sources, wanted.headers, wanted.headers_ordered) == (
        ("forecast", "news"),
        ("forecast", "news"),
        True,
    )
    assert [(part.source, part.text) for part in wanted.parts] == [("forecast", "weather"), ("news", "headlines")]
    assert wanted.latency == "quick"
    pair = saving.promote(default_set(), draft.name, draft.content, draft.ground, CLEO, "")
    assert pair.current is not None
    assert pair.current.combination_id == combination.pk
    assert pair.current.made_on["structure"] == ["forecast", "news"]


def test_without_a_good_answer_it_expects_what_the_query_asks_for(target: Target) -> None:
    combination = factory.combination_of(BOTH, target)
    factory.ask(combination, [factory.finding()], result="odd", source="web")
    draft = draft_of_combination(Combination.objects.select_related("target").get(pk=combination.pk))
    assert draft.run is None
    assert draft.content.expectations.sources == ("forecast", "news")


def test_a_cause_without_a_query_cannot_be_promoted(target: Target) -> None:
    with pytest.raises(RefusedError, match="no query of this cause"):
        draft_of_cause(factory.make_cause())


# --- files ---


def test_a_file_comes_back_as_it_went_out(target: Target) -> None:
    import_pairs("one", target, jsonl(WEATHER), CLEO, "")
    exported = export_lines(set_named("one"))
    assert vars(import_pairs("two", target, exported, CLEO, "")) == {"new": 1, "changed": 0, "same": 0}
    assert export_lines(set_named("two")) == exported
    assert line_of(exported).made_on is not None


def test_text_with_any_sign_that_json_may_hold_goes_out_and_comes_back(target: Target) -> None:
    odd = {**WEATHER, "reference": "one\u2028two\u0085three\x0bfour"}
    import_pairs("one", target, jsonl(odd), CLEO, "")
    exported = export_lines(set_named("one"))
    assert vars(import_pairs("two", target, exported, CLEO, "")) == {"new": 1, "changed": 0, "same": 0}
    assert export_lines(set_named("two")) == exported


def test_a_ground_that_no_page_could_show_is_refused_by_its_key() -> None:
    long = "a" * 20_001
    for made_on in ({"target": long}, {"bears": {"a": long}}, {"bears": {str(n): "" for n in range(2_001)}}):
        with pytest.raises(PairError) as refused:
            line_of(json.dumps({**WEATHER, "made_on": made_on}))
        assert refused.value.faults[0].startswith(f"made_on.{next(iter(made_on))}")


def test_a_ground_that_a_database_cannot_hold_is_refused_by_its_key() -> None:
    for made_on in ({"target": "a\x00"}, {"bears": {"a\x00": "b"}}, {"bears": {"a": "b\x00"}}, {"structure": ["\x00"]}):
        with pytest.raises(PairError) as refused:
            line_of(json.dumps({**WEATHER, "made_on": made_on}))
        assert refused.value.faults[0].startswith(f"made_on.{next(iter(made_on))}")


def test_what_is_known_stays_and_what_differs_gets_a_version(target: Target) -> None:
    import_pairs("one", target, jsonl(WEATHER), CLEO, "")
    assert import_pairs("one", target, jsonl(WEATHER), CLEO, "").same == 1
    changed = {**WEATHER, "kind": "vague"}
    assert import_pairs("one", target, jsonl(changed, {**WEATHER, "name": "new"}), CLEO, "").changed == 1
    assert acts(GoldenPair.objects.get(name="weather alone")) == ["imported", "imported"]


def test_a_file_with_a_fault_is_refused_whole_and_each_line_is_named(target: Target) -> None:
    text = jsonl(
        WEATHER,
        {**WEATHER, "name": "b", "expectations": {"latency": "soon"}},
        {**WEATHER, "name": "c", "expectations": {"sources": ["teletext"]}},
        WEATHER,
    )
    with pytest.raises(ImportRefusedError) as refused:
        import_pairs("one", target, f"{text}not JSON\n", CLEO, "")
    starts = [fault.split(":")[0:2] for fault in refused.value.faults]
    assert starts == [
        ["line 2", " expectations.latency"],
        ["line 3", " expectations"],
        ["line 4", " name"],
        ["line 5", " not JSON"],
    ]
    assert not GoldenPair.objects.exists()


def test_an_empty_file_is_refused(target: Target) -> None:
    with pytest.raises(ImportRefusedError, match="no pair in the file"):
        import_pairs("one", target, "\n", CLEO, "")


@pytest.mark.parametrize(
    ("document", "names"),
    [
        ({"query": " "}, "query"),
        ({"query": "a\x00b"}, "query"),
        ({"query": "a", "kind": "odd"}, "kind"),
        ({"query": "a", "expectations": {"refuses": 1}}, "expectations.refuses"),
        ({"query": "a", "expectations": {"parts": [{"text": "a"}]}}, "expectations.parts[0].source"),
        ({"query": "a", "surprise": 1}, "surprise"),
        ([], ""),
    ],
)
def test_a_pair_that_makes_no_sense_is_refused_by_its_key(document: Any, names: str) -> None:
    with pytest.raises(PairError) as refused:
        content_of(document)
    assert refused.value.faults[0].startswith(names)


def test_a_target_without_a_vocabulary_has_no_ground(db: None) -> None:
    with pytest.raises(RefusedError, match="has no vocabulary"):
        ground_of(Target.objects.create(name="bare", kind="reference"))
