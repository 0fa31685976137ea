"""`manage.py grade`: answers come in as lines of JSON, and go out with what one grader says of them."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.evaluation.graders.tiny_model import write_model

BROUGHT = "The museum opened in 1912. It holds 400 paintings."
INVENTED = f"{BROUGHT} It was designed by Mario Botta."


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts these lines onto standard input."""

    def give(*lines: Any) -> None:
        texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(texts)))

    return give


def read(*arguments: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("grade", "--json", *arguments, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_each_line_comes_back_with_score_and_reason(given: Any) -> None:
    line = {"id": 7, "answer": INVENTED, "context": [BROUGHT]}
    given(line, "", {"answer": BROUGHT, "context": [{"source": "city", "text": BROUGHT}]})
    first, second = read("--grader", "faithfulness")
    assert {name: first[name] for name in line} == line
    assert first["score"] == pytest.approx(0.667, abs=0.001)
    assert first["reason"] == "2 of 3 claims are supported"
    assert second["score"] == 1.0


def test_half_of_a_surrogate_pair_comes_back_as_a_question_mark(given: Any, tmp_path: Path) -> None:
    lone = '\ufeff{"answer": "a \\ud800 b", "context": ["\\udfff"], "terms": {"\\ud800": ["b"]}}'
    for grader in ("faithfulness", "terminology", "answer_relevance"):
        for arguments in ((), ("--json",)):
            given(lone)
            with (tmp_path / "out").open("w", encoding="utf-8") as out:  # as a terminal: it takes no such half
                call_command("grade", "--grader", grader, *arguments, stdout=out)
            assert "a ? b" in (tmp_path / "out").read_text()


def test_what_cannot_be_said_is_null_with_its_reason(given: Any) -> None:
    given({"answer": BROUGHT, "context": []}, {"answer": BROUGHT}, {"answer": "I do not know.", "context": None})
    empty, missing, refusal = read("--grader", "faithfulness")
    assert empty["score"] is missing["score"] is None
    assert empty["reason"] == missing["reason"] == "what the sources bring alone is not known"
    assert (refusal["score"], refusal["label"]) == (1.0, "refusal")


def test_the_dictionary_stands_on_the_line(given: Any) -> None:
    answer = "The product catalogue, not `the registry`, holds an order."
    given(
        {"answer": answer, "terms": {"item registry": ["product catalogue"], "order": "purchase"}},
        {"answer": answer, "terms": {}},
    )
    half, none = read("--grader", "terminology")
    assert (half["score"], none["score"]) == (0.5, None)
    assert half["details"] == ["product catalogue: the target says item registry"]


def test_keyphrases_and_a_reference_are_looked_at(given: Any) -> None:
    line = {"answer": BROUGHT, "keyphrases": ["400 paintings", "a garden"], "reference": "The museum opened in 1912."}
    for grader, score in (("keyphrase_coverage", 0.5), ("contextual_recall", 1.0)):
        given(line)
        assert [one["score"] for one in read("--grader", grader)] == [score]


def test_a_model_of_a_folder_grades(given: Any, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    write_model(tmp_path)
    given({"answer": BROUGHT, "context": [BROUGHT]})
    (line,) = read("--grader", "faithfulness_nli", "--nli", str(tmp_path))
    assert 0 <= line["score"] <= 1


def test_without_json_it_is_a_table(given: Any) -> None:
    given({"answer": BROUGHT, "context": [BROUGHT]}, {"answer": BROUGHT})
    out = io.StringIO()
    call_command("grade", "--grader", "faithfulness", stdout=out)
    assert "1.000" in out.getvalue()
    assert "is not known" in out.getvalue()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "standard input line 2: no JSON"),
        ("7", "standard input line 2: no object"),
        ({"context": []}, "standard input line 2: answer is missing"),
        ({"answer": 7}, "standard input line 2: answer holds something that is no text"),
        ({"answer": "x", "context": "y"}, "standard input line 2: context is no list"),
        ({"answer": "x", "context": [7]}, "standard input line 2: context holds something that is neither"),
        ({"answer": "x", "terms": ["y"]}, "standard input line 2: terms is no object"),
        ({"answer": "x", "terms": {"y": 7}}, "standard input line 2: terms: y is no list"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_and_nothing_is_printed(given: Any, line: Any, said: str) -> None:
    given({"answer": "good"}, line)
    out = io.StringIO()
    with pytest.raises(CommandError, match=said) as refused:
        call_command("grade", "--grader", "terminology", "--json", stdout=out)
    assert (refused.value.returncode, out.getvalue()) == (2, "")


def test_a_grader_without_its_model_is_refused(given: Any) -> None:
    given({"answer": "x"})
    with pytest.raises(CommandError, match="answer_relevance_nli needs a model: --nli FOLDER"):
        read("--grader", "answer_relevance_nli")


@pytest.mark.django_db
def test_a_judge_that_is_off_is_not_asked(given: Any) -> None:
    given({"answer": "x"})
    with pytest.raises(CommandError, match="the judge is off"):
        read("--grader", "judge")
