"""A browser page that keeps what went wrong on it: console errors, script errors and refusals of the CSP."""

from dataclasses import dataclass, field

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import ConsoleMessage, Page, Request

CSP_WATCH = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`CSP: ${event.violatedDirective} refused ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});
"""

PARTS_OF_A_PAGE = ("script", "stylesheet", "image", "font", "other")

QUIET_MS = 50  # an answer that has come may ask for something in turn


@dataclass
class Watch:
    """expected: parts of messages that a test provokes on purpose."""

    faults: list[str] = field(default_factory=list)
    expected: tuple[str, ...] = ()
    in_flight: set[Request] = field(default_factory=set)

    def on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.note(message.text)

    def on_failed(self, request: Request) -> None:
        if request.failure == "net::ERR_ABORTED" and request.resource_type in PARTS_OF_A_PAGE:
            return  # the page was left before all its parts came; a file that is missing or refused fails otherwise
        self.note(f"{request.url}: {request.failure}")

    def on_request(self, request: Request) -> None:
        self.in_flight.add(request)

    def on_over(self, request: Request) -> None:
        self.in_flight.discard(request)

    def settle(self, page: Page) -> None:
        """Waits until the page loads nothing more: to leave it before would break that off, and that is a fault.

        Playwright's own "networkidle" waits for half a second without a request, on each page.
        """
        page.wait_for_timeout(QUIET_MS)
        while self.in_flight:
            page.wait_for_timeout(QUIET_MS)

    def note(self, text: str) -> None:
        if not any(part in text for part in self.expected):
            self.faults.append(text)


def watch(page: Page) -> Watch:
    watching = Watch()
    page.on("console", watching.on_console)
    page.on("pageerror", lambda error: watching.note(str(error)))
    page.on("requestfailed", watching.on_failed)
    page.on("request", watching.on_request)
    for over in ("requestfinished", "requestfailed"):
        page.on(over, watching.on_over)
    page.add_init_script(CSP_WATCH)
    return watching


def sign_in(page: Page, address: str, name: str = "vera") -> None:
    """Leaves the page at the queue, with the session that signing in would have given."""
    client = Client()
    client.force_login(User.objects.get(username=name), "django.contrib.auth.backends.ModelBackend")
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": key, "url": address}])
    page.goto(f"{address}/flags")
