"""An entailment model in ONNX that is small enough to be worked by hand, with the weakness of the large ones.

Entailment grows with the share of the claim's words that are in the premise, contradiction where one side alone has
"not"; a premise of more words than a sentence has makes the model say "neutral" to anything.
"""

import json
from pathlib import Path

import numpy
from onnx import TensorProto, helper, numpy_helper, save
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS = str.split("""
    [PAD] [UNK] [CLS] [SEP] . not the tram leaves at seven bridge was built in steel lamp is on door open
""")
LABELS = {"0": "contradiction", "1": "neutral", "2": "entailment"}
LONGEST_TOKENS = 20  # of a pair: two short sentences
NOT = WORDS.index("not")
FIRST_WORD = WORDS.index("the")  # those before it are signs, and "not"


def write_model(folder: Path) -> Path:
    """Fills `folder` with what a published model has, and returns it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"id2label": LABELS}))
    _tokenizer().save(str(folder / "tokenizer.json"))
    save(_network(), str(folder / "model.onnx"))
    return folder


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", WORDS.index("[CLS]")), ("[SEP]", WORDS.index("[SEP]"))],
    )
    return tokenizer


def _network() -> object:
    """Which words each side has, then sums over them. Inputs: batch × tokens; output: batch × 3."""
    constants = {
        "size": numpy.array(len(WORDS), numpy.int64),
        "on_off": numpy.array([0, 1], numpy.float32),
        "last": numpy.array([-1], numpy.int64),
        "one": numpy.array(1, numpy.float32),
        "longest": numpy.array(LONGEST_TOKENS, numpy.float32),
        "steep": numpy.array(16, numpy.float32),
        "half": numpy.array(0.75, numpy.float32),
        "words": numpy.array([[float(place >= FIRST_WORD)] for place in range(len(WORDS))], numpy.float32),
        "not": numpy.array([[float(place == NOT)] for place in range(len(WORDS))], numpy.float32),
        "tokens": numpy.array([1], numpy.int64),
        "zero": numpy.array(0, numpy.float32),
    }
    nodes = [
        ("Cast", ["attention_mask"], "mask", {"to": TensorProto.FLOAT}),
        ("Cast", ["token_type_ids"], "type", {"to": TensorProto.FLOAT}),
        ("OneHot", ["input_ids", "size", "on_off"], "which", {"axis": -1}),
        ("Mul", ["mask", "type"], "of_claim", {}),
        ("Sub", ["mask", "of_claim"], "of_premise", {}),
        ("Unsqueeze", ["of_claim", "last"], "of_claim_3", {}),
        ("Unsqueeze", ["of_premise", "last"], "of_premise_3", {}),
        ("Mul", ["which", "of_claim_3"], "claim_tokens", {}),
        ("Mul", ["which", "of_premise_3"], "premise_tokens", {}),
        ("ReduceMax", ["claim_tokens", "tokens"], "claim", {"keepdims": 0}),
        ("ReduceMax", ["premise_tokens", "tokens"], "premise", {"keepdims": 0}),
        ("Mul", ["claim", "premise"], "both", {}),
        ("MatMul", ["both", "words"], "shared", {}),
        ("MatMul", ["claim", "words"], "claimed", {}),
        ("Max", ["claimed", "one"], "at_least_one", {}),
        ("Div", ["shared", "at_least_one"], "share", {}),
        ("Sub", ["share", "half"], "above", {}),
        ("Mul", ["above", "steep"], "alike", {}),
        ("MatMul", ["claim", "not"], "claim_not", {}),
        ("MatMul", ["premise", "not"], "premise_not", {}),
        ("Sub", ["claim_not", "premise_not"], "not_on_one_side", {}),
        ("Abs", ["not_on_one_side"], "opposed", {}),
        ("ReduceSum", ["mask", "tokens"], "length", {"keepdims": 1}),
        ("Sub", ["length", "longest"], "beyond", {}),
        ("Max", ["beyond", "zero"], "too_long", {}),
        ("Mul", ["too_long", "steep"], "neutral", {}),
        ("Sub", ["one", "opposed"], "agreed", {}),
        ("Mul", ["alike", "opposed"], "contradiction", {}),
        ("Mul", ["alike", "agreed"], "agreeing", {}),
        ("Mul", ["opposed", "steep"], "against", {}),
        ("Sub", ["agreeing", "against"], "entailment", {}),
        ("Concat", ["contradiction", "neutral", "entailment"], "logits", {"axis": 1}),
    ]
    shape = ["batch", "tokens"]
    graph = helper.make_graph(
        [helper.make_node(kind, inputs, [output], **attributes) for kind, inputs, output, attributes in nodes],
        "tiny",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, shape)
            for name in ("input_ids", "attention_mask", "token_type_ids")
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 3])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
