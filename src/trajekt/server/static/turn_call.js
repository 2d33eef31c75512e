// @ts-check
// The call to one's turn on this device: a short sound and a note of the desktop, each off until wished, once a turn.

import { say, text } from "./toasts.js";
import { handle } from "./handlers.js";
import { live } from "./region_updates.js";

const KEY = "trajekt.call";

/** @typedef {{sound: boolean, desktop: boolean}} Wishes */

/** @returns {Wishes} */
function wishes() {
  try {
    return { sound: false, desktop: false, ...JSON.parse(localStorage.getItem(KEY) || "{}") };
  } catch {
    return { sound: false, desktop: false };
  }
}

const mine = () => live() && document.getElementById("app")?.dataset.turn === "yes";
let called = false;
/** @type {AudioContext | undefined} */
let audio;

/** Two short tones. A browser lets a page sound only after a touch: the switch was one, or there will be none. */
function ring() {
  audio ??= new AudioContext();
  audio.resume().catch(() => {});
  const start = audio.currentTime;
  for (const [n, pitch] of [587, 784].entries()) {
    const tone = new OscillatorNode(audio, { frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    const at = start + 0.16 * n;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.2, at + 0.02);
    volume.gain.linearRampToValueAtTime(0, at + 0.15);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.16);
  }
}

/** A note of the desktop that leads back to this page. */
function showNote() {
  const game = document.getElementById("app")?.dataset.title || "trajekt";
  const note = new Notification(text("turn"), { body: game, tag: location.pathname, icon: "/static/icon.svg" });
  note.onclick = () => {
    window.focus();
    note.close();
  };
}

/** Call the reader when it has become his turn and the page is not before his eyes. */
function call() {
  if (!mine()) {
    called = false;
    return;
  }
  if (called) return;
  called = true;
  if (document.visibilityState === "visible" && document.hasFocus()) return;
  const { sound, desktop } = wishes();
  if (sound) ring();
  if (desktop && "Notification" in window && Notification.permission === "granted") showNote();
}

/** Mark the switches of the sidebar; what is on can be tried. */
export function showCalls() {
  const kept = wishes();
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-action=try-call]"))) {
    each.hidden = !kept[/** @type {keyof Wishes} */ (each.dataset.try)];
  }
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-action=toggle-call]"))) {
    each.setAttribute("aria-pressed", String(kept[/** @type {keyof Wishes} */ (each.dataset.call)]));
  }
}

/** @param {Partial<Wishes>} change */
function keep(change) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...wishes(), ...change }));
  } catch {
    // a device that stores nothing calls nobody
  }
  showCalls();
}

/** Tell whether the browser lets this page show notes; asks the reader the first time. */
async function allowed() {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}

handle({
  "toggle-call": async (button) => {
    const kind = /** @type {keyof Wishes} */ (button.dataset.call);
    const on = !wishes()[kind];
    if (on && kind === "desktop" && !(await allowed())) {
      say(button.dataset.refused || "");
      return;
    }
    keep({ [kind]: on });
    if (on) (kind === "sound" ? ring : showNote)();
  },
  "try-call": async (button) => {
    if (button.dataset.try === "sound") ring();
    else if (await allowed()) showNote();
    else say(button.parentElement?.querySelector("[data-refused]")?.getAttribute("data-refused") || "");
  },
});

export function initTurnCall() {
  called = mine();
  document.addEventListener("regions", call);
  showCalls();
}
