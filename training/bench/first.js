// A program that answers the first legal action at once: what is left to measure is the protocol.
// `node first.js now` asks for the plain facts with every decision.

const greeting = { protocol: "buck-euchre-command-v1", now: process.argv[2] === "now" };
let greeted = false;
let text = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (text + chunk).split("\n");
  text = lines.pop(); // a line whose end is still to come
  const answers = lines.map((line) => {
    const asked = JSON.parse(line);
    const answer = greeted ? { id: asked.id, action: asked.legal[0] } : greeting;
    greeted = true;
    return JSON.stringify(answer) + "\n";
  });
  process.stdout.write(answers.join(""));
});
