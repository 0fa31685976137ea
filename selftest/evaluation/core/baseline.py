"""What of a target and its vocabulary a pair depends on, and what of that has changed. Pure.

A pair whose ground has moved is neither held nor broken: a person says whether it still expects the right thing.
"""

import re
from collections.abc import Iterator

from selftest.core.generation.vocabulary import Vocabulary, phrases_pattern
from selftest.evaluation.core.pairs import Baseline, PairContent

SEED_ROLES = {
    "proper_noun_pairs": "pair of names",
    "conditions": "condition",
    "consequences": "consequence",
    "pronoun_requests": "request",
    "discourse_topics": "discourse topic",
    "open_topics": "open topic",
}


def bearing(content: PairContent, vocabulary: Vocabulary) -> dict[str, str]:
    """What the vocabulary says of the pair: of the sources that it names, and of each phrase in its query."""
    wanted = content.expectations
    found = {}
    for source in wanted.named_sources:
        found[f"header of {source}"] = vocabulary.headers.get(source, "")
        found[f"fallbacks of {source}"] = ", ".join(vocabulary.fallbacks.get(source, ()))
    if len(wanted.named_sources) > 1:
        found["source of a merged answer"] = vocabulary.merged_source
    if wanted.refuses:
        found["failure phrases"] = ", ".join(vocabulary.empty_phrases)
    folded = content.query.casefold()
    for phrase, role in _roles(vocabulary):
        if re.search(phrases_pattern([phrase]), folded):
            key = f"“{phrase.strip().casefold()}”"
            found[key] = f"{found[key]}, {role}" if key in found else role
    return dict(sorted(found.items()))


def _roles(vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Each phrase with what it is, without an order that could differ between two documents that say the same."""
    roles: dict[str, set[str]] = {}
    for source, phrases in vocabulary.sources.items():
        for phrase in phrases:
            roles.setdefault(phrase, set()).add(f"keyword of {source}")
    for role, phrases in (
        ("conjunction", vocabulary.conjunctions),
        ("phrase that does not split", vocabulary.nosplit_phrases),
        ("discourse phrase", vocabulary.discourse_phrases),
        *((role, getattr(vocabulary.seeds, name)) for name, role in SEED_ROLES.items()),
    ):
        for phrase in phrases:
            roles.setdefault(phrase, set()).add(role)
    return ((phrase, ", ".join(sorted(found))) for phrase, found in sorted(roles.items()) if phrase.strip())


def changes(made_on: Baseline, now: dict[str, str]) -> tuple[str, ...]:
    """What of the vocabulary has changed since then that bears on the pair, a sentence each."""
    return tuple(
        _change(key, made_on.bears.get(key), now.get(key))
        for key in sorted({*made_on.bears, *now})
        if made_on.bears.get(key) != now.get(key)
    )


def _change(key: str, before: str | None, after: str | None) -> str:
    return f"{key}: was {_said(before)}, is {_said(after)}"


def _said(value: str | None) -> str:
    return "not in the vocabulary" if value is None else value or "not given"


def changed_structure(made_on: Baseline, target_version: str, structure: tuple[str, ...]) -> tuple[str, ...]:
    """That another version of the target puts the answer together otherwise. Of the same version: nothing."""
    if made_on.structure is None or made_on.target_version == target_version or made_on.structure == structure:
        return ()
    before, after = (", ".join(filter(None, one)) or "no source" for one in (made_on.structure, structure))
    versions = made_on.target_version or "an unnamed version", target_version or "an unnamed version"
    return (f"sections: were {before} on {versions[0]}, are {after} on {versions[1]}",)
