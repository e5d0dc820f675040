import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pkg from '../../../package.json' with { type: 'json' };
import type { Package } from '../../agents/app/install.ts';
import { internal } from '../../domain/error.ts';

/** Where the package has its skill. */
export const SKILL = join('skills', 'precedent', 'SKILL.md');

/** The package that this file is in: of the sources, of an installation or of a copy. */
export function packageHere(): Package {
  return { root: rootOf(import.meta.dirname), version: pkg.version };
}

function rootOf(folder: string): string {
  if (existsSync(join(folder, SKILL))) return folder;
  if (dirname(folder) !== folder) return rootOf(dirname(folder));
  throw internal.incomplete_package('The package is incomplete: its skill is missing. Install it again.');
}
