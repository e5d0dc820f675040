import * as z from 'zod';
import { type Decision, GLOBAL_SCOPE } from '../../domain/decision.ts';
import { isPerson } from '../../domain/via.ts';
import type { Replaced } from '../../store/decisions/overriding.ts';
import { pick, toRow } from '../brief.ts';
import { type Block, dim, indented } from '../view.ts';
import { decisionRecord } from './decision.ts';
import { iso, resultDate } from './fields.ts';
import { by, toBy } from './writer.ts';

const FIELDS = ['id', 'topic', 'text', 'strength', 'scope', 'outcome', 'outcomeReason'] as const;
const about = { description: 'The version that was active before' };

/** What a save replaced (T-5), in the result of `decision_save` and `decision_revise`. */
export const replacedRecord = z
  .object({
    ...pick(decisionRecord.shape, ...FIELDS),
    ...by(),
    createdAt: resultDate(),
    builtOnBy: z.int().describe('Active decisions that build on it'),
  })
  .meta(about);

/** {@link replacedRecord} in the result of `mama_save`. */
export const replacedRow = z.object(toRow(replacedRecord.shape)).meta(about);

export function toReplacedRecord({ decision, builtOnBy }: Replaced): z.infer<typeof replacedRecord> {
  return {
    ...pick(decision, ...FIELDS),
    ...toBy(decision),
    createdAt: iso(decision.createdAt),
    builtOnBy,
  };
}

/** In the result of a save: where an axis or a lock binds, when that goes not without saying (T-5). */
export const binds = () =>
  z.string().optional().describe('Where the axis or lock binds, if no scope was given or the global one');

/** What an agent may not expect of a rule that it saves for everywhere (RE-1). */
const AT_STARTS = 'is read at the start of every session; nobody has reviewed it yet';

/** @param scope the scope that was given @param client who wrote it */
export function toBinds(decision: Decision, scope: string | undefined, client: string): { binds?: string } {
  if (decision.strength === 'normal' || decision.withdrawn) return {};
  if (decision.scope === GLOBAL_SCOPE)
    return { binds: isPerson(client) ? 'everywhere' : `everywhere: it ${AT_STARTS}` };
  return scope === undefined
    ? { binds: `${decision.scope}:* only; with scope ${GLOBAL_SCOPE}: everywhere` }
    : {};
}

export const viewBinds = (binds: string | undefined): Block[] =>
  binds === undefined ? [] : [indented(dim(`binds ${binds}`))];
