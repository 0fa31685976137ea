"""Findings: the list with its categories, what awaits a decision, one finding with its story, and the form."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from review.contexts.findings_page import PAGE_ROWS
from review.contexts.learnt import SHOWN_KNOWN
from selftest.findings.models import Act, Example, ExampleCheck, Finding, Proposal
from selftest.findings.saving import About, Draft, save_finding
from selftest.models import Actor
from tests.review import factory
from tests.review.pages import assert_escaped, is_whole, text_of

pytestmark = pytest.mark.django_db

ADA = Actor("ada")
RULE = "feedback/from-agent/reports"
CLAIM = "claim/capability/calendar/wrapper"
NOT, DOES = "wrapper cannot pass arguments", "calendar wrapper does pass arguments"


def save(content: str, category: str = "notes", *tags: str, **about: object) -> Finding:
    return save_finding(Draft(category, content, tags, About(**about)), ADA).finding  # type: ignore[arg-type]


def propose(loser: Finding, winner: Finding) -> Proposal:
    why = {"rule": "language_model", "sentence": "both cannot be"}
    return Proposal.objects.create(
        loser=loser, winner=winner, origin=Proposal.Origin.MODEL, why=why, created_at=timezone.now()
    )


def shown(client: Client, address: str = "/findings") -> list[str]:
    """The text of each finding of a list."""
    page = client.get(address).content.decode()
    return [html.unescape(one) for one in re.findall(r'<p class="learnt-words"><a [^>]*>(.*?)</a>', page, flags=re.S)]


def tree(client: Client, address: str = "/findings") -> list[str]:
    """The categories that are shown, with their counts."""
    page = client.get(address).content.decode()
    part = page[page.index('class="learnt-branches"') :].partition("</nav>")[0]
    links = re.findall(r"<a [^>]*>([^<]*)<span class=\"learnt-count\">([^<]*)</span>", part)
    return [f"{name.strip()} {count}" for name, count in links]


# --- the list ---


def test_before_anything_is_saved_the_page_says_what_a_finding_is_and_how_one_comes(vera: Client) -> None:
    text = text_of(vera.get("/findings"))
    assert "No findings yet" in text
    assert "A finding is one thing that someone learnt" in text
    assert "after a verdict" in text


def test_active_ones_are_listed_newest_first_and_superseded_ones_in_a_tab_of_their_own_with_why(vera: Client) -> None:
    save("uptime restarts at night")
    save(NOT, CLAIM)
    save(DOES, CLAIM)
    assert shown(vera) == [DOES, "uptime restarts at night"]
    assert shown(vera, "/findings?tab=superseded") == [NOT]
    text = text_of(vera.get("/findings?tab=superseded"))
    assert f"Superseded by “{DOES}”" in text
    assert "Opposite claims about the same thing: " in text
    assert "% in common). The newer one stands." in text
    assert "Active 2" in text
    assert "Superseded 1" in text
    assert "Proposals 0" in text


def test_words_are_searched_for_whatever_their_case(vera: Client) -> None:
    save("Uptime restarts at night")
    save("the weather is slow at night")
    assert shown(vera, "/findings?text=NIGHT+uptime") == ["Uptime restarts at night"]
    assert "Nothing matches" in text_of(vera.get("/findings?text=noon"))
    assert 'href="/findings">Clear it</a>' in vera.get("/findings?text=noon").content.decode()


def test_a_category_in_another_case_is_no_branch_of_its_own(vera: Client) -> None:
    for category in ("feedback/from-agent/reports", "feedback/from-agent/reports", "Feedback/From-Agent/Reports"):
        save("something", category)
    assert tree(vera) == ["feedback 3"]
    assert tree(vera, "/findings?category=FEEDBACK/From-Agent") == ["feedback 3", "from-agent 3", "reports 3"]
    assert len(shown(vera, "/findings?category=feedback")) == 3


def test_categories_are_a_tree_of_which_the_chosen_branch_is_open(vera: Client) -> None:
    for category in ("claim/capability/calendar/wrapper", "claim/capability/rss/images", "notes", "notes/old"):
        save("something", category)
    assert tree(vera) == ["claim 2", "notes 2"]
    assert tree(vera, "/findings?category=claim") == ["claim 2", "capability 2", "notes 2"]
    assert tree(vera, "/findings?category=claim/capability") == [
        "claim 2",
        "capability 2",
        "calendar 1",
        "rss 1",
        "notes 2",
    ]
    assert len(shown(vera, "/findings?category=claim/capability")) == 2
    assert len(shown(vera, "/findings?category=notes/old")) == 1
    assert tree(vera, "/findings?category=CLAIM") == tree(vera, "/findings?category=claim")
    assert tree(vera, "/findings?category=gone") == ["claim 2", "notes 2", "gone 0"]
    assert "Nothing matches" in text_of(vera.get("/findings?category=gone"))


def test_each_finding_is_on_one_page_and_none_on_two(vera: Client) -> None:
    for number in range(2 * PAGE_ROWS + 1):
        save(f"learnt {number}")
    address, pages = "/findings", []
    while address:
        pages.append(shown(vera, address))
        older = re.search(r'<li class="older"><a href="([^"]*)"', vera.get(address).content.decode())
        address = html.unescape(older[1]) if older else ""
        save("newer than the first page")
    assert [len(page) for page in pages] == [PAGE_ROWS, PAGE_ROWS, 1]
    assert [text for page in pages for text in page] == [f"learnt {number}" for number in range(2 * PAGE_ROWS, -1, -1)]
    assert "Nothing before that" in text_of(vera.get("/findings?before=1"))


def test_more_findings_ask_for_no_more_queries(vera: Client) -> None:
    def queries(address: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            assert vera.get(address).status_code == 200
        return len(asked)

    addresses = ("/findings", "/findings?tab=superseded", "/findings?tab=proposals")
    cause = factory.make_cause(checks=["crash"])

    def learn(number: int) -> None:
        target = factory.a_target()
        category = f"feedback/from-agent/subject-{number}"
        save("Always name the owner.", category, target=target, cause=cause)
        save("Never name the owner.", category, target=target, cause=cause)
        propose(save("one", target=target), save("two", cause=cause))

    learn(0)
    few = [queries(address) for address in addresses]
    for number in range(1, 6):
        learn(number)
    assert [queries(address) for address in addresses] == few


def test_what_was_written_is_never_taken_for_markup(vera: Client) -> None:
    row = save("<script>alert(1)</script>", "notes/<script>", "<script>")
    assert_escaped(vera.get("/findings"))
    assert_escaped(vera.get(f"/findings/{row.pk}"))


def test_htmx_gets_the_rows_alone(htmx: Client) -> None:
    save("something")
    answer = htmx.get("/findings")
    assert not is_whole(answer)
    assert answer.content.decode().count("learnt-line") == 1


@pytest.mark.parametrize("query", ["tab=x", "before=x", "cause=x", f"text={'x' * 2_001}"])
def test_what_makes_no_sense_in_the_address_is_refused(vera: Client, query: str) -> None:
    assert vera.get(f"/findings?{query}").status_code == 400


def test_the_list_is_read_by_get_and_by_those_with_a_role(vera: Client, onlooker: Client) -> None:
    row = save("something")
    assert vera.post("/findings").status_code == 405
    assert vera.get("/findings?cause=9").status_code == 404
    for address in ("/findings", f"/findings/{row.pk}"):
        page = onlooker.get(address)
        assert page.status_code == 200
        assert "Leave a finding" not in text_of(page)
        assert "Delete" not in text_of(page)
    assert onlooker.get("/findings/new").status_code == 403
    assert onlooker.post("/findings/new", {"content": "x", "category": "y"}).status_code == 403
    assert onlooker.post(f"/findings/{row.pk}/delete").status_code == 403
    assert Finding.objects.count() == 1


# --- proposals ---


def test_a_proposal_shows_both_sides_and_is_accepted_with_an_undo(vera: Client) -> None:
    loser, winner = save("uptime answers in 5 s"), save("uptime takes half a minute")
    proposal = propose(loser, winner)
    assert shown(vera, "/findings?tab=proposals") == [winner.content, loser.content]
    assert "A language model says: both cannot be." in text_of(vera.get("/findings?tab=proposals"))
    assert "Would be superseded" in text_of(vera.get(f"/findings/{loser.pk}"))
    page = vera.post(f"/findings/proposals/{proposal.pk}/accept", {"back": "/findings?tab=proposals"}, follow=True)
    assert "No proposal" in text_of(page)
    assert f"Superseded: “{loser.content}”" in text_of(page)
    loser.refresh_from_db()
    assert loser.superseded_by == winner
    act = Act.objects.get(kind=Act.Kind.SUPERSEDED)
    assert f'action="/findings/acts/{act.pk}/undo"' in page.content.decode()
    vera.post(f"/findings/acts/{act.pk}/undo")
    loser.refresh_from_db()
    assert loser.superseded_by is None


def test_a_proposal_is_refused_once_and_both_stay(vera: Client) -> None:
    proposal = propose(save("one"), save("two"))
    assert "stays beside the other one" in text_of(vera.post(f"/findings/proposals/{proposal.pk}/refuse", follow=True))
    assert shown(vera) == ["two", "one"]
    again = vera.post(f"/findings/proposals/{proposal.pk}/accept", follow=True)
    assert "This proposal is decided" in text_of(again)
    assert vera.post("/findings/proposals/987/accept").status_code == 404


def test_a_correction_is_not_given_up_for_anything_less(vera: Client) -> None:
    proposal = propose(save("one", "notes", "correction"), save("two"))
    answer = vera.post(f"/findings/proposals/{proposal.pk}/accept", follow=True)
    assert "A person's correction is not superseded by anything but a correction." in text_of(answer)


# --- one finding ---


def test_a_finding_shows_its_text_to_the_letter_and_what_it_is_about(vera: Client) -> None:
    made = factory.flagged("tell me about molybdenum")
    cause = factory.make_cause(sentence="any pair", checks=["crash"])
    row = save(
        "two\n  lines",
        "notes/odd",
        "slow",
        target=made.target,
        source="rss",
        check="crash",
        cause=cause,
        combination=made,
    )
    page = vera.get(f"/findings/{row.pk}").content.decode()
    assert '<blockquote class="learnt-text">two\n  lines</blockquote>' in page
    for address in (f"/combinations/{made.pk}", f"/causes/{cause.pk}", f"/targets/{made.target_id}"):
        assert f'href="{address}"' in page
    assert 'href="/flags?tab=ever&amp;check=crash"' in page
    assert 'href="/flags?tab=ever&amp;source=rss"' in page
    assert 'href="/findings?category=notes%2Fodd"' in page
    assert "by ada" in text_of(vera.get(f"/findings/{row.pk}"))
    assert vera.get("/findings/987").status_code == 404


def test_the_timeline_tells_all_that_happened_to_it_newest_first(vera: Client) -> None:
    first = save(NOT, CLAIM)
    second = save(DOES, CLAIM)
    vera.post(f"/findings/acts/{Act.objects.get().pk}/undo")
    page = vera.get(f"/findings/{first.pk}").content.decode()
    told = [
        " ".join(html.unescape(re.sub("<[^>]+>", "", line)).split())
        for line in re.findall(r'<span class="story-line"><span>(.*?)</span> <time', page, flags=re.S)
    ]
    assert told == [f"Active again beside “{DOES}”", f"Superseded by “{DOES}”", "Saved by ada"]
    assert '<span class="detail story-note">By vera.</span>' in page
    assert "By ada. Opposite claims about the same thing: " in text_of(vera.get(f"/findings/{first.pk}"))
    vera.post(f"/findings/{second.pk}/delete")
    assert f"Superseded by finding {second.pk}" in text_of(vera.get(f"/findings/{first.pk}"))


def test_an_undo_takes_back_just_the_acts_that_it_names(vera: Client) -> None:
    save("Always name the owner.", RULE)
    never = save("Never name the owner.", RULE)
    always = save("Always name the owner in reports.", RULE)
    older, newer = Act.objects.order_by("pk")
    vera.post(f"/findings/acts/{older.pk}/undo")
    never.refresh_from_db()
    assert never.superseded_by == always
    again = vera.post(f"/findings/acts/{older.pk},{newer.pk}/undo", follow=True)
    assert "This is not in force any more" in text_of(again)
    assert not Act.objects.filter(undoes=newer).exists(), "all of what is named, or none"
    assert vera.post("/findings/acts/987/undo").status_code == 404


def test_a_deleted_winner_frees_what_it_superseded(vera: Client) -> None:
    loser = save(NOT, CLAIM)
    winner = save(DOES, CLAIM)
    page = vera.post(f"/findings/{winner.pk}/delete", follow=True)
    assert f"Deleted: “{DOES}”. What it superseded is free again" in text_of(page)
    assert shown(vera) == [loser.content]
    assert vera.get(f"/findings/{winner.pk}").status_code == 404
    assert vera.post(f"/findings/{winner.pk}/delete").status_code == 404
    assert vera.get(f"/findings/{loser.pk}/delete").status_code == 405


# --- the form ---


def test_a_finding_is_saved_to_the_letter_by_the_one_who_is_signed_in(vera: Client, reviewer: User) -> None:
    target = factory.make_target()
    form = {
        "content": " uptime\r\nis slow ",
        "category": "notes/speed",
        "tags": "slow, at night,",
        "target": target.name,
        "check": "crash",
        "source": "uptime",
    }
    page = vera.post("/findings/new", form, follow=True)
    row = Finding.objects.get()
    assert (row.content, row.category, row.tags) == (" uptime\nis slow ", "notes/speed", ["slow", "at night"])
    assert (row.target, row.check_name, row.source, row.user) == (target, "crash", "uptime", reviewer)
    assert page.request["PATH_INFO"] == f"/findings/{row.pk}"
    assert "Saved: “uptime is slow”" in text_of(page)


def test_an_undo_that_frees_several_says_how_many(vera: Client) -> None:
    for _ in range(2):
        save(NOT, CLAIM)
    page = vera.post("/findings/new", {"content": DOES, "category": CLAIM}, follow=True)
    undo = re.search(r'action="(/findings/acts/[\d,]+/undo)"', page.content.decode())
    assert undo
    again = vera.post(undo[1], {"back": "/findings"}, follow=True)
    assert "Active again: 2 findings. All are kept now." in text_of(again)


def test_saving_tells_at_once_what_was_superseded_with_an_undo_in_the_toast(vera: Client) -> None:
    first = save(NOT, CLAIM)
    page = vera.post("/findings/new", {"content": DOES, "category": CLAIM}, follow=True)
    assert f"Saved. It superseded “{NOT}”" in text_of(page)
    undo = re.search(r'action="(/findings/acts/[\d,]+/undo)"', page.content.decode())
    assert undo
    again = vera.post(undo[1], {"back": "/findings"}, follow=True)
    assert "Active again: 1 finding. Both are kept now." in text_of(again)
    assert "It superseded" not in text_of(again), "the toast is gone"
    first.refresh_from_db()
    assert first.superseded_by is None


def test_saving_against_a_correction_says_that_the_correction_stands(vera: Client) -> None:
    save("Never name the owner in reports.", "feedback/from-user/reports")
    page = vera.post("/findings/new", {"content": "Always name the owner in reports.", "category": RULE}, follow=True)
    assert "Saved, but superseded at once by a correction: “Never name the owner in reports.”" in text_of(page)
    assert "A person's correction stands, whatever others say later." in text_of(page)


def test_what_cannot_be_saved_stays_in_the_form_with_why(vera: Client) -> None:
    form = {"content": "uptime is slow", "category": "notes", "tags": ", ".join(f"tag {n}" for n in range(21))}
    page = vera.post("/findings/new", form)
    assert "A finding has up to 20 tags" in text_of(page)
    assert "uptime is slow</textarea>" in page.content.decode()
    assert not Finding.objects.exists()
    for wrong in ({"target": "gone"}, {"check": "gone"}, {"source": "x" * 201}, {"cause": "x"}):
        assert vera.post("/findings/new", {"content": "x", "category": "y"} | wrong).status_code == 400
    assert vera.post("/findings/new", {"content": "x", "category": "y", "cause": "987"}).status_code == 404
    assert vera.put("/findings/new").status_code == 405


def test_the_form_is_filled_in_from_a_cause(vera: Client) -> None:
    cause = factory.make_cause(sentence="any pair", checks=["section_repeated"], reason="known since May")
    page = vera.get(f"/findings/new?cause={cause.pk}").content.decode()
    assert "known since May</textarea>" in page
    assert 'value="claim/capability/bundled/section_repeated"' in page
    assert '<option value="section_repeated" selected>' in page
    assert "<option selected>bundled</option>" in page
    assert f'<input type="hidden" name="cause" value="{cause.pk}">' in page
    assert f'About the cause <a href="/causes/{cause.pk}">Section twice: any pair</a>' in page


def test_the_form_is_filled_in_from_a_combination(vera: Client) -> None:
    made = factory.flagged("tell me about molybdenum")
    page = vera.get(f"/findings/new?combination={made.pk}").content.decode()
    assert f'<input type="hidden" name="combination" value="{made.pk}">' in page
    assert '<option value="source_mismatch" selected>' in page
    assert "<option selected>bundled</option>" in page


# --- where people work ---


@pytest.mark.parametrize("kind", ["cause", "combination"])
def test_where_nothing_is_known_there_is_only_a_link_to_leave_a_finding(
    vera: Client, onlooker: Client, kind: str
) -> None:
    made = factory.flagged("tell me about molybdenum")
    cause = factory.make_cause(checks=["crash"])
    address = f"/causes/{cause.pk}" if kind == "cause" else f"/combinations/{made.pk}"
    number = cause.pk if kind == "cause" else made.pk
    page = vera.get(address).content.decode()
    assert "What is known" not in page
    assert f'href="/findings/new?{kind}={number}"' in page
    assert "Leave a finding" not in text_of(onlooker.get(address))


def test_a_cause_shows_what_is_known_about_it_the_most_relevant_first(vera: Client) -> None:
    target, other = factory.a_target(), factory.make_target("another", is_default=False)
    cause = factory.make_cause(checks=["crash"])
    save("of this cause", target=target, cause=cause)
    save("of its check, anywhere", check="crash")
    save("of its target", target=target)
    save("of its target, by category", "claim/capability/bundled/speed")
    save("of another target's crash", target=other, check="crash")
    save("of another cause", target=target, cause=factory.make_cause(checks=["crash"]))
    save("of another check", target=target, check="part_lost")
    save("of nothing")
    assert shown(vera, f"/causes/{cause.pk}") == [
        "of this cause",
        "of its check, anywhere",
        "of its target, by category",
        "of its target",
    ]


def test_a_combination_shows_what_is_known_about_its_cause_and_its_check_too(vera: Client) -> None:
    made = factory.heap(1)[0]
    save("of its check", check="source_mismatch")
    save("of its cause", cause=made.cause)
    save("of itself", combination=made)
    save("of another", combination=factory.flagged("tell me about looms"))
    assert shown(vera, f"/combinations/{made.pk}") == ["of itself", "of its cause", "of its check"]
    assert shown(vera, f"/causes/{made.cause_id}") == ["of its cause", "of itself", "of its check"]


def test_a_correction_comes_first_among_equals_and_what_is_superseded_is_left_out(vera: Client) -> None:
    cause = factory.make_cause(checks=["crash"])
    save("Never judge it by night.", "feedback/from-user/nights", cause=cause)
    save("Slow on Mondays.", "notes", cause=cause)
    save("Always judge it by night.", "feedback/from-agent/nights", cause=cause)
    assert shown(vera, f"/causes/{cause.pk}") == ["Never judge it by night.", "Slow on Mondays."]


def test_at_most_five_are_shown_with_a_link_to_the_rest(vera: Client) -> None:
    cause = factory.make_cause(checks=["crash"])
    for number in range(SHOWN_KNOWN):
        save(f"learnt {number}", cause=cause)
    assert "All that is known here" not in text_of(vera.get(f"/causes/{cause.pk}"))
    save("one more", cause=cause)
    save("of nothing")
    page = vera.get(f"/causes/{cause.pk}")
    assert len(shown(vera, f"/causes/{cause.pk}")) == 5
    assert f'href="/findings?cause={cause.pk}"' in page.content.decode()
    assert len(shown(vera, f"/findings?cause={cause.pk}")) == 6


@pytest.mark.parametrize(("verdict", "is_offered"), [("accepted", True), ("confirmed", True), ("false_alarm", False)])
def test_an_accepted_or_confirmed_cause_offers_to_leave_a_finding(vera: Client, verdict: str, is_offered: bool) -> None:
    cause = factory.make_cause(checks=["crash"])
    page = vera.post(f"/causes/{cause.pk}/judge", {"verdict": verdict, "seen_flags": "0"}, follow=True)
    toast = page.content.decode().partition('id="toasts"')[2].partition('<div class="rail-foot">')[0]
    assert (f'<a href="/findings/new?cause={cause.pk}">Leave a finding' in toast) == is_offered


def test_a_flag_that_is_accepted_offers_it_too(vera: Client) -> None:
    made = factory.flagged("tell me about molybdenum")
    form = {"verdict": "accepted", "seen_run": str(made.last_run_id)}
    page = vera.post(f"/combinations/{made.pk}/dismiss", form, follow=True)
    assert f'<a href="/findings/new?combination={made.pk}">Leave a finding' in page.content.decode()


# --- the example of a claim ---


@pytest.fixture
def claim(db: None) -> Finding:
    target = factory.make_target("router")
    return save("knows comets", "claim/capability/router/comets", target=target)


def test_a_claim_is_given_an_example_on_its_page_and_shows_how_it_was_checked(vera: Client, claim: Finding) -> None:
    page = f"/findings/{claim.pk}"
    assert "Give an example" in text_of(vera.get(page))
    form = {"query": "tell me about comets", "expect": "no_phrase", "named": "no, idea"}
    text = text_of(vera.post(f"{page}/example", form, follow=True))
    assert "Example kept. It is asked within the hour." in text
    assert "The answer does not hold “no, idea”. Asked of router. Not checked yet." in text
    example = Example.objects.get(finding=claim)
    for version, outcome, held, tries in (("3.50", "holds", 1, 1), ("3.51", "broken", 0, 5)):
        ExampleCheck.objects.create(
            example=example, at=timezone.now(), version=version, outcome=outcome, held=held, tries=tries
        )
    Example.objects.update(times_checked=2, checked_at=timezone.now())
    text = text_of(vera.get(page))
    assert "Checked 2 times." in text
    assert text.index("Does not hold: 0 of 5, on 3.51") < text.index("Holds: 1 of 1, on 3.50")
    assert "Example changed" in text
    vera.post(f"{page}/example/remove")
    assert not Example.objects.exists()


def test_an_example_can_take_the_query_of_the_cause_or_the_combination_of_its_claim(vera: Client) -> None:
    made = factory.flagged("tell me about molybdenum")
    row = save("knows metals", "claim/capability/router/metals", target=made.target, combination=made)
    form = {"of": "combination", "expect": "flagged", "named": "crash"}
    text = text_of(vera.post(f"/findings/{row.pk}/example", form, follow=True))
    assert "tell me about molybdenum" in text
    assert "The answer is flagged by “Crash”." in text
    assert Example.objects.get().combination == made


def test_an_example_that_cannot_be_asked_stays_in_the_form_with_why(vera: Client, claim: Finding) -> None:
    form = {"query": "tell me about <comets>", "expect": "flagged", "named": "crash"}
    page = vera.post(f"/findings/{claim.pk}/example", form)
    assert "A check needs a query of which each part is known" in text_of(page)
    assert 'value="tell me about &lt;comets&gt;"' in page.content.decode()
    assert "<details open>" in page.content.decode()
    assert not Example.objects.exists()
    assert vera.post(f"/findings/{claim.pk}/example", form | {"expect": "right"}).status_code == 400
    assert vera.get(f"/findings/{claim.pk}/example").status_code == 405
    assert vera.post("/findings/987/example", form).status_code == 404


def test_only_claims_have_a_form_for_one_and_only_reviewers_see_it(vera: Client, onlooker: Client) -> None:
    note = save("uptime is slow")
    assert "Example" not in text_of(vera.get(f"/findings/{note.pk}"))
    claim = save("knows comets", "claim/capability/router/comets")
    assert "Give an example" not in text_of(onlooker.get(f"/findings/{claim.pk}"))
    text = text_of(vera.post(f"/findings/{note.pk}/example", {"query": "x", "expect": "phrase", "named": "x"}))
    assert note.content in text
    assert not Example.objects.exists()


def test_a_successor_is_shown_beside_its_claim_and_saved_when_it_is_accepted(vera: Client, claim: Finding) -> None:
    proposal = Proposal.objects.create(
        loser=claim,
        content="The answer to “comets” holds “sorry” since 3.51; 5 of 5",
        origin=Proposal.Origin.EXAMPLE,
        why={"rule": "example", "sentence": "its example was answered otherwise"},
        created_at=timezone.now(),
    )
    page = text_of(vera.get("/findings?tab=proposals"))
    assert f"Would stand {proposal.content} Saved when it is accepted" in page
    assert "Proposals 1" in page
    assert tree(vera, "/findings?tab=proposals&category=claim") == ["claim 1", "capability 1"]
    assert proposal.content in text_of(vera.get(f"/findings/{claim.pk}"))
    page = text_of(vera.post(f"/findings/proposals/{proposal.pk}/accept", follow=True))
    assert f"Superseded: “{claim.content}”" in page
    assert shown(vera) == [proposal.content]
