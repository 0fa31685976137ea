"""Signing in and out."""

from django.contrib.auth.models import User
from django.test import Client

from tests.review.pages import text_of

RIGHT = {"username": "vera", "password": "a long enough password"}


def test_the_right_password_leads_to_the_queue(client: Client, reviewer: User) -> None:
    assert client.post("/sign-in", RIGHT)["Location"] == "/"
    assert client.get("/").status_code == 200


def test_and_back_to_the_page_that_was_asked_for(client: Client, reviewer: User) -> None:
    assert 'name="next" value="/cycles"' in client.get("/sign-in?next=/cycles").content.decode()
    assert client.post("/sign-in", {**RIGHT, "next": "/cycles"})["Location"] == "/cycles"


def test_but_never_to_another_site(client: Client, reviewer: User) -> None:
    assert client.post("/sign-in", {**RIGHT, "next": "https://elsewhere.example/"})["Location"] == "/"


def test_the_wrong_password_is_refused_in_words(client: Client, reviewer: User) -> None:
    response = client.post("/sign-in", {**RIGHT, "password": "wrong"})
    assert response.status_code == 200
    assert "Name and password do not match." in text_of(response)
    assert "shapes.svg#stopped" in response.content.decode()


def test_empty_fields_are_refused(client: Client, db: None) -> None:
    assert text_of(client.post("/sign-in", {})).count("This field is required.") == 2


def test_somebody_signed_in_goes_straight_to_the_queue(vera: Client) -> None:
    assert vera.get("/sign-in")["Location"] == "/"


def test_signing_out_leads_to_the_door(vera: Client) -> None:
    assert vera.post("/sign-out")["Location"] == "/sign-in"
    assert vera.get("/").status_code == 302


def test_reading_signs_nobody_out(vera: Client) -> None:
    assert vera.get("/sign-out").status_code == 405
    assert vera.get("/").status_code == 200


def test_somebody_who_may_not_come_in_any_more_is_out(vera: Client, reviewer: User) -> None:
    User.objects.update(is_active=False)
    assert vera.get("/").status_code == 302
