"""Entailment by a model: how it is loaded, warmed and batched, and that its premises are single sentences."""

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from selftest.evaluation import onnx_model
from selftest.evaluation.core.graders.entailment import Entailment, Judgement
from selftest.evaluation.core.graders.faithfulness import Faithfulness
from selftest.evaluation.core.graders.relevance import EntailedRelevance
from selftest.evaluation.core.samples import Part, Sample
from selftest.evaluation.onnx_model import BATCH_PAIRS, ModelFolderError, OnnxModel, model_in
from tests.evaluation.graders.tiny_model import write_model

TRAM, BRIDGE, LAMP = "The tram leaves at seven.", "The bridge was built in steel.", "The lamp is on."
NOT_LAMP = "The lamp is not on."
PARAGRAPH = f"{TRAM} {BRIDGE} {LAMP}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def model(folder: Path) -> OnnxModel:
    return OnnxModel(folder)


class Recorded:
    """The model, and which pairs it was asked for in which calls."""

    def __init__(self, model: OnnxModel) -> None:
        self.model = model
        self.calls: list[list[tuple[str, str]]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        self.calls.append(list(pairs))
        return self.model.judge(pairs)


def test_a_sentence_entails_itself_and_not_another_one(model: OnnxModel) -> None:
    same, other, opposite = model.judge([(TRAM, TRAM), (BRIDGE, TRAM), (LAMP, NOT_LAMP)])
    assert same.entailment > 0.9
    assert other.entailment < 0.1
    assert opposite.contradiction > 0.9


def test_a_paragraph_as_premise_entails_nothing_not_even_its_own_words(model: OnnxModel) -> None:
    (judged,) = model.judge([(PARAGRAPH, TRAM)])
    assert judged.entailment < 0.1
    assert judged.contradiction < 0.1


def test_so_premises_are_single_sentences_whatever_the_sources_bring(model: OnnxModel) -> None:
    recorded = Recorded(model)
    sample = Sample("", f"{TRAM} {BRIDGE} The door is open.", context=(Part("city", PARAGRAPH),))
    score = Faithfulness(Entailment(recorded)).grade(sample)
    assert score.value == pytest.approx(0.667, abs=0.001)
    assert {premise for call in recorded.calls for premise, _ in call} == {TRAM, BRIDGE, LAMP}


def test_all_claims_go_to_the_model_in_one_call(model: OnnxModel) -> None:
    recorded = Recorded(model)
    Entailment(recorded).support([TRAM, LAMP], [TRAM, BRIDGE], "en")
    assert recorded.calls == [[(TRAM, TRAM), (BRIDGE, TRAM), (TRAM, LAMP), (BRIDGE, LAMP)]]


def test_of_many_sentences_those_that_share_most_words_are_read(model: OnnxModel) -> None:
    recorded = Recorded(model)
    others = [f"Number {number} is a stranger." for number in range(50)]
    (support,) = Entailment(recorded).support([BRIDGE], [*others, BRIDGE], "en")
    assert support.sentence == BRIDGE
    assert len(recorded.calls[0]) == 12


def test_what_is_ruled_out_says_so(model: OnnxModel) -> None:
    (support,) = Entailment(model).support([NOT_LAMP], [LAMP, TRAM], "en")
    assert (support.sentence, support.why) == (LAMP, "ruled out by the sentence")
    assert support.value < 0.1


def test_batches_keep_the_order_of_pairs_and_no_score_depends_on_its_batch(model: OnnxModel) -> None:
    pairs = [(TRAM, TRAM), (f"{BRIDGE} {BRIDGE}", TRAM), (LAMP, LAMP)] * BATCH_PAIRS
    judged = model.judge(pairs)
    alone = [model.judge([pair])[0] for pair in pairs[:3]]
    for place, judgement in enumerate(judged):
        assert judgement.entailment == pytest.approx(alone[place % 3].entailment, abs=1e-5)


def test_a_model_that_fails_on_a_text_gives_no_score_and_the_reason(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = OnnxModel(folder)

    def run(*_: object) -> None:
        raise RuntimeError("indices element out of data bounds, idx=130")  # more tokens than it has places for

    monkeypatch.setattr(model, "_session", SimpleNamespace(run=run))
    sample = Sample("lamps", LAMP, context=(Part("home", LAMP),))
    for grader in (Faithfulness(Entailment(model)), EntailedRelevance(model)):
        score = grader.grade(sample)
        assert (score.value, score.label) == (None, "no judgement")
        assert score.reason == "the model failed: indices element out of data bounds, idx=130"


def test_a_model_is_warm_when_it_is_loaded_and_loaded_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Sequence[tuple[str, str]]] = []
    judge = OnnxModel.judge
    monkeypatch.setattr(OnnxModel, "judge", lambda self, pairs: judged.append(pairs) or judge(self, pairs))
    onnx_model.loaded.cache_clear()
    assert model_in(folder) is model_in(folder)
    assert len(judged) == 1


def test_a_model_whose_file_was_replaced_is_loaded_again(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    before = model_in(folder)
    config = json.loads((folder / "config.json").read_text())
    config["id2label"] = {"0": "entailment", "1": "neutral", "2": "contradiction"}  # the other way round
    (folder / "config.json").write_text(json.dumps(config))
    after = model_in(folder)
    assert after is not before
    assert before.judge([(LAMP, LAMP)])[0].entailment > 0.5 > after.judge([(LAMP, LAMP)])[0].entailment
    assert model_in(folder) is after


def test_a_model_that_is_gone_is_in_force_no_more(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    model_in(folder)
    (folder / "model.onnx").unlink()
    with pytest.raises(ModelFolderError, match=r"has no model\.onnx"):
        model_in(folder)


def test_relevance_is_the_surest_sentence(model: OnnxModel) -> None:
    class Fixed:
        def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
            return [Judgement(0.9 if premise == LAMP else 0.2, 0.0) for premise, _ in pairs]

    score = EntailedRelevance(Fixed()).grade(Sample("lamps", f"{TRAM} {LAMP}"))
    assert (score.value, score.details) == (0.9, (LAMP,))
    assert EntailedRelevance(model).grade(Sample("lamps", "")).value == 0.0
    assert EntailedRelevance(model).grade(Sample(" ", LAMP)).value is None


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("model.onnx", None, "has no model.onnx"),
        ("tokenizer.json", None, "has no tokenizer.json"),
        ("config.json", None, "config.json cannot be read"),
        ("config.json", "{", "config.json cannot be read"),
        ("config.json", json.dumps({"id2label": {"0": "yes", "1": "no"}}), "names no output 'entailment'"),
        ("model.onnx", "no model", "cannot be used"),
        ("tokenizer.json", "{}", "cannot be used"),
    ],
)
def test_a_folder_that_holds_no_model_says_why(
    folder: Path, tmp_path: Path, file: str, content: str | None, message: str
) -> None:
    broken = shutil.copytree(folder, tmp_path / "broken")
    (broken / file).unlink()
    if content is not None:
        (broken / file).write_text(content)
    with pytest.raises(ModelFolderError, match=message):
        OnnxModel(broken)


def test_without_the_libraries_it_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelFolderError, match="onnxruntime is not installed: uv sync --group nli"):
        OnnxModel(folder)


def test_a_model_may_stand_in_a_folder_of_its_own(folder: Path, tmp_path: Path) -> None:
    moved = shutil.copytree(folder, tmp_path / "moved")
    (moved / "onnx").mkdir()
    (moved / "model.onnx").rename(moved / "onnx" / "model.onnx")
    assert OnnxModel(moved).judge([(TRAM, TRAM)])[0].entailment > 0.9
