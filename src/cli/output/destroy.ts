import { here } from '../../files/surroundings.ts';
import { dim, line, type View } from '../../operations/view.ts';
import type { Asking } from './asking.ts';
import { confirm } from './confirm.ts';
import type { Answer } from './print.ts';
import { render } from './render.ts';
import { widthOf } from './terminal.ts';

interface Destruction {
  /** What would be done, such as `remove 3 records`. */
  doing: string;
  /** What would go, for a person. */
  shown: View;
  /** For a program: what would go. */
  report: object;
}

/**
 * Asks before something is destroyed (K-5).
 * @returns undefined when it shall be; else the answer, that nothing was
 * @throws PrecedentError `invalid` where nobody can be asked, without --yes
 */
export async function askFirst(
  { yes, dryRun }: Asking,
  { doing, shown, report }: Destruction,
): Promise<Answer | undefined> {
  if (dryRun) return { report: { changed: false, ...report }, view: [line(`would ${doing}`), ...shown] };
  if (yes) return undefined;
  const how = { width: widthOf(here().stderr, here().env), color: false, now: new Date() };
  const question = `${doing.charAt(0).toUpperCase()}${doing.slice(1)}, for good?`;
  const lines = shown.length > 0 ? render(shown, how).split('\n') : [];
  if (await confirm(question, lines)) return undefined;
  return { report: { changed: false, ...report }, view: [line(dim('nothing was changed'))] };
}
