"""Routers that the API's targets ask: one that keeps every promise it can, and one that always breaks."""

from tests.vocabularies import example_document

SECTIONS = "\n\n---\n\n".join(f"{header}\nSomething to read." for header in example_document()["headers"].values())


def answering(query: str, source: str = "auto") -> tuple[str, str]:
    """Every section there is: no check has anything to say."""
    return SECTIONS, "fusion"


class NoWorkerLeftError(Exception):
    pass


def breaking(query: str, source: str = "auto") -> tuple[str, str]:
    raise NoWorkerLeftError("no worker left in the pool")
