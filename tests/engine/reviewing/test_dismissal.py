"""What people and scripts do: dismiss, undo, act on what was seen, make and give keys."""

import hashlib

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from selftest.models import Actor, ApiKey, Combination, ReviewEvent, Target
from selftest.operating.keys import make_api_key, owner_of_key
from selftest.reading.combination import combination_of
from selftest.reading.targets import target_named
from selftest.refusals import OutdatedError, RefusedError, UnknownError
from selftest.reviewing.dismissal import dismiss, undismiss
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle

pytestmark = pytest.mark.django_db

ANNA = Actor("anna")


@pytest.fixture
def flagged(make_target: MakeTarget, cycle_on: RunCycle) -> Combination:
    """Its only run was flagged."""
    cycle_on(make_target("naming_a_wrong_source"), 1, recipes=["no_intent_fallthrough"])
    return Combination.objects.get(currently_flagged=True)


def run_again(combination: Combination, cycle_on: RunCycle, route: str) -> None:
    """The next run of the same combination, which is made the only one that is left."""
    target = combination.target
    Target.objects.filter(pk=target.pk).update(dotted_path=f"tests.engine.routers.{route}")
    target.refresh_from_db()
    Combination.objects.filter(pk=combination.pk).update(times_generated=0)  # as if it were left over
    cycle_on(target, 1, recipes=["no_intent_fallthrough"])
    combination.refresh_from_db()


def test_a_dismissal_closes_the_review_and_tells_who(flagged: Combination) -> None:
    user = User.objects.create_user("anna")
    assert dismiss(flagged, Actor.person(user), "the feed was down") is True
    flagged.refresh_from_db()
    assert flagged.review_status == "dismissed"
    event = ReviewEvent.objects.get(kind="dismissed")
    assert (event.actor, event.user, event.note, event.run_id) == (
        "anna",
        user,
        "the feed was down",
        flagged.last_run_id,
    )
    assert flagged.ever_flagged
    assert flagged.first_flagged_reason
    assert flagged.flags.count() == 1


def test_a_second_dismissal_changes_nothing_and_tells_nothing(flagged: Combination) -> None:
    dismiss(flagged, ANNA)
    assert dismiss(flagged, ANNA) is False
    assert ReviewEvent.objects.filter(kind="dismissed").count() == 1


def test_what_was_never_flagged_cannot_be_dismissed(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    cycle_on(make_target(), 1)
    with pytest.raises(RefusedError, match="never flagged"):
        dismiss(Combination.objects.get(), ANNA)


def test_a_dismissal_of_what_was_seen_goes_through(flagged: Combination) -> None:
    assert dismiss(flagged, ANNA, seen_run=flagged.last_run_id)


def test_a_dismissal_made_before_a_newer_flag_is_refused(flagged: Combination, cycle_on: RunCycle) -> None:
    seen_run = flagged.last_run_id
    run_again(flagged, cycle_on, "naming_a_wrong_source")
    with pytest.raises(OutdatedError, match=f"by run {flagged.last_run_id}"):
        dismiss(flagged, ANNA, seen_run=seen_run)
    flagged.refresh_from_db()
    assert flagged.review_status is None
    assert not ReviewEvent.objects.filter(kind="dismissed").exists()


def test_a_dismissal_made_before_a_newer_clean_run_goes_through(flagged: Combination, cycle_on: RunCycle) -> None:
    """It closes the flag that was seen; the clean run since takes nothing away from that."""
    seen_run = flagged.last_run_id
    run_again(flagged, cycle_on, "honest")
    assert flagged.last_run_id != seen_run
    assert dismiss(flagged, ANNA, seen_run=seen_run)


def test_a_dismissal_can_be_undone_once(flagged: Combination) -> None:
    dismiss(flagged, ANNA)
    undismiss(flagged, ANNA, "too early")
    flagged.refresh_from_db()
    assert flagged.review_status is None
    assert list(ReviewEvent.objects.order_by("id").values_list("kind", flat=True)) == [
        "flagged",
        "dismissed",
        "undismissed",
    ]
    with pytest.raises(RefusedError, match="not dismissed"):
        undismiss(flagged, ANNA)


def test_a_combination_is_found_by_its_exact_fingerprint_alone(flagged: Combination) -> None:
    assert combination_of(flagged.fingerprint, flagged.target) == flagged
    for other in (flagged.fingerprint + " ", flagged.fingerprint.lower()[1:], "", "\x00"):
        with pytest.raises(UnknownError, match="unknown fingerprint"):
            combination_of(other, flagged.target)


def test_a_fingerprint_with_half_a_surrogate_pair_is_unknown_too(flagged: Combination) -> None:
    with pytest.raises(UnknownError):
        combination_of("\ud800", flagged.target)


def test_the_same_fingerprint_on_another_target_is_another_combination(
    flagged: Combination, make_target: MakeTarget
) -> None:
    with pytest.raises(UnknownError):
        combination_of(flagged.fingerprint, make_target())


def test_without_a_name_the_default_target_is_meant_and_else_the_first(make_target: MakeTarget) -> None:
    with pytest.raises(UnknownError, match="there is no target yet"):
        target_named(None)
    first, second = make_target(), make_target()
    assert target_named(None) == first
    Target.objects.filter(pk=second.pk).update(is_default=True)
    assert target_named(None) == second
    assert target_named(first.name) == first
    with pytest.raises(UnknownError, match="known are: target 1, target 2"):
        target_named("target 3")


def test_a_key_is_shown_once_and_kept_as_its_hash() -> None:
    key = make_api_key("nightly")
    row = ApiKey.objects.get()
    assert row.sha256 == hashlib.sha256(key.encode()).hexdigest()
    assert key not in str(vars(row))
    assert owner_of_key(key) == Actor("key nightly")


@pytest.mark.parametrize("wrong", ["", "x", "\ud800", "ключ"])
def test_a_wrong_key_opens_nothing(wrong: str) -> None:
    make_api_key("nightly")
    assert owner_of_key(wrong) is None


def test_a_revoked_key_opens_nothing() -> None:
    key = make_api_key("nightly")
    ApiKey.objects.update(revoked_at=timezone.now())
    assert owner_of_key(key) is None


def test_a_key_of_the_environment_opens(settings: pytest.FixtureRequest) -> None:
    settings.API_KEYS = ("a key of the environment",)  # type: ignore[attr-defined]
    assert owner_of_key("a key of the environment") == Actor("key of the environment")
