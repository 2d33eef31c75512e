// @ts-check
// The workshop: entries of a component set are opened, judged while one types, and stated.

import { fragment, newestOnly, post } from "./api.js";
import { handle } from "./handlers.js";
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
  picked = "";
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
  if (was && now?.firstElementChild) was.replaceChildren(...now.childNodes);
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
    const map = document.getElementById("set-map");
    if (map && found.map) map.innerHTML = found.map;
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

/** Take a piece of track, or put it there, between two ends that are pressed. @param {HTMLElement} button */
function pickEnd(button) {
  const form = /** @type {HTMLFormElement} */ (button.closest("form"));
  const end = button.dataset.end || "";
  if (!picked) {
    picked = end;
    button.setAttribute("aria-pressed", "true");
    return;
  }
  for (const each of form.querySelectorAll("[data-action=pick-end]")) each.setAttribute("aria-pressed", "false");
  const track = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("track"));
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
  "pick-end": pickEnd,
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
