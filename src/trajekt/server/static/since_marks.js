// @ts-check
// Marks of what others did since the reader's own move, by the strip that tells it: on the map, the market and the sheet. A
// mark goes when its place was before the eyes for a while, and is kept as seen for this visit.

import { handle } from "./handlers.js";
import { lineOf } from "./log_batches.js";
import { drawing } from "./pan_zoom.js";
import { table } from "./region_updates.js";
import { openTab } from "./tabs_and_dialogs.js";

const ENOUGH = 6000; // milliseconds before the eyes
/** @typedef {Record<string, number>} Places what is marked, with the entry that changed it */

const strip = () => /** @type {HTMLElement | null} */ (document.querySelector(".since[data-marks]"));
const key = () => `seen ${table()}`;

/** @returns {Places} */
function seen() {
  try {
    return JSON.parse(sessionStorage.getItem(key()) || "{}");
  } catch {
    return {};
  }
}

/** The elements of the page that stand for a marked place. @param {string} kind @param {string} name */
function elementsOf(kind, name) {
  const quoted = CSS.escape(name);
  if (kind === "hexes") return [...(drawing()?.querySelectorAll(`.hex[data-hex="${quoted}"]`) || [])];
  if (kind === "spaces") return [...document.querySelectorAll(`#market-view [data-space="${quoted}"]`)];
  const cards = document.querySelectorAll(`#companies [data-card="company/${quoted}"]`);
  return [...cards].flatMap((card) => card.closest("tr, li") || []);
}

/** All marked places with their elements. */
function marked() {
  /** @type {Record<string, Places>} */
  const marks = JSON.parse(strip()?.dataset.marks || "{}");
  return Object.entries(marks).flatMap(([kind, places]) =>
    Object.entries(places).map(([name, number]) => ({ place: `${kind} ${name}`, number, elements: elementsOf(kind, name) })),
  );
}

/** @type {Map<Element, number>} */
const waiting = new Map();
const watcher = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) {
    clearTimeout(waiting.get(target));
    waiting.delete(target);
    if (isIntersecting) waiting.set(target, window.setTimeout(() => see(target), ENOUGH));
  }
});

/** A place was before the eyes: its mark goes. @param {Element} element */
function see(element) {
  if (document.visibilityState !== "visible") {
    waiting.set(element, window.setTimeout(() => see(element), ENOUGH));
    return;
  }
  const known = seen();
  for (const { place, number, elements } of marked()) if (elements.includes(element)) known[place] = number;
  try {
    sessionStorage.setItem(key(), JSON.stringify(known));
  } catch {
    // a device that stores nothing marks again
  }
  showMarks();
}

/** Mark what is new to the reader. */
function showMarks() {
  const known = seen();
  const fresh = new Set(marked().flatMap(({ place, number, elements }) => ((known[place] || 0) < number ? elements : [])));
  for (const each of document.querySelectorAll(".news")) if (!fresh.has(each)) each.classList.remove("news");
  for (const each of waiting.keys()) {
    if (fresh.has(each)) continue;
    clearTimeout(waiting.get(each));
    waiting.delete(each);
    watcher.unobserve(each);
  }
  for (const each of fresh) {
    each.classList.add("news");
    watcher.observe(each);
  }
  const told = new Set(marked().filter(({ elements }) => elements.length).map(({ number }) => String(number)));
  for (const button of strip()?.querySelectorAll(".find") || []) {
    button.toggleAttribute("hidden", !told.has(button.getAttribute("data-number") || ""));
  }
}

/** Show a line of the log at its place, with what follows below it. @param {number} number */
async function showLine(number) {
  openTab("history");
  const line = await lineOf(number);
  const log = document.getElementById("log");
  if (!line || !log) return;
  log.scrollIntoView({ block: "nearest" });
  log.scrollTop += line.getBoundingClientRect().top - log.getBoundingClientRect().top;
  line.querySelector("a")?.focus({ preventScroll: true });
}

handle({
  "show-line": (button) => void showLine(Number(button.dataset.line)),
  "find-since": (button) => {
    for (const each of document.querySelectorAll(".pointed")) each.classList.remove("pointed");
    const places = marked().filter(({ number }) => String(number) === button.dataset.number);
    for (const each of places.flatMap(({ elements }) => elements)) each.classList.add("pointed");
  },
});

export function initSinceMarks() {
  document.addEventListener("regions", showMarks);
  showMarks();
}
