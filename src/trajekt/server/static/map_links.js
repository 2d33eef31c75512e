// @ts-check
// Links to hand out: copied, or shared where the device can.

import { say, text } from "./announce.js";

const local = () => /^(localhost$|127\.|\[::1\])/.test(location.hostname);
const reached = () => /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=reached]"))?.content || "";

/** Whether links lead to this computer alone. */
export const onlyHere = () => local() && !reached();

/** A link that leads here from another device too. @param {string} address */
export const absolute = (address) => new URL(address, (local() && reached()) || location.href).href;

/** Show a link in its row. @param {HTMLElement} box @param {string} address */
export function showLink(box, address) {
  const input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
  input.value = absolute(address);
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
