"""Every check of the installation: it finds what is wrong, and is silent where nothing is."""

import json
import shlex
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
import time_machine
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword
from django.conf import LazySettings
from django.core.management import call_command, get_commands, load_command_class
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django_q.models import Schedule

from selftest.evaluation.models import GraderSettings, VocabularyGrowth
from selftest.findings.models import FindingSettings
from selftest.knowledge.models import SearchSettings
from selftest.models import Channel, Cycle, Delivery, Installation, Notice, Run, Target, Tuning, VocabularyVersion
from selftest.operating.doctor import database, machine
from selftest.operating.doctor.checks import CHECKS, examine
from selftest.operating.doctor.diagnosis import Diagnosis, DoctorCheck, Severity, Situation, State
from selftest.operating.keys import make_api_key
from selftest.operating.schedule import follow_tuning
from selftest.storage.encrypted_columns import encrypted_columns
from tests.review import factory

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("worker")]


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(database, "database_now", lambda: NOON)  # its own clock cannot be set
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.fixture
def well(target: Target) -> Target:
    """Scheduled, and a cycle has just finished."""
    factory.make_cycle()
    follow_tuning()
    return target


def found(code: str, *, asks_targets: bool = False) -> list[Diagnosis]:
    checks = [check for check in CHECKS if check.code == code]
    (examined,) = examine(Situation(NOON, asks_targets), checks)
    return list(examined.found)


def problems() -> set[str]:
    return {one.check.code for one in examine(Situation(NOON)) if one.problems}


def test_codes_are_unique_and_each_check_says_what_is_noticed_and_what_mends_it() -> None:
    codes = [check.code for check in CHECKS]
    assert len(set(codes)) == len(codes)
    assert codes == sorted(codes)
    for check in CHECKS:
        assert check.symptoms
        assert check.remedy.endswith(".")


def _options(command: str) -> tuple[str, list[str]]:
    """The command of `manage.py` and what follows it; "" where it is a program of the machine."""
    words = shlex.split(command)
    if "manage.py" not in words:
        return "", []
    _, name, *options = words[words.index("manage.py") :]
    return name, options


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_each_check_has_a_command_and_those_of_manage_py_exist(check: DoctorCheck) -> None:
    assert check.command
    name, options = _options(check.command)
    if name:
        command = load_command_class(get_commands()[name], name)
        command.create_parser("manage.py", name).parse_args(options)


@pytest.mark.usefixtures("well")
def test_what_is_not_well_has_a_command_and_what_is_well_has_none(worker: Callable[[int], None]) -> None:
    worker(0)
    Schedule.objects.all().delete()
    Tuning.objects.update(enabled=False)
    VocabularyVersion.objects.update(in_force=False)
    Cycle.objects.update(created_at=NOON + timedelta(hours=2))
    rows = json.loads(printed("--json", "--no-target")[0])["checks"]
    without = {row["code"] for row in rows if row["state"] in ("off", "wrong", "unknown") and not row["command"]}
    assert without == set()
    assert {row["command"] for row in rows if row["state"] == "ok"} == {""}


@pytest.mark.usefixtures("well")
def test_what_cannot_be_told_names_the_command_of_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("django.db.connection.cursor", away)
    monkeypatch.setattr("selftest.operating.doctor.diagnosis.testing_health", away)
    rows = json.loads(printed("--json", "--no-target")[0])["checks"]
    unknown = {row["code"]: row["command"] for row in rows if row["state"] == "unknown"}
    assert unknown["GF022"] == "manage.py start"
    assert all(unknown.values())
    assert "GF022 error Schedule: Mend what is named first, then look again.\n      manage.py start\n" in printed()[0]


