"""Drives the examinations of one cycle: recalls what is known, says what is still to be asked, keeps to the budget.

Sends no request itself: the batch does, and hands in the answers.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput, parts_of, standalone_part
from selftest.core.judging.examination import examine
from selftest.core.judging.failure_phrases import failure_phrase
from selftest.core.judging.probe_budget import Budget, Recall, earned, left_over
from selftest.core.judging.probes import Probe, Purpose
from selftest.core.judging.stability import WHOLE_QUERY, Stability
from selftest.core.judging.verdicts import Rules, Verdict
from selftest.core.settings import NEW_QUERIES
from selftest.models import Probe as ProbeRow
from selftest.models import Run, SourceStability, Target, Tuning
from selftest.reading.judging_terms import rules_of, stability_of
from selftest.storage.chunks import chunks
from selftest.storage.locks import locked
from selftest.storage.serialization import answer_columns, kept_answer, probe_columns
from selftest.storage.texts import sha256_hex

LONGEST_SOURCE: int = SourceStability._meta.get_field("source").max_length or 0
SHARED = (Purpose.PART, Purpose.CONTROL)  # what other queries may have asked too; whole queries are new
Key = tuple[str, str]  # the text and the source asked by name


class Examiner:
    """What the examinations of one cycle have in common. queries: of its batch.

    unspent: probes that the last cycle did not send, or its share of those where several workers are at the cycle.
    overdue: queries of the last cycle whose parts were not checked. A query is not asked again for that, as each cycle
    asks new ones; what holds the same parts is asked first, and its probes come before any routine.
    """

    def __init__(
        self,
        target: Target,
        vocabulary: Vocabulary,
        tuning: Tuning,
        queries: int,
        overdue: Iterable[Query] = (),
        unspent: int = 0,
    ) -> None:
        self.vocabulary = vocabulary
        self.kept: dict[Key, Answer] = {}
        answered = Run.objects.filter(target=target, state=Run.State.DONE).order_by()[:NEW_QUERIES].count()
        per_query = earned(tuning.probes_per_query, answered)
        self.budget = Budget(queries, per_query, left_over(unspent, queries, per_query, answered))
        self._target = target
        self._tuning = tuning
        self._looked_up: set[str] = set()
        self._overdue = parts_of(overdue, vocabulary)
        self.stability = stability_of(target.pk)
        self._verdicts: list[Verdict] = []

    def prepare(self, queries: Iterable[Query]) -> None:
        """Recalls what is known of the parts of all these."""
        if not self._tuning.explains:
            return
        parts = (standalone_part(clause, self.vocabulary) for query in queries for clause in query.clauses)
        texts = list(dict.fromkeys(text for part in parts for text in part.texts))
        for chunk in chunks(texts):
            self.look_up(chunk)

    def begin(self, run: Run, asking: CheckInput) -> "RunningExamination":
        """Starts the examination of one answered run."""
        self.budget.begin()
        return RunningExamination(self, run, asking)

    def rules(self) -> Rules:
        """What is checked and how, by the settings and what is known of the sources."""
        return rules_of(self._tuning, self.stability, self._overdue)

    def look_up(self, texts: Iterable[str]) -> None:
        """Recalls the recent answers to these, in one database query."""
        by_sha256 = {sha256_hex(text): text for text in texts if text not in self._looked_up}
        if not by_sha256:
            return
        self._looked_up.update(by_sha256.values())
        since = timezone.now() - timedelta(hours=self._tuning.probe_hours)
        rows = ProbeRow.objects.filter(
            target=self._target, text_sha256__in=by_sha256, asked_at__gte=since, error="", answer_deleted_at=None
        ).exclude(purpose=Purpose.AGAIN)
        for row in rows.order_by("text_sha256", "id"):  # of several the newest
            answer = kept_answer(row)
            if answer is not None:
                self.kept[by_sha256[row.text_sha256], row.only] = answer

    def learn(self, verdict: Verdict) -> None:
        """Takes from a verdict how stable the answers are and what is accused."""
        self._verdicts.append(verdict)
        _learn(self.stability, verdict)

    def save_stability(self) -> None:
        """Saves how stable the answers of the sources that the vocabulary knows were.

        Other workers on the same cycle learn meanwhile: what was learnt here is added to what they have saved.
        """
        with transaction.atomic():
            list(locked(Target.objects).filter(pk=self._target.pk).values("pk"))
            stability = stability_of(self._target.pk)
            for verdict in self._verdicts:
                _learn(stability, verdict)
            self._save(stability)

    def _save(self, stability: Stability) -> None:
        known = {WHOLE_QUERY, *(source for source in self.vocabulary.headers if len(source) <= LONGEST_SOURCE)}
        SourceStability.objects.bulk_create(
            [
                SourceStability(
                    target=self._target,
                    source=source,
                    agreed=agreed,
                    compared=compared,
                    longest=stability.longest.get(source, 0),
                    answers=stability.boilerplate.answers.get(source, []),
                    confirmed=stability.confirmed_of(source),
                )
                for source, (agreed, compared) in stability.of_all().items()
                if source in known
            ],
            update_conflicts=True,
            unique_fields=["target", "source"],
            update_fields=["agreed", "compared", "longest", "answers", "confirmed"],
        )


def _learn(stability: Stability, verdict: Verdict) -> None:
    stability.note(verdict.stability)
    stability.measure(verdict.lengths)
    stability.boilerplate.note(verdict.observed)
    stability.accuse(verdict.findings)
    stability.note_decided(verdict.decided)


class RunningExamination:
    """One answered run on its way to a verdict. verdict: None as long as something is still to be asked.

    is_given_up: nothing waits for the answers that are still under way.
    """

    def __init__(self, examiner: Examiner, run: Run, asking: CheckInput) -> None:
        self.run = run
        self.answer = asking.answer
        self.verdict: Verdict | None = None
        self.is_given_up = False
        self.probes: list[ProbeRow] = []
        self._examiner = examiner
        self._recall = Recall(examiner.kept)
        self._examination = examine(asking, examiner.rules())
        self._awaited: Probe | None = None
        self._under_way: Counter[Key] = Counter()

    @property
    def is_over(self) -> bool:
        """Whether there is a verdict and every answer has come."""
        return self.verdict is not None and not self._under_way.total()

    def begin(self) -> list[Probe]:
        """The first probes that have to be asked, all of them at once; none where there is a verdict."""
        return self._advance(None)

    def reply(self, probe: Probe, answer: Answer | None, now: datetime) -> list[Probe]:
        """Handles the answer to one of its probes, None where there was none; returns the next probes."""
        key = (probe.text, probe.only)
        self._under_way[key] -= 1
        if answer is not None:
            self._note(probe, answer, now)
        awaited = self._awaited
        if awaited is None or key != (awaited.text, awaited.only):
            return []
        known = self._recall.answer(awaited)
        if known is None and self._under_way[key]:
            return []
        return self._advance(known or (answer if probe.fresh == awaited.fresh else None))

    def _advance(self, answer: Answer | None) -> list[Probe]:
        """Continues until the next answer has to be waited for; returns what has to be asked."""
        to_ask: list[Probe] = []
        self._awaited = None
        try:
            while True:
                probe = self._examination.send(answer)
                to_ask += filter(self._starts, [probe])
                answer = self._known(probe)
                is_awaited = answer is None and bool(self._under_way[probe.text, probe.only])
                if answer is not None or is_awaited or probe.together == 1:
                    to_ask += filter(self._starts, probe.ahead)
                if is_awaited:
                    self._awaited = probe
                    return to_ask
        except StopIteration as stop:
            self._end(stop.value)
            return to_ask

    def _starts(self, probe: Probe) -> bool:
        """Whether it has to be asked and may be; it then is under way."""
        key = (probe.text, probe.only)
        is_to_come = bool(self._under_way[key]) and probe.fresh <= self._under_way[key] + self._recall.new_answers(key)
        if is_to_come or self._known(probe) is not None:
            return False
        if not self._examiner.budget.spend(probe.urgency, probe.together):
            return False
        self._under_way[key] += 1
        return True

    def _end(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self._examiner.budget.end()
        self._examiner.learn(verdict)

    def _known(self, probe: Probe) -> Answer | None:
        if not probe.fresh and probe.purpose in SHARED:
            self._examiner.look_up([probe.text])
        return self._recall.answer(probe)

    def _note(self, probe: Probe, answer: Answer, now: datetime) -> None:
        self._recall.note(probe, answer)
        if probe.purpose is not Purpose.AGAIN and answer.error is None:
            self._examiner.kept[probe.text, probe.only] = answer
        phrase = (
            failure_phrase(answer.result, self._examiner.vocabulary.empty_phrases) if answer.error is None else None
        )
        self.probes.append(
            ProbeRow(
                target_id=self.run.target_id,
                run=self.run,
                asked_at=now,
                empty_phrase=phrase or "",
                **probe_columns(probe),
                **answer_columns(answer),
            )
        )
