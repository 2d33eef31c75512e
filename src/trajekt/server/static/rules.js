// @ts-check
// A rule's id opens its text; with a modifier key, or without this module, the link leads to the list of rules.

import { fragment, Fault } from "./api.js";
import { say } from "./announce.js";

const game = () => document.getElementById("app")?.dataset.game || "";

/** The id of a rule as a link. @param {string} rule */
export function ruleLink(rule) {
  const link = document.createElement("a");
  link.className = "rule";
  link.href = `/rules/${game()}#${rule}`;
  link.dataset.ruleId = rule;
  link.textContent = rule;
  return link;
}

/** @param {string} rule */
async function show(rule) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("rule-text"));
  try {
    dialog.innerHTML = await fragment(`/rules/${game()}/${rule}`);
    if (!dialog.open) dialog.showModal();
  } catch (error) {
    if (error instanceof Fault) say(error.message);
    else throw error;
  }
}

export function rules() {
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("[data-rule-id]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link.getAttribute("data-rule-id") || "");
  });
}
