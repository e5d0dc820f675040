import * as z from 'zod';
import { type Decision, GLOBAL_SCOPE } from '../domain/decision.ts';
import { isContinuing } from '../domain/language/continuing.ts';
import { patternsIn } from '../domain/place.ts';
import { isAnswered } from '../domain/ranking/answered.ts';
import { type Packable, pack } from '../domain/ranking/packing.ts';
import { BINDING_SHARE, FEW_SHOWN, MOST_ENTRIES, SMALLEST_ENTRY } from '../domain/ranking/weights.ts';
import { LIMITS } from '../domain/text/text.ts';
import { estimateTokens } from '../domain/text/tokens.ts';
import { partOfTier, type Tier, tiersFor } from '../domain/tier.ts';
import { newestCheckpoint } from '../store/decisions/checkpoint.ts';
import { activeIn, bindingIn, countActive } from '../store/decisions/decision.ts';
import { bindingTwice } from '../store/decisions/fork.ts';
import { decisionsNaming } from '../store/decisions/naming.ts';
import { scopeMeant } from '../store/decisions/topic.ts';
import { shortIds } from '../store/prefix.ts';
import { type Found, searchEverything, searchSteps } from '../store/search/everything.ts';
import { inOneScript, wordsOf } from '../store/search/question.ts';
import { together } from '../store/statements.ts';
import type { Tx } from '../store/tx.ts';
import { decisionEntry, type Entry, entry, type Look, shortened } from './entries/entry.ts';
import { briefEntry, viewEntries } from './entries/entry-view.ts';
import { decisionsAmong, foundEntries } from './entries/found.ts';
import { inWords, others, othersIn, othersNamed } from './entries/others.ts';
import { asOf, text, wholeNumber } from './fields/basic.ts';
import { askedFiles, domain } from './fields/decision.ts';
import { project } from './fields/observation.ts';
import { defineOperation } from './operation.ts';
import { answeredFields, answeredWhen, briefAnswered, viewAnswered } from './results/answered.ts';
import { type DetailOf, detailsOf } from './results/details.ts';
import { degraded, iso } from './results/fields.ts';
import { sinceThen } from './results/since.ts';
import { dim, line, type View, warn } from './view.ts';

const output = z.object({
  workspace: z.string(),
  ...answeredFields(),
  entries: z.array(entry).describe('The most important first'),
  left_out: z
    .object({
      binding: z.int(),
      relevant: z.int(),
      tiers: z.string().optional().describe('Which of what binds, in words'),
      reasons: z
        .literal(true)
        .optional()
        .describe('Those of the rules that the words of the task did not find: decision_get'),
    })
    .describe('Found, but over the budget: raise it, or use decision_retrieve and the searches'),
  more: z.literal(true).optional().describe('More was found than was counted'),
  scopes: z
    .array(z.string())
    .optional()
    .describe('Given when the domain has no decisions: the scopes that have some'),
  others: others().optional(),
  tokens: z.int().describe('Tokens of this answer as a model reads it, estimated'),
  token_budget: z.int(),
  degraded: degraded(),
});
type Recalled = z.infer<typeof output>;

