// @ts-check
// Puzzles without a connection: a puzzle's page keeps itself and what it needs on the device, and so does the one of the day.

const KEPT = "puzzles-1"; // as in service_worker.js
const MOST = 12; // pages

const ready = "serviceWorker" in navigator && "caches" in window;

/** The scripts, styles and pictures that this page has loaded from its own server. */
const parts = () =>
  performance
    .getEntriesByType("resource")
    .map((each) => new URL(each.name))
    .filter(({ origin, pathname }) => origin === location.origin && /^\/(static|look)\//.test(pathname))
    .map(({ href }) => href);

/** Keep the pages of some addresses, the parts of this one, and of the pages kept before only the newest. @param {string[]} pages */
export async function keepPuzzles(pages) {
  if (!ready) return;
  try {
    await navigator.serviceWorker.register("/service_worker.js", { scope: "/", updateViaCache: "none" });
    const cache = await caches.open(KEPT);
    for (const page of pages) await cache.delete(page);
    await cache.addAll([...pages, ...new Set(parts())]);
    const kept = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith("/puzzles"));
    for (const old of kept.slice(0, -MOST)) await cache.delete(old);
  } catch {
    // a device without room, or a page that was left: the puzzle is there as long as the server is
  }
}
