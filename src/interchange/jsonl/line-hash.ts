import { createHash } from 'node:crypto';

/** Characters that are hashed at once: a call for each line would cost more than the hash. */
const AT_ONCE = 65_536;

/** SHA-256 of lines, each with its line feed. */
export class LineHash {
  readonly #hash = createHash('sha256');
  #waiting = '';

  add(line: string): void {
    this.#waiting += `${line}\n`;
    if (this.#waiting.length < AT_ONCE) return;
    this.#hash.update(this.#waiting);
    this.#waiting = '';
  }

  /** In hexadecimal; no line can be added afterwards. */
  checksum(): string {
    return this.#hash.update(this.#waiting).digest('hex');
  }
}
