import * as z from 'zod';
import type { Question } from '../../store/search/question.ts';
import { dim, line, type View, warn } from '../view.ts';
import { nothingFound } from './fields.ts';

/** In the result of a search: what its reader must know before the results (T-8, T-9). */
export const answeredFields = () => ({
  answered: z.literal(false).optional().describe('Given when nothing recorded answers this'),
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

/** What a model reads before the results. @param shown how many there are */
export const briefAnswered = ({ answered, read_as }: Answered, shown: number) => ({
  ...(answered === false && { note: shown > 0 ? `${NOTHING}; nearest:` : `${NOTHING}.`, answered }),
  ...(read_as && { read_as }),
});

/** What a person reads before the results; `workspace` is given when there are none. */
export function viewAnswered({ answered, read_as }: Answered, shown: number, workspace?: string): View {
  const where = workspace === undefined ? '' : ` in workspace ${workspace}`;
  const said = shown > 0 ? warn(`${NOTHING}; nearest:`) : dim(`${NOTHING}${where}.`);
  return [
    ...Object.entries(read_as ?? {}).map(([word, near]) =>
      line(dim(`"${word}": hardly any record has it; looked for "${near}", too`)),
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
  return said.answered === false ? viewAnswered(said, 0, workspace) : nothingFound(workspace);
}
