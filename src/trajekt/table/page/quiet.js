// @ts-check
// The end of letters about a seat: one button.

import { post } from "./server.js";

const page = /** @type {HTMLElement} */ (document.getElementById("quiet"));
const words = /** @type {HTMLElement} */ (document.getElementById("quiet-text"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("quiet-go"));

button.addEventListener("click", async () => {
  await post(`/quiet/${page.dataset.table}/${page.dataset.token}`, {});
  words.textContent = words.dataset.done || "";
  button.remove();
});
