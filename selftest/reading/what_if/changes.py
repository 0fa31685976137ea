"""The changes that can be tried before they are saved."""

from functools import cache

from selftest.core.generation.vocabulary import parse_vocabulary
from selftest.core.insight.what_if import Terms
from selftest.core.judging.stability import Stability
from selftest.core.judging.verdicts import Rules
from selftest.models import Run, Target, Tuning
from selftest.reading.judging_terms import latency_limits, rules_of, stability_of
from selftest.reading.what_if.judging import WhatIfJudging
from selftest.reading.what_if.memory import StoredRun, Vocabularies, latest_rows
from selftest.reading.what_if.result import WhatIfResult
from selftest.storage.serialization import content_sha256

MOST_RUNS = 10_000  # judged in seconds, while a reader waits


def what_if_tuned(proposed: Tuning) -> WhatIfResult:
    """What these settings, not saved, would do to the flags of all targets' latest runs.

    Each run is judged by the vocabulary that it was asked by.
    """
    current = Tuning.get_solo()
    limits, new_limits = latency_limits(current), latency_limits(proposed)
    if (limits, rules_of(current, Stability())) == (new_limits, rules_of(proposed, Stability())):
        return WhatIfResult(concerns_flags=False)
    vocabularies = Vocabularies()

    @cache
    def rules_on(target: int) -> tuple[Rules, Rules]:
        stability = stability_of(target)
        return rules_of(current, stability), rules_of(proposed, stability)

    def terms_of(row: StoredRun) -> tuple[Terms, Terms] | None:
        vocabulary = vocabularies.of(row.vocabulary)
        if vocabulary is None:
            return None
        rules, new_rules = rules_on(row.target)
        return Terms(vocabulary, limits, rules), Terms(vocabulary, new_limits, new_rules)

    return WhatIfJudging(latest_rows(Run.objects.all(), MOST_RUNS), terms_of, current.probe_hours).result()


def what_if_imported(target: Target, document: object) -> WhatIfResult:
    """What this vocabulary, not imported, would do to the flags of its target's latest runs.

    It is held against the one in force. Raises VocabularyError where the document does not hold.
    """
    proposed = parse_vocabulary(document)
    in_force = target.vocabularies.filter(in_force=True).first()
    if in_force is not None and in_force.sha256 == content_sha256(document):
        return WhatIfResult(concerns_flags=False)
    tuning = Tuning.get_solo()
    limits, rules = latency_limits(tuning), rules_of(tuning, stability_of(target.pk))
    vocabularies = Vocabularies()

    def terms_of(row: StoredRun) -> tuple[Terms, Terms] | None:
        vocabulary = vocabularies.of(row.vocabulary if in_force is None else in_force.pk)
        if vocabulary is None:
            return None
        return Terms(vocabulary, limits, rules), Terms(proposed, limits, rules)

    return WhatIfJudging(latest_rows(target.runs.all(), MOST_RUNS), terms_of, tuning.probe_hours).result()
