import { sql } from 'kysely';
import { invalid, notFound, type PrecedentError } from '../../domain/error.ts';
import type { Filter } from '../../domain/filter/filter.ts';
import { didYouMean } from '../../domain/filter/near.ts';
import { foldName, normalizeName } from '../../domain/text/text.ts';
import { ANY_AGENT, isVia, viaOf } from '../../domain/via.ts';
import { forksOf, withSideIn } from '../decisions/fork.ts';
import type { Meant } from '../kinds/condition.ts';
import { findName, namesOf } from '../names.ts';
import { findRow } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { clientsHere } from '../writer.ts';

/** Programs that a refusal names. */
const NAMED = 8;
/** Names looked at for one that was probably meant. */
const LOOKED_AT = 5_000;

/**
 * Looks up what the names of a filter mean.
 * @throws PrecedentError `not_found` for a name that nothing has, with the one that was probably meant
 */
export async function meantBy(tx: Tx, { by, ...filter }: Filter): Promise<Meant> {
  const scope = filter.scope === undefined ? undefined : await scopeOf(tx, normalizeName(filter.scope));
  const topic = asName(filter.topic);
  const project = asName(filter.project);
  const chain = topic === undefined ? undefined : await findName(tx, 'topics', topic);
  if (topic !== undefined && !chain && !(await findRow(tx, 'observations', { topicKey: topic }))) {
    const names = [...(await namesOf(tx, 'topics')), ...(await namesIn(tx, 'topicKey'))];
    throw unknown('a topic', topic, names, 'list_names ("precedent list topics") shows what there is.');
  }
  if (project !== undefined && !(await findRow(tx, 'observations', { project })))
    throw unknown('a project', project, await namesIn(tx, 'project'));
  return {
    ...filter,
    topic,
    project,
    ...(scope !== undefined && {
      scope,
      alsoInScope: (await withSideIn(tx, scope)).map(({ id }) => id),
    }),
    ...(chain && { rootId: chain.target }),
    ...(filter.forked && { forkedRoots: [...(await forksOf(tx)).keys()] }),
    ...(by !== undefined && { authors: await authorsLike(tx, by) }),
    ...(filter.via !== undefined && { clients: await clientsLike(tx, filter.via) }),
    ...(filter.session !== undefined && { session: await sessionAt(tx, filter.session) }),
  };
}

/** A name as it is stored. */
function asName(given: string | undefined): string | undefined {
  return given === undefined ? undefined : normalizeName(given);
}

async function scopeOf(tx: Tx, name: string): Promise<string> {
  const found = await findName(tx, 'scopes', name);
  if (found) return found.target;
  throw unknown(
    'a scope',
    name,
    await namesOf(tx, 'scopes'),
    'list_names ("precedent list scopes") shows what there is.',
  );
}

async function authorsLike(tx: Tx, part: string): Promise<string[]> {
  const rows = await query<{ author: string }>(tx)`select distinct author from writers where author <> ''`;
  const authors = rows.map(({ author }) => author);
  const found = authors.filter((author) => foldName(author).includes(foldName(part)));
  if (found.length > 0) return found;
  throw unknown('an author', part, authors, 'list_names ("precedent list authors") shows what there is.');
}

/** The programs that a filter means; none for an agent where no agent wrote yet (V-1). */
async function clientsLike(tx: Tx, part: string): Promise<string[]> {
  const clients = await clientsHere(tx);
  const found = clients.filter((client) => isVia(client, part));
  if (found.length > 0 || part.toLowerCase() === ANY_AGENT) return found;
  const names = [...new Set([ANY_AGENT, ...clients.map((client) => viaOf(client) ?? client)])];
  throw unknown('a program', part, names, `It was written via ${names.slice(0, NAMED).join(', ')}.`);
}

/** The session that begins so (V-1). */
async function sessionAt(tx: Tx, beginning: string): Promise<string> {
  const rows = await query<{ session: string }>(tx)`select distinct session from writers
    where session >= ${beginning} and session < ${`${beginning}\u{10ffff}`} order by session limit 2`;
  const [first, second] = rows.map(({ session }) => session);
  if (first !== undefined && (second === undefined || first === beginning)) return first;
  if (first === undefined) throw unknown('a session', beginning, []);
  throw invalid.ambiguous(
    `Expected the id of one session, found "${beginning}", a prefix of several. Give more of the id.`,
  );
}

/** The names that observations have in a column. */
async function namesIn(tx: Tx, column: 'topicKey' | 'project'): Promise<string[]> {
  const rows = await query<{ name: string | null }>(tx)`
    select distinct ${sql.ref(column)} as name from observations limit ${LOOKED_AT}`;
  return rows.flatMap(({ name }) => name ?? []);
}

/** @param there what says what there is */
function unknown(what: string, given: string, names: string[], there?: string): PrecedentError {
  const near = didYouMean(given, names);
  const advice = near || (there && names.length > 0 ? ` ${there}` : '');
  return notFound.no_name(`Expected ${what} that this memory has, found "${given}".${advice}`);
}
