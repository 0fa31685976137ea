"""What a call may end in but an answer. Each names the operation, its URL without secrets, and what to do."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Told:
    """What an error tells. url: without user name and password. key: the idempotency key, where it has one."""

    operation: str
    method: str
    url: str
    attempts: int
    key: str | None
    what: str
    status: int | None = None
    code: str | None = None
    field: str | None = None
    retry_after_s: float | None = None


class CallError(Exception):
    """A call without an answer that could be used. `told` has the details as values."""

    advice: ClassVar[str] = "See the server's log."

    def __init__(self, told: Told) -> None:
        tries = "" if told.attempts < 2 else f" ({told.attempts} attempts)"
        super().__init__(f"{told.operation}: {told.method} {told.url}: {told.what}{tries}. {self.advice}")
        self.told = told


class RequestRefusedError(CallError):
    """400, 422 and the like: the request itself is wrong. `told.field` names the parameter or field, if it is one."""

    advice = "Mend the request; sent again, it is refused again."


class UnauthorisedError(CallError):
    """401: the key is missing, unknown or revoked."""

    advice = "Give a key that is in force; an admin makes one under API keys."


class ForbiddenError(CallError):
    """403: the caller may not do this."""

    advice = "Ask an admin who may do this."


class NotFoundError(CallError):
    """404: what was named does not exist."""

    advice = "Look up its number or name again; check the base URL if nothing is found."


class ConflictError(CallError):
    """409: as things are now, it cannot be done; often something has changed since it was looked at."""

    advice = "Read it again and decide on what is there now, by a new operation."


class UnderWayError(ConflictError):
    """409 `under_way`: an earlier attempt at the same change is still being made."""

    advice = "Send the same operation again in a moment: it does nothing twice and brings the first answer."


class RateLimitedError(CallError):
    """429, and the wait that it asks for does not fit: `told.retry_after_s`."""

    advice = "Send it again after that time, or give a longer deadline."


class ServerError(CallError):
    """5xx: the server failed."""

    advice = "Send it again later; if it stays like this, see the server's log."


class ConnectionFailedError(CallError):
    """There was no connection, or it was cut."""

    advice = "Check that the server runs at this URL."


class TimedOutError(CallError):
    """An attempt took too long, and the call may not be repeated."""

    advice = "What it changes may have been changed: look, or use an idempotency key."


class DeadlineExceededError(CallError):
    """Time was up before there was an answer. `__cause__` is what the last attempt ended in."""

    advice = "Give a longer deadline, or send the same operation again: it does nothing twice."


class UnreadableAnswerError(CallError):
    """The answer is no document of this API: of a proxy, of another version, or of something else at this URL."""

    advice = "Check the base URL, and that client and server are of the same version."


_OF_STATUS: dict[int, type[CallError]] = {
    401: UnauthorisedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitedError,
}
UNDER_WAY = "under_way"


def error_of(told: Told) -> CallError:
    """The error for a status other than 2xx."""
    status = told.status or 0
    if told.code == UNDER_WAY:
        return UnderWayError(told)
    if status in _OF_STATUS:
        return _OF_STATUS[status](told)
    if status >= 500:
        return ServerError(told)
    return RequestRefusedError(told) if status >= 400 else UnreadableAnswerError(told)
