"""Every change of findings: save, undo, delete, and what a person decides on a proposal.

A change on a subject first writes the subject's row, so that on any database one follows another and sees what that one
left. All of a change is one transaction. Outside the categories that are compared, saving is one insert.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from selftest.findings.core.beliefs import Belief, Profile, Why
from selftest.findings.core.categories import is_correction, is_scoped, subject_of
from selftest.findings.core.profiles import resolve
from selftest.findings.examples import ExampleDraft, example_of, successor_of
from selftest.findings.models import Act, Example, Finding, FindingSettings, Proposal, Subject
from selftest.findings.models.finding import CATEGORY_CHARACTERS
from selftest.findings.reading import act_in_force, acts_in_force, belief_of, story_of, told_apart
from selftest.models import Actor, Cause, Combination, Target
from selftest.refusals import OutdatedError, RefusedError, UnknownError
from selftest.storage.texts import storable

CONTENT_CHARACTERS = 4_000
TAG_CHARACTERS = 100
MOST_TAGS = 20
MOST_CANDIDATES = 100  # that a save is compared with: corrections first, then the newest; the sweep sees the others


@dataclass(frozen=True)
class About:
    """What a finding is about; all of it may be left out."""

    target: Target | None = None
    source: str = ""
    check: str = ""
    cause: Cause | None = None
    combination: Combination | None = None


@dataclass(frozen=True)
class Draft:
    """A finding that is to be saved."""

    category: str
    content: str
    tags: tuple[str, ...] = ()
    about: About = field(default_factory=About)
    example: ExampleDraft | None = None


@dataclass(frozen=True)
class Saved:
    """A finding that was saved, and the acts that this brought about: what it superseded, or what superseded it."""

    finding: Finding
    acts: tuple[Act, ...] = ()

    @property
    def superseded(self) -> list[int]:
        """The numbers of what it superseded."""
        return [act.number for act in self.acts if act.number != self.finding.pk]


def save_finding(draft: Draft, actor: Actor) -> Saved:
    """Saves it, to the letter. Raises RefusedError for what cannot be kept so."""
    _check(draft)
    subject = subject_of(draft.category) if is_scoped(draft.category) else None
    if subject is None:
        if draft.example is not None:
            example_of(Finding(category=draft.category), draft.example)  # refuses: this is no claim
        return Saved(_created(draft, actor, None))
    profile = Profile(FindingSettings.get_solo().profile)
    with transaction.atomic():
        finding = _created(draft, actor, _locked_subject(subject.key))
        if draft.example is not None:
            example_of(finding, draft.example).save()
        acts = _settle(finding, profile, actor)
    if acts:
        finding.refresh_from_db(fields=["superseded_by"])
    return Saved(finding, tuple(acts))


def undo(act: Act, actor: Actor) -> Act:
    """Makes active what this act superseded, and nothing else, whatever came later; both are told apart from then on.

    Raises OutdatedError where the act is not in force any more.
    """
    with transaction.atomic():
        _lock(Finding.objects.filter(pk__in=[act.number, act.other_number or 0]))
        is_in_force = act.kind == Act.Kind.SUPERSEDED and not Act.objects.filter(undoes=act).exists()
        ours = Finding.objects.filter(pk=act.number, superseded_by=act.other_number)
        if not is_in_force or not ours.update(superseded_by=None):
            raise OutdatedError("this is not in force any more; there is nothing to undo")
        return _record(Act.Kind.UNDONE, act.number, actor, other=act.other_number, undoes=act)


def undo_of(finding: Finding, actor: Actor, numbers: Collection[int] | None = None) -> list[Act]:
    """A finding that is superseded is active again; of an active one, all that it superseded is.

    numbers: undoes these acts instead, of this finding or through it, all of them or none.
    Raises RefusedError where there is nothing to undo, UnknownError for an act of other findings, and OutdatedError
    where something has changed meanwhile.
    """
    with transaction.atomic():
        acts = _acts_to_undo(finding) if numbers is None else _acts_named(finding, numbers)
        if not acts:
            raise RefusedError("this finding superseded nothing and is not superseded; there is nothing to undo")
        return undo_acts(acts, actor)


def undo_acts(acts: Sequence[Act], actor: Actor) -> list[Act]:
    """All of them or none. Raises OutdatedError where one is not in force any more."""
    with transaction.atomic():
        _lock(Finding.objects.filter(pk__in={number for act in acts for number in (act.number, act.other_number or 0)}))
        return [undo(act, actor) for act in acts]


def _acts_to_undo(finding: Finding) -> list[Act]:
    own = act_in_force(finding)
    return [own] if own else acts_in_force(finding)


def _acts_named(finding: Finding, numbers: Collection[int]) -> list[Act]:
    acts = list(story_of(finding.pk).filter(pk__in=numbers))
    if unknown := sorted(set(numbers) - {act.pk for act in acts}):
        raise UnknownError(f"finding {finding.pk} has no act {unknown[0]}")
    return acts


def delete_finding(finding: Finding, actor: Actor) -> list[int] | None:
    """Deletes it for good; its story stays. What it superseded is free: active, unless another one contradicts it.

    The numbers of those that are active; None where it is deleted already.
    """
    profile = Profile(FindingSettings.get_solo().profile)
    with transaction.atomic():
        _lock(Finding.objects.filter(pk=finding.pk) | Finding.objects.filter(superseded_by=finding.pk))
        losers = list(Finding.objects.filter(superseded_by=finding.pk).order_by("-is_correction", "-id"))
        Finding.objects.filter(superseded_by=finding.pk).update(superseded_by=None)
        for loser in losers:
            _record(Act.Kind.FREED, loser.pk, actor, other=finding.pk)
        if not Finding.objects.filter(pk=finding.pk).delete()[0]:
            return None
        _record(Act.Kind.DELETED, finding.pk, actor)
        for loser in losers:
            loser.refresh_from_db()
            if loser.superseded_by_id is None:
                _settle(loser, profile, actor, told_apart({each.pk for each in losers}))
        free = Finding.objects.filter(pk__in=[loser.pk for loser in losers], superseded_by=None)
        return sorted(free.values_list("pk", flat=True))


def supersede(loser: Finding, winner: Finding, why: Why, profile: Profile, actor: Actor) -> Act | None:
    """One active finding by another one; None where either is superseded or deleted meanwhile."""
    with transaction.atomic():
        _lock(Finding.objects.filter(pk__in=[loser.pk, winner.pk]))
        if not Finding.objects.filter(pk=winner.pk, superseded_by=None).exists():
            return None
        return _superseded(loser.pk, winner.pk, why.document(), profile, actor)


def accept(proposal: Proposal, actor: Actor) -> Act:
    """Does what is proposed. Raises OutdatedError where it is decided, or one of the two is superseded or deleted."""
    loser, winner = proposal.loser, proposal.winner
    if winner is None:
        return _accept_successor(proposal, actor)
    if loser.is_correction and not winner.is_correction:
        raise RefusedError("a person's correction is not superseded by anything but a correction")
    with transaction.atomic():
        _lock(Finding.objects.filter(pk__in=[loser.pk, winner.pk]))
        is_active = Finding.objects.filter(pk__in=[loser.pk, winner.pk], superseded_by=None).count() == 2
        if is_active and _decide(proposal, Proposal.State.ACCEPTED, actor):
            act = _superseded(loser.pk, winner.pk, proposal.why, None, actor)
            if act is not None:
                return act
    raise OutdatedError("this proposal is decided, or one of the two findings is superseded already")


def _accept_successor(proposal: Proposal, actor: Actor) -> Act:
    """Saves it in the name of who accepts it, with the claim's subject, tags and what that is about.

    Nothing but the claim is superseded, as nothing else was proposed; what contradicts it is left to the sweep.
    """
    loser = proposal.loser
    with transaction.atomic():
        _lock(Finding.objects.filter(pk=loser.pk))
        if not Finding.objects.filter(pk=loser.pk, superseded_by=None).exists():
            raise OutdatedError("the claim is superseded already")
        if not _decide(proposal, Proposal.State.ACCEPTED, actor):
            raise OutdatedError("this proposal is decided already")
        about = About(loser.target, loser.source, loser.check_name, loser.cause, loser.combination)
        draft = Draft(loser.category, proposal.content, tuple(loser.tags), about)
        winner = _created(draft, actor, loser.subject_id)
        old = Example.objects.filter(finding=loser).first()
        if (example := successor_of(winner, old, proposal.example)) is not None:
            example.save()
        Proposal.objects.filter(pk=proposal.pk).update(winner=winner)
        act = _superseded(loser.pk, winner.pk, proposal.why, None, actor)
    if act is None:
        raise AssertionError("an active finding, whose subject is locked, was not superseded")
    return act


def outdate_successors(claim: Finding) -> int:
    """The claim holds again: nothing has to take its place. How many proposals were open."""
    mine = Proposal.objects.filter(loser=claim, origin=Proposal.Origin.EXAMPLE, state=Proposal.State.OPEN)
    return mine.update(state=Proposal.State.OUTDATED, decided_at=timezone.now())


def put_example(finding: Finding, draft: ExampleDraft, actor: Actor) -> Example:
    """Gives a claim an example, in place of the one that it has. Raises RefusedError for what cannot be asked."""
    example = example_of(finding, draft)
    with transaction.atomic():
        _lock(Finding.objects.filter(pk=finding.pk))
        Example.objects.filter(finding=finding).delete()
        example.save()
        outdate_successors(finding)
        _record(Act.Kind.EXAMPLE, finding.pk, actor)
    return example


def drop_example(finding: Finding, actor: Actor) -> bool:
    """Takes it off; whether there was one."""
    with transaction.atomic():
        _lock(Finding.objects.filter(pk=finding.pk))
        if not Example.objects.filter(finding=finding).delete()[0]:
            return False
        outdate_successors(finding)
        _record(Act.Kind.EXAMPLE, finding.pk, actor)
    return True


def refuse(proposal: Proposal, actor: Actor) -> None:
    """Both hold: they are told apart from now on. Raises OutdatedError where it is decided already."""
    with transaction.atomic():
        if not _decide(proposal, Proposal.State.REFUSED, actor):
            raise OutdatedError("this proposal is decided already")
        _record(Act.Kind.REFUSED, proposal.loser_id, actor, other=proposal.winner_id, why=proposal.why)


def _decide(proposal: Proposal, state: Proposal.State, actor: Actor) -> bool:
    ours = Proposal.objects.filter(pk=proposal.pk, state=Proposal.State.OPEN)
    decided: int = ours.update(state=state, user=actor.user, actor=actor.name, decided_at=timezone.now())
    return decided == 1


def _check(draft: Draft) -> None:
    texts = (draft.content, draft.category, draft.about.source, draft.about.check, *draft.tags)
    if not draft.content.strip():
        raise RefusedError("the finding is empty; write something first")
    if not draft.category.strip():
        raise RefusedError("the category is empty; name one, as feedback/from-user/reports")
    if len(draft.content) > CONTENT_CHARACTERS:
        raise RefusedError(f"the finding has {len(draft.content)} characters; the limit is {CONTENT_CHARACTERS}")
    if len(draft.category) > CATEGORY_CHARACTERS:
        raise RefusedError(f"the category has {len(draft.category)} characters; the limit is {CATEGORY_CHARACTERS}")
    if len(draft.tags) > MOST_TAGS or any(len(tag) > TAG_CHARACTERS for tag in draft.tags):
        raise RefusedError(f"a finding has up to {MOST_TAGS} tags of up to {TAG_CHARACTERS} characters")
    if any(storable(text) != text for text in texts):
        raise RefusedError("the text holds a NUL or half a character, which cannot be kept")


def _created(draft: Draft, actor: Actor, subject: int | None) -> Finding:
    about = draft.about
    return Finding.objects.create(
        content=draft.content,
        category=draft.category,
        tags=list(draft.tags),
        is_correction=is_correction(draft.category, draft.tags),
        subject_id=subject,
        user=actor.user,
        actor=actor.name,
        created_at=timezone.now(),
        target=about.target,
        source=about.source,
        check_name=about.check,
        cause=about.cause,
        combination=about.combination,
    )


def _locked_subject(key: str) -> int:
    """Its row is ours until the end of the transaction."""
    rows = Subject.objects.filter(key=key)
    if not rows.update(changes=F("changes") + 1):
        Subject.objects.bulk_create([Subject(key=key)], ignore_conflicts=True)  # another one may be as fast
        rows.update(changes=F("changes") + 1)
    return rows.values_list("pk", flat=True).get()


def _lock(findings: Any) -> None:
    """The subjects of these findings, in one order everywhere, so that no two changes wait for each other."""
    for subject in sorted(set(findings.filter(subject__isnull=False).values_list("subject", flat=True))):
        Subject.objects.filter(pk=subject).update(changes=F("changes") + 1)


def _settle(finding: Finding, profile: Profile, actor: Actor, apart: Iterable[frozenset[int]] = ()) -> list[Act]:
    """An active finding against the others on its subject."""
    if finding.subject_id is None:
        return []
    rows = Finding.objects.filter(subject=finding.subject_id, superseded_by=None).exclude(pk=finding.pk)
    candidates = rows.order_by("-is_correction", "-id").values_list("pk", "category", "content", "tags")
    others = [
        (number, Belief(category, content, tuple(tags)))
        for number, category, content, tags in candidates[:MOST_CANDIDATES]
        if frozenset((finding.pk, number)) not in apart
    ]
    resolution = resolve(finding.pk, belief_of(finding), others, profile)
    pairs = [(beaten, finding.pk, why) for beaten, why in resolution.beaten]
    if resolution.loses_to is not None:
        pairs = [(finding.pk, *resolution.loses_to)]
    acts = [_superseded(loser, winner, why.document(), profile, actor) for loser, winner, why in pairs]
    return [act for act in acts if act is not None]


def _superseded(
    loser: int, winner: int, why: dict[str, Any] | None, profile: Profile | None, actor: Actor
) -> Act | None:
    # Zero rows: superseded or deleted meanwhile.
    if not Finding.objects.filter(pk=loser, superseded_by=None).update(superseded_by=winner):
        return None
    return _record(Act.Kind.SUPERSEDED, loser, actor, other=winner, why=why, profile=profile or "")


def _record(
    kind: Act.Kind,
    number: int,
    actor: Actor,
    other: int | None = None,
    undoes: Act | None = None,
    why: dict[str, Any] | None = None,
    profile: str = "",
    at: datetime | None = None,
) -> Act:
    """Adds to the story. A finding that is deleted is named by its number alone."""
    is_deleted = kind == Act.Kind.DELETED
    return Act.objects.create(
        kind=kind,
        finding_id=None if is_deleted else number,
        number=number,
        other_id=other,
        other_number=other,
        undoes=undoes,
        why=why,
        profile=profile,
        user=actor.user,
        actor=actor.name,
        at=at or timezone.now(),
    )
