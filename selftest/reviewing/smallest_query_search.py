"""Minimises a flagged query: tries smaller ones on the target, within a budget, and keeps the smallest that fails too.

Its requests are sent in turn with all else that asks the target; no transaction is open meanwhile.
"""

import logging
from contextlib import closing, suppress

from django.db import Error as AnyDatabaseError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from selftest.core.judging.delta_debugging import Minimised, minimise
from selftest.core.judging.driving import drive
from selftest.core.judging.findings import CheckName
from selftest.cycles import ownership
from selftest.cycles.requests_in_turn import NoMoreRequestsError, Reason, RequestsInTurn
from selftest.models import ENGINE, Installation, Reduction, ReviewEvent
from selftest.reading.smallest_queries import running_on
from selftest.reviewing.finding_judge import FindingJudge
from selftest.storage.database_patience import keep_trying
from selftest.storage.serialization import answer_columns, query_document, query_of, vocabulary_of
from selftest.storage.target_clients import open_target
from selftest.storage.texts import storable

log = logging.getLogger(__name__)

WHOLE_TRIES = 3  # a finding that comes and goes shows in one of them, or it is no use to minimise its query
State = Reduction.State


def run_planned(reduction: Reduction) -> str:
    """Runs a planned search, once, however often its task is delivered; returns the state that it ended in.

    Raises nothing for what the target does.
    """
    if not _claim(reduction):
        reduction.refresh_from_db()
        return str(reduction.state)
    try:
        _run(reduction)
    except AnyDatabaseError as failure:
        log.exception("The database failed in the middle of reduction %s", reduction.pk)
        _end(reduction, State.STOPPED, f"the database failed: {failure}")
    except BaseException as failure:  # a stop of the worker, a fault of ours: marked, then passed on
        log.warning("Reduction %s ended early", reduction.pk, exc_info=True)
        with suppress(AnyDatabaseError):
            _save_end(reduction, State.STOPPED, f"stopped: {type(failure).__name__}", {})  # once: it may be a stop
        raise
    finally:
        ownership.unregister(reduction)
    reduction.refresh_from_db()
    return str(reduction.state)


def _claim(reduction: Reduction) -> bool:
    ownership.register(reduction)  # before the row says so: to another thread here it would look abandoned
    now = timezone.now()
    claimed = Reduction.objects.filter(pk=reduction.pk, state=State.PLANNED).update(
        state=State.RUNNING, owner=ownership.this_process(), last_sign_at=now
    )
    if not claimed:
        ownership.unregister(reduction)
    return claimed == 1


def _run(reduction: Reduction) -> None:
    row = reduction.combination.target
    version = keep_trying(lambda: row.vocabularies.filter(in_force=True).first())
    if version is None:
        return _end(reduction, State.STOPPED, f"{row} has no vocabulary")
    vocabulary = vocabulary_of(version)
    try:
        target = open_target(row, vocabulary)
    except ValueError as fault:
        return _end(reduction, State.STOPPED, str(fault))
    with closing(target):
        requests = RequestsInTurn(
            row,
            target,
            reduction.askings_at_most,
            is_busy=lambda: _is_another_ahead(reduction),
            show_it_lives=lambda sent: _lives(reduction, sent),
        )
        run, check = reduction.run, CheckName(reduction.check_name)
        judge = keep_trying(lambda: FindingJudge(row, run.recipe_name, check, requests, vocabulary, before=run.pk))
        return _minimise(reduction, judge)


def _minimise(reduction: Reduction, judge: FindingJudge) -> None:
    query = query_of(reduction.run.document)
    try:
        is_reproduced = any(judge.shows_again(query) for _ in range(WHOLE_TRIES))
    except NoMoreRequestsError as stopped:
        return _end(reduction, State.STOPPED, str(stopped))
    if not is_reproduced:
        return _end(reduction, State.NOT_SEEN_AGAIN, f"reproduced 0 of {WHOLE_TRIES} with the whole query")
    search = minimise(query, CheckName(reduction.check_name), reduction.askings_at_most)
    return _keep(reduction, drive(search, judge.shows), judge)


def _keep(reduction: Reduction, minimised: Minimised, judge: FindingJudge) -> None:
    stopped = judge.stopped
    is_cut_short = stopped is not None and stopped.reason is not Reason.BUDGET
    answer = judge.answers[minimised.query.text]
    kept = {
        "smallest": query_document(minimised.query),
        "smallest_text": storable(minimised.query.text),
        "kept": list(minimised.kept),
        "is_minimal": minimised.is_minimal,
        "result": storable(answer.result or answer.error or ""),
        "source_used": answer_columns(answer)["source_used"],
    }
    _end(reduction, State.STOPPED if is_cut_short else State.FINISHED, "" if stopped is None else str(stopped), **kept)


def _end(reduction: Reduction, state: Reduction.State, note: str, **columns: object) -> None:
    keep_trying(lambda: _save_end(reduction, state, note, columns))


def _held(reduction: Reduction) -> QuerySet[Reduction]:
    """Its row, as long as it is this process's: one that was taken for dead ends nothing of who took over."""
    return Reduction.objects.filter(pk=reduction.pk, state=State.RUNNING, owner=ownership.this_process())


def _is_another_ahead(reduction: Reduction) -> bool:
    """Whether an earlier search runs on this target."""
    return running_on(reduction.combination.target).filter(pk__lt=reduction.pk).exists()


def _lives(reduction: Reduction, sent: int) -> bool:
    return _held(reduction).update(askings=sent, last_sign_at=timezone.now()) == 1


def _save_end(reduction: Reduction, state: Reduction.State, note: str, columns: dict[str, object]) -> None:
    now = timezone.now()
    with transaction.atomic():
        done = _held(reduction).update(state=state, finished_at=now, note=storable(note), **columns)
        if done and state == State.FINISHED:
            ReviewEvent.objects.create(
                combination_id=reduction.combination_id,
                kind=ReviewEvent.Kind.REDUCED,
                actor=ENGINE,
                note=str(columns["smallest_text"]),
                run_id=reduction.run_id,
                at=now,
            )
            Installation.queue_changed()  # its cause has another example
