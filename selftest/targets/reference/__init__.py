"""The bundled reference target: a real, small search router with faults that can be switched on."""

from selftest.targets.reference.app import create_app, serve
from selftest.targets.reference.bundled import reference_document, reference_vocabulary
from selftest.targets.reference.faults import FAULTS, Fault
from selftest.targets.reference.steps import Routed
from selftest.targets.reference.target import VERSION, ReferenceTarget

__all__ = [
    "FAULTS",
    "VERSION",
    "Fault",
    "ReferenceTarget",
    "Routed",
    "create_app",
    "reference_document",
    "reference_vocabulary",
    "serve",
]
