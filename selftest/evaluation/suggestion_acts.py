"""What people do with suggestions: accept them, which makes the next version of the vocabulary, or refuse them."""

from collections.abc import Collection, Mapping

from django.db import transaction
from django.utils import timezone

from selftest.core.generation.vocabulary import VocabularyError
from selftest.evaluation.core.suggestions import Candidate, SuggestionKind, grown, sort_out
from selftest.evaluation.models import Suggestion, SuggestionDecision
from selftest.models import Actor, Target, VocabularyVersion
from selftest.operating.vocabularies import import_vocabulary
from selftest.refusals import OutdatedError, RefusedError
from selftest.storage.locks import locked
from selftest.storage.serialization import vocabulary_of
from selftest.storage.texts import storable

NOTE_CHARACTERS = 500
State = Suggestion.State
Act = SuggestionDecision.Act


def accept(target: Target, texts: Mapping[int, str], note: str, actor: Actor) -> SuggestionDecision:
    """Puts these into the next version of the vocabulary, all or none. texts: by suggestion, as it is or edited.

    Raises RefusedError where a text is unfit or there twice, OutdatedError where one does not wait any more.
    """
    with transaction.atomic():
        version = locked(VocabularyVersion.objects).filter(target=target, in_force=True).first()
        if version is None:
            raise RefusedError(f"{target} has no vocabulary; import one first")
        rows = _open(target, texts)
        accepted = [Candidate(SuggestionKind(row.kind), " ".join(texts[row.pk].split())) for row in rows]
        _refuse_unfit(accepted, version)
        decision = _decide(target, Act.ACCEPTED, rows, note, actor)
        for row, candidate in zip(rows, accepted, strict=True):
            row.text = candidate.text
        Suggestion.objects.bulk_update(rows, ["text"])
        try:
            decision.version, _ = import_vocabulary(target, grown(version.content, accepted), user=actor.user)
        except VocabularyError as fault:
            raise RefusedError(f"the vocabulary would not be valid: {fault}") from fault
        decision.save(update_fields=["version"])
    return decision


def refuse(target: Target, numbers: Collection[int], note: str, actor: Actor) -> SuggestionDecision:
    """Never proposed again. Raises OutdatedError where one does not wait any more."""
    with transaction.atomic():
        return _decide(target, Act.REFUSED, _open(target, numbers), note, actor)


def _open(target: Target, numbers: Collection[int]) -> list[Suggestion]:
    rows = list(Suggestion.objects.filter(target=target, pk__in=numbers, state=State.OPEN).order_by("pk"))
    if not numbers:
        raise RefusedError("select at least one suggestion")
    if len(rows) < len(set(numbers)):
        raise OutdatedError("some of these suggestions do not wait any more; look again")
    return rows


def _refuse_unfit(accepted: Collection[Candidate], version: VocabularyVersion) -> None:
    """Also one that is like another one of these, or like what the vocabulary has."""
    for unfit in sort_out(accepted, vocabulary_of(version)).unfit:
        raise RefusedError(f"“{unfit.candidate.text[:100]}” cannot be accepted: {unfit.reason}")


def _decide(target: Target, act: Act, rows: Collection[Suggestion], note: str, actor: Actor) -> SuggestionDecision:
    """By compare-and-swap: one that was decided meanwhile refuses the whole act."""
    if len(note) > NOTE_CHARACTERS:
        raise RefusedError(f"a reason has at most {NOTE_CHARACTERS} characters")
    decision = SuggestionDecision.objects.create(
        target=target,
        act=act,
        count=len(rows),
        note=storable(note.strip()),
        user=actor.user,
        actor=actor.name,
        at=timezone.now(),
    )
    state = State.ACCEPTED if act is Act.ACCEPTED else State.REFUSED
    waiting = Suggestion.objects.filter(pk__in=[row.pk for row in rows], state=State.OPEN)
    if waiting.update(state=state, decision=decision) != len(rows):
        raise OutdatedError("some of these suggestions do not wait any more; look again")
    return decision
