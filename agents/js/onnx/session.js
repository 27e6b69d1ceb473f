/** A model run by onnxruntime: web or node, whichever module the caller passes. */

import { BotError } from "../base/errors.js";

const inOneLine = (error) => String(error?.message ?? error).split(/\s+/).join(" ").slice(0, 300);

export async function openSession({ InferenceSession, Tensor }, model, where) {
  const session = await InferenceSession.create(model).catch((error) => {
    throw new BotError(`${where}: onnxruntime cannot load it: ${inOneLine(error)}`);
  });
  const tensor = (data) => new Tensor("int8", data, [1, data.length]);
  return async (observation, mask) => {
    const answer = await session.run({ observation: tensor(observation), action_mask: tensor(mask) }).catch((error) => {
      throw new BotError(`${where}: onnxruntime cannot run it: ${inOneLine(error)}`);
    });
    return { logProbabilities: answer.log_probabilities.data, value: answer.value.data[0] };
  };
}
