import * as z from 'zod';
import { reminders } from '../../domain/anchor.ts';
import type { Place } from '../../domain/cursor.ts';
import { type Decision, GLOBAL_SCOPE, STRENGTHS } from '../../domain/decision.ts';
import { excerpt, REASONING_SHOWN } from '../../domain/text/text.ts';
import { partOfTier, sharesOf, TIERS, type TierQuery, tiersFor } from '../../domain/tier.ts';
import { anchorsOfChains } from '../../store/decisions/anchor.ts';
import { annotate } from '../../store/decisions/annotation.ts';
import {
  activeIn,
  bindingAnywhere,
  countActive,
  countByStrength,
  decisionsIn,
} from '../../store/decisions/decision.ts';
import { bindingTwice } from '../../store/decisions/fork.ts';
import { scopeMeant } from '../../store/decisions/topic.ts';
import { shortIds } from '../../store/prefix.ts';
import { FILTERED } from '../../store/search/looked.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { compact, withRefs } from '../brief.ts';
import { defineDocument } from '../documents.ts';
import { asOf, cursor, wholeNumber } from '../fields/basic.ts';
import { domain } from '../fields/decision.ts';
import { budgetGiven, fitted, itemsOf, tokenBudget } from '../fitted.ts';
import { briefAnswered } from '../results/answered.ts';
import { decisionRecord, saidBasis, saidEarlier, toDecisionRecord } from '../results/decision.ts';
import { anchorLine } from '../results/details.ts';
import { refs } from '../results/fields.ts';
import { anchorRecord, toAnchorRecord } from '../results/grounds.ts';
import { noDomain, noneFields, noneOf, viewNone } from '../results/none.ts';
import { askedPage, moreWith, nextCursor } from '../results/page.ts';
import { briefListed } from '../results/whole-decision.ts';
import { bad, counted, dim, indented, line, shortId, strong, table, type View, warn } from '../view.ts';

type ActiveCounts = Awaited<ReturnType<typeof countByStrength>>;

/** Scopes named at most. */
const SCOPES_NAMED = 50;

