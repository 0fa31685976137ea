"""One search, from what was typed to results: lanes, their fusion, and what is said of each result.

Deterministic: no clock unless freshness is switched on, no random number, an order that does not hang on when or in
which order pieces were written. Candidates are gathered whatever `k` is, so fewer results are the beginning of more.
"""

import dataclasses
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Sum
from django.utils import timezone

from selftest.knowledge.composing import compose
from selftest.knowledge.core import concepts, spelling
from selftest.knowledge.core.answers import Action, Hit, SearchAnswer, SearchRequest
from selftest.knowledge.core.chunks import Chunk, Domain, Kind
from selftest.knowledge.core.fusion import BOOST_ALIGNED, BOOST_NAMED, BOOST_WHOLE, Fused, fuse
from selftest.knowledge.core.queries import Query, identifier_key, parse
from selftest.knowledge.core.ranking import Concept, Counts, score
from selftest.knowledge.core.snippets import PREVIEW_LENGTH, snippet
from selftest.knowledge.core.synonyms import groups_of
from selftest.knowledge.core.synthesis import MOST_CITED
from selftest.knowledge.core.vectors import signs_of
from selftest.knowledge.core.words import LANGUAGES, stem
from selftest.knowledge.filter_values import refuse_unknown
from selftest.knowledge.index import encoding, pieces, spellings, words, writing
from selftest.knowledge.live import combinations
from selftest.knowledge.live.draining import bring_current_for_search, gone
from selftest.knowledge.models import Chunk as Row
from selftest.knowledge.models import Click, IndexState, SearchSettings

FEW = 3  # pieces with all words; below this, words that are not known are mended
MOST_IN_LANE = 100
MOST_LOOSE = 1_500  # pieces that hold any of the words that are searched one by one
MOST_COMPLETIONS = 5  # of a last word that is not finished
MOST_SUGGESTIONS = 3
MOST_REFINEMENTS = 6
FRESHNESS_BOOST, FRESHNESS_DAYS = 0.005, 30.0
ROLE_BOOST = 0.002
ROLES: Mapping[str, frozenset[Domain]] = {
    "reviewer": frozenset({Domain.CAUSES, Domain.FINDINGS, Domain.GUARANTEES}),
    "admin": frozenset({Domain.KNOWLEDGE, Domain.PLATFORM}),
}


@dataclass(slots=True)
class _Search:
    """What one search gathers on its way."""

    request: SearchRequest
    query: Query
    settings: SearchSettings
    state: IndexState
    wanted: pieces.Condition
    rows: dict[int, pieces.Ranked]
    lanes: dict[str, list[str]]
    boosts: dict[str, dict[str, float]]
    mended: dict[str, list[str]]
    stems: dict[str, set[str]]  # by language: what is marked
    elsewhere: dict[str, Chunk]  # pieces that stand in no index
    shares: dict[str, dict[str, float]]  # by lane: of what was asked, how much a piece has


def search(request: SearchRequest) -> SearchAnswer:
    """What is found. Raises QueryRequiredError, QueryTooLongError and UnknownFilterValueError."""
    began = time.perf_counter()
    is_current = bring_current_for_search()
    language = request.locale[:2].lower()
    query = parse(request.q, language if language in LANGUAGES else "en")
    state = IndexState.objects.filter(pk=1).first() or IndexState()
    wanted = pieces.condition(request.filters, request.for_admin)
    one = _Search(request, query, SearchSettings.get_solo(), state, wanted, {}, {}, {}, {}, {}, {}, {})
    _exact(one)
    _flagged(one)
    _by_words(one)
    _by_vectors(one)
    _align(one)
    fused = fuse(one.lanes, {row.key: row.kind for row in one.rows.values()}, one.boosts, one.shares)
    fused = _once(one, fused)
    if not is_current and (missing := gone([each.key for each in fused])):
        fused = [each for each in fused if each.key not in missing]
    hits = _hits(one, fused[: max(request.k, MOST_CITED)])
    if not hits:
        refuse_unknown(request.filters, request.for_admin)
    return SearchAnswer(
        hits[: request.k],
        _did_you_mean(one),
        _suggestions(one, fused),
        _refinements(one, fused),
        compose(request, hits, one.settings),
        intent=query.intent,
        language=query.language,
        latency_ms=round((time.perf_counter() - began) * 1000, 2),
    )


