"""The inbox: a row for each cause, judged one by one or several at once; and the page of each."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from review.views import inbox
from selftest.core.judging.findings import CheckName, Evidence
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Actor, Cause, CauseTally, Combination, Flag, Installation
from selftest.reviewing.causes import assign_cause, judge, merge
from selftest.reviewing.judgement import Judgement
from tests.review import factory
from tests.review.pages import text_of
from tests.roles import give

pytestmark = pytest.mark.django_db

TWICE, BLANK = CheckName.SECTION_REPEATED, CheckName.SECTION_BLANK
Verdict = Cause.Verdict


def flag(check: CheckName, times: int = 3) -> Cause:
    for _ in range(times):
        factory.flagged("", factory.finding(check))
    assign_causes(factory.a_target(), timezone.now())
    return Cause.objects.get(checks=[check])


def rows(client: Client, address: str = "/") -> list[str]:
    page = client.get(address).content.decode()
    return re.findall(r'<li class="cause-row[^"]*" id="cause-(\d+)"', page)


def judged(client: Client, cause: Cause, verdict: str = "accepted", **fields: str) -> HttpResponse:
    form = {"verdict": verdict, "seen_flags": str(cause.flags), "back": "/"} | fields
    return client.post(f"/causes/{cause.pk}/judge", form)  # type: ignore[return-value]  # the test client's own kind


def test_each_cause_has_a_row_and_the_one_with_most_open_flags_comes_first(vera: Client) -> None:
    few, many = flag(BLANK, 2), flag(TWICE, 5)
    assert rows(vera) == [str(many.pk), str(few.pk)]
    page = text_of(vera.get("/"))
    assert "Inbox 2 to review" in page
    assert "Section twice any query" in page
    assert "5 now , 5 flags" in page


def test_the_figures_of_a_row_lead_to_as_many_rows(vera: Client) -> None:
    """Flags of now to their combinations, all flags to those on the cause's page."""
    flag(TWICE, 5)
    cause = flag(BLANK, 2)
    now = f"/flags?tab=now&cause={cause.pk}"
    page = vera.get("/").content.decode()
    assert f'<a href="{now.replace("&", "&amp;")}"><strong>2 now</strong></a>' in page
    assert f'<a href="/causes/{cause.pk}#flags">2 flags</a>' in page
    assert len(re.findall(r'id="combination-\d+"', vera.get(f"{now}&group={cause.pk}").content.decode())) == 2


def test_a_row_says_only_what_tells_something(vera: Client) -> None:
    flag(BLANK, 1)
    page = vera.get("/").content.decode()
    row = page.partition('<li class="cause-row"')[2].partition("</li>")[0]
    assert "Latency" not in row
    assert '<svg class="chart-spark"' not in row, "one cycle shows no course"
    assert "Reproduced" not in row, "it was not asked again"


def test_tabs_tell_how_many_wait_are_judged_and_are_there(vera: Client) -> None:
    judge(flag(BLANK), Judgement(Verdict.ACCEPTED, "since May"), Actor("ada"))
    flag(TWICE)
    assert re.findall(r"tab-\d[^>]*>(.*?) <span class=\"tabs-count\">(\d+)", vera.get("/").content.decode()) == [
        ("Inbox", "1"),
        ("Judged", "1"),
        ("All causes", "2"),
    ]
    page = text_of(vera.get("/?state=judged"))
    assert "Accepted by ada just now" in page


@pytest.mark.parametrize("verdict", Verdict.values)
def test_a_verdict_in_a_row_takes_it_away_and_the_toast_takes_it_back(vera: Client, verdict: str) -> None:
    cause = flag(BLANK)
    assert judged(vera, cause, verdict)["Location"] == "/"
    assert rows(vera) == []
    toast = text_of(vera.get("/"))
    assert f"{Verdict(verdict).label}: Blank section: any query" in toast
    assert vera.post(f"/causes/{cause.pk}/reopen", {"back": "/"})["Location"] == "/"
    assert rows(vera) == [str(cause.pk)]
    assert not Combination.objects.exclude(review_status=None).exists()


