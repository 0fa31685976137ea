"""The programs that tests need beside Python: where they are, and throw-away servers of them on 127.0.0.1.

Standard library only. As a command:

    python -m tests.servers missing [--packages]      what is not installed: a sentence, or Debian's package names
    python -m tests.servers postgres -- COMMAND...    runs COMMAND with DATABASE_URL naming an empty PostgreSQL
"""

import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

TEST_DATABASE_URL = "GADFLY_TEST_DATABASE_URL"  # the tests drop a developer's DATABASE_URL, and take this one

START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 30.0
START_ATTEMPTS = 5  # a free port can be taken between the look and the start

Nginx = Callable[[Callable[[int], str]], AbstractContextManager[int]]  # how `nginx` is called


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() in ("true", "1")


def find_chromium() -> str | None:
    """One without a window's parts where there is one: the tests in a browser take two thirds of the time."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next(filter(None, map(shutil.which, names)), None)


def find_postgres() -> str | None:
    """The folder of the newest server's programs. Debian keeps them off the PATH."""
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"),
        key=lambda folder: int(re.sub(r"\D", "", folder.parent.name) or 0),
        reverse=True,
    )
    on_path = shutil.which("postgres")
    if on_path:
        folders.append(Path(on_path).resolve().parent)
    return next((str(f) for f in folders if (f / "postgres").is_file() and (f / "initdb").is_file()), None)


def find_redis() -> str | None:
    return shutil.which("redis-server")


def find_nginx() -> str | None:
    """Debian keeps it off the PATH of all but root."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def find_systemd_analyze() -> str | None:
    return shutil.which("systemd-analyze")


@dataclass(frozen=True)
class Program:
    """One program that tests need and Python's packages do not bring."""

    name: str
    find: Callable[[], str | None]
    packages: str  # Debian's
    without_it: str


CHROMIUM = Program(
    "Chromium", find_chromium, "chromium-headless-shell fonts-dejavu-core", "the tests in a browser are skipped"
)
POSTGRES = Program("a PostgreSQL server", find_postgres, "postgresql", "the tests on PostgreSQL are skipped")
REDIS = Program("a Redis server", find_redis, "redis-server", "the tests on Redis are skipped")
NGINX = Program("nginx", find_nginx, "nginx-light", "the test behind a proxy is skipped")
SYSTEMD = Program("systemd-analyze", find_systemd_analyze, "systemd", "the tests of the units for systemd are skipped")
PROGRAMS = (CHROMIUM, POSTGRES, REDIS, NGINX, SYSTEMD)


@contextmanager
def postgres() -> Iterator[str]:
    """A new, empty PostgreSQL; its URL. Trusts everyone on loopback, syncs nothing to disk, is gone afterwards."""
    programs = Path(_found(POSTGRES))
    user = _unprivileged_user()
    with _folder(user) as folder:
        data = folder / "data"
        options = ["--username=gadfly", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"]
        _run_to_end([str(programs / "initdb"), f"--pgdata={data}", *options], folder, user)

        def command(port: int) -> list[str]:
            values = {
                "listen_addresses": "127.0.0.1",
                "port": port,
                "unix_socket_directories": folder,
                "fsync": "off",
                "full_page_writes": "off",
                "synchronous_commit": "off",
                "timezone": "UTC",
            }
            options = [part for name, value in values.items() for part in ("-c", f"{name}={value}")]
            return [str(programs / "postgres"), "-D", str(data), *options]

        def is_ready(_port: int) -> bool:
            try:
                return (data / "postmaster.pid").read_text().splitlines()[7].strip() == "ready"
            except (FileNotFoundError, IndexError):
                return False

        # SIGINT is PostgreSQL's fast shutdown: sessions are ended, not waited for.
        with _server(command, is_ready, folder, user, signal.SIGINT) as port:
            yield f"postgres://gadfly@127.0.0.1:{port}/postgres"


@contextmanager
def redis() -> Iterator[str]:
    """A new, empty Redis that keeps nothing; its URL."""
    program = _found(REDIS)
    with _folder(None) as folder:

        def command(port: int) -> list[str]:
            options = {"port": port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": folder}
            return [program, *(part for name, value in options.items() for part in (f"--{name}", str(value)))]

        def is_ready(port: int) -> bool:
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
                    connection.sendall(b"PING\r\n")
                    return connection.recv(16).startswith(b"+PONG")
            except OSError:
                return False

        with _server(command, is_ready, folder, None, signal.SIGTERM) as port:
            yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def nginx(site: Callable[[int], str]) -> Iterator[int]:
    """An nginx with this site alone; its port, which the site is made for."""
    program = _found(NGINX)
    with _folder(None) as folder:
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        folders = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)

        def command(port: int) -> list[str]:
            whole = f"events {{}}\nhttp {{\naccess_log off;\n{folders}{site(port)}\n}}\n"
            Path(folder, "nginx.conf").write_text(whole)
            of_process = f"daemon off; master_process off; pid {folder}/pid; error_log stderr;"
            return [program, "-p", str(folder), "-c", f"{folder}/nginx.conf", "-g", of_process]

        def is_ready(port: int) -> bool:
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=1):
                    return True
            except OSError:
                return False

        with _server(command, is_ready, folder, None, signal.SIGTERM) as port:
            yield port


