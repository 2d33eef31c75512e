// @ts-check
// Links to hand out: copied, or shared where the device can.

import { say, text } from "./toasts.js";
import { handle } from "./handlers.js";

const local = () => /^(localhost$|127\.|\[::1\])/.test(location.hostname);
const reached = () => /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=reached]"))?.content || "";

/** Whether links lead to this computer alone. */
export const onlyHere = () => local() && !reached();

/** A link that leads here from another device too. @param {string} address */
export const absolute = (address) => new URL(address, (local() && reached()) || location.href).href;

const MADE = "trajekt-made";

/** Keep the links of a table just made until the start page shows them. @param {unknown} made */
export const keepMade = (made) => sessionStorage.setItem(MADE, JSON.stringify(made));

/** Take the links that were kept, so that they are shown once. */
export function takeMade() {
  const kept = sessionStorage.getItem(MADE);
  sessionStorage.removeItem(MADE);
  return kept && JSON.parse(kept);
}

/** Show a link in its row. @param {HTMLElement} box @param {string} address */
export function showLink(box, address) {
  const input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
  input.value = absolute(address);
  hideCode(box);
  box.hidden = false;
  fitShare(box);
  input.select();
}

/** The share button only where there is something to share with. @param {ParentNode} box */
export function fitShare(box) {
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("[data-action=share-link]"));
  for (const button of buttons) button.hidden = !navigator.share;
}

/** Take away the code of the link that stood there before. @param {ParentNode} box */
function hideCode(box) {
  box.querySelector(".qr-code")?.remove();
  box.querySelector("[data-action=show-code]")?.setAttribute("aria-pressed", "false");
}

/** Show the link as a code under its row, or take that away. @param {HTMLElement} button */
async function showCode(button) {
  const row = /** @type {HTMLElement} */ (button.closest(".row"));
  const code = row.nextElementSibling;
  if (code?.matches(".qr-code")) code.remove();
  else {
    const { qrPicture } = await import("./qr_code.js");
    row.after(qrPicture(linkBeside(button).value, button.title));
  }
  button.setAttribute("aria-pressed", String(Boolean(row.nextElementSibling?.matches(".qr-code"))));
  row.nextElementSibling?.scrollIntoView({ block: "nearest" });
}

/** @param {HTMLElement} button */
const linkBeside = (button) => /** @type {HTMLInputElement} */ (button.closest(".row")?.querySelector("input[readonly]"));

handle({
  "show-code": showCode,
  "share-link": (button) =>
    navigator.share({ text: text("share"), url: linkBeside(button).value }).catch(() => {}), // closed without choosing
  "copy-link": async (button) => {
    const input = linkBeside(button);
    input.select();
    try {
      await navigator.clipboard.writeText(input.value);
    } catch {
      document.execCommand("copy"); // a page that is not served over https
    }
    say(text("copied"));
  },
});
