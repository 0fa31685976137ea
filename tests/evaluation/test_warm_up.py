"""The entailment model is ready before a worker or a batch needs it; without one, nothing fails."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django_q.signals import post_spawn

from selftest.evaluation import graders_in_force, onnx_model
from selftest.evaluation.graders_in_force import warm_up
from selftest.evaluation.models import GraderSettings
from selftest.evaluation.onnx_model import OnnxModel
from selftest.management.commands import qcluster
from selftest.models import Target
from tests.evaluation.graders.tiny_model import write_model
from tests.evaluation.pairs import made_pair

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _nothing_loaded() -> None:
    onnx_model.loaded.cache_clear()


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[tuple[str, str]]]:
    """What models are asked."""
    found: list[Sequence[tuple[str, str]]] = []
    judge = OnnxModel.judge
    monkeypatch.setattr(OnnxModel, "judge", lambda self, pairs: found.append(pairs) or judge(self, pairs))
    return found


def set_folder(folder: Path) -> None:
    GraderSettings.objects.update_or_create(pk=1, defaults={"nli_folder": str(folder)})


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if "entailment" in record.getMessage()]


def test_a_model_that_is_set_is_loaded_and_asked_once(tmp_path: Path, judged: list[Sequence[tuple[str, str]]]) -> None:
    set_folder(write_model(tmp_path / "model"))
    thread = warm_up()
    assert thread is not None
    thread.join()
    onnx_model.model_in(tmp_path / "model")
    assert judged == [[onnx_model.WARM_UP]]


def test_without_one_no_thread_is_started() -> None:
    assert warm_up() is None


def test_a_folder_that_holds_none_is_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    set_folder(tmp_path / "gone")
    thread = warm_up()
    assert thread is not None
    thread.join()
    (line,) = lines(caplog)
    assert line.startswith("There is no entailment model, so answers are graded without one: ")
    assert str(tmp_path / "gone") in line


def test_each_process_of_a_worker_begins_by_it_and_one_of_them_tells(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes of the cluster, each of which django-q2 announces."""
    set_folder(tmp_path / "gone")
    monkeypatch.setattr(qcluster, "_telling", qcluster.multiprocessing.Lock())
    threads = []
    monkeypatch.setattr(qcluster, "warm_up", lambda **given: threads.append(warm_up(**given)))
    for _ in range(2):
        qcluster.warm_up_process()
    for thread in threads:
        thread.join()
    assert len(threads) == 2
    assert len(lines(caplog)) == 1


def test_a_database_that_is_away_stops_no_worker(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> GraderSettings:
        raise OperationalError("it is locked")

    monkeypatch.setattr(GraderSettings, "get_solo", fails)
    qcluster.warm_up_process()
    (line,) = lines(caplog)
    assert line.startswith(
        "The entailment model is loaded at its first use: the database cannot be used: it is locked."
    )


def test_django_q2_announces_the_processes_that_do_tasks() -> None:
    """The library sends this in each of them, and in no other one."""
    from django_q import cluster, monitor, pusher, worker

    assert worker.post_spawn is post_spawn
    assert not any(hasattr(module, "post_spawn") for module in (cluster, monitor, pusher))


def test_a_batch_begins_by_it_and_says_once_what_is_wrong(
    target: Target, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    load = graders_in_force._load
    monkeypatch.setattr(graders_in_force, "_load", lambda *given: begun.append(given[0]) or load(*given))
    set_folder(tmp_path / "gone")
    made_pair("weather", target)
    call_command("eval_batch", json=True)
    assert begun == [tmp_path / "gone"]
    assert len(lines(caplog)) == 1
