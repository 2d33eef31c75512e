// @ts-check
// A table with real cardboard: a tile or a station is entered as it lies there, and what could not be sent is kept.

import { say, text } from "./toasts.js";
import { submitChange } from "./action_form.js";
import { Fault, isUnreachable, post } from "./api.js";
import { address, number, refresh, table } from "./region_updates.js";

const NUMBERS = new Set(["turn", "cost"]);
const WAIT = 2000; // milliseconds before it is tried again to send what was kept

const mirrored = () => Boolean(document.querySelector(".now[data-mirror]"));
const key = () => `kept ${table()}`;

/** Enter what a form says. @param {HTMLFormElement} form */
function enter(form) {
  /** @type {Record<string, unknown>} */
  const action = { kind: form.dataset.enter };
  for (const [name, value] of new FormData(form)) action[name] = NUMBERS.has(name) ? Number(value) : value;
  submitChange("actions", { number: number(), seat: Number(form.dataset.seat), action });
}

/** Keep what could not be sent, until the table answers again. @param {object} body */
function keep(body) {
  if (!mirrored()) return;
  localStorage.setItem(key(), JSON.stringify(body));
  sendKept();
}

let trying = false;

/** Send what was kept; where the game stands elsewhere by now, say what it was. */
async function sendKept() {
  if (trying) return;
  trying = true;
  while (localStorage.getItem(key())) {
    const kept = localStorage.getItem(key()) || "";
    try {
      await post(address("actions"), kept);
      localStorage.removeItem(key());
      await refresh();
      say(text("kept_sent"));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (!isUnreachable(error)) {
        localStorage.removeItem(key());
        await refresh().catch(() => {});
        say(`${text("kept_lost")} ${told(kept)} ${error.message}`, { keep: true });
      } else await new Promise((resolve) => setTimeout(resolve, WAIT));
    }
  }
  trying = false;
}

/** What was kept, in the words of the action. @param {string} kept */
function told(kept) {
  const { kind, ...fields } = JSON.parse(kept).action;
  return `${kind} ${Object.values(fields).join(" ")}.`;
}

export function initReferee() {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.dataset.enter) return;
    event.preventDefault();
    enter(form);
  });
  document.addEventListener("unsent", (event) => keep(/** @type {CustomEvent} */ (event).detail));
  sendKept();
}
