import * as z from 'zod';
import { type Decision, GLOBAL_SCOPE } from '../domain/decision.ts';
import { FOUND_KINDS } from '../domain/kinds.ts';
import { isContinuing } from '../domain/language/continuing.ts';
import { patternsIn } from '../domain/place.ts';
import { isAnswered } from '../domain/ranking/answered.ts';
import { type Packable, pack } from '../domain/ranking/packing.ts';
import {
  BINDING_SHARE,
  FEW_SHOWN,
  MOST_ENTRIES,
  NEAREST_NAMED,
  SMALLEST_ENTRY,
} from '../domain/ranking/weights.ts';
import { LIMITS } from '../domain/text/text.ts';
import { estimateTokens, fitting } from '../domain/text/tokens.ts';
import { newestCheckpoint } from '../store/decisions/checkpoint.ts';
import { activeIn, countActive } from '../store/decisions/decision.ts';
import { bindingTwice } from '../store/decisions/fork.ts';
import { decisionsNaming } from '../store/decisions/naming.ts';
import { scopeMeant } from '../store/decisions/topic.ts';
import { shortIds } from '../store/prefix.ts';
import { eligibleRecords, type Found, searchEverything, searchSteps } from '../store/search/everything.ts';
import { inOneScript, wordsOf } from '../store/search/question.ts';
import { together } from '../store/statements.ts';
import type { Tx } from '../store/tx.ts';
import { compact } from './brief.ts';
import { BECAUSE, bindingFor, bindingTiers, leftOut, leftOutOfRecall } from './entries/binding.ts';
import { decisionEntry, type Entry, entry, type Look, shortened } from './entries/entry.ts';
import { briefEntry, namesOf, viewEntries } from './entries/entry-view.ts';
import { decisionsAmong, foundEntries } from './entries/found.ts';
import { lookedFor } from './entries/looked.ts';
import { type Others, others, othersIn, othersWithin, topicsInWords, withReasons } from './entries/others.ts';
import { asOf, text, wholeNumber } from './fields/basic.ts';
import { askedFiles, domain } from './fields/decision.ts';
import { project } from './fields/observation.ts';
import { defineOperation } from './operation.ts';
import { answeredFields, answeredWhen, briefAnswered, viewAnswered } from './results/answered.ts';
import { detailsOf, failureOf } from './results/details.ts';
import { degraded, iso } from './results/fields.ts';
import { NAMES, type Named, named, nameLine, tokensInList, WHOLE } from './results/names.ts';
import { noDomain } from './results/none.ts';
import { sinceThen } from './results/since.ts';
import { dim, indented, line, type View, warn } from './view.ts';

const output = z.object({
  workspace: z.string(),
  ...answeredFields(),
  entries: z.array(entry).describe('The most important first'),
  names: z.array(named).optional().describe('Other records that were found, by their first words'),
  left_out: leftOutOfRecall.describe(
    'Found, but over the budget: raise it, or use decision_retrieve and the searches',
  ),
  more: z.literal(true).optional().describe('More was found than was counted'),
  scopes: z
    .array(z.string())
    .optional()
    .describe('If the domain has no decisions: the scopes that have some'),
  others: others().optional(),
  tokens: z.int().describe('Estimated tokens of this answer'),
  token_budget: z.int(),
  degraded: degraded(),
});
type Recalled = z.infer<typeof output>;

/** The budget that is usual; a larger one has room for more whole entries and names in proportion. */
const USUAL_BUDGET = 1_500;
function weigh(value: object): number {
  return estimateTokens(JSON.stringify(value));
}

