/** What a bundle's `model.onnx` may be: plain arithmetic from the named inputs to the named outputs, all in one file. */

import { BotError } from "../base/errors.js";
import { FLOAT, INT8 } from "./model.js";

/** Of the default domain: networks are made of these, and none reads a file, runs a graph or makes up numbers. */
const OPERATORS =
  "Add Cast Clip Concat Constant DequantizeLinear Div Elu Equal Erf Exp Flatten Gather Gelu Gemm Greater Identity " +
  "LayerNormalization LeakyRelu Less Log LogSoftmax MatMul Max Min Mul Neg Not Pow QuantizeLinear Reciprocal ReduceMax " +
  "ReduceMean ReduceSum Relu Reshape Selu Shape Sigmoid Slice Softmax Softplus Sqrt Squeeze Sub Tanh Transpose Unsqueeze Where";
const ALLOWED = OPERATORS.split(" ");
const DOMAINS = ["", "ai.onnx"];
const TYPES = { int8: INT8, float32: FLOAT };
/** The types of attributes that hold numbers and words, no graphs. */
const PLAIN_ATTRIBUTES = [1, 2, 3, 4, 6, 7, 8];

/** BotError says why a model is refused; `inputs` and `outputs` are those that a bundle declares, batch first. */
export function checkModel(model, { inputs, outputs }, where) {
  for (const reason of reasons(model, inputs, outputs)) throw new BotError(`${where}: ${reason}`);
}

function* reasons(model, inputs, outputs) {
  if (!model.nodes.length) yield "is no ONNX file: it holds no graph";
  if (!model.isPlain) yield "has functions, training information or sparse weights; a bundle's model has none";
  const tensors = [...model.tensors];
  for (const { operator, domain, attributes } of model.nodes) {
    if (!DOMAINS.includes(domain)) yield `has the operator ${operator} of the domain ${domain}; allowed: the default domain`;
    if (!ALLOWED.includes(operator)) yield `has the operator ${operator}; allowed: ${ALLOWED.join(", ")}`;
    for (const { name, type, tensor } of attributes) {
      if (!PLAIN_ATTRIBUTES.includes(type)) yield `${operator} has the attribute ${name}, a graph or a list; allowed: plain values`;
      if (tensor) tensors.push(tensor);
    }
  }
  for (const domain of model.domains) if (!DOMAINS.includes(domain)) yield `imports operators of the domain ${domain}; allowed: the default domain`;
  for (const { name, isExternal } of tensors)
    if (isExternal) yield `${name || "a tensor"} lies in another file (external data); a bundle's model is one file`;
  yield* differences("input", model.inputs, inputs);
  yield* differences("output", model.outputs, outputs);
}

function* differences(kind, found, wanted) {
  const names = found.map(({ name }) => name);
  if (names.toSorted().join() !== Object.keys(wanted).sort().join())
    yield `${kind}s are ${names.join(", ") || "none"}; allowed: ${Object.keys(wanted).join(", ")}`;
  for (const [name, [type, , ...sizes]] of Object.entries(wanted)) {
    const tensor = found.find((value) => value.name === name);
    if (tensor.type !== TYPES[type] || tensor.shape.slice(1).join() !== sizes.join())
      yield `${kind} ${name} is not ${type} of shape (${["batch", ...sizes].join(", ")})`;
    if (tensor.shape[0] !== null) yield `${kind} ${name} has a fixed batch of ${tensor.shape[0]}; allowed: a symbolic one`;
  }
}
