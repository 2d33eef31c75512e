// @ts-check
// The seats of a table with links: who is here, what is asked of whom, hand-over and stand-ins.

import { Idiomorph } from "./vendor/idiomorph-0.8.0.js";
import { deed } from "./action_form.js";
import { links, showLink } from "./map_links.js";
import { address, number, refresh } from "./regions.js";
import { say, text } from "./announce.js";
import { Fault, fragment, post } from "./api.js";
import { times } from "./local_times.js";

const BEAT = 25_000; // milliseconds between two words that somebody is looking

const together = () => document.getElementById("seats")?.hidden === false;
const menu = () => /** @type {HTMLDialogElement | null} */ (document.getElementById("seat-menu"));

/** Draw the seats anew. */
async function seats() {
  const old = document.getElementById("seats");
  if (!old || !together()) return;
  Idiomorph.morph(old, (await fragment(address("seats"))).trim(), { morphStyle: "outerHTML" });
  times();
}

/** Say that the page is open before somebody's eyes, or is not any more. @param {boolean} here */
function looking(here) {
  if (!together()) return;
  const body = JSON.stringify({ here });
  fetch(address("looking"), { method: "POST", body, headers: { "content-type": "application/json" }, keepalive: true }).catch(() => {});
}

async function fill() {
  const dialog = menu();
  if (!dialog) return;
  dialog.innerHTML = await fragment(address("seats/menu"));
  times(dialog);
}

async function open() {
  await fill();
  if (!menu()?.open) menu()?.showModal();
}

/** Ask the server for something about the seats; what it says against it is shown. @param {string} rest @param {object} body */
async function send(rest, body) {
  try {
    return await post(address(rest), body);
  } catch (error) {
    const line = /** @type {HTMLElement | null} */ (menu()?.open ? menu()?.querySelector(".error") : null);
    const message = error instanceof Fault ? error.message : text("gone");
    if (line) {
      line.textContent = message;
      line.hidden = false;
    } else say(message);
    if (error instanceof Fault && error.error.code === "stale") refresh();
    return null;
  }
}

/** Ask the others to go back; `to` names the entry. @param {number | null} [to] */
export async function askUndo(to = null) {
  const made = await send("petitions", { kind: "undo", number: number(), ...(to === null ? {} : { target: to }) });
  if (made) {
    await refresh();
    say(text("asked"));
  }
}

/** @param {Element} target */
async function pressed(target) {
  const tool = target.closest("[data-do]");
  const what = tool?.getAttribute("data-do");
  if (what === "seats") open();
  const to = tool?.getAttribute("data-to");
  if (what === "ask-undo") askUndo(to ? Number(to) : null);
  if (what === "undo-to") deed("undo", { number: number(), to: Number(to) });
  const answer = target.closest("[data-reply]")?.getAttribute("data-reply");
  const petition = target.closest("[data-petition]")?.getAttribute("data-petition");
  if (answer && (await send(`petitions/${petition}`, { yes: answer === "yes" }))) {
    seats();
    refresh();
  }
  const back = target.closest("[data-back]")?.getAttribute("data-back");
  if (back && (await send(`seats/${back}/stand-in`, { kind: null }))) changed();
  const foreign = target.closest("[data-give-back]")?.getAttribute("data-give-back");
  if (foreign && (await send(`seats/${foreign}/give-back`, {}))) changed();
  const lent = target.closest("[data-lend]");
  if (lent) {
    const kind = /** @type {HTMLSelectElement | null} */ (lent.parentElement?.querySelector("select"))?.value;
    if (await send(`seats/${lent.getAttribute("data-lend")}/stand-in`, { kind })) changed();
  }
  const asked = target.closest("[data-ask]");
  if (asked) {
    const kind = asked.getAttribute("data-ask");
    const program = /** @type {HTMLSelectElement | null} */ (asked.parentElement?.querySelector("select"))?.value;
    const what = program ? { what: program } : {};
    if (await send("petitions", { kind, number: number(), target: Number(asked.getAttribute("data-about")), ...what })) changed();
  }
  const given = target.closest("[data-link]")?.getAttribute("data-link");
  if (given || what === "watching-link") {
    const made = await send(given ? `seats/${given}/link` : "watch/link", {});
    if (!made) return;
    await open();
    const box = document.getElementById("new-link");
    if (box) showLink(box, made.address);
    refresh();
  }
}

async function changed() {
  if (menu()?.open) await fill();
  await seats();
  refresh();
}

export function seating() {
  links();
  document.addEventListener("click", (event) => pressed(/** @type {Element} */ (event.target)));
  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.matches("[data-passcode]")) return;
    event.preventDefault();
    const passcode = /** @type {HTMLInputElement} */ (form.querySelector("input")).value;
    if (await send(`seats/${form.dataset.passcode}/passcode`, { passcode })) fill();
  });
  document.addEventListener("ask-undo", (event) => askUndo(/** @type {CustomEvent<number>} */ (event).detail));
  document.addEventListener("changed", () => seats().catch(() => {}));
  document.addEventListener("regions", () => times());
  document.addEventListener("visibilitychange", () => looking(!document.hidden));
  addEventListener("pagehide", () => looking(false));
  if (!document.hidden) looking(true);
  setInterval(() => document.hidden || looking(true), BEAT);
  times();
}
