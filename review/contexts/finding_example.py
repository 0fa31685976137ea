"""The example of a claim: what is asked, what should be seen, how that went; and the form that gives one."""

from dataclasses import dataclass, replace
from datetime import datetime

from review.contexts.choices import SelectOption
from review.contexts.findings import GUARANTEE_OF, name_of_check
from review.contexts.learnt import AboutLink
from review.page_urls import cause_url, combination_url
from selftest.findings.core.categories import Scope, subject_of
from selftest.findings.core.expectations import OF_CHECKS, Expect, Expectation
from selftest.findings.examples import PHRASE_CHARACTERS, QUERY_CHARACTERS, expectation_of
from selftest.findings.listing import known_sources
from selftest.findings.models import Example, ExampleCheck, Finding
from selftest.findings.models.example import Outcome
from selftest.findings.reading import example_on

SHOWN_CHECKS = 10
OF_CAUSE, OF_COMBINATION = "cause", "combination"

EXPECT_WORDS = {
    Expect.SOURCES: "comes from these sources alone",
    Expect.HEADER: "has the header of this source",
    Expect.NO_HEADER: "has no header of this source",
    Expect.PHRASE: "holds this phrase",
    Expect.NO_PHRASE: "does not hold this phrase",
    Expect.FLAGGED: "is flagged by this check",
    Expect.NOT_FLAGGED: "is not flagged by this check",
}


@dataclass(frozen=True)
class CheckLine:
    """One time that it was asked. version: "" where the target tells none."""

    outcome: str
    is_broken: bool
    counted: str
    version: str
    note: str
    at: datetime

    @classmethod
    def of(cls, row: ExampleCheck) -> "CheckLine":
        """In words."""
        counted = f"{row.held} of {row.tries}" if row.tries else ""
        label = str(Outcome(row.outcome).label)
        return cls(label, row.outcome == Outcome.BROKEN, counted, row.version, row.note, row.at)


@dataclass(frozen=True)
class ExampleShown:
    """expected: said of the answer. whose: the cause or the combination that the query is of, None for free text.

    checks: the newest first; times_checked: all that there ever were.
    """

    query: str
    expected: str
    whose: AboutLink | None
    target: str
    checks: tuple[CheckLine, ...]
    times_checked: int


@dataclass(frozen=True)
class ExampleFields:
    """What stands in the fields of the form. query_of: whose query is taken; "" for that of the text."""

    query: str = ""
    query_of: str = ""
    expect: str = str(Expect.SOURCES)
    named: str = ""


@dataclass(frozen=True)
class ExampleForm:
    """names: what can be named, of sources and checks. trouble: why it was not kept, "" before it was tried."""

    fields: ExampleFields
    queries: tuple[SelectOption, ...]
    expects: tuple[SelectOption, ...]
    names: tuple[SelectOption, ...]
    query_limit: int
    named_limit: int
    trouble: str

    @property
    def is_open(self) -> bool:
        """Whether it was tried."""
        return bool(self.trouble)


def example_shown(row: Finding) -> ExampleShown | None:
    """None for a finding without an example."""
    example = example_on(row)
    if example is None:
        return None
    checks = tuple(map(CheckLine.of, example.checks.order_by("-id")[:SHOWN_CHECKS]))
    said = str(_by_its_name(expectation_of(example)))
    return ExampleShown(example.query_text, said, _whose(example), example.target.name, checks, example.times_checked)


def example_form(row: Finding, fields: ExampleFields | None = None, trouble: str = "") -> ExampleForm | None:
    """None for a finding that is no claim. fields: as they were sent; else as the example has them."""
    subject = subject_of(row.category)
    if subject is None or subject.scope is not Scope.CLAIM:
        return None
    shown = fields or _fields_of(row, example_on(row))
    of = [(OF_CAUSE, "of the cause", row.cause_id), (OF_COMBINATION, "of the combination", row.combination_id)]
    queries = [("", "this one"), *((value, words) for value, words, number in of if number)]
    checks = [SelectOption(check, name_of_check(check), False) for check in GUARANTEE_OF]
    return ExampleForm(
        fields=shown,
        queries=tuple(SelectOption(value, words, value == shown.query_of) for value, words in queries),
        expects=tuple(SelectOption(kind, words, kind == shown.expect) for kind, words in EXPECT_WORDS.items()),
        names=(*(SelectOption(source, "", False) for source in known_sources(row)), *checks),
        query_limit=QUERY_CHARACTERS,
        named_limit=PHRASE_CHARACTERS,
        trouble=trouble,
    )


def _fields_of(row: Finding, example: Example | None) -> ExampleFields:
    if example is None:
        return ExampleFields(query_of=OF_CAUSE if row.cause_id else OF_COMBINATION if row.combination_id else "")
    query = example.query_text if example.query is None else ""
    is_of_cause = example.cause_id is not None and example.cause_id == row.cause_id
    query_of = "" if query else OF_CAUSE if is_of_cause else OF_COMBINATION
    return ExampleFields(query, query_of, example.expect, ", ".join(example.named))


def _whose(example: Example) -> AboutLink | None:
    if example.cause_id is not None:
        return AboutLink("the cause", f"cause {example.cause_id}", cause_url(example.cause_id))
    if example.combination_id is not None:
        words = f"combination {example.combination_id}"
        return AboutLink("the combination", words, combination_url(example.combination_id, ""))
    return None


def _by_its_name(expected: Expectation) -> Expectation:
    """With a check as pages name it."""
    if expected.kind not in OF_CHECKS:
        return expected
    return replace(expected, named=tuple(f"“{name_of_check(check)}”" for check in expected.named))
