// @ts-check
// Short messages at the lower edge, read out by screen readers.

const TEXTS = JSON.parse(document.getElementById("texts")?.textContent || "{}");

/** A text of the page in the reader's language. @param {string} key */
export const text = (key) => String(TEXTS[key] ?? "");

/** @param {string} message @param {{rule?: string, lines?: string[], keep?: boolean, press?: [string, () => void]}} [more] */
export function say(message, more = {}) {
  const box = document.getElementById("said");
  if (!box) return;
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.textContent = message;
  if (more.rule) {
    const rule = document.createElement("code");
    rule.textContent = more.rule;
    toast.append(rule);
  }
  if (more.lines?.length) {
    const list = document.createElement("ul");
    for (const line of more.lines.slice(-5)) {
      const item = document.createElement("li");
      item.textContent = line;
      list.append(item);
    }
    toast.append(list);
  }
  if (more.press) {
    const [label, work] = more.press;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => {
      toast.remove();
      work();
    });
    toast.append(button);
  }
  box.replaceChildren(toast);
  if (!more.keep) setTimeout(() => toast.remove(), 3000 + 60 * (toast.textContent || "").length);
}

export function hush() {
  document.getElementById("said")?.replaceChildren();
}
