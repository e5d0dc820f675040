import { closestMatch } from 'leven';
import type { NamedWorkspace } from '../../memory/engines.ts';

/** The share of a name that may be mistyped, and how many characters at most. */
const SHARE = 0.4;
const MOST = 3;

/**
 * The workspace that was probably meant (K-2): one that had this name; else one that has it as a part, as `app` of
 * `github.com~acme~app`; else one that differs in few characters, whatever their case.
 */
export function nearest(typed: string, there: NamedWorkspace[]): string | undefined {
  const wanted = fold(typed);
  const all = there
    .filter(({ workspace }) => workspace !== typed)
    .flatMap(({ workspace, names }) =>
      [workspace, ...names].map((name) => ({ workspace, name: fold(name) })),
    );
  const found =
    all.find(({ name }) => name === wanted) ?? all.find(({ name }) => name.split('~').includes(wanted));
  if (found) return found.workspace;
  const maxDistance = Math.min(MOST, Math.max(1, Math.floor(wanted.length * SHARE)));
  const closest = closestMatch(
    wanted,
    all.map(({ name }) => name),
    { maxDistance },
  );
  return all.find(({ name }) => name === closest)?.workspace;
}

const fold = (name: string) => name.normalize('NFC').toLowerCase();
