"""The environment variables that the product reads: each parsed once, or refused in one line."""

import os
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import dj_database_url

from selftest.core.settings import ENABLED_VARIABLE, SETTING_SPECS
from selftest.storage.data_folder import OWN_NAMES, make_private, open_to_others

T = TypeVar("T")
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
TRUTH = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


# Of PostgreSQL, unless DATABASE_URL says otherwise. A machine that froze or lost its power in a transaction would keep
# its locks, for which the sweeps of all machines wait; one whose server is gone would wait for it without limit.
IDLE_IN_TRANSACTION_MS = 60_000  # between two statements; then the server ends the session
CONNECTION_LIMITS = {
    "connect_timeout": 5,  # seconds, as are the next two
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,  # ms
}
SECRET_VARIABLES = frozenset({"SECRET_KEY", "SECRET_KEY_FALLBACKS", "API_KEYS"})
LOGIN_IN_URL = re.compile(r"//.*@")


class InvalidEnvironmentError(ValueError):
    """A value that is not valid. The message is one line: the variable, its value unless that is secret, and what
    would be valid.
    """

    def __init__(self, name: str, value: str, valid: str) -> None:
        shown = "" if name in SECRET_VARIABLES else f"={LOGIN_IN_URL.sub('//***@', value)!r}"
        super().__init__(f"{name}{shown} is not valid: {valid}")


@dataclass(frozen=True)
class Environment:
    """The values of one start. Their defaults are listed in the README.

    was_open: what of DATA_DIR others had access to until this process closed it.
    """

    data_dir: Path
    was_open: Path | None
    database: Mapping[str, Any]
    redis_url: str
    secret_key: str
    secret_key_fallbacks: tuple[str, ...]
    allowed_hosts: tuple[str, ...]
    csrf_trusted_origins: tuple[str, ...]
    https: bool
    public_url: str
    debug: bool
    api_keys: tuple[str, ...]
    target_url: str
    target_api_key: str
    target_vocabulary: Path | None
    python_targets: tuple[str, ...]
    target_private: bool
    enabled: bool
    first_tuning: Mapping[str, float]
    stale_grace_multiplier: float
    metrics: bool
    log_format: str

    @property
    def one_host(self) -> str:
        """A host name that the application answers to."""
        return self.allowed_hosts[0].lstrip(".").replace("*", "localhost")

    @property
    def linked_url(self) -> str:
        """What links in notices begin with; empty where that is the address that `start` listens at."""
        return self.public_url or (f"https://{self.one_host}" if self.https else "")


def read_environment(variables: Mapping[str, str] = os.environ, *, is_examined: bool = False) -> Environment:
    """Reads the environment. Creates DATA_DIR and the secret key where missing. Raises InvalidEnvironmentError.

    is_examined: any DATA_DIR will do, as the doctor has a check that says what is wrong with it.
    """
    value = _Reader(variables)
    folder = _any_folder if is_examined else _writable_folder
    data_dir = value.read("DATA_DIR", folder, Path("data"), "a folder that can be created and written to")
    return Environment(
        data_dir=data_dir,
        was_open=_closed_to_others(data_dir),
        database=value.read(
            "DATABASE_URL", _database, _sqlite(data_dir / "gadfly.sqlite3"), "postgres://… or sqlite:///…"
        ),
        redis_url=value.read("REDIS_URL", _url_of("redis", "rediss", "unix"), "", "redis://host:port/number"),
        secret_key=value.read("SECRET_KEY", _long_enough, "", "at least 32 characters")
        or (_any_secret if is_examined else _kept_secret)(data_dir),
        secret_key_fallbacks=value.read(
            "SECRET_KEY_FALLBACKS", _all_long_enough, (), "earlier keys of at least 32 characters, comma-separated"
        ),
        allowed_hosts=value.read(
            "ALLOWED_HOSTS",
            _hosts,
            LOOPBACK_NAMES,
            "host names without scheme or port, comma-separated: gadfly.example",
        ),
        csrf_trusted_origins=value.read(
            "CSRF_TRUSTED_ORIGINS", _origins, (), "origins with their scheme, comma-separated: https://gadfly.example"
        ),
        https=value.read("HTTPS", _truth, False, "true or false"),
        public_url=value.read("PUBLIC_URL", _public_url, "", "the address of Gadfly's pages: https://gadfly.example"),
        debug=value.read("DEBUG", _truth, False, "true or false"),
        api_keys=value.read("API_KEYS", _keys, (), "keys of at least 16 characters, comma-separated"),
        target_url=value.read("TARGET_URL", _url_of("http", "https"), "", "a base URL: http://host:port"),
        target_api_key=variables.get("TARGET_API_KEY", ""),
        target_vocabulary=value.read("TARGET_VOCABULARY", _file, None, "the path of a vocabulary document"),
        python_targets=value.read(
            "PYTHON_TARGETS", _dotted_paths, (), "dotted paths of modules, comma-separated: mypackage.routers"
        ),
        target_private=value.read("TARGET_PRIVATE", _truth, True, "true or false"),
        enabled=value.read(ENABLED_VARIABLE, _truth, True, "true or false"),
        first_tuning={
            t.field: value.read(t.variable, _number(t.is_whole, t.fault), t.default, t.valid) for t in SETTING_SPECS
        },
        stale_grace_multiplier=value.read(
            "SNAPSHOT_STALE_GRACE_MULTIPLIER", _number(False, _below_one), 3.0, "a number, 1 or more"
        ),
        metrics=value.read("METRICS", _truth, True, "true or false"),
        log_format=value.read("LOG_FORMAT", _log_format, "text", "text or json"),
    )


