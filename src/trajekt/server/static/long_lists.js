// @ts-check
// A list longer than its box runs on under the row of buttons: a shadow says so, and the row that has the focus or is chosen is
// moved from under it, whatever height the buttons take with what is told above them.

const bar = () => /** @type {HTMLElement | null} */ (document.querySelector("#action-form > .right"));

/** How far the row of buttons lies over something, in pixels. @param {Element | null | undefined} what @param {HTMLElement} over */
function covered(what, over) {
  return what ? what.getBoundingClientRect().bottom - over.getBoundingClientRect().top : 0;
}

/** Keep off the list what the row of buttons takes, and show whether it lies over more of it. */
function mark() {
  const over = bar();
  const side = /** @type {HTMLElement | null} */ (over?.closest(".side"));
  if (!over || !side) return;
  const stuck = getComputedStyle(over).position === "sticky";
  side.style.scrollPaddingBottom = stuck ? `${over.offsetHeight}px` : "";
  over.toggleAttribute("data-over", stuck && covered(over.previousElementSibling, over) > 1);
}

/** Move what is chosen from under the row of buttons, which has grown by what the choice would change. */
function uncover() {
  mark();
  const over = bar();
  if (!over || getComputedStyle(over).position !== "sticky") return;
  const by = covered(document.querySelector("#action-form .chip:has(:checked)"), over);
  if (by > 0) over.closest(".side")?.scrollBy({ top: by + 4 });
}

export function initLongLists() {
  const sizes = new ResizeObserver(uncover);
  /** Look at the row of buttons of the present decision. */
  function watch() {
    sizes.disconnect();
    for (const each of [bar(), bar()?.previousElementSibling, document.querySelector(".side")]) if (each) sizes.observe(each);
    mark();
  }
  document.addEventListener("regions", watch);
  document.addEventListener("scroll", mark, { capture: true, passive: true });
  document.addEventListener("change", (event) => {
    if (/** @type {HTMLInputElement} */ (event.target).name === "pick") uncover();
  });
  watch();
}
