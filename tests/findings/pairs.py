"""Pairs of findings with what becomes of them, worked out by hand: the set that profile v2 was tuned on."""

import json
from pathlib import Path
from typing import Any

from selftest.findings.core.beliefs import Belief, Outcome

FILE = Path(__file__).with_name("pairs.jsonl")


def belief(document: dict[str, Any]) -> Belief:
    return Belief(document["category"], document["content"], tuple(document["tags"]))


def pairs() -> list[tuple[Belief, Belief, Outcome]]:
    lines = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    return [(belief(line["older"]), belief(line["newer"]), Outcome(line["expect"])) for line in lines]
