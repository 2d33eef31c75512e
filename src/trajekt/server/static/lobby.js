// @ts-check
// The lobby: the list follows the filter and what others do, tables are offered, and a table waits for its players.

import { Fault, fragment, newestOnly, post } from "./api.js";
import { say, text } from "./toasts.js";
import { chooseEditionOfSet, fitVariants, limits, readOptions, readSet } from "./game_options.js";
import { handle } from "./handlers.js";
import { writeTimes } from "./local_times.js";
import { initPush, showPush } from "./web_push.js";
import { initSettings } from "./settings.js";
import { absolute, fitShare } from "./share_links.js";

const SETTLE = 500; // milliseconds in which several changes are read as one
const SPREAD = 1500; // milliseconds over which the open pages of a lobby read it again, so that not all ask at once

/** @param {ParentNode} scope @param {unknown} error */
function showError(scope, error) {
  const line = /** @type {HTMLElement | null} */ (scope.querySelector(".error"));
  const message = error instanceof Error ? error.message : String(error);
  if (!line) return say(message);
  line.textContent = message;
  line.hidden = false;
}

/**
 * Call `work` soon after something was changed, and after a break of the connection.
 * @param {string} address @param {() => Promise<void>} work @param {number} [spread]
 */
function follow(address, work, spread = 0) {
  let waiting = 0;
  const soon = () => {
    if (waiting) return;
    waiting = window.setTimeout(() => {
      waiting = 0;
      work().catch(() => {}); // the stream says when there is more
    }, SETTLE + spread * Math.random());
  };
  const source = new EventSource(address);
  let opened = false;
  source.addEventListener("changed", soon);
  source.addEventListener("open", () => {
    if (opened) soon();
    opened = true;
  });
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}

// The list ------------------------------------------------------------------------------------------------------------

const list = document.getElementById("lobby-list");
const filter = /** @type {HTMLFormElement | null} */ (document.querySelector("form.filter[action='/lobby']"));

/** @param {HTMLFormElement} form */
const query = (form) =>
  new URLSearchParams([...new FormData(form)].filter(([, value]) => value).map(([name, value]) => [name, String(value)]));

const newestList = newestOnly();

/** @param {URLSearchParams} asked */
async function showList(asked) {
  if (!list) return;
  const fresh = document.createElement("div");
  const html = await newestList(fragment(`/lobby/list?${asked}`));
  if (html === null) return;
  fresh.innerHTML = html;
  writeTimes(fresh);
  const chosen = document.activeElement?.closest("#lobby-list a")?.getAttribute("href");
  list.replaceChildren(...fresh.childNodes);
  if (chosen) /** @type {HTMLElement | null} */ (list.querySelector(`a[href="${CSS.escape(chosen)}"]`))?.focus();
}

if (filter) {
  const choose = () => {
    const asked = query(filter);
    history.replaceState(null, "", asked.size ? `/lobby?${asked}` : "/lobby");
    showList(asked).catch((error) => showError(document, error));
  };
  filter.addEventListener("change", choose);
  filter.addEventListener("submit", (event) => {
    event.preventDefault();
    choose();
  });
  follow("/lobby/events", () => showList(new URLSearchParams(location.search)), SPREAD);
}

// A table is offered --------------------------------------------------------------------------------------------------

const offer = /** @type {HTMLFormElement | null} */ (document.querySelector("form.offer"));

/** @param {HTMLFormElement} form @param {string} name */
const field = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** Only numbers of players that edition and variants allow, the least never above the most. @param {HTMLFormElement} form */
function fit(form) {
  fitVariants(form);
  const { low, high } = limits(form);
  for (const name of ["least", "most"]) {
    const select = /** @type {HTMLSelectElement} */ (/** @type {unknown} */ (field(form, name)));
    for (const option of select.options) option.hidden = option.disabled = +option.value < low || +option.value > high;
    select.value = String(Math.min(Math.max(+select.value, low), high));
  }
  if (+field(form, "least").value > +field(form, "most").value) field(form, "most").value = field(form, "least").value;
}

if (offer) {
  chooseEditionOfSet(offer);
  fit(offer);
  offer.addEventListener("change", () => fit(offer));
  offer.addEventListener("submit", async (event) => {
    event.preventDefault();
    const value = (/** @type {string} */ name) => field(offer, name).value.trim();
    try {
      const made = await post("/lobby", {
        game: offer.dataset.game,
        options: readOptions(offer),
        ...readSet(offer),
        least: Number(value("least")),
        most: Number(value("most")),
        pace: Number(value("pace")),
        language: value("language"),
        sentence: value("sentence"),
        listed: !field(offer, "unlisted").checked,
        accounts: field(offer, "accounts").checked,
        name: value("name"),
      });
      location.href = made.address;
    } catch (error) {
      showError(offer, error);
    }
  });
}

// A table before its game ---------------------------------------------------------------------------------------------

const table = document.getElementById("open-table");
let written = ""; // the name that somebody has sat down with, or is writing
const place = `/lobby/${table?.dataset.id}`;

/** Go to the game once it has begun. */
function goOn() {
  const begun = /** @type {HTMLElement | null | undefined} */ (table?.querySelector("[data-table]"));
  if (begun) location.replace(begun.dataset.table || "/");
}

const newestSeats = newestOnly();

/** Show who sits there now; what somebody is writing stays. */
async function showSeats() {
  if (!table) return;
  let html;
  try {
    html = await newestSeats(fragment(`${place}/seats`));
  } catch (error) {
    if (error instanceof Fault && error.error.code === "open_gone") {
      table.replaceChildren();
      say(text("ended"), { keep: true });
      return;
    }
    throw error;
  }
  if (html === null) return;
  const input = /** @type {HTMLInputElement | null} */ (table.querySelector(".join input"));
  const inside = input && document.activeElement === input;
  if (input) written = input.value;
  const number = table.querySelectorAll(".seated li:not(.free)").length;
  table.innerHTML = html;
  showPush().catch(() => {});
  const fresh = /** @type {HTMLInputElement | null} */ (table.querySelector(".join input"));
  if (fresh) {
    fresh.value = written || fresh.value;
    if (inside) fresh.focus();
  }
  const sits = table.querySelectorAll(".seated li:not(.free)").length;
  if (sits !== number && document.hidden) document.title = `(${sits}) ${document.title.replace(/^\(\d+\) /, "")}`;
  goOn();
}

/** @param {string} what @param {object} value */
async function send(what, value) {
  try {
    return await post(`${place}/${what}`, value);
  } catch (error) {
    if (table) showError(table, error);
    return null;
  }
}

handle({
  "start-game": async () => {
    const begun = await send("start", {});
    if (begun) location.replace(begun.address);
  },
  "leave-table": async () => {
    const left = await send("leave", {});
    if (left) location.href = left.address;
  },
  "dismiss-player": async (button) => {
    if (await send("dismiss", { name: button.dataset.name })) await showSeats();
  },
});

if (table) {
  const address = /** @type {HTMLInputElement} */ (document.getElementById("open-address"));
  address.value = absolute(address.dataset.address || "");
  fitShare(document);
  table.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const taken = await send("sit", { name: field(form, "name").value.trim() });
    if (taken?.started) location.replace(taken.address);
    else if (taken) await showSeats();
  });
  follow(`${place}/events`, showSeats);
}

initSettings();
initPush();
writeTimes();
document.documentElement.dataset.ready = "yes";
