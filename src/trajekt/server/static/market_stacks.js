// @ts-check
// A stack of markers fans out beside its space when it is pointed at, focused or tapped: each token whole, the first to operate
// first, and in words below them.

const SIZE = 34; // px
const NAMESPACE = "http://www.w3.org/2000/svg";

/** The hand of tokens, made when it is first needed. @returns {HTMLElement} */
function fan() {
  const found = document.getElementById("fan");
  if (found) return found;
  const made = document.createElement("ol");
  made.id = "fan";
  made.hidden = true;
  made.setAttribute("aria-hidden", "true"); // the space says the same to a screen reader
  document.body.append(made);
  return made;
}

/** A token by itself, as it is drawn on the market. @param {Element} use @returns {HTMLElement} */
function token(use) {
  const item = document.createElement("li");
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("width", String(SIZE));
  svg.setAttribute("height", String(SIZE));
  const copy = document.createElementNS(NAMESPACE, "use");
  copy.setAttribute("href", use.getAttribute("href") || "");
  copy.setAttribute("width", String(SIZE));
  copy.setAttribute("height", String(SIZE));
  svg.append(copy);
  item.append(svg);
  return item;
}

/** @param {Element} cell */
function show(cell) {
  const tokens = [...cell.querySelectorAll("use[href^='#token-']")].reverse();
  if (tokens.length < 2) {
    hide();
    return;
  }
  const list = fan();
  const words = document.createElement("li");
  words.className = "words";
  words.textContent = cell.getAttribute("aria-label");
  list.replaceChildren(...tokens.map(token), words);
  list.hidden = false;
  const at = cell.getBoundingClientRect();
  const own = list.getBoundingClientRect();
  const left = Math.min(Math.max(4, at.left + at.width / 2 - own.width / 2), innerWidth - own.width - 4);
  const above = at.top - own.height - 4;
  list.style.left = `${left}px`;
  list.style.top = `${above > 4 ? above : at.bottom + 4}px`;
}

function hide() {
  const list = document.getElementById("fan");
  if (list) list.hidden = true;
}

/** The occupied space of the market that an event is about. @param {Event} event @returns {Element | null} */
const spaceOf = (event) => /** @type {Element} */ (event.target).closest?.("#market-view .cell.held") || null;

export function initMarketStacks() {
  for (const kind of ["pointerover", "focusin", "click"]) {
    document.addEventListener(kind, (event) => {
      const cell = spaceOf(event);
      if (cell) show(cell);
      else hide();
    });
  }
  document.addEventListener("regions", hide);
  const follow = () => {
    // a finger leaves its :hover behind
    const pointed = matchMedia("(hover: hover)").matches ? document.querySelector("#market-view .cell.held:hover") : null;
    const cell = document.activeElement?.closest("#market-view .cell.held") || pointed;
    if (cell) show(cell);
    else hide();
  };
  document.addEventListener("scroll", follow, { capture: true, passive: true });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
}
