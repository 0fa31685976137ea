"""The rules of profile v2, each in a sentence, with examples on either side of it."""

import pytest

from selftest.findings.core.beliefs import Belief, Profile
from selftest.findings.core.profiles import verdict
from selftest.findings.measuring import OWN_PAIRS, measure, read_pairs

CLAIM, RULE = "claim/capability/prod/calendar", "feedback/from-agent/reports"
LEAST_PRECISION, LEAST_RECALL = 0.94, 0.87


def contradicts(category: str, older: str, newer: str) -> bool:
    why = verdict(Belief(category, older), Belief(category, newer), Profile.V2).why
    return why.is_contradiction


def test_on_pairs_that_were_half_tuned_on_it_is_hardly_worse_than_when_it_was_last_measured() -> None:
    # The even lines were tuned on; on the odd ones precision was 0.905 and recall 0.804.
    figures = measure(read_pairs([OWN_PAIRS]), Profile.V2)
    assert figures.precision is not None
    assert figures.recall is not None
    assert figures.precision >= LEAST_PRECISION
    assert figures.recall >= LEAST_RECALL


@pytest.mark.parametrize(
    ("category", "older", "newer"),
    [
        (CLAIM, "Wiki tables are read.", "Wiki tables aren't read, you only get the text around them."),
        (RULE, "Always name the seed.", "Never name the seed, readers have no use for it and it is long."),
        (CLAIM, "Umlauts are found.", "Umlauts are not found, only plain letters."),
    ],
)
def test_a_remark_behind_a_comma_does_not_hide_what_is_said(category: str, older: str, newer: str) -> None:
    assert contradicts(category, older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Queries in capitals (ALL OF IT) are broken.", "Queries in capitals work."),
        ("The feed is read.", "The feed (the one of the board) is not read."),
    ],
)
def test_what_stands_in_brackets_divides_nothing(older: str, newer: str) -> None:
    assert contradicts(CLAIM, older, newer)


def test_each_statement_of_a_text_is_held_against_the_one_most_like_it() -> None:
    older = "Trams are listed with their platform. Boats are listed."
    assert contradicts(CLAIM, older, "Trams are listed with their platform. Boats are not listed.")
    assert not contradicts(CLAIM, older, "Trams are listed with their platform. Planes are not listed.")


def test_what_holds_even_under_a_condition_contradicts_what_is_said_of_that_condition() -> None:
    older = "Skip the check if the cache is cold."
    assert contradicts(RULE, older, "Always run the check, even if the cache is cold.")
    assert not contradicts(RULE, older, "Always run the check if the cache is warm.")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The host is reachable.", "The host is unreachable."),
        ("The wiki can be searched.", "The wiki is unsearchable."),
        ("Drafts are kept.", "Drafts are lost."),
    ],
)
def test_a_word_and_its_opposite_contradict_each_other(older: str, newer: str) -> None:
    assert contradicts(CLAIM, older, newer)


@pytest.mark.parametrize(
    ("category", "older", "newer"),
    [
        (CLAIM, "Timers can be paused.", "Timers cannot be paused by guests."),
        (RULE, "Include old causes.", "Don't include old causes of the lab."),
        (CLAIM, "The map shows bus stops.", "The map does not show bus stops abroad."),
        (CLAIM, "The key opens staging.", "The key does not open prod."),  # though the category names prod
    ],
)
def test_a_narrower_denial_leaves_the_wider_statement(category: str, older: str, newer: str) -> None:
    assert not contradicts(category, older, newer)


@pytest.mark.parametrize(
    ("category", "older", "newer"),
    [
        (CLAIM, "The index is not blocked.", "The index was blocked on 2026-03-01."),
        (CLAIM, "The index is reachable.", "On 3 May the index was unreachable."),
        (RULE, "Always send the digest.", "Don't send the digest this week."),
    ],
)
def test_what_was_so_on_a_day_turns_nothing(category: str, older: str, newer: str) -> None:
    assert not contradicts(category, older, newer)


