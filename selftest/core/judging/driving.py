"""Runs a generator that yields questions and is sent their answers. Pure."""

from collections.abc import Callable, Generator
from typing import TypeVar

Question = TypeVar("Question")
Reply = TypeVar("Reply")
Result = TypeVar("Result")


def drive(search: Generator[Question, Reply, Result], reply: Callable[[Question], Reply]) -> Result:
    """Runs `search` to its end: whatever it yields is answered by `reply`. What it returns."""
    try:
        question = next(search)
        while True:
            question = search.send(reply(question))
    except StopIteration as end:
        result: Result = end.value
        return result
