/** The service of `buck serve`, where the page comes from one. */

/** Post a question such as `decide` or `analyse`, and return what the server answers; an error says what is wrong and how to mend it. */
export async function askServer(path, question) {
  const answer = await fetch(`../${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(question),
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error ? `${found.error.what}; ${found.error.mend}` : String(answer.status));
  return found;
}
