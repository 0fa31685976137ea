"""Who gets what from every address: one line for each, with a status for each method and identity.

The columns are IDENTITIES in `tests/review/every_address.py`. door: sent to sign in. What POST sends along is right, so
that nothing but a missing permission refuses it.
"""

from dataclasses import dataclass
from typing import Any

from tests.review.every_address import IDENTITIES, METHODS, PASSWORD

Kind = dict[str, list[str]]
NO = "405   405   405   405   405    405     405    405"


def kind(get: str, post: str, rest: str = NO, **others: str) -> Kind:
    """By method. HEAD is like GET, and what no word is said of like `rest`."""
    said = {"GET": get, "HEAD": get, "POST": post} | {name.upper(): statuses for name, statuses in others.items()}
    made = {method: said.get(method, rest).split() for method in METHODS}
    assert all(len(statuses) == len(IDENTITIES) for statuses in made.values())
    return made


@dataclass(frozen=True)
class Line:
    """rows: for each argument of the route, a row of the installation. form: what POST sends.

    page_form: the form as its page shows it is sent, changed by `form`. is_json: the form is a JSON document.
    """

    kind: Kind
    rows: str = ""
    form: Any = None
    page_form: bool = False
    is_json: bool = False


# ---- anonymous, wrong key, key, no role, viewer, reviewer, admin, superuser ----

# Pages: read by anyone with a role.
READ = "door  door  door  403   200    200     200    200"
READ_ON = "door  door  door  403   302    302     302    302"
DONE = "door  door  door  403   403    302     302    302"
PAGE = kind(READ, NO)
FORM = kind("door  door  door  403   403    200     200    200", DONE)
PAGE_LEADS_ON = kind(READ_ON, NO)  # without htmx to the page that it is a part of
ACT = kind(NO, DONE)
ADMIN_ACT = kind(NO, "door  door  door  403   403    403     302    302")
SAVED_VIEW = kind(NO, READ_ON)  # one's own, so a viewer has some too
NOTE = kind(NO, "door  door  door  403   204    204     204    204")  # what a script tells; nothing is shown
CHECK = kind(READ_ON, "door  door  door  403   403    200     200    200")
# Anyone signed in, with a role or without.
OWN = "door  door  door  302   302    302     302    302"
PROFILE = kind("door  door  door  200   200    200     200    200", OWN)
CLOSE_TOAST = kind(NO, OWN)
SIGN_OUT = kind(NO, "door  door  door  door  door   door    door   door", options="200 " * 8)
# A person who is signed in already is sent to the queue. Django takes a PUT for a POST; it has no fields.
SIGN_IN = kind(
    "200   200   200   302   302    302     302    302",
    "302   302   302   302   302    302     302    302",
    "405   405   405   302   302    302     302    302",
    put="200   200   200   302   302    302     302    302",
    options="200   200   200   302   302    302     302    302",
)
ANYONE_LEADS_ON = "302   302   302   302   302    302     302    302"
MOVED = kind(ANYONE_LEADS_ON, ANYONE_LEADS_ON, ANYONE_LEADS_ON)
GONE = kind("301 " * 8, "301 " * 8, "301 " * 8)  # to its new address

# The admin: everyone else is sent to its door. It takes most other methods for a GET.
STAFF_READS = "door  door  door  door  door   door    200    200"
STAFF_DONE = "door  door  door  door  door   door    302    302"
STAFF_REFUSED = "door  door  door  door  door   door    403    403"
STAFF_NO = "door  door  door  door  door   door    405    405"
STAFF_NOTHING = "door  door  door  door  door   door    404    404"
SUPERUSER_READS = "door  door  door  door  door   door    403    200"
SUPERUSER_DONE = "door  door  door  door  door   door    403    302"
ADMIN_PAGE = kind(STAFF_READS, STAFF_READS, STAFF_READS)
ADMIN_FORM = kind(STAFF_READS, STAFF_DONE, STAFF_READS)
ADMIN_RECORD = kind(STAFF_READS, STAFF_REFUSED, STAFF_READS)  # read only
ADMIN_NEVER = kind(STAFF_REFUSED, STAFF_REFUSED, STAFF_REFUSED)
ADMIN_LEADS_ON = kind(STAFF_DONE, STAFF_DONE, STAFF_DONE)
ADMIN_CONNECTION = kind(STAFF_DONE, STAFF_READS, STAFF_DONE)
ADMIN_NOTHING = kind(STAFF_NOTHING, STAFF_NOTHING, STAFF_NOTHING)
ADMIN_READ = kind(STAFF_READS, STAFF_NO, STAFF_NO, options=STAFF_READS)
ADMIN_AUTOCOMPLETE = kind(STAFF_REFUSED, STAFF_NO, STAFF_NO, options=STAFF_READS)  # of no field
ADMIN_ROLE = kind(STAFF_READS, SUPERUSER_DONE, STAFF_READS)
SUPERUSER_PAGE = kind(SUPERUSER_READS, SUPERUSER_READS, SUPERUSER_READS)
SUPERUSER_FORM = kind(SUPERUSER_READS, SUPERUSER_DONE, SUPERUSER_READS)
SUPERUSER_RECORD = kind(SUPERUSER_READS, STAFF_REFUSED, SUPERUSER_READS)
ADMIN_LOGIN = kind(
    "200   200   200   200   200    200     302    302",
    "302   302   302   302   302    302     302    302",
    "405   405   405   405   405    405     405    405",
    head="200 " * 8,
    put="200 " * 8,
    options="200 " * 8,
)
ADMIN_LOGOUT = kind(
    "302   302   302   302   302    302     405    405",
    "302   302   302   302   302    302     door   door",
    "302   302   302   302   302    302     405    405",
    options="302   302   302   302   302    302     200    200",
)

# The API: no HEAD, and 401 instead of a door.
API_READS = "401   401   200   403   200    200     200    200"
API_DONE = "401   401   200   403   403    200     200    200"
API_READ = kind(API_READS, NO, head=NO)
API_DOCUMENT = kind(API_READS, NO)
API_ACT = kind(NO, API_DONE)
API_MADE = "401   401   201   403   403    201     201    201"
API_READ_OR_ADD = kind(API_READS, API_MADE, head=NO)
API_ACT_OR_DELETE = kind(NO, API_DONE, delete=API_DONE)
API_READ_OR_DELETE = kind(API_READS, NO, head=NO, delete=API_DONE)
API_ASK = kind(NO, API_READS)  # of search: a POST that any role may send
API_ADMIN_ACT = kind(NO, "401   401   200   403   403    403     200    200")
# One's own history; a key has none.
API_OWNS = "401   401   403   403   200    200     200    200"
API_OWN = kind(API_OWNS, NO, head=NO, delete=API_OWNS)
API_OPEN = kind("200 " * 8, NO, head=NO)

