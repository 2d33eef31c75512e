// @ts-check
// Choosing and confirming: a choice is picked, the server says what it would change, one button sends it. The page keeps the
// action as the server wrote it; open numbers are filled in from their fields.

import { say, text } from "./toasts.js";
import { Fault, isUnreachable, post } from "./api.js";
import { handle } from "./handlers.js";
import { address, showPosition, number, refresh } from "./region_updates.js";
import { ruleLink } from "./rules.js";
import { hidePreview, showPreview } from "./tile_preview.js";

/** @typedef {{number: number, action: Record<string, unknown>, seat: number, label: string}} Pick a choice of the position `number` */

/** @type {Pick | null} */
let picked = null;
const AGAIN = 1500; // milliseconds before it is tried whether the table answers again
let sending = false;
let unanswered = false;
/** @type {AbortController | null} */
let asking = null;

const element = (/** @type {string} */ id) => document.getElementById(id);

/** Whether an action waits for its answer: the page is drawn anew when it has it, not before. */
export const busy = () => unanswered;

/** @param {boolean} ready @param {string} [label] */
function setConfirm(ready, label) {
  const go = /** @type {HTMLButtonElement | null} */ (element("go"));
  if (!go) return;
  go.disabled = !ready;
  go.textContent = label || text("choose");
}

/** Ask no more about what was picked: something else is, or it is on its way. */
function cancelPreview() {
  clearTimeout(waiting);
  asking?.abort();
}

/** Pick a choice and ask what it would change. @param {Pick | null} pick @param {boolean} [told] it is shown already */
export async function choose(pick, told = false) {
  picked = pick;
  cancelPreview();
  showReason("");
  if (!pick) {
    hidePreview();
    element("detail")?.replaceChildren();
    setConfirm(false);
    return;
  }
  setConfirm(true, pick.label || text("confirm"));
  asking = new AbortController();
  const signal = asking.signal;
  try {
    const body = { number: pick.number, seat: pick.seat, action: pick.action };
    const seen = await post(address("preview"), body, signal);
    if (picked !== pick) return;
    if (seen.label && !told && !pick.label) pick.label = seen.label;
    showOutcome(pick, seen, told);
  } catch (error) {
    if (signal.aborted || picked !== pick) return;
    if (error instanceof Fault && error.error.code !== "stale" && !isUnreachable(error)) {
      setConfirm(false, pick.label);
      showReason(error.message, error.error.rule);
      hidePreview();
    }
  }
}

/** @param {Pick} pick @param {any} seen @param {boolean} told */
function showOutcome(pick, seen, told) {
  const market = element("market-view");
  if (market && seen.market) market.innerHTML = seen.market;
  if (seen.over) showPreview(seen.over);
  else hidePreview();
  setConfirm(true, (told && pick.label) || seen.label);
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

/** Say beside the choices why something is not allowed. @param {string} sentence @param {string} [rule] */
export function showReason(sentence, rule = "") {
  const line = element("why");
  if (!line) {
    if (sentence) say(sentence, { rule });
    return;
  }
  line.hidden = !sentence;
  const span = line.querySelector("span");
  if (!span) return;
  span.textContent = `${sentence} `;
  if (rule) span.append(ruleLink(rule));
}

/** Send an action: stored when the answer comes. @param {{number: number, seat: number, action: Record<string, unknown>}} pick */
const sendAction = (pick) => submitChange("actions", { number: pick.number, seat: pick.seat, action: pick.action });

let unsent = false;

/** Whether the reader is being told that his action was not sent. */
export const reportsUnsent = () => unsent;

/** Say that nothing was sent until the table answers again; then show where it stands, and let the message go. */
async function reportUnsent() {
  say(text("unsent"), { keep: true });
  if (unsent) return;
  unsent = true;
  while (unsent) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    unsent = !(await refresh().then(
      () => true,
      () => false,
    ));
  }
  say(text("unsent"));
}

/** Let others keep an action instead of sending it; false where somebody does. @param {string} moment @param {object} body */
const announce = (moment, body) => document.dispatchEvent(new CustomEvent(moment, { detail: body, cancelable: true }));

/** @param {"actions" | "undo" | "redo"} what @param {object} body */
export async function submitChange(what, body) {
  if (sending || (what === "actions" && !announce("sending", body))) return;
  hadFocus = Boolean(element("now")?.contains(document.activeElement));
  sending = unanswered = true;
  cancelPreview();
  const go = /** @type {HTMLButtonElement | null} */ (element("go"));
  if (go) go.disabled = true;
  try {
    const done = await post(address(what), body).then(clearPick).finally(announceAnswer);
    await showPosition(done.number);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (isUnreachable(error)) {
      if (what !== "actions" || announce("unsent", body)) reportUnsent();
    } else if (error.error.code === "stale") {
      say(error.message, { lines: error.error.since });
      await refresh();
    } else if (error.error.code === "needs_consent") {
      say(error.message, { press: { label: text("ask"), action: "ask-undo", to: error.error.to } });
    } else {
      showReason(error.message, error.error.rule);
      if (!element("why")) say(error.message, { rule: error.error.rule });
    }
    if (go) go.disabled = picked === null;
  } finally {
    sending = false;
  }
}

