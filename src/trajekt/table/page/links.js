// @ts-check
// Links to hand out: copied, or shared where the device can.

import { say, text } from "./say.js";

/** Show a link in its row. @param {HTMLElement} box @param {string} address */
export function showLink(box, address) {
  const input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
  input.value = new URL(address, location.href).href;
  box.hidden = false;
  fitShare(box);
  input.select();
}

/** The share button only where there is something to share with. @param {ParentNode} box */
export function fitShare(box) {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("[data-share]"))) button.hidden = !navigator.share;
}

export function links() {
  document.addEventListener("click", async (event) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-copy],[data-share]"));
    const input = /** @type {HTMLInputElement | null} */ (button?.closest(".row")?.querySelector("input[readonly]") || null);
    if (!button || !input) return;
    if (button.matches("[data-share]")) {
      await navigator.share({ text: text("share"), url: input.value }).catch(() => {}); // closed without choosing
      return;
    }
    input.select();
    try {
      await navigator.clipboard.writeText(input.value);
    } catch {
      document.execCommand("copy"); // a page that is not served over https
    }
    say(text("copied"));
  });
}
