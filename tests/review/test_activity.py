"""The activity: what people and scripts did, newest first, each act in one line."""

import html
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from review.views.activity import PAGE_LINES
from selftest.cycles.cause_assignment import assign_causes
from selftest.findings.models import Proposal
from selftest.findings.saving import Draft, Saved, accept, delete_finding, refuse, save_finding, undo
from selftest.models import Actor, BulkAct, Cause, CauseEvent, Combination, ReviewEvent
from selftest.reviewing import bulk_acts
from selftest.reviewing.assignment import assign
from selftest.reviewing.causes import assign_cause, judge, note_cause, reopen
from selftest.reviewing.dismissal import dismiss, undismiss
from selftest.reviewing.judgement import Judgement
from selftest.reviewing.notes import add_note
from tests.review import factory
from tests.review.pages import assert_escaped, text_of

pytestmark = pytest.mark.django_db

ADA, KEY = Actor("ada"), Actor("key nightly")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def lines(client: Client, address: str = "/activity") -> list[str]:
    """The words of each line, without when it was."""
    page = client.get(address).content.decode()
    found = re.findall(r'<li class="activity-line">(.*?)<span class="activity-when">', page, flags=re.S)
    return [" ".join(html.unescape(re.sub(r"<[^>]+>", "", one)).split()) for one in found]


def older(client: Client, address: str) -> str:
    """Where the next page is; "" at the end."""
    found = re.search(r'<li class="older"><a href="([^"]*)"', client.get(address).content.decode())
    return html.unescape(found[1]) if found else ""


def bulk(kind: BulkAct.Kind, made: list[Combination], actor: Actor, note: str = "") -> BulkAct:
    seen = {one.pk: one.last_flagged_run_id or 0 for one in made}
    act = bulk_acts.freeze_rows(kind, seen, actor, Judgement(reason=note))
    bulk_acts.apply(act, actor)
    return act


def test_what_was_done_to_causes_and_combinations_is_one_list_newest_first(vera: Client, reviewer: User) -> None:
    me = Actor.person(reviewer)
    with time_machine.travel(NOON, tick=False) as clock:
        made = factory.flagged("tell me about molybdenum")
        assign_causes(factory.a_target(), timezone.now())
        cause = factory.make_cause(sentence="a pair", checks=["section_repeated"])
        acts = (
            lambda: dismiss(made, me, "harmless"),
            lambda: judge(cause, Judgement(Cause.Verdict.ACCEPTED, "since May"), ADA),
            lambda: undismiss(made, KEY),
            lambda: assign_cause(cause, ADA, reviewer),
            lambda: assign(made, me),
            lambda: note_cause(cause, me, "asked the owner"),
        )
        for act in acts:
            clock.shift(timedelta(minutes=1))
            act()
        vera.force_login(reviewer)
        assert lines(vera) == [
            "vera Noted Section twice: a pair asked the owner",
            "vera Assigned to self tell me about molybdenum",
            "ada Assigned Section twice: a pair to vera",
            "key nightly Restored tell me about molybdenum",
            "ada Accepted Section twice: a pair since May",
            "vera Dismissed tell me about molybdenum harmless",
        ]
        page = vera.get("/activity").content.decode()
    assert f'href="/causes/{cause.pk}"' in page
    assert f'href="/combinations/{made.pk}"' in page


def test_what_the_engine_did_is_not_in_it(vera: Client) -> None:
    made = factory.flagged("tell me about molybdenum")
    factory.ask(made)
    assign_causes(factory.a_target(), timezone.now())
    assert ReviewEvent.objects.exists()
    assert CauseEvent.objects.exists()
    assert "No activity yet" in text_of(vera.get("/activity"))
    assert "Nothing by engine" in text_of(vera.get("/activity?who=engine"))