def test_to_htmx_the_row_becomes_a_line_with_its_undo_and_the_figures_follow(htmx: Client) -> None:
    cause = flag(BLANK)
    answer = judged(htmx, cause, "false_alarm").content.decode()
    assert "cause-row-judged" in answer
    assert 'data-key="u"' in answer
    assert '<span id="count" hx-swap-oob="true">0</span>' in answer
    answer = htmx.post(f"/causes/{cause.pk}/reopen", {"back": "/"}).content.decode()
    assert 'data-key="d"' in answer
    assert '<span id="count" hx-swap-oob="true">1</span>' in answer


def test_flags_that_came_since_the_page_was_loaded_are_not_judged(vera: Client, htmx: Client) -> None:
    cause = flag(BLANK)
    flag(BLANK, 1)
    answer = text_of(judged(htmx, cause))
    assert "1 more flag came since you looked; look again first." in answer
    cause.refresh_from_db()
    assert cause.verdict is None


def merged() -> tuple[Cause, Cause, str]:
    """What is gone, what it became, and what is said to someone who has not seen that yet."""
    gone, heir = flag(BLANK), flag(TWICE)
    merge(gone, heir, Actor("ada"))
    return gone, heir, f"ause {gone.pk} was merged into cause {heir.pk}; look at that one first"


def test_a_row_of_a_cause_that_was_merged_meanwhile_judges_and_reopens_nothing(htmx: Client) -> None:
    gone, heir, refusal = merged()
    assert refusal in text_of(judged(htmx, gone))
    heir.refresh_from_db()
    assert heir.verdict is None
    judge(heir, Judgement(Verdict.ACCEPTED), Actor("ada"))
    assert refusal in text_of(htmx.post(f"/causes/{gone.pk}/reopen", {"back": "/"}))
    heir.refresh_from_db()
    assert heir.verdict == Verdict.ACCEPTED


def test_of_several_one_that_was_merged_meanwhile_is_left_alone(vera: Client) -> None:
    gone, heir, refusal = merged()
    selected = {"verdict": "confirmed", "row": [f"{gone.pk}:{gone.flags}"], "back": "/"}
    assert refusal in text_of(vera.post("/causes/judge", selected, follow=True))
    heir.refresh_from_db()
    assert heir.verdict is None


def test_an_assignment_of_several_is_taken_back_to_whose_they_were_but_for_those_that_someone_else_took(
    vera: Client, reviewer: User
) -> None:
    omar = User.objects.create_user("omar")
    give(omar, "reviewer")
    causes = [flag(BLANK), flag(TWICE)]
    assign_cause(causes[0], Actor("omar"), omar)
    rows = [f"{cause.pk}:{cause.flags}" for cause in causes]
    page = vera.post("/causes/judge", {"act": "assign", "row": rows, "assignee": "vera", "back": "/"}, follow=True)
    (undo,) = re.findall(r'action="(/causes/[0-9,]+/assign-back[^"]*)"', page.content.decode())
    undo = undo.replace("&amp;", "&")
    assert "Left alone" not in text_of(vera.post(undo, {"back": "/"}, follow=True))
    assert [Cause.objects.get(pk=cause.pk).held_by for cause in causes] == [omar, None]
    assert "Left alone: any query: it was assigned to someone else since." in text_of(
        vera.post(undo, {"back": "/"}, follow=True)
    )
    assert [Cause.objects.get(pk=cause.pk).held_by for cause in causes] == [omar, None]
    assert vera.post(undo.replace("former=", "former=7,"), {"back": "/"}).status_code == 400


def test_where_no_cause_is_selected_nobody_is_assigned_any(vera: Client) -> None:
    flag(BLANK)
    page = text_of(vera.post("/causes/judge", {"act": "assign", "assignee": "vera", "back": "/"}, follow=True))
    assert "No cause is selected, so nothing was assigned." in page


