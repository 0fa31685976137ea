"""How one zoo router behaves where a router is free to choose. Pure values; a habit sets some of them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Manner:
    """A router without habits is one with these values. Each combination is healthy.

    Texts name one way of several; "" and 0 mean that it is not done.
    """

    domain: str = "household"  # which of DOMAINS it serves
    merged_name: str = ""
    encyclopedia_keywords: bool = False
    stand_in_for_all: bool = False
    # --- how queries are read ---
    comma_lists: bool = False
    remainder_needs_conjunction: bool = False
    guards_capitals: bool = False
    folds_lookalikes: bool = False
    # --- which source is asked for what ---
    stand_in_model: bool = False
    framing_adds_source: bool = False
    keyword_only: bool = False
    whole_state: bool = False
    echo: str = "normalised"  # or "as asked", "without accents"
    # --- what is kept of what was found ---
    item_limit: int = 0
    body_limit: int = 0
    dedupes_across: bool = False
    shared_pages: bool = False
    order: str = "query"  # or "fixed", "alphabet", "size"
    interleaves: bool = False
    empties: str = "drop"  # or "keep"
    empty_wording: str = "sentence"  # or "plain", "advice", "frame", "apology", "query", "statement", "steps"
    partial_notes: bool = False
    # --- how it is written ---
    header_style: str = "brackets"  # a style of document_of
    gap_around_rule: int = 1  # empty lines on each side
    gap_after_header: bool = False
    sole_section_headed: bool = False
    # or "bullets", "dots", "numbers", "numbers through", "emoji", "lines", "table", "headed table", "links"
    item_form: str = "paragraphs"
    titles: bool = False
    urls: bool = False
    item_sources: bool = False
    scores: bool = False
    divider: bool = False
    sub_headings: bool = False
    dated: str = ""  # or "line", "weekday"
    opening: str = ""  # or "echo", "count"
    read_more: bool = False
    licence: bool = False
    closing_count: bool = False
    source_line: bool = False
    condition_frames: bool = False
    did_you_mean: bool = False
    highlights: bool = False
    volatile: str = ""  # or "counter", "price"
    trailing_spaces: bool = False
    crlf: bool = False
    curly_quotes: bool = False
    entities: bool = False
    # --- how long it takes ---
    latency: str = "even"  # or "one slow source", "in sequence", "by length"
    # --- the ways of THIRD: what sources hold ---
    long_articles: bool = False
    states: str = ""  # or "entities", "one word"
    day_parts: bool = False
    always_latest: bool = False
    # --- what is kept of it ---
    section_limit: int = 0
    rotates: bool = False
    fetch_times: bool = False
    # --- how it is written ---
    footnotes: bool = False
    feed_lines: bool = False
    nested: bool = False
    sponsored: bool = False
    results_for: bool = False
    answered_in: bool = False
    no_more: bool = False
    spaced_lines: bool = False
    # --- the ways of FOURTH: which source is asked for what ---
    model_wavers: bool = False
    model_adds_source: bool = False
    # --- what is kept of what was found ---
    answer_limit: int = 0
    one_a_site: bool = False
    newest_first: bool = False
    partial: bool = False
    # --- how it is written ---
    underlined: bool = False
    numbered_sections: bool = False
    translated: bool = False
    copies: bool = False
    corrects: bool = False
    quick_answer: bool = False
    disclaimer: bool = False
    # --- the ways of FIFTH: which source is asked for what ---
    among_others: str = "stood in for"  # what a source has nothing on; or "left out", "closest", "closest, with a note"
    # --- what is kept of what was found ---
    stand_ins_apart: bool = False
    # --- how it is written ---
    offers: bool = False
    traces: bool = False
    names_left_out: bool = False
    summary: bool = False
    # --- the ways of SIXTH: what sources hold ---
    two_units: bool = False
    # --- what is kept of what was found ---
    extracts: bool = False
    shared_limit: int = 0
    refers_back: bool = False
    # --- how it is written ---
    lead_ins: bool = False
    closings: bool = False
    places: bool = False
    contents: bool = False
