import type { Decision } from '../../domain/decision.ts';
import { type Key, keysOf } from '../../domain/names/keys.ts';
import { namesAmong, spellingsOf } from '../../domain/names/name.ts';
import { patternsIn } from '../../domain/place.ts';
import { newlyHinted, sharingHints } from '../../domain/prompt/hints.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { hintsOfRules } from '../../store/decisions/anchor.ts';
import { findDecisions } from '../../store/decisions/decision.ts';
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
  const named =
    candidates.length > 0 ? await namesAgainst(candidates, { keys, programs }) : new Map<string, string[]>();
  const sureness = ({ id, strength, outcome }: Decision) =>
    (strength !== 'normal' || outcome === 'failed' ? 100 : 0) +
    (ids.includes(id) ? 10 : 0) +
    (named.get(id)?.length ?? 0);
  const both = [...hinted, ...candidates.filter(({ id }) => named.has(id))];
  const found = [...new Map(both.map((each) => [each.id, each])).values()];
  const best = found.sort((a, b) => sureness(b) - sureness(a)).slice(0, MOST);
  const asked = [...named.values()].flat().join(' ');
  return decisionLines(tx, best, { as: 'rule', asked });
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

/** The names that each of these decisions is against, by its id. */
async function namesAgainst(
  candidates: Decision[],
  { keys, programs }: { keys: string[]; programs: string[] },
) {
  // Loaded where a record has one of the names: its patterns take longer than all that is asked before.
  const { namesOf } = await import('../../domain/names/against.ts');
  const { againstIndex, recordsAgainst } = await import('../../domain/names/match.ts');
  const index = againstIndex(
    candidates.map((each) => {
      const { against, uses } = namesOf(saidBy(each));
      // An area of its own says that the thing is in use, unless the record is against that very thing.
      const areas = each.outcome === 'failed' ? [] : areasOf(each).filter((area) => !against.includes(area));
      return { id: each.id, against, uses: [...uses, ...areas] };
    }),
  );
  const failed = new Set(candidates.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id));
  const started = recordsAgainst(index, programs).filter(({ id }) => !failed.has(id));
  const named = new Map<string, string[]>();
  for (const { id, names } of [...recordsAgainst(index, keys), ...started])
    named.set(id, [...(named.get(id) ?? []), ...names]);
  return named;
}

/** The names of the areas that a decision belongs to: that of its topic, and its scope. */
const areasOf = ({ topic, scope }: Decision): Key[] =>
  [topic?.match(/^[^:]+(?=:)/)?.[0], scope].flatMap((area) => {
    const key = area?.toLowerCase();
    return key === undefined ? [] : [key, `pkg:${key}`];
  });

const saidBy = ({ text, reasoning, outcome }: Decision) => ({
  decision: text,
  reasoning: reasoning === null ? undefined : parseReasoning(reasoning).prose,
  hasFailed: outcome === 'failed',
});
