// @ts-check
// The service worker: receives messages while no page is open, and says that the server cannot be reached. It answers only
// where there is no connection, from what puzzles have kept (kept_puzzles.js), so that nobody is shown what is out of date.

const worker = /** @type {any} */ (self);
const CACHE = "offline-1";
const PAGE = "/offline";
const PARTS = ["/look/plain.css", "/static/base.css", "/static/start.css", "/static/phone.css", "/static/touch.css", "/static/tablet.css",
  "/static/decision.css", "/static/choices.css", "/static/seats.css", "/static/icon.svg", "/static/offline.js", "/static/handlers.js"];

/** Keep the page that is shown without a connection, in the language of its reader. */
async function keepOfflinePage() {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...PARTS].map((each) => new Request(each, { cache: "reload" })));
}

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(keepOfflinePage().catch(() => {}).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

/** What this device has kept of an address. @param {string} address */
const kept = (address) => caches.match(address, { ignoreVary: true });

/** The page that says that there is no connection. */
async function offlinePage() {
  return (await caches.match(PAGE)) || Response.error();
}

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(async () => (await kept(request.url)) || offlinePage()));
    return;
  }
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || !/^\/(static|look)\//.test(pathname)) return;
  event.respondWith(fetch(request).catch(async () => (await kept(request.url)) || (await kept(pathname)) || Response.error()));
});

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, text, address, tag } = event.data.json();
  const shown = { body: text, tag, data: address, icon: "/static/icon-192.png", badge: "/static/icon-192.png", renotify: true };
  event.waitUntil(worker.registration.showNotification(title, shown));
});

/** Go to a table: to its page where one is open. @param {string} address */
async function goTo(address) {
  const all = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = all.find((/** @type {any} */ each) => new URL(each.url).pathname === address);
  if (there) return there.focus();
  return worker.clients.openWindow(address);
}

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(goTo(event.notification.data || "/me"));
});
