"""Which path leads to which page."""

from django.conf import settings
from django.contrib import admin
from django.urls import path, register_converter
from django.views.generic import RedirectView

from review.api import adversarial, v1
from review.api import causes as causes_api
from review.api import comparisons as comparisons_api
from review.api import drift as drift_api
from review.api import evaluation as evaluation_api
from review.api import findings as findings_api
from review.api import health as health_api
from review.api import metrics as metrics_api
from review.api import proposals as proposals_api
from review.api import search as search_api
from review.api import suggestions as suggestions_api
from review.api.document import api_of, patterns_of
from review.page_urls import Numbers
from review.views import (
    activity,
    bulk,
    cause,
    checks,
    combination,
    combinations,
    comparisons,
    cycles,
    documents,
    drift,
    evaluation,
    explained,
    exports,
    finding_examples,
    findings,
    health,
    inbox,
    overview,
    profile,
    queue,
    reasons,
    recipes,
    run,
    saved,
    search,
    search_quality,
    sign_in,
    smallest_queries,
    targets,
    toasts,
)

register_converter(Numbers, "numbers")

handler400 = "review.views.refusal.bad_request"
handler500 = "review.views.refusal.failed"

api = api_of(
    {
        "/adversarial": adversarial.router,
        "": health_api.router,
        "/metrics": metrics_api.router,
        "/api/v1": v1.router,
        "/api/v1/causes": causes_api.router,
        "/api/v1/comparisons": comparisons_api.router,
        "/api/v1/targets": suggestions_api.router,
        "/api/v1/pairs": evaluation_api.pairs_router,
        "/api/v1/reports": evaluation_api.reports_router,
        "/api/v1/drift": drift_api.router,
        "/api/v1/findings": findings_api.router,
        "/api/v1/proposals": proposals_api.router,
        "/v1/search": search_api.router,
        "/v1/advisory-ai": search_api.legacy_router,
    }
)

