// @ts-check
// The event stream: the server says at which number the table stands; a page that shows another one draws itself anew.

import { busy } from "./deed.js";
import { live, number, refresh, address } from "./regions.js";
import { say, hush, text } from "./say.js";

export function stream() {
  let lost = false;
  const source = new EventSource(address("events"));
  source.addEventListener("moved", (event) => {
    if (lost) {
      lost = false;
      hush();
      say(text("back"));
    }
    if (Number(event.data) !== number() && !busy()) refreshed();
  });
  source.addEventListener("changed", () => document.dispatchEvent(new CustomEvent("changed")));
  source.addEventListener("stirred", () => document.dispatchEvent(new CustomEvent("stirred")));
  source.addEventListener("error", () => {
    if (!lost) say(text("gone"), { keep: true });
    lost = true;
  });
  addEventListener("beforeunload", () => source.close());
}

function refreshed() {
  // somebody who looks at the past stays there; only the length of the time line grows
  const at = live() ? null : Number(document.getElementById("app")?.dataset.at);
  refresh(at).catch(() => {});
}
