"""A bot's network as an ONNX file, written straight from its weights.

No exporter traces anything: every operator is named below, all of the default domain, so that the file does not change
with torch and needs no torch to be made.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
from onnx import numpy_helper, parser

from agents.bots.network import input_scale, layer_names
from buck_env import NUM_ACTIONS, OBSERVATION_SIZE

__all__ = ["build_model", "rounded"]

_OPSET, _IR = 17, 8
"""Of 2022: old enough for every runtime in use."""


def build_model(
    weights: Mapping[str, np.ndarray],
    widths: list[int],
    objective: str,
    *,
    temperature: float = 1.0,
    int8: bool = False,
    used: np.ndarray | None = None,
) -> bytes:
    """The file of a network: ReLU layers of these widths, then two heads.

    Inputs, by name: `observation` (batch, D) int8 and `action_mask` (batch, A) int8. Outputs: `log_probabilities`
    (batch, A) of the legal actions after dividing the logits by a temperature, -inf elsewhere, and `value` (batch,).

    With `int8` the weights, not their biases, are stored as 8 bits and a scale for each output, and multiplied out
    again as they are loaded. If `used` (N,) int32 is given, only those entries of an observation have weights:
    the others are taken to be 0. Everything is summed in float32, so that an action depends neither on the batch that
    it is decided in nor on the processor.
    """
    tensors = {"illegal": np.array(-np.inf, np.float32), "last": np.array([1], np.int64)}
    lines = [f"entries = Cast <to = {onnx.TensorProto.FLOAT}> (observation)"]
    x = "entries"
    for name, _, _ in layer_names(widths):
        weight = weights[f"{name}.weight"]
        if x == "entries":
            weight = weight * input_scale(objective)
            if used is not None:
                tensors["used"], weight, x = used, weight[:, used], "seen"
                lines.append("seen = Gather <axis = 1> (entries, used)")
        if int8:
            tensors[f"{name}_rounded"], tensors[f"{name}_scale"] = rounded(weight)
            lines.append(f"{name}_weight = DequantizeLinear <axis = 0> ({name}_rounded, {name}_scale)")
        else:
            tensors[f"{name}_weight"] = weight
        tensors[f"{name}_bias"] = weights[f"{name}.bias"]
        lines.append(f"{name}_sum = Gemm <transB = 1> ({x}, {name}_weight, {name}_bias)")
        if name not in ("policy", "value"):
            x = name
            lines.append(f"{x} = Relu ({name}_sum)")
    logits = "policy_sum"
    if temperature != 1:
        logits, tensors["temperature"] = "tempered", np.array(temperature, np.float32)
        lines.append("tempered = Div (policy_sum, temperature)")
    lines += [
        f"legal = Cast <to = {onnx.TensorProto.BOOL}> (action_mask)",
        f"masked = Where (legal, {logits}, illegal)",
        "log_probabilities = LogSoftmax <axis = 1> (masked)",
        "value = Squeeze (value_sum, last)",
    ]
    body = "\n".join(lines)
    model = parser.parse_model(
        f'<ir_version: {_IR}, opset_import: ["": {_OPSET}], producer_name: "buck-euchre-rl">\n'
        f"bot (int8[batch, {OBSERVATION_SIZE}] observation, int8[batch, {NUM_ACTIONS}] action_mask)\n"
        f"=> (float[batch, {NUM_ACTIONS}] log_probabilities, float[batch] value)\n{{\n{body}\n}}"
    )
    model.graph.initializer.extend(
        numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in tensors.items()
    )
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString(deterministic=True)


def rounded(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A weight (outputs, inputs) as int8 and a scale for each output, (outputs,) float32, whose product is nearest."""
    scale = np.maximum(np.abs(weight).max(axis=1), np.finfo(np.float32).tiny) / np.float32(127)
    return np.rint(weight / scale[:, None]).astype(np.int8), scale.astype(np.float32)
