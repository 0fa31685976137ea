"""How these tests read a merged answer, written apart from the code that they test."""

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer


def sections_of(answer: Answer, vocabulary: Vocabulary) -> dict[str, list[str]]:
    """source → its lines, in order. Fails on text outside a section and on a source that comes twice."""
    sources = {header: source for source, header in vocabulary.headers.items()}
    found: dict[str, list[str]] = {}
    for part in answer.result.split("\n\n---\n\n"):
        header, *lines = part.split("\n")
        assert header in sources, f"no header: {header!r}"
        assert sources[header] not in found, f"twice: {header!r}"
        found[sources[header]] = lines
    return found