@pytest.mark.parametrize(
    ("redis_url", "command"),
    [
        ("", "manage.py doctor --only GF001"),
        ("redis://127.0.0.1/0", "redis-cli -h 127.0.0.1 ping"),
        ("redis://gadfly:pass-4711@127.0.0.1:6399/0", "redis-cli -h 127.0.0.1 -p 6399 ping"),
        ("rediss://:pass-4711@[::1]:6400", "redis-cli -h ::1 -p 6400 --tls ping"),
        ("unix://:pass-4711@/run/the%20redis.sock?db=1", "redis-cli -s '/run/the redis.sock' ping"),
        ("redis:///1", "redis-cli ping"),
    ],
)
@pytest.mark.parametrize("code", ["GF021", "GF024"])
def test_redis_is_to_be_looked_at_only_where_it_is_used_and_at_its_own_address(
    code: str, redis_url: str, command: str, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, redis_url=redis_url)
    monkeypatch.setattr("selftest.operating.doctor.diagnosis.worker_clusters", lambda: None)
    monkeypatch.setattr("selftest.operating.doctor.diagnosis.waiting_tasks", lambda: None)
    (answer,) = found(code)
    assert (answer.state, answer.command) == (State.UNKNOWN, command)
    assert ("Redis" in answer.next_step) is bool(redis_url)


