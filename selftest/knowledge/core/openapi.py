"""A description of an API as operations that search finds: OpenAPI 3.0 and 3.1, Swagger 2. Pure: values in and out."""

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from selftest.knowledge.core.documents import DocumentRefusedError

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
MOST_OPERATIONS = 5_000
MOST_STEPS = 10_000_000  # values that are looked at, each as often as a reference leads to it; some ten seconds
CHARACTERS_A_STEP = 100  # of text
LARGEST_STRUCTURE = 8_000  # characters of JSON kept of the request, the responses or the security of an operation
LONGEST_BODY = 6_000  # characters of text that one operation is found by
MOST_TAGS = 50  # of an operation
MOST_PROPERTIES = 60  # of a body, named in the text
BASE_URL = '"$BASE_URL"'  # where a description names no server

_SPACES = re.compile(r"\s+")
_SERVER_PATH = re.compile(r"(?:https?://[^/{}]*)?((?:/[^{}]*)?)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Operation:
    """One call. text: what a person would read of it. details: its structures, as the description has them.

    path: with that of the server before it. curl: a command that sends it, safe to paste. anchor: its own in its
    document.
    """

    method: str
    path: str
    operation_id: str
    summary: str
    anchor: str
    tags: tuple[str, ...]
    text: str
    curl: str
    details: Mapping[str, Any]

    @property
    def title(self) -> str:
        """`GET /path — summary`."""
        return f"{self.method} {self.path}" + (f" — {self.summary}" if self.summary else "")


@dataclass(frozen=True, slots=True)
class ApiDescription:
    """All operations of a description, in the order of paths and methods."""

    title: str
    version: str
    operations: tuple[Operation, ...]


def is_description(value: Any) -> bool:
    """Whether it says of itself that it describes an API."""
    return isinstance(value, Mapping) and ("openapi" in value or "swagger" in value) and "paths" in value


def read_api(value: Any, name: str) -> ApiDescription:
    """value: of structure_of(). What is not as the format has it is left out. Raises DocumentRefusedError."""
    if not is_description(value):
        raise DocumentRefusedError(
            f"{name} is no description of an API: it lacks openapi or swagger, or paths; give an OpenAPI document"
        )
    return _Reader(value, name).read()


class _Reader:
    def __init__(self, document: Mapping[str, Any], name: str) -> None:
        self._document = document
        self._name = name
        self._is_swagger = "swagger" in document
        self._steps = 0

    def read(self) -> ApiDescription:
        info = _mapping(self._document.get("info"))
        operations = tuple(islice(self._operations(), MOST_OPERATIONS + 1))
        if len(operations) > MOST_OPERATIONS:
            raise DocumentRefusedError(f"{self._name} has more than {MOST_OPERATIONS:,} operations; split it")
        return ApiDescription(_words(info.get("title")), _words(info.get("version"))[:100], operations)

    def _operations(self) -> Iterator[Operation]:
        paths = _mapping(self._document.get("paths"))
        anchors: dict[str, int] = {}
        for path in sorted(paths):
            item = self._resolved(paths[path])
            for method in METHODS:
                if isinstance(item.get(method), Mapping):
                    yield self._operation(method, path, item, item[method], anchors)

    def _operation(
        self, method: str, path: str, item: Mapping[str, Any], given: Mapping[str, Any], anchors: dict[str, int]
    ) -> Operation:
        self._spend(_weight(given))
        parameters = self._parameters(item, given)
        request = self._request(given, parameters)
        parameters = [one for one in parameters if one.get("in") not in ("body", "formData")]
        responses = {
            str(status): self._resolved(one) for status, one in _mapping(given.get("responses")).items()
        }  # fmt: skip
        security = given.get("security", self._document.get("security"))
        self._spend(sum(map(_weight, _list(security))))
        full_path = _words(self._base_path + path)
        operation_id = _words(given.get("operationId"))[:200]
        anchor = _anchor(operation_id or f"{method}-{full_path}", anchors)
        tags = tuple(_words(tag)[:100] for tag in _list(given.get("tags"))[:MOST_TAGS])
        details = {
            "method": method.upper(),
            "path": full_path,
            "operation_id": operation_id,
            "deprecated": given.get("deprecated") is True,
            "parameters": _bounded([self._parameter(one) for one in parameters], self._spend),
            "request": _bounded(request, self._spend),
            "responses": _bounded(self._with_schemas(responses), self._spend),
            "security": _bounded(security, self._spend),
        }
        summary = _words(given.get("summary"))[:300]
        text = self._text(given, parameters, request, responses, security)
        curl = self._curl(method.upper(), full_path, parameters, request, security)
        return Operation(
            method.upper(), full_path, operation_id, summary, anchor, tags, text, curl, details | {"curl": curl}
        )

    # --- its parts ---

    def _spend(self, steps: int = 1) -> None:
        """A few lines of references may lead to more than can be read. Raises DocumentRefusedError."""
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise DocumentRefusedError(f"{self._name} repeats too much by references; write less of it, or split it")

    def _resolved(self, value: Any) -> Mapping[str, Any]:
        """What a reference into this document leads to, one step; anything else as it is."""
        given = _mapping(value)
        self._spend(_weight(given))
        reference = given.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return given
        found: Any = self._document
        for step in reference[2:].split("/"):
            found = _mapping(found).get(step.replace("~1", "/").replace("~0", "~"))
        if not isinstance(found, Mapping):
            return given
        self._spend(_weight(found))
        return {**found, "x-ref": reference}

    def _parameters(self, item: Mapping[str, Any], given: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Those of the path, and those of the operation in place of them."""
        found: dict[tuple[str, str], Mapping[str, Any]] = {}
        for one in (*_list(item.get("parameters")), *_list(given.get("parameters"))):
            resolved = self._resolved(one)
            if resolved.get("name"):
                found[_words(resolved.get("in")), _words(resolved.get("name"))] = resolved
        return list(found.values())

    def _parameter(self, one: Mapping[str, Any]) -> dict[str, Any]:
        schema = self._resolved(one["schema"]) if "schema" in one else {
            key: one[key] for key in ("type", "format", "enum", "default", "items") if key in one
        }  # fmt: skip
        return {
            "name": _words(one.get("name")),
            "in": _words(one.get("in")),
            "required": one.get("required") is True,
            "description": _words(one.get("description"))[:1000],
            "schema": schema,
        }

    def _request(self, given: Mapping[str, Any], parameters: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
        """The body: by media type, its schema."""
        if not self._is_swagger:
            body = self._resolved(given.get("requestBody"))
            return dict(self._with_content(body)) if body else None
        accepted = _list(given.get("consumes", self._document.get("consumes"))) or ["application/json"]
        for one in parameters:
            if one.get("in") == "body":
                schema = self._resolved(one.get("schema"))
                content = {_words(kind): {"schema": schema} for kind in accepted[:4]}
                return {"required": one.get("required") is True, "content": content}
        fields = {
            _words(one["name"]): {key: one[key] for key in ("type", "description") if key in one}
            for one in parameters
            if one.get("in") == "formData"
        }
        form = "application/x-www-form-urlencoded"
        return {"content": {form: {"schema": {"type": "object", "properties": fields}}}} if fields else None

    def _with_content(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        content = {
            _words(kind): {**_mapping(one), "schema": self._resolved(_mapping(one).get("schema"))}
            for kind, one in _mapping(body.get("content")).items()
        }
        return {**body, "content": content} if content else body

    def _with_schemas(self, responses: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        filled: dict[str, Any] = {}
        for status, one in responses.items():
            filled[status] = dict(self._with_content(one))
            if "schema" in one:  # Swagger 2
                filled[status]["schema"] = self._resolved(one["schema"])
        return filled

    @cached_property
    def _base_path(self) -> str:
        """The path of the server: of Swagger 2 its base path, else that of the first server."""
        if self._is_swagger:
            return _words(self._document.get("basePath")).rstrip("/")
        url = self._server()
        found = _SERVER_PATH.match(url)
        return found[1].rstrip("/") if found else ""

    def _server(self) -> str:
        servers = _list(self._document.get("servers"))
        return _words(_mapping(servers[0]).get("url")) if servers else ""

    @cached_property
    def _origin(self) -> str:
        """As shell text; a placeholder where the description names no server of its own."""
        if self._is_swagger:
            host = _words(self._document.get("host"))
            schemes = [one for one in _list(self._document.get("schemes")) if one in ("https", "http")]
            url = f"{schemes[0] if schemes else 'https'}://{host}" if host else ""
        else:
            url = self._server()
        found = re.match(r"https?://[A-Za-z0-9.:\[\]-]+", url)
        return shlex.quote(found[0]) if found else BASE_URL

    # --- its words ---

    def _text(
        self,
        given: Mapping[str, Any],
        parameters: Sequence[Mapping[str, Any]],
        request: Mapping[str, Any] | None,
        responses: Mapping[str, Mapping[str, Any]],
        security: Any,
    ) -> str:
        lines = [_words(given.get("summary")), _words(given.get("description"))]
        if given.get("deprecated") is True:
            lines.append("Deprecated.")
        for one in parameters:
            required = ", required" if one.get("required") is True else ""
            said = _words(one.get("description"))
            lines.append(
                f"{_words(one.get('name'))} (in {_words(one.get('in'))}{required})" + (f": {said}" if said else "")
            )
        for kind, content in _mapping((request or {}).get("content")).items():
            lines.append(f"Request {kind}: {self._properties(_mapping(content).get('schema'))}")
        lines += [f"{status}: {_words(one.get('description'))}" for status, one in responses.items()]
        schemes = [_words(name) for one in _list(security) for name in _mapping(one)]
        if schemes:
            lines.append(f"Security: {', '.join(schemes)}")
        return "\n".join(line.strip() for line in lines if line.strip())[:LONGEST_BODY]

    def _properties(self, schema: Any) -> str:
        """The names in a schema, with what is said of each."""
        named = []
        for name, one in islice(_mapping(_mapping(schema).get("properties")).items(), MOST_PROPERTIES):
            said = _words(self._resolved(one).get("description"))[:200]
            named.append(f"{name} ({said})" if said else name)
        return ", ".join(named)

    def _curl(
        self,
        method: str,
        path: str,
        parameters: Sequence[Mapping[str, Any]],
        request: Mapping[str, Any] | None,
        security: Any,
    ) -> str:
        """A command for a shell: all that comes from the description is quoted."""
        asked = [_words(one["name"]) for one in parameters if one.get("in") == "query" and one.get("required") is True]
        query = "?" + "&".join(f"{name}=VALUE" for name in asked) if asked else ""
        command = [
            "curl",
            "-sS",
            *(["-X", method] if method != "GET" else []),
            self._origin + shlex.quote(path + query),
        ]
        for one in parameters:
            if one.get("in") == "header" and one.get("required") is True:
                command += ["-H", shlex.quote(f"{_words(one['name'])}: VALUE")]
        command += self._credentials(security)
        content = _mapping((request or {}).get("content"))
        if content:
            kind = next(iter(content))
            command += ["-H", shlex.quote(f"Content-Type: {kind}")]
            if "json" in kind:
                command += ["-d", shlex.quote(json.dumps(self._example(content[kind]), ensure_ascii=False)[:2000])]
        return " ".join(command)

    def _credentials(self, security: Any) -> list[str]:
        """The header of the first scheme that is one; its value is the caller's, from $API_KEY."""
        components = _mapping(self._document.get("components"))
        schemes = _mapping(components.get("securitySchemes") or self._document.get("securityDefinitions"))
        for name in (name for one in _list(security) for name in _mapping(one)):
            scheme = self._resolved(schemes.get(name))
            if scheme.get("type") == "apiKey" and scheme.get("in") == "header":
                return ["-H", shlex.quote(f"{_words(scheme.get('name'))}: ") + '"$API_KEY"']
            if scheme.get("type") == "http" and str(scheme.get("scheme")).lower() == "bearer":
                return ["-H", "'Authorization: Bearer '\"$API_KEY\""]
        return []

    def _example(self, content: Any) -> Any:
        given = _mapping(content)
        schema = self._resolved(given.get("schema"))
        for example in (given.get("example"), schema.get("example")):
            shown = _upper(example, 12, self._spend)
            if example is not None and len(json.dumps(shown)) <= 1000 and shown == example:
                return example
        properties = _mapping(schema.get("properties"))
        required = [
            name
            for name in _list(schema.get("required"))[:MOST_PROPERTIES]
            if isinstance(name, str) and name in properties
        ]
        values = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}
        return {name: values.get(str(self._resolved(properties[name]).get("type")), "") for name in required}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _words(value: Any) -> str:
    """On one line: a line break in a command that is pasted would run it."""
    return (
        _SPACES.sub(" ", value).strip()
        if isinstance(value, str)
        else str(value)[:200]
        if isinstance(value, int | float)
        else ""
    )


def _weight(value: Any) -> int:
    """What it takes to look at its first level, in steps."""
    if not isinstance(value, Mapping | list):
        return 1 + (len(value) // CHARACTERS_A_STEP if isinstance(value, str) else 0)
    held = (*value, *value.values()) if isinstance(value, Mapping) else value
    return 1 + len(value) + sum(len(one) for one in held if isinstance(one, str)) // CHARACTERS_A_STEP


def _anchor(name: str, taken: dict[str, int]) -> str:
    """taken: those that were given, with the last number that was put behind each."""
    slug = unique = re.sub(r"\W+", "-", name.lower()).strip("-")[:200] or "operation"
    while unique in taken:
        taken[slug] += 1
        unique = f"{slug}-{taken[slug]}"
    taken[unique] = 0
    return unique


def _bounded(value: Any, spend: Callable[[int], None]) -> Any:
    """`value`, or where it is too large only its upper levels."""
    for levels in (12, 6, 4, 3, 2):
        shown = _upper(value, levels, spend)
        if len(json.dumps(shown)) <= LARGEST_STRUCTURE:
            return shown
    return "…"


def _upper(value: Any, levels: int, spend: Callable[[int], None]) -> Any:
    if not isinstance(value, Mapping | list):
        shown = value[:1000] if isinstance(value, str) else value
        spend(_weight(shown))
        return shown
    spend(1)
    if levels == 0:
        return "…"
    if isinstance(value, Mapping):
        return {name: _upper(one, levels - 1, spend) for name, one in islice(value.items(), 200)}
    return [_upper(one, levels - 1, spend) for one in value[:200]]
