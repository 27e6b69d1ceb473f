/** An ONNX file as plain objects: the nodes of its graph, and its tensors. */

import { BotError } from "../base/errors.js";
import { integers, parseMessage } from "./protobuf.js";

/** The numbers of element and attribute types, as ONNX has them. */
export const FLOAT = 1;
export const INT8 = 3;
export const BOOL = 9;
const ARRAYS = { [FLOAT]: Float32Array, [INT8]: Int8Array, 6: Int32Array, 7: BigInt64Array };
const EXTERNAL = 1;

const text = (bytes) => new TextDecoder().decode(bytes);
const texts = (values) => (values ?? []).map(text);
const last = (message, field, otherwise) => message.get(field)?.at(-1) ?? otherwise;
const bytesOf = (message, field) => last(message, field, new Uint8Array());
const textOf = (message, field) => text(bytesOf(message, field));
const float = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, 4).getFloat32(0, true);

/** The model of a file; BotError where it is none. */
export function parseModel(bytes, where) {
  const model = parseMessage(bytes, where);
  const graph = parseMessage(bytesOf(model, 7), where);
  const values = (field) => (graph.get(field) ?? []).map((value) => parseValue(value, where));
  return {
    domains: (model.get(8) ?? []).map((opset) => textOf(parseMessage(opset, where), 1)),
    isPlain: !model.has(20) && !model.has(25) && !graph.has(15), // no training information, functions or sparse weights
    nodes: (graph.get(1) ?? []).map((node) => parseNode(node, where)),
    tensors: (graph.get(5) ?? []).map((tensor) => parseTensor(tensor, where)),
    inputs: values(11),
    outputs: values(12),
  };
}

function parseNode(bytes, where) {
  const node = parseMessage(bytes, where);
  return {
    inputs: texts(node.get(1)),
    outputs: texts(node.get(2)),
    operator: textOf(node, 4),
    attributes: (node.get(5) ?? []).map((attribute) => parseAttribute(attribute, where)),
    domain: textOf(node, 7),
  };
}

function parseAttribute(bytes, where) {
  const attribute = parseMessage(bytes, where);
  const tensor = last(attribute, 5);
  return {
    name: textOf(attribute, 1),
    type: last(attribute, 20, 0),
    number: attribute.has(2) ? float(last(attribute, 2)) : last(attribute, 3, 0),
    tensor: tensor && parseTensor(tensor, where),
  };
}

function parseTensor(bytes, where) {
  const tensor = parseMessage(bytes, where);
  const dims = integers(tensor.get(1), where);
  const type = last(tensor, 2, 0);
  const name = textOf(tensor, 8);
  return {
    name,
    dims,
    type,
    isExternal: tensor.has(13) || last(tensor, 14, 0) === EXTERNAL,
    /** Its numbers; undefined where they are of a type or a storage that this package does not read. */
    numbers: () => {
      const raw = last(tensor, 9);
      const size = dims.reduce((product, length) => product * length, 1);
      if (!raw || !ARRAYS[type]) return undefined;
      if (raw.length !== size * ARRAYS[type].BYTES_PER_ELEMENT) throw new BotError(`${where}: ${name} is not of its shape ${dims}`);
      return new ARRAYS[type](new Uint8Array(raw).buffer);
    },
  };
}

/** The name, element type and shape of an input or output; a number where a dimension is fixed, else null. */
function parseValue(bytes, where) {
  const value = parseMessage(bytes, where);
  const nested = (message, field) => parseMessage(bytesOf(message, field), where);
  const tensor = nested(nested(value, 2), 1);
  const shape = nested(tensor, 2);
  return {
    name: textOf(value, 1),
    type: last(tensor, 1, 0),
    shape: (shape.get(1) ?? []).map((dimension) => last(parseMessage(dimension, where), 1, null)),
  };
}
