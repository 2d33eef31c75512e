// @ts-check
// The page of a review: the press that has it made, how far it is, and the boards on which the other way is tried.

import { say, text } from "./toasts.js";
import { Fault, fragment, post } from "./api.js";
import { handle } from "./handlers.js";
import { initSettings } from "./settings.js";

const AGAIN = 700; // milliseconds between two looks at how far it is
const page = /** @type {HTMLElement} */ (document.getElementById("review"));
const address = `/t/${page.dataset.table}/review`;

/** @typedef {{state: string, done: number, of: number}} Progress */

const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (page.querySelector(selector));

/** @param {Progress} seen */
function show(seen) {
  const going = seen.state === "waiting" || seen.state === "running";
  part("#progress").hidden = !going;
  part("[data-action=make-review]").hidden = going;
  part("#failed").hidden = seen.state !== "failed";
  const bar = /** @type {HTMLProgressElement} */ (part("#progress progress"));
  if (seen.of) {
    bar.max = seen.of;
    bar.value = seen.done;
  } else bar.removeAttribute("value");
  const line = text(seen.of ? "running" : "waiting");
  part("#progress span").textContent = line.replace("{done}", String(seen.done)).replace("{of}", String(seen.of));
}

/** Look again and again until the review is made, or is not to be had. @param {Progress} seen */
async function follow(seen) {
  while (seen.state === "waiting" || seen.state === "running") {
    show(seen);
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    seen = JSON.parse(await fragment(`${address}/progress`));
  }
  if (seen.state === "done") location.reload();
  else show({ ...seen, state: seen.state === "none" ? "failed" : seen.state });
}

initSettings();
handle({
  "make-review": async () => follow(await post(address, {})),
  "try-other": async (button) => {
    try {
      location.href = (await post(`/t/${page.dataset.table}/try?at=${button.dataset.at}`, {})).address;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      say(error.message, { rule: error.error.rule });
    }
  },
});

if (page.dataset.state === "waiting" || page.dataset.state === "running") follow({ state: page.dataset.state, done: 0, of: 0 });
