// @ts-check
// The log in batches: the page has the newest, and asks for others as they come into view. What it was given it keeps.

import { fragment } from "./api.js";
import { writeTimes } from "./local_times.js";

const AHEAD = "600px"; // how far beyond its box the log is filled

/** @type {IntersectionObserver | null} */
let watch = null;
/** @type {(rest: string) => string} */
let addressOf = (rest) => rest;

/** Whether the page has the lines of a batch that the server only names. @param {Element} node @param {Element} fresh */
export function hasBatch(node, fresh) {
  const same = node.getAttribute("data-tag") === fresh.getAttribute("data-tag");
  return fresh.matches(".lines.far") && !node.classList.contains("far") && same;
}

/** Mark the lines of moments that have a comment, and of those after which a variation leaves. */
function markMoments() {
  for (const old of document.querySelectorAll("#log .mark")) old.remove();
  for (const marks of /** @type {NodeListOf<HTMLTemplateElement>} */ (document.querySelectorAll(".log-marks"))) {
    for (const number of new Set((marks.dataset.numbers || "").split(" "))) {
      const mark = document.importNode(marks.content, true);
      mark.firstElementChild?.classList.add("mark");
      document.querySelector(`#e${number} a > span:last-child`)?.append(" ", mark);
    }
  }
}

/** Mark where the history goes on after the reader's own move, as the strip tells it. */
function markOwnMove() {
  const strip = /** @type {HTMLElement | null} */ (document.querySelector(".since[data-first]"));
  for (const old of document.querySelectorAll("#log [data-since]")) old.removeAttribute("data-since");
  document.getElementById(`e${strip?.dataset.first}`)?.setAttribute("data-since", strip?.getAttribute("aria-label") || "");
}

/** A line of the log, which the page may not have yet. @param {number} number */
export async function lineOf(number) {
  const lines = Number(document.getElementById("log")?.dataset.batch);
  const batch = document.getElementById(`lines${Math.floor((number - 1) / lines)}`);
  if (batch?.classList.contains("far")) await fill(batch);
  return document.getElementById(`e${number}`);
}

/** @param {Element} batch */
async function fill(batch) {
  watch?.unobserve(batch);
  const shown = new URLSearchParams(location.search).get("at");
  const html = await fragment(addressOf(`log/${batch.id.replace("lines", "")}`) + (shown ? `?at=${shown}` : ""));
  if (!batch.classList.contains("far")) return;
  const log = document.getElementById("log");
  const below = log ? log.scrollHeight - log.scrollTop : 0;
  const above = log ? batch.getBoundingClientRect().top < log.getBoundingClientRect().top : false;
  batch.innerHTML = html;
  batch.classList.remove("far");
  writeTimes(batch);
  markMoments();
  markOwnMove();
  if (log && above) log.scrollTop = log.scrollHeight - below; // what one reads stays where it is
}

/** Watch the batches that are not there yet; only the line of the moment shown is marked. */
export function watchBatches() {
  const log = document.getElementById("log");
  watch?.disconnect();
  if (!log) return;
  const shown = document.getElementById("app")?.dataset.at;
  markMoments();
  markOwnMove();
  writeTimes(log);
  for (const line of log.querySelectorAll(".on")) line.classList.toggle("on", line.id === `e${shown}`);
  watch = new IntersectionObserver((seen) => {
    for (const each of seen) if (each.isIntersecting) fill(each.target);
  }, { root: log, rootMargin: AHEAD });
  for (const batch of log.querySelectorAll(".lines.far")) watch.observe(batch);
}

/** @param {(rest: string) => string} address the address of a part of the table */
export function initLogBatches(address) {
  addressOf = address;
  document.addEventListener("regions", watchBatches);
  watchBatches();
}
