// @ts-check
// Taking new regions in without losing the old ones: focus, scroll, open panels and the view of the map stay.

import { Idiomorph } from "./vendor/idiomorph-0.8.0.js";
import { speakMoves } from "./toasts.js";
import { fragment } from "./api.js";
import { hasBatch } from "./log_batches.js";

const app = () => /** @type {HTMLElement} */ (document.getElementById("app"));

export const table = () => app().dataset.table || "";
export const number = () => Number(app().dataset.number);
export const moment = () => Number(app().dataset.at);
export const live = () => app().dataset.live === "yes";
export const address = (/** @type {string} */ rest) => `/t/${table()}/${rest}`;

/** @typedef {string | [number, number]} Piece a new piece, or a range of those that the page has */
/** @typedef {{number: number, from?: string, tag: string, pieces: Piece[]}} News what leads to a version: sent with `from`, or fetched */

const PATIENCE = 1000; // milliseconds in which the stream brings what one's own action has changed

/** The text of the regions as the server last sent it, in pieces, and the tag by which it knows that version. */
let has = versionOpened();
let asked = 0;
let asking = 0;

/** The version that the page was opened with, told by the marks between its pieces, which are taken out; none for a moment of the
 * past, or where something else has changed the page: then the first change brings the whole. */
function versionOpened() {
  const told = document.getElementById("version");
  const none = { tag: "", pieces: /** @type {string[]} */ ([]) };
  if (!told) return none;
  const { tag, pieces: count } = JSON.parse(told.textContent || "");
  const pieces = app().outerHTML.split("<!---->");
  const walk = document.createTreeWalker(app(), NodeFilter.SHOW_COMMENT);
  const marks = [];
  while (walk.nextNode()) marks.push(/** @type {Comment} */ (walk.currentNode));
  for (const mark of marks) mark.remove();
  app().normalize();
  return tag && pieces.length === count ? { tag, pieces } : none;
}

/** Put a version together from what is new in it and the one before. @param {News} news @param {string[]} before */
function setVersion(news, before) {
  const pieces = news.pieces.flatMap((each) => (typeof each === "string" ? [each] : before.slice(each[0], each[1])));
  has = { tag: news.tag, pieces };
}

/** @param {number | null} at @returns {Promise<[News, string[]] | null>} nothing where something else was asked meanwhile */
async function fetchNews(at) {
  const mine = ++asked;
  const before = has;
  const shown = at === null ? `&shows=${number()}` : `&at=${at}`;
  asking += 1;
  try {
    const news = JSON.parse(await fragment(address(`regions?has=${before.tag}${shown}`)));
    return mine === asked ? [news, before.pieces] : null;
  } finally {
    asking -= 1;
  }
}

/** Draw the page anew: at its newest position, or after entry `at`. Late answers are dropped. @param {number | null} [at] */
export async function refresh(at = null) {
  const found = await fetchNews(at);
  if (!found) return;
  setVersion(...found);
  render(has.pieces.join(""));
}

/** Take in what the server has sent; false where it leads on from another version than the page's. @param {News} news */
export function applyNews(news) {
  if (asking || news.from !== has.tag) return false;
  setVersion(news, has.pieces);
  render(has.pieces.join(""));
  return true;
}

/** Show a position that one's own action has made: it comes by the stream, or is fetched where that fails. @param {number} wanted */
export async function showPosition(wanted) {
  const there = () => live() && number() >= wanted;
  if (live() && !there()) {
    await new Promise((resolve) => {
      const late = setTimeout(done, PATIENCE);
      function look() {
        if (there()) done();
      }
      function done() {
        clearTimeout(late);
        document.removeEventListener("regions", look);
        resolve(null);
      }
      document.addEventListener("regions", look);
    });
  }
  if (!there()) await refresh();
}

/** Whether a part of the page needs no look: nothing of it has changed, or it is a batch of the log that the page was given.
 * Forms are always taken in, so that nothing that was picked stays picked. @param {Node} node @param {Node} fresh */
function isAsItWas(node, fresh) {
  if (!(node instanceof Element && fresh instanceof Element)) return false;
  if (hasBatch(node, fresh)) return true;
  return node.isEqualNode(fresh) && !node.matches("input, select, option") && !node.querySelector("input, select");
}

/** @param {string} html */
function render(html) {
  const before = number();
  Idiomorph.morph(app(), html.trim(), {
    morphStyle: "outerHTML",
    callbacks: {
      beforeNodeMorphed: (/** @type {Node} */ node, /** @type {Node} */ fresh) => !isAsItWas(node, fresh),
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
  if (live() && number() > before) speakMoves(before);
}

/** Bring the line of the log that is shown into view, inside its own box only. */
export function followLog() {
  const log = document.getElementById("log");
  const line = log?.querySelector(".on");
  if (!log || !line) return;
  const box = log.getBoundingClientRect();
  const own = line.getBoundingClientRect();
  if (own.bottom > box.bottom || own.top < box.top) log.scrollTop += Math.min(own.bottom - box.bottom + 8, own.top - box.top);
}
