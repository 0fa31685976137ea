"""Runs on which Gadfly itself failed."""

from selftest.models import Run

LOOKED_BACK_RUNS = 200


def own_failures() -> list[Run]:
    """Those of the newest LOOKED_BACK_RUNS runs, the newest first; no long history is searched for older ones."""
    newest = Run.objects.only("combination_id", "cycle_id", "query_text", "own_error", "finished_at").order_by("-id")
    return [run for run in newest[:LOOKED_BACK_RUNS] if run.own_error]
