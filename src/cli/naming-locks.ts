import { conflict, PrecedentError } from '../domain/error.ts';
import { shownBy } from '../domain/via.ts';
import { here } from '../files/surroundings.ts';
import type { MemoryCore } from '../memory/core.ts';
import type { Keeping } from '../memory/receive.ts';
import type { Result } from '../operations/index.ts';
import type { Given } from './command.ts';
import { log } from './output/print.ts';

/**
 * Calls an operation. Where it overrides a lock or an axis, or where it must say which of several decisions holds, a person at
 * a terminal is shown them and asked, also why (T-6, D-20, Y-2); without a terminal --replaces or --keep names it.
 * @throws PrecedentError also `conflict` when the answer is no
 */
export async function callNaming(
  memory: MemoryCore,
  name: string,
  input: Given,
  how: Keeping = {},
): Promise<Record<string, unknown>> {
  try {
    return await memory.call(name, input, undefined, log, how);
  } catch (error) {
    const { stdin, stderr } = here();
    if (!(error instanceof PrecedentError) || !stdin.isTTY || !stderr.isTTY) throw error;
    const { lock, needsReason, choices } = error;
    if (choices)
      return callNaming(memory, name, { ...input, ...(await chosen(choices, input.reasoning)) }, how);
    if (lock === undefined && !needsReason) throw error;
    const { agrees, asking } = await import('./output/destroy.ts');
    const said = lock === undefined ? [error.message] : await shown(memory, lock);
    const meant = await asking(said, async (ask) => {
      if (lock !== undefined && !(await agrees(ask, 'Override this lock?'))) return undefined;
      const reasoning = needsReason ? await ask('Why? ') : undefined;
      if (reasoning === '') return undefined;
      // Renaming a scope and undoing may override several: each is asked about.
      const isMany = name === 'rename' || name === 'undo';
      const replaces = isMany && lock !== undefined ? [input.replaces ?? [], lock].flat() : lock;
      return { ...(replaces !== undefined && { replaces }), ...(reasoning !== undefined && { reasoning }) };
    });
    if (!meant)
      throw conflict.not_confirmed(`${lock === undefined ? 'It' : 'The lock'} stays. Nothing was changed.`);
    return callNaming(memory, name, { ...input, ...meant }, how);
  }
}

/** Which of these holds, or what holds instead and why. @throws PrecedentError `conflict` when nobody says */
async function chosen(choices: NonNullable<PrecedentError['choices']>, given: unknown): Promise<Given> {
  const { asking } = await import('./output/destroy.ts');
  const sides = choices.flatMap(({ shown, reasoning }, at) => [`${at + 1}  ${shown}`, ...whyOf(reasoning)]);
  return asking(sides, async (ask) => {
    const said = await ask('Which holds? Its number or id, or what holds instead: ');
    const numbered = choices[Number(said) - 1];
    // An id is never what holds: one that is mistyped is refused.
    const isId = /^[\da-f][\da-f-]{3,}$/i.test(said) || choices.some(({ id }) => id === said);
    // Nor is one word: a key such as y or q was meant for another question.
    if (!numbered && !isId && !/\s/.test(said))
      throw conflict.not_confirmed(
        `Expected a number from 1 to ${choices.length}, an id, or what holds instead in several words, found ${said === '' ? 'nothing' : `"${said}"`}. Nothing was settled. For a decision of one word, give it with --text.`,
      );
    const keep = numbered?.id ?? (isId ? said : undefined);
    const kept = choices.find(
      ({ id }) => keep !== undefined && id.toLowerCase().startsWith(keep.toLowerCase()),
    );
    const isAsked = given === undefined && (keep === undefined || kept?.needsReason);
    const reasoning = isAsked && (await ask('Why? '));
    if (reasoning === '')
      throw conflict.not_confirmed('Expected a reason, found nothing. Nothing was settled.');
    return { ...(keep === undefined ? { text: said } : { keep }), ...(reasoning && { reasoning }) };
  });
}

const whyOf = (reasoning: string | null) => (reasoning === null ? [] : `why: ${reasoning}`.split('\n'));

/** A lock as whoever overrides it must know it. */
async function shown(memory: MemoryCore, id: string): Promise<string[]> {
  const { decision } = (await memory.call('decision_get', { id })) as Result<'decision_get'>;
  const { topic, scope, createdAt, text, reasoning } = decision;
  const facts = ['lock', scope, createdAt.slice(0, 10), shownBy(decision)];
  return [`${topic ?? id}  ${facts.filter(Boolean).join(' · ')}`, ...text.split('\n'), ...whyOf(reasoning)];
}
