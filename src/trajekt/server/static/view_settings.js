// @ts-check
// To each their eyes: rings, letters, the opening of the map, columns, sorting and the colours of routes, kept on the device.

import { handle } from "./handlers.js";
import { drawing, openMap } from "./pan_zoom.js";

const KEY = "trajekt.view";
const SVG = "http://www.w3.org/2000/svg";
const RING = 27; // radius round a token of a station, in units of the drawing

/** @typedef {{on: string[], sort: string, routes: Record<string, string>}} View `on`: names of ticked settings */

/** @returns {View} */
function kept() {
  try {
    return { on: [], sort: "", routes: {}, ...JSON.parse(localStorage.getItem(KEY) || "{}") };
  } catch {
    return { on: [], sort: "", routes: {} };
  }
}

/** @param {Partial<View>} change */
function keep(change) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...change }));
  } catch {
    // a device that stores nothing keeps the standard view
  }
  showView();
}

const root = document.documentElement;
const dialog = () => /** @type {HTMLDialogElement} */ (document.getElementById("view"));

/** The seat that directs each company, as the sheet tells. @returns {[string, string][]} */
function directors() {
  const found = [...document.querySelectorAll("#companies tbody tr")].map((row) => {
    const company = (row.querySelector("[data-card]")?.getAttribute("data-card") || "").replace("company/", "");
    return [company, /\bp(\d)\b/.exec(row.querySelector(".dir")?.closest("td")?.className || "")?.[1] || ""];
  });
  return /** @type {[string, string][]} */ (found.filter(([company, seat]) => company && seat));
}

/** A ring in the colour of a seat round a token. @param {Element} token @param {string} seat */
function ringAround(token, seat) {
  const [x, y, width] = ["x", "y", "width"].map((name) => Number(token.getAttribute(name)));
  const ring = document.createElementNS(SVG, "circle");
  const values = { class: `director-ring seat${seat}`, cx: x + width / 2, cy: y + width / 2, r: RING };
  for (const [name, value] of Object.entries(values)) ring.setAttribute(name, String(value));
  return ring;
}

/** Ring each station in the colour of the seat that directs its company. @param {boolean} on */
function showRings(on) {
  const svg = drawing();
  for (const ring of svg?.querySelectorAll(".director-ring") || []) ring.remove();
  if (!svg || !on) return;
  for (const [company, seat] of directors()) {
    for (const token of svg.querySelectorAll(`use.station[href="#token-${CSS.escape(company)}"]`)) token.after(ringAround(token, seat));
  }
}

/** Order the rows of the sheet; the server sends them in operating order. @param {string} by */
function sortSheet(by) {
  const body = document.querySelector("#companies tbody");
  if (!body || !by) return;
  const cell = { name: 0, price: 1, treasury: 3 }[by] ?? 0;
  const value = (/** @type {Element} */ row) => row.children[cell]?.textContent?.trim() || "";
  const amount = (/** @type {Element} */ row) => Number(value(row).replace(/\D/g, "") || -1);
  const compare = (/** @type {Element} */ one, /** @type {Element} */ other) =>
    by === "name" ? value(one).localeCompare(value(other)) : amount(other) - amount(one);
  const rows = [...body.children];
  const sorted = [...rows].sort(compare);
  if (sorted.some((row, n) => row !== rows[n])) body.append(...sorted);
}

/** Colour the routes as chosen; what was not chosen keeps the standard. @param {Record<string, string>} routes */
function colourRoutes(routes) {
  for (let n = 1; n <= 6; n += 1) {
    if (routes[n]) root.style.setProperty(`--route${n}`, routes[n]);
    else root.style.removeProperty(`--route${n}`);
  }
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=view-route]"))) {
    input.value = getComputedStyle(root).getPropertyValue(`--route${input.dataset.n}`).trim() || "#000000";
  }
}

/** Show the page as the device keeps it. */
function showView() {
  const { on, sort, routes } = kept();
  const names = ["rings", "patterns", "letters", "whole", "par", "liquidity"];
  for (const name of names) root.classList.toggle(`view-${name}`, on.includes(name));
  showRings(on.includes("rings"));
  sortSheet(sort);
  colourRoutes(routes);
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=view]"))) {
    box.checked = on.includes(box.value);
  }
  const list = /** @type {HTMLSelectElement | null} */ (document.querySelector("[name=view-sort]"));
  if (list) list.value = sort;
}

handle({
  "open-view": () => {
    /** @type {HTMLDialogElement | null} */ (document.getElementById("menu"))?.close();
    dialog().showModal();
  },
  "standard-routes": () => keep({ routes: {} }),
});

/** @param {Event} event */
function takeSetting(event) {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.name === "view") {
    keep({ on: [...kept().on.filter((name) => name !== input.value), ...(input.checked ? [input.value] : [])] });
    if (input.value === "whole") openMap();
  }
  if (input.name === "view-sort") {
    keep({ sort: input.value });
    if (!input.value) location.reload(); // the server knows the operating order
  }
  if (input.name === "view-route") keep({ routes: { ...kept().routes, [input.dataset.n || ""]: input.value } });
}

export function initViewSettings() {
  dialog().addEventListener("change", takeSetting);
  document.addEventListener("regions", showView);
  showView();
}