/** The share of the budget for rules and failures that no entry shows, where something was found (RE-7). */
const OTHERS_SHARE = 0.5;
/** Ids that are known at most. */
const KNOWN = 500;

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
    task: text(
      LIMITS.query,
      'What you are about to do, in several wordings and languages at once, a line each; number the steps',
    ),
    domain: domain('The scope of the work, such as "ui": adds its decisions, binding ones first').optional(),
    project: project('Only observations of this project').optional(),
    files: askedFiles('Paths to change').optional(),
    token_budget: wholeNumber(300, 50_000, 'Tokens at most').default(USUAL_BUDGET),
    known: z
      .array(text(LIMITS.id, 'An id'))
      .max(KNOWN)
      .meta({
        model: false,
        option: undefined,
        description: 'Ids of rules and failures that you were shown whole: they are named by topic',
      })
      .optional(),
    as_of: asOf(),
  }),
  output,
  embeddingQuery: ({ task }) => task,
  async run(tx, { task, domain: asked, project, files, token_budget, known = [] }) {
    const look = { shown: Math.min(600, Math.max(80, Math.floor(token_budget / 5))), hintsOnly: true };
    const wanted = Math.min(MOST_ENTRIES, Math.max(40, Math.ceil(token_budget / SMALLEST_ENTRY)));

    const [placed, { domain, binding, elsewhere, normals, scopes }, searched, ofSteps, unshown] =
      await together(
        files === undefined ? [] : decisionsNaming(tx, patternsIn(files)),
        inDomain(tx, asked, wanted),
        searchEverything(tx, task, { limit: wanted, isBrief: true, project }),
        searchSteps(tx, task, project),
        othersIn(tx, task),
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
    const naming = placed.map(({ decision }) => decision);
    const each = (of: Decision[]) => [...new Map(of.map((one) => [one.id, one])).values()];
    const decisions = each([...naming, ...binding, ...elsewhere, ...normals, ...decisionsAmong(found)]);
    const details = detailsOf(tx, decisions, task);
    const [detailOf, entries] = await together(details, foundEntries(tx, found, question, look, details));
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
    const bound = new Set([...isNamed, ...tiers.flatMap(({ entries }) => entries.map(({ id }) => id))]);
    const because = BECAUSE['domain+normal'](domain ?? '');
    const answering = mixed(
      // A step may have found an entry that the whole task found too.
      entries.filter(({ id }, at, all) => !bound.has(id) && all.findIndex((each) => each.id === id) === at),
      normals
        .filter(({ id }) => !isNamed.has(id))
        .map((each) => decisionEntry(each, detailOf(each), because, look)),
    );
    const relevant = isContinuing(task) ? await afterCheckpoint(tx, answering, look) : answering;
    const goesOn = relevant !== answering;
    const isFound =
      searched.isAnswered || found.some(binds) || ofSteps.length > 0 || naming.length > 0 || goesOn;
    const size = Math.max(1, token_budget / USUAL_BUDGET);
    // RE-8: of what does not answer the task, the names.
    const mayBeWhole = relevant.filter(({ similarity }) => isFound || similarity === undefined);
    const mustBe = new Set(decisionsAmong(found.filter(binds)).map(({ id }) => id));
    const answers = mayBeWhole.filter(({ id }) => !mustBe.has(id)).slice(0, Math.floor(WHOLE * size));
    const whole = mayBeWhole.filter((each) => mustBe.has(each.id) || answers.includes(each));
    const explained = isFound
      ? {}
      : await lookedFor(tx, {
          what: 'record',
          kinds: FOUND_KINDS,
          query: task,
          eligible: eligibleRecords(project),
          all: eligibleRecords(undefined),
          filter: { project },
          namesRules: true,
        });
    while (weigh(scopes) > token_budget * SCOPES_SHARE) scopes.pop();

    const answer = (chosen: Entry[][], names: Named[], rest: { others?: Others }): Recalled => ({
      workspace: tx.workspace,
      ...answeredWhen(isFound, question),
      ...explained,
      entries: chosen.flat(),
      ...(names.length > 0 && { names }),
      left_out: leftOut(ofFiles, tiers, relevant, chosen, names, rest.others),
      ...(more && { more }),
      ...(scopes.length > 0 && { scopes }),
      ...rest,
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
      { items: whole, share: 1 },
    ];
    // Each part is weighed by itself, and once what is said around them: no sum of parts is less than the whole.
    const nothing = groups.map(() => []);
    const untold =
      unshown.all.length > 0 ? { others: { words: [], topics: [], more: unshown.all.length } } : {};
    const isShort = tiers.some(({ entries }) => entries.some((each) => each.why === undefined));
    const frame = {
      ...brief(answer(nothing, [], untold)),
      ...(!isFound && bound.size > 0 && { holds: 'What holds here:' }),
      ...(isShort && { why_of_other_rules: 'decision_get' }),
    };
    const room = Math.max(0, token_budget - weigh(frame));
    const costOf = (item: Entry) => tokensInList(briefEntry(item));
    const chosen = pack(groups, room, costOf);
    const shown = chosen.flat();
    const free = room - sum(shown.map(costOf));
    const isWhole = new Set(shown.map(({ id }) => id));
    const byName = relevant
      .flatMap((each) => namesOf(each).slice(isWhole.has(each.id) ? 1 : 0))
      .slice(0, isFound ? MOST_ENTRIES : NEAREST_NAMED);
    const costs = byName.map((each) => tokensInList(nameLine(each)));
    const bare = byName.slice(0, fitting(costs, Math.min(free - NAMING, NAMES * size)));
    const spare = free - (bare.length > 0 ? NAMING : 0) - sum(costs.slice(0, bare.length)) - TELLING;
    // A failure that matches tells why before rules and failures that do not match.
    const failed = new Map(decisions.map((one) => [one.id, failureOf(one)]));
    const { words: names, left } = withReasons(bare, ({ id }) => failed.get(id), spare);
    // A name that is cut does not say what the rule is.
    const said = [...shown, ...names.filter(({ text }) => !text.endsWith('…'))];
    const rest = await othersWithin(
      tx,
      unshown,
      {
        ...{ task, files, domain, known: new Set(known) },
        scopes: new Set(decisionsAmong(found).map(({ scope }) => scope)),
        shown: new Set(said.flatMap(({ id, title }) => [id, ...(title ? [title] : [])])),
      },
      shown.length > 0 ? Math.min(left, token_budget * OTHERS_SHARE) : left,
    );
    const done = answer(chosen, names, rest);
    return { ...done, tokens: weigh(brief(done)) };
  },
  toModel: brief,
  view({ entries, names = [], left_out, more, scopes, tokens, token_budget, workspace, ...rest }): View {
    const left = left_out.binding + left_out.relevant;
    const some = more ? 'many' : String(left);
    const { words = [] } = rest.others ?? {};
    const topics = rest.others && topicsInWords(rest.others);
    return [
      ...(scopes ? [line(warn(`! No decision has this scope. Scopes: ${scopes.join(', ')}`))] : []),
      ...viewAnswered(
        rest,
        names.length,
        entries.length,
        names.length + entries.length === 0 ? workspace : undefined,
      ),
      ...viewEntries(entries),
      ...names.map((each) => line(dim(nameLine(each)))),
      ...(names.length > 0 ? [line('')] : []),
      ...(words.length > 0 ? [line('Rules and failures in other words:')] : []),
      ...words.map((each) => indented(nameLine(each))),
      ...(topics ? [line(dim(`also recorded: ${topics} · precedent why TOPIC`))] : []),
      ...(left_out.tiers ? [line(warn(`! Did not fit: ${left_out.tiers}`))] : []),
      line(
        dim(
          `${tokens} of ${token_budget} tokens${left > 0 ? ` · ${some} more did not fit` : ''} · workspace ${workspace}`,
        ),
      ),
    ];
  },
});

