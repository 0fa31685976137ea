"""What is kept of searches: a hash of the query and how it came out, ratings of results, what was opened. No words."""

import hashlib
from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from selftest.knowledge.core.answers import SearchAnswer
from selftest.knowledge.models import Click, Feedback, HistoryEntry, Search
from selftest.models import Actor

SHOWN_RECENT = 5  # of one's own queries: more is a list to read, not a short way back
TOP_RESULTS = 5  # whose domains are kept
KEY_CHARACTERS = 100  # of the id of a result


def query_sha256(q: str) -> str:
    """Of the query in lower case, spaces made one: what is the same to a reader has one hash."""
    return hashlib.sha256(" ".join(q.lower().split()).encode(errors="surrogatepass")).hexdigest()


def note_search(q: str, answer: SearchAnswer, source: str) -> None:
    """Keeps how a search came out. source: "page", "typing", "api", "legacy" or "command"."""
    Search.objects.create(
        at=timezone.now(),
        query_sha256=query_sha256(q),
        intent=answer.intent,
        language=answer.language,
        source=source,
        results=len(answer.hits),
        latency_ms=answer.latency_ms,
        top_domains=list(dict.fromkeys(hit.domain for hit in answer.hits[:TOP_RESULTS])),
    )


def recent(user: User) -> Sequence[str]:
    """What this person asked last, where they chose to have it kept; the newest first."""
    return list(HistoryEntry.objects.filter(user=user).values_list("query", flat=True)[:SHOWN_RECENT])


def rate(actor: Actor, q: str, chunk_key: str, chunk_kind: str, rating: str) -> None:
    """What a reader thinks of a result of a query; a later word takes the place of the one before."""
    said = {"at": timezone.now(), "user": actor.user, "chunk_kind": chunk_kind, "rating": rating}
    Feedback.objects.update_or_create(
        actor=actor.name, query_sha256=query_sha256(q), chunk_key=chunk_key, defaults=said
    )


def ratings(actor: Actor, q: str) -> Mapping[str, str]:
    """By id of a result, what this reader thought of it as an answer to this query."""
    rows = Feedback.objects.filter(actor=actor.name, query_sha256=query_sha256(q))
    return dict(rows.values_list("chunk_key", "rating"))


def note_click(chunk_key: str) -> None:
    """Counts that a result was opened today. Without who, and without the query."""
    today = {"day": timezone.now().date(), "chunk_key": chunk_key[:KEY_CHARACTERS]}
    with transaction.atomic():
        Click.objects.bulk_create([Click(**today)], ignore_conflicts=True)
        Click.objects.filter(**today).update(count=F("count") + 1)
