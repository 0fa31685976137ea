"""What was just done, and how to take it back: kept with the session until it is used or closed."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from django.http import HttpRequest

KEY = "toasts"
KEPT = 3  # the newest; older dismissals can still be restored on the page of their combination
WORDS_CHARACTERS = 160


@dataclass(frozen=True)
class Toast:
    """words: what was done. undo: where a form takes it back, "" where it cannot be. name: the same for the same act.

    page: where to look at what it was done to. reason_at: where a form adds why, "" once it is said or cannot be.
    finding_at: where what was learnt from it can be written down, "" where nothing is offered.
    """

    name: str
    words: str
    undo: str = ""
    page: str = ""
    reason_at: str = ""
    finding_at: str = ""


def add(request: HttpRequest, toast: Toast) -> None:
    """Shows this toast on the next pages, in place of an earlier one of its name."""
    others = [kept for kept in _kept(request) if kept["name"] != toast.name]
    request.session[KEY] = [*others, asdict(replace(toast, words=_cut(toast.words)))][-KEPT:]


def tell_reason(request: HttpRequest, name: str, reason: str) -> None:
    """Shows in the toast of this name, if it is there, why it was done."""
    request.session[KEY] = [
        asdict(replace(toast, words=_cut(f"{toast.words}: “{reason}”"), reason_at="")) if toast.name == name else kept
        for toast, kept in zip(shown(request), _kept(request), strict=True)
    ]


def drop(request: HttpRequest, name: str) -> None:
    """Takes the toast of this name away, if it is there."""
    kept = _kept(request)
    left = [toast for toast in kept if toast["name"] != name]
    if len(left) < len(kept):
        request.session[KEY] = left


def shown(request: HttpRequest) -> list[Toast]:
    """The oldest first."""
    return [Toast(**kept) for kept in _kept(request)]


def _cut(words: str) -> str:
    return words if len(words) <= WORDS_CHARACTERS else f"{words[:WORDS_CHARACTERS].rstrip()}…"


def _kept(request: HttpRequest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = request.session.get(KEY, [])
    return found
