// @ts-check
// Choosing and confirming: a choice is picked, the server says what it would change, one button sends it. The page keeps the
// action as the server wrote it; open numbers are filled in from their fields.

import { address, arrive, number, refresh } from "./regions.js";
import { Fault, post } from "./api.js";
import { ruleLink } from "./rules.js";
import { say, text } from "./announce.js";
import { cover, uncover } from "./dialog_focus.js";

/** @typedef {{number: number, action: Record<string, unknown>, seat: number, label: string}} Pick a choice of the position `number` */

/** @type {Pick | null} */
let picked = null;
let sending = false;
let unanswered = false;
/** @type {AbortController | null} */
let asking = null;

const element = (/** @type {string} */ id) => document.getElementById(id);

/** Whether a deed waits for its answer: the page is drawn anew when it has it, not before. */
export const busy = () => unanswered;

/** @param {boolean} ready @param {string} [label] */
function button(ready, label) {
  const go = /** @type {HTMLButtonElement | null} */ (element("go"));
  if (!go) return;
  go.disabled = !ready;
  go.textContent = label || text("choose");
}

/** Ask no more about what was picked: something else is, or it is on its way. */
function quiet() {
  clearTimeout(waiting);
  asking?.abort();
}

/** Pick a choice and ask what it would change. @param {Pick | null} pick @param {boolean} [told] it is shown already */
export async function choose(pick, told = false) {
  picked = pick;
  quiet();
  why("");
  if (!pick) {
    uncover();
    element("detail")?.replaceChildren();
    button(false);
    return;
  }
  button(true, pick.label);
  asking = new AbortController();
  const signal = asking.signal;
  try {
    const body = { number: pick.number, seat: pick.seat, action: pick.action };
    const seen = await post(address("preview"), body, signal);
    if (picked !== pick) return;
    if (seen.label && !told && !pick.label) pick.label = seen.label;
    show(pick, seen, told);
  } catch (error) {
    if (signal.aborted || picked !== pick) return;
    if (error instanceof Fault && error.error.code !== "stale") {
      button(false, pick.label);
      why(error.message, error.error.rule);
      uncover();
    }
  }
}

/** @param {Pick} pick @param {any} seen @param {boolean} told */
function show(pick, seen, told) {
  const market = element("market-view");
  if (market && seen.market) market.innerHTML = seen.market;
  if (seen.over) cover(seen.over);
  else uncover();
  button(true, (told && pick.label) || seen.label);
  const detail = element("detail");
  if (!detail || told) return;
  let outcome = detail.querySelector(".outcome");
  if (!outcome) {
    detail.replaceChildren();
    outcome = document.createElement("div");
    outcome.className = "outcome";
    detail.append(outcome);
  }
  const title = document.createElement("b");
  title.textContent = seen.label || pick.label;
  outcome.innerHTML = seen.outcome;
  outcome.prepend(title);
}

/** Why something is not allowed, beside the choices. @param {string} sentence @param {string} [rule] */
export function why(sentence, rule = "") {
  const line = element("why");
  if (!line) {
    if (sentence) say(sentence, { rule });
    return;
  }
  line.hidden = !sentence;
  const span = line.querySelector("span");
  if (!span) return;
  span.textContent = sentence + " ";
  if (rule) span.append(ruleLink(rule));
}

/** Send an action: stored when the answer comes. @param {{number: number, seat: number, action: Record<string, unknown>}} pick */
const send = ({ number, seat, action }) => deed("actions", { number, seat, action });

/** @param {"actions" | "undo" | "redo"} what @param {object} body */
export async function deed(what, body) {
  if (sending) return;
  sending = unanswered = true;
  quiet();
  const go = /** @type {HTMLButtonElement | null} */ (element("go"));
  if (go) go.disabled = true;
  try {
    const done = await post(address(what), body).then(taken).finally(answered);
    await arrive(done.number);
  } catch (error) {
    if (!(error instanceof Fault)) {
      say(text("gone"), { keep: true });
    } else if (error.error.code === "stale") {
      say(error.message, { lines: error.error.since });
      await refresh();
    } else if (error.error.code === "needs_consent") {
      say(error.message, { press: [text("ask"), () => document.dispatchEvent(new CustomEvent("ask-undo", { detail: error.error.to }))] });
    } else {
      why(error.message, error.error.rule);
      if (!element("why")) say(error.message, { rule: error.error.rule });
    }
    if (go) go.disabled = picked === null;
  } finally {
    sending = false;
  }
}