def test_a_bulk_act_is_one_line_and_its_undo_another(vera: Client, reviewer: User) -> None:
    made = [factory.flagged() for _ in range(4)]
    act = bulk(BulkAct.Kind.DISMISS, made, ADA, "the router was restarting")
    page = vera.get("/activity").content.decode()
    assert lines(vera) == ["ada Dismissed 4 flags selected by hand the router was restarting"]
    assert f'href="/bulk/{act.pk}"' in page
    factory.ask(made[0], [factory.finding()])  # flagged again, so that its undo leaves it alone
    bulk_acts.undo(act, Actor.person(reviewer))
    assert lines(vera) == [
        "vera Undone: dismissed 3 flags selected by hand",
        "ada Dismissed 4 flags selected by hand the router was restarting",
    ]
    assert lines(vera, "/activity?who=vera") == ["vera Undone: dismissed 3 flags selected by hand"]
    assert lines(vera, "/activity?who=ada") == ["ada Dismissed 4 flags selected by hand the router was restarting"]


def test_an_act_that_was_frozen_and_never_done_is_not_in_it(vera: Client) -> None:
    made = factory.flagged()
    bulk_acts.freeze_rows(BulkAct.Kind.DISMISS, {made.pk: made.last_flagged_run_id or 0}, ADA)
    assert lines(vera) == []


def test_one_person_or_script_can_be_chosen(vera: Client, reviewer: User) -> None:
    made = factory.flagged("tell me about molybdenum")
    add_note(made, KEY, "by a script")
    add_note(made, Actor.person(reviewer), "by vera")
    assert lines(vera, "/activity?who=key+nightly") == ["key nightly Note added tell me about molybdenum by a script"]
    assert lines(vera, "/activity?who=vera") == ["vera Note added tell me about molybdenum by vera"]
    assert "Nothing by bob" in text_of(vera.get("/activity?who=bob"))
    page = vera.get("/activity?who=key+nightly").content.decode()
    assert '<option value="key nightly" selected>' in page, "it is chosen, though it has no account"
    assert 'href="/activity?who=vera"' in vera.get("/activity").content.decode()


def test_what_someone_did_is_found_after_they_were_renamed(vera: Client, reviewer: User) -> None:
    add_note(factory.flagged("tell me about molybdenum"), Actor.person(reviewer), "by vera")
    User.objects.filter(pk=reviewer.pk).update(username="vera.b")
    assert lines(vera, "/activity?who=vera.b") == ["vera Note added tell me about molybdenum by vera"]


