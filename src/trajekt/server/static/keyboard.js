// @ts-check
// Everything by keyboard: arrows walk over the map, Enter picks, letters are shown beside their words.

import { redo, undo } from "./action_form.js";
import { press } from "./handlers.js";
import { step } from "./history.js";
import { showWhole, zoom } from "./pan_zoom.js";
import { toggleDialog } from "./tabs_and_dialogs.js";
import { walk } from "./roving_tabindex.js";
import { pickHex, rotate } from "./tile_picker.js";

export function initKeyboard() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    const hex = target.closest("#map-view .hex");
    if (walk(event)) {
      event.preventDefault();
      return;
    }
    if (hex && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      pickHex(hex.getAttribute("data-hex") || "");
      return;
    }
    if (document.querySelector("dialog[open]")) return;
    const typing = target.matches("input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select");
    if (typing) return;
    const act = {
      r: () => (document.getElementById("routes") ? press("edit-routes") : rotate(1)),
      R: () => rotate(-1),
      u: undo,
      y: redo,
      p: pass,
      "+": () => zoom(1.3),
      "-": () => zoom(1 / 1.3),
      0: showWhole,
      t: () => toggleDialog("tiles-left"),
      b: () => press("toggle-sidebar"),
      "?": () => toggleDialog("menu"),
      "[": () => step(-1),
      "]": () => step(1),
      Escape: () => press("drop-hex"),
      Enter: () => confirm(target),
    }[event.key];
    if (act) {
      act();
      if (event.key !== "Enter") event.preventDefault();
    }
  });
}

function pass() {
  const buttons = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-action=send]"))];
  buttons.find((button) => ["pass", "end_turn"].includes(JSON.parse(button.dataset.choice || "{}").kind))?.click();
}

/** Enter confirms what is picked, unless the focus is on something that Enter itself works. @param {Element} target */
function confirm(target) {
  if (target.closest("a, button, input, summary")) return;
  const go = /** @type {HTMLButtonElement | null} */ (document.getElementById("go"));
  if (go && !go.disabled) go.click();
}
