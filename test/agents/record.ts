import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Rig } from './rig.ts';

/** Puts a recorder in the place of the installed program. */
export function startRecording({ installed }: Rig): void {
  const program = join(installed, 'dist', 'precedent.cjs');
  renameSync(program, join(installed, 'dist', 'itself.cjs'));
  copyFileSync(join(import.meta.dirname, 'recorder.cjs'), program);
}

const NOBODY = '/home/user';

/** Writes what the agent sent to its hooks into a folder, with the paths of nobody. */
export function writeRecorded({ installed, home }: Rig, folder: string): void {
  const recorded = join(installed, 'dist', 'recorded');
  if (!existsSync(recorded)) return;
  mkdirSync(folder, { recursive: true });
  // Claude Code makes names of paths.
  const nameOf = (path: string) => path.replaceAll(/[^a-z0-9]/gi, '-');
  for (const name of readdirSync(recorded)) {
    const text = readFileSync(join(recorded, name), 'utf8')
      .replaceAll(home, NOBODY)
      .replaceAll(nameOf(home), nameOf(NOBODY));
    writeFileSync(join(folder, name), `${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  }
}
