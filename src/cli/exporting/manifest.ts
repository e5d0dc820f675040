import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../domain/text/digest.ts';

/** Beside the files of an export: what was written there, so that the next one knows its own. */
export const MANIFEST = '.precedent-export';
const LINE = /^([0-9a-f]{64}) {2}(.+)$/;

/** What earlier exports wrote into a folder. */
export interface Manifest {
  paths: string[];
  /** Of what was written, whatever it was called. */
  hashes: Set<string>;
}

/** @returns undefined where a file of that name is no manifest */
export function readManifest(folder: string): Manifest | undefined {
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) return { paths: [], hashes: new Set() };
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const found = lines.map((line) => LINE.exec(line));
  if (found.some((each) => each === null)) return undefined;
  const told = found.map((each) => [each?.[1] ?? '', each?.[2] ?? ''] as const);
  return { paths: told.map(([, path]) => path), hashes: new Set(told.map(([hash]) => hash)) };
}

/** @param files hashes by path; of a path that is about to change the old one as well */
export function writeManifest(folder: string, files: Iterable<readonly [path: string, hash: string]>): void {
  const lines = [...files].map(([path, hash]) => `${hash}  ${path}\n`);
  writeFileSync(join(folder, MANIFEST), lines.sort(byPath).join(''));
}

/** What a text is known by; git may have changed its line ends since. */
export const hashOf = (text: string): string => sha256(text.replaceAll('\r\n', '\n'));

const HASH = 64;
const byPath = (one: string, other: string) => {
  const [a, b] = [one.slice(HASH) + one, other.slice(HASH) + other];
  return a < b ? -1 : a > b ? 1 : 0;
};
