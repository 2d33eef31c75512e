// @ts-check
// Tabs on a phone, the tools of the map, the dialogs.

import { fragment, newestOnly, post } from "./api.js";
import { handle, markPressed } from "./handlers.js";
import { openMap, showWhole, zoom } from "./pan_zoom.js";
import { address, followLog, live, moment } from "./region_updates.js";

const TABS = ["now", "market", "companies", "history"];

/** @param {string} name */
export function showTab(name) {
  const tab = TABS.includes(name) ? name : "now";
  document.documentElement.dataset.tab = tab;
  for (const button of document.querySelectorAll(".tabs button")) {
    button.setAttribute("aria-current", String(button.getAttribute("data-tab") === tab));
  }
  if (tab === "now") openMap();
  if (tab === "history") followLog();
}

/** Show a tab by the reader's own hand: the address names it. @param {string} tab */
export function openTab(tab) {
  history.replaceState(null, "", tab === "now" ? location.pathname + location.search : `#${tab}`);
  showTab(tab);
}

/** @param {"tiles-left" | "map-key" | "charts" | "menu"} id */
export async function toggleDialog(id) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById(id));
  if (dialog.open) return dialog.close();
  if (id === "tiles-left") dialog.innerHTML = await fragment(address("tiles"));
  if (id === "map-key") dialog.innerHTML = await fragment(address("key"));
  if (id === "charts") dialog.innerHTML = await fragment(address("charts") + (live() ? "" : `?at=${moment()}`));
  if (!dialog.open) dialog.showModal();
}

const newest = newestOnly();

/** Why other tiles may not lie on a hex. @param {string} hex */
async function showOtherTiles(hex) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("other-tiles"));
  const html = await newest(fragment(address(`hex/${encodeURIComponent(hex)}/others`)));
  if (html === null) return;
  dialog.innerHTML = html;
  if (!dialog.open) dialog.showModal();
}

/** Show or hide a layer of the map. @param {string} layer @returns {(button: HTMLElement) => void} */
const toggleLayer = (layer) => (button) => {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  document.documentElement.classList.toggle(`no-${layer}`, !on);
};

function closeMenu() {
  /** @type {HTMLDialogElement | null} */ (document.getElementById("menu"))?.close();
}

handle({
  "show-tab": (button) => openTab(button.dataset.tab || "now"),
  "close-dialog": (button) => button.closest("dialog")?.close(),
  dismiss: (dialog, event) => event.target === dialog && /** @type {HTMLDialogElement} */ (dialog).close(),
  "open-other-tiles": (button) => showOtherTiles(button.dataset.hex || ""),
  "zoom-in": () => zoom(1.4),
  "zoom-out": () => zoom(1 / 1.4),
  "zoom-whole": showWhole,
  "toggle-names": toggleLayer("names"),
  "toggle-routes": toggleLayer("routes"),
  "toggle-map": (button) => {
    const on = document.documentElement.classList.toggle("show-map");
    button.setAttribute("aria-pressed", String(on));
    openMap();
  },
  "toggle-menu": () => toggleDialog("menu"),
  "open-charts": () => toggleDialog("charts"),
  "open-tiles": () => {
    closeMenu();
    toggleDialog("tiles-left");
  },
  "open-legend": () => {
    closeMenu();
    toggleDialog("map-key");
  },
  "show-sheet": (button) => {
    document.documentElement.dataset.sheet = button.dataset.sheet;
    markPressed(document.querySelectorAll("[data-action=show-sheet]"), (each) => each === button);
  },
  "set-pace": (button) => {
    post(address("pace"), { pause: Number(button.dataset.pace) });
    markPressed(document.querySelectorAll("[data-pace]"), (each) => each === button);
  },
});

export function initPanels() {
  addEventListener("hashchange", () => showTab(location.hash.slice(1)));
  showTab(location.hash.slice(1));
}