/** Forget what was picked, since it is done, before the page is drawn anew and picks again. @param {{number: number}} done */
function clearPick(done) {
  picked = null;
  return done;
}

/** Let what the stream brought meanwhile be shown now. */
function announceAnswer() {
  unanswered = false;
  document.dispatchEvent(new CustomEvent("answered"));
}

/** Take back the newest action. */
export const undo = () => submitChange("undo", { number: number() });
export const redo = () => submitChange("redo", { number: number() });

/** @param {HTMLInputElement} input */
function readPick(input) {
  const action = JSON.parse(input.value);
  return { number: number(), action, seat: Number(input.dataset.seat), label: input.dataset.label || "" };
}

/** Fields for the open numbers of a choice. @param {Pick} pick @param {Record<string, [number, number, number, number]>} spans */
function showNumberFields(pick, spans) {
  const detail = element("detail");
  if (!detail) return;
  detail.replaceChildren();
  for (const [name, [low, high, step, first]] of Object.entries(spans)) {
    const row = document.createElement("div");
    row.className = "span";
    const input = document.createElement("input");
    Object.assign(input, { type: "number", min: low, max: high, step, value: first, name, inputMode: "numeric" });
    input.setAttribute("aria-label", pick.label);
    input.dataset.field = name;
    const range = document.createElement("small");
    range.textContent = `${low}–${high} M`;
    row.append(stepper("−", -step), input, stepper("+", step), range);
    detail.append(row);
    input.addEventListener("input", () => {
      const fresh = { ...pick, action: { ...pick.action, [name]: Number(input.value) }, label: "" };
      Object.assign(pick.action, { [name]: Number(input.value) });
      clearTimeout(waiting);
      waiting = window.setTimeout(() => choose(fresh), 150);
      picked = fresh;
    });
    pick.action[name] = first;
  }
  const outcome = document.createElement("div");
  outcome.className = "outcome";
  detail.append(outcome);
}

let waiting = 0;

/** Button that changes the number beside it. @param {string} sign @param {number} by */
function stepper(sign, by) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = sign;
  made.dataset.action = "step-number";
  made.dataset.by = String(by);
  return made;
}

/** @param {HTMLElement} button */
function stepNumber(button) {
  const input = button.parentElement?.querySelector("input");
  if (!input) return;
  const value = Number(input.value) + Number(button.dataset.by);
  input.value = String(Math.min(Number(input.max), Math.max(Number(input.min), value)));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Keep the focus on the decision: what had it may be gone with the choice that was confirmed. */
function keepFocus() {
  if (hadFocus && (document.activeElement === document.body || document.activeElement === null)) focusQuestion();
  hadFocus = false;
}

/** Put the focus on the question: the next stop is the first that may be chosen. */
function focusQuestion() {
  const question = element("question");
  if (!question) return;
  question.tabIndex = -1;
  question.focus({ preventScroll: true });
}

let hadFocus = false;

/** Pick what is preselected after the page was drawn. */
function preselect() {
  keepFocus();
  picked = null;
  const checked = /** @type {HTMLInputElement | null} */ (document.querySelector("#action-form [name=pick]:checked"));
  if (checked) pickInput(checked);
  else choose(null);
}

/** @param {HTMLInputElement} input */
function pickInput(input) {
  const pick = readPick(input);
  element("detail")?.replaceChildren();
  if (input.dataset.spans) showNumberFields(pick, JSON.parse(input.dataset.spans));
  choose(pick, input.dataset.told === "yes" || input.hidden);
}

handle({
  explain: (chip) => showReason(chip.dataset.why || "", chip.dataset.rule),
  "skip-to-question": (_link, event) => {
    event.preventDefault();
    focusQuestion();
  },
  send: (button) =>
    sendAction({ number: number(), seat: Number(button.dataset.seat), action: JSON.parse(button.dataset.choice || "{}") }),
  "step-number": stepNumber,
  undo,
  redo,
});

export function initActionForm() {
  document.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.name === "pick") pickInput(input);
  });
  document.addEventListener("submit", (event) => {
    if (/** @type {Element} */ (event.target).id !== "action-form") return;
    event.preventDefault();
    if (picked && !(/** @type {HTMLButtonElement} */ (element("go"))?.disabled)) sendAction(picked);
  });
  document.addEventListener("regions", preselect);
  preselect();
}
