// @ts-check
// The last run of a company, shown on the map until it is pressed again or the table moves on.

import { fragment, newestOnly } from "./api.js";
import { handle, press } from "./handlers.js";
import { showTab } from "./tabs_and_dialogs.js";
import { drawing } from "./pan_zoom.js";
import { address, live, moment } from "./region_updates.js";
import { drawRoutes } from "./route_drawing.js";

/** @type {{lines: string, rings: string} | null} */
let before = null;

/** What the map shows now, to be shown again. */
function shownNow() {
  const layer = (/** @type {string} */ name) => drawing()?.querySelector(`:scope > g.${name}`)?.innerHTML || "";
  return { lines: layer("routes"), rings: layer("rings") };
}

/** @param {string} company */
function mark(company) {
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-action=show-last-run]"))) {
    each.setAttribute("aria-pressed", String(each.dataset.company === company));
  }
}

const newest = newestOnly();

handle({
  "show-last-run": async (button) => {
    const company = button.dataset.company || "";
    if (button.getAttribute("aria-pressed") === "true") {
      if (before) drawRoutes(before);
      before = null;
      mark("");
      return;
    }
    const when = live() ? "" : `?at=${moment()}`;
    const answer = await newest(fragment(address(`last-runs/${encodeURIComponent(company)}${when}`)));
    if (answer === null) return;
    const found = JSON.parse(answer);
    before ??= shownNow();
    drawRoutes(found);
    mark(company);
    if (!matchMedia("(max-width: 760px)").matches) return;
    showTab("now");
    if (!document.documentElement.classList.contains("show-map")) press("toggle-map");
  },
});

document.addEventListener("regions", () => {
  before = null;
  mark("");
});
