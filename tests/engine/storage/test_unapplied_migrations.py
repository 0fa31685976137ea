"""What the database lacks is told without loading a single migration."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from selftest.storage.unapplied_migrations import unapplied_migrations

pytestmark = pytest.mark.django_db


def test_a_migrated_database_lacks_none_and_one_without_any_lacks_all_that_django_knows() -> None:
    assert unapplied_migrations() == []
    MigrationRecorder(connection).flush()
    assert set(unapplied_migrations()) == set(MigrationLoader(None).disk_migrations)


def test_the_earliest_of_an_app_is_told_first() -> None:
    applied = MigrationRecorder.Migration.objects.filter(app="selftest", name__startswith="000")
    applied.filter(name__in=["0002_review_queue", "0003_search_words"]).delete()
    assert unapplied_migrations() == [("selftest", "0002_review_queue"), ("selftest", "0003_search_words")]


@pytest.mark.process
def test_no_migration_is_loaded(tmp_path: Path) -> None:
    code = (
        "import sys, django; django.setup()\n"
        "from selftest.storage.unapplied_migrations import unapplied_migrations\n"
        "assert unapplied_migrations()\n"
        "print([name for name in sys.modules if name.startswith('selftest.migrations.')])"
    )
    environment = {"DJANGO_SETTINGS_MODULE": "review.settings", "DATA_DIR": str(tmp_path), "PATH": ""}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
