"""The example of a claim: given, replaced or removed on the page of the finding."""

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from review.contexts.finding_example import OF_CAUSE, OF_COMBINATION, ExampleFields
from review.contexts.finding_page import finding_page
from review.contexts.learnt import finding_url
from review.roles import MAY_REVIEW
from review.toasts import Toast, add
from review.views.pages import Request, actor, reviewer, show
from selftest.findings import reading, saving
from selftest.findings.core.expectations import OF_PHRASES, Expect, Expectation
from selftest.findings.examples import ExampleDraft
from selftest.findings.models import Finding
from selftest.refusals import RefusedError, UnknownError


@require_POST
@reviewer
def put(request: Request, pk: int) -> HttpResponseBase:
    """In place of the one that the claim has."""
    row, fields = _found(pk), _sent(request)
    try:
        saving.put_example(row, _draft(row, fields), actor(request))
    except RefusedError as refusal:
        text = str(refusal)
        page = finding_page(row, request.user.has_perm(MAY_REVIEW), fields, f"{text[:1].upper()}{text[1:]}.")
        return show(request, "review/finding.html", page)
    add(request, Toast(f"example-{pk}", "Example kept. It is asked within the hour.", page=finding_url(pk)))
    return redirect(finding_url(pk))


@require_POST
@reviewer
def drop(request: Request, pk: int) -> HttpResponse:
    """The claim is not checked any more."""
    if saving.drop_example(_found(pk), actor(request)):
        add(request, Toast(f"example-{pk}", "Example removed.", page=finding_url(pk)))
    return redirect(finding_url(pk))


def _found(pk: int) -> Finding:
    try:
        return reading.finding_numbered(pk)
    except UnknownError as unknown:
        raise Http404("no such finding") from unknown


def _sent(request: Request) -> ExampleFields:
    return ExampleFields(
        query=request.POST.get("query", "").replace("\r\n", "\n").strip(),
        query_of=request.POST.get("of", ""),
        expect=request.POST.get("expect", ""),
        named=request.POST.get("named", "").strip(),
    )


def _draft(row: Finding, fields: ExampleFields) -> ExampleDraft:
    if fields.expect not in list(Expect):
        raise BadRequest(f"expect: {fields.expect!r} is unknown; known are {', '.join(Expect)}")
    kind = Expect(fields.expect)
    named = [fields.named] if kind in OF_PHRASES else fields.named.split(",")
    expected = Expectation(kind, tuple(one.strip() for one in named if one.strip()))
    if fields.query_of == OF_CAUSE:
        return ExampleDraft(expected, cause=row.cause)
    if fields.query_of == OF_COMBINATION:
        return ExampleDraft(expected, combination=row.combination)
    return ExampleDraft(expected, query=fields.query)
