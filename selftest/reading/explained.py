"""Findings with an innocent cause, and what each source answers to parts alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from selftest.core.judging.findings import CheckName
from selftest.core.judging.probes import Purpose
from selftest.models import Explanation, Probe, Target
from selftest.reading.run_texts import UNREAD_OF_COMBINATION
from selftest.storage.texts import storable

# Of each source: at one probe a query by default some weeks of them, so that what was long ago counts no more; and few
# enough to be read for every view of the page.
LATELY_PROBES = 300
UNREAD = ("result", "error", "own_error", *UNREAD_OF_COMBINATION)  # of a run


@dataclass(frozen=True)
class SourceAlone:
    """How a source answered the different parts that were lately asked alone, each as it was answered last.

    phrases: failure phrase → how many parts it was the whole answer to, the most frequent first.
    """

    source: str
    asked: int
    phrases: Mapping[str, int]

    @property
    def empty(self) -> int:
        """How many parts it answered with a failure phrase and nothing else."""
        return sum(self.phrases.values())


def explained(target: Target | None = None, source: str = "", check: CheckName | None = None) -> QuerySet[Explanation]:
    """Of a target, a source, a check, where they are named; in no order. Each with its run's query, no answer."""
    # A target that is named is not joined: SQLite would begin with it, and read and sort all that is explained of it.
    rows = Explanation.objects.select_related("target") if target is None else target.explanations.all()
    rows = rows.select_related("run__combination").defer(*(f"run__{column}" for column in UNREAD))
    if source:
        rows = rows.filter(source=storable(source))
    return rows if check is None else rows.filter(check_name=check)


def explanations_of(run_ids: Iterable[int]) -> list[Explanation]:
    """What was explained of these runs, the newest run first, in the order of the checks."""
    rows = Explanation.objects.filter(run_id__in=set(run_ids)).order_by()
    severity = {str(check): place for place, check in enumerate(CheckName)}
    return sorted(rows, key=lambda row: (-row.run_id, severity.get(row.check_name, len(severity))))


def sources_alone(target: Target, sources: Iterable[str]) -> list[SourceAlone]:
    """Of each of these sources that was asked alone, the emptiest first. One query for each source."""
    found = (_source_alone(target, source) for source in sources)
    asked = [figures for figures in found if figures.asked]
    return sorted(asked, key=lambda figures: (-figures.empty / figures.asked, -figures.empty, figures.source))


def _source_alone(target: Target, source: str) -> SourceAlone:
    parts = Probe.objects.filter(target=target, source=source, purpose=Purpose.PART).order_by("-id")
    newest_first = list(parts.values_list("text_sha256", "empty_phrase")[:LATELY_PROBES])
    latest = dict(reversed(newest_first))
    phrases: dict[str, int] = {}
    for phrase in filter(None, latest.values()):
        phrases[phrase] = phrases.get(phrase, 0) + 1
    by_count = sorted(phrases.items(), key=lambda item: (-item[1], item[0]))
    return SourceAlone(source, len(latest), dict(by_count))