export const decisionRetrieve = defineDocument({
  name: 'decision_retrieve',
  family: 'decisions',
  title: 'Retrieve what binds a domain',
  summary:
    'All decisions that bind a domain, in four tiers: global axes, then the domain’s axes, locks and normal decisions; with anchors as reminders.',
  access: 'read',
  searchHint: 'rules, past decisions of a domain',
  positional: ['domain'],
  input: z.strictObject({
    domain: domain(
      'The scope of the work, such as "ui". Without it: all axes and locks, and the domains',
    ).optional(),
    limit: wholeNumber(1, 1_000, 'Maximum decisions').default(100),
    tokenBudget: tokenBudget(),
    cursor: cursor(),
    asOf: asOf(),
  }),
  output: z.object({
    decisions: z.array(decisionRecord.extend({ tier: z.enum(TIERS) })),
    anchors: z.array(anchorRecord).describe('Reminders, not rules: read what they point at when in doubt'),
    omitted: z
      .object({ over_limit: z.int(), others: z.int() })
      .describe(
        'Active decisions that the limit left out, and those that are in no tier and not in alsoBinding',
      ),
    also_binding: z
      .array(decisionRecord)
      .optional()
      .describe(
        'Binding decisions outside the tiers: global locks, and axes and locks of other scopes that were decided twice with a side in this one; without a domain, those of every scope',
      ),
    next_cursor: nextCursor(),
    left_out: z.string().optional().describe('What the limit left out, by tier'),
    scopes: z
      .array(z.string())
      .optional()
      .describe('If the domain has no decisions: the scopes that have some'),
    domains: z
      .array(z.object({ domain: z.string(), count: z.int() }))
      .optional()
      .describe('Without a domain: those with active decisions, the largest first'),
    token_budget: budgetGiven(),
    refs: refs(),
    ...noneFields(),
  }),
  async run(tx, input) {
    const { domain: asked, limit, tokenBudget: token_budget } = input;
    const { from, cursorTo } = askedPage(tx, 'decision_retrieve', input);
    const domain = await scopeMeant(tx, asked);
    const active = await countByStrength(tx, [GLOBAL_SCOPE, ...(domain === undefined ? [] : [domain])]);
    const { parts, left, overLimit, inTiers, next } = withinLimit(tiersFor(domain), active.of, limit, from);
    const [shown, others] = await together(
      decisionsIn(tx, parts),
      bindingBesides(tx, domain, active, limit + 1),
    );
    const also = others.slice(0, limit);
    if (also.length < others.length) left.push('more of what binds outside of these tiers');
    const isEmpty = domain !== undefined && STRENGTHS.every((strength) => active.of(domain, strength) === 0);
    const all = [...shown, ...also];
    const ids = all.map(({ id }) => id);
    const [annotationOf, refOf, anchors, sizes] = await together(
      annotate(tx, all),
      shortIds(tx, 'decisions', ids),
      anchorsOfChains(tx, [...new Set(shown.map((decision) => decision.rootId))]),
      isEmpty || domain === undefined ? countActive(tx) : [],
    );
    const scopes = sizes.slice(0, SCOPES_NAMED);
    const domains = scopes.flatMap(({ scope, count }) =>
      scope === GLOBAL_SCOPE ? [] : [{ domain: scope, count }],
    );
    const recordOf = (decision: Decision) => ({
      ...toDecisionRecord(decision, annotationOf(decision)),
      reasoning: decision.reasoning && excerpt(decision.reasoning, REASONING_SHOWN, 'decision_get has all'),
    });
    return {
      decisions: shown.map((decision) => ({ tier: decision.tier, ...recordOf(decision) })),
      anchors: anchors.map(toAnchorRecord),
      omitted: { over_limit: overLimit, others: active.all - inTiers - also.length },
      ...(also.length > 0 && { also_binding: also.map(recordOf) }),
      ...(next && { next_cursor: cursorTo(next) }),
      ...(left.length > 0 && {
        left_out: `Left out by the limit: ${left.join(', ')}. Raise it to read them.`,
      }),
      ...(isEmpty && scopes.length > 0 && { scopes: scopes.map(({ scope }) => scope).sort() }),
      ...(domain === undefined && scopes.length > 0 && { domains }),
      ...(token_budget !== undefined && { token_budget }),
      refs: Object.fromEntries(ids.map((id) => [id, refOf(id)])),
      ...(all.length === 0 &&
        (await noneOf(tx, {
          what: 'decision',
          total: from ? inTiers : 0,
          filter: { domain: domain ?? GLOBAL_SCOPE },
          fields: FILTERED,
        }))),
    };
  },
  toModel({ next_cursor: _, token_budget: budget, refs, looked, scopes, domains, ...whole }) {
    const { decisions, anchors, also_binding = [], ...rest } = whole;
    const lists = {
      also_binding: withRefs(also_binding.map(briefListed), refs),
      decisions: withRefs(decisions.map(briefListed), refs),
      anchors: reminders(anchors).map(anchorLine),
    };
    const frame = ([also_binding = [], decisions = [], anchors = []]: unknown[][]) => ({
      ...briefAnswered({ looked }, 0),
      ...(scopes && !looked && { domain: noDomain(scopes) }),
      ...rest,
      ...compact({ also_binding }),
      decisions,
      ...compact({ anchors }),
      ...(domains && { domains: domains.map(({ domain, count }) => `${domain} ${count}`).join(', ') }),
    });
    const parts = Object.entries(lists).map(([name, list]) => ({ name, items: itemsOf(list) }));
    return fitted(frame(Object.values(lists)), parts, frame, { budget, field: 'tokenBudget' });
  },
  view({
    decisions,
    anchors,
    omitted,
    also_binding = [],
    next_cursor,
    left_out,
    scopes,
    domains = [],
    looked,
    workspace,
  }) {
    const all = [
      ...decisions,
      ...also_binding.map((each) => ({
        ...each,
        tier: each.scope === GLOBAL_SCOPE ? 'global+lock' : `${each.strength} of ${each.scope}`,
      })),
    ];
    return [
      ...(all.length === 0
        ? viewNone(looked, workspace)
        : [
            table(
              ['tier', 'topic', 'decision', 'id'],
              all.map((decision) => [
                decision.tier,
                strong(decision.topic ?? '(no topic)'),
                decision.outcome_warning
                  ? bad(`${decision.text}\n${decision.outcome_warning}`)
                  : decision.text,
                dim(shortId(decision.id)),
              ]),
            ),
          ]),
      ...all.flatMap(warningsOf),
      ...reminders(anchors).map((anchor) => line('⚓ ', anchorLine(anchor))),
      ...(scopes && !looked ? [line(`No decision has this scope. Scopes: ${scopes.join(', ')}`)] : []),
      ...(domains.length > 0
        ? [line(dim(`domains: ${domains.map(({ domain, count }) => `${domain} ${count}`).join(', ')}`))]
        : []),
      ...(left_out === undefined ? [] : [line(warn(left_out))]),
      ...moreWith(next_cursor),
      ...(omitted.others > 0
        ? [line(dim(`not shown: ${counted(omitted.others, 'other active decision')}`))]
        : []),
    ];
  },
});

