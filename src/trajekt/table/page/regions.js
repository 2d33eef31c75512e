// @ts-check
// Taking new regions in without losing the old ones: focus, scroll, open panels and the view of the map stay.

import { Idiomorph } from "./vendor/idiomorph-0.8.0.js";
import { fragment } from "./server.js";

const app = () => /** @type {HTMLElement} */ (document.getElementById("app"));

export const table = () => app().dataset.table || "";
export const number = () => Number(app().dataset.number);
export const moment = () => Number(app().dataset.at);
export const live = () => app().dataset.live === "yes";
export const address = (/** @type {string} */ rest) => `/t/${table()}/${rest}`;

/** The text of the regions as the server last sent it, in pieces, and the tag by which it knows that version. */
let has = { tag: "", pieces: /** @type {string[]} */ ([]) };
let asked = 0;

/** Draw the page anew: at its newest position, or after entry `at`. Late answers are dropped. @param {number | null} [at] */
export async function refresh(at = null) {
  const mine = ++asked;
  const before = has;
  const moment = at === null ? "" : `&at=${at}`;
  const news = JSON.parse(await fragment(address(`regions?has=${before.tag}${moment}`)));
  if (mine !== asked) return;
  // pieces that are new, and ranges of those that were there before
  const pieces = news.pieces.flatMap((/** @type {string | [number, number]} */ each) =>
    typeof each === "string" ? [each] : before.pieces.slice(each[0], each[1]),
  );
  has = { tag: news.tag, pieces };
  take(pieces.join(""));
}

/** @param {string} html */
function take(html) {
  Idiomorph.morph(app(), html.trim(), {
    morphStyle: "outerHTML",
    callbacks: {
      // what the reader has moved, chosen or opened himself stays: the view of the map, switches of the tools, the menu
      beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ node) =>
        !(name === "viewBox" && node.matches("#map-view > svg")) &&
        !(name === "open" && node.matches("dialog, details")) &&
        !(name === "aria-pressed" && node.closest(".tools, .sheets")),
    },
  });
  document.title = app().dataset.title || document.title;
  followLog();
  document.dispatchEvent(new CustomEvent("regions"));
}

/** Bring the line of the log that is shown into view, inside its own box only. */
export function followLog() {
  const log = document.getElementById("log");
  const line = log?.querySelector(".on");
  if (!log || !line) return;
  const box = log.getBoundingClientRect();
  const own = line.getBoundingClientRect();
  if (own.bottom > box.bottom || own.top < box.top) log.scrollTop += own.bottom - box.bottom + 8;
}
