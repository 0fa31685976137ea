"""What the database lacks, and what this version lacks of it, is told without loading a single migration."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from selftest.storage.unapplied_migrations import MigrationDifferences, migration_differences

pytestmark = pytest.mark.django_db


def test_a_migrated_database_lacks_none_and_one_without_any_lacks_all_that_django_knows() -> None:
    assert migration_differences() == MigrationDifferences(unapplied=(), newer=())
    MigrationRecorder(connection).flush()
    assert set(migration_differences().unapplied) == set(MigrationLoader(None).disk_migrations)


def test_the_earliest_of_an_app_is_told_first() -> None:
    applied = MigrationRecorder.Migration.objects.filter(app="selftest", name__startswith="000")
    applied.filter(name__in=["0002_review_queue", "0003_search_words"]).delete()
    assert migration_differences().unapplied == (
        ("selftest", "0002_review_queue"),
        ("selftest", "0003_search_words"),
    )


def apply(app: str, name: str) -> None:
    MigrationRecorder(connection).record_applied(app, name)


def test_what_a_newer_version_has_applied_is_told_of_apps_of_the_product_alone() -> None:
    apply("selftest", "9999_of_a_newer_version")
    apply("evaluation", "0001_squashed_9998_of_a_newer_version")
    apply("auth", "9999_of_another_django")
    assert migration_differences() == MigrationDifferences(
        unapplied=(),
        newer=(("evaluation", "0001_squashed_9998_of_a_newer_version"), ("selftest", "9999_of_a_newer_version")),
    )


def test_one_that_a_squashed_one_has_replaced_is_not_taken_for_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"findings": ["0001_squashed_0007_all_of_them"]}
    monkeypatch.setattr("selftest.storage.unapplied_migrations._names_of", lambda label: names.get(label, []))
    MigrationRecorder(connection).flush()
    for name in ("0001_squashed_0007_all_of_them", "0002_examples", "0007_the_last_of_them"):
        apply("findings", name)
    assert migration_differences().newer == ()


@pytest.mark.process
def test_no_migration_is_loaded(tmp_path: Path) -> None:
    code = (
        "import sys, django; django.setup()\n"
        "from selftest.storage.unapplied_migrations import migration_differences\n"
        "assert migration_differences().unapplied\n"
        "print([name for name in sys.modules if name.startswith('selftest.migrations.')])"
    )
    environment = {"DJANGO_SETTINGS_MODULE": "review.settings", "DATA_DIR": str(tmp_path), "PATH": ""}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
