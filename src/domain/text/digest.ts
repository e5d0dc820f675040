/** The SHA-256 of a text or of bytes, as hexadecimal digits. Loaded on use: a hook needs none, and it would cost one 8 ms. */
export function sha256(text: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}

/** JSON whose keys are sorted and whose empty values are left out: equal for equal values. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
