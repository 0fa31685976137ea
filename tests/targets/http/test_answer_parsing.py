"""What is an answer and what is a crash of the target. Expected values come from TARGET.md."""

import gzip
import hashlib

import pytest

from selftest.targets.base import TargetAway
from tests.targets.http.scripts import GOOD, says

# --- Crashes that the target itself reports ---


def test_success_false_is_a_crash_although_the_status_is_200(ask):
    answer = ask(says({**GOOD, "success": False, "error": "kiwix: connection pool is closed", "result": None}))
    assert answer.error == "kiwix: connection pool is closed"
    assert (answer.http_status, answer.result, answer.source_used) == (200, "", "fusion")


def test_an_error_that_is_no_text_is_rendered_as_json(ask):
    answer = ask(says({"success": False, "error": {"code": 7, "why": "brüchig"}}))
    assert answer.error == '{"code": 7, "why": "brüchig"}'


@pytest.mark.parametrize("error", [None, ""])
def test_success_false_without_a_reason_is_a_crash_too(ask, error):
    answer = ask(says({**GOOD, "success": False, "error": error}))
    assert answer.error == "field 'success' is false, and no reason is given"


def test_a_success_that_is_neither_true_nor_false_is_spelled_out(ask):
    assert ask(says({**GOOD, "success": "yes"})).error == "field 'success' is text, neither true nor false"


def test_a_500_with_a_body_is_a_crash_with_its_first_bytes(ask):
    answer = ask(says("Traceback (most recent call last):\n  File …", "500 Internal Server Error"))
    assert answer.error == "HTTP 500: Traceback (most recent call last): File …"
    assert answer.result == "Traceback (most recent call last):\n  File …"
    assert (answer.http_status, answer.source_used) == (500, "")


def test_a_500_without_a_body_is_a_crash(ask):
    assert ask(says("", "500 Internal Server Error")).error == "HTTP 500, without a body"


@pytest.mark.parametrize("status", ["400 Bad Request", "422 Unprocessable", "429 Too Many", "410 Gone"])
def test_another_4xx_is_a_crash_with_its_first_bytes(ask, status):
    assert ask(says("not like this", status)).error == f"HTTP {status[:3]}: not like this"


def test_a_long_error_page_is_cut(ask):
    answer = ask(says("x" * 10_000, "400 Bad Request"))
    assert answer.error == "HTTP 400: " + "x" * 200 + "…"
    assert answer.result == "x" * 2000
    assert answer.length_bytes == 10_000


@pytest.mark.parametrize("status", ["401 Unauthorized", "403 Forbidden"])
def test_a_refused_api_key_is_no_crash_and_says_what_to_do(server, ask, status):
    with pytest.raises(TargetAway) as away:
        ask(says("who are you, stale?", status), api_key="stale")
    assert str(away.value) == (
        f"POST {server.url}/search: HTTP {status[:3]}: the API key was refused;"
        " set it on the target in the admin, or TARGET_API_KEY"
    )


def test_a_refusal_without_a_key_says_that_none_is_set(ask):
    with pytest.raises(TargetAway, match="HTTP 401: an API key is needed and none is set; set it on the target"):
        ask(says("", "401 Unauthorized"))


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("404 Not Found", "HTTP 404: nothing at this path; set the target's path"),
        ("405 Method Not Allowed", "HTTP 405: this path takes no POST; set the target's path"),
    ],
)
def test_a_wrong_path_is_no_crash_and_says_what_to_do(server, ask, status, said):
    with pytest.raises(TargetAway) as away:
        ask(says("no such page", status))
    assert str(away.value) == f"POST {server.url}/search: {said}"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_crash_and_is_not_followed(server, ask, status):
    answer = ask(says("", f"{status} Elsewhere", "Location: /elsewhere\r\n"))
    assert answer.error == f"HTTP {status}: a redirect to /elsewhere; redirects are not followed"
    assert [request.path for request in server.requests] == ["/search"]


@pytest.mark.parametrize("location", ["http://[", "gopher://x", "http://h:99999999/", "\\\\", "//", "x" * 70_000])
def test_a_redirect_to_nonsense_is_a_crash_like_any(ask, location):
    answer = ask(says("", "302 Found", f"Location: {location}\r\n"))
    assert answer.error is not None
    assert answer.error.startswith("HTTP 302: a redirect to ")


# --- Responses without an answer ---

