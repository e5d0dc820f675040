import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { chainOf, findVersion, newestInChain, toDecision } from '../decisions/decision.ts';
import { checkRestoring, restoreVersion } from '../decisions/restore.ts';
import { putDocument } from '../document.ts';
import { reinstate, retract } from '../record.ts';
import { everyDocument } from '../search/documents.ts';
import type { Tx } from '../tx.ts';
import { dependentsOfVersions } from './dependents.ts';
import { asEntered, type Part, type Terms } from './part.ts';

/**
 * A version is undone by another one that says what was said before it; a first version is withdrawn (K-6). It and
 * what followed it are mistakes from then on, and so is a chain in which nothing else is left. Where the version was made
 * by an undo or a redo, earlier ones that this marked count again, and those that it brought back no longer.
 */
export async function versionPart(tx: Tx, seq: number, terms: Terms): Promise<Part> {
  const row = await tx.db
    .selectFrom('decisions')
    .selectAll()
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow();
  const { rootId, version, topic, id, text } = toDecision(row);
  const before = version === 1 ? null : ((await findVersion(tx, rootId, version - 1)) ?? null);
  checkRestoring(await newestInChain(tx, rootId), before, terms);
  const earlier = await earlierMarks(tx, rootId, terms);
  const mistakesNow = async () => [...earlier.broughtBack, ...(await since(tx, rootId, version))];
  return {
    effect: { kind: 'decision', id, name: topic ?? '', text, becomes: becomes(before) },
    rests: await dependentsOfVersions(tx, { id, rootId }, await mistakesNow()),
    async takeBack() {
      const mistakes = await mistakesNow();
      const isMistake = before === null || (await isNothing(tx, before));
      const then = row.createdAt === terms.save.createdAt ? tx : await atItsDate(tx, row);
      const made = await restoreVersion(then, rootId, before, terms);
      await retractVersions(then, isMistake ? [...mistakes, made.id] : mistakes);
      for (const each of earlier.marked) await countAgain(asEntered(tx, each, terms.save), each);
    },
  };
}

/** The earlier versions of a chain that an undo or a redo marked as mistakes, by number, and those whose mark it took away, by id. */
async function earlierMarks(tx: Tx, rootId: string, { save }: Terms) {
  const { rows } = await sql<{ seq: number; id: string; kind: string; createdAt: number }>`
    select d.seq, d.id, c.kind, c.created_at from changes as c join decisions as d on d.seq = c.record_seq
    where c.seq between ${save.firstChange ?? 0} and ${save.lastChange ?? 0} and d.root_id = ${rootId}
      and d.seq < ${save.firstRecord} and c.kind in ('retracted', 'reinstated')
    order by c.seq`.execute(tx.db);
  const of = (wanted: string) => rows.filter(({ kind }) => kind === wanted);
  return {
    marked: of('retracted'),
    broughtBack: of('reinstated').map(({ id }) => id),
  };
}

async function countAgain(tx: Tx, { seq }: { seq: number }): Promise<void> {
  if (!(await reinstate(tx, seq))) return;
  for (const document of await everyDocument(tx, [seq])) await putDocument(tx, document);
}

/**
 * What was entered with a date is undone as of that date, so that it bars no other (U-7); but not before what the
 * chain was said since.
 */
async function atItsDate(tx: Tx, { rootId, createdAt }: Pick<Decision, 'rootId' | 'createdAt'>): Promise<Tx> {
  const { createdAt: newest } = await newestInChain(tx, rootId);
  return { ...tx, now: Math.min(Math.max(createdAt, newest), tx.now) };
}

/** The versions of a chain from one on. */
async function since(tx: Tx, rootId: string, version: number): Promise<string[]> {
  const chain = await chainOf(tx, rootId);
  return chain.filter((each) => each.version >= version).map(({ id }) => id);
}

function becomes(before: Decision | null): string {
  if (before === null || before.withdrawn) return 'withdrawn';
  return `“${before.text}” is active again`;
}

/** Whether a version says that nothing is active since everything was a mistake: what made it marked it, too. */
async function isNothing(tx: Tx, { id }: Decision): Promise<boolean> {
  const { rows } = await sql`
    select 1 from decisions as d join saves as s on d.seq between s.first_record and s.last_record
    join changes as c on c.record_seq = d.seq and c.kind = 'retracted'
      and c.seq between s.first_change and s.last_change
    where d.id = ${id} and d.withdrawn = 1`.execute(tx.db);
  return rows.length > 0;
}

async function retractVersions(tx: Tx, ids: string[]): Promise<void> {
  const { rows } = await sql<{ seq: number }>`
    select d.seq from (${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id
    order by d.seq`.execute(tx.db);
  for (const { seq } of rows) await retract(tx, seq);
}
