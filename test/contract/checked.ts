import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { forModel, type Memory, type MemoryOptions } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';

type Saved = Awaited<ReturnType<Memory['mama']['save']>>;

/** Rules and failures of a Korean team, some of another area than the saves below. */
const RULES = [
  ['auth:session', 'auth', '세션은 데이터베이스에 저장하고 캐시에는 두지 않는다'],
  ['auth:mfa', 'auth', '관리자는 두 번 확인한다'],
  ['ui:theme', 'ui', '화면은 어둡게 한다'],
] as const;
const NOW = Date.UTC(2026, 9, 1);
const BREAKING = { topic: 'auth:login', decision: 'Keep each session in a cache', scope: 'auth' } as const;

const topicsOf = ({ check_against = [] }: Pick<Saved, 'check_against'>) =>
  check_against.map(({ topic }) => topic);

/** The rules and failures that a save is to be checked against (RE-9). */
export function checked(engine: EngineUnderTest): void {
  describe('what a save is checked against', () => {
    const as = (session: string): Partial<MemoryOptions> => ({ writer: { session }, clock: () => NOW });
    async function furnished(session = 'first'): Promise<Memory> {
      const memory = await engine.open(as('somebody else'));
      for (const [topic, scope, decision] of RULES)
        await memory.mama.save({ topic, scope, decision, strength: 'lock' });
      const failed = await memory.mama.save({ topic: 'jobs:queue', decision: '작업 대기열을 레디스에 둔다' });
      await memory.mama.update({ id: failed.id, outcome: 'failed', reason: '재시작하면 작업을 잃는다' });
      return engine.reopen(memory, as(session));
    }

    it('[RE-9] is a rule in another language, and a failure, the nearest first, with others of its scope', async () => {
      const memory = await furnished();
      assert.deepEqual(topicsOf(await memory.mama.save(BREAKING)), ['auth:session', 'auth:mfa']);
      const queued = await memory.mama.save({
        topic: 'work:later',
        decision: 'A Redis queue holds each job',
      });
      assert.deepEqual(
        queued.check_against?.map(({ topic, outcome }) => [topic, outcome]),
        [['jobs:queue', 'failed']],
      );
      const korean = await engine.open(as('a'));
      await korean.mama.save({
        ...BREAKING,
        topic: 'auth:rule',
        decision: 'No session in a cache',
        strength: 'axis',
      });
      const said = { topic: 'auth:login', decision: '세션을 캐시에 저장한다', scope: 'auth' };
      assert.deepEqual(topicsOf(await (await engine.reopen(korean, as('b'))).mama.save(said)), ['auth:rule']);
    });

    it('[RE-9] is found by what the tables call its words, in the language of the save', async () => {
      const memory = await engine.open();
      await memory.mama.save({
        topic: 'run:rule',
        scope: 'run',
        decision: 'Kubernetes runs no database and no cache',
        strength: 'lock',
      });
      const run = { topic: 'run:db', scope: 'run', decision: 'k8s hosts Postgres and Redis' };
      assert.deepEqual(topicsOf(await memory.mama.save(run)), ['run:rule']);
    });

    it('[RE-9] [RE-16] is what has a hint of the save, in any words; a note is compared by hints, too', async () => {
      const memory = await furnished();
      await memory.mama.update({ id: 'ui:theme', hints: ['bright pages', '밝은 배경'] });
      const bright = { topic: 'web:look', decision: 'All pages are bright by day' };
      assert.deepEqual(topicsOf(await memory.mama.save(bright)), ['ui:theme']);
      const note = { title: 'Bright pages', content: 'They tire the eyes' };
      assert.deepEqual((await memory.mem.save(note)).check_against, undefined, 'it was listed');
      const other = await engine.reopen(memory, as('second'));
      const listed = await other.mem.save({ ...note, content: 'They tire eyes' });
      assert.deepEqual(topicsOf(listed), ['ui:theme']);
      assert.match(JSON.stringify(forModel('mem_save', listed)), /lock ui:theme: 화면은/);
    });

    it('[RE-9] is listed once in a session, also by another process, and again in the next one', async () => {
      const memory = await furnished();
      assert.equal(topicsOf(await memory.mama.save(BREAKING)).length, 2);
      const again = { ...BREAKING, topic: 'auth:again', decision: 'Each session lives in a cache' };
      assert.equal((await memory.mama.save(again)).check_against, undefined);
      const process = await engine.reopen(memory, as('first'));
      assert.equal((await process.mama.save({ ...again, topic: 'auth:third' })).check_against, undefined);
      const next = await engine.reopen(memory, as('next'));
      assert.equal(topicsOf(await next.mama.save({ ...again, topic: 'auth:fourth' })).length, 2);
      const day = await engine.reopen(memory, {
        ...as('first'),
        clock: () => NOW + 25 * 3_600_000,
      });
      assert.equal(topicsOf(await day.mama.save({ ...again, topic: 'auth:fifth' })).length, 2, 'after a day');
    });

    it('[RE-9] is settled by what the reasoning says of it, for every session and every later version', async () => {
      const memory = await furnished();
      for (const [at, word] of ['alongside', 'debates'].entries()) {
        const topic = `auth:${word}`;
        const saved = await memory.mama.save({ ...BREAKING, topic, reasoning: `${word}: auth:session` });
        assert.deepEqual(topicsOf(saved), [], word);
        const next = await engine.reopen(memory, as(`later ${at}`));
        const changed = { ...BREAKING, topic, decision: 'A cache keeps each session', replaces: saved.id };
        assert.deepEqual(topicsOf(await next.mama.save({ ...changed, reasoning: 'Faster' })), [], word);
      }
      // The other way round, too: what names the save is no news to it.
      const own = await memory.mama.save({
        ...BREAKING,
        topic: 'auth:own',
        reasoning: 'alongside: auth:session',
      });
      const rule = {
        topic: 'auth:session',
        reasoning: `alongside: ${own.id}`,
        strength: 'lock',
        scope: 'auth',
      } as const;
      const replaces = (await memory.decision.get({ id: 'auth:session' })).decision.id;
      const turned = await memory.mama.save({
        ...rule,
        replaces,
        decision: '세션은 데이터베이스에만 저장하고 캐시에는 두지 않는다',
      });
      assert.deepEqual(topicsOf(turned), []);
    });

    it('[RE-9] is a list and no warning, short for a model, and the same for every way to save', async () => {
      const memory = await furnished();
      const saved = await memory.mama.save(BREAKING);
      assert.equal(JSON.stringify(saved.warnings).includes('auth:mfa'), false);
      const { check_against } = forModel('mama_save', saved) as { check_against: string[] };
      assert.match(check_against[0] ?? '', /alongside: .* debates:/);
      assert.match(check_against[1] ?? '', /^lock auth:session: 세션은/);
      assert(countTokens(JSON.stringify(check_against)) <= 150, JSON.stringify(check_against));
      const second = await engine.reopen(memory, as('second'));
      const { text, ...where } = { text: BREAKING.decision, topic: 'auth:direct', scope: 'auth' };
      const direct = await second.decision.save({ text, ...where });
      assert.deepEqual(
        direct.checkAgainst?.map(({ topic }) => topic),
        ['auth:session', 'auth:mfa'],
      );
      const third = await engine.reopen(memory, as('third'));
      const revised = await third.decision.revise({
        id: direct.decision.id,
        text: 'A cache holds each session',
      });
      assert.deepEqual(
        revised.checkAgainst?.map(({ topic }) => topic),
        ['auth:session', 'auth:mfa'],
      );
      assert.deepEqual(
        (await third.batch([JSON.stringify({ operation: 'mama_save', ...BREAKING, topic: 'auth:old' })]))
          .warnings,
        [],
      );
    });

    it('[RE-9] is nothing for what says the same again, ends, or is far from every rule', async () => {
      const memory = await furnished();
      const far = { topic: 'ship:route', decision: 'Vans leave the yard at dawn', scope: 'ship' };
      assert.equal((await memory.mama.save(far)).check_against, undefined);
      const saved = await memory.mama.save(BREAKING);
      const next = await engine.reopen(memory, as('next'));
      assert.equal((await next.mama.save(BREAKING)).check_against, undefined, 'the same again');
      const ended = await next.decision.revise({ id: saved.id, withdrawn: true, reasoning: 'No longer' });
      assert.equal(ended.checkAgainst, undefined);
    });

    it('[RE-9] is whole in the list where it is an ordinary sentence in Korean', async () => {
      const memory = await engine.open(as('a'));
      const decision = '고객의 주소와 전화번호는 로그에 남기지 않고 결제 화면에서만 보여 준다';
      await memory.mama.save({ topic: 'privacy:address', scope: 'privacy', decision, strength: 'lock' });
      const next = await engine.reopen(memory, as('b'));
      const said = {
        topic: 'privacy:log',
        scope: 'privacy',
        decision: 'Log the customer address and payment',
      };
      const told = forModel('mama_save', await next.mama.save(said));
      assert(JSON.stringify(told).includes(`lock privacy:address: ${decision}`), JSON.stringify(told));
    });

    it('[RE-8] [RE-9] a save without a warning says what it was compared with', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'kiln:clay', decision: 'Porcelain is fired at 1300 degrees' });
      const alone = await memory.mama.save({ topic: 'van:route', decision: 'Vans leave the yard at dawn' });
      assert.match(alone.compared ?? '', /^with nothing: no other decision shares its words/);
      const saved = await memory.mama.save({
        topic: 'kiln:cups',
        decision: 'Cups of porcelain dry for a week',
      });
      assert.match(
        saved.compared ?? '',
        /^by words, with 1 decision that shares some, not with .* another language/,
      );
      assert.equal(forModel('mama_save', saved).compared, saved.compared);
      const again = await memory.mama.save({
        topic: 'kiln:mugs',
        decision: 'Porcelain is fired at 1300 degrees',
      });
      assert(again.warnings.length > 0 && again.compared === undefined);
    });

    it('[CC-1] a reason that says what was withdrawn is warned of', async () => {
      const memory = await engine.open();
      await memory.mama.save({
        topic: 'bill:early',
        decision: 'Customers who pay early get a rebate of 1 percent',
      });
      await memory.decision.revise({ id: 'bill:early', withdrawn: true, reasoning: 'The board forbids it' });
      const { warnings } = await memory.mama.save({
        topic: 'shop:reward',
        decision: 'We reward the prompt',
        reasoning: 'Customers who pay early get a rebate of 1 percent.',
      });
      assert.match(warnings.join(), /may say what was withdrawn: bill:early/);
    });

    it('[RE-8] a note with the title or the text of another one names it; one that was superseded does not', async () => {
      const memory = await engine.open(as('a'));
      const note = { title: 'Rate limit of the bank', content: 'The gateway allows 600 requests a minute.' };
      const { id } = await memory.mem.save(note);
      const next = await engine.reopen(memory, { writer: { session: 'b' }, clock: () => NOW + 3_600_000 });
      const other = await next.mem.save({ ...note, content: 'It allows 900 requests a minute by now.' });
      assert.match(
        other.warnings?.join() ?? '',
        new RegExp(
          `#${id} “Rate limit of the bank” is there already: .* if it says nothing new: delete #${other.id}; if both hold, leave both$`,
        ),
      );
      const same = await next.mem.save({ ...note, title: 'Bank' });
      assert.match(same.warnings?.join() ?? '', new RegExp(`#${id} .* is there already`));
      await next.mem.relate({ from_id: other.id, to_id: id, relation_type: 'supersedes' });
      const third = await next.mem.save({ ...note, content: 'Nobody knows how many requests a minute.' });
      assert.match(third.warnings?.join() ?? '', new RegExp(`#${other.id} .* is there already`));
    });

    it('[T-5] the reason of what was replaced is its own, though it failed', async () => {
      const memory = await engine.open();
      const first = { topic: 'log:form', decision: 'Logs are plain text', reasoning: 'People read them.' };
      await memory.mama.save(first);
      await memory.mama.update({ id: 'log:form', outcome: 'failed', reason: 'Nothing could parse them' });
      const { replaced } = await memory.mama.save({
        ...first,
        decision: 'Logs are JSON',
        reasoning: 'Parsed.',
      });
      assert.deepEqual(
        [replaced?.why, replaced?.outcome_reason],
        [first.reasoning, 'Nothing could parse them'],
      );
    });

    it('[G-6] that a note holds as well needs no link, and a reason that is carried along is warned of once', async () => {
      const memory = await engine.open();
      const aside = {
        topic: 'van:speed',
        decision: 'Vans drive at 30',
        reasoning: 'It is safe. alongside: #1',
      };
      assert.deepEqual((await memory.mama.save(aside)).warnings, []);
      const wrong = await memory.mama.save({
        ...aside,
        decision: 'Vans drive at 40',
        reasoning: 'alongside: 3f2a…',
      });
      assert.match(wrong.warnings.join(), /It was ignored/);
      const revised = await memory.decision.revise({ id: 'van:speed', text: 'Vans drive at 50' });
      assert.deepEqual(revised.warnings, []);
    });

    it('[RE-7] recall says why what matches failed; a list without a question is not cut', async () => {
      const memory = await engine.open();
      for (let n = 0; n < 32; n += 1)
        await memory.mama.save({
          topic: `kiln:rule-${n}`,
          decision: `Porcelain of rule ${n} is fired by the potter of the house`,
        });
      await memory.mama.update({ id: 'kiln:rule-3', outcome: 'failed', reason: 'It cracked in the glaze' });
      const told = forModel(
        'recall',
        await memory.call('recall', { task: 'fire porcelain', token_budget: 3_000 }),
      );
      assert.match(JSON.stringify(told), /kiln:rule-3: .* — It cracked|outcome: failed — “It cracked/);
      const listed = forModel('mama_search', await memory.call('mama_search', { since: '1d', limit: 50 }));
      assert.equal((listed.results as unknown[]).length + (listed.names as unknown[]).length, 32);
    });

    it('[U-1] a memo, a checkpoint or a note that is asked for as a decision is named with what reads it', async () => {
      const memory = await engine.open();
      const { id } = await memory.mem.save({ title: 'Kilns', content: 'They are hot' });
      const { infoId } = await memory.memo.save({ fullText: 'The kiln stands in the yard' });
      const get = (ref: string) => memory.call('decision_get', { id: ref });
      await assert.rejects(get(infoId), /which is a memo: read it with memo_list/);
      await assert.rejects(get(String(id)), /an observation: read it with mem_get_observation/);
    });
  });
}
