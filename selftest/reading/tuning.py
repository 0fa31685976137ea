"""Whether testing is switched on, and the settings in force."""

from django.conf import settings

from selftest.core.judging.findings import SPECIFIED, CheckName
from selftest.models import Target, Tuning


def settings_in_force() -> Tuning:
    """The settings in force."""
    found: Tuning = Tuning.get_solo()
    return found


def checks_switched_off() -> frozenset[CheckName]:
    """The checks whose findings are ignored; without relations and explanations all but the specified ones."""
    tuning = settings_in_force()
    is_off = {check for check in CheckName if check in tuning.checks_off}
    return frozenset(is_off if tuning.explains else is_off | (set(CheckName) - set(SPECIFIED)))


def is_enabled(target: Target | None) -> bool:
    """Whether anything may be asked of `target`; for None, of any. Off in the environment or the settings is off."""
    if not (settings.ADVERSARIAL_TEST_ENABLED and settings_in_force().enabled):
        return False
    if target is None:
        return True
    return Target.objects.filter(pk=target.pk, enabled=True).exists()  # read again: the caller's row may be old
