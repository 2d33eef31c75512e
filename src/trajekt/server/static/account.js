// @ts-check
// My tables and the account.

import { post } from "./api.js";
import { handle } from "./handlers.js";
import { endPush, initPush } from "./web_push.js";
import "./quiet_hours.js";
import { writeTimes } from "./local_times.js";
import { initSettings } from "./settings.js";
import { showLink } from "./share_links.js";

initSettings();
initPush();
writeTimes();
document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  event.preventDefault();
  try {
    const answer = await post(form.dataset.post || "", Object.fromEntries(new FormData(form)));
    location.href = answer.address || "/me";
  } catch (error) {
    const line = /** @type {HTMLElement} */ (form.querySelector(".error"));
    line.textContent = error instanceof Error ? error.message : String(error);
    line.hidden = false;
  }
});
handle({
  "sign-out": async () => {
    await endPush().catch(() => {});
    location.href = (await post("/me/out", {})).address;
  },
  "sign-out-others": async () => {
    await post("/me/out/others", {});
    location.href = "/me";
  },
  "make-login-link": async () => {
    const box = document.getElementById("new-link");
    if (box) showLink(box, (await post("/me/link", {})).address);
  },
});
document.documentElement.dataset.ready = "yes";
