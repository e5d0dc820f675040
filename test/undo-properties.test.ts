import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Memory, PrecedentError } from '../src/index.ts';
import type { Table } from '../src/store/tables.ts';
import { textsOf } from '../src/store/texts.ts';
import { enginesInTurn, fixed, optionsOf } from './support/engines.ts';
import { named } from './support/named.ts';
import { runs } from './support/part.ts';
import { exported, linesOfRows, type Row } from './support/stream.ts';

const KINDS = [
  'decide',
  'revise',
  'lock',
  'withdraw',
  'outcome',
  'evidence',
  'anchor',
  'checkpoint',
  'join',
  'joinScope',
  'rename',
  'note',
  'rewrite',
  'move',
  'delete',
  'restore',
  'relate',
  'unrelate',
  'memo',
  'edit memo',
  'delete memo',
  'restore memo',
] as const;
const step = fc.record({ kind: fc.constantFrom(...KINDS), one: fc.nat(20), two: fc.nat(20) });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What was made so far, by which later steps name it. */
interface Made {
  count: number;
  decisions: string[];
  evidence: string[];
  relations: number[];
  memos: string[];
  observations: number[];
}

const steps = (...taken: [kind: Step['kind'], one: number, two?: number][]): [Step[]] => [
  taken.map(([kind, one, two = 1]) => ({ kind, one, two })),
];

/** Histories that were not brought back whole once. */
const FOUND = {
  'a link of an older version': steps(['decide', 0], ['decide', 1, 0], ['decide', 1], ['decide', 0, 0]),
  'an outcome of what was replaced': steps(
    ['decide', 2],
    ['outcome', 2, 0],
    ['decide', 0, 0],
    ['decide', 0, 0],
  ),
  'an older version in searches': steps(['checkpoint', 0], ['decide', 1], ['revise', 1], ['decide', 3, 8]),
};

const TOPICS = ['a', 'b:x', '벽', 'd', 'e'];
const pick = <Value>(from: Value[], at: number): Value => {
  const value = from[at % Math.max(1, from.length)];
  if (value === undefined) throw new PrecedentError('not_found', 'no_record', 'nothing was made yet');
  return value;
};

