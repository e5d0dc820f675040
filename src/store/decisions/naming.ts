import { sql } from 'kysely';
import type { Chain } from '../../domain/chain.ts';
import { type Decision, STRENGTHS } from '../../domain/decision.ts';
import { isIdPrefix, PREFIX_DIGITS_IN_REASONING } from '../../domain/id.ts';
import { patternsIn } from '../../domain/place.ts';
import type { Naming } from '../../domain/place-match.ts';
import { versionOfTopic, withoutKind } from '../../domain/reasoning/spelling.ts';
import { uuid5 } from '../../domain/text/uuid5.ts';
import { Pauses } from '../pauses.ts';
import { query } from '../statements.ts';
import { giveWay } from '../turns.ts';
import type { Tx } from '../tx.ts';
import { type DecisionRow, toDecision } from './decision.ts';
import { forksOf } from './fork.ts';
import { MAY_HAVE_SIDES } from './loaded.ts';
import { resolveDecision } from './reference.ts';

/** A decision that names a file, and how. */
export interface NamingDecision extends Naming {
  decision: Decision;
  file: string;
}

/** A decision with its patterns. */
interface Placed {
  decision: Decision;
  patterns: string[];
}

/**
 * The active decisions that name files, the newest first. If a topic was decided twice, each side names its files until that
 * is settled (Y-2).
 */
async function placed(tx: Tx): Promise<Placed[]> {
  const rows = await query<DecisionRow>(tx)`select d.* from decisions as d
    where d.files is not null and (+d.is_active = 1 or d.root_id in (${MAY_HAVE_SIDES}))
    order by d.created_at desc, d.seq desc`;
  const [naming = [], apart = []] = [1, 0].map((state) => rows.filter(({ isActive }) => isActive === state));
  const roots = apart.map(({ rootId }) => rootId);
  const forks = apart.length > 0 ? await forksOf(tx, roots) : new Map<string, Chain>();
  const inForks = [...forks.values()].flatMap((fork) =>
    fork.active && fork.sides.some(({ files }) => files !== null) ? fork.active : [],
  );
  const active = [...naming.map(toDecision), ...inForks];
  return [...new Map(active.map((each) => [each.id, each])).values()].map((decision) => {
    const versions = forks.get(decision.rootId)?.sides ?? [decision];
    return { decision, patterns: [...new Set(versions.flatMap(({ files }) => patternsIn(files)))] };
  });
}

/** All active decisions that name files, the newest first, with the patterns of each as one. */
export async function decisionsWithFiles(
  tx: Tx,
): Promise<Pick<NamingDecision, 'decision' | 'file' | 'pattern'>[]> {
  return (await placed(tx)).map(({ decision, patterns }) => {
    const pattern = patterns.join(', ');
    return { decision, file: pattern, pattern };
  });
}

/** Patterns that are read at most. */
const PATTERNS = 1_000;

/** The patterns by which active decisions name files, each once. */
export async function patternsHere(tx: Tx): Promise<string[]> {
  const rows = await query<{ files: string }>(tx)`
    select distinct d.files from decisions as d where d.files is not null and d.is_active = 1`;
  return [...new Set(rows.flatMap(({ files }) => patternsIn(files)))].slice(0, PATTERNS);
}

/** A file of a change: what it was called earlier, and what it names itself as decisions, in comments. */
export interface Changed {
  file: string;
  formerly?: string[] | undefined;
  marked?: string[] | undefined;
}

type Touching = Pick<NamingDecision, 'decision' | 'file' | 'pattern'> & { touches: string[] };
/** Characters of text that are read in the time in which a pattern is compared with a path (measured). */
const CHARACTERS = 4;

