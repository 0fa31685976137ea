#!/usr/bin/env bash
# Installs what the tests need and is missing, then checks everything.
#
#   bash tests/run.sh [--quick] [--only-tests] [--postgres] [pytest's arguments]
#
#   --quick        for while you work: no browser, no process of its own, no PostgreSQL, nothing marked slow
#   --only-tests   no formatting, lint, types, import rules or migrations
#   --postgres     the tests on PostgreSQL instead of SQLite
#   --full         pytest's: each search (hypothesis, planted faults, seeds, made-up API calls) at its full size
#
# Without pytest's arguments, the tests that use the database run a second time, on PostgreSQL.
# With CI=true, what is missing and cannot be installed is a failure, and so is a skipped test.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
trap 'exit 130' INT
unset VIRTUAL_ENV
unset PYTHONDONTWRITEBYTECODE # else each process that a test starts, and each worker, compiles everything again

quick=false
only_tests=false
on_postgres=false
full=()
while (($#)); do
    case $1 in
        --quick) quick=true ;;
        --only-tests) only_tests=true ;;
        --postgres) on_postgres=true ;;
        --full) full=(--full) ;;
        --) shift && break ;;
        *) break ;;
    esac
    shift
done

in_ci() { [[ ${CI:-} == true || ${CI:-} == 1 ]]; }

heading() { printf '\n== %s\n' "$*"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/failed"
step() { # NAME COMMAND...: a failure is remembered, and the next step runs all the same
    heading "$1"
    "${@:2}" || echo "$1" >>"$work/failed"
}

as_root() {
    if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi
}

# --- what the tests need ---

if ! command -v uv >/dev/null; then
    heading "installing uv"
    if ! python3 -m pip install --quiet uv 2>/dev/null; then
        # The system's Python may belong to its package manager; a folder of its own is always allowed.
        tools=${XDG_CACHE_HOME:-$HOME/.cache}/gadfly/tools
        [[ -x $tools/bin/uv ]] || python3 -m pip install --quiet --target "$tools" uv
        PATH=$tools/bin:$PATH
    fi
    hash -r
    command -v uv >/dev/null || uv() { python3 -m uv "$@"; }
fi
uv sync --quiet --group dev --compile-bytecode

venv() { uv run --no-sync "$@"; }
clean() { venv python -m tests.isolation "$@"; } # without the developer's settings, and off ./data

packages=$(venv python -m tests.servers missing --packages)
if [[ -n $packages ]] && command -v apt-get >/dev/null && as_root true 2>/dev/null; then
    heading "installing $packages"
    # shellcheck disable=SC2086  # one word a package
    as_root apt-get update -qq </dev/null &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
            -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 $packages </dev/null >/dev/null ||
        echo "the package manager failed" >&2
    hash -r
fi
missing=$(venv python -m tests.servers missing)
if [[ -n $missing ]]; then
    echo "missing: $missing" >&2
    if in_ci; then exit 1; fi
fi

# --- the checks ---

had_data=$([[ -e data ]] && echo true || echo false)

static_checks() {
    step "ruff format" clean ruff format --check
    step "ruff check" clean ruff check
    step "lint-imports" clean lint-imports
    step "migrations" clean python manage.py makemigrations --check --dry-run
    step "mypy" clean mypy
}
if ! $only_tests; then
    static_checks >"$work/static" 2>&1 & # beside the tests, which leave the processor now and then; shown after them
fi

pytest=(python -m pytest -p tests.isolation -n logical --dist worksteal "${full[@]}")
if $quick; then
    pytest+=(-m "not (browser or process or slow)")
fi
if in_ci; then
    # One test that hangs ends the run with a traceback, long before CI's own limit ends it with nothing.
    pytest+=(-o faulthandler_timeout=900 -o faulthandler_exit_on_timeout=true)
fi
has_postgres() { [[ $missing != *PostgreSQL* ]]; }

if $on_postgres; then
    step "tests on PostgreSQL" venv python -m tests.servers postgres -- "${pytest[@]}" "$@"
else
    step "tests" venv "${pytest[@]}" "$@"
    if ! $quick && (($# == 0)) && has_postgres; then
        step "tests on PostgreSQL" venv python -m tests.servers postgres -- \
            "${pytest[@]}" --uses-database tests/admin tests/engine tests/review tests/api
    fi
fi

if ! $only_tests; then
    wait
    cat "$work/static"
fi

if in_ci && ! $had_data && [[ -e data ]]; then
    echo "the checks wrote into ./data" >&2
    echo "./data" >>"$work/failed"
fi

if [[ -s $work/failed ]]; then
    printf '\nfailed: %s\n' "$(paste -sd, "$work/failed")" >&2
    exit 1
fi
