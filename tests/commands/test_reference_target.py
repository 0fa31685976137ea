"""`manage.py reference_target`: the bundled router over HTTP."""

import json
import re
import signal
import subprocess
import sys
import urllib.request

from tests.commands.process import ROOT, Manage


def test_it_answers_over_http_with_its_fault_and_ends_on_ctrl_c(own_environment: dict[str, str]) -> None:
    command = [sys.executable, "manage.py", "reference_target", "--port", "0", "--fault", "made_up_header"]
    with subprocess.Popen(command, cwd=ROOT, env=own_environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        first_line = server.stdout.readline()
        url = re.search(r"http://127\.0\.0\.1:\d+", first_line)
        assert url is not None, first_line
        body = json.dumps({"query": "weather plus headlines", "source": "auto"}).encode()
        asked = urllib.request.Request(f"{url[0]}/search", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=20) as answer:
            said = json.load(answer)
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0
    assert said["source_used"] == "fusion"
    assert "[FORECAST — ASSORTED FINDINGS]" in said["result"]


def test_list_faults_gives_each_its_sentence(manage: Manage) -> None:
    ran = manage("reference_target", "--list-faults")
    rows = [line for line in ran.stdout.splitlines()[1:] if line.strip()]
    assert len(rows) >= 15
    assert any(row.startswith("pronoun_as_noun ") and row.rstrip().endswith(".") for row in rows)


def test_an_unknown_fault_is_named_with_those_that_are_known(manage: Manage) -> None:
    ran = manage("reference_target", "--fault", "gremlins")
    assert ran.returncode == 2
    assert "unknown fault 'gremlins'; known: " in ran.stderr


def test_an_empty_rate_out_of_range_is_refused(manage: Manage) -> None:
    ran = manage("reference_target", "--empty-rate", "2")
    assert ran.returncode == 2
    assert "'2' is not valid: a number from 0 to 1" in ran.stderr