def test_a_cause_of_selected_flags_says_that_a_person_selected_them(vera: Client) -> None:
    cause = flag(BLANK)
    flags = [str(pk) for pk in Flag.objects.filter(cause=cause).values_list("pk", flat=True)[:2]]
    page = text_of(vera.post(f"/causes/{cause.pk}/move", {"flag": flags, "into": ""}, follow=True))
    assert "a person selected its flags." in page
    assert "better than chance" not in page


def test_later_without_a_word_is_for_a_week(vera: Client) -> None:
    cause = flag(BLANK)
    judged(vera, cause, "later")
    cause.refresh_from_db()
    assert cause.until_date == timezone.now().date() + timedelta(days=7)
    judged(vera, cause, "later", seen_verdict="later", until_new_flags="5", until_other_version="1")
    cause.refresh_from_db()
    assert (cause.until_date, cause.until_new_flags) == (None, 5)


def test_several_are_judged_at_once_and_what_has_changed_is_left_alone(vera: Client) -> None:
    one, other = flag(BLANK), flag(TWICE)
    selected = [f"{one.pk}:{one.flags}", f"{other.pk}:{other.flags - 1}"]
    page = text_of(vera.post("/causes/judge", {"verdict": "confirmed", "row": selected, "back": "/"}, follow=True))
    assert "Confirmed: 1 cause Undo" in page
    assert "Left alone: any query: 1 more flag came since you looked" in page
    assert rows(vera) == [str(other.pk)]


def test_all_that_match_on_whichever_page_are_selected_judged_and_taken_back(
    vera: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "PAGE_ROWS", 1)
    causes = [flag(TWICE, 2), flag(BLANK, 4), flag(CheckName.ITEM_REPEATED, 3)]
    (address,) = re.findall(r'<a href="([^"]+)">Select all 3 that match</a>', vera.get("/").content.decode())
    page = vera.get(address).content.decode()
    assert "that match</a>" not in page
    selected = re.findall(r'name="row" value="([^"]+)"[^>]*? checked', page)
    assert len(selected) == len(causes)
    toast = text_of(vera.post("/causes/judge", {"verdict": "accepted", "row": selected, "back": "/"}, follow=True))
    assert "Accepted: 3 causes" in toast
    assert rows(vera) == []
    pks = ",".join(value.partition(":")[0] for value in selected)
    vera.post(f"/causes/{pks}/reopen", {"back": "/"})
    assert not Cause.objects.exclude(verdict=None).exists()


def test_what_is_filtered_out_is_not_selected_and_more_than_an_undo_can_name_are_not_at_once(
    vera: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    flag(BLANK)
    repeated = flag(TWICE)
    page = vera.get(f"/?check={TWICE}&all=1").content.decode()
    assert re.findall(r'name="row" value="(\d+):', page) == [str(repeated.pk)]
    monkeypatch.setattr(inbox, "PAGE_ROWS", 1)
    monkeypatch.setattr(inbox, "MOST_AT_ONCE", 1)
    assert "Select the first 1 of 2 that match" in text_of(vera.get("/"))
    assert len(rows(vera, "/?all=1")) == 1


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/causes/{pk}/judge", {"verdict": "wonderful", "seen_flags": "3"}),
        ("/causes/{pk}/judge", {"verdict": "accepted"}),
        ("/causes/{pk}/judge", {"verdict": "later", "seen_flags": "3", "until_date": "soon"}),
        ("/causes/{pk}/assign", {"assignee": "no such person"}),
        ("/causes/{pk}/merge", {"into": "0"}),
        ("/causes/judge", {"verdict": "accepted", "row": "x"}),
    ],
)
def test_what_makes_no_sense_is_refused(vera: Client, path: str, form: dict[str, str]) -> None:
    cause = flag(BLANK)
    assert vera.post(path.format(pk=cause.pk), form).status_code == 400
    cause.refresh_from_db()
    assert cause.verdict is None


