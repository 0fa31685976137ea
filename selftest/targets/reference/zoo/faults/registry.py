"""Every fault of the zoo in one table. A fault is named after its function; its docstring says what is broken."""

import inspect
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from selftest.targets.reference.zoo.faults import (
    choosing,
    conditionals,
    failing,
    interplay,
    merging,
    rare,
    remembering,
    searching,
    splitting,
    text,
)
from selftest.targets.reference.zoo.router import Plant


@dataclass(frozen=True)
class ZooFault:
    """A mistake in one stage. seen: what is broken, in one sentence."""

    name: str
    seen: str
    plant: Plant


_PLANTS: tuple[Plant, ...] = (
    splitting.conjunction_unknown,
    splitting.clause_after_conjunction_lost,
    splitting.conjunction_read_once,
    splitting.known_pair_split,
    splitting.second_pair_split,
    splitting.pair_holds_neighbour,
    splitting.nosplit_holds_all,
    splitting.pronoun_held_as_name,
    splitting.third_clause_lost,
    splitting.five_clauses_at_most,
    splitting.last_of_many_lost,
    splitting.short_clauses_dropped,
    splitting.stop_words_dropped,
    splitting.long_query_cut,
    splitting.bracketed_clause_lost,
    splitting.question_ends_query,
    conditionals.remainder_lost,
    conditionals.condition_lost,
    conditionals.remainder_cut_to_first,
    conditionals.before_condition_lost,
    conditionals.later_condition_swallows,
    conditionals.condition_words_added,
    conditionals.one_condition_unread,
    conditionals.remainder_of_later_condition_lost,
    choosing.keyword_misrouted,
    choosing.framing_yields_to_keyword,
    choosing.framing_phrase_unknown,
    choosing.framed_keyword_dropped,
    choosing.framing_spreads,
    choosing.capitals_unknown,
    choosing.mixed_case_misread,
    choosing.quotes_hide_keyword,
    choosing.request_taken_for_topic,
    choosing.pair_misrouted,
    choosing.topic_follows_neighbour,
    choosing.second_mention_ignored,
    choosing.four_jobs_at_most,
    choosing.source_left_out_of_chains,
    choosing.first_source_for_all,
    searching.first_word_only,
    searching.last_word_lost,
    searching.neighbours_words,
    searching.whole_query_searched,
    searching.encyclopedia_gets_rest,
    searching.framing_searched,
    searching.nosplit_searched,
    searching.capitals_not_searched,
    searching.signs_searched,
    searching.today_added,
    searching.half_a_pair_searched,
    searching.odd_stand_in,
    searching.empty_source_ends_search,
    searching.empty_source_ends_answer,
    searching.words_in_order_of_letters,
    merging.last_section_lost,
    merging.middle_section_lost,
    merging.fourth_section_lost,
    merging.section_repeated,
    merging.source_in_two_sections,
    merging.headers_swapped,
    merging.headers_shifted,
    merging.header_of_source_not_asked,
    merging.section_not_asked_for,
    merging.later_part_overwrites,
    merging.sections_trade_items,
    merging.neighbours_item_leaks_in,
    merging.item_repeated,
    merging.last_item_lost,
    merging.first_item_lost,
    merging.merged_signed_by_first,
    merging.single_signed_merged,
    merging.single_signed_by_other,
    text.empty_section_left,
    text.header_miswritten,
    text.header_missing,
    text.rule_missing,
    text.rule_at_end,
    text.rule_doubled,
    text.trace_before_sections,
    text.header_on_single,
    text.answer_cut_off,
    text.section_cut_in_half,
    text.placeholder_left,
    text.raw_object_shown,
    failing.crash_on_keyword,
    failing.crash_on_many_clauses,
    failing.crash_on_guillemets,
    failing.crash_on_long_query,
    failing.crash_on_two_empty_parts,
    failing.traceback_shown,
    failing.failure_shown_as_content,
    failing.third_source_times_out,
    failing.one_failure_takes_all,
    failing.answer_blank,
    failing.rarely_slow,
    failing.slow_on_pair,
    failing.slow_keyword,
    remembering.cached_by_beginning,
    remembering.results_cached_by_length,
    remembering.cached_by_sources,
    remembering.synthetic_queries_cached,
    remembering.framing_lingers,
    remembering.earlier_items_kept,
    remembering.loses_section_when_asked_again,
    remembering.hiccups,
    interplay.framing_hides_condition,
    interplay.request_after_pair_lost,
    interplay.pair_after_request_lost,
    interplay.keyword_between_pairs_lost,
    interplay.clause_after_odd_letters_lost,
    interplay.two_sources_confused,
    interplay.same_source_twice_in_row_lost,
    interplay.condition_source_not_asked_again,
    interplay.framing_and_pair_merged,
    interplay.nosplit_and_condition,
    interplay.chains_of_four_cut_in_half,
    rare.rarely_without_encyclopedia,
    rare.rarely_cut_short,
    rare.two_keywords_collide,
    rare.pair_and_source_collide,
    rare.ellipsis_searched,
    rare.framed_request_lost,
)

FAULTS: Mapping[str, ZooFault] = MappingProxyType(
    {plant.__name__: ZooFault(plant.__name__, inspect.getdoc(plant) or "", plant) for plant in _PLANTS}
)


def faults_named(names: Collection[str]) -> list[ZooFault]:
    """In the order of FAULTS. Raises ValueError for an unknown name."""
    unknown = sorted(set(names) - set(FAULTS))
    if unknown:
        raise ValueError(f"unknown fault {', '.join(map(repr, unknown))}; known: {', '.join(FAULTS)}")
    return [fault for fault in FAULTS.values() if fault.name in names]