def test_without_the_table_of_heartbeats_a_start_is_advised_which_creates_it(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("selftest.operating.doctor.diagnosis.worker_clusters", lambda: None)
    of_database = {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "no_such_table"}
    settings.CACHES = {"default": of_database}
    (answer,) = found("GF021")
    assert (answer.state, answer.command) == (State.UNKNOWN, "manage.py start")
    assert "the table for it is missing" in answer.next_step


@pytest.mark.usefixtures("well")
def test_nothing_is_wrong_with_an_installation_that_works() -> None:
    assert problems() == set()


def test_without_a_schedule_a_target_and_a_worker_each_is_named(worker: Callable[[int], None]) -> None:
    worker(0)
    assert {"GF021", "GF022", "GF030"} <= problems()


@pytest.mark.usefixtures("well")
def test_a_database_that_does_not_answer_is_told_and_what_rests_on_it_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def away(*_: object) -> None:
        raise OperationalError("connection\nrefused")

    monkeypatch.setattr("django.db.connection.cursor", away)
    monkeypatch.setattr("selftest.operating.doctor.diagnosis.testing_health", away)
    (answer,) = found("GF001")
    assert (answer.state, answer.next_step) == (State.WRONG, "Start the database.")
    (schedule,) = found("GF022")
    assert (schedule.state, schedule.words, schedule.detail) == (State.UNKNOWN, "Cannot be told", "connection refused")


@pytest.mark.usefixtures("well")
def test_a_check_that_fails_by_a_fault_of_gadfly_is_unknown_and_hides_no_other_one(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("pass-4711")

    monkeypatch.setattr("selftest.operating.doctor.work.given_up", fail)
    rows = json.loads(printed("--json", "--no-target")[0])["checks"]
    assert {row["code"] for row in rows} == {check.code for check in CHECKS}
    (failed,) = [row for row in rows if row["is_problem"]]
    assert (failed["code"], failed["state"], failed["detail"]) == ("GF027", "unknown", "KeyError")
    assert failed["command"] == "manage.py doctor --only GF027"
    assert [record.exc_info is not None for record in caplog.records] == [True], "the log tells where"


@pytest.mark.usefixtures("well")
def test_a_migration_that_is_not_applied_is_named() -> None:
    MigrationRecorder.Migration.objects.filter(app="selftest").order_by("-id")[:1].get().delete()
    (answer,) = found("GF002")
    assert (answer.words, answer.command) == ("1 migration not applied", "manage.py migrate")


@pytest.mark.usefixtures("well")
def test_a_database_of_a_newer_version_is_told() -> None:
    MigrationRecorder.Migration.objects.create(app="selftest", name="9999_newer")
    (answer,) = found("GF002")
    assert (answer.state, answer.detail) == (State.WRONG, "the first is selftest 9999_newer")
    assert answer.next_step.startswith("Upgrade this machine")


@pytest.mark.usefixtures("well")
def test_a_clock_that_was_ahead_is_told_by_what_it_wrote() -> None:
    assert found("GF003")[0].state is State.OK
    factory.make_cycle(now=NOON + timedelta(hours=2))
    assert found("GF003")[0].words == "The newest cycle was requested in the future"


@pytest.mark.usefixtures("well")
def test_the_clock_of_the_database_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.db.connection.vendor", "postgresql")
    monkeypatch.setattr(database, "database_now", lambda: NOON - timedelta(hours=3))
    assert found("GF003")[0].words == "The database's clock differs by 3 h"


@pytest.mark.usefixtures("well")
def test_another_secret_key_and_secrets_that_it_cannot_read_are_told(settings: LazySettings) -> None:
    Installation.with_this_key()
    Target.objects.update(api_key="a key")
    assert found("GF004")[0].state is State.OK
    settings.SECRET_KEY = "another key of more than thirty-two letters"
    assert found("GF004")[0].words == "Another SECRET_KEY than this process's was in use"
    Installation.with_this_key()
    assert found("GF004")[0].words == "Those of target bundled cannot be decrypted"


def test_every_encrypted_column_is_known() -> None:
    assert encrypted_columns() == {
        Target: ("api_key", "secret_headers"),
        Channel: ("url", "secret"),
        FindingSettings: ("model_key",),
        GraderSettings: ("judge_key",),
        VocabularyGrowth: ("model_key",),
        SearchSettings: ("model_key",),
    }


@pytest.mark.usefixtures("well")
def test_whatever_a_lost_key_has_encrypted_is_named(settings: LazySettings) -> None:
    Installation.with_this_key()
    _mail_channel(25)
    FindingSettings.objects.update_or_create(pk=FindingSettings.get_solo().pk, defaults={"model_key": "a key"})
    GraderSettings.objects.update_or_create(pk=GraderSettings.get_solo().pk, defaults={"judge_key": "a key"})
    assert found("GF004")[0].state is State.OK
    settings.SECRET_KEY = "another key of more than thirty-two letters"
    Installation.with_this_key()
    (answer,) = found("GF004")
    for name in ("channel operators", "Settings of findings", "Settings of graders"):
        assert name in answer.words
    assert "bundled" not in answer.words, "it has no secret"
    assert "Settings of search" not in answer.words


@pytest.mark.usefixtures("well")
def test_debug_is_a_leak(settings: LazySettings) -> None:
    settings.DEBUG = True
    assert found("GF004")[0].words == "DEBUG is on"


@pytest.mark.usefixtures("well")
def test_keys_are_counted(settings: LazySettings) -> None:
    settings.API_KEYS = ()
    assert found("GF005")[0].state is State.OFF
    make_api_key("nightly")
    assert found("GF005")[0].words == "1 in force"


@pytest.mark.parametrize(("free", "state"), [(3 * 10**9, State.OK), (10**9, State.WRONG), (10**8, State.WRONG)])
def test_little_room_is_told_before_there_is_none(free: int, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda _: type("Usage", (), {"free": free}))
    (answer,) = found("GF010")
    assert answer.state is state
    assert ("No cycle can be recorded soon" in answer.next_step) is (free == 10**8)


def test_what_others_can_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(machine, "_data_folder", lambda: tmp_path)
    assert found("GF011")[0].state is State.OK
    key = tmp_path / "secret_key"
    key.write_text("x")
    key.chmod(0o640)
    (answer,) = found("GF011")
    assert str(key) in answer.next_step
    assert answer.command == f"chmod -R go= {tmp_path}"


@pytest.fixture
def data_dir(tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a database of SQLite and a secret key. Access is as the owner's bits of the mode say, also for root."""

    def as_owner(path: Path, need: int) -> bool:
        return (Path(path).stat().st_mode >> 6) & need == need

    tmp_path.chmod(0o700)
    for name in ("gadfly.sqlite3", "gadfly.sqlite3-wal", "gadfly.sqlite3-shm", "secret_key"):
        (tmp_path / name).touch(0o600)
    of_sqlite = {"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "gadfly.sqlite3"}
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, database=of_sqlite, was_open=None)
    monkeypatch.setattr(machine, "_data_folder", lambda: tmp_path)
    monkeypatch.setattr(machine.os, "access", as_owner)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("gadfly.sqlite3", 0o400),
        ("gadfly.sqlite3-wal", 0o400),
        ("gadfly.sqlite3-shm", 0o200),
        ("gadfly.sqlite3", 0o440),
        ("secret_key", 0o000),
    ],
)
def test_a_file_that_cannot_be_used_is_to_be_given_to_the_user(data_dir: Path, name: str, mode: int) -> None:
    path = data_dir / name
    path.chmod(mode)
    (answer,) = found("GF011")
    assert (answer.state, answer.words) == (State.WRONG, f"{name} cannot be used by this user")
    assert answer.next_step == f"Give {path} to the user that Gadfly runs as."
    assert answer.command == f"chown gadfly {path} && chmod u+rw,go= {path}"


def test_files_that_can_be_used_are_well_also_a_secret_key_that_is_read_only(data_dir: Path) -> None:
    (data_dir / "secret_key").chmod(0o400)
    (data_dir / "gadfly.sqlite3-wal").unlink()
    (data_dir / "gadfly.sqlite3.earlier").touch(0o400)
    assert found("GF011")[0].state is State.OK


def test_what_others_can_read_and_is_of_another_owner_is_to_be_given_to_the_user_too(data_dir: Path) -> None:
    (data_dir / "secret_key").chmod(0o440)
    (answer,) = found("GF011")
    assert answer.words == "Others can read DATA_DIR"
    assert answer.command.startswith(f"chown gadfly {data_dir / 'secret_key'} && ")


@pytest.mark.usefixtures("well")
def test_what_was_open_until_the_settings_closed_it_is_a_warning(
    tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(machine, "_data_folder", lambda: tmp_path)
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, was_open=tmp_path / "secret_key")
    text, status = printed("--json", "--no-target", "--only", "GF011")
    (row,) = json.loads(text)["checks"]
    assert (row["is_problem"], row["severity"], status) == (True, "warning", 0)
    assert row["detail"] == str(tmp_path / "secret_key")
    assert "If the keys in it may have been read" in row["next_step"]
    assert "GF011 warning Permissions: " in printed("--no-target")[0]


@pytest.mark.usefixtures("well")
def test_what_is_overdue_stranded_or_late_is_told() -> None:
    Schedule.objects.update(next_run=NOON - timedelta(minutes=7))
    assert found("GF022")[0].words == "Overdue: the next cycle was due"
    factory.make_cycle(Cycle.State.PLANNED, now=NOON - timedelta(minutes=2))
    Cycle.objects.filter(state=Cycle.State.FINISHED).update(finished_at=NOON - timedelta(hours=4))
    assert {"GF022", "GF023", "GF025"} <= problems()


def test_of_several_targets_the_one_whose_cycles_do_not_finish_is_named(well: Target) -> None:
    other = factory.make_target("the other one", is_default=False)
    factory.make_target("off", is_default=False)
    Target.objects.filter(name="off").update(enabled=False)
    factory.make_cycle(target=other, now=NOON - timedelta(hours=4))
    first, second = found("GF023")
    assert (first.subject, first.target, first.state, first.words) == (
        "bundled",
        well.pk,
        State.OK,
        "The last one finished",
    )
    assert (second.subject, second.target, second.state) == ("the other one", other.pk, State.WRONG)
    assert second.command == "manage.py run_cycle --target 'the other one'"
    Target.objects.filter(pk=well.pk).update(enabled=False)
    (alone,) = found("GF023")
    assert (alone.subject, alone.target, alone.state) == ("", None, State.WRONG)
    assert alone.command == "manage.py run_cycle --target 'the other one'", "the default one is off, and not asked"
    Target.objects.update(enabled=False)
    [off] = found("GF023")
    assert (off.state, off.words, off.is_problem) == (State.OFF, "No target is switched on", False)


@pytest.mark.usefixtures("target")
def test_that_no_cycle_ever_finishes_is_a_problem_once_one_had_its_time() -> None:
    factory.make_cycle(Cycle.State.INTERRUPTED, now=NOON - timedelta(hours=3))
    [waiting] = found("GF023")
    assert (waiting.state, waiting.words) == (State.WAITING, "None yet")
    Cycle.objects.update(created_at=NOON - timedelta(hours=3, minutes=1))
    [never] = found("GF023")
    assert (never.state, never.words) == (State.WRONG, "None since the first was requested")
    assert never.at == NOON - timedelta(hours=3, minutes=1)


@pytest.mark.usefixtures("well")
def test_a_target_that_was_just_added_is_no_problem() -> None:
    factory.make_target("added", is_default=False)
    added, _ = found("GF023")  # by name
    assert (added.state, added.words, added.detail) == (State.WAITING, "None yet", "wait for the next one, or run one")
    text, status = printed("--json", "--no-target")
    assert (json.loads(text)["problems"], status) == (0, 0)
    assert {row["command"] for row in json.loads(text)["checks"] if row["state"] == "waiting"} == {""}


@pytest.mark.usefixtures("well")
def test_a_cycle_that_was_interrupted_does_not_say_that_the_target_was_reached() -> None:
    away = factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, "GET /health: connection refused", NOON)
    factory.make_cycle(Cycle.State.INTERRUPTED, "switched off before it could start", NOON)
    [reached] = found("GF030")
    assert (reached.state, reached.words, reached.cycle) == (State.WRONG, "Away when last asked", away.pk)
    factory.make_cycle(now=NOON)
    assert found("GF030")[0].words == "Reached when last asked"