def test_filters_are_one_bar_and_say_what_they_hold(vera: Client, reviewer: User) -> None:
    mine, other = flag(BLANK), flag(TWICE)
    vera.post(f"/causes/{mine.pk}/assign", {"assignee": "vera"})
    assert rows(vera, "/?assignee=vera") == [str(mine.pk)]
    assert rows(vera, "/?assignee=none") == [str(other.pk)]
    assert rows(vera, "/?check=section_repeated") == [str(other.pk)]
    assert "Filters: assigned to me" in text_of(vera.get("/?assignee=vera"))
    assert "Nothing matches" in text_of(vera.get("/?check=crash"))
    assert vera.get("/?verdict=wonderful").status_code == 400


def test_an_empty_inbox_says_why(vera: Client) -> None:
    factory.make_target()
    assert "Nothing to review" in text_of(vera.get("/"))
    assert "No verdict yet" in text_of(vera.get("/?state=judged"))
    assert "No cause so far" in text_of(vera.get("/?state=all"))


def test_without_a_target_it_says_how_to_get_one(vera: Client) -> None:
    assert "No target yet" in text_of(vera.get("/"))


def test_the_page_of_a_cause_tells_all_that_is_known(vera: Client) -> None:
    cause = flag(BLANK)
    page = text_of(vera.get(f"/causes/{cause.pk}"))
    for words in (
        "Expected",
        "Seen",
        "Shortest query so far",
        "Its answer",
        "How often",
        "Flags in all 3",
        "Story Found",
    ):
        assert words in page
    pages = re.findall(
        r'class="query listed-query" href="(/combinations/\d+)"', vera.get(f"/causes/{cause.pk}").content.decode()
    )
    assert len(pages) == 3
    assert "Latency of its example's recipe" not in page


def test_a_cause_that_is_about_time_shows_its_latencies(vera: Client) -> None:
    cause = flag(CheckName.LATENCY_OUTLIER)
    assert "Latency of its example's recipe" in text_of(vera.get(f"/causes/{cause.pk}"))


def shows(cause: Cause, *counts: tuple[int, int]) -> None:
    """In so many cycles: of the queries that could have shown it, those that did."""
    CauseTally.objects.filter(cause=cause).delete()
    CauseTally.objects.bulk_create(
        CauseTally(cause=cause, cycle=factory.make_cycle(), runs=runs, flagged=flagged) for runs, flagged in counts
    )
    Installation.queue_changed()  # as the engine does when it writes them


def test_how_often_it_was_flagged_is_said_beside_how_often_others_were(vera: Client) -> None:
    cause = flag(BLANK)
    first = Flag.objects.order_by("id")[0].run.cycle
    type(first).objects.filter(pk=first.pk).update(target_version="3.50")
    counts = {"is_evident": True, "struck": 80, "runs": 95, "other_runs": 1400}
    Cause.objects.update(**counts)
    often = f"Since cycle {first.pk}, version 3.50: 80 of 95 recent queries in which this is were flagged for it; of"
    assert f"{often} 1,400 others, none in the same way." in text_of(vera.get(f"/causes/{cause.pk}"))
    Cause.objects.update(other_struck=1200)
    assert f"{often} 1,400 others, 1,200 in the same way." in text_of(vera.get(f"/causes/{cause.pk}"))


def test_where_nothing_tells_flagged_queries_from_others_no_others_are_counted(vera: Client) -> None:
    page = text_of(vera.get(f"/causes/{flag(BLANK).pk}"))
    assert "3 of 3 recent queries of this target were flagged for it." in page
    assert "others," not in page


def test_where_only_its_check_says_which_queries_could_show_it_those_are_counted(vera: Client) -> None:
    cause = flag(CheckName.PAIR_BROKEN)
    Cause.objects.update(is_evident=False, sentence="a pair", struck=2, runs=86, other_runs=114)
    page = text_of(vera.get(f"/causes/{cause.pk}"))
    assert "2 of 86 recent queries in which this is were flagged for it." in page
    assert "others," not in page


