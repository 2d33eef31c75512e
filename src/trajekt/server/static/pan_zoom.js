// @ts-check
// Moving the map: drag, wheel, pinch, buttons and keys change its viewBox. The page opens on the whole map, on a phone on the
// hexes that the decision is about; from then on its scale stays, whatever becomes of its frame.

/** @typedef {{x: number, y: number, w: number, h: number}} Box */

const NARROW = matchMedia("(max-width: 760px)");
const CLOSEST = 420; // units of the drawing across: four hexes
const LEAST = 7; // px of a name; without room for that it is left out
const CHOSEN = 9; // px of a name on a phone while a hex is chosen
const SMALL = 6; // px under which coordinates and numbers of tiles are left out
const POINTS = 14; // of a coordinate, in units of the drawing
const READABLE = 64; // px across that a chosen hex has at least

/** @returns {SVGSVGElement | null} */
export const drawing = () => document.querySelector("#map-view > svg");

/** @type {Box} */
let whole = { x: 0, y: 0, w: 1, h: 1 };
/** @type {Box} */
let box = whole;
let size = { w: 0, h: 0 };
let suppressed = false;

/** Whether the click that comes was the end of a drag. */
export const dragged = () => suppressed;

function view() {
  return /** @type {HTMLElement} */ (document.getElementById("map-view"));
}

function apply() {
  drawing()?.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
  const units = box.w / Math.max(1, view().clientWidth); // of the drawing, a px
  const root = document.documentElement;
  const chosen = NARROW.matches && drawing()?.querySelector(".hex.chosen");
  const least = String(Math.ceil(units * (chosen ? CHOSEN : LEAST)));
  if (root.style.getPropertyValue("--least") !== least) root.style.setProperty("--least", least);
  root.classList.toggle("far-map", POINTS < SMALL * units);
  requestAnimationFrame(hideCoveredNames);
}

/** On a phone leave out the names that lie under a landmark; once for a scale and a drawing. */
function hideCoveredNames() {
  const svg = drawing();
  const root = document.documentElement;
  const least = root.style.getPropertyValue("--least");
  const wanted = NARROW.matches && root.classList.contains("far-map") ? least : "";
  if (!svg || (svg.dataset.namesFor ?? "") === wanted) return;
  if (wanted) svg.dataset.namesFor = wanted;
  else delete svg.dataset.namesFor;
  for (const name of svg.querySelectorAll(".under")) name.classList.remove("under");
  if (!wanted) return;
  const limit = (/** @type {Element} */ text) => Number(/\b[gm](\d+)/.exec(text.getAttribute("class") || "")?.[1]);
  const marks = [...svg.querySelectorAll(".landmark")].filter((mark) => limit(mark) < Number(least));
  const names = [...svg.querySelectorAll("text.name")].filter((name) => limit(name) >= Number(least));
  const taken = marks.map((mark) => mark.getBoundingClientRect());
  const covered = names.filter((name) => {
    const { left, right, top, bottom } = name.getBoundingClientRect();
    return taken.some((mark) => left < mark.right && right > mark.left && top < mark.bottom && bottom > mark.top);
  });
  for (const name of covered) name.parentElement?.classList.add("under");
}

/** A box widened to the shape of the view, so that one unit is the same on both axes. @param {Box} wanted */
function shaped(wanted) {
  const { clientWidth, clientHeight } = view();
  if (!clientWidth || !clientHeight) return wanted;
  const ratio = clientWidth / Math.max(1, clientHeight);
  const w = Math.max(wanted.w, wanted.h * ratio);
  const h = w / ratio;
  return { x: wanted.x + (wanted.w - w) / 2, y: wanted.y + (wanted.h - h) / 2, w, h };
}

/** Centre the view on a place, with so many units of the drawing a px. @param {number} x @param {number} y @param {number} scale */
function lookAt(x, y, scale) {
  const w = view().clientWidth * scale;
  const h = view().clientHeight * scale;
  box = { x: x - w / 2, y: y - h / 2, w, h };
  apply();
}

/** @param {Element | null | undefined} hex */
function placeOf(hex) {
  const found = /translate\(([-\d.]+)[ ,]([-\d.]+)\)/.exec(hex?.getAttribute("transform") || "");
  return found && { x: Number(found[1]), y: Number(found[2]) };
}

/** Bring a hex to the middle; the scale stays unless its tiles could not be told apart. @param {Element | null} hex */
export function centreHex(hex) {
  const place = placeOf(hex);
  const hit = /** @type {SVGGraphicsElement | null | undefined} */ (hex?.querySelector(".hit"));
  if (!place || !hit || !view().clientWidth) return;
  const scale = box.w / view().clientWidth;
  const across = hit.getBBox().width;
  if (NARROW.matches || across / scale < 44) lookAt(place.x, place.y, Math.min(scale, across / READABLE));
}

