// @ts-check
// The call by Web Push: this device is told when no page is open. The service worker is registered where it is wished, or
// where the page is installed; without it nothing stands between a page and the server.

import { say } from "./toasts.js";
import { Fault, post } from "./api.js";
import { handle } from "./handlers.js";

const POSSIBLE = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const TOLD = "trajekt.push.told";
const DAY = 24 * 3600 * 1000;

/** The bytes of a base64url text. @param {string} text */
function bytesOf(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Bytes as base64url. @param {ArrayBuffer | null} buffer */
function textOf(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer || new ArrayBuffer(0)));
  return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const register = () => navigator.serviceWorker.register("/service_worker.js", { scope: "/", updateViaCache: "none" });

/** This device's subscription, if it has one. */
async function subscription() {
  const registration = POSSIBLE ? await navigator.serviceWorker.getRegistration("/") : undefined;
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function askKey() {
  const answer = await fetch("/me/push", { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Fault((await answer.json()).error);
  return bytesOf((await answer.json()).key);
}

/** Tell the server where this device is called. @param {PushSubscription} found */
async function tellServer(found) {
  await post("/me/push", {
    endpoint: found.endpoint,
    public_key: textOf(found.getKey("p256dh")),
    auth_secret: textOf(found.getKey("auth")),
  });
  localStorage.setItem(TOLD, String(Date.now()));
}

async function switchOn() {
  const key = await askKey();
  await register();
  const registration = await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe(); // it may be bound to a key of the past
  await tellServer(await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}

async function switchOff() {
  await post("/me/push/away", {});
  await (await subscription())?.unsubscribe();
}

/** Mark the switches, and show what belongs to a device that is called. */
export async function showPush() {
  const on = (await subscription()) !== null;
  for (const each of document.querySelectorAll("[data-action=toggle-push]")) each.setAttribute("aria-pressed", String(on));
  for (const each of document.querySelectorAll("[data-action=try-push]")) each.toggleAttribute("hidden", !on);
}

/** Forget this device, as whoever used it signs out. */
export async function endPush() {
  if (await subscription()) await switchOff();
}

/** Do something and say what went wrong. @param {HTMLElement} button @param {() => Promise<void>} work */
async function attempt(button, work) {
  button.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (error) {
    say(error instanceof Fault ? error.message : button.dataset.failed || String(error));
  } finally {
    button.removeAttribute("aria-busy");
    await showPush();
  }
}

handle({
  "toggle-push": (button) =>
    attempt(button, async () => {
      if (await subscription()) return switchOff();
      if (!POSSIBLE) return say(button.dataset.impossible || "");
      if ((await Notification.requestPermission()) !== "granted") return say(button.dataset.refused || "");
      await switchOn();
    }),
  "try-push": (button) =>
    attempt(button, async () => {
      await post("/me/push/try", {});
      say(button.dataset.sent || "");
    }),
});

/** Keep what the server knows of this device true, once a day; an installed page has its page for no connection. */
async function renew() {
  if (!POSSIBLE) return;
  if (matchMedia("(display-mode: standalone)").matches) await register();
  const found = await subscription();
  if (!found || Date.now() - Number(localStorage.getItem(TOLD) || 0) < DAY) return;
  const key = textOf(found.options.applicationServerKey);
  if (key === textOf((await askKey()).buffer)) await tellServer(found);
  else await switchOn();
}

export function initPush() {
  showPush().catch(() => {});
  renew().catch(() => {});
}
