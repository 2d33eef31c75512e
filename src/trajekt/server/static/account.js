// @ts-check
// My tables and the account.

import { links, showLink } from "./map_links.js";
import { Fault, post } from "./api.js";
import { settings } from "./settings.js";
import { times } from "./local_times.js";

settings();
links();
times();
document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  event.preventDefault();
  const value = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value;
  try {
    location.href = (await post(form.dataset.post || "", { name: value("name"), passcode: value("passcode") })).address;
  } catch (error) {
    const line = /** @type {HTMLElement} */ (form.querySelector(".error"));
    line.textContent = error instanceof Fault ? error.message : String(error);
    line.hidden = false;
  }
});
document.addEventListener("click", async (event) => {
  const what = /** @type {Element} */ (event.target).closest("[data-do]")?.getAttribute("data-do");
  if (what === "out") location.href = (await post("/me/out", {})).address;
  const box = document.getElementById("new-link");
  if (what === "link" && box) showLink(box, (await post("/me/link", {})).address);
});
document.documentElement.dataset.ready = "yes";
