// @ts-check
// Picking a hex, a tile that may lie there, and turning it through its legal turns only.

import { choose } from "./action_form.js";
import { address, live, number } from "./regions.js";
import { fragment } from "./api.js";
import { uncover } from "./dialog_focus.js";
import { dragged, drawing } from "./pan_zoom.js";
import { sketching, tapStop } from "./route_drawing.js";

let at = "";
let turn = 0;
/** @type {{seat: number, action: Record<string, unknown>}[]} */
let turns = [];
let label = "";

const box = () => document.getElementById("hexbox");

/** Everything that may be done on a hex, beside the map. @param {string} name */
export async function pickHex(name) {
  if (!live()) return;
  if (sketching()) return tapStop(name);
  if (name === at && turns.length > 1) return rotate(1);
  unpick();
  const place = box();
  const then = number();
  const html = await fragment(address(`hex/${encodeURIComponent(name)}`));
  if (number() !== then) return; // the page has moved on, and what may be done with it
  at = name;
  for (const hex of drawing()?.querySelectorAll(".hex.chosen") || []) hex.classList.remove("chosen");
  drawing()?.querySelector(`[data-hex="${name}"]`)?.classList.add("chosen");
  if (!place) {
    elsewhere(html);
    return;
  }
  place.innerHTML = html;
  const tiles = place.querySelectorAll(".tile-pick");
  const others = /** @type {NodeListOf<HTMLInputElement>} */ (place.querySelectorAll("[name=pick]"));
  if (tiles.length === 1 && !others.length) pickTile(/** @type {HTMLElement} */ (tiles[0]));
  else if (others.length === 1 && !tiles.length) others[0].click();
  else choose(null);
}

/** A hex asked about while nothing is to be laid: only why not. @param {string} html */
function elsewhere(html) {
  const made = document.createElement("div");
  made.innerHTML = html;
  const line = made.querySelector(".why span, .hint");
  import("./announce.js").then(({ say }) => line && say((line.textContent || "").trim()));
}

/** @param {HTMLElement} button */
function pickTile(button) {
  for (const other of box()?.querySelectorAll(".tile-pick") || []) other.setAttribute("aria-pressed", String(other === button));
  turns = JSON.parse(button.dataset.actions || "[]");
  label = button.dataset.label || "";
  turn = 0;
  show();
}

function show() {
  const tools = /** @type {HTMLElement | null} */ (box()?.querySelector(".turns"));
  if (tools) {
    tools.hidden = turns.length < 2;
    const count = tools.querySelector("span");
    if (count) count.textContent = `${turn + 1} / ${turns.length}`;
  }
  const now = turns[turn];
  if (now) choose({ number: number(), action: now.action, seat: now.seat, label });
}

/** Turn the tile to its next legal turn. @param {number} by */
export function rotate(by) {
  if (turns.length < 2) return;
  turn = (turn + by + turns.length) % turns.length;
  show();
}

/** Drop the hex that was picked. */
export function unpick() {
  at = "";
  turns = [];
  uncover();
  for (const hex of drawing()?.querySelectorAll(".hex.chosen") || []) hex.classList.remove("chosen");
}

export function tiles() {
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const hex = target.closest("#map-view .hex");
    if (hex && !dragged()) pickHex(hex.getAttribute("data-hex") || "");
    const tile = /** @type {HTMLElement | null} */ (target.closest(".tile-pick"));
    if (tile) pickTile(tile);
    const tool = target.closest("[data-do]")?.getAttribute("data-do");
    if (tool === "turn-left") rotate(-1);
    if (tool === "turn-right") rotate(1);
    if (tool === "unpick") {
      unpick();
      box()?.replaceChildren();
      choose(null);
    }
  });
  document.addEventListener("regions", unpick);
}
