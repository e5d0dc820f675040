import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { matchingHints } from '../../domain/prompt/hints.ts';
import { UNCOMPARED } from '../../domain/ranking/weights.ts';
import { cutToTokens } from '../../domain/text/tokens.ts';
import { rulesHinted } from '../../store/decisions/anchor.ts';
import { findDecisionRows } from '../../store/decisions/decision.ts';
import { chainsLinked } from '../../store/decisions/edge.ts';
import { addListed, readListed } from '../../store/listed.ts';
import { type Near, uncompared } from '../../store/search/uncompared.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { pick } from '../brief.ts';
import { type Block, dim, indented, line, shortId } from '../view.ts';
import { decisionRecord } from './decision.ts';

const FIELDS = ['id', 'topic', 'text', 'strength', 'outcome'] as const;

/** A rule or a failure that a save is to be checked against. */
const check = z.object(pick(decisionRecord.shape, ...FIELDS));
type Check = z.infer<typeof check>;

/** In the result of a save. */
export const checks = () =>
  z
    .array(check)
    .optional()
    .describe(
      'Rules and failures that use other words or another language, each shown once a session: "alongside:" or "debates:" in the reasoning answers one',
    );

/**
 * The rules and failures that a decision is to be checked against: those whose hints it has, then those in other words or in
 * another language that are near, and where one is, three at least (RE-9). Never what it links, nor what its session was listed.
 */
export async function checkAgainst(tx: Tx, saved: Decision): Promise<Check[]> {
  const [hinted, near] = await together(
    hintedIn(tx, `${(saved.topic ?? '').replace(/[:/]/g, ' ')}\n${saved.text}`),
    uncompared(tx, saved),
  );
  return listed(tx, [...hinted, ...near], saved.rootId);
}

/** {@link checkAgainst} for a note, which is compared by hints alone. */
export async function checkNote(tx: Tx, text: string): Promise<Check[]> {
  return listed(tx, await hintedIn(tx, text.slice(0, NOTE)));
}

/** Characters of a note that are read. */
const NOTE = 2_000;

async function hintedIn(tx: Tx, text: string): Promise<Near[]> {
  const found = await rulesHinted(tx, (lists) => matchingHints(text, lists).map(({ record }) => record));
  return found.map((each) => ({ ...each, nearness: Number.POSITIVE_INFINITY }));
}

/** What of these was not listed yet, if the first of it is near, and is remembered. @param own the root of the chain that was saved */
async function listed(tx: Tx, found: Near[], own?: string): Promise<Check[]> {
  if ((found[0]?.nearness ?? 0) < UNCOMPARED.near) return [];
  const [before, linked] = await together(readListed(tx), own ? chainsLinked(tx, own) : []);
  const known = new Set([...before, ...linked, own]);
  const left = found.filter(({ rootId }) => !known.has(rootId) && known.add(rootId));
  if ((left[0]?.nearness ?? 0) < UNCOMPARED.near) return [];
  const some = left
    .filter(({ nearness }, at) => at < UNCOMPARED.few || nearness >= UNCOMPARED.near)
    .slice(0, UNCOMPARED.most);
  const roots = some.map(({ rootId }) => rootId);
  const [decisions] = await together(findDecisionRows(tx, idsOf(some)), addListed(tx, before, roots));
  return some.flatMap(({ id }) => {
    const decision = decisions.get(id)?.decision;
    return decision ? [pick(decision, ...FIELDS)] : [];
  });
}

const HOW =
  'Check the decision against these, which use other words or another language. If one applies, name it in the reasoning: alongside: (both hold) or debates:';
/** Tokens of a line at most. */
const LINE = 60;

/** A list as a model reads it: nothing of an empty one. */
export function checkLines(list: readonly Check[]): string[] | undefined {
  return list.length === 0 ? undefined : [HOW, ...list.map(lineOf)];
}

const lineOf = ({ id, topic, text, strength, outcome }: Check) =>
  cutToTokens(
    `${outcome === 'failed' ? '✗ failed' : strength} ${topic ?? shortId(id)}: ${text.replace(/\s+/g, ' ')}`,
    LINE,
  );

export function viewChecks(list: readonly Check[]): Block[] {
  if (list.length === 0) return [];
  return [
    line('Check the decision against these, which use other words or another language:'),
    ...list.map((each) => indented(dim(lineOf(each)))),
  ];
}
