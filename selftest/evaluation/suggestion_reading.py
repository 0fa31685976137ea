"""Reads of suggestions and of what was decided about them. Nothing here changes a row."""

from collections.abc import Collection, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from selftest.evaluation.models import Suggestion, SuggestionDecision
from selftest.models import Target
from selftest.reading.activity import Position, Source, done_by

State = Suggestion.State


def suggestions(target: Target, state: State = State.OPEN) -> QuerySet[Suggestion]:
    """The newest first."""
    rows = Suggestion.objects.filter(target=target, state=state).select_related("decision", "decision__version")
    return rows.defer("decision__version__content", "decision__version__births").order_by("-id")


def texts_of(target: Target, numbers: Collection[int]) -> Mapping[int, str]:
    """The texts of these suggestions, by their numbers."""
    return dict(Suggestion.objects.filter(target=target, pk__in=numbers).values_list("pk", "text"))


def decisions(target: Target) -> QuerySet[SuggestionDecision]:
    """The newest first."""
    rows = SuggestionDecision.objects.filter(target=target).select_related("version")
    return rows.defer("version__content", "version__births").order_by("-id")


def suggestion_document(row: Suggestion) -> dict[str, Any]:
    """As scripts get it."""
    decision = row.decision
    return {
        "id": row.pk,
        "kind": row.kind,
        "text": row.text,
        "proposed": row.proposed,
        "origin": row.origin,
        "why": row.why,
        "state": row.state,
        "query": row.query,
        "source_used": row.source_used,
        "latency_ms": row.latency_ms,
        "error": row.error,
        "created_at": row.created_at,
        "decision": decision and decision_document(decision),
    }


def decision_document(decision: SuggestionDecision) -> dict[str, Any]:
    """As scripts get it. version: the number of the vocabulary that accepting made."""
    return {
        "act": decision.act,
        "count": decision.count,
        "version": decision.version and decision.version.number,
        "reason": decision.note,
        "actor": decision.actor,
        "at": decision.at,
    }


def _decided(who: str, user: User | None, after: Position | None) -> QuerySet[SuggestionDecision]:
    rows = SuggestionDecision.objects.filter(done_by(who, user)).order_by("-id").select_related("target")
    return rows if after is None else rows.filter(pk__lt=after.pk)


READERS = {Source.SUGGESTION: _decided}
