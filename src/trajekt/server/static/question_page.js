// @ts-check
// A page to which a letter leads: one question, a button for each answer.

import { Fault, post } from "./api.js";

const page = /** @type {HTMLElement} */ (document.getElementById("question"));
const words = /** @type {HTMLElement} */ (page.querySelector(".lead"));

page.addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-body]"));
  if (!button) return;
  try {
    await post(page.dataset.post || "", JSON.parse(button.dataset.body || "{}"));
    words.textContent = button.dataset.done || "";
  } catch (error) {
    words.textContent = error instanceof Fault ? error.message : String(error);
  }
  for (const each of page.querySelectorAll("[data-body]")) each.remove();
});
