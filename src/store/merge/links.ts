import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { findDecisionRows, findDecisions } from '../decisions/decision.ts';
import { insertEdges } from '../decisions/edge.ts';
import { linkAll, type Reasoned } from '../decisions/reasoning.ts';
import { piecesOf } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { type Fact, idOf } from './decisions.ts';

/** Edges written with one statement. */
const BATCH = 50;

/** What decisions of a source link, by their ids here. */
export interface Links {
  /** Links that the source has as such. */
  own: { fact: Fact; relationship: 'builds_on' | 'debates' | 'synthesizes'; to: string; at: number }[];
  /** The ids of decisions by their keys in the source. */
  ids: Map<string, string>;
  /** The reasoning of those that refer to others in it, by id. */
  read: Map<string, Reasoned['read']>;
  /** The ids of decisions that are new or say something new: a person is shown those. */
  fresh: Set<string>;
}

/** Reads what decisions link. @param fresh their keys */
export function linksOf(decisions: Fact[], fresh: Set<string>): Links {
  const read = decisions.map((fact) => [idOf(fact), parseReasoning(fact.reasoning ?? '')] as const);
  return {
    own: decisions.flatMap((fact) => (fact.links ?? []).map((link) => ({ fact, at: fact.at, ...link }))),
    ids: new Map(decisions.map((fact) => [fact.key, idOf(fact)])),
    read: new Map(read.filter(([, { references }]) => references.length > 0)),
    fresh: new Set(decisions.filter(({ importKey }) => fresh.has(importKey)).map(idOf)),
  };
}

/**
 * Writes the links of decisions that are here by now. What did not resolve is tried again by every import that brings its
 * decision; what did has its edge, and is not looked for (I-2).
 * @returns links without their other end, and warnings
 */
export async function writeLinks(
  tx: Tx,
  { own, ids, read, fresh }: Links,
): Promise<{ unresolved: string[]; warnings: string[] }> {
  const target = ({ to }: Links['own'][number]) => ids.get(to) ?? '';
  const here = await findDecisionRows(tx, [...new Set(own.map(target))]);
  const unresolved = own
    .filter((link) => !here.has(target(link)))
    .map(
      ({ fact, relationship, to }) =>
        `${fact.key} ${relationship} ${to}: no such decision came; the next import tries it again`,
    );
  const edges = own
    .filter((link) => here.has(target(link)) && target(link) !== idOf(link.fact))
    .map((link) => ({
      fromId: idOf(link.fact),
      toId: target(link),
      relationship: link.relationship,
      createdAt: link.at,
    }));
  for (const piece of piecesOf(edges, BATCH)) await insertEdges(tx, piece);
  const found = new Map((await findDecisions(tx, [...read.keys()])).map((each) => [each.id, each]));
  // In the order of the source, not of an engine: the warnings stand in it.
  const all = [...read].flatMap(([id, said]) => {
    const decision = found.get(id);
    return decision ? [{ decision, read: said }] : [];
  });
  const { warnings: reported } = await linkAll(tx, all, { when: (by) => by.createdAt });
  const warnings = [...reported]
    .filter(([id]) => fresh.has(id))
    .flatMap(([id, of]) => of.map((warning) => `${id}: ${warning}`));
  return { unresolved, warnings };
}
