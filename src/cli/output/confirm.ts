import { createInterface } from 'node:readline/promises';
import { PrecedentError } from '../../domain/error.ts';
import { visible } from '../../domain/text/visible.ts';
import { here } from '../../files/surroundings.ts';

/** Where a person is asked. */
interface Dialogue {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

/**
 * Asks before something is destroyed (K-5). The answer goes past standard output, which may be read by a program.
 * @param what is destroyed, a line each
 * @throws PrecedentError `invalid` where nobody can be asked: a program says --yes
 */
export async function confirm(
  question: string,
  what: string[],
  { input, output }: Dialogue = { input: here().stdin, output: here().stderr },
): Promise<boolean> {
  if (!input.isTTY || !output.isTTY) {
    throw new PrecedentError(
      'invalid',
      `Expected --yes, since there is no terminal to ask on. Nothing was changed. See what would go with --dry-run.`,
    );
  }
  const dialogue = createInterface({ input, output });
  try {
    for (const line of what) output.write(`  ${visible(line)}\n`);
    // Ctrl-C and Ctrl-D are no answer, and so no.
    const gone = new AbortController();
    dialogue.once('close', () => gone.abort());
    const answer = await dialogue
      .question(`${visible(question)} [y/N] `, { signal: gone.signal })
      .catch(() => 'no');
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    dialogue.close();
  }
}
