// @ts-check
// Picking a hex, a tile that may lie there, and turning it through its legal rotations only.

import { choose } from "./action_form.js";
import { say } from "./toasts.js";
import { fragment, newestOnly } from "./api.js";
import { handle, markPressed } from "./handlers.js";
import { centreHex, dragged, drawing } from "./pan_zoom.js";
import { address, live, number } from "./region_updates.js";
import { editingRoutes, tapStop } from "./route_drawing.js";
import { hidePreview } from "./tile_preview.js";

let at = "";
let rotation = 0;
/** @type {{seat: number, action: Record<string, unknown>, line: string}[]} */
let rotations = [];
let label = "";

const newest = newestOnly();

const box = () => document.getElementById("hexbox");

/** Everything that may be done on a hex, beside the map. @param {string} name */
export async function pickHex(name) {
  if (!live()) return;
  if (editingRoutes()) return tapStop(name);
  if (name === at && rotations.length) return rotate(1);
  dropHex();
  const place = box();
  const then = number();
  const html = await newest(fragment(address(`hex/${encodeURIComponent(name)}`)));
  if (html === null || number() !== then) return; // the page has moved on, and what may be done with it
  at = name;
  markChosen(name);
  if (!place) {
    sayWhyNot(html);
    return;
  }
  place.innerHTML = html;
  document.dispatchEvent(new CustomEvent("hex-shown"));
  centreHex(drawing()?.querySelector(".hex.chosen") || null);
  const tiles = place.querySelectorAll(".tile-pick");
  const others = /** @type {NodeListOf<HTMLInputElement>} */ (place.querySelectorAll("[name=pick]"));
  if (tiles.length === 1 && !others.length) pickTile(/** @type {HTMLElement} */ (tiles[0]));
  else if (others.length === 1 && !tiles.length) others[0].click();
  else choose(null);
}

/** Mark the hex that is chosen on the map, and no other. @param {string} name */
function markChosen(name) {
  for (const hex of drawing()?.querySelectorAll(".hex") || []) {
    hex.classList.toggle("chosen", hex.getAttribute("data-hex") === name);
  }
}

/** Say why nothing may be laid on a hex while nothing is to be laid. @param {string} html */
function sayWhyNot(html) {
  const made = document.createElement("div");
  made.innerHTML = html;
  const line = made.querySelector(".why span, .hint");
  if (line) say((line.textContent || "").trim());
}

/** @param {HTMLElement} button */
function pickTile(button) {
  markPressed(box()?.querySelectorAll(".tile-pick") || [], (each) => each === button);
  rotations = JSON.parse(button.dataset.actions || "[]");
  label = button.dataset.label || "";
  rotation = 0;
  showRotation();
}

function showRotation() {
  const tools = /** @type {HTMLElement | null} */ (box()?.querySelector(".rotations"));
  if (tools) {
    tools.hidden = rotations.length < 2;
    const count = tools.querySelector("span");
    if (count) count.textContent = `${rotation + 1} / ${rotations.length}`;
  }
  const now = rotations[rotation];
  const told = box()?.querySelector(".rotation-line");
  if (told && now) {
    told.textContent = (/** @type {HTMLElement} */ (told).dataset.text || "")
      .replace("{n}", String(rotation + 1))
      .replace("{count}", String(rotations.length))
      .replace("{line}", now.line);
  }
  if (now) choose({ number: number(), action: now.action, seat: now.seat, label });
}

/** Turn the tile to its next legal rotation. @param {number} by */
export function rotate(by) {
  if (rotations.length < 2) return;
  rotation = (rotation + by + rotations.length) % rotations.length;
  showRotation();
}

/** Drop the hex that was picked. */
export function dropHex() {
  at = "";
  rotations = [];
  hidePreview();
  markChosen("");
}

handle({
  "choose-hex": (_map, event) => {
    const hex = /** @type {Element} */ (event.target).closest(".hex");
    if (hex && !dragged()) pickHex(hex.getAttribute("data-hex") || "");
  },
  "choose-tile": pickTile,
  "rotate-left": () => rotate(-1),
  "rotate-right": () => rotate(1),
  "drop-hex": () => {
    dropHex();
    box()?.replaceChildren();
    choose(null);
  },
});

export function initTilePicker() {
  document.addEventListener("regions", dropHex);
}
