"""A pytest function that asks a query again and holds the target to the promises that it broke.

Pure: values in, Python out. The function needs httpx and the standard library, and nothing of Gadfly.
"""

import re

from review.contexts.asking import KEY_VARIABLE, Case
from selftest.core.answers import (
    LEAD_IN,
    LONG_STATEMENT_CHARACTERS,
    NO_WORD,
    RULE,
    failure_phrase,
    split_sections,
)
from selftest.core.checks import TRACEBACK, CheckName, allowed_sources
from selftest.core.queries import Query
from selftest.core.vocabulary import Vocabulary
from selftest.models import Flag

AT_MOST = re.compile(r"at most (\d+) ms")  # as the latency check says what was promised
LOOKS_AT_SECTIONS = frozenset(
    {
        CheckName.PART_COUNT_MISMATCH,
        CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX,
        CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS,
        CheckName.UNEXPECTED_EMPTY,
    }
)


def regression_test(case: Case) -> str:
    """Python, whatever the query holds."""
    checks = [CheckName(flag.check_name) for flag in case.flags]
    uses = {
        "json": not case.is_python,
        "os": case.has_key,
        "pkgutil": case.is_python,
        "re": bool({CheckName.CRASH, *LOOKS_AT_SECTIONS} & set(checks)),
        "time": True,
    }
    imports = [f"import {name}" for name, is_used in uses.items() if is_used]
    if not case.is_python:
        imports += ["", "import httpx"]
    name = "_".join([*checks[:1], "combination", str(case.combination)])
    body = [*_asking(case), *(_sections(case.vocabulary) if LOOKS_AT_SECTIONS & set(checks) else [])]
    for flag in case.flags:
        body += ["", f"# {CheckName(flag.check_name)}", *_assertion(case, flag)]
    if not checks:
        body += ["", "# It broke no promise so far: this only holds that an answer comes."]
    return "\n".join([*imports, "", "", f"def test_{name}():", *(f"    {line}".rstrip() for line in body)]) + "\n"


def _asking(case: Case) -> list[str]:
    """Ends with `result`, `source_used`, `cached` and `latency_ms`; fails where there is no usable answer."""
    target = case.target
    query = f"query = {case.query.text!r}"
    if case.is_python:
        return [
            query,
            f"route = pkgutil.resolve_name({target.dotted_path!r})",
            "started = time.perf_counter()",
            "result, source_used = route(query, 'auto')",
            "latency_ms = (time.perf_counter() - started) * 1000",
            "cached = False",
            f"assert latency_ms <= {target.time_limit_s * 1000:g}, f'no answer in time: {{latency_ms:.0f}} ms'",
        ]
    key = f", 'X-API-Key': os.environ[{KEY_VARIABLE!r}]" if case.has_key else ""
    started = [f"# First: {case.serving}"] if case.serving else []
    return [
        *started,
        query,
        f"headers = {{'Content-Type': 'application/json', 'X-Selftest': '1'{key}}}",
        f"body = json.dumps({{{case.field('query')!r}: query, {case.field('source')!r}: 'auto'}})",
        f"with httpx.Client(timeout={target.time_limit_s:g}, trust_env=False) as client:",
        "    started = time.perf_counter()",
        f"    response = client.post({case.url!r}, content=body, headers=headers)",
        "    latency_ms = (time.perf_counter() - started) * 1000",
        "assert response.is_success, f'HTTP {response.status_code}: {response.text[:200]}'",
        "",
        "def field(path):",
        "    value = response.json()",
        "    for name in path.split('.'):",
        "        value = value.get(name) if isinstance(value, dict) else None",
        "    return value",
        "",
        f"assert field({case.field('success')!r}) is not False, field({case.field('error')!r})",
        f"result, source_used = field({case.field('result')!r}), field({case.field('source_used')!r})",
        f"cached = field({case.field('cached')!r}) is True",
        "assert isinstance(result, str) and isinstance(source_used, str), response.text[:200]",
    ]


def _sections(vocabulary: Vocabulary | None) -> list[str]:
    """Ends with `opened`, the sources with a header, and `texts`, what stands between and around the headers."""
    headers = dict(vocabulary.headers) if vocabulary else {}
    return [
        "",
        "# A header counts as a whole, at the start of a line.",
        f"header_of = {headers!r}",
        "longest_first = '|'.join(re.escape(each) for each in sorted(header_of.values(), key=len, reverse=True))",
        r"found = list(re.finditer(rf'^[^\S\n]*({longest_first})(?=\s|\Z)', result, re.M)) if header_of else []",
        "opened = {source for source, header in header_of.items() if any(each[1] == header for each in found)}",
        "cuts = [0, *(place for each in found for place in each.span()), len(result)]",
        "texts = [result[start:end] for start, end in zip(cuts[::2], cuts[1::2])]",
    ]


def _assertion(case: Case, flag: Flag) -> list[str]:
    check = CheckName(flag.check_name)
    if check is CheckName.CRASH:
        return [f"assert not re.search({TRACEBACK.pattern!r}, result, re.M), 'a raw traceback in the answer'"]
    if check is CheckName.LATENCY_OUTLIER:
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
        case _:
            return _about_emptiness(case, case.vocabulary)


def _about_latency(flag: Flag) -> list[str]:
    promised = AT_MOST.search(flag.evidence["promised"])
    if promised is None:
        return ["# What was promised then is not known any more."]
    return [f"assert cached or latency_ms <= {promised[1]}, f'{{latency_ms:.0f}} ms'"]


def _about_parts(query: Query, vocabulary: Vocabulary) -> list[str]:
    intended = {source: sorted(vocabulary.stand_ins(source)) for source in query.intended_sources}
    return [
        "# Each source that was asked for, with those documented to stand in for it.",
        f"intended = {intended!r}",
        "others = opened - set(intended)",
        "missing = [s for s, stand_ins in intended.items() if s not in opened and not others & set(stand_ins)]",
        "assert 2 * (len(intended) - len(missing)) >= len(intended), f'no section of {missing}'",
    ]


def _about_emptiness(case: Case, vocabulary: Vocabulary) -> list[str]:
    result = case.run.result if case.run else ""
    sections = split_sections(result, vocabulary.headers)
    failures = sorted({s.text for s in sections if failure_phrase(s.text, vocabulary)})
    phrases = [NO_WORD.sub("", phrase.casefold()) for phrase in vocabulary.empty_phrases]
    return [
        "assert result.strip(), 'the answer is blank'",
        f"seen_before = {failures!r}",
        f"phrases = {phrases!r}",
        "",
        "def is_only_a_failure(text):",
        '    """What was seen before, or one line that opens with a failure phrase."""',
        f"    text = re.sub({RULE.pattern!r}, '', text, flags=re.M).strip()",
        "    line = text.casefold()",
        f"    if text in seen_before or '\\n' in line or len(line) > {LONG_STATEMENT_CHARACTERS}:",
        "        return text in seen_before",
        f"    after_lead_in = re.sub({LEAD_IN.pattern!r}, '', line)",
        f"    openings = [re.sub({NO_WORD.pattern!r}, '', each) for each in (line, after_lead_in)]",
        r"    words = [r'\s+'.join(map(re.escape, phrase.split())) for phrase in phrases]",
        r"    return any(re.match(rf'{each}(?!\w)', opening) for each in words for opening in openings)",
        "",
        "assert not any(map(is_only_a_failure, texts)), result[:200]",
    ]
