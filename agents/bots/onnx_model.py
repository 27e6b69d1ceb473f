"""What a bundle's `model.onnx` may be: plain arithmetic from the named inputs to the named outputs, all in one file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError

from agents.bots.bot import BotError
from agents.bots.bundle import INPUTS, OUTPUTS

__all__ = ["ALLOWED_OPERATORS", "check_model", "shortened_error"]

ALLOWED_OPERATORS = frozenset(
    (
        "Add", "Cast", "Clip", "Concat", "Constant", "DequantizeLinear", "Div", "Elu", "Equal", "Erf", "Exp", "Flatten",
        "Gather", "Gelu", "Gemm", "Greater", "Identity", "LayerNormalization", "LeakyRelu", "Less", "Log", "LogSoftmax",
        "MatMul", "Max", "Min", "Mul", "Neg", "Not", "Pow", "QuantizeLinear", "Reciprocal", "ReduceMax", "ReduceMean",
        "ReduceSum", "Relu", "Reshape", "Selu", "Shape", "Sigmoid", "Slice", "Softmax", "Softplus", "Sqrt", "Squeeze",
        "Sub", "Tanh", "Transpose", "Unsqueeze", "Where",
    )
)  # fmt: skip
"""Of the default domain: networks are made of these, and none reads a file, runs a graph or makes up numbers."""

_DOMAINS = ("", "ai.onnx")
_TYPES = {"int8": onnx.TensorProto.INT8, "float32": onnx.TensorProto.FLOAT}
_ATTRIBUTES = frozenset(
    (
        onnx.AttributeProto.FLOAT,
        onnx.AttributeProto.FLOATS,
        onnx.AttributeProto.INT,
        onnx.AttributeProto.INTS,
        onnx.AttributeProto.STRING,
        onnx.AttributeProto.STRINGS,
        onnx.AttributeProto.TENSOR,
    )
)
"""Attributes that hold numbers and words; the others hold graphs and whatever graphs hold."""


def check_model(data: bytes, where: Path) -> None:
    """Nothing, or a BotError that says why a model is refused."""
    try:
        model = onnx.load_model_from_string(data)
    except DecodeError as error:
        raise BotError(f"{where}: is no ONNX file: {error}") from None
    for reason in _reasons(model):
        raise BotError(f"{where}: {reason}")
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:  # of many types, some of them internal to onnx
        raise BotError(f"{where}: is not valid ONNX: {shortened_error(error)}") from None


def shortened_error(error: Exception) -> str:
    """An error of onnx or onnxruntime in one line; theirs can run to pages."""
    return " ".join(str(error).split())[:300]


def _reasons(model: onnx.ModelProto) -> Iterable[str]:
    """Why a model is refused, the weightiest first."""
    graph = model.graph
    if not graph.node:
        yield "is no ONNX file: it holds no graph"
    if model.functions or model.training_info or graph.sparse_initializer:
        yield "has functions, training information or sparse weights; a bundle's model has none"
    tensors = list(graph.initializer)
    for node in graph.node:
        if node.domain not in _DOMAINS:
            yield f"has the operator {node.op_type} of the domain {node.domain}; allowed: the default domain"
        if node.op_type not in ALLOWED_OPERATORS:
            yield f"has the operator {node.op_type}; allowed: {', '.join(sorted(ALLOWED_OPERATORS))}"
        for attribute in node.attribute:
            if attribute.type not in _ATTRIBUTES:
                yield f"{node.op_type} has the attribute {attribute.name}, a graph or a list; allowed: plain values"
            tensors.append(attribute.t)
    for opset in model.opset_import:
        if opset.domain not in _DOMAINS:
            yield f"imports operators of the domain {opset.domain}; allowed: the default domain"
    for tensor in tensors:
        if tensor.external_data or tensor.data_location == onnx.TensorProto.EXTERNAL:
            yield f"{tensor.name or 'a tensor'} lies in another file (external data); a bundle's model is one file"
    yield from _differences("input", graph.input, INPUTS)
    yield from _differences("output", graph.output, OUTPUTS)


def _differences(
    kind: str, found: Iterable[onnx.ValueInfoProto], wanted: Mapping[str, tuple[object, ...]]
) -> Iterable[str]:
    tensors = {value.name: value.type.tensor_type for value in found}
    if set(tensors) != set(wanted):
        yield f"{kind}s are {', '.join(tensors) or 'none'}; allowed: {', '.join(wanted)}"
    for name, (dtype, *shape) in wanted.items():
        tensor = tensors[name]
        batch, *sizes = tensor.shape.dim or [onnx.TensorShapeProto.Dimension(dim_value=1)]
        if tensor.elem_type != _TYPES[str(dtype)] or [size.dim_value for size in sizes] != shape:
            yield f"{kind} {name} is not {dtype} of shape (batch{''.join(f', {size}' for size in shape)})"
        if batch.HasField("dim_value"):
            yield f"{kind} {name} has a fixed batch of {batch.dim_value}; allowed: a symbolic one"
