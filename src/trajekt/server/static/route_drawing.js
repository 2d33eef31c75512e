// @ts-check
// The run step: better runs taken in while the server finds them, and routes drawn by hand: the trains, the stops tapped, and
// which train is under the hand. The server finds the track, draws it and judges it; nothing here knows a rule.

import { busy, choose } from "./action_form.js";
import { say } from "./toasts.js";
import { Fault, newestOnly, post } from "./api.js";
import { handle } from "./handlers.js";
import { drawing } from "./pan_zoom.js";
import { address, number } from "./region_updates.js";

/** @typedef {{train: string, stops: string[], track: string[], pays: string[], added?: string}} Sketch */

/** @type {Sketch[] | null} */
let runs = null;
let active = 0;
let offer = { stops: /** @type {Record<string, number>} */ ({}), skips: /** @type {string[]} */ ([]), best: 0 };

/** Whether taps on the map draw routes. */
export const editingRoutes = () => runs !== null;

const place = () => document.getElementById("routes");

function startEditing() {
  const found = JSON.parse(place()?.dataset.sketches || "{}");
  runs = found.runs || [];
  offer = { stops: found.stops || {}, skips: found.skips || [], best: found.best || 0 };
  active = 0;
  showRoutes();
}

let lastTap = Promise.resolve();

/** Tap a hex. A tap waits until the last one is answered, since the server says where its stop came to. @param {string} hex */
export function tapStop(hex) {
  lastTap = lastTap.then(() => takeTap(hex));
}

/** Add the stop of a hex at the nearer end, take the next stop there, let it not pay, or drop it. @param {string} hex */
async function takeTap(hex) {
  const run = runs?.[active];
  const stops = offer.stops[hex] || 0;
  if (!run || !stops) return;
  const at = run.stops.findIndex((ref) => ref.startsWith(`${hex}:`));
  if (at < 0) run.added = `${hex}:a`;
  else changeStop(run, at, hex, stops);
  await showRoutes();
}

/** Tap a stop that is on the route already. @param {Sketch} run @param {number} at @param {string} hex @param {number} stops */
function changeStop(run, at, hex, stops) {
  const ref = run.stops[at];
  const next = ref.charCodeAt(hex.length + 1) - 96;
  if (offer.skips.includes(run.train)) {
    const paid = run.pays.length ? run.pays : run.stops;
    if (paid.includes(ref)) {
      run.pays = paid.filter((each) => each !== ref);
      return;
    }
  }
  if (next < stops) run.stops[at] = `${hex}:${String.fromCharCode(97 + next)}`;
  else run.stops.splice(at, 1);
  if (run.stops.every((each) => run.pays.includes(each))) run.pays = [];
  run.track = [];
}

const newest = newestOnly();

/** @param {boolean} rest whether trains without a route take the best that the others leave them */
async function showRoutes(rest = false) {
  if (!runs) return;
  const body = { number: number(), active, best: offer.best, runs, rest };
  try {
    const seen = await newest(post(address("routes"), body));
    const box = place();
    if (!seen || !box || !runs || number() !== body.number) return;
    box.innerHTML = seen.html;
    runs.forEach((run, n) => {
      if (run.added && run.pays.length) run.pays.push(...seen.stops[n].filter((/** @type {string} */ ref) => !run.stops.includes(ref)));
      run.stops = seen.stops[n] || run.stops;
      run.track = seen.tracks[n] || run.track;
      if (rest) run.pays = seen.pays[n];
      delete run.added;
    });
    drawRoutes(seen);
    if (seen.action) choose({ number: body.number, action: seen.action, seat: seen.seat, label: seen.label }, true);
    else choose(null);
  } catch (error) {
    if (error instanceof Fault) say(error.message, { rule: error.error.rule });
  }
}

/** @param {{lines: string, rings: string}} seen */
export function drawRoutes(seen) {
  setLayer("routes", seen.lines, "rings");
  setLayer("rings", seen.rings, "hexes");
}

/** Ask for better runs than those offered and take them in, until they are proved or the server has looked long enough. */
async function seekBetterRuns() {
  if (place()?.dataset.seek !== "yes") return;
  const at = number();
  for (let more = true; more; ) {
    let seen;
    try {
      seen = await post(address("better"), { number: at });
    } catch {
      return; // what is offered stays
    }
    const box = place();
    if (!box || runs || busy() || number() !== at || seen.number !== at || !seen.html) return;
    more = seen.more;
    box.innerHTML = seen.html;
    box.dataset.sketches = seen.sketches;
    if (!more) box.dataset.seek = "";
    drawRoutes(seen);
    choose({ number: at, action: seen.action, seat: seen.seat, label: seen.label }, true);
  }
}

/** Replace a layer of the map. @param {string} name @param {string} svg @param {string} before */
function setLayer(name, svg, before) {
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

handle({
  "edit-routes": startEditing,
  "reset-routes": startEditing,
  "fill-routes": () => showRoutes(true),
  "choose-train": (button) => {
    active = Number(button.dataset.at);
    showRoutes();
  },
  "clear-route": (button) => {
    if (!runs) return;
    active = Number(button.dataset.at);
    runs[active] = { ...runs[active], stops: [], track: [], pays: [] };
    showRoutes();
  },
});

export function initRouteDrawing() {
  document.addEventListener("regions", () => {
    runs = null;
    seekBetterRuns();
  });
  seekBetterRuns();
}