@pytest.mark.usefixtures("well")
def test_answers_that_were_never_checked_are_a_problem_once_a_worker_had_hours_for_it(
    worker: Callable[[int], None],
) -> None:
    assert found("GF028")[0].state is State.WAITING
    Cycle.objects.update(created_at=NOON - timedelta(hours=4))
    factory.make_cycle()
    (answer,) = found("GF028")
    assert (answer.state, answer.words) == (State.WRONG, "Clean ones kept for 30 days, not checked yet")
    assert "GF028" in problems()
    worker(0)
    assert found("GF028")[0].state is State.WAITING, "a missing worker is one problem"


@pytest.mark.usefixtures("well")
def test_faults_of_gadfly_are_counted() -> None:
    run = factory.plan_run(factory.make_combination("a query"))
    Run.objects.filter(pk=run.pk).update(state=Run.State.INTERRUPTED, own_error="KeyError: 'parts'", finished_at=NOON)
    (answer,) = found("GF026")
    assert (answer.words, answer.at, answer.detail) == ("1 in the newest 200 runs", NOON, "KeyError: 'parts'")
    assert answer.command == 'journalctl -u gadfly --since "2026-06-30 11:59 UTC"'


def test_a_target_is_asked_where_it_may_be(well: Target) -> None:
    assert found("GF030")[0].words == "Reached when last asked"
    assert found("GF030", asks_targets=True)[0].words.startswith("Answers, in ")
    Target.objects.update(kind=Target.Kind.HTTP, base_url="http://127.0.0.1:1")
    (answer,) = found("GF030", asks_targets=True)
    assert (answer.words, answer.state) == ("Away", State.WRONG)
    Target.objects.update(enabled=False)
    assert found("GF030", asks_targets=True)[0].words == "Switched off"