export const recall = defineOperation({
  name: 'recall',
  family: 'decisions',
  title: 'Recall what matters for a task',
  summary:
    'Remember the context of a task: call it first. Answers from the whole memory, the most important first: past decisions that bind the task (global and domain axes, then locks) and why, what failed, what observations and memos say, within a token budget.',
  access: 'read',
  essential: true,
  positional: ['task'],
  input: z.strictObject({
    task: text(LIMITS.query, 'What you are about to do, in the words of the team; each step on its own line'),
    domain: domain('The scope of the work, such as "ui": adds its decisions, binding ones first').optional(),
    project: project('Only observations of this project').optional(),
    files: askedFiles('Paths to change').optional(),
    token_budget: wholeNumber(300, 50_000, 'Tokens the answer may take').default(1_500),
    as_of: asOf(),
  }),
  output,
  embeddingQuery: ({ task }) => task,
  async run(tx, { task, domain: asked, project, files, token_budget }) {
    const domain = await scopeMeant(tx, asked);
    const look = { shown: Math.min(600, Math.max(80, Math.floor(token_budget / 5))), hintsOnly: true };
    const wanted = Math.min(MOST_ENTRIES, Math.max(25, Math.ceil(token_budget / SMALLEST_ENTRY)));

    const [named, binding, elsewhere, normals, searched, ofSteps, scopes, unshown] = await together(
      files === undefined ? [] : decisionsNaming(tx, patternsIn(files)),
      bindingFor(tx, domain),
      bindingTwice(tx, GLOBAL_SCOPE, ...(domain === undefined ? [] : [domain])),
      // W-4: the newest of what holds there.
      domain === undefined ? [] : activeIn(tx, domain, 'normal', wanted),
      searchEverything(tx, task, { limit: wanted, isBrief: true, project }),
      searchSteps(tx, task, project),
      domain === undefined ? [] : scopesWithout(tx, domain),
      othersIn(tx),
    );
    const { asked: question } = searched;
    // Before all else the axes and locks that say enough of the task or a step: they bind it, whatever its domain.
    const binds = (each: Found) =>
      each.kind === 'decision' &&
      each.decision.strength !== 'normal' &&
      (ofSteps.includes(each) || isAnswered([each], wordsOf(question), inOneScript(question)));
    const ranked = [...searched.found.slice(0, FEW_SHOWN), ...ofSteps, ...searched.found.slice(FEW_SHOWN)];
    const found = [...ranked.filter(binds), ...ranked.filter((each) => !binds(each))];
    const more = searched.next === wanted;
    const naming = named.map(({ decision }) => decision);
    const each = (of: Decision[]) => [...new Map(of.map((one) => [one.id, one])).values()];
    const decisions = each([...naming, ...binding, ...elsewhere, ...normals, ...decisionsAmong(found)]);
    const detailOf = await detailsOf(tx, decisions, task);
    // Y-2: of an axis or a lock that was decided twice, every side binds, so all are shown.
    const twice = decisions.filter(
      (one) => one.strength !== 'normal' && detailOf(one).annotation.decidedTwice,
    );
    const ofFiles = each([...twice, ...naming]).map((one) =>
      decisionEntry(one, detailOf(one), twice.includes(one) ? 'decided twice' : 'names this file', look),
    );
    const isNamed = new Set(ofFiles.map(({ id }) => id));
    const tiers = bindingTiers(
      binding.filter(({ id }) => !isNamed.has(id)),
      domain,
      detailOf,
      look,
      new Set(decisionsAmong(found).map(({ id }) => id)),
    );
    const known = new Set([...isNamed, ...tiers.flatMap(({ entries }) => entries.map(({ id }) => id))]);
    const because = BECAUSE['domain+normal'](domain ?? '');
    const answering = mixed(
      // A step may have found an entry that the whole task found too.
      (await foundEntries(tx, found, question, look, detailOf)).filter(
        ({ id }, at, all) => !known.has(id) && all.findIndex((each) => each.id === id) === at,
      ),
      normals
        .filter(({ id }) => !isNamed.has(id))
        .map((each) => decisionEntry(each, detailOf(each), because, look)),
    );
    const relevant = isContinuing(task) ? await afterCheckpoint(tx, answering, look) : answering;
    const goesOn = relevant !== answering;
    while (weigh(scopes) > token_budget * SCOPES_SHARE) scopes.pop();

    const answer = (chosen: Entry[][]): Recalled => ({
      workspace: tx.workspace,
      ...answeredWhen(searched.isAnswered || ofSteps.length > 0 || naming.length > 0 || goesOn, question),
      entries: chosen.flat(),
      left_out: leftOut(ofFiles, tiers, relevant, chosen),
      ...(more && { more }),
      ...(scopes.length > 0 && { scopes }),
      ...othersNamed(unshown, chosen.flat(), task, token_budget),
      tokens: 0,
      token_budget,
      ...(tx.degraded !== undefined && { degraded: tx.degraded }),
    });
    const groups: Packable<Entry>[] = [
      { items: ofFiles, share: BINDING_SHARE, first: true },
      ...tiers.map(({ entries }) => ({
        items: entries,
        share: (relevant.length > 0 ? BINDING_SHARE : 1) / tiers.length,
        first: true,
      })),
      { items: relevant, share: 1 },
    ];
    const room = token_budget - weigh(brief(answer(groups.map(() => []))));
    const chosen = pack(groups, room, (item) => weigh(briefEntry(item)));
    // The words about what was left out take room too, so the whole answer is counted; the least important entry is dropped.
    let tokens = weigh(brief(answer(chosen)));
    while (tokens > token_budget && chosen.flat().length > 0) {
      chosen.findLast((group) => group.length > 0)?.pop();
      tokens = weigh(brief(answer(chosen)));
    }
    return { ...answer(chosen), tokens };
  },
  toModel: brief,
  view({ entries, left_out, more, scopes, tokens, token_budget, workspace, others: named, ...rest }): View {
    const left = left_out.binding + left_out.relevant;
    const some = more ? 'many' : String(left);
    return [
      ...(scopes ? [line(warn(`! No decision has this scope. Scopes: ${scopes.join(', ')}`))] : []),
      ...viewAnswered(rest, ...countsOf(entries)),
      ...viewEntries(entries),
      ...(named ? [line(dim(`also recorded: ${inWords(named)} · precedent why TOPIC`))] : []),
      ...(left_out.tiers ? [line(warn(`! Did not fit: ${left_out.tiers}`))] : []),
      line(
        dim(
          `${tokens} of ${token_budget} tokens${left > 0 ? ` · ${some} more did not fit` : ''} · workspace ${workspace}`,
        ),
      ),
    ];
  },
});

