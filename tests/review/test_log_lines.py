"""Log lines as JSON, with what was worked on meanwhile."""

import json
import logging
from io import StringIO
from threading import Thread

import pytest
from pythonjsonlogger.json import JsonFormatter

from review.log_lines import WorkInHand
from review.settings import LOGGING
from selftest.cycles.log_context import logging_of


@pytest.fixture
def lines() -> StringIO:
    return StringIO()


@pytest.fixture
def log(lines: StringIO) -> logging.Logger:
    options = {name: value for name, value in LOGGING["formatters"]["json"].items() if name != "()"}
    handler = logging.StreamHandler(lines)
    handler.setFormatter(JsonFormatter(**options))
    handler.addFilter(WorkInHand())
    log = logging.Logger("gadfly.test")
    log.addHandler(handler)
    return log


def test_a_line_is_a_document_with_the_cycle_and_the_run(log: logging.Logger, lines: StringIO) -> None:
    with logging_of(cycle=12):
        log.info("planned %d", 8)
        with logging_of(run=345):
            log.error("Failed on %r", "rss\nand weather")
    log.warning("idle")
    first, second, third = map(json.loads, lines.getvalue().splitlines())
    assert (first["message"], first["cycle"], first["run"], first["level"]) == ("planned 8", 12, None, "INFO")
    assert (second["cycle"], second["run"], second["logger"]) == (12, 345, "gadfly.test")
    assert second["message"] == "Failed on 'rss\\nand weather'"
    assert (third["cycle"], third["run"]) == (None, None)
    assert first["at"].endswith("+00:00")


def test_a_failure_is_one_line_with_its_traceback(log: logging.Logger, lines: StringIO) -> None:
    try:
        raise KeyError("parts")
    except KeyError:
        log.exception("Failed")
    (document,) = map(json.loads, lines.getvalue().splitlines())
    assert "KeyError: 'parts'" in document["exc_info"]


def test_another_thread_works_on_something_else(log: logging.Logger, lines: StringIO) -> None:
    with logging_of(cycle=12):
        other = Thread(target=log.info, args=("elsewhere",))
        other.start()
        other.join()
    assert json.loads(lines.getvalue())["cycle"] is None