/** Takes a step. What is refused is no save. */
async function take(memory: Memory, { kind, one, two }: Step, made: Made): Promise<void> {
  const text = `${kind} ${++made.count}`;
  const topic = pick(TOPICS, one);
  switch (kind) {
    case 'decide':
    case 'lock': {
      const basis =
        made.decisions.length > 0 && two % 2 === 0 ? `builds_on: ${pick(made.decisions, two)}` : '';
      const given = {
        topic,
        decision: text,
        reasoning: `why ${text}\n${basis}`,
        evidence: [`ground of ${text}`],
      };
      const replacing = { ...given, ...(await named(memory, topic)) };
      const saved = await memory.mama.save(
        kind === 'lock' ? { ...replacing, strength: 'lock' as const } : replacing,
      );
      made.decisions.push(saved.id);
      made.evidence.push(...(saved.evidence ?? []));
      return;
    }
    case 'revise':
      return void (await memory.decision.revise({
        id: topic,
        text,
        reasoning: `because of ${text}`,
        ...(await named(memory, topic)),
      }));
    case 'withdraw':
      return void (await memory.decision.revise({
        id: topic,
        withdrawn: true,
        reasoning: text,
        ...(await named(memory, topic)),
      }));
    case 'outcome': {
      const outcome = pick(
        ['success', 'failed', 'partial'] as const satisfies string[] as ('success' | 'failed')[],
        two,
      );
      return void (await memory.mama.update({ id: topic, outcome, reason: text }));
    }
    case 'evidence':
      made.evidence.push((await memory.evidence.save({ decisionRef: topic, content: text })).evidence.id);
      return;
    case 'anchor':
      return void (await memory.anchor.save({
        hint: text,
        targetRef: pick(made.decisions, one),
        type: 'decision_link',
      }));
    case 'checkpoint':
      return void (await memory.mama.save({ type: 'checkpoint', summary: text }));
    case 'join':
      return void (await memory.rename({ from: topic, to: pick(TOPICS, two), reasoning: text, join: true }));
    case 'joinScope':
      return void (await memory.rename({
        kind: 'scope',
        from: topic,
        to: `scope ${two % 3}`,
        reasoning: text,
        join: true,
      }));
    case 'rename':
      return void (await memory.rename({ from: topic, to: `${topic} ${two % 3}` }));
    case 'note':
      made.observations.push((await memory.mem.save({ title: text, content: text })).id);
      return;
    case 'rewrite':
      return void (await memory.mem.update({ id: pick(made.observations, one), title: text, content: text }));
    case 'move':
      return void (await memory.mem.update({ id: pick(made.observations, one), project: text }));
    case 'delete':
      return void (await memory.delete({ ref: pick(made.observations, one) }));
    case 'restore':
      return void (await memory.undelete({ ref: pick(made.observations, one) }));
    case 'relate': {
      const [from_id, to_id] = [pick(made.observations, one), pick(made.observations, two)];
      made.relations.push((await memory.mem.relate({ from_id, to_id, relation_type: 'r' })).relation_id);
      return;
    }
    case 'unrelate':
      return void (await memory.mem.unrelate({ relation_id: pick(made.relations, one) }));
    case 'memo':
      made.memos.push((await memory.memo.save({ fullText: text, keywords: ['word'] })).infoId);
      return;
    case 'edit memo':
      return void (await memory.memo.edit({ infoId: pick(made.memos, one), fullText: text }));
    case 'delete memo':
      return void (await memory.delete({ ref: pick(made.memos, one) }));
    case 'restore memo':
      return void (await memory.undelete({ ref: pick(made.memos, one) }));
  }
}

const unique = (values: string[]) => [...new Set(values)].sort();

/** Everything that a reader is told, without what tells versions and days apart. */
async function answers(memory: Memory) {
  const limit = 100;
  const lists = await Promise.all(
    (['active', 'withdrawn'] as const).map(async (state) =>
      (await memory.decision.list({ state, limit })).decisions.map(
        ({ topic, text, why, scope, strength, outcome, confidence, evidence, failedBasis }) =>
          JSON.stringify([topic, text, why, scope, strength, outcome, confidence, evidence, failedBasis]),
      ),
    ),
  );
  const { names: topics } = await memory.list.names({ kind: 'topics', limit });
  const shown = await Promise.all(
    topics.map(async ({ name: topic, leads_to, scope, status, outcome }) => {
      const { decision } = await memory.show({ ref: topic });
      const current = decision?.versions.find(({ version }) => version === decision.decision.version);
      const links = [...(decision?.edges.outgoing ?? []), ...(decision?.edges.incoming ?? [])];
      return {
        ...{ topic, leads_to, scope, status, outcome },
        text: current?.text,
        reason: current?.outcomes.findLast(({ retracted }) => !retracted)?.reason,
        evidence: decision?.evidence.map(({ content }) => content).sort(),
        anchors: decision?.anchors.map(({ hint }) => hint).sort(),
        links: unique(links.map((each) => `${each.relationship} ${each.decision.topic}`)),
      };
    }),
  );
  const observations = (await memory.mem.list({ limit })).results;
  const searched = await memory.mama.search({ query: 'decide lock revise', limit: 50 });
  const versions = await memory.mama.search({ query: 'decide lock revise', limit: 50, history: true });
  // What stands is asked for by its own words: a repeated text takes the place of an older version in what finds it.
  const query = 'decide lock revise note memo checkpoint ground';
  const everything = await memory.search({ query, limit: 50 });
  const { entries } = await memory.recall({ task: 'lock note decide', token_budget: 4_000 });
  return {
    lists: lists.map((each) => each.sort()),
    shown,
    scopes: (await memory.list.names({ kind: 'scopes', limit })).names.map(({ name, count }) => [
      name,
      count,
    ]),
    observations: observations.map(({ id, title, content, project, relation_count }) =>
      JSON.stringify([id, title, content, project, relation_count]),
    ),
    memos: (await memory.memo.list({ limit })).memos.map(({ summary }) => summary),
    checkpoint: (await memory.mama.loadCheckpoint()).checkpoint?.summary,
    searched: searched.results.map(({ topic, decision }) => `${topic} ${decision}`).sort(),
    // A version that stands again tells of the failure of the one that it repeats.
    failedBefore: unique(
      searched.results.flatMap(({ is_current, topic, decision, earlier_failure: failure }) =>
        is_current && failure && failure.decision !== decision
          ? [`${topic} ${failure.decision} ${failure.outcome_reason}`]
          : [],
      ),
    ),
    // One that stands again is there twice.
    versions: unique(versions.results.map(({ topic, decision }) => `${topic} ${decision}`)),
    everything: everything.results.map(({ kind, title, text }) => `${kind} ${title} ${text}`).sort(),
    recalled: entries.map(({ kind, title, text, why }) => `${kind} ${title} ${text} ${why}`).sort(),
  };
}