def _exact(one: _Search) -> None:
    """Pieces whose identifier was typed; the whole query before a part of it, longer ones before shorter."""
    found = pieces.named(one.query.identifiers, one.wanted)
    there = set(_read(one, [pk for _, pk in found]))
    typed = one.query.identifiers[0]
    whole = {typed, typed.rstrip(":"), typed.replace(" #", " ")}
    named = [(name, one.rows[pk].kind, one.rows[pk].key) for name, pk in found if pk in there]
    for piece in combinations.named((one.request.q, *one.query.identifiers), one.request.filters):
        _note_elsewhere(one, piece)
        names = {identifier_key(name) for name in (*piece.identifiers, str(piece.details.get("fingerprint", "")))}
        named += [(name, piece.kind, piece.id) for name in names.intersection(one.query.identifiers) or (typed,)]
    best: dict[str, tuple[bool, int, str, str]] = {}
    for name, kind, key in named:
        rank = (name not in whole, -len(name), kind, key)
        best[key] = min(best.get(key, rank), rank)
        if name in whole:
            one.boosts.setdefault(key, {})["whole"] = BOOST_WHOLE
        elif not any(_is_part(name, of) for of, _, _ in named):
            one.boosts.setdefault(key, {})["named"] = BOOST_NAMED
    if best:
        one.lanes["exact"] = sorted(best, key=lambda key: best[key])[:MOST_IN_LANE]


def _is_part(name: str, of: str) -> bool:
    """Whether a longer name has it: where `cycle 12` was found, `#12` means no other row of that number."""
    return name != of and f" {name.removeprefix('#')} " in f" {of} "


def _flagged(one: _Search) -> None:
    """Flagged combinations, which have a full text of their own: the newest first."""
    found = combinations.flagged(one.query.words, one.request.filters, MOST_IN_LANE)
    for piece in found:
        _note_elsewhere(one, piece)
        for language in concepts.EVERY_LANGUAGE:
            one.stems.setdefault(language, set()).update(stem(word, language) for word in one.query.words)
    if found:
        one.lanes["flagged"] = [piece.id for piece in found]


def _note_elsewhere(one: _Search, piece: Chunk) -> None:
    one.elsewhere[piece.id] = piece
    place = -len(one.elsewhere)
    one.rows[place] = pieces.Ranked(
        place, piece.id, piece.kind, piece.language, Counts(" "), 0.0, piece.id, "", piece.tags, piece.target_id
    )


def _by_words(one: _Search) -> None:
    """Full text as typed; with other words for the same; with what may be meant where too few hold what was typed."""
    typed = concepts.as_typed(one.query)
    known = dict(spellings.pieces_by_stem(concepts.stems_of([phrase for ways in typed for phrase, _ in ways])))
    one.query = dataclasses.replace(one.query, language=_language(one.query, known))
    alike = concepts.with_synonyms(one.query)
    known.update(spellings.pieces_by_stem(concepts.stems_of([phrase for ways in alike for phrase, _ in ways])))
    total = max(one.state.pieces, 1)
    plain = concepts.worded(typed, _counts(known), total)
    having = min((term.having for term in plain.terms), default=0)
    found = words.candidates([term.phrases() for term in plain.terms], True, one.wanted, having=having, held=known)
    lanes = {"full_text": plain}
    if len(found) < FEW and one.settings.fuzzy:
        _mend(one, known)
        if one.mended:
            known.update(spellings.pieces_by_stem(concepts.stems_of([(m,) for ms in one.mended.values() for m in ms])))
            lanes["fuzzy"] = concepts.worded(concepts.with_mended(one.query, one.mended), _counts(known), total)
    if alike:
        lanes["synonyms"] = concepts.worded(alike, _counts(known), total)
    loose = [term for wording in lanes.values() for term in concepts.telling(wording, MOST_LOOSE)]
    ways = list(dict.fromkeys(tuple(term.phrases()) for term in loose))
    is_one_word = len(ways) == 1 and ways == [tuple(term.phrases()) for term in plain.terms]
    if ways and not is_one_word:  # of one word, all are any
        having = sum({tuple(term.phrases()): term.having for term in loose}.values())
        found = [*found, *words.candidates(ways, False, one.wanted, having=having, held=known)]
    found = _read(one, found)
    for lane, wording in lanes.items():
        _rank(one, lane, wording.concepts, found)
        for concept in wording.concepts:
            for language, options in concept.options.items():
                said = (
                    stems for stems, weight in options if weight == 1.0 or len(stems) == 1
                )  # "back" is no "bring back"
                told = {each for stems in said for each in stems} - concepts.stop_stems(language)
                one.stems.setdefault(language, set()).update(told)


