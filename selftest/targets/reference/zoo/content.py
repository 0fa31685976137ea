"""What the sources hold: text made from (source, words, seed) alone, so the same words bring the same text. Pure."""

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from selftest.targets.reference.chance import fraction
from selftest.targets.reference.zoo.types import Item


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FEWEST_ITEMS, MOST_ITEMS = 2, 5
REDIRECTED_SHARE = 0.4  # of articles that say so
PLACES = _words("Aldermoor Birkfeld Cawdale Dunmere Eskholt Farrow Glanton Hexley Inverlow Jarrowby Kelstow Lindal")
PEOPLE = _words("Amara Bertil Chiara Dov Elif Farid Greta Hana Ivo Jun Kofi Lucia Marek Noor Olga Priya Quinn Rosa")
THINGS = _words(
    "archive barrel beacon canopy cellar chimney engine fountain garden harbour kettle ladder lantern meadow orchard "
    "pavilion quarry reservoir signal tunnel turbine viaduct workshop"
)
VERBS = _words("opens closes grows shrinks moves stalls resumes doubles settles improves slows recovers")
ADJECTIVES = _words("early quiet narrow recent careful sudden steady unusual local modest brisk northern")
DAYS = _words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
LISTED = frozenset(("entity", "day_parts"))  # kinds of one line for each fact, not of sentences
STATES = {
    "state": _words("on off open closed idle locked charging standby 42% 21.5°C"),
    "service": _words("up down ok degraded paused maintenance"),
}
MEASURE = re.compile(r"(\d+(?:\.\d+)?) ?(degrees|°C|°F|ft)(?!\w)")
HEADINGS = _words("Etymology History Description Distribution Reception Legacy")
SITES = _words("almanac.example daily.example notes.example atlas.example board.example")

# kind → (titles, sentences); {s} is the subject as asked.
TEMPLATES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "article": (
        ("{S}", "{S} in {place}", "History of {s}", "{S}, an overview", "{person} on {s}"),
        (
            "{S} has been described since {year}, first in {place}.",
            "The {adj} form of {s} is known from {n} finds near {place}.",
            "Scholars such as {person} linked {s} to the {thing} of {place}.",
            '{person} called {s} "the {adj} {thing} of {place}".',
            "About {n} per cent of {s} was lost by {year}.",
        ),
    ),
    "page": (
        ("{S} - results", "{place} {thing} guide", "{S} explained by {person}", "Forum: the {adj} {thing}"),
        (
            "A page on {s} with {n} comments, last edited by {person}.",
            "{person} keeps a {adj} list of every {thing} in {place}.",
            "Ranked {n} of {m} pages in {place}.",
            "The {thing} {verb} when the {adj} season begins.",
        ),
    ),
    "headline": (
        ("{thing_c} {verb} in {place}", "{person} {verb} the {adj} {thing}", "{place}: {n} new {thing} plans"),
        (
            "The {adj} {thing} in {place} {verb} after {n} days.",
            "{person} told reporters on {day} that {m} people were asked.",
            '"The {thing} {verb} sooner than planned", {person} said on {day}.',
            "A decision is due by {day}, officials in {place} said.",
        ),
    ),
    "forecast": (
        ("{day}", "{day} evening", "Outlook for {place}", "{day} night"),
        (
            "{day} in {place}: {adj} wind, {n} degrees, {m} per cent humidity.",
            "A {adj} front reaches {place} around {hour}.",
            "Between {hour} and midnight the reading drops to {n}.",
        ),
    ),
    "state": (
        ("{thing_c} sensor", "{place} room", "{thing_c} switch {n}"),
        (
            "The {thing} near {place} reads {n} of {m}.",
            "{person}'s {thing} & the {place} {thing} are {adj} since {hour}.",
            "{thing_c} {n} has been {adj} since {hour}.",
            "{person} set the {thing} to {m} on {day}.",
        ),
    ),
    "change": (
        ("{thing_c} at {hour}", "{day}, {hour}", "{person}'s {thing}"),
        (
            "At {hour} the {thing} went from {n} to {m}.",
            "{person} moved the {adj} {thing} on {day}.",
            "{n} entries of the {thing} log are newer than {hour}.",
        ),
    ),
    "service": (
        ("{thing_c}-{n}", "{place} line", "{thing_c} host"),
        (
            "{thing_c}-{n} answers in {m} ms as of {hour}.",
            "The {place} {thing} {verb}; {n} of {m} checks passed.",
            "{adj_c} load on the {thing} at {hour}.",
        ),
    ),
    "letter": (
        ("{person}: the {thing}", "Re: {adj} {thing}", "{place} office"),
        ("{person} writes that the {thing} {verb} by {day}.", "{n} attachments about the {adj} {thing} from {place}."),
    ),
    "meeting": (
        ("{day} {hour}", "{thing_c} review", "{person} and the {thing} group"),
        ("{day} at {hour} in room {n}, with {person}.", "The {adj} {thing} review has {m} guests from {place}."),
    ),
    "ticket": (
        ("#{n}{m} {thing}", "#{m}{n} {adj} {thing}"),
        ("The {thing} {verb} too late, reported by {person}.", "#{n}{m} is {adj} and waits for {person} since {day}."),
    ),
    "entity": (
        ("{thing_c} entities", "{place}: {thing}", "{place} group {n}"),
        (
            "light.{adj}_{thing}: on (last changed {hour})",
            "sensor.{thing}_{n}: {m} W (last changed {hour})",
            "switch.{adj}_{thing}_{n}: off (last changed {day} {hour})",
            "lock.{adj}_{thing}: locked (last changed {hour})",
        ),
    ),
    "day_parts": (
        ("{place}", "Around {place}", "{place} {thing}"),
        (
            "Morning: {n} °F, {adj} wind, cloud base {m} ft",
            "Noon: {n} °F, {adj} wind, cloud base {m} ft",
            "Evening: {n} °F, {adj} wind, cloud base {m} ft",
            "Night: {n} °F, {adj} wind, cloud base {m} ft",
        ),
    ),
    "place": (
        ("The {adj_c} {thing_c}", "{person}'s {thing}", "{place} kitchen"),
        ("{n} seats at the {adj} {thing}, open until {hour}.", "{person} serves {m} guests near the {place} {thing}."),
    ),
}  # fmt: skip


