import { type Facts, noFacts, type ObservationFact, type Rest } from '../../../domain/arrival/facts.ts';
import { warnBroken } from '../broken.ts';
import type { SourceRow } from '../source-database.ts';
import { counted } from '../values.ts';
import type { EngramRows } from './open.ts';

/** What has a place in an observation, or follows from one. */
const TAKEN =
  /^(id|sync_id|session_id|type|title|content|project|scope|topic_key|namespace|normalized_hash|revision_count|duplicate_count|last_seen_at|created_at|updated_at|deleted_at|embedding.*)$/;
/** Judgements that link two observations. */
const LINKS = ['related', 'compatible', 'scoped', 'conflicts_with', 'supersedes'];

/** Observations out of the rows of Hoofy or engram. */
export function factsOf(source: string, rows: EngramRows): Facts {
  const facts = noFacts(source);
  const seen = new Map<string, ObservationFact>();
  const numbers = new Map<string, string>();
  const versions = Map.groupBy(rows.versions, ({ observation_sync_id: of }) => String(of));
  for (const row of rows.observations) {
    const fact = observation(row, versions.get(String(row.sync_id)) ?? []);
    seen.set(fact.key, fact);
    numbers.set(String(row.id), fact.key);
  }
  facts.observations.push(...seen.values());
  warnBroken(facts);
  keepNewestKeys(facts);
  for (const row of rows.sessions) if (text(row.summary)) facts.observations.push(summary(row));
  for (const row of rows.relations) facts.relations.push(relation(row, numbers));
  judged(facts, rows.memoryRelations);
  if (rows.prompts.length > 0) {
    facts.skipped.push({ what: counted(rows.prompts.length, 'prompt'), why: 'what was typed is no memory' });
  }
  return facts;
}

function observation(row: SourceRow, versions: SourceRow[]): ObservationFact {
  const at = timeOf(row.created_at);
  const updatedAt = timeOf(row.updated_at) || at;
  const namespace = text(row.namespace);
  const revisions = Number(row.revision_count ?? 1);
  const said = { title: whole(row.title), content: whole(row.content), type: String(row.type ?? '') };
  const earlier = revisionsOf(versions, said, updatedAt);
  return {
    key: text(row.sync_id) ?? `${row.session_id}:${row.created_at}:${row.id}`,
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
      ...(revisions > 1 && earlier.length !== revisions - 1 && { revision_count: revisions }),
    },
  };
}

/** Earlier texts that 2.x kept; before it, each text was written over. */
function revisionsOf(
  versions: SourceRow[],
  now: { title: string; content: string; type: string },
  updatedAt: number,
): NonNullable<ObservationFact['revisions']> {
  const texts = versions.map((row) => ({
    title: whole(row.title),
    content: whole(row.content),
    type: String(row.type ?? now.type),
    at: timeOf(row.captured_at),
  }));
  const last = texts.at(-1);
  const earlier =
    last && last.title === now.title && last.content === now.content ? texts.slice(0, -1) : texts;
  return earlier.map(({ at: _, ...told }, index) => ({
    ...told,
    replacedAt: texts[index + 1]?.at ?? updatedAt,
  }));
}

/** Of live rows with one key in one place the newest keeps it, as their own lookup finds that one. */
function keepNewestKeys({ observations, warnings }: Facts): void {
  const holders = new Map<string, ObservationFact>();
  for (const fact of observations) {
    if (fact.topicKey === null || fact.deletedAt !== undefined) continue;
    const place = JSON.stringify([fact.project, fact.scope, fact.topicKey]);
    const before = holders.get(place);
    const older = before && (before.updatedAt ?? 0) > (fact.updatedAt ?? 0) ? fact : before;
    holders.set(place, older === fact ? (before as ObservationFact) : fact);
    if (!older) continue;
    warnings.push(
      `"${older.title}" comes in without its topic key "${older.topicKey}", which a newer one has there`,
    );
    older.rest = { ...older.rest, topic_key: older.topicKey };
    older.topicKey = null;
  }
}

function summary(row: SourceRow): ObservationFact {
  return {
    key: `session:${row.id}`,
    at: timeOf(row.ended_at ?? row.started_at),
    session: String(row.id),
    title: `Session ${row.id}`,
    content: String(row.summary),
    type: 'session_summary',
    project: text(row.project) ?? null,
    scope: 'project',
    topicKey: null,
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
  const key = JSON.stringify([from, row.type, to]);
  return { key, at: timeOf(row.created_at), from, to, type: String(row.type), note: text(row.note) ?? null };
}

/** Links that somebody judged; what is open or was found to be none is counted. */
function judged(facts: Facts, rows: SourceRow[]): void {
  const wanted = rows.filter(
    (row) => row.judgment_status === 'judged' && LINKS.includes(String(row.relation)),
  );
  for (const row of wanted) {
    const more = [
      text(row.marked_by_actor),
      row.confidence !== null && `confidence ${row.confidence}`,
    ].filter(Boolean);
    const note = [text(row.reason), more.length > 0 && `(${more.join(', ')})`].filter(Boolean).join(' ');
    facts.relations.push({
      key: String(row.sync_id),
      at: timeOf(row.created_at),
      session: text(row.session_id),
      from: String(row.source_id),
      to: String(row.target_id),
      type: String(row.relation),
      note: note === '' ? null : note,
      rest: restOf({
        evidence: row.evidence,
        marked_by_model: row.marked_by_model,
        superseded_at: row.superseded_at,
      }),
    });
  }
  const left = rows.length - wanted.length;
  if (left > 0)
    facts.skipped.push({ what: counted(left, 'relation'), why: 'not judged, or judged to be none' });
}

function restOf(row: SourceRow): Rest {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => !TAKEN.test(name) && value !== null && value !== '' && value !== 0,
    ),
  );
}

const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

/** Several programs write a different number of marks for the same broken bytes. */
const whole = (value: unknown) => String(value ?? '').replace(/\ufffd+/g, '\ufffd');

/** Whole seconds, UTC. */
function timeOf(value: unknown): number {
  const written = String(value ?? '');
  const time = Date.parse(/[zZ]|[+-]\d\d:\d\d$/.test(written) ? written : `${written.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? 0 : time;
}
