import * as z from 'zod';
import type { Question } from '../../store/search/question.ts';
import { dim, line, type View, warn } from '../view.ts';
import { nothingFound } from './fields.ts';

/** In the result of a search: what its reader must know before the results (T-8, T-9). */
export const answeredFields = () => ({
  answered: z.literal(false).optional().describe('Given when nothing recorded answers this in its words'),
  read_as: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Words that hardly any record has, each with what was looked for, too: other words for the same, or a near one where it may be mistyped',
    ),
});

interface Answered {
  answered?: false | undefined;
  read_as?: Record<string, string> | undefined;
}

/** {@link answeredFields} of a question as it was read. */
export const answeredWhen = (isAnswered: boolean, { readAs }: Question): Answered => ({
  ...(!isAnswered && { answered: false }),
  ...(readAs.size > 0 && { read_as: Object.fromEntries(readAs) }),
});

const NOTHING = 'Nothing recorded answers this';

/**
 * What is said of the records below, whose rules may answer in other words.
 * @param shown how many were found @param holding how many are shown whatever was asked, before those
 */
function unanswered(shown: number, holding: number): string {
  if (shown + holding === 0) return `${NOTHING}.`;
  const what = holding > 0 ? `what holds here${shown > 0 ? ', then the nearest' : ''}` : 'nearest';
  return `${NOTHING} in these words; ${what}:`;
}

/** What a model reads before the results: {@link unanswered}. */
export const briefAnswered = ({ answered, read_as }: Answered, shown: number, holding = 0) => ({
  ...(answered === false && { note: unanswered(shown, holding), answered }),
  ...(read_as && { read_as }),
});

/** What a person reads before the results: {@link unanswered}. `workspace` is given when there are none. */
export function viewAnswered(
  { answered, read_as }: Answered,
  shown: number,
  holding = 0,
  workspace?: string,
): View {
  const where = workspace === undefined ? '' : ` in workspace ${workspace}`;
  const isEmpty = shown + holding === 0;
  const said = isEmpty ? dim(`${NOTHING}${where}.`) : warn(unanswered(shown, holding));
  return [
    ...Object.entries(read_as ?? {}).map(([word, near]) =>
      line(dim(`"${word}" is in hardly any record: also searched for "${near}"`)),
    ),
    ...(answered === false ? [line(said)] : []),
  ];
}

/** A search as a person sees it: what must be known first, then what was found, or that nothing was. @param shown how many results */
export function viewFound(
  { workspace, ...said }: Answered & { workspace?: string | undefined },
  shown: number,
  found: View,
): View {
  if (shown > 0) return [...viewAnswered(said, shown), ...found];
  return said.answered === false ? viewAnswered(said, 0, 0, workspace) : nothingFound(workspace);
}
