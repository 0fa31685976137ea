"""Targets: each with its vocabularies, its cycles and its flags."""

from collections.abc import Mapping

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from selftest.models import Combination, Cycle, Flag, Run, Target, VocabularyVersion
from selftest.refusals import UnknownError
from selftest.storage.texts import storable

FEW_COMBINATIONS = 2_000  # ever flagged; their flags are looked up in some milliseconds
LATELY_FLAGS = 50_000  # of all targets: some 50 ms
LOOKED_BACK_CYCLES = 2_000  # for an outage: a target that never had one is not searched through all its years


def target_numbered(pk: int) -> Target | None:
    """The target of this number; None for an unknown one."""
    return Target.objects.filter(pk=pk).first()


def all_targets() -> QuerySet[Target]:
    """All targets, without their secrets."""
    return Target.objects.defer("api_key", "secret_headers")


def target_names() -> tuple[tuple[int, str], ...]:
    """All targets, by key."""
    return tuple(Target.objects.order_by("pk").values_list("pk", "name"))


def targets_by_name() -> Mapping[int, str]:
    """All targets, by key, in the order of their names."""
    return dict(Target.objects.order_by("name").values_list("pk", "name"))


def vocabulary_versions(target: Target) -> QuerySet[VocabularyVersion]:
    """The newest first, without their documents."""
    return target.vocabularies.select_related("created_by").defer("content", "births").order_by("-number")


def vocabulary_numbered(target: Target, number: int | None = None) -> VocabularyVersion | None:
    """The whole version of this number; the one in force for None."""
    versions = target.vocabularies.select_related("created_by")
    return versions.filter(in_force=True).first() if number is None else versions.filter(number=number).first()


def vocabulary_before(version: VocabularyVersion) -> VocabularyVersion | None:
    """The version that this one replaced; None for the first."""
    earlier = VocabularyVersion.objects.filter(target_id=version.target_id, number__lt=version.number)
    return earlier.order_by("-number").first()


def cycles_of_target(target: Target) -> QuerySet[Cycle]:
    """The newest first."""
    return Cycle.objects.filter(target=target).select_related("target").order_by("-id")


def last_outages() -> Mapping[int, Cycle]:
    """By target, its newest cycle that found it away, among the last ones of all targets."""
    newest = Subquery(Cycle.objects.order_by("-id").values("pk")[:1])
    away = Cycle.objects.filter(state=Cycle.State.TARGET_UNAVAILABLE, pk__gt=newest - LOOKED_BACK_CYCLES)
    of_target = away.filter(target=OuterRef("pk")).order_by("-id").values("pk")[:1]
    outages = Target.objects.annotate(outage=Subquery(of_target)).values("outage")
    return {cycle.target_id: cycle for cycle in Cycle.objects.filter(pk__in=outages)}


def last_finished() -> Mapping[int, int]:
    """By target, the key of its newest cycle that finished, where one has."""
    of_target = Cycle.objects.filter(target=OuterRef("pk"), state=Cycle.State.FINISHED).order_by("-id").values("pk")[:1]
    last = Target.objects.order_by().annotate(last=Subquery(of_target)).values_list("pk", "last")
    return {target: cycle for target, cycle in last if cycle is not None}


def vocabularies_in_force() -> QuerySet[VocabularyVersion]:
    """At most one of each target, without their documents."""
    return VocabularyVersion.objects.filter(in_force=True).select_related("created_by").defer("content", "births")


def target_named(name: str | None) -> Target:
    """The target of this name, or the default one for None. Raises UnknownError."""
    targets = Target.objects.all()
    if name:
        found = targets.filter(name=storable(name)).first()
        if found is None:
            known = ", ".join(targets.values_list("name", flat=True)) or "none"
            raise UnknownError(f"unknown target {name!r}; known are: {known}")
        return found
    found = targets.filter(is_default=True).first() or targets.order_by("id").first()
    if found is None:
        raise UnknownError("there is no target yet; `manage.py start` makes the bundled one, the admin makes others")
    return found


def target_or_none(name: str | None) -> Target | None:
    """The target of this name, or the default one; None where there is no target at all. Raises UnknownError."""
    try:
        return target_named(name)
    except UnknownError:
        if name:
            raise
        return None


def flags_on(target: int, lately: bool = False) -> QuerySet[Flag]:
    """The flags of the target of this key, in no order. lately: where it has many, those among the newest of all.

    SQLite would go through all runs or combinations of the target. So few are looked up by what was ever flagged; of
    many, each flag is looked at for its target: asked for the newest, it soon has them.
    """
    flagged = Combination.objects.filter(target=target, ever_flagged=True).order_by()
    keys = list(flagged.values_list("pk", flat=True)[: FEW_COMBINATIONS + 1])
    if len(keys) <= FEW_COMBINATIONS:
        return Flag.objects.filter(combination__in=keys).order_by()
    flags = Flag.objects.filter(Exists(Run.objects.filter(pk=OuterRef("run"), target=target))).order_by()
    if lately:
        newest = Flag.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        flags = flags.filter(pk__gt=newest - LATELY_FLAGS)
    return flags