class _Reader:
    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def read(self, name: str, parse: Callable[[str], T], default: T, valid: str) -> T:
        """The parsed value, or the default. An empty variable counts as unset, as in compose files."""
        text = self._variables.get(name, "").strip()
        if not text and name == "DATA_DIR":
            text = str(default)  # it is checked as well
        if not text:
            return default
        try:
            return parse(text)
        except OSError as fault:
            reason = f" ({fault.strerror})" if fault.strerror else ""
            raise InvalidEnvironmentError(name, text, valid + reason) from fault
        except ValueError as fault:
            raise InvalidEnvironmentError(name, text, valid) from fault


def _truth(text: str) -> bool:
    if text.lower() not in TRUTH:
        raise ValueError(text)
    return TRUTH[text.lower()]


def _log_format(text: str) -> str:
    if text.lower() not in ("text", "json"):
        raise ValueError(text)
    return text.lower()


def _number(whole: bool, fault: Callable[[float], str | None]) -> Callable[[str], float]:
    def parse(text: str) -> float:
        number = int(text) if whole else float(text)
        if fault(number) is not None:
            raise ValueError(text)
        return number

    return parse


def _below_one(number: float) -> str | None:
    return None if 1 <= number < float("inf") else "below one"


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _hosts(text: str) -> tuple[str, ...]:
    """The hosts named, and the loopback names: health checks on this machine always work."""
    hosts = _names(text)
    if not hosts or not all(re.fullmatch(r"\*|\.?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:.]+\]", host) for host in hosts):
        raise ValueError(text)
    return (*hosts, *(name for name in LOOPBACK_NAMES if name not in hosts))


def _keys(text: str) -> tuple[str, ...]:
    keys = _names(text)
    if any(len(key) < 16 for key in keys):
        raise ValueError("short key")
    return keys


def _origins(text: str) -> tuple[str, ...]:
    origins = _names(text)
    if any(urlsplit(o).scheme not in ("http", "https") or not urlsplit(o).hostname for o in origins):
        raise ValueError(text)
    return origins


def _url_of(*schemes: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        url = urlsplit(text)
        if url.scheme not in schemes or not (url.hostname or url.path) or (url.port or 1) < 1:
            raise ValueError(text)
        return text

    return parse


def _public_url(text: str) -> str:
    url = urlsplit(_url_of("http", "https")(text))
    if not url.hostname or "@" in url.netloc or url.query or url.fragment:
        raise ValueError(text)
    return text.rstrip("/")


def _long_enough(text: str) -> str:
    if len(text) < 32:
        raise ValueError("short")
    return text


def _all_long_enough(text: str) -> tuple[str, ...]:
    return tuple(map(_long_enough, _names(text)))


def _dotted_paths(text: str) -> tuple[str, ...]:
    paths = _names(text)
    if not all(part.isidentifier() for path in paths for part in path.split(".")):
        raise ValueError(text)
    return paths


def _file(text: str) -> Path:
    path = Path(text).expanduser().resolve()
    if not path.is_file():
        raise ValueError(text)
    return path


def _writable_folder(text: str) -> Path:
    path = Path(text).expanduser().resolve()
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(path, os.W_OK):
        raise PermissionError(text)
    return path


def _any_folder(text: str) -> Path:
    try:
        return _writable_folder(text)
    except OSError:
        return Path(text).expanduser().resolve()


def _closed_to_others(folder: Path) -> Path | None:
    """Makes it private. What of it was open until now; None for a new folder, which had nothing of ours to read."""
    try:
        is_used = any(name.startswith(OWN_NAMES) for name in os.listdir(folder))
        found = open_to_others(folder) if is_used else None
    except OSError:  # one that may not be listed, or a file that SQLite removes when it closes its database
        found = None
    with suppress(OSError):
        make_private(folder)  # what that could not do, `start` says
    return found


def _database(text: str) -> Mapping[str, Any]:
    url = urlsplit(text)
    if url.scheme == "sqlite":
        return _sqlite(Path(dj_database_url.parse(text)["NAME"]))
    if url.scheme not in ("postgres", "postgresql") or not url.path.strip("/"):
        raise ValueError(text)
    found = dj_database_url.parse(text, conn_max_age=60, conn_health_checks=True)
    given = found.get("OPTIONS", {})
    # Of a setting that is given twice, PostgreSQL takes the last.
    options = f"-c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION_MS} {given.get('options', '')}".rstrip()
    return {**found, "OPTIONS": {**CONNECTION_LIMITS, **given, "options": options}}


def _sqlite(path: Path) -> Mapping[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,  # seconds to wait for another writer
            "transaction_mode": "IMMEDIATE",  # a writer waits at its start instead of failing in the middle
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000;",
        },
    }


def _kept_secret(data_dir: Path) -> str:
    """Created once, readable by its owner only. Of two processes that start at once, one writes and both read."""
    path = data_dir / "secret_key"
    draft = data_dir / f"secret_key.{os.getpid()}"
    if not path.exists():
        try:
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(48))
                file.flush()
                os.fsync(file.fileno())  # else a crash could leave it empty
            os.link(draft, path)
        except FileExistsError:
            pass  # the other process was first; its key counts
        except OSError as fault:  # the disk is full
            valid = f"a folder that can be written to ({fault.strerror})"
            raise InvalidEnvironmentError("DATA_DIR", str(data_dir), valid) from fault
        finally:
            with suppress(OSError):
                draft.unlink()
    try:
        return _long_enough(path.read_text().strip())
    except (OSError, ValueError) as fault:
        valid = f"a folder whose secret_key can be read and holds at least 32 characters ({path})"
        raise InvalidEnvironmentError("DATA_DIR", str(data_dir), valid) from fault


def _any_secret(data_dir: Path) -> str:
    try:
        return _kept_secret(data_dir)
    except InvalidEnvironmentError:
        return secrets.token_urlsafe(48)  # nothing is signed with it
