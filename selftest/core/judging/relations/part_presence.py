"""Nothing is lost: what answers alone has its source among the others too. Sends probes only where a source is missing.

Decides between a loss and an explanation: the source has nothing on that very part alone either, or its documented
fallback stood in for it.
"""

from collections.abc import Generator
from dataclasses import dataclass, field, replace

from selftest.core.generation.queries import Query
from selftest.core.judging.allowed_sources import allowed_sources
from selftest.core.judging.answers import Answer
from selftest.core.judging.content import SourceContent, unmatched_items
from selftest.core.judging.context import Comparison, ExaminationContext, SourceNeed, StandalonePart, named
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding, together
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.relations.query_variants import only
from selftest.core.judging.verdicts import ExplanationCause

PROMISED = "what is answered alone is answered among others too, by its source or by that source's documented fallback"
EMPTY_PROMISED = "a source that found nothing has a section too, which says so"


@dataclass(frozen=True)
class Loss:
    """A part whose source is missing, though it answers the part alone.

    phrase: what it answers where it has nothing, and should have a section all the same.
    """

    part: StandalonePart
    sources: frozenset[str]  # that it brings alone
    is_by_name: bool = False  # only where its source is asked by name
    phrase: str = ""

    def finding(self, context: ExaminationContext, whole: str = "") -> Finding:
        """The loss in words. whole: what was asked, where that is not the query itself."""
        # Another part may have brought one of them; that one is not what is missing.
        alone = self.part.alone
        missing = self.sources if self.is_by_name else self.sources - context.brought.sources
        where = f"in {whole!r}" if whole else "among the others"
        about = [whole, alone] if whole else [alone]
        if self.phrase:
            summary = f"alone {named(missing)} says {self.phrase!r} to {alone!r}; no section says so {where}"
            evidence = Evidence(DiscrepancyKind.EMPTY_LEFT_OUT, tuple(sorted(missing)), (alone,))
            return context.finding(CheckName.PART_LOST, summary, EMPTY_PROMISED, context.seen(), about, evidence)
        summary = (
            f"asked by name, {named(missing)} answers {alone!r}; left to the router it does not"
            if self.is_by_name
            else f"alone {alone!r} is answered by {named(missing)}; not {where}"
        )
        evidence = Evidence(sources=tuple(sorted(missing)), parts=(alone,))
        return context.finding(CheckName.PART_LOST, summary, PROMISED, context.seen(), about, evidence)


@dataclass(frozen=True)
class ExplainedNeed:
    """A missing source that need not be there.

    phrase: its documented way of saying that it has nothing. chosen: what brought the part among others in its place.
    subject: what the part may be about, where that is another one.
    """

    part: StandalonePart
    need: SourceNeed
    cause: ExplanationCause
    phrase: str = ""
    chosen: str = ""
    subject: str = ""

    @property
    def sentence(self) -> str:
        """The explanation in words."""
        if self.cause is ExplanationCause.EMPTY_ON_SUBJECT:
            asked = f"{self.subject!r}, which {self.part.alone!r} may be about"
            return f"asked by name, {self.need.source} says {self.phrase!r} to {asked}"
        if self.cause is ExplanationCause.EMPTY_ALONE:
            return f"{self.need.source} says {self.phrase!r} to {self.part.alone!r} alone too"
        if self.cause is ExplanationCause.SAID_SO:
            return f"the answer says how many requests it leaves out, and {self.part.alone!r} is one of the last"
        if self.chosen:
            return f"{self.chosen}, which may stand in for {self.need.source}, brings {self.part.alone!r} here"
        return f"{self.need.source} leaves {self.part.alone!r} to its fallback alone too"


