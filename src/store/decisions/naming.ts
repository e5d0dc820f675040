import { sql } from 'kysely';
import { type Decision, STRENGTHS } from '../../domain/decision.ts';
import { isIdPrefix, PREFIX_DIGITS_IN_REASONING } from '../../domain/id.ts';
import { patternsIn } from '../../domain/place.ts';
import type { Naming } from '../../domain/place-match.ts';
import { versionOfTopic, withoutKind } from '../../domain/reasoning/spelling.ts';
import { uuid5 } from '../../domain/text/uuid5.ts';
import type { Tx } from '../tx.ts';
import { type DecisionRow, toDecision } from './decision.ts';
import { forksOf } from './fork.ts';
import { resolveDecision } from './reference.ts';

/** A decision that names a file, and how. */
export interface NamingDecision extends Naming {
  decision: Decision;
  file: string;
}

const placed = async (tx: Tx): Promise<Decision[]> =>
  (
    await tx.db
      .selectFrom('decisions')
      .selectAll()
      .where('isActive', '=', 1)
      .where('files', 'is not', null)
      .orderBy('createdAt', 'desc')
      .orderBy('seq', 'desc')
      .execute()
  ).map(toDecision);

/**
 * All active decisions that name files, the newest first, with the patterns of each as one. Of what was decided twice each
 * version names its files until that is settled (Y-2).
 */
export async function decisionsWithFiles(
  tx: Tx,
): Promise<Pick<NamingDecision, 'decision' | 'file' | 'pattern'>[]> {
  const chains = new Map((await placed(tx)).map((each) => [each.rootId, [each]]));
  for (const { rootId, heads } of (await forksOf(tx)).values()) chains.set(rootId, heads);
  return [...chains.values()].flatMap((heads) => {
    const decision = heads.at(-1);
    const pattern = [...new Set(heads.flatMap(({ files }) => patternsIn(files)))].join(', ');
    return decision?.isActive && pattern !== '' ? { decision, file: pattern, pattern } : [];
  });
}

/**
 * The active decisions that name one of these files or folders, the nearest first; of several as near those that bind, then
 * the newest (F-2).
 * @param files from the top folder of the repository on, with `/`; a folder ends with `/`
 */
export async function decisionsNaming(tx: Tx, files: string[]): Promise<NamingDecision[]> {
  // Loaded on use: few questions name files.
  const { nearest } = await import('../../domain/place-match.ts');
  const rank = ({ strength }: Decision) => STRENGTHS.indexOf(strength);
  return (await placed(tx))
    .flatMap((decision) => {
      const patterns = patternsIn(decision.files);
      const found = files.flatMap((file) => {
        const naming = nearest(patterns, file);
        return naming ? [{ decision, file, ...naming }] : [];
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
 * The active versions of what is called so, in this order, each once: by a topic, an id, or the path of a decision record that
 * was imported. What means nothing is left out: a stranger may have written it.
 */
export async function activeCalled(tx: Tx, names: string[]): Promise<Decision[]> {
  const found = new Map<string, Decision>();
  for (const name of new Set(names)) {
    const roots = RECORD.test(name)
      ? tx.db
          .selectFrom('origins')
          .innerJoin('decisions', 'decisions.seq', 'origins.recordSeq')
          .where('source', '=', 'adr')
          .where('key', '=', uuid5(`adr:${name}`))
          .select('rootId')
      : [(await resolveDecision(tx, name).catch(() => undefined))?.rootId ?? ''];
    const rows = await tx.db
      .selectFrom('decisions')
      .selectAll()
      .where('isActive', '=', 1)
      .where('rootId', 'in', roots)
      .execute();
    for (const row of rows) found.set(row.id, toDecision(row));
  }
  return [...found.values()];
}
const RECORD = /\.md$/i;

/**
 * The decisions that these words refer to and nothing else (T-10), in their order: each by its id, the beginning of it that is
 * long enough and no other's, or `topic@2`. One statement, and none where no word has such a form.
 * @param references in small letters
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
  const { rows } = await sql<
    DecisionRow & { reference: string }
  >`${sql.join(asked, sql` union all `)}`.execute(tx.db);
  const meant = references.flatMap((reference) => {
    const [one, other] = rows.filter((row) => row.reference === reference);
    return one && !other ? one : [];
  });
  return [...new Map(meant.map(({ reference: _, ...row }) => [row.id, toDecision(row)])).values()];
}
