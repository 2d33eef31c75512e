// @ts-check
// The sidebar: talk, instructions, notes, notices, the clock. It is drawn by the server and taken in whole;
// what the reader is typing stays. Also the title of the tab, which says when it is his turn.

import { Idiomorph } from "./vendor/idiomorph-0.8.0.js";
import { say, text } from "./toasts.js";
import { Fault, fragment, newestOnly, post } from "./api.js";
import { handle } from "./handlers.js";
import { writeTimes } from "./local_times.js";
import { address, followLog, live, moment, refresh, table } from "./region_updates.js";
import { showPush } from "./web_push.js";
import { showCalls } from "./turn_call.js";

const sidebar = () => /** @type {HTMLElement} */ (document.getElementById("sidebar"));
const openers = () => /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("header [data-action=toggle-sidebar]"));
const isOpen = () => document.documentElement.classList.contains("sidebar-open");
const key = () => `said ${table()}`;

const newest = newestOnly();
/** Milliseconds by which the clock of this device is ahead of the server's. */
const ahead = Date.now() - 1000 * Number(document.querySelector("meta[name=now]")?.getAttribute("content") || Date.now() / 1000);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let later;

/** Draw the sidebar anew; late answers are dropped. */
async function draw() {
  const html = await newest(fragment(address("beside")));
  if (html === null) return;
  Idiomorph.morph(sidebar(), html.trim(), {
    morphStyle: "outerHTML",
    ignoreActiveValue: true,
    callbacks: {
      // what stands open, is ticked or half written is the reader's own until he sends it
      beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ node) =>
        !(name === "open" && node.matches("details")) &&
        !(["checked", "value", "selected"].includes(name) && node.closest("form, textarea")),
      beforeNodeMorphed: (/** @type {Node} */ node) => !(node instanceof Element && node.matches("textarea:focus")),
    },
  });
  afterDrawing();
}

function afterDrawing() {
  writeTimes(sidebar());
  const lines = document.getElementById("said-lines");
  if (lines) lines.scrollTop = lines.scrollHeight;
  markUnread();
  showComment();
  showCalls();
  showPush().catch(() => {});
  runClocks();
  // a clock that was set or stopped shows among the players too
  if (live() && sidebar().dataset.clock !== document.getElementById("app")?.dataset.clock) refresh().catch(() => {});
}

let commentedOn = -1; // the moment of which the field has the comment

/** Bring the comment on the moment that is shown into the field; what is being written stays while the moment does. */
function showComment() {
  const field = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("comment"));
  const label = field?.form?.querySelector("label");
  if (!field || !label || commentedOn === moment()) return;
  commentedOn = moment();
  field.value = sidebar().querySelector(`[data-comment="${commentedOn}"] span`)?.textContent || "";
  label.textContent = (label.dataset.text || "").replace("{number}", String(commentedOn));
}

/** Mark the button while something was said that has not been seen. */
function markUnread() {
  const said = [...sidebar().querySelectorAll("[data-said]:not(.mine)")].map((line) => Number(line.getAttribute("data-said")));
  const last = Math.max(0, ...said);
  if (isOpen() && document.visibilityState === "visible") localStorage.setItem(key(), String(last));
  const seen = Number(localStorage.getItem(key()) || 0);
  const count = said.filter((id) => id > seen).length;
  for (const button of openers()) button.setAttribute("data-news", count ? String(count) : "");
}

async function toggle() {
  const opened = document.documentElement.classList.toggle("sidebar-open");
  for (const button of openers()) button.setAttribute("aria-expanded", String(opened));
  followLog(); // its box has another height
  if (!opened) return openers()[0]?.focus();
  await draw();
  /** @type {HTMLElement | null} */ (document.getElementById("speak") || sidebar().querySelector("button"))?.focus({ preventScroll: true });
}

