// @ts-check
// Talking to the server: JSON in, JSON or a fragment out, and one shape of fault.

/** A "no" of the server: `code`, sentence, and what else came along. */
export class Fault extends Error {
  /** @param {{code: string, message: string, rule?: string, number?: number, since?: string[], path?: string, to?: number}} error */
  constructor(error) {
    super(error.message);
    this.error = error;
  }
}

/** A fault of the way to the server: no answer, or a proxy's page in place of one. */
const unreachable = () => new Fault({ code: "unreachable", message: document.documentElement.dataset.unreachable || "" });

/** Whether the server was not reached, so that nobody knows what it did. @param {unknown} error */
export const isUnreachable = (error) => error instanceof Fault && error.error.code === "unreachable";

/** The text of the server's answer; a fault where it says no or does not answer. @param {string} address @param {RequestInit} request */
async function answerTo(address, request) {
  let ok, text;
  try {
    const response = await fetch(address, request);
    ok = response.ok;
    text = await response.text();
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw unreachable();
  }
  if (ok) return text;
  let told = null;
  try {
    told = JSON.parse(text).error;
  } catch {
    // a proxy's page
  }
  throw told ? new Fault(told) : unreachable();
}

/** @param {string} address @param {unknown} value @param {AbortSignal} [signal] */
export async function post(address, value, signal) {
  const body = typeof value === "string" ? value : JSON.stringify(value);
  const headers = { "content-type": "application/json", accept: "application/json" };
  return JSON.parse(await answerTo(address, { method: "POST", body, headers, signal }));
}

/** The fragment that the server makes of a file. @param {string} address @param {string} file */
export function fragmentOf(address, file) {
  const headers = { "content-type": "application/json", accept: "application/json" };
  return answerTo(address, { method: "POST", body: file, headers });
}

/** @param {string} address */
export const fragment = (address) => answerTo(address, { headers: { accept: "application/json" } });

/** Makes `newest(answer)` for one place of the page: the answer, or null where something else was asked for that place
 * meanwhile. A late answer never covers a newer one. */
export function newestOnly() {
  let asked = 0;
  /** @template T @param {Promise<T>} answer @returns {Promise<T | null>} */
  return async (answer) => {
    const mine = ++asked;
    const found = await answer;
    return mine === asked ? found : null;
  };
}
