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
import pkg from '../../package.json' with { type: 'json' };
import type { Rig } from './rig.ts';

/** Puts a recorder in the place of the program that agents start. */
export function startRecording({ copy }: Rig): void {
  const dist = join(copy, pkg.version, 'dist');
  const program = join(dist, 'precedent.cjs');
  renameSync(program, join(dist, 'itself.cjs'));
  copyFileSync(join(import.meta.dirname, 'recorder.cjs'), program);
}

const NOBODY = '/home/user';

/** Writes what the agent sent to its hooks into a folder, with the paths of nobody. */
export function writeRecorded({ copy, home }: Rig, folder: string): void {
  const recorded = join(copy, '..', 'recorded');
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
