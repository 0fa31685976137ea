"""`/search` and the box on every page: what was found, in groups, and what else to try."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from review.contexts.choices import PageLink, SelectOption
from review.page_urls import page_url, with_query
from selftest.knowledge.core.answer_document import safe_url
from selftest.knowledge.core.answers import LONGEST_QUERY, Action, Hit, Marked, SearchAnswer, Synthesis
from selftest.knowledge.core.chunks import Kind

KIND_WORDS: Mapping[Kind, str] = {
    Kind.DOCS: "Docs",
    Kind.API: "API",
    Kind.DOCTOR: "Doctor",
    Kind.GUARANTEE: "Guarantees",
    Kind.CAUSE: "Causes",
    Kind.FLAG: "Flags",
    Kind.FINDING: "Findings",
    Kind.GOLDEN_PAIR: "Golden pairs",
    Kind.TARGET: "Targets",
    Kind.CYCLE: "Cycles",
}
# Tried where nothing was asked yet: each shows another way to ask.
EXAMPLES = ("restore a backup", "GET /api/v1/findings", "GF002", "part_lost", "#12")
BOX, PAGE = "box", "page"  # where results stand; their ids begin with it, as both may be in one document


@dataclass(frozen=True)
class Piece:
    """A stretch of a snippet."""

    text: str
    is_marked: bool


@dataclass(frozen=True)
class CommandLink:
    """A command to copy. url: where to go with it, "" to stay. asks: what is asked before, "" for nothing."""

    command: str
    url: str = ""
    asks: str = ""


@dataclass(frozen=True)
class Rating:
    """What the reader thinks of a result, as a form sends it. chosen: "up", "down" or "" so far."""

    id: str
    kind: str
    title: str
    q: str
    place: str
    number: int
    chosen: str = ""


@dataclass(frozen=True)
class HitLine:
    """A result. number: its place in all of them, from 1. where: the document and the sections that it stands in."""

    number: int
    id: str
    kind: str
    title: str
    url: str
    where: str
    snippet: tuple[Piece, ...]
    preview: str
    target: str
    matched_by: str
    curl: CommandLink | None
    run: CommandLink | None
    remedy: CommandLink | None
    more: str
    rating: Rating


@dataclass(frozen=True)
class HitGroup:
    """Results of one kind. only: the address that shows this kind alone, "" where that is what is shown."""

    kind: str
    name: str
    lines: tuple[HitLine, ...]
    only: str


@dataclass(frozen=True)
class CitationLink:
    """What a sentence of the composed answer rests on."""

    number: int
    title: str
    url: str


@dataclass(frozen=True)
class ComposedAnswer:
    """by: the model that rephrased it, "" for none."""

    text: str
    citations: tuple[CitationLink, ...]
    by: str


@dataclass(frozen=True)
class Asked:
    """What an address asks for. target: its name."""

    q: str = ""
    kind: Kind | None = None
    target: str = ""

    def url(self, **changed: str) -> str:
        """The page that asks for this, with some of it changed."""
        values = {"q": self.q, "kind": self.kind or "", "target": self.target, **changed}
        return with_query(page_url("search"), {name: value for name, value in values.items() if value})


@dataclass(frozen=True)
class SearchPage:
    """place: BOX or PAGE. groups: the one with the best result first. said: for screen readers, how it came out.

    combinations: the address that looks for the words in all combinations. wider: the search without its filters, "".
    """

    place: str
    asked: Asked
    kinds: tuple[SelectOption, ...]
    targets: tuple[SelectOption, ...]
    groups: tuple[HitGroup, ...] = ()
    total: int = 0
    said: str = ""
    did_you_mean: PageLink | None = None
    suggestions: tuple[PageLink, ...] = ()
    composed: ComposedAnswer | None = None
    recent: tuple[PageLink, ...] = ()
    examples: tuple[PageLink, ...] = ()
    combinations: str = ""
    wider: str = ""
    is_cut: bool = False
    longest: int = LONGEST_QUERY


def empty_page(place: str, asked: Asked, targets: Iterable[str], recent: Iterable[str]) -> SearchPage:
    """Before anything is asked: what was asked before, and what could be."""
    return SearchPage(
        place=place,
        asked=asked,
        kinds=kind_options(asked),
        targets=_targets(asked, targets),
        recent=_links(asked, recent),
        examples=_links(asked, EXAMPLES),
    )


def results_page(
    place: str,
    asked: Asked,
    answer: SearchAnswer,
    k: int,
    targets: Mapping[int, str],
    ratings: Mapping[str, str],
) -> SearchPage:
    """k: how many were asked for. targets: names by key. ratings: by id of a result, what the reader thought of it."""
    lines = [_line(place, asked, number, hit, targets, ratings) for number, hit in enumerate(answer.hits, 1)]
    is_filtered = bool(asked.kind or asked.target)
    return SearchPage(
        place=place,
        asked=asked,
        kinds=kind_options(asked),
        targets=_targets(asked, targets.values()),
        groups=_groups(asked, lines),
        total=len(lines),
        said=_said(len(lines), k, answer.did_you_mean),
        did_you_mean=_links(asked, [answer.did_you_mean])[0] if answer.did_you_mean else None,
        suggestions=_links(asked, answer.suggestions),
        composed=_composed(answer.synthesis),
        examples=() if lines else _links(Asked(), EXAMPLES),
        combinations=with_query(page_url("combinations"), {"text": asked.q}),
        wider=asked.url(kind="", target="") if is_filtered and not lines else "",
        is_cut=len(lines) >= k,
    )


def kind_options(asked: Asked) -> tuple[SelectOption, ...]:
    """The types to choose from, and that all are looked for."""
    every = SelectOption("", "All", asked.kind is None)
    return (every, *(SelectOption(kind, words, kind is asked.kind) for kind, words in KIND_WORDS.items()))


def pieces_of(marked: Marked) -> tuple[Piece, ...]:
    """The text in stretches, each marked or not. Spans that make no sense are left out, and no text is."""
    pieces, at = [], 0
    for start, end in marked.spans:
        if not at <= start < end <= len(marked.text):
            continue
        if start > at:
            pieces.append(Piece(marked.text[at:start], is_marked=False))
        pieces.append(Piece(marked.text[start:end], is_marked=True))
        at = end
    if at < len(marked.text):
        pieces.append(Piece(marked.text[at:], is_marked=False))
    return tuple(pieces)


def _line(
    place: str, asked: Asked, number: int, hit: Hit, targets: Mapping[int, str], ratings: Mapping[str, str]
) -> HitLine:
    actions = {action.kind: action for action in hit.actions}
    opened = actions.get("open")
    curl, run, remedy, more = (actions.get(kind) for kind in ("curl", "run", "remedy", "more"))
    return HitLine(
        number=number,
        id=hit.id,
        kind=hit.kind,
        title=hit.title,
        url=safe_url(opened.url) if opened else "",
        where=" › ".join(part for part in (hit.path, *hit.section_path) if part and part != hit.title),
        snippet=pieces_of(hit.snippet),
        preview=hit.preview,
        target=targets.get(hit.target_id, "") if hit.target_id is not None else "",
        matched_by=", ".join(lane.replace("_", " ") for lane in hit.matched_by),
        curl=CommandLink(curl.command) if curl and curl.command else None,
        run=_run(run) if run and run.command else None,
        remedy=_run(remedy) if remedy and remedy.command else None,
        more=_more(asked, hit, more),
        rating=Rating(hit.id, hit.kind, hit.title, asked.q, place, number, ratings.get(hit.id, "")),
    )


def _run(action: Action) -> CommandLink:
    asks = ""
    if action.is_destructive:
        asks = f"This command deletes or overwrites something: {action.command}\n\nCopy it and go to Health?"
    elif action.requires_confirmation:
        asks = f"This command changes the installation: {action.command}\n\nCopy it and go to Health?"
    return CommandLink(action.command, safe_url(action.url) or page_url("health-page"), asks)


def _more(asked: Asked, hit: Hit, action: Action | None) -> str:
    """A search for what the result is about: its title and the section around it, in its own words."""
    if action and (url := safe_url(action.url)):
        return url
    words = dict.fromkeys(" ".join((hit.title, *hit.section_path[-1:], *hit.tags[:2])).split())
    return asked.url(q=" ".join(words)[:LONGEST_QUERY].strip(), kind="")


def _groups(asked: Asked, lines: Sequence[HitLine]) -> tuple[HitGroup, ...]:
    by_kind: dict[str, list[HitLine]] = {}
    for line in lines:
        by_kind.setdefault(line.kind, []).append(line)
    return tuple(
        HitGroup(kind, KIND_WORDS[Kind(kind)], tuple(found), "" if asked.kind else asked.url(kind=kind))
        for kind, found in by_kind.items()
    )


def _said(found: int, k: int, did_you_mean: str | None) -> str:
    if not found:
        return "Nothing found." + (f" Did you mean {did_you_mean}?" if did_you_mean else "")
    return f"The best {found} results." if found >= k else f"{found} result{'s' * (found != 1)}."


def _composed(synthesis: Synthesis | None) -> ComposedAnswer | None:
    if synthesis is None:
        return None
    citations = tuple(CitationLink(one.number, one.title, safe_url(one.url)) for one in synthesis.citations)
    return ComposedAnswer(synthesis.text, citations, "" if synthesis.by == "template" else synthesis.by)


def _targets(asked: Asked, names: Iterable[str]) -> tuple[SelectOption, ...]:
    """None where there is one at most."""
    options = tuple(SelectOption(name, name, name == asked.target) for name in names)
    return options if len(options) > 1 else ()


def _links(asked: Asked, queries: Iterable[str]) -> tuple[PageLink, ...]:
    return tuple(PageLink(q, asked.url(q=q), is_chosen=False) for q in queries)
