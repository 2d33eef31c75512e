// @ts-check
// Solved puzzles and days in a row, kept by the device: no account is needed and nothing is sent.

const KEY = "trajekt-puzzles";
const DAY = 86_400_000; // milliseconds

/** @typedef {{solved: string[], days: number[]}} Solved days are counted from 1970 */

/** @returns {Solved} */
export function readSolved() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) || "{}");
    return { solved: [...(kept.solved || [])], days: [...(kept.days || [])] };
  } catch {
    return { solved: [], days: [] };
  }
}

const today = () => Math.floor(Date.now() / DAY);

/** @param {string} id */
export function keepSolved(id) {
  const { solved, days } = readSolved();
  const kept = { solved: [...new Set([...solved, id])], days: [...new Set([...days, today()])].slice(-1000) };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // a browser that keeps nothing
  }
}

/** How many days in a row, up to today or yesterday, had a solved puzzle. */
export function streak() {
  const days = new Set(readSolved().days);
  let day = days.has(today()) ? today() : today() - 1;
  let count = 0;
  while (days.has(day)) {
    count += 1;
    day -= 1;
  }
  return count;
}
