// @ts-check
// A game from a file: chosen, dropped or pasted, looked at, then a table for one screen or for friends.

import { Fault, fragment, fragmentOf, post } from "./api.js";
import { handle } from "./handlers.js";

/** @typedef {{address: string, watch: string, seats: {name: string, address: string, yours: boolean}[]}} FriendsTable */

const input = /** @type {HTMLInputElement | null} */ (document.getElementById("record"));
const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("import"));
let held = "";

/** @param {unknown} error */
function showError(error) {
  const scope = dialog?.open ? dialog : document.body;
  const line = /** @type {HTMLElement | null} */ (scope.querySelector(".error[hidden], .error"));
  if (!line) return;
  line.textContent = error instanceof Fault ? error.message : String(error);
  line.hidden = false;
}

/** Show what a file brings; nothing is stored yet. @param {string} file */
async function look(file) {
  if (!dialog) return;
  held = file;
  try {
    dialog.innerHTML = await fragmentOf("/tables/import/preview", file);
    if (!dialog.open) dialog.showModal();
  } catch (error) {
    showError(error);
  }
}

/** @param {HTMLElement} button @param {string} more */
async function store(button, more) {
  if (button.getAttribute("aria-busy")) return null;
  button.setAttribute("aria-busy", "true");
  const query = new URLSearchParams(more);
  if (button.dataset.soFar) query.set("so_far", "1");
  try {
    return await post(`/tables/import?${query}`, held);
  } catch (error) {
    showError(error);
    button.removeAttribute("aria-busy");
    return null;
  }
}

/** Shows the links of a table of friends. @type {(made: FriendsTable) => void} */
let showLinks = () => {};

handle({
  "open-record": () => input?.click(),
  "close-import": () => dialog?.close(),
  "import-table": async (button) => {
    const made = await store(button, "");
    if (made) location.href = made.address;
  },
  "import-friends": async (button) => {
    const you = /** @type {HTMLSelectElement | null} */ (dialog?.querySelector("[name=you]"))?.value ?? "";
    const made = await store(button, `friends=${you}`);
    if (!made) return;
    dialog?.close();
    showLinks(made);
  },
});

/** Bring the game of another table, as `/?continue=ID&at=N` asks: a table of friends, or another one, from that moment on. */
async function lookAtTable() {
  const asked = new URLSearchParams(location.search);
  const table = asked.get("continue");
  if (!table) return;
  history.replaceState(null, "", "/");
  const at = asked.get("at");
  await look(await fragment(`/t/${encodeURIComponent(table)}/record.json${at ? `?at=${encodeURIComponent(at)}` : ""}`));
}

/** Let games be brought to the start page. @param {(made: FriendsTable) => void} shown */
export function initImport(shown) {
  showLinks = shown;
  lookAtTable().catch(showError);
  input?.addEventListener("change", async () => {
    const chosen = input.files?.[0];
    if (chosen) await look(await chosen.text());
    input.value = "";
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    await look(await dropped.text());
  });
  document.addEventListener("paste", async (event) => {
    if (/** @type {Element} */ (event.target).closest("input, textarea, select")) return;
    const pasted = event.clipboardData?.files[0];
    const told = pasted ? await pasted.text() : event.clipboardData?.getData("text/plain") || "";
    if (told.trimStart().startsWith("{")) await look(told);
  });
}
