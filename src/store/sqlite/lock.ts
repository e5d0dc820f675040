import { rmSync } from 'node:fs';
import { fault } from './fault.ts';
import { createPrivately, inodeOf, requireHarmless } from './file.ts';

/**
 * Takes the lock that a file represents, making it and its folder where there are none. The operating system releases what
 * a process held that died, however it died, and tells every other process, in whatever container it runs. The file is gone
 * once it is released, except on Windows, where nobody can remove a file that another process has open.
 * @param patience milliseconds that this process blocks while another one has it
 * @param keepsFile whether the file stays when it is released
 * @returns releases it; undefined while another process has it
 */
export function lock(file: string, { patience = 0, keepsFile = false } = {}): (() => void) | undefined {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  for (;;) {
    requireHarmless(file);
    // Where it is there, opening and closing it would release a lock that this process has.
    if (inodeOf(file) === undefined) createPrivately(file);
    const inode = inodeOf(file);
    const held = new DatabaseSync(file);
    try {
      held.exec(`pragma busy_timeout = ${patience}`);
      // Without a second file next to it.
      held.exec('pragma journal_mode = memory');
      held.exec('begin exclusive');
    } catch (error) {
      held.close();
      if (fault(error).kind === 'busy') return undefined;
      throw error;
    }
    if (inode !== undefined && inodeOf(file) === inode)
      return () => (keepsFile ? held.close() : release(file, held));
    // The last holder removed this file: the lock is the file that has the name now.
    held.close();
  }
}

function release(file: string, held: { close(): void }): void {
  try {
    // First, so that nobody takes a file that is about to be removed.
    rmSync(file, { force: true });
  } catch {
    // It stays, and is taken again the next time.
  } finally {
    held.close();
  }
}