def test_a_cause_that_is_quiet_or_back_says_so_with_the_odds(vera: Client) -> None:
    """After 8 of 8, Laplace's rule gives three clean ones 1/10 × 2/11 × 3/12."""
    cause = flag(BLANK)
    odds = "by chance that happens 0.45 % of the time."
    shows(cause, (8, 8), (1, 0), (2, 0))
    assert f"Not seen in the last 3 that could have shown it; {odds}" in text_of(vera.get(f"/causes/{cause.pk}"))
    assert "not in the last 3" in text_of(vera.get("/"))
    shows(cause, (8, 8), (1, 0), (2, 0), (9, 1))
    page = text_of(vera.get(f"/causes/{cause.pk}"))
    assert f"Seen again after 3 that could have shown it and did not; {odds}" in page
    assert "back after 3" in text_of(vera.get("/"))


def test_of_too_few_queries_that_could_have_shown_it_nothing_is_said(vera: Client) -> None:
    cause = flag(BLANK)
    shows(cause, (8, 1), (8, 0))
    assert "could have shown it" not in text_of(vera.get(f"/causes/{cause.pk}"))
    assert "not in the last" not in text_of(vera.get("/"))


def lost(part: str, source: str) -> None:
    evidence = Evidence(parts=(part,), sources=(source,))
    factory.flagged(f"about {part} in {source}", factory.finding(CheckName.PART_LOST, evidence=evidence))


def listed(client: Client, address: str) -> list[str]:
    return [line.query for line in client.get(address).context["page"].flags]


def test_its_flags_are_filtered_by_what_they_say(vera: Client) -> None:
    for part, source in (("rss", "news"), ("rss", "web"), ("forecast", "news")):
        lost(part, source)
    assign_causes(factory.a_target(), timezone.now())
    here = f"/causes/{Cause.objects.get().pk}"
    assert "Tell them apart by what they say" in text_of(vera.get(here))
    page = vera.get(f"{here}?said=all").context["page"]
    said = {one.words: (one.count, one.address) for one in page.said}
    assert {words: count for words, (count, _) in said.items()} == {
        "of news": 2,
        "of web": 1,
        "without 'rss'": 2,
        "without 'forecast'": 1,
    }
    assert listed(vera, said["without 'rss'"][1]) == ["about rss in web", "about rss in news"]
    assert listed(vera, said["of web"][1]) == ["about rss in web"]
    chosen = next(one for one in vera.get(said["of web"][1]).context["page"].said if one.is_chosen)
    assert (chosen.words, len(listed(vera, chosen.address))) == ("of web", 3)


def test_where_no_flag_says_it_that_is_said_and_what_makes_no_sense_is_refused(vera: Client) -> None:
    lost("rss", "news")
    lost("rss", "web")
    assign_causes(factory.a_target(), timezone.now())
    here = f"/causes/{Cause.objects.get().pk}"
    assert "None of its newest flags says that" in text_of(vera.get(f"{here}?said=of_section:home"))
    for wrong in ("any:", "of_section:", "phrase:rss", "x"):
        assert vera.get(f"{here}?said={wrong}").status_code == 400


def test_beside_the_list_it_is_the_same_without_the_page_around_it(htmx: Client) -> None:
    cause = flag(BLANK)
    answer = htmx.get(f"/causes/{cause.pk}").content.decode()
    assert answer.strip().startswith('<article class="cause"')
    assert "<html" not in answer
    assert "data-key" not in answer, "the keys are those of its row"