/** What warns of a decision, below the table. */
function warningsOf({
  id,
  topic,
  decided_twice,
  imported,
  earlier_failure,
  failed_basis = [],
}: z.output<typeof decisionRecord>): View {
  const name = topic ?? id;
  return [
    ...(decided_twice ? [`${name} was decided twice: ${decided_twice}`] : []),
    ...(imported ? [`${name} was imported: ${imported}`] : []),
    ...(earlier_failure ? [`${name}: an earlier version failed: ${saidEarlier(earlier_failure)}`] : []),
    ...saidBasis(failed_basis).map((basis) => `${name} builds on a failed decision: ${basis}`),
  ].map((said) => indented(warn(`! ${said}`)));
}

/** What binds besides the tiers: locks of everywhere, and what was decided twice, once in another scope; without a domain what binds anywhere. */
async function bindingBesides(tx: Tx, domain: string | undefined, { of }: ActiveCounts, limit: number) {
  if (domain === undefined) return bindingAnywhere(tx, limit);
  const hasLocks = domain !== GLOBAL_SCOPE && of(GLOBAL_SCOPE, 'lock') > 0;
  const [locks, twice] = await together(
    hasLocks ? activeIn(tx, GLOBAL_SCOPE, 'lock', limit) : [],
    bindingTwice(tx, domain, GLOBAL_SCOPE),
  );
  return [...locks, ...twice].slice(0, limit);
}

/**
 * Which part of each tier the limit lets through, and what it leaves out, in words (D-21).
 * @param countOf how many decisions are active, by scope and strength
 * @param from how many of each tier were shown on the pages before; the tiers share the limit anew in the rest (W-6)
 * @returns `inTiers`: how many the tiers have in all; `next`: how many of each tier have been shown with this page; undefined when that is all
 */
function withinLimit(tiers: TierQuery[], countOf: ActiveCounts['of'], limit: number, from: Place = []) {
  // What binds everywhere is in the first tier, also when that is what was asked for.
  const all = tiers.map(({ tier, scope, strength }) =>
    tier === 'domain+axis' && scope === GLOBAL_SCOPE ? 0 : countOf(scope, strength),
  );
  const sizes = all.map((count, index) => Math.max(0, count - (from[index] ?? 0)));
  const shares = sharesOf(limit, sizes);
  const missing = sizes.map((size, index) => size - (shares[index] ?? 0));
  const left = tiers.flatMap(({ tier, scope }, index) => {
    const count = missing[index] ?? 0;
    return count > 0 ? [partOfTier(count, tier, scope)] : [];
  });
  const parts = tiers.map((tier, index) => ({ ...tier, from: from[index] ?? 0, limit: shares[index] ?? 0 }));
  const sum = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
  const overLimit = sum(missing);
  const next = parts.map((part) => part.from + part.limit);
  return { parts, left, overLimit, inTiers: sum(all), next: overLimit > 0 ? next : undefined };
}
