// @ts-check
// The page that goes on paper: always light, and a button that prints.

document.documentElement.dataset.theme = "light";
document.getElementById("print")?.addEventListener("click", () => print());