def _counts(known: Mapping[tuple[str, str], int]) -> Callable[[str, str], int]:
    return lambda language, each: known.get((language, each), 0)


def _language(query: Query, known: Mapping[tuple[str, str], int]) -> str:
    """By small words alone, or by the pieces that have its words, where those of another language have more of them."""
    held = {each: sum((each, stem(word, each)) in known for word in query.words) for each in LANGUAGES}
    best = max(LANGUAGES, key=lambda each: (held[each], -LANGUAGES.index(each)))
    return best if held[best] > held[query.language] else query.language


def _mend(one: _Search, known: Mapping[tuple[str, str], int]) -> None:
    """What may be meant by words that no piece has."""
    stems = {each for _, each in known}
    there = [
        word
        for word in one.query.words
        if any(stem(word, language) in stems for language in concepts.EVERY_LANGUAGE)
        or groups_of([word], one.query.language)  # a word after all, though no piece has it
    ]
    last = one.query.words[-1] if one.query.words else ""
    for word in spelling.unknown(one.query.words, there):
        others = spellings.beginning_with(word, MOST_COMPLETIONS) if word == last and one.query.last_is_open else []
        others += spelling.meant(
            word, spellings.alike(word, one.settings.fuzzy_similarity), one.settings.fuzzy_similarity
        )
        if others:
            one.mended[word] = list(dict.fromkeys(others))


def _rank(one: _Search, lane: str, asked: Sequence[Concept], found: Sequence[int]) -> None:
    usual = one.state.total_length / one.state.pieces if one.state.pieces else 0.0
    scored = []
    for pk in dict.fromkeys(found):
        row = one.rows[pk]
        language = row.language if row.language in LANGUAGES else ""
        value, share = score(asked, language, row.stems, row.length, usual)
        if value > 0:
            scored.append((-round(value, 6), row.kind, row.key))
            one.shares.setdefault(lane, {})[row.key] = share
    if scored:
        one.lanes[lane] = _of_most_sections(one, [key for _, _, key in sorted(scored)])


def _of_most_sections(one: _Search, keys: Sequence[str]) -> list[str]:
    """As many as are of the first MOST_IN_LANE results: a section of many pieces takes no other's place."""
    same_as = {row.key: row.same_as for row in one.rows.values()}
    seen: set[str] = set()
    kept = []
    for key in keys:
        seen.add(same_as[key])
        if len(seen) > MOST_IN_LANE:
            break
        kept.append(key)
    return kept


def _by_vectors(one: _Search) -> None:
    encoder = encoding.of_index(one.settings)
    if encoder is None:
        return
    text = one.query.text
    for word, others in one.mended.items():
        text += f" {others[0]}" if word not in others else ""
    near = dict(encoding.nearest(text, one.query.language, one.state, encoder, MOST_IN_LANE))
    order = sorted((-near[pk], one.rows[pk].kind, one.rows[pk].key, pk) for pk in _read(one, list(near)))
    order = order[:MOST_IN_LANE]
    if encoder.is_by_words:
        order = [each for each in order if _shares(one, one.rows[each[-1]])]
    if order:
        one.lanes["vectors"] = [key for _, _, key, _ in order]


