"""The rows: documents, the pieces of them that search finds, what was searched, and how search works."""

from selftest.knowledge.models.change import Change
from selftest.knowledge.models.chunk import Chunk, Identifier, IndexState, Term
from selftest.knowledge.models.consent import HistoryConsent
from selftest.knowledge.models.documentation import Document, Documentation
from selftest.knowledge.models.promise import Promise
from selftest.knowledge.models.searches import Click, Feedback, HistoryEntry, QualityAlert, Search
from selftest.knowledge.models.settings import SearchSettings

__all__ = [
    "Change",
    "Chunk",
    "Click",
    "Document",
    "Documentation",
    "Feedback",
    "HistoryConsent",
    "HistoryEntry",
    "Identifier",
    "IndexState",
    "Promise",
    "QualityAlert",
    "Search",
    "SearchSettings",
    "Term",
]
