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

/** @param {Response} response */
async function checked(response) {
  if (response.ok) return response;
  let error = { code: "unreachable", message: `${response.status} ${response.statusText}` };
  try {
    error = (await response.json()).error;
  } catch {
    // a proxy's page: the status has to do
  }
  throw new Fault(error);
}

/** @param {string} address @param {unknown} value @param {AbortSignal} [signal] */
export async function post(address, value, signal) {
  const body = typeof value === "string" ? value : JSON.stringify(value);
  const headers = { "content-type": "application/json", accept: "application/json" };
  return (await checked(await fetch(address, { method: "POST", body, headers, signal }))).json();
}

/** The fragment that the server makes of a file. @param {string} address @param {string} file */
export async function fragmentOf(address, file) {
  const headers = { "content-type": "application/json", accept: "application/json" };
  return (await checked(await fetch(address, { method: "POST", body: file, headers }))).text();
}

/** @param {string} address */
export async function fragment(address) {
  return (await checked(await fetch(address, { headers: { accept: "application/json" } }))).text();
}
