// @ts-check
// Entries of a table with real cardboard that could not be sent: kept on the device in their order, shown, and sent when the
// table answers again. The first of them decides: a note in words, or an entry that was refused, waits for somebody to press,
// and all behind it wait with it, so that nothing is entered out of order.

import { say, text } from "./toasts.js";
import { Fault, fragment, post } from "./api.js";
import { handle } from "./handlers.js";
import { address, number, refresh, table } from "./region_updates.js";

/** @typedef {{number: number, seat?: number, action: Record<string, unknown>}} Body */
/** @typedef {{words: string, body?: Body, refused?: string}} Entry an action, or a note where it has no body */

const WAIT = 2000; // milliseconds before it is tried again to send what was kept
const LATER = new Set(["unreachable", "too_many", "busy", "disk_low"]);
/** The box in which the entries are shown; the page is drawn anew around it. */
let box = /** @type {HTMLElement | null} */ (null);
let sending = false;

const key = () => `kept ${table()}`;

/** @returns {Entry[]} */
function read() {
  const kept = JSON.parse(localStorage.getItem(key()) || "[]");
  return Array.isArray(kept) ? kept : [];
}

/** @param {Entry[]} entries */
function write(entries) {
  if (entries.length) localStorage.setItem(key(), JSON.stringify(entries));
  else localStorage.removeItem(key());
  showKept();
}

/** Whether entries wait: another one goes behind them. */
export const waiting = () => read().length > 0;

/** Keep an entry behind those that wait. @param {Entry} entry */
export function keep(entry) {
  write([...read(), entry]);
  sendKept();
}

/** Send what waits, in order, up to the first that waits for somebody. */
export async function sendKept() {
  if (sending) return;
  sending = true;
  try {
    for (let [head] = read(); head?.body && !head.refused; [head] = read()) {
      if (!(await sendHead(head.body))) await new Promise((resolve) => setTimeout(resolve, WAIT));
    }
  } finally {
    sending = false;
  }
}

/** Send the first entry; false where the table does not answer. @param {Body} body */
async function sendHead(body) {
  try {
    taken((await post(address("actions"), body)).number);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (LATER.has(error.error.code)) return false;
    const stale = error.error.code === "stale";
    if (stale && (await isStored(body).catch(() => false))) {
      taken(body.number + 1);
    } else {
      const why = [error.message, ...(error.error.since || []).slice(-3), error.error.rule || ""].filter(Boolean).join(" ");
      write(read().map((each, n) => (n ? each : { ...each, refused: why })));
      say(text("kept_lost"), { keep: true });
    }
  }
  await refresh().catch(() => {});
  return true;
}

/** Take the first entry off: it stands in the game, which has come as far as entry `at`. @param {number} at */
function taken(at) {
  const [, next, ...others] = read();
  if (next) write([next.body ? { ...next, body: { ...next.body, number: at } } : next, ...others]);
  else {
    write([]);
    say(text("kept_sent"));
  }
}

/** Whether an entry whose answer was lost on its way stands in the game. @param {Body} body */
async function isStored(body) {
  const { entries } = JSON.parse(await fragment(address("record.json")));
  return entries.some(
    (/** @type {any} */ each) =>
      each.parent === body.number &&
      (body.seat === undefined || each.seat === body.seat) &&
      Object.entries(body.action).every(([name, value]) => (each.action[name] ?? 0) === (value || 0)),
  );
}

/** @param {string} tag @param {string} [words] */
function made(tag, words = "") {
  const element = document.createElement(tag);
  element.textContent = words;
  if (element instanceof HTMLButtonElement) Object.assign(element, { type: "button", className: "chip" });
  return element;
}

/** @param {Entry} entry @param {number} n */
function line(entry, n) {
  const item = made("li", entry.words);
  if (entry.refused) item.append(made("p", entry.refused));
  const row = made("span");
  row.className = "row";
  const again = made("button", text("kept_again")), drop = made("button", text(entry.body ? "kept_drop" : "kept_done"));
  again.dataset.action = "send-kept";
  drop.dataset.action = "drop-kept";
  drop.dataset.at = String(n);
  row.append(...(entry.refused ? [again] : []), drop);
  item.append(row);
  return item;
}

/** Show what waits, above all that a real table enters. */
export function showKept() {
  const place = document.querySelector(".now[data-mirror] .referee");
  const entries = read();
  const later = /** @type {HTMLElement | null | undefined} */ (place?.querySelector(".later"));
  if (later) later.hidden = !entries.length;
  if (!place || !entries.length) {
    box?.remove();
    return;
  }
  if (!box) {
    box = document.createElement("section");
    box.className = "kept";
    box.setAttribute("role", "status");
    const note = document.createElement("form");
    note.className = "row";
    note.innerHTML = '<label><input name="words" maxlength="200" autocomplete="off"></label><button class="chip"></button>';
    note.addEventListener("submit", keepNote);
    /** @type {HTMLElement} */ (note.querySelector("label")).prepend(`${text("kept_note")} `);
    /** @type {HTMLElement} */ (note.querySelector("button")).textContent = text("kept_put");
    box.append(made("b", text("kept_waits")), document.createElement("ol"), note);
  }
  box.querySelector("ol")?.replaceChildren(...entries.map(line));
  if (box.parentElement !== place) place.prepend(box);
}

/** Note in words what cannot be entered before the next step is shown. @param {SubmitEvent} event */
function keepNote(event) {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("words"));
  if (input.value.trim()) keep({ words: input.value.trim() });
  input.value = "";
}

handle({
  "keep-later": (button) =>
    keep({ words: button.textContent || "", body: { number: number(), action: JSON.parse(button.dataset.choice || "{}") } }),
  "send-kept": () => {
    write(read().map((each, n) => (n || !each.body ? each : { words: each.words, body: { ...each.body, number: number() } })));
    sendKept();
  },
  "drop-kept": (button) => {
    const entries = read();
    entries.splice(Number(button.dataset.at), 1);
    const [head] = entries;
    // what was behind it is for the position that is shown now
    if (head?.body && button.dataset.at === "0") head.body.number = number();
    write(entries);
    sendKept();
  },
});

addEventListener("storage", (event) => event.key === key() && showKept());
