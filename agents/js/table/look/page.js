/** The page's elements: made, found and filled. */

/** An element with attributes and children; a child may be text. An attribute that is null or false is left out. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** The one element with an id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Put children into an element in place of those it has. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null));
  return parent;
}

/** A button that does something when it is chosen. */
export function button(label, act, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}
