"""A run is claimed once and recorded once; what it does to its combination is the specification's story."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding
from selftest.cycles import recording
from selftest.models import Actor, Combination, Cycle, Flag, ReviewEvent, Run
from selftest.reading.queue import flagged
from selftest.reviewing.dismissal import dismiss
from selftest.storage import full_text
from selftest.storage.serialization import evidence_document, evidence_of
from tests.engine.conftest import NOW, MakeTarget

pytestmark = pytest.mark.django_db

SOUND = Answer("Something to read.", "news", 12.5, http_status=200)
ANNA = Actor("anna")


def minute(number: int) -> datetime:
    return NOW + timedelta(minutes=number)


def finding(summary: str, check: CheckName = CheckName.SOURCE_MISMATCH) -> Finding:
    return Finding(check, summary, promised="news", seen="web", where="source_used")


@pytest.fixture
def new_run(make_target: MakeTarget) -> Callable[[], Run]:
    """Another planned run of one and the same combination."""
    target = make_target()
    cycle = Cycle.objects.create(
        target=target, trigger="command", state="running", seed=1, queries_wanted=9, created_at=NOW
    )
    combination = Combination.objects.create(
        target=target,
        fingerprint='["topic:osmosis"]',
        fingerprint_sha256=hashlib.sha256(b'["topic:osmosis"]').hexdigest(),
        recipe_name="no_intent_fallthrough",
        query={"recipe": "no_intent_fallthrough", "parts": [["topic", "osmosis", ""]]},
        first_seen_timestamp=NOW,
        last_query_text="osmosis",
    )

    def make() -> Run:
        return Run.objects.create(
            cycle=cycle,
            target=target,
            combination=combination,
            recipe_name=combination.recipe_name,
            place=cycle.runs.count(),
            query=combination.query,
            query_text="osmosis",
        )

    return make


@pytest.fixture
def ask(new_run: Callable[[], Run]) -> Callable[..., Combination]:
    """One more run, claimed and recorded with these findings; the combination afterwards."""

    def recorded(now: datetime, *findings: Finding, answer: Answer = SOUND) -> Combination:
        run = new_run()
        assert recording.claim(run, now)
        assert recording.record(run, answer, findings, now)
        return Combination.objects.get()

    return recorded


def story() -> list[str]:
    return list(ReviewEvent.objects.order_by("id").values_list("kind", flat=True))


def in_queue() -> bool:
    return flagged().exists()


def test_the_story_of_a_flag_from_its_first_day_to_its_return(ask: Callable[..., Combination]) -> None:
    seen = ask(minute(1), finding("answered by 'web'"))
    assert (seen.ever_flagged, seen.currently_flagged, seen.review_status) == (True, True, None)
    assert in_queue()
    first = ("source_mismatch: answered by 'web'", minute(1))
    assert (seen.first_flagged_reason, seen.first_flagged_timestamp) == first
    assert seen.last_flagged_reason == first[0]
    assert seen.last_flagged_run_id == seen.last_run_id

    seen = ask(minute(2))
    assert (seen.ever_flagged, seen.currently_flagged, seen.last_flagged_reason) == (True, False, None)
    assert in_queue(), "a clean re-run takes nothing off the queue"
    assert seen.last_flagged_run_id < seen.last_run_id

    assert dismiss(seen, ANNA, "a hiccup")
    assert not in_queue()
    assert flagged(include_dismissed=True).count() == 1

    seen = ask(minute(3))
    assert seen.review_status == "dismissed"
    assert not in_queue(), "a clean run opens nothing"

    seen = ask(minute(4), finding("no answer within 60 s", CheckName.CRASH))
    assert (seen.review_status, seen.currently_flagged) == (None, True)
    assert in_queue(), "a new flag brings it back"
    assert (seen.first_flagged_reason, seen.first_flagged_timestamp) == first
    assert seen.last_flagged_reason == "crash: no answer within 60 s"
    assert (seen.times_generated, seen.last_run_timestamp) == (4, minute(4))
    assert story() == ["flagged", "came_back_clean", "dismissed", "resurfaced"]
    assert list(ReviewEvent.objects.order_by("id").values_list("actor", flat=True)) == [
        "engine",
        "engine",
        "anna",
        "engine",
    ]


def test_the_ingredients_of_what_is_flagged_are_told_by_their_keys_and_words(ask: Callable[..., Combination]) -> None:
    assert ask(minute(1)).ingredient_keys is None, "only of what was ever flagged"
    seen = ask(minute(2), finding("once"))
    (osmosis,) = seen.ingredients.all()
    assert (osmosis.text, seen.ingredient_keys) == ("topic:osmosis", f",{osmosis.pk},")
    assert full_text.among_those_of(Combination.objects.all(), "osmosis").get() == seen


def test_what_an_older_release_flagged_gets_the_keys_at_its_next_flag(ask: Callable[..., Combination]) -> None:
    first = ask(minute(1), finding("once"))
    Combination.objects.update(ingredient_keys=None)
    again = ask(minute(2), finding("twice"))
    assert again.ingredient_keys == first.ingredient_keys
    assert again.first_flagged_timestamp == minute(1)


def test_staying_flagged_and_staying_clean_are_no_turns_in_the_story(ask: Callable[..., Combination]) -> None:
    for number in range(3):
        ask(minute(number))
    assert story() == []
    for number in range(3, 6):
        ask(minute(number), finding("again"))
    assert story() == ["flagged"]


def test_a_clean_run_then_a_new_flag_is_told_twice(ask: Callable[..., Combination]) -> None:
    ask(minute(1), finding("once"))
    ask(minute(2))
    ask(minute(3), finding("twice"))
    assert story() == ["flagged", "came_back_clean", "flagged"]
    assert ReviewEvent.objects.order_by("-id").values_list("note", flat=True)[0] == "source_mismatch: twice"


def test_a_dismissal_while_still_flagged_resurfaces_at_the_next_flag(ask: Callable[..., Combination]) -> None:
    dismiss(ask(minute(1), finding("once")), ANNA)
    ask(minute(2), finding("twice"))
    assert in_queue()
    assert story() == ["flagged", "dismissed", "resurfaced"]


def test_all_findings_are_kept_and_the_first_is_the_reason(ask: Callable[..., Combination]) -> None:
    seen = ask(minute(1), finding("a", CheckName.SOURCE_MISMATCH), finding("b", CheckName.UNEXPECTED_EMPTY))
    flags = Flag.objects.order_by("place")
    assert [(flag.place, flag.check_name, flag.reason) for flag in flags] == [
        (0, "source_mismatch", "source_mismatch: a"),
        (1, "unexpected_empty", "unexpected_empty: b"),
    ]
    assert flags[0].evidence == {"promised": "news", "seen": "web", "where": "source_used"}
    assert Run.objects.get().reason == seen.last_flagged_reason == "source_mismatch: a"


def test_the_flags_of_the_last_flagged_run_alone_are_the_latest(ask: Callable[..., Combination]) -> None:
    ask(minute(0), finding("a stray source"), finding("twice", CheckName.SECTION_REPEATED))
    ask(minute(1))
    assert set(Flag.objects.values_list("is_latest", flat=True)) == {True}, "a clean run says nothing of them"
    last = ask(minute(2), finding("a stray source again")).last_flagged_run
    assert list(Flag.objects.filter(is_latest=True).values_list("run", flat=True)) == [last and last.pk]
    assert Flag.objects.filter(is_latest=False).count() == 2


def test_a_run_is_claimed_once(new_run: Callable[[], Run]) -> None:
    run = new_run()
    assert recording.claim(run, minute(1))
    assert not recording.claim(run, minute(2))
    run.refresh_from_db()
    assert (run.state, run.asked_at) == ("asking", minute(1))


def test_a_run_is_recorded_once_however_often_it_is_delivered(new_run: Callable[[], Run]) -> None:
    run = new_run()
    recording.claim(run, minute(1))
    assert recording.record(run, SOUND, [finding("first")], minute(2))
    assert not recording.record(run, Answer("other", "web", 1.0), [], minute(3))
    run.refresh_from_db()
    assert (run.state, run.finished_at, run.result, run.reason) == (
        "done",
        minute(2),
        "Something to read.",
        "source_mismatch: first",
    )
    assert (Combination.objects.get().times_generated, Flag.objects.count(), len(story())) == (1, 1, 1)


@pytest.mark.parametrize("state", [Run.State.PLANNED, Run.State.SKIPPED, Run.State.INTERRUPTED])
def test_a_run_that_was_not_claimed_or_was_given_up_is_not_recorded(state: str, new_run: Callable[[], Run]) -> None:
    run = new_run()
    Run.objects.update(state=state)
    assert not recording.record(run, SOUND, [finding("late")], minute(1))
    assert Combination.objects.get().times_generated == 0
    assert not Flag.objects.exists()
    assert Run.objects.get().state == state


def test_the_whole_of_an_ordinary_answer_is_kept_with_its_length_and_sha256(ask: Callable[..., Combination]) -> None:
    result = "naïve — ünïcode 🜁\n" * 100
    ask(minute(1), answer=Answer(result, "news", 3.25))
    run = Run.objects.get()
    assert run.result == result
    assert run.result_length_bytes == len(result.encode())
    assert run.result_sha256 == hashlib.sha256(result.encode()).hexdigest()
    assert (run.latency_ms, run.source_used, run.http_status) == (3.25, "news", None)


def test_of_a_long_answer_256_kib_are_kept_and_length_and_sha256_of_all(ask: Callable[..., Combination]) -> None:
    result = "ä" * (150 * 1024)  # 300 KiB
    ask(minute(1), finding("long"), answer=Answer(result, "news", 1.0))
    run = Run.objects.get()
    assert run.result == "ä" * (128 * 1024)
    assert run.result_length_bytes == 300 * 1024
    assert run.result_sha256 == hashlib.sha256(result.encode()).hexdigest()


def test_a_cut_in_the_middle_of_a_character_leaves_it_out(ask: Callable[..., Combination]) -> None:
    ask(minute(1), answer=Answer("x" + "ä" * (150 * 1024), "news", 1.0))
    assert Run.objects.get().result == "x" + "ä" * (128 * 1024 - 1)


def test_length_and_sha256_that_the_target_gave_are_taken(ask: Callable[..., Combination]) -> None:
    ask(minute(1), answer=Answer("cut", "news", 1.0, length_bytes=9_000_000, sha256="ab" * 32))
    run = Run.objects.get()
    assert (run.result_length_bytes, run.result_sha256) == (9_000_000, "ab" * 32)


def test_nul_and_halves_of_surrogate_pairs_are_shown_and_hashed_as_they_came(ask: Callable[..., Combination]) -> None:
    result = "a\x00b\ud800c"
    found = Finding(CheckName.CRASH, "odd \x00 \udfff", "p\x00", "s\ud800", "w\x00")
    seen = ask(minute(1), found, answer=Answer(result, "we\x00b\udc00", 1.0, error="e\x00\ud912"))
    run = Run.objects.get()
    assert (run.result, run.source_used, run.error) == ("a␀b�c", "we␀b�", "e␀�")
    assert run.result_sha256 == hashlib.sha256(b"a\x00b\xed\xa0\x80c").hexdigest()
    assert run.result_length_bytes == 7
    assert run.reason == seen.first_flagged_reason == "crash: odd ␀ �"
    assert Flag.objects.get().evidence == {"promised": "p␀", "seen": "s�", "where": "w␀"}
    assert seen.last_flagged_result_excerpt == "a␀b�c"


def test_a_very_long_source_name_and_error_are_cut(ask: Callable[..., Combination]) -> None:
    seen = ask(minute(1), finding("x"), answer=Answer("", "s" * 5000, 1.0, error="e" * 100_000))
    run = Run.objects.get()
    assert len(run.source_used) == len(seen.last_source_used or "") == 200
    assert len(run.error) == 16 * 1024


def test_the_excerpt_is_500_characters_of_the_last_flagged_answer(ask: Callable[..., Combination]) -> None:
    ask(minute(1), finding("x"), answer=Answer("ü" * 600, "news", 1.0))
    seen = ask(minute(2))
    assert seen.last_flagged_result_excerpt == "ü" * 500
    seen = ask(minute(3), finding("x"), answer=Answer("", "", 1.0, error="the router broke"))
    assert seen.last_flagged_result_excerpt == "the router broke"


def test_a_clean_run_has_no_excerpt(ask: Callable[..., Combination]) -> None:
    assert ask(minute(1)).last_flagged_result_excerpt is None


def test_the_last_columns_follow_every_run(ask: Callable[..., Combination]) -> None:
    ask(minute(1), answer=Answer("one", "news", 10.0))
    seen = ask(minute(2), answer=Answer("two", "web", 20.0))
    assert (seen.last_source_used, seen.last_latency_ms, seen.last_run_timestamp) == ("web", 20.0, minute(2))
    assert seen.last_run_id == Run.objects.order_by("-id")[0].pk
    assert (seen.times_generated, seen.first_seen_timestamp) == (2, NOW)


def test_a_failure_of_ours_is_kept_as_ours_and_touches_no_combination(new_run: Callable[[], Run]) -> None:
    run = new_run()
    recording.claim(run, minute(1))
    recording.record_own_failure(run, ZeroDivisionError("by \x00"), minute(2))
    run.refresh_from_db()
    assert (run.state, run.own_error, run.error) == ("interrupted", "ZeroDivisionError: by ␀", "")
    assert Combination.objects.get().times_generated == 0
    assert story() == []


def test_a_run_given_back_is_skipped_and_touches_no_combination(new_run: Callable[[], Run]) -> None:
    run = new_run()
    recording.claim(run, minute(1))
    recording.unclaim(run)
    run.refresh_from_db()
    assert run.state == "skipped"
    assert Combination.objects.get().times_generated == 0


def test_evidence_is_stored_as_fields_and_read_again() -> None:
    evidence = Evidence(DiscrepancyKind.ITEMS_MISSING, ("news",), ("the headlines",), ("a\x00b",), 3, 12.5)
    document = evidence_document(replace(finding("gone"), evidence=evidence))
    assert document["kind"] == "items_missing"
    assert evidence_of(document) == replace(evidence, items=("a␀b",))


def test_evidence_of_an_earlier_version_tells_its_line_only() -> None:
    assert evidence_of({"promised": "p", "seen": "s", "where": "line 12"}) == Evidence(line=12)
    assert evidence_of({"promised": "p", "seen": "s", "where": "headers", "kind": "of a later version"}) == Evidence()
