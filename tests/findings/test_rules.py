"""The rules of profile v2, each in a sentence, with examples on either side of it."""

import pytest

from selftest.findings.core.beliefs import Belief, Profile
from selftest.findings.core.profiles import verdict
from selftest.findings.measuring import OWN_PAIRS, measure, read_pairs

CLAIM, RULE = "claim/capability/prod/calendar", "feedback/from-agent/reports"
LEAST_PRECISION, LEAST_RECALL = 0.99, 0.94


def contradicts(category: str, older: str, newer: str) -> bool:
    why = verdict(Belief(category, older), Belief(category, newer), Profile.V2).why
    return why.is_contradiction


def test_on_its_own_pairs_it_is_hardly_worse_than_when_it_was_last_measured() -> None:
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


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The cover loads.", "Since the key was renewed the cover does not load."),
        ("Parcels are tracked.", "Parcels are not tracked since Monday."),
        ("The dump is made at 02:00.", "The dump is made at 04:00, per Olga."),
        ("The gate does not report its state.", "After the last update the gate reports its state."),
        ("Ponds are listed.", "Ponds are not listed, as the map is from 1990."),
    ],
)
def test_why_or_since_when_it_is_so_makes_it_no_other_thing(older: str, newer: str) -> None:
    assert contradicts(CLAIM, older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Lookup by code works, tried 4711.", "Lookup by code works, tried 8020."),
        ("A page lists 20 hits.", "A search lists 3 pages."),
        ("Each team may keep 10 lists.", "All teams together may keep 90 lists."),
        ("Values over 90 are dropped.", "Values below 90 are kept."),
    ],
)
def test_a_number_has_changed_only_where_nothing_else_differs(older: str, newer: str) -> None:
    assert not contradicts(CLAIM, older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("With a badge, the depot opens.", "Without a badge, the depot does not open."),
        ("If the line is slow, half answers are sent.", "If the line is dead, half answers are not sent."),
        ("In the yard lamps can be dimmed.", "In the barn lamps cannot be dimmed."),
    ],
)
def test_what_stands_in_front_of_a_comma_limits_what_follows(older: str, newer: str) -> None:
    assert not contradicts(CLAIM, older, newer)


def test_a_directive_that_turns_a_thing_on_is_the_opposite_of_one_that_turns_it_off() -> None:
    assert contradicts(RULE, "Turn tracing on for slow calls.", "Turn tracing off for slow calls.")
    assert contradicts(RULE, "Turn on the tracing.", "Turn the tracing off.")


def test_putting_the_last_thing_first_is_the_opposite_directive() -> None:
    older = "Put the totals first and the remarks last."
    assert contradicts(RULE, older, "Put the remarks first and the totals last.")
    assert not contradicts(RULE, older, "Put the totals first, and the remarks last.")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("export as text ... OK", "export as text ... broken"),
        ("- search by year: works\n- search by size: not supported", "- search by size: supported"),
        ("trains: nope", "trains work"),
        ("Not supported: nested sets.", "Nested sets are supported."),
    ],
)
def test_what_a_log_line_says_behind_its_mark_is_said_of_what_stands_in_front(older: str, newer: str) -> None:
    assert contradicts(CLAIM, older, newer)


def test_what_each_names_of_its_own_category_tells_them_apart() -> None:
    older, newer = "Use short dates in calendar lines.", "Never use short dates in news lines."
    one, other = (f"feedback/from-agent/{place}/format" for place in ("calendar", "news"))
    assert not verdict(Belief(one, older), Belief(other, newer), Profile.V2).why.is_contradiction
    assert verdict(
        Belief(one, older), Belief(other, "Never use short dates in lines."), Profile.V2
    ).why.is_contradiction


@pytest.mark.parametrize(
    "guess",
    [
        "I was told that ferries are not covered.",
        "The manual says that ferries are not covered.",
        "They say ferries are not covered.",
        "Some ferries are not covered.",
        "Ferries would not be covered without the contract.",
    ],
)
def test_hearsay_and_parts_of_a_thing_turn_nothing(guess: str) -> None:
    assert not contradicts(CLAIM, "Ferries are covered.", guess)


