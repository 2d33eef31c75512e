// @ts-check
// The start page: a new table, or one from a record.

import { post } from "./api.js";
import { initExercises } from "./exercises.js";
import { chooseEditionOfSet, fitVariants, limits, readOptions, readSet, shownInputs } from "./game_options.js";
import { handle, markPressed } from "./handlers.js";
import { writeTimes } from "./local_times.js";
import { initImport } from "./import_game.js";
import { initSettings } from "./settings.js";
import { absolute, fitShare, onlyHere, takeMade } from "./share_links.js";

/** Only what the chosen edition knows can be chosen. @param {HTMLFormElement} form */
function fit(form) {
  fitVariants(form);
  const { low, high } = limits(form);
  form.querySelectorAll(".seat-name").forEach((seat, n) => {
    /** @type {HTMLElement} */ (seat).hidden = n >= high;
  });
  const opponents = /** @type {HTMLSelectElement} */ (form.querySelector("[name=opponents]"));
  for (const option of opponents.options) option.hidden = option.disabled = +option.value < low - 1 || +option.value >= high;
  if (opponents.selectedOptions[0].disabled) {
    opponents.value = String(Math.min(Math.max(+opponents.value, low - 1), high - 1));
  }
}

/** @param {HTMLFormElement} form */
function readForm(form) {
  const shown = (/** @type {string} */ query) => shownInputs(form, query);
  const options = readOptions(form);
  if (shown("[name=fixed_seats]:checked").length) options.fixed_seats = true;
  const referee = shown("[name=referee]")[0]?.value;
  if (referee) options.referee = referee;
  const kinds = new Map();
  for (const seat of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".seat-name:not([hidden])"))) {
    const name = /** @type {HTMLInputElement} */ (seat.querySelector("input")).value.trim();
    const kind = /** @type {HTMLSelectElement} */ (seat.querySelector("select")).value;
    if (name && kind) kinds.set(name, kind);
  }
  const players = shown("[name=player]").map((input) => input.value.trim()).filter(Boolean);
  const seed = shown("[name=seed]")[0]?.value.trim();
  return {
    game: form.dataset.game,
    players,
    options,
    bots: Object.fromEntries(kinds),
    pause: Number(/** @type {HTMLSelectElement} */ (form.querySelector("[name=pause]")).value),
    ...(shown("[name=friends]:checked").length ? { friends: true, you: players[0] || "" } : {}),
    ...(seed ? { seed: Number(seed) } : {}),
    ...readSet(form),
  };
}

/** @param {Element} scope @param {unknown} error */
function showError(scope, error) {
  const line = /** @type {HTMLElement | null} */ (scope.querySelector(".error"));
  if (!line) return;
  line.textContent = error instanceof Error ? error.message : String(error);
  line.hidden = false;
}

/** A bot that is chosen for a seat without a name gets one. @param {HTMLFormElement} form */
function nameBots(form) {
  const taken = new Set(shownNames(form));
  for (const seat of form.querySelectorAll(".seat-name:not([hidden])")) {
    const input = /** @type {HTMLInputElement} */ (seat.querySelector("input"));
    const kind = /** @type {HTMLSelectElement} */ (seat.querySelector("select")).value;
    if (!kind || input.value.trim()) continue;
    input.value = NAMES.find((name) => !taken.has(name)) || "";
    taken.add(input.value);
  }
}

/** @param {HTMLFormElement} form */
const shownNames = (form) =>
  /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name=player]")]).map((input) => input.value.trim());

const GUEST = "Guest"; // stored so, shown to everybody in their own language
const NAMES = ["Borsig", "Harkort", "Krupp", "Camphausen", "Mevissen", "Stinnes"];

