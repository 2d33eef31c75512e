// @ts-check
// Short messages at the lower edge, read out by screen readers.

import { Fault } from "./api.js";

const TEXTS = JSON.parse(document.getElementById("texts")?.textContent || "{}");

/** A text of the page in the reader's language. @param {string} key */
export const text = (key) => String(TEXTS[key] ?? "");

/** @typedef {{label: string, action: string, to?: number}} Press */
/** @param {string} message @param {{rule?: string, lines?: string[], keep?: boolean, press?: Press}} [more] */
export function say(message, more = {}) {
  const box = document.getElementById("said");
  if (!box) return;
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.textContent = message;
  if (more.rule) {
    const rule = document.createElement("code");
    rule.textContent = more.rule;
    toast.append(rule);
  }
  if (more.lines?.length) {
    const list = document.createElement("ul");
    for (const line of more.lines.slice(-5)) {
      const item = document.createElement("li");
      item.textContent = line;
      list.append(item);
    }
    toast.append(list);
  }
  if (more.press) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = more.press.label;
    button.dataset.action = more.press.action;
    button.dataset.to = String(more.press.to ?? "");
    toast.append(button);
  }
  box.replaceChildren(toast);
  if (!more.keep) setTimeout(() => toast.remove(), 3000 + 60 * (toast.textContent || "").length);
}

/** Tell a screen reader what others did and, where it is the reader's turn, what is asked. @param {number} from the entry he knew */
export function speakMoves(from) {
  const box = document.getElementById("spoken");
  const app = document.getElementById("app");
  if (!box || !app) return;
  const lines = [...document.querySelectorAll("#log a[data-moment]")].filter((line) => Number(line.getAttribute("data-moment")) > from);
  const told = lines.slice(-3).map((line) => line.querySelector("span:nth-child(2)")?.firstChild?.textContent?.trim() || "");
  const asked = app.dataset.turn === "yes" ? document.getElementById("question")?.textContent || "" : "";
  box.textContent = [...told, asked].filter(Boolean).join(". ");
}

export function hush() {
  document.getElementById("said")?.replaceChildren();
}

// A press whose request failed and that has no place of its own for the reason: said here, never only in the console.
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof Fault)) return;
  event.preventDefault();
  say(event.reason.message, { rule: event.reason.error.rule });
});
