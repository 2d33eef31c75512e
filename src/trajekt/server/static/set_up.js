// @ts-check
// A position set up by hand: a form of texts that the server checks while one types; map and market write into its fields.

import { fragmentOf, newestOnly, post } from "./api.js";
import { text } from "./toasts.js";
import { fitVariants, readOptions } from "./game_options.js";
import { handle } from "./handlers.js";
import { initSettings } from "./settings.js";
import { keepMade } from "./share_links.js";

const SETTLE = 350; // milliseconds after the last key until the form is checked
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("set-up"));
const game = main.dataset.game || "";
const options = JSON.parse(main.dataset.options || "{}");
const here = `/set-up/${game}`;
const kept = `trajekt-set-up-${game}`;
const newestCheck = newestOnly(), newestHex = newestOnly();
/** @type {number | undefined} */
let waiting;
let drawn = "", position = "";

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement | HTMLSelectElement} */ (form.elements.namedItem(name));

/** @returns {Record<string, string>} */
const texts = () => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/** @param {unknown} error */
function showError(error) {
  const line = /** @type {HTMLElement} */ (main.querySelector(":scope > .error[role=alert]"));
  line.textContent = error ? (error instanceof Error ? error.message : String(error)) : "";
  line.hidden = !error;
}

/** @param {string} name */
const words = (name) => field(name).value.split(",").map((each) => each.trim()).filter(Boolean);

/** @param {string} name @param {string[]} all */
function setWords(name, all) {
  field(name).value = all.join(", ");
  changed();
}

/** What follows from the texts alone: names of players, founded companies, parts that are open. */
function fit() {
  const rows = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name^='players.'][name$='.name']"));
  rows.forEach((input, row) => {
    const name = input.value.trim();
    const shown = name || text("player").replace("#", String(row + 1));
    for (const option of form.querySelectorAll(`option[data-row='${row}']`)) {
      option.textContent = shown;
      const one = /** @type {HTMLOptionElement} */ (option);
      one.hidden = one.disabled = !name && !one.selected;
    }
    for (const label of form.querySelectorAll(`[data-name='${row}']`)) label.textContent = shown;
    for (const span of form.querySelectorAll(`.of-row[data-row='${row}']`)) {
      const held = /** @type {HTMLInputElement} */ (span.querySelector("input"));
      /** @type {HTMLElement} */ (span).hidden = !name && !held.value;
    }
  });
  const marker = /** @type {HTMLSelectElement} */ (document.getElementById("marker"));
  const chosen = marker.value;
  const founded = [];
  for (const company of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".company"))) {
    const id = company.dataset.company || "";
    const is = /** @type {HTMLInputElement} */ (field(`companies.${id}.founded`)).checked;
    /** @type {HTMLElement} */ (company.querySelector("[data-founded]")).hidden = !is;
    if (is) founded.push(id);
    const price = /** @type {HTMLSelectElement} */ (field(`companies.${id}.space`)).selectedOptions[0];
    /** @type {HTMLElement} */ (company.querySelector("[data-sum]")).textContent = is && price?.value ? price.textContent : is ? "✓" : "";
  }
  marker.replaceChildren(marker.options[0], ...founded.map((id) => new Option(id, id, false, id === chosen)));
  /** @type {HTMLElement} */ (form.querySelector("[data-operating]")).hidden = field("round.kind").value !== "operating";
}

/** @param {Record<string, string[]>} faults */
function showFaults(faults) {
  for (const old of form.querySelectorAll("p.error")) old.remove();
  for (const old of form.querySelectorAll(".faulty")) old.classList.remove("faulty");
  const left = [];
  for (const [name, lines] of Object.entries(faults)) {
    let place = name;
    let box = null;
    while (place && !box) {
      box = form.querySelector(`[data-field='${CSS.escape(place)}']`);
      place = place.slice(0, Math.max(place.lastIndexOf("."), 0));
    }
    if (!box) {
      if (name) left.push(...lines);
      continue;
    }
    box.classList.add("faulty");
    box.closest(".company")?.classList.add("faulty");
    for (const line of lines) box.append(errorLine(line));
  }
  byId("books").append(...left.map(errorLine));
}

