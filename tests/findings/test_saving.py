"""Saving, undoing and deleting findings: each change is exact, told of, and never loses a correction."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from selftest.findings import saving
from selftest.findings.models import Act, Finding, Subject
from selftest.findings.reading import act_in_force, finding_numbered, findings, story_of
from selftest.findings.saving import About, delete_finding, undo, undo_of
from selftest.models import Actor, Target
from selftest.refusals import RefusedError, UnknownError
from tests.findings.conftest import AGENT, ALWAYS, BOT, CLAIM, NEVER, USER, VERA, save, use_profile

pytestmark = pytest.mark.django_db

OTHER_WORDS = "apples pears plums figs dates limes nuts kale leeks beans corn rice oats hops mint".split()  # noqa: SIM905


def active() -> list[int]:
    return sorted(finding.pk for finding in findings())


def superseded_by(finding: Finding) -> int | None:
    return finding_numbered(finding.pk).superseded_by_id


# --- save ---


def test_a_finding_keeps_what_it_is_about_and_who_saved_it() -> None:
    target = Target.objects.create(name="router", kind="python")
    finding = save(
        "It is slow at noon.", "notes/speed", about=About(target, "rss", "latency_outlier"), actor=BOT
    ).finding
    finding.refresh_from_db()
    assert (finding.target, finding.source, finding.check_name) == (target, "rss", "latency_outlier")
    assert (finding.actor, finding.user) == ("engine", None)


def test_what_was_superseded_is_hidden_and_by_its_number_says_by_what_and_why() -> None:
    older, newer = save(ALWAYS).finding, save(NEVER).finding
    assert list(findings()) == [newer]
    assert list(findings(include_superseded=True)) == [newer, older]
    act = act_in_force(finding_numbered(older.pk))
    assert act is not None
    assert act.why is not None
    assert (act.other, act.profile, act.why["rule"]) == (newer, "v2", "opposite_directive")
    assert (act.why["shared"], act.why["older"], act.why["newer"]) == (["reports", "tldr"], ["always"], ["never"])


def test_a_save_in_scope_asks_a_number_of_queries_that_does_not_grow() -> None:
    counts = []
    for number in (0, 5, 10):
        for word in OTHER_WORDS[number : number + 5]:
            save(f"Explain {word}.")
        with CaptureQueriesContext(connection) as queries:
            save(ALWAYS)
        counts.append(len(queries))
    assert len(set(counts)) == 1
    assert counts[0] <= 8


def test_candidates_are_bounded_and_corrections_are_among_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "MOST_CANDIDATES", 2)
    correction = save(NEVER, USER).finding
    for number in range(4):
        save(f"Name the owner of topic {number}.")
    assert save(ALWAYS).finding.superseded_by == correction


@pytest.mark.parametrize(
    ("category", "content", "tags", "message"),
    [
        ("notes", " \n", (), "finding is empty"),
        (" ", "text", (), "category is empty"),
        ("notes", "x" * 4001, (), "4001 characters; the limit is 4000"),
        ("n" * 301, "text", (), "301 characters; the limit is 300"),
        ("notes", "text", ("x" * 101,), "up to 20 tags of up to 100"),
        ("notes", "te\x00xt", (), "NUL"),
    ],
)
def test_what_cannot_be_kept_to_the_letter_is_refused(
    category: str, content: str, tags: tuple[str, ...], message: str
) -> None:
    with pytest.raises(RefusedError, match=message):
        save(content, category, *tags)
    assert not Finding.objects.exists()


def test_feedback_without_a_subject_is_kept_and_compared_with_nothing() -> None:
    first, second = save(ALWAYS, "feedback/from-user/").finding, save(NEVER, "feedback/from-user/").finding
    assert active() == [first.pk, second.pk]


def test_a_failure_in_the_middle_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    older = save(ALWAYS).finding
    monkeypatch.setattr(saving, "_record", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save(NEVER)
    assert active() == [older.pk]


# --- search ---


def test_findings_are_searched_by_words_and_by_the_tree_of_categories() -> None:
    one, two = save("The Wrapper is slow.", CLAIM).finding, save("The wrapper is red.", "notes/wrapper").finding
    assert list(findings("WRAPPER slow")) == [one]
    assert list(findings(category="claim/capability")) == [one]
    assert list(findings(category="notes/wrap")) == []
    assert list(findings("wrapper")) == [two, one]


@pytest.mark.parametrize("words", ["Ärger", "ärger", "ÄRGER"])
def test_case_does_not_matter_to_letters_beyond_ascii_either(words: str) -> None:
    written = [save(text, f"notes/{text}").finding for text in ("Ärger", "ärger", "ÄRGER")]
    assert list(findings(words)) == written[::-1]
    assert list(findings(category=f"NOTES/{words}")) == written[::-1]


def test_an_unknown_number_is_refused() -> None:
    with pytest.raises(UnknownError, match="no finding 7"):
        finding_numbered(7)


# --- undo ---


def test_undo_makes_active_what_was_superseded_and_nothing_else() -> None:
    older, newer = save(ALWAYS).finding, save(NEVER)
    undone = undo(newer.acts[0], VERA)
    assert active() == [older.pk, newer.finding.pk]
    assert (undone.undoes, undone.actor) == (newer.acts[0], "vera")


def test_undo_is_exact_also_after_later_acts_a_b_a() -> None:
    first, by_second = save(ALWAYS).finding, save(NEVER)
    second, by_third = by_second.finding, save(ALWAYS)
    third = by_third.finding
    assert (superseded_by(first), superseded_by(second), superseded_by(third)) == (second.pk, third.pk, None)
    undo(by_second.acts[0], VERA)
    assert (superseded_by(first), superseded_by(second), superseded_by(third)) == (None, third.pk, None)
    undo(by_third.acts[0], VERA)
    assert (superseded_by(first), superseded_by(second), superseded_by(third)) == (None, None, None)


def test_what_is_undone_cannot_be_undone_again_and_no_later_act_is_undone_in_its_place() -> None:
    older, newer = save(ALWAYS).finding, save(NEVER)
    undo(newer.acts[0], VERA)
    save(NEVER)
    with pytest.raises(RefusedError, match="nothing to undo"):
        undo(newer.acts[0], VERA)
    assert superseded_by(older) is not None


def test_undo_of_a_finding_frees_it_or_else_what_it_superseded() -> None:
    one, two = save(ALWAYS).finding, save("Use a TL;DR in reports.").finding
    newer = save(NEVER).finding
    undo_of(finding_numbered(two.pk), VERA)
    assert active() == [two.pk, newer.pk]
    undo_of(finding_numbered(newer.pk), VERA)
    assert active() == [one.pk, two.pk, newer.pk]
    with pytest.raises(RefusedError, match="nothing to undo"):
        undo_of(finding_numbered(newer.pk), VERA)


def test_a_newcomer_that_lost_to_a_correction_is_freed_by_undo() -> None:
    correction, newer = save(NEVER, USER).finding, save(ALWAYS)
    undo(newer.acts[0], VERA)
    assert active() == [correction.pk, newer.finding.pk]


# --- delete ---


def test_deleting_a_winner_frees_its_losers_and_their_story_stays() -> None:
    one, two = save(ALWAYS).finding, save("Use a TL;DR in reports.").finding
    winner = save(NEVER).finding
    number = winner.pk
    assert sorted(delete_finding(winner, VERA)) == [one.pk, two.pk]
    assert active() == [one.pk, two.pk]
    assert [act.kind for act in story_of(one.pk)] == ["freed", "superseded"]
    assert kinds_of(number) == {"superseded": 2, "freed": 2, "deleted": 1}


def kinds_of(number: int) -> dict[str, int]:
    kinds = [act.kind for act in story_of(number)]
    return {kind: kinds.count(kind) for kind in kinds}


def test_what_is_free_is_superseded_at_once_by_another_one_that_contradicts_it() -> None:
    loser, winner, other = save(ALWAYS).finding, save(NEVER).finding, save(NEVER).finding
    delete_finding(winner, VERA)
    assert superseded_by(loser) == other.pk


def test_what_is_free_stays_so_beside_one_that_a_person_told_it_apart_from() -> None:
    loser, told_apart = save(ALWAYS).finding, save(NEVER)
    undo(told_apart.acts[0], VERA)
    winner = save("Avoid a TL;DR in reports.").finding
    delete_finding(winner, VERA)
    assert superseded_by(loser) is None


def test_a_winner_that_is_free_leaves_what_a_person_told_apart_from_it() -> None:
    told_apart = save(NEVER, USER).finding
    loser = save(ALWAYS)
    undo(loser.acts[0], VERA)
    delete_finding(save(ALWAYS, USER).finding, VERA)
    assert (superseded_by(told_apart), superseded_by(loser.finding)) == (None, None)


def test_the_story_is_only_added_to() -> None:
    save(ALWAYS)
    newer = save(NEVER)
    before = list(Act.objects.order_by("id").values())
    undo(newer.acts[0], VERA)
    delete_finding(newer.finding, VERA)
    kept = list(Act.objects.order_by("id").values())[: len(before)]
    numbers = ("id", "kind", "number", "other_number", "why", "actor", "at")
    assert [[row[name] for name in numbers] for row in kept] == [[row[name] for name in numbers] for row in before]


# --- at once ---


def together(*calls: Callable[[], object]) -> None:
    barrier = threading.Barrier(len(calls))

    def call(one: Callable[[], object]) -> None:
        try:
            barrier.wait(60)
            one()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        for future in [pool.submit(call, one) for one in calls]:
            future.result()


def saving_of(content: str, category: str) -> Callable[[], object]:
    return lambda: save(content, category, actor=Actor("script"))


@pytest.mark.django_db(transaction=True)
def test_of_twenty_concurrent_savers_of_which_each_contradicts_all_others_exactly_one_survives() -> None:
    together(*(saving_of(f"Requests time out after {number} s.", CLAIM) for number in range(1, 21)))
    rows = list(Finding.objects.all())
    assert len(rows) == 20
    assert [row.superseded_by_id is None for row in rows].count(True) == 1
    for row in rows:
        act = act_in_force(row)
        assert (act.other_number if act else None) == row.superseded_by_id
    assert Act.objects.count() == 19
    assert Subject.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("profile", ["v1", "v2"])
def test_of_twenty_concurrent_savers_of_two_opposite_rules_exactly_one_rule_survives(profile: str) -> None:
    use_profile(profile)
    together(*(saving_of((ALWAYS, NEVER)[number % 2], AGENT) for number in range(20)))
    rows = list(Finding.objects.select_related("superseded_by"))
    assert len(rows) == 20
    assert len({row.content for row in rows if row.superseded_by is None}) == 1
    assert all(row.superseded_by.content != row.content for row in rows if row.superseded_by is not None)


@pytest.mark.django_db(transaction=True)
def test_a_correction_survives_nineteen_concurrent_savers_of_the_opposite() -> None:
    together(saving_of(NEVER, USER), *(saving_of(ALWAYS, AGENT) for _ in range(19)))
    assert [finding.content for finding in findings()] == [NEVER]
