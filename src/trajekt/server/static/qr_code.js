// @ts-check
// A link as a QR code (ISO/IEC 18004), so that the camera of a phone beside this screen opens it: bytes, error correction of
// level L, versions 1 to 10, which hold 271 bytes.

/** By version: code words of correction in a block, blocks, code words of data in all; and where alignment patterns lie. */
const VERSIONS = [
  [7, 1, 19], [10, 1, 34], [15, 1, 55], [20, 1, 80], [26, 1, 108], [18, 2, 136], [20, 2, 156], [24, 2, 194], [30, 2, 232], [18, 4, 274],
];
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
/** @type {((x: number, y: number) => number)[]} */
const MASKS = [
  (x, y) => (x + y) % 2,
  (_x, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/** @typedef {{size: number, dark: boolean[][], fixed: boolean[][]}} Grid rows of modules; the fixed ones bear no data */

/** The product of two elements of the field of 256. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** The code words of correction for a block of data. @param {number[]} block @param {number} count */
function correction(block, count) {
  /** @type {number[]} */
  let divisor = [...new Array(count - 1).fill(0), 1];
  for (let n = 0, root = 1; n < count; n += 1, root = times(root, 2)) {
    divisor = divisor.map((each, at) => times(each, root) ^ (divisor[at + 1] || 0));
  }
  /** @type {number[]} */
  let rest = new Array(count).fill(0);
  for (const word of block) {
    const factor = word ^ rest[0];
    rest = [...rest.slice(1), 0].map((each, at) => each ^ times(divisor[at], factor));
  }
  return rest;
}

/** The code words of a text, data and correction, in the order in which they are laid.
 * @param {Uint8Array} bytes @param {number} version */
function codeWords(bytes, version) {
  const [check, blocks, room] = VERSIONS[version - 1];
  const long = version > 9 ? 16 : 8;
  const bits = [[4, 4], [bytes.length, long], ...[...bytes].map((each) => [each, 8]), [0, 4]]
    .map(([value, width]) => value.toString(2).padStart(width, "0")).join("").slice(0, room * 8);
  const words = (bits.match(/.{1,8}/g) || []).map((each) => parseInt(each.padEnd(8, "0"), 2));
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad);
  const short = Math.floor(room / blocks), longer = room % blocks;
  let at = 0;
  const data = [...new Array(blocks)].map((_each, n) => words.slice(at, (at += short + (n >= blocks - longer ? 1 : 0))));
  const checks = data.map((block) => correction(block, check));
  const woven = (/** @type {number[][]} */ lists) =>
    [...new Array(Math.max(...lists.map((each) => each.length)))].flatMap((_each, n) => lists.flatMap((list) => list.slice(n, n + 1)));
  return [...woven(data), ...woven(checks)];
}

/** @param {Grid} grid @param {number} x @param {number} y @param {boolean} dark */
function fix(grid, x, y, dark) {
  if (x < 0 || y < 0 || x >= grid.size || y >= grid.size) return;
  grid.dark[y][x] = dark;
  grid.fixed[y][x] = true;
}

/** Square rings around a place; `reach` is that of the outermost.
 * @param {Grid} grid @param {number} x @param {number} y @param {number} reach */
function rings(grid, x, y, reach) {
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const far = Math.max(Math.abs(dx), Math.abs(dy));
      fix(grid, x + dx, y + dy, reach === 4 ? far !== 2 && far !== 4 : far !== 1);
    }
  }
}

/** The bits of a value with those that correct it. @param {number} value @param {number} count @param {number} polynomial */
function guarded(value, count, polynomial) {
  let rest = value;
  for (let n = 0; n < count; n += 1) rest = (rest << 1) ^ ((rest >> (count - 1)) * polynomial);
  return (value << count) | rest;
}

