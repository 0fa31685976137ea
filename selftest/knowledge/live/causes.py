"""Causes as pieces. Those that were merged into another one are not found."""

from collections import defaultdict
from collections.abc import Collection, Iterator

from django.db.models import OuterRef, Subquery
from django.urls import reverse

from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.live.wording import checks_in_words, identifiers_of, key_of, labelled, lines, titled
from selftest.models import Cause, CauseEvent, Flag, Reduction
from selftest.models.run import ASKED_COLUMNS

COLUMNS = (
    *("target", "sentence", "checks", "verdict", "reason", "link"),
    *(f"example__run__{column}" for column in ASKED_COLUMNS),
)
MOST_NOTES = 50  # the newest of a cause


def chunks_of(numbers: Collection[int]) -> Iterator[Chunk]:
    """Of the causes with these numbers, in order."""
    rows = list(
        Cause.objects.filter(pk__in=numbers, merged_into=None)
        .order_by("pk")
        .select_related("example__run__combination")
        .only(*COLUMNS)
    )
    shown = [row.pk for row in rows]
    smallest, notes = _smallest_queries(shown), _notes(shown)
    for row in rows:
        pk, verdict = row.pk, row.verdict
        query = smallest.get(pk) or (row.example.run.text if row.example else "")
        yield Chunk(
            key_of(Kind.CAUSE, pk),
            Kind.CAUSE,
            titled(row.sentence),
            lines(
                row.sentence,
                labelled("Checks", checks_in_words(row.checks)),
                labelled("Smallest query", query),
                labelled("Verdict", Cause.Verdict(verdict).label if verdict else "none yet"),
                labelled("Reason", row.reason),
                labelled("Tracked at", row.link),
                *(labelled("Note", note) for note in notes.get(pk, ())),
            ),
            path=f"causes/{pk}",
            tags=tuple(row.checks),
            identifiers=identifiers_of(pk, "cause"),
            target_id=row.target_id,
            url=reverse("cause", args=[pk]),
            details={"number": pk, "verdict": verdict, "checks": row.checks, "query": query},
        )


def of_runs(runs: Collection[int]) -> set[int]:
    """The numbers of the causes that flags of these runs are put down to."""
    flags = Flag.objects.filter(run__in=runs, cause__isnull=False).order_by()
    return {cause for cause in flags.values_list("cause_id", flat=True) if cause is not None}


def _smallest_queries(causes: Collection[int]) -> dict[int, str]:
    """The shortest of those that were found for flags of each."""
    # The searches first, of which there are few: SQLite would begin with all flags of the causes.
    flag = Flag.objects.filter(run=OuterRef("run"), check_name=OuterRef("check_name"), cause__in=causes).order_by()
    done = Reduction.objects.filter(state=Reduction.State.FINISHED).exclude(smallest_text="")
    done = done.annotate(cause=Subquery(flag.values("cause")[:1])).filter(cause__isnull=False).order_by("pk")
    found: dict[int, str] = {}
    for cause, text in done.values_list("cause", "smallest_text"):
        if cause not in found or len(text) < len(found[cause]):
            found[cause] = text
    return found


def _notes(causes: Collection[int]) -> dict[int, list[str]]:
    """What people said, the newest first, each thing once."""
    found: dict[int, list[str]] = defaultdict(list)
    events = CauseEvent.objects.filter(cause__in=causes).exclude(note="").order_by("-pk")
    for cause, note in events.values_list("cause_id", "note"):
        if note not in found[cause] and len(found[cause]) < MOST_NOTES:
            found[cause].append(note)
    return found
