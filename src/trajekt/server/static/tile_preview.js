// @ts-check
// A hex as it would lie, drawn over the map until the choice is confirmed or dropped.

import { drawing } from "./pan_zoom.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {{hex: string, x: number, y: number, svg: string}} over */
export function showPreview(over) {
  hidePreview();
  const svg = drawing();
  if (!svg) return;
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "tile-preview");
  group.setAttribute("transform", `translate(${over.x} ${over.y})`);
  group.innerHTML = over.svg;
  const frame = group.querySelector("polygon")?.cloneNode();
  if (frame instanceof Element) {
    frame.setAttribute("class", "frame");
    group.append(frame);
  }
  svg.append(group);
}

export function hidePreview() {
  drawing()?.querySelector(".tile-preview")?.remove();
}
