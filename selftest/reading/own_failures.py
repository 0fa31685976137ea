"""Runs on which Gadfly itself failed."""

from django.db.models import Prefetch, prefetch_related_objects

from selftest.models import Combination, Run

LOOKED_BACK_RUNS = 200


def own_failures() -> list[Run]:
    """Those of the newest LOOKED_BACK_RUNS runs, the newest first; no long history is searched for older ones."""
    columns = ("combination_id", "cycle_id", "query", "query_text", "own_error", "finished_at")
    newest = Run.objects.only(*columns).order_by("-id")[:LOOKED_BACK_RUNS]
    failed = [run for run in newest if run.own_error]
    prefetch_related_objects(failed, Prefetch("combination", Combination.objects.only("query")))  # few, as a rule
    return failed