@pytest.mark.parametrize("conjunction", ["before", "after"])
def test_another_order_is_the_opposite_directive(conjunction: str) -> None:
    older = f"Always check queries {conjunction} headers."
    assert contradicts(RULE, older, f"Always check headers {conjunction} queries.")
    assert not contradicts(RULE, older, older)


def test_the_opposite_of_before_is_after() -> None:
    assert not contradicts(RULE, "Never start before noon.", "Always start after noon.")
    assert not contradicts(RULE, "Nie vor Mittag starten.", "Immer nach Mittag starten.")
    assert not contradicts(RULE, "Never judge within 10 minutes.", "Always judge later than 10 minutes.")


def test_the_dropped_one_of_two_stands_in_the_place_of_the_other() -> None:
    older = "Sort files by size rather than age."
    assert contradicts(RULE, older, "Sort files by age rather than size.")
    assert not contradicts(RULE, older, "Do not sort files by age.")


def test_to_use_a_thing_and_to_change_it_are_two_directives() -> None:
    assert not contradicts(RULE, "Use the template.", "Never rename the template.")
    assert contradicts(RULE, "Use the template.", "Never use the template.")


def test_a_word_that_says_which_denies_nothing() -> None:
    assert contradicts(CLAIM, "Failed cycles are listed.", "Failed cycles are not listed.")
    assert not contradicts(CLAIM, "Failed cycles are listed.", "Blocked cycles are not listed.")
    assert not contradicts(RULE, "Always confirm crashes.", "Never confirm outliers.")


def test_numbers_that_can_both_hold_are_no_change() -> None:
    assert not contradicts(CLAIM, "It takes 5 requests a second.", "It takes 300 requests a minute.")
    assert not contradicts(CLAIM, "Pages show at least 1 hit.", "Pages show at most 9 hits.")
    assert contradicts(CLAIM, "It takes 5 requests a second.", "It takes 9 requests a second.")


def test_what_a_preference_is_for_belongs_to_both_of_its_sides() -> None:
    assert not contradicts(RULE, "Prefer curl over wget for tests.", "Prefer wget over curl for backups.")
    assert contradicts(RULE, "Prefer curl over wget for tests.", "Prefer wget over curl for tests.")


def test_a_denial_of_which_things_are_meant_denies_not_the_rule() -> None:
    assert not contradicts(RULE, "List all open causes.", "List all open causes that are not assigned.")
    assert not contradicts(RULE, "List all causes.", "List the causes which have not been seen.")


def test_a_doubled_letter_or_another_vowel_of_a_long_word_makes_no_other_word() -> None:
    assert contradicts(CLAIM, "The adress is shown.", "The address is not shown.")
    assert contradicts(CLAIM, "Calenders are read.", "Calendars are not read.")
    assert not contradicts(CLAIM, "Boots are found.", "Bots are not found.")


def test_what_goes_from_a_place_is_not_what_goes_to_it() -> None:
    assert not contradicts(CLAIM, "Mails from guests are read.", "Mails to guests are not read.")


def test_two_letters_that_changed_places_make_no_other_word() -> None:
    assert contradicts(CLAIM, "Tram dealys are shown.", "Tram delays are not shown.")
    assert not contradicts(CLAIM, "Tram delays are shown.", "Tram relays are not shown.")


def test_a_german_verb_is_one_word_in_all_its_forms() -> None:
    assert contradicts(CLAIM, "Timer lassen sich anhalten.", "Timer können nicht angehalten werden.")
    assert not contradicts(CLAIM, "Timer lassen sich anhalten.", "Timer können nicht angezeigt werden.")


def test_what_another_person_believes_is_not_asserted() -> None:
    assert not contradicts(CLAIM, "Redirects are followed.", "Petra thinks redirects are not followed.")
