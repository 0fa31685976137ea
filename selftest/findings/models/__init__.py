"""The rows: what was learnt, what became of it and why, what awaits a person, and how it is compared and checked."""

from selftest.findings.models.act import Act
from selftest.findings.models.example import CheckingRound, Example, ExampleCheck
from selftest.findings.models.finding import Finding, Subject
from selftest.findings.models.proposal import Proposal
from selftest.findings.models.settings import FindingSettings

__all__ = ["Act", "CheckingRound", "Example", "ExampleCheck", "Finding", "FindingSettings", "Proposal", "Subject"]
