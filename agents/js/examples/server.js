/**
 * A bot behind HTTP: `node server.js BUNDLE` answers `POST /decide`, whose body is a position, with the decision.
 * `handlerOf` fits `node:http` and whatever takes its handlers.
 */

import { createServer } from "node:http";
import { BuckError } from "buck-euchre";
import { loadBundleFolder } from "buck-euchre/node";

const MOST = 2 ** 18; // characters of a body

export const handlerOf = (bot) => async (request, response) => {
  const answer = (status, value) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (request.method !== "POST" || request.url !== "/decide") return answer(404, { error: "POST a position to /decide" });
  try {
    let text = "";
    for await (const chunk of request.setEncoding("utf8"))
      if ((text += chunk).length > MOST) return answer(413, { error: `a position has at most ${MOST} characters` });
    return answer(200, await bot.decide(JSON.parse(text)));
  } catch (error) {
    if (!(error instanceof BuckError || error instanceof SyntaxError)) return answer(500, { error: "the bot failed" });
    return answer(400, { error: error.message });
  }
};

const [folder = ".", port = "8080"] = process.argv.slice(2);
const server = createServer(handlerOf(await loadBundleFolder(folder)));
server.listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/decide`));
