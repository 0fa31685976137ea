"""From clauses to blocks of items: which source is asked for what, and who stands in. Knows no headers."""

import unicodedata
from dataclasses import replace

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.chance import fraction
from selftest.targets.reference.zoo.content import (
    STATES,
    as_article,
    as_days,
    as_one_word,
    content,
    in_two_units,
    is_empty,
)
from selftest.targets.reference.zoo.domains import Domain
from selftest.targets.reference.zoo.lexicon import Lexicon, normal_words
from selftest.targets.reference.zoo.manner import Manner
from selftest.targets.reference.zoo.reading import StagesOf
from selftest.targets.reference.zoo.types import Asking, Block, Clause, Item, Job, Reading

STAND_IN_SHARE = 0.35  # of topics that the stand-in model gives to the fallback
SHARED_SHARE = 0.3  # of items that come from a pool common to all sources
SUBJECT_WORDS = 4  # of a long text, as many are written out
STATE_KINDS = frozenset(("forecast", "state", "service"))  # report all that they have, whatever is asked
ENTITY_KINDS = frozenset(("state", "service", "change"))
LATEST_KINDS = frozenset(("headline", "letter"))
LATEST_ITEMS = 3
WAVERING_SHARE = 0.2  # of askings for a topic, which the model gives to the fallback
CLOSEST_ITEMS = 2
UNAIDED = frozenset(("left out", "closest"))  # among others no fallback helps
ADDED_SHARE = 0.3  # of topics, on which the model asks the fallback too


