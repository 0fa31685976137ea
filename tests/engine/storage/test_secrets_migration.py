"""An installation whose target had sent its key back: it is taken out of all rows, and encrypted itself."""

import base64
import hashlib
import json
import os
import time
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from selftest.models import Target
from selftest.models.encrypted import decrypted
from selftest.targets.redaction import HIDDEN
from tests.engine.storage.test_migrations import MigrateTo, migrate_to  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.slow("migrates databases step by step"),
    pytest.mark.database("sqlite", "postgresql"),  # of its own
]

BEFORE = "0019_plain_help_texts"
NEWEST = ""
ROWS = int(os.environ.get("GADFLY_TEST_MIGRATED_ROWS", "5000"))  # of a long history: 100000
KEY = "sesame/opens+4711"
ECHO = f'you sent {KEY}, Basic {base64.b64encode(f"me:{KEY}".encode()).decode()} and "{KEY.encode().hex()}"'
OF_BODY = hashlib.sha256(ECHO.encode()).hexdigest()


def _target(apps: Any, name: str, key: str) -> Any:
    return apps.get_model("selftest", "Target").objects.create(
        name=name, kind="http", base_url="http://127.0.0.1:9", api_key=key
    )


def _history(apps: Any, target: Any, echo: str, runs: int = 1) -> None:
    """A cycle with `runs` flagged runs, and everything that is stored along with one."""

    def create(model: str, **columns: Any) -> Any:
        return apps.get_model("selftest", model).objects.create(**columns)

    now = timezone.now()
    cycle = create(
        "Cycle",
        target=target,
        trigger="command",
        state="finished",
        seed=1,
        queries_wanted=1,
        created_at=now,
        note=f"away: {echo}",
        target_version=echo[:200],
    )
    combination = create(
        "Combination",
        target=target,
        fingerprint="[]",
        fingerprint_sha256="1" * 64,
        recipe_name="megaquery",
        query={"recipe": "megaquery", "parts": []},
        first_seen_timestamp=now,
        last_query_text="weather plus headlines",
        last_source_used=echo[:200],
        last_flagged_reason=f"crash: {echo}",
        first_flagged_reason=f"crash: {echo}",
        last_flagged_result_excerpt=echo[:500],
        ever_flagged=True,
    )
    answer = {"source_used": echo[:200], "error": echo, "result": echo, "result_length_bytes": len(echo)}
    rows = apps.get_model("selftest", "Run").objects.bulk_create(
        (
            apps.get_model("selftest", "Run")(
                cycle=cycle,
                target=target,
                combination=combination,
                recipe_name="megaquery",
                place=place,
                query={"recipe": "megaquery", "parts": []},
                query_text="weather plus headlines",
                state="done",
                result_sha256=OF_BODY,
                own_error=echo,
                reason=f"crash: {echo}",
                **answer,
            )
            for place in range(runs)
        ),
        batch_size=500,
    )
    run = rows[0]
    create("Probe", target=target, run=run, purpose="part", text="weather", text_sha256="2" * 64, asked_at=now,
           latency_ms=1.0, empty_phrase=echo[:500], result_sha256=OF_BODY, **answer)  # fmt: skip
    evidence = {"promised": "an answer", "seen": echo, "where": "", "line": 3, "items": [echo, "—"]}
    evidence["asked"] = [{"purpose": "part", "text": "weather", "excerpt": echo, "brought": [echo]}]
    create("Flag", run=run, combination=combination, check_name="crash", place=0, reason=f"crash: {echo}",
           evidence=evidence, created_at=now)  # fmt: skip
    create("Explanation", run=run, target=target, combination=combination, check_name="crash", reason=echo,
           evidence=evidence, cause="stood_in", source=echo[:200], created_at=now)  # fmt: skip
    create("Reduction", combination=combination, run=run, check_name="crash", askings_at_most=40, result=echo,
           source_used=echo[:200], created_at=now, state="finished", note=echo)  # fmt: skip
    create("ReviewEvent", combination=combination, kind="flagged", actor="engine", note=f"crash: {echo}", run=run,
           at=now)  # fmt: skip


def _stored() -> str:
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if table.startswith("selftest_"):
                cursor.execute(f'SELECT * FROM "{table}"')
                found += [str(row) for row in cursor.fetchall()]
    return "\n".join(found)