@dataclass
class Presence:
    """What became of the needs that no section meets. undecided: how many cannot be told.

    losses: one of each part; after one that is new, others as far as they are known. uncalled: a source with a section
    that nothing points at. uncalled_for: the part that brings it alone, "" for none.
    """

    losses: list[Loss] = field(default_factory=list)
    explained: list[ExplainedNeed] = field(default_factory=list)
    undecided: int = 0
    uncalled: str = ""
    uncalled_for: str = ""

    def lost_finding(self, context: ExaminationContext, whole: str = "") -> Finding | None:
        """The losses, where there are any. whole: what was asked, where that is not the query itself."""
        return together(loss.finding(context, whole) for loss in self.losses)

    def uncalled_finding(self, context: ExaminationContext) -> Finding | None:
        """A section that no part brings, where there is one."""
        if not self.uncalled:
            return None
        if self.uncalled_for:
            return context.finding(
                CheckName.PART_DIFFERS,
                f"alone {self.uncalled_for!r} is answered by {self.uncalled}, which nothing in it points at",
                "a source that is asked for, or its documented fallback",
                context.seen(),
                [self.uncalled_for],
                Evidence(DiscrepancyKind.UNCALLED_ALONE, (self.uncalled,), (self.uncalled_for,)),
            )
        return context.finding(
            CheckName.PART_DIFFERS,
            f"a section of {self.uncalled}, which nothing points at and no part brings alone",
            "sections of the sources that are asked for, or of their documented fallbacks",
            context.seen(),
            [part.alone for part in context.parts],
            Evidence(DiscrepancyKind.UNCALLED_SECTION, (self.uncalled,)),
        )

    def explained_finding(self, context: ExaminationContext) -> Finding | None:
        """The loss that it looked like, where every missing source is explained."""
        if self.losses or self.undecided or not self.explained:
            return None
        summary = "; ".join(explained.sentence for explained in self.explained)
        about = [explained.part.alone for explained in self.explained]
        evidence = Evidence(sources=tuple(explained.need.source for explained in self.explained), parts=tuple(about))
        return context.finding(CheckName.PART_LOST, summary, PROMISED, context.seen(), about, evidence)


Decided = Loss | ExplainedNeed | None


def presence(context: ExaminationContext, urgency: Urgency) -> Generator[Probe, Answer | None, Presence]:
    """Decides over every need that no section of the answer meets."""
    found, has_news = Presence(), False
    lacking = [(part, need) for part in context.parts for need in context.lacks(part)]
    for part, need in sorted(lacking, key=lambda pair: not pair[1].is_firm):
        decided = yield from _decide(context, part, need, urgency)
        if isinstance(decided, Loss):
            found.losses.append(decided)
            if context.is_news(decided.finding(context)):
                urgency, has_news = Urgency.IF_KNOWN, True
        elif decided is None:
            found.undecided += 1
        else:
            found.explained.append(decided)
    if not has_news:
        yield from _led_astray(context, urgency, found)
    return found


def _led_astray(
    context: ExaminationContext, urgency: Urgency, found: Presence
) -> Generator[Probe, Answer | None, None]:
    """Where a source brings something that nothing in the query points at: the part that it was brought for, or none.

    That part's own source may well have a section, for another part.
    """
    unasked = context.brought.sources - allowed_sources(context.query, context.vocabulary)
    if not unasked or len(context.parts) == 1:
        return
    explained: set[str] = set()
    knows_all = True
    for part in context.parts:
        if part.points_back:
            knows_all = False
            continue
        alone = yield from context.alone(part, urgency)
        if alone is None:
            knows_all = False
            continue
        explained |= alone.sources & unasked
        need = next((need for need in part.needs if need.is_firm), None)
        if need is None or not alone.sources & unasked or alone.sources & context.vocabulary.stand_ins(need.source):
            continue
        decided = yield from _decide_by_name(context, part, need, urgency, None)
        if isinstance(decided, Loss):
            found.losses.append(decided)
            return
        again = yield from context.alone(part, urgency, fresh=1)
        if again is not None and again.sources & unasked:
            found.uncalled, found.uncalled_for = min(again.sources & unasked), part.alone
            return
    uncalled = unasked - explained
    if knows_all and uncalled:
        framed = yield from context.brought_with_framing(urgency)
        if framed is not None and uncalled - framed:
            found.uncalled = min(uncalled - framed)


