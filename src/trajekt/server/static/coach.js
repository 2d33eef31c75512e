// @ts-check
// The coach's card: shown at each kind of decision until the reader puts it away. What was put away is kept on the device.

import { say } from "./toasts.js";
import { Fault, fragment } from "./api.js";
import { handle } from "./handlers.js";
import { address } from "./region_updates.js";
import { drawing } from "./pan_zoom.js";

const KEY = "trajekt.coach";

/** @typedef {{choice: string, away: string[]}} Kept `choice` is `on`, `off`, or empty as long as nobody has chosen */

/** @returns {Kept} */
function kept() {
  try {
    return { choice: "", away: [], ...JSON.parse(localStorage.getItem(KEY) || "{}") };
  } catch {
    return { choice: "", away: [] };
  }
}

/** @param {Partial<Kept>} change */
function keep(change) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...change }));
  } catch {
    // a device that stores nothing is taught again
  }
  showCoach();
}

const card = () => document.getElementById("coach");

/** Show the card of this decision unless it, or all of them, were put away; mark the switch in the menu. */
function showCoach() {
  const found = card();
  const { choice, away } = kept();
  const standard = document.querySelector("[data-action=toggle-coach]")?.getAttribute("data-default") || "off";
  const on = (choice || standard) === "on";
  document.querySelector("[data-action=toggle-coach]")?.setAttribute("aria-pressed", String(on));
  if (found) found.hidden = !on || away.includes(found.dataset.kind || "");
  pointAtHint();
}

/** Ring the hex that the advice names, and its tile. */
function pointAtHint() {
  const told = /** @type {HTMLElement | null} */ (document.querySelector("[data-hint]"));
  const shown = told?.closest("[hidden]") ? null : told;
  for (const hex of drawing()?.querySelectorAll(".hex") || []) {
    hex.classList.toggle("hinted", Boolean(shown?.dataset.hex) && hex.getAttribute("data-hex") === shown?.dataset.hex);
  }
  for (const pick of document.querySelectorAll(".tile-pick")) {
    pick.classList.toggle("hinted", Boolean(shown?.dataset.tile) && pick.getAttribute("data-tile") === shown?.dataset.tile);
  }
}

async function askHint() {
  const line = document.getElementById("hint");
  if (!line) return;
  try {
    line.innerHTML = await fragment(address("hint"));
    pointAtHint();
  } catch (error) {
    if (error instanceof Fault) say(error.message);
    else throw error;
  }
}

handle({
  "ask-hint": askHint,
  "dismiss-coach": () => keep({ away: [...new Set([...kept().away, card()?.dataset.kind || ""])] }),
  "coach-off": () => keep({ choice: "off" }),
  "toggle-coach": (button) =>
    keep(button.getAttribute("aria-pressed") === "true" ? { choice: "off" } : { choice: "on", away: [] }),
});

export function initCoach() {
  document.addEventListener("regions", showCoach);
  document.addEventListener("hex-shown", pointAtHint);
  showCoach();
}
