"""Settings of an HTTP target that cannot work are refused, naming the field."""

import pytest

from selftest.targets.http.settings import HttpSettings
from selftest.targets.http.target import HttpTarget

BAD_SETTINGS = {
    "no scheme": ("base_url", {"base_url": "localhost:8000"}),
    "empty": ("base_url", {"base_url": ""}),
    "no host": ("base_url", {"base_url": "http://"}),
    "another scheme": ("base_url", {"base_url": "ftp://localhost"}),
    "a port too high": ("base_url", {"base_url": "http://localhost:70000"}),
    "port nought": ("base_url", {"base_url": "http://localhost:0"}),
    "a port of letters": ("base_url", {"base_url": "http://localhost:http"}),
    "a label too long": ("base_url", {"base_url": f"http://{'a' * 64}.org"}),
    "an empty label": ("base_url", {"base_url": "http://a..b"}),
    "half an address": ("base_url", {"base_url": "http://[::1"}),
    "a line break": ("base_url", {"base_url": "http://local\nhost"}),
    "far too long": ("base_url", {"base_url": "http://localhost/" + "a" * 70_000}),
    "a password": ("base_url", {"base_url": "http://me:pw@localhost"}),
    "a query": ("base_url", {"base_url": "http://localhost?x=1"}),
    "a surrogate": ("base_url", {"base_url": "http://localhost/\ud800"}),
    "a path without slash": ("path", {"path": "@elsewhere.org/"}),
    "a path too long": ("path", {"path": "/" + "a" * 70_000}),
    "a health path without slash": ("health_path", {"health_path": "health"}),
    "a key of two lines": ("api_key", {"api_key": "a\r\nX-Evil: 1"}),
    "a key beyond ASCII": ("api_key", {"api_key": "schlüssel"}),
    "no time": ("time_limit_s", {"time_limit_s": 0}),
    "too much time": ("time_limit_s", {"time_limit_s": 600.1}),
    "time that is no number": ("time_limit_s", {"time_limit_s": float("nan")}),
    "too many requests": ("requests_at_once", {"requests_at_once": 33}),
    "no requests": ("requests_at_once", {"requests_at_once": 0}),
    "a nameless question": ("query_field", {"query_field": ""}),
    "a nameless answer": ("result_field", {"result_field": ""}),
    "a gap in a path": ("source_used_field", {"source_used_field": "data..source"}),
}


@pytest.mark.parametrize(("named", "settings"), BAD_SETTINGS.values(), ids=BAD_SETTINGS)
def test_settings_that_cannot_be_are_refused_by_name(named, settings):
    with pytest.raises(ValueError, match=f"^{named}: "):
        HttpTarget(HttpSettings(**{"base_url": "http://localhost", **settings}))


@pytest.mark.parametrize("base_url", ["http://[::1]:8000", "https://bücher.example/api/", "http://10.0.0.7"])
def test_usual_addresses_are_taken(base_url):
    HttpTarget(HttpSettings(base_url)).close()