def _decide(
    context: ExaminationContext, part: StandalonePart, need: SourceNeed, urgency: Urgency
) -> Generator[Probe, Answer | None, Decided]:
    """None where it cannot be told. A loss rests on what was asked after the query, as sources change."""
    is_whole = part.alone == context.query.text
    if is_whole and context.brought.sources:
        alone: SourceContent | None = context.brought
    else:
        alone = yield from context.alone(part, urgency)
    if alone is not None and _may_accuse(context, need, alone) and not is_whole:
        if _is_left_to_stand_ins(context, need, alone):
            decided = yield from _decide_stand_in(context, part, need, urgency, alone)
            if isinstance(decided, ExplainedNeed):
                return decided  # only a loss rests on what is asked after the query
        alone = yield from context.alone(part, urgency, fresh=1)
    if alone is None:
        return None
    if part in context.left_out:
        return ExplainedNeed(part, need, ExplanationCause.SAID_SO)
    if failure := context.failure_line(alone):
        is_its_own = alone.sources <= context.vocabulary.stand_ins(need.source) and not _should_say_so(context, need)
        return ExplainedNeed(part, need, ExplanationCause.EMPTY_ALONE, failure) if is_its_own else None
    if not alone.sources:
        # Blank is no way of saying that there is nothing: the documented phrases are.
        empty = (
            ExplainedNeed(part, need, ExplanationCause.EMPTY_ALONE, alone.empty_phrase) if alone.empty_phrase else None
        )
        is_said_by_another = alone.said_by in context.vocabulary.headers.keys() - context.vocabulary.stand_ins(
            need.source
        )
        if need.is_firm and is_said_by_another:
            return (yield from _decide_by_name(context, part, need, urgency, empty))
        if empty is not None and _should_say_so(context, need):
            return Loss(part, frozenset({need.source}), phrase=empty.phrase)
        return empty
    if _looks_lost(context, need, alone):
        if not need.is_firm and (chosen := (yield from context.chosen_otherwise(part, need.source, urgency))):
            return ExplainedNeed(part, need, ExplanationCause.STOOD_IN, chosen=chosen)
        if not (need.is_firm or is_whole) and not (yield from _is_lost_again(context, part, need, alone)):
            return None
        if not is_whole and _is_left_to_stand_ins(context, need, alone):
            return (yield from _decide_stand_in(context, part, need, urgency, alone))
        if is_whole:
            return Loss(part, alone.sources)
        empty = (yield from _empty_as_written(context, part, need)) or (
            yield from _empty_on_subject(context, part, need)
        )
        return empty or Loss(part, alone.sources)
    stood_in = alone.sources & context.vocabulary.stand_ins(need.source) & context.brought.sources - {need.source}
    fallback = ExplainedNeed(part, need, ExplanationCause.STOOD_IN) if stood_in else None
    if not need.is_firm:
        return fallback  # it brings alone what it brought among the others: its words matched a source by chance
    return (yield from _decide_by_name(context, part, need, urgency, fallback))


def _may_accuse(context: ExaminationContext, need: SourceNeed, alone: SourceContent) -> bool:
    return _looks_lost(context, need, alone) if alone.sources else _should_say_so(context, need)


def _should_say_so(context: ExaminationContext, need: SourceNeed) -> bool:
    """Whether the target has a section too for what found nothing, and among the sections of this answer it lacks."""
    headed = context.brought.headed
    is_headed = bool(headed & context.vocabulary.stand_ins(need.source))
    return context.vocabulary.keeps_empty_sections and need.is_firm and len(headed) > 1 and not is_headed


def _looks_lost(context: ExaminationContext, need: SourceNeed, alone: SourceContent) -> bool:
    """Whether it brings something alone, and nothing of that is there."""
    expected = alone.sources & context.vocabulary.stand_ins(need.source) if need.is_firm else alone.sources
    return bool(expected) and (need.source in expected or not expected & context.brought.sources)


def _is_left_to_stand_ins(context: ExaminationContext, need: SourceNeed, alone: SourceContent) -> bool:
    return bool(alone.sources) and alone.sources <= context.vocabulary.stand_ins(need.source) - {need.source}


def _is_lost_again(
    context: ExaminationContext, part: StandalonePart, need: SourceNeed, alone: SourceContent
) -> Generator[Probe, Answer | None, bool]:
    """Whether the query lacks an open part each time: a model may choose otherwise at one asking than at the next."""
    if context.is_reproducible:
        return True
    probes = [Probe(context.query.text, Purpose.AGAIN, Urgency.EXPLAIN, fresh=fresh) for fresh in (1, 2)]
    for place, probe in enumerate(probes):
        again = yield from context.ask(replace(probe, ahead=tuple(probes[place + 1 :])))
        if again is None:
            return False
        asked_again = replace(context, check_input=replace(context.check_input, answer=again))
        if need not in asked_again.lacks(part) or not _looks_lost(asked_again, need, alone):
            return False
    return True


def _empty_as_written(
    context: ExaminationContext, part: StandalonePart, need: SourceNeed
) -> Generator[Probe, Answer | None, ExplainedNeed | None]:
    """The explanation where its source has nothing on the part as it is written: it may search for quotes and signs."""
    if context.vocabulary.ignores_signs or not part.has_signs:
        return None
    said = yield from context.of(part.as_written, part, Urgency.EXPLAIN)
    if said is None:
        return None
    if said.empty_phrase and said.said_by in {"", *context.vocabulary.stand_ins(need.source)}:
        return ExplainedNeed(part, need, ExplanationCause.EMPTY_ALONE, said.empty_phrase)
    is_left = _is_left_to_stand_ins(context, need, said)
    return ExplainedNeed(part, need, ExplanationCause.STOOD_IN) if is_left else None


