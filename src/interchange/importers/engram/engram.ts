import { join } from 'node:path';
import { append } from '../../../domain/append.ts';
import { notFound } from '../../../domain/error.ts';
import { type ExtraFields, type Facts, noFacts, type ObservationFact } from '../../../domain/import/facts.ts';
import { warnBroken } from '../broken.ts';
import type { Importer } from '../importer.ts';
import { isFolder } from '../source-text.ts';
import { BARE, leaveOut, linkFact, type SourceRow, textOf as text, timeOf } from '../values.ts';
import { type EngramRows, openEngram } from './open.ts';

/** Hoofy: a database, or what `mem_export` writes. */
export const hoofy: Importer = {
  name: 'hoofy',
  what: 'the database or the export of Hoofy',
  places: ({ home }) => [join(home, '.hoofy', 'memory.db')],
  read: (path) => {
    if (isFolder(path)) {
      throw notFound.no_file(`Expected the database or the export of Hoofy, found a folder at ${path}.`);
    }
    return factsOf('hoofy', openEngram(path, 'hoofy'));
  },
};

/** engram 1.x and 2.x: a database, an export, or what machines share in `.engram` of a repository. */
export const engram: Importer = {
  name: 'engram',
  what: 'the database, the export or the shared chunks of engram',
  places: ({ home, env, folder }) => [
    join(env.ENGRAM_DATA_DIR ?? join(home, '.engram'), 'engram.db'),
    join(folder, '.engram', 'chunks'),
  ],
  read: (path) => factsOf('engram', openEngram(path.replace(/[/\\]chunks[/\\]?$/, ''), 'engram')),
};

/** Columns that have a place in an observation, or follow from one. */
const TAKEN =
  /^(id|sync_id|session_id|type|title|content|project|scope|topic_key|namespace|normalized_hash|revision_count|duplicate_count|last_seen_at|created_at|updated_at|deleted_at|embedding.*)$/;
/** Judgements that link nothing; every other one does, also one that is newer than this. */
const NO_LINKS = ['not_conflict', 'pending'];

/** Observations out of the rows of Hoofy or engram. */
function factsOf(source: string, rows: EngramRows): Facts {
  const facts = noFacts(source);
  const seen = new Map<string, ObservationFact>();
  const numbers = new Map<string, string>();
  const distinct = new Map(rows.versions.map((row) => [row.version_id, row]));
  const versions = Map.groupBy(distinct.values(), ({ observation_sync_id: of }) => String(of));
  if (rows.relations.length > 0) for (const row of rows.observations) numbers.set(String(row.id), keyOf(row));
  for (const [key, stated] of Map.groupBy(rows.observations, keyOf)) {
    // If several chunks have one record, the latest counts.
    const earlier = stated.toSorted((a, b) => changedAt(a) - changedAt(b));
    const row = earlier.pop();
    const before = earlier.map((each) => ({ ...each, captured_at: each.updated_at || each.created_at }));
    if (row) seen.set(key, observation(key, row, versions.get(String(row.sync_id)) ?? before));
  }
  for (const [key, at] of rows.deleted) takeBack(seen.get(key), timeOf(at));
  append(facts.observations, seen.values());
  warnBroken(facts);
  keepNewestKeys(facts);
  for (const row of rows.sessions) if (text(row.summary)) facts.observations.push(summary(row));
  for (const row of rows.relations) facts.relations.push(relation(row, numbers));
  judged(facts, rows.memoryRelations);
  leaveOut(facts, rows.prompts.length, 'prompt', 'what was typed is no memory');
  append(facts.skipped, rows.skipped);
  return facts;
}

/** A deletion that is recorded next to a row; one that was written again since counts. */
function takeBack(fact: ObservationFact | undefined, at: number): void {
  if (fact && (at === 0 || at >= (fact.updatedAt ?? fact.at))) fact.deletedAt ??= at || fact.updatedAt;
}

const keyOf = (row: SourceRow): string =>
  text(row.sync_id) ?? `${row.session_id}:${row.created_at}:${row.id}`;

const changedAt = (row: SourceRow): number => timeOf(row.updated_at) || timeOf(row.created_at);

function observation(key: string, row: SourceRow, versions: SourceRow[]): ObservationFact {
  const at = timeOf(row.created_at);
  const updatedAt = changedAt(row);
  const namespace = text(row.namespace);
  const revisions = Number(row.revision_count ?? 1);
  const said = { title: whole(row.title), content: whole(row.content), type: String(row.type ?? '') };
  const earlier = revisionsOf(versions, said, updatedAt);
  return {
    key,
    at,
    updatedAt,
    session: text(row.session_id),
    ...said,
    project: text(row.project) ?? null,
    scope: namespace === undefined ? (text(row.scope) ?? 'project') : `project:${namespace}`,
    topicKey: text(row.topic_key) ?? null,
    deletedAt: row.deleted_at ? timeOf(row.deleted_at) : undefined,
    lastSeenAt: row.last_seen_at ? timeOf(row.last_seen_at) : updatedAt,
    // Once is one there, and none here.
    repeats: Math.max(0, Number(row.duplicate_count ?? 1) - 1),
    revisions: earlier,
    rest: {
      ...restOf(row),
      ...(namespace !== undefined && text(row.scope) === 'personal' && { scope: row.scope }),
      ...(revisions > 1 && earlier.length !== revisions - 1 && { revision_count: revisions }),
    },
  };
}

