"""The versions that targets answer with."""

from django.db.models import OuterRef, QuerySet

from selftest.models import Cycle, Target


def version_of(target: Target | int) -> str:
    """By a target or its key: the version that it answered with last; "" where it has never told one."""
    told = Cycle.objects.filter(target=target).exclude(target_version="").order_by("-id")
    return told.values_list("target_version", flat=True).first() or ""


def told_versions() -> QuerySet[Cycle]:
    """For a query of targets: the cycles in which each told its version."""
    return Cycle.objects.filter(target=OuterRef("pk")).exclude(target_version="")
