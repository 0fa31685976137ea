"""A feed of headlines that moves with the clock: each is published at its time of the week."""

from datetime import datetime, timedelta

from selftest.targets.reference.content import rows
from selftest.targets.reference.phrases import content_words
from selftest.targets.reference.steps import FoundItem, Question

MAX_HEADLINES = 5  # what fits on the first screen
WEEK = timedelta(days=7)


def news(question: Question) -> tuple[FoundItem, ...]:
    """The latest headlines; those that share a word with the question first."""
    topics = set(content_words(question.text))
    latest_first = sorted(
        ((_published(row, question.asked_at), row) for row in rows("headlines")), key=lambda pair: pair[0]
    )
    latest_first.reverse()
    ranked = sorted(
        latest_first, key=lambda pair: not topics & set(content_words(f"{pair[1]['topic']} {pair[1]['headline']}"))
    )
    return tuple(
        FoundItem(f"headline:{row['headline']}", f"- {row['headline']} ({row['topic']}, {published:%a %d %b %H:%M})")
        for published, row in ranked[:MAX_HEADLINES]
    )


def _published(row: dict[str, object], now: datetime) -> datetime:
    """The last time that this headline's hour of the week came around."""
    hour, minute = map(int, str(row["time"]).split(":"))
    monday = (now - timedelta(days=now.weekday())).replace(hour=0, minute=0, second=0, microsecond=0)
    moment = monday + timedelta(days=int(str(row["weekday"])), hours=hour, minutes=minute)
    return moment if moment <= now else moment - WEEK