NOT_ANSWERS = {
    "html": (b"<html>welcome</html>", "the answer is not JSON: Expecting value: line 1 column 1 (char 0)"),
    "empty": (b"", "the answer is empty, not JSON"),
    "blank": (b" \r\n ", "the answer is empty, not JSON"),
    "cut JSON": (
        b'{"result": "a',
        "the answer is not JSON: Unterminated string starting at: line 1 column 12 (char 11)",
    ),
    "list": (b'["result"]', "the answer is not a JSON object but a list"),
    "text": (b'"result"', "the answer is not a JSON object but text"),
    "number": (b"5", "the answer is not a JSON object but a number"),
    "null": (b"null", "the answer is not a JSON object but null"),
    "no result": (b'{"source_used": "web"}', "field 'result' is missing"),
    "no source": (b'{"result": "text"}', "field 'source_used' is missing"),
    "null result": (b'{"result": null, "source_used": "web"}', "field 'result' is null, not text"),
    "true result": (b'{"result": true, "source_used": "web"}', "field 'result' is a boolean, not text"),
    "NaN result": (b'{"result": NaN, "source_used": "web"}', "field 'result' is a number, not text"),
    "object result": (b'{"result": {}, "source_used": "web"}', "field 'result' is an object, not text"),
    "number source": (b'{"result": "", "source_used": 3}', "field 'source_used' is a number, not text"),
    "latin-1": (b'{"result": "gr\xfcn"}', "the answer is not JSON: invalid UTF-8 at byte 14"),
}


@pytest.mark.parametrize(("body", "error"), NOT_ANSWERS.values(), ids=NOT_ANSWERS)
def test_a_body_without_an_answer_is_a_crash_with_the_reason_and_its_first_bytes(ask, body, error):
    answer = ask(says(body))
    assert answer.error == error
    assert answer.result == body.decode("utf-8", errors="replace")
    assert answer.source_used == ""
    assert answer.http_status == 200
    assert answer.sha256 == hashlib.sha256(body).hexdigest()


def test_a_dotted_path_that_ends_too_early_is_named_whole(ask):
    answer = ask(says({"data": "text", "source_used": "web"}), result_field="data.answer")
    assert answer.error == "field 'data.answer' is missing"


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_deep_nesting_is_a_crash_of_the_target_not_of_ours(ask, opening):
    answer = ask(says(b'{"result": ' + opening * 200_000))
    assert answer.error == "the answer is JSON nested too deeply to be read"
    assert len(answer.result) == 2000


def test_a_deeply_nested_error_does_not_raise(ask):
    for depth in range(100, 1100, 100):
        answer = ask(says(b'{"success": false, "error": ' + b"[" * depth + b"]" * depth + b"}"))
        assert answer.error


def test_huge_numbers_and_nan_beside_the_answer_do_no_harm(ask):
    body = b'{"result": "text", "source_used": "web", "n": 1%s, "m": -1%s.5e99999, "x": [NaN, -Infinity]}'
    answer = ask(says(body % (b"0" * 9000, b"0" * 9000)))
    assert (answer.result, answer.error) == ("text", None)


def test_a_huge_number_as_the_error_does_not_raise(ask):
    assert ask(says(b'{"success": false, "error": ' + b"9" * 50_000 + b"}")).error == "Infinity"


def test_nul_is_kept_as_it_came(ask):
    answer = ask(says(b'{"result": "a\\u0000b", "source_used": "web"}'))
    assert (answer.result, answer.error) == ("a\0b", None)


def test_a_lone_surrogate_is_kept_as_it_came(ask):
    body = b'{"result": "a\\ud800b", "source_used": "web"}'
    answer = ask(says(body))
    assert (answer.result, answer.error) == ("a\ud800b", None)
    assert (answer.length_bytes, answer.sha256) == (len(body), hashlib.sha256(body).hexdigest())


def test_a_reason_shows_no_control_characters(ask):
    assert ask(says(b"a\0b\x1b[31m\xff", "500 Oops")).error == "HTTP 500: a b [31m�"


# --- Encodings ---


def test_a_gzip_bomb_is_not_unpacked(ask):
    bomb = gzip.compress(b" " * 50_000_000)
    answer = ask(says(bomb, headers="Content-Encoding: gzip\r\n"))
    assert answer.error == "the answer is in Content-Encoding gzip, although identity was asked for"
    assert answer.length_bytes == len(bomb)


def test_a_compressed_error_page_is_not_shown_as_noise(ask):
    answer = ask(says(gzip.compress(b"oops"), "500 Oops", "Content-Encoding: gzip\r\n"))
    assert answer.error == "HTTP 500, with a body in Content-Encoding gzip"


def test_identity_spelled_out_is_no_encoding(ask):
    assert ask(says(GOOD, headers="Content-Encoding: Identity\r\n")).error is None
