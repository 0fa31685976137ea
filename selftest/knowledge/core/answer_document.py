"""A search's answer as the JSON document that the API answers and the command prints. Pure.

Its keys stay what they are; more may follow.
"""

from collections.abc import Mapping
from html import escape
from typing import Any

from selftest.knowledge.core.answers import Action, Hit, Marked, SearchAnswer, Synthesis

Document = dict[str, Any]


def answer_document(answer: SearchAnswer, targets: Mapping[int, str], mode: str = "unified") -> Document:
    """All of an answer. targets: names by id. mode: which call it answers, "unified" or "legacy"."""
    return {
        "results": [hit_document(hit, targets) for hit in answer.hits],
        "didYouMean": answer.did_you_mean,
        "suggestions": list(answer.suggestions),
        "refinements": [
            {"filter": name, "value": value, "count": count} for name, value, count in answer.refinements
        ],
        "synthesis": None if answer.synthesis is None else _synthesis_document(answer.synthesis),
        "intent": answer.intent,
        "language": answer.language,
        "diagnostics": {"mode": mode, "latency_ms": answer.latency_ms},
    }  # fmt: skip


def hit_document(hit: Hit, targets: Mapping[int, str]) -> Document:
    """One result. Of `snippet` alone a browser may take the tags: it is escaped, and has no tag but `<mark>`."""
    return {
        "id": hit.id,
        "kind": str(hit.kind),
        "domain": str(hit.domain),
        "title": hit.title,
        "snippet": marked_html(hit.snippet),
        "score": hit.score,
        "matched_by": list(hit.matched_by),
        "action": _action_document(hit.actions[0]) if hit.actions else None,
        "snippet_text": hit.snippet.text,
        "spans": [list(span) for span in hit.snippet.spans],
        "actions": [_action_document(action) for action in hit.actions],
        "path": hit.path,
        "anchor": hit.anchor,
        "section_path": list(hit.section_path),
        "tags": list(hit.tags),
        "target": None if hit.target_id is None else targets.get(hit.target_id),
        "language": hit.language,
        "preview": hit.preview,
        "details": dict(hit.details),
        "debug": None if hit.debug is None else dict(hit.debug),
    }


def marked_html(marked: Marked) -> str:
    """The text as HTML, escaped, each span within `<mark>`."""
    said, end = [], 0
    for start, stop in marked.spans:
        said += [escape(marked.text[end:start]), "<mark>", escape(marked.text[start:stop]), "</mark>"]
        end = stop
    return "".join([*said, escape(marked.text[end:])])


def safe_url(url: str) -> str:
    """An address of ours or of the web; "" for anything else, such as a script in what was ingested."""
    is_ours = url.startswith("/") and not url.startswith(("//", "/\\"))
    return url if is_ours or url.lower().startswith(("https://", "http://")) else ""


def _action_document(action: Action) -> Document:
    return {
        "kind": action.kind,
        "label": action.label,
        "url": safe_url(action.url),
        "command": action.command,
        "requiresConfirmation": action.requires_confirmation,
        "isDestructive": action.is_destructive,
    }


def _synthesis_document(synthesis: Synthesis) -> Document:
    citations = [
        {"number": each.number, "id": each.id, "title": each.title, "url": safe_url(each.url)}
        for each in synthesis.citations
    ]
    return {"text": synthesis.text, "citations": citations, "by": synthesis.by}
