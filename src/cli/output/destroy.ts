import { createInterface } from 'node:readline/promises';
import { invalid } from '../../domain/error.ts';
import { capitalize } from '../../domain/text/text.ts';
import { visible } from '../../domain/text/visible.ts';
import { here } from '../../files/surroundings.ts';
import { dim, line, type View } from '../../operations/view.ts';
import type { Asking } from './asking.ts';
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
 * @returns undefined when the person agrees; else the answer, that nothing was
 * @throws PrecedentError `invalid` where nobody can be asked, without --yes
 */
export async function askFirst(
  { yes, dryRun }: Asking,
  { doing, shown, report }: Destruction,
): Promise<Answer | undefined> {
  if (dryRun) return { report: { changed: false, ...report }, view: [line(`would ${doing}`), ...shown] };
  if (yes) return undefined;
  const question = `${capitalize(doing)}, for good?`;
  if (await confirmView(question, shown)) return undefined;
  return { report: { changed: false, ...report }, view: [line(dim('nothing was changed'))] };
}

/** Lines that a person is shown before a question. */
const MOST_LINES = 40;

/** {@link confirm} about what an answer shows. */
export function confirmView(question: string, view: View): Promise<boolean> {
  const how = { width: widthOf(here().stderr, here().env), color: false, now: new Date() };
  const lines = view.length > 0 ? render(view, how).split('\n') : [];
  const more = lines.length - MOST_LINES;
  const rest = more > 0 ? [`and ${more} more lines, which --dry-run shows`] : [];
  return confirm(question, [...lines.slice(0, MOST_LINES), ...rest]);
}

/**
 * Asks before something is destroyed (K-5). The answer goes past standard output, which may be read by a program.
 * @param what is destroyed, a line each
 * @throws PrecedentError `invalid` where nobody can be asked: a program says --yes
 */
export async function confirm(question: string, what: string[]): Promise<boolean> {
  const { stdin, stderr } = here();
  if (!stdin.isTTY || !stderr.isTTY)
    throw invalid.no_terminal(
      `Expected --yes, since there is no terminal to ask on. Nothing was changed. --dry-run shows what would be changed.`,
    );
  return asking(what, (ask) => agrees(ask, question));
}

/** Asks one question: what was typed on one line, empty where nothing was. */
export type Ask = (question: string) => Promise<string>;

/** Whether the answer is yes. */
export const agrees = async (ask: Ask, question: string): Promise<boolean> =>
  /^y(es)?$/i.test(await ask(`${question} [y/N] `));

/**
 * Shows a person at a terminal some lines, and asks. Ctrl-C and Ctrl-D are not an answer.
 * @param work is also told how to see that the person has left
 */
export async function asking<Result>(
  what: string[],
  work: (ask: Ask, isOver: () => boolean) => Promise<Result>,
): Promise<Result> {
  const { stdin: input, stderr: output } = here();
  const dialogue = createInterface({ input, output });
  // What is typed before it is asked for waits.
  const typed = dialogue[Symbol.asyncIterator]();
  try {
    for (const line of what) output.write(`  ${visible(line)}\n`);
    let isOver = false;
    dialogue.once('close', () => {
      isOver = true;
    });
    return await work(
      async (question) => {
        dialogue.setPrompt(visible(question));
        // After Ctrl-D there may still be what was typed before it.
        if (!isOver) dialogue.prompt();
        const { value = '' } = await typed.next();
        return value.trim();
      },
      () => isOver,
    );
  } finally {
    dialogue.close();
  }
}