def test_a_target_that_is_away_is_to_be_asked_by_hand_without_its_password(well: Target) -> None:
    Target.objects.update(kind=Target.Kind.HTTP, base_url="http://gadfly:s3cret@127.0.0.1:1/api/")
    (answer,) = found("GF030", asks_targets=True)
    assert answer.command == "curl -i http://127.0.0.1:1/api/health"
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE)
    assert found("GF030")[0].command == "curl -i http://127.0.0.1:1/api/health"


@pytest.mark.usefixtures("well")
def test_where_no_command_mends_it_the_page_is_named(vera: Client, admin_client: Client) -> None:
    Tuning.objects.update_or_create(pk=Tuning.get_solo().pk, defaults={"enabled": False})
    _mail_channel(1)
    channel = Channel.objects.get()
    notice = Notice.objects.create(kind=Notice.Kind.TEST, key="a", words="a", link="/", created_at=NOON)
    Delivery.objects.create(notice=notice, channel=channel, error="no", next_at=NOON, tried_at=NOON, created_at=NOON)
    combination = factory.make_combination("the deadly one")
    for _ in range(3):
        Run.objects.filter(pk=factory.plan_run(combination).pk).update(state=Run.State.INTERRUPTED)
    pages = {code: found(code, asks_targets=True)[0].command for code in ("GF020", "GF027", "GF029", "GF032")}
    here = "http://127.0.0.1:8000"
    assert pages == {
        "GF020": f"{here}/admin/selftest/tuning/",
        "GF027": f"{here}/combinations/{combination.pk}",
        "GF029": f"{here}/admin/selftest/channel/{channel.pk}/change/",
        "GF032": f"{here}/admin/selftest/channel/{channel.pk}/change/",
    }
    for code, address in pages.items():
        reader = vera if code == "GF027" else admin_client
        assert reader.get(address.removeprefix(here)).status_code == 200


