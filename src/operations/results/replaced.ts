import * as z from 'zod';
import { type Decision, GLOBAL_SCOPE } from '../../domain/decision.ts';
import type { Replaced } from '../../store/decisions/overriding.ts';
import { pick } from '../brief.ts';
import { type Block, dim, indented } from '../view.ts';
import { decisionRecord } from './decision.ts';
import { iso } from './fields.ts';
import { by, toBy } from './writer.ts';

const { text, createdAt, outcomeReason, ...others } = pick(
  decisionRecord.shape,
  ...(['id', 'topic', 'text', 'strength', 'scope', 'createdAt', 'outcome', 'outcomeReason'] as const),
);
const builtOnBy = z.int().describe('Active decisions that build on it');
const about = { description: 'The version that was active before' };

/** What a save replaced (T-5), in the result of `decision_save` and `decision_revise`. */
export const replacedRecord = z
  .object({ ...others, text, ...by(), createdAt, outcomeReason, builtOnBy })
  .meta(about);

/** {@link replacedRecord} in the result of `mama_save`. */
export const replacedRow = z
  .object({
    ...others,
    decision: text,
    ...by(),
    created_at: createdAt,
    outcome_reason: outcomeReason,
    built_on_by: builtOnBy,
  })
  .meta(about);

export function toReplacedRecord(replaced: Replaced): z.infer<typeof replacedRecord> {
  const { decision, builtOnBy } = replaced;
  return {
    ...pick(decision, 'id', 'topic', 'text', 'strength', 'scope', 'outcome', 'outcomeReason'),
    ...toBy(replaced),
    createdAt: iso(decision.createdAt),
    builtOnBy,
  };
}

export function toReplacedRow(replaced: Replaced): z.infer<typeof replacedRow> {
  const { text, createdAt, outcomeReason, builtOnBy, ...others } = toReplacedRecord(replaced);
  return {
    ...others,
    decision: text,
    created_at: createdAt,
    outcome_reason: outcomeReason,
    built_on_by: builtOnBy,
  };
}

/** In the result of a save: where an axis or a lock binds, when that goes not without saying (T-5). */
export const binds = () =>
  z.string().optional().describe('Where the axis or lock binds, if no scope was given or the global one');

/** @param scope the scope that was given */
export function toBinds(decision: Decision, scope: string | undefined): { binds?: string } {
  if (decision.strength === 'normal' || decision.withdrawn) return {};
  if (decision.scope === GLOBAL_SCOPE) return { binds: 'everywhere' };
  return scope === undefined
    ? { binds: `${decision.scope}:* only; scope: ${GLOBAL_SCOPE} binds everywhere` }
    : {};
}

export const viewBinds = (binds: string | undefined): Block[] =>
  binds === undefined ? [] : [indented(dim(`binds ${binds}`))];
