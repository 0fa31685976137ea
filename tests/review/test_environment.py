"""The environment: every variable of the contract, its default, and what a bad value gets."""

import os
import stat
from pathlib import Path

import pytest

from review.environment import InvalidEnvironmentError, read_environment


def test_with_nothing_set_the_defaults_of_the_contract_hold(tmp_path: Path) -> None:
    found = read_environment({"DATA_DIR": str(tmp_path)})
    assert found.data_dir == tmp_path
    assert found.database["ENGINE"] == "django.db.backends.sqlite3"
    assert Path(found.database["NAME"]).parent == tmp_path
    assert (found.redis_url, found.public_url) == ("", "")
    assert found.allowed_hosts == ("127.0.0.1", "localhost", "[::1]")
    assert (found.https, found.debug, found.enabled) == (False, False, True)
    assert (found.api_keys, found.target_url, found.target_vocabulary) == ((), "", None)
    assert (found.secret_key_fallbacks, found.python_targets, found.target_private) == ((), (), True)
    assert found.first_tuning == {
        "interval_minutes": 60,
        "batch_size": 8,
        "latency_outlier_multiplier": 1.5,
        "latency_outlier_floor_ms": 1000,
        "latency_outlier_min_samples": 10,
    }
    assert found.stale_grace_multiplier == 3
    assert (found.metrics, found.log_format) == (True, "text")


def test_the_secret_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    first = read_environment({"DATA_DIR": str(tmp_path)}).secret_key
    assert len(first) >= 32
    assert read_environment({"DATA_DIR": str(tmp_path)}).secret_key == first
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["secret_key"]


def test_what_others_could_read_is_closed_and_noted(tmp_path: Path) -> None:
    key = tmp_path / "secret_key"
    assert read_environment({"DATA_DIR": str(tmp_path)}).was_open is None
    key.chmod(0o644)
    assert read_environment({"DATA_DIR": str(tmp_path)}).was_open == key
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert read_environment({"DATA_DIR": str(tmp_path)}).was_open is None
    tmp_path.chmod(0o755)
    assert read_environment({"DATA_DIR": str(tmp_path)}).was_open == tmp_path


