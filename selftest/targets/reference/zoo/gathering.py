"""From blocks to sections: one a source, limits, order, doubles, and what is said of the empty ones."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.chance import fraction
from selftest.targets.reference.zoo.manner import Manner
from selftest.targets.reference.zoo.types import Asking, Block, Item, Job, Section

SHORTEST_CUT = 40  # characters of an item that is cut
PARTIAL_SHARE = 0.1  # of askings at which a source comes too late with some of its items
MOST_AGE_MINUTES, MINUTES_BETWEEN = 2000, 7  # of an item at first, and from one asking of a query to the next
NAMED_CHARACTERS = 80  # of what there was nothing for
FIRST_SENTENCE = re.compile(r".{40,}?[.!?](?=\s|$)")  # fewer characters may be an initial: "J. S. Bach was …"
STEPS = 3  # of ADVICE below one failure
ADVICE = (
    'Check how "{words}" is spelt',
    "Use fewer or more general words",
    "Ask again in a few minutes",
    "Make sure that {source} is switched on in your settings",
    "Ask for one thing at a time",
)


class Gathering:
    """The healthy gathering stage of one router."""

    def __init__(self, vocabulary: Vocabulary, manner: Manner, seed: int) -> None:
        self._vocabulary = vocabulary
        self._manner = manner
        self._seed = seed

    def gather(self, blocks: Sequence[Block], asking: Asking) -> tuple[Section, ...]:
        """One section a source, in the manner's order; those without an item dropped or kept with a note."""
        by_source: dict[tuple[str, str], list[Block]] = {}
        for block in blocks:
            by_source.setdefault((block.source, self._stood_in_for(block, blocks)), []).append(block)
        sections = [self._section(source, of_source) for (source, _), of_source in by_source.items()]
        if self._manner.dedupes_across:
            sections = _each_item_once(sections)
        if self._manner.empties == "drop":
            sections = [section for section in sections if section.items]
        sections = self._sharing(sections)
        if self._manner.one_a_site:
            sections = [replace(section, blocks=_one_a_site(section.blocks)) for section in sections]
        # Mixed last: a limit leaves something of each part.
        mixed = (self._interleaved(section) for section in self._ordered(sections))
        gathered = tuple(self._of_this_asking(section, asking) for section in mixed)
        tells_places = self._manner.places or self._manner.item_form == "numbers through"
        return _with_places(gathered) if tells_places else gathered

    def _stood_in_for(self, block: Block, blocks: Sequence[Block]) -> str:
        """The source whose part has a section of its own from another one; "" where it has none."""
        if not self._manner.stand_ins_apart or block.source == block.job.source:
            return ""
        others = [other for other in blocks if other is not block and other.source == block.source]
        said = {item.key for other in others for item in other.items}
        return "" if any(item.key in said for item in block.items) else block.job.source

    def _sharing(self, sections: list[Section]) -> list[Section]:
        """As much of each as one answer has room for; articles as extracts beside others, where the manner says so."""
        manner = self._manner
        if manner.shared_limit and sum(bool(block.items) for section in sections for block in section.blocks) > 1:
            sections = [_counting_cut(section, _limited(section, manner.shared_limit)) for section in sections]
        if manner.answer_limit:
            share = manner.answer_limit // max(1, len(sections))
            sections = [_counting_cut(section, _limited(section, share)) for section in sections]
        if manner.extracts and sum(bool(section.items) for section in sections) > 1:
            encyclopedia = self._vocabulary.encyclopedia
            sections = [_as_extracts(s) if s.source == encyclopedia else s for s in sections]
        return sections

    def _of_this_asking(self, section: Section, asking: Asking) -> Section:
        """The items with other times, in another order or without those that are late, where the manner says so."""
        late = fraction("late", self._seed, section.source, asking.query, asking.tick)
        if self._manner.partial and late < PARTIAL_SHARE and section.items:
            section = _first_half(section)
        if self._manner.rotates:
            turn = fraction("turn", section.source, asking.query, asking.tick)
            section = replace(section, blocks=tuple(_turned(block, turn) for block in section.blocks))
        if self._manner.fetch_times:
            blocks = [replace(b, items=tuple(_fetched(item, asking) for item in b.items)) for b in section.blocks]
            section = replace(section, blocks=tuple(blocks))
        if self._manner.newest_first and section.items:
            section = _newest_first(section, asking, is_mixed=not self._manner.sub_headings)
        return section

    def _section(self, source: str, blocks: Sequence[Block]) -> Section:
        blocks = sorted(blocks, key=lambda block: block.is_closest)  # the closest only below what was found
        kept = _distinct(block for block in blocks if block.items)
        if not kept:
            return Section(source, (), self.empty_text(blocks[0].job))
        referring = [b for b in _referring(blocks, kept) if b.is_closest or self._manner.refers_back]
        if self._manner.item_limit:
            share = max(1, self._manner.item_limit // len(kept))
            kept = [replace(block, items=block.items[:share]) for block in kept]
        if self._manner.section_limit:
            kept = [_cut(block, self._manner.section_limit // len(kept)) for block in kept]
        return Section(source, (*kept, *referring, *(b for b in blocks if not b.items)))

    def _interleaved(self, section: Section) -> Section:
        blocks, others = _parted(section.blocks)
        if not self._manner.interleaves or self._manner.sub_headings or len(blocks) < 2:
            return section
        mixed = chain.from_iterable(zip_longest(*(block.items for block in blocks)))
        together = replace(blocks[0], items=tuple(item for item in mixed if item is not None))
        return replace(section, blocks=(together, *others))

    def _ordered(self, sections: list[Section]) -> list[Section]:
        sources = list(self._vocabulary.headers)
        if self._manner.order == "fixed":
            return sorted(sections, key=lambda section: sources.index(section.source))
        if self._manner.order == "alphabet":
            return sorted(sections, key=lambda section: section.source)
        if self._manner.order == "size":
            return sorted(sections, key=lambda section: -len(section.items))
        return sections

    def empty_text(self, job: Job) -> str:
        """What is said of a source that has nothing: an empty phrase of the vocabulary, worded as the manner says."""
        phrases = self._vocabulary.empty_phrases
        phrase = phrases[int(fraction("phrase", self._seed, job.source) * len(phrases))]
        return {
            "plain": phrase,
            "sentence": f"{phrase.capitalize()}.",
            "advice": f"{job.source.capitalize()} is not configured. Set {job.source.upper()}_URL in the environment.",
            "frame": f"[!] error from {job.source}: {phrase} (code 0)",
            "apology": f"Sorry, {phrase} this time. Please try again later.",
            "statement": f"On its door {job.source} has a note that says {phrase} until further notice.\n"
            "What stands at the counter is binding.",
            "query": f'{phrase.capitalize()} for "{job.words[:NAMED_CHARACTERS]}". Try fewer or other words.',
            "steps": "\n".join([f"{phrase.capitalize()}.", "What you can try:", *self._steps(job)]),
        }[self._manner.empty_wording]

    def _steps(self, job: Job) -> list[str]:
        """What to do about a failure, a line each; always the same ones for a source."""
        steps = sorted(ADVICE, key=lambda step: fraction("step", self._seed, job.source, step))[:STEPS]
        return [f"- {step.format(words=job.words[:NAMED_CHARACTERS], source=job.source)}" for step in steps]


def _cut(block: Block, room: int) -> Block:
    """The first items that fit in `room` characters, the last of them cut; one at least, with a word at least."""
    items = list[Item]()
    for item in block.items:
        if len(item.body) >= room:
            kept = item.body[: max(room, SHORTEST_CUT)]
            is_whole = kept == item.body
            items.append(item if is_whole else replace(item, body=f"{kept.rsplit(maxsplit=1)[0]} […]"))
            break
        items.append(item)
        room -= len(item.body)
        if room < SHORTEST_CUT:
            break
    return replace(block, items=tuple(items))


def _limited(section: Section, most: int) -> Section:
    """With `most` items in all, the first of each block before the second of any, and one of each block at least."""
    with_items = [block for block in section.blocks if block.items]
    order = sorted((place, at) for at, block in enumerate(with_items) for place in range(len(block.items)))
    kept = order[: max(most, len(with_items))]
    counts = {id(block): sum(of == at for _, of in kept) for at, block in enumerate(with_items)}
    return replace(section, blocks=tuple(replace(b, items=b.items[: counts.get(id(b), 0)]) for b in section.blocks))


def _counting_cut(whole: Section, cut: Section) -> Section:
    return replace(cut, left_out=whole.left_out + len(whole.items) - len(cut.items))


def _as_extracts(section: Section) -> Section:
    blocks = [replace(b, items=tuple(replace(i, body=_extract(i.body)) for i in b.items)) for b in section.blocks]
    return replace(section, blocks=tuple(blocks))


def _extract(body: str) -> str:
    """The first sentence of the first paragraph that is no remark in brackets; more where it is very short."""
    first = next((line for line in body.split("\n") if line and not line.startswith("(")), body)
    sentence = FIRST_SENTENCE.match(first)
    return sentence[0] if sentence else first


def _with_places(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Each item with its place among those of all sections."""
    places, count = iter(range(1, sum(len(s.items) for s in sections) + 1)), sum(len(s.items) for s in sections)

    def placed(block: Block) -> Block:
        return replace(block, items=tuple(replace(item, place=next(places), of=count) for item in block.items))

    return tuple(replace(section, blocks=tuple(placed(b) for b in section.blocks)) for section in sections)


def _parted(blocks: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """Those with what was found, and the others: without items, or with the closest ones only."""
    found = [block for block in blocks if block.items and not block.is_closest]
    return found, [block for block in blocks if not block.items or block.is_closest]


def _one_a_site(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The first item of each site that is shown, and the first of a block that would have none."""
    seen: set[str] = set()
    result = []
    for block in blocks:
        kept = []
        for item in block.items:
            if item.site not in seen:
                seen.add(item.site)
                kept.append(item)
        result.append(replace(block, items=tuple(kept) or block.items[:1]))
    return tuple(result)


def _first_half(section: Section) -> Section:
    blocks = [replace(block, items=block.items[: (len(block.items) + 1) // 2]) for block in section.blocks]
    return replace(section, blocks=tuple(blocks), is_partial=True)


def _newest_first(section: Section, asking: Asking, is_mixed: bool) -> Section:
    """Ordered by age, which grows from asking to asking. is_mixed: not each part by itself."""

    def aged(block: Block) -> Block:
        return replace(block, items=tuple(_aged(item, asking) for item in sorted(block.items, key=_age_minutes)))

    found, others = _parted(section.blocks)
    if is_mixed and found:
        together = replace(found[0], items=tuple(item for block in found for item in block.items))
        return replace(section, blocks=tuple(aged(block) for block in (together, *others)))
    return replace(section, blocks=tuple(aged(block) for block in section.blocks))


def _age_minutes(item: Item) -> int:
    return int(fraction("age", item.key) * MOST_AGE_MINUTES)


def _aged(item: Item, asking: Asking) -> Item:
    hours, minutes = divmod(_age_minutes(item) + MINUTES_BETWEEN * asking.tick, 60)
    return replace(item, age=f"{hours} h {minutes} min ago")


def _turned(block: Block, turn: float) -> Block:
    at = int(turn * len(block.items))
    return replace(block, items=(*block.items[at:], *block.items[:at]))


def _fetched(item: Item, asking: Asking) -> Item:
    second = int(fraction("fetched", item.key, asking.query, asking.tick) * 86400)
    return replace(item, fetched=f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}")


def _distinct(blocks: Iterable[Block]) -> list[Block]:
    """Each item in the first of the blocks that have it; a block that keeps none is left out."""
    seen: set[str] = set()
    kept = []
    for block in blocks:
        items = _unseen(block.items, seen)
        if items:
            kept.append(replace(block, items=items))
    return kept


def _referring(blocks: Sequence[Block], kept: Sequence[Block]) -> list[Block]:
    """The blocks that are not `kept` since others have all their items, each with the words of one that has."""
    jobs = [block.job for block in kept]
    words = {item.key: block.job.words for block in reversed(kept) for item in block.items}
    lost = [block for block in blocks if block.items and block.job not in jobs]
    return [replace(block, items=(), refers_to=words[block.items[0].key]) for block in lost]


def _unseen(items: Sequence[Item], seen: set[str]) -> tuple[Item, ...]:
    new = tuple(item for item in items if item.key not in seen)
    seen.update(item.key for item in new)
    return new


def _each_item_once(sections: list[Section]) -> list[Section]:
    """An item that an earlier section has is left out of later ones, as long as each block keeps one."""
    seen: set[str] = set()
    result = []
    for section in sections:
        blocks = []
        for block in section.blocks:
            blocks.append(replace(block, items=_unseen(block.items, seen) or block.items[:1]))
        result.append(replace(section, blocks=tuple(blocks)))
    return result
