// @ts-check
// A link as a QR code, so that the camera of a phone beside this screen opens it.

import { generate } from "./vendor/lean-qr-2.7.4.js";

const QUIET = 4; // squares of the border that a camera needs

/** A code as a picture, black on white with its quiet border. @param {string} content @param {string} label */
export function qrPicture(content, label) {
  const code = generate(content);
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const size = code.size + 2 * QUIET;
  picture.setAttribute("viewBox", `0 0 ${size} ${size}`);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", label);
  picture.setAttribute("class", "qr-code");
  let squares = "";
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) squares += `M${x + QUIET} ${y + QUIET}h1v1h-1z`;
  }
  picture.innerHTML = `<path d="M0 0h${size}v${size}h-${size}z" fill="#fff"/><path d="${squares}" shape-rendering="crispEdges"/>`;
  return picture;
}
