// @ts-check
// Language and theme: kept in cookies, so that the server draws in the reader's language. The theme follows the system
// until somebody chooses.

/** @param {string} name @param {string} value */
function keep(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
}

function show() {
  const chosen = document.documentElement.dataset.theme;
  const theme = chosen || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.getAttribute("data-theme-choice") === theme));
  }
}

export function settings() {
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const language = target.closest("[data-lang]");
    if (language) {
      keep("lang", language.getAttribute("data-lang") || "en");
      location.reload();
    }
    const theme = target.closest("[data-theme-choice]");
    if (theme) {
      const value = theme.getAttribute("data-theme-choice") || "light";
      keep("theme", value);
      document.documentElement.dataset.theme = value;
      show();
    }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  document.addEventListener("regions", show);
  show();
}
