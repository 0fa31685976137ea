"""A secret is found in every spelling that a target may send it back in, and ordinary text stays as it is."""

import base64
import hashlib
import html
import json
import time
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selftest.core.judging.answers import Answer
from selftest.targets.base import Reachability, TargetAway, TargetClient
from selftest.targets.redaction import HIDDEN, RedactingClient, Redactor, Secret

KEY = 's3cr/et+K"e<y&Z9'
PRINTABLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=6, max_size=60)


def hide(text: str, value: str = KEY, name: str = "X-API-Key") -> str:
    return Redactor([Secret(name, value)]).text(text)


def basic(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SPELLINGS: list[Callable[[str], str]] = [
    str,
    str.upper,
    quote_plus,
    lambda key: quote(key, safe=""),
    lambda key: quote(key, safe="").lower(),
    lambda key: quote(quote(key, safe=""), safe=""),
    lambda key: "".join(f"%{ord(c):02x}" for c in key),
    lambda key: json.dumps(key)[1:-1],
    lambda key: json.dumps(json.dumps(key))[3:-3],
    lambda key: json.dumps(key)[1:-1].replace("/", r"\/"),
    lambda key: "".join(rf"\u{ord(c):04X}" for c in key),
    lambda key: "".join(rf"\x{ord(c):02x}" for c in key),
    html.escape,
    lambda key: "".join(f"&#{ord(c)};" for c in key),
    lambda key: key.encode().hex(),
    lambda key: key.encode().hex().upper(),
]


@pytest.mark.parametrize("spell", SPELLINGS)
def test_a_key_is_hidden_in_every_spelling(spell: Callable[[str], str]) -> None:
    assert hide(f"you sent «{spell(KEY)}», we think") == f"you sent «{HIDDEN}», we think"


@given(PRINTABLE, st.binary(max_size=7), st.binary(max_size=7), st.booleans())
def test_a_key_is_hidden_in_base64_wherever_it_begins(key: str, before: bytes, after: bytes, urlsafe: bool) -> None:
    encode = base64.urlsafe_b64encode if urlsafe else base64.b64encode
    encoded = encode(before + key.encode() + after).decode()
    hidden = hide(f"Basic {encoded} it was", key)
    # Of what is left, no character holds a bit of the key.
    first, last = -(-8 * len(before) // 6), 8 * (len(before) + len(key)) // 6
    assert HIDDEN in hidden
    assert encoded[first:last] not in hidden
    assert len(hidden) <= len(f"Basic {HIDDEN} it was") + len(encoded) - (last - first)


@pytest.mark.parametrize("user", ["", "u", "us", "user:", "ada@example:"])
def test_basic_auth_that_holds_the_key_is_hidden(user: str) -> None:
    for encoded in (basic(user + KEY), quote(basic(user + KEY), safe=""), json.dumps(basic(user + KEY + "?"))):
        assert basic(KEY)[4:-4] not in hide(encoded)
        assert HIDDEN in hide(encoded)


def test_base64_that_is_broken_into_lines_is_hidden() -> None:
    wrapped = base64.encodebytes(f"{'head ' * 10}{KEY}{' tail' * 10}".encode()).decode()
    before, after = hide(wrapped).replace("\n", "").split(HIDDEN)
    assert len(before) <= len(basic("head " * 10))
    assert len(after) <= len(basic(" tail" * 10))


@given(PRINTABLE)
def test_no_key_survives_in_an_echo_of_the_request(key: str) -> None:
    headers = {"X-Api-Key": key, "Authorization": "Basic " + basic(f"me:{key}")}
    for echo in (json.dumps(headers), str(headers), quote_plus(key), json.dumps(json.dumps(headers))):
        hidden = hide(echo, key)
        assert key not in hidden
        assert json.dumps(key)[1:-1] not in hidden
        assert basic(f"me:{key}") not in hidden


@pytest.mark.parametrize(
    ("value", "echo"),
    [
        ('Token token="abcdef1234567890"', "abcdef1234567890"),
        ('Digest username="m", response="6629fae49393a05397450978507c4ef1"', "6629fae49393a05397450978507c4ef1"),
        ('{"token":"abcdef1234567890"}', "abcdef1234567890"),
        ("ApiKey " + basic("myclient:secretpassword"), "secretpassword"),
        ("joe:hunter2secretpw", "hunter2secretpw"),
        ("Bearer s3cr3t7", "s3cr3t7"),
        ("session=abc%3Ddef%2Fghi12345", "abc=def/ghi12345"),
    ],
)
def test_each_value_of_a_header_is_hidden_by_itself(value: str, echo: str) -> None:
    assert hide(f"it was {echo} indeed", value) == f"it was {HIDDEN} indeed"


def test_the_name_of_a_scheme_is_no_secret() -> None:
    text = "send a Bearer token, or a Digest"
    assert hide(text, "Bearer abcdef1234567890") is text


@pytest.mark.parametrize("sign", [" ", ":"])
def test_hexadecimal_digits_in_pairs_are_hidden(sign: str) -> None:
    assert hide(f"<{KEY.encode().hex(sign)}>") == f"<{HIDDEN}>"


def test_where_text_was_cut_with_three_dots_the_beginning_of_a_key_is_hidden() -> None:
    assert hide("you sent supersec... and more", "supersecret") == f"you sent {HIDDEN}... and more"


def test_where_text_was_cut_the_beginning_of_a_key_is_hidden() -> None:
    assert hide("HTTP 500: you sent superse… and more; superse", "supersecret") == (
        f"HTTP 500: you sent {HIDDEN}… and more; {HIDDEN}"
    )


@pytest.mark.parametrize(
    "text", ["the weather, and the news", "sup, er", "", "no supper… today", "a%20b\\u0041&amp;", "0123456789" * 50]
)
def test_text_without_the_key_is_the_same_object(text: str) -> None:
    assert hide(text, "supersecret") is text


@pytest.mark.parametrize(
    "echo",
    [
        '{"X-Api-Key": "%s", "other": "the rest"}',
        "HTTP_X_API_KEY=%s",
        "x-api-key: %s",
        "('X-API-Key', '%s')",
        "[b'X-API-Key', b'%s']",
        r"{\"x-api-key\": \"%s\"}",
    ],
)
def test_a_short_key_is_hidden_after_the_name_of_its_header(echo: str) -> None:
    assert hide(echo % "news", "news") == echo % HIDDEN


def test_a_short_key_does_not_shred_ordinary_text() -> None:
    text = "The news: a newsreader, 12 keys and an API key. X-API-Key is a header, newsworthy or not."
    assert hide(text, "news") is text
    assert hide(text, "a") is text
    assert hide("X-API-Key: newspaper", "news") == "X-API-Key: newspaper"


@pytest.mark.parametrize(
    ("value", "echo"),
    [
        ("Bearer tok_0123456789", "the token is tok_0123456789"),
        ("Bearer tok_0123456789", "Authorization: Bearer tok_0123456789"),
        ("Basic " + basic("joe:hunter22"), "joe:hunter22"),
        ("Basic " + basic("joe:hunter22"), "the password hunter22"),
        ("session=0123456789abcdef; theme=dark", "0123456789abcdef"),
    ],
)
def test_what_is_secret_inside_a_secret_header_is_hidden_by_itself(value: str, echo: str) -> None:
    hidden = hide(echo, value, "Authorization")
    assert HIDDEN in hidden
    assert not any(secret in hidden for secret in ("0123456789", "hunter22"))


def test_words_of_a_secret_header_that_are_no_secret_stay() -> None:
    assert (
        hide("Bearer of news, in the dark", "Bearer tok_0123456789", "Authorization") == "Bearer of news, in the dark"
    )
    assert hide("a dark theme", "session=0123456789abcdef; theme=dark", "Cookie") == "a dark theme"


@pytest.mark.parametrize(
    "key", [KEY, "aaaaaaaa", r"\\\\\\\\\\\\\\!", "%%%%%%%%%", "&&&&amp;", '""""""""!', "0123456789abcdef" * 30]
)
@pytest.mark.parametrize("piece", ["\\", "%25", "&amp;", "&#0", "\n", "…", "s", "a", '"', "YWFh", "u00", "x-api-key: "])
def test_no_answer_keeps_a_worker_busy(key: str, piece: str) -> None:
    text = piece * (256 * 1024 // len(piece)) + "?"
    started = time.process_time()
    hide(text, key)
    assert time.process_time() - started < 5


@pytest.mark.parametrize("key", ["a\\b\\\\c!", "\\\\server\\share", "\\\\\\\\\\\\"])
def test_a_key_with_backslashes_is_hidden_in_every_spelling(key: str) -> None:
    for spell in SPELLINGS:
        assert hide(f"«{spell(key)}»", key) == f"«{HIDDEN}»"


def test_a_secret_is_not_shown_with_its_object() -> None:
    assert KEY not in repr(Secret("X-API-Key", KEY))


# --- a client whose answers are cleaned ---


class Echo(TargetClient):
    """Says its key in everything."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure

    def ask(self, query: str, source: str = "auto") -> Answer:
        if self.failure is not None:
            raise self.failure
        return Answer(
            f"sent {KEY}",
            f"by {KEY}",
            1.0,
            200,
            False,
            f"no: {KEY}",
            99,
            hashlib.sha256(KEY.encode()).hexdigest(),
            (KEY,),
        )

    def reach(self) -> Reachability:
        return Reachability(True, f"GET {KEY}", KEY)

    def close(self) -> None: ...


def client(failure: Exception | None = None) -> RedactingClient:
    return RedactingClient(Echo(failure), Redactor([Secret("X-API-Key", KEY)]))


def test_no_field_of_an_answer_holds_the_key_nor_does_its_hash() -> None:
    answer = client().ask("hello")
    assert answer == Answer(
        *(f"sent {HIDDEN}", f"by {HIDDEN}", 1.0, 200, False, f"no: {HIDDEN}", 99),
        hashlib.sha256(f"sent {HIDDEN}".encode()).hexdigest(),
        (HIDDEN,),
    )


def test_neither_reachability_nor_an_outage_nor_a_failure_of_ours_holds_the_key() -> None:
    assert client().reach() == Reachability(True, f"GET {HIDDEN}", HIDDEN)
    with pytest.raises(TargetAway, match=f"^away: {HIDDEN}$") as away:
        client(TargetAway(f"away: {KEY}")).ask("hello")
    assert away.value.__suppress_context__
    with pytest.raises(RuntimeError, match=f"^KeyError: '{HIDDEN}'$") as failure:
        client(KeyError(KEY)).ask("hello")
    assert failure.value.__suppress_context__
    with pytest.raises(KeyError, match="other"):
        client(KeyError("other")).ask("hello")