def test_no_row_holds_the_key_afterwards_and_the_target_still_has_it(migrate_to: MigrateTo) -> None:  # noqa: F811
    apps = migrate_to(BEFORE)
    leaking, honest, other = (
        _target(apps, name, key) for name, key in (("leaking", KEY), ("honest", ""), ("other", "another-key-0815"))
    )
    _history(apps, leaking, ECHO)
    _history(apps, honest, "weather, not a key", 2)
    _history(apps, other, ECHO.replace("sent", "was given"))
    apps = migrate_to(NEWEST)
    assert {row.name: row.api_key for row in Target.objects.all()} == {
        "leaking": KEY, "honest": "", "other": "another-key-0815"
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("SELECT api_key FROM selftest_target WHERE name = 'leaking'")
        stored = cursor.fetchone()[0]
    assert (KEY in stored, decrypted(stored)) == (False, KEY)

    def of(model: str, name: str) -> Any:
        way = {"Flag": "run__target", "Reduction": "run__target", "ReviewEvent": "run__target"}.get(model, "target")
        return apps.get_model("selftest", model).objects.filter(**{f"{way}__name": name}).first()

    clean = f'you sent {HIDDEN}, Basic bWU6{HIDDEN} and "{HIDDEN}"'
    for model in ("Run", "Probe"):
        row = of(model, "leaking")
        assert (row.result, row.error, row.source_used) == (clean, clean, clean)
        assert row.result_sha256 == hashlib.sha256(clean.encode()).hexdigest()
        assert row.result_length_bytes == len(ECHO)
    for model in ("Flag", "Explanation"):
        evidence = of(model, "leaking").evidence
        assert (evidence["seen"], evidence["items"], evidence["line"]) == (clean, [clean, "—"], 3)
        assert evidence["asked"] == [{"purpose": "part", "text": "weather", "excerpt": clean, "brought": [clean]}]
    combination = of("Combination", "leaking")
    assert combination.last_flagged_result_excerpt == combination.last_source_used == clean
    assert combination.first_flagged_reason == combination.last_flagged_reason == f"crash: {clean}"
    assert of("Cycle", "leaking").note == f"away: {clean}"
    assert of("Cycle", "leaking").target_version == clean
    assert of("Reduction", "leaking").result == of("Reduction", "leaking").note == clean
    assert of("ReviewEvent", "leaking").note == f"crash: {clean}"
    # A target without a key, and what another target says of a key that is not its own, stay as they are.
    assert of("Run", "honest").result_sha256 == OF_BODY
    assert KEY in of("Run", "other").result
    for name in ("leaking", "other"):
        apps.get_model("selftest", "Target").objects.filter(name=name).update(api_key="")
    apps.get_model("selftest", "Cycle").objects.filter(target__name="other").delete()
    apps.get_model("selftest", "Combination").objects.filter(target__name="other").delete()
    for secret in (KEY, KEY.encode().hex(), json.dumps(KEY)[1:-1]):
        assert secret not in _stored()


def test_the_way_back_has_the_key_as_it_was(migrate_to: MigrateTo) -> None:  # noqa: F811
    _target(migrate_to(BEFORE), "leaking", KEY * 20)
    migrate_to(NEWEST)
    with connection.cursor() as cursor:
        cursor.execute("SELECT api_key FROM selftest_target")
        assert KEY not in cursor.fetchone()[0]
    assert migrate_to(BEFORE).get_model("selftest", "Target").objects.get().api_key == KEY * 20


def test_a_long_history_is_cleaned_in_chunks(migrate_to: MigrateTo) -> None:  # noqa: F811
    apps = migrate_to(BEFORE)
    target = _target(apps, "leaking", KEY)
    _history(apps, target, ECHO + " and what it found: the weather of the coast." * 30, ROWS)
    started = time.perf_counter()
    migrate_to(NEWEST)
    took_s = time.perf_counter() - started
    print(f"{ROWS} runs were cleaned in {took_s:.1f} s")  # noqa: T201
    runs = apps.get_model("selftest", "Run").objects
    assert runs.filter(result__contains=HIDDEN).count() == ROWS
    assert not runs.filter(result__contains=KEY).exists()
    assert took_s < 300
