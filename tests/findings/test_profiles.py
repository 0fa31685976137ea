"""The verdicts of both profiles, and what each says of its grounds."""

import pytest

from selftest.findings.core.beliefs import Belief, Outcome, Profile, Rule
from selftest.findings.core.profiles import resolve, verdict
from tests.findings.pairs import pairs
from tests.findings.sentences import unrelated_pairs

V1, V2 = Profile.V1, Profile.V2
CLAIM = "claim/capability/calendar/wrapper"
AGENT, USER = "feedback/from-agent/reports", "feedback/from-user/reports"
ALWAYS, NEVER = "Always include a TL;DR.", "Never include a TL;DR."


def outcome(older: str, newer: str, category: str = CLAIM, profile: Profile = V2) -> Outcome:
    return verdict(Belief(category, older), Belief(category, newer), profile).outcome


@pytest.mark.parametrize(
    ("older", "newer", "expected"), pairs(), ids=lambda one: one.content if isinstance(one, Belief) else str(one)
)
def test_the_better_profile_is_right_about_each_pair_of_its_own_set(
    older: Belief, newer: Belief, expected: Outcome
) -> None:
    found = verdict(older, newer, V2)
    assert found.outcome == expected, str(found.why)


# --- the specification's own rules ---


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ("wrapper cannot pass arguments", "calendar wrapper does pass arguments", "newer_wins"),
        ("wrapper passes arguments", "passing arguments is not supported", "newer_wins"),
        ("requests are blocked", "requests are answered", "newer_wins"),
        ("wrapper cannot pass arguments", "wrapper does not pass arguments", "none"),
        ("wrapper cannot pass arguments", "mails are sent at once", "newer_wins"),  # claims need no overlap
    ],
)
def test_claims_of_one_target_and_subject_are_compared_by_negation_alone(older: str, newer: str, expected: str) -> None:
    assert outcome(older, newer, profile=V1) == expected


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        (ALWAYS, NEVER, "newer_wins"),
        ("Prefer tables in mails", "Avoid tables in mails", "newer_wins"),
        # Three words in common, of nine, ten (0.30) and eleven (0.27).
        ("Always name cost owner risk date plan", "Never name cost owner alpha beta gamma", "newer_wins"),
        ("Always name cost owner risk date plan step", "Never name cost owner alpha beta gamma", "newer_wins"),
        ("Always name cost owner risk date plan step team", "Never name cost owner alpha beta gamma", "none"),
        ("Always include, never omit a TL;DR.", "Never omit or include a TL;DR.", "none"),  # both are negative
        (NEVER, "Status reports should be timestamped", "none"),  # directs nothing
    ],
)
def test_feedback_needs_opposite_directives_and_words_in_common(older: str, newer: str, expected: str) -> None:
    assert outcome(older, newer, AGENT, V1) == expected


def test_feedback_on_the_same_last_segment_is_compared_whatever_stands_before_it() -> None:
    older, newer = Belief("feedback/from-agent/mail/reports", ALWAYS), Belief(AGENT, NEVER)
    assert verdict(older, newer, V1).outcome == "newer_wins"
    assert verdict(older, Belief("feedback/from-agent/letters", NEVER), V1).why.rule is Rule.OTHER_SUBJECT


@pytest.mark.parametrize(
    "category", ["notes/reports", "agent-knowledge/reports", "claim/other/calendar/wrapper", "feedbacks/reports", ""]
)
@pytest.mark.parametrize("profile", Profile)
def test_nothing_outside_the_two_kinds_of_categories_is_compared(category: str, profile: Profile) -> None:
    found = verdict(Belief(category, ALWAYS), Belief(category, NEVER), profile)
    assert (found.outcome, found.why.rule) == ("none", Rule.OUT_OF_SCOPE)


def test_curly_quotes_are_read_by_the_better_profile_alone() -> None:
    older, newer = "Arguments are passed", "Arguments can’t be passed"
    assert (outcome(older, newer, profile=V1), outcome(older, newer, profile=V2)) == ("none", "newer_wins")


# --- corrections ---


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize(
    "correction", [Belief(USER, NEVER), Belief(AGENT, NEVER, ("correction",))], ids=["category", "tag"]
)
def test_a_correction_wins_over_what_others_say_before_and_after(profile: Profile, correction: Belief) -> None:
    other = Belief(AGENT, ALWAYS)
    assert verdict(correction, other, profile).outcome == "older_wins"
    assert verdict(other, correction, profile).outcome == "newer_wins"


def test_a_newer_correction_wins_over_an_older_one_in_the_better_profile_alone() -> None:
    older, newer = Belief(USER, NEVER), Belief(USER, ALWAYS)
    assert (verdict(older, newer, V1).outcome, verdict(older, newer, V2).outcome) == ("older_wins", "newer_wins")


@pytest.mark.parametrize("profile", Profile)
def test_all_that_say_the_opposite_are_beaten_and_a_correction_among_them_decides(profile: Profile) -> None:
    others = [(3, Belief(AGENT, ALWAYS)), (2, Belief(AGENT, "Use a TL;DR.")), (1, Belief(AGENT, "Prefer tables."))]
    newcomer = Belief(AGENT, NEVER)
    assert [key for key, _ in resolve(9, newcomer, others, profile).beaten] == [3, 2]
    protected = [*others, (0, Belief(USER, ALWAYS))]
    found = resolve(9, newcomer, protected, profile)
    assert found.loses_to is not None
    assert (found.loses_to[0], found.beaten) == (0, ())


# --- why ---


def test_a_verdict_says_which_rule_which_words_and_which_overlap() -> None:
    why = verdict(Belief(AGENT, ALWAYS), Belief(AGENT, "Never include a TL;DR; be concise."), V1).why
    assert why.document() == {
        "rule": "opposite_directive",
        "sentence": "opposite directives about the same thing",
        "shared": ["dr", "include", "tl"],
        "older": ["always"],
        "newer": ["never"],
        "overlap": 0.75,  # of four words, "concise" is not in common
    }
    assert str(verdict(Belief(CLAIM, "It passes dates."), Belief(CLAIM, "It cannot pass dates."), V2).why) == (
        "opposite claims about the same thing (– / not; dates, passes; overlap 1.00)"
    )


@pytest.mark.parametrize(
    ("older", "newer", "rule"),
    [
        ("Search finds titles.", "Search does not find notes.", Rule.DIFFERENT_THINGS),
        ("A calls B.", "B does not call A.", Rule.SWAPPED_ROLES),
        ("It times out after 5 s.", "It times out after 5000 ms.", Rule.SAME_NUMBERS),
        ("It times out after 5 s.", "It times out after 30 s.", Rule.CHANGED_NUMBER),
        ("Search works when the index is warm.", "Search fails when it is cold.", Rule.OTHER_CONDITION),
        ("Search finds titles.", "Does search not find titles?", Rule.NOT_ASSERTED),
    ],
)
def test_what_is_no_contradiction_has_its_reason_too(older: str, newer: str, rule: Rule) -> None:
    assert verdict(Belief(CLAIM, older), Belief(CLAIM, newer), V2).why.rule is rule


# --- no false alarms ---


def test_of_4000_unrelated_pairs_at_most_four_supersede_anything() -> None:
    alarms = [
        (older, newer)
        for category, older, newer in unrelated_pairs(4000, 1)
        if outcome(older, newer, category) != "none"
    ]
    assert len(alarms) <= 4, alarms
