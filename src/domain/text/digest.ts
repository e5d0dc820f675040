/** The SHA-256 of a text or of bytes, as hexadecimal digits. Loaded on use: a hook needs none, and it would cost one 8 ms. */
export function sha256(text: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}
