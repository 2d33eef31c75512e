// @ts-check
// Language and theme: kept in cookies, so that the server draws in the reader's language. The theme follows the system
// until somebody chooses.

import { handle, markPressed } from "./handlers.js";

const DARK = matchMedia("(prefers-color-scheme: dark)");

/** @param {string} name @param {string} value */
function setCookie(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
}

function showTheme() {
  const theme = document.documentElement.dataset.theme || (DARK.matches ? "dark" : "light");
  markPressed(document.querySelectorAll("[data-theme-choice]"), (each) => each.getAttribute("data-theme-choice") === theme);
}

handle({
  "set-language": (button) => {
    setCookie("lang", button.dataset.lang || "en");
    location.reload();
  },
  "set-theme": (button) => {
    const theme = button.dataset.themeChoice || "light";
    setCookie("theme", theme);
    document.documentElement.dataset.theme = theme;
    showTheme();
  },
});

export function initSettings() {
  DARK.addEventListener("change", showTheme);
  document.addEventListener("regions", showTheme);
  showTheme();
}
