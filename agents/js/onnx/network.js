/** A dense network run by plain loops: the operators that `buck export` writes, one position at a time. */

import { BotError } from "../base/errors.js";
import { BOOL, FLOAT } from "./model.js";

/** A function of an observation and a mask: the log-probabilities of all actions, and the value. */
export function compileNetwork(model, observationSize, where) {
  const constants = new Map(model.tensors.map((tensor) => [tensor.name, tensor]));
  const build = new Build(constants, observationSize, where);
  for (const node of model.nodes) build.add(node);
  const { steps } = build;
  for (const name of ["log_probabilities", "value"]) build.sizeOf(name);
  return (observation, mask) => {
    const values = new Map([["observation", observation], ["action_mask", mask]]);
    for (const { output, run } of steps) values.set(output, run(values));
    return { logProbabilities: new Float32Array(values.get("log_probabilities")), value: values.get("value")[0] };
  };
}

class Build {
  steps = [];
  #constants;
  #weights = new Map(); // multiplied out
  #sizes;
  #where;

  constructor(constants, observationSize, where) {
    this.#constants = constants;
    this.#sizes = new Map([["observation", observationSize], ["action_mask", 43]]);
    this.#where = where;
  }

  add(node) {
    const { operator, inputs, outputs } = node;
    const made = Object.hasOwn(OPERATORS, operator) && outputs.length === 1 && OPERATORS[operator](this, inputs, settings(node));
    if (!made) this.refuse(operator);
    if (made.weight) {
      this.#weights.set(outputs[0], made.weight);
      return;
    }
    this.#sizes.set(outputs[0], made.size);
    this.steps.push({ output: outputs[0], run: made.run });
  }

  sizeOf(name) { return this.#sizes.get(name) ?? this.refuse(name); }

  /** A tensor of the file, `{dims, numbers}`. */
  constant(name) {
    const tensor = this.#constants.get(name);
    const numbers = tensor?.numbers();
    return numbers ? { dims: tensor.dims, numbers } : this.refuse(name);
  }

  weight(name) { return this.#weights.get(name) ?? this.constant(name); }

  scalar(name) {
    const { numbers } = this.constant(name);
    return numbers.length === 1 ? Number(numbers[0]) : this.refuse(name);
  }

  refuse(what) {
    throw new BotError(`${this.#where}: is no dense network as \`buck export\` writes it (${what}); give loadBundle onnxruntime to run it`);
  }
}

/** The attributes of a node, all of them numbers here. */
const settings = ({ attributes }) => Object.fromEntries(attributes.map(({ name, number }) => [name, number]));
const only = (given, wanted) => Object.keys(given).every((name) => given[name] === wanted[name]);

/** What each operator computes; false where it is used in another way than a dense network uses it. */
const OPERATORS = {
  Cast: (build, [x], { to }) => (to === FLOAT || to === BOOL) && { size: build.sizeOf(x), run: (values) => values.get(x) },
  Gather(build, [x, indices], given) {
    const places = Array.from(build.constant(indices).numbers, Number);
    if (given.axis !== 1 || !places.every((place) => place >= 0 && place < build.sizeOf(x))) return false;
    return { size: places.length, run: (values) => places.map((place) => values.get(x)[place]) };
  },
  DequantizeLinear(build, [rounded, scale, zero], given) {
    const { dims, numbers } = build.constant(rounded);
    const scales = build.constant(scale).numbers;
    if (zero !== undefined || given.axis !== 0 || dims.length !== 2 || scales.length !== dims[0]) return false;
    return { weight: { dims, numbers: new Float32Array(numbers).map((number, i) => number * scales[Math.floor(i / dims[1])]) } };
  },
  Gemm(build, [x, weight, bias], given) {
    const { dims: [outputs, inputs], numbers } = build.weight(weight);
    const biases = build.constant(bias).numbers;
    if (given.transB !== 1 || !only(given, { transB: 1, transA: 0, alpha: 1, beta: 1 })) return false;
    if (inputs !== build.sizeOf(x) || biases.length !== outputs) return false;
    return { size: outputs, run: dense(transposed(numbers, outputs, inputs), biases, (values) => values.get(x)) };
  },
  Relu: (build, [x]) => ({ size: build.sizeOf(x), run: (values) => values.get(x).map((value) => Math.max(value, 0)) }),
  Div(build, [x, divisor]) {
    const by = build.scalar(divisor);
    return { size: build.sizeOf(x), run: (values) => values.get(x).map((value) => value / by) };
  },
  Where(build, [mask, x, otherwise]) {
    const other = build.scalar(otherwise);
    if (build.sizeOf(mask) !== build.sizeOf(x)) return false;
    return { size: build.sizeOf(x), run: (values) => values.get(x).map((value, i) => (values.get(mask)[i] ? value : other)) };
  },
  LogSoftmax: (build, [x], { axis = -1 }) => (axis === 1 || axis === -1) && { size: build.sizeOf(x), run: (values) => logSoftmax(values.get(x)) },
  Squeeze: (build, [x, axes]) => build.sizeOf(x) === 1 && build.scalar(axes) === 1 && { size: 1, run: (values) => values.get(x) },
};

/** Weights by input, so that inputs of 0, which most are, cost nothing. */
function transposed(weights, outputs, inputs) {
  const byInput = new Float32Array(weights.length);
  for (let j = 0; j < outputs; j++) for (let i = 0; i < inputs; i++) byInput[i * outputs + j] = weights[j * inputs + i];
  return byInput;
}

const dense = (weights, biases, input) => (values) => {
  const sums = new Float64Array(biases);
  const width = sums.length;
  const given = input(values);
  for (let i = 0; i < given.length; i++) {
    const x = given[i];
    if (x === 0) continue;
    for (let j = 0, at = i * width; j < width; j++, at++) sums[j] += x * weights[at];
  }
  return sums;
};

export function logSoftmax(logits) {
  const highest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - highest), 0));
  return logits.map((logit) => logit - highest - total);
}
