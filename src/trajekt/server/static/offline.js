// @ts-check
// The page that stands in while the server cannot be reached: it looks again when the device is connected, or is asked to.

import { handle } from "./handlers.js";

handle({
  "try-again": () => location.reload(),
});
addEventListener("online", () => location.reload());
