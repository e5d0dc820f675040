import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { openRaw, storeOn } from '../support/raw-engine.ts';

/** W-5: which decisions on other topics a save names. test/similar.test.ts measures it on written pairs. */
export function similar(engine: EngineUnderTest): void {
  describe('what a save names', () => {
    const named = async (memory: Memory, topic: string, decision: string, reasoning?: string) => {
      const saved = await memory.mama.save({ topic, decision, ...(reasoning && { reasoning }) });
      return (saved.similar ?? []).map((close) => close.topic);
    };
    const DUTIES = 'helmets lockers vans uniforms radios gloves maps keys boots badges torches tickets'.split(
      ' ',
    );

    it('[T-6] an identifier is compared by the words that it is made of, too', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 'auth:token', decision: 'Keep JWTs in local storage' });
      await memory.mama.update({ id, outcome: 'failed', reason: 'scripts read them' });
      for (const name of [
        'local storage',
        'localStorage',
        'LocalStorage',
        'local_storage',
        'local-storage',
      ]) {
        const { warnings = [] } = await memory.mama.save({
          topic: `app:${name}`,
          decision: `Put the login token into ${name} so that every tab has it`,
        });
        assert.match(warnings.join(), /Keep JWTs in local storage/, name);
        await memory.undo();
      }
    });

    it('[W-5] is nothing that shares only a word of a large share of the memory; a rare word leads there', async () => {
      const memory = await engine.open();
      for (const [n, duty] of DUTIES.entries())
        await memory.mama.save({ topic: `rule:${n}`, decision: `Courier ${duty}` });
      assert.deepEqual(await named(memory, 'shift', 'Courier pauses'), []);
      assert.deepEqual(await named(memory, 'depot', 'Courier helmets'), ['rule:0']);
    });

    it('[W-5] counts the words of the topic: its last part in full, what stands before it by half', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'billing:rounding', decision: 'Half up' });
      assert.deepEqual(await named(memory, 'invoice:rounding', 'Exact'), ['billing:rounding']);
      const area = await engine.open();
      await area.mama.save({ topic: 'billing:rounding', decision: 'Half up to ten won' });
      assert.deepEqual(await named(area, 'billing:currency', 'Everything stands in dollars'), []);
    });

    it('[W-5] counts the reasons, and is not put off by long ones', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'queue', decision: 'One worker', reasoning: 'Deadlocks in Postgres' });
      assert.deepEqual(await named(memory, 'jobs', 'Advisory locks', 'Postgres deadlocks'), ['queue']);
      const explained = await engine.open();
      await explained.mama.save({ topic: 'session', decision: 'Login sessions expire after idle minutes' });
      const reasoning = Array.from({ length: 200 }, (_, n) => `detail${'abcdefghij'[n % 10]}${n}`).join(' ');
      assert.deepEqual(await named(explained, 'auth', 'Idle login sessions expire', reasoning), ['session']);
    });

    it('[W-5] is the same matter in Korean, whatever particles stand at its words', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: '알림:야간', decision: '밤에는 고객에게 메시지를 보내지 않는다' });
      await memory.mama.save({ topic: '배포:시간', decision: '금요일에는 배포하지 않는다' });
      assert.deepEqual(await named(memory, '배송:도착', '고객은 메시지로 도착을 안다'), ['알림:야간']);
    });

    it('[W-5] [O-8] of a chain what stands and the closest that failed, and no more', async () => {
      const memory = await engine.open();
      for (const ending of ['first', 'second', 'third']) {
        const decision = `Login tokens live in local storage, ${ending} try`;
        const { id } = await memory.mama.save({ topic: 'auth:token', decision });
        await memory.mama.update({ id, outcome: 'failed', reason: ending });
      }
      const decided = 'Login tokens live in local memory';
      const { id } = await memory.mama.save({ topic: 'auth:token', decision: decided });
      const saved = await memory.mama.save({
        topic: 'web:login',
        decision: 'Login tokens live in local storage, second try',
      });
      const rows = (saved.similar ?? []).map((close) => close.outcome_warning?.split(' — ')[1] ?? close.id);
      assert.deepEqual(rows, ['“second”', id]);
      assert(saved.warnings.some((warning) => warning.includes('second')));
    });

    it('[O-8] warns of what failed only when the rule says the same, however its reasons are told', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({
        topic: 'auth:token',
        decision: 'Keep JWTs in local storage',
        reasoning: 'No server state needed, and every framework does it',
      });
      await memory.mama.update({ id, outcome: 'failed', reason: 'XSS' });
      const close = await memory.mama.save({ topic: 'web:cookies', decision: 'Move JWTs into cookies' });
      assert.deepEqual(close.warnings, []);
      const again = await memory.mama.save({
        topic: 'web:storage',
        decision: 'Keep JWTs in local storage',
        reasoning: 'Mobile clients drop their cookies after each update of the operating system',
      });
      assert.equal(again.similar?.[0]?.id, id);
      assert(again.warnings.some((warning) => warning.includes('XSS')));
    });

    it('[T-6] [RE-6] warns of a rule against a name that is used, which an agent silences when a person has looked at it', async () => {
      const kim = { author: 'Kim', client: 'cli' };
      const memory = await engine.open({ writer: kim });
      const lock = { topic: 'db:engine', decision: 'MongoDB를 쓰지 않는다', strength: 'lock' } as const;
      const { id } = await memory.mama.save(lock);
      await memory.mama.save({
        ...{ topic: 'run:where', decision: 'Plain machines', strength: 'axis' },
        ...{ reasoning: 'It stays simple. 거절: 쿠버네티스' },
      });
      const told = async (keys: string[]) =>
        (await memory.briefing.get({ at: 'names', keys })).facts.map((fact) => fact.id);
      assert.deepEqual(await told(['mongodb']), [id]);
      const agent = await engine.reopen(memory, { writer: { author: 'Kim', client: 'claude-code 2' } });
      const used = await agent.mama.save({ topic: 'cache:events', decision: 'MongoDB for the event cache' });
      assert.match(used.warnings.join(), /close to the lock “db:engine”/);
      const cluster = await agent.mama.save({
        topic: 'infra:cluster',
        decision: '쿠버네티스 클러스터로 옮긴다',
      });
      assert.match(cluster.warnings.join(), /close to the axis “run:where”/);
      const plain = await agent.mama.save({ topic: 'cache:size', decision: 'A gigabyte of keys' });
      assert.deepEqual(plain.warnings, []);
      assert.deepEqual(await told(['mongodb']), [id]);
      const { groups } = await agent.review();
      await agent.reviewed({ keys: groups.flatMap(({ items }) => items.map(({ key }) => key)) });
      assert.deepEqual(await told(['mongodb']), []);
    });

    it('[T-6] [W-5] warns at a revision as at a save, and not when a decision is withdrawn', async () => {
      const memory = await engine.open();
      const pool = await memory.mama.save({ topic: 'db:pool', decision: 'Pool of 10' });
      await memory.mama.update({ id: pool.id, outcome: 'failed', reason: 'exhausted' });
      await memory.mama.save({ topic: '환불:기간', decision: '환불은 7일 안에' });
      const revised = async (topic: string, text: string) => {
        await memory.mama.save({ topic, decision: 'Undecided' });
        return memory.decision.revise({ id: topic, text });
      };
      const saved = await memory.decision.save({ topic: 'db:a', text: 'Pool of 10 connections' });
      await memory.decision.revise({ id: 'db:a', withdrawn: true, reasoning: 'Only to compare' });
      const conn = await revised('db:conn', 'Pool of 10 connections');
      assert.match(conn.warnings.join(), /close to this failed: “Pool of 10”/);
      const failures = ({ similar, warnings }: typeof saved) => ({
        warnings: warnings.filter((each) => each.includes('failed')),
        similar: similar?.flatMap(({ id, topic }) => (topic === 'db:pool' ? [id] : [])),
      });
      assert.deepEqual(failures(conn), failures(saved));
      const refund = await revised('환불:규칙', '환불은 4일 안에');
      assert.match(refund.warnings.join(), /may contradict or repeat “환불:기간”/);
      const withdrawn = await memory.decision.revise({ id: '환불:규칙', withdrawn: true, reasoning: '끝' });
      assert.deepEqual([withdrawn.warnings, withdrawn.similar], [[], undefined]);
    });

    it('[O-8] [T-6] warns of what failed also where it is said again in other words', async () => {
      const memory = await engine.open();
      const decision =
        'The app keeps the free slots of a doctor on the device for 60 minutes, so that the calendar opens at once';
      const { id } = await memory.mama.save({ topic: 'slots:cache', decision });
      await memory.mama.update({ id, outcome: 'failed', reason: 'people chose hours that were gone' });
      const { warnings } = await memory.mama.save({
        topic: 'app:availability',
        decision: 'The app keeps the free times of a doctor on the phone for an hour',
      });
      assert(warnings.some((warning) => warning.includes(id) && warning.includes('hours that were gone')));
    });

    it('[T-2] [O-8] warns of no failure where the rule rather says what replaced it', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({
        topic: 'order:cutoff',
        decision: 'Orders close at 23:00 the evening before',
      });
      await memory.mama.update({ id, outcome: 'failed', reason: 'the kitchen was late' });
      await memory.mama.save({ topic: 'order:cutoff', decision: 'Orders close at 20:00 the day before' });
      const warned = async (topic: string, decision: string) => {
        const { similar, warnings } = await memory.mama.save({ topic, decision });
        assert.equal(similar?.filter((each) => each.topic === 'order:cutoff').length, 2);
        return warnings.some((warning) => warning.includes('the kitchen was late'));
      };
      assert.equal(await warned('order:south', 'Orders of the south close at 18:00 the day before'), false);
      assert.equal(await warned('order:late', 'Orders close at 23:00 the evening before again'), true);
    });

    it('[W-5] counting a word may end where it is common, and not before', async () => {
      const store = storeOn(await openRaw(engine.place()));
      const writer = { author: '', host: '', client: 'test', session: 'test' };
      await store.write(writer, async (tx) => {
        const documents = [1, 2, 3, 4].map((seq) => ({ seq, title: '', body: seq === 4 ? 'b a' : 'a' }));
        await tx.text.put(tx.db, documents);
        const { documents: all, of } = await tx.text.frequencies(tx.db, ['a', 'b', 'c'], 2);
        assert.deepEqual([all, of.get('b'), of.get('c') ?? 0], [4, 1, 0]);
        assert([2, 3, 4].includes(of.get('a') ?? 0), String(of.get('a')));
      });
    });
  });
}
