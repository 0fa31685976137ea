"""Gunicorn's worker, which refuses in the API's shape of an error what never reaches Django.

Imported before the fork, so it loads neither Django nor the API.
"""

import json
from typing import Any

from gunicorn import util
from gunicorn.http import errors
from gunicorn.workers.gthread import ThreadWorker

# By what gunicorn raises, the special before the general: status, reason, code, message.
REFUSALS: list[tuple[type[Exception], int, str, str, str]] = [
    (errors.LimitRequestLine, 414, "URI Too Long", "uri_too_long", "the first line of the request is too long"),
    (
        errors.LimitRequestHeaders,
        431,
        "Request Header Fields Too Large",
        "headers_too_large",
        "the headers are too many or too long",
    ),
    (errors.ExpectationFailed, 417, "Expectation Failed", "expectation_failed", "this expectation is not known"),
    (errors.ForbiddenProxyRequest, 403, "Forbidden", "forbidden", "this call is not allowed"),
    (errors.UnsupportedTransferCoding, 501, "Not Implemented", "not_implemented", "this transfer coding is not known"),
    # Of these the fault is ours.
    (errors.ConfigurationProblem, 500, "Internal Server Error", "internal_error", ""),
    (errors.InvalidResponseHeader, 500, "Internal Server Error", "internal_error", ""),
    (errors.InvalidResponseHeaderName, 500, "Internal Server Error", "internal_error", ""),
    (errors.ParseException, 400, "Bad Request", "bad_request", "the request could not be understood"),
    (Exception, 500, "Internal Server Error", "internal_error", ""),
]
OUR_FAULT = "something failed here; the log says what"


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Threads as gunicorn has them; only its refusals look otherwise."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Answers what cannot be read, or failed outside Django, and has the connection closed."""
        status, reason, code, message = next(row for kind, *row in REFUSALS if isinstance(exc, kind))
        if status == 500:
            self.log.error("Error handling a request", exc_info=exc)
        else:
            self.log.warning("Invalid request from ip=%s: %s", (addr or ("",))[0], exc)
        body = json.dumps({"error": {"code": code, "message": message or OUR_FAULT, "field": None}})
        head = f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: application/json\r\n"
        try:
            util.write_nonblock(client, f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        except OSError as fault:
            self.log.debug("The refusal could not be sent: %s", fault)