def test_what_is_planned_is_not_so_yet() -> None:
    assert not contradicts(
        CLAIM, "The bus source is planned to cover ferries.", "The bus source does not cover ferries."
    )


def test_a_guess_does_not_hide_what_is_asserted_beside_it() -> None:
    assert contradicts(
        CLAIM, "It was thought that the list was complete. The list is not complete.", "The list is complete."
    )


def test_opposite_kinds_are_two_things_for_claims_and_one_choice_for_directives() -> None:
    assert not contradicts(CLAIM, "Short replies are read aloud.", "Long replies are read aloud.")
    assert contradicts(RULE, "Write short replies.", "Write long replies.")


def test_a_thing_is_not_the_place_of_another_one() -> None:
    assert not contradicts(CLAIM, "Guests see the menu.", "Guests do not see prices in the menu.")


def test_a_language_other_than_one_is_every_other_language() -> None:
    assert not contradicts(RULE, "Always answer in Danish.", "Never answer in a language other than Danish.")


def test_what_is_wrong_to_say_is_denied() -> None:
    assert contradicts(CLAIM, "Tunnels are not shown.", "It is wrong that tunnels are not shown.")


def test_but_not_by_size_denies_what_is_said_of_the_name() -> None:
    newer = "The list can be sorted by name, but not by size."
    assert contradicts(CLAIM, "The list can be sorted by size.", newer)
    assert not contradicts(CLAIM, "The list can be sorted by name.", newer)


def test_german_words_of_time_stand_in_front_of_what_they_name() -> None:
    assert contradicts(CLAIM, "Suche nach Dateien: not supported", "Suche nach Dateien: supported")
    assert not contradicts(CLAIM, "Vor 8 Uhr ist das Tor zu.", "Nach 8 Uhr ist das Tor nicht zu.")


def test_a_word_that_only_looks_like_a_denial_is_none() -> None:
    assert not contradicts(CLAIM, "Voice is read.", "Invoices are read.")
    assert not contradicts(CLAIM, "The port works.", "The import works.")


def test_a_mark_within_quotes_tells_two_phrases_apart() -> None:
    assert not contradicts(CLAIM, 'It reads "x/y" as one word.', 'It does not read "x-y" as one word.')


def test_a_quantity_of_one_is_told_from_a_word_for_any_person() -> None:
    assert contradicts(CLAIM, "One can't name two towns.", "You can name two towns.")
    assert contradicts(CLAIM, "The index has 3 copies.", "The index has only 1 copy.")


def test_a_phrase_at_the_end_of_a_sentence_leaves_the_next_one_by_itself() -> None:
    newer = "Do not sort lists by hand any more. Three people asked."
    assert contradicts(RULE, "Sort lists by hand.", newer)


def test_what_a_text_opens_with_does_not_hide_what_it_turns() -> None:
    opening = "Went through the list with Jo."
    assert contradicts(CLAIM, f"{opening} Kites are covered.", f"{opening} Kites are not covered.")


def test_a_verb_of_having_or_showing_makes_a_claim_about_no_other_thing() -> None:
    assert contradicts(CLAIM, "Humidity is in the answer.", "The answer does not give the humidity.")
    assert not contradicts(RULE, "Always thank the reporter.", "Never name the reporter.")


def test_what_must_never_be_and_is_to_be_in_a_case_is_a_contradiction_unless_in_that_case_only() -> None:
    assert contradicts(RULE, "Never restart by hand.", "Restart by hand if it hangs.")
    assert not contradicts(RULE, "Never restart by hand.", "Restart by hand only if it hangs.")
    assert not contradicts(RULE, "Always restart by hand.", "Don't restart by hand if it hangs.")


def test_a_value_that_was_raised_has_changed() -> None:
    assert contradicts(CLAIM, "The limit is 8 parts.", "The limit was raised to 12 parts.")


def test_who_does_it_is_told_by_the_german_article() -> None:
    assert contradicts(CLAIM, "Der Router erkennt Namen.", "Namen erkennt der Router nicht.")
    assert not contradicts(CLAIM, "Der Planer ruft den Router.", "Der Router ruft den Planer nicht.")


def test_being_without_a_thing_is_said_of_that_thing() -> None:
    assert not contradicts(RULE, "Never reply without consent.", "Reply within a day.")
