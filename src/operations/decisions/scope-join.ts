import * as z from 'zod';
import { LIMITS } from '../../domain/text/text.ts';
import { joinScopes } from '../../store/decisions/join.ts';
import { name } from '../fields/basic.ts';
import { reasoning, replaces } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { written } from '../results/fields.ts';
import { dim, good, line, strong } from '../view.ts';

export const scopeJoin = defineOperation({
  name: 'scope_join',
  family: 'decisions',
  title: 'Make one scope an alias of another',
  summary:
    'Joins two scopes, for two spellings of the same. Every decision of the first gets a next version in the second.',
  access: 'write',
  tool: false,
  positional: ['scope', 'into'],
  input: z.strictObject({
    scope: name(LIMITS.scope, 'The scope to join to another'),
    into: name(LIMITS.scope, 'The scope that goes on'),
    reasoning: reasoning().optional(),
    replaces: z
      .array(replaces().unwrap())
      .max(LIMITS.locks, `to hold at most ${LIMITS.locks} items`)
      .optional()
      .describe('The locks that this overrides: the ids of their active versions'),
  }),
  output: written({
    scope: z.string(),
    into: z.string(),
    decisions: z.int().describe('Decisions that were taken there'),
  }),
  async run(tx, { scope, into, ...naming }) {
    const joined = await joinScopes(tx, scope, into, naming);
    return {
      scope,
      into: joined.scope,
      decisions: joined.decisions,
      ...(joined.warnings.length > 0 && { warnings: joined.warnings }),
    };
  },
  view: ({ scope, into, decisions, workspace }) => [
    line(
      good('✔ joined'),
      ` ${scope} → `,
      strong(into),
      dim(`  ${decisions} ${decisions === 1 ? 'decision' : 'decisions'} · workspace ${workspace}`),
    ),
  ],
});
