/** The service of `buck serve`, where the page comes from one. */

/** Post a question such as `decide` or `analyse`, and return what the server answers; its error object is thrown. */
export async function askServer(path, question) {
  const answer = await fetch(`../${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(question),
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error?.message ?? String(answer.status));
  return found;
}
