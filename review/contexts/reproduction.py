"""A query to ask again elsewhere: as curl, as JSON, as a test that was exported. Pure: values in, text out."""

import json
import shlex
from dataclasses import dataclass
from datetime import datetime

from review.pytest_export.context import KEY_VARIABLE, ExportContext


@dataclass(frozen=True)
class Reproduction:
    """curl: "" where there is nothing that it could ever ask. why_no_curl: what stands in its way, "" for nothing.

    serving: what has to run before curl and the test find a router. command: what asks it where curl cannot.
    """

    curl: str
    why_no_curl: str
    serving: str
    command: str
    document: str
    test: str

    @classmethod
    def of(cls, context: ExportContext, test: str) -> "Reproduction":
        """What is possible depends on the kind of target. test: the exported one."""
        return cls(
            curl="" if context.is_python else _curl(context),
            why_no_curl=_why_no_curl(context),
            serving=context.serving,
            command=_asking_here(context) if context.is_python else "",
            document=_document(context),
            test=test,
        )


def _curl(context: ExportContext) -> str:
    body = json.dumps({context.field("query"): context.query.text, context.field("source"): "auto"})
    options = [
        f"--max-time {context.target.time_limit_s:g}",
        "--header 'Content-Type: application/json'",
        "--header 'X-Selftest: 1'",
        *([f'--header "X-API-Key: ${KEY_VARIABLE}"'] if context.has_key else []),
        f"--data-raw {shlex.quote(body)}",
    ]
    return " \\\n  ".join([f"curl --silent --show-error --globoff {shlex.quote(context.url)}", *options])


def _why_no_curl(context: ExportContext) -> str:
    if context.is_http:
        return ""
    if context.is_python:
        return "This target is a Python function in Gadfly's process, so curl cannot reach it."
    return (
        "This target is the bundled router in Gadfly's process, so curl cannot reach it. "
        "Serve one with the same faults first; it uses its own vocabulary."
    )


def _asking_here(context: ExportContext) -> str:
    """Asks as a cycle does: through the target's own row, inside its cache-suppressing context."""
    code = (
        "from selftest.models import Target; from selftest.storage.target_clients import open_target; "
        f"print(open_target(Target.objects.get(name={context.target.name!r}), None).ask({context.query.text!r}))"
    )
    return shlex.join(["uv", "run", "manage.py", "shell", "--no-imports", "-c", code])


def _document(context: ExportContext) -> str:
    run = context.run
    document = {
        "query": context.query.text,
        "parts": [{"kind": part.kind, "text": part.text, "source": part.source} for part in context.query.parts],
        "fingerprint": context.fingerprint,
        "recipe": context.query.recipe,
        "target": {"name": context.target.name, "kind": context.target.kind},
        "findings": [{"check": flag.check_name, "reason": flag.reason, **flag.evidence} for flag in context.flags],
        "run": run
        and {
            "id": run.pk,
            "asked_at": _moment(run.asked_at),
            "source_used": run.source_used,
            "latency_ms": run.latency_ms,
            "http_status": run.http_status,
            "cached": run.cached,
            "error": run.error,
            "result_length_bytes": run.result_length_bytes,
            "result_sha256": run.result_sha256,
        },
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