def _shares(one: _Search, row: pieces.Ranked) -> bool:
    """Whether it has words of the query, or ones like them: what the lanes of words have found, has."""
    if any(row.key in shares for shares in one.shares.values()):
        return True
    words = (*one.query.words, *(other for others in one.mended.values() for other in others))
    signs = signs_of(words, row.language if row.language in LANGUAGES else "")
    return signs.stand_in(lambda each: row.stems.get(each) > 0, row.stems.text)


def _read(one: _Search, pks: Sequence[int]) -> list[int]:
    """Those that are there still, as a rebuild may go on meanwhile, and are what they must be."""
    one.rows.update(pieces.ranked(set(pks) - one.rows.keys(), one.wanted))
    return [pk for pk in pks if pk in one.rows]


def _align(one: _Search) -> None:
    """Boosts by what a piece is: tags, service; and, where switched on, how often and when."""
    asked = set(one.query.words)
    found = {key for keys in one.lanes.values() for key in keys}
    by_key = {row.key: row for row in one.rows.values() if row.key in found}
    for key, row in by_key.items():
        if asked & {row.service.casefold(), *row.tags} - {""}:
            one.boosts.setdefault(key, {})["aligned"] = BOOST_ALIGNED
    if one.settings.role_bias:
        liked = ROLES.get(one.request.role, frozenset())
        domains = dict(Row.objects.filter(key__in=by_key).values_list("key", "domain"))
        for key, domain in domains.items():
            if domain in liked:
                one.boosts.setdefault(key, {})["role"] = ROLE_BOOST
    if one.settings.popularity_boost:
        clicks = Click.objects.filter(chunk_key__in=by_key).order_by().values_list("chunk_key").annotate(Sum("count"))
        for key, count in clicks:
            one.boosts.setdefault(key, {})["popularity"] = one.settings.popularity_weight * math.log1p(count) / 100
    if one.settings.freshness_boost:
        now = timezone.now()
        for key, at in Row.objects.filter(key__in=by_key, changed_at__isnull=False).values_list("key", "changed_at"):
            age = max((now - (at or now)).total_seconds(), 0.0) / 86_400
            one.boosts.setdefault(key, {})["freshness"] = FRESHNESS_BOOST * math.exp(-age / FRESHNESS_DAYS)


def _once(one: _Search, fused: Sequence[Fused]) -> list[Fused]:
    """Of the pieces of one section the best; of what is said in several languages one, in its best one's place: in that
    of the query, else the reader's.
    """
    rows = {row.key: row for row in one.rows.values()}
    liked = {one.query.language: 0, one.request.locale[:2].lower(): 1}
    same: dict[str, list[Fused]] = {}
    for each in fused:
        same.setdefault(rows[each.key].same_as, []).append(each)
    return [
        min(group, key=lambda each: liked.get(rows[each.key].language, 2)) if len(group) > 1 else group[0]
        for group in same.values()
    ]


def _hits(one: _Search, fused: Sequence[Fused]) -> list[Hit]:
    rows = _translated(one, _whole(one, [each.key for each in fused]))
    return [_hit(one, each, rows[each.key]) for each in fused if each.key in rows]


def _whole(one: _Search, keys: Sequence[str]) -> dict[str, Chunk]:
    found = {row.key: writing.as_chunk(row) for row in pieces.whole([key for key in keys if key not in one.elsewhere])}
    return {**found, **{key: one.elsewhere[key] for key in keys if key in one.elsewhere}}


def _translated(one: _Search, rows: Mapping[str, Chunk]) -> dict[str, Chunk]:
    """A check that was found by words of a language that is neither the query's nor the reader's: in the reader's."""
    reader = one.request.locale[:2].lower()
    read = {one.query.language, reader}
    foreign = {key: row for key, row in rows.items() if row.kind == Kind.DOCTOR and row.language not in read}
    if not foreign:
        return dict(rows)
    codes = {identifier_key(code) for row in foreign.values() for code in row.identifiers}
    said = Row.objects.filter(names__value__in=codes, kind=Kind.DOCTOR, language__in=read).defer("stems", "vector")
    by_code = {row.path: writing.as_chunk(row) for row in sorted(said, key=lambda row: row.language == reader)}
    return {**rows, **{key: by_code.get(row.path, row) for key, row in foreign.items()}}


