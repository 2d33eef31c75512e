// @ts-check
// Looking at the past: lines of the log, the slider, stepping and playing. The address names the moment.

import { live, moment, number, refresh, table } from "./regions.js";

let playing = 0;
let waiting = 0;

/** Show the position after an entry; the newest without one. @param {number | null} at @param {boolean} [keep] */
export function go(at, keep = true) {
  const last = number();
  const wanted = at === null || at >= last ? null : Math.max(0, at);
  if (keep) history.pushState(null, "", `/t/${table()}${wanted === null ? "" : `?at=${wanted}`}${location.hash}`);
  return refresh(wanted);
}

/** @param {number} by */
export const step = (by) => go(moment() + by);

function stop() {
  clearInterval(playing);
  playing = 0;
  document.querySelector("[data-do=play]")?.setAttribute("aria-pressed", "false");
}

function play() {
  if (playing) return stop();
  if (live()) go(0);
  document.querySelector("[data-do=play]")?.setAttribute("aria-pressed", "true");
  playing = window.setInterval(() => {
    if (moment() >= number() - 1) stop();
    step(1);
  }, 900);
}

export function past() {
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const line = /** @type {HTMLElement | null} */ (target.closest("[data-moment]"));
    if (line && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      stop();
      go(line.dataset.moment ? Number(line.dataset.moment) : null);
    }
    const tool = target.closest("[data-do]")?.getAttribute("data-do");
    if (tool === "first") go(0);
    if (tool === "prev") step(-1);
    if (tool === "next") step(1);
    if (tool === "play") play();
  });
  document.addEventListener("input", (event) => {
    const slider = /** @type {HTMLInputElement} */ (event.target);
    if (slider.id !== "slider") return;
    stop();
    clearTimeout(waiting);
    waiting = window.setTimeout(() => go(Number(slider.value)), 80);
  });
  addEventListener("popstate", () => {
    const at = new URLSearchParams(location.search).get("at");
    refresh(at === null ? null : Number(at));
  });
}