/** @param {HTMLElement} button @param {() => Promise<{address: string}>} work */
async function enter(button, work) {
  if (button.getAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  try {
    location.href = (await work()).address;
  } catch (error) {
    showError(button.closest("form") || document.body, error);
    button.removeAttribute("aria-busy");
  }
}

/** The links of the seats, shown once: the server keeps only what it needs to know them again.
 * @param {{address: string, watch: string, seats: {name: string, address: string, yours: boolean}[]}} made */
function showSeatLinks(made) {
  const panel = /** @type {HTMLElement} */ (document.getElementById("links"));
  const list = /** @type {HTMLElement} */ (panel.querySelector(".seat-links"));
  const row = /** @type {HTMLTemplateElement} */ (panel.querySelector("template"));
  const go = /** @type {HTMLAnchorElement} */ (panel.querySelector(".go"));
  const seats = made.seats.map((seat) => [seat.yours ? `${seat.name} (${go.dataset.you})` : seat.name, seat.address]);
  for (const [name, address] of [...seats, [go.dataset.watch || "", made.watch]]) {
    const line = /** @type {HTMLElement} */ (row.content.cloneNode(true));
    /** @type {HTMLElement} */ (line.querySelector("b")).textContent = name;
    const input = /** @type {HTMLInputElement} */ (line.querySelector("input"));
    input.value = absolute(address);
    input.setAttribute("aria-label", name);
    fitShare(line);
    list.append(line);
  }
  /** @type {HTMLElement} */ (panel.querySelector("[data-local]")).hidden = !onlyHere();
  go.href = made.address;
  for (const form of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("form.new"))) form.hidden = true;
  panel.hidden = false;
  panel.scrollIntoView({ block: "nearest" });
}

/** @param {HTMLElement} button */
const formOf = (button) => /** @type {HTMLFormElement} */ (button.closest("form"));

/** A table against bots, with the reader's seat first, by the first name that is typed for a person. @param {HTMLElement} button */
function startAgainstBots(button) {
  const form = formOf(button);
  const { friends: _friends, you: _you, ...asked } = readForm(form);
  delete asked.options.referee; // bots see no real board
  const count = Number(/** @type {HTMLSelectElement} */ (form.querySelector("[name=opponents]")).value);
  const you = asked.players.find((name) => !Object.hasOwn(asked.bots, name)) || GUEST;
  const others = NAMES.filter((name) => name.toLowerCase() !== you.toLowerCase()).slice(0, count);
  const level = /** @type {HTMLSelectElement} */ (form.querySelector("[name=level]")).value;
  const bots = Object.fromEntries(others.map((name) => [name, level]));
  enter(button, () => post("/tables", { ...asked, players: [you, ...others], bots }));
}

handle({
  "open-friends": (button) => {
    const form = formOf(button);
    /** @type {HTMLInputElement} */ (form.querySelector("[name=friends]")).checked = true;
    /** @type {HTMLInputElement} */ (form.querySelector("[name=player]")).focus();
  },
  "open-referee": (button) => {
    const form = formOf(button);
    /** @type {HTMLSelectElement} */ (form.querySelector("[name=referee]")).value = "books";
    for (const name of ["friends", "fixed_seats"]) {
      /** @type {HTMLInputElement} */ (form.querySelector(`[name=${name}]`)).checked = name === "fixed_seats";
    }
    /** @type {HTMLInputElement} */ (form.querySelector("[name=player]")).focus();
  },
  "start-guided": (button) => enter(button, () => post(`/tables/guided/${button.dataset.guided}`, {})),
  "start-against-bots": startAgainstBots,
  "choose-game": (button) => {
    markPressed(document.querySelectorAll("[data-choose]"), (each) => each === button);
    for (const form of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("form.new"))) {
      form.hidden = form.dataset.game !== button.dataset.choose;
    }
  },
});

initSettings();
initExercises();
document.querySelector(".game[aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.new"))) {
  chooseEditionOfSet(form);
  fit(form);
  form.addEventListener("change", () => {
    fit(form);
    nameBots(form);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const go = /** @type {HTMLButtonElement} */ (form.querySelector(".go"));
    go.disabled = true;
    try {
      const made = await post("/tables", readForm(form));
      if (made.seats) showSeatLinks(made);
      else location.href = made.address;
    } catch (error) {
      showError(form, error);
      go.disabled = false;
    }
  });
}
// who comes from the workshop has chosen the game and the set already
if (new URLSearchParams(location.search).has("set")) document.querySelector("form.new:not([hidden])")?.scrollIntoView();
const made = takeMade();
if (made) showSeatLinks(made);
initImport(showSeatLinks);
writeTimes();

document.documentElement.dataset.ready = "yes";
