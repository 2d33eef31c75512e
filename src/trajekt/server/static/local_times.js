// @ts-check
// Times are written by the browser, in the reader's zone and language.

/** @param {ParentNode} [scope] */
export function writeTimes(scope = document) {
  for (const time of /** @type {NodeListOf<HTMLElement>} */ (scope.querySelectorAll("[data-time]"))) {
    const date = new Date(Number(time.dataset.time) * 1000);
    time.textContent = date.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  }
}