const sum = (each: number[]) => each.reduce((all, one) => all + one, 0);

/** The share of the budget for the names of scopes: the intended one is probably among the largest. */
const SCOPES_SHARE = 0.2;

/** What is said around names, and around the words of rules that no entry shows. */
const NAMING = weigh({ names: [], around: 'Then the nearest names:' });
const TELLING = weigh({ others: [] });

/** The answer as a model reads it, with what was left out, if anything. */
function brief({
  entries,
  names = [],
  left_out,
  more,
  tokens: _,
  token_budget: __,
  answered,
  looked,
  read_as,
  others: rest,
  scopes,
  ...known
}: Recalled) {
  const { tiers, relevant, reasons } = left_out;
  const found = relevant > 0 ? [`${relevant}${more ? ' or more' : ''} others`] : more ? ['more'] : [];
  const left = [...(tiers === undefined ? [] : [tiers]), ...found];
  const topics = rest && topicsInWords(rest);
  return {
    ...briefAnswered({ answered, looked, read_as }, names.length, entries.length),
    ...known,
    ...(scopes && { domain: noDomain(scopes) }),
    entries: entries.map(briefEntry),
    ...compact({ names: names.map(nameLine), others: rest?.words.map(nameLine) }),
    ...(left.length > 0 && { left_out: `${left.join(', ')}: raise token_budget, or search` }),
    ...(reasons && { why_of_other_rules: 'decision_get' }),
    ...(topics && { others_named: `${topics}: decision_get` }),
  };
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

/** What holds in a domain, and what was decided twice there. @param limit of the decisions that do not bind */
async function inDomain(tx: Tx, asked: string | undefined, limit: number) {
  const domain = await scopeMeant(tx, asked);
  const [binding, elsewhere, normals, scopes] = await together(
    bindingFor(tx, domain),
    bindingTwice(tx, GLOBAL_SCOPE, ...(domain === undefined ? [] : [domain])),
    // W-4: the newest of what holds there.
    domain === undefined ? [] : activeIn(tx, domain, 'normal', limit),
    domain === undefined ? [] : scopesWithout(tx, domain),
  );
  return { domain, binding, elsewhere, normals, scopes };
}

/** Scopes named at most. */
const SCOPES_NAMED = 10;

/** When this scope has no decisions: the scopes that have, the largest first. */
async function scopesWithout(tx: Tx, domain: string): Promise<string[]> {
  const scopes = (await countActive(tx)).map(({ scope }) => scope);
  return scopes.includes(domain) ? [] : scopes.slice(0, SCOPES_NAMED);
}