def _hit(one: _Search, fused: Fused, row: Chunk) -> Hit:
    stems = one.stems.get(row.language if row.language in LANGUAGES else "", set())
    return Hit(
        row.id,
        row.kind,
        row.domain,
        row.title,
        snippet(row.body or row.title, stems, row.language),
        fused.score,
        tuple(sorted(fused.ranks, key=lambda lane: (fused.ranks[lane], lane))),
        _actions(row),
        row.path,
        row.anchor,
        tuple(row.section_path),
        tuple(row.tags),
        row.target_id,
        row.language,
        row.body[:PREVIEW_LENGTH],
        row.details,
        {"ranks": dict(fused.ranks), "boosts": dict(fused.boosts)} if one.request.debug else None,
    )


def _actions(row: Chunk) -> tuple[Action, ...]:
    """The first is the one to take."""
    details = row.details
    found = []
    if row.kind == Kind.DOCTOR and details.get("runCommand"):
        found.append(Action("run", "Run", row.url, details["runCommand"]))  # a check changes nothing
    if row.kind == Kind.DOCTOR and details.get("remedyCommand"):
        asks, destroys = bool(details.get("requiresConfirmation")), bool(details.get("isDestructive"))
        found.append(Action("remedy", "Remedy", row.url, details["remedyCommand"], asks or destroys, destroys))
    if row.kind == Kind.API and details.get("curl"):
        found.append(Action("curl", "Curl", row.url, details["curl"]))
    if row.url:
        found.insert(0 if row.kind != Kind.DOCTOR else len(found), Action("open", "Open", row.url))
    return (*found, Action("more", "More like this", command=row.title[:100]))


def _did_you_mean(one: _Search) -> str | None:
    """The query with the words that no piece has replaced by those that may be meant."""
    said = one.query.text
    for word, others in one.mended.items():
        said = re.sub(rf"(?i)(?<!\w){re.escape(word)}(?!\w)", others[0], said)
    return said if said != one.query.text else None


def _suggestions(one: _Search, fused: Sequence[Fused]) -> tuple[str, ...]:
    """Other queries: what stands nearby; where nothing was found, single words of the query that are known."""
    said = identifier_key(one.query.text)
    if not fused:
        known = spellings.pieces_by_stem({stem(word, language) for word in one.query.words for language in LANGUAGES})
        stems = {each for _, each in known}
        words = (word for word in one.query.words if word != said)  # to ask the same again finds no more
        return tuple(word for word in words if any(stem(word, each) in stems for each in LANGUAGES))[:MOST_SUGGESTIONS]
    near = [each.key for each in fused[1:12]]
    known_titles = {key: one.elsewhere[key].title for key in near if key in one.elsewhere} | pieces.titles(near)
    titles = [known_titles[key] for key in near if key in known_titles]
    return tuple(dict.fromkeys(title for title in titles if len(title) <= 60 and identifier_key(title) != said))[
        :MOST_SUGGESTIONS
    ]


def _refinements(one: _Search, fused: Sequence[Fused]) -> tuple[tuple[str, str, int], ...]:
    """Filters that some of the results, but not all, would pass; the widest first."""
    rows = {row.key: row for row in one.rows.values()}
    counts: Counter[tuple[str, str]] = Counter()
    for each in fused[:MOST_IN_LANE]:
        row = rows[each.key]
        counts[("entityTypes", row.kind)] += 1
        if row.service:
            counts[("service", row.service)] += 1
        counts.update(("tags", tag) for tag in dict.fromkeys(row.tags))
    total = min(len(fused), MOST_IN_LANE)
    found = [(name, value, count) for (name, value), count in counts.items() if count < total]
    return tuple(sorted(found, key=lambda each: (-each[2], each[0], each[1]))[:MOST_REFINEMENTS])
