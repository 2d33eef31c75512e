// @ts-check
// The list of rules: searching hides what does not fit, and the address names a rule.

import { initSettings } from "./settings.js";

initSettings();
const field = /** @type {HTMLInputElement | null} */ (document.getElementById("find"));
const found = document.getElementById("found");

field?.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const group of document.querySelectorAll(".rule-group")) {
    let here = 0;
    for (const rule of /** @type {NodeListOf<HTMLElement>} */ (group.querySelectorAll("article"))) {
      const text = (rule.textContent || "").toLowerCase();
      rule.hidden = !words.every((word) => text.includes(word));
      if (!rule.hidden) here += 1;
    }
    /** @type {HTMLElement} */ (group).hidden = here === 0;
    shown += here;
  }
  if (found) found.textContent = words.length ? `${shown} / ${found.dataset.of}` : String(found.dataset.of);
});
document.documentElement.dataset.ready = "yes";