/** @param {string} where @param {unknown} value */
async function send(where, value) {
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

/** The instruction that a form holds. @param {HTMLFormElement} form @param {FormData} data */
function readOrder(form, data) {
  const order = form.dataset.order;
  const field = (/** @type {string} */ name) => String(data.get(name) ?? "");
  if (order === "tasks") return readTasks(form.dataset.task || "", field);
  const what = field("what") ? JSON.parse(field("what")) : {};
  const [until, most] = [field("until"), Number(field("most"))];
  if (order === "buy" && (until === "several" || field("then") !== "nothing")) {
    const times = until === "several" ? Number(field("times")) : until === "floated" ? 99 : 1;
    const ends = until === "floated" ? [{ if: "floated", company: what.company }] : [];
    return taskList([{ ...like({ kind: "buy", ...what }, most), times }, ...following(field("then"))], ends);
  }
  const steps = order === "pass_steps" ? { company: field("company"), steps: data.getAll("steps") } : {};
  return { kind: order, ...what, ...(order === "buy" ? { most } : {}), ...(until ? { until } : {}), ...steps };
}

/** An instruction of tasks. @param {string} task @param {(name: string) => string} field */
function readTasks(task, field) {
  if (task === "run") return JSON.parse(field("order"));
  const then = following(field("then"));
  const number = (/** @type {string} */ name) => Number(field(name));
  if (task === "found") return taskList([like({ kind: "found", company: field("company"), par: number("par") }), ...then]);
  if (task === "bid") {
    const bid = like({ kind: "bid", private: number("private") }, number("most"));
    return taskList([{ ...bid, times: 99 }, ...then]);
  }
  const what = JSON.parse(field("what"));
  const when = [{ if: "price_under", company: what.company, price: number("under") }];
  return taskList([{ ...like({ kind: "sell", ...what }), when }, ...then]);
}

/** @param {object} values @param {number} [most] */
const like = (values, most = 0) => ({ choice: { do: "like", values, most } });

/** Whether and how long to pass afterwards. @param {string} then */
const following = (then) => (then === "nothing" ? [] : [{ choice: { do: "leave" }, times: then === "round" ? 0 : 1 }]);

/** @param {object[]} tasks @param {object[]} [until] */
const taskList = (tasks, until = []) => ({ kind: "tasks", tasks, until });

/** @param {HTMLFormElement} form */
function readForm(form) {
  const data = new FormData(form);
  if (form.dataset.order) return ["orders", { order: readOrder(form, data) }];
  const field = (/** @type {string} */ name) => String(data.get(name) ?? "");
  if (form.dataset.kind === "comment") return ["comments", { number: moment(), text: field("text") }];
  if (form.dataset.kind === "contact") {
    const [mail, hook, language] = [field("mail"), field("hook"), field("language")];
    return ["contact", { mail, hook, form: field("form"), language, muted: data.has("muted") }];
  }
  if (form.dataset.kind === "clock") {
    const minutes = (/** @type {string} */ name) => 60 * Number(field(name));
    const times = { game: minutes("game"), stock: minutes("stock"), operating: minutes("operating") };
    return ["clock", { clock: { ...times, penalty: field("penalty"), rate: Number(field("rate")) } }];
  }
  return ["talk", { text: field("text"), players_only: data.has("players_only") }];
}

handle({
  "toggle-sidebar": toggle,
  "delete-order": (button) => send("orders/away", { id: Number(button.dataset.orderId) }),
  "wish-clock": (button) => send("clock/wish", { wish: button.dataset.wish }),
  "try-contact": async (button) => {
    if (await send("contact/try", { way: button.dataset.way })) say(button.dataset.sent || "");
  },
  "keep-talk-private": () => send("talk/private", {}),
  "remove-clock": () => send("clock", { clock: null }),
});

/** Send what a form of the sidebar holds. @param {HTMLFormElement} form */
async function submit(form) {
  const [where, value] = readForm(form);
  if (where === "talk" && !String(/** @type {{text: string}} */ (value).text).trim()) return;
  const button = form.querySelector("button[type=submit]");
  button?.setAttribute("disabled", "");
  const done = await send(/** @type {string} */ (where), value);
  button?.removeAttribute("disabled");
  if (!done) return;
  if (where === "talk") /** @type {HTMLInputElement} */ (form.elements.namedItem("text")).value = "";
  else if (where === "comments") refresh(live() ? null : moment());
  else if (where === "orders") {
    const details = /** @type {HTMLDetailsElement | null} */ (document.getElementById("new-order"));
    details?.removeAttribute("open");
    details?.querySelector("summary")?.focus(); // the button that had the focus is out of sight now
  } else say(text("kept"));
}

function initForms() {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.closest("#sidebar")) return;
    event.preventDefault();
    submit(form);
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
    later = setTimeout(() => saveNotes(notes.value), 700);
  });
  document.addEventListener("keydown", (event) => {
    const focus = document.activeElement;
    if (event.key === "Escape" && isOpen() && (sidebar().contains(focus) || focus === document.body)) toggle();
  });
}

/** @param {string} written */
async function saveNotes(written) {
  await post(address("notes"), { text: written });
  const kept = document.getElementById("notes-kept");
  if (kept) kept.textContent = text("kept");
}

/** The clocks run on from the time at which the server has read them. */
function runClocks() {
  for (const shown of document.querySelectorAll("[data-left][data-runs=yes]")) {
    const read = 1000 * Number(shown.getAttribute("data-read"));
    const left = Number(shown.getAttribute("data-left")) - Math.max(0, Date.now() - ahead - read) / 1000;
    shown.textContent = formatTime(left);
    shown.closest("tr, li, td")?.classList.toggle("over", left < 0);
  }
}

/** A time as `1:42:10`. @param {number} seconds */
function formatTime(seconds) {
  const whole = Math.floor(Math.abs(seconds));
  const days = Math.floor(whole / 86400);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const clock = `${Math.floor((whole % 86400) / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return (seconds < 0 ? "−" : "") + (days ? `${days} d ${clock}` : clock);
}

/** Title and icon of the tab say when it is the reader's turn. */
function showTitle() {
  const app = document.getElementById("app");
  const plain = app?.dataset.title || document.title;
  const mine = live() && app?.dataset.turn === "yes";
  document.title = mine ? `● ${text("turn")} · ${plain}` : plain;
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  const shown = mine ? "/static/icon_turn.svg" : "/static/icon.svg";
  if (icon && icon.getAttribute("href") !== shown) icon.setAttribute("href", shown);
}

/** On a phone the sidebar lies over the position that a moment of the talk or a comment shows. */
function uncover() {
  if (isOpen() && matchMedia("(max-width: 760px)").matches) toggle();
}

export function initSidebar() {
  document.addEventListener("moment-asked", uncover);
  initForms();
  runClocks();
  setInterval(runClocks, 1000);
  showTitle();
  document.addEventListener("regions", () => {
    showTitle();
    runClocks();
    if (isOpen()) draw().catch(() => {});
  });
  document.addEventListener("stirred", () => draw().catch(() => {}));
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && markUnread());
  if (document.getElementById("app")?.dataset.friends === "yes") draw().catch(() => {});
}
