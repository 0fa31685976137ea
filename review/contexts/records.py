"""Rows as plain data, under the names and in the order that the API has: for calls that return them, and for files."""

from typing import Any

from selftest.core.insight.quiet import QuietSpell
from selftest.models import Cause, Combination
from selftest.reading.causes import ShownCause, has_condition, spells_of

Record = dict[str, Any]

FLAG_COLUMNS = (
    "fingerprint",
    "recipe_name",
    "first_seen_timestamp",
    "times_generated",
    "last_query_text",
    "last_source_used",
    "last_latency_ms",
    "last_flagged_reason",
    "last_run_timestamp",
    "ever_flagged",
    "currently_flagged",
    "first_flagged_reason",
    "first_flagged_timestamp",
    "review_status",
    "last_flagged_result_excerpt",
    "id",
    "last_run_id",
    "last_flagged_run_id",
    "target",
    "check",
    "cause",
    "verdict",
    "dismissed_at",
)
CAUSE_COLUMNS = (
    "id",
    "target",
    "sentence",
    "checks",
    "flags_now",
    "flags_open",
    "flags_total",
    "runs_matching",
    "verdict",
    "reason",
    "link",
    "assignee",
    "smallest_query",
    "example_fingerprint",
    "reproduced",
    "first_seen",
    "last_seen",
    "new_since_verdict",
    "judged_by",
    "judged_at",
    "until",
    "in_inbox",
    "runs_flagged",
    "other_runs",
    "other_runs_flagged",
    "quiet",
    "back_after",
)


def flag_record(row: Combination) -> Record:
    """A row of `flagged`, with its check, the sentence of its cause and its verdict."""
    values = {"target": row.target.name, "check": row.flagged_check, "cause": row.cause and row.cause.sentence}
    return {name: values[name] if name in values else getattr(row, name) for name in FLAG_COLUMNS}


def cause_record(shown: ShownCause) -> Record:
    """A cause with its counts and its verdict."""
    listed, example = shown.listed, shown.example
    row = listed.row
    spells = spells_of(row, shown.tallies)
    return {
        "id": row.pk,
        "target": row.target.name,
        "sentence": row.sentence,
        "checks": row.checks,
        "flags_now": listed.combinations.now,
        "flags_open": listed.combinations.open,
        "flags_total": row.flags,
        "runs_matching": row.runs,
        "verdict": row.verdict,
        "reason": row.reason,
        "link": row.link,
        "assignee": row.held_by and row.held_by.get_username(),
        "smallest_query": example and example.text,
        "example_fingerprint": example and example.flag.combination.fingerprint,
        "reproduced": (row.seen_again, row.asked_again),
        "first_seen": row.first_seen,
        "last_seen": row.last_seen,
        "new_since_verdict": row.new_flags,
        "judged_by": row.judged_by,
        "judged_at": row.judged_at,
        "until": _until(row) if has_condition(row) else None,
        "in_inbox": listed.is_in_inbox,
        "runs_flagged": row.struck,
        "other_runs": row.other_runs,
        "other_runs_flagged": row.other_struck,
        "quiet": _spell(spells.quiet),
        "back_after": _spell(spells.ended),
    }


def _spell(spell: QuietSpell | None) -> dict[str, int | float] | None:
    return None if spell is None else {"runs": spell.runs, "chance": spell.chance}


def _until(row: Cause) -> dict[str, str | int | None]:
    return {
        "date": None if row.until_date is None else row.until_date.isoformat(),
        "new_flags": row.until_new_flags,
        "target_version": row.until_version or None,
    }