class Routing:
    """The healthy routing stages of one router."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        domain: Domain,
        lexicon: Lexicon,
        manner: Manner,
        seed: int,
        empty_rate: float,
        stages: StagesOf,
    ) -> None:
        self._vocabulary = vocabulary
        self._domain = domain
        self._lexicon = lexicon
        self._manner = manner
        self._seed = seed
        self._empty_rate = empty_rate
        self._stages = stages

    def sources_of(self, clause: Clause, reading: Reading) -> tuple[str, ...]:
        """The sources named in the clause; the encyclopedia where it is framed, a pair, or names none."""
        encyclopedia = self._vocabulary.encyclopedia
        named = self._lexicon.named(clause.text)
        framed = bool(self._lexicon.discourse.search(clause.text))
        if framed:
            extra = (self._domain.extra,) if self._manner.framing_adds_source else ()
            return tuple(dict.fromkeys((encyclopedia, *named, *extra)))
        if self._lexicon.pairs.search(clause.text):
            return tuple(dict.fromkeys((encyclopedia, *named)))
        return named or self._topic_sources(clause.text)

    def _topic_sources(self, text: str) -> tuple[str, ...]:
        first, words = self._topic_source(text), " ".join(normal_words(text))
        if not self._manner.model_adds_source or fraction("added", self._seed, words) >= ADDED_SHARE:
            return (first,)
        return tuple(dict.fromkeys((first, self._vocabulary.fallbacks[self._vocabulary.encyclopedia][0])))

    def _topic_source(self, text: str) -> str:
        """The encyclopedia, or what the stand-in model takes: always the same for the same words."""
        encyclopedia = self._vocabulary.encyclopedia
        words = " ".join(normal_words(text))
        if self._manner.stand_in_model and fraction("model", self._seed, words) < STAND_IN_SHARE:
            return self._vocabulary.fallbacks[encyclopedia][0]
        return encyclopedia

    def words_for(self, clause: Clause, source: str, reading: Reading) -> str:
        """The clause without its framing, for the encyclopedia also without nosplit phrases."""
        regex = self._lexicon.by_source.get(source)
        keyword = regex.search(clause.text) if regex and self._manner.keyword_only else None
        if keyword:
            return keyword[0]
        text = self._lexicon.discourse.sub(" ", clause.text)
        if source == self._vocabulary.encyclopedia:
            text = self._lexicon.nosplit.sub(" ", text)
        text = " ".join(text.split())
        return text if normal_words(text) else clause.text

    def plan(self, reading: Reading) -> tuple[Job, ...]:
        """A job for each clause and source, each (source, words) once."""
        stages = self._stages()
        jobs: dict[tuple[str, str], Job] = {}
        for clause in reading.clauses:
            for source in stages.sources_of(clause, reading):
                words = stages.words_for(clause, source, reading)
                jobs.setdefault((source, " ".join(normal_words(words))), Job(source, words, clause))
        return tuple(jobs.values())

    def search(self, job: Job, asking: Asking) -> tuple[Item, ...]:
        """What the source has; () for its share of empty (source, words) pairs."""
        words = " ".join(normal_words(job.words))
        if is_empty(job.source, words, self._empty_rate, self._seed):
            return ()
        kind = self._domain.kinds[job.source]
        if self._manner.whole_state and kind in STATE_KINDS:
            return self._held(kind, job.source, "", job.source)
        items = self._held(kind, job.source, words, self._subject(job.words, words))
        if not self._manner.shared_pages:
            return items
        pool = content("page", "commons", words, self._seed, self._subject(job.words, words))
        shared = [item for place, item in enumerate(pool) if fraction("shared", words, place) < SHARED_SHARE]
        return (*items, *shared)

    def _held(self, kind: str, source: str, words: str, subject: str) -> tuple[Item, ...]:
        """What `source` alone has on `words`, with units as the manner says."""
        items = self._in_form(kind, source, words, subject)
        if self._manner.two_units and kind in STATE_KINDS:
            return tuple(replace(item, body=in_two_units(item.body)) for item in items)
        return items

    def _in_form(self, kind: str, source: str, words: str, subject: str) -> tuple[Item, ...]:
        """The same, as the manner says that it is held."""
        manner, seed = self._manner, self._seed
        if manner.states == "entities" and kind in ENTITY_KINDS:
            return content("entity", source, words, seed, subject)
        if manner.day_parts and kind == "forecast":
            return as_days(content("day_parts", source, words, seed, subject), source, seed)
        items = content(kind, source, words, seed, subject)
        if manner.states == "one word" and kind in STATES:
            return as_one_word(items, kind, seed)
        if manner.long_articles and kind == "article":
            return as_article(items, words, seed, subject)
        if manner.always_latest and kind in LATEST_KINDS:
            latest = content(kind, source, "", seed, source)[:LATEST_ITEMS]
            return tuple({item.key: item for item in (items[0], *latest)}.values())
        return items

    def _subject(self, as_asked: str, normal: str) -> str:
        """How the text writes what was asked."""
        echoes = {"as asked": as_asked, "without accents": _without_accents(normal)}
        return " ".join(echoes.get(self._manner.echo, normal).split()[:SUBJECT_WORDS])

    def stand_ins(self, job: Job) -> tuple[str, ...]:
        """The documented fallbacks of the source that a job is for, in order; the first has to do."""
        return self._vocabulary.fallbacks.get(job.source, ())[:1]

    def consult(self, job: Job, asking: Asking) -> Block:
        """What the source brings; where that is nothing, what its stand-in brings, or the closest there is."""
        stages = self._stages()
        is_left_out = self._manner.among_others in UNAIDED and self._is_among_others(job, asking)
        others = stages.stand_ins(job) if not (asking.source or is_left_out) else ()
        is_closest = is_left_out and self._manner.among_others == "closest" and bool(stages.stand_ins(job))
        candidates = (job.source, *others)
        if others and self._is_given_away(job, asking):
            candidates = (*others, job.source)
        for source in candidates:
            items = stages.search(Job(source, job.words, job.clause), asking)
            if items:
                return Block(source, job, items)
        if self._manner.among_others == "closest, with a note" and self._is_beside_results(job, asking):
            return Block(job.source, job, self._closest(job)[:1], is_closest=True)
        return Block(job.source, job, self._closest(job) if is_closest else ())

    def _closest(self, job: Job) -> tuple[Item, ...]:
        """What the source has that is nearest to words that it has nothing on."""
        return self._held(self._domain.kinds[job.source], job.source, "", job.source)[:CLOSEST_ITEMS]

    def _is_among_others(self, job: Job, asking: Asking) -> bool:
        """Whether another source has something for the same query."""
        stages = self._stages()
        others = [other for other in stages.plan(asking.reading) if other.source != job.source]
        return any(stages.search(other, asking) for other in others)

    def _is_beside_results(self, job: Job, asking: Asking) -> bool:
        """Whether another part of the same query has results, be it from a stand-in."""
        stages = self._stages()
        others = [other for other in stages.plan(asking.reading) if other.clause != job.clause]
        candidates = [replace(other, source=s) for other in others for s in (other.source, *stages.stand_ins(other))]
        return any(stages.search(candidate, asking) for candidate in candidates)

    def _is_given_away(self, job: Job, asking: Asking) -> bool:
        """Whether the model takes the fallback for a topic, this time."""
        if not self._manner.model_wavers or job.source != self._vocabulary.encyclopedia:
            return False
        text, lexicon = job.clause.text, self._lexicon
        is_topic = not any(regex.search(text) for regex in (lexicon.keywords, lexicon.discourse, lexicon.pairs))
        mood = fraction("mood", self._seed, asking.query, asking.tick, " ".join(normal_words(text)))
        return is_topic and mood < WAVERING_SHARE


def _without_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
