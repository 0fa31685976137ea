"""A pytest function that asks a query again and holds the target to the promises that it broke.

Pure: values in, Python out. The function needs httpx and the standard library, and nothing of Gadfly.
"""

from review.contexts.asking import KEY_VARIABLE, Case
from review.contexts.regression_frame import about_frame
from review.contexts.regression_reading import needs_of, reading
from review.contexts.regression_relations import UNKNOWN, about_relation
from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.allowed_sources import allowed_sources
from selftest.core.judging.check_table import RELATIONS, Export
from selftest.core.judging.findings import CheckName
from selftest.core.judging.specified_checks import TRACEBACK
from selftest.models import Flag
from selftest.storage.serialization import evidence_of


def regression_test(case: Case) -> str:
    """Python, whatever the query holds."""
    checks = [CheckName(flag.check_name) for flag in case.flags]
    needs_sections = Export.SECTIONS in needs_of(case)
    uses = {
        "json": not case.is_python,
        "os": case.has_key,
        "pkgutil": case.is_python,
        "re": needs_sections or CheckName.CRASH in checks,
        "time": True,
    }
    imports = [f"import {name}" for name, is_used in uses.items() if is_used]
    if not case.is_python:
        imports += ["", "import httpx"]
    name = "_".join([*checks[:1], "combination", str(case.combination)])
    body = [*_asking(case), *(reading(case) if needs_sections else [])]
    for flag in case.flags:
        body += ["", f"# {CheckName(flag.check_name)}", *_assertion(case, flag)]
    if not checks:
        body += ["", "# It broke no promise so far: this only holds that an answer comes."]
    return "\n".join([*imports, "", "", f"def test_{name}():", *(f"    {line}".rstrip() for line in body)]) + "\n"


def _asking(case: Case) -> list[str]:
    """Ends with `ask`, and of the query its `result`, `source_used`, `cached` and `latency_ms`.

    Fails where there is no usable answer.
    """
    asked = [
        "",
        f"query = {case.query.text!r}",
        "result, source_used, cached, latency_ms = ask(query)",
    ]
    return [*(_calling(case) if case.is_python else _posting(case)), *asked]


def _calling(case: Case) -> list[str]:
    target = case.target
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


def _posting(case: Case) -> list[str]:
    key = f", 'X-API-Key': os.environ[{KEY_VARIABLE!r}]" if case.has_key else ""
    started = [f"# First: {case.serving}"] if case.serving else []
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
        f"    body = json.dumps({{{case.field('query')!r}: text, {case.field('source')!r}: source}})",
        f"    with httpx.Client(timeout={case.target.time_limit_s:g}, trust_env=False) as client:",
        "        started = time.perf_counter()",
        f"        response = client.post({case.url!r}, content=body, headers=headers)",
        "        latency_ms = (time.perf_counter() - started) * 1000",
        "    assert response.is_success, f'HTTP {response.status_code}: {response.text[:200]}'",
        f"    is_failed = field(response, {case.field('success')!r}) is False",
        f"    assert not is_failed, field(response, {case.field('error')!r})",
        f"    result = field(response, {case.field('result')!r})",
        f"    source_used = field(response, {case.field('source_used')!r})",
        f"    cached = field(response, {case.field('cached')!r}) is True",
        "    assert isinstance(result, str) and isinstance(source_used, str), response.text[:200]",
        "    return result, source_used, cached, latency_ms",
    ]


def _assertion(case: Case, flag: Flag) -> list[str]:
    check = CheckName(flag.check_name)
    if check is CheckName.CRASH:
        return [f"assert not re.search({TRACEBACK.pattern!r}, result, re.M), 'a raw traceback in the answer'"]
    if check in (CheckName.LATENCY_OUTLIER, CheckName.PART_SLOW):
        return _about_latency(flag)
    if case.vocabulary is None:
        return ["# The vocabulary that it was checked against is not known any more."]
    match check:
        case CheckName.SOURCE_MISMATCH:
            allowed = sorted(allowed_sources(case.query, case.vocabulary))
            return [f"assert source_used in {allowed!r}, source_used"]
        case CheckName.PART_COUNT_MISMATCH:
            return _about_parts(case.query, case.vocabulary)
        case CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX:
            encyclopedia = case.vocabulary.encyclopedia
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
            return about_relation(case, flag, case.vocabulary)
        case _:
            return about_frame(check, case.vocabulary)


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
