"""What each process of an installation keeps in memory: nothing that only few need, and the rest but once."""

import json
import os
import subprocess
import sys

import pytest

FOR_FEW = {"apprise", "httpx2", "onnxruntime", "openai", "redis", "rich", "scipy", "tokenizers"}
LOADED = "import django, json, sys; django.setup(); import {}; print(json.dumps(sorted(sys.modules)))"
FORKED = """
import os, threading
import review.wsgi
before = threading.active_count()
child = os.fork()
if not child:
    os._exit([thread.name for thread in threading.enumerate()].count("stand-in"))
print(before, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def said_by(code: str, **environment: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | environment).stdout


@pytest.mark.process
@pytest.mark.parametrize("entrance", ["review.wsgi, review.urls", "selftest.tasks, django_q.cluster"])
def test_a_process_loads_nothing_that_few_installations_need(entrance: str) -> None:
    """Redis' client takes 20 MB, scipy 70, a terminal's tables 5, the language model's client a second."""
    assert FOR_FEW & set(json.loads(said_by(LOADED.format(entrance), REDIS_URL=""))) == set()


@pytest.mark.process
def test_where_redis_is_the_broker_its_faults_are_known() -> None:
    code = "from review import wsgi; from selftest.storage import broker_faults as f; print(f.BROKER_AWAY)"
    assert "redis.exceptions.RedisError" in said_by(code, REDIS_URL="redis://127.0.0.1:1/0")


@pytest.mark.process
def test_a_process_of_the_web_server_has_its_own_stand_in_after_the_fork() -> None:
    """The one that loads the application has no thread, which would be lost, and could hold a lock for good."""
    assert said_by(FORKED, SERVER_SOFTWARE="gunicorn/27").split() == ["1", "1"]


@pytest.mark.process
def test_a_cluster_loads_its_tasks_once_and_not_in_each_process_that_does_them() -> None:
    assert "selftest.tasks" in json.loads(said_by(LOADED.format("selftest.management.commands.qcluster")))
