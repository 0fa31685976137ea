"""What is kept of searches: a hash of the query and how it came out, ratings of results, what was opened.

The words are kept only of a person who chose that. A search never fails for its record.
"""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import Error as AnyDatabaseError
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from selftest.knowledge.core.answers import LONGEST_QUERY, SearchAnswer
from selftest.knowledge.core.queries import normalized
from selftest.knowledge.models import Chunk, Click, Feedback, HistoryConsent, HistoryEntry, Search
from selftest.models import Actor
from selftest.refusals import UnknownError
from selftest.storage.locks import locked

logger = logging.getLogger(__name__)

SHOWN_RECENT = 5  # of one's own queries: more is a list to read, not a short way back
MOST_KEPT = 100  # queries of one person; the oldest go first
TOP_RESULTS = 5  # whose domains are kept
KEY_CHARACTERS = 100  # of the id of a result
COMMENT_CHARACTERS = 500
KEPT_SOURCES = frozenset({"page", "api", "legacy"})  # what is typed in passing is nothing to look for later


def query_sha256(q: str) -> str:
    """Of the query in lower case, spaces made one: what is the same to a reader has one hash."""
    return hashlib.sha256(" ".join(q.lower().split()).encode(errors="surrogatepass")).hexdigest()


def note_search(q: str, answer: SearchAnswer, source: str, user: User | None = None) -> None:
    """Keeps how a search came out, and its words where `user` chose that.

    source: "page", "typing", "api", "legacy" or "command".
    """
    now = timezone.now()
    try:
        with transaction.atomic():
            Search.objects.create(
                at=now,
                query_sha256=query_sha256(q),
                intent=answer.intent,
                language=answer.language,
                source=source,
                results=len(answer.hits),
                latency_ms=answer.latency_ms,
                top_domains=list(dict.fromkeys(hit.domain for hit in answer.hits[:TOP_RESULTS])),
            )
            if user is not None and source in KEPT_SOURCES and _consents(user):
                _keep(user, q, len(answer.hits), now)
    except AnyDatabaseError as fault:
        # The fault's own message may quote the words that a person searched for.
        logger.warning("a search was answered and could not be recorded: %s", type(fault).__name__)


# --- one's own history ---


def keeps_history(user: User) -> bool:
    """Whether this person chose to have their searches kept. Off by default."""
    return HistoryConsent.objects.filter(user=user).exists()


def choose_history(user: User, keep: bool) -> None:
    """Has searches kept from now on, or no longer; then those that were kept are deleted."""
    with transaction.atomic():
        if keep:
            HistoryConsent.objects.get_or_create(user=user, defaults={"since": timezone.now()})
        else:
            HistoryConsent.objects.filter(user=user).delete()
            forget(user)


def history(user: User) -> Sequence[HistoryEntry]:
    """The last different queries of a person, the newest first."""
    return list(HistoryEntry.objects.filter(user=user)[:MOST_KEPT])


def recent(user: User) -> Sequence[str]:
    """What this person asked last, where they chose to have it kept; the newest first."""
    return list(HistoryEntry.objects.filter(user=user).values_list("query", flat=True)[:SHOWN_RECENT])


def forget(user: User) -> int:
    """Deletes a person's history; how many queries that were."""
    return HistoryEntry.objects.filter(user=user).delete()[0]


def _consents(user: User) -> bool:
    """Its row is held until the transaction ends: to take it back waits, and then deletes this query too."""
    return locked(HistoryConsent.objects).filter(user=user).first() is not None


def _keep(user: User, q: str, results: int, now: datetime) -> None:
    said = {"query": normalized(q)[:LONGEST_QUERY], "results": results, "at": now}
    HistoryEntry.objects.update_or_create(user=user, query_sha256=query_sha256(q), defaults=said)
    kept = HistoryEntry.objects.filter(user=user).values_list("pk", flat=True)[:MOST_KEPT]
    HistoryEntry.objects.filter(user=user).exclude(pk__in=list(kept)).delete()


# --- ratings and clicks ---


def kind_of_result(chunk_key: str, for_admin: bool = False) -> str:
    """Raises UnknownError for what is no piece, or none that this reader may see."""
    seen = Chunk.objects.all() if for_admin else Chunk.objects.filter(for_admins=False)
    kind = seen.filter(key=chunk_key).values_list("kind", flat=True).first()
    if kind is None:
        raise UnknownError(f"there is no result {chunk_key!r}")
    return kind


def rate(actor: Actor, q: str, chunk_key: str, chunk_kind: str, rating: str, comment: str = "") -> None:
    """What a reader thinks of a result of a query; a later word takes the place of the one before."""
    said = {
        "at": timezone.now(), "user": actor.user, "chunk_kind": chunk_kind, "rating": rating, "comment": comment,
    }  # fmt: skip
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