/** The active decisions that name a file of a change, each with those that it names (F-5). */
export async function decisionsTouched(tx: Tx, changed: Changed[]): Promise<Touching[]> {
  const { namedAmong } = await import('../../domain/place-match.ts');
  const namedBy = namedAmong(changed.flatMap(({ file, formerly = [] }) => [file, ...formerly]));
  const marks = changed.flatMap(({ marked = [] }) => marked);
  const called = await activeCalled(tx, marks);
  const all = new Map((await placed(tx)).map((each) => [each.decision.id, each]));
  const namesOf = new Map<string, Set<string>>();
  for (const { decision, name } of called) {
    if (!all.has(decision.id)) all.set(decision.id, { decision, patterns: [MARK] });
    namesOf.set(decision.id, (namesOf.get(decision.id) ?? new Set()).add(name));
  }
  const found: Touching[] = [];
  const pauses = new Pauses();
  for (const { decision, patterns } of all.values()) {
    await pauses.before(1, CHARACTERS * patterns.length * changed.length);
    const named = new Set(patterns.flatMap(namedBy));
    const names = namesOf.get(decision.id) ?? new Set();
    if (named.size + names.size === 0) continue;
    const touches = changed.flatMap(({ file, formerly = [], marked = [] }) =>
      [file, ...formerly].some((each) => named.has(each)) || marked.some((each) => names.has(each))
        ? file
        : [],
    );
    const [file] = touches;
    if (file !== undefined) found.push({ decision, file, pattern: patterns.join(', '), touches });
  }
  return found;
}

/** How a file names a decision in a comment (F-1). */
export const MARK = '@decision in the file';

/**
 * The active decisions that name one of these files or folders, the nearest first; of several as near those that bind, then
 * the newest (F-2).
 * @param files from the top folder of the repository on, with `/`; a folder ends with `/`
 */
export async function decisionsNaming(tx: Tx, files: string[]): Promise<NamingDecision[]> {
  if (files.length === 0) return [];
  // Loaded on use: few questions name files.
  const { nearest } = await import('../../domain/place-match.ts');
  const rank = ({ strength }: Decision) => STRENGTHS.indexOf(strength);
  return (await placed(tx))
    .flatMap(({ decision, patterns }) => {
      const found = files.flatMap((file) => {
        const naming = nearest(patterns, file);
        return naming ? { decision, file, ...naming } : [];
      });
      return found.sort((a, b) => b.nearness - a.nearness)[0] ?? [];
    })
    .sort(
      (a, b) =>
        b.nearness - a.nearness ||
        rank(a.decision) - rank(b.decision) ||
        b.decision.createdAt - a.decision.createdAt,
    );
}

/**
 * The active versions with these names, in this order, with the name: by a topic, an id, or the path of a decision record that
 * was imported. A pattern that names nothing is left out: the text is untrusted.
 */
export async function activeCalled(tx: Tx, names: string[]): Promise<{ name: string; decision: Decision }[]> {
  const found: { name: string; decision: Decision }[] = [];
  for (const name of new Set(names)) {
    await giveWay();
    const roots = RECORD.test(name)
      ? sql`select v.root_id from origins as o join decisions as v on v.seq = o.record_seq
          where o.source = 'adr' and o.key = ${uuid5(`adr:${name}`)}`
      : ((await resolveDecision(tx, name).catch(() => undefined))?.rootId ?? '');
    const rows = await query<DecisionRow>(tx)`
      select d.* from decisions as d where d.is_active = 1 and d.root_id in (${roots})`;
    for (const row of rows) found.push({ name, decision: toDecision(row) });
  }
  return found;
}
const RECORD = /\.md$/i;

/**
 * The decisions that these words refer to and nothing else (T-10), in their order: each by its id, the beginning of it that is
 * long enough and no other's, or `topic@2`. One statement, and none where no word has such a form.
 * @param references in lower case
 */
export async function decisionsReferred(tx: Tx, references: string[]): Promise<Decision[]> {
  const asked = references.flatMap((reference) => {
    const of = versionOfTopic(reference);
    const beginning = withoutKind(reference);
    const named = sql`select cast(${reference} as text) as reference, d.* from decisions as d`;
    if (of)
      return sql`${named} join topics as t on t.root_id = d.root_id where t.key = ${of.name} and d.version = ${of.version}`;
    // Ids are compared by their bytes; a second one is enough to know that none is meant.
    if (isIdPrefix(beginning, PREFIX_DIGITS_IN_REASONING))
      return sql`${named} where d.id in (select id from (select id from decisions
        where id >= ${beginning} and id < ${`${beginning}~`} order by id limit 2) as begun)`;
    return reference.startsWith('decision_') ? sql`${named} where d.id = ${reference}` : [];
  });
  if (asked.length === 0) return [];
  const rows = await query<DecisionRow & { reference: string }>(tx)`${sql.join(asked, sql` union all `)}`;
  const meant = references.flatMap((reference) => {
    const [one, other] = rows.filter((row) => row.reference === reference);
    return one && !other ? one : [];
  });
  return [...new Map(meant.map(({ reference: _, ...row }) => [row.id, toDecision(row)])).values()];
}