def _empty_on_subject(
    context: ExaminationContext, part: StandalonePart, need: SourceNeed
) -> Generator[Probe, Answer | None, ExplainedNeed | None]:
    """The explanation where it is about a part before it, on which its source has nothing."""
    if need.source != part.source or _should_say_so(context, need):
        return None
    subject, said = yield from context.empty_on_subject(part)
    return ExplainedNeed(part, need, ExplanationCause.EMPTY_ON_SUBJECT, said, subject=subject) if said else None


def _decide_stand_in(
    context: ExaminationContext, part: StandalonePart, need: SourceNeed, urgency: Urgency, alone: SourceContent
) -> Generator[Probe, Answer | None, Decided]:
    """Alone another stands in for its source, and not among the others: a router may do so where it asks no other."""
    decided = yield from _decide_by_name(context, part, need, urgency, None)
    is_empty = isinstance(decided, ExplainedNeed)
    if (need.is_firm and not is_empty) or (is_empty and need.source in context.brought.headed):
        return decided
    is_answered = yield from context.is_answered_among_others(part, alone.sources, need.source, urgency)
    if is_answered:
        return Loss(part, alone.sources)
    return decided if is_empty and is_answered is False else None


def _decide_by_name(
    context: ExaminationContext,
    part: StandalonePart,
    need: SourceNeed,
    urgency: Urgency,
    fallback: ExplainedNeed | None,
) -> Generator[Probe, Answer | None, Decided]:
    """Alone it is answered by others only: whether its own source has anything on it tells whether it was left out.

    fallback: what holds unless it has.
    """
    by_name = yield from context.alone(part, urgency, only=need.source)
    if by_name is None:
        return fallback
    if failure := context.failure_line(by_name):
        is_its_own = by_name.sources <= {need.source}
        return fallback or (ExplainedNeed(part, need, ExplanationCause.EMPTY_ALONE, failure) if is_its_own else None)
    if by_name.sources == {need.source}:
        return Loss(part, by_name.sources, is_by_name=True)
    empty = (
        ExplainedNeed(part, need, ExplanationCause.EMPTY_ALONE, by_name.empty_phrase) if by_name.empty_phrase else None
    )
    return fallback or empty


MANY = 4  # of fewer, the last one alone tells about as much


@dataclass(frozen=True)
class Unhidden:
    """finding: that one of them is lost in `query`, which is what was asked of them.

    doubtful: parts that bring something there that is not among the others.
    """

    query: Query | None = None
    finding: Finding | None = None
    doubtful: tuple[StandalonePart, ...] = ()


def hidden_parts(context: ExaminationContext) -> list[StandalonePart]:
    """In order; of each source all parts but the first, and that one too where a condition or a request names it."""
    needed = {need.source for part in context.parts for need in part.needs if not need.is_firm} - context.volatile
    parts = []
    for part in context.parts:
        sources = {need.source for need in part.needs if need.is_firm} - context.volatile
        if sources & needed:
            parts.append(part)
        needed |= sources
    return parts


def without_the_others(context: ExaminationContext) -> Generator[Probe, Answer | None, Unhidden]:
    """One probe for all that are hidden, where those are many.

    The last goes first, so that what goes wrong at one end goes wrong for another part.
    """
    parts = hidden_parts(context)
    if len(parts) < MANY:
        return Unhidden()
    query = only(context.query, [place for place, part in enumerate(context.parts) if part in parts][::-1])
    answer = yield from context.ask(Probe(query.text, Purpose.FEWER, Urgency.WORTHWHILE))
    if answer is None or answer.error is not None:
        return Unhidden()
    apart = replace(context, check_input=replace(context.check_input, query=query, answer=answer))
    lost = (yield from presence(apart, Urgency.SUSPECT)).lost_finding(apart, query.text)
    if lost is not None:
        return Unhidden(query, lost)
    missing = {
        source
        for source in apart.brought.sources - context.volatile
        if unmatched_items(context.items_of(source, apart.brought), context.brought.by_source.get(source, ()))
    }
    doubtful = tuple(part for part in parts if any(need.source in missing for need in part.needs))
    return Unhidden(query, doubtful=doubtful)


def find_lost_part(context: ExaminationContext) -> Comparison:
    """A lost part as the only thing that is looked for, also among those that others hide."""
    lost = (yield from presence(context, Urgency.SUSPECT)).lost_finding(context)
    lost = lost or (yield from without_the_others(context)).finding
    return () if lost is None else (lost,)
