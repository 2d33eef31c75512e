// @ts-check
// A puzzle: a guess is judged at once, the answer is drawn into the map when it is found or given up.

import { text } from "./toasts.js";
import { handle } from "./handlers.js";
import { keepPuzzles } from "./kept_puzzles.js";
import { initSettings } from "./settings.js";
import { keepSolved } from "./solved_puzzles.js";

/** @type {{id: string, kind: string, answer: number, hex: string, revenues: Record<string, number>, worths: number[]}} */
const asked = JSON.parse(document.getElementById("asked")?.textContent || "{}");
const verdict = /** @type {HTMLElement} */ (document.getElementById("verdict"));
const map = /** @type {HTMLElement} */ (document.querySelector(".puzzle-map"));
const form = /** @type {HTMLFormElement | null} */ (document.getElementById("guess"));

/** Draw the answer into the map and show its sums. @param {string} sentence */
function showAnswer(sentence) {
  verdict.textContent = sentence;
  /** @type {HTMLElement} */ (document.getElementById("solution")).hidden = false;
  /** @type {HTMLElement} */ (document.querySelector("[data-action=show-answer]")).hidden = true;
  if (form) form.hidden = true;
  for (const way of document.querySelectorAll(".ways li")) {
    /** @type {HTMLElement} */ (way.querySelector("strong")).hidden = false;
    const button = /** @type {HTMLButtonElement} */ (way.querySelector("button"));
    button.classList.toggle("chosen", asked.worths[Number(button.dataset.way)] === asked.answer);
  }
  const drawing = /** @type {HTMLTemplateElement} */ (document.getElementById("answer-drawing")).content;
  const layers = drawing.querySelectorAll("svg > g");
  map.querySelector("g.tracks")?.after(...[...layers].map((layer) => layer.cloneNode(true)));
  for (const hex of map.querySelectorAll(".hex.lit")) hex.classList.remove("lit");
  map.querySelector(".lit-edges")?.remove();
  map.querySelector(`[data-hex="${asked.hex}"]`)?.classList.add("chosen");
}

function solve() {
  keepSolved(asked.id);
  showAnswer(text("right"));
}

/** Judge a revenue. @param {number} revenue */
function judge(revenue) {
  if (revenue === asked.answer) solve();
  else verdict.textContent = text(revenue < asked.answer ? "more" : "less");
}

/** Judge a hex: the best that a tile there allows is said. @param {string} name */
function judgeHex(name) {
  if (name === asked.hex) solve();
  else if (name in asked.revenues) {
    verdict.textContent = text("other").replace("{hex}", name).replace("{revenue}", String(asked.revenues[name]));
  }
}

/** Judge one of the ways: what it leaves is said. @param {HTMLElement} button */
function judgeWay(button) {
  const worth = asked.worths[Number(button.dataset.way)];
  if (worth === asked.answer) solve();
  else verdict.textContent = text("worse").replace("{revenue}", String(worth));
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  judge(Number(new FormData(form).get("revenue")));
});

/** The lit hex on which something happened; empty where there is none. @param {Event} event */
const chosen = (event) => /** @type {Element} */ (event.target).closest(".hex.lit")?.getAttribute("data-hex") || "";

if (asked.kind === "lay") {
  map.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    judgeHex(chosen(event));
  });
}

initSettings();
keepPuzzles([location.pathname]);

handle({
  "show-answer": () => showAnswer(text("shown")),
  "guess-way": judgeWay,
  "guess-hex": (_map, event) => judgeHex(chosen(event)),
});

document.documentElement.dataset.ready = "yes";
