// @ts-check
// The rotations of a tile as pictures, in a form that lays one without the rules: nobody need guess what a sixth of a circle is.

import { fragment, newestOnly } from "./api.js";
import { address } from "./region_updates.js";

const newest = newestOnly();
/** The choice by numbers with which a form came: it serves while there are no pictures. @type {WeakMap<Element, string>} */
const plain = new WeakMap();

/** Picture the rotations of the tile that a form names, on its hex; the rotation chosen stays. @param {HTMLFormElement} form */
export async function showRotations(form) {
  const place = form.querySelector(".turns");
  if (!(place instanceof HTMLElement)) return;
  if (!plain.has(place)) plain.set(place, place.innerHTML);
  const data = new FormData(form);
  const where = `hex/${encodeURIComponent(String(data.get("hex")))}/rotations?tile=${encodeURIComponent(String(data.get("tile")))}`;
  const found = await newest(fragment(address(where)).catch(() => "")); // without a connection numbers must do
  if (found === null) return;
  const turn = new FormData(form).get("turn");
  place.innerHTML = found || plain.get(place) || "";
  place.dataset.tile = String(data.get("tile"));
  const same = place.querySelector(`input[value="${turn}"], select`);
  if (same instanceof HTMLInputElement) same.checked = true;
  else if (same instanceof HTMLSelectElement) same.value = String(turn);
}

export function initRotationPictures() {
  document.addEventListener("change", (event) => {
    const field = /** @type {HTMLSelectElement} */ (event.target);
    if (field.form && /^(hex|tile)$/.test(field.name)) showRotations(field.form);
  });
  const opened = (/** @type {Event} */ event) => {
    for (const place of /** @type {Element} */ (event.target).querySelectorAll?.("details[open] .turns") ?? []) {
      showRotations(/** @type {HTMLFormElement} */ (place.closest("form")));
    }
  };
  document.addEventListener("toggle", opened, true);
}