const weigh = (value: object) => estimateTokens(JSON.stringify(value));

/** The share of the budget for the names of scopes: the intended one is probably among the largest. */
const SCOPES_SHARE = 0.2;

/** How many of the entries were found by the words of the task, and how many bind, or belong to the domain. */
function countsOf(entries: Entry[]): [found: number, holding: number] {
  const found = entries.filter(({ similarity }) => similarity !== undefined).length;
  return [found, entries.length - found];
}

/** The answer as a model reads it, with what was left out, if anything. */
function brief({
  entries,
  left_out,
  more,
  tokens: _,
  token_budget: __,
  answered,
  read_as,
  others: named,
  ...rest
}: Recalled) {
  const { tiers, relevant, reasons } = left_out;
  const found = relevant > 0 ? [`${relevant}${more ? ' or more' : ''} others`] : [];
  const left = [...(tiers === undefined ? [] : [tiers]), ...found];
  return {
    ...briefAnswered({ answered, read_as }, ...countsOf(entries)),
    ...rest,
    entries: entries.map(briefEntry),
    ...(left.length > 0 && { left_out: `${left.join(', ')}: raise token_budget, or search` }),
    ...(reasons && { why_of_other_rules: 'decision_get' }),
    ...(named && { others: `${inWords(named)}: decision_get any that the task may touch` }),
  };
}

/** What did not fit (D-21). @param chosen the entries that did: of files, tier by tier, then the relevant ones */
function leftOut(
  ofFiles: Entry[],
  tiers: TierOfEntries[],
  relevant: Entry[],
  [named = [], ...chosen]: Entry[][],
): Recalled['left_out'] {
  const missing = tiers.map(({ entries }, index) => entries.length - (chosen[index]?.length ?? 0));
  const words = tiers.flatMap(({ tier, scope }, index) => {
    const count = missing[index] ?? 0;
    return count > 0 ? [partOfTier(count, tier, scope)] : [];
  });
  return {
    binding: missing.reduce((sum, count) => sum + count, 0),
    relevant: ofFiles.length - named.length + relevant.length - (chosen[tiers.length]?.length ?? 0),
    ...(words.length > 0 && { tiers: words.join(', ') }),
    ...(chosen.flat().some((each) => 'why' in each && each.why === undefined) && { reasons: true as const }),
  };
}

/** The entries of one tier that binds, the newest first. */
interface TierOfEntries {
  tier: Tier;
  scope: string;
  entries: Entry[];
}

