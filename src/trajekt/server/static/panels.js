// @ts-check
// Tabs on a phone, the tools of the map, the dialogs.

import { address, live, moment } from "./regions.js";
import { fragment, post } from "./api.js";
import { open, showWhole, zoom } from "./pan_zoom.js";

const TABS = ["now", "market", "companies", "history"];

/** @param {string} name */
function showTab(name) {
  const tab = TABS.includes(name) ? name : "now";
  document.documentElement.dataset.tab = tab;
  for (const button of document.querySelectorAll(".tabs button")) {
    button.setAttribute("aria-current", String(button.getAttribute("data-tab") === tab));
  }
  if (tab === "now") open();
}

/** @param {"tiles-left" | "map-key" | "charts" | "menu"} id */
export async function toggleDialog(id) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById(id));
  if (dialog.open) return dialog.close();
  if (id === "tiles-left") dialog.innerHTML = await fragment(address("tiles"));
  if (id === "map-key") dialog.innerHTML = await fragment(address("key"));
  if (id === "charts") dialog.innerHTML = await fragment(address("charts") + (live() ? "" : `?at=${moment()}`));
  dialog.showModal();
}

/** Why other tiles may not lie on a hex. @param {string} hex */
async function showOthers(hex) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("other-tiles"));
  dialog.innerHTML = await fragment(address(`hex/${encodeURIComponent(hex)}/others`));
  dialog.showModal();
}

export function panels() {
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const tab = target.closest(".tabs [data-tab]")?.getAttribute("data-tab");
    if (tab) {
      history.replaceState(null, "", tab === "now" ? location.pathname + location.search : `#${tab}`);
      showTab(tab);
    }
    if (target.closest("[data-close]") || target.matches("dialog")) target.closest("dialog")?.close();
    const asked = target.closest("[data-others]")?.getAttribute("data-others");
    if (asked) showOthers(asked);
    const button = target.closest("[data-do]");
    const tool = button?.getAttribute("data-do");
    if (tool === "zoom-in") zoom(1.4);
    if (tool === "zoom-out") zoom(1 / 1.4);
    if (tool === "zoom-whole") showWhole();
    if (tool === "names" || tool === "routes") {
      const on = button?.getAttribute("aria-pressed") !== "true";
      button?.setAttribute("aria-pressed", String(on));
      document.documentElement.classList.toggle(`no-${tool}`, !on);
    }
    if (tool === "map") {
      const on = document.documentElement.classList.toggle("show-map");
      button?.setAttribute("aria-pressed", String(on));
      open();
    }
    if (tool === "tiles" || tool === "key") {
      /** @type {HTMLDialogElement | null} */ (document.getElementById("menu"))?.close();
      toggleDialog(tool === "tiles" ? "tiles-left" : "map-key");
    }
    const sheet = target.closest("[data-show]")?.getAttribute("data-show");
    if (sheet) {
      document.documentElement.dataset.sheet = sheet;
      for (const other of document.querySelectorAll("[data-show]")) {
        other.setAttribute("aria-pressed", String(other.getAttribute("data-show") === sheet));
      }
    }
    const pace = target.closest("[data-pace]")?.getAttribute("data-pace");
    if (pace) {
      post(address("pace"), { pause: Number(pace) });
      for (const other of document.querySelectorAll("[data-pace]")) {
        other.setAttribute("aria-pressed", String(other.getAttribute("data-pace") === pace));
      }
    }
    if (tool === "try") {
      post(address("try") + (live() ? "" : `?at=${moment()}`), {}).then((made) => window.open(made.address, "_blank") || location.assign(made.address));
    }
    if (tool === "charts") toggleDialog("charts");
    if (tool === "menu") toggleDialog("menu");
  });
  addEventListener("hashchange", () => showTab(location.hash.slice(1)));
  showTab(location.hash.slice(1));
}
