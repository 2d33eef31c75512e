// @ts-check
// A rule's id opens its text; with a modifier key, or without this module, the link leads to the list of rules.

import { say } from "./toasts.js";
import { Fault, fragment, newestOnly } from "./api.js";
import { handle } from "./handlers.js";

const game = () => document.getElementById("app")?.dataset.game || "";

/** The id of a rule as a link. @param {string} rule */
export function ruleLink(rule) {
  const link = document.createElement("a");
  link.className = "rule";
  link.href = `/rules/${game()}#${rule}`;
  Object.assign(link.dataset, { action: "show-rule", ruleId: rule });
  link.textContent = rule;
  return link;
}

const newest = newestOnly();

/** @param {string} rule */
async function showRule(rule) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("rule-text"));
  try {
    const html = await newest(fragment(`/rules/${game()}/${rule}`));
    if (html === null) return;
    dialog.innerHTML = html;
    if (!dialog.open) dialog.showModal();
  } catch (error) {
    if (error instanceof Fault) say(error.message);
    else throw error;
  }
}

handle({
  "show-rule": (link, event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showRule(link.dataset.ruleId || "");
  },
});
