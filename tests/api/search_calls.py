"""Calls of /v1/search, and what is read of their answers."""

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client

QUERY = "/v1/search/query"
LEGACY = "/v1/advisory-ai/search"


def send(client: Client, path: str, body: Any, **headers: str) -> HttpResponse:
    return client.post(path, json.dumps(body), "application/json", headers=headers)


def found(client: Client, q: str, path: str = QUERY, **more: Any) -> dict[str, Any]:
    response = send(client, path, {"q": q, **more})
    assert response.status_code == 200, response.content
    document: dict[str, Any] = response.json()
    return document


def ids(document: dict[str, Any]) -> list[str]:
    return [result["id"] for result in document["results"]]


def refused(response: HttpResponse, status: int = 400) -> dict[str, Any]:
    assert response.status_code == status, response.content
    error: dict[str, Any] = response.json()["error"]
    assert list(error)[:3] == ["code", "message", "field"]
    return error
