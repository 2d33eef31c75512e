// @ts-check
// The workshop: entries of a component set are opened, judged while one types, and stated.

import { fragment, newestOnly, post } from "./api.js";
import { handle, markPressed } from "./handlers.js";
import { initSettings } from "./settings.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const game = main.dataset.game || "";
const here = `/workshop/${game}/${main.dataset.set || ""}`;
const panel = document.getElementById("entry");
const newest = newestOnly();
/** @type {number | undefined} */
let waiting;
/** The end of track that was pressed first. */
let picked = "";
/** What the next press on the picture does with stops: the kind of a new one, or `drop`. */
let tool = "";

/** @param {Element} scope @param {unknown} error */
function showError(scope, error) {
  const line = /** @type {HTMLElement | null} */ (scope.querySelector(".error[role=alert]"));
  if (!line) return;
  line.textContent = error instanceof Error ? error.message : String(error);
  line.hidden = false;
}

/** @param {HTMLFormElement} form @returns {Record<string, string>} */
const texts = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/** Open the form of an entry. @param {string} entry */
async function open(entry) {
  if (!panel) return;
  clearTimeout(waiting);
  picked = tool = "";
  try {
    const found = await newest(fragment(`${here}/entry?entry=${encodeURIComponent(entry)}`));
    if (found === null) return;
    panel.innerHTML = found;
    panel.querySelector("h2")?.focus();
    panel.scrollIntoView({ block: "nearest" });
  } catch (error) {
    showError(document.getElementById("set-name") || main, error);
  }
}

