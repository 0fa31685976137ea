"""The client holds to the OpenAPI document: each call of /api/v1 and /v1/search, each field of what is sent."""

import inspect
import re
from typing import Any, get_args, get_type_hints

import pytest
from django.test import Client as DjangoClient
from pydantic import BaseModel, TypeAdapter

from review.client import models, operations
from review.client.operations import Operation

pytestmark = pytest.mark.django_db

ROOMS = ("/api/v1/", "/v1/search/")
OPEN_WORDS = {"kind", "check", "recipe", "cause"}  # they grow, and are read as any text
EXAMPLES = {int: 7, str: "words", bool: True}

Shape = dict[str, Any]


@pytest.fixture
def document(caller: DjangoClient) -> Shape:
    found: Shape = caller.get("/api/v1/openapi.json").json()
    return found


def calls(document: Shape) -> dict[str, tuple[str, str, Shape]]:
    """operationId → method, path, operation; of these rooms alone."""
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        if path.startswith(ROOMS)
        for method, operation in methods.items()
    }


def functions() -> dict[str, Any]:
    """The public functions of the client's table."""
    return {
        name: function
        for name, function in inspect.getmembers(operations, inspect.isfunction)
        if not name.startswith("_") and function.__module__ == operations.__name__
    }


def shape_of(schema: Shape, defs: Shape, name: str = "") -> Any:
    """What a schema allows, without words, limits and names: equal for equal types."""
    if "allOf" in schema:
        [schema] = schema["allOf"]
    if "$ref" in schema:
        return shape_of(defs[schema["$ref"].rpartition("/")[2]], defs, name)
    if "anyOf" in schema:
        return ("any of", *sorted((shape_of(one, defs, name) for one in schema["anyOf"]), key=repr))
    kind = schema.get("type")
    if kind == "object" and "properties" in schema:
        required = set(schema.get("required", ()))
        fields = {field: (field in required, shape_of(one, defs, field)) for field, one in schema["properties"].items()}
        return (kind, schema.get("additionalProperties", True), tuple(sorted(fields.items())))
    if kind == "array":
        items = schema.get("prefixItems") or [schema["items"]]
        return (kind, "prefixItems" in schema, *(shape_of(one, defs, name) for one in items))
    words = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    return (kind, schema.get("format"), () if name in OPEN_WORDS else tuple(sorted(words)))


def shape_of_type(kind: Any, name: str = "") -> Any:
    schema = TypeAdapter(kind).json_schema()
    return shape_of(schema, schema.get("$defs", {}), name)


def answer_of(function: Any) -> type[BaseModel]:
    hint = get_type_hints(function)["return"]
    return get_args(hint)[0]


def build(function: Any) -> Operation[Any]:
    """With something for each parameter that has to be given."""
    hints = get_type_hints(function)
    given: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.default is not inspect.Parameter.empty:
            continue
        kind = hints[name]
        given[name] = kind.model_construct() if issubclass(kind, BaseModel) else EXAMPLES[kind]
    return function(**given)


def test_every_call_of_the_document_is_in_the_table_and_no_other(document: Shape) -> None:
    assert sorted(functions()) == sorted(calls(document))


def test_each_call_has_its_name_method_and_path(document: Shape) -> None:
    for name, (method, path, _) in calls(document).items():
        operation = build(functions()[name])
        assert operation.name == name
        at = f"/{operation.room}{operation.path}"
        assert (operation.method, at) == (method, re.sub(r"\{\w+\}", "7", path)), name
        assert (operation.key is None) == (method == "GET" or operation.changes_once), name
        assert operation.changes_once == (operation.room == "v1/search/"), name
        assert operation.answer is answer_of(functions()[name])


def test_each_call_takes_the_parameters_of_the_document(document: Shape) -> None:
    schemas = document["components"]["schemas"]
    for name, (_, _, told) in calls(document).items():
        hints = get_type_hints(functions()[name])
        hints.pop("return")
        hints.pop("asked", None)
        wanted = {one["name"]: one for one in told["parameters"] if one["in"] != "header"}
        assert set(hints) == set(wanted), name
        for parameter, one in wanted.items():
            told_shape = _without_null(shape_of(one["schema"], schemas, parameter))
            assert _without_null(shape_of_type(hints[parameter], parameter)) == told_shape, (name, parameter)


def test_each_body_has_the_fields_of_the_document(document: Shape) -> None:
    schemas = document["components"]["schemas"]
    for name, (_, _, told) in calls(document).items():
        body = told.get("requestBody")
        hint = get_type_hints(functions()[name]).get("asked")
        assert (body is None) == (hint is None), name
        if body is not None:
            assert shape_of_type(hint) == shape_of(body["content"]["application/json"]["schema"], schemas), name


def test_each_answer_has_the_fields_of_the_document(document: Shape) -> None:
    schemas = document["components"]["schemas"]
    for name, (_, _, told) in calls(document).items():
        for status, answer in told["responses"].items():
            kind = answer_of(functions()[name]) if status < "400" else models.ErrorOut
            schema = answer["content"]["application/json"]["schema"]
            told_shape = _any_more(shape_of(schema, schemas))
            assert _any_more(shape_of_type(kind)) == told_shape, (name, status)


def test_a_filter_is_sent_under_its_own_name(document: Shape) -> None:
    for name, (_, _, told) in calls(document).items():
        filters = [one["name"] for one in told["parameters"] if one["in"] == "query"]
        given = {one: f"the {one}" for one in filters}
        function = functions()[name]
        numbers = [7] * sum(one["in"] == "path" for one in told["parameters"])
        if filters:
            assert function(*numbers, **given).query == given, name


def _any_more(shape: Any) -> Any:
    """What an answer has beyond its fields is left out, whether the document allows more or not."""
    if not isinstance(shape, tuple):
        return shape
    if shape[:1] == ("object",) and len(shape) == 3:
        return ("object", True, _any_more(shape[2]))
    return tuple(map(_any_more, shape))


def _without_null(shape: Any) -> Any:
    """Not to send a parameter is null in the client."""
    if isinstance(shape, tuple) and shape[0] == "any of":
        kept = [one for one in shape[1:] if one[0] != "null"]
        return kept[0] if len(kept) == 1 else ("any of", *kept)
    return shape
