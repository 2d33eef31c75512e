// @ts-check
// The list of puzzles: those solved on this device are marked.

import { keepPuzzles } from "./kept_puzzles.js";
import { initSettings } from "./settings.js";
import { readSolved, streak } from "./solved_puzzles.js";

initSettings();
const solved = new Set(readSolved().solved);
for (const link of document.querySelectorAll("[data-puzzle]")) {
  link.classList.toggle("solved", solved.has(link.getAttribute("data-puzzle") || ""));
}
const line = document.getElementById("streak");
const days = streak();
if (line && days) line.textContent = (days === 1 ? line.dataset.one : line.dataset.many)?.replace("{days}", String(days)) || "";
const today = document.querySelector("a.go[href^='/puzzles/']")?.getAttribute("href");
keepPuzzles([location.pathname, ...(today ? [today] : [])]);
