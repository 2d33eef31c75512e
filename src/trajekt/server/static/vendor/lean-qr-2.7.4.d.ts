/** The part of lean-qr that the page uses. */
export function generate(content: string): { size: number; get(x: number, y: number): boolean };