/** @param {string} line */
function errorLine(line) {
  const told = document.createElement("p");
  told.className = "error";
  told.textContent = line;
  return told;
}

/** Check the form: faults, books, map and market come anew, the fields stay as they are. */
async function check() {
  clearTimeout(waiting);
  const sent = texts();
  try {
    localStorage.setItem(kept, JSON.stringify({ options, texts: sent }));
    const found = await newestCheck(post(here, { options, texts: sent, drawn }));
    if (found === null) return;
    showError("");
    position = found.position;
    drawn = found.drawn;
    if (found.map) byId("set-map").innerHTML = found.map;
    byId("set-up-market").innerHTML = found.market;
    byId("books").innerHTML = found.books;
    showFaults(found.faults);
    const you = /** @type {HTMLSelectElement} */ (document.getElementById("you"));
    const was = you.value;
    const seats = found.names.map((/** @type {string} */ name, /** @type {number} */ n) => new Option(name, String(n)));
    you.replaceChildren(...seats, new Option(text("nobody"), ""));
    if (was && was < found.names.length) you.value = was;
    const buttons = "[data-action^=play-], [data-action=save-position]";
    for (const each of main.querySelectorAll(buttons)) /** @type {HTMLButtonElement} */ (each).disabled = !position;
    main.dataset.checked = String(Number(main.dataset.checked || 0) + 1);
  } catch (error) {
    showError(error);
  }
}

/** Something was changed: the position is not known to be sound until it is checked. */
function changed() {
  fit();
  position = "";
  clearTimeout(waiting);
  waiting = setTimeout(check, SETTLE);
}

/** Show the tiles and stations of a hex. @param {string} hex @param {boolean} [focus] */
async function openHex(hex, focus = true) {
  if (!hex) return;
  try {
    const found = await newestHex(fragmentOf(`${here}/hex`, JSON.stringify({ options, texts: texts(), hex })));
    if (found === null) return;
    showError("");
    const panel = byId("hex-panel");
    panel.innerHTML = found;
    /** @type {HTMLInputElement} */ (document.getElementById("hex-name")).value = hex;
    if (focus) panel.querySelector("h2")?.focus();
  } catch (error) {
    showError(error);
  }
}

/** @param {string} name @param {string} action */
async function play(name, action) {
  if (!position) return;
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (main.querySelectorAll("[data-action^=play-]"));
  for (const each of buttons) each.disabled = true;
  try {
    const made = await post(`/tables/import${name}`, position);
    localStorage.removeItem(kept);
    if (action === "friends") keepMade(made);
    location.href = action === "friends" ? "/" : made.address;
  } catch (error) {
    showError(error);
    for (const each of buttons) each.disabled = false;
  }
}

/** Fill the form; what is not said is empty. @param {Record<string, string>} values */
function fill(values) {
  for (const each of form.elements) {
    const input = /** @type {HTMLInputElement} */ (each);
    if (!input.name) continue;
    if (input.type === "checkbox") input.checked = values[input.name] === "yes";
    else if (input.name in values) input.value = values[input.name];
    else if (input.tagName === "SELECT") /** @type {HTMLSelectElement} */ (each).selectedIndex = 0;
    else input.value = input.name.startsWith("display.") ? "0" : "";
    // what was kept for another variant may be no choice here
    if (each instanceof HTMLSelectElement && each.selectedIndex < 0) each.selectedIndex = 0;
  }
}

