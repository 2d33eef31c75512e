// @ts-check
// The card of a company, a private company, a train or a player: one tap on its name opens it.

import { fragment, newestOnly } from "./api.js";
import { handle } from "./handlers.js";
import { address, live, moment } from "./region_updates.js";

const newest = newestOnly();

/** @param {string} piece its kind and key, as `company/RhE` */
async function showCard(piece) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("card"));
  const path = piece.split("/").map(encodeURIComponent).join("/");
  const html = await newest(fragment(address(`card/${path}`) + (live() ? "" : `?at=${moment()}`)));
  if (html === null) return;
  dialog.innerHTML = html;
  if (!dialog.open) dialog.showModal();
}

handle({
  "show-card": (name, event) => {
    event.preventDefault();
    return showCard(name.dataset.card || "");
  },
});

document.addEventListener("regions", () => /** @type {HTMLDialogElement | null} */ (document.getElementById("card"))?.close());