/** Open the market at a space that is pressed on its picture. @param {string} space row and column, counted from 1 */
async function openSpace(space) {
  if (panel?.querySelector("form")?.dataset.entry !== "market") await open("market");
  const [row, column] = space.split(",").map((each) => Number(each) - 1);
  const cell = /** @type {HTMLInputElement | null | undefined} */ (panel?.querySelector(`[name='rows.${row}.${column}']`));
  cell?.focus();
  cell?.select();
  cell?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** Judge what is typed: faults and picture come anew, the fields stay as they are. @param {HTMLFormElement} form */
async function judge(form) {
  try {
    const found = await newest(post(`${here}/entry`, { entry: form.dataset.entry, texts: texts(form) }));
    if (found === null || !form.isConnected) return;
    const judged = /** @type {HTMLElement} */ (document.createElement("div"));
    judged.innerHTML = found.form;
    takeFaults(form, judged);
  } catch (error) {
    showError(form, error);
  }
}

/** @param {HTMLFormElement} form @param {HTMLElement} judged */
function takeFaults(form, judged) {
  const was = form.querySelector(".picture"), now = judged.querySelector(".picture");
  if (was && now?.querySelector(".tile")) was.replaceChildren(...now.childNodes);
  for (const old of form.querySelectorAll("p.error:not([role=alert]), small.ours")) old.remove();
  for (const field of form.querySelectorAll(".field")) {
    const name = field.querySelector("[name]")?.getAttribute("name") || "";
    const fresh = [...judged.querySelectorAll(".field")].find((each) => each.querySelector("[name]")?.getAttribute("name") === name);
    const told = fresh ? [...fresh.querySelectorAll("p.error, small.ours")] : [];
    field.classList.toggle("faulty", told.some((each) => each.matches(".error")));
    field.append(...told);
  }
  const heading = form.querySelector("h2");
  const general = [...judged.querySelectorAll("form > p.error:not([role=alert])")];
  heading?.after(...general);
}

/** State an entry. @param {HTMLFormElement} form @param {string} way */
async function state(form, way) {
  clearTimeout(waiting);
  const entry = form.dataset.entry || "";
  try {
    const found = await newest(post(`${here}/entry`, { entry, texts: way === "keep" ? texts(form) : {}, do: way }));
    if (found === null || !panel) return;
    panel.innerHTML = found.form;
    panel.querySelector("h2")?.focus();
    if (!found.stored) return;
    panel.dataset.stored = entry;
    showList(found.list);
    for (const [id, html] of [["set-map", found.map], ["set-market", found.market]]) {
      const place = document.getElementById(id);
      if (place && html) place.innerHTML = html;
    }
  } catch (error) {
    showError(form, error);
  }
}

/** The list anew, its sections as open as they were. @param {string} html */
function showList(html) {
  const list = /** @type {HTMLElement} */ (document.getElementById("set-list"));
  const sections = () => /** @type {NodeListOf<HTMLDetailsElement>} */ (list.querySelectorAll("details[data-section]"));
  const opened = new Set([...sections()].filter((each) => each.open).map((each) => each.dataset.section));
  list.innerHTML = html;
  for (const each of sections()) each.open = opened.has(each.dataset.section);
}

/** @param {HTMLFormElement} form @param {string} name */
const field = (form, name) => /** @type {HTMLInputElement | HTMLSelectElement | null} */ (form.elements.namedItem(name));

/** Choose what the next press on the picture does with stops, or nothing. @param {HTMLElement} button */
function pickTool(button) {
  const form = /** @type {HTMLFormElement} */ (button.closest("form"));
  tool = tool === button.dataset.tool ? "" : button.dataset.tool || "";
  picked = "";
  markPressed(form.querySelectorAll("[data-action=pick-tool]"), (each) => /** @type {HTMLElement} */ (each).dataset.tool === tool);
  markPressed(form.querySelectorAll("[data-action=pick-end]"), () => false);
  form.dataset.tool = tool;
  /** @type {HTMLElement} */ (form.querySelector(".place-it")).hidden = !tool;
  /** @type {HTMLElement} */ (form.querySelector(".middle")).hidden = !tool || tool === "drop";
}

/** Put a stop where it leans to an edge, or in the middle. @param {HTMLFormElement} form @param {string} place */
function putStop(form, place) {
  let n = 0;
  while (field(form, `stops.${n}.kind`)?.value.trim()) n += 1;
  const kind = field(form, `stops.${n}.kind`);
  if (!kind || !tool || tool === "drop") return;
  kind.value = tool;
  const at = field(form, `stops.${n}.at`);
  if (at) at.value = place;
  redraw(form);
}

/** Take a stop away with its track; those behind it move up. @param {HTMLFormElement} form @param {string} letter */
function dropStop(form, letter) {
  const gone = letter.charCodeAt(0) - 97;
  const own = /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ ([...form.querySelectorAll("[name^='stops.']")]);
  const last = Math.max(...own.map((each) => Number(each.name.split(".")[1])));
  for (let n = gone; n <= last; n += 1) {
    for (const each of own.filter((one) => one.name.startsWith(`stops.${n}.`))) {
      each.value = field(form, each.name.replace(/\d+/, String(n + 1)))?.value || "";
    }
  }
  const track = field(form, "track");
  if (track) {
    const written = track.value.split(",").map((each) => each.trim().split(/\s+/));
    const pieces = written.filter(([ends]) => ends && !ends.split("-").includes(letter));
    const moved = (/** @type {string} */ end) => (/[a-z]/.test(end) && end > letter ? String.fromCharCode(end.charCodeAt(0) - 1) : end);
    track.value = pieces.map(([ends, ...kind]) => [ends.split("-").map(moved).join("-"), ...kind].join(" ")).join(", ");
  }
  redraw(form);
}

/** The form as it is typed, drawn anew with the rows of its stops; the tool stays in hand. @param {HTMLFormElement} form */
async function redraw(form) {
  const sent = texts(form);
  try {
    const found = await newest(post(`${here}/entry`, { entry: form.dataset.entry, texts: sent }));
    if (found === null || !panel || !form.isConnected) return;
    // what was typed or put down while the answer was on its way stays
    if (JSON.stringify(texts(form)) !== JSON.stringify(sent)) {
      await redraw(form);
      return;
    }
    const held = tool;
    panel.innerHTML = found.form;
    tool = "";
    const again = panel.querySelector(`[data-action=pick-tool][data-tool='${held}']`);
    if (again) pickTool(/** @type {HTMLElement} */ (again));
    /** @type {HTMLElement | null} */ (again)?.focus();
  } catch (error) {
    showError(form, error);
  }
}

/** Take a piece of track, or put it there, between two ends that are pressed. @param {HTMLElement} button */
function pickEnd(button) {
  const form = /** @type {HTMLFormElement} */ (button.closest("form"));
  const end = button.dataset.end || "";
  if (tool) {
    const isStop = /[a-z]/.test(end);
    if (tool === "drop" && isStop) dropStop(form, end);
    if (tool !== "drop" && !isStop) putStop(form, end);
    return;
  }
  const handles = form.querySelectorAll("[data-action=pick-end]");
  if (!picked) {
    picked = end;
    markPressed(handles, (each) => /** @type {HTMLElement} */ (each).dataset.end === end);
    return;
  }
  markPressed(handles, () => false);
  const track = field(form, "track");
  const both = [picked, end];
  picked = "";
  if (!track || both[0] === both[1]) return;
  const pieces = track.value.split(",").map((each) => each.trim()).filter(Boolean);
  const at = pieces.findIndex((each) => {
    const ends = each.split(/\s/)[0].split("-");
    return both.every((one) => ends.includes(one));
  });
  if (at >= 0) pieces.splice(at, 1);
  else pieces.push(both.join("-"));
  track.value = pieces.join(", ");
  const more = track.closest("details");
  if (more) more.open = true;
  judge(form);
}

handle({
  "open-entry": (button) => open(button.dataset.entry || ""),
  "add-entry": (button) => {
    const input = /** @type {HTMLInputElement} */ (button.previousElementSibling);
    if (input.value.trim()) open(`${button.dataset.section}/${input.value.trim()}`);
  },
  "next-guess": () => {
    const left = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#set-list .entry.guess")]);
    const now = panel?.querySelector("form")?.dataset.entry;
    const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#set-list .entry")]);
    const at = all.findIndex((each) => each.dataset.entry === now);
    const next = left.find((each) => all.indexOf(each) > at) || left[0];
    if (next) open(next.dataset.entry || "");
  },
  "pick-hex": (_map, event) => {
    const hex = /** @type {Element} */ (event.target).closest("[data-hex]");
    if (hex) open(`hexes/${hex.getAttribute("data-hex")}`);
  },
  "pick-space": (_market, event) => {
    const space = /** @type {Element} */ (event.target).closest("[data-space]")?.getAttribute("data-space");
    if (space) openSpace(space);
  },
  "pick-end": pickEnd,
  "pick-tool": pickTool,
  "pick-place": (place) => putStop(/** @type {HTMLFormElement} */ (place.closest("form")), place.dataset.place || ""),
  "state-entry": (button) => state(/** @type {HTMLFormElement} */ (button.closest("form")), button.dataset.do || ""),
  "delete-set": async () => {
    if (!confirm(main.dataset.sure)) return;
    try {
      location.href = (await post(`${here}/delete`, {})).address;
    } catch (error) {
      showError(document.getElementById("set-name") || main, error);
    }
  },
});

panel?.addEventListener("input", (event) => {
  const form = /** @type {Element} */ (event.target).closest("form");
  if (!form) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => judge(form), 350);
});
panel?.addEventListener("submit", (event) => {
  event.preventDefault();
  state(/** @type {HTMLFormElement} */ (event.target), "keep");
});

/** @param {string} id @param {(form: HTMLFormElement) => Promise<unknown>} work */
function onSubmit(id, work) {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById(id));
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await work(form);
    } catch (error) {
      showError(form, error);
    }
  });
}

onSubmit("begin", async (form) => {
  const { name, edition } = texts(form);
  location.href = (await post(`/workshop/${game}`, { name, edition: Number(edition) })).address;
});
onSubmit("bring", async (form) => {
  const file = /** @type {HTMLInputElement} */ (form.elements.namedItem("file")).files?.[0];
  if (file) location.href = (await post(`/workshop/${game}`, { text: await file.text() })).address;
});
onSubmit("set-name", async (form) => {
  await post(`${here}/name`, texts(form));
  location.reload();
});
initSettings();
document.documentElement.dataset.ready = "yes";
