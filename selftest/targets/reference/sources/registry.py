"""Which source works behind which name. A name with no source of its own is searched for in everything."""

from collections.abc import Callable, Mapping, Sequence

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.loopback import Service
from selftest.targets.reference.sources import indexes
from selftest.targets.reference.sources.encyclopedia import encyclopedia
from selftest.targets.reference.sources.forecast import forecast
from selftest.targets.reference.sources.house import changes, home
from selftest.targets.reference.sources.news import news
from selftest.targets.reference.sources.uptime import uptime
from selftest.targets.reference.sources.web import web
from selftest.targets.reference.steps import FoundItem, Question, Source


def open_sources(vocabulary: Vocabulary, services: Callable[[], Sequence[Service]]) -> Mapping[str, Source]:
    """A source for every name that `vocabulary` routes to or documents as a fallback.

    services: asked at each question about uptime; the services to report on.
    """

    def search_everything(question: Question) -> tuple[FoundItem, ...]:
        return web(question, indexes.everything())

    known: dict[str, Source] = {
        "changes": changes,
        "forecast": forecast,
        "home": home,
        "news": news,
        "uptime": lambda question: uptime(question, services()),
        "web": search_everything,
        vocabulary.encyclopedia: lambda question: encyclopedia(question, indexes.articles()),
    }
    fallbacks = (source for sources in vocabulary.fallbacks.values() for source in sources)
    names = (*vocabulary.sources, vocabulary.encyclopedia, *fallbacks)
    return {name: known.get(name, search_everything) for name in names}
