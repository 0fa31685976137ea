"""Sentences about different things: no word of one is in the other, but for the little ones."""

import random
from collections.abc import Iterator

WHO = [
    "scheduler",
    "gateway",
    "parser",
    "importer",
    "billing job",
    "nightly backup",
    "login page",
    "mail relay",
    "index builder",
    "metrics exporter",
    "image resizer",
    "payment form",
    "address book",
    "chat bridge",
    "print queue",
    "room planner",
    "weather feed",
    "translation service",
]
DOES = [
    "compress",
    "encrypt",
    "duplicate",
    "rename",
    "archive",
    "validate",
    "rotate",
    "translate",
    "colour",
    "publish",
    "merge",
    "truncate",
    "rank",
    "count",
    "escape",
    "migrate",
    "highlight",
    "deduplicate",
]
WHAT = [
    "invoices",
    "certificates",
    "thumbnails",
    "log files",
    "comments",
    "holidays",
    "currencies",
    "zip codes",
    "playlists",
    "voice memos",
    "labels",
    "cookies",
    "fonts",
    "tickets",
    "passports",
    "recipes",
    "coupons",
    "signatures",
]
CLAIMS = ("The {who} does not {does} {what}.", "The {who} can {does} {what}.", "The {who} cannot {does} any {what}.")
DIRECTIVES = ("Never {does} {what} in the {who}.", "Always {does} {what} in the {who}.", "Avoid to {does} {what}.")


def unrelated_pairs(count: int, seed: int) -> Iterator[tuple[str, str, str]]:
    """A category and two sentences for it, of which each part is different."""
    rng = random.Random(seed)
    for number in range(count):
        is_claim = number % 2 == 0
        parts = [rng.sample(words, 2) for words in (WHO, DOES, WHAT)]
        texts = [
            rng.choice(CLAIMS if is_claim else DIRECTIVES).format(who=who, does=does, what=what)
            for who, does, what in zip(*parts, strict=True)
        ]
        yield "claim/capability/office/notes" if is_claim else "feedback/from-agent/notes", texts[0], texts[1]
