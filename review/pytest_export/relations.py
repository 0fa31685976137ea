"""What an exported test asserts of the target against itself: it asks it several times. Pure.

Only how two answers are compared is the engine's own source: a relation itself decides what to ask next from the whole
vocabulary, so here the probes are those that the finding rests on.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from review.pytest_export.context import ExportContext
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import sources_with_header
from selftest.core.judging.context import standalone_part
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence
from selftest.core.judging.probes import Purpose
from selftest.core.judging.relations.part_content import FOREIGN_SHARE
from selftest.models import Flag
from selftest.storage.serialization import evidence_of

TIMES = 3  # that a query is asked again: what comes and goes does not show at once
UNKNOWN = ["# The details of what was found are not known: the flag is from an earlier version."]
REWORDED = {
    Purpose.ORDER: "in another order",
    Purpose.CONJUNCTION: "joined by other words",
    Purpose.PLAIN: "in plain words",
}


def about_relation(context: ExportContext, flag: Flag, vocabulary: Vocabulary) -> list[str]:
    """By the fields of its evidence and the probes in it; never by its sentences, which quote the vocabulary."""
    evidence = evidence_of(flag.evidence)
    asked: Sequence[dict[str, Any]] = flag.evidence.get("asked", ())
    rewording = next((each["purpose"] for each in asked if each["purpose"] in REWORDED), None)
    if rewording is not None:
        return _about_wording(evidence, asked, Purpose(rewording))
    match CheckName(flag.check_name):
        case CheckName.PART_LOST if evidence.kind is DiscrepancyKind.KEYWORD_PASSED_OVER:
            return _about_content(evidence, asked)
        case CheckName.PART_LOST if evidence.kind is DiscrepancyKind.EMPTY_LEFT_OUT:
            return _about_empty_section(evidence, asked, vocabulary)
        case CheckName.PART_LOST:
            return _about_presence(context, asked, vocabulary)
        case CheckName.PART_DIFFERS | CheckName.PAIR_BROKEN:
            return _about_content(evidence, asked)
        case CheckName.ASKED_TWICE_DIFFERS:
            return [
                f"for _ in range({TIMES}):",
                "    again = brought(QUERY.text)",
                "    assert set(again) == set(together), f'{sorted(together)}, then {sorted(again)}'",
            ]
        case CheckName.SYNTHETIC_QUERY_CACHED:
            return _about_cache(context)
        case _:
            return UNKNOWN


def _about_cache(context: ExportContext) -> list[str]:
    if context.is_python:
        return ["# Whether a function answers from a cache it does not say."]
    return [
        "# What it has in its cache already tells nothing, so restart it first.",
        "assert answer.cached or not ask(QUERY.text).cached, 'a synthetic query has filled the cache'",
    ]


def _about_wording(evidence: Evidence, asked: Sequence[dict[str, Any]], purpose: Purpose) -> list[str]:
    """The same sources; and where these were the same with other items, the same items of theirs."""
    text, how = _texts(asked, purpose)[0], REWORDED[purpose]
    has_other_items = evidence.kind is DiscrepancyKind.ITEMS_DIFFER
    return [
        *([] if evidence.kind is not None else UNKNOWN),
        f"reworded = brought({text!r})",
        f"assert set(reworded) == set(together), f'{how}: {{sorted(reworded)}}, not {{sorted(together)}}'",
        *(_about_lines(evidence.sources, how) if has_other_items else []),
    ]


def _about_lines(sources: Sequence[str], how: str) -> list[str]:
    return [
        f"for source in set({list(sources)!r}) & set(together):",
        "    here, there = together[source], reworded[source]",
        "    others = unmatched_items(here, there) + unmatched_items(there, here)",
        f"    assert not others, f'{how}, {{source}} brings something else: {{others}}'",
    ]


def _about_presence(context: ExportContext, asked: Sequence[dict[str, Any]], vocabulary: Vocabulary) -> list[str]:
    """Of what a part brought alone, what the flagged answer lacked. A source that others ask for is no fallback."""
    run = context.run
    present = sources_with_header(run.result, vocabulary.headers) or {run.source_used} if run else frozenset[str]()
    parts = [standalone_part(clause, vocabulary) for clause in context.query.clauses]
    fewer = _texts(asked, Purpose.FEWER)
    if fewer:
        present = frozenset(_brought(asked, fewer[0]))
        parts = [part for part in parts if part.as_written in fewer[0]]
    expected: dict[str, dict[str, list[str]]] = {}
    # Where a fallback was there all the same, the source itself is expected: it has content.
    for text in _texts(asked, Purpose.PART):
        others = {need.source for part in parts if text not in (part.alone, part.as_written) for need in part.needs}
        expected[text] = {
            source: sorted({source, *vocabulary.stand_ins(source) - others})
            for source in _brought(asked, text)
            if not {source, *vocabulary.stand_ins(source) - others} & present
        } or {source: [source] for source in _brought(asked, text) if source not in present}
    expected = {text: sources for text, sources in expected.items() if sources}
    if not expected:
        return UNKNOWN
    return [
        f"among = brought({fewer[0]!r})  # some of its parts without the others" if fewer else "among = together",
        "# What each part brought alone, with those documented to stand in for it; left to the router, or by name.",
        f"expected = {expected!r}",
        "for part, sources in expected.items():",
        "    for source, stand_ins in sources.items():",
        "        alone = {**brought(part), **brought(part, source)}",
        "        is_answered = bool(set(stand_ins) & set(among))",
        "        assert is_answered or source not in alone, f'{part!r} is answered by {source} alone, and here not'",
    ]


def _about_empty_section(evidence: Evidence, asked: Sequence[dict[str, Any]], vocabulary: Vocabulary) -> list[str]:
    """A section of the source or of one that stands in for it, whatever it says."""
    fewer = _texts(asked, Purpose.FEWER)
    owed = sorted(vocabulary.stand_ins(evidence.sources[0]))
    return [
        f"said = ask({fewer[0]!r})  # some of its parts without the others" if fewer else "said = answer",
        "headed = content_of(said, VOCABULARY).headed",
        f"is_there = bool(headed & set({owed!r}))",
        f"assert is_there, 'no section says that there is nothing for {{!r}}'.format({evidence.parts[0]!r})",
    ]


def _about_content(evidence: Evidence, asked: Sequence[dict[str, Any]]) -> list[str]:
    texts = sorted(_texts(asked, Purpose.PART), key=lambda text: text in evidence.parts)  # what it is about: last
    alone = f"alone = [brought(part) for part in {texts!r}]"
    if evidence.kind is DiscrepancyKind.UNCALLED_SECTION:
        source = evidence.sources[0]
        return [
            alone,
            f"is_called = any({source!r} in each for each in alone)",
            f"assert is_called or {source!r} not in together, 'a section that no part brings alone'",
        ]
    if evidence.kind in ALONE:
        return [f"sources, parts = {list(evidence.sources)!r}, {list(evidence.parts)!r}", *ALONE[evidence.kind]]
    if evidence.kind not in OF_SECTIONS or not texts:
        return UNKNOWN
    return [
        alone,
        *([f"recorded = {list(evidence.items)!r}"] if evidence.kind is DiscrepancyKind.NOTHING_OF_PART else []),
        f"for source in set({list(evidence.sources)!r}) & set(together):",
        *(f"    {line}" for line in OF_SECTIONS[evidence.kind]),
    ]


# What holds of the parts alone, by what was wrong with them.
ALONE: Mapping[DiscrepancyKind | None, Sequence[str]] = MappingProxyType(
    {
        DiscrepancyKind.UNCALLED_ALONE: (
            "alone = brought(parts[0])",
            "assert not set(sources) & set(alone), f'{parts[0]!r} is answered by {sorted(alone)}'",
        ),
        DiscrepancyKind.PAIR_SPLIT: (
            "whole, *halves = [brought(part).get(sources[0], ()) for part in parts]",
            "apart = [item for half in halves for item in half]",
            "is_whole = not whole or unmatched_items(whole, apart)",
            "assert is_whole, f'{parts[0]!r} brings what {parts[1:]} bring'",
        ),
        DiscrepancyKind.KEYWORD_PASSED_OVER: (
            "alone = brought(parts[0])",
            "assert set(sources) & set(alone), f'{parts[0]!r} is answered by {sorted(alone)}'",
        ),
    }
)

NOTHING_LEFT_OUT = (
    "for each in (each[source] for each in alone if source in each):",
    "    lost = unmatched_items(each, together[source])",
    "    assert not lost, f'{lost} is not in the section of {source}'",
)


def _nothing_foreign(allowed: str) -> tuple[str, ...]:
    return (
        "known = [item for each in alone for item in each.get(source, ())]",
        "foreign = unmatched_items(together[source], known) if known else ()",
        f"assert not foreign or len(foreign) < {allowed}, f'{{foreign}} in the section of {{source}}'",
    )


# What holds of the section of `source`, by what was wrong with it.
OF_SECTIONS: Mapping[DiscrepancyKind | None, Sequence[str]] = MappingProxyType(
    {
        DiscrepancyKind.NOTHING_OF_PART: (
            "for each in (each[source] for each in alone if source in each):",
            "    # Of lines that it says whatever it is asked nothing is told.",
            "    told = tuple(item for item in each if item.text in recorded) or each",
            "    is_there = unmatched_items(told, together[source]) != told",
            "    assert is_there, f'nothing of {told} in the section of {source}'",
        ),
        DiscrepancyKind.FOREIGN_SUBJECT: _nothing_foreign(f"{FOREIGN_SHARE} * len(together[source])"),
        DiscrepancyKind.EXTRA_ITEMS: _nothing_foreign("0"),
        DiscrepancyKind.ITEMS_MISSING: NOTHING_LEFT_OUT,
        DiscrepancyKind.HALF_MISSING: NOTHING_LEFT_OUT,
        DiscrepancyKind.ORDER_CHANGED: (
            "others = [each.get(source, ()) for each in alone[:-1]]",
            "moved = moved_items(alone[-1].get(source, ()), together[source], others)",
            "assert not moved, f'in another order than alone: {moved}'",
        ),
    }
)


def _texts(asked: Sequence[dict[str, Any]], purpose: Purpose) -> list[str]:
    return list(dict.fromkeys(each["text"] for each in asked if each["purpose"] == purpose))


def _brought(asked: Sequence[dict[str, Any]], text: str) -> list[str]:
    return sorted({source for each in asked if each["text"] == text for source in each["brought"]})
