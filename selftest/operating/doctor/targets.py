"""Whether there is a target, it can be reached, and its vocabulary feeds every recipe."""

import re
import shlex
from collections.abc import Sequence

from selftest.core.generation.vocabulary import VocabularyError
from selftest.models import Cycle, Target, VocabularyVersion
from selftest.operating.connection_test import Trial, try_connections
from selftest.operating.doctor.diagnosis import Diagnosis, Situation, State
from selftest.operating.doctor.pages import page
from selftest.reading.coverage import combinations_of
from selftest.reading.targets import LOOKED_BACK_CYCLES, all_targets, last_finished, last_outages

LOGIN_IN_URL = re.compile(r"//[^/]*@")
AWAY = "Start it or correct its address in the admin, then check it here. Cycles keep trying it."


def reachable(situation: Situation) -> Sequence[Diagnosis]:
    """Each target, as a query to it shows, or as the last cycle found it that could tell."""
    targets = list(all_targets())
    if not targets:
        step = "Nothing to ask: set up the bundled one, or add your own in the admin."
        return [Diagnosis(State.WRONG, "None", next_step=step, command="manage.py start")]
    answered = last_finished()
    asked = [target for target in targets if target.enabled and situation.is_on and situation.asks_targets]
    trials = {
        trial.target.pk: trial for trial in try_connections(Target.objects.filter(pk__in=[one.pk for one in asked]))
    }
    outages = last_outages()
    found = []
    for target in targets:
        if target.pk in trials:
            found.append(_of_trial(trials[target.pk]))
        else:
            found.append(_of_cycles(target, answered.get(target.pk), outages.get(target.pk)))
    return found


def vocabulary(situation: Situation) -> Sequence[Diagnosis]:
    """Whether each target that is switched on has one in force that every recipe can use."""
    versions = {row.target_id: row for row in VocabularyVersion.objects.filter(in_force=True, target__enabled=True)}
    return [_of_vocabulary(target, versions.get(target.pk)) for target in all_targets().filter(enabled=True)]


def _of_trial(trial: Trial) -> Diagnosis:
    row = trial.target
    if trial.works:
        return Diagnosis(
            State.OK, f"Answers, in {trial.latency_ms:.0f} ms", None, trial.detail, row.name, target=row.pk
        )
    if not trial.reachable:
        return Diagnosis(State.WRONG, "Away", None, trial.detail, row.name, AWAY, _ask(row), row.pk)
    step = "Correct what it is set to in the admin: the fields of its answer, its key, its time limit."
    words, why = "Reached, and gives no usable answer", trial.refusal or trial.error
    return Diagnosis(
        State.WRONG, words, None, why, row.name, step, page("admin:selftest_target_change", row.pk), row.pk
    )


def _of_cycles(row: Target, answered: int | None, outage: Cycle | None) -> Diagnosis:
    """answered: the key of its last cycle that finished. One that was interrupted tells nothing of the target."""
    at = (outage.finished_at or outage.created_at) if outage else None
    detail = outage.note if outage else ""
    if answered and not outage:
        detail = f"never away in the last {LOOKED_BACK_CYCLES:,} cycles"
    state, words, step, command = State.OK, "Reached when last asked", "", ""
    if not row.enabled:
        state, words = State.OFF, "Switched off"  # on purpose: nothing to see to
    elif not answered and not outage:
        state, words = State.WAITING, "Not asked yet"
    elif outage and outage.pk > (answered or 0):
        state, words, step, command = State.WRONG, "Away when last asked", AWAY, _ask(row)
    cycle = outage.pk if outage else None
    return Diagnosis(state, words, at, detail, row.name, step, command, row.pk, cycle)


def _ask(row: Target) -> str:
    """What shows whether it answers this machine; neither its key nor a password in its address is repeated."""
    if row.kind != Target.Kind.HTTP:
        return shlex.join(["manage.py", "run_cycle", "--target", row.name])
    base_url = LOGIN_IN_URL.sub("//", row.base_url).rstrip("/")
    return shlex.join(["curl", "-i", f"{base_url}{row.health_path}"])


def _of_vocabulary(target: Target, version: VocabularyVersion | None) -> Diagnosis:
    command = f"manage.py vocabulary import FILE --target {shlex.quote(target.name)}"
    if version is None:
        step = "Give it a vocabulary document: without one nothing can be made up for it."
        return Diagnosis(
            State.WRONG, "None in force", subject=target.name, next_step=step, command=command, target=target.pk
        )
    try:
        idle = [recipe for recipe, possible in combinations_of(version).items() if not possible]
    except VocabularyError as fault:
        step = "Correct the document and import it again."
        return Diagnosis(State.WRONG, "Not valid any more", None, str(fault), target.name, step, command, target.pk)
    words = f"Version {version.number}"
    if not idle:
        return Diagnosis(State.OK, f"{words} feeds every recipe", subject=target.name, target=target.pk)
    return Diagnosis(
        State.OK, words, detail=f"too little in it for {', '.join(idle)}", subject=target.name, target=target.pk
    )
