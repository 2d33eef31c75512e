// @ts-check
// Exercises, and the guide's last card. The device keeps which exercises are done and at which tables the guide was put away.

import { say } from "./toasts.js";
import { Fault, post } from "./api.js";
import { handle } from "./handlers.js";

const KEY = "trajekt.exercises";

/** @typedef {{done: string[], away: string[]}} Kept names of exercises as `18rhl/bid`, and addresses of tables */

/** @returns {Kept} */
function kept() {
  try {
    return { done: [], away: [], ...JSON.parse(localStorage.getItem(KEY) || "{}") };
  } catch {
    return { done: [], away: [] };
  }
}

/** @param {keyof Kept} list @param {string} name */
function keep(list, name) {
  try {
    const now = kept();
    localStorage.setItem(KEY, JSON.stringify({ ...now, [list]: [...new Set([...now[list], name])].slice(-40) }));
  } catch {
    // a device that stores nothing ticks nothing
  }
}

/** Tick what is done, and hide the guide where it was put away. */
function showKept() {
  const guide = document.getElementById("guide");
  const own = guide?.dataset.exercise;
  const game = document.getElementById("app")?.dataset.game;
  if (own && guide.classList.contains("done")) keep("done", `${game}/${own}`);
  const { done, away } = kept();
  if (guide) guide.hidden = guide.classList.contains("done") && away.includes(location.pathname);
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-exercise][data-game]"))) {
    button.classList.toggle("ticked", done.includes(`${button.dataset.game}/${button.dataset.exercise}`));
  }
}

/** @param {HTMLElement} button */
async function startExercise(button) {
  if (button.getAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  try {
    const made = await post(`/tables/guided/${button.dataset.game}?exercise=${button.dataset.exercise}`, {});
    location.href = made.address;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    say(error.message);
    button.removeAttribute("aria-busy");
  }
}

handle({
  "start-exercise": startExercise,
  "dismiss-guide": () => {
    keep("away", location.pathname);
    showKept();
    document.getElementById("question")?.focus();
  },
});

export function initExercises() {
  document.addEventListener("regions", showKept);
  showKept();
}
