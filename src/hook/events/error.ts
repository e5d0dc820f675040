import { complaintsIn } from '../../domain/prompt/complaint.ts';
import type { Failing } from '../event.ts';
import { type Hearing, saying } from '../hearing.ts';
import { LIMITS, Page } from '../page.ts';

const AT_ERROR = 'Known of this error:';

/** Says what is known of the error that a tool ended with, each cause once in a context (RE-4). @returns whether anything is */
export async function onError({ agent, output }: Failing, hearing: Hearing): Promise<boolean> {
  const lines = complaintsIn(output);
  if (lines.length === 0) return false;
  const facts = await hearing.briefing.atError(lines);
  if (facts.length === 0) return false;
  const under = agent === '' ? '' : `${agent} `;
  // That a prompt or a file said it is no reason to be silent here.
  const keyOf = (id: string) => `${under}error ${id}`;
  return hearing.say((state) => {
    const fresh = facts.filter(({ id }) => state.said[keyOf(id)] === undefined);
    const page = new Page(LIMITS.error, fresh.length > 0 ? [AT_ERROR] : []);
    page.addWhole(fresh);
    const { shown, ...context } = page.context;
    const now = shown.flatMap((id): [string, string][] => [
      [keyOf(id), 'error'],
      [under + id, 'error'],
    ]);
    return { ...context, shown, whenShown: saying(state, now) };
  });
}
