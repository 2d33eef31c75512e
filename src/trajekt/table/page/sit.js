// @ts-check
// Where one comes in: the token behind the address is sent, or name and passcode.

import { Fault, post } from "./server.js";
import { settings } from "./settings.js";

const door = /** @type {HTMLElement} */ (document.getElementById("door"));
const wait = /** @type {HTMLElement} */ (document.getElementById("wait"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("by-name"));
const line = /** @type {HTMLElement} */ (form.querySelector(".error"));

/** @param {object} body */
async function enter(body) {
  try {
    location.replace((await post(door.dataset.post || "", body)).address);
  } catch (error) {
    wait.hidden = true;
    form.hidden = false;
    line.textContent = error instanceof Fault ? error.message : String(error);
    line.hidden = false;
  }
}

/** A token goes out of the address at once, so that it is not copied along with it by mistake. */
function byToken() {
  const token = location.hash.slice(1);
  if (!token) return;
  history.replaceState(null, "", location.pathname);
  wait.hidden = false;
  form.hidden = true;
  enter({ token });
}

settings();
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const value = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value;
  enter({ name: value("name"), passcode: value("passcode") });
});
addEventListener("hashchange", byToken);
byToken();
document.documentElement.dataset.ready = "yes";