def test_a_new_folder_had_nothing_that_others_could_read(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert read_environment({"DATA_DIR": str(tmp_path)}).was_open is None
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


def test_every_variable_is_read(tmp_path: Path) -> None:
    document = tmp_path / "vocabulary.json"
    document.write_text("{}")
    found = read_environment(
        {
            "DATA_DIR": str(tmp_path),
            "DATABASE_URL": "postgres://u:p@127.0.0.1:5433/gadfly",
            "REDIS_URL": "redis://127.0.0.1:6379/1",
            "SECRET_KEY": "s" * 40,
            "SECRET_KEY_FALLBACKS": f"{'t' * 40},{'u' * 40}",
            "ALLOWED_HOSTS": "gadfly.example, other.example",
            "CSRF_TRUSTED_ORIGINS": "https://gadfly.example",
            "HTTPS": "true",
            "PUBLIC_URL": "https://gadfly.example/",
            "DEBUG": "1",
            "API_KEYS": "a-key-of-sixteen-1,a-key-of-sixteen-2",
            "TARGET_URL": "http://127.0.0.1:9000/api",
            "TARGET_API_KEY": "k",
            "TARGET_PRIVATE": "no",
            "PYTHON_TARGETS": "mypackage.routers, other",
            "TARGET_VOCABULARY": str(document),
            "ADVERSARIAL_TEST_ENABLED": "false",
            "ADVERSARIAL_TEST_INTERVAL_MINUTES": "5",
            "ADVERSARIAL_TEST_LATENCY_OUTLIER_MULTIPLIER": "2.5",
            "SNAPSHOT_STALE_GRACE_MULTIPLIER": "4",
            "METRICS": "false",
            "LOG_FORMAT": "JSON",
        }
    )
    assert found.database["ENGINE"] == "django.db.backends.postgresql"
    assert (found.database["HOST"], found.database["PORT"], found.database["NAME"]) == ("127.0.0.1", 5433, "gadfly")
    assert found.redis_url == "redis://127.0.0.1:6379/1"
    assert found.secret_key == "s" * 40
    assert found.allowed_hosts[:2] == ("gadfly.example", "other.example")
    assert "localhost" in found.allowed_hosts, "the machine itself may always ask"
    assert found.csrf_trusted_origins == ("https://gadfly.example",)
    assert found.public_url == "https://gadfly.example"
    assert (found.https, found.debug, found.enabled) == (True, True, False)
    assert found.api_keys == ("a-key-of-sixteen-1", "a-key-of-sixteen-2")
    assert (found.target_url, found.target_api_key) == ("http://127.0.0.1:9000/api", "k")
    assert found.secret_key_fallbacks == ("t" * 40, "u" * 40)
    assert (found.python_targets, found.target_private) == (("mypackage.routers", "other"), False)
    assert found.target_vocabulary == document
    assert found.first_tuning["interval_minutes"] == 5
    assert found.first_tuning["latency_outlier_multiplier"] == 2.5
    assert found.stale_grace_multiplier == 4
    assert (found.metrics, found.log_format) == (False, "json")


def test_no_machine_keeps_the_locks_of_postgresql_and_none_waits_for_it_without_limit(tmp_path: Path) -> None:
    url = "postgres://u@db.example/gadfly"
    assert read_environment({"DATA_DIR": str(tmp_path), "DATABASE_URL": url}).database["OPTIONS"] == {
        "options": "-c idle_in_transaction_session_timeout=60000",
        "connect_timeout": 5,
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 30000,
    }


def test_what_the_url_says_of_its_connection_is_kept(tmp_path: Path) -> None:
    asked = "options=-c%20lock_timeout%3D5s&connect_timeout=9&keepalives_count=8&sslmode=verify-full"
    url = f"postgres://u@db.example/gadfly?{asked}"
    assert read_environment({"DATA_DIR": str(tmp_path), "DATABASE_URL": url}).database["OPTIONS"] == {
        "options": "-c idle_in_transaction_session_timeout=60000 -c lock_timeout=5s",
        "connect_timeout": 9,
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 8,
        "tcp_user_timeout": 30000,
        "sslmode": "verify-full",
    }


def test_an_empty_variable_counts_as_unset(tmp_path: Path) -> None:
    found = read_environment({"DATA_DIR": str(tmp_path), "HTTPS": "", "API_KEYS": " ", "REDIS_URL": ""})
    assert (found.https, found.api_keys, found.redis_url) == (False, (), "")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ADVERSARIAL_TEST_ENABLED", "perhaps"),
        ("ADVERSARIAL_TEST_INTERVAL_MINUTES", "0"),
        ("ADVERSARIAL_TEST_BATCH_SIZE", "8.5"),
        ("ADVERSARIAL_TEST_LATENCY_OUTLIER_MULTIPLIER", "nan"),
        ("ADVERSARIAL_TEST_LATENCY_OUTLIER_FLOOR_MS", "-1"),
        ("ADVERSARIAL_TEST_LATENCY_OUTLIER_MIN_SAMPLES", "51"),
        ("SNAPSHOT_STALE_GRACE_MULTIPLIER", "0.5"),
        ("SNAPSHOT_STALE_GRACE_MULTIPLIER", "inf"),
        ("DATABASE_URL", "mysql://x/y"),
        ("DATABASE_URL", "postgres://host:port/x"),
        ("REDIS_URL", "http://x"),
        ("ALLOWED_HOSTS", "http://gadfly.example"),
        ("ALLOWED_HOSTS", "gadfly.example:8000"),
        ("ALLOWED_HOSTS", ","),
        ("CSRF_TRUSTED_ORIGINS", "gadfly.example"),
        ("HTTPS", "maybe"),
        ("METRICS", "perhaps"),
        ("LOG_FORMAT", "xml"),
        ("PUBLIC_URL", "gadfly.example"),
        ("PUBLIC_URL", "https://gadfly.example/?x=1"),
        ("DEBUG", "2"),
        ("TARGET_URL", "127.0.0.1:9000"),
        ("TARGET_URL", "http://host:99999"),
        ("TARGET_VOCABULARY", "/no/such/file.json"),
        ("DATA_DIR", "/dev/null/folder"),
    ],
)
def test_a_bad_value_is_one_line_with_name_value_and_what_is_valid(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(InvalidEnvironmentError) as refused:
        read_environment({"DATA_DIR": str(tmp_path), name: value})
    line = str(refused.value)
    assert line.startswith(f"{name}={value!r} is not valid: ")
    assert "\n" not in line


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("SECRET_KEY", "my-s3cret", "SECRET_KEY is not valid: "),
        ("SECRET_KEY_FALLBACKS", "s3cret-of-before", "SECRET_KEY_FALLBACKS is not valid: "),
        ("API_KEYS", "a-s3cret-of-sixteen-characters,short", "API_KEYS is not valid: "),
        ("DATABASE_URL", "postgres://me:s3cret@db", "DATABASE_URL='postgres://***@db' is not valid: "),
        ("REDIS_URL", "redis://:s3c/s3cret@host:0", "REDIS_URL='redis://***@host:0' is not valid: "),
    ],
)
def test_a_refused_value_shows_no_secret(tmp_path: Path, name: str, value: str, shown: str) -> None:
    with pytest.raises(InvalidEnvironmentError) as refused:
        read_environment({"DATA_DIR": str(tmp_path), name: value})
    assert str(refused.value).startswith(shown)
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("kept", [b"", b"short", b"\xff" * 40, None])
def test_a_kept_secret_key_that_cannot_be_used_is_refused_in_one_line(tmp_path: Path, kept: bytes | None) -> None:
    if kept is None:
        (tmp_path / "secret_key").mkdir()
    else:
        (tmp_path / "secret_key").write_bytes(kept)
    with pytest.raises(InvalidEnvironmentError, match=r"^DATA_DIR=.*secret_key can be read and holds at least 32"):
        read_environment({"DATA_DIR": str(tmp_path)})


def test_where_it_is_examined_a_folder_that_cannot_be_made_is_not_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    variables = {"DATA_DIR": str(tmp_path / "file" / "data")}
    with pytest.raises(InvalidEnvironmentError, match="a folder that can be created and written to"):
        read_environment(variables)
    found = read_environment(variables, is_examined=True)
    assert (found.data_dir, found.was_open) == (tmp_path / "file" / "data", None)
    assert len(found.secret_key) >= 32
