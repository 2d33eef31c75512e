// @ts-check
// One stop of Tab a group: the map, the stock market, the tiles that may lie on a hex. Arrows walk within the group.

const GROUPS = [
  { box: "#map-view", stops: ".hex[tabindex]", first: ".hex.lit" },
  { box: "#market-view", stops: ".cell[tabindex]", first: ".cell.target" },
  { box: ".tile-row", stops: ".tile-pick", first: ".tile-pick[aria-pressed=true]" },
];
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Element} stop */
function middle(stop) {
  const rect = (stop.querySelector(".hit") || stop).getBoundingClientRect();
  return [rect.x + rect.width / 2, rect.y + rect.height / 2];
}

/** The nearest of some stops in a direction. @param {Element} from @param {Iterable<Element>} stops @param {number[]} way */
function nearest(from, stops, way) {
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const stop of stops) {
    const [u, v] = middle(stop);
    const ahead = (u - x) * way[0] + (v - y) * way[1];
    const aside = Math.abs((u - x) * way[1]) + Math.abs((v - y) * way[0]);
    const far = ahead + 2 * aside;
    if (ahead > 3 && aside < ahead * 1.8 && far < least) [best, least] = [stop, far];
  }
  return /** @type {SVGElement | HTMLElement | null} */ (best);
}

/** Make one stop of a group the one that Tab reaches. @param {Iterable<Element>} stops @param {Element} one */
function setStop(stops, one) {
  for (const stop of stops) if (stop.getAttribute("tabindex") === "0" && stop !== one) stop.setAttribute("tabindex", "-1");
  one.setAttribute("tabindex", "0");
}

/** Leave each group one stop: what has the focus, what is chosen or lit, else the first. */
function tidy() {
  for (const { box, stops, first } of GROUPS) {
    for (const group of document.querySelectorAll(box)) {
      const all = [...group.querySelectorAll(stops)].filter((stop) => stop.getClientRects().length);
      const open = all.filter((stop) => /** @type {HTMLElement} */ (stop).tabIndex === 0);
      const one = all.find((stop) => stop === document.activeElement) || all.find((stop) => stop.matches(first)) || open[0];
      for (const stop of all) if (stop.matches("button")) stop.setAttribute("tabindex", "-1");
      if (one) setStop(all, one);
    }
  }
}

/** Walk with an arrow; true where the key was one of a group. @param {KeyboardEvent} event */
export function walk(event) {
  const way = WAYS[/** @type {keyof typeof WAYS} */ (event.key)];
  const from = /** @type {Element} */ (event.target);
  if (!way) return false;
  for (const { box, stops } of GROUPS) {
    const group = from.closest(box);
    const own = group && from.closest(stops);
    if (!group || !own) continue;
    const all = [...group.querySelectorAll(stops)].filter((stop) => stop.getClientRects().length);
    const found = nearest(own, all, way);
    if (found) {
      setStop(all, found);
      found.focus();
    }
    return true;
  }
  return false;
}

export function initRoving() {
  for (const kind of ["regions", "hex-shown"]) document.addEventListener(kind, tidy);
  tidy();
}
