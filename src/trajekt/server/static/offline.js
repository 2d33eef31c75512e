// @ts-check
// The page that stands in while the server cannot be reached: it looks again when the device is connected, or is asked to, and
// shows what of a table with real cardboard is kept on the device.

import { handle } from "./handlers.js";

handle({
  "try-again": () => location.reload(),
});
const entries = Object.keys(localStorage).filter((key) => key.startsWith("kept ")).flatMap((key) => JSON.parse(localStorage[key]));
const box = document.getElementById("kept");
if (box && entries.length) {
  const lines = entries.map((entry) => Object.assign(document.createElement("li"), { textContent: entry.words }));
  box.querySelector("ol")?.append(...lines);
  box.hidden = false;
}
addEventListener("online", () => location.reload());