def test_a_merged_cause_leads_to_what_it_became(vera: Client) -> None:
    gone, heir = flag(BLANK), flag(TWICE)
    answer = vera.post(f"/causes/{gone.pk}/merge", {"into": str(heir.pk), "list": "state=all"})
    assert answer["Location"] == f"/causes/{heir.pk}?state=all"
    assert vera.get(f"/causes/{gone.pk}")["Location"] == f"/causes/{heir.pk}"
    assert vera.get("/causes/999999").status_code == 404


def test_a_verdict_with_its_reason_and_link_stands_on_the_page(vera: Client) -> None:
    cause = flag(BLANK)
    judged(vera, cause, "confirmed", reason="see https://wiki.example/7", link="https://tracker.example/9")
    page = vera.get(f"/causes/{cause.pk}").content.decode()
    assert 'href="https://tracker.example/9" rel="noopener noreferrer"' in page
    assert 'href="https://wiki.example/7"' in page, "links in reasons are links"
    assert "Confirmed by vera" in text_of(vera.get(f"/causes/{cause.pk}"))
    assert judged(vera, cause, "confirmed", link="javascript:alert(1)", back=f"/causes/{cause.pk}").status_code == 302
    assert "is no http or https URL" in text_of(vera.get(f"/causes/{cause.pk}"))


def test_what_came_since_a_verdict_is_one_row_that_says_so(vera: Client) -> None:
    cause = flag(BLANK)
    judged(vera, cause)
    flag(BLANK, 4)
    assert rows(vera) == [str(cause.pk)]
    assert "Accepted by vera just now : 4 new since" in text_of(vera.get("/"))


def test_a_note_is_in_its_story_and_an_empty_one_is_refused(vera: Client) -> None:
    cause = flag(BLANK)
    vera.post(f"/causes/{cause.pk}/note", {"note": "look at https://wiki.example"})
    page = vera.get(f"/causes/{cause.pk}")
    assert "Noted by vera" in text_of(page)
    assert 'href="https://wiki.example"' in page.content.decode()
    vera.post(f"/causes/{cause.pk}/note", {"note": " "})
    assert "The note is empty" in text_of(vera.get(f"/causes/{cause.pk}"))


def test_an_onlooker_sees_it_all_and_is_offered_nothing(onlooker: Client) -> None:
    cause = flag(BLANK)
    for address in ("/", f"/causes/{cause.pk}"):
        page = onlooker.get(address).content.decode()
        assert onlooker.get(address).status_code == 200
        assert f"/causes/{cause.pk}/judge" not in page
    assert onlooker.post(f"/causes/{cause.pk}/judge", {"verdict": "accepted", "seen_flags": "3"}).status_code == 403


def test_only_those_who_may_review_can_be_assigned(vera: Client) -> None:
    give(User.objects.create_user("otto"), "viewer")
    give(User.objects.create_user("omar"), "reviewer")
    cause = flag(BLANK)
    page = vera.get(f"/causes/{cause.pk}").content.decode()
    offered = page.partition('name="assignee">')[2].partition("</select>")[0]
    assert re.findall(r"<option[^>]*>([^<]*)<", offered) == ["no one", "omar", "vera"]


def test_flags_are_paged(vera: Client) -> None:
    cause = flag(BLANK, 23)
    page = vera.get(f"/causes/{cause.pk}").content.decode()
    older = re.search(r'class="older"><a href="([^"#]+)', page)
    assert older
    rest = vera.get(older[1]).content.decode()
    assert len(re.findall(r'listed-query"', page)) == 20
    assert len(re.findall(r'listed-query"', rest)) == 3


def test_one_whose_flags_are_gone_still_has_its_page(vera: Client) -> None:
    cause = flag(BLANK)
    Flag.objects.all().delete()
    page = text_of(vera.get(f"/causes/{cause.pk}"))
    assert "Its flags are no longer kept" in page
    assert "No flag of it is left" in page


