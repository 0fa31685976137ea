"""Every habit of the zoo in one table: what a healthy router may do in one way or another. Data only."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from selftest.targets.reference.zoo.manner import Manner


@dataclass(frozen=True)
class Habit:
    """One way of a healthy router. sets: fields of its manner. Of the habits of one group a router has one at most."""

    name: str
    documentation: str
    sets: Mapping[str, Any]
    group: str = field(default="")

    def applied(self, manner: Manner) -> Manner:
        """`manner` with this habit."""
        return replace(manner, **self.sets)


def _habit(name: str, documentation: str, **sets: Any) -> Habit:
    """Habits that set the same fields exclude each other."""
    return Habit(name, documentation, MappingProxyType(sets), "+".join(sorted(sets)))


_HABITS: tuple[Habit, ...] = (
    # --- what it serves and how its document words it ---
    _habit("office_domain", "Serves a company's intranet instead of a household.", domain="office"),
    _habit("city_domain", "Serves visitors of a city instead of a household.", domain="city"),
    _habit("merged_named_otherwise", "Calls a merged answer 'all of them'.", merged_name="all of them"),
    _habit(
        "encyclopedia_has_keywords", "Its encyclopedia can also be asked for by keywords.", encyclopedia_keywords=True
    ),
    _habit("stand_in_for_all", "A general source stands in for every other one.", stand_in_for_all=True),
    # --- how it heads, parts and orders sections ---
    _habit("plain_headers", "Opens a section with a plain sentence that ends with a colon.", header_style="plain"),
    _habit("markdown_headers", "Opens a section with a Markdown heading.", header_style="markdown"),
    _habit("capital_headers", "Opens a section with its label in capitals, without brackets.", header_style="capitals"),
    _habit("emoji_headers", "Opens a section with an emoji and its label.", header_style="emoji"),
    _habit(
        "headers_with_dashes", "Its headers hold two dashes and say what they are about.", header_style="two_dashes"
    ),
    _habit("equals_headers", "Opens a section with its source between equals signs.", header_style="equals"),
    _habit("bare_headers", "Opens a section with the name of its source and a colon.", header_style="colon"),
    _habit("tight_rules", "Has no empty line around the rules between sections.", gap_around_rule=0),
    _habit("wide_rules", "Has three empty lines around the rules between sections.", gap_around_rule=3),
    _habit("gap_after_header", "Leaves an empty line after a header.", gap_after_header=True),
    _habit(
        "fixed_order", "Orders sections as its documentation lists them, not as they were asked for.", order="fixed"
    ),
    _habit("alphabetical_order", "Orders sections by the names of their sources.", order="alphabet"),
    _habit("longest_first", "Orders sections by how much they hold, the most first.", order="size"),
    _habit("sole_section_headed", "Heads a section also where the others were empty.", sole_section_headed=True),
    # --- how it writes items ---
    _habit("bullets", "Lists items with a dash each.", item_form="bullets"),
    _habit("dots", "Lists items with a dot each, one directly below the other.", item_form="dots"),
    _habit("numbers", "Numbers the items of a section.", item_form="numbers"),
    _habit("one_line_items", "Writes one item a line, with no empty line between them.", item_form="lines"),
    _habit("table", "Writes items as rows of a table, with numbers and titles.", item_form="table"),
    _habit("titles", "Gives each item a title line.", titles=True),
    _habit("urls", "Gives each item the address that it is from.", urls=True),
    _habit("item_sources", "Says below each item which site it is from.", item_sources=True),
    _habit("scores", "Says how relevant each item is.", scores=True),
    _habit("dividers", "Has three asterisks between items.", divider=True),
    _habit("highlights", "Marks the words of the query in what it found.", highlights=True),
    _habit("short_items", "Cuts an item at 120 characters, with an ellipsis.", body_limit=120),
    _habit("few_items", "Shows at most three items a section, but one for each part at least.", item_limit=3),
    _habit("shared_pages", "Several sources know the same pages.", shared_pages=True),
    _habit(
        "doubles_left_out", "Leaves out what an earlier section has already.", shared_pages=True, dedupes_across=True
    ),
    _habit("sub_headings", "Heads each part of a section that answers several.", sub_headings=True),
    _habit("interleaved", "Mixes what a source found for several parts, the best of each first.", interleaves=True),
    # --- lines around the items ---
    _habit("dated_sections", "Dates each section with an 'as of' line.", dated="line"),
    _habit("weekday_sections", "Dates each section with a weekday and a time.", dated="weekday"),
    _habit("echo_of_query", "Repeats the query at the top of its first section.", opening="echo"),
    _habit("count_of_results", "Says at the top of its first section how many results follow.", opening="count"),
    _habit("closing_count", "Says at the end of a section how many more there are.", closing_count=True),
    _habit("read_more", "Ends each section with 'Read more below each item'.", read_more=True),
    _habit("source_line", "Ends each section with the name of a database.", source_line=True),
    _habit("licence_footer", "Ends each section with a licence.", licence=True),
    _habit("condition_frames", "Opens the section for a condition with 'Since you asked if …'.", condition_frames=True),
    _habit("did_you_mean", "Proposes another word at the end of each section.", did_you_mean=True),
    _habit("view_counter", "Ends each section with a counter that differs at each asking.", volatile="counter"),
    _habit("live_prices", "Ends each section with a price that differs at each asking.", volatile="price"),
    _habit("trailing_spaces", "Leaves two spaces at the ends of lines.", trailing_spaces=True),
    _habit("crlf", "Ends lines with carriage return and line feed.", crlf=True),
    _habit("curly_quotes", "Writes typographic quotes and apostrophes.", curly_quotes=True),
    _habit("entities", "Writes ampersands and apostrophes as HTML entities.", entities=True),
    # --- what it says where there is nothing ---
    _habit("empties_kept", "Keeps the section of a source that found nothing and says so in it.", empties="keep"),
    _habit(
        "empties_in_lower_case", "Says that there is nothing without a capital or a full stop.", empty_wording="plain"
    ),
    _habit("empties_with_advice", "Says how a source that failed is to be configured.", empty_wording="advice"),
    _habit("empties_framed", "Frames a failure with the source and an error code.", empty_wording="frame"),
    _habit("empties_apologise", "Apologises where there is nothing.", empty_wording="apology"),
    _habit("partial_notes", "Says within a section for which part there was nothing.", partial_notes=True),
    # --- how it reads queries and chooses sources ---
    _habit("stand_in_model", "Lets a model choose between encyclopedia and fallback for a topic.", stand_in_model=True),
    _habit("framing_adds_source", "Discourse framing brings one more source in.", framing_adds_source=True),
    _habit("keywords_searched", "Searches for the keyword alone, without the words around it.", keyword_only=True),
    _habit("whole_states", "States are reported whole, whatever words ask for them.", whole_state=True),
    _habit("echo_as_asked", "Writes a subject as it was asked, with its case and signs.", echo="as asked"),
    _habit("echo_without_accents", "Writes a subject without its accents.", echo="without accents"),
    _habit("comma_lists", "A comma before a keyword parts clauses.", comma_lists=True),
    _habit("joined_remainder", "A remainder without keyword needs a conjunction.", remainder_needs_conjunction=True),
    _habit("capitals_make_pairs", "Two words with capitals around a conjunction are a pair.", guards_capitals=True),
    _habit("lookalikes_folded", "Letters that look like plain ones are read as those.", folds_lookalikes=True),
    # --- how long it takes ---
    _habit("one_slow_source", "Some of its sources are much slower than the others.", latency="one slow source"),
    _habit("in_sequence", "Asks its sources one after the other.", latency="in sequence"),
    _habit("slower_by_length", "Takes the longer the longer a query is.", latency="by length"),
    # --- the ways of THIRD: as they are met in software that people run at home ---
    _habit(
        "long_articles",
        "Its encyclopedia brings one long article for each topic: paragraphs under headings, then a 'See also' list.",
        long_articles=True,
    ),
    _habit(
        "entity_states",
        "States, changes and services are lines of entities with their state and when it last changed.",
        states="entities",
    ),
    _habit("one_word_states", "A state or service is a single word, such as 'on' or 'degraded'.", states="one word"),
    _habit("day_parts", "A forecast is a day with a line with units for each of its parts.", day_parts=True),
    _habit(
        "always_latest",
        "News and mail bring one item on what was asked, then the latest three, whatever was asked.",
        always_latest=True,
    ),
    _habit(
        "cut_sections",
        "Cuts what a section holds at 400 characters, its parts sharing them, and marks the cut with '[…]'.",
        section_limit=400,
    ),
    _habit("rotated_items", "Begins a part's items with another one at each asking.", rotates=True),
    _habit("fetch_times", "Says below each item when it was fetched, which differs at each asking.", fetch_times=True),
    _habit("footnotes", "Numbers its items as footnotes and lists their addresses below the section.", footnotes=True),
    _habit("feed_lines", "Gives each item a line with its date, its author and its link.", feed_lines=True),
    _habit("nested_bullets", "Nests text below its title and where it is from below the text.", nested=True),
    _habit("headed_tables", "Writes items as a Markdown table, with a heading row.", item_form="headed table"),
    _habit("links_only", "Lists the addresses of items instead of their texts.", item_form="links"),
    _habit(
        "sponsored_items",
        "Has the same two sponsored items at the top of each section of a source.",
        sponsored=True,
    ),
    _habit("results_for", "Opens each section with 'Results for' and the words searched for.", results_for=True),
    _habit("answered_in", "Ends each section with the milliseconds it took, measured each time.", answered_in=True),
    _habit("no_more_results", "Ends each section with 'No more results.'.", no_more=True),
    _habit("spaced_lines", "Leaves two empty lines between any two lines of a section.", spaced_lines=True),
    # --- the ways of FOURTH: as services that many people share do it ---
    _habit("underlined_headers", "Underlines each header with equals signs.", underlined=True),
    _habit(
        "numbered_sections",
        "Says below each header which section it is, and of how many.",
        numbered_sections=True,
    ),
    _habit(
        "eight_in_all",
        "Shows eight items in all, one for each part at least, and where the next page of a source is.",
        answer_limit=8,
    ),
    _habit("one_a_site", "Shows one item of each site a section, but one for each part at least.", one_a_site=True),
    _habit(
        "newest_first",
        "Orders the items of a section by age, whichever part they are for, and says it as of the asking.",
        newest_first=True,
    ),
    _habit("translated_items", "Says of an item that it is translated, and from which language.", translated=True),
    _habit(
        "wavering_model",
        "A model that may decide otherwise each time gives one topic in five to the fallback of the encyclopedia.",
        model_wavers=True,
    ),
    _habit(
        "model_adds_source",
        "A model asks the fallback of the encyclopedia too on some topics, always on the same ones.",
        model_adds_source=True,
    ),
    _habit("cached_sections", "Keeps a section for an hour and says how old a copy is.", copies=True),
    _habit(
        "partial_sources",
        "A source that is slow at one asking in ten brings the first half of its items and says so.",
        partial=True,
    ),
    _habit("spelling_corrected", "Says how it would have spelt some words, and searches for both.", corrects=True),
    _habit("quick_answer", "Opens each section with the first sentence of its first item.", quick_answer=True),
    _habit("disclaimer", "Ends each answer with a paragraph on how it came about.", disclaimer=True),
    _habit("empties_name_query", "Says for which words there is nothing, and to try others.", empty_wording="query"),
    # --- the ways of FIFTH: of routers that were written apart from this one, by its contract alone ---
    _habit(
        "stands_in_alone",
        "A fallback answers only where no other source has anything; else what has nothing is left out.",
        among_others="left out",
    ),
    _habit("offers", "Ends one answer in three with an offer to ask another source, in a paragraph.", offers=True),
    _habit("traces", "Ends each answer with how long it took and an identifier.", traces=True),
    _habit(
        "closest_among_others",
        "Among others, a source with a fallback brings the closest that it has instead, where it has nothing.",
        among_others="closest",
    ),
    _habit("summaries", "Begins a merged answer with a line on what follows.", summary=True),
    _habit(
        "names_left_out",
        "Ends each answer with a line that names the sources which found nothing.",
        names_left_out=True,
    ),
    _habit("empties_in_statements", "Says in two sentences why there is nothing.", empty_wording="statement"),
    _habit(
        "stand_ins_apart",
        "What a fallback brings for another source stands in a section of its own, unless it was said already.",
        stand_ins_apart=True,
    ),
    # --- the ways of SIXTH: as assistants do it that talk with people ---
    _habit(
        "extracts_among_others",
        "Shows the first sentence of an article where the answer has other sections, and the whole article alone.",
        extracts=True,
    ),
    _habit(
        "footer_where_cut",
        "Shows two items a section in an answer of several parts, one for each part at least, and says what it cut.",
        shared_limit=2,
    ),
    _habit("empties_with_steps", "Lists below a failure what to try, a line with a dash each.", empty_wording="steps"),
    _habit("lead_ins", "Opens each section with a line on what was asked, in one of several wordings.", lead_ins=True),
    _habit("closings", "Ends each section with an offer of help, in one of several wordings.", closings=True),
    _habit(
        "closest_with_note",
        "For a part without results it shows the closest item and a note, if another part has results.",
        among_others="closest, with a note",
    ),
    _habit(
        "places_in_brackets",
        "Says in brackets after each item which one it is of all items in the answer.",
        places=True,
    ),
    _habit(
        "refers_back",
        "States are reported whole and once: for a second part that asks for them a line refers to the first.",
        whole_state=True,
        refers_back=True,
    ),
    _habit("numbered_through", "Numbers items from the first section to the last.", item_form="numbers through"),
    _habit("emoji_marks", "Marks each item with an emoji, not the same for all.", item_form="emoji"),
    _habit("two_units", "Gives temperatures and heights in two units, the second in brackets.", two_units=True),
    _habit("contents", "Begins a merged answer with a list of what was asked for.", contents=True),
)

HABITS: Mapping[str, Habit] = MappingProxyType({habit.name: habit for habit in _HABITS})