@lru_cache(maxsize=65536)
def content(kind: str, source: str, words: str, seed: int, subject: str) -> tuple[Item, ...]:
    """The items that `source` has on `words`, best first, at least one.

    words: normalised; subject: how the text writes them. The same arguments give the same items in every process.
    """
    rng = random.Random(f"{seed}|{source}|{words}")
    titles, sentences = TEMPLATES[kind]
    items: list[Item] = []
    for _ in range(rng.randint(FEWEST_ITEMS, MOST_ITEMS)):
        slots = _slots(rng, subject)
        title = rng.choice(titles).format(**slots)
        chosen = rng.sample(sentences, rng.randint(1, len(sentences) - 1))
        if kind in LISTED:
            chosen.sort(key=sentences.index)
        joint = "\n" if kind in LISTED else " "
        body = joint.join(sentence.format(**_slots(rng, subject)) for sentence in chosen)
        site = rng.choice(SITES)
        url = f"https://{site}/{source}/{rng.randrange(10**6)}"
        if all(title != item.title and body != item.body for item in items):
            items.append(Item(f"{source}:{body}", title, body, url, site))
    return tuple(items)


def as_article(items: Sequence[Item], words: str, seed: int, subject: str) -> tuple[Item]:
    """One long text of `items`, at least one: a paragraph of each, all but the first under a heading, and a list."""
    rng = random.Random(f"{seed}|article|{words}")
    first, *others = items
    headed = zip(rng.sample(HEADINGS, len(others)), others, strict=True)
    redirected = [f"(Redirected from {subject})"] if rng.random() < REDIRECTED_SHARE else []
    paragraphs = [*redirected, first.body, *(f"{heading}\n{item.body}" for heading, item in headed)]
    also = [f"- {thing.capitalize()} of {rng.choice(PLACES)}" for thing in rng.sample(THINGS, 3)]
    return (replace(first, body="\n\n".join([*paragraphs, "\n".join(["See also", *also])])),)


def as_one_word(items: Sequence[Item], kind: str, seed: int) -> tuple[Item]:
    """The first of `items` with a state of one word, of a `kind` in STATES, instead of its text."""
    words = STATES[kind]
    return (replace(items[0], body=words[int(fraction("state", seed, items[0].key) * len(words))]),)


def as_days(items: Sequence[Item], source: str, seed: int) -> tuple[Item, ...]:
    """`items` as one day after the other, from the day that it is, whatever is asked."""
    today = int(fraction("today", seed, source) * 7)
    return tuple(replace(item, body=f"{DAYS[(today + later) % 7]}:\n{item.body}") for later, item in enumerate(items))


def in_two_units(text: str) -> str:
    """`text` with each temperature and height in a second unit too, in brackets; plain degrees are of Celsius."""

    def both(match: re.Match[str]) -> str:
        number = float(match[1])
        if match[2] == "ft":
            return f"{match[0]} ({number * 0.3048:.0f} m)"
        if match[2] == "°F":
            return f"{match[0]} ({(number - 32) / 1.8:.0f} °C)"
        return f"{match[0]} ({number * 1.8 + 32:.0f} °F)"

    return MEASURE.sub(both, text)


def _slots(rng: random.Random, subject: str) -> dict[str, object]:
    thing, adjective = rng.choice(THINGS), rng.choice(ADJECTIVES)
    return {
        "s": subject,
        "S": subject[:1].upper() + subject[1:],
        "place": rng.choice(PLACES),
        "person": rng.choice(PEOPLE),
        "thing": thing,
        "thing_c": thing.capitalize(),
        "verb": rng.choice(VERBS),
        "adj": adjective,
        "adj_c": adjective.capitalize(),
        "day": rng.choice(DAYS),
        "hour": f"{rng.randrange(24):02}:{rng.randrange(60):02}",
        "n": rng.randint(2, 99),
        "m": rng.randint(100, 999),
        "year": rng.randint(1480, 1990),
    }


def is_empty(source: str, words: str, rate: float, seed: int) -> bool:
    """Whether `source` has nothing on `words`: a share `rate` of all pairs, the same ones every time."""
    return rate > 0 and fraction("empty", seed, source, words) < rate
