// @ts-check
// Routes drawn by hand: the trains, the stops tapped, and which train is under the hand. The server finds the track, draws it
// and judges it; nothing here knows a rule.

import { choose } from "./deed.js";
import { address, number } from "./regions.js";
import { Fault, post } from "./server.js";
import { say } from "./say.js";
import { drawing } from "./pan.js";

/** @typedef {{train: string, stops: string[], track: string[]}} Sketch */

/** @type {Sketch[] | null} */
let runs = null;
let active = 0;
/** @type {Record<string, number>} */
let counts = {};

/** Whether taps on the map draw routes. */
export const sketching = () => runs !== null;

const place = () => document.getElementById("routes");

function begin() {
  const offered = JSON.parse(place()?.dataset.sketches || "{}");
  runs = offered.runs || [];
  counts = offered.stops || {};
  active = 0;
  show();
}

/** Tap a hex: add its stop, take the next stop of the hex, or drop it. @param {string} hex */
export function tapStop(hex) {
  const run = runs?.[active];
  const stops = counts[hex] || 0;
  if (!run || !stops) return;
  const at = run.stops.findIndex((ref) => ref.startsWith(`${hex}:`));
  if (at < 0) run.stops.push(`${hex}:a`);
  else {
    const next = run.stops[at].charCodeAt(hex.length + 1) - 96;
    if (next < stops) run.stops[at] = `${hex}:${String.fromCharCode(97 + next)}`;
    else run.stops.splice(at, 1);
  }
  run.track = [];
  show();
}

async function show() {
  if (!runs) return;
  const body = { number: number(), active, runs };
  try {
    const seen = await post(address("routes"), body);
    const box = place();
    if (!box || !runs) return;
    box.innerHTML = seen.html;
    runs.forEach((run, n) => (run.stops = seen.stops[n] || run.stops));
    layer("routes", seen.lines, "rings");
    layer("rings", seen.rings, "hexes");
    if (seen.action) choose({ action: seen.action, seat: seen.seat, label: seen.label }, true);
    else choose(null);
  } catch (error) {
    if (error instanceof Fault) say(error.message, { rule: error.error.rule });
  }
}

/** Replace a layer of the map. @param {string} name @param {string} svg @param {string} before */
function layer(name, svg, before) {
  const map = drawing();
  if (!map) return;
  let group = map.querySelector(`:scope > g.${name}`);
  if (!group) {
    group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("class", name);
    map.insertBefore(group, map.querySelector(`:scope > g.${before}`) || map.querySelector(":scope > g.hexes"));
  }
  group.innerHTML = svg;
}

export function sketches() {
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const train = /** @type {HTMLElement | null} */ (target.closest("[data-sketch]"));
    if (train) {
      active = Number(train.dataset.sketch);
      show();
    }
    const button = /** @type {HTMLElement | null} */ (target.closest("[data-do]"));
    if (button?.dataset.do === "sketch" || button?.dataset.do === "sketch-best") begin();
    if (button?.dataset.do === "sketch-clear" && runs) {
      active = Number(button.dataset.at);
      runs[active] = { ...runs[active], stops: [], track: [] };
      show();
    }
  });
  document.addEventListener("regions", () => (runs = null));
}
