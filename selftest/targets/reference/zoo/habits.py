"""Habits chosen and put together: a manner from names, and the vocabulary document that goes with it."""

import random
from collections.abc import Collection, Sequence
from typing import Any

from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.targets.reference.zoo.domains import DOMAINS
from selftest.targets.reference.zoo.habit_table import HABITS, Habit
from selftest.targets.reference.zoo.manner import Manner

ENCYCLOPEDIA_KEYWORDS = ("what is known of", "background on")
EMOJI = "🗂🔭🧭🗞🧰🪴📦🛰"  # one for each source of a domain
FIRST_OF_THIRD = "long_articles"  # it and all after it in the table, but for the later sets
FIRST_OF_FOURTH = "underlined_headers"  # it and all after it, but for the later sets
FIRST_OF_FIFTH = "stands_in_alone"  # it and all after it, but for SIXTH
FIRST_OF_SIXTH = "extracts_among_others"  # it and all after it
_HALVED = tuple(HABITS)[: tuple(HABITS).index(FIRST_OF_THIRD)]
TUNING: tuple[str, ...] = _HALVED[::2]
REPORTING: tuple[str, ...] = _HALVED[1::2]


def random_subset(rng: random.Random, of: Collection[str] = ()) -> tuple[str, ...]:
    """Any number of the habits `of`, all for none named, at most one of each group, in the order of HABITS.

    Raises ValueError for an unknown name.
    """
    names = [habit.name for habit in habits_named(of or tuple(HABITS))]
    share = rng.random() ** 2  # mostly a few habits, now and then nearly all
    by_group: dict[str, list[str]] = {}
    for name in names:
        by_group.setdefault(HABITS[name].group, []).append(name)
    chosen = {rng.choice(group) for group in by_group.values() if rng.random() < share}
    return tuple(name for name in HABITS if name in chosen)


def habits_named(names: Collection[str]) -> list[Habit]:
    """In the order of HABITS. Raises ValueError for an unknown name."""
    unknown = sorted(set(names) - set(HABITS))
    if unknown:
        raise ValueError(f"unknown habit {', '.join(map(repr, unknown))}; known: {', '.join(HABITS)}")
    return [habit for habit in HABITS.values() if habit.name in names]


def manner_of(names: Collection[str]) -> Manner:
    """The manner of a router with these habits. Raises ValueError for an unknown name or two of one group."""
    manner, groups = Manner(), dict[str, str]()
    for habit in habits_named(names):
        other = groups.setdefault(habit.group, habit.name)
        if other != habit.name:
            raise ValueError(f"{habit.name} and {other} exclude each other")
        manner = habit.applied(manner)
    return manner


def document_of(manner: Manner) -> dict[str, Any]:
    """The vocabulary document of a router of this manner."""
    domain = DOMAINS[manner.domain]
    document = domain.copied()
    sources = [document["encyclopedia"], *(s for s in document["sources"] if s != document["encyclopedia"])]
    document["headers"] = {
        source: _header(source, domain.labels[source], manner.header_style, at) for at, source in enumerate(sources)
    }
    if manner.framing_adds_source:
        stand_ins = document["fallbacks"][document["encyclopedia"]]
        if domain.extra not in stand_ins:
            stand_ins.append(domain.extra)
    if manner.merged_name:
        document["merged_source"] = manner.merged_name
    if manner.empties == "keep":
        document["keeps_empty_sections"] = True
    if manner.summary or manner.contents:
        document["opens_with_text"] = True
    if manner.encyclopedia_keywords:
        document["sources"].setdefault(document["encyclopedia"], []).extend(ENCYCLOPEDIA_KEYWORDS)
    if manner.stand_in_for_all:
        general = document["fallbacks"][document["encyclopedia"]][0]
        for source in document["headers"]:
            if source != general:
                document["fallbacks"].setdefault(source, [general])
    return document


def _header(source: str, label: str, style: str, at: int) -> str:
    return {
        "brackets": f"[{source.upper()} — {label.upper()}]",
        "plain": f"From {source} ({label.lower()}):",
        "markdown": f"## {label}",
        "capitals": f"{label.upper()}",
        "emoji": f"{EMOJI[at]} {label}",
        "two_dashes": f"{label} — {source} — not related to other sections",
        "equals": f"== {source} ==",
        "colon": f"{source}:",
    }[style]


def vocabulary_of(manner: Manner) -> Vocabulary:
    """The same, parsed. Raises VocabularyError never, whatever the habits."""
    return parse_vocabulary(document_of(manner))


def halves() -> tuple[Sequence[str], Sequence[str]]:
    """TUNING and REPORTING: every other habit each, but for those of the later sets."""
    return TUNING, REPORTING


SIXTH: tuple[str, ...] = tuple(HABITS)[tuple(HABITS).index(FIRST_OF_SIXTH) :]
FIFTH: tuple[str, ...] = tuple(HABITS)[tuple(HABITS).index(FIRST_OF_FIFTH) : -len(SIXTH)]
FOURTH: tuple[str, ...] = tuple(HABITS)[tuple(HABITS).index(FIRST_OF_FOURTH) : -len((*FIFTH, *SIXTH))]
THIRD: tuple[str, ...] = tuple(HABITS)[len(_HALVED) : -len((*FOURTH, *FIFTH, *SIXTH))]
