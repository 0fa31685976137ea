"""The versions that targets answer with."""

from selftest.models import Cycle, Target


def version_of(target: Target | int) -> str:
    """By a target or its key: the version that it answered with last; "" where it has never told one."""
    told = Cycle.objects.filter(target=target).exclude(target_version="").order_by("-id")
    return told.values_list("target_version", flat=True).first() or ""


def has_versions() -> bool:
    """Whether any target ever told its version."""
    return Cycle.objects.exclude(target_version="").exists()
