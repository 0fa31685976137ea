"""The specification of contradiction detection: its acceptance criteria, production validations and regressions."""

import logging

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from selftest.findings.models import Finding
from selftest.findings.reading import finding_numbered, findings
from selftest.findings.sweeping import sweep
from tests.findings.conftest import AGENT, ALWAYS, CLAIM, NEVER, USER, save

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("each_profile")]

CANNOT, DOES = "wrapper cannot pass arguments", "calendar wrapper does pass arguments"
STATUS = "feedback/from-agent/status-reports"


def active() -> list[str]:
    return [finding.content for finding in findings()]


# --- acceptance criteria ---


def test_acceptance_1_wrapper_does_pass_arguments_supersedes_the_older_claim_that_it_cannot() -> None:
    older = save(CANNOT, CLAIM).finding
    newer = save(DOES, CLAIM)
    assert newer.superseded == [older.pk]
    assert active() == [DOES]
    assert finding_numbered(older.pk).superseded_by == newer.finding


def test_acceptance_2_existing_corrections_displace_conflicting_agent_findings_on_the_next_sweep() -> None:
    correction, other = save(NEVER, "notes/1").finding, save(ALWAYS, "notes/2").finding
    move_into_scope(correction, USER)
    move_into_scope(other, AGENT)
    assert sorted(active()) == [ALWAYS, NEVER]
    assert sweep().superseded == 1
    assert active() == [NEVER]
    assert finding_numbered(other.pk).superseded_by == correction


def test_acceptance_3_saves_outside_the_two_kinds_of_categories_cost_nothing() -> None:
    save(NEVER)
    with CaptureQueriesContext(connection) as queries:
        save(ALWAYS, "agent-knowledge/reports")
    assert [query["sql"].split()[0] for query in queries] == ["INSERT"]
    assert sorted(active()) == [ALWAYS, NEVER]


# --- production validations ---


def test_validation_1_an_opposite_rule_supersedes_on_the_hot_path() -> None:
    older = save("Always include TL;DR in status reports", STATUS).finding
    newer = save("Never include TL;DR in status reports", STATUS)
    assert newer.superseded == [older.pk]
    assert newer.acts[0].why["rule"] == "opposite_directive"


@pytest.mark.parametrize("category", [STATUS, CLAIM, "feedback/From-Agent/Status Reports/"])
def test_validation_2_a_scoped_category_its_tags_and_its_text_are_kept_to_the_letter(category: str) -> None:
    text = "  Status reports:\n\tnever  a TL;DR – “ever”. "
    finding = save(text, category, "Reports", "tl;dr ").finding
    finding.refresh_from_db()
    assert (finding.category, finding.content, finding.tags) == (category, text, ["Reports", "tl;dr "])


def test_validation_3_an_unrelated_rule_in_the_same_category_leaves_a_contradiction_undisturbed() -> None:
    older = save("Always include TL;DR in status reports", STATUS).finding
    newer = save("Never include TL;DR in status reports", STATUS).finding
    unrelated = save("Status reports should be timestamped", STATUS)
    assert (unrelated.superseded, unrelated.finding.superseded_by) == ([], None)
    assert finding_numbered(older.pk).superseded_by == newer
    assert finding_numbered(newer.pk).superseded_by is None


@pytest.mark.parametrize("count", [0, 1])
def test_validation_4_the_sweep_ends_early_where_there_are_fewer_than_two(
    count: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    save("outside", "notes")
    for _ in range(count):
        save(NEVER)
    swept = sweep()
    assert (swept.findings, swept.superseded, swept.proposed) == (count, 0, 0)
    assert f"only {count} finding" in caplog.text


def test_validation_5_singular_and_plural_overlap_end_to_end() -> None:
    older = save("Always include a TL;DR in each status report", STATUS).finding
    assert save("Never include TL;DRs in status reports", STATUS).superseded == [older.pk]


# --- regressions ---


def test_regression_report_and_reports_with_a_trailing_clause() -> None:
    older = save("Always include a TL;DR in every status report", STATUS).finding
    newer = save("Never include a TL;DR in status reports; they should be concise without one", STATUS)
    assert newer.superseded == [older.pk]


def test_regression_one_reversal_of_a_rule_saved_twice() -> None:
    older = [save("Always include TL;DR", STATUS).finding.pk for _ in range(2)]
    newer = save("Never include TL;DR", STATUS)
    assert sorted(newer.superseded) == older
    assert active() == ["Never include TL;DR"]


def test_regression_a_correction_among_several_that_match_still_wins() -> None:
    first = save(ALWAYS).finding
    correction = save(ALWAYS, USER).finding
    newer = save(NEVER)
    assert (newer.superseded, newer.finding.superseded_by) == ([], correction)
    assert finding_numbered(first.pk).superseded_by is None


def move_into_scope(finding: Finding, category: str) -> None:
    """As a row of an import that no save has compared."""
    scoped = save("a word by itself", category).finding
    Finding.objects.filter(pk=finding.pk).update(
        category=category, subject=scoped.subject_id, is_correction=scoped.is_correction
    )
    scoped.delete()
