import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forModel, type Memory } from '../../src/index.ts';
import { operations } from '../../src/operations/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';

/** What a person reads where a list has no entries: its first line. */
async function said(memory: Memory, list: string, input: object = {}): Promise<string> {
  const [name = '', kind] = list.split(' ');
  const result = await memory.call(name, { ...input, ...(kind && { kind }) });
  const operation = operations.find((each) => each.name === name);
  const [first] = operation?.view?.(result) ?? [];
  return JSON.stringify(first).replaceAll('\\"', '"');
}

/** A list of each kind, and what it calls that. */
const LISTS = {
  decision_list: 'decision',
  decision_retrieve: 'decision',
  'list_names topics': 'topic',
  'list_names scopes': 'scope',
  mem_list: 'note',
  memo_list: 'memo',
  'list_names authors': 'author',
  timeline: 'record',
  mama_load_checkpoint: 'checkpoint',
};

/** What lists say where they list nothing. */
export function listedNone(engine: EngineUnderTest): void {
  describe('a list without entries', () => {
    it('[RE-8] only an empty memory is called empty: what is ended is counted', async () => {
      const memory = await engine.open();
      for (const [name, what] of Object.entries(LISTS).filter(([each]) => each !== 'decision_retrieve'))
        assert((await said(memory, name)).includes(`No ${what} is recorded yet in workspace `), name);
      const { id } = await memory.mama.save({ topic: 'seat:hold', decision: 'A seat is held' });
      await memory.decision.revise({ id, withdrawn: true, reasoning: 'Not any more' });
      const note = await memory.mem.save({ title: 'Seat', content: 'A seat squeaks' });
      await memory.delete({ ref: note.id });
      const { infoId } = await memory.memo.save({ fullText: 'Seats are red', keywords: ['seats'] });
      await memory.delete({ ref: infoId });
      for (const name of ['decision_list', 'list_names scopes', 'mem_list', 'memo_list'] as const)
        assert.match(
          await said(memory, name),
          new RegExp(`No ${LISTS[name]} is active .*\\(1 ended\\)`),
          name,
        );
    });

    it('[RE-8] the keywords of memos are named by how many memos have them, then the newest first', async () => {
      const memory = await engine.open();
      for (const keywords of [['zebra'], ['apple'], ['bread', 'zebra']])
        await memory.memo.save({ fullText: keywords.join(), keywords });
      assert.match(
        await said(memory, 'memo_list', { keyword: 'sofa' }),
        /there are zebra 2, bread 1, apple 1\)/,
      );
    });

    it('[RE-8] a domain in which nothing was decided is said to be none, before what binds everywhere', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'seat:hold', decision: 'A seat is held' });
      await memory.mama.save({ topic: 'tabs', decision: 'Tabs it is', strength: 'axis', scope: 'global' });
      const told = (domain: string) =>
        memory.decision.retrieve({ domain }).then((each) => forModel('decision_retrieve', each));
      assert.match(
        JSON.stringify(await told('snack')),
        /^."domain":"No decision has this domain; there are global, seat"/,
      );
      assert(!('domain' in (await told('seat'))));
    });

    it('[RE-8] a filter that left everything out is named, with how many there are, and of which values', async () => {
      const memory = await engine.open({ writer: { author: 'Kim <kim@example.com>' } });
      await memory.mama.save({ topic: 'seat:hold', decision: 'A seat is held for ten minutes' });
      await memory.mama.save({ topic: 'snack:price', decision: 'Popcorn costs the same everywhere' });
      await memory.mem.save({ title: 'Seat', content: 'A seat squeaks', type: 'bugfix', project: 'app' });
      await memory.memo.save({ fullText: 'Seats are red', keywords: ['seats'] });
      for (const [name, input, expected] of [
        [
          'decision_list',
          { outcome: 'failed' },
          'decision passes outcome "failed"|2 without it; there are pending 2',
        ],
        [
          'decision_list',
          { filter: 'scope:snack giraffe' },
          'decision passes scope "snack", words "giraffe"|2 without it; there are snack 1, seat 1',
        ],
        [
          'decision_retrieve',
          { domain: 'snak' },
          'decision passes domain "snak"|2 without it; there are snack 1, seat 1',
        ],
        ['list_names topics', { beginning: 'sofa' }, 'topic passes beginning "sofa"|2 without it'],
        [
          'list_names topics',
          { scope: 'snak' },
          'topic passes scope "snak"|2 without it; there are snack 1, seat 1',
        ],
        ['mem_list', { type: 'pattern' }, 'note passes type "pattern"|1 without it; there are bugfix 1'],
        ['memo_list', { keyword: 'sofa' }, 'memo passes keyword "sofa"|1 without it; there are seats 1'],
        ['memo_list', { until: '2001' }, 'memo passes until "2001"|1 without it'],
        ['timeline', { until: '2001' }, 'record passes until "2001"|4 without it'],
      ] as const) {
        const [what = '', there = ''] = expected.split('|');
        const told = await said(memory, name, input);
        assert(told.includes(`No ${what} in workspace `) && told.includes(`(${there}).`), `${name}: ${told}`);
      }
      for (const [name, input] of [
        ['memo_list', { keyword: 'sofa' }],
        ['decision_retrieve', { domain: 'snak' }],
      ] as const) {
        const given = forModel(name, await memory.call(name, { ...input })) as {
          note?: string;
          looked?: object;
        };
        assert.match(given.note ?? '', /^No \w+ passes \w+ "\w+" \(\d without it; there are /, name);
        assert.equal(given.looked, undefined, 'once');
      }
      assert.equal((await memory.decision.list({ outcome: 'pending' })).looked, undefined);
    });
  });
}
