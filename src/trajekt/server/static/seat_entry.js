// @ts-check
// Where one comes in: the token behind the address is sent, or name and passcode.

import { Fault, post } from "./api.js";
import { handle } from "./handlers.js";
import { initSettings } from "./settings.js";

const door = /** @type {HTMLElement} */ (document.getElementById("door"));
const wait = /** @type {HTMLElement} */ (document.getElementById("wait"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("by-name"));
const line = /** @type {HTMLElement} */ (form.querySelector(".error"));

/** The button by which somebody who holds seats without an account signs in by a link nevertheless. */
const leave = document.getElementById("leave");
/** @type {object} */
let refused = {};

/** @param {object} body */
async function enter(body) {
  try {
    const taken = await post(door.dataset.post || "", body);
    if (taken.also) askWhichSeat(taken);
    else location.replace(taken.address);
  } catch (error) {
    wait.hidden = true;
    form.hidden = false;
    if (leave) leave.hidden = !(error instanceof Fault && error.error.code === "leaves_seats");
    refused = body;
    line.textContent = error instanceof Error ? error.message : String(error);
    line.hidden = false;
  }
}

/** @typedef {{seat: number, name: string, also: string[], address: string}} Taken a seat that was just entered */

/** @type {Taken | null} */
let second = null;

handle({
  "leave-seats": () => enter({ ...refused, leave: true }),
  "keep-seat": () => second && location.replace(second.address),
  "return-seat": async () => {
    if (!second) return;
    await post(`${second.address}/seats/${second.seat}/give-back`, {});
    location.replace(second.address);
  },
});

/** Somebody who has a seat here took another's: on purpose, or by the wrong link. @param {Taken} taken */
function askWhichSeat(taken) {
  second = taken;
  const box = /** @type {HTMLElement} */ (document.getElementById("twice"));
  /** @type {HTMLElement} */ (box.querySelector(".lead")).textContent = (box.dataset.text || "")
    .replace("{also}", taken.also.join(", "))
    .replace("{name}", taken.name);
  wait.hidden = true;
  box.hidden = false;
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

initSettings();
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const value = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value;
  enter({ name: value("name"), passcode: value("passcode") });
});
addEventListener("hashchange", byToken);
byToken();
document.documentElement.dataset.ready = "yes";
