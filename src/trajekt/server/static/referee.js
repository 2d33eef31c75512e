// @ts-check
// A table with real cardboard: a tile or a station is entered as it lies there, and what cannot be sent is kept.

import { choose, submitChange } from "./action_form.js";
import { say, text } from "./toasts.js";
import { keep, sendKept, showKept, waiting } from "./kept_entries.js";
import { number } from "./region_updates.js";

const NUMBERS = new Set(["turn", "cost"]);
const TOLD = /^declare_(run|track|station|fact)$/;
const RANGE = /\d[\d.,]*(?:\s?M)?\s(?:to|bis)\s\d[\d.,]*/; // the open number of a choice, in both languages

const mirrored = () => Boolean(document.querySelector(".now[data-mirror]"));

/** Enter what a form says. @param {HTMLFormElement} form */
function enter(form) {
  /** @type {Record<string, unknown>} */
  const action = { kind: form.dataset.enter };
  for (const [name, value] of new FormData(form)) action[name] = NUMBERS.has(name) ? Number(value) : value;
  submitChange("actions", { number: number(), seat: Number(form.dataset.seat), action });
}

/** An action in the words of the choice that made it, with the number that was typed. @param {Record<string, unknown>} action */
function wordsOf(action) {
  const { kind, ...fields } = action;
  const open = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#action-form [name=pick], [data-choice]")]);
  const choices = open.map((each) => ({
    action: JSON.parse(each instanceof HTMLInputElement ? each.value : each.dataset.choice || "{}"),
    label: each.dataset.label || each.firstChild?.textContent?.trim() || "",
    open: Object.keys(JSON.parse(each.dataset.spans || "{}")),
  }));
  const found = choices.find((each) =>
    Object.entries(action).every(([name, value]) => each.action[name] === value || each.open.includes(name)),
  );
  return found?.label.replace(RANGE, String(action[found.open[0]])) || `${kind} ${Object.values(fields).join(" ")}`;
}

/** Keep what could not be sent; the next entry can be made at once. @param {CustomEvent} event */
function keepUnsent(event) {
  if (!mirrored()) return;
  event.preventDefault();
  const { seat: _seat, ...body } = event.detail;
  // behind others, what a company tells is told by whoever directs the company that is in turn by then
  const inTurn = waiting() && TOLD.test(body.action.kind);
  keep({ words: wordsOf(body.action), body: inTurn ? body : event.detail });
  const picked = /** @type {HTMLInputElement | null} */ (document.querySelector("#action-form [name=pick]:checked"));
  if (picked) picked.checked = false;
  choose(null);
  say(text("kept_here"));
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.dataset.enter) return;
  event.preventDefault();
  enter(form);
});
document.addEventListener("sending", (event) => waiting() && keepUnsent(/** @type {CustomEvent} */ (event)));
document.addEventListener("unsent", (event) => keepUnsent(/** @type {CustomEvent} */ (event)));
document.addEventListener("regions", showKept);
addEventListener("online", sendKept);
showKept();
sendKept();
