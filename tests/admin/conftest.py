"""What the tests of the admin share: targets, a small history, and the forms as a browser would send them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.models import Actor, Combination, Cycle, Target
from selftest.operating.vocabularies import import_vocabulary
from selftest.reviewing.dismissal import dismiss
from tests.vocabularies import example_document

Submit = Callable[..., Any]


def make_target() -> Target:
    """The bundled router, with a fault that every answer from one source shows, and a vocabulary."""
    made = Target.objects.create(name="bundled", kind=Target.Kind.REFERENCE, reference_faults=["source_swapped"])
    import_vocabulary(made, example_document())
    return made


@pytest.fixture
def target(db: None) -> Target:
    return make_target()


@pytest.fixture
def http_target(db: None) -> Target:
    return Target.objects.create(
        name="over http", kind=Target.Kind.HTTP, base_url="http://127.0.0.1:9", api_key="sesame-opens-4711"
    )


def make_history(target: Target, person: User) -> Cycle:
    """A cycle with flags, and a dismissal with a note."""
    outcome = run_cycle(CycleRequest(target, Cycle.Trigger.COMMAND, count=40, seed=3))
    assert outcome.flagged
    flagged = Combination.objects.filter(ever_flagged=True).order_by("id").first()
    assert flagged is not None
    dismiss(flagged, Actor.person(person), "known <b>for years</b>")
    assert outcome.cycle is not None
    return outcome.cycle


@pytest.fixture
def history(target: Target, admin_user: User) -> Cycle:
    return make_history(target, admin_user)


def shown_values(response: Any) -> dict[str, Any]:
    """What the form on a page holds, as a browser would send it back."""
    form = response.context["adminform"].form
    values = {form[name].html_name: form[name].value() for name in form.fields}
    hidden = [form[name] for name, field in form.fields.items() if field.show_hidden_initial]
    values |= {field.html_initial_name: field.initial for field in hidden}
    return {
        name: "on" if value is True else value
        for name, value in values.items()
        if value is not None and value is not False
    }


@pytest.fixture
def submit(admin_client: Client) -> Submit:
    """Opens a page, changes some of its fields (None: cleared) and sends its form; the page that follows."""

    def send(url: str, **changes: Any) -> Any:
        values = shown_values(admin_client.get(url)) | changes
        return admin_client.post(url, {k: v for k, v in values.items() if v is not None}, follow=True)

    return send


def page_of(row: Any) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def text_of(response: Any) -> str:
    text: str = response.content.decode()
    return text
