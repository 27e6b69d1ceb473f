"use strict";
for (const hand of document.querySelectorAll(".hand")) {
  const frames = [...hand.querySelectorAll(".frames > li")];
  const controls = hand.querySelector(".controls");
  const output = controls.querySelector("output");
  const last = frames.length - 1;
  let at = 0;
  const places = { first: () => 0, back: () => at - 1, next: () => at + 1, last: () => last };
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  const show = (to) => {
    at = Math.max(0, Math.min(last, to));
    frames.forEach((frame, place) => { frame.hidden = place !== at; });
    output.textContent = `step ${at} of ${last}`;
    for (const button of controls.querySelectorAll("button")) {
      const end = button.value === "first" || button.value === "back" ? at === 0 : at === last;
      button.setAttribute("aria-disabled", String(end));
    }
  };
  controls.hidden = false;
  hand.classList.add("stepped");
  controls.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(places[button.value]());
  });
  hand.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    show(places[keys[event.key]]());
  });
  show(0);
}
