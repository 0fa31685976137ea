"""Further headers of a request: which may be set, and that they are sent."""

import pytest

from selftest.targets.http.settings import HttpSettings
from tests.targets.http.scripts import GOOD, says


def test_headers_and_secret_headers_are_sent_with_each_request(server, ask) -> None:
    ask(
        says(GOOD),
        headers="X-Team: search\n\n  User-Agent :  gadfly for the search team \n",
        secret_headers="Authorization: Bearer tok_0123456789",
    )
    sent = server.requests[0].headers
    assert (sent["x-team"], sent["authorization"]) == ("search", "Bearer tok_0123456789")
    assert sent["user-agent"] == "gadfly for the search team"
    assert sent["x-selftest"] == "1"


@pytest.mark.parametrize("column", ["headers", "secret_headers"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hush-hush", "line 1 must look like Name: value"),
        ("X-Team: search\nX Team: hush-hush", "line 2 must look like Name: value"),
        ("X-Team:", "the value of 'X-Team' must be printable ASCII"),
        ("X-Team: hush-hush\x00", "the value of 'X-Team' must be printable ASCII"),
        ("X-Team: hush-hush é", "the value of 'X-Team' must be printable ASCII"),
        ("X-Team: hush-hush" + "x" * 2000, "of 2000 characters at most"),
        ("x-api-key: hush-hush", "'x-api-key' cannot be set; the API key has a field of its own"),
        ("Host: hush-hush", "'Host' cannot be set; Gadfly sets it itself"),
        ("Transfer-Encoding: hush-hush", "'Transfer-Encoding' cannot be set"),
        ("X-Selftest: hush-hush", "'X-Selftest' cannot be set"),
        ("X-Team: hush-hush\nx-team: hush-hush", "'x-team' is there twice"),
    ],
)
def test_what_is_no_header_or_is_ours_is_refused_without_its_value(column: str, text: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{column}: ") as refusal:
        HttpSettings("http://127.0.0.1:9", **{column: text})
    assert said in str(refusal.value)
    assert "hush-hush" not in str(refusal.value)


def test_a_header_is_either_secret_or_not() -> None:
    with pytest.raises(ValueError, match="'authorization' is among the other headers too"):
        HttpSettings("http://127.0.0.1:9", headers="Authorization: a", secret_headers="authorization: b")


def test_secret_headers_are_not_shown_with_the_settings() -> None:
    assert "hush-hush" not in repr(HttpSettings("http://127.0.0.1:9", secret_headers="X-Team: hush-hush"))
