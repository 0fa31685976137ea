"""What was recorded: cycles, runs, combinations, flags and their stories. Only read; the review pages act on them."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from selftest.admin.filters import check_filter, recipe_filter
from selftest.admin.readonly import ReadOnlyAdmin
from selftest.admin.shown import as_text, breakable, cut, listing_link, milliseconds
from selftest.models import Combination, Cycle, Explanation, Flag, Probe, ReviewEvent, Run
from selftest.reading.differences import pretty


@admin.register(Cycle)
class CycleAdmin(ReadOnlyAdmin):
    list_display = ("id", "target", "trigger", "state", "started_at", "finished_at", "queries_run", "flagged", "novel")
    list_filter = ("state", "trigger", "target")
    list_select_related = ("target",)
    search_fields = ("=id", "note")
    search_help_text = "A cycle's number, or words of its note"
    fieldsets = (
        (None, {"fields": ("target", "trigger", "state", "note", "its_runs")}),
        ("Counts", {"fields": ("queries_wanted", "queries_run", "flagged", "novel")}),
        ("Times", {"fields": ("created_at", "started_at", "finished_at")}),
        ("To repeat it", {"fields": ("seed", "recipes", "vocabulary", "target_version", "owner")}),
    )
    readonly_fields = ("its_runs",)

    @admin.display(description="runs")
    def its_runs(self, row: Cycle) -> SafeString:
        return listing_link("run", "The runs of this cycle", cycle__id__exact=row.pk)


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ("id", "query_cell", "recipe", "state", "reason_cell", "latency", "asked_at")
    list_filter = ("state", recipe_filter("recipe_name"), "target", check_filter("reason"))
    list_select_related = ("target",)
    search_fields = ("=id", "query_text")
    search_help_text = "A run's number, or words of its query"
    fieldsets = (
        (None, {"fields": ("target", "cycle", "place", "combination", "recipe_name", "state")}),
        ("Asked", {"fields": ("asked", "parts", "asked_at", "finished_at")}),
        ("Found", {"fields": ("reason", "its_flags")}),
        ("Answered", {"fields": ("source_used", "latency", "http_status", "cached", "why_none", "answer")}),
        ("All that came", {"fields": ("result_length_bytes", "result_sha256", "of_ours")}),
    )
    readonly_fields = ("asked", "parts", "its_flags", "latency", "why_none", "answer", "of_ours")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        """A list of runs needs no answers, which may have 256 KiB each; a single one reads its own."""
        rows: QuerySet[Run] = super().get_queryset(request)
        is_list = request.resolver_match is not None and request.resolver_match.url_name == "selftest_run_changelist"
        return rows.defer("result", "error", "own_error", "query") if is_list else rows

    @admin.display(description="query")
    def query_cell(self, row: Run) -> str:
        return cut(row.query_text)

    @admin.display(description="recipe")
    def recipe(self, row: Run) -> SafeString:
        return breakable(row.recipe_name)

    @admin.display(description="reason")
    def reason_cell(self, row: Run) -> str:
        return cut(row.reason)

    @admin.display(description="latency")
    def latency(self, row: Run) -> str:
        return milliseconds(row.latency_ms)

    @admin.display(description="query")
    def asked(self, row: Run) -> SafeString | str:
        return as_text(row.query_text)

    @admin.display(description="its parts")
    def parts(self, row: Run) -> SafeString | str:
        return as_text(_parts(row.query))

    @admin.display(description="findings")
    def its_flags(self, row: Run) -> SafeString:
        return listing_link("flag", "The findings of this run", run__id__exact=row.pk)

    @admin.display(description="error")
    def why_none(self, row: Run) -> SafeString | str:
        return as_text(row.error)

    @admin.display(description="answer, as it came")
    def answer(self, row: Run) -> SafeString | str:
        return as_text(row.result)

    @admin.display(description="failure of Gadfly")
    def of_ours(self, row: Run) -> SafeString | str:
        return as_text(row.own_error)


@admin.register(Combination)
class CombinationAdmin(ReadOnlyAdmin):
    list_display = ("id", "query_cell", "recipe", "review", "reason_cell", "times", "last_run_timestamp")
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
        (None, {"fields": ("target", "recipe_name", "fingerprint_whole", "parts")}),
        ("Review", {"fields": ("review", "ever_flagged", "currently_flagged", "review_status", "its_story")}),
        ("First flagged", {"fields": ("first_flagged_timestamp", "first_flagged_reason")}),
        (
            "Last asked",
            {
                "fields": (
                    "last_query_text",
                    "last_run_timestamp",
                    "last_source_used",
                    "last_latency",
                    "last_flagged_reason",
                    "excerpt",
                )
            },
        ),
        ("History", {"fields": ("first_seen_timestamp", "times_generated", "its_runs", "its_flags")}),
    )
    readonly_fields = (
        "fingerprint_whole",
        "parts",
        "review",
        "its_story",
        "last_latency",
        "excerpt",
        "its_runs",
        "its_flags",
    )

    @admin.display(description="last query")
    def query_cell(self, row: Combination) -> str:
        return cut(row.last_query_text)

    @admin.display(description="recipe")
    def recipe(self, row: Combination) -> SafeString:
        return breakable(row.recipe_name)

    @admin.display(description="asked")
    def times(self, row: Combination) -> str:
        return f"{row.times_generated}×"

    @admin.display(description="last reason")
    def reason_cell(self, row: Combination) -> str:
        return cut(row.last_flagged_reason)

    @admin.display(description="review")
    def review(self, row: Combination) -> str:
        if not row.ever_flagged:
            return "never flagged"
        return "dismissed" if row.review_status == Combination.ReviewStatus.DISMISSED else "in the queue"

    @admin.display(description="fingerprint")
    def fingerprint_whole(self, row: Combination) -> SafeString | str:
        return as_text(row.fingerprint)

    @admin.display(description="its parts")
    def parts(self, row: Combination) -> SafeString | str:
        return as_text(_parts(row.query))

    @admin.display(description="last latency")
    def last_latency(self, row: Combination) -> str:
        return milliseconds(row.last_latency_ms)

    @admin.display(description="excerpt of the last flagged answer")
    def excerpt(self, row: Combination) -> SafeString | str:
        return as_text(row.last_flagged_result_excerpt)

    @admin.display(description="story")
    def its_story(self, row: Combination) -> SafeString:
        return listing_link("reviewevent", "What happened to it", combination__id__exact=row.pk)

    @admin.display(description="runs")
    def its_runs(self, row: Combination) -> SafeString:
        return listing_link("run", "All its runs", combination__id__exact=row.pk)

    @admin.display(description="findings")
    def its_flags(self, row: Combination) -> SafeString:
        return listing_link("flag", "All its findings", combination__id__exact=row.pk)


@admin.register(Flag)
class FlagAdmin(ReadOnlyAdmin):
    list_display = ("id", "check_name", "reason_cell", "run_number", "created_at")
    list_filter = (
        check_filter("check_name", is_reason=False),
        recipe_filter("combination__recipe_name"),
        "combination__target",
    )
        check_filter("check_name", is_reason=False),
        recipe_filter("combination__recipe_name"),
        "combination__target",
    )
    search_fields = ("=id", "reason")
    search_help_text = "A finding's number, or words of its reason"
    fieldsets = (
        (None, {"fields": ("check_name", "place", "reason", "run", "combination", "created_at")}),
        ("Evidence", {"fields": ("promised", "seen", "where", "asked_besides")}),
        ("Asked again at once", {"fields": ("asked_again", "seen_again")}),
    )
    readonly_fields = ("promised", "seen", "where", "asked_besides")

    @admin.display(description="reason")
    def reason_cell(self, row: Flag) -> str:
        return cut(row.reason)

    @admin.display(description="asked besides")
    def asked_besides(self, row: Flag) -> SafeString | str:
        return _evidence(row, "asked")

    @admin.display(description="run")
    def run_number(self, row: Flag) -> int:
        return row.run_id

    @admin.display(description="promised")
    def promised(self, row: Flag) -> SafeString | str:
        return _evidence(row, "promised")

    @admin.display(description="seen")
    def seen(self, row: Flag) -> SafeString | str:
        return _evidence(row, "seen")

    @admin.display(description="where")
    def where(self, row: Flag) -> SafeString | str:
        return _evidence(row, "where")


@admin.register(Explanation)
class ExplanationAdmin(ReadOnlyAdmin):
    list_display = ("id", "check_name", "reason_cell", "cause", "source", "run_number", "created_at")
    list_filter = (check_filter("check_name", is_reason=False), "cause", "target")
    search_fields = ("=id", "=source", "reason")
    search_help_text = "An explained finding's number, a source, or words of its reason"
    fieldsets = (
        (None, {"fields": ("check_name", "reason", "cause", "source", "run", "combination", "target", "created_at")}),
        ("Evidence", {"fields": ("promised", "seen", "where", "asked_besides")}),
    )
    readonly_fields = ("promised", "seen", "where", "asked_besides")

    @admin.display(description="reason")
    def reason_cell(self, row: Explanation) -> str:
        return cut(row.reason)

    @admin.display(description="run")
    def run_number(self, row: Explanation) -> int:
        return row.run_id

    @admin.display(description="promised")
    def promised(self, row: Explanation) -> SafeString | str:
        return _evidence(row, "promised")

    @admin.display(description="seen")
    def seen(self, row: Explanation) -> SafeString | str:
        return _evidence(row, "seen")

    @admin.display(description="where")
    def where(self, row: Explanation) -> SafeString | str:
        return _evidence(row, "where")

    @admin.display(description="asked besides")
    def asked_besides(self, row: Explanation) -> SafeString | str:
        return _evidence(row, "asked")


@admin.register(Probe)
class ProbeAdmin(ReadOnlyAdmin):
    list_display = ("id", "text_cell", "purpose", "source", "source_used", "empty_phrase", "latency", "asked_at")
    list_filter = ("purpose", "target")
    search_fields = ("=id", "=source", "text")
    search_help_text = "A probe's number, a source, or words of what was asked"
    fieldsets = (
        (None, {"fields": ("target", "run", "purpose", "source")}),
        ("Asked", {"fields": ("asked", "asked_at")}),
        (
            "Answered",
            {"fields": ("source_used", "empty_phrase", "latency", "http_status", "cached", "why_none", "answer")},
        ),
        ("All that came", {"fields": ("result_length_bytes", "result_sha256")}),
    )
    readonly_fields = ("asked", "latency", "why_none", "answer")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Probe]:
        """As for runs: a list needs no answers."""
        rows: QuerySet[Probe] = super().get_queryset(request)
        is_list = request.resolver_match is not None and request.resolver_match.url_name == "selftest_probe_changelist"
        return rows.defer("result", "error") if is_list else rows

    @admin.display(description="asked")
    def text_cell(self, row: Probe) -> str:
        return cut(row.text)

    @admin.display(description="text")
    def asked(self, row: Probe) -> SafeString | str:
        return as_text(row.text)

    @admin.display(description="latency")
    def latency(self, row: Probe) -> str:
        return milliseconds(row.latency_ms)

    @admin.display(description="error")
    def why_none(self, row: Probe) -> SafeString | str:
        return as_text(row.error)

    @admin.display(description="answer, as it came")
    def answer(self, row: Probe) -> SafeString | str:
        return as_text(row.result)


@admin.register(ReviewEvent)
class ReviewEventAdmin(ReadOnlyAdmin):
    list_display = ("at", "kind", "actor", "combination_cell", "note_cell")
    list_filter = ("kind", recipe_filter("combination__recipe_name"), "combination__target")
    list_select_related = ("combination",)
    search_fields = ("actor", "note")
    search_help_text = "Who, or words of the note"
    fields = ("at", "kind", "actor", "user", "combination", "run", "note_whole")
    readonly_fields = ("note_whole",)

    @admin.display(description="combination")
    def combination_cell(self, row: ReviewEvent) -> str:
        return cut(row.combination.last_query_text)

    @admin.display(description="note")
    def note_cell(self, row: ReviewEvent) -> str:
        return cut(row.note)

    @admin.display(description="note")
    def note_whole(self, row: ReviewEvent) -> SafeString | str:
        return as_text(row.note)


def _evidence(row: Flag | Explanation, key: str) -> SafeString | str:
    value = row.evidence.get(key, "")
    return as_text(value if isinstance(value, str) else pretty(value))


def _parts(query: dict[str, Any]) -> str:
    """One line a part: what it is, what it says and, where it stands for one, its source."""
    parts = query.get("parts", ())
    return "\n".join(f"{kind}: {text!r}" + (f" → {source}" if source else "") for kind, text, source in parts)
