import { notFound } from '../../domain/error.ts';
import { findDecision } from '../../store/decisions/decision.ts';
import { edgesFrom, edgesTo } from '../../store/decisions/edge.ts';
import { listedVersions } from '../../store/export/versions.ts';
import { findName } from '../../store/names.ts';
import type { Tx } from '../../store/tx.ts';
import { chainsOf, type Kept } from './chains.ts';
import type { ExportTerms } from './exporter.ts';
import { titleOf } from './names.ts';

/** Nodes that a picture bears. */
const MOST = 50;
/** Characters of a label. */
const [TOPIC, TEXT] = [60, 60];

/**
 * Decisions and their links as a Mermaid flowchart (I-5), for a pull request: those around one, or without one the chains
 * that were decided last, at most fifty. The first line says what was left out.
 */
export async function* mermaidOf(tx: Tx, { chosen, around }: ExportTerms): AsyncGenerator<string> {
  const { all, byId } = chainsOf(await listedVersions(tx, chosen));
  const chains = new Map(all.map((chain) => [chain[0]?.rootId as string, chain]));
  const drawn =
    around === undefined ? newest(all) : await neighbours(tx, await meant(tx, around, byId), chains, byId);
  yield 'flowchart LR';
  const left = all.length - drawn.length;
  if (left > 0) yield `  %% ${drawn.length} of ${all.length} decisions: ${whyLeft(drawn.length, around)}`;
  const numbers = new Map(drawn.map((chain, index) => [chain[0]?.rootId as string, `d${index + 1}`]));
  for (const chain of drawn) yield `  ${numbers.get(chain[0]?.rootId as string)}${shapeOf(chain)}`;
  for (const [from, kind, to] of await linksAmong(tx, drawn, byId)) {
    yield `  ${numbers.get(from)} ${kind === 'debates' ? '-.->' : '-->'}|${kind}| ${numbers.get(to)}`;
  }
}

function whyLeft(drawn: number, around: string | undefined): string {
  if (around === undefined) return 'those that were decided last; a filter, or --around, chooses others';
  return drawn < MOST ? 'the others are not linked to them' : 'the nearest';
}

/** @throws PrecedentError `not_found` for what is not a decision of those that were chosen */
async function meant(tx: Tx, around: string, byId: Map<string, Kept>): Promise<string> {
  const named = (await findName(tx, 'topics', around))?.target;
  const found = named ?? (await findDecision(tx, around))?.rootId;
  if (found !== undefined && [...byId.values()].some(({ rootId }) => rootId === found)) return found;
  throw notFound.no_record(`Expected a topic or the id of a decision to draw around, found "${around}".`);
}

/** The chains whose last version is the newest, in the order in which they were begun. */
function newest(all: Kept[][]): Kept[][] {
  const last = (chain: Kept[]) => chain.at(-1)?.seq ?? 0;
  const kept = new Set(all.toSorted((a, b) => last(b) - last(a)).slice(0, MOST));
  return all.filter((chain) => kept.has(chain));
}

/** A chain and what can be reached from it, the nearest first. */
async function neighbours(
  tx: Tx,
  start: string,
  chains: Map<string, Kept[]>,
  byId: Map<string, Kept>,
): Promise<Kept[][]> {
  const seen = new Set([start]);
  for (let level = [start]; level.length > 0 && seen.size < MOST; ) {
    const ids = level.flatMap((rootId) => idsOf(chains.get(rootId) ?? []));
    const edges = [...(await edgesFrom(tx, ids)), ...(await edgesTo(tx, ids))];
    const ends = edges.flatMap(({ fromId, toId }) => [byId.get(fromId)?.rootId, byId.get(toId)?.rootId]);
    level = [];
    for (const rootId of ends) {
      if (rootId === undefined || seen.has(rootId) || seen.size >= MOST) continue;
      seen.add(rootId);
      level.push(rootId);
    }
  }
  return [...seen].flatMap((rootId) => [chains.get(rootId) ?? []]);
}

/** The links among these chains, each once, by the first versions of both. */
async function linksAmong(
  tx: Tx,
  drawn: Kept[][],
  byId: Map<string, Kept>,
): Promise<[from: string, kind: string, to: string][]> {
  const shown = new Set(drawn.map((chain) => chain[0]?.rootId));
  const edges = await edgesFrom(tx, drawn.flatMap(idsOf));
  const links = new Map<string, [string, string, string]>();
  for (const { fromId, toId, relationship } of edges) {
    const [from, to] = [byId.get(fromId)?.rootId, byId.get(toId)?.rootId];
    if (from === undefined || to === undefined || from === to || !shown.has(to)) continue;
    links.set(`${from} ${relationship} ${to}`, [from, relationship, to]);
  }
  return [...links.values()];
}

const idsOf = (chain: Kept[]) =>
  chain.flatMap(({ id, withdrawal }) => (withdrawal ? [id, withdrawal.id] : [id]));

/** Active decisions as boxes, withdrawn ones with round ends. */
function shapeOf(chain: Kept[]): string {
  const last = chain.at(-1) as Kept;
  const text = titleOf(last.beginning, TEXT);
  const lines = last.topic === null ? [text] : [titleOf(last.topic, TOPIC), text];
  const label = `"${lines.map(plain).join('<br/>')}"`;
  return last.withdrawal ? `(${label})` : `[${label}]`;
}

/**
 * A line of a label: what Mermaid, or the page that shows it, would take for a mark of its own is written as the number of
 * the character; so does what would begin a list.
 */
const plain = (text: string) =>
  text
    .replace(/[^\p{L}\p{N} .,:;!?/()'=–—…+-]/gu, numbered)
    .replace(/^[+-]/, numbered)
    .replace(/^(\d+)([.)])/, (_, digits: string, mark: string) => digits + numbered(mark));
const numbered = (mark: string) => `#${mark.codePointAt(0)};`;
