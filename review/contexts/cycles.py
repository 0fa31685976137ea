"""`/cycles` and `/cycles/<id>`."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.urls import reverse

from review.charts.scale import counted
from review.contexts.choices import SelectOption
from review.contexts.findings import ASKED
from review.contexts.runs import RunLine
from review.contexts.shapes import CYCLE_SHAPES
from review.contexts.status_line import StatusLine
from review.page_urls import with_query
from selftest.models import Cycle, Target
from selftest.reading.cycles import Progress


def seen(shown: object) -> str:
    """A token of what a page shows. What polls sends it back, and is told nothing while it would be the same."""
    return sha256(repr(shown).encode(errors="surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True)
class Repeated:
    """What a cycle repeats: `words` lead to `href`; of a combination, `query` is its text."""

    words: str
    href: str
    query: str = ""

    @classmethod
    def by(cls, cycle: Cycle) -> "Repeated | None":
        """None for a cycle that chose its queries itself."""
        if cycle.combination is not None:
            href = reverse("combination", args=[cycle.combination.pk])
            return cls("one combination", href, cycle.combination.last_query_text)
        if cycle.replay_of_id is not None:
            return cls(f"cycle {cycle.replay_of_id}", reverse("cycle", args=[cycle.replay_of_id]))
        return None


@dataclass(frozen=True)
class CycleLine:
    """A cycle in the list. took_s: from its start to its end, None before that. repeats: None where it chose itself."""

    pk: int
    target: str
    trigger: str
    state: str
    shape: str
    is_open: bool
    is_planned: bool
    wanted: int
    asked: int
    flagged: int
    novel: int
    unchecked: int
    created_at: datetime
    started_at: datetime | None
    took_s: float | None
    note: str
    repeats: Repeated | None

    @property
    def poll(self) -> str:
        """Where its line in the list is asked for again."""
        return with_query(reverse("cycle-line", args=[self.pk]), {"seen": seen(self)})

    @classmethod
    def of(cls, cycle: Cycle, progress: Progress | None) -> "CycleLine":
        """progress: of a cycle that is not over."""
        is_over = cycle.started_at is not None and cycle.finished_at is not None
        return cls(
            pk=cycle.pk,
            target=cycle.target.name,
            trigger=cycle.get_trigger_display(),
            state=cycle.get_state_display(),
            shape=CYCLE_SHAPES[Cycle.State(cycle.state)],
            is_open=cycle.state in Cycle.OPEN_STATES,
            is_planned=cycle.state == Cycle.State.PLANNED,
            wanted=cycle.queries_wanted,
            asked=progress.asked if progress else cycle.queries_run,
            flagged=progress.flagged if progress else cycle.flagged,
            novel=progress.novel if progress else cycle.novel,
            unchecked=progress.unchecked if progress else cycle.unchecked or 0,
            created_at=cycle.created_at,
            started_at=cycle.started_at,
            took_s=(cycle.finished_at - cycle.started_at).total_seconds() if is_over else None,  # type: ignore[operator]
            note=cycle.note,
            repeats=Repeated.by(cycle),
        )


@dataclass(frozen=True)
class CyclesPage:
    """`/cycles`. targets, states: what it may be held to; is_filtered: it is. older: the address of those before."""

    cycles: tuple[CycleLine, ...]
    targets: tuple[SelectOption, ...]
    states: tuple[SelectOption, ...]
    is_filtered: bool
    older: str
    address: str
    status: StatusLine

    @staticmethod
    def targets_of(targets: Sequence[Target], chosen: int | None) -> tuple[SelectOption, ...]:
        """Nothing to choose from where there is one target."""
        options = tuple(SelectOption(str(target.pk), target.name, target.pk == chosen) for target in targets)
        return options if len(options) > 1 or chosen is not None else ()

    @staticmethod
    def states_of(chosen: Cycle.State | None) -> tuple[SelectOption, ...]:
        """Every state that a cycle can have."""
        return tuple(SelectOption(state.value, state.label, state == chosen) for state in Cycle.State)


@dataclass(frozen=True)
class CyclePage:
    """`/cycles/<id>`. more: the address of the runs that come after these. address: its own, without `seen`.

    probes: how many were sent, and what for; "" for none. vocabulary: the version that it went by. replays: cycles that
    asked its queries once more. command: asks with the same seed; "" for a cycle that chose nothing by its seed.
    """

    cycle: CycleLine
    seed: int
    recipes: tuple[str, ...]
    target_version: str
    vocabulary: int | None
    replays: tuple[int, ...]
    command: str
    probes: str
    runs: tuple[RunLine, ...]
    more: str
    address: str

    @staticmethod
    def words_of(probes: Mapping[str, int], at_most: int | None, unchecked: int) -> str:
        """probes: by purpose. at_most: how many could be sent, None where that is unknown. "" for nothing to say."""
        sent = sum(probes.values())
        purposes = ", ".join(f"{count:,} {ASKED.get(purpose, purpose).lower()}" for purpose, count in probes.items())
        if at_most is None:
            return f"{counted(sent, 'probe')}: {purposes}" if probes else ""
        used = f"{sent:,} of {counted(at_most, 'probe')} used"
        left = f", {counted(unchecked, 'query', 'queries')} unchecked" if unchecked else ""
        return f"{used}{left}" + (f". Probes: {purposes}" if probes else "")

    @property
    def seen(self) -> str:
        """A token of what the page shows."""
        return seen((self.cycle, self.probes, self.runs))

    @property
    def poll(self) -> str:
        """The URL that is asked while the cycle runs."""
        return with_query(self.address, {"seen": self.seen})

    @property
    def can_replay(self) -> bool:
        """Whether its queries can be asked again."""
        return bool(self.runs) and not self.cycle.is_open


def command_of(cycle: Cycle) -> str:
    """What asks as `cycle` did, in a shell; "" for one that repeats something: its seed chose nothing."""
    if cycle.repeats:
        return ""
    words = ["uv", "run", "manage.py", "run_cycle", "--seed", str(cycle.seed), "--count", str(cycle.queries_wanted)]
    if not cycle.target.is_default:
        words += ["--target", cycle.target.name]
    return shlex.join([*words, "--recipe", *cycle.recipes] if cycle.recipes else words)
