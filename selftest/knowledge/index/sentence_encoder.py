"""A sentence encoder read from a folder that an admin fills, such as all-MiniLM-L6-v2 as it is published for ONNX.

The folder holds `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`. Needs the dependency group `nli`. A text's
vector is the mean of its tokens' vectors.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy
from numpy.typing import NDArray

from selftest.evaluation.onnx_model import MODEL_FILES, ModelFolderError

BATCH = 32
MOST_TOKENS = 256  # of a text: what these models were trained on
MOST_THREADS = 2  # a search shares the machine with pages


class SentenceEncoder:
    """As `Encoder` says. Called from several threads at once."""

    least_alike = 0.25  # of texts on different things these models make some 0.1
    is_by_words = False

    def __init__(self, folder: Path) -> None:
        """Reads `folder` and asks the model once. Raises ModelFolderError."""
        try:
            import onnxruntime
            import tokenizers
        except ImportError as fault:
            raise ModelFolderError(f"{fault.name} is not installed: uv sync --group nli") from fault
        files = [folder / name for name in MODEL_FILES if (folder / name).is_file()]
        tokens = folder / "tokenizer.json"
        if not files or not tokens.is_file():
            raise ModelFolderError(f"{folder} has no {tokens.name if files else MODEL_FILES[0]}")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # what it cannot read is told by the exception
        options.intra_op_num_threads = MOST_THREADS
        try:
            self._session = onnxruntime.InferenceSession(str(files[0]), options, providers=["CPUExecutionProvider"])
            self._inputs = [each.name for each in self._session.get_inputs()]
            self._tokenizer = tokenizers.Tokenizer.from_file(str(tokens))
            self._tokenizer.enable_truncation(MOST_TOKENS)
            self._tokenizer.enable_padding(**{**(self._tokenizer.padding or {}), "length": None})
            self.dimensions = int(self._encode_batch(["warm up"]).shape[1])
        except Exception as fault:  # both libraries raise bare Exception, and classes of their own for each fault
            raise ModelFolderError(f"{folder} cannot be used: {' '.join(str(fault).split())[:200]}") from fault
        self.name = f"onnx-{hashlib.sha256(files[0].read_bytes()).hexdigest()[:16]}"

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> list[list[float]]:
        """As `Encoder` says. Texts of like length share a batch: less is padding."""
        rows = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        by_length = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(by_length), BATCH):
            places = by_length[start : start + BATCH]
            rows[places] = self._encode_batch([texts[place] for place in places])
        found: list[list[float]] = rows.tolist()
        return found

    def _encode_batch(self, texts: Sequence[str]) -> NDArray[numpy.float32]:
        encoded = self._tokenizer.encode_batch(list(texts))
        columns = {
            "input_ids": [each.ids for each in encoded],
            "attention_mask": [each.attention_mask for each in encoded],
            "token_type_ids": [each.type_ids for each in encoded],
        }
        fed = {name: numpy.asarray(columns[name], dtype=numpy.int64) for name in self._inputs}
        tokens = numpy.asarray(self._session.run(None, fed)[0], dtype=numpy.float32)
        mask = numpy.asarray(columns["attention_mask"], dtype=numpy.float32)[:, :, None]
        means = (tokens * mask).sum(axis=1) / numpy.maximum(mask.sum(axis=1), 1.0)
        lengths = numpy.linalg.norm(means, axis=1, keepdims=True)
        unit: NDArray[numpy.float32] = numpy.divide(means, lengths, out=numpy.zeros_like(means), where=lengths > 0)
        return unit
