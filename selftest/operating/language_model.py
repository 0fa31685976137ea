"""One reply of a language model behind an OpenAI-compatible endpoint, bounded in time and size, and not read."""

import json
from dataclasses import dataclass
from time import monotonic

from selftest.models.encrypted import UnreadableSecret
from selftest.refusals import RefusedError


class ModelError(RefusedError):
    """The model gave no answer that could be read. The message says why."""


@dataclass(frozen=True)
class Endpoint:
    """Where a model is asked. url: with /v1. key: "" for none."""

    url: str
    model: str
    key: str
    timeout_s: float

    @property
    def is_usable(self) -> bool:
        """Whether there is a model to ask, with a key that can be read."""
        return bool(self.url and self.model) and not isinstance(self.key, UnreadableSecret)


@dataclass(frozen=True)
class Limits:
    """Of one answer: tokens that are asked for, and bytes with its envelope that are read."""

    tokens: int
    bytes: int


def answer_to(system: str, shown: str, endpoint: Endpoint, limits: Limits) -> str:
    """The text of one answer. Raises ModelError, also for one that takes too long or is too large."""
    from httpx2 import HTTPError  # what the client below lets through when a body stalls or breaks off
    from openai import OpenAI, OpenAIError  # takes a second to read; most installations ask no model

    deadline = monotonic() + endpoint.timeout_s
    body = bytearray()
    try:
        with (
            OpenAI(
                base_url=endpoint.url, api_key=endpoint.key or "none", timeout=endpoint.timeout_s, max_retries=0
            ) as client,
            client.chat.completions.with_streaming_response.create(
                model=endpoint.model,
                messages=[{"role": "system", "content": system}, {"role": "user", "content": shown}],
                temperature=0,
                max_tokens=limits.tokens,
            ) as response,
        ):
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > limits.bytes:
                    raise ModelError(f"the answer is longer than {limits.bytes} bytes")
                if monotonic() > deadline:
                    raise ModelError(f"no answer within {endpoint.timeout_s:g} s")
    except (OpenAIError, HTTPError) as fault:
        raise ModelError(" ".join(str(fault).split())[:200] or type(fault).__name__) from fault
    return _text_of(bytes(body))


def _text_of(body: bytes) -> str:
    try:
        text = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError) as fault:
        raise ModelError("the answer is not that of a chat completion") from fault
    if not isinstance(text, str):
        raise ModelError("the answer holds no text")
    return text
