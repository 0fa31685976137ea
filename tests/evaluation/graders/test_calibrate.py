"""`manage.py calibrate`: what it prints, what it reads and what it refuses."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from selftest.evaluation.models import Report, TargetTerm
from selftest.models import Target
from tests.evaluation.graders.tiny_model import write_model
from tests.evaluation.pairs import content, made_pair
from tests.review.factory import make_target

TRAM, BRIDGE = "The tram leaves from platform 4.", "The bridge was built in 1894."
BOTH = content(
    "weather and headlines",
    sources=("forecast", "news"),
    parts=({"text": "weather", "source": "forecast"}, {"text": "headlines", "source": "news"}),
)
ALONE = content("weather", sources=("forecast",), parts=({"text": "weather", "source": "forecast"},))
LINES = [
    {"query": "trams", "answer": TRAM, "context": [{"source": "city", "text": TRAM}]},
    {"query": "bridges", "answer": BRIDGE, "context": [{"source": None, "text": BRIDGE}], "reference": None},
]


def said(*arguments: str) -> str:
    out = io.StringIO()
    call_command("calibrate", *arguments, stdout=out)
    return out.getvalue()


def read(*arguments: str) -> Any:
    return json.loads(said("--json", *arguments))


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    file = tmp_path / "samples.jsonl"
    file.write_text("\n".join(map(json.dumps, LINES)) + "\n\n")
    return file


def test_samples_of_a_file_are_spoiled_in_each_way_and_graded(samples: Path) -> None:
    found = read("--samples", str(samples))
    assert (found["samples"], found["spoiled"]) == (2, {"number": 2, "dropped": 2, "negated": 2, "foreign": 2})
    faithfulness = found["graders"][0]
    # An answer whose only sentence is left out claims nothing.
    assert faithfulness["labels"] == {"graded": 8, "no claims": 2}
    assert (faithfulness["good"], faithfulness["spoiled"], faithfulness["auc"]) == (2, 6, 1.0)
    assert faithfulness["suggested"] == {"threshold": 0.5, "precision": 1.0, "recall": 1.0, "false_alarms": 0.0}
    assert faithfulness["below_suggested"]["number"] == {"below": 2, "of": 2}
    assert faithfulness["below_suggested"]["good"] == {"below": 0, "of": 2}


def test_a_line_of_samples_ends_where_its_json_does(samples: Path) -> None:
    odd = {**LINES[0], "answer": f"{LINES[0]['answer']}\u2028And\u0085more."}
    samples.write_text(json.dumps(odd, ensure_ascii=False), encoding="utf-8-sig")
    assert read("--samples", str(samples))["samples"] == 1


def test_in_words_it_has_a_table_and_the_confusion_by_way(samples: Path) -> None:
    text = said("--samples", str(samples))
    assert text.startswith("Good answers: 2. Spoiled: 2 times a number is changed, 2 times a sentence is left out")
    assert "faithfulness: graded 8, no claims 2" in text
    assert "AUC 1.000 (number 1.00, negated 1.00, foreign 1.00)" in text
    assert "suggested" in text
    below = [line.split() for line in text.splitlines() if line.startswith("spoiled: number")]
    assert below[0] == ["spoiled:", "number", "2", "2"]
    assert "nothing to calibrate by" in text


def test_the_bundled_router_answers_the_same_each_time() -> None:
    found = read("--bundled", "--count", "12")
    assert found["samples"] == 12
    by_name = {grader["name"]: grader for grader in found["graders"]}
    assert by_name["faithfulness"]["below_suggested"]["good"]["below"] == 0
    for way in ("number", "negated"):
        assert by_name["faithfulness"]["auc_by_spoiling"][way] >= 0.9
    assert by_name["contextual_recall"]["auc_by_spoiling"]["dropped"] >= 0.6
    assert read("--bundled", "--count", "12") == found


@pytest.mark.django_db(transaction=True)
def test_by_itself_it_takes_the_good_answers_of_the_golden_set() -> None:
    """The pair that asks for news of the weather does not hold, so its answer is no good one."""
    target = make_target()
    made_pair("both", target, BOTH)
    made_pair("weather", target, ALONE)
    made_pair("wrong", target, content("weather", sources=("news",)))
    found = read()
    assert found["samples"] == 2
    faithfulness = next(grader for grader in found["graders"] if grader["name"] == "faithfulness")
    assert faithfulness["below_suggested"]["good"]["below"] == 0
    assert faithfulness["auc_by_spoiling"]["number"] == 1.0
    assert not Report.objects.exists(), "calibrating is no report"


@pytest.mark.django_db(transaction=True)
def test_the_graders_of_a_target_know_its_dictionary() -> None:
    target = make_target()
    TargetTerm.objects.create(target=target, name="cloudy", rivals="overcast")
    made_pair("weather", target, ALONE)
    terminology = next(grader for grader in read()["graders"] if grader["name"] == "terminology")
    assert "no dictionary" not in terminology["labels"]


@pytest.mark.django_db
def test_without_a_golden_set_it_says_so() -> None:
    target = make_target()
    Target.objects.filter(pk=target.pk).update(kind=Target.Kind.HTTP, base_url="http://127.0.0.1:9")
    with pytest.raises(CommandError, match="unknown set 'golden'; known are: none") as refused:
        said()
    assert refused.value.returncode == 2


@pytest.mark.django_db(transaction=True)
def test_a_golden_set_without_a_good_answer_is_refused() -> None:
    made_pair("wrong", make_target(), content("weather", sources=("news",)))
    with pytest.raises(CommandError, match="no pair of set golden holds") as refused:
        said()
    assert refused.value.returncode == 2


def test_an_entailment_model_is_calibrated_too(samples: Path, tmp_path: Path) -> None:
    found = read("--samples", str(samples), "--nli", str(write_model(tmp_path / "model")))
    assert [grader["name"] for grader in found["graders"]][-2:] == ["faithfulness_nli", "answer_relevance_nli"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no sample"),
        ("{", "line 1: no JSON"),
        ("[]", "line 1: no object"),
        ('{"query": "x"}', "line 1: .*answer"),
        ('{"query": "x", "answer": 1}', "line 1: answer holds something that is no text"),
        ('{"query": "x", "answer": "y", "colour": "z"}', "line 1: unknown field 'colour'; known: answer, context"),
        ('{"query": "x", "answer": "y", "context": {}}', "line 1: context is no list"),
        ('{"query": "x", "answer": "y", "context": [{"source": "z"}]}', "line 1: context holds something that is"),
        ('{"query": "x", "answer": "y", "keyphrases": [1]}', "line 1: keyphrases holds something that is no text"),
    ],
)
def test_a_file_that_holds_no_samples_is_refused(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "samples.jsonl"
    file.write_text(content)
    with pytest.raises(CommandError, match=message) as refused:
        said("--samples", str(file))
    assert refused.value.returncode == 2


def test_a_folder_without_a_model_is_refused(samples: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        said("--samples", str(samples), "--nli", str(tmp_path))
