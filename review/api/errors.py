"""One shape for every error of the API: {"error": {"code", "message", "field"}}."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class OneErrorShapeMiddleware:
    """Placeholder body replaced below by the API's own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)
