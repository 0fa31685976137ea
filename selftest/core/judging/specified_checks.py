"""The seven checks of the specification. Pure; never whether an answer is right.

Each looks at `source_used`, exact headers and failure phrases only, never for a source's name in the text, and returns
a Finding with its evidence, or None.
"""

import re

from selftest.core.judging.allowed_sources import allowed_sources
from selftest.core.judging.answers import excerpt, sources_with_header, split_sections
from selftest.core.judging.context import CheckInput
from selftest.core.judging.failure_phrases import failure_phrase
from selftest.core.judging.findings import CheckName, DiscrepancyKind, Evidence, Finding
from selftest.core.judging.latency import latency_verdict

TRACEBACK = re.compile(  # also on one line, its line ends and quotes escaped; ++ and *+ so that no space is read twice
    r"^[ \t>]*Traceback \(most recent call last\):"
    r"|Traceback \(most recent call last\):(?:\s++|\\++[nrt])*+File \\*+\"",
    re.M,
)


def crash(check_input: CheckInput) -> Finding | None:
    """No usable answer, or the router's own traceback in one."""
    answer = check_input.answer
    if answer.error is not None:
        seen = answer.error if not answer.result else f"{answer.error}\n{excerpt(answer.result)}"
        return Finding(
            CheckName.CRASH,
            _one_line(answer.error),
            "an answer to every query",
            seen,
            "error",
            evidence=Evidence(DiscrepancyKind.NO_ANSWER),
        )
    raw = TRACEBACK.search(answer.result)
    if raw is None:
        return None
    line = answer.result.count("\n", 0, raw.start()) + 1
    return Finding(
        CheckName.CRASH,
        "a raw traceback in the answer",
        "an answer without the router's own traceback",
        excerpt(answer.result[raw.start() :].lstrip("\n")),
        f"line {line}",
        evidence=Evidence(DiscrepancyKind.TRACEBACK, line=line),
    )


def source_mismatch(check_input: CheckInput) -> Finding | None:
    """Answered by a source that nothing in the query points at."""
    allowed = allowed_sources(check_input.query, check_input.vocabulary)
    used = check_input.answer.source_used
    if used in allowed:
        return None
    promised = f"a source that the query points at: {', '.join(sorted(allowed))}"
    return Finding(
        CheckName.SOURCE_MISMATCH,
        f"answered by {used!r}, which nothing in the query points at",
        promised,
        used,
        "source_used",
        evidence=Evidence(sources=(used,)),
    )


def part_count_mismatch(check_input: CheckInput) -> Finding | None:
    """Fewer than half of the intended sources have a section."""
    intended = check_input.query.intended_sources
    if check_input.query.recipe != "multi_intent_chain" or len(intended) < 2:
        return None
    present = sources_with_header(check_input.answer.result, check_input.vocabulary.headers)
    stand_ins = present - set(intended)  # a source that was asked for itself stands in for no other
    missing = [s for s in intended if s not in present and not check_input.vocabulary.stand_ins(s) & stand_ins]
    answered = len(intended) - len(missing)
    # Fewer than half: a section that is legitimately empty is dropped, so one or two missing prove nothing.
    if answered * 2 >= len(intended):
        return None
    return Finding(
        CheckName.PART_COUNT_MISMATCH,
        f"{answered} of {len(intended)} intended sources have a section; missing: {', '.join(missing)}",
        f"a section for each of {', '.join(intended)}",
        _sections_seen(check_input),
        "headers",
        evidence=Evidence(sources=tuple(missing)),
    )


def discourse_framing_dropped(check_input: CheckInput) -> Finding | None:
    """Discourse framing promises the encyclopedia, as the source or with a section."""
    encyclopedia = check_input.vocabulary.encyclopedia
    if check_input.query.recipe != "discourse_framing_plus_real_keyword":
        return None
    if check_input.answer.source_used == encyclopedia:
        return None
    if encyclopedia in sources_with_header(check_input.answer.result, check_input.vocabulary.headers):
        return None
    return Finding(
        CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX,
        f"discourse framing, but {encyclopedia} took no part; answered by {check_input.answer.source_used!r}",
        f"{encyclopedia} as the source or with a section of its own",
        _sections_seen(check_input),
        "source_used and headers",
        evidence=Evidence(sources=(encyclopedia,)),
    )


def conditional_remainder_missing(check_input: CheckInput) -> Finding | None:
    """A condition and its remainder each bring a section, and there is no section at all."""
    if check_input.query.recipe != "conditional_with_remainder":
        return None
    if sources_with_header(check_input.answer.result, check_input.vocabulary.headers):
        return None
    return Finding(
        CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS,
        "no section at all, where the condition and the remainder each bring one",
        "a section for the condition and one for the remainder",
        _sections_seen(check_input),
        "headers",
    )


def unexpected_empty(check_input: CheckInput) -> Finding | None:
    """The answer, or one of its sections, is blank or only a failure phrase."""
    promised = "content, or the documented fallback; an empty section is dropped"
    result = check_input.answer.result
    if not result.strip():
        return Finding(
            CheckName.UNEXPECTED_EMPTY,
            "the answer is blank",
            promised,
            "nothing",
            "the whole answer",
            evidence=Evidence(DiscrepancyKind.BLANK_ANSWER),
        )
    for section in split_sections(result, check_input.vocabulary.headers):
        phrase = failure_phrase(section.text, check_input.vocabulary.empty_phrases)
        if phrase is not None:
            place = f"the section of {section.source}" if section.source else "the answer"
            return Finding(
                CheckName.UNEXPECTED_EMPTY,
                f"{place} is only {phrase!r}",
                promised,
                excerpt(section.text),
                f"line {section.line}",
                evidence=Evidence(
                    DiscrepancyKind.ONLY_FAILURE_PHRASE,
                    sources=(section.source,) if section.source else (),
                    line=section.line,
                ),
            )
    return None


def latency_outlier(check_input: CheckInput) -> Finding | None:
    """Far slower than the earlier uncached runs of the recipe."""
    if check_input.answer.cached:  # a cached answer says nothing about the work, so it is neither sample nor suspect
        return None
    verdict = latency_verdict(check_input.answer.latency_ms, check_input.history_ms, check_input.limits)
    if verdict is None:
        return None
    return Finding(
        CheckName.LATENCY_OUTLIER,
        f"{verdict.latency_ms:.0f} ms; the recipe's p95 is {verdict.p95_ms:.0f} ms over {verdict.samples} runs",
        f"at most {verdict.threshold_ms:.0f} ms",
        f"{verdict.latency_ms:.0f} ms",
        "latency_ms",
        evidence=Evidence(threshold_ms=verdict.threshold_ms),
    )


def _sections_seen(check_input: CheckInput) -> str:
    sections = split_sections(check_input.answer.result, check_input.vocabulary.headers)
    named = [section.source for section in sections if section.source is not None]
    return f"source_used {check_input.answer.source_used!r}, sections: {', '.join(named) or 'none'}"


def _one_line(text: str) -> str:
    return excerpt(" ".join(text.split()))
