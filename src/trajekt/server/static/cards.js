// @ts-check
// The card of a company, a private company, a train or a player: one tap on its name opens it.

import { fragment } from "./api.js";
import { handle } from "./handlers.js";
import { address, live, moment } from "./regions.js";

/** @param {string} piece its kind and key, as `company/RhE` */
async function showCard(piece) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("card"));
  const path = piece.split("/").map(encodeURIComponent).join("/");
  dialog.innerHTML = await fragment(address(`card/${path}`) + (live() ? "" : `?at=${moment()}`));
  if (!dialog.open) dialog.showModal();
}

handle({
  "show-card": (name, event) => {
    event.preventDefault();
    return showCard(name.dataset.card || "");
  },
});

document.addEventListener("regions", () => /** @type {HTMLDialogElement | null} */ (document.getElementById("card"))?.close());
