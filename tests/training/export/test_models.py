"""Models made by anyone: plain arithmetic is taken, anything else refused with the reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from bundles import with_sums
from onnx import helper, numpy_helper, parser

from agents import load_agent
from agents.bots.bot import BotError
from agents.bots.bundle_files import MODEL_FILE, read_bundle, write_bundle
from agents.bots.network import layer_names
from agents.bots.onnx_bot import OnnxAgent
from buck_env import OBSERVATION_SIZE, load_rules
from training.export.bundles import check_bundle
from training.export.onnx_graph import build_model
from training.export.samples import make_samples


def test_the_model_of_another_bot_is_refused(copy: Path) -> None:
    weights = {
        f"{name}.{part}": np.full(shape, 0.01, np.float32)
        for name, inputs, outputs in layer_names([8])
        for part, shape in (("weight", (outputs, inputs)), ("bias", (outputs,)))
    }
    (copy / MODEL_FILE).write_bytes(build_model(weights, [8], "points"))
    with pytest.raises(BotError, match="probabilities: the sample has"):
        check_bundle(with_sums(copy))


HEAD = (
    '<ir_version: 8, opset_import: ["" : 17]> bot '
    f"(int8[batch, {OBSERVATION_SIZE}] observation, int8[batch, 43] action_mask) "
    "=> (float[batch, 43] log_probabilities, float[batch] value)"
)
BODY = (
    "{ weight = Constant <value = float[1, 1] {0.5}> () x = Cast <to = 1> (observation) "
    "first = Constant <value_ints = [0]> () last = Constant <value_ints = [1]> () "
    "ends = Constant <value_ints = [43]> () "
    "scores = Slice (x, first, ends, last) mixed = Add (scores, weight) bent = Tanh (mixed) "
    "mask = Cast <to = 9> (action_mask) never = Constant <value = float {-inf}> () "
    "masked = Where (mask, bent, never) log_probabilities = LogSoftmax <axis = 1> (masked) "
    "value = ReduceSum <keepdims = 0> (x, last) }"
)


def edited(change: Callable[[onnx.ModelProto], Any]) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        model = onnx.load_model_from_string(data)
        change(model)
        return bytes(model.SerializeToString())

    return edit


def external(model: onnx.ModelProto) -> None:
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/etc/passwd")


def external_in_a_constant(model: onnx.ModelProto) -> None:
    tensor = numpy_helper.from_array(np.ones(3, np.float32), "aside")
    model.graph.node.append(helper.make_node("Constant", [], ["aside"], value=tensor))
    external_tensor = model.graph.node[-1].attribute[0].t
    external_tensor.external_data.add(key="location", value="weights.bin")


def with_a_branch(model: onnx.ModelProto) -> None:
    graph = helper.make_graph([], "branch", [], [])
    model.graph.node.append(helper.make_node("If", ["legal"], ["unused"], then_branch=graph, else_branch=graph))


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda data: b"not a model", "is no ONNX file"),
        (lambda data: b"", "is no ONNX file"),
        (lambda data: data[: len(data) // 2], "is no ONNX file"),
        (edited(external), "illegal lies in another file|lies in another file"),
        (edited(external_in_a_constant), "lies in another file"),
        (edited(with_a_branch), "operator If; allowed: Add"),
        (
            edited(lambda m: m.graph.node.append(helper.make_node("Run", [], ["x"], domain="com.example"))),
            "operator Run of the domain com.example",
        ),
        (
            edited(lambda m: m.graph.node.append(helper.make_node("RandomUniform", [], ["x"], shape=[2]))),
            "operator RandomUniform; allowed",
        ),
        (edited(lambda m: m.opset_import.add(domain="com.example", version=1)), "domain com.example"),
        (edited(lambda m: m.functions.add(name="f")), "has functions"),
        (edited(lambda m: setattr(m.graph.input[0], "name", "obs")), "inputs are obs, action_mask"),
        (edited(lambda m: m.graph.output.pop()), "outputs are log_probabilities; allowed"),
        (
            edited(lambda m: setattr(m.graph.input[0].type.tensor_type, "elem_type", 1)),
            f"observation is not int8 of shape \\(batch, {OBSERVATION_SIZE}\\)",
        ),
        (
            edited(lambda m: setattr(m.graph.input[1].type.tensor_type.shape.dim[1], "dim_value", 44)),
            "action_mask is not int8 of shape \\(batch, 43\\)",
        ),
        (
            edited(lambda m: setattr(m.graph.input[0].type.tensor_type.shape.dim[0], "dim_value", 1)),
            "observation has a fixed batch of 1",
        ),
        (edited(lambda m: m.graph.node[3].input.__setitem__(0, "nowhere")), "is not valid ONNX"),
        (edited(lambda m: m.graph.initializer.pop()), "is not valid ONNX"),
    ],
)
def test_a_model_that_could_do_more_or_less_than_arithmetic_is_refused(copy: Path, edit: Any, said: str) -> None:
    (copy / MODEL_FILE).write_bytes(edit((copy / MODEL_FILE).read_bytes()))
    for refuse in (check_bundle, lambda folder: load_agent(f"onnx:{folder}", load_rules("ohio"))):
        with pytest.raises(BotError, match=said) as caught:
            refuse(with_sums(copy))
        assert str(copy / MODEL_FILE) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_bundle_made_by_anyone_is_taken(bundle: Path, tmp_path: Path) -> None:
    rules = load_rules("ohio")
    card, _, _ = read_bundle(bundle)
    card = replace(card, canonical=False, play="sampled", license="CC0-1.0", made_with="by hand")
    model = bytes(parser.parse_model(HEAD + BODY).SerializeToString())
    agent = OnnxAgent(card, model, tmp_path)
    write_bundle(tmp_path, card, model, make_samples(rules, agent, 10))
    assert "10 samples agree" in check_bundle(tmp_path)


def test_a_model_that_forgets_the_mask_is_refused(bundle: Path, copy: Path) -> None:
    careless = BODY.replace("masked = Where (mask, bent, never)", "masked = Where (mask, bent, bent)")
    (copy / MODEL_FILE).write_bytes(bytes(parser.parse_model(HEAD + careless).SerializeToString()))
    with pytest.raises(BotError, match="jsonl:1: the model's log_probabilities are no distribution over the legal"):
        check_bundle(with_sums(copy))
