"""Whether testing is switched on, and the settings in force."""

from django.conf import settings

from selftest.models import Target, Tuning


def settings_in_force() -> Tuning:
    """The settings in force."""
    found: Tuning = Tuning.get_solo()
    return found


def is_enabled(target: Target | None) -> bool:
    """Whether anything may be asked of `target`; for None, of any. Off in the environment or the settings is off."""
    if not (settings.ADVERSARIAL_TEST_ENABLED and settings_in_force().enabled):
        return False
    if target is None:
        return True
    return Target.objects.filter(pk=target.pk, enabled=True).exists()  # read again: the caller's row may be old
