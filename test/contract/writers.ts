import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { exported } from '../support/stream.ts';

const KIM = 'Kim Minsu <minsu@example.com>';
const LEE = '이서연';

/** K-4: who wrote what. */
export function writers(engine: EngineUnderTest): void {
  describe('writers', () => {
    it('[K-4] a decision says who wrote each version, its evidence and its outcomes', async () => {
      const kim = await engine.open({ writer: { author: KIM } });
      const lee = await engine.reopen(kim, { writer: { author: LEE } });
      const { id } = await kim.mama.save({ topic: 't', decision: 'A', evidence: ['because'] });
      const second = await lee.mama.save({ topic: 't', decision: 'B' });
      await lee.mama.update({ id, outcome: 'failed', reason: 'slow' });
      await kim.mama.update({ id: second.id, outcome: 'success' });
      const found = await kim.decision.get({ id });
      assert.equal(found.decision.author, KIM);
      assert.deepEqual(
        found.versions.map(({ author }) => author),
        [KIM, LEE],
      );
      assert.deepEqual(
        found.evidence.map(({ author }) => author),
        [KIM],
      );
      assert.deepEqual(
        found.versions.flatMap(({ outcomes }) => outcomes).map(({ author }) => author),
        [LEE, KIM],
      );
    });

    it('[TR-8] lists and the log go by the branch that a decision was taken on', async () => {
      const kim = await engine.open({ writer: { author: KIM, branch: 'fix/login' } });
      const main = await engine.reopen(kim, { writer: { author: KIM } });
      await kim.mama.save({ topic: 'a', decision: 'Cookies on the branch' });
      await main.mama.save({ topic: 'b', decision: 'Cookies on main' });
      const filter = 'branch:fix/login';
      const { decisions } = await main.decision.list({ filter });
      const { entries } = await main.timeline({ filter });
      assert.deepEqual(
        [decisions, entries].map((found) => found.map(({ topic }) => topic)),
        [['a'], ['a']],
      );
      assert.deepEqual((await main.decision.list({ filter: 'branch:none' })).decisions, []);
    });

    it('[K-4] an observation, each of its texts, and a checkpoint do', async () => {
      const kim = await engine.open({ writer: { author: KIM } });
      const lee = await engine.reopen(kim, { writer: { author: LEE } });
      const { id } = await kim.mem.save({ title: 'a', content: 'one' });
      await lee.mem.update({ id, content: 'two' });
      const found = await lee.mem.getObservation({ id, revisions: true });
      assert.deepEqual([found.author, found.revisions?.[0]?.author], [LEE, KIM]);
      await lee.mama.save({ type: 'checkpoint', summary: 'half' });
      assert.equal((await kim.mama.loadCheckpoint()).checkpoint?.author, LEE);
    });

    it('[K-4] who is not known is not named, and costs no token', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 't', decision: 'A' });
      assert(!JSON.stringify(await memory.decision.get({ id })).includes('author'));
    });

    it('[K-4] there is a row for each process and session, and every record points to one', async () => {
      const memory = await engine.open({
        writer: { author: KIM, host: 'one', client: 'codex 1', session: 'a' },
      });
      const again = await engine.reopen(memory, {
        writer: { author: KIM, host: 'one', client: 'codex 1', session: 'a' },
      });
      await memory.mama.save({ topic: 't', decision: 'A' });
      await again.mama.save({ topic: 'u', decision: 'B' });
      await memory.call('mama_save', { topic: 'v', decision: 'C' }, { session: 'b' });
      await memory.mem.save({ title: 't', content: 'c', session_id: 'named' });
      const rows = (await exported(memory)).map((line) => JSON.parse(line));
      const found = rows
        .filter(({ table }) => table === 'writers')
        .map(({ table: _, id: __, ...row }) => row);
      const one = { author: KIM, host: 'one', client: 'codex 1' };
      assert.deepEqual(found, [
        { ...one, session: 'a' },
        { ...one, session: 'b' },
        { ...one, session: 'named' },
      ]);
      const records = rows.filter(({ table }) => table === 'records').map(({ writer }) => writer);
      const [a, b, named] = rows.filter(({ table }) => table === 'writers').map(({ id }) => id);
      assert.deepEqual(records, [a, a, b, named]);
    });

    it('[V-1] each record says by which program it was written, and lists are narrowed by it and by the session', async () => {
      const agent = { client: 'claude-code 2.1.330', session: 'a1b2' };
      const memory = await engine.open({ writer: { author: KIM, client: 'cli', session: 'mine' } });
      const claude = await engine.reopen(memory, { writer: { author: KIM, ...agent } });
      const codex = await engine.reopen(memory, {
        writer: { author: KIM, client: 'codex/0.60 (linux)', session: 'a1ff' },
      });
      await memory.mama.save({ topic: 'own', decision: 'Tabs', evidence: ['measured'] });
      await claude.mama.save({ topic: 'agent', decision: 'Spaces', evidence: ['read'] });
      await claude.mama.save({ topic: 'own', decision: 'Wide tabs' });
      await claude.mem.save({ title: 'one', content: 'learned' });
      await claude.memo.save({ fullText: 'buy milk', keywords: ['milk'] });
      await codex.mama.update({ id: 'agent', outcome: 'failed', reason: 'odd' });

      const { decisions } = await memory.decision.list();
      const via = (rows: { via?: string | undefined }[]) => rows.map((row) => row.via);
      assert.deepEqual(via(decisions), ['claude-code', 'claude-code']);
      const { versions = [] } = (await memory.show({ ref: 'own' })).decision ?? {};
      assert.deepEqual(via(versions), ['claude-code', undefined], 'nothing for a person at a terminal');
      assert.deepEqual(via((await memory.decision.get({ id: 'agent' })).versions[0]?.outcomes ?? []), [
        'codex',
      ]);
      assert.deepEqual(via((await memory.mama.search({ query: 'Spaces' })).results), ['claude-code']);
      assert.deepEqual(via((await memory.mem.list()).results), ['claude-code']);
      assert.deepEqual(via((await memory.search({ query: 'milk learned' })).results), [
        'claude-code',
        'claude-code',
      ]);

      const logged = async (filter: string) =>
        (await memory.timeline({ filter })).entries.map(({ kind }) => kind).sort();
      const ofClaude = ['decision', 'decision', 'evidence', 'memo', 'observation'];
      assert.deepEqual(await logged('via:claude'), ofClaude);
      assert.deepEqual(await logged('session:a1b'), ofClaude);
      assert.deepEqual(await logged('via:agent'), [...ofClaude, 'outcome'].sort());
      assert.deepEqual(await logged('via:cli'), ['decision', 'evidence']);
      assert.equal((await memory.memo.list({ via: 'agent' })).total, 1);
      assert.equal((await memory.mem.list({ session: 'mine' })).total, 0);
      assert.equal((await memory.decision.list({ filter: 'via:codex' })).total, 0);
      await refuses(
        memory.timeline({ filter: 'via:cursor' }),
        'not_found',
        'a program',
        'claude-code',
        'codex',
      );
      await refuses(memory.timeline({ filter: 'session:zz' }), 'not_found', 'a session');
      await refuses(memory.timeline({ filter: 'session:a1' }), 'invalid', 'several');
    });

    it('[K-4] [S-4] a session is one, whoever wrote in it: what was saved beside is beside', async () => {
      const kim = await engine.open({ writer: { author: KIM, client: 'one', session: 's' } });
      const lee = await engine.reopen(kim, { writer: { author: LEE, client: 'two', session: 's' } });
      await kim.mem.save({ title: 'a', content: 'a' });
      await lee.mem.save({ title: 'b', content: 'b' });
      await lee.call('mem_save', { title: 'c', content: 'c' }, { session: 'other' });
      const rows = (await exported(kim)).map((line) => JSON.parse(line));
      const records = rows.filter(({ table }) => table === 'records');
      assert.deepEqual(
        records.map(({ session, writer }) => [session === records[0].session, writer === records[0].writer]),
        [
          [true, true],
          [true, false],
          [false, false],
        ],
      );
    });

    it('[K-4] a save that is rolled back leaves nobody behind', async () => {
      const memory = await engine.open({ writer: { author: KIM } });
      await assert.rejects(memory.mem.relate({ from_id: 1, to_id: 2, relation_type: 'x' }));
      assert(!(await exported(memory)).some((line) => line.includes('"table":"writers"')));
      await memory.mem.save({ title: 'a', content: 'b' });
      assert.equal((await memory.mem.getObservation({ id: 1 })).author, KIM);
    });

    it('[K-4] an export without authors names nobody and no machine, and can be imported', async () => {
      const memory = await engine.open({ writer: { author: KIM, host: 'kims-laptop', session: 's' } });
      const { id } = await memory.mama.save({ topic: 't', decision: 'A' });
      for (const format of ['jsonl', 'cypher'] as const) {
        const named: string[] = [];
        await memory.export(format, (line) => named.push(line));
        assert.match(named.join('\n'), /Kim Minsu.*kims-laptop/);
        const unnamed: string[] = [];
        await memory.export(format, (line) => unnamed.push(line), { authors: false });
        assert.doesNotMatch(unnamed.join('\n'), /Kim|kims/);
        if (format === 'cypher') continue;
        const copy = await engine.openFast();
        await copy.import(unnamed);
        const { decision } = await copy.decision.get({ id });
        assert.deepEqual([decision.author, decision.session], [undefined, 's']);
      }
    });
  });
}
