// @ts-check
// What a press does: an element names its action in `data-action`, one listener looks it up in one table.

/** @typedef {(element: HTMLElement, event: MouseEvent) => unknown} Handler */

/** @type {Map<string, Handler>} */
const HANDLERS = new Map();

/** Add a module's handlers to the table; each action has one handler. @param {Record<string, Handler>} handlers */
export function handle(handlers) {
  for (const [action, handler] of Object.entries(handlers)) {
    if (HANDLERS.has(action)) throw new Error(`two handlers for ${action}`);
    HANDLERS.set(action, handler);
  }
}

/** Press the first element of the page with an action, as a key does. @param {string} action */
export function press(action) {
  /** @type {HTMLElement | null} */ (document.querySelector(`[data-action=${action}]`))?.click();
}

/** Mark the one of several elements that is chosen. @param {Iterable<Element>} all @param {(each: Element) => boolean} chosen */
export function markPressed(all, chosen) {
  for (const each of all) each.setAttribute("aria-pressed", String(chosen(each)));
}

document.addEventListener("click", (event) => {
  const element = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-action]"));
  HANDLERS.get(element?.dataset.action || "")?.(/** @type {HTMLElement} */ (element), event);
});
