"""A cross-encoder that tells whether a sentence follows from another, read from a folder that an admin fills.

The folder holds `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and `config.json`, as such models are published.
Needs the dependency group `nli`. Decides on loading and batches; must not know what is held against what.
"""

import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from selftest.evaluation.core.graders.entailment import Judgement, ModelFailedError
from selftest.refusals import RefusedError

BATCH_PAIRS = 32
MOST_TOKENS = 256  # of a pair: two long sentences; these models read 512 at most
MODEL_FILES = ("model.onnx", "onnx/model.onnx")
LABELS = ("entailment", "contradiction")
WARM_UP = ("The door is open.", "The door is closed.")
_loading = threading.Lock()


class ModelFolderError(RefusedError):
    """The folder holds no model that can be used. The message says what is missing."""


class OnnxModel:
    """Such a model, loaded and warm. Called from several threads at once."""

    def __init__(self, folder: Path) -> None:
        """Reads `folder` and asks the model once, as the first answer takes longest. Raises ModelFolderError."""
        try:
            import numpy
            import onnxruntime
            import tokenizers
        except ImportError as fault:
            raise ModelFolderError(f"{fault.name} is not installed: uv sync --group nli") from fault
        self._numpy = numpy
        self._entailment, self._contradiction = _label_places(_read_json(folder / "config.json"))
        files = [folder / name for name in MODEL_FILES if (folder / name).is_file()]
        tokens = folder / "tokenizer.json"
        if not files or not tokens.is_file():
            raise ModelFolderError(f"{folder} has no {tokens.name if files else MODEL_FILES[0]}")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # what it cannot read is told by the exception
        try:
            self._session = onnxruntime.InferenceSession(str(files[0]), options, providers=["CPUExecutionProvider"])
            self._inputs = [each.name for each in self._session.get_inputs()]
            self._tokenizer = tokenizers.Tokenizer.from_file(str(tokens))
            self._tokenizer.enable_truncation(MOST_TOKENS, strategy="longest_first")
            self._tokenizer.enable_padding(**{**(self._tokenizer.padding or {}), "length": None})
            self.judge([WARM_UP])
        except Exception as fault:  # both libraries raise bare Exception, and classes of their own for each fault
            raise ModelFolderError(f"{folder} cannot be used: {' '.join(str(fault).split())[:200]}") from fault

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """One judgement for each pair of a premise and a claim. Pairs of like length share a batch: less is padding.

        Raises ModelFailedError.
        """
        judged: dict[int, Judgement] = {}
        by_length = sorted(range(len(pairs)), key=lambda place: sum(map(len, pairs[place])))
        for start in range(0, len(by_length), BATCH_PAIRS):
            places = by_length[start : start + BATCH_PAIRS]
            try:
                found = self._judge_batch([pairs[place] for place in places])
            except Exception as fault:  # as above: a text may be longer than the model can read
                raise ModelFailedError(f"the model failed: {' '.join(str(fault).split())[:200]}") from fault
            judged.update(zip(places, found, strict=True))
        return [judged[place] for place in range(len(pairs))]

    def _judge_batch(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        encoded = self._tokenizer.encode_batch(list(pairs))
        columns = {
            "input_ids": [each.ids for each in encoded],
            "attention_mask": [each.attention_mask for each in encoded],
            "token_type_ids": [each.type_ids for each in encoded],
        }
        fed = {name: self._numpy.asarray(columns[name], dtype=self._numpy.int64) for name in self._inputs}
        logits = self._session.run(None, fed)[0]
        weights = self._numpy.exp(logits - logits.max(axis=-1, keepdims=True))
        shares = self._numpy.nan_to_num(weights / weights.sum(axis=-1, keepdims=True))
        return [Judgement(float(row[self._entailment]), float(row[self._contradiction])) for row in shares]


def model_in(folder: Path) -> OnnxModel:
    """The model of `folder`, loaded once a process, by whichever thread comes first, and again once a file has changed.

    Raises ModelFolderError.
    """
    with _loading:
        return loaded(folder, _files(folder))


FileState = tuple[str, int, int]  # name, time of the last change in ns, size in bytes


@lru_cache(maxsize=1)
def loaded(folder: Path, files: tuple[FileState, ...]) -> OnnxModel:
    """As `model_in`; of two threads at once both would load it. files: as they are now."""
    return OnnxModel(folder)


def _files(folder: Path) -> tuple[FileState, ...]:
    """All that a model may be made of; large ones keep their weights in files of their own."""
    states = []
    for file in sorted((*folder.glob("*"), *folder.glob("onnx/*"))):
        with suppress(OSError):  # it is being replaced: loading says what is missing
            state = file.stat()
            states.append((str(file), state.st_mtime_ns, state.st_size))
    return tuple(states)


def _read_json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise ModelFolderError(f"{file} cannot be read: {fault}") from fault


def _label_places(config: Any) -> tuple[int, int]:
    """Where entailment and contradiction stand among the model's outputs."""
    labels = config.get("id2label") if isinstance(config, Mapping) else None
    names = {str(name).casefold(): place for place, name in labels.items()} if isinstance(labels, Mapping) else {}
    try:
        places = [int(names[label]) for label in LABELS]
    except (KeyError, ValueError) as fault:
        raise ModelFolderError("config.json names no output 'entailment' and 'contradiction' in id2label") from fault
    return places[0], places[1]