def _found(program: Program) -> str:
    path = program.find()
    if path is None:
        raise FileNotFoundError(f"{program.name} is not installed")
    return path


def _unprivileged_user() -> pwd.struct_passwd | None:
    """PostgreSQL refuses to run as root; None: as who we are."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("no user that PostgreSQL could run as: neither postgres nor nobody")


@contextmanager
def _folder(user: pwd.struct_passwd | None) -> Iterator[Path]:
    # Root's own temporary folder may be closed to the user that the server runs as; /tmp never is.
    with tempfile.TemporaryDirectory(prefix="gadfly-", dir="/tmp" if user else None) as name:
        if user:
            os.chown(name, user.pw_uid, user.pw_gid)
        yield Path(name)


@contextmanager
def _server(
    command: Callable[[int], list[str]],
    is_ready: Callable[[int], bool],
    folder: Path,
    user: pwd.struct_passwd | None,
    stop_signal: signal.Signals,
) -> Iterator[int]:
    """Starts `command` on a free port, waits until it is ready, and ends that one process at the end."""
    log = folder / "log"
    for _ in range(START_ATTEMPTS):
        port = _free_port()
        process = _start(command(port), folder, log, user, stop_signal)
        try:
            if _wait(process, lambda port=port: is_ready(port)):  # type: ignore[misc]
                yield port
                return
        finally:
            _stop(process, stop_signal)
    raise RuntimeError(f"{command(0)[0]} did not start:\n{log.read_text(errors='replace')[-4000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _start(
    command: Sequence[str], folder: Path, log: Path, user: pwd.struct_passwd | None, stop_signal: signal.Signals
) -> subprocess.Popen[bytes]:
    setpriv = shutil.which("setpriv")
    # Where it can be had: should this process be killed, the server is told to stop too.
    ends_with_us = [setpriv, "--pdeathsig", stop_signal.name.removeprefix("SIG")] if setpriv else []
    with log.open("ab") as output:
        return subprocess.Popen(
            [*ends_with_us, *command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # a Ctrl-C at the terminal is for the tests, which then stop their servers
            **_as_user(user),
        )


def _run_to_end(command: Sequence[str], folder: Path, user: pwd.struct_passwd | None) -> None:
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **_as_user(user)
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stdout}{done.stderr}")


def _as_user(user: pwd.struct_passwd | None) -> dict:  # type: ignore[type-arg]
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}


def _wait(process: subprocess.Popen[bytes], is_ready: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + START_TIMEOUT_S
    while process.poll() is None and time.monotonic() < deadline:
        if is_ready():
            return process.poll() is None
        time.sleep(0.05)
    return False


def _stop(process: subprocess.Popen[bytes], stop_signal: signal.Signals) -> None:
    process.send_signal(stop_signal)  # does nothing where the process is over already
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _print_missing(packages: bool) -> int:
    missing = [program for program in PROGRAMS if program.find() is None]
    if packages:
        sys.stdout.write(" ".join(program.packages for program in missing))
    else:
        sys.stdout.write("; ".join(f"{program.name} ({program.without_it})" for program in missing))
    return 0


def _run_on_postgres(command: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with postgres() as url:
        child = subprocess.Popen(command, env={**os.environ, "DATABASE_URL": url, TEST_DATABASE_URL: url})
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command hears the terminal's Ctrl-C itself
        code = child.wait()
    return code if code >= 0 else 128 - code


def main(arguments: list[str]) -> int:
    match arguments:
        case ["missing"]:
            return _print_missing(packages=False)
        case ["missing", "--packages"]:
            return _print_missing(packages=True)
        case ["postgres", "--", _, *_]:
            return _run_on_postgres(arguments[2:])
        case _:
            sys.stderr.write(f"{__doc__}\n")
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
