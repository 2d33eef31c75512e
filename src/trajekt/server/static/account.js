// @ts-check
// My tables and the account.

import { Fault, post } from "./api.js";
import { handle } from "./handlers.js";
import { writeTimes } from "./local_times.js";
import { initSettings } from "./settings.js";
import { showLink } from "./share_links.js";

initSettings();
writeTimes();
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
handle({
  "sign-out": async () => {
    location.href = (await post("/me/out", {})).address;
  },
  "make-login-link": async () => {
    const box = document.getElementById("new-link");
    if (box) showLink(box, (await post("/me/link", {})).address);
  },
});
document.documentElement.dataset.ready = "yes";