/** Earlier texts, which 2.x kept and chunks have; else each text was written over. */
function revisionsOf(
  versions: SourceRow[],
  now: { title: string; content: string; type: string },
  updatedAt: number,
): NonNullable<ObservationFact['revisions']> {
  const texts = versions
    .toSorted((a, b) => revisionIn(a) - revisionIn(b) || timeOf(a.captured_at) - timeOf(b.captured_at))
    .map((row) => ({
      title: whole(row.title),
      content: whole(row.content),
      type: String(row.type ?? now.type),
      at: timeOf(row.captured_at),
    }));
  const all = [...texts, { ...now, at: updatedAt }];
  const isKept = (index: number) => {
    const [one, next] = [all[index], all[index + 1]];
    return one?.title !== next?.title || one?.content !== next?.content;
  };
  return texts.flatMap(({ at: _, ...stated }, index) =>
    isKept(index) ? [{ ...stated, replacedAt: all[index + 1]?.at ?? updatedAt }] : [],
  );
}

const revisionIn = (row: SourceRow): number => Number(row.revision_count ?? 0);

/** If live rows in one place share a key, the newest keeps it: their own lookup finds that one. */
function keepNewestKeys({ observations, warnings }: Facts): void {
  const live = observations.filter((fact) => fact.topicKey !== null && fact.deletedAt === undefined);
  const placeOf = ({ project, scope, topicKey }: ObservationFact) =>
    JSON.stringify([project, scope, topicKey]);
  for (const same of Map.groupBy(live, placeOf).values()) {
    const older = same.toSorted((a, b) => (a.updatedAt ?? 0) - (b.updatedAt ?? 0)).slice(0, -1);
    for (const fact of older) {
      warnings.push(
        `"${fact.title}" comes in without its topic key "${fact.topicKey}", which a newer one has there`,
      );
      fact.rest = { ...fact.rest, topic_key: fact.topicKey };
      fact.topicKey = null;
    }
  }
}

function summary(row: SourceRow): ObservationFact {
  return {
    ...BARE,
    key: `session:${row.id}`,
    at: timeOf(row.ended_at ?? row.started_at),
    session: String(row.id),
    title: `Session ${row.id}`,
    content: String(row.summary),
    type: 'session_summary',
    project: text(row.project) ?? null,
    rest: restOf({
      directory: row.directory,
      started_at: row.started_at,
      ownership_mode: row.ownership_mode,
    }),
  };
}

function relation(row: SourceRow, numbers: Map<string, string>): Facts['relations'][number] {
  const [from = '', to = ''] = [row.from_id, row.to_id].map(
    (id) => numbers.get(String(id)) ?? `observation ${id}`,
  );
  return linkFact(from, String(row.type), to, { at: timeOf(row.created_at), note: text(row.note) ?? null });
}

/** Links that somebody judged; what is open or was found to be none is counted. */
function judged(facts: Facts, rows: SourceRow[]): void {
  const all = [...new Map(rows.map((row) => [row.sync_id, row])).values()];
  const wanted = all.filter(
    (row) => row.judgment_status === 'judged' && !NO_LINKS.includes(String(row.relation)),
  );
  const links = Map.groupBy(wanted, ({ source_id, relation, target_id }) =>
    JSON.stringify([source_id, relation, target_id]),
  );
  // Several actors may have judged alike: that is one link, for the reasons of all.
  for (const [row, ...more] of links.values()) {
    if (!row) continue;
    const notes = [row, ...more].map(reasonOf).filter((each) => each !== '');
    facts.relations.push({
      key: String(row.sync_id),
      at: timeOf(row.created_at),
      session: text(row.session_id),
      from: String(row.source_id),
      to: String(row.target_id),
      type: String(row.relation),
      note: notes.length > 0 ? notes.join('; ') : null,
      rest: restOf({
        evidence: row.evidence,
        marked_by_model: row.marked_by_model,
        superseded_at: row.superseded_at,
      }),
    });
  }
  leaveOut(facts, all.length - wanted.length, 'relation', 'not judged, or judged to be none');
}

/** Why somebody judged so, who it was, and how sure. */
function reasonOf({ reason, marked_by_actor: actor, confidence }: SourceRow): string {
  const more = [text(actor), typeof confidence === 'number' && `confidence ${confidence}`].filter(Boolean);
  return [text(reason), more.length > 0 && `(${more.join(', ')})`].filter(Boolean).join(' ');
}

function restOf(row: SourceRow): ExtraFields {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => !TAKEN.test(name) && value !== null && value !== '' && value !== 0,
    ),
  );
}

/** Several programs write a different number of marks for the same broken bytes. */
const whole = (value: unknown) => String(value ?? '').replace(/\ufffd+/g, '\ufffd');
