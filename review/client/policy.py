"""Whether and when a call is sent again, by what came of it and the time left. Pure: no clock, no network.

Sent again is what may be answered next time: no connection, no answer in time, 429, 502, 503, 504. A change is sent
again only with an idempotency key, by which the server knows it.
"""

import random
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum

PASSING_STATUSES = frozenset({429, 502, 503, 504})  # every other one would come again


class Failure(Enum):
    """Why an attempt brought no whole answer."""

    CONNECTION = "no connection, or one that was cut"
    TIME_OUT = "no whole answer in time"
    LASTING = "what would fail again, such as a wrong certificate"


@dataclass(frozen=True)
class Outcome:
    """What came of an attempt: a status, or the failure instead of one. wait_s: what Retry-After asks for."""

    status: int | None = None
    failure: Failure | None = None
    wait_s: float | None = None

    @property
    def is_passing(self) -> bool:
        """Whether the next attempt may end in another way."""
        if self.status is None:
            return self.failure is not Failure.LASTING
        return self.status in PASSING_STATUSES


@dataclass(frozen=True)
class Terms:
    """How long a call may take, in seconds, with all its attempts and the waits between them."""

    deadline_s: float = 30.0
    timeout_s: float = 10.0  # for a connection, and for each wait for more bytes
    first_wait_s: float = 0.5
    longest_wait_s: float = 8.0  # unless Retry-After asks for more

    def __post_init__(self) -> None:
        if min(self.deadline_s, self.timeout_s, self.first_wait_s, self.longest_wait_s) <= 0:
            raise ValueError("terms are positive numbers of seconds")


@dataclass(frozen=True)
class Pause:
    """The call is sent again after so many seconds."""

    seconds: float


class End(Enum):
    """Why a call is not sent again."""

    SETTLED = "it is answered, or would be answered the same"
    UNSAFE = "it may have changed something and has no idempotency key"
    OUT_OF_TIME = "the next attempt would begin after the deadline"


def next_step(
    attempt: int, outcome: Outcome, left_s: float, may_repeat: bool, terms: Terms, rng: random.Random
) -> Pause | End:
    """What follows on the attempt of this number, from 1, with so many seconds left until the deadline."""
    if not outcome.is_passing:
        return End.SETTLED
    if not may_repeat:
        return End.UNSAFE
    wait_s = _backoff_s(attempt, terms, rng)
    if outcome.wait_s is not None:
        # Never sooner than asked for, and not everyone at the same moment.
        wait_s = outcome.wait_s + rng.uniform(0, terms.first_wait_s)
    return Pause(wait_s) if wait_s < left_s else End.OUT_OF_TIME


def _backoff_s(attempt: int, terms: Terms, rng: random.Random) -> float:
    """Twice as long each time, of which the second half is left to chance."""
    doublings = min(attempt - 1, 30)  # 2.0 ** 1024 is no number any more
    full_s = min(terms.first_wait_s * 2.0**doublings, terms.longest_wait_s)
    return rng.uniform(full_s / 2, full_s)


def retry_after_s(text: str | None, now: datetime) -> float | None:
    """The header Retry-After, whole seconds or a date, as seconds from `now`; None: not given, or not readable."""
    if text is None:
        return None
    if re.fullmatch("[0-9]{1,9}", text.strip()):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:  # "-0000"; HTTP knows no other time than GMT
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