/** Keep the scale when the frame changes; the chosen hex, or else what was in the middle, stays in the middle. */
function keepScale() {
  const { clientWidth: w, clientHeight: h } = view();
  const before = size;
  size = { w, h };
  if (!w || !h || (w === before.w && h === before.h)) return;
  if (!before.w || !NARROW.matches) return openMap();
  const chosen = placeOf(drawing()?.querySelector(".hex.chosen"));
  const { x, y } = chosen || { x: box.x + box.w / 2, y: box.y + box.h / 2 };
  lookAt(x, y, box.w / before.w);
}

export function showWhole() {
  box = shaped(whole);
  apply();
}

/** @param {number} factor @param {number} [u] place that stays, in parts of the view */
export function zoom(factor, u = 0.5, v = 0.5) {
  const limit = shaped(whole).w * 1.15;
  const w = Math.min(limit, Math.max(CLOSEST, box.w / factor));
  const h = (w * box.h) / box.w;
  box = { x: box.x + (box.w - w) * u, y: box.y + (box.h - h) * v, w, h };
  apply();
}

/** Show some hexes with room around. @param {Element[]} hexes */
function focusOn(hexes) {
  const places = hexes.map(placeOf).filter((place) => place !== null);
  if (!places.length) return showWhole();
  const xs = places.map((place) => place.x);
  const ys = places.map((place) => place.y);
  const [left, top] = [Math.min(...xs) - 170, Math.min(...ys) - 170];
  const wanted = { x: left, y: top, w: Math.max(...xs) + 170 - left, h: Math.max(...ys) + 170 - top };
  const w = Math.max(wanted.w, 760);
  box = shaped({ x: wanted.x + (wanted.w - w) / 2, y: wanted.y, w, h: wanted.h });
  if (box.w > shaped(whole).w) box = shaped(whole);
  apply();
}

/** On a phone the map opens on what is to be decided. */
export function openMap() {
  const svg = drawing();
  if (!svg) return;
  delete svg.dataset.namesFor; // its names are to be looked at anew
  if (!NARROW.matches || document.documentElement.classList.contains("view-whole")) return showWhole();
  const lit = [...svg.querySelectorAll(".hex.lit")];
  const marked = [...svg.querySelectorAll(".hex.marked")];
  const routes = /** @type {SVGGraphicsElement | null} */ (svg.querySelector(".routes"));
  if (!lit.length && routes) {
    const { x, y, width, height } = routes.getBBox();
    box = shaped({ x: x - 110, y: y - 110, w: Math.max(width + 220, 700), h: height + 220 });
    return apply();
  }
  focusOn(lit.length ? lit : marked);
}

/** @param {PointerEvent | WheelEvent} event */
function part(event) {
  const rect = view().getBoundingClientRect();
  return [(event.clientX - rect.left) / rect.width, (event.clientY - rect.top) / rect.height];
}

export function initPanZoom() {
  const svg = drawing();
  if (!svg) return;
  const [x, y, w, h] = (svg.getAttribute("viewBox") || "0 0 1 1").split(" ").map(Number);
  whole = { x, y, w, h };
  document.documentElement.style.setProperty("--shape", String(w / h));
  openMap();
  size = { w: view().clientWidth, h: view().clientHeight };
  new ResizeObserver(keepScale).observe(view());

  /** @type {Map<number, PointerEvent>} */
  const fingers = new Map();
  let moved = 0;
  const area = view();
  area.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) moved = 0;
    suppressed = false;
  });
  area.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const scale = box.w / view().clientWidth;
    if (fingers.size === 1) {
      const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
      moved += Math.hypot(dx, dy);
      if (moved > 6) {
        if (!suppressed) area.setPointerCapture(event.pointerId);
        suppressed = true;
        area.classList.add("dragging");
        box = { ...box, x: box.x - dx * scale, y: box.y - dy * scale };
        apply();
      } else return;
    } else {
      const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      if (!other) return;
      const then = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
      const now = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      suppressed = true;
      const [u, v] = part(event);
      if (then > 0) zoom(now / then, u, v);
    }
    fingers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, (event) => {
      fingers.delete(/** @type {PointerEvent} */ (event).pointerId);
      area.classList.remove("dragging");
    });
  }
  area.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const [u, v] = part(event);
      zoom(Math.exp(-event.deltaY * 0.0015), u, v);
    },
    { passive: false },
  );
  area.addEventListener("dblclick", (event) => {
    if (/** @type {Element} */ (event.target).closest(".hex.lit")) return;
    const rect = area.getBoundingClientRect();
    zoom(1.7, (event.clientX - rect.left) / rect.width, (event.clientY - rect.top) / rect.height);
  });
}
