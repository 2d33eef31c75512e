// @ts-check
// Looking at the past: lines of the log, the slider, stepping and playing. The address names the moment.

import { handle } from "./handlers.js";
import { live, moment, number, refresh, table } from "./region_updates.js";

let playing = 0;
let waiting = 0;

/** Show the position after an entry; the newest without one. @param {number | null} at @param {boolean} [visit] go back leads here */
export function showMoment(at, visit = false) {
  const last = number();
  const wanted = at === null || at >= last ? null : Math.max(0, at);
  const here = `/t/${table()}${wanted === null ? "" : `?at=${wanted}`}${location.hash}`;
  if (visit) history.pushState(null, "", here);
  else history.replaceState(null, "", here);
  return refresh(wanted);
}

/** @param {number} by */
export const step = (by) => showMoment(moment() + by);

function stopPlaying() {
  clearInterval(playing);
  playing = 0;
  document.querySelector("[data-action=play-history]")?.setAttribute("aria-pressed", "false");
}

function togglePlaying() {
  if (playing) return stopPlaying();
  if (live()) showMoment(0);
  document.querySelector("[data-action=play-history]")?.setAttribute("aria-pressed", "true");
  playing = window.setInterval(() => {
    if (moment() >= number() - 1) stopPlaying();
    step(1);
  }, 900);
}

handle({
  "show-moment": (element, event) => {
    const line = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-moment]")) || element;
    if (event.metaKey || event.ctrlKey || line.dataset.moment === undefined) return;
    event.preventDefault();
    stopPlaying();
    document.dispatchEvent(new CustomEvent("moment-asked"));
    showMoment(line.dataset.moment ? Number(line.dataset.moment) : null, true);
  },
  "go-first": () => showMoment(0),
  "go-previous": () => step(-1),
  "go-next": () => step(1),
  "play-history": togglePlaying,
});

export function initHistory() {
  document.addEventListener("input", (event) => {
    const slider = /** @type {HTMLInputElement} */ (event.target);
    if (slider.id !== "slider") return;
    stopPlaying();
    clearTimeout(waiting);
    waiting = window.setTimeout(() => showMoment(Number(slider.value)), 80);
  });
  addEventListener("popstate", () => {
    const at = new URLSearchParams(location.search).get("at");
    refresh(at === null ? null : Number(at));
  });
}
