// @ts-check
// The page that goes on paper: always light, and a button that prints.

import { handle } from "./handlers.js";

document.documentElement.dataset.theme = "light";
handle({
  print: () => print(),
});