/** What was picked is done: before the page is drawn anew, which picks again. @param {{number: number}} done */
function taken(done) {
  picked = null;
  return done;
}

/** What the stream brought meanwhile may be shown now. */
function answered() {
  unanswered = false;
  document.dispatchEvent(new CustomEvent("answered"));
}

/** Take back the newest deed. */
export const undo = () => deed("undo", { number: number() });
export const redo = () => deed("redo", { number: number() });

/** @param {HTMLInputElement} input */
function pickOf(input) {
  const action = JSON.parse(input.value);
  return { number: number(), action, seat: Number(input.dataset.seat), label: input.dataset.label || "" };
}

/** Fields for the open numbers of a choice. @param {Pick} pick @param {Record<string, [number, number, number]>} spans */
function fields(pick, spans) {
  const detail = element("detail");
  if (!detail) return;
  detail.replaceChildren();
  for (const [name, [low, high, step]] of Object.entries(spans)) {
    const row = document.createElement("div");
    row.className = "span";
    const input = document.createElement("input");
    Object.assign(input, { type: "number", min: low, max: high, step, value: low, name, inputMode: "numeric" });
    input.setAttribute("aria-label", pick.label);
    input.dataset.field = name;
    const range = document.createElement("small");
    range.textContent = `${low}–${high} M`;
    const change = (/** @type {number} */ by) => {
      input.value = String(Math.min(high, Math.max(low, Number(input.value) + by)));
      input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const less = stepper("−", () => change(-step));
    const more = stepper("+", () => change(step));
    row.append(less, input, more, range);
    detail.append(row);
    input.addEventListener("input", () => {
      const fresh = { ...pick, action: { ...pick.action, [name]: Number(input.value) }, label: "" };
      Object.assign(pick.action, { [name]: Number(input.value) });
      clearTimeout(waiting);
      waiting = window.setTimeout(() => choose(fresh), 150);
      picked = fresh;
    });
    pick.action[name] = low;
  }
  const outcome = document.createElement("div");
  outcome.className = "outcome";
  detail.append(outcome);
}

let waiting = 0;

/** @param {string} sign @param {() => void} press */
function stepper(sign, press) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = sign;
  made.addEventListener("click", press);
  return made;
}

/** What is preselected after the page was drawn. */
function preselect() {
  picked = null;
  const checked = /** @type {HTMLInputElement | null} */ (document.querySelector("#deed [name=pick]:checked"));
  if (checked) take(checked);
  else choose(null);
}

/** @param {HTMLInputElement} input */
function take(input) {
  const pick = pickOf(input);
  element("detail")?.replaceChildren();
  if (input.dataset.spans) fields(pick, JSON.parse(input.dataset.spans));
  choose(pick, input.dataset.told === "yes" || input.hidden);
}

export function deeds() {
  document.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.name === "pick") take(input);
  });
  document.addEventListener("submit", (event) => {
    if (/** @type {Element} */ (event.target).id !== "deed") return;
    event.preventDefault();
    if (picked && !(/** @type {HTMLButtonElement} */ (element("go"))?.disabled)) send(picked);
  });
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const grey = /** @type {HTMLElement | null} */ (target.closest("[data-why]"));
    if (grey) why(grey.dataset.why || "", grey.dataset.rule);
    const quick = /** @type {HTMLElement | null} */ (target.closest("[data-quick]"));
    if (quick) send({ number: number(), seat: Number(quick.dataset.seat), action: JSON.parse(quick.dataset.quick || "{}") });
    const tool = target.closest("[data-do]")?.getAttribute("data-do");
    if (tool === "undo") undo();
    if (tool === "redo") redo();
  });
  document.addEventListener("regions", preselect);
  preselect();
}
