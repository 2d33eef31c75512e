// @ts-check
// The drawer beside the board: talk, instructions, notes, notices, the clock. It is drawn by the server and taken in whole;
// what the reader is typing stays. Also the title of the tab, which says when it is his turn.

import { Idiomorph } from "./vendor/idiomorph-0.8.0.js";
import { address, live, refresh, table } from "./regions.js";
import { Fault, fragment, post } from "./api.js";
import { say, text } from "./announce.js";
import { times } from "./local_times.js";

const drawer = () => /** @type {HTMLElement} */ (document.getElementById("beside"));
const isOpen = () => document.documentElement.classList.contains("beside-open");
const key = () => `said ${table()}`;

let asked = 0;
let tick = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let later;

/** Draw the drawer anew; late answers are dropped. */
async function draw() {
  const mine = ++asked;
  const html = await fragment(address("beside"));
  if (mine !== asked) return;
  Idiomorph.morph(drawer(), html.trim(), {
    morphStyle: "outerHTML",
    ignoreActiveValue: true,
    callbacks: {
      // what stands open, is ticked or half written is the reader's own until he sends it
      beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ node) =>
        !(name === "open" && node.matches("details")) && !(["checked", "value", "selected"].includes(name) && node.closest("form, textarea")),
      beforeNodeMorphed: (/** @type {Node} */ node) => !(node instanceof Element && node.matches("textarea:focus")),
    },
  });
  drawn();
}

function drawn() {
  tick = Date.now();
  times(drawer());
  const lines = document.getElementById("said-lines");
  if (lines) lines.scrollTop = lines.scrollHeight;
  unread();
  for (const shown of drawer().querySelectorAll("[data-left]")) shown.setAttribute("data-at", String(tick));
  // a clock that was set or stopped shows among the players too
  if (live() && drawer().dataset.clock !== document.getElementById("app")?.dataset.clock) refresh().catch(() => {});
}

/** Mark the button while something was said that has not been seen. */
function unread() {
  const said = [...drawer().querySelectorAll("[data-said]:not(.mine)")].map((line) => Number(line.getAttribute("data-said")));
  const last = Math.max(0, ...said);
  if (isOpen() && document.visibilityState === "visible") localStorage.setItem(key(), String(last));
  const seen = Number(localStorage.getItem(key()) || 0);
  const count = said.filter((id) => id > seen).length;
  for (const button of document.querySelectorAll("header [data-do=beside]")) button.setAttribute("data-news", count ? String(count) : "");
}

/** On a wide screen the drawer begins below the decision, so that both can be used. */
function placed() {
  const below = innerWidth > 1240 ? document.getElementById("now")?.getBoundingClientRect().bottom ?? 0 : 0;
  const fits = below > 48 && below < 0.62 * innerHeight;
  document.documentElement.style.setProperty("--beside-top", fits ? `${Math.round(below)}px` : "48px");
}

async function toggle() {
  placed();
  const opened = document.documentElement.classList.toggle("beside-open");
  for (const button of document.querySelectorAll("header [data-do=beside]")) button.setAttribute("aria-expanded", String(opened));
  if (!opened) return /** @type {HTMLElement | null} */ (document.querySelector("header [data-do=beside]"))?.focus();
  await draw();
  /** @type {HTMLElement | null} */ (document.getElementById("speak") || drawer().querySelector("button"))?.focus({ preventScroll: true });
}

/** @param {string} where @param {unknown} value */
async function sent(where, value) {
  try {
    await post(address(where), value);
  } catch (error) {
    if (error instanceof Fault) say(error.message);
    else throw error;
    return false;
  }
  await draw();
  return true;
}

/** @param {HTMLFormElement} form */
function read(form) {
  const data = new FormData(form);
  const field = (/** @type {string} */ name) => String(data.get(name) ?? "");
  const what = field("what") ? JSON.parse(field("what")) : {};
  const order = form.dataset.order;
  if (order === "pass_until") return ["orders", { order: { kind: order, until: field("until") } }];
  if (order === "buy") return ["orders", { order: { kind: order, ...what, most: Number(field("most")), until: field("until") } }];
  if (order === "pass_steps") return ["orders", { order: { kind: order, company: field("company"), steps: data.getAll("steps") } }];
  if (order === "discard_first") return ["orders", { order: { kind: order, ...what } }];
  if (form.dataset.kind === "contact") {
    return ["contact", { mail: field("mail"), hook: field("hook"), form: field("form"), language: field("language"), muted: data.has("muted") }];
  }
  if (form.dataset.kind === "clock") {
    const minutes = (/** @type {string} */ name) => 60 * Number(field(name));
    const clock = { game: minutes("game"), stock: minutes("stock"), operating: minutes("operating"), penalty: field("penalty"), rate: Number(field("rate")) };
    return ["clock", { clock }];
  }
  return ["talk", { text: field("text") }];
}

