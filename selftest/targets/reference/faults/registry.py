"""Every fault that can be switched on, in one table, and how some of them are planted. Knows no step."""

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.faults import formatting, merging, source_choice, source_failures, splitting
from selftest.targets.reference.steps import Steps

Plant = Callable[[Steps, Vocabulary], Steps]


@dataclass(frozen=True)
class PlantedFault:
    """A mistake that the router can be told to make. seen: what a caller sees, in one sentence."""

    name: str
    seen: str
    plant: Plant


# A fault is named after its function; the function's docstring is the sentence that people read. Planted in this order,
# each around the steps as those before have left them.
_PLANTS: tuple[Plant, ...] = (
    merging.section_twice,
    merging.items_twice,
    merging.doubles_kept,
    merging.empty_section_kept,
    merging.made_up_header,
    merging.merged_without_headers,
    merging.source_swapped,
    merging.empty_answer,
    merging.last_section_comes_and_goes,
    merging.cache_not_suppressed,
    source_choice.keywords_ignore_discourse,
    source_choice.whole_query_to_every_source,
    source_choice.discourse_words_searched,
    source_choice.first_source_asked_for_all,
    source_choice.capitals_not_recognised,
    source_choice.quoted_keyword_not_recognised,
    source_choice.fallback_asked_instead,
    source_choice.keyword_sent_astray,
    source_failures.exception_on_phrase,
    source_failures.traceback_in_text,
    source_failures.failure_phrase_as_content,
    source_failures.slow_path,
    splitting.pronoun_as_noun,
    splitting.pair_vetoes_splitting,
    splitting.nosplit_vetoes_splitting,
    splitting.only_first_pair_guarded,
    splitting.stop_word_keywords_dropped,
    splitting.short_keywords_dropped,
    splitting.clause_swallowed_after_third,
    splitting.collapses_to_first_intent,
    splitting.answered_only_in_first_place,
    splitting.one_intent_a_source,
    splitting.conjunction_overlooked,
    splitting.clause_after_conjunction_dropped,
    splitting.only_first_sentence_read,
    splitting.remainder_swallowed,
    splitting.condition_swallowed,
    splitting.later_condition_swallowed,
    formatting.text_before_sections,
    formatting.rules_doubled,
    formatting.rule_after_last_section,
    formatting.last_header_cut,
    formatting.headers_swapped,
    formatting.header_of_another_source,
    formatting.last_item_cut_off,
)

FAULTS: Mapping[str, PlantedFault] = MappingProxyType(
    {plant.__name__: PlantedFault(plant.__name__, inspect.getdoc(plant) or "", plant) for plant in _PLANTS}
)


def with_faults(steps: Steps, names: Collection[str], vocabulary: Vocabulary) -> Steps:
    """`steps` with the named faults planted, in the order of FAULTS. Raises ValueError for an unknown name."""
    unknown = sorted(set(names) - set(FAULTS))
    if unknown:
        raise ValueError(f"unknown fault {', '.join(map(repr, unknown))}; known: {', '.join(FAULTS)}")
    for fault in FAULTS.values():
        if fault.name in names:
            steps = fault.plant(steps, vocabulary)
    return steps