/** What every code of a version has. @param {Grid} grid @param {number} version */
function drawPatterns(grid, version) {
  const { size } = grid;
  for (let n = 0; n < size; n += 1) {
    fix(grid, 6, n, n % 2 === 0);
    fix(grid, n, 6, n % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) rings(grid, x, y, 4);
  for (const x of ALIGNMENT[version - 1]) {
    for (const y of ALIGNMENT[version - 1]) {
      const corner = (x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6);
      if (!corner) rings(grid, x, y, 2);
    }
  }
  for (let n = 0; version > 6 && n < 18; n += 1) {
    const dark = ((guarded(version, 12, 0x1f25) >> n) & 1) === 1, a = size - 11 + (n % 3), b = Math.floor(n / 3);
    fix(grid, a, b, dark);
    fix(grid, b, a, dark);
  }
}

/** What tells the level and the mask, twice. @param {Grid} grid @param {number} mask */
function drawFormat(grid, mask) {
  const { size } = grid;
  const format = guarded((1 << 3) | mask, 10, 0x537) ^ 0x5412;
  for (let n = 0; n < 15; n += 1) {
    const dark = ((format >> n) & 1) === 1;
    if (n < 8) fix(grid, 8, n < 6 ? n : n + 1, dark);
    else fix(grid, n === 8 ? 7 : 14 - n, 8, dark);
    if (n < 8) fix(grid, size - 1 - n, 8, dark);
    else fix(grid, 8, size - 15 + n, dark);
  }
  fix(grid, 8, size - 8, true);
}

/** Lay the code words in the order of the code, up and down in pairs of columns.
 * @param {Grid} grid @param {number[]} words @param {number} mask */
function lay(grid, words, mask) {
  const { size } = grid;
  let at = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let n = 0; n < size * 2; n += 1) {
      const x = right - (n % 2), row = Math.floor(n / 2), y = ((right + 1) & 2) === 0 ? size - 1 - row : row;
      if (grid.fixed[y][x]) continue;
      const bit = at < words.length * 8 && ((words[at >> 3] >> (7 - (at & 7))) & 1) === 1;
      grid.dark[y][x] = bit !== (MASKS[mask](x, y) === 0);
      at += 1;
    }
  }
}

/** How hard a code is to read, as the standard counts it. @param {boolean[][]} dark */
function penalty(dark) {
  const size = dark.length;
  const rows = dark.map((row) => row.map(Number).join(""));
  const columns = rows.map((_row, x) => rows.map((row) => row[x]).join(""));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    for (const run of line.match(/0{5,}|1{5,}/g) || []) sum += run.length - 2;
    sum += 40 * (line.match(/(?=00001011101|10111010000)/g) || []).length;
  }
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      if (new Set([dark[y][x], dark[y - 1][x], dark[y][x - 1], dark[y - 1][x - 1]]).size === 1) sum += 3;
    }
  }
  const share = (100 * rows.join("").replaceAll("0", "").length) / (size * size);
  return sum + 10 * Math.floor(Math.abs(share - 50) / 5);
}

/** The rows of the code of a text, dark modules true; none where it is too long. Without a mask the one that is read best.
 * @param {string} content @param {number} [wanted] @returns {boolean[][]} */
export function qrCode(content, wanted) {
  const bytes = new TextEncoder().encode(content);
  const version = 1 + VERSIONS.findIndex(([, , room], n) => bytes.length <= room - (n > 8 ? 3 : 2));
  if (!version) return [];
  const words = codeWords(bytes, version);
  const size = 17 + 4 * version;
  const blank = () => [...new Array(size)].map(() => new Array(size).fill(false));
  const made = (wanted === undefined ? MASKS.map((_mask, n) => n) : [wanted]).map((mask) => {
    const grid = { size, dark: blank(), fixed: blank() };
    drawPatterns(grid, version);
    drawFormat(grid, mask);
    lay(grid, words, mask);
    return grid.dark;
  });
  return made.reduce((best, each) => (penalty(each) < penalty(best) ? each : best));
}

/** A code as a picture, black on white with its quiet border. @param {string} content @param {string} label */
export function qrPicture(content, label) {
  const rows = qrCode(content);
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const size = rows.length + 8;
  picture.setAttribute("viewBox", `0 0 ${size} ${size}`);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", label);
  picture.setAttribute("class", "qr-code");
  const squares = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : "")));
  picture.innerHTML = `<path d="M0 0h${size}v${size}h-${size}z" fill="#fff"/><path d="${squares.join("")}" shape-rendering="crispEdges"/>`;
  return picture;
}
