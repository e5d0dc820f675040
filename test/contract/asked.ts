import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import { forModel } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const JIWOO = { author: '김지우 <jiwoo@example.com>' };
const LEE = { author: 'Lee Hyun <lee@example.com>' };

/** What is asked for in other ways than by its words. */
export function asked(engine: EngineUnderTest): void {
  describe('asked by whom, since when and where', () => {
    it('[T-18] "decisions by Jiwoo" are those that Jiwoo wrote, with words and without', async () => {
      const memory = await engine.open();
      const save = (topic: string, decision: string, writer: object) =>
        memory.call('mama_save', { topic, decision }, writer);
      await save('queue:engine', 'pg-boss for the queue', LEE);
      await save('queue:retry', '큐는 세 번 다시 시도한다: queue', JIWOO);
      await save('ui:colour', 'A dark page', JIWOO);
      await save('ui:colour', 'A light page', LEE);
      const found = async (input: object) => {
        const { results, total } = await memory.mama.search(input);
        return [...results.map(({ decision }) => decision.slice(0, 6)), total];
      };
      assert.deepEqual(await found({ author: '지우' }), ['A dark', '큐는 세 번', 2]);
      assert.deepEqual(await found({ author: 'jiwoo@', query: 'queue' }), ['큐는 세 번', 1]);
      assert.deepEqual(await found({ author: 'lee', query: 'queue' }), ['pg-bos', 1]);
      assert.deepEqual(await found({ author: 'lee', query: 'page', domain: 'ui' }), ['A ligh', 1]);
      await refuses(memory.mama.search({ author: 'Jiwo Kim' }), 'not_found', 'Jiwo Kim');

      await memory.call('mem_save', { title: 'one', content: 'The queue drains' }, JIWOO);
      await memory.call('mem_save', { title: 'two', content: 'The queue fills' }, LEE);
      const noted = async (input: object) =>
        (await memory.mem.search(input)).results.map(({ title }) => title);
      assert.deepEqual(await noted({ author: 'jiwoo', query: 'queue' }), ['one']);
      assert.deepEqual(await noted({ author: 'Lee' }), ['two']);
    });

    it('[T-18] since a day is what was decided and noted from then on', async () => {
      const memory = await engine.open();
      for (const [topic, date] of [
        ['old', '2024-03-01'],
        ['new', '2025-06-01'],
      ] as const) {
        await memory.mama.save({ topic, decision: `${topic} pages`, date });
        await memory.mem.save({ title: topic, content: `${topic} 페이지`, date });
      }
      for (const query of [undefined, 'pages 페이지']) {
        const [decided, noted] = [
          await memory.mama.search({ query, since: '2025' }),
          await memory.mem.search({ query, since: '2025' }),
        ];
        assert.deepEqual([decided.results.map(({ topic }) => topic), decided.total], [['new'], 1]);
        assert.deepEqual([noted.results.map(({ title }) => title), noted.total], [['new'], 1]);
      }
      await refuses(memory.mama.search({ since: 'soon' }), 'invalid', 'since', 'soon');
    });

    it('[T-18] a checkpoint says what was decided and what failed since it was saved', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 'copy:batch', decision: '5,000 readings a statement' });
      await memory.mama.save({ type: 'checkpoint', summary: 'Half', next_steps: 'Write 5,000 a statement' });
      assert.equal((await memory.mama.loadCheckpoint()).since, undefined);
      await memory.mama.update({ id, outcome: 'failed', reason: 'The locks ran out' });
      await memory.mama.save({ topic: 'copy:batch', decision: '500 readings a statement' });
      const { since, checkpoint } = await memory.mama.loadCheckpoint();
      assert.match(
        since?.join('; ') ?? '',
        /^copy:batch decided: “500 readings a statement” \([0-9a-f]{8}\); copy:batch failed: “5,000 .*” \([0-9a-f]{8}\)$/,
      );
      for (let each = 0; each < 6; each++)
        await memory.mama.save({ topic: `ui:part${each}`, decision: `Part ${each}` });
      assert.equal((await memory.mama.loadCheckpoint({ id: checkpoint?.id })).since?.at(-1), '2 more');
      await memory.mama.save({ type: 'checkpoint', summary: 'go on' });
      const note = await memory.mem.save({ title: 'the link opens twice', content: 'a preview uses it up' });
      assert.deepEqual((await memory.mama.loadCheckpoint()).since, [
        `noted: “the link opens twice” (#${note.id})`,
      ]);
    });

    it('[T-18] a checkpoint comes with the newest ones of other authors, to take over their work', async () => {
      const kim = await engine.open({ writer: { author: 'Kim <kim@example.com>' } });
      const point = (memory: Memory, summary: string) => memory.mama.save({ type: 'checkpoint', summary });
      await point(kim, 'Half of the wallet');
      assert.equal((await kim.mama.loadCheckpoint()).others, undefined);
      const lee = await engine.reopen(kim, { writer: { author: 'Lee <lee@example.com>' } });
      await point(lee, 'Firmware 7.0');
      const { id } = await point(lee, 'Firmware 7.1');
      await point(kim, 'All of the wallet');
      const { checkpoint, others } = await lee.mama.loadCheckpoint();
      assert.equal(checkpoint?.summary, 'All of the wallet');
      assert.match(others?.join('; ') ?? '', /^Lee, \d{4}-\d\d-\d\d: “Firmware 7\.1” \([0-9a-f]{8,}\)$/);
      const { results } = await lee.search({ query: 'wallet firmware' });
      assert.deepEqual(
        results.map(({ text }) => text).sort(),
        ['All of the wallet', 'Firmware 7.1'],
        'a search finds the newest of each',
      );
      assert.equal(
        (await lee.mama.loadCheckpoint({ id })).others,
        undefined,
        'one that was asked for by its id',
      );
    });

    it('[T-18] who goes on is shown the newest checkpoint first, whatever its words', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'ui:continue', decision: 'A guest can continue and go on' });
      const first = async (task: string) => (await memory.recall({ task })).entries[0];
      assert.notEqual((await first('continue'))?.kind, 'checkpoint');
      for (const summary of ['The import is half done', '가져오기를 반쯤 끝냈다'])
        await memory.mama.save({ type: 'checkpoint', summary, next_steps: '나머지 파일' });
      for (const task of ['continue', 'go on', 'where did we stop', '이어서', '계속', '어디까지 했지']) {
        const { entries, answered } = await memory.recall({ task });
        assert.deepEqual(
          [entries[0]?.kind, entries[0]?.text, entries[0]?.because, answered],
          ['checkpoint', '가져오기를 반쯤 끝냈다 Next: 나머지 파일', 'where work stopped', undefined],
        );
      }
      const { entries } = await memory.recall({ task: '이어서 가져오기를 반쯤 끝냈다' });
      assert.equal(entries.filter(({ kind }) => kind === 'checkpoint').length, 1);
      assert.notEqual((await first('let a guest continue without an account'))?.kind, 'checkpoint');
    });

    it('[T-18] decision_retrieve without a domain says which domains there are, the largest first', async () => {
      const memory = await engine.open();
      assert.equal((await memory.decision.retrieve({})).domains, undefined);
      for (const topic of ['ui:a', 'ui:b', '인증:a', '인증:b', '인증:c', 'db:a'])
        await memory.mama.save({ topic, decision: `What ${topic} is` });
      await memory.decision.save({ text: 'Times are UTC', strength: 'axis', scope: 'global' });
      const { domains, scopes } = await memory.decision.retrieve({});
      assert.equal(scopes, undefined, 'that is for a domain which has none');
      assert.deepEqual(
        domains?.map(({ domain, count }) => `${domain} ${count}`),
        ['인증 3', 'ui 2', 'db 1'],
      );
      assert.equal((await memory.decision.retrieve({ domain: 'ui' })).domains, undefined);
      await memory.mama.save({ topic: 'db:lock', decision: 'No floats', strength: 'lock' });
    });

    it('[D-10] [T-5] decision_retrieve without a domain names what binds in each, said where, within its limit', async () => {
      const memory = await engine.open();
      const save = (topic: string, strength: 'axis' | 'lock' | 'normal', scope?: string) =>
        memory.mama.save({ topic, decision: `What ${topic} is`, strength, scope });
      await save('ui:b', 'lock');
      await save('db:a', 'lock');
      await save('ui:a', 'axis');
      await save('ui:c', 'normal');
      await save('git:main', 'lock', 'global');
      await save('lang:code', 'axis', 'global');
      await memory.mama.update({ id: 'ui:b', outcome: 'failed', reason: 'Nobody could read it' });
      const result = await memory.decision.retrieve({});
      assert.deepEqual(
        result.alsoBinding?.map(({ scope, strength, topic }) => `${scope} ${strength} ${topic}`),
        ['global lock git:main', 'db lock db:a', 'ui axis ui:a', 'ui lock ui:b'],
      );
      assert.match(result.alsoBinding?.at(-1)?.outcomeWarning ?? '', /Nobody could read it/);
      assert.deepEqual(
        result.decisions.map(({ topic }) => topic),
        ['lang:code'],
        'the tier is as it was',
      );
      const brief = forModel('decision_retrieve', result).also_binding as { decision: string }[];
      assert.deepEqual(brief[1]?.decision, 'What db:a is');
      const two = await memory.decision.retrieve({ limit: 2 });
      assert.equal(two.alsoBinding?.length, 2);
      assert.match(two.leftOut ?? '', /more of what binds/);
      assert.equal((await memory.decision.retrieve({ limit: 4 })).leftOut, undefined);
    });
  });
}
