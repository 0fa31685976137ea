"""What is asked of search, and what it answers. Pure: values alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from selftest.knowledge.core.chunks import Domain, Kind

LONGEST_QUERY = 512  # characters
MOST_RESULTS = 50
DEFAULT_RESULTS = 10


@dataclass(frozen=True, slots=True)
class Filters:
    """What a result must be. Empty: no limit. Several values of one filter: any of them; several filters: all.

    tags: a result has all of them. targets: ids; pieces of no target are found too.
    """

    domains: frozenset[Domain] = frozenset()
    kinds: frozenset[Kind] = frozenset()
    product: str = ""
    version: str = ""
    service: str = ""
    tags: frozenset[str] = frozenset()
    targets: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search.

    q: any text of 1 to LONGEST_QUERY characters that is not blank. k: 1 to MOST_RESULTS.
    locale: of the reader, as "de-DE"; decides the words of what is composed, and which of equal pieces is shown.
    for_admin: whether the reader may see what is for admins. role: "viewer", "reviewer" or "admin", for a bias by role.
    debug: whether ranks and boosts are told. is_whole: not while it is typed, or asked once more: for these no language
    model is waited for.
    """

    q: str
    k: int = DEFAULT_RESULTS
    filters: Filters = field(default_factory=Filters)
    locale: str = "en-US"
    for_admin: bool = False
    role: str = ""
    debug: bool = False
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Marked:
    """Text with the spans that matched, as (start, end) in it, in order and without overlap."""

    text: str
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """What can be done with a result.

    kind: "open", "curl", "run", "remedy" or "more". url: where it leads. command: what is copied.
    """

    kind: str
    label: str
    url: str = ""
    command: str = ""
    requires_confirmation: bool = False
    is_destructive: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """One result.

    score: higher is better; of the fusion and its boosts. matched_by: the lanes that found it, such as "exact",
    "full_text", "fuzzy", "synonyms", "vectors". actions: the first is the one to take. preview: more of it, for
    reading in place. debug: rank in each lane and each boost, where asked for.
    """

    id: str
    kind: Kind
    domain: Domain
    title: str
    snippet: Marked
    score: float
    matched_by: tuple[str, ...]
    actions: tuple[Action, ...]
    path: str = ""
    anchor: str = ""
    section_path: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    target_id: int | None = None
    language: str = ""
    preview: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    debug: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """What a sentence of the synthesis rests on: its number, and the result."""

    number: int
    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Synthesis:
    """An answer composed of results, with a citation for all that it says. by: "template" or the model's name."""

    text: str
    citations: tuple[Citation, ...]
    by: str = "template"


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What one search found.

    did_you_mean: the query with a word mended, or None. suggestions: other queries worth trying. refinements: filters
    that would narrow it, as (name, value, count). intent: such as "identifier", "how_to", "troubleshoot", "lookup".
    language: of the query, as "en".
    """

    hits: Sequence[Hit]
    did_you_mean: str | None = None
    suggestions: tuple[str, ...] = ()
    refinements: tuple[tuple[str, str, int], ...] = ()
    synthesis: Synthesis | None = None
    intent: str = ""
    language: str = ""
    latency_ms: float = 0.0
