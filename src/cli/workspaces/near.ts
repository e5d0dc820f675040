import { mistyped } from '../../domain/filter/near.ts';
import { foldName } from '../../domain/text/text.ts';
import type { NamedWorkspace } from '../../memory/engines.ts';

/**
 * The workspace that was probably meant (K-2): one that had this name; else one that has it as a part, as `app` of
 * `github.com~acme~app`; else one that differs in few characters, whatever their case.
 */
export function nearest(typed: string, there: NamedWorkspace[]): string | undefined {
  const wanted = foldName(typed);
  const all = there
    .filter(({ workspace }) => workspace !== typed)
    .flatMap(({ workspace, names }) =>
      [workspace, ...names].map((name) => ({ workspace, name: foldName(name) })),
    );
  const isWanted = (name: string) => name === wanted;
  const near =
    all.find(({ name }) => isWanted(name)) ?? all.find(({ name }) => name.split('~').some(isWanted));
  if (near) return near.workspace;
  const names = all.map(({ name }) => name);
  const closest = mistyped(wanted, names, 1);
  return all.find(({ name }) => name === closest)?.workspace;
}
