"""Examples that claims may carry: what one has to say before it is kept, and its row."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.findings.core.categories import Scope, subject_of
from selftest.findings.core.expectations import OF_CHECKS, OF_PHRASES, OF_SOURCES, Expect, Expectation
from selftest.findings.models import Example, Finding
from selftest.models import Cause, Combination, Target
from selftest.reading.causes import example_queries
from selftest.refusals import RefusedError
from selftest.storage.serialization import query_of
from selftest.storage.texts import storable

QUERY_CHARACTERS = 4_000
PHRASE_CHARACTERS = 500
MOST_SOURCES = 20


@dataclass(frozen=True)
class ExampleDraft:
    """An example that is to be kept: the smallest query of a cause, the query of a combination, or any text."""

    expected: Expectation
    query: str = ""
    cause: Cause | None = None
    combination: Combination | None = None


def expectation_of(row: Example) -> Expectation:
    """What should be seen in the answer."""
    return Expectation(Expect(row.expect), tuple(row.named))


def columns_of(expected: Expectation) -> dict[str, Any]:
    """The columns that hold it."""
    return {"expect": str(expected.kind), "named": list(expected.named)}


def example_of(finding: Finding, draft: ExampleDraft) -> Example:
    """Its row, not saved. Raises RefusedError for what could not be asked or would say nothing."""
    subject = subject_of(finding.category)
    if subject is None or subject.scope is not Scope.CLAIM:
        raise RefusedError("only a claim can have an example: its category is claim/capability/TARGET/SUBJECT")
    if sum(map(bool, (draft.query.strip(), draft.cause, draft.combination))) != 1:
        raise RefusedError("an example has one query: a text, that of a cause or that of a combination")
    target = _target(finding, draft)
    document, text = _query(draft)
    _check(draft, document, text)
    if draft.expected.kind in OF_SOURCES:
        _check_sources(target, draft.expected.named)
    return Example(
        finding=finding,
        target=target,
        cause=draft.cause,
        combination=draft.combination,
        query=document,
        query_text=text,
        created_at=timezone.now(),
        **columns_of(draft.expected),
    )


def successor_of(finding: Finding, old: Example | None, columns: dict[str, Any] | None) -> Example | None:
    """The example of what is accepted instead of a claim: its query, and what was seen; None: nothing to expect."""
    if old is None or columns is None:
        return None
    return Example(
        finding=finding,
        target=old.target,
        cause=old.cause,
        combination=old.combination,
        query=old.query,
        query_text=old.query_text,
        created_at=timezone.now(),
        **columns,
    )


def _target(finding: Finding, draft: ExampleDraft) -> Target:
    about = draft.cause or draft.combination
    target = about.target if about else finding.target or _named_by(finding.category)
    if target is None:
        raise RefusedError("an example needs a target; say which one the claim is about")
    if finding.target is not None and finding.target != target:
        raise RefusedError(f"the example is of target {target}, and the claim is about {finding.target}")
    return target


def _named_by(category: str) -> Target | None:
    return Target.objects.filter(name__iexact=category.split("/")[2].strip()).order_by("pk").first()


def _query(draft: ExampleDraft) -> tuple[dict[str, Any] | None, str]:
    if draft.combination is not None:
        return draft.combination.query, query_of(draft.combination.query).text
    if draft.cause is None:
        return None, draft.query.strip()
    example = example_queries([draft.cause]).get(draft.cause.pk)
    if example is None:
        raise RefusedError(f"cause {draft.cause.pk} has no query any more")
    parts = [list(part.document) for part in example.parts]
    return {"recipe": example.flag.run.document["recipe"], "parts": parts}, example.text


def _check(draft: ExampleDraft, document: dict[str, Any] | None, text: str) -> None:
    kind, named = draft.expected.kind, draft.expected.named
    if len(text) > QUERY_CHARACTERS:
        raise RefusedError(f"the query has {len(text)} characters; the limit is {QUERY_CHARACTERS}")
    if any(storable(one) != one for one in (text, *named)):
        raise RefusedError("the text holds a NUL or half a character, which cannot be kept")
    if not named or not all(one.strip() for one in named):
        raise RefusedError("the example does not say what should be seen: name a source, a phrase or a check")
    if kind is not Expect.SOURCES and len(named) != 1:
        raise RefusedError("name just one header, phrase or check")
    if kind in OF_PHRASES and len(named[0]) > PHRASE_CHARACTERS:
        raise RefusedError(f"the phrase has {len(named[0])} characters; the limit is {PHRASE_CHARACTERS}")
    if kind in OF_CHECKS and named[0] not in list(CheckName):
        raise RefusedError(f"there is no check {named[0]!r}; known are {', '.join(CheckName)}")
    if kind in OF_CHECKS and document is None:
        raise RefusedError("a check needs a query of which each part is known: name a cause or a combination")


def _check_sources(target: Target, named: Sequence[str]) -> None:
    version = target.vocabularies.filter(in_force=True).first()
    known = sorted(version.content["headers"]) if version else []
    if len(named) > MOST_SOURCES or (unknown := sorted(set(named) - set(known))):
        shown = f"{unknown[0]!r} is no source of {target}" if len(named) <= MOST_SOURCES else "too many sources"
        raise RefusedError(f"{shown}; known are {', '.join(known) or 'none, as it has no vocabulary'}")