def test_new_flags_are_announced_and_lead_back_to_the_inbox(vera: Client) -> None:
    flag(BLANK)
    address = re.search(r'hx-get="(/news[^"]*)"', vera.get("/").content.decode())
    assert address
    asked = address[1].replace("&amp;", "&")
    assert vera.get(asked, headers={"HX-Request": "true"}).status_code == 204
    factory.flagged("", factory.finding(BLANK))
    answer = vera.get(asked, headers={"HX-Request": "true"}).content.decode()
    assert re.search(r'id="news-show" class="news-fresh" href="/">1 new flag: show', answer)


def test_flags_that_no_cycle_has_assigned_yet_are_told_of(vera: Client) -> None:
    factory.flagged("", factory.finding(BLANK))
    assert "1 flag has no cause yet: the next cycle assigns it. Show it" in text_of(vera.get("/"))
    assert len(vera.get(vera.get("/").context["page"].waiting).context["page"].rows) == 1
    flag(BLANK)
    assert "no cause yet" not in text_of(vera.get("/"))


def test_flags_are_split_off_or_moved_to_another_cause(vera: Client) -> None:
    cause, other = flag(BLANK, 4), flag(TWICE, 2)
    mine = list(Flag.objects.filter(cause=cause).order_by("id").values_list("pk", flat=True))
    theirs = Flag.objects.filter(cause=other)[0].pk
    answer = vera.post(f"/causes/{cause.pk}/move", {"flag": [mine[0], mine[1], theirs], "into": ""})
    own = Cause.objects.exclude(pk__in=[cause.pk, other.pk]).get()
    assert answer["Location"] == f"/causes/{own.pk}"
    assert "2 flags moved here from Blank section: any query." in text_of(vera.get(f"/causes/{own.pk}"))
    vera.post(f"/causes/{cause.pk}/move", {"flag": [mine[2]], "into": str(other.pk)})
    assert set(Flag.objects.filter(cause=other).values_list("pk", flat=True)) >= {mine[2], theirs}
    vera.post(f"/causes/{cause.pk}/move", {"into": ""})
    assert "Select flags of this cause" in text_of(vera.get(f"/causes/{cause.pk}"))
    assert vera.post(f"/causes/{cause.pk}/move", {"flag": [mine[3]], "into": "999999"}).status_code == 400


def test_the_address_of_the_ingredients_of_a_check_leads_to_its_causes(vera: Client) -> None:
    answer = vera.get("/blame?target=bundled&check=crash")
    assert (answer.status_code, answer["Location"]) == (301, "/?target=bundled&check=crash")


def test_selected_causes_are_assigned_to_the_reader_to_another_and_to_no_one(vera: Client, reviewer: User) -> None:
    give(User.objects.create_user("otto"), "viewer")
    omar = User.objects.create_user("omar")
    give(omar, "reviewer")
    causes = [flag(BLANK), flag(TWICE)]
    rows = [f"{cause.pk}:{cause.flags}" for cause in causes]
    offered = vera.get("/").content.decode().partition('aria-label="Assign to">')[2].partition("</select>")[0]
    assert re.findall(r"<option[^>]*>([^<]*)<", offered) == ["me", "omar", "no one"]
    form = {"act": "assign", "row": rows, "back": "/"}
    assert "2 causes assigned to you Undo" in text_of(
        vera.post("/causes/judge", {**form, "assignee": "vera"}, follow=True)
    )
    assert set(Cause.objects.values_list("held_by", flat=True)) == {reviewer.pk}
    assert "2 causes assigned to omar Undo" in text_of(
        vera.post("/causes/judge", {**form, "assignee": "omar"}, follow=True)
    )
    assert set(Cause.objects.values_list("held_by", flat=True)) == {omar.pk}
    assert vera.post("/causes/judge", {**form, "assignee": "otto"}).status_code == 400
    answer = vera.post("/causes/judge", {**form, "assignee": "", "row": rows[:1]}, follow=True)
    assert "1 cause assigned to no one Undo" in text_of(answer)
    assert Cause.objects.filter(held_by=None).count() == 1
    assert vera.post("/causes/judge", {"act": "x", "row": rows}).status_code == 400
