"""A report as files for CI: JUnit XML and Markdown."""

from collections.abc import Iterator, Sequence

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from selftest.evaluation.models import PairResult, Report

Outcome = PairResult.Outcome


def reasons_of(result: PairResult) -> Iterator[str]:
    """Why a gate does not let this pair through, a sentence each."""
    for judged in result.judged:
        if not judged["holds"]:
            yield f"{judged['kind']}: expected {judged['expected']}; seen {judged['seen']}"
    for change in result.changes:
        yield f"rebaseline? {change}"


def scores_in_words(result: PairResult) -> str:
    """What graders said, in one line; a grader that could not say is left out."""
    said = [score for score in result.scores if score["value"] is not None]
    return ", ".join(f"{score['grader']} {score['value']:.3f}{' (below)' * score['is_below']}" for score in said)


def junit(report: Report, results: Sequence[PairResult]) -> str:
    """A test case for each pair; one with an error where the set could not be asked, as no case would be no failure."""
    suite = TestSuite(f"{report.golden_set} on {report.target}")
    if report.state != Report.State.FINISHED:
        case = TestCase("the set is asked", classname=str(report.golden_set))
        case.result = [Error(_xml(report.note), report.state)]
        suite.add_testcase(case)
    for result in results:
        case = TestCase(_xml(result.name), classname=str(report.golden_set), time=round(result.latency_ms / 1000, 3))
        reasons = list(reasons_of(result))
        if reasons:
            case.result = [Failure(_xml("\n".join(reasons)), result.outcome)]
        if scores := scores_in_words(result):
            case.system_out = f"Advice of graders: {scores}"
        suite.add_testcase(case)
    document = JUnitXml()
    document.add_testsuite(suite)
    text: str = document.tostring().decode()  # type: ignore[no-untyped-call]  # the library is partly untyped
    return text


def _xml(text: str) -> str:
    """Without what XML cannot hold; what a target answered may be anything."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in text)


def markdown(report: Report, results: Sequence[PairResult]) -> str:
    """What did not hold first, then all pairs in a table."""
    said = "passes" if report.passes else "does not pass"
    lines = [
        f"# Set {report.golden_set} on {report.target}: {said}",
        "",
        f"{report.pairs} pairs, {report.broken} broken, {report.to_rebaseline} to rebaseline.",
        "",
    ]
    if report.state != Report.State.FINISHED:
        lines += [f"{Report.State(report.state).label}: {_cell(report.note)}", ""]
    for result in results:
        reasons = list(reasons_of(result))
        if reasons:
            lines += [f"- **{_cell(result.name)}** `{_cell(result.query)}`", *(f"  - {_cell(one)}" for one in reasons)]
    if lines[-1]:
        lines.append("")
    lines += ["| pair | kind | outcome | advice of graders |", "| --- | --- | --- | --- |"]
    for result in results:
        cells = (result.name, result.kind, Outcome(result.outcome).label, scores_in_words(result) or "–")
        lines.append(f"| {' | '.join(map(_cell, cells))} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|").replace("`", "ˋ")
