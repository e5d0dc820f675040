import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** An empty folder, removed after the test even when it is protected. */
export function protectable(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-test-'));
  test.after(() => {
    chmodSync(folder, 0o755);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Takes the right to write from a folder and the files in it. Root has it all the same. */
export function protect(folder: string): void {
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
  chmodSync(folder, 0o555);
}

/** Works as somebody whom modes concern. */
export async function withoutPrivileges<Result>(work: () => Promise<Result>): Promise<Result> {
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

/**
 * Makes a folder read-only for programs that are started with what this returns before them. Where the system lets a
 * process have mounts of its own, it is read-only to them alone, as on a read-only medium or in a sandbox; else its modes
 * say so, and they are nobody.
 */
export function readOnlyPlace(folder: string): string[] {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"';
  const command = 'unshare';
  const words = ['--mount', ...(isRoot ? [] : ['--map-root-user']), 'sh', '-c', mount, folder];
  try {
    execFileSync(command, [...words, 'true'], { stdio: 'ignore' });
    return [command, ...words];
  } catch {
    protect(folder);
    return isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  }
}
