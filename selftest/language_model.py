"""Asks a language model behind an OpenAI-compatible endpoint. Its answer is bounded in time and size, not read."""

import json
from dataclasses import dataclass
from time import monotonic


class ModelError(Exception):
    """The model gave no text. The message says why."""


@dataclass(frozen=True)
class LanguageModel:
    """Where a model is asked, and how much of an answer is taken. timeout_s: of one answer, from first to last byte."""

    url: str
    name: str
    key: str
    timeout_s: float
    most_tokens: int
    most_bytes: int

    def answer_to(self, system: str, user: str) -> str:
        """The text of one answer. Raises ModelError, also for one that takes too long or is too large."""
        from httpx2 import Client, HTTPError, Response  # as the client below; most installations ask no model
        from openai import OpenAI, OpenAIError  # takes a second to read

        def leave_errors_unread(response: Response) -> None:
            """The body of an error is read by the client without any limit of size or time; its status says enough."""
            if not response.is_success:
                response.close()

        deadline = monotonic() + self.timeout_s
        body = bytearray()
        try:
            with (
                OpenAI(
                    base_url=self.url,
                    api_key=self.key or "none",
                    timeout=self.timeout_s,
                    max_retries=0,
                    http_client=Client(event_hooks={"response": [leave_errors_unread]}),
                ) as client,
                client.chat.completions.with_streaming_response.create(
                    model=self.name,
                    messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
                    temperature=0,
                    max_tokens=self.most_tokens,
                ) as response,
            ):
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > self.most_bytes:
                        raise ModelError(f"the answer is longer than {self.most_bytes} bytes")
                    if monotonic() > deadline:
                        raise ModelError(f"no answer within {self.timeout_s:g} s")
        # The client lets through what breaks off or stalls within a body, and hosts or keys that cannot be encoded.
        except (OpenAIError, HTTPError, UnicodeError) as fault:
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