urlpatterns = [
    path("", inbox.inbox, name="inbox"),
    path("flags", queue.queue, name="queue"),
    path("flags.csv", exports.flags, {"kind": "csv"}, name="flags-csv"),
    path("flags.json", exports.flags, {"kind": "json"}, name="flags-json"),
    path("causes.csv", exports.causes, {"kind": "csv"}, name="causes-csv"),
    path("causes.json", exports.causes, {"kind": "json"}, name="causes-json"),
    path("news", queue.news, name="news"),
    path("views/save", saved.save, name="save-view"),
    path("views/<int:pk>/delete", saved.delete, name="delete-view"),
    path("bulk/rows", bulk.rows, name="bulk-rows"),
    path("bulk/group", bulk.group, name="bulk-group"),
    path("bulk/freeze", bulk.freeze, name="bulk-freeze"),
    path("bulk/<int:pk>", bulk.bulk_act, name="bulk"),
    path("bulk/<int:pk>/apply", bulk.apply, name="apply-bulk"),
    path("bulk/<int:pk>/undo", bulk.undo, name="undo-bulk"),
    path("bulk/<int:pk>/reason", reasons.bulk_act, name="explain-bulk"),
    path("combinations", combinations.combinations, name="combinations"),
    path("combinations/<int:pk>", combination.combination, name="combination"),
    path("combinations/<int:pk>/diff", combination.diff, name="diff"),
    path("combinations/<int:pk>/next", combination.following, name="next"),
    path("combinations/<int:pk>/previous", combination.following, {"backwards": True}, name="previous"),
    path("combinations/<int:pk>/again", combination.run_again, name="run-again"),
    path("combinations/<int:pk>/again/<int:cycle>", combination.asked_again, name="asked-again"),
    path("combinations/<int:pk>/reduce", smallest_queries.start, name="minimise"),
    path("combinations/<int:pk>/reductions/<int:number>", smallest_queries.progress, name="smallest-query"),
    path("combinations/<int:pk>/take", combination.assign, name="take"),
    path("combinations/<int:pk>/release", combination.unassign, name="release"),
    path("combinations/<int:pk>/note", combination.note, name="note"),
    path("combinations/<int:pk>/dismiss", combination.dismiss, name="dismiss"),
    path("combinations/<int:pk>/reason", reasons.combination, name="explain-dismissal"),
    path("combinations/<int:pk>/undismiss", combination.undismiss, name="undismiss"),
    path("causes/judge", inbox.judge_several, name="judge-causes"),
    path("causes/<int:pk>", cause.cause, name="cause"),
    path("causes/<int:pk>/judge", cause.judge, name="judge-cause"),
    path("causes/<int:pk>/reopen", cause.reopen, name="reopen-cause"),
    path("causes/<numbers:pks>/reopen", inbox.reopen_several, name="reopen-causes"),
    path("causes/<numbers:pks>/assign-back", inbox.assign_back, name="assign-causes-back"),
    path("causes/<numbers:pks>/reason", reasons.causes, name="explain-causes"),
    path("causes/<int:pk>/assign", cause.assign, name="assign-cause"),
    path("causes/<int:pk>/note", cause.note, name="note-cause"),
    path("causes/<int:pk>/move", cause.move, name="move-flags"),
    path("causes/<int:pk>/merge", cause.merge, name="merge-cause"),
    path("activity", activity.activity, name="activity"),
    path("checks", checks.checks, name="checks"),
    # Where an earlier version named ingredients that went with flags; causes replace them.
    path("blame", RedirectView.as_view(pattern_name="inbox", query_string=True, permanent=True)),
    path("evaluation", evaluation.pairs, name="evaluation"),
    path("evaluation/pairs/new", evaluation.new, name="new-pair"),
    path("evaluation/pairs/<int:pk>", evaluation.pair, name="pair"),
    path("evaluation/pairs/<int:pk>/edit", evaluation.edit, name="edit-pair"),
    path("evaluation/pairs/<int:pk>/archive", evaluation.archive, name="archive-pair"),
    path("evaluation/pairs/<int:pk>/restore", evaluation.restore, name="restore-pair"),
    path("evaluation/pairs/<int:pk>/rebaseline", evaluation.rebaseline, name="rebaseline-pair"),
    path("evaluation/reports", evaluation.reports, name="reports"),
    path("evaluation/reports/<int:pk>", evaluation.report, name="report"),
    path("explained", explained.explained, name="explained"),
    path("drift", drift.drift, name="drift"),
    path("drift/<int:pk>", drift.series, name="drift-series"),
    path("drift/<int:pk>/reset", drift.reset, name="reset-drift"),
    path("drift/proposals/<int:pk>/accept", drift.accept, name="accept-references"),
    path("drift/proposals/<int:pk>/refuse", drift.refuse, name="refuse-references"),
    path("findings", findings.findings, name="findings"),
    path("findings/new", findings.new, name="new-finding"),
    path("findings/<int:pk>", findings.finding, name="finding"),
    path("findings/<int:pk>/delete", findings.delete, name="delete-finding"),
    path("findings/<int:pk>/example", finding_examples.put, name="put-example"),
    path("findings/<int:pk>/example/remove", finding_examples.drop, name="drop-example"),
    path("findings/acts/<numbers:pks>/undo", findings.undo, name="undo-findings"),
    path("findings/proposals/<int:pk>/accept", findings.accept, name="accept-proposal"),
    path("findings/proposals/<int:pk>/refuse", findings.refuse, name="refuse-proposal"),
    path("comparisons", comparisons.comparisons, name="comparisons"),
    path("comparisons/<int:pk>", comparisons.comparison, name="comparison"),
    path("comparisons/<int:pk>/stop", comparisons.stop, name="stop-comparison"),
    path("cycles", cycles.cycles, name="cycles"),
    path("cycles/run", cycles.run_cycle, name="run-cycle"),
    path("cycles/<int:pk>", cycles.cycle, name="cycle"),
    path("cycles/<int:pk>/line", cycles.line, name="cycle-line"),
    path("cycles/<int:pk>/replay", cycles.replay, name="replay"),
    path("knowledge/docs/<path:path>", documents.own, name="document"),
    path("knowledge/documentation/<int:pk>/<path:path>", documents.of_target, name="target-document"),
    path("recipes", recipes.recipes, name="recipes"),
    path("recipes/<slug:name>", recipes.recipe, name="recipe"),
    path("targets", targets.targets, name="targets"),
    path("targets/<int:pk>", targets.target, name="target"),
    path("targets/<int:pk>/check", targets.check, name="check-target"),
    path("targets/<int:pk>/suggestions", targets.suggestions, name="suggestions"),
    path("search", search.search, name="search"),
    path("search/quality", search_quality.search_quality, name="search-quality"),
    path("search/rate", search.rate, name="rate-result"),
    path("search/note", search.note, name="note-search"),
    path("status", health.health, name="health-page"),
    path("overview", overview.overview, name="overview"),
    path("runs/<int:pk>", run.run, name="run"),
    path("runs/<int:pk>/answer.txt", run.answer, name="answer"),
    path("toasts/close", toasts.close, name="close-toast"),
    path("profile", profile.profile, name="profile"),
    path("profile/password", profile.password, name="profile-password"),
    path("sign-in", sign_in.sign_in, name="sign-in"),
    path("sign-out", sign_in.sign_out, name="sign-out"),
    # The admin's own page would let the current password be guessed at.
    path("admin/password_change/", RedirectView.as_view(pattern_name="profile-password")),
    path("admin/", admin.site.urls),
    # Browsers ask for it on pages that name no icon, as the admin's do.
    path("favicon.ico", RedirectView.as_view(url=f"/{settings.STATIC_URL.strip('/')}/favicon.svg", permanent=True)),
    path("", patterns_of(api)),
]