handle({
  "open-hex-on-map": (_map, event) => {
    const hex = /** @type {Element} */ (event.target).closest("[data-hex]");
    if (hex) openHex(hex.getAttribute("data-hex") || "");
  },
  "open-hex": () => openHex(/** @type {HTMLInputElement} */ (document.getElementById("hex-name")).value.trim().toUpperCase()),
  "put-tile": (button) => {
    const told = button.dataset.tileText || "";
    const [hex, tile] = told.split(" ");
    for (const each of button.parentElement?.children || []) each.setAttribute("aria-pressed", String(each === button));
    setWords("tiles", [...words("tiles").filter((each) => each.split(/\s+/)[0] !== hex), ...(tile ? [told] : [])]);
  },
  "put-station": (button) => {
    const name = `companies.${button.dataset.company}.stations`, station = button.dataset.station || "";
    const all = words(name);
    const there = all.includes(station);
    button.setAttribute("aria-pressed", String(!there));
    setWords(name, there ? all.filter((each) => each !== station) : [...all, station]);
  },
  "put-marker": (_market, event) => {
    const cell = /** @type {Element} */ (event.target).closest("[data-space]");
    const company = /** @type {HTMLSelectElement} */ (document.getElementById("marker")).value;
    if (!cell || !company) return;
    field(`companies.${company}.space`).value = cell.getAttribute("data-space") || "";
    setWords("order", [...words("order").filter((each) => each !== company), company]);
  },
  "add-train": (button) => {
    const into = button.dataset.into || "";
    setWords(into, [...words(into), button.dataset.train || ""]);
  },
  "save-position": () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([position], { type: "application/json" }));
    link.download = `position-${game}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  },
  "set-up-anew": () => {
    if (!confirm(main.dataset.sure)) return;
    localStorage.removeItem(kept);
    location.reload();
  },
  "play-here": () => play("", "here"),
  "play-friends": () => play(`?friends=${/** @type {HTMLSelectElement} */ (document.getElementById("you")).value}`, "friends"),
});

form.addEventListener("input", changed);
form.addEventListener("submit", (event) => event.preventDefault());
document.getElementById("set-map")?.addEventListener("keydown", (event) => {
  const hex = /** @type {Element} */ (event.target).closest("[data-hex]");
  if (!hex || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  openHex(hex.getAttribute("data-hex") || "");
});
document.getElementById("hex-name")?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  openHex(/** @type {HTMLInputElement} */ (event.target).value.trim().toUpperCase());
});

const optionsForm = /** @type {HTMLFormElement} */ (document.getElementById("game-options"));

/** Choose in the form of the options what the page is made with. */
function showOptions() {
  const wanted = /** @type {HTMLInputElement | null} */ (optionsForm.querySelector(`[name=edition][value='${options.edition}']`));
  if (wanted) wanted.checked = true;
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (optionsForm.querySelectorAll("[name=variant]"))) {
    box.checked = options[box.value] === true;
  }
  for (const list of /** @type {NodeListOf<HTMLSelectElement>} */ (optionsForm.querySelectorAll("[name=variant-value]"))) {
    const value = JSON.stringify(options[list.dataset.option || ""]);
    if ([...list.options].some((each) => each.value === value)) list.value = value;
  }
  fitVariants(optionsForm);
}

optionsForm.addEventListener("change", () => {
  fitVariants(optionsForm);
  const wanted = readOptions(optionsForm);
  localStorage.setItem(kept, JSON.stringify({ options: wanted, texts: texts() }));
  location.href = `${here}?options=${encodeURIComponent(JSON.stringify(wanted))}`;
});

document.getElementById("position-file")?.addEventListener("change", async (event) => {
  const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
  if (!file) return;
  try {
    const found = await post(`${here}/file`, await file.text());
    localStorage.setItem(kept, JSON.stringify(found));
    location.href = `${here}?options=${encodeURIComponent(JSON.stringify(found.options))}`;
  } catch (error) {
    showError(error);
  }
});

const spaces = JSON.parse(byId("spaces").textContent || "[]");
for (const list of form.querySelectorAll("select.spaces")) {
  for (const [value, label] of spaces) list.append(new Option(label, value));
}
/** @type {Record<string, string> | null} */
let before = null;
try {
  before = JSON.parse(localStorage.getItem(kept) || "null")?.texts ?? null;
} catch {
  localStorage.removeItem(kept); // written by another version
}
showOptions();
if (before) fill(before);
fit();
check();
initSettings();
