"""The queue by tabs, filters, order and groups: what each leaves, what is counted, and what an empty list says."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from itertools import product
from urllib.parse import quote_plus

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from selftest.core.generation.ingredient_pairs import pair_name
from selftest.core.judging.findings import CheckName
from selftest.cycles import statistics
from selftest.cycles.cause_assignment import assign_causes
from selftest.cycles.ingredients import ingredient_ids
from selftest.models import (
    Actor,
    Cause,
    Combination,
    Cycle,
    Installation,
    ReviewEvent,
    Target,
    Tuning,
    ingredient_keys_of,
)
from selftest.reading.queue import Sort, dismissed_since, queue_revision, severity
from selftest.reviewing.assignment import assign, unassign
from selftest.reviewing.causes import merge
from selftest.reviewing.dismissal import dismiss, undismiss
from selftest.storage import full_text
from tests import memory
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of

VERA = Actor("vera")


def queries_on(client: Client, address: str) -> list[str]:
    """What the rows of a list ask, in its order, not grouped."""
    flat = f"{address}{'&' if '?' in address else '?'}flat=1"
    return [row.query for row in client.get(flat).context["page"].rows]


def counted(client: Client, address: str) -> dict[str, int]:
    return {tab.name: tab.count for tab in client.get(address).context["page"].tabs}


@pytest.fixture
def one_of_each_state(db: None) -> None:
    """Flagged now, was flagged, dismissed, and dismissed when its last run was clean."""
    factory.flagged("now")
    factory.ask(factory.flagged("was"))
    dismiss(factory.flagged("dismissed"), VERA)
    clean = factory.flagged("dismissed and clean")
    factory.ask(clean)
    dismiss(clean, VERA)


# --- targets that are switched off ---


@pytest.fixture
def reference(target: Target) -> Target:
    """Switched off, with three flags (one dismissed), beside a target that is on and has one."""
    reference = factory.make_target("reference", is_default=False)
    for text in ("rss", "weather", "dismissed"):
        combination = factory.make_combination(text, reference)
        factory.ask(combination, [factory.finding()], cycle=factory.make_cycle(target=reference))
    dismiss(combination, VERA)
    factory.flagged("mine")
    reference.enabled = False
    reference.save()
    return reference


def test_flags_of_a_target_that_is_switched_off_stand_behind_one_line(vera: Client, reference: Target) -> None:
    response = vera.get("/flags?flat=1")
    assert [row.query for row in response.context["page"].rows] == ["mine"]
    assert queries_on(vera, "/flags") == ["mine"]
    assert "2 of reference, switched off: show" in text_of(response)
    assert (response.context["page"].count, counted(vera, "/flags")["Needs review"]) == (1, 1)
    assert "Needs review 1 Flagged now 1" in text_of(vera.get("/overview"))


def test_the_line_leads_to_a_list_that_counts_what_it_shows(vera: Client, reference: Target) -> None:
    (left_out,) = vera.get("/flags").context["page"].left_out
    assert left_out.address == "/flags?target=reference"
    assert set(queries_on(vera, f"{left_out.address}&flat=1")) == {"rss", "weather"}
    page = vera.get(left_out.address).context["page"]
    assert (counted(vera, left_out.address)["Needs review"], page.all_count, page.left_out) == (2, 2, ())


def test_an_empty_list_does_not_deny_the_flags_behind_the_line(vera: Client, reference: Target) -> None:
    Combination.objects.exclude(target=reference).update(ever_flagged=False, currently_flagged=False)
    for address in ("/flags", "/flags?text=zzz", "/flags?check=crash"):
        assert "No flags so far" not in text_of(vera.get(address)), address
    assert "Nothing dismissed yet" not in text_of(vera.get("/flags?tab=dismissed"))


def test_the_heading_counts_the_target_that_was_switched_off_where_it_is_named(vera: Client, reference: Target) -> None:
    assert vera.get("/flags?target=reference").context["page"].count == 2
    assert vera.get("/flags?target=reference&text=rss").context["page"].count == 2, "whatever else is filtered"


def test_the_line_counts_what_the_tab_and_the_filter_leave(vera: Client, reference: Target) -> None:
    assert "1 of reference, switched off: show" in text_of(vera.get("/flags?tab=dismissed"))
    assert "1 of reference, switched off: show" in text_of(vera.get("/flags?text=rss"))
    assert "switched off: show" not in text_of(vera.get("/flags?check=crash"))


def test_all_matching_does_not_mean_what_is_behind_the_line(vera: Client, reference: Target) -> None:
    page = vera.get("/flags").context["page"]
    assert page.all_count == 1
    frozen = vera.post("/bulk/freeze", {"act": "dismiss", "list": page.query}, follow=True)
    assert frozen.context["page"].count == 1


def test_j_and_k_pass_over_what_is_behind_the_line(vera: Client, reference: Target) -> None:
    mine = Combination.objects.get(last_query_text="mine")
    assert vera.get(f"/combinations/{mine.pk}/next")["Location"] == f"/combinations/{mine.pk}"


def test_while_every_target_is_off_nothing_is_left_out(vera: Client, reference: Target) -> None:
    Target.objects.update(enabled=False)
    assert counted(vera, "/flags")["Needs review"] == 3
    assert vera.get("/flags").context["page"].left_out == ()
    assert len(queries_on(vera, "/flags?flat=1")) == 3


def test_the_filter_says_what_any_target_means(vera: Client, reference: Target) -> None:
    form = vera.get("/flags").context["page"].form
    assert form.any_target == "any switched on"
    assert [choice.name for choice in form.targets] == ["bundled", "reference (switched off)"]


# --- the address of a filter ---


@pytest.mark.parametrize(
    ("filled_in", "short"),
    [
        ("/flags?text=&check=crash&recipe=&source=&ingredient=&age=&sort=", "/flags?check=crash"),
        ("/flags?text=+&check=&sort=", "/flags"),
        ("/flags?tab=now&text=rss&check=", "/flags?tab=now&text=rss"),
        ("/cycles?target=&state=finished", "/cycles?state=finished"),
        ("/combinations?text=&state=&recipe=", "/combinations"),
        ("/explained?target=bundled&source=&check=", "/explained?target=bundled"),
    ],
)
def test_an_address_holds_only_what_is_set(filled_in: str, short: str, vera: Client, target: Target) -> None:
    response = vera.get(filled_in)
    assert (response.status_code, response["Location"]) == (302, short)
    assert vera.get(short).status_code == 200


def test_the_usual_order_is_not_said_in_the_address(vera: Client, target: Target) -> None:
    assert vera.get("/flags").context["page"].form.sorts[0].value == ""


# --- tabs ---


@pytest.mark.usefixtures("one_of_each_state")
@pytest.mark.parametrize(
    ("tab", "shown"),
    [
        ("", ["was", "now"]),
        ("review", ["was", "now"]),
        ("now", ["dismissed", "now"]),
        ("ever", ["dismissed and clean", "dismissed", "was", "now"]),
        ("dismissed", ["dismissed and clean", "dismissed"]),
    ],
)
def test_each_tab_holds_what_its_name_says(vera: Client, tab: str, shown: list[str]) -> None:
    assert queries_on(vera, f"/flags?tab={tab}" if tab else "/flags") == shown


@pytest.mark.usefixtures("one_of_each_state")
def test_every_tab_says_how_many_it_holds(vera: Client) -> None:
    expected = {"Needs review": 2, "Flagged now": 2, "Ever flagged": 4, "Dismissed": 2}
    for tab in ("review", "now", "ever", "dismissed"):
        assert counted(vera, f"/flags?tab={tab}") == expected
    assert "Needs review 2 Flagged now 2 Ever flagged 4 Dismissed 2" in text_of(vera.get("/flags"))


@pytest.mark.usefixtures("one_of_each_state")
def test_the_counts_follow_the_filter(vera: Client) -> None:
    factory.flagged("a crash", factory.finding(CheckName.CRASH))
    assert counted(vera, "/flags?check=crash") == {
        "Needs review": 1,
        "Flagged now": 1,
        "Ever flagged": 1,
        "Dismissed": 0,
    }


@pytest.mark.usefixtures("one_of_each_state")
def test_a_tab_keeps_the_filter_and_the_filter_its_tab(vera: Client) -> None:
    page = vera.get("/flags?tab=ever&text=was&sort=age").context["page"]
    assert [tab.address for tab in page.tabs] == [
        "/flags?text=was&sort=age",
        "/flags?tab=now&text=was&sort=age",
        "/flags?tab=ever&text=was&sort=age",
        "/flags?tab=dismissed&text=was&sort=age",
    ]
    assert page.form.tab == "ever"
    assert page.form.clear_url == "/flags?tab=ever"


# --- filters ---


@pytest.fixture
def several(db: None) -> None:
    factory.a_target()
    second = factory.make_target("second", is_default=False)
    factory.flagged("the crash of the jacquard loom", factory.finding(CheckName.CRASH), source="home")
    old = factory.flagged("the price of molybdenum", source="kiwix")
    _first_flagged(old, timedelta(days=40))
    week = factory.flagged("what the weather is", source="web")
    _first_flagged(week, timedelta(days=3))
    elsewhere = factory.make_combination("asked of the second", second)
    factory.ask(elsewhere, [factory.finding()], source="web", cycle=factory.make_cycle(target=second))
    Combination.objects.filter(pk=old.pk).update(recipe_name="multi_intent_chain")


def _first_flagged(combination: Combination, ago: timedelta) -> None:
    Combination.objects.filter(pk=combination.pk).update(first_flagged_timestamp=timezone.now() - ago)


CRASH, OLD, WEEK = "the crash of the jacquard loom", "the price of molybdenum", "what the weather is"
ELSEWHERE = "asked of the second"


FILTERS = [
    ("check=crash", [CRASH]),
    ("check=source_mismatch", [ELSEWHERE, WEEK, OLD]),
    ("recipe=multi_intent_chain", [OLD]),
    ("source=web", [ELSEWHERE, WEEK]),
    ("source=web&target=second", [ELSEWHERE]),
    ("target=bundled", [WEEK, OLD, CRASH]),
    ("target=nobody", []),
    ("age=day", [ELSEWHERE, CRASH]),
    ("age=week", [ELSEWHERE, WEEK, CRASH]),
    ("age=month", [ELSEWHERE, WEEK, CRASH]),
    ("age=older", [OLD]),
    ("text=molybdenum", [OLD]),
    ("text=the+crash", [CRASH]),
    ("text=nothing+of+the+kind", []),
    ("ingredient=topic:the+price+of+molybdenum", [OLD]),
    ("ingredient=weather", [WEEK]),
    ("check=source_mismatch&age=day&source=web&target=second&text=second", [ELSEWHERE]),
]


@pytest.mark.usefixtures("several")
def test_each_filter_leaves_what_it_names(vera: Client, subtests: pytest.Subtests) -> None:
    for asked, shown in FILTERS:
        with subtests.test(asked=asked):
            assert queries_on(vera, f"/flags?{asked}") == shown


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize(
    ("sort", "shown"),
    [
        ("newest", [ELSEWHERE, WEEK, OLD, CRASH]),
        ("severity", [CRASH, ELSEWHERE, WEEK, OLD]),
        ("age", [OLD, WEEK, CRASH, ELSEWHERE]),
    ],
)
def test_each_order_puts_first_what_it_says(vera: Client, sort: str, shown: list[str]) -> None:
    for row in Combination.objects.all():
        factory.put_down([row], factory.make_cause(target=row.target, checks=[row.flagged_check]))
    assert [entry.row.query for entry in vera.get(f"/flags?sort={sort}").context["page"].entries] == shown
    assert queries_on(vera, f"/flags?sort={sort}") == shown


def test_the_most_often_flagged_can_come_first(vera: Client) -> None:
    thrice = factory.flagged("thrice")
    for _ in range(2):
        factory.ask(thrice, [factory.finding()])
    factory.flagged("once")
    assert queries_on(vera, "/flags") == ["once", "thrice"]
    assert queries_on(vera, "/flags?sort=flagged") == ["thrice", "once"]


def test_every_order_shows_each_row_once_over_its_pages(vera: Client, subtests: pytest.Subtests) -> None:
    now = timezone.now()
    made = [factory.flagged(f"number {n}", now=now - timedelta(minutes=n // 7)) for n in range(45)]
    for row in made:
        factory.put_down([row], factory.make_cause())
    for sort, flat in product(("newest", "severity", "age", "flagged"), ("", "&flat=1")):
        with subtests.test(sort=sort, flat=flat):
            address, shown = f"/flags?sort={sort}{flat}", []
            while address:
                page = vera.get(address).context["page"]
                shown += [row.pk for row in page.rows]
                address = page.older
            assert len(shown) == 45
            assert sorted(shown) == [combination.pk for combination in made]


@pytest.mark.usefixtures("several")
def test_the_form_shows_what_is_filtered_and_a_link_clears_it(vera: Client) -> None:
    page = vera.get("/flags?check=crash&age=day&text=loom&sort=age").context["page"]
    chosen = [
        choice.value
        for choices in (*(group.choices for group in page.form.checks), page.form.ages, page.form.sorts)
        for choice in choices
        if choice.is_chosen
    ]
    assert chosen == ["crash", "day", "age"]
    assert page.form.text == "loom"
    assert page.form.clear_url == "/flags"
    assert page.query == "check=crash&age=day&text=loom&sort=age"


@pytest.mark.usefixtures("several")
def test_targets_are_offered_where_there_are_several(vera: Client) -> None:
    assert [choice.value for choice in vera.get("/flags").context["page"].form.targets] == ["bundled", "second"]


def test_with_one_target_none_is_offered(vera: Client) -> None:
    factory.flagged()
    assert vera.get("/flags").context["page"].form.targets == ()


@pytest.mark.parametrize(
    "asked",
    [
        "tab=x",
        "check=x",
        "recipe=x",
        "age=x",
        "sort=x",
        "cause=x",
        "group=-1",
        "cause=٣",
        f"cause={'9' * 19}",
        f"text={'x' * 2001}",
        f"ingredient={'x' * 2001}",
    ],
)
def test_a_filter_that_makes_no_sense_is_named(vera: Client, asked: str) -> None:
    response = vera.get(f"/flags?{asked}")
    assert response.status_code == 400
    assert asked.partition("=")[0] in text_of(response)


def test_script_in_a_filter_is_text(vera: Client) -> None:
    factory.flagged()
    for name in ("text", "source", "target", "ingredient"):
        assert_escaped(vera.get("/flags", {name: SCRIPT}))


@pytest.mark.parametrize("name", ["text", "source", "target", "ingredient"])
def test_a_nul_in_a_filter_finds_nothing_and_breaks_nothing(vera: Client, name: str) -> None:
    factory.flagged()
    assert queries_on(vera, f"/flags?{name}=%00x") == []


INGREDIENTS = (
    *("intent:forecast:weather", "intent:news:headlines", "intent:news:weather alerts", "joint: and then"),
    "topic:Straße",
)


@pytest.fixture
def of_ingredients(db: None) -> None:
    """One of each ingredient, and then one of the first two, asked as their numbers."""
    ids = ingredient_ids(INGREDIENTS)
    for numbers in ("0", "1", "2", "3", "01", "4"):
        names = [INGREDIENTS[int(number)] for number in numbers]
        keys = [ids[name] for name in names]
        combination = factory.make_combination(numbers)
        combination.ingredients.set(keys)
        Combination.objects.filter(pk=combination.pk).update(ingredient_keys=ingredient_keys_of(keys))
        full_text.note_ingredients(combination, names)
        factory.ask(combination, [factory.finding()])


BY_INGREDIENT = [
    (INGREDIENTS[0], ["01", "0"]),
    ("weather", ["01", "2", "0"]),
    ("WEATH", ["01", "2", "0"]),
    ("eather", []),
    ("alerts new", ["2"]),
    ("headlines forecast", ["01"]),
    ("intent:forecast:weather alerts", []),
    ("e", []),
    ("i", ["01", "2", "1", "0"]),
    ("a", ["3", "2"]),
    (pair_name(INGREDIENTS[1::-1]), ["01"]),
    (pair_name(["intent:news:headlines", "of no combination"]), []),
    (":", []),
    ("[" * 1_500, []),
    ("straß", ["4"]),
    ("STRASSE", ["4"]),
]


@pytest.mark.usefixtures("of_ingredients")
@pytest.mark.parametrize("few", [0, 1, 5_000])
def test_of_an_ingredient_all_that_hold_it_are_found_whether_they_are_few_or_many(
    vera: Client, subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(full_text, "FEW", few)
    monkeypatch.setattr(full_text, "FEW_IN_POSTGRES", few)
    for words, shown in BY_INGREDIENT:
        Installation.queue_changed()  # so that no list is the one of before
        with subtests.test(words=words):
            assert queries_on(vera, f"/flags?ingredient={quote_plus(words)}") == shown


# --- groups ---


def test_rows_with_one_cause_fold_into_a_group_that_names_it(vera: Client) -> None:
    factory.flagged("alone")
    factory.heap(3)
    response = vera.get("/flags")
    page = response.context["page"]
    assert [bool(entry.group) for entry in page.entries] == [True, False]
    group = page.entries[0].group
    cause = Cause.objects.get()
    assert (group.act.count, group.act.open, group.cause.page) == (3, 3, f"/causes/{cause.pk}")
    text = text_of(response)
    assert "Unasked source 3 flags a query about metal Show" in text
    assert f"Open as a list Cause {cause.pk}" in text
    assert "Dismiss 3" in text
    assert "tell me about metal 1" not in text


def test_a_group_opens_into_exactly_its_rows(vera: Client) -> None:
    factory.flagged("alone")
    heap = factory.heap(3)
    group = vera.get("/flags").context["page"].entries[0].group
    response = vera.get(group.rows_address, headers={"HX-Request": "true"})
    assert not is_whole(response)
    shown = re.findall(r'<li class="queue-row" id="combination-(\d+)"', response.content.decode())
    assert shown == [str(made.pk) for made in reversed(heap)]
    assert "That is all" not in text_of(response)


def test_without_javascript_a_group_is_a_page_of_its_own(vera: Client) -> None:
    factory.flagged("alone")
    factory.heap(3)
    response = vera.get(vera.get("/flags").context["page"].entries[0].group.page)
    assert len(response.context["page"].rows) == 3
    assert "Only flags of one cause: Unasked source, a query about metal . Show all" in text_of(response)


def test_one_cause_that_shows_in_two_checks_is_one_group_as_severe_as_the_worse_of_them(vera: Client) -> None:
    crashed = factory.heap(2, "metal of another kind", CheckName.CRASH)
    elsewhere = factory.heap(3, "metal")
    empty = factory.heap(2, "nothing", CheckName.UNEXPECTED_EMPTY)
    factory.put_down([*crashed, *elsewhere], factory.make_cause(checks=["source_mismatch", "crash"]))
    groups = [entry.group for entry in vera.get("/flags?sort=severity").context["page"].entries]
    assert [(group.name, group.act.count) for group in groups] == [
        ("Unasked source, Crash", 5),
        (groups[1].name, len(empty)),
    ]
    page = vera.get("/flags?check=crash").context["page"]
    assert [entry.group.act.count for entry in page.entries] == [2], "of a check only its own rows"
    rows = vera.get(page.entries[0].group.page).context["page"].rows
    assert {row.pk for row in rows} == {made.pk for made in crashed}


def test_a_cause_of_a_second_flag_is_filtered_by_and_is_the_group_of_none(vera: Client) -> None:
    both = [
        factory.flagged(f"metal {n}", factory.finding(CheckName.CRASH), factory.finding(CheckName.LATENCY_OUTLIER))
        for n in range(3)
    ]
    assign_causes(factory.a_target(), timezone.now())
    first, second = (Cause.objects.get(checks=[check]) for check in (CheckName.CRASH, CheckName.LATENCY_OUTLIER))
    assert [entry.group.cause.pk for entry in vera.get("/flags").context["page"].entries] == [first.pk]
    for address, shown in (
        (f"/flags?cause={second.pk}", 3),
        (f"/flags?cause={first.pk}", 3),
        (f"/flags?group={first.pk}", 3),
        (f"/flags?group={second.pk}", 0),
        ("/flags?group=0", 0),
        ("/flags?cause=0", 0),
        ("/flags?cause=987654", 0),
    ):
        assert len(vera.get(address).context["page"].rows) == shown, address
    factory.ask(both[0], [factory.finding(CheckName.CRASH)])
    assign_causes(factory.a_target(), timezone.now())
    assert len(vera.get(f"/flags?cause={second.pk}").context["page"].rows) == 2, "its last flagged run counts"


def test_the_numbers_of_a_cause_lead_to_as_many_rows(vera: Client) -> None:
    heap = factory.heap(4)
    factory.ask(heap[0])
    dismiss(heap[1], VERA)
    cause = Cause.objects.get()
    page = vera.get(f"/causes/{cause.pk}").context["page"]
    assert (page.row.open, page.row.now) == (3, 3)
    for address, count in ((page.open_list, page.row.open), (page.now_list, page.row.now)):
        assert len(vera.get(address).context["page"].rows) == count, address
    Target.objects.filter(pk=factory.make_target("other", is_default=False).pk).update(enabled=True)
    Target.objects.filter(pk=cause.target_id).update(enabled=False)
    page = vera.get(f"/causes/{cause.pk}").context["page"]
    assert len(vera.get(page.open_list).context["page"].rows) == 3, "also of a target that is off"


def test_the_address_of_a_merged_cause_leads_to_what_it_became(vera: Client) -> None:
    factory.heap(3)
    old = Cause.objects.get()
    new = factory.make_cause()
    merge(old, new, VERA)
    for name in ("cause", "group"):
        response = vera.get(f"/flags?tab=ever&{name}={old.pk}")
        assert response.url == f"/flags?tab=ever&{name}={new.pk}"
        assert len(vera.get(response.url).context["page"].rows) == 3


def test_the_form_keeps_the_cause_that_is_filtered_by(vera: Client) -> None:
    factory.heap(3)
    factory.flagged("of no cause yet")
    cause = Cause.objects.get()
    for name, value in (("cause", cause.pk), ("group", cause.pk), ("group", 0)):
        page = vera.get(f"/flags?{name}={value}").content.decode()
        assert page.count(f'<input type="hidden" name="{name}" value="{value}">') == 1, "to filter"
        assert f'<input type="hidden" name="list" value="{name}={value}">' in page, "to act on all"


def test_a_row_outside_of_its_group_names_its_cause(vera: Client) -> None:
    factory.heap(2)
    cause = Cause.objects.get()
    assert "Cause a query about metal" in text_of(vera.get("/flags?flat=1"))
    assert f'<a href="/causes/{cause.pk}">a query about metal</a>' in vera.get("/flags?flat=1").content.decode()
    for name in ("cause", "group"):
        assert "Cause a query about metal" not in text_of(vera.get(f"/flags?{name}={cause.pk}"))


def test_a_group_counts_for_its_button_what_can_be_dismissed(vera: Client) -> None:
    heap = factory.heap(4)
    dismiss(heap[0], VERA)
    group = vera.get("/flags?tab=ever").context["page"].entries[0].group
    assert (group.act.count, group.act.open) == (4, 3)
    assert group.act.key_sum == sum(made.pk for made in heap[1:])
    text = text_of(vera.get("/flags?tab=ever"))
    assert "Unasked source 4 flags" in text
    assert "Dismiss 3" in text


def test_a_group_of_dismissed_ones_is_put_back(vera: Client) -> None:
    for made in factory.heap(2):
        dismiss(made, VERA)
    assert "Restore 2" in text_of(vera.get("/flags?tab=dismissed"))


def test_rows_without_a_cause_yet_are_a_group_for_each_check_that_opens_and_is_acted_on(vera: Client) -> None:
    factory.heap(2)
    for _ in range(3):
        factory.flagged()
    for _ in range(2):
        factory.flagged("", factory.finding(CheckName.CRASH))
    groups = [entry.group for entry in vera.get("/flags?sort=severity").context["page"].entries]
    assert [(group.name, group.act.count, group.act.open, group.cause is None) for group in groups] == [
        ("Crash", 2, 2, True),
        ("Unasked source", 3, 3, True),
        ("Unasked source", 2, 2, False),
    ]
    response = vera.get(groups[1].page)
    assert len(response.context["page"].rows) == 3
    assert "Unasked source 3 flags not put down to a cause yet" in text_of(vera.get("/flags"))
    assert len(vera.get("/flags?group=0").context["page"].rows) == 5
    assert "Only flags that are not put down to a cause yet. Show all" in text_of(vera.get("/flags?group=0"))
    asked = {"list": groups[1].act.query, "act": "dismiss", "count": 3, "key_sum": groups[1].act.key_sum}
    vera.post("/bulk/group", {**asked, "seen_run": groups[1].act.seen_run})
    assert Combination.objects.filter(review_status="dismissed").count() == 3


def test_a_viewer_sees_groups_and_no_button(onlooker: Client) -> None:
    factory.heap(2)
    text = text_of(onlooker.get("/flags"))
    assert "Unasked source 2 flags" in text
    assert "Dismiss" not in text.replace("Dismissed", "")
    assert "Selected rows" not in text


# --- who holds it ---


def test_who_holds_a_row_is_said(vera: Client, reviewer: User) -> None:
    assign(factory.flagged(), Actor.person(reviewer))
    assert "Assigned to vera" in text_of(vera.get("/flags"))


# --- empty ---


def _never_ran() -> None:
    factory.a_target()


def _all_clean() -> None:
    run = factory.ask(factory.make_combination())
    statistics.count(run.cycle, timezone.now())  # as its end does


def _filtered() -> None:
    for n in range(12):
        factory.flagged(f"number {n}")


def _dismissed_today() -> None:
    for _ in range(2):
        dismiss(factory.flagged(), VERA)


def _dismissed_earlier() -> None:
    _dismissed_today()
    ReviewEvent.objects.update(at=timezone.now() - timedelta(days=2))


def _switched_off() -> None:
    factory.a_target()
    Tuning.objects.update_or_create(pk=Tuning.get_solo().pk, defaults={"enabled": False})


@pytest.mark.parametrize(
    ("scene", "address", "said", "step"),
    [
        (lambda: None, "/flags", "No target yet", "manage.py start"),
        (_never_ran, "/flags", "Nothing asked yet", "Run a cycle now"),
        (_switched_off, "/flags", "Testing is switched off. A cycle asks", ""),
        (
            _all_clean,
            "/flags",
            "No flags so far 1 combination tried so far",
            "Show the coverage by recipe",
        ),
        (_filtered, "/flags?check=crash", "The filter hides 12", "Show all 12"),
        (_filtered, "/flags?tab=now&check=crash", "The filter hides 12", "Show all 12"),
        (_filtered, "/flags?tab=dismissed", "Nothing dismissed yet", "Show what needs review"),
        (_dismissed_today, "/flags", "Done for today 2 flags dismissed today", "Show dismissed"),
        (_dismissed_earlier, "/flags", "Nothing to review", "Show the cycles"),
    ],
)
@pytest.mark.django_db
def test_an_empty_list_says_why_and_offers_one_step(
    vera: Client, scene: Callable[[], None], address: str, said: str, step: str
) -> None:
    scene()
    text = text_of(vera.get(address))
    assert said in text
    assert step in text


def test_an_outage_is_said_above_the_empty_list(vera: Client) -> None:
    _all_clean()
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, "connection refused")
    text = text_of(vera.get("/flags"))
    assert "bundled is away." in text
    assert "No flags so far" in text


@pytest.mark.parametrize("address", ["/", "/flags"])
def test_a_worker_that_is_missed_is_said(vera: Client, address: str) -> None:
    factory.make_cycle(Cycle.State.PLANNED, now=timezone.now())
    text = text_of(vera.get(address))
    assert "No worker is running , so nothing is asked." in text
    assert "See Health" in text


# --- queries ---


LISTS = [
    "",
    "flat=1",
    "tab=ever",
    "tab=dismissed&sort=severity",
    "check=source_mismatch&text=metal&ingredient=metal&age=day",
    "group=0",
]


def test_the_number_of_queries_does_not_grow_with_rows_or_groups(vera: Client) -> None:
    def asked_for_lists() -> dict[str, int]:
        found = {}
        for asked in LISTS:
            memory.forget()
            with CaptureQueriesContext(connection) as queries:
                vera.get(f"/flags?{asked}")
            found[asked] = len(queries)
        return found

    Tuning.get_solo()
    for made in factory.heap(3, "dismissed metal"):
        dismiss(made, VERA)
    factory.heap(3)
    factory.put_down([factory.flagged("metal alone")], factory.make_cause())
    vera.get("/flags")
    few = asked_for_lists()
    for n in range(5):
        factory.heap(2, f"another metal {n}")
    factory.put_down([factory.flagged("metal alone again")], factory.make_cause())
    assert asked_for_lists() == few
    assert max(few.values()) <= 36


def test_a_list_is_counted_and_grouped_again_only_when_something_changed(vera: Client) -> None:
    factory.heap(3)
    seen = factory.flagged("metal alone")
    text = text_of(vera.get("/flags"))
    assert "Needs review 4" in text
    with CaptureQueriesContext(connection) as again:
        vera.get("/flags")
    assert not [query for query in again if "GROUP BY" in query["sql"] and "cause" in query["sql"]]
    dismiss(seen, VERA)
    assert "Needs review 3" in text_of(vera.get("/flags"))
    factory.ask(seen, [factory.finding()])
    assert "Needs review 4" in text_of(vera.get("/flags"))


def test_a_run_recorded_late_and_stamped_earlier_is_counted(vera: Client) -> None:
    late = factory.flagged("metal alone", factory.finding(CheckName.CRASH))
    factory.flagged("metal again", factory.finding(CheckName.CRASH))
    assert "Needs review 2" in text_of(vera.get("/flags?check=crash"))
    factory.ask(late, [factory.finding(CheckName.UNEXPECTED_EMPTY)], now=timezone.now() - timedelta(hours=1))
    assert "Needs review 1" in text_of(vera.get("/flags?check=crash"))


def test_a_target_that_takes_another_name_keeps_its_flags(vera: Client) -> None:
    factory.flagged("metal alone")
    assert "Needs review 0" in text_of(vera.get("/flags?target=renamed"))
    Target.objects.update(name="renamed")
    assert "Needs review 1" in text_of(vera.get("/flags?target=renamed"))


def test_a_row_dismissed_in_an_opened_group_leaves_the_tabs_to_the_page(vera: Client) -> None:
    heap = factory.heap(3)
    factory.flagged("something else", factory.finding(CheckName.CRASH))
    group = next(entry.group for entry in vera.get("/flags").context["page"].entries if entry.group)
    back = vera.get(group.page).context["page"].rows[0].back
    asked = {"seen_run": heap[0].last_run_id, "back": back, "in_group": "1"}
    for shown, all_count in (
        ("/flags", "all 3"),
        ("/flags?check=crash", "1"),
        ("/combinations", "all 2"),
        ("http://[::1", "all 2"),
    ):
        headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{shown}" if shown[0] == "/" else shown}
        after = vera.post(f"/combinations/{heap[0].pk}/dismiss", asked, headers=headers)
        markup = after.content.decode()
        assert f'<span id="all-count" hx-swap-oob="true">{all_count}</span>' in markup, shown
        assert f'id="count-{group.key}" hx-swap-oob="true">2 flags</span>' in markup, shown
        assert "Dismiss 2" in text_of(after), shown
        undismiss(heap[0], VERA)


def test_the_checks_to_choose_from_stand_by_kind(vera: Client, target: Target) -> None:
    groups = vera.get("/flags").context["page"].form.checks
    assert [(group.name, len(group.choices)) for group in groups] == [
        ("As specified", 7),
        ("Of any answer", 8),
        ("The target against itself", 8),
    ]
    assert [choice.value for group in groups for choice in group.choices] == list(CheckName)


def test_checks_are_as_severe_as_their_order_has_them() -> None:
    assert sorted(CheckName, key=severity, reverse=True) == list(CheckName)
    assert severity("a check of old") < min(map(severity, CheckName))


@pytest.mark.parametrize("is_flat", [True, False])
@pytest.mark.parametrize(
    "after",
    [
        "0001-01-01T00:00:00+23:59~5",
        "9999-12-31T23:59:59-23:59~5",
        "2026-11-21T10:00:00~5",
        "2026-11-21T10:00:00+01:00~5",
        "1~2",
        "٣~3",
        "1",
        "1~1.crash~2",
        "1~1.crash.1",
        f"{'9' * 19}~1.crash",
    ],
)
def test_a_place_that_makes_no_sense_is_refused(vera: Client, is_flat: bool, after: str) -> None:
    for sort in Sort:
        given = {"after": after, "sort": sort, **({"flat": "1"} if is_flat else {})}
        assert vera.get("/flags", given).status_code == 400, given


def test_what_was_put_back_is_not_dismissed_today_and_what_was_dismissed_twice_is_once(db: None) -> None:
    once, twice, put_back = (factory.flagged() for _ in range(3))
    for made in (once, twice, put_back):
        dismiss(made, VERA)
    for made in (twice, put_back):
        undismiss(made, VERA)
    dismiss(twice, VERA)
    assert dismissed_since(timezone.now() - timedelta(hours=1)) == 2


def test_a_number_of_changes_comes_never_again(vera: Client) -> None:
    factory.flagged()
    first = queue_revision()
    Installation.objects.all().delete()
    factory.flagged()
    second = queue_revision()
    Installation.objects.update(queue_changes=0)  # as in a backup of old
    factory.flagged()
    assert len({first, second, queue_revision()}) == 3
    assert queue_revision().changes > second.changes > first.changes


def test_a_row_dismissed_in_an_opened_group_changes_the_numbers_of_the_group(vera: Client) -> None:
    heap = factory.heap(3)
    group = vera.get("/flags").context["page"].entries[0].group
    rows = vera.get(group.rows_address, headers={"HX-Request": "true"})
    assert rows.content.decode().count('name="in_group"') == 3
    back = vera.get(group.page).context["page"].rows[0].back
    asked = {"seen_run": heap[0].last_run_id, "back": back, "in_group": "1"}
    after = vera.post(f"/combinations/{heap[0].pk}/dismiss", asked, headers={"HX-Request": "true"})
    assert f'id="act-{group.key}"' in after.content.decode()
    assert "Dismiss 2" in text_of(after)
    assert (
        f'<span class="queue-group-count" id="count-{group.key}" hx-swap-oob="true">2 flags</span>'
        in after.content.decode()
    )
    assert f'name="key_sum" value="{heap[1].pk + heap[2].pk}"' in after.content.decode()
    for made in heap[1:]:
        dismiss(made, VERA)
    asked = {"back": back, "in_group": "1"}
    last = vera.post(f"/combinations/{heap[0].pk}/undismiss", asked, headers={"HX-Request": "true"})
    assert "Dismiss 1" in text_of(last)


def test_flags_are_filtered_by_whom_they_are_assigned_to(vera: Client, reviewer: User) -> None:
    mine, other, free = (factory.flagged(f"what is metal {n}") for n in range(3))
    assign(mine, Actor.person(reviewer))
    assign(other, Actor.person(User.objects.create_user("oskar")))
    for name, row in (("vera", mine), ("oskar", other), ("none", free)):
        page = vera.get(f"/flags?assignee={name}&flat=1")
        assert [row.pk for row in page.context["page"].rows] == [row.pk], name
        [record] = json.loads(b"".join(vera.get(f"/flags.json?assignee={name}").streaming_content))  # type: ignore[attr-defined]
        assert record["id"] == row.pk
    assert "Filters: assigned to me" in text_of(vera.get("/flags?assignee=vera"))
    assert "Filters: assigned to no one" in text_of(vera.get("/flags?assignee=none"))
    unassign(mine, Actor.person(reviewer))  # what was counted before is not counted any more
    assert "The filter hides 3" in text_of(vera.get("/flags?assignee=vera"))
    assert len(vera.get("/flags?is_unassigned=1&flat=1").context["page"].rows) == 2
