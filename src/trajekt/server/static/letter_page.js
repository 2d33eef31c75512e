// @ts-check
// A page to which a letter leads: one question, a button for each answer.

import { post } from "./api.js";
import { handle } from "./handlers.js";

const page = /** @type {HTMLElement} */ (document.getElementById("question"));
const answer = /** @type {HTMLElement} */ (page.querySelector(".lead"));

handle({
  "answer-question": async (button) => {
    try {
      await post(page.dataset.post || "", JSON.parse(button.dataset.body || "{}"));
      answer.textContent = button.dataset.done || "";
    } catch (error) {
      answer.textContent = error instanceof Error ? error.message : String(error);
    }
    for (const each of page.querySelectorAll("[data-body]")) each.remove();
  },
});