/** What binds a domain: what holds everywhere, a global lock as a global axis (T-5), then its own axes and locks. */
async function bindingFor(tx: Tx, domain = GLOBAL_SCOPE): Promise<(Decision & { tier: Tier })[]> {
  const [global, own] = await together(
    bindingIn(tx, GLOBAL_SCOPE),
    domain === GLOBAL_SCOPE ? [] : bindingIn(tx, domain),
  );
  return [
    ...global.map((each) => ({ ...each, tier: 'global+axis' as const })),
    ...own.map((each) => ({ ...each, tier: `domain+${each.strength}` as const })),
  ];
}

/** The first three tiers (D-10). */
const bindingOf = (domain: string | undefined) =>
  tiersFor(domain).filter(({ tier }) => tier !== 'domain+normal');

const BECAUSE: Record<Tier, (scope: string) => string> = {
  'global+axis': () => 'binds everything',
  'domain+axis': (scope) => `binds ${scope} (axis)`,
  'domain+lock': (scope) => `binds ${scope} (lock)`,
  'domain+normal': (scope) => `holds in ${scope}`,
};

/** Why a rule binds. One that failed is neither followed nor ignored: it is active until another replaces it. */
const becauseOf = ({ tier, outcome }: Decision & { tier: Tier }, scope: string) =>
  `${BECAUSE[tier](scope)}${outcome === 'failed' ? ' until it is replaced: it failed' : ''}`;

/** The tiers that bind and are not empty. */
function bindingTiers(
  binding: (Decision & { tier: Tier })[],
  domain: string | undefined,
  detailOf: DetailOf,
  look: Look,
  isFound: ReadonlySet<string>,
): TierOfEntries[] {
  // Every task gets the global rules. Those that do not match it come without reasons, which were half of the answer.
  const short = (each: Entry): Entry =>
    isFound.has(each.id) || each.why === undefined ? each : { ...each, why: undefined };
  return bindingOf(domain)
    .map(({ tier, scope }) => ({
      tier,
      scope,
      entries: binding
        .filter((each) => each.tier === tier)
        .map((each) => decisionEntry(each, detailOf(each), becauseOf(each, scope), look))
        .map((each) => (tier === 'global+axis' ? short(each) : each)),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/**
 * Takes by turns from the domain's decisions and from what else was found. Decisions that are both come first, in the order
 * of finding; if there are none, what was found begins.
 */
function mixed(found: Entry[], normals: Entry[]): Entry[] {
  const inDomain = new Set(normals.map(({ id }) => id));
  const both = found.filter(({ id }) => inDomain.has(id));
  const isFound = new Set(both.map(({ id }) => id));
  const own = [...both, ...normals.filter(({ id }) => !isFound.has(id))];
  const others = found.filter(({ id }) => !inDomain.has(id));
  const [one, two] = both.length > 0 ? [own, others] : [others, own];
  return Array.from({ length: Math.max(one.length, two.length) }).flatMap((_, index) =>
    [one[index], two[index]].filter((each) => each !== undefined),
  );
}

/** What is relevant to a task that continues earlier work: the newest checkpoint first, whatever its words (T-18). */
async function afterCheckpoint(tx: Tx, relevant: Entry[], { shown }: Look): Promise<Entry[]> {
  const newest = await newestCheckpoint(tx);
  if (!newest) return relevant;
  const { id, summary, nextSteps, createdAt } = newest;
  const text = `${summary}${nextSteps ? ` Next: ${nextSteps}` : ''}`;
  const checkpoint: Entry = {
    kind: 'checkpoint',
    id,
    ref: (await shortIds(tx, 'checkpoints', [id]))(id),
    because: 'where work stopped',
    text: shortened(text, shown, 'mama_load_checkpoint has all'),
    when: iso(createdAt),
    ...(await sinceThen(tx, id)),
  };
  return [checkpoint, ...relevant.filter((each) => each.id !== id)];
}

/** Scopes named at most. */
const SCOPES_NAMED = 10;

/** When this scope has no decisions: the scopes that have, the largest first. */
async function scopesWithout(tx: Tx, domain: string): Promise<string[]> {
  const scopes = (await countActive(tx)).map(({ scope }) => scope);
  return scopes.includes(domain) ? [] : scopes.slice(0, SCOPES_NAMED);
}
