"""A search finds what is meant, in an order that hangs on nothing but the query and the pieces."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
import time_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from selftest.knowledge.core.answers import Filters, Hit, SearchRequest
from selftest.knowledge.core.chunks import Chunk, Domain, Kind
from selftest.knowledge.core.queries import QueryRequiredError, QueryTooLongError
from selftest.knowledge.filter_values import UnknownFilterValueError
from selftest.knowledge.index import encoding, pieces, words, writing
from selftest.knowledge.models import Chunk as Row
from selftest.knowledge.models import Click, IndexState, SearchSettings, Term
from selftest.knowledge.searching import search
from selftest.operating.targets import Target
from tests.knowledge.pieces import (
    BACKUP,
    BOILERS,
    BREW,
    BY_ID,
    CUP,
    CUPS,
    DESCALE,
    EVERY,
    FILTERS,
    GRINDER,
    KEYS,
    PUMP,
    PUMP_GERMAN,
    VALVES,
    piece,
)  # fmt: skip

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _pieces() -> None:
    writing.put(EVERY)


def found(text: str, **more: object) -> Sequence[Hit]:
    return search(replace(SearchRequest(text), **more)).hits  # type: ignore[arg-type]


def first(text: str, **more: object) -> Chunk:
    return BY_ID[found(text, **more)[0].id]


@pytest.mark.parametrize("text", ["CM007", "pump"])
def test_a_piece_that_a_rebuild_takes_away_in_the_middle_of_a_search_is_not_found(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = pieces.ranked

    def late(*given: Any) -> dict[int, pieces.Ranked]:
        Row.objects.filter(key=PUMP.id).delete()
        return read(*given)

    monkeypatch.setattr(pieces, "ranked", late)
    assert PUMP.id not in {hit.id for hit in found(text)}
    assert PUMP_GERMAN.id in {hit.id for hit in found(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("startBrew", BREW),
        ("STARTBREW", BREW),
        ("POST /brews", BREW),
        ("post  /brews", BREW),
        ("GET /brews/17", CUP),
        ("what does GET /brews/17 answer", CUP),
        ("CM007", PUMP),
        (BACKUP.id, BACKUP),
    ],
)
def test_an_identifier_finds_its_piece_first_and_says_so(text: str, expected: Chunk) -> None:
    hit = found(text)[0]
    assert (hit.id, "exact" in hit.matched_by) == (expected.id, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("grinder", GRINDER),
        ("jammed grinders", GRINDER),
        ("how do I restore my recipes?", BACKUP),
        ("geprüftes Ventil", VALVES),
        ("filtre remplacé", FILTERS),
        ("revisar caldera", BOILERS),
        ("подогреть чашку", CUPS),
    ],
)
def test_words_find_their_other_forms_in_each_language(text: str, expected: Chunk) -> None:
    assert first(text) == expected


@pytest.mark.parametrize("text", ["grnider", "gridner", "griner", "grinnder", "grimder", "rginder"])
def test_one_slip_is_mended_and_told(text: str) -> None:
    answer = search(SearchRequest(text))
    assert (answer.hits[0].id, answer.did_you_mean) == (GRINDER.id, "grinder")
    assert "fuzzy" in answer.hits[0].matched_by


def test_a_slip_is_mended_inside_a_question_as_it_was_typed() -> None:
    assert search(SearchRequest("Why did the Grindr jam?")).did_you_mean == "Why did the grinder jam?"


def test_spelling_is_left_alone_where_an_admin_says_so() -> None:
    SearchSettings.objects.update_or_create(pk=1, defaults={"fuzzy": False, "encoder": SearchSettings.Encoder.NONE})
    SearchSettings.clear_cache()
    answer = search(SearchRequest("grnider"))
    assert (answer.hits, answer.did_you_mean) == ([], None)


def test_a_word_that_is_not_finished_finds_what_begins_so() -> None:
    assert first("descal") == DESCALE


def test_another_word_for_the_same_thing_finds_it() -> None:
    hit = found("dump")[0]  # backup, back up, dump: one group
    assert (hit.id, hit.matched_by[0]) == (BACKUP.id, "synonyms")


def test_the_words_that_matched_are_marked_in_the_snippet() -> None:
    snippet = found("oily beans")[0].snippet
    assert [snippet.text[start:end] for start, end in snippet.spans] == ["Beans", "oily"]


def test_of_one_check_in_two_languages_the_one_of_the_query_is_shown() -> None:
    german = [hit.id for hit in found("Pumpe läuft trocken")]
    english = [hit.id for hit in found("pump runs dry")]
    assert (german[0], PUMP.id in german) == (PUMP_GERMAN.id, False)
    assert (english[0], PUMP_GERMAN.id in english) == (PUMP.id, False)


def test_its_code_shows_a_check_in_the_language_of_the_reader() -> None:
    assert found("CM007", locale="de-DE")[0].id == PUMP_GERMAN.id


def test_what_is_for_admins_is_found_by_admins_alone() -> None:
    assert KEYS.id not in [hit.id for hit in found("service door key")]
    assert found("service door key", for_admin=True)[0].id == KEYS.id


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(kinds=frozenset({Kind.API})), {BREW.id, CUP.id}),
        (Filters(domains=frozenset({Domain.KNOWLEDGE}), service="brewer"), {BREW.id, CUP.id}),
        (Filters(tags=frozenset({"Care"})), {DESCALE.id}),
        (Filters(domains=frozenset({Domain.CAUSES})), set()),
    ],
)
def test_nothing_is_found_that_a_filter_leaves_out(filters: Filters, expected: set[str]) -> None:
    hits = {hit.id for hit in found("brew run the descaling program cup CM007 startBrew", filters=filters, k=50)}
    assert hits == expected


@pytest.mark.parametrize("filters", [Filters(tags=frozenset({"Care", "car_"})), Filters(product="tea")])
def test_a_value_that_no_piece_has_is_refused(filters: Filters) -> None:
    with pytest.raises(UnknownFilterValueError):
        found("grinder", filters=filters)


def test_what_is_for_admins_is_not_told_by_a_refusal() -> None:
    writing.put([piece("Safe", "The safe is red.", tags=("vault",), for_admins=True)])
    wanted = Filters(tags=frozenset({"vault"}))
    with pytest.raises(UnknownFilterValueError) as refused:
        found("safe", filters=wanted)
    assert "vault" not in refused.value.known
    assert [hit.title for hit in found("safe", filters=wanted, for_admin=True)] == ["Safe"]


@pytest.mark.parametrize("q", ["qwertyzxcv", "xyzzyplugh blorptang", "zzzzzzzz"])
def test_nothing_is_found_for_what_is_like_no_word(q: str) -> None:
    assert found(q) == []


def test_a_plain_word_in_a_longer_query_is_no_identifier() -> None:
    writing.put([piece("GET /report — Report", "A list.", Kind.API, identifiers=("report", "GET /report"))])
    assert "exact" in found("report")[0].matched_by
    assert all("exact" not in hit.matched_by for hit in found("the grinder does not report"))
    assert "exact" in found("how do I call startBrew")[0].matched_by


def test_a_check_found_by_words_of_another_language_is_shown_in_the_readers() -> None:
    english, german = (
        piece(title, body, Kind.DOCTOR, language=language, identifiers=("CM009",), path="doctor/CM009")
        for title, body, language in (("Lamp", "The lamp is dark.", "en"), ("Licht", "Die Lampe ist rest.", "de"))
    )
    writing.put([english, german, piece("Rest", "Let the soup rest.")])
    titles = [hit.title for hit in found("soup rest")]
    assert "Lamp" in titles
    assert "Licht" not in titles
    assert "Licht" in [hit.title for hit in found("soup rest", locale="de-DE")]


@pytest.mark.parametrize("anchor", ["frother", ""])
def test_a_section_of_many_pieces_is_one_result_and_hides_no_other(anchor: str) -> None:
    of_section = [
        piece(f"Frother {number}", f"Froth the milk, step {number}.", path="froth.md", anchor=anchor, url="/froth")
        for number in range(150)
    ]
    others = [
        piece(f"Milk {number}", f"Cold milk {number} and no froth at all, but {'beans ' * 20}") for number in range(8)
    ]
    writing.put([*of_section, *others])
    fifty = [hit.id for hit in found("froth milk", k=50)]
    assert len({one.id for one in of_section} & set(fifty)) == 1
    assert fifty[0] in {one.id for one in of_section}
    assert {one.id for one in others} <= set(fifty)
    assert [hit.id for hit in found("froth milk", k=5)] == fifty[:5]
    assert found("froth the milk step 77")[0].title == "Frother 77"


def test_an_irregular_form_finds_its_word() -> None:
    writing.put([piece("Keys that people lose", "Ask at the desk.")])
    assert found("lost keys")[0].title == "Keys that people lose"


def test_a_filter_by_target_leaves_out_what_is_of_another() -> None:
    ours, theirs = (Target.objects.create(name=name, kind="http") for name in ("ours", "theirs"))
    writing.put(
        [piece("Milk of ours", "milk", target_id=ours.pk), piece("Milk of theirs", "milk", target_id=theirs.pk)]
    )
    titles = {hit.title for hit in found("milk grinder", filters=Filters(targets=frozenset({ours.pk})), k=50)}
    assert (titles >= {"Milk of ours", "Grinder jams"}, "Milk of theirs" in titles) == (True, False)


@pytest.mark.parametrize("text", ["", "   ", "\x00\n"])
def test_a_query_of_nothing_is_refused(text: str) -> None:
    with pytest.raises(QueryRequiredError):
        search(SearchRequest(text))


def test_a_query_of_512_characters_is_taken_and_one_more_refused() -> None:
    search(SearchRequest("milk " * 102 + "ab"))
    with pytest.raises(QueryTooLongError):
        search(SearchRequest("a" * 513))


OPERATORS = (
    '"grinder"', "-grinder", "grinder*", "grinder OR", "NOT grinder", "title:grinder", "grinder)", "(grinder",
    "^grinder", "grinder'", "grinder & !",
)  # fmt: skip


@pytest.mark.parametrize("said", OPERATORS)
def test_operators_are_text(said: str) -> None:
    assert found(said)[0].id == GRINDER.id


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=512))
def test_no_text_raises_anything_but_that_nothing_was_typed(text: str) -> None:
    try:
        hits = search(SearchRequest(text, filters=Filters(kinds=frozenset({Kind.API})))).hits
    except QueryRequiredError:
        return
    assert {hit.kind for hit in hits} <= {Kind.API}


QUERIES = ("grinder", "restore recipes", "grnider", "dump", "POST /brews", "Pumpe", "clean the tank", "чашки", "brew")


def order() -> list[list[tuple[str, float]]]:
    return [[(hit.id, hit.score) for hit in found(text, k=50)] for text in QUERIES]


def test_the_order_is_the_same_however_often_and_in_which_order_pieces_were_put() -> None:
    before = order()
    for seed in range(5):
        shuffled = list(EVERY)
        random.Random(seed).shuffle(shuffled)
        writing.drop(BY_ID)
        encoding.forget()  # as after a restart
        for chunk in shuffled:
            writing.put([chunk])
        assert order() == before


def test_few_results_are_the_beginning_of_many() -> None:
    for text in QUERIES:
        many = [hit.id for hit in found(text, k=50)]
        assert [hit.id for hit in found(text, k=2)] == many[:2]


def test_the_clock_changes_nothing_unless_freshness_is_on() -> None:
    before = order()
    later = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=400)
    with time_machine.travel(later, tick=False):
        assert order() == before
        SearchSettings.objects.update_or_create(pk=1, defaults={"freshness_boost": True})
        SearchSettings.clear_cache()
        writing.put([piece("Grinder of today", "Beans jam the grinder.")])
        assert found("grinder beans")[0].title == "Grinder of today"


def test_what_is_opened_often_stands_higher_where_that_is_switched_on() -> None:
    writing.put([piece("Steam wand", "Steam milk."), piece("Steam valve", "Steam milk.")])
    last = found("steam milk")[1].id
    Click.objects.create(day=datetime.date(2026, 1, 1), chunk_key=last, count=50)
    assert found("steam milk")[1].id == last
    SearchSettings.objects.update_or_create(pk=1, defaults={"popularity_boost": True})
    SearchSettings.clear_cache()
    assert found("steam milk")[0].id == last


def test_ranks_and_boosts_are_told_where_asked_for() -> None:
    debug = found("startBrew", debug=True)[0].debug
    assert debug is not None
    assert debug["ranks"]["exact"] == 1
    assert debug["boosts"] == {"whole": 0.05}


def test_a_renamed_piece_leaves_no_trace() -> None:
    scope = Row.objects.filter(kind=Kind.DOCS)
    writing.replace(scope, [replace(GRINDER, id="docs:new", title="Mill"), BACKUP])
    assert [hit.title for hit in found("grinder", k=50)][:1] == ["Mill"]
    assert not found("descaling") or DESCALE.id not in [hit.id for hit in found("descaling", k=50)]
    assert not Term.objects.filter(word="descaling", pieces__gt=0).exists()


def test_what_did_not_change_is_not_written_again() -> None:
    writes = IndexState.objects.get().writes
    written = writing.put(EVERY)
    assert (written.unchanged, written.added, written.changed) == (len(EVERY), 0, 0)
    assert IndexState.objects.get().writes == writes


def test_vectors_that_were_written_after_the_last_search_count_in_the_next() -> None:
    assert found("grinding oilier bean")
    writing.put([replace(DESCALE, body="Grinding of the oiliest bean.")])
    writing.drop([GRINDER.id])
    hits = {hit.id: hit.matched_by for hit in found("grinding oilier bean", k=50)}
    assert ("vectors" in hits[DESCALE.id], GRINDER.id in hits) == (True, False)


def test_the_index_counts_what_it_has() -> None:
    writing.put([replace(GRINDER, body="Beans.")])
    writing.drop([BACKUP.id])
    state = IndexState.objects.get()
    assert (state.pieces, round(state.total_length, 3)) == (
        Row.objects.count(),
        round(sum(Row.objects.values_list("length", flat=True)), 3),
    )
    assert Term.objects.get(language="en", word="oily").pieces == 0
    assert Term.objects.get(language="en", word="brews").pieces == 2


def test_after_any_changes_the_index_counts_as_if_all_was_written_once() -> None:
    writing.put([replace(GRINDER, body="Beans and beans."), GRINDER, PUMP])  # of one id twice, the last stands
    writing.put([replace(DESCALE, tags=("care", "boiler")), replace(PUMP, language="fr")])
    writing.drop([BACKUP.id, PUMP.id, "docs:unknown"])
    changed = _counts()
    writing.drop(Row.objects.values_list("key", flat=True))
    assert not Term.objects.filter(pieces__gt=0).exists()
    kept = {each.id: each for each in EVERY} | {DESCALE.id: replace(DESCALE, tags=("care", "boiler"))}
    writing.put([each for key, each in kept.items() if key not in (BACKUP.id, PUMP.id)])
    assert _counts() == changed


def _counts() -> tuple[int, float, list[tuple[str, str, int]]]:
    state = IndexState.objects.get()
    words = Term.objects.filter(pieces__gt=0).order_by("language", "word").values_list("language", "word", "pieces")
    return state.pieces, round(state.total_length, 3), list(words)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_fits_equally_well_comes_in_the_order_of_ids_however_much_there_is(seed: int) -> None:
    alike = [replace(piece(f"Lamp {n:02}"), title="Lamp", body="The lamp is lit.") for n in range(40)]
    writing.put(random.Random(seed).sample(alike, len(alike)))
    anything = pieces.condition(Filters(), for_admin=True)
    rows = words.candidates([(("lamp",),)], True, anything, limit=3)
    keys = dict(Row.objects.filter(pk__in=rows).values_list("pk", "key"))
    assert [keys[row] for row in rows] == sorted(each.id for each in alike)[:3]


@pytest.mark.parametrize("having", [0, words.MANY])
@pytest.mark.parametrize("limit", [3, 20])
def test_of_a_common_word_pieces_with_it_in_the_title_come_first(having: int, limit: int) -> None:
    titled = [piece(f"Lamp {number}", "It is lit.") for number in range(10)]
    others = [piece(f"Room {number}", "A room with one lamp.") for number in range(30)]
    writing.put([*others, *titled])
    anything = pieces.condition(Filters(), for_admin=True)
    rows = words.candidates([(("lamp",),)], True, anything, limit, having)
    keys = dict(Row.objects.filter(pk__in=rows).values_list("pk", "key"))
    assert {keys[row] for row in rows[:10]} <= {each.id for each in titled}
    assert len(rows) == limit


def test_a_word_that_only_a_heading_above_says_is_found() -> None:
    writing.put([piece("Opening hours", "From nine to five.", section_path=("Zephyrine",))])
    assert found("zephyrine")[0].title == "Opening hours"


def test_what_fits_less_well_is_found_where_a_filter_leaves_out_all_that_fits_better() -> None:
    better = [piece(f"Lamp {number}", "Lamp, lamp and lamp.", service="lamps") for number in range(40)]
    other = piece("Night", "There are many things in a room, and among all of them one lamp.", service="rooms")
    writing.put([*better, other])
    of_rooms = pieces.condition(Filters(service="rooms"), for_admin=True)
    rows = words.candidates([(("lamp",),)], True, of_rooms, limit=3)
    assert list(Row.objects.filter(pk__in=rows).values_list("key", flat=True)) == [other.id]


def test_a_change_of_a_row_is_found_by_the_next_search() -> None:
    target = Target.objects.create(name="Kestrel staging", kind="http", base_url="http://127.0.0.1:9")
    assert found("kestrel")[0].title == "Kestrel staging"
    Target.objects.filter(pk=target.pk).update(name="Merlin staging")
    assert found("merlin")[0].title == "Merlin staging"
    assert "Kestrel staging" not in [hit.title for hit in found("kestrel")]


def test_what_a_filter_leaves_nothing_of_is_not_suggested_again() -> None:
    only_cycles = Filters(kinds=frozenset({Kind.CYCLE}))
    assert search(SearchRequest("grinder", filters=only_cycles)).suggestions == ()
    assert search(SearchRequest("grinder zebrawood", filters=only_cycles)).suggestions == ("grinder",)
