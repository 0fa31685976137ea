"""What was recorded: cycles, runs, combinations, flags, probes and reviews. Only read; the review pages act on them."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from selftest.admin.filters import check_filter, recipe_filter
from selftest.admin.readonly import ReadOnlyAdmin
from selftest.admin.shown import as_text, breakable, cell, cut, listing_link, milliseconds
from selftest.core.generation.queries import PartKind
from selftest.models import Combination, Cycle, Explanation, Flag, Probe, ReviewEvent, Run
from selftest.reading.run_texts import UNREAD_OF_COMBINATION
from selftest.reading.vocabulary_differences import pretty


def _evidence(key: str) -> Any:
    def text(row: Flag | Explanation) -> SafeString | str:
        value = row.evidence.get(key, "")
        return as_text(value if isinstance(value, str) else pretty(value))

    return text


def _parts(query: dict[str, Any]) -> str:
    """One line a part: its kind, its text and, where it has one, its source; not how its phrase is spelt otherwise."""
    parts = query.get("parts", ())
    return "\n".join(
        f"{PartKind(kind).name.lower()}: {text!r}" + (f" → {source}" if source else "")
        for kind, text, source, *_ in parts
    )


def _review_status(row: Combination) -> str:
    if not row.ever_flagged:
        return "never flagged"
    return "dismissed" if row.review_status == Combination.ReviewStatus.DISMISSED else "in the queue"


# Columns and fields that several records share.
RECIPE = cell("recipe", "recipe", lambda row: breakable(row.recipe_name))
REASON = cell("reason_cell", "reason", lambda row: cut(row.reason))
LATENCY = cell("latency", "latency", lambda row: milliseconds(row.latency_ms))
ERROR = cell("error_text", "error", lambda row: as_text(row.error))
ANSWER = cell("answer", "answer", lambda row: as_text("no longer kept" if row.answer_deleted_at else row.result))
PARTS = cell("parts", "parts", lambda row: as_text(_parts(row.document if isinstance(row, Run) else row.query)))
RUN_NUMBER = cell("run_number", "run", lambda row: str(row.run_id))
EVIDENCE = (
    cell("promised", "promised", _evidence("promised")),
    cell("seen", "seen", _evidence("seen")),
    cell("where", "where", _evidence("where")),
    cell("probes", "probes", _evidence("asked")),
)

CYCLE_RUNS = cell("its_runs", "runs", lambda row: listing_link("run", "Runs of this cycle", cycle__id__exact=row.pk))

RUN_QUERY = cell("query_cell", "query", lambda row: cut(row.text))
RUN_QUERY_WHOLE = cell("asked", "query", lambda row: as_text(row.text))
RUN_FLAGS = cell("its_flags", "findings", lambda row: listing_link("flag", "Findings", run__id__exact=row.pk))
RUN_OWN_ERROR = cell("own_error_text", "failure of Gadfly", lambda row: as_text(row.own_error))

LAST_QUERY = cell("query_cell", "last query", lambda row: cut(row.last_query_text))
LAST_REASON = cell("reason_cell", "last reason", lambda row: cut(row.last_flagged_reason))
LAST_LATENCY = cell("last_latency", "last latency", lambda row: milliseconds(row.last_latency_ms))
TIMES_ASKED = cell("times", "asked", lambda row: f"{row.times_generated}×")
REVIEW_STATUS = cell("review", "review", _review_status)
FINGERPRINT = cell("fingerprint_whole", "fingerprint", lambda row: as_text(row.fingerprint))
EXCERPT = cell("excerpt", "excerpt of the last flagged answer", lambda row: as_text(row.last_flagged_result_excerpt))
ACTIVITY = cell(
    "activity", "activity", lambda row: listing_link("reviewevent", "Activity", combination__id__exact=row.pk)
)
ALL_RUNS = cell("its_runs", "runs", lambda row: listing_link("run", "All runs", combination__id__exact=row.pk))
ALL_FLAGS = cell(
    "its_flags", "findings", lambda row: listing_link("flag", "All findings", combination__id__exact=row.pk)
)

REPRODUCED = cell("reproduced", "reproduced", lambda row: f"{row.seen_again} of {row.asked_again}")

PROBE_TEXT = cell("text_cell", "text", lambda row: cut(row.text))
PROBE_TEXT_WHOLE = cell("text_whole", "text", lambda row: as_text(row.text))

EVENT_COMBINATION = cell("combination_cell", "combination", lambda row: cut(row.combination.last_query_text))
NOTE = cell("note_cell", "note", lambda row: cut(row.note))
NOTE_WHOLE = cell("note_whole", "note", lambda row: as_text(row.note))


@admin.register(Cycle)
class CycleAdmin(ReadOnlyAdmin):
    """Cycles with their counts, and what a replay needs."""

    list_display = ("id", "target", "trigger", "state", "started_at", "finished_at", "queries_run", "flagged", "novel")
    list_filter = ("state", "trigger", "target")
    list_select_related = ("target",)
    search_fields = ("=id", "note")
    search_help_text = "A cycle's number, or words of its note"
    fieldsets = (
        (None, {"fields": ("target", "trigger", "state", "note", CYCLE_RUNS)}),
        ("Counts", {"fields": ("queries_wanted", "queries_run", "flagged", "novel", "unchecked", "probes_at_most")}),
        ("Times", {"fields": ("created_at", "started_at", "finished_at")}),
        ("To replay it", {"fields": ("seed", "recipes", "vocabulary", "target_version", "owner")}),
    )
    readonly_fields = (CYCLE_RUNS,)


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    """Runs: each query with its whole answer."""

    list_display = ("id", RUN_QUERY, RECIPE, "state", REASON, LATENCY, "asked_at")
    list_filter = ("state", recipe_filter("recipe_name"), "target", check_filter("reason"))
    list_select_related = ("combination",)
    search_fields = ("=id", "query_text", "combination__last_query_text")
    search_help_text = "A run's number, or words of its query"
    fieldsets = (
        (None, {"fields": ("target", "cycle", "place", "combination", "recipe_name", "state")}),
        ("Query", {"fields": (RUN_QUERY_WHOLE, PARTS, "asked_at", "finished_at")}),
        ("Findings", {"fields": ("reason", "unchecked", RUN_FLAGS)}),
        ("Answer", {"fields": ("source_used", LATENCY, "http_status", "cached", ERROR, ANSWER)}),
        ("Whole answer", {"fields": ("result_length_bytes", "result_sha256", "answer_deleted_at", RUN_OWN_ERROR)}),
    )
    readonly_fields = (RUN_QUERY_WHOLE, PARTS, RUN_FLAGS, LATENCY, ERROR, ANSWER, RUN_OWN_ERROR)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        """A list of runs needs no answers, which may have 256 KiB each; a single one reads its own."""
        rows: QuerySet[Run] = super().get_queryset(request)
        is_list = request.resolver_match is not None and request.resolver_match.url_name == "selftest_run_changelist"
        return rows.defer("result", "error", "own_error", *UNREAD_OF_COMBINATION) if is_list else rows


@admin.register(Combination)
class CombinationAdmin(ReadOnlyAdmin):
    """Combinations with the columns of the specification and their review."""

    list_display = ("id", LAST_QUERY, RECIPE, REVIEW_STATUS, LAST_REASON, TIMES_ASKED, "last_run_timestamp")
    list_filter = (
        recipe_filter("recipe_name"),
        "target",
        check_filter("last_flagged_reason"),
        "currently_flagged",
        "ever_flagged",
        "review_status",
    )
    list_select_related = ("target",)
    search_fields = ("=id", "last_query_text")
    search_help_text = "A combination's number, or words of its last query"
    fieldsets = (
        (None, {"fields": ("target", "recipe_name", FINGERPRINT, PARTS)}),
        ("Review", {"fields": (REVIEW_STATUS, "ever_flagged", "currently_flagged", "review_status", ACTIVITY)}),
        ("First flagged", {"fields": ("first_flagged_timestamp", "first_flagged_reason")}),
        (
            "Last asked",
            {
                "fields": (
                    "last_query_text",
                    "last_run_timestamp",
                    "last_source_used",
                    LAST_LATENCY,
                    "last_flagged_reason",
                    EXCERPT,
                )
            },
        ),
        ("History", {"fields": ("first_seen_timestamp", "times_generated", ALL_RUNS, ALL_FLAGS)}),
    )
    readonly_fields = (FINGERPRINT, PARTS, REVIEW_STATUS, ACTIVITY, LAST_LATENCY, EXCERPT, ALL_RUNS, ALL_FLAGS)


@admin.register(Flag)
class FlagAdmin(ReadOnlyAdmin):
    """Findings with their evidence."""

    list_display = ("id", "check_name", REASON, RUN_NUMBER, "created_at")
    list_filter = (
        check_filter("check_name", is_reason=False),
        recipe_filter("combination__recipe_name"),
        "combination__target",
    )
    search_fields = ("=id", "reason")
    search_help_text = "A finding's number, or words of its reason"
    fieldsets = (
        (None, {"fields": ("check_name", "place", "reason", "run", "combination", "created_at")}),
        ("Evidence", {"fields": (*EVIDENCE, REPRODUCED)}),
    )
    readonly_fields = (*EVIDENCE, REPRODUCED)


@admin.register(Explanation)
class ExplanationAdmin(ReadOnlyAdmin):
    """Findings with an innocent cause, which are not in the queue."""

    list_display = ("id", "check_name", REASON, "cause", "source", RUN_NUMBER, "created_at")
    list_filter = (check_filter("check_name", is_reason=False), "cause", "target")
    search_fields = ("=id", "=source", "reason")
    search_help_text = "An explained finding's number, a source, or words of its reason"
    fieldsets = (
        (None, {"fields": ("check_name", "reason", "cause", "source", "run", "combination", "target", "created_at")}),
        ("Evidence", {"fields": EVIDENCE}),
    )
    readonly_fields = EVIDENCE


@admin.register(Probe)
class ProbeAdmin(ReadOnlyAdmin):
    """Extra requests, each with its whole answer."""

    list_display = ("id", PROBE_TEXT, "purpose", "source", "source_used", "empty_phrase", LATENCY, "asked_at")
    list_filter = ("purpose", "target")
    search_fields = ("=id", "=source", "text")
    search_help_text = "A probe's number, a source, or words of its text"
    fieldsets = (
        (None, {"fields": ("target", "run", "purpose", "source")}),
        ("Request", {"fields": (PROBE_TEXT_WHOLE, "asked_at")}),
        ("Answer", {"fields": ("source_used", "empty_phrase", LATENCY, "http_status", "cached", ERROR, ANSWER)}),
        ("Whole answer", {"fields": ("result_length_bytes", "result_sha256", "answer_deleted_at")}),
    )
    readonly_fields = (PROBE_TEXT_WHOLE, LATENCY, ERROR, ANSWER)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Probe]:
        """As for runs: a list needs no answers."""
        rows: QuerySet[Probe] = super().get_queryset(request)
        is_list = request.resolver_match is not None and request.resolver_match.url_name == "selftest_probe_changelist"
        return rows.defer("result", "error") if is_list else rows


@admin.register(ReviewEvent)
class ReviewEventAdmin(ReadOnlyAdmin):
    """The activity of all combinations: who did what, when and why."""

    list_display = ("at", "kind", "actor", EVENT_COMBINATION, NOTE)
    list_filter = ("kind", recipe_filter("combination__recipe_name"), "combination__target")
    list_select_related = ("combination",)
    search_fields = ("actor", "note")
    search_help_text = "A name, or words of the note"
    fields = ("at", "kind", "actor", "user", "combination", "run", NOTE_WHOLE)
    readonly_fields = (NOTE_WHOLE,)
