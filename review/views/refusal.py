"""The page of a request that cannot be read."""

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Names what is wrong where we refused it in our own words, and never what Django found suspicious."""
    fault = str(exception) if isinstance(exception, BadRequest) else ""
    return render(request, "400.html", {"fault": fault}, status=400)
