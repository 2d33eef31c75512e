// @ts-check
// The start page: a new table, or one from a record.

import { Fault, post } from "./server.js";
import { settings } from "./settings.js";

/** @param {HTMLFormElement} form */
function edition(form) {
  return /** @type {HTMLInputElement} */ (form.querySelector("[name=edition]:checked"));
}

/** Only what the chosen edition knows can be chosen. @param {HTMLFormElement} form */
function fit(form) {
  const { value, dataset } = edition(form);
  const high = Number(dataset.high);
  form.querySelectorAll(".seat-name").forEach((seat, n) => {
    /** @type {HTMLElement} */ (seat).hidden = n >= high;
  });
  for (const label of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-editions]"))) {
    label.hidden = !(label.dataset.editions || "").split(" ").includes(value);
  }
}

/** @param {HTMLFormElement} form */
function wanted(form) {
  const shown = (/** @type {string} */ query) =>
    /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(query)]).filter((input) => !input.closest("label[hidden]"));
  /** @type {Record<string, unknown>} */
  const options = { edition: Number(edition(form).value) };
  for (const box of shown("[name=variant]:checked")) options[box.value] = true;
  for (const list of shown("[name=variant-value]")) {
    if (list.value) options[list.dataset.option || ""] = JSON.parse(list.value);
  }
  if (shown("[name=fixed_seats]:checked").length) options.fixed_seats = true;
  const seed = shown("[name=seed]")[0]?.value.trim();
  return {
    game: form.dataset.game,
    players: shown("[name=player]").map((input) => input.value.trim()).filter(Boolean),
    options,
    ...(seed ? { seed: Number(seed) } : {}),
  };
}

/** @param {Element} scope @param {unknown} error */
function complain(scope, error) {
  const line = /** @type {HTMLElement | null} */ (scope.querySelector(".error"));
  if (!line) return;
  line.textContent = error instanceof Fault ? error.message : String(error);
  line.hidden = false;
}

settings();
document.addEventListener("click", (event) => {
  const game = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-choose]"));
  if (!game) return;
  for (const other of document.querySelectorAll("[data-choose]")) other.setAttribute("aria-pressed", String(other === game));
  for (const form of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("form.new"))) {
    form.hidden = form.dataset.game !== game.dataset.choose;
  }
});
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.new"))) {
  fit(form);
  form.addEventListener("change", () => fit(form));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const go = /** @type {HTMLButtonElement} */ (form.querySelector(".go"));
    go.disabled = true;
    try {
      location.href = (await post("/tables", wanted(form))).address;
    } catch (error) {
      complain(form, error);
      go.disabled = false;
    }
  });
}
const file = /** @type {HTMLInputElement | null} */ (document.getElementById("record"));
document.getElementById("import")?.addEventListener("click", () => file?.click());
file?.addEventListener("change", async () => {
  const chosen = file.files?.[0];
  if (!chosen) return;
  try {
    location.href = (await post("/tables/import", await chosen.text())).address;
  } catch (error) {
    complain(document.body, error);
  }
  file.value = "";
});
for (const time of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-time]"))) {
  const date = new Date(Number(time.dataset.time) * 1000);
  time.textContent = date.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}