function forms() {
  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.closest("#beside")) return;
    event.preventDefault();
    const [where, value] = read(form);
    if (where === "talk" && !String(/** @type {{text: string}} */ (value).text).trim()) return;
    const button = form.querySelector("button[type=submit]");
    button?.setAttribute("disabled", "");
    const done = await sent(/** @type {string} */ (where), value);
    button?.removeAttribute("disabled");
    if (done && where === "talk") form.reset();
    if (done && where === "orders") {
      const form = /** @type {HTMLDetailsElement | null} */ (document.getElementById("new-order"));
      form?.removeAttribute("open");
      form?.querySelector("summary")?.focus(); // the button that had the focus is out of sight now
    }
    if (done && (where === "contact" || where === "clock")) say(text("kept"));
  });
  document.addEventListener("change", (event) => {
    const select = /** @type {HTMLElement} */ (event.target);
    if (!select.matches("form[data-order=buy] select")) return;
    const price = /** @type {HTMLSelectElement} */ (select).selectedOptions[0]?.dataset.price;
    const most = select.closest("form")?.querySelector("[name=most]");
    if (price && most) /** @type {HTMLInputElement} */ (most).value = price;
  });
  document.addEventListener("input", (event) => {
    const notes = /** @type {HTMLTextAreaElement} */ (event.target);
    if (notes.id !== "my-notes") return;
    clearTimeout(later);
    later = setTimeout(() => keep(notes.value), 700);
  });
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("[data-do=beside]")) toggle();
    const away = target.closest("[data-away]")?.getAttribute("data-away");
    if (away) sent("orders/away", { id: Number(away) });
    const wish = target.closest("[data-wish]")?.getAttribute("data-wish");
    if (wish) sent("clock/wish", { wish });
    if (target.closest("[data-do=no-clock]")) sent("clock", { clock: null });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen() && (drawer().contains(document.activeElement) || document.activeElement === document.body)) toggle();
  });
}

/** @param {string} written */
async function keep(written) {
  await post(address("notes"), { text: written });
  const kept = document.getElementById("notes-kept");
  if (kept) kept.textContent = text("kept");
}

/** The clocks run on between two answers of the server. */
function clocks() {
  setInterval(() => {
    for (const shown of document.querySelectorAll("[data-left][data-runs=yes]")) {
      const at = Number(shown.getAttribute("data-at")) || tick;
      const left = Number(shown.getAttribute("data-left")) - (Date.now() - at) / 1000;
      shown.textContent = span(left);
      shown.closest("tr, li, td")?.classList.toggle("over", left < 0);
    }
  }, 1000);
}

/** A time as `1:42:10`. @param {number} seconds */
function span(seconds) {
  const whole = Math.floor(Math.abs(seconds));
  const days = Math.floor(whole / 86400);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const clock = `${Math.floor((whole % 86400) / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return (seconds < 0 ? "−" : "") + (days ? `${days} d ${clock}` : clock);
}

/** The tab says when it is the reader's turn. */
function title() {
  const app = document.getElementById("app");
  const plain = app?.dataset.title || document.title;
  document.title = live() && app?.dataset.turn === "yes" ? `● ${text("turn")} · ${plain}` : plain;
}

export function beside() {
  addEventListener("resize", placed);
  forms();
  clocks();
  title();
  document.addEventListener("regions", () => {
    title();
    for (const shown of document.querySelectorAll("#app [data-left]")) shown.setAttribute("data-at", String(Date.now()));
    if (isOpen()) draw().catch(() => {});
  });
  document.addEventListener("stirred", () => draw().catch(() => {}));
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && unread());
  if (document.getElementById("app")?.dataset.friends === "yes") draw().catch(() => {});
}