def test_a_target_without_a_vocabulary_is_named(well: Target) -> None:
    assert found("GF031")[0].words == "Version 1 feeds every recipe"
    VocabularyVersion.objects.update(in_force=False)
    (answer,) = found("GF031")
    assert (answer.subject, answer.words) == ("bundled", "None in force")
    assert answer.command == "manage.py vocabulary import FILE --target bundled"


def _mail_channel(port: int) -> None:
    url = f"mailto://gadfly:pass-4711@127.0.0.1:{port}?from=gadfly@example.com&to=ops@example.com"
    Channel.objects.create(name="operators", kind=Channel.Kind.APPRISE, url=url, created_at=NOON)


@pytest.fixture
def mail_server() -> Iterator[tuple[Controller, list[str]]]:
    """One that lets only the right password in; what it was sent."""
    sent: list[str] = []

    class Inbox:
        async def handle_DATA(self, _server: object, _session: object, envelope: Envelope) -> str:
            sent.append(str(envelope.content))
            return "250 OK"

    def let_in(_server: object, _session: object, _envelope: object, _how: str, given: LoginPassword) -> AuthResult:
        return AuthResult(success=given.password == b"pass-4711", handled=False)

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Controller(
        Inbox(), "127.0.0.1", port, authenticator=let_in, auth_require_tls=False, auth_exclude_mechanism=["LOGIN"]
    )
    server.start()
    yield server, sent
    server.stop()


def test_a_mail_server_is_asked_where_that_may_be_and_sent_nothing(
    mail_server: tuple[Controller, list[str]],
) -> None:
    server, sent = mail_server
    assert [one.words for one in found("GF032")] == ["No channel sends mail"]
    _mail_channel(server.port)
    assert [one.words for one in found("GF032")] == ["Asked by the command alone"]
    (answer,) = found("GF032", asks_targets=True)
    assert (answer.subject, answer.words, answer.state) == ("operators", "Takes mail", State.OK)
    assert sent == []


def test_a_mail_server_that_refuses_or_is_away_is_named_without_the_password(
    mail_server: tuple[Controller, list[str]],
) -> None:
    server, _ = mail_server
    _mail_channel(server.port)
    channel = Channel.objects.get()
    channel.url = channel.url.replace("pass-4711", "pass-0815")
    channel.save()
    (refused,) = found("GF032", asks_targets=True)
    assert (refused.words, refused.is_problem) == ("Takes no mail", True)
    assert "535" in refused.detail
    Channel.objects.all().delete()
    _mail_channel(1)
    (away,) = found("GF032", asks_targets=True)
    assert "refused" in away.detail
    assert "pass-" not in refused.detail + away.detail


def printed(*arguments: str) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("doctor", *arguments, stdout=out)
    except SystemExit as end:
        return out.getvalue(), int(str(end.code))
    return out.getvalue(), 0


@pytest.mark.usefixtures("well")
def test_the_command_says_what_to_do_and_exits_with_1_for_an_error(worker: Callable[[int], None]) -> None:
    text, status = printed()
    assert status == 0
    assert text.endswith("No problems.\n")
    worker(0)
    text, status = printed()
    assert status == 1
    assert "GF021 error Worker: No cycle runs until you start one.\n      manage.py qcluster\n" in text


@pytest.mark.usefixtures("well")
def test_the_document_has_every_check_and_a_warning_alone_is_no_failure() -> None:
    Cycle.objects.update(created_at=NOON + timedelta(hours=2))
    text, status = printed("--json", "--no-target")
    document = json.loads(text)
    assert status == 0
    assert (document["status"], document["problems"]) == ("problems", 1)
    assert {row["code"] for row in document["checks"]} == {check.code for check in CHECKS}
    (clock,) = [row for row in document["checks"] if row["is_problem"]]
    assert (clock["code"], clock["severity"], clock["state"]) == ("GF003", Severity.WARNING, "wrong")