/** Every text that a memory holds, and all of it as one. */
async function textsIn(memory: Memory): Promise<{ texts: string[]; all: string }> {
  const lines = linesOfRows(await exported(memory));
  const texts = lines.flatMap((line) => {
    const { table, ...row } = JSON.parse(line) as Row;
    return textsOf(table as Table)
      .filter(({ kind }) => ['words', 'list', 'name'].includes(kind))
      .flatMap(({ column }) => (typeof row[column] === 'string' ? [row[column] as string] : []));
  });
  return { texts, all: lines.join('\n') };
}

describe('undo of any history', () => {
  for (const engine of enginesInTurn(2)) {
    describe(engine.name, { ...optionsOf(engine), concurrency: 1 }, () => {
      it('[K-6] [D-13] each undo answers as before the save, each redo as after it, and every text is still there', async () => {
        const { numRuns, seed } = runs(engine.name === 'SQLite' ? 16 : 8, 20260103);
        const examples = Object.values(FOUND);
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
            const memory = await engine.openFast({ ...fixed(), writer: { author: 'Kim' } });
            const made: Made = {
              count: 0,
              decisions: [],
              evidence: [],
              relations: [],
              memos: [],
              observations: [],
            };
            const states = [await answers(memory)];
            let kept = await textsIn(memory);
            const keeps = async (what: string) => {
              const now = await textsIn(memory);
              const lost = kept.texts.filter((text) => !now.all.includes(JSON.stringify(text).slice(1, -1)));
              assert.deepEqual(lost, [], `lost by ${what}`);
              kept = now;
            };
            let { state } = await memory.changed.since();
            for (const each of steps) {
              await take(memory, each, made).catch((error: unknown) => {
                const known = ['conflict', 'not_found', 'invalid'];
                assert(error instanceof PrecedentError && known.includes(error.code), String(error));
              });
              const now = await memory.changed.since({ state });
              if (now.changed) states.push(await answers(memory));
              state = now.state;
              await keeps(each.kind);
            }
            const walk = async (redo: boolean, wanted: typeof states) => {
              for (const [index, each] of wanted.entries()) {
                await memory.undo({ redo });
                assert.deepEqual(await answers(memory), each, `${redo ? 'redo' : 'undo'} ${index + 1}`);
                await keeps(redo ? 'redo' : 'undo');
              }
              assert.deepEqual((await memory.inspect()).problems, []);
            };
            const [, ...after] = states;
            const before = states.slice(0, -1).toReversed();
            await walk(false, before);
            await walk(true, after);
            await walk(false, before);
            await memory.close();
          }),
          { numRuns: numRuns + examples.length, seed, endOnFailure: true, examples },
        );
      });
    });
  }
});
