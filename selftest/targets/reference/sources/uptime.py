"""Whether services answer: each is really connected to. Reports the services that it is given; looks for no others."""

import socket
from collections.abc import Sequence
from time import perf_counter

from selftest.targets.reference.loopback import Service
from selftest.targets.reference.phrases import words
from selftest.targets.reference.steps import FoundItem, Question

CONNECT_TIMEOUT_S = 0.25  # loopback answers in well under a millisecond; longer than this is down
SPEEDS_MS = (5, 50, 250)  # coarse, so that two reports of a healthy service read alike


def uptime(question: Question, services: Sequence[Service]) -> tuple[FoundItem, ...]:
    """Those of `services` that the question names, all of them where it names none."""
    asked = set(words(question.text))
    named = [service for service in services if set(words(service.name)) <= asked]
    return tuple(_report(service) for service in named or services)


def _report(service: Service) -> FoundItem:
    return FoundItem(
        f"service:{service.name}:{service.port}", f"- {service.name} (port {service.port}): {_state(service)}"
    )


def _state(service: Service) -> str:
    start = perf_counter()
    try:
        socket.create_connection((service.host, service.port), timeout=CONNECT_TIMEOUT_S).close()
    except TimeoutError:
        return f"down, silent for {CONNECT_TIMEOUT_S * 1000:.0f} ms"
    except OSError as refusal:
        return f"down, {(refusal.strerror or 'unreachable').casefold()}"
    took_ms = (perf_counter() - start) * 1000
    return f"up, answered within {next((limit for limit in SPEEDS_MS if took_ms <= limit), SPEEDS_MS[-1])} ms"
