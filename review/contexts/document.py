"""`/knowledge/docs/<path>` and `/knowledge/documentation/<number>/<path>`: a document, for reading."""

from dataclasses import dataclass
from datetime import datetime

from selftest.knowledge.core.openapi import Operation
from selftest.knowledge.reading import ShownDocument, anchor_of


@dataclass(frozen=True)
class CallView:
    """An operation of an API. curl: a command that sends it."""

    anchor: str
    title: str
    words: str
    curl: str

    @classmethod
    def of(cls, operation: Operation) -> "CallView":
        """As plain text."""
        return cls(anchor_of(operation), operation.title, operation.text, operation.curl)


@dataclass(frozen=True)
class DocumentPage:
    """html: made by the engine, and safe. target, documentation: "" of a document of Gadfly's own."""

    title: str
    path: str
    html: str
    calls: tuple[CallView, ...]
    target: str
    target_number: int | None
    documentation: str
    read_at: datetime | None

    @classmethod
    def of(cls, shown: ShownDocument) -> "DocumentPage":
        """With whose it is."""
        whose = shown.documentation
        return cls(
            title=shown.title,
            path=shown.path,
            html=shown.html,
            calls=tuple(map(CallView.of, shown.operations)),
            target=whose.target.name if whose else "",
            target_number=whose.target_id if whose else None,
            documentation=whose.name if whose else "",
            read_at=shown.read_at,
        )
