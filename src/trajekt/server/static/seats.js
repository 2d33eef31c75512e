// @ts-check
// The seats of a table with links: who is here, what is asked of whom, hand-over and stand-ins.

import { Idiomorph } from "./vendor/idiomorph-0.8.0.js";
import { submitChange } from "./action_form.js";
import { hush, say, text } from "./toasts.js";
import { Fault, fragment, newestOnly, post } from "./api.js";
import { handle } from "./handlers.js";
import { writeTimes } from "./local_times.js";
import { address, number, refresh } from "./region_updates.js";
import { showLink } from "./share_links.js";

const BEAT = 25_000; // milliseconds between two words that somebody is looking

const together = () => document.getElementById("seats")?.hidden === false;
const menu = () => /** @type {HTMLDialogElement | null} */ (document.getElementById("seat-menu"));

const newestSeats = newestOnly();

/** Draw the seats anew. */
async function drawSeats() {
  const old = document.getElementById("seats");
  if (!old || !together()) return;
  const html = await newestSeats(fragment(address("seats")));
  if (html === null) return;
  Idiomorph.morph(old, html.trim(), { morphStyle: "outerHTML" });
  writeTimes();
}

/** Say that the page is open before somebody's eyes, or is not any more. @param {boolean} here */
function reportPresence(here) {
  if (!together()) return;
  const body = JSON.stringify({ here });
  fetch(address("looking"), { method: "POST", body, headers: { "content-type": "application/json" }, keepalive: true }).catch(() => {});
}

const newestMenu = newestOnly();

async function fillMenu() {
  const dialog = menu();
  if (!dialog) return;
  const html = await newestMenu(fragment(address("seats/menu")));
  if (html === null) return;
  dialog.innerHTML = html;
  writeTimes(dialog);
}

async function openMenu() {
  await fillMenu();
  if (!menu()?.open) menu()?.showModal();
}

/** Ask the server for something about the seats; what it says against it is shown. @param {string} rest @param {object} body */
async function send(rest, body) {
  try {
    return await post(address(rest), body);
  } catch (error) {
    const line = /** @type {HTMLElement | null} */ (menu()?.open ? menu()?.querySelector(".error") : null);
    const message = error instanceof Error ? error.message : "";
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
  const made = await send("consent-requests", { kind: "undo", number: number(), ...(to === null ? {} : { target: to }) });
  if (made) {
    await refresh();
    say(text("asked"));
  }
}

async function redraw() {
  if (menu()?.open) await fillMenu();
  await drawSeats();
  refresh();
}

/** @param {string} rest @param {object} body */
const sendAndRedraw = async (rest, body) => (await send(rest, body)) && redraw();

/** Leave the page of a table that is deleted now. @param {string | undefined} kind @param {{ outcome: string }} made */
function leaveDeleted(kind, made) {
  if (kind !== "delete" || made.outcome !== "done") return false;
  location.assign("/");
  return true;
}

/** The kind that is chosen in the list beside a button. @param {HTMLElement} button */
const kindBeside = (button) => button.parentElement?.querySelector("select")?.value;

/** Make a link that opens a seat, or lets look on, and show it once. @param {string} rest */
async function makeLink(rest) {
  const made = await send(rest, {});
  if (!made) return;
  await openMenu();
  const box = document.getElementById("new-link");
  if (box) showLink(box, made.address);
  refresh();
}

handle({
  "open-seats": openMenu,
  "ask-undo": (button) => {
    hush();
    return askUndo(button.dataset.to ? Number(button.dataset.to) : null);
  },
  "undo-to": (button) => submitChange("undo", { number: number(), to: Number(button.dataset.to) }),
  "answer-request": async (button) => {
    const request = /** @type {HTMLElement | null} */ (button.closest("[data-request]"))?.dataset.request;
    const made = await send(`consent-requests/${request}`, { yes: button.dataset.reply === "yes" });
    if (!made || leaveDeleted(button.dataset.kind, made)) return;
    drawSeats();
    refresh();
  },
  "end-stand-in": (button) => sendAndRedraw(`seats/${button.dataset.about}/stand-in`, { kind: null }),
  "give-back-seat": (button) => sendAndRedraw(`seats/${button.dataset.about}/give-back`, {}),
  "lend-seat": (button) => sendAndRedraw(`seats/${button.dataset.about}/stand-in`, { kind: kindBeside(button) }),
  "ask-others": async (button) => {
    const { kind, about } = button.dataset;
    const bot = kindBeside(button);
    const made = await send("consent-requests", { kind, number: number(), target: Number(about), ...(bot ? { what: bot } : {}) });
    if (made && !leaveDeleted(kind, made)) await redraw();
  },
  "make-seat-link": (button) => makeLink(`seats/${button.dataset.about}/link`),
  "make-viewer-link": () => makeLink("watch/link"),
});

export function initSeats() {
  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.matches("[data-passcode]")) return;
    event.preventDefault();
    const passcode = /** @type {HTMLInputElement} */ (form.querySelector("input")).value;
    if (await send(`seats/${form.dataset.passcode}/passcode`, { passcode })) fillMenu();
  });
  document.addEventListener("changed", () => drawSeats().catch(() => {}));
  document.addEventListener("regions", () => writeTimes());
  document.addEventListener("visibilitychange", () => reportPresence(!document.hidden));
  addEventListener("pagehide", () => reportPresence(false));
  if (!document.hidden) reportPresence(true);
  setInterval(() => document.hidden || reportPresence(true), BEAT);
  writeTimes();
}