def test_each_act_is_on_one_page_and_none_on_two(vera: Client) -> None:
    """Acts of every kind, some at the same moment, and one that comes while a reader turns the pages."""
    made = [factory.flagged(f"tell me about subject {n}") for n in range(6)]
    cause = factory.make_cause(sentence="a pair", checks=["section_repeated"])
    with time_machine.travel(NOON, tick=False) as clock:
        for n in range(PAGE_LINES):
            clock.shift(timedelta(minutes=n % 2))
            add_note(made[n % 6], ADA, f"note {n}")
            note_cause(cause, ADA, f"also {n}")
            if n % 10 == 0:
                bulk_acts.undo(bulk(BulkAct.Kind.DISMISS, made, ADA, f"act {n}"), ADA)
    expected = 2 * PAGE_LINES + 2 * (PAGE_LINES // 10)
    address, pages = "/activity", []
    while address:
        pages.append(lines(vera, address))
        address = older(vera, address)
        add_note(made[0], ADA, "newer than the first page")
    assert [len(page) for page in pages] == [PAGE_LINES, PAGE_LINES, expected - 2 * PAGE_LINES]
    every = [line for page in pages for line in page]
    for n in range(PAGE_LINES):
        assert sum(line.endswith(f" note {n}") for line in every) == 1
        assert sum(line.endswith(f" also {n}") for line in every) == 1
    assert sum("Undone: dismissed 6 flags" in line for line in every) == PAGE_LINES // 10


def test_links_in_reasons_are_links_and_scripts_are_not_run(vera: Client) -> None:
    made = factory.flagged("tell me about <script>alert(1)</script>")
    add_note(made, ADA, "see https://tracker.example.org/issues/123")
    page = vera.get("/activity")
    assert '<a href="https://tracker.example.org/issues/123" rel="nofollow">' in page.content.decode()
    assert_escaped(page)


def test_more_lines_ask_for_no_more_queries(vera: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert vera.get("/activity").status_code == 200
        return len(asked)

    def act() -> None:
        made = [factory.flagged() for _ in range(2)]
        add_note(made[0], ADA, "seen")
        bulk(BulkAct.Kind.DISMISS, made, ADA)
        judge(factory.make_cause(checks=["crash"]), Judgement(Cause.Verdict.LATER), ADA)

    act()
    few = queries()
    for _ in range(5):
        act()
    assert queries() == few


def test_htmx_gets_the_lines_alone(htmx: Client) -> None:
    add_note(factory.flagged(), ADA, "seen")
    answer = htmx.get("/activity").content.decode()
    assert "<h1>" not in answer
    assert answer.count("activity-line") == 1


@pytest.mark.parametrize(
    "after", ["x", "1-2", "1-2___x-1", "9999999999999999999-1___", "999999999999999999-1___", "-___"]
)
def test_what_is_no_cursor_is_refused(vera: Client, after: str) -> None:
    assert vera.get(f"/activity?after={after}").status_code == 400


def test_it_is_read_by_get_and_by_those_with_a_role(vera: Client, onlooker: Client) -> None:
    assert vera.post("/activity").status_code == 405
    assert vera.get(f"/activity?who={'x' * 201}").status_code == 400
    assert onlooker.get("/activity").status_code == 200


def test_the_inbox_and_ones_profile_lead_to_it(vera: Client) -> None:
    assert 'href="/activity"' in vera.get("/").content.decode()
    assert '<a href="/activity?who=vera">What I did</a>' in vera.get("/profile").content.decode()


def test_a_verdict_on_a_cause_is_one_line_and_so_is_its_undo(vera: Client) -> None:
    for _ in range(3):
        factory.flagged()
    assign_causes(factory.a_target(), timezone.now())
    cause = Cause.objects.get()
    judge(cause, Judgement(Cause.Verdict.ACCEPTED, "since May"), ADA)
    assert text_of(vera.get("/activity")).count("since May") == 1
    reopen(Cause.objects.get(), ADA)
    page = text_of(vera.get("/activity"))
    assert "Verdict undone" in page
    assert "3 flags" not in page


def test_what_was_done_to_findings_is_in_it_without_what_followed_by_itself(vera: Client) -> None:
    def leave(words: str, subject: str = "reports") -> Saved:
        return save_finding(Draft(f"feedback/from-agent/{subject}", words), ADA)

    with time_machine.travel(NOON, tick=False) as clock:

        def step(act: Callable[[], Any]) -> Any:
            clock.shift(60)
            return act()

        always = step(lambda: leave("Always name the owner.")).finding
        never = step(lambda: leave("Never name the owner."))
        step(lambda: undo(never.acts[0], KEY))
        early = step(lambda: leave("Mails go out early.", "mails")).finding
        pairs = ((always, early), (never.finding, early))
        for loser, winner in pairs:
            Proposal.objects.create(loser=loser, winner=winner, origin="model", created_at=timezone.now())
        accepted, refused = Proposal.objects.order_by("id")
        step(lambda: accept(accepted, ADA))
        step(lambda: refuse(refused, ADA))
        step(lambda: delete_finding(early, KEY))
    assert lines(vera) == [
        f"key nightly Finding deleted finding {early.pk}",
        "ada Proposal refused: both kept Never name the owner.",
        "ada Proposal accepted: superseded Always name the owner.",
        "key nightly Undone: finding superseded Always name the owner.",
        "ada Finding superseded Always name the owner.",
        "ada Finding saved Never name the owner.",
        "ada Finding saved Always name the owner.",
    ]
    assert lines(vera, "/activity?who=key+nightly") == [
        f"key nightly Finding deleted finding {early.pk}",
        "key nightly Undone: finding superseded Always name the owner.",
    ]


def test_findings_come_page_by_page_and_those_of_the_engine_not_at_all(vera: Client) -> None:
    for number in range(PAGE_LINES + 2):
        save_finding(Draft("notes", f"note {number}"), ADA)
    save_finding(Draft("notes", "of the engine"), Actor("engine"))
    assert len(lines(vera)) == PAGE_LINES
    assert lines(vera, older(vera, "/activity")) == ["ada Finding saved note 1", "ada Finding saved note 0"]
