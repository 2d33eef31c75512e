// @ts-check
// The hours in which the reader is not called: kept with the person, in the zone of this device.

import { say, text } from "./toasts.js";
import { Fault, post } from "./api.js";

const minutes = (/** @type {string} */ time) => {
  const [hour, minute] = time.split(":").map(Number);
  return 60 * hour + minute;
};

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.dataset.kind !== "quiet") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const data = new FormData(form);
  const [start, end] = [String(data.get("start") || ""), String(data.get("end") || "")];
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    await post("/me/quiet", { hours: start && end ? { start: minutes(start), end: minutes(end), zone } : null });
    say(text("kept"));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    say(error.message);
  }
}, { capture: true });
