"""The pages of a request that cannot be read, and of one that failed here."""

import sys

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.defaults import server_error

from selftest.operating.database_faults import RETRY_AFTER_S, database_fault


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Names what is wrong where we refused it in our own words, and never what Django found suspicious."""
    fault = str(exception) if isinstance(exception, BadRequest) else ""
    return render(request, "400.html", {"fault": fault}, status=400)


def failed(request: HttpRequest) -> HttpResponse:
    """503 with what to do where the database cannot be used now; 500 for a fault of ours. Reads no row."""
    fault = database_fault(sys.exception())
    if fault is None:
        return server_error(request)
    return HttpResponse(
        render_to_string("503.html", {"reason": fault}), status=503, headers={"Retry-After": RETRY_AFTER_S}
    )
