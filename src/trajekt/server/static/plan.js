// @ts-check
// Boards to plan on: the panel that puts things there, the ghosts of a plan over the live map, the plan as an instruction.

import { say, text } from "./toasts.js";
import { Fault, fragment, newestOnly, post } from "./api.js";
import { handle } from "./handlers.js";
import { drawing } from "./pan_zoom.js";
import { showRotations } from "./rotation_pictures.js";
import { address, live, moment, number, refresh, table } from "./region_updates.js";

const SVG = "http://www.w3.org/2000/svg";
const key = () => `plan ${table()}`;
const dialog = () => /** @type {HTMLDialogElement} */ (document.getElementById("plan"));
const menu = () => /** @type {HTMLDialogElement | null} */ (document.getElementById("menu"));

const NUMBERS = new Set(["turn", "amount", "seat", "percent", "par"]);
const newest = newestOnly();
/** The form of the panel that is under way: whatever is asked next reads the plan after it. @type {Promise<void>} */
let underWay = Promise.resolve();

/** @template T @param {() => Promise<T>} work @returns {Promise<T | null>} nothing where the server said no */
async function told(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    say(error.message);
    return null;
  }
}

/** Draw the panel; what was chosen in a tile's form stays chosen there. @param {Record<string, FormDataEntryValue>} [chosen] */
async function drawPanel(chosen = {}) {
  dialog().innerHTML = await fragment(address("plan"));
  const tile = dialog().querySelector("form[data-plan=tile]");
  if (!(tile instanceof HTMLFormElement)) return;
  for (const name of chosen.tile ? ["hex", "tile"] : []) {
    const field = tile.elements.namedItem(name);
    if (field instanceof HTMLSelectElement && [...field.options].some((each) => each.value === chosen[name])) {
      field.value = String(chosen[name]);
    }
  }
  showRotations(tile);
}

/** @param {string} html @param {string} name @param {string} [move] */
function layer(html, name, move = "") {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", name);
  if (move) group.setAttribute("transform", move);
  group.innerHTML = html;
  return group;
}

/** Lay lines of runs over the map of the plan itself. @param {string} lines */
function showRun(lines) {
  for (const old of drawing()?.querySelectorAll(".plan-run") ?? []) old.remove();
  if (lines) drawing()?.append(layer(lines, "plan-run"));
}

/** Put what a form of the panel says on the board, or look for a company's best run. @param {HTMLFormElement} form */
async function submit(form) {
  const data = Object.fromEntries(new FormData(form));
  const kind = form.dataset.plan || "";
  if (kind === "run") {
    const where = address(`plan/run?company=${encodeURIComponent(String(data.company))}`);
    const found = await told(async () => JSON.parse(await fragment(where)));
    const line = document.getElementById("plan-run");
    if (found && line) {
      line.textContent = found.text;
      showRun(found.lines);
    }
    return;
  }
  const values = Object.entries(data).map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : value]);
  const place = { place: kind, ...Object.fromEntries(values) };
  if (!(await told(() => post(address("plan/place"), { number: number(), place })))) return;
  await refresh();
  await drawPanel(data);
  /** @type {HTMLElement | null} */ (dialog().querySelector(`form[data-plan=${kind}] button`))?.focus();
}

/** Draw the ghosts of the plan over the live map; late answers are dropped. */
async function drawGhosts() {
  const plan = localStorage.getItem(key());
  for (const old of drawing()?.querySelectorAll(".ghost") ?? []) old.remove();
  if (!plan || !live() || localStorage.getItem(`${key()} hidden`)) return;
  const asked = fragment(address(`ghosts?plan=${encodeURIComponent(plan)}`)).catch(() => {
    localStorage.removeItem(key()); // it has lapsed
    return null;
  });
  const found = await newest(asked);
  if (!found) return;
  const { hexes, lines } = JSON.parse(found);
  for (const each of hexes) drawing()?.append(layer(each.svg, "ghost", `translate(${each.x} ${each.y})`));
  if (lines) drawing()?.append(layer(lines, "ghost"));
}

/** What the menu offers of a plan shows only where there is one. */
function showChoices() {
  const planned = Boolean(localStorage.getItem(key()));
  for (const each of document.querySelectorAll(".of-plan")) each.toggleAttribute("hidden", !planned);
  const shown = planned && !localStorage.getItem(`${key()} hidden`);
  document.querySelector("[data-action=toggle-ghosts]")?.setAttribute("aria-pressed", String(shown));
}

handle({
  "try-out": async () => {
    const made = await post(address("try") + (live() ? "" : `?at=${moment()}`), {});
    localStorage.setItem(key(), made.id);
    showChoices();
    if (!window.open(made.address, "_blank")) location.assign(made.address);
  },
  "open-plan": async () => {
    await drawPanel();
    dialog().showModal();
  },
  "show-plan": async (button) => {
    await underWay;
    const made = await told(() => post(address("plan/show"), {}));
    const line = document.getElementById(button.dataset.link || "plan-link");
    if (!made || !line) return;
    const link = document.createElement("a");
    link.href = link.textContent = new URL(made.address, location.href).href;
    line.replaceChildren(link);
    navigator.clipboard?.writeText(link.href).then(() => say(text("copied")), () => {});
  },
  "toggle-ghosts": () => {
    const hidden = `${key()} hidden`;
    if (localStorage.getItem(hidden)) localStorage.removeItem(hidden);
    else localStorage.setItem(hidden, "yes");
    showChoices();
    drawGhosts();
  },
  "use-plan": async () => {
    if (await told(() => post(address("orders/plan"), { plan: localStorage.getItem(key()) }))) say(text("kept"));
    menu()?.close();
  },
});

export function initPlan() {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.dataset.plan) return;
    event.preventDefault();
    const done = underWay.then(() => submit(form));
    underWay = done.catch(() => {}); // what one form met is told, and keeps no other waiting
  });
  document.addEventListener("regions", () => {
    showChoices();
    drawGhosts();
  });
  addEventListener("focus", () => drawGhosts());
  showChoices();
  drawGhosts();
}
