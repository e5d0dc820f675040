import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { foldName } from '../../src/domain/text/text.ts';
import type { Memory } from '../../src/index.ts';
import { serving } from './serving.ts';
import { exported } from './stream.ts';

/** All rows of an export. */
export const rowsOf = async (memory: Memory) =>
  (await exported(memory)).slice(1, -1).map((line) => JSON.parse(line)) as Record<string, unknown>[];

/** A random life of one machine: one step of it. */
export async function step(memory: Memory, random: () => number): Promise<unknown> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const dice = random();
  const word = () => `${pick(['토큰', 'cookie', 'session', '인증', 'cache'])} ${Math.floor(random() * 1e6)}`;
  const topic = pick(['auth:token', '인증:세션', 'web:cache', 'Web:Cache', 'db']);
  const rows = await rowsOf(memory);
  const ids = (table: string) => rows.filter((row) => row.table === table).map((row) => row.id as never);
  const id = ids('decisions').length > 0 ? pick(ids('decisions')) : undefined;
  const number = ids('observations').length > 0 ? pick(ids('observations')) : undefined;
  const strength = pick([undefined, undefined, 'lock' as const]);
  if (dice < 0.35 || id === undefined)
    return memory.mama.save({ topic, decision: word(), reasoning: 'because', strength } as never);
  if (dice < 0.42) return memory.mama.update({ id, outcome: pick(['failed', 'success']), reason: word() });
  if (dice < 0.5)
    return memory.mama.save({ topic, decision: word(), reasoning: `debates: ${id}`, evidence: [word()] });
  if (dice < 0.57) return memory.undo({});
  if (dice < 0.6) return memory.decision.settle({ topic, text: word(), reasoning: 'settled' });
  const blankedAt = pick([id, number, ...ids('evidence')]);
  if (dice < 0.65 && blankedAt !== undefined)
    return memory.redact(String(blankedAt), pick([undefined, 'token', '토큰', 'because', 'e']));
  if (dice < 0.8)
    return memory.mem.save({ title: word(), content: word(), topic_key: pick([undefined, 'k']) } as never);
  if (dice < 0.82) return memory.rename({ from: topic, to: pick(['auth:token', 'auth:new', '이름']) });
  if (dice < 0.83)
    return memory.rename({ from: topic, to: pick(['db', 'web:cache']), reasoning: 'the same', join: true });
  if (number === undefined) return undefined;
  if (dice < 0.86)
    return memory.mem.relate({ from_id: number, to_id: pick(ids('observations')), relation_type: word() });
  if (dice < 0.87 && ids('relations').length > 0)
    return memory.mem.unrelate({ relation_id: pick(ids('relations')) });
  if (dice < 0.92)
    return memory.mem.update({ id: number, content: word(), project: pick(['shop', undefined]) } as never);
  if (dice < 0.94) return memory.undelete({ ref: number });
  return memory.delete({ ref: number, hard_delete: random() < 0.5 });
}

/**
 * Where every name leads that one of these memories gave a topic (U-6): to the first version of a chain, null for nowhere. A
 * topic that was joined with another leads there on one machine alone.
 */
export async function namesIn(memories: Memory[]): Promise<Record<string, unknown>[]> {
  const all = await Promise.all(memories.map(rowsOf));
  const valuesOf = (kind: string) =>
    all
      .flat()
      .flatMap((row) =>
        row.table === 'changes' && row.kind === kind
          ? [row.before, row.after].map((values) => JSON.parse(String(values)).topic as string | null)
          : [],
      );
  const joined = new Set(valuesOf('joined'));
  const names = new Set(
    valuesOf('renamed').filter((name) => name && !name.includes('[REDACTED]') && !joined.has(name)),
  );
  return all.map((rows) => {
    const topics = rows.filter(({ table }) => table === 'topics');
    const lead = (name: string) =>
      topics.find((row) => row.name === name) ?? topics.find((row) => row.key === foldName(name));
    return Object.fromEntries([...names].sort().map((name) => [name, lead(name ?? '')?.rootId ?? null]));
  });
}

/** What a memory holds, without what belongs to one machine: numbers and writers. */
export async function shown(memory: Memory): Promise<unknown> {
  const rows = await rowsOf(memory);
  const of = (table: string) => rows.filter((row) => row.table === table);
  const uids = new Map(
    of('records').map(({ seq, uid, retractedAt }) => [seq, { uid, gone: retractedAt !== null }]),
  );
  const sorted = (lines: unknown[]) => lines.map((line) => JSON.stringify(line)).sort();
  const numbers = new Map(of('observations').map(({ id, seq }) => [id, uids.get(seq)?.uid]));
  return {
    decisions: sorted(
      of('decisions').map(
        ({ seq, id, rootId, version, topic, text, isActive, withdrawn, outcome, basedOn }) => [
          ...[rootId, version, id, topic, text, isActive, withdrawn, outcome, basedOn, uids.get(seq)?.gone],
        ],
      ),
    ),
    outcomes: sorted(
      of('outcomes').map(({ seq, decisionId, outcome, reason }) => [
        uids.get(seq),
        decisionId,
        outcome,
        reason,
      ]),
    ),
    evidence: sorted(
      of('evidence').map(({ seq, id, decisionRef, content }) => [
        id,
        decisionRef,
        content,
        uids.get(seq)?.gone,
      ]),
    ),
    observations: sorted(
      of('observations').map(
        ({ seq, title, content, project, scope, topicKey, deletedAt, revisionCount }) => [
          ...[
            uids.get(seq)?.uid,
            title,
            content,
            project,
            scope,
            topicKey,
            deletedAt === null,
            revisionCount,
          ],
        ],
      ),
    ),
    revisions: sorted(
      of('observationRevisions').map(({ observationId, revision, content }) => [
        numbers.get(observationId),
        revision,
        content,
      ]),
    ),
    relations: sorted(
      of('relations').map(({ fromId, toId, type, note }) => [
        numbers.get(fromId),
        numbers.get(toId),
        type,
        note,
      ]),
    ),
  };
}

/** A server of one memory, which the test sees too. */
export async function served(test: Pick<TestContext, 'after'>, memory: Memory) {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-served-'));
  const shared = new Proxy(memory, {
    get: (target, name) => (name === 'close' ? async () => {} : Reflect.get(target, name)),
  });
  const server = await serving(
    folder,
    { laptop: { access: 'sync' }, other: { access: 'sync', workspaces: ['other'] } },
    { source: { main: 'shop', list: async () => ['shop'], open: async () => shared } },
  );
  test.after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { server, memory, at: `${server.url}/api/v1/shop/sync`, token: server.tokens.laptop };
}
