// @ts-check
// After the end: a new table with the same people and options.

import { say } from "./toasts.js";
import { Fault, post } from "./api.js";
import { handle } from "./handlers.js";
import { keepMade } from "./share_links.js";

handle({
  "play-again": async (button) => {
    if (button.getAttribute("aria-busy")) return;
    button.setAttribute("aria-busy", "true");
    try {
      const made = await post("/tables", button.dataset.again || "{}");
      if (made.seats) keepMade(made); // the links of the seats are shown by the start page, once
      location.href = made.seats ? "/" : made.address;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      say(error.message);
      button.removeAttribute("aria-busy");
    }
  },
});
