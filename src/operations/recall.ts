import * as z from 'zod';
import { pack } from '../domain/ranking/packing.ts';
import { BINDING_SHARE, MOST_ENTRIES, SMALLEST_ENTRY } from '../domain/ranking/weights.ts';
import { compareText, LIMITS } from '../domain/text/text.ts';
import { type Tier, tiersFor } from '../domain/tier.ts';
import { annotate } from '../store/decisions/annotation.ts';
import { countActive } from '../store/decisions/decision.ts';
import { scopeMeant } from '../store/decisions/scope.ts';
import { decisionsIn } from '../store/decisions/tier.ts';
import { searchEverything } from '../store/search/everything.ts';
import type { Tx } from '../store/tx.ts';
import { name, text, wholeNumber } from './fields/basic.ts';
import { project } from './fields/observation.ts';
import { defineOperation } from './operation.ts';
import { decisionEntry, type Entry, entry, relevantEntries, viewEntry } from './results/entry.ts';
import { degraded } from './results/fields.ts';
import { tokenCounter } from './tokens.ts';
import { dim, line, type View, warn } from './view.ts';

export const recall = defineOperation({
  name: 'recall',
  family: 'decisions',
  title: 'Recall what matters for a task',
  summary:
    'Call it first when you start a task. It gives the decisions that bind the task (global and domain axes, then locks), then what every kind of record says about it, with failures, packed into a token budget.',
  access: 'read',
  idempotent: true,
  essential: true,
  positional: ['task'],
  input: z.strictObject({
    task: text(LIMITS.query, 'What you are about to do, in the words of the team'),
    domain: name(
      LIMITS.scope,
      'The scope of the work, such as "ui": its binding decisions are loaded, too',
    ).optional(),
    project: project().optional(),
    token_budget: wholeNumber(300, 50_000, 'Tokens the answer may take').default(1_500),
  }),
  output: z.object({
    workspace: z.string(),
    entries: z.array(entry).meta({ description: 'The most important first' }),
    left_out: z.object({ binding: z.int(), relevant: z.int() }).meta({
      description: 'Found, but over the budget: raise it, or use decision_retrieve and the searches',
    }),
    more: z.literal(true).optional().meta({ description: 'More was found than was counted' }),
    scopes: z
      .array(z.string())
      .optional()
      .meta({ description: 'Given when the domain has no decisions: the scopes that have some' }),
    tokens: z.int().meta({ description: 'Tokens of this answer (o200k_base)' }),
    token_budget: z.int(),
    degraded: degraded(),
  }),
  asks: ({ task }) => task,
  async run(tx, { task, domain: asked, project, token_budget }) {
    const domain = await scopeMeant(tx, asked);
    const count = await tokenCounter();
    const shown = Math.min(600, Math.max(80, Math.floor(token_budget / 5)));
    const binding = await bindingEntries(tx, domain, shown);
    const weigh = (value: object) => count(JSON.stringify(value));
    const scopes = domain === undefined ? [] : await scopesWithout(tx, domain);
    while (weigh(scopes) > token_budget * SCOPES_SHARE) scopes.pop();
    const known = new Set(binding.map(({ id }) => id));
    const wanted = Math.min(MOST_ENTRIES, Math.max(25, Math.ceil(token_budget / SMALLEST_ENTRY)));
    const { found, more } = await searchEverything(tx, task, wanted, project);
    const relevant = (await relevantEntries(tx, found, shown)).filter(({ id }) => !known.has(id));
    const answer = (chosen: Entry[][]) => ({
      workspace: tx.workspace,
      entries: chosen.flat(),
      left_out: {
        binding: binding.length - (chosen[0]?.length ?? 0),
        relevant: relevant.length - (chosen[1]?.length ?? 0),
      },
      ...(more && { more }),
      ...(scopes.length > 0 && { scopes }),
      tokens: token_budget,
      token_budget,
      ...(tx.degraded !== undefined && { degraded: tx.degraded }),
    });
    const groups = [
      { items: binding, share: relevant.length > 0 ? BINDING_SHARE : 1 },
      { items: relevant, share: 1 },
    ];
    const room = token_budget - weigh(answer([]));
    const chosen = pack(groups, room, (item) => weigh(item) + 1);
    // Tokens of joined texts are not the sum of their tokens: the whole is counted, and the least important entry goes.
    while (chosen.flat().length > 0 && weigh(answer(chosen)) > token_budget) {
      chosen.findLast((group) => group.length > 0)?.pop();
    }
    const packed = answer(chosen);
    return { ...packed, tokens: weigh(packed) };
  },
  view({ entries, left_out, more, scopes, tokens, token_budget, workspace }): View {
    const left = left_out.binding + left_out.relevant;
    const some = more ? 'many' : String(left);
    return [
      ...(scopes ? [line(warn(`! No decision has this scope. Scopes: ${scopes.join(', ')}`))] : []),
      ...(entries.length === 0 ? [line(dim('Nothing is known about it yet.'))] : entries.flatMap(viewEntry)),
      line(
        dim(
          `${tokens} of ${token_budget} tokens${left > 0 ? ` · ${some} more did not fit` : ''} · workspace ${workspace}`,
        ),
      ),
    ];
  },
});

/** Scopes named at most, and their share of the budget: the intended one is probably among the largest. */
const SCOPES_NAMED = 10;
const SCOPES_SHARE = 0.2;

/** When this scope has no decisions: the scopes that have, the largest first. */
async function scopesWithout(tx: Tx, domain: string): Promise<string[]> {
  const sizes = new Map<string, number>();
  for (const { scope, count } of await countActive(tx)) sizes.set(scope, (sizes.get(scope) ?? 0) + count);
  if (sizes.has(domain)) return [];
  return [...sizes.keys()]
    .sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || compareText(a, b))
    .slice(0, SCOPES_NAMED);
}

const WHY: Record<Tier, (scope: string) => string> = {
  'global+axis': () => 'binds everything',
  'domain+axis': (scope) => `binds ${scope} (axis)`,
  'domain+lock': (scope) => `binds ${scope} (lock)`,
  'domain+normal': (scope) => `holds in ${scope}`,
};

/** The decisions of the first three tiers, the newest first in each. */
async function bindingEntries(tx: Tx, domain: string | undefined, shown: number): Promise<Entry[]> {
  const binding = tiersFor(domain).filter(({ tier }) => tier !== 'domain+normal');
  const decisions = await decisionsIn(tx, binding);
  const annotationOf = await annotate(tx, decisions);
  return decisions.map((decision) =>
    decisionEntry(decision, annotationOf(decision), WHY[decision.tier](decision.scope), shown),
  );
}
