// @ts-check
// Where one comes in: the token behind the address is sent, or name and passcode.

import { Fault, post } from "./api.js";
import { settings } from "./settings.js";

const door = /** @type {HTMLElement} */ (document.getElementById("door"));
const wait = /** @type {HTMLElement} */ (document.getElementById("wait"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("by-name"));
const line = /** @type {HTMLElement} */ (form.querySelector(".error"));

/** @param {object} body */
async function enter(body) {
  try {
    const taken = await post(door.dataset.post || "", body);
    if (taken.also) ask(taken);
    else location.replace(taken.address);
  } catch (error) {
    wait.hidden = true;
    form.hidden = false;
    line.textContent = error instanceof Fault ? error.message : String(error);
    line.hidden = false;
  }
}

/** Somebody who has a seat here took another's: on purpose, or by the wrong link.
 * @param {{seat: number, name: string, also: string[], address: string}} taken */
function ask(taken) {
  const box = /** @type {HTMLElement} */ (document.getElementById("twice"));
  /** @type {HTMLElement} */ (box.querySelector(".lead")).textContent = (box.dataset.text || "")
    .replace("{also}", taken.also.join(", "))
    .replace("{name}", taken.name);
  wait.hidden = true;
  box.hidden = false;
  const on = (/** @type {string} */ what, /** @type {() => unknown} */ work) =>
    /** @type {HTMLElement} */ (box.querySelector(what)).addEventListener("click", work);
  on("[data-mine]", () => location.replace(taken.address));
  on("[data-theirs]", async () => {
    await post(`${taken.address}/seats/${taken.seat}/give-back`, {});
    location.replace(taken.address);
  });
  /** @type {HTMLElement} */ (box.querySelector("button")).focus();
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
