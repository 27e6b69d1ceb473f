/** The words of the page, all of which stand in one file for translation. */

/** Read a file of words. The answer is a function of a key such as `"phase.order"` and of what goes into the braces. */
export async function loadText(url) {
  const words = await (await fetch(url)).json();
  const plural = new Intl.PluralRules(words.language);
  return (key, values = {}) => {
    let found = key.split(".").reduce((part, name) => part?.[name], words);
    if (found === undefined) throw new Error(`text: ${key} is missing in ${url}`);
    if (typeof found === "object") found = found[plural.select(values.n)] ?? found.other;
    return found.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === "number" ? numberWords(values[name]) : values[name]));
  };
}

/** A number as it is printed: with a minus sign, which is as wide as a plus. */
export function numberWords(number) {
  return String(number).replace("-", "−");
}

/** Fill in the words of the elements that name them: `data-text` the content, `data-label` the aria-label. */
export function fillText(root, text) {
  for (const place of root.querySelectorAll("[data-text]")) place.textContent = text(place.dataset.text);
  for (const place of root.querySelectorAll("[data-label]")) place.setAttribute("aria-label", text(place.dataset.label));
}
