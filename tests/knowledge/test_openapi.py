"""Descriptions of APIs as operations."""

import shlex

import pytest

from selftest.knowledge.core import openapi
from selftest.knowledge.core.documents import DocumentRefusedError, structure_of
from selftest.knowledge.core.openapi import read_api

OPENAPI = """
openapi: 3.1.0
info: {title: Kettle, version: "2"}
servers: [{url: "https://kettle.example/v2"}]
security: [{key: []}]
paths:
  /boil/{cup}:
    parameters:
      - {$ref: "#/components/parameters/Cup"}
    post:
      operationId: boil
      summary: Boil it
      tags: [Water]
      requestBody:
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Wish"}
      responses:
        200: {description: Hot}
components:
  parameters:
    Cup: {name: cup, in: path, required: true, description: Which cup, schema: {type: integer}}
  schemas:
    Wish:
      type: object
      required: [degrees]
      properties:
        degrees: {type: integer, description: How hot}
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Kettle}
"""


def test_an_operation_of_openapi_in_yaml() -> None:
    api = read_api(structure_of(OPENAPI, "k.yaml"), "k.yaml")
    [boil] = api.operations
    assert boil.title == "POST /v2/boil/{cup} — Boil it"
    assert boil.operation_id == "boil"
    assert boil.tags == ("Water",)
    assert boil.text == (
        "Boil it\ncup (in path, required): Which cup\n"
        "Request application/json: degrees (How hot)\n200: Hot\nSecurity: key"
    )
    assert boil.details["parameters"] == [
        {"name": "cup", "in": "path", "required": True, "description": "Which cup", "schema": {"type": "integer"}}
    ]
    assert boil.details["request"]["content"]["application/json"]["schema"]["required"] == ["degrees"]
    assert boil.details["security"] == [{"key": []}]
    assert boil.curl == (
        "curl -sS -X POST https://kettle.example'/v2/boil/{cup}' -H 'X-Kettle: '\"$API_KEY\" "
        "-H 'Content-Type: application/json' -d '{\"degrees\": 0}'"
    )


def test_an_operation_of_swagger_2() -> None:
    swagger = {
        "swagger": "2.0",
        "info": {"title": "Cups", "version": "1"},
        "host": "cups.example",
        "basePath": "/v1",
        "paths": {
            "/cups": {
                "put": {
                    "parameters": [{"in": "body", "name": "b", "schema": {"$ref": "#/definitions/Cup"}}],
                    "responses": {"200": {"description": "ok", "schema": {"$ref": "#/definitions/Cup"}}},
                }
            }
        },
        "definitions": {"Cup": {"type": "object", "properties": {"size": {"type": "string"}}}},
    }
    [put] = read_api(swagger, "cups.json").operations
    assert (put.method, put.path, put.anchor) == ("PUT", "/v1/cups", "put-v1-cups")
    assert put.details["request"]["content"]["application/json"]["schema"]["properties"] == {"size": {"type": "string"}}
    assert put.details["responses"]["200"]["schema"]["x-ref"] == "#/definitions/Cup"


def test_a_pasted_command_runs_nothing_that_the_description_says() -> None:
    hostile = "/a';touch x;'\n$(id)`id`"
    api = read_api({"openapi": "3.0.0", "paths": {hostile: {"get": {}}}, "servers": [{"url": "https://a;id"}]}, "h")
    [operation] = api.operations
    words = shlex.split(operation.curl)
    assert "\n" not in operation.curl
    assert words[:2] == ["curl", "-sS"]
    assert len(words) == 3


@pytest.mark.parametrize(
    "value",
    [
        {"openapi": 1, "paths": []},
        {"openapi": "3", "paths": {"/a": None, "/b": {"get": []}, "/d": {"$ref": "#/paths/~1d"}}, "servers": ["x"]},
    ],
)
def test_what_is_not_as_the_format_has_it_is_left_out(value: object) -> None:
    assert read_api(value, "odd.json").operations == ()


def test_odd_values_inside_an_operation_are_read_as_nothing() -> None:
    odd = {"parameters": "x", "responses": [1], "tags": {}, "security": 5, "requestBody": {"content": []}}
    [operation] = read_api({"openapi": "3", "paths": {"/c": {"get": odd}}}, "odd.json").operations
    assert operation.details["parameters"] == []
    assert operation.text == ""


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://shop.example/v2/", "/v2/orders"),
        ("/v2", "/v2/orders"),
        ("https://shop.example", "/orders"),
        ("https://{region}.shop.example/v2", "/orders"),
        ("javascript:alert(1)//", "/orders"),
    ],
)
def test_the_path_of_a_server_stands_before_that_of_an_operation(url: str, path: str) -> None:
    described = {"openapi": "3", "servers": [{"url": url}], "paths": {"/orders": {"get": {}}}}
    [operation] = read_api(described, "shop.json").operations
    assert operation.details["path"] == path


def test_what_describes_no_api_is_refused() -> None:
    with pytest.raises(DocumentRefusedError, match=r"^x\.json is no description of an API"):
        read_api({"name": "x"}, "x.json")


@pytest.mark.parametrize(
    ("item", "referred"),
    [
        pytest.param(
            {"$ref": "#/x"}, {"get": {"parameters": [{"name": f"p{n}"} for n in range(5_000)]}}, id="parameters"
        ),
        pytest.param({"$ref": "#/x"}, {"get": {"description": "word " * 100_000}}, id="a long text"),
        pytest.param({"$ref": "#/x"}, {"get": {"security": [{f"s{n}": [] for n in range(5_000)}]}}, id="security"),
        pytest.param(
            {"post": {"requestBody": {"content": {"a/json": {"schema": {"$ref": "#/x"}}}}}},
            {"example": ["word " * 100] * 5_000},
            id="an example",
        ),
        pytest.param(
            {"post": {"requestBody": {"$ref": "#/x"}}},
            {"content": {f"a/{n}": {"schema": {"$ref": "#/x"}} for n in range(2_000)}},
            id="types of content",
        ),
    ],
)
def test_few_lines_that_references_repeat_too_often_are_refused(
    item: object, referred: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openapi, "MOST_STEPS", 200_000)  # for the time of the test
    value = {"openapi": "3.0.0", "paths": {f"/{n}": item for n in range(250)}, "x": referred}
    with pytest.raises(DocumentRefusedError, match="repeats too much by references"):
        read_api(value, "bomb.json")


def test_operations_of_one_name_have_anchors_of_their_own_and_too_many_are_refused_soon() -> None:
    value = {"openapi": "3.0.0", "paths": {f"/{n:06}": {"get": {"operationId": "same"}} for n in range(100_000)}}
    with pytest.raises(DocumentRefusedError, match="more than 5,000 operations"):
        read_api(value, "long.json")
    few = {**value, "paths": dict(list(value["paths"].items())[:3])}
    assert [one.anchor for one in read_api(few, "short.json").operations] == ["same", "same-1", "same-2"]


def test_required_names_that_are_no_text_are_left_out() -> None:
    schema = {"required": [["cup"], {}, "cup"], "properties": {"cup": {"type": "integer"}}}
    operation = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    [boil] = read_api({"openapi": "3.0.0", "paths": {"/boil": {"post": operation}}}, "k.json").operations
    assert boil.curl.endswith("""-d '{"cup": 0}'""")
