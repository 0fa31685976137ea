"""A sentence encoder from a folder: its words have a meaning, and a folder that cannot be used costs vectors alone."""

from collections.abc import Sequence
from pathlib import Path

import numpy
import pytest
from django.db import connection
from onnx import TensorProto, helper, numpy_helper, save
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace

from selftest.evaluation.onnx_model import ModelFolderError
from selftest.knowledge.core.answers import SearchRequest
from selftest.knowledge.index import encoding, writing
from selftest.knowledge.index.sentence_encoder import SentenceEncoder
from selftest.knowledge.models import IndexState, SearchSettings
from selftest.knowledge.rebuilding import rebuild
from selftest.knowledge.searching import search
from tests.knowledge.pieces import EVERY, GRINDER, piece

pytestmark = pytest.mark.django_db

# Each word with its vector: a mill and a grinder are one thing to this model.
MEANT = {"[PAD]": (0, 0), "[UNK]": (0, 0), "grinder": (3, 4), "mill": (3, 4), "boiler": (4, -3)}


def fill(folder: Path) -> Path:
    folder.mkdir()
    tokenizer = Tokenizer(WordLevel({word: place for place, word in enumerate(MEANT)}, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    table = numpy_helper.from_array(numpy.array(list(MEANT.values()), numpy.float32), "table")
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "words",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        ],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", 2])],
        [table],
    )
    save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(folder / "model.onnx")
    )
    return folder


def choose(folder: Path, encoder: str = "onnx") -> None:
    SearchSettings.objects.update_or_create(pk=1, defaults={"encoder": encoder, "onnx_folder": str(folder)})
    SearchSettings.clear_cache()


def test_a_vector_is_the_mean_of_its_words_at_length_one(tmp_path: Path) -> None:
    encoder = SentenceEncoder(fill(tmp_path / "model"))
    # (3, 4) + (4, -3) = (7, 1), whose length is the root of 50; padding does not count.
    rows = encoder.encode(["grinder boiler", "mill", "other"], ["en"] * 3)
    assert numpy.allclose(rows, [(7 / 50**0.5, 1 / 50**0.5), (0.6, 0.8), (0, 0)])
    assert encoder.dimensions == 2


def test_a_word_that_only_the_model_knows_finds_what_it_means(tmp_path: Path) -> None:
    writing.put(EVERY)
    choose(fill(tmp_path / "model"))
    before = search(SearchRequest("mill", k=50)).hits  # the vectors of the index are another encoder's
    assert not any("vectors" in hit.matched_by for hit in before)
    rebuild()
    writing.put(EVERY)
    lanes = {hit.id: hit.matched_by for hit in search(SearchRequest("mill", k=50)).hits}
    assert lanes[GRINDER.id] == ("vectors",)
    assert IndexState.objects.get().encoder.startswith("onnx-")


@pytest.mark.database("postgresql")
def test_the_server_ends_no_transaction_for_the_time_that_a_model_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[str] = []

    def encode(encoder: SentenceEncoder, texts: Sequence[str], languages: Sequence[str]) -> list[list[float]]:
        with connection.cursor() as cursor:
            cursor.execute("SHOW idle_in_transaction_session_timeout")
            limits.extend(cursor.fetchone())
        return [[0.0, 1.0]] * len(texts)

    choose(fill(tmp_path / "model"))
    monkeypatch.setattr(SentenceEncoder, "encode", encode)
    writing.put([GRINDER])
    encoding.encode_again(encoding.of_index())
    assert limits == ["10min", "10min"]


@pytest.mark.parametrize("other", ["onnx", "none"])
def test_a_piece_that_another_encoder_wrote_meanwhile_stops_no_search_and_is_encoded_again(
    tmp_path: Path, other: str
) -> None:
    writing.put(EVERY)
    was_set = SearchSettings.get_solo().encoder
    choose(fill(tmp_path / "model"), other)
    jam = piece("Grinder again", "The grinder jams when its burrs are worn.")
    writing.put([jam])  # before a rebuild has made the vectors of the others by this encoder
    choose(tmp_path / "model", was_set)
    assert {GRINDER.id, jam.id} <= {hit.id for hit in search(SearchRequest("grinder jams", k=50)).hits}
    assert IndexState.objects.get().encoder == ""  # none is searched by, and a rebuild makes all of them again
    rebuild()
    assert IndexState.objects.get().encoder == "hash-1"


@pytest.mark.parametrize("content", [None, b"no model"])
def test_a_folder_that_cannot_be_used_is_named_and_words_are_searched(tmp_path: Path, content: bytes | None) -> None:
    folder = tmp_path / "model"
    if content is not None:
        fill(folder)
        (folder / "model.onnx").write_bytes(content)
    with pytest.raises(ModelFolderError, match="model"):
        SentenceEncoder(folder)
    writing.put(EVERY)
    choose(folder)
    assert search(SearchRequest("grinder")).hits[0].id == GRINDER.id
    assert str(folder) in encoding.problem_with(str(folder))
