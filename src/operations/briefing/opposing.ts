import type { Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { keysOf } from '../../domain/names/keys.ts';
import { namesAmong, spellingsOf } from '../../domain/names/name.ts';
import { patternsIn } from '../../domain/place.ts';
import { newlyHinted, sharingHints } from '../../domain/prompt/hints.ts';
import { hintsOfRules } from '../../store/decisions/anchor.ts';
import { findDecisions } from '../../store/decisions/decision.ts';
import { unreviewedAmong } from '../../store/decisions/rules.ts';
import { namesAgainst } from '../../store/search/against.ts';
import { decisionsContaining } from '../../store/search/containing.ts';
import { isIndexStale } from '../../store/stale.ts';
import type { Tx } from '../../store/tx.ts';
import { decisionLines, type Fact } from './line.ts';

/** What a prompt, a text or a command holds that records may be against. */
export interface Opposing {
  /** The keys of names (RE-5, RE-6). */
  keys: string[];
  /** Those of programs that a command starts: what failed is against none of them. */
  programs?: string[];
  /** The ids of decisions whose hints it has (RE-16). */
  ids: string[];
  /** The ids of those that share words with it, from whatever hints: less sure than a name. */
  sharing?: string[];
  /** The files that a text is written into: what binds files is against a name there alone. Left out: anywhere. */
  paths?: string[] | undefined;
}

/** A text as it is compared with names and hints. */
export interface NamingText extends Pick<Opposing, 'keys' | 'programs' | 'paths'> {
  text: string;
  /** What was there before: a hint that it has is not new. */
  known: string;
}

/** {@link opposing} for a text, whose hints are looked for here. */
export async function namedIn(tx: Tx, { text, known, ...names }: NamingText): Promise<Fact[]> {
  return opposing(tx, { ...names, ids: newlyHinted(text, known, await hintsOfRules(tx)) });
}

/** {@link opposing} for what a person says. */
export async function namedInPrompt(tx: Tx, said: string): Promise<Fact[]> {
  const hints = await hintsOfRules(tx);
  const ids = newlyHinted(said, '', hints);
  return opposing(tx, { keys: namesAmong(keysOf(said)), ids, sharing: sharingHints(said, hints) });
}

/** Records that are shown at most: each has its reason. */
const MOST = 3;

/**
 * The records that are against one of these names, or whose hints were found: rules and failures before others, of these first
 * what most names speak for. Each with all of its reason.
 */
export async function opposing(
  tx: Tx,
  { keys, programs = [], ids, sharing = [], paths }: Opposing,
): Promise<Fact[]> {
  const all = [...keys, ...programs];
  if (all.length + ids.length + sharing.length === 0) return [];
  const hinted = await findDecisions(tx, [...ids, ...sharing]);
  const isAsked = all.length > 0 && !(await isIndexStale(tx));
  const containing = isAsked ? await decisionsContaining(tx, [...new Set(all.flatMap(spellingsOf))]) : [];
  const candidates = await boundAt(paths, containing);
  const both = [...hinted, ...candidates];
  const against = await namesAgainst(candidates, { keys, programs });
  // Most names are silenced whoever uses them: then nobody is asked for.
  if (hinted.length + against(new Set(idsOf(candidates))).size === 0) return [];
  const unreviewed = await unreviewedAmong(tx, idsOf(both));
  const named = against(unreviewed);
  // Of equal rank those that a person knows come first.
  const sureness = ({ id, strength, outcome }: Decision) =>
    (strength !== 'normal' || outcome === 'failed' ? 200 : 0) +
    (unreviewed.has(id) ? 0 : 100) +
    (ids.includes(id) ? 10 : 0) +
    (named.get(id)?.length ?? 0);
  const isFound = new Set([...idsOf(hinted), ...named.keys()]);
  const found = [...new Map(both.map((each) => [each.id, each])).values()].filter(({ id }) =>
    isFound.has(id),
  );
  const best = found.sort((a, b) => sureness(b) - sureness(a)).slice(0, MOST);
  const asked = [...named.values()].flat().join(' ');
  return decisionLines(tx, best, { as: 'rule', asked, unreviewed });
}

/** The decisions that bind one of these files, or no file; all where none are meant. */
async function boundAt(paths: string[] | undefined, decisions: Decision[]): Promise<Decision[]> {
  if (paths === undefined || decisions.every(({ files }) => files === null)) return decisions;
  // Loaded here: the library of patterns is large, and few names are of a decision that binds files.
  const { nearest } = await import('../../domain/place-match.ts');
  return decisions.filter(({ files }) => {
    const patterns = patternsIn(files);
    return patterns.length === 0 || paths.some((path) => nearest(patterns, path) !== undefined);
  });
}
