// @ts-check
// Times are written by the browser, in the reader's zone and language.

/** @type {Intl.DateTimeFormat | null} one for all: making it takes longer than using it */
let format = null;

/** @param {ParentNode} [scope] */
export function writeTimes(scope = document) {
  format ??= new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of /** @type {NodeListOf<HTMLElement>} */ (scope.querySelectorAll("[data-time]"))) {
    time.textContent = format.format(new Date(Number(time.dataset.time) * 1000));
  }
}
