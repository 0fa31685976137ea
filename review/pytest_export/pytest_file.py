"""A pytest function that asks a query again and holds the target to the promises that it broke.

Pure: values in, Python out. The function needs httpx and the standard library, and nothing of Gadfly.
"""

from review.pytest_export.context import KEY_VARIABLE, ExportContext
from review.pytest_export.frame import about_frame
from review.pytest_export.reading import needs_of, reading
from review.pytest_export.relations import UNKNOWN, about_relation
from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.allowed_sources import allowed_sources
from selftest.core.judging.check_table import RELATIONS, Export
from selftest.core.judging.findings import CheckName
from selftest.core.judging.specified_checks import TRACEBACK
from selftest.models import Flag
from selftest.storage.serialization import evidence_of


def pytest_file(context: ExportContext) -> str:
    """Valid Python for every query."""
    checks = [CheckName(flag.check_name) for flag in context.flags]
    needs_sections = Export.SECTIONS in needs_of(context)
    uses = {
        "json": not context.is_python,
        "os": context.has_key,
        "pkgutil": context.is_python,
        "re": needs_sections or CheckName.CRASH in checks,
        "time": True,
    }
    imports = [f"import {name}" for name, is_used in uses.items() if is_used]
    if not context.is_python:
        imports += ["", "import httpx"]
    name = "_".join([*checks[:1], "combination", str(context.combination)])
    body = [*_request_lines(context), *(reading(context) if needs_sections else [])]
    for flag in context.flags:
        body += ["", f"# {CheckName(flag.check_name)}", *_assertion(context, flag)]
    if not checks:
        body += ["", "# It broke no promise so far: this only holds that an answer comes."]
    return "\n".join([*imports, "", "", f"def test_{name}():", *(f"    {line}".rstrip() for line in body)]) + "\n"


def _request_lines(context: ExportContext) -> list[str]:
    """Ends with `ask`, and of the query its `result`, `source_used`, `cached` and `latency_ms`.

    Fails where there is no usable answer.
    """
    asked = [
        "",
        f"query = {context.query.text!r}",
        "result, source_used, cached, latency_ms = ask(query)",
    ]
    return [*(_calling(context) if context.is_python else _posting(context)), *asked]


def _calling(context: ExportContext) -> list[str]:
    target = context.target
    return [
        f"route = pkgutil.resolve_name({target.dotted_path!r})",
        "",
        "def ask(text, source='auto'):",
        "    started = time.perf_counter()",
        "    result, source_used = route(text, source)",
        "    latency_ms = (time.perf_counter() - started) * 1000",
        f"    assert latency_ms <= {target.time_limit_s * 1000:g}, f'no answer in time: {{latency_ms:.0f}} ms'",
        "    return result, source_used, False, latency_ms",
    ]


def _posting(context: ExportContext) -> list[str]:
    key = f", 'X-API-Key': os.environ[{KEY_VARIABLE!r}]" if context.has_key else ""
    started = [f"# First: {context.serving}"] if context.serving else []
    return [
        *started,
        f"headers = {{'Content-Type': 'application/json', 'X-Selftest': '1'{key}}}",
        "",
        "def field(response, path):",
        "    value = response.json()",
        "    for name in path.split('.'):",
        "        value = value.get(name) if isinstance(value, dict) else None",
        "    return value",
        "",
        "def ask(text, source='auto'):",
        f"    body = json.dumps({{{context.field('query')!r}: text, {context.field('source')!r}: source}})",
        f"    with httpx.Client(timeout={context.target.time_limit_s:g}, trust_env=False) as client:",
        "        started = time.perf_counter()",
        f"        response = client.post({context.url!r}, content=body, headers=headers)",
        "        latency_ms = (time.perf_counter() - started) * 1000",
        "    assert response.is_success, f'HTTP {response.status_code}: {response.text[:200]}'",
        f"    is_failed = field(response, {context.field('success')!r}) is False",
        f"    assert not is_failed, field(response, {context.field('error')!r})",
        f"    result = field(response, {context.field('result')!r})",
        f"    source_used = field(response, {context.field('source_used')!r})",
        f"    cached = field(response, {context.field('cached')!r}) is True",
        "    assert isinstance(result, str) and isinstance(source_used, str), response.text[:200]",
        "    return result, source_used, cached, latency_ms",
    ]


def _assertion(context: ExportContext, flag: Flag) -> list[str]:
    check = CheckName(flag.check_name)
    if check is CheckName.CRASH:
        return [f"assert not re.search({TRACEBACK.pattern!r}, result, re.M), 'a raw traceback in the answer'"]
    if check in (CheckName.LATENCY_OUTLIER, CheckName.PART_SLOW):
        return _about_latency(flag)
    if context.vocabulary is None:
        return ["# The vocabulary that it was checked against is not known any more."]
    match check:
        case CheckName.SOURCE_MISMATCH:
            allowed = sorted(allowed_sources(context.query, context.vocabulary))
            return [f"assert source_used in {allowed!r}, source_used"]
        case CheckName.PART_COUNT_MISMATCH:
            return _about_parts(context.query, context.vocabulary)
        case CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX:
            encyclopedia = context.vocabulary.encyclopedia
            return [
                f"assert {encyclopedia!r} in {{source_used, *opened}}, f'{{source_used}}, sections: {{sorted(opened)}}'"
            ]
        case CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS:
            return ["assert opened, f'no section at all; answered by {source_used}'"]
        case CheckName.UNEXPECTED_EMPTY:
            return [
                "assert result.strip(), 'the answer is blank'",
                "assert not any(map(is_only_a_failure, texts)), result[:200]",
            ]
        case _ if check in RELATIONS:
            return about_relation(context, flag, context.vocabulary)
        case _:
            return about_frame(check, context.vocabulary)


def _about_latency(flag: Flag) -> list[str]:
    evidence = evidence_of(flag.evidence)
    if evidence.threshold_ms is None:
        return UNKNOWN
    at_most = f"{evidence.threshold_ms:.0f}"
    if flag.check_name == CheckName.LATENCY_OUTLIER:
        return [f"assert cached or latency_ms <= {at_most}, f'{{latency_ms:.0f}} ms'"]
    if not evidence.parts:
        return UNKNOWN
    return [
        "# Twice, as anything may be slow once.",
        f"part_ms = min(ask({evidence.parts[0]!r})[-1] for _ in range(2))",
        f"assert part_ms <= {at_most}, f'alone: {{part_ms:.0f}} ms'",
    ]


def _about_parts(query: Query, vocabulary: Vocabulary) -> list[str]:
    intended = {source: sorted(vocabulary.stand_ins(source)) for source in query.intended_sources}
    return [
        "# Each source that was asked for, with those documented to stand in for it.",
        f"intended = {intended!r}",
        "others = opened - set(intended)",
        "missing = [s for s, stand_ins in intended.items() if s not in opened and not others & set(stand_ins)]",
        "assert 2 * (len(intended) - len(missing)) >= len(intended), f'no section of {missing}'",
    ]
