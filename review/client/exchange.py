"""One operation on its way, for either client: what is sent, what came of each attempt, and what that means.

Sends nothing and sleeps nowhere; when it is sent again, `policy` says.
"""

import random
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Generic

import httpx
from pydantic import ValidationError
from tenacity import RetryCallState

from review.client.errors import (
    CallError,
    ConnectionFailedError,
    DeadlineExceededError,
    TimedOutError,
    Told,
    UnreadableAnswerError,
    error_of,
)
from review.client.models import ErrorOut
from review.client.operations import AnswerT_co, Operation
from review.client.policy import End, Failure, Outcome, Pause, Terms, next_step, retry_after_s

MAX_EXCERPT_CHARACTERS = 200  # of an answer that is no document of the API


class Exchange(Generic[AnswerT_co]):
    """The attempts at one operation, from the first until there is an answer or an error."""

    def __init__(
        self,
        operation: Operation[AnswerT_co],
        base_url: httpx.URL,
        terms: Terms,
        clock: Callable[[], float],
        rng: random.Random,
    ) -> None:
        self._operation = operation
        self._url = base_url.copy_with(
            raw_path=base_url.raw_path.rstrip(b"/") + f"/{operation.room}{operation.path}".encode()
        )
        self._terms = terms
        self._clock = clock
        self._rng = rng
        self._deadline_s = clock() + terms.deadline_s
        self._attempts = 0
        self._outcome = Outcome()
        self._fault: Exception | None = None
        self._body = b""
        self._step: Pause | End = End.SETTLED

    @property
    def left_s(self) -> float:
        """Seconds until the deadline; never 0 or less, which would mean no limit."""
        return max(0.001, self._deadline_s - self._clock())

    def request(self) -> dict[str, Any]:
        """What httpx is to send now. The body is only what was given: leaving a field out has a meaning."""
        operation, headers = self._operation, {}
        if operation.key is not None:
            headers["Idempotency-Key"] = f'"{operation.key}"'
        asked = operation.body
        if asked is not None:
            headers["Content-Type"] = "application/json"
        return {
            "method": operation.method,
            "url": self._url,
            "params": dict(operation.query) or None,
            "headers": headers,
            "content": None if asked is None else asked.model_dump_json(exclude_unset=True).encode(),
            "timeout": min(self._terms.timeout_s, self.left_s),
        }

    # --- an attempt ---

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Around one attempt: what goes wrong in it becomes its outcome."""
        self._attempts += 1
        self._fault, self._body = None, b""
        try:
            yield
        except (httpx.TimeoutException, TimeoutError) as fault:
            self._failed(Failure.TIME_OUT, fault)
        except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError) as fault:
            is_lasting = isinstance(_root_of(fault), ssl.SSLCertVerificationError)
            self._failed(Failure.LASTING if is_lasting else Failure.CONNECTION, fault)
        except httpx.HTTPError as fault:
            self._failed(Failure.LASTING, fault)

    def take(self, piece: bytes) -> None:
        """A piece of the body. Raises httpx.ReadTimeout after the deadline, however steadily pieces come."""
        self._body += piece
        if self._clock() >= self._deadline_s:
            raise httpx.ReadTimeout("the deadline passed while the answer was read")

    def took(self, response: httpx.Response) -> None:
        """The answer is here as a whole."""
        wait_s = retry_after_s(response.headers.get("Retry-After"), datetime.now(UTC))
        self._outcome = Outcome(response.status_code, wait_s=wait_s)

    def _failed(self, failure: Failure, fault: Exception) -> None:
        self._outcome, self._fault = Outcome(failure=failure), fault

    # --- between attempts, as tenacity asks ---

    def is_sent_again(self, state: RetryCallState) -> bool:
        """Whether the operation is sent again."""
        if state.outcome is None or state.outcome.failed:  # Ctrl-C or a fault of ours: tenacity raises it
            return False
        left_s, operation = self._deadline_s - self._clock(), self._operation
        self._step = next_step(
            state.attempt_number, self._outcome, left_s, operation.may_repeat, self._terms, self._rng
        )
        return isinstance(self._step, Pause)

    def wait_s(self, _: RetryCallState) -> float:
        """How long to wait before that."""
        return self._step.seconds if isinstance(self._step, Pause) else 0.0

    # --- the end ---

    def answer(self) -> AnswerT_co:
        """What was answered. Raises CallError for everything else."""
        if self._outcome.status is not None and 200 <= self._outcome.status < 300:
            try:
                return self._operation.answer.model_validate_json(self._body)
            except ValidationError as fault:
                what = f"the answer is not as this client knows it: {_first_of(fault)}"
                raise UnreadableAnswerError(self._told(what)) from fault
        error = self._error()
        if self._step is End.OUT_OF_TIME and self._outcome.wait_s is None:
            what = f"no answer within {self._terms.deadline_s:g} s; the last attempt: {error.told.what}"
            raise DeadlineExceededError(self._told(what)) from error
        raise error from self._fault

    def _error(self) -> CallError:
        if self._outcome.status is not None:
            return self._refusal()
        what = f"{type(self._fault).__name__}: {self._fault}"
        if self._outcome.failure is Failure.TIME_OUT:
            return TimedOutError(self._told(what))
        return ConnectionFailedError(self._told(what))

    def _refusal(self) -> CallError:
        try:
            said = ErrorOut.model_validate_json(self._body).error
        except ValidationError:  # of a proxy, perhaps
            excerpt = " ".join(self._body.decode(errors="replace").split())[:MAX_EXCERPT_CHARACTERS]
            return error_of(self._told(f"HTTP {self._outcome.status}: {excerpt}" if excerpt else self._bare_status()))
        return error_of(self._told(f"{self._bare_status()} {said.code}: {said.message}", said.code, said.field))

    def _bare_status(self) -> str:
        return f"HTTP {self._outcome.status}"

    def _told(self, what: str, code: str | None = None, field: str | None = None) -> Told:
        operation = self._operation
        url = str(self._url.copy_with(userinfo=b"", params=dict(operation.query) or None))
        return Told(
            operation.name,
            operation.method,
            url,
            self._attempts,
            operation.key,
            what.rstrip("."),
            self._outcome.status,
            code,
            field,
            self._outcome.wait_s,
        )


def _root_of(fault: BaseException) -> BaseException:
    while (deeper := fault.__cause__ or fault.__context__) is not None:
        fault = deeper
    return fault


def _first_of(fault: ValidationError) -> str:
    first = fault.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the document'}: {first['msg']}"
