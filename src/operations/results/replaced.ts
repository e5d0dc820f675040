import * as z from 'zod';
import { type Decision, GLOBAL_SCOPE } from '../../domain/decision.ts';
import { isPerson } from '../../domain/via.ts';
import type { Replaced } from '../../store/decisions/overriding.ts';
import { pick } from '../brief.ts';
import { type Block, dim, indented } from '../view.ts';
import { decisionRecord } from './decision.ts';
import { reasonOf } from './details.ts';
import { iso, resultDate } from './fields.ts';
import { by, toBy } from './writer.ts';

/** The version that a save replaced (T-5). */
export const replacedDecision = z
  .object({
    ...pick(decisionRecord.shape, 'id', 'topic', 'text', 'strength', 'scope', 'outcome', 'outcome_reason'),
    why: z.string().optional().describe('Why it was decided'),
    ...by(),
    created_at: resultDate(),
    built_on_by: z.int().describe('Active decisions that build on it'),
  })
  .meta({ description: 'The version that was active before' });

export function toReplaced({ decision, builtOnBy }: Replaced): z.infer<typeof replacedDecision> {
  const why = reasonOf(decision);
  return {
    ...pick(decision, 'id', 'topic', 'text', 'strength', 'scope', 'outcome'),
    outcome_reason: decision.outcomeReason,
    ...(why && { why }),
    ...toBy(decision),
    created_at: iso(decision.createdAt),
    built_on_by: builtOnBy,
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
