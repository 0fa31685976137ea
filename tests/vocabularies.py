"""Vocabulary documents for the tests, in the contract's shape. Each call gives a fresh one, to be changed at will."""

from typing import Any

Document = dict[str, Any]


def small_document() -> Document:
    """Every key and every recipe, few enough combinations to list by hand. Nothing in it is called kiwix or fusion.

    One topic and one condition hold a keyword, one condition shares a word with one, and the pairs hold two of the
    three conjunctions.
    """
    return {
        "name": "harbour office",
        "sources": {
            "tides": ["high tide", "low tide"],
            "ferry": ["next ferry"],
            "harbour": ["harbour lights", "berths free"],
        },
        "conjunctions": [" and ", " plus ", ", also "],
        "nosplit_phrases": ["compare", "versus"],
        "discourse_phrases": ["all of them go on about"],
        "headers": {
            "almanac": "[ALMANAC — THINGS KNOWN — NOT ABOUT TODAY]",
            "tides": "[TIDES — HOURS AND HEIGHTS]",
            "ferry": "[FERRY — SAILINGS]",
            "harbour": "[HARBOUR — BERTHS AND LIGHTS]",
        },
        "empty_phrases": ["nothing to report", "could not connect"],
        "encyclopedia": "almanac",
        "merged_source": "digest",
        "fallbacks": {"ferry": ["harbour"]},
        "seeds": {
            "proper_noun_pairs": ["Castor and Pollux", "Ebb plus Flow", "Jersey and Guernsey"],
            "conditions": ["if the moon is full", "if the next ferry is late", "if the harbour is shut"],
            "consequences": ["ring me"],
            "pronoun_requests": ["I want to go out rowing", "I lost my next ferry ticket"],
            "discourse_topics": ["barnacles", "the high tide myth", "sea shanties"],
            "open_topics": ["narwhals", "knots", "tide mills", "lighthouses", "whalebone"],
        },
    }


def example_document() -> Document:
    """A household's router of six sources and an encyclopedia: as rich as one in use, with many combinations."""
    return {
        "name": "household",
        "sources": {
            "forecast": ["how warm will it be", "frost warning", "pollen count", "wind speed", "umbrella today"],
            "news": ["front page", "rss", "morning briefing", "latest stories"],
            "web": ["google", "find online", "search for reviews", "who is winning"],
            "home": ["garage closed", "thermostat", "washing machine done", "lamps off", "power draw"],
            "changes": ["what is new here", "since breakfast", "while i slept", "since we left"],
            "uptime": ["is it up", "are they up", "which hosts answer", "failed backups", "router reachable"],
        },
        "conjunctions": [" and ", " also ", " plus ", " as well as ", " in addition "],
        "nosplit_phrases": ["compare", "contrast", "versus", "vs", "either", "the gap between"],
        "discourse_phrases": ["everybody goes on about", "my friends are obsessed with", "people keep mentioning"],
        "headers": {
            "kiwix": "[KIWIX — REFERENCE ARTICLES — UNRELATED TO THE OTHER PARTS]",
            "forecast": "[FORECAST — WEATHER AT HOME]",
            "news": "[NEWS — STORIES OF TODAY — FROM EVERYWHERE]",
            "web": "[WEB — PAGES FOUND JUST NOW]",
            "home": "[HOME — DEVICES AND THEIR STATES]",
            "changes": "[CHANGES — WHAT IS DIFFERENT]",
            "uptime": "[UPTIME — HOSTS AND SERVICES]",
        },
        "empty_phrases": [
            "no results found",
            "no recent articles",
            "could not connect",
            "not configured",
            "unable to retrieve",
            "nothing has changed",
        ],
        "encyclopedia": "kiwix",
        "merged_source": "fusion",
        "fallbacks": {"kiwix": ["web"], "news": ["web"]},
        "seeds": {
            "proper_noun_pairs": ["Saturn and Jupiter", "Ruby and Perl", "Norway and Sweden", "Ohio and Utah"],
            "conditions": [
                "if the cellar is damp",
                "if a host is unreachable",
                "if it freezes tonight",
                "if venus is visible",
            ],
            "consequences": ["wake me", "send a note to my phone", "say so at once"],
            "pronoun_requests": [
                "I cannot get my printer to work",
                "I want to know about failed backups",
                "I nearly forgot the frost warning",
            ],
            "discourse_topics": ["comets", "sourdough", "fusion reactors", "the housing market", "that eclipse"],
            "open_topics": ["tungsten", "the spinning jenny", "glaciers", "gothic arches", "osmosis"],
        },
    }
