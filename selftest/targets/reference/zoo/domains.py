"""The worlds that a zoo router can serve, as vocabulary documents without headers. Data only."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Domain:
    """document: a vocabulary document but for its headers. kinds: source → the kind of text that it brings.

    labels: source → what its header says of it. extra: the source that discourse framing may bring in addition.
    """

    document: Mapping[str, Any]
    kinds: Mapping[str, str]
    labels: Mapping[str, str]
    extra: str

    def copied(self) -> dict[str, Any]:
        """The document, for a caller to change."""
        return copy.deepcopy(dict(self.document))


HOUSEHOLD = Domain(
    document={
        "name": "zoo household",
        "sources": {
            "forecast": ["weather", "will it rain", "this weekend", "how cold tonight", "chance of frost"],
            "news": ["headlines", "rss", "my feeds", "recent articles", "front page"],
            "web": ["search the web", "google", "look it up online", "who won", "opening hours of"],
            "home": ["lights on", "door locked", "battery levels", "energy usage", "windows open"],
            "changes": ["what changed", "since last time", "while i was away", "since i left", "anything different"],
            "uptime": ["is it up", "are they up", "services down", "what's offline", "server status"],
        },
        "conjunctions": [" and ", " also ", " plus ", " as well as ", " in addition ", " and then "],
        "nosplit_phrases": ["compare", "difference between", "versus", "vs", "either", "neither"],
        "discourse_phrases": ["everyone keeps talking about", "everyone is obsessed with", "what's the deal with"],
        "empty_phrases": ["no results found", "could not connect", "not configured", "nothing to report"],
        "encyclopedia": "kiwix",
        "merged_source": "fusion",
        "lists_items_once": True,
        "ignores_signs": True,
        "fallbacks": {"kiwix": ["web"], "news": ["web"], "changes": ["home"]},
        "seeds": {
            "proper_noun_pairs": [
                "Mercury and Venus", "Iran and Israel", "Python and JavaScript", "Norway and Sweden",
                "the Beatles and the Rolling Stones", "Curie and Rutherford", "the Danube and the Rhine",
            ],
            "conditions": [
                "if the back door is unlocked", "if any services down since noon", "if mercury is in retrograde",
                "if somebody left the lights on", "if it is raining, or nearly so",
            ],
            "consequences": ["let me know", "remind me to bring an umbrella", "tell me right away", "say so first"],
            "pronoun_requests": [
                "I keep getting a weird import error", "I forgot to ask about the weather", "I'd like to see my feeds",
                "I can never remember how a compass works", "I was wondering whether the door locked itself",
            ],
            "discourse_topics": ["sunspots", "black holes", "the new tariffs", "that volcano", "sourdough", "chess"],
            "open_topics": [
                "molybdenum", "the printing press", "tectonic plates", "roman aqueducts", "photosynthesis", "origami",
                "the silk road", "tidal power", "coral reefs", "lighthouses",
            ],
        },
    },
    kinds={
        "kiwix": "article", "forecast": "forecast", "news": "headline", "web": "page", "home": "state",
        "changes": "change", "uptime": "service",
    },
    labels={
        "kiwix": "Encyclopedic knowledge", "forecast": "Weather at home", "news": "Recent headlines",
        "web": "Live web search", "home": "States of the house", "changes": "What changed", "uptime": "Services",
    },
    extra="news",
)  # fmt: skip

OFFICE = Domain(
    document={
        "name": "zoo office",
        "sources": {
            "mail": ["my inbox", "unread mail", "letters from", "replies to me"],
            "calendar": ["next meeting", "my agenda", "free slot", "who is there", "room booked"],
            "tickets": ["open tickets", "bug list", "assigned to me", "release blockers", "pros and cons list"],
            "wiki": ["team handbook", "our glossary", "onboarding page"],
            "builds": ["is ci green", "last deploy", "failed builds", "test coverage"],
            "search": ["search everything", "find a file", "look around for", "full text of"],
        },
        "conjunctions": [" and ", " & ", " along with ", " plus ", " then "],
        "nosplit_phrases": ["compare", "contrast", "choose between", "versus"],
        "discourse_phrases": ["the whole floor is talking about", "people won't stop mentioning"],
        "empty_phrases": ["nothing found", "not available", "not configured", "unable to retrieve", "no entries"],
        "encyclopedia": "wiki",
        "merged_source": "merged",
        "lists_items_once": True,
        "ignores_signs": True,
        "fallbacks": {"wiki": ["search"], "tickets": ["search"]},
        "seeds": {
            "proper_noun_pairs": [
                "Kafka and Rabbit", "Berlin and Lisbon", "Ada and Grace", "Postgres and SQLite", "Johnson & Johnson",
                "Legal and Finance",
            ],
            "conditions": [
                "if the nightly job failed", "once the contract is signed", "when there are release blockers",
                "if nobody took minutes",
            ],
            "consequences": ["ping me", "warn the team", "write it down", "I want to be told"],
            "pronoun_requests": [
                "I lost my badge again", "I can't find the budget sheet", "I need to see my agenda",
                "I'm told there were failed builds", "I was asked about parental leave",
            ],
            "discourse_topics": ["the reorganisation", "hot desks", "the espresso machine", "pair programming"],
            "open_topics": [
                "travel policy", "expense limits", "fire drills", "code review", "threat modelling",
                "the badge printer", "sabbaticals", "accessibility",
            ],
        },
    },
    kinds={
        "mail": "letter", "calendar": "meeting", "tickets": "ticket", "wiki": "article", "builds": "service",
        "search": "page",
    },
    labels={
        "mail": "Letters", "calendar": "Meetings", "tickets": "Tracker", "wiki": "Handbook", "builds": "Builds",
        "search": "Everything else",
    },
    extra="mail",
)  # fmt: skip

CITY = Domain(
    document={
        "name": "zoo city guide",
        "sources": {
            "transit": ["next tram", "bus times", "line closures", "platform changes", "late trains"],
            "events": ["concerts tonight", "exhibitions", "what's on", "street festivals"],
            "food": ["lunch nearby", "open bakeries", "vegan places", "table for two"],
            "air": ["air quality", "pollen count", "uv index"],
            "directory": ["phone number of", "address of", "nearest pharmacy", "office hours"],
        },
        "conjunctions": [" and ", " as well as ", " together with ", " plus ", "; "],
        "nosplit_phrases": ["compare", "vs", "difference between", "neither"],
        "discourse_phrases": ["all the locals rave about", "everyone keeps talking about", "my neighbours go on about"],
        "empty_phrases": ["nothing listed", "no entries", "service unavailable", "not configured"],
        "encyclopedia": "gazetteer",
        "merged_source": "several",
        "lists_items_once": True,
        "ignores_signs": True,
        "fallbacks": {"gazetteer": ["directory"], "food": ["directory"], "events": ["directory"]},
        "seeds": {
            "proper_noun_pairs": [
                "Buda and Pest", "Tintern and Raglan", "Peter and Paul", "Castor and Pollux", "Hansel and Gretel",
            ],
            "conditions": [
                "if the ferries stop running", "if the pollen count is high", "in case the museum is shut",
                "when the river floods",
            ],
            "consequences": ["send me a note", "find me a way home", "cancel my walk"],
            "pronoun_requests": [
                "I want to see the old walls", "I missed all the late trains", "I am looking for open bakeries",
                "I never understood the town seal",
            ],
            "discourse_topics": ["the new bridge", "night markets", "the ghost tour", "rooftop bees"],
            "open_topics": [
                "the cathedral clock", "canal locks", "medieval sewers", "the lost quarter", "town criers",
                "cobblestones",
                "the great fire",
            ],
        },
    },
    kinds={
        "transit": "service", "events": "headline", "food": "place", "air": "forecast", "directory": "page",
        "gazetteer": "article",
    },
    labels={
        "transit": "Getting around", "events": "Events", "food": "Eating out", "air": "Air", "directory": "Directory",
        "gazetteer": "About the city",
    },
    extra="events",
)  # fmt: skip

DOMAINS: Mapping[str, Domain] = {"household": HOUSEHOLD, "office": OFFICE, "city": CITY}
