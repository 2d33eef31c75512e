// @ts-check
// A game from a file: chosen, dropped or pasted, looked at, then a table for one screen or for friends.

import { fragment, fragmentOf, post } from "./api.js";
import { handle } from "./handlers.js";

/** @typedef {{address: string, watch: string, seats: {name: string, address: string, yours: boolean}[]}} FriendsTable */

const input = /** @type {HTMLInputElement | null} */ (document.getElementById("record"));
const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("import"));
const blank = dialog?.innerHTML ?? "";
let held = "";

/** Say what is wrong in the dialog, beside the preview if there is one. @param {unknown} error */
function showError(error) {
  if (dialog && !dialog.open) {
    dialog.innerHTML = blank;
    dialog.showModal();
  }
  const line = /** @type {HTMLElement | null | undefined} */ (dialog?.querySelector("[data-fault]"));
  if (!line) return;
  line.textContent = error instanceof Error ? error.message : String(error);
  line.hidden = false;
}

/** Show what a file brings; nothing is stored yet. @param {string} file */
async function look(file) {
  if (!dialog) return;
  dialog.close();
  held = file;
  try {
    dialog.innerHTML = await fragmentOf("/tables/import/preview", file);
    if (!dialog.open) dialog.showModal();
  } catch (error) {
    showError(error);
  }
}

/** Read a file, unless it is larger than any that the server takes. @param {File} file */
async function bring(file) {
  if (input && file.size > Number(input.dataset.most)) showError(input.dataset.tooLarge);
  else await look(await file.text());
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
    if (chosen) await bring(chosen);
    input.value = "";
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    await bring(dropped);
  });
  document.addEventListener("paste", async (event) => {
    if (/** @type {Element} */ (event.target).closest("input, textarea, select")) return;
    const pasted = event.clipboardData?.files[0];
    if (pasted) return bring(pasted);
    const told = event.clipboardData?.getData("text/plain") || "";
    if (told.trimStart().startsWith("{")) await look(told);
  });
}