CHANGE_PASSWORD = {"old_password": PASSWORD, "new_password1": "quite another one", "new_password2": "quite another one"}
SET_PASSWORD = {"usable_password": "true", "password1": "quite another one", "password2": "quite another one"}
ADD_USER = {"username": "nell", "role": "admin", **SET_PASSWORD}
ADD_TARGET = {"name": "another", "kind": "http", "base_url": "http://127.0.0.1:9"}
ADD_CHANNEL = {"name": "another", "kind": "apprise", "new_url": "json://127.0.0.1:9/"}
EACH = {"items": [{"fingerprint": "{fingerprint}"}]}

TABLE: dict[str, Line] = {
    "/": Line(PAGE),
    "/flags": Line(PAGE),
    "/flags.csv": Line(PAGE),
    "/flags.json": Line(PAGE),
    "/causes.csv": Line(PAGE),
    "/causes.json": Line(PAGE),
    "/causes/judge": Line(ACT, form={"verdict": "accepted", "row": "{cause}:9"}),
    "/causes/<int:pk>": Line(PAGE, "cause"),
    "/causes/<int:pk>/judge": Line(ACT, "cause", form={"verdict": "accepted", "seen_flags": "9"}),
    "/causes/<int:pk>/reopen": Line(ACT, "cause"),
    "/causes/<numbers:pks>/reopen": Line(ACT, "cause"),
    "/causes/<numbers:pks>/reason": Line(ACT, "cause", form={"reason": "seen before"}),
    "/causes/<numbers:pks>/assign-back": Line(ACT, "cause"),
    "/causes/<int:pk>/assign": Line(ACT, "cause", form={"assignee": "reviewer"}),
    "/causes/<int:pk>/note": Line(ACT, "cause", form={"note": "seen before"}),
    "/causes/<int:pk>/move": Line(ACT, "cause"),
    "/causes/<int:pk>/merge": Line(ACT, "cause", form={"into": "{cause}"}),
    "/news": Line(PAGE_LEADS_ON),
    "/views/save": Line(SAVED_VIEW, form={"name": "Looms"}),
    "/views/<int:pk>/delete": Line(SAVED_VIEW, "view"),
    "/bulk/rows": Line(ACT, form={"act": "dismiss", "row": "{combination}:{run}"}),
    "/bulk/group": Line(ACT, form={"act": "dismiss", "count": "1", "key_sum": "{combination}", "seen_run": "{run}"}),
    "/bulk/freeze": Line(ACT, form={"act": "dismiss"}),
    "/bulk/<int:pk>": Line(PAGE, "act"),
    "/bulk/<int:pk>/apply": Line(ACT, "act"),
    "/bulk/<int:pk>/undo": Line(ACT, "act"),
    "/bulk/<int:pk>/reason": Line(ACT, "act", form={"reason": "seen before"}),
    "/combinations": Line(PAGE),
    "/combinations/<int:pk>": Line(PAGE, "combination"),
    "/combinations/<int:pk>/diff": Line(PAGE, "combination"),
    "/combinations/<int:pk>/next": Line(PAGE_LEADS_ON, "combination"),
    "/combinations/<int:pk>/previous": Line(PAGE_LEADS_ON, "combination"),
    "/combinations/<int:pk>/again": Line(ACT, "combination"),
    "/combinations/<int:pk>/again/<int:cycle>": Line(PAGE_LEADS_ON, "combination asking"),
    "/combinations/<int:pk>/reduce": Line(ACT, "combination"),
    "/combinations/<int:pk>/reductions/<int:number>": Line(PAGE_LEADS_ON, "combination reduction"),
    "/combinations/<int:pk>/take": Line(ACT, "combination"),
    "/combinations/<int:pk>/release": Line(ACT, "combination"),
    "/combinations/<int:pk>/note": Line(ACT, "combination", form={"note": "seen before"}),
    "/combinations/<int:pk>/dismiss": Line(ACT, "combination", form={"seen_run": "{run}"}),
    "/combinations/<int:pk>/reason": Line(ACT, "combination", form={"reason": "seen before"}),
    "/combinations/<int:pk>/undismiss": Line(ACT, "combination"),
    "/activity": Line(PAGE),
    "/checks": Line(PAGE),
    "/blame": Line(GONE),
    "/explained": Line(PAGE),
    "/comparisons": Line(
        kind(READ, "door  door  door  403   403    200     200    200"), form={"against": "reference"}
    ),
    "/comparisons/<int:pk>": Line(PAGE, "comparison"),
    "/comparisons/<int:pk>/stop": Line(ACT, "comparison"),
    "/evaluation": Line(PAGE),
    "/evaluation/pairs/new": Line(FORM, form={"name": "another", "query": "weather", "kind": "happy"}),
    "/evaluation/pairs/<int:pk>": Line(PAGE, "pair"),
    "/evaluation/pairs/<int:pk>/edit": Line(FORM, "pair", form={"query": "weather", "kind": "happy", "seen": "1"}),
    "/evaluation/pairs/<int:pk>/archive": Line(ACT, "pair", form={"seen": "1"}),
    "/evaluation/pairs/<int:pk>/restore": Line(ACT, "pair", form={"seen": "1"}),
    "/evaluation/pairs/<int:pk>/rebaseline": Line(ACT, "pair", form={"seen": "1"}),
    "/evaluation/reports": Line(PAGE),
    "/evaluation/reports/<int:pk>": Line(PAGE, "report"),
    "/search": Line(PAGE),
    "/search/quality": Line(PAGE),
    "/search/rate": Line(SAVED_VIEW, form={"q": "backup", "id": "docs:1", "kind": "docs", "rating": "up"}),
    "/search/note": Line(NOTE, form={"id": "docs:1"}),
    "/drift": Line(PAGE),
    "/drift/<int:pk>": Line(PAGE, "drift_series"),
    "/drift/<int:pk>/reset": Line(ADMIN_ACT, "drift_series", form={"reason": "seen before"}),
    "/drift/proposals/<int:pk>/accept": Line(ADMIN_ACT, "drift_proposal"),
    "/drift/proposals/<int:pk>/refuse": Line(ADMIN_ACT, "drift_proposal"),
    "/findings": Line(PAGE),
    "/findings/new": Line(FORM, form={"content": "seen before", "category": "notes"}),
    "/findings/<int:pk>": Line(PAGE, "finding"),
    "/knowledge/docs/<path:path>": Line(PAGE, "own_document"),
    "/knowledge/documentation/<int:pk>/<path:path>": Line(PAGE, "documentation target_document"),
    "/findings/<int:pk>/delete": Line(ACT, "finding"),
    "/findings/<int:pk>/example": Line(ACT, "claim", form={"query": "rss", "expect": "phrase", "named": "rss"}),
    "/findings/<int:pk>/example/remove": Line(ACT, "claim"),
    "/findings/acts/<numbers:pks>/undo": Line(ACT, "finding_act"),
    "/findings/proposals/<int:pk>/accept": Line(ACT, "proposal"),
    "/findings/proposals/<int:pk>/refuse": Line(ACT, "proposal"),
    "/cycles": Line(PAGE),
    "/cycles/run": Line(ACT),
    "/cycles/<int:pk>": Line(PAGE, "cycle"),
    "/cycles/<int:pk>/line": Line(PAGE_LEADS_ON, "cycle"),
    "/cycles/<int:pk>/replay": Line(ACT, "cycle"),
    "/recipes": Line(PAGE),
    "/recipes/<slug:name>": Line(PAGE, "recipe"),
    "/targets": Line(PAGE),
    "/targets/<int:pk>": Line(PAGE, "target"),
    "/targets/<int:pk>/check": Line(CHECK, "target"),
    "/targets/<int:pk>/suggestions": Line(
        kind(READ_ON, DONE), "target", form={"act": "refuse", "selected": "{suggestion}"}
    ),
    "/status": Line(PAGE),
    "/overview": Line(PAGE),
    "/runs/<int:pk>": Line(PAGE, "run"),
    "/runs/<int:pk>/answer.txt": Line(PAGE, "run"),
    "/toasts/close": Line(CLOSE_TOAST),
    "/profile": Line(PROFILE, form={"theme": "dark"}),
    "/profile/password": Line(PROFILE, form=CHANGE_PASSWORD),
    "/sign-in": Line(SIGN_IN, form={"username": "viewer", "password": PASSWORD}),
    "/sign-out": Line(SIGN_OUT),
    "/admin/password_change/": Line(MOVED),
    "/admin/": Line(ADMIN_PAGE),
    "/admin/login/": Line(ADMIN_LOGIN, form={"username": "superuser", "password": PASSWORD}),
    "/admin/logout/": Line(ADMIN_LOGOUT),
    "/admin/password_change/done/": Line(ADMIN_READ),
    "/admin/autocomplete/": Line(ADMIN_AUTOCOMPLETE),
    "/admin/jsi18n/": Line(ADMIN_READ),
    "/admin/r/<path:content_type_id>/<path:object_id>/": Line(ADMIN_NOTHING, "content_type target"),
    "/admin/evaluation/suggestion/": Line(ADMIN_PAGE),
    "/admin/evaluation/suggestion/add/": Line(ADMIN_NEVER),
    "/admin/evaluation/suggestion/<path:object_id>/history/": Line(ADMIN_PAGE, "suggestion"),
    "/admin/evaluation/suggestion/<path:object_id>/delete/": Line(ADMIN_NEVER, "suggestion"),
    "/admin/evaluation/suggestion/<path:object_id>/change/": Line(ADMIN_RECORD, "suggestion"),
    "/admin/evaluation/suggestion/<path:object_id>/": Line(ADMIN_LEADS_ON, "suggestion"),
    "/admin/evaluation/vocabularygrowth/^([^/]+)/history/([^/]+)/$": Line(ADMIN_NOTHING, "growth growth_history"),
    "/admin/evaluation/vocabularygrowth/": Line(ADMIN_PAGE),
    "/admin/evaluation/vocabularygrowth/add/": Line(
        ADMIN_FORM,
        form={"target": "{other_target}", "model_url": "http://127.0.0.1:9/v1", "model_name": "tiny"},
        page_form=True,
    ),
    "/admin/evaluation/vocabularygrowth/<path:object_id>/history/": Line(ADMIN_PAGE, "growth"),
    "/admin/evaluation/vocabularygrowth/<path:object_id>/delete/": Line(ADMIN_FORM, "growth", form={"post": "yes"}),
    "/admin/evaluation/vocabularygrowth/<path:object_id>/change/": Line(ADMIN_FORM, "growth", form={}, page_form=True),
    "/admin/evaluation/vocabularygrowth/<path:object_id>/": Line(ADMIN_LEADS_ON, "growth"),
    "/admin/evaluation/comparison/": Line(ADMIN_PAGE),
    "/admin/evaluation/comparison/add/": Line(ADMIN_NEVER),
    "/admin/evaluation/comparison/<path:object_id>/history/": Line(ADMIN_PAGE, "comparison"),
    "/admin/evaluation/comparison/<path:object_id>/delete/": Line(ADMIN_NEVER, "comparison"),
    "/admin/evaluation/comparison/<path:object_id>/change/": Line(ADMIN_RECORD, "comparison"),
    "/admin/evaluation/comparison/<path:object_id>/": Line(ADMIN_LEADS_ON, "comparison"),
    "/admin/evaluation/goldenpair/": Line(ADMIN_PAGE),
    "/admin/evaluation/goldenpair/add/": Line(ADMIN_NEVER),
    "/admin/evaluation/goldenpair/<path:object_id>/history/": Line(ADMIN_PAGE, "pair"),
    "/admin/evaluation/goldenpair/<path:object_id>/delete/": Line(ADMIN_NEVER, "pair"),
    "/admin/evaluation/goldenpair/<path:object_id>/change/": Line(ADMIN_RECORD, "pair"),
    "/admin/evaluation/goldenpair/<path:object_id>/": Line(ADMIN_LEADS_ON, "pair"),
    "/admin/evaluation/pairversion/": Line(ADMIN_PAGE),
    "/admin/evaluation/pairversion/add/": Line(ADMIN_NEVER),
    "/admin/evaluation/pairversion/<path:object_id>/history/": Line(ADMIN_PAGE, "pair_version"),
    "/admin/evaluation/pairversion/<path:object_id>/delete/": Line(ADMIN_NEVER, "pair_version"),
    "/admin/evaluation/pairversion/<path:object_id>/change/": Line(ADMIN_RECORD, "pair_version"),
    "/admin/evaluation/pairversion/<path:object_id>/": Line(ADMIN_LEADS_ON, "pair_version"),
    "/admin/evaluation/report/": Line(ADMIN_PAGE),
    "/admin/evaluation/report/add/": Line(ADMIN_NEVER),
    "/admin/evaluation/report/<path:object_id>/history/": Line(ADMIN_PAGE, "report"),
    "/admin/evaluation/report/<path:object_id>/delete/": Line(ADMIN_NEVER, "report"),
    "/admin/evaluation/report/<path:object_id>/change/": Line(ADMIN_RECORD, "report"),
    "/admin/evaluation/report/<path:object_id>/": Line(ADMIN_LEADS_ON, "report"),
    "/admin/evaluation/goldenset/": Line(ADMIN_PAGE),
    "/admin/evaluation/goldenset/add/": Line(ADMIN_FORM, form={"name": "another"}),
    "/admin/evaluation/goldenset/<path:object_id>/history/": Line(ADMIN_PAGE, "golden_set"),
    "/admin/evaluation/goldenset/<path:object_id>/delete/": Line(ADMIN_FORM, "golden_set", form={"post": "yes"}),
    "/admin/evaluation/goldenset/<path:object_id>/change/": Line(ADMIN_FORM, "golden_set", form={}, page_form=True),
    "/admin/evaluation/goldenset/<path:object_id>/": Line(ADMIN_LEADS_ON, "golden_set"),
    "/admin/evaluation/evaluationsettings/^history/$": Line(ADMIN_PAGE),
    "/admin/evaluation/evaluationsettings/^$": Line(ADMIN_FORM, form={}, page_form=True),
    "/admin/evaluation/evaluationsettings/^([^/]+)/history/([^/]+)/$": Line(
        ADMIN_NOTHING, "evaluation_settings evaluation_settings_history"
    ),
    "/admin/evaluation/evaluationsettings/": Line(ADMIN_PAGE),
    "/admin/evaluation/evaluationsettings/add/": Line(ADMIN_NEVER),
    "/admin/evaluation/evaluationsettings/<path:object_id>/history/": Line(ADMIN_PAGE, "evaluation_settings"),
    "/admin/evaluation/evaluationsettings/<path:object_id>/delete/": Line(ADMIN_NEVER, "evaluation_settings"),
    "/admin/evaluation/evaluationsettings/<path:object_id>/change/": Line(
        ADMIN_FORM, "evaluation_settings", form={}, page_form=True
    ),
    "/admin/evaluation/evaluationsettings/<path:object_id>/": Line(ADMIN_LEADS_ON, "evaluation_settings"),
    "/admin/evaluation/driftseries/": Line(ADMIN_PAGE),
    "/admin/evaluation/driftseries/add/": Line(ADMIN_NEVER),
    "/admin/evaluation/driftseries/<path:object_id>/history/": Line(ADMIN_PAGE, "drift_series"),
    "/admin/evaluation/driftseries/<path:object_id>/delete/": Line(ADMIN_NEVER, "drift_series"),
    "/admin/evaluation/driftseries/<path:object_id>/change/": Line(ADMIN_RECORD, "drift_series"),
    "/admin/evaluation/driftseries/<path:object_id>/": Line(ADMIN_LEADS_ON, "drift_series"),
    "/admin/evaluation/driftalert/": Line(ADMIN_PAGE),
    "/admin/evaluation/driftalert/add/": Line(ADMIN_NEVER),
    "/admin/evaluation/driftalert/<path:object_id>/history/": Line(ADMIN_PAGE, "drift_alert"),
    "/admin/evaluation/driftalert/<path:object_id>/delete/": Line(ADMIN_NEVER, "drift_alert"),
    "/admin/evaluation/driftalert/<path:object_id>/change/": Line(ADMIN_RECORD, "drift_alert"),
    "/admin/evaluation/driftalert/<path:object_id>/": Line(ADMIN_LEADS_ON, "drift_alert"),
    "/admin/evaluation/driftproposal/": Line(ADMIN_PAGE),
    "/admin/evaluation/driftproposal/add/": Line(ADMIN_NEVER),
    "/admin/evaluation/driftproposal/<path:object_id>/history/": Line(ADMIN_PAGE, "drift_proposal"),
    "/admin/evaluation/driftproposal/<path:object_id>/delete/": Line(ADMIN_NEVER, "drift_proposal"),
    "/admin/evaluation/driftproposal/<path:object_id>/change/": Line(ADMIN_RECORD, "drift_proposal"),
    "/admin/evaluation/driftproposal/<path:object_id>/": Line(ADMIN_LEADS_ON, "drift_proposal"),
    "/admin/evaluation/driftevent/": Line(ADMIN_PAGE),
    "/admin/evaluation/driftevent/add/": Line(ADMIN_NEVER),
    "/admin/evaluation/driftevent/<path:object_id>/history/": Line(ADMIN_PAGE, "drift_event"),
    "/admin/evaluation/driftevent/<path:object_id>/delete/": Line(ADMIN_NEVER, "drift_event"),
    "/admin/evaluation/driftevent/<path:object_id>/change/": Line(ADMIN_RECORD, "drift_event"),
    "/admin/evaluation/driftevent/<path:object_id>/": Line(ADMIN_LEADS_ON, "drift_event"),
    "/admin/findings/finding/": Line(ADMIN_PAGE),
    "/admin/findings/finding/add/": Line(ADMIN_NEVER),
    "/admin/findings/finding/<path:object_id>/history/": Line(ADMIN_PAGE, "finding"),
    "/admin/findings/finding/<path:object_id>/delete/": Line(ADMIN_NEVER, "finding"),
    "/admin/findings/finding/<path:object_id>/change/": Line(ADMIN_RECORD, "finding"),
    "/admin/findings/finding/<path:object_id>/": Line(ADMIN_LEADS_ON, "finding"),
    "/admin/findings/act/": Line(ADMIN_PAGE),
    "/admin/findings/act/add/": Line(ADMIN_NEVER),
    "/admin/findings/act/<path:object_id>/history/": Line(ADMIN_PAGE, "finding_act"),
    "/admin/findings/act/<path:object_id>/delete/": Line(ADMIN_NEVER, "finding_act"),
    "/admin/findings/act/<path:object_id>/change/": Line(ADMIN_RECORD, "finding_act"),
    "/admin/findings/act/<path:object_id>/": Line(ADMIN_LEADS_ON, "finding_act"),
    "/admin/findings/proposal/": Line(ADMIN_PAGE),
    "/admin/findings/proposal/add/": Line(ADMIN_NEVER),
    "/admin/findings/proposal/<path:object_id>/history/": Line(ADMIN_PAGE, "proposal"),
    "/admin/findings/proposal/<path:object_id>/delete/": Line(ADMIN_NEVER, "proposal"),
    "/admin/findings/proposal/<path:object_id>/change/": Line(ADMIN_RECORD, "proposal"),
    "/admin/findings/proposal/<path:object_id>/": Line(ADMIN_LEADS_ON, "proposal"),
    "/admin/findings/example/": Line(ADMIN_PAGE),
    "/admin/findings/example/add/": Line(ADMIN_NEVER),
    "/admin/findings/example/<path:object_id>/history/": Line(ADMIN_PAGE, "example"),
    "/admin/findings/example/<path:object_id>/delete/": Line(ADMIN_NEVER, "example"),
    "/admin/findings/example/<path:object_id>/change/": Line(ADMIN_RECORD, "example"),
    "/admin/findings/example/<path:object_id>/": Line(ADMIN_LEADS_ON, "example"),
    "/admin/findings/examplecheck/": Line(ADMIN_PAGE),
    "/admin/findings/examplecheck/add/": Line(ADMIN_NEVER),
    "/admin/findings/examplecheck/<path:object_id>/history/": Line(ADMIN_PAGE, "example_check"),
    "/admin/findings/examplecheck/<path:object_id>/delete/": Line(ADMIN_NEVER, "example_check"),
    "/admin/findings/examplecheck/<path:object_id>/change/": Line(ADMIN_RECORD, "example_check"),
    "/admin/findings/examplecheck/<path:object_id>/": Line(ADMIN_LEADS_ON, "example_check"),
    "/admin/findings/findingsettings/^history/$": Line(ADMIN_PAGE),
    "/admin/findings/findingsettings/^$": Line(ADMIN_FORM, form={}, page_form=True),
    "/admin/findings/findingsettings/^([^/]+)/history/([^/]+)/$": Line(
        ADMIN_NOTHING, "finding_settings finding_settings_history"
    ),
    "/admin/findings/findingsettings/": Line(ADMIN_PAGE),
    "/admin/findings/findingsettings/add/": Line(ADMIN_NEVER),
    "/admin/findings/findingsettings/<path:object_id>/history/": Line(ADMIN_PAGE, "finding_settings"),
    "/admin/findings/findingsettings/<path:object_id>/delete/": Line(ADMIN_NEVER, "finding_settings"),
    "/admin/findings/findingsettings/<path:object_id>/change/": Line(
        ADMIN_FORM, "finding_settings", form={}, page_form=True
    ),
    "/admin/findings/findingsettings/<path:object_id>/": Line(ADMIN_LEADS_ON, "finding_settings"),
    "/admin/evaluation/threshold/^([^/]+)/history/([^/]+)/$": Line(ADMIN_NOTHING, "threshold threshold_history"),
    "/admin/evaluation/threshold/": Line(ADMIN_PAGE),
    "/admin/evaluation/threshold/add/": Line(
        ADMIN_FORM, form={"grader": "judge", "value": "0.5", "why": "as calibrated"}, page_form=True
    ),
    "/admin/evaluation/threshold/<path:object_id>/history/": Line(ADMIN_PAGE, "threshold"),
    "/admin/evaluation/threshold/<path:object_id>/delete/": Line(ADMIN_FORM, "threshold", form={"post": "yes"}),
    "/admin/evaluation/threshold/<path:object_id>/change/": Line(
        ADMIN_FORM, "threshold", form={"why": "as calibrated"}, page_form=True
    ),
    "/admin/evaluation/threshold/<path:object_id>/": Line(ADMIN_LEADS_ON, "threshold"),
    "/admin/evaluation/targetterm/^([^/]+)/history/([^/]+)/$": Line(ADMIN_NOTHING, "term term_history"),
    "/admin/evaluation/targetterm/": Line(ADMIN_PAGE),
    "/admin/evaluation/targetterm/add/": Line(
        ADMIN_FORM, form={"target": "{target}", "name": "order", "rivals": "purchase"}, page_form=True
    ),
    "/admin/evaluation/targetterm/<path:object_id>/history/": Line(ADMIN_PAGE, "term"),
    "/admin/evaluation/targetterm/<path:object_id>/delete/": Line(ADMIN_FORM, "term", form={"post": "yes"}),
    "/admin/evaluation/targetterm/<path:object_id>/change/": Line(ADMIN_FORM, "term", form={}, page_form=True),
    "/admin/evaluation/targetterm/<path:object_id>/": Line(ADMIN_LEADS_ON, "term"),
    "/admin/evaluation/gradersettings/^history/$": Line(ADMIN_PAGE),
    "/admin/evaluation/gradersettings/^$": Line(ADMIN_FORM, form={}, page_form=True),
    "/admin/evaluation/gradersettings/^([^/]+)/history/([^/]+)/$": Line(
        ADMIN_NOTHING, "grader_settings grader_settings_history"
    ),
    "/admin/evaluation/gradersettings/": Line(ADMIN_PAGE),
    "/admin/evaluation/gradersettings/add/": Line(ADMIN_NEVER),
    "/admin/evaluation/gradersettings/<path:object_id>/history/": Line(ADMIN_PAGE, "grader_settings"),
    "/admin/evaluation/gradersettings/<path:object_id>/delete/": Line(ADMIN_NEVER, "grader_settings"),
    "/admin/evaluation/gradersettings/<path:object_id>/change/": Line(
        ADMIN_FORM, "grader_settings", form={}, page_form=True
    ),
    "/admin/evaluation/gradersettings/<path:object_id>/": Line(ADMIN_LEADS_ON, "grader_settings"),
    "/admin/knowledge/searchsettings/^history/$": Line(ADMIN_PAGE),
    "/admin/knowledge/searchsettings/^$": Line(ADMIN_FORM, form={}, page_form=True),
    "/admin/knowledge/searchsettings/^([^/]+)/history/([^/]+)/$": Line(
        ADMIN_NOTHING, "search_settings search_settings_history"
    ),
    "/admin/knowledge/searchsettings/": Line(ADMIN_PAGE),
    "/admin/knowledge/searchsettings/add/": Line(ADMIN_NEVER),
    "/admin/knowledge/searchsettings/<path:object_id>/history/": Line(ADMIN_PAGE, "search_settings"),
    "/admin/knowledge/searchsettings/<path:object_id>/delete/": Line(ADMIN_NEVER, "search_settings"),
    "/admin/knowledge/searchsettings/<path:object_id>/change/": Line(
        ADMIN_FORM, "search_settings", form={}, page_form=True
    ),
    "/admin/knowledge/searchsettings/<path:object_id>/": Line(ADMIN_LEADS_ON, "search_settings"),
    "/admin/knowledge/feedback/": Line(ADMIN_PAGE),
    "/admin/knowledge/feedback/add/": Line(ADMIN_NEVER),
    "/admin/knowledge/feedback/<path:object_id>/history/": Line(ADMIN_PAGE, "search_feedback"),
    "/admin/knowledge/feedback/<path:object_id>/delete/": Line(ADMIN_NEVER, "search_feedback"),
    "/admin/knowledge/feedback/<path:object_id>/change/": Line(ADMIN_RECORD, "search_feedback"),
    "/admin/knowledge/feedback/<path:object_id>/": Line(ADMIN_LEADS_ON, "search_feedback"),
    "/admin/knowledge/qualityalert/": Line(ADMIN_PAGE),
    "/admin/knowledge/qualityalert/add/": Line(ADMIN_NEVER),
    "/admin/knowledge/qualityalert/<path:object_id>/history/": Line(ADMIN_PAGE, "quality_alert"),
    "/admin/knowledge/qualityalert/<path:object_id>/delete/": Line(ADMIN_NEVER, "quality_alert"),
    "/admin/knowledge/qualityalert/<path:object_id>/change/": Line(ADMIN_RECORD, "quality_alert"),
    "/admin/knowledge/qualityalert/<path:object_id>/": Line(ADMIN_LEADS_ON, "quality_alert"),
    "/admin/selftest/apikey/": Line(ADMIN_PAGE),
    "/admin/selftest/apikey/add/": Line(ADMIN_PAGE, form={"name": "another"}),
    "/admin/selftest/apikey/<path:object_id>/history/": Line(ADMIN_PAGE, "apikey"),
    "/admin/selftest/apikey/<path:object_id>/delete/": Line(ADMIN_NEVER, "apikey"),
    "/admin/selftest/apikey/<path:object_id>/change/": Line(ADMIN_RECORD, "apikey"),
    "/admin/selftest/apikey/<path:object_id>/": Line(ADMIN_LEADS_ON, "apikey"),
    "/admin/selftest/channel/<path:object_id>/test/": Line(ADMIN_LEADS_ON, "channel"),
    "/admin/selftest/channel/": Line(ADMIN_PAGE),
    "/admin/selftest/channel/add/": Line(ADMIN_FORM, form=ADD_CHANNEL, page_form=True),
    "/admin/selftest/channel/<path:object_id>/history/": Line(ADMIN_PAGE, "channel"),
    "/admin/selftest/channel/<path:object_id>/delete/": Line(ADMIN_FORM, "channel", form={"post": "yes"}),
    "/admin/selftest/channel/<path:object_id>/change/": Line(ADMIN_FORM, "channel", form={}, page_form=True),
    "/admin/selftest/channel/<path:object_id>/": Line(ADMIN_LEADS_ON, "channel"),
    "/admin/selftest/delivery/": Line(ADMIN_PAGE),
    "/admin/selftest/delivery/add/": Line(ADMIN_NEVER),
    "/admin/selftest/delivery/<path:object_id>/history/": Line(ADMIN_PAGE, "delivery"),
    "/admin/selftest/delivery/<path:object_id>/delete/": Line(ADMIN_NEVER, "delivery"),
    "/admin/selftest/delivery/<path:object_id>/change/": Line(ADMIN_RECORD, "delivery"),
    "/admin/selftest/delivery/<path:object_id>/": Line(ADMIN_LEADS_ON, "delivery"),
    "/admin/selftest/cycle/": Line(ADMIN_PAGE),
    "/admin/selftest/cycle/add/": Line(ADMIN_NEVER),
    "/admin/selftest/cycle/<path:object_id>/history/": Line(ADMIN_PAGE, "cycle"),
    "/admin/selftest/cycle/<path:object_id>/delete/": Line(ADMIN_NEVER, "cycle"),
    "/admin/selftest/cycle/<path:object_id>/change/": Line(ADMIN_RECORD, "cycle"),
    "/admin/selftest/cycle/<path:object_id>/": Line(ADMIN_LEADS_ON, "cycle"),
    "/admin/selftest/run/": Line(ADMIN_PAGE),
    "/admin/selftest/run/add/": Line(ADMIN_NEVER),
    "/admin/selftest/run/<path:object_id>/history/": Line(ADMIN_PAGE, "run"),
    "/admin/selftest/run/<path:object_id>/delete/": Line(ADMIN_NEVER, "run"),
    "/admin/selftest/run/<path:object_id>/change/": Line(ADMIN_RECORD, "run"),
    "/admin/selftest/run/<path:object_id>/": Line(ADMIN_LEADS_ON, "run"),
    "/admin/selftest/combination/": Line(ADMIN_PAGE),
    "/admin/selftest/combination/add/": Line(ADMIN_NEVER),
    "/admin/selftest/combination/<path:object_id>/history/": Line(ADMIN_PAGE, "combination"),
    "/admin/selftest/combination/<path:object_id>/delete/": Line(ADMIN_NEVER, "combination"),
    "/admin/selftest/combination/<path:object_id>/change/": Line(ADMIN_RECORD, "combination"),
    "/admin/selftest/combination/<path:object_id>/": Line(ADMIN_LEADS_ON, "combination"),
    "/admin/selftest/flag/": Line(ADMIN_PAGE),
    "/admin/selftest/flag/add/": Line(ADMIN_NEVER),
    "/admin/selftest/flag/<path:object_id>/history/": Line(ADMIN_PAGE, "flag"),
    "/admin/selftest/flag/<path:object_id>/delete/": Line(ADMIN_NEVER, "flag"),
    "/admin/selftest/flag/<path:object_id>/change/": Line(ADMIN_RECORD, "flag"),
    "/admin/selftest/flag/<path:object_id>/": Line(ADMIN_LEADS_ON, "flag"),
    "/admin/selftest/explanation/": Line(ADMIN_PAGE),
    "/admin/selftest/explanation/add/": Line(ADMIN_NEVER),
    "/admin/selftest/explanation/<path:object_id>/history/": Line(ADMIN_PAGE, "explanation"),
    "/admin/selftest/explanation/<path:object_id>/delete/": Line(ADMIN_NEVER, "explanation"),
    "/admin/selftest/explanation/<path:object_id>/change/": Line(ADMIN_RECORD, "explanation"),
    "/admin/selftest/explanation/<path:object_id>/": Line(ADMIN_LEADS_ON, "explanation"),
    "/admin/selftest/probe/": Line(ADMIN_PAGE),
    "/admin/selftest/probe/add/": Line(ADMIN_NEVER),
    "/admin/selftest/probe/<path:object_id>/history/": Line(ADMIN_PAGE, "probe"),
    "/admin/selftest/probe/<path:object_id>/delete/": Line(ADMIN_NEVER, "probe"),
    "/admin/selftest/probe/<path:object_id>/change/": Line(ADMIN_RECORD, "probe"),
    "/admin/selftest/probe/<path:object_id>/": Line(ADMIN_LEADS_ON, "probe"),
    "/admin/selftest/reviewevent/": Line(ADMIN_PAGE),
    "/admin/selftest/reviewevent/add/": Line(ADMIN_NEVER),
    "/admin/selftest/reviewevent/<path:object_id>/history/": Line(ADMIN_PAGE, "event"),
    "/admin/selftest/reviewevent/<path:object_id>/delete/": Line(ADMIN_NEVER, "event"),
    "/admin/selftest/reviewevent/<path:object_id>/change/": Line(ADMIN_RECORD, "event"),
    "/admin/selftest/reviewevent/<path:object_id>/": Line(ADMIN_LEADS_ON, "event"),
    "/admin/knowledge/documentation/<path:object_id>/again/": Line(ADMIN_FORM, "documentation", form={}),
    "/admin/knowledge/documentation/": Line(ADMIN_PAGE),
    "/admin/knowledge/documentation/add/": Line(
        ADMIN_FORM,
        form={"target": "{target}", "name": "other", "origin": "folder", "location": "nowhere", "language": "en"},
    ),
    "/admin/knowledge/documentation/<path:object_id>/history/": Line(ADMIN_PAGE, "documentation"),
    "/admin/knowledge/documentation/<path:object_id>/delete/": Line(ADMIN_FORM, "documentation", form={"post": "yes"}),
    "/admin/knowledge/documentation/<path:object_id>/change/": Line(
        ADMIN_FORM, "documentation", form={"name": "manual", "language": "en"}
    ),
    "/admin/knowledge/documentation/<path:object_id>/": Line(ADMIN_LEADS_ON, "documentation"),
    "/admin/selftest/target/<path:object_id>/connection/": Line(ADMIN_CONNECTION, "target"),
    "/admin/selftest/target/<path:object_id>/vocabulary/": Line(ADMIN_PAGE, "target"),
    "/admin/selftest/target/^([^/]+)/history/([^/]+)/$": Line(ADMIN_NOTHING, "target target_history"),
    "/admin/selftest/target/": Line(ADMIN_PAGE),
    "/admin/selftest/target/add/": Line(
        ADMIN_FORM, form={"name": "another", "kind": "http", "base_url": "http://127.0.0.1:9"}, page_form=True
    ),
    "/admin/selftest/target/<path:object_id>/history/": Line(ADMIN_PAGE, "target"),
    "/admin/selftest/target/<path:object_id>/delete/": Line(ADMIN_NEVER, "target"),
    "/admin/selftest/target/<path:object_id>/change/": Line(ADMIN_FORM, "target", form={}, page_form=True),
    "/admin/selftest/target/<path:object_id>/": Line(ADMIN_LEADS_ON, "target"),
    "/admin/selftest/tuning/^history/$": Line(ADMIN_PAGE),
    "/admin/selftest/tuning/^$": Line(ADMIN_FORM, form={}, page_form=True),
    "/admin/selftest/tuning/^([^/]+)/history/([^/]+)/$": Line(ADMIN_NOTHING, "tuning tuning_history"),
    "/admin/selftest/tuning/": Line(ADMIN_PAGE),
    "/admin/selftest/tuning/add/": Line(ADMIN_NEVER),
    "/admin/selftest/tuning/<path:object_id>/history/": Line(ADMIN_PAGE, "tuning"),
    "/admin/selftest/tuning/<path:object_id>/delete/": Line(ADMIN_NEVER, "tuning"),
    "/admin/selftest/tuning/<path:object_id>/change/": Line(ADMIN_FORM, "tuning", form={}, page_form=True),
    "/admin/selftest/tuning/<path:object_id>/": Line(ADMIN_LEADS_ON, "tuning"),
    "/admin/selftest/vocabularyversion/<path:object_id>/again/": Line(ADMIN_FORM, "version"),
    "/admin/selftest/vocabularyversion/": Line(ADMIN_PAGE),
    "/admin/selftest/vocabularyversion/add/": Line(ADMIN_NEVER),
    "/admin/selftest/vocabularyversion/<path:object_id>/history/": Line(ADMIN_PAGE, "version"),
    "/admin/selftest/vocabularyversion/<path:object_id>/delete/": Line(ADMIN_NEVER, "version"),
    "/admin/selftest/vocabularyversion/<path:object_id>/change/": Line(ADMIN_RECORD, "version"),
    "/admin/selftest/vocabularyversion/<path:object_id>/": Line(ADMIN_LEADS_ON, "version"),
    "/admin/django_q/schedule/": Line(SUPERUSER_PAGE),
    "/admin/django_q/schedule/add/": Line(ADMIN_NEVER),
    "/admin/django_q/schedule/<path:object_id>/history/": Line(SUPERUSER_PAGE, "schedule"),
    "/admin/django_q/schedule/<path:object_id>/delete/": Line(ADMIN_NEVER, "schedule"),
    "/admin/django_q/schedule/<path:object_id>/change/": Line(SUPERUSER_RECORD, "schedule"),
    "/admin/django_q/schedule/<path:object_id>/": Line(ADMIN_LEADS_ON, "schedule"),
    "/admin/django_q/failure/": Line(SUPERUSER_PAGE),
    "/admin/django_q/failure/add/": Line(ADMIN_NEVER),
    "/admin/django_q/failure/<path:object_id>/history/": Line(SUPERUSER_PAGE, "failure"),
    "/admin/django_q/failure/<path:object_id>/delete/": Line(ADMIN_NEVER, "failure"),
    "/admin/django_q/failure/<path:object_id>/change/": Line(SUPERUSER_RECORD, "failure"),
    "/admin/django_q/failure/<path:object_id>/": Line(ADMIN_LEADS_ON, "failure"),
    "/admin/auth/user/<id>/password/": Line(ADMIN_FORM, "user", form=SET_PASSWORD),
    "/admin/auth/user/": Line(ADMIN_PAGE),
    "/admin/auth/user/add/": Line(ADMIN_FORM, form=ADD_USER),
    "/admin/auth/user/<path:object_id>/history/": Line(ADMIN_PAGE, "user"),
    "/admin/auth/user/<path:object_id>/delete/": Line(ADMIN_FORM, "user", form={"post": "yes"}),
    "/admin/auth/user/<path:object_id>/change/": Line(ADMIN_FORM, "user", form={"role": "viewer"}, page_form=True),
    "/admin/auth/user/<path:object_id>/": Line(ADMIN_LEADS_ON, "user"),
    "/admin/auth/group/": Line(ADMIN_PAGE),
    "/admin/auth/group/add/": Line(SUPERUSER_FORM, form={"name": "house"}),
    "/admin/auth/group/<path:object_id>/history/": Line(ADMIN_PAGE, "group"),
    "/admin/auth/group/<path:object_id>/delete/": Line(SUPERUSER_FORM, "group", form={"post": "yes"}),
    "/admin/auth/group/<path:object_id>/change/": Line(ADMIN_ROLE, "group", form={}, page_form=True),
    "/admin/auth/group/<path:object_id>/": Line(ADMIN_LEADS_ON, "group"),
    "/admin/^(?P<app_label>evaluation|knowledge|findings|selftest|django_q|auth)/$": Line(ADMIN_PAGE, "app"),
    "/admin/(?P<url>.*)$": Line(ADMIN_NOTHING, "nothing"),
    "/favicon.ico": Line(GONE),
    "/api/v1/openapi.json": Line(API_DOCUMENT),
    "/api/v1/docs": Line(API_DOCUMENT),
    "/adversarial/trigger": Line(API_ACT),
    "/adversarial/flagged": Line(API_OPEN),
    "/adversarial/dismiss": Line(API_ACT, form={"fingerprint": "{fingerprint}"}),
    "/adversarial/undismiss": Line(API_ACT, form={"fingerprint": "{dismissed}"}),
    "/health": Line(API_OPEN),
    "/metrics": Line(API_READ),
    "/api/v1/targets": Line(API_READ),
    "/api/v1/targets/<int:target_id>/suggestions": Line(API_READ, "target"),
    "/api/v1/targets/<int:target_id>/suggestions/accept": Line(
        API_ACT, "target", form={"suggestions": [{"id": "{suggestion}"}]}, is_json=True
    ),
    "/api/v1/targets/<int:target_id>/suggestions/refuse": Line(
        API_ACT, "target", form={"suggestions": ["{suggestion}"]}, is_json=True
    ),
    "/api/v1/combinations": Line(API_READ),
    "/api/v1/combinations/<int:combination_id>": Line(API_READ, "combination"),
    "/api/v1/combinations/<int:combination_id>/reduce": Line(API_ACT, "combination"),
    "/api/v1/combinations/<int:combination_id>/reductions": Line(API_READ, "combination"),
    "/api/v1/causes": Line(API_READ),
    "/api/v1/causes/<int:cause_id>": Line(API_READ, "cause"),
    "/api/v1/causes/<int:cause_id>/flags": Line(API_READ, "cause"),
    "/api/v1/causes/<int:cause_id>/judge": Line(API_ACT, "cause", form={"verdict": "accepted"}, is_json=True),
    "/api/v1/causes/<int:cause_id>/reopen": Line(API_ACT, "judged", form={"reason": ""}, is_json=True),
    "/api/v1/causes/<int:cause_id>/assign": Line(API_ACT, "cause", form={"assignee": "reviewer"}, is_json=True),
    "/api/v1/comparisons": Line(
        kind(API_READS, "401   401   409   403   403    409     409    409", head=NO), form={}, is_json=True
    ),
    "/api/v1/comparisons/<int:comparison_id>": Line(API_READ, "comparison"),
    "/api/v1/comparisons/<int:comparison_id>/stop": Line(API_ACT, "comparison"),
    "/api/v1/pairs": Line(API_READ_OR_ADD, form={"name": "another", "content": {"query": "weather"}}, is_json=True),
    "/api/v1/pairs/<int:pair_id>": Line(API_READ, "pair"),
    "/api/v1/pairs/<int:pair_id>/edit": Line(
        API_ACT, "pair", form={"seen": 1, "content": {"query": "weather"}}, is_json=True
    ),
    "/api/v1/pairs/<int:pair_id>/rebaseline": Line(API_ACT, "pair", form={"seen": 1}, is_json=True),
    "/api/v1/pairs/<int:pair_id>/archive": Line(API_ACT, "pair", form={"seen": 1}, is_json=True),
    "/api/v1/pairs/<int:pair_id>/restore": Line(API_ACT, "archived_pair", form={"seen": 2}, is_json=True),
    "/api/v1/reports": Line(API_READ),
    "/api/v1/reports/<int:report_id>": Line(API_READ, "report"),
    "/api/v1/drift": Line(API_READ),
    "/api/v1/drift/alerts": Line(API_READ),
    "/api/v1/drift/<int:series_id>": Line(API_READ, "drift_series"),
    "/api/v1/findings": Line(API_READ_OR_ADD, form={"category": "notes", "content": "It is slow."}, is_json=True),
    "/api/v1/findings/<int:finding_id>": Line(API_READ_OR_DELETE, "finding"),
    "/api/v1/findings/<int:finding_id>/example": Line(
        API_ACT_OR_DELETE, "claim", form={"query": "rss", "expect": "phrase", "named": ["rss"]}, is_json=True
    ),
    "/api/v1/findings/<int:finding_id>/undo": Line(API_ACT, "finding", form={}, is_json=True),
    "/api/v1/proposals": Line(API_READ),
    "/api/v1/proposals/<int:proposal_id>/accept": Line(API_ACT, "open_proposal"),
    "/api/v1/proposals/<int:proposal_id>/refuse": Line(API_ACT, "open_proposal"),
    "/api/v1/runs": Line(API_READ),
    "/api/v1/runs/<int:run_id>": Line(API_READ, "run"),
    "/api/v1/flags": Line(API_READ),
    "/api/v1/explained": Line(API_READ),
    "/api/v1/cycles": Line(API_READ),
    "/api/v1/cycles/<int:cycle_id>": Line(API_READ, "cycle"),
    "/api/v1/coverage": Line(API_READ),
    "/api/v1/tuning": Line(API_READ),
    "/api/v1/review/dismiss": Line(API_ACT, form=EACH, is_json=True),
    "/api/v1/review/undismiss": Line(API_ACT, form=EACH, is_json=True),
    "/v1/search/query": Line(API_ASK, form={"q": "tank"}, is_json=True),
    "/v1/search/feedback": Line(API_ASK, form={"q": "tank", "id": "{chunk}", "rating": "up"}, is_json=True),
    "/v1/search/history": Line(API_OWN),
    "/v1/search/index/rebuild": Line(API_ADMIN_ACT),
    "/v1/advisory-ai/index/rebuild": Line(API_ADMIN_ACT),
    "/v1/advisory-ai/search": Line(API_ASK, form={"q": "tank"}, is_json=True),
}
