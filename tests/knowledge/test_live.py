"""What is made of rows is found as its rows are now, whichever way they were changed."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier, Event

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from selftest.evaluation import saving as pairs
from selftest.evaluation.models import GoldenPair, GoldenSet, PairVersion
from selftest.findings.models import Finding
from selftest.findings.saving import delete_finding, undo_of
from selftest.knowledge.core.answers import Filters, SearchRequest
from selftest.knowledge.core.chunks import LIVE, Chunk, Kind
from selftest.knowledge.index import writing
from selftest.knowledge.live import cycles, draining
from selftest.knowledge.live.adapters import ADAPTERS
from selftest.knowledge.live.combinations import flagged, named
from selftest.knowledge.live.draining import bring_all_current, bring_current, note_all, read_all
from selftest.knowledge.live.wording import key_of
from selftest.knowledge.models import Change, IndexState
from selftest.knowledge.models import Chunk as Row
from selftest.knowledge.searching import search
from selftest.models import Cause, CauseEvent, Cycle, Flag, Reduction, Target
from tests.evaluation.pairs import CLEO, content, made_pair
from tests.findings.conftest import ALWAYS, NEVER, VERA, save
from tests.review import factory

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
EVERYTHING = Filters()


def piece(kind: Kind, number: int) -> Chunk | None:
    """As a search would find it now."""
    bring_all_current(60)
    row = Row.objects.filter(key=key_of(kind, number)).first()
    return None if row is None else writing.as_chunk(row)


def body(kind: Kind, number: int) -> str:
    found = piece(kind, number)
    assert found is not None
    return found.body


def lines(kind: Kind, number: int) -> list[str]:
    return body(kind, number).splitlines()


@pytest.fixture
def cause() -> Cause:
    return factory.make_cause(sentence="a query about ferries", checks=["part_lost"])


# --- each way to change a row ---


def by_save(row: Cause) -> None:
    row.sentence = "a query about tides"
    row.save()


def by_update(row: Cause) -> None:
    Cause.objects.filter(pk=row.pk).update(sentence="a query about tides")


def by_bulk_update(row: Cause) -> None:
    row.sentence = "a query about tides"
    Cause.objects.bulk_update([row], ["sentence", "checks", "flags"])


def by_sql(row: Cause) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE selftest_cause SET sentence = 'a query about tides' WHERE id = %s", [row.pk])


@pytest.mark.parametrize("change", [by_save, by_update, by_bulk_update, by_sql])
def test_a_change_of_a_row_is_found_however_it_was_written(change: Callable[[Cause], None], cause: Cause) -> None:
    assert lines(Kind.CAUSE, cause.pk)[0] == "a query about ferries"
    change(cause)
    assert lines(Kind.CAUSE, cause.pk)[0] == "a query about tides"


def test_rows_that_are_created_in_bulk_are_found() -> None:
    shown = {"category": "note", "actor": "vera", "created_at": NOW}
    made = Finding.objects.bulk_create([Finding(content=f"Otter {n} swims.", **shown) for n in range(3)])
    assert [lines(Kind.FINDING, row.pk)[0] for row in made] == [f"Otter {n} swims." for n in range(3)]


@pytest.mark.parametrize("way", ["instance", "queryset", "sql"])
def test_a_deleted_row_leaves_nothing(cause: Cause, way: str) -> None:
    assert piece(Kind.CAUSE, cause.pk)
    number = cause.pk
    if way == "instance":
        cause.delete()
    elif way == "queryset":
        Cause.objects.filter(pk=number).delete()
    else:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM selftest_cause WHERE id = %s", [number])
    assert piece(Kind.CAUSE, number) is None


def test_all_that_belongs_to_a_deleted_target_goes_with_it(cause: Cause) -> None:
    target = cause.target
    cycle = factory.make_cycle(Cycle.State.INTERRUPTED, target=target)
    Cycle.objects.update(vocabulary=None)  # which would keep the target from being deleted
    bring_all_current(60)
    assert IndexState.objects.get().pieces == 3
    Target.objects.filter(pk=target.pk).delete()
    assert [piece(Kind.TARGET, target.pk), piece(Kind.CAUSE, cause.pk), piece(Kind.CYCLE, cycle.pk)] == [None] * 3
    assert (Row.objects.count(), IndexState.objects.get().pieces) == (0, 0)
    assert words_left() == 0


def test_a_row_that_no_piece_can_be_made_of_stops_no_search(cause: Cause, caplog: pytest.LogCaptureFixture) -> None:
    other = factory.make_cause(sentence="a query about lanterns", checks=["part_lost"], target=cause.target)
    Cause.objects.filter(pk=cause.pk).update(checks=5)  # no list
    assert [hit.details["number"] for hit in search(SearchRequest("lanterns")).hits if hit.kind == Kind.CAUSE] == [
        other.pk
    ]
    assert piece(Kind.CAUSE, cause.pk) is None
    assert f"cause {cause.pk} cannot be read" in caplog.text
    call_command("knowledge", "rebuild")
    assert piece(Kind.CAUSE, other.pk)


def words_left() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM knowledge_words")
        return int(cursor.fetchone()[0])


def test_what_says_nothing_else_is_not_noted(cause: Cause) -> None:
    bring_all_current(60)
    Cause.objects.filter(pk=cause.pk).update(runs=7, struck=3, sentence=cause.sentence, last_seen=NOW)
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    Cycle.objects.filter(pk=cycle.pk).update(state=Cycle.State.FINISHED, queries_run=8)
    assert not Change.objects.exists()


# --- what each kind says ---


def test_a_cause_says_its_checks_verdict_reason_link_and_notes(cause: Cause) -> None:
    Cause.objects.filter(pk=cause.pk).update(
        verdict=Cause.Verdict.CONFIRMED, reason="Lost by the splitter.", link="https://bugs.example/7"
    )
    shown = {"cause": cause, "actor": "vera", "at": NOW, "kind": CauseEvent.Kind.NOTED}
    CauseEvent.objects.bulk_create([CauseEvent(note="Asked the team.", **shown)])
    assert lines(Kind.CAUSE, cause.pk) == [
        "a query about ferries",
        "Checks: Part lost",
        "Verdict: Confirmed",
        "Reason: Lost by the splitter.",
        "Tracked at: https://bugs.example/7",
        "Note: Asked the team.",
    ]
    found = piece(Kind.CAUSE, cause.pk)
    assert found is not None
    assert (found.url, found.identifiers) == (f"/causes/{cause.pk}", (f"#{cause.pk}", f"cause {cause.pk}"))


def test_a_cause_has_the_smallest_query_that_was_found_for_it(cause: Cause) -> None:
    row = factory.flagged("ferries and the tide and the moon")
    factory.put_down([row], cause)
    flag = Flag.objects.get(combination=row)
    Cause.objects.filter(pk=cause.pk).update(example=flag)
    assert "Smallest query: ferries and the tide and the moon" in lines(Kind.CAUSE, cause.pk)
    search = Reduction.objects.create(
        combination=row, run=flag.run, check_name=flag.check_name, askings_at_most=9, created_at=NOW
    )
    Reduction.objects.filter(pk=search.pk).update(state=Reduction.State.FINISHED, smallest_text="ferries")
    assert "Smallest query: ferries" in lines(Kind.CAUSE, cause.pk)
    Flag.objects.filter(pk=flag.pk).update(cause=None)
    assert "Smallest query: ferries and the tide and the moon" in lines(Kind.CAUSE, cause.pk)


def test_a_merged_cause_is_found_no_longer(cause: Cause) -> None:
    heir = factory.make_cause(sentence="another one")
    assert piece(Kind.CAUSE, cause.pk)
    Cause.objects.filter(pk=cause.pk).update(merged_into=heir)
    assert piece(Kind.CAUSE, cause.pk) is None


def test_a_superseded_finding_is_hidden_until_it_is_free_again() -> None:
    old = save(ALWAYS, "feedback/from-user/reports").finding
    assert piece(Kind.FINDING, old.pk)
    new = save(NEVER, "feedback/from-user/reports").finding
    assert piece(Kind.FINDING, old.pk) is None
    undo_of(new, VERA)
    assert piece(Kind.FINDING, old.pk)
    delete_finding(new, VERA)
    assert piece(Kind.FINDING, new.pk) is None


def test_a_finding_has_its_category_and_its_tags() -> None:
    row = save("Die Fähre fährt nicht bei Ebbe.", "note/harbour", "tide", "ferry").finding
    found = piece(Kind.FINDING, row.pk)
    assert found is not None
    assert (found.language, found.tags, found.section_path) == ("de", ("tide", "ferry"), ("note/harbour",))


def test_a_pair_says_what_it_expects_and_is_hidden_while_archived() -> None:
    target = factory.make_target()
    row = made_pair("harbour weather", target, content("weather at the harbour", sources=("forecast",)))
    assert lines(Kind.GOLDEN_PAIR, row.pk)[:3] == [
        "Query: weather at the harbour",
        "Ordinary query",
        "Content from: forecast",
    ]
    pairs.archive(row, CLEO, "too easy", 1)
    assert piece(Kind.GOLDEN_PAIR, row.pk) is None
    pairs.restore(row, CLEO, "needed again", 2)
    assert "Why: needed again" in lines(Kind.GOLDEN_PAIR, row.pk)
    GoldenSet.objects.update(name="harbour")
    assert "Set: harbour" in lines(Kind.GOLDEN_PAIR, row.pk)
    PairVersion.objects.filter(pair=row).update(query="weather at sea")
    assert lines(Kind.GOLDEN_PAIR, row.pk)[0] == "Query: weather at sea"
    GoldenPair.objects.filter(pk=row.pk).update(name="sea weather")
    found = piece(Kind.GOLDEN_PAIR, row.pk)
    assert found is not None
    assert found.title == "sea weather"


def test_a_target_tells_no_secret() -> None:
    row = Target.objects.create(
        name="harbour",
        kind=Target.Kind.HTTP,
        base_url="https://vera:pass-word@router.example:8443/v2?key=query-key",
        path="/ask/path-key",
        api_key="api-key",
        headers="X-Key: header-key",
        secret_headers="X-Secret: secret-header",
    )
    found = piece(Kind.TARGET, row.pk)
    assert found is not None
    assert "Host: router.example:8443" in found.body
    for secret in ("vera", "pass-word", "query-key", "path-key", "api-key", "header-key", "secret-header"):
        assert secret not in repr(found)


def test_a_target_has_the_version_that_it_answered_with_last() -> None:
    target = factory.make_target("harbour")
    cycle = factory.make_cycle(target=target)
    assert not any(line.startswith("Version") for line in lines(Kind.TARGET, target.pk))
    Cycle.objects.filter(pk=cycle.pk).update(target_version="2.4")
    found = piece(Kind.TARGET, target.pk)
    assert found is not None
    assert (found.version, "Version: 2.4" in found.body) == ("2.4", True)


def test_of_cycles_the_newest_that_did_not_end_well_are_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cycles, "NEWEST", 2)
    away = [factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, f"refused {n}") for n in range(3)]
    well = factory.make_cycle()
    assert [piece(Kind.CYCLE, row.pk) is not None for row in (*away, well)] == [False, True, True, False]
    Cycle.objects.filter(pk=away[2].pk).update(state=Cycle.State.FINISHED)
    assert [piece(Kind.CYCLE, row.pk) is not None for row in away] == [True, True, False]
    late = factory.make_cycle(Cycle.State.INTERRUPTED, "restarted")
    assert [piece(Kind.CYCLE, row.pk) is not None for row in (*away, late)] == [False, True, False, True]
    assert lines(Kind.CYCLE, late.pk)[:2] == [f"Cycle {late.pk}: Interrupted", "restarted"]


def test_an_answer_is_in_no_piece(cause: Cause) -> None:
    row = factory.flagged("the ferry", result="Private answer of the zebra.")
    factory.put_down([row], cause)
    Cause.objects.filter(pk=cause.pk).update(example=Flag.objects.get(combination=row))
    asked = row.last_run_id
    bring_all_current(60)
    found = [repr(writing.as_chunk(each)) for each in Row.objects.all()]
    found += map(repr, (*flagged(["ferry"], EVERYTHING, 9), *named([f"run {asked}", f"#{row.pk}"], EVERYTHING)))
    assert len(found) >= 4
    assert not [said for said in found if "zebra" in said]


# --- bringing up to date ---


def test_every_live_kind_but_flags_has_an_adapter() -> None:
    assert set(ADAPTERS) == LIVE - {Kind.FLAG}


def test_with_nothing_to_do_one_query_is_asked(
    cause: Cause, django_assert_num_queries: Callable[[int], object]
) -> None:
    bring_all_current(60)
    with django_assert_num_queries(1):  # type: ignore[attr-defined]
        assert bring_current() == 0


def test_a_call_takes_no_more_than_its_limit() -> None:
    for n in range(3):
        factory.make_cause(sentence=f"cause {n}")
    bring_all_current(0)
    waiting = Change.objects.count()
    assert bring_current(2) == 2
    assert Change.objects.count() == waiting - 2


def test_a_search_leaves_a_backlog_to_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(draining, "async_task", lambda task, **_: told.append(task))
    monkeypatch.setattr(draining, "_woken", {})
    target = factory.make_target()
    for n in range(25):
        factory.make_cause(target=target, sentence=f"cause {n}")
    assert not draining.bring_current_for_search()
    assert not draining.bring_current_for_search()
    assert Change.objects.count() == 6  # 25 causes and the target were noted
    assert draining.bring_current_for_search()
    assert told == ["selftest.tasks.bring_knowledge_current"]


def test_what_is_gone_is_not_found_even_while_a_backlog_waits(cause: Cause, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draining, "async_task", lambda *_, **__: None)
    bring_all_current(60)
    for n in range(draining.BY_A_SEARCH + 5):
        factory.make_cause(sentence=f"cause {n}")
    hidden = factory.make_cause(sentence="a query about ferries and piers")
    cause.delete()
    assert [hit.title for hit in search(SearchRequest("ferries")).hits] == []
    assert [hit.title for hit in search(SearchRequest("ferries")).hits] == [hidden.sentence]


def test_pieces_are_the_same_by_changes_and_by_a_rebuild(cause: Cause) -> None:
    factory.make_cycle(Cycle.State.INTERRUPTED, "restarted")
    save("Tides come twice a day.", "note/harbour")
    made_pair("weather", cause.target)
    bring_all_current(60)
    by_changes = [writing.as_chunk(row) for row in Row.objects.order_by("key")]
    live = Row.objects.filter(document=None)
    assert sorted(read_all(), key=lambda each: each.id) == by_changes
    assert writing.replace(live, read_all()).unchanged == len(by_changes)
    writing.drop([each.id for each in by_changes])
    note_all()
    bring_all_current(60)
    assert [writing.as_chunk(row) for row in Row.objects.order_by("key")] == by_changes


def test_rows_that_went_unseen_are_dropped_when_all_are_noted(cause: Cause) -> None:
    bring_all_current(60)
    number = cause.pk
    cause.delete()
    Change.objects.all().delete()
    note_all()
    assert piece(Kind.CAUSE, number) is None


# --- flagged combinations, and rows by number ---


def test_flagged_combinations_are_found_by_words_at_once_the_newest_first() -> None:
    first, second = factory.flagged("the last ferry"), factory.flagged("ferries at night")
    factory.ask(factory.make_combination("ferry that was never flagged"))
    assert [each.details["number"] for each in flagged(["ferr"], EVERYTHING, 9)] == [second.pk, first.pk]
    assert [each.details["number"] for each in flagged(["ferr"], EVERYTHING, 1)] == [second.pk]
    assert [each.details["number"] for each in flagged(["ferr", "last"], EVERYTHING, 9)] == [first.pk]
    assert flagged([], EVERYTHING, 9) == []


def test_flagged_combinations_are_those_of_the_targets_that_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selftest.knowledge.live.combinations.LOOKED_AT", 2)
    mine = factory.flagged("the last ferry")
    other = factory.make_target("other", is_default=False)
    for n in range(5):
        cycle = factory.make_cycle(target=other)
        factory.ask(factory.make_combination(f"ferry {n}", other), (factory.finding(),), cycle=cycle)
    of_mine = Filters(targets=frozenset({mine.target_id}))
    assert [each.details["number"] for each in flagged(["ferry"], of_mine, 9)] == [mine.pk]
    assert len(flagged(["ferry"], Filters(targets=frozenset({other.pk})), 9)) == 5
    assert flagged(["ferry"], Filters(kinds=frozenset({Kind.DOCS})), 9) == []
    assert flagged(["ferry"], Filters(product="gadfly"), 9) == []


def test_rows_are_found_by_their_number_and_fingerprint() -> None:
    row = factory.flagged("the last ferry")
    run = row.last_run
    assert run is not None

    def urls(said: str, filters: Filters = EVERYTHING) -> set[str]:
        return {each.url for each in named([said], filters)}

    page = f"/combinations/{row.pk}"
    assert urls(row.fingerprint) == urls(row.fingerprint_sha256) == urls(f"combination {row.pk}") == {page}
    assert urls(f"run {run.pk}") == {f"/runs/{run.pk}"}
    assert urls(f"Cycle #{run.cycle_id}") == {f"/cycles/{run.cycle_id}"}
    assert page in urls(f"#{row.pk}")
    elsewhere = Filters(targets=frozenset({row.target_id + 1}))
    assert urls(f"#{row.pk}", elsewhere) == urls(row.fingerprint, elsewhere) == set()
    for nothing in ("12", "ferry", "#", "run", "run -1", "#99999999999999999999", f"#{2**63}", "run '1' OR 1=1"):
        assert urls(nothing) == set()


# --- triggers ---


@pytest.mark.django_db(transaction=True)
def test_triggers_are_made_again_where_a_migration_made_a_table_again() -> None:
    row = factory.make_cause(sentence="a query about ferries")
    call_command("migrate", "knowledge", "0002", verbosity=0)
    Cause.objects.filter(pk=row.pk).update(sentence="a query about tides")
    call_command("migrate", verbosity=0)
    assert lines(Kind.CAUSE, row.pk)[0] == "a query about tides"
    Cause.objects.filter(pk=row.pk).update(sentence="a query about moons")
    assert lines(Kind.CAUSE, row.pk)[0] == "a query about moons"


@pytest.mark.django_db(transaction=True)
def test_a_table_that_is_made_again_is_watched_after_migrate() -> None:
    row = factory.make_cause(sentence="a query about ferries")
    bring_all_current(60)
    field = Cause._meta.get_field("reason")
    with connection.schema_editor() as editor:
        wider = field.clone()
        wider.null = True
        wider.set_attributes_from_name("reason")
        wider.model = Cause
        editor.alter_field(Cause, field, wider)
    Cause.objects.filter(pk=row.pk).update(sentence="a query about tides")
    call_command("migrate", verbosity=0)
    assert lines(Kind.CAUSE, row.pk)[0] == "a query about tides"
    Cause.objects.filter(pk=row.pk).update(sentence="a query about moons")
    assert lines(Kind.CAUSE, row.pk)[0] == "a query about moons"


def test_to_migrate_again_notes_nothing(cause: Cause) -> None:
    bring_all_current(60)
    call_command("migrate", verbosity=0)
    assert not Change.objects.exists()


# --- as a search finds it ---


def test_a_search_finds_what_was_changed_a_moment_ago(cause: Cause) -> None:
    Cause.objects.filter(pk=cause.pk).update(sentence="a query about the equinox")
    assert [hit.id for hit in search(SearchRequest("equinox")).hits] == [key_of(Kind.CAUSE, cause.pk)]
    Cause.objects.filter(pk=cause.pk).delete()
    assert search(SearchRequest("equinox")).hits == []


def test_a_search_finds_flagged_queries_and_rows_by_number() -> None:
    row = factory.flagged("the equinox ferry")
    [hit] = search(SearchRequest("equinox ferry")).hits
    assert (hit.kind, hit.title, hit.matched_by) == (Kind.FLAG, "the equinox ferry", ("flagged",))
    assert hit.actions[0].url == f"/combinations/{row.pk}"
    by_number = search(SearchRequest(f"run {row.last_run_id}")).hits
    assert (by_number[0].actions[0].url, by_number[0].matched_by) == (f"/runs/{row.last_run_id}", ("exact",))
    assert search(SearchRequest(row.fingerprint)).hits[0].actions[0].url == f"/combinations/{row.pk}"


def test_a_cycle_that_is_a_piece_is_found_by_its_number_once() -> None:
    row = factory.make_cycle(Cycle.State.INTERRUPTED, "restarted")
    urls = [hit.actions[0].url for hit in search(SearchRequest(f"cycle {row.pk}")).hits]
    assert urls.count(f"/cycles/{row.pk}") == 1
    assert urls[0] == f"/cycles/{row.pk}"


# --- several at once ---


def at_once(*acts: Callable[[], object]) -> list[object]:
    """What each returns, in a thread with a connection of its own."""

    def run(act: Callable[[], object]) -> object:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.mark.django_db(transaction=True)
def test_two_who_bring_pieces_up_to_date_at_once_do_nothing_twice_and_lose_nothing() -> None:
    target = factory.make_target()
    rows = [factory.make_cause(target=target, sentence=f"a query about pier {n}") for n in range(30)]
    noted = Change.objects.count()
    began = Barrier(3)

    def drain() -> int:
        began.wait()
        return sum(bring_current(4) for _ in range(40))

    def write() -> int:
        began.wait()
        for row in rows:
            Cause.objects.filter(pk=row.pk).update(sentence=f"a query about lock {row.pk}")
        return 0

    taken = at_once(drain, drain, write)
    left = bring_all_current(60)
    assert sum(map(int, map(str, taken))) + left == noted + len(rows)
    assert not Change.objects.exists()
    titles = Row.objects.filter(kind=Kind.CAUSE).order_by("title").values_list("title", flat=True)
    assert list(titles) == sorted(f"a query about lock {row.pk}" for row in rows)
    assert IndexState.objects.get().pieces == Row.objects.count() == len(rows) + 1


@pytest.mark.django_db(transaction=True)
def test_a_search_does_not_wait_for_a_rebuild() -> None:
    row = factory.make_cause(sentence="a query about ferries")
    bring_all_current(60)
    Cause.objects.filter(pk=row.pk).update(sentence="a query about tides")
    has_begun, may_end = Event(), Event()

    def rebuild() -> None:
        with transaction.atomic():
            writing.replace(Row.objects.filter(document=None), read_all())
            has_begun.set()
            assert may_end.wait(30)

    def look() -> list[str]:
        assert has_begun.wait(30)
        try:
            taken = bring_current()
            found = search(SearchRequest("ferries")).hits
            return [str(taken), *(hit.title for hit in found)]
        finally:
            may_end.set()

    _, seen = at_once(rebuild, look)
    assert seen == ["0", "a query about ferries"]  # the old index answers until the new one stands
    assert lines(Kind.CAUSE, row.pk)[0] == "a query about tides"


def test_a_word_before_a_number_says_which_row_is_meant(cause: Cause) -> None:
    number = max(cause.pk, factory.make_cycle().pk) + 10  # of two digits at least, which is a word of the query as well
    Cause.objects.filter(pk=cause.pk).update(id=number)
    Cycle.objects.update(id=number)
    note_all()  # no one changes numbers but this test
    found = search(SearchRequest(f"cause #{number}", debug=True)).hits
    assert [hit.kind for hit in found[:2]] == [Kind.CAUSE, Kind.CYCLE]
    assert found[0].debug is not None
    assert "whole" in found[0].debug["boosts"]
    found = search(SearchRequest(f"why did cycle #{number} stop")).hits
    assert found[0].kind == Kind.CYCLE
