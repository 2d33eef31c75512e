// @ts-check
// Cubes that move: what a field of a board has gained since the last drawing comes from where others have gone.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const TIME = 550; // ms

/** @typedef {{x: number, y: number}} Place */
/** @type {Map<string, Place[]>} */
let before = new Map();

/** Where the cubes of each field lie now, in px of the window. @returns {Map<string, Element[]>} */
function fields() {
  const found = new Map();
  for (const field of document.querySelectorAll("[data-field]")) {
    const cubes = [...field.querySelectorAll(".b-cube, .full")];
    if (field.getBoundingClientRect().width) found.set(field.getAttribute("data-field"), cubes);
  }
  return found;
}

/** @param {Element} cube @returns {Place} */
function place(cube) {
  const { x, y } = cube.getBoundingClientRect();
  return { x, y };
}

function move() {
  const now = fields();
  /** @type {Place[]} */
  const left = [];
  for (const [name, places] of before) left.push(...places.slice(now.get(name)?.length ?? places.length));
  for (const [name, cubes] of now) {
    const known = before.get(name);
    for (const cube of known && !STILL.matches ? cubes.slice(known.length) : []) {
      const from = left.shift();
      const to = place(cube);
      const start = from ? `translate(${from.x - to.x}px, ${from.y - to.y}px)` : "scale(0)";
      cube.animate([{ transform: start }, { transform: "none" }], { duration: TIME, easing: "ease-in-out" });
    }
  }
  remember(now);
}

function remember(now = fields()) {
  before = new Map([...now].map(([name, cubes]) => [name, cubes.map(place)]));
}

export function initCubes() {
  remember();
  document.addEventListener("regions", move);
}
