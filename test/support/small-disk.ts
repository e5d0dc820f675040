import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIZE = '16m';

/** Why no disk of a few megabytes can be had here; undefined where it can. */
export const noSmallDisk = whyNot();

function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'no tmpfs on this system';
  const folder = mkdtempSync(join(tmpdir(), 'precedent-disk-'));
  try {
    mount(folder);
    execFileSync('umount', [folder]);
    return undefined;
  } catch {
    return 'mounting is not allowed here';
  } finally {
    rmdirSync(folder);
  }
}

function mount(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0777`, 'none', folder], { stdio: 'ignore' });
}

/** An empty disk of a few megabytes, gone after the test. */
export function smallDisk(test: { after: (clean: () => void) => void }) {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-disk-'));
  mount(folder);
  const filling = join(folder, 'filling');
  test.after(() => {
    // Lazily: a process that was killed may not be gone yet.
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  });
  return {
    folder,
    /** Fills it to the last byte. */
    fill(): void {
      const file = openSync(filling, 'a');
      for (let bytes = Buffer.alloc(1 << 16, 1); bytes.length > 0; )
        try {
          bytes = bytes.subarray(0, writeSync(file, bytes));
        } catch {
          bytes = bytes.subarray(0, bytes.length >> 1);
        }
      closeSync(file);
    },
    /** Makes room again. */
    clear: () => rmSync(filling),
  };
}
