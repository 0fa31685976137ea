"""Which source works behind which name. A name with no source of its own is searched for in everything."""

from collections.abc import Callable, Mapping, Sequence

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.loopback import Service
from selftest.targets.reference.sources.base import Source
from selftest.targets.reference.sources.changes import changes
from selftest.targets.reference.sources.encyclopedia import encyclopedia
from selftest.targets.reference.sources.forecast import forecast
from selftest.targets.reference.sources.home import home
from selftest.targets.reference.sources.news import news
from selftest.targets.reference.sources.uptime import Uptime
from selftest.targets.reference.sources.web import web


def open_sources(vocabulary: Vocabulary, services: Callable[[], Sequence[Service]]) -> Mapping[str, Source]:
    """A source for every name that `vocabulary` routes to or documents as a fallback."""
    known: dict[str, Source] = {
        "changes": changes,
        "forecast": forecast,
        "home": home,
        "news": news,
        "uptime": Uptime(services),
        "web": web,
        vocabulary.encyclopedia: encyclopedia,
    }
    stand_ins = (source for sources in vocabulary.fallbacks.values() for source in sources)
    return {name: known.get(name, web) for name in (*vocabulary.sources, vocabulary.encyclopedia, *stand_ins)}
