"""The address of every page, over a working day with something in each of them."""

import json

from django.contrib.auth.models import User

from selftest.findings.models import Example
from selftest.knowledge.documentation_acts import add
from selftest.knowledge.ingestion import page_of
from selftest.knowledge.models import Document, Documentation
from selftest.models import Actor, Cause, Combination, Run, Target
from selftest.reviewing.dismissal import judge_combination
from selftest.reviewing.judgement import Judgement
from tests.browser.scenes import a_working_day, ask_golden_set, compare, drift, learn


def documents_of(target: Target) -> list[str]:
    """A target's own Markdown and its API, each as a page."""
    api = {"openapi": "3.1.0", "paths": {"/tides/{day}": {"get": {"operationId": "tides", "summary": "Tides"}}}}
    markdown = "# Harbour\n\n| a | b |\n| :-: | - |\n| <b>x</b> | ![y](http://127.0.0.1:9/y.png) |\n\n```\ncode\n```\n"
    for name, text in (("harbour.md", markdown), ("harbour.json", json.dumps(api))):
        add(Documentation(target=target, name=name, origin="upload", location=name), text.encode())
    return [page_of(row.path, row.documentation) for row in Document.objects.exclude(documentation=None)]


def addresses(reviewer: User) -> list[str]:
    a_working_day(reviewer)
    flagged = Combination.objects.filter(currently_flagged=True).order_by("-times_generated").first()
    dismissed = Combination.objects.filter(currently_flagged=True).order_by("id").first()
    crash = Run.objects.filter(reason__startswith="crash").first()
    cause = Cause.objects.filter(merged_into=None).order_by("-flags").first()
    assert cause
    assert flagged
    assert dismissed
    judge_combination(dismissed, Judgement(Cause.Verdict.ACCEPTED, "known, and will stay"), Actor.person(reviewer))
    assert crash
    superseded = learn(cause, flagged)
    report = ask_golden_set(crash.target)
    drifted = drift()
    return [
        "/",
        "/?state=all",
        f"/causes/{cause.pk}",
        f"/flags?cause={cause.pk}",
        "/flags",
        "/flags?tab=dismissed",
        "/flags?tab=ever&flat=1&sort=severity",
        f"/combinations/{flagged.pk}",
        f"/combinations/{flagged.pk}/diff",
        f"/combinations/{dismissed.pk}",
        f"/combinations/{dismissed.pk}/next?text=nothing-is-called-that",  # comes back with a message
        "/explained",
        "/explained?source=uptime&check=part_lost",
        "/search",
        "/search?q=backup",
        "/search?q=nothing-is-called-that&kind=docs",
        "/search/quality",
        "/drift",
        "/drift?cached=yes",
        f"/drift/{drifted.pk}",
        "/findings",
        "/findings?tab=superseded&category=claim/capability",
        "/findings?tab=proposals",
        "/findings?text=nothing-is-called-that",
        f"/findings/{superseded.pk}",
        f"/findings/{Example.objects.get().finding_id}",
        f"/findings/new?cause={cause.pk}",
        "/knowledge/docs/README.md",
        "/knowledge/docs/selftest/guarantees/crash.md",
        *documents_of(crash.target),
        "/evaluation",
        "/evaluation?state=rebaseline",
        "/evaluation?text=nothing-is-called-that",
        f"/evaluation/pairs/{report.results.first().version.pair_id}",
        f"/evaluation/pairs/{report.results.first().version.pair_id}/edit",
        f"/evaluation/pairs/new?combination={flagged.pk}",
        "/evaluation/reports",
        f"/evaluation/reports/{report.pk}",
        "/activity",
        "/activity?who=nothing-is-called-that",
        "/checks",
        "/comparisons",
        f"/comparisons/{compare().pk}",
        "/cycles",
        f"/cycles/{crash.cycle_id}",
        f"/runs/{crash.pk}",
        "/recipes",
        f"/recipes/{crash.recipe_name}?days=90",
        "/targets",
        f"/targets/{crash.target_id}",
        "/status",
        "/overview",
        "/combinations",
        "/combinations?text=nothing-is-called-that",
        "/flags?check=crash",
        "/nothing/here",
    ]
