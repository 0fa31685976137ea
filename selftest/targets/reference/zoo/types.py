"""What passes between the stages of a zoo router, and the table of functions that do the work. Pure types."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Span = tuple[int, int]  # start and end in a text, in characters


@dataclass(frozen=True)
class Clause:
    """One thing that a query asks. role: "plain", "condition", "consequence" or "remainder"."""

    text: str
    role: str = "plain"


@dataclass(frozen=True)
class Reading:
    """query: straightened. clauses: in the order of the query, at least one. headed: answered in sections anyway."""

    query: str
    clauses: tuple[Clause, ...]
    headed: bool = False


@dataclass(frozen=True)
class Item:
    """One thing that a source holds. key: equal for the same thing found twice. body: one or more sentences or lines.

    fetched: when it was got, as a clock shows it, where the router says that; age: the same of how old it is. place,
    of: which item of the answer it is, from 1, and of how many; 0 where the router does not say that.
    """

    key: str
    title: str
    body: str
    url: str = ""
    site: str = ""
    fetched: str = ""
    age: str = ""
    place: int = 0
    of: int = 0


@dataclass(frozen=True)
class Job:
    """A source is asked for `words` because of `clause`."""

    source: str
    words: str
    clause: Clause


@dataclass(frozen=True)
class Block:
    """What one job brought. source: the one that answered. items: () where it had nothing.

    is_closest: the items are only the closest to its words. refers_to: the words of the block that has all its items.
    """

    source: str
    job: Job
    items: tuple[Item, ...]
    is_closest: bool = False
    refers_to: str = ""


@dataclass(frozen=True)
class Section:
    """What one source brought for a whole query, a block a clause. note: an empty phrase, where nothing was found.

    is_partial: some of what it has came too late. left_out: how many items were cut for other sections to have room.
    """

    source: str
    blocks: tuple[Block, ...]
    note: str = ""
    is_partial: bool = False
    left_out: int = 0

    @property
    def items(self) -> tuple[Item, ...]:
        """Of all blocks, in order."""
        return tuple(item for block in self.blocks for item in block.items)


@dataclass(frozen=True)
class Asking:
    """One query being answered. tick: how often this query was asked before, from 0."""

    query: str
    source: str
    tick: int
    reading: Reading


@dataclass(frozen=True)
class Outcome:
    """An answer before it is sent. asked: the jobs, for the latency."""

    result: str
    source_used: str
    latency_ms: float
    cached: bool = False
    error: str | None = None
    asked: tuple[Job, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Stages:
    """One function a stage, in the order in which a query meets them. A fault replaces one of them."""

    straighten: Callable[[str], str]
    protected: Callable[[str], list[Span]]  # what no conjunction may cut
    cuts: Callable[[str], list[Span]]  # the conjunctions that part clauses
    is_clause: Callable[[str], bool]  # False: a scrap that asks nothing
    read: Callable[[str], Reading]
    sources_of: Callable[[Clause, Reading], tuple[str, ...]]
    words_for: Callable[[Clause, str, Reading], str]
    plan: Callable[[Reading], tuple[Job, ...]]
    search: Callable[[Job, Asking], tuple[Item, ...]]
    stand_ins: Callable[[Job], tuple[str, ...]]
    consult: Callable[[Job, Asking], Block]
    gather: Callable[[Sequence[Block], Asking], tuple[Section, ...]]
    header_of: Callable[[str], str]
    write_items: Callable[[Section], list[str]]
    write_section: Callable[[Section, Asking, bool], str]
    join: Callable[[Sequence[tuple[Section, str]]], str]  # sections with their text, under headers
    compose: Callable[[Sequence[Section], tuple[Job, ...], Asking], Outcome]
    finish: Callable[[Outcome, Asking], Outcome]
