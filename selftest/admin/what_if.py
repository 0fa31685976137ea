"""What a change would do to flags, made ready for a page from stored answers that are judged again."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from selftest.core.judging.findings import CheckName
from selftest.guarantees import GUARANTEES
from selftest.reading.what_if.result import FlagChange, WhatIfResult

BUTTON = "_whatif"  # the name of the submit button that saves nothing
NAMES: Mapping[CheckName, str] = MappingProxyType({check: page.name for check, page in GUARANTEES.items()})


@dataclass(frozen=True)
class CountLine:
    """How many flags of one check would come and go."""

    check: str
    name: str
    come: int
    go: int


@dataclass(frozen=True)
class FlagLine:
    """One flag that would come or go. rest: the reason without its check's name."""

    run: int
    query: str
    target: str
    name: str
    rest: str


@dataclass(frozen=True)
class FlagTable:
    """Flags that would come, or would go. of: how many in all; lines: the newest of them."""

    heading: str
    of: int
    lines: tuple[FlagLine, ...]


@dataclass(frozen=True)
class WhatIf:
    """The whole section. replay: its figures; notes: sentences about them."""

    replay: WhatIfResult
    counts: tuple[CountLine, ...]
    tables: tuple[FlagTable, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, replay: WhatIfResult, notes: tuple[str, ...] = ()) -> "WhatIf":
        """The section for a result, with further notes first."""
        tables = (
            FlagTable("Flags that would come", replay.come_count, tuple(map(_line, replay.come))),
            FlagTable("Flags that would go", replay.go_count, tuple(map(_line, replay.go))),
        )
        return cls(
            replay=replay,
            counts=tuple(CountLine(c.check, NAMES[c.check], c.come, c.go) for c in replay.counts),
            tables=tuple(table for table in tables if table.of),
            notes=(*notes, *_notes(replay)),
        )


def _line(example: FlagChange) -> FlagLine:
    rest = example.reason.removeprefix(f"{example.check}: ")
    return FlagLine(example.run, example.query_text, example.target, NAMES[example.check], rest)


def _notes(replay: WhatIfResult) -> tuple[str, ...]:
    notes = [f"{_runs(count)} of that time {why} and could not be judged." for why, count in replay.unjudged]
    if replay.is_short:
        notes.append("The time limit left out older runs.")
    if replay.lacking:
        notes.append(f"{_runs(replay.lacking)} would need probes that were never sent, so flags may be missing.")
    if replay.drifted:
        notes.append(
            f"{_runs(replay.drifted)} would be judged differently today even without this change, because settings or"
            " code have changed since; they are left out."
        )
    return tuple(notes)


def _runs(count: int) -> str:
    return f"{count:,} run{'' if count == 1 else 's'}"
