/**
 * A short name for a text: FNV-1a, 32 bits in eight hexadecimal digits. It keeps nothing secret, and two texts may have the
 * same one. Node's own hashes are modules that take a hook 3 to 8 ms to load.
 */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
