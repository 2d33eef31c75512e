// @ts-check
// The event stream: the server says at which number the table stands, and sends what is new to a page that shows the position
// before. A page that does not, since it slept or was without a connection, asks for it, and tries until it can.

import { busy, reportsUnsent } from "./action_form.js";
import { address, applyNews, live, moment, number, refresh } from "./region_updates.js";
import { Fault } from "./api.js";
import { say, hush, text } from "./toasts.js";

const AGAIN = 2000; // milliseconds before the next try, on average: after a restart not all pages come back at once
const SLEPT = 40_000; // milliseconds without a look after which a stream may be dead without knowing it

/** @type {EventSource | null} */
let source = null;
let opened = false;
let lost = false;
let stands = 0;
/** @type {import("./region_updates.js").News | null} */
let sent = null;
let waiting = 0;
let fetching = false;
let opening = 0;
let hidden = 0;

function open() {
  clearTimeout(opening);
  source?.close();
  source = new EventSource(address("events?draw=yes"));
  source.addEventListener("open", () => {
    if (opened) for (const missed of ["changed", "stirred"]) document.dispatchEvent(new CustomEvent(missed));
    opened = true;
    reportBack();
  });
  source.addEventListener("moved", (event) => take(Number(event.data), null));
  source.addEventListener("drawn", (event) => {
    const news = JSON.parse(event.data);
    take(news.number, news);
  });
  source.addEventListener("changed", () => document.dispatchEvent(new CustomEvent("changed")));
  source.addEventListener("stirred", () => document.dispatchEvent(new CustomEvent("stirred")));
  source.addEventListener("error", () => {
    if (!lost) say(text("gone"), { keep: true });
    lost = true;
    // a browser tries again by itself after a broken line, but never after an answer that was no stream
    clearTimeout(opening);
    if (source?.readyState === EventSource.CLOSED) opening = window.setTimeout(open, AGAIN * (0.5 + Math.random()));
  });
}

/** Say that the table answers again, where it was said that it does not. */
function reportBack() {
  if (!lost) return;
  lost = false;
  if (reportsUnsent()) return;
  hush();
  say(text("back"));
}

/** @param {number} newest @param {import("./region_updates.js").News | null} news */
function take(newest, news) {
  reportBack();
  stands = newest;
  sent = news;
  catchUp();
}

/**
 * Show where the table stands. Of several moves in quick succession only the newest is fetched, one fetch at a time. Somebody
 * who looks at the past stays there; only the length of the time line grows.
 */
async function catchUp() {
  clearTimeout(waiting);
  if (fetching) return;
  if (busy()) {
    waiting = window.setTimeout(catchUp, 300);
    return;
  }
  if (stands > number() && sent && applyNews(sent)) return;
  if (stands <= number()) return;
  fetching = true;
  try {
    await refresh(live() ? null : moment());
    if (stands > number()) waiting = window.setTimeout(catchUp);
  } catch (error) {
    if (error instanceof Fault && error.error.code === "not_at_table") location.reload();
    else waiting = window.setTimeout(catchUp, AGAIN * (0.5 + Math.random()));
  } finally {
    fetching = false;
  }
}

export function initEventStream() {
  open();
  document.addEventListener("answered", catchUp);
  addEventListener("online", open);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hidden = Date.now();
    else if (Date.now() - hidden > SLEPT) open();
  });
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("pagehide", () => source?.close());
}
