import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { exported } from '../support/stream.ts';

const DAY = '2026-04-07';
const NARROWER = '. If a narrower case was meant: save it on a topic of its own and save the old text again';
const LEE = 'Lee Hyun <lee@example.com>';

/** T-5, T-6: what a save replaces, where it binds, and what it comes close to. */
export function overriding(engine: EngineUnderTest): void {
  describe('what a save says of what it overrides', () => {
    const opened = () =>
      engine.open({ clock: () => new Date(`${DAY}T12:00:00`).getTime(), writer: { author: 'Kim' } });
    type Opened = Awaited<ReturnType<typeof opened>>;
    const asLee = (memory: Opened, input: object) => memory.call('mama_save', input, { author: LEE });

    it('[T-6] a save that names as replaced a lock of another topic, or nothing, is refused, and says the way', async () => {
      const memory = await opened();
      const lock = await memory.mama.save({
        topic: 'privacy:address',
        decision: 'Log no address',
        strength: 'lock',
      });
      const support = { topic: 'log:support', decision: 'Log the address for the support team' };
      const replacing = (replaces: string) => memory.mama.save({ ...support, replaces });
      await refuses(replacing(lock.id), 'conflict', 'a lock on “privacy:address”. Save on that topic');
      await refuses(replacing('privacy:address'), 'conflict', 'a lock on');
      await refuses(replacing('nonsense'), 'not_found', 'nonsense');
      assert.equal(
        (await memory.mama.search({ query: 'support team' })).results?.some(
          ({ topic }) => topic === support.topic,
        ),
        false,
      );
      const { id } = await memory.mama.save(support);
      const next = { ...support, decision: 'Log the ticket for the support team' };
      assert.equal((await memory.mama.save({ ...next, replaces: id })).version, 2);
    });

    it('[T-6] a save that debates a lock is told that it binds still', async () => {
      const memory = await opened();
      const rule = {
        topic: 'auth:session',
        decision: 'The browser gets a session cookie, never a JWT',
        strength: 'lock',
      } as const;
      const { id } = await memory.mama.save(rule);
      const debating = {
        topic: 'web:login',
        decision: 'The browser gets a JWT, never a session cookie',
        reasoning: 'debates: auth:session',
      };
      const { warnings } = await memory.mama.save(debating);
      assert.deepEqual(warnings, [
        `⚠️ debates the lock “auth:session”, which still binds: “${rule.decision}” (${id.slice(0, 8)}). To change it, ask the person, and save on its topic with replaces: ${id.slice(0, 8)}`,
      ]);
    });

    it('[V-2] a save that returns to an earlier text is told which version replaced it, and why', async () => {
      const memory = await opened();
      const wait = (decision: string, reasoning: string) =>
        memory.mama.save({ topic: 'http:timeout', decision, reasoning });
      const { id } = await wait('Wait 30 s for a gateway', 'It is slow');
      await wait('Wait 5 s for a gateway', 'One slow bank held all workers');
      const { warnings } = await wait('wait 30 s for a gateway.', 'It is slow');
      assert(
        warnings.includes(`⚠️ this repeats v1 (${id}), which v2 replaced: “One slow bank held all workers”`),
        warnings.join(),
      );
      const other = await wait('Wait 31 s for a gateway', 'It is slow');
      assert(!other.warnings.some((each) => each.includes('repeats')), other.warnings.join());
    });

    it('[T-5] the answer says what was replaced: its text, why, author, outcome, and how many build on it', async () => {
      const memory = await opened();
      const jobs = { topic: 'queue:engine', decision: 'Move background jobs to pg-boss', confidence: 0.8 };
      const old = await asLee(memory, { ...jobs, reasoning: 'No second server' });
      await memory.mama.update({ id: jobs.topic, outcome: 'success', reason: 'Nothing was lost' });
      for (const topic of ['mail:queue', 'push:queue'])
        await memory.mama.save({
          topic,
          decision: `${topic} is a job`,
          reasoning: `builds_on: ${jobs.topic}`,
        });
      await memory.mama.save({
        topic: 'mail:now',
        decision: 'Send at once',
        reasoning: `debates: ${jobs.topic}`,
      });
      // Said again with more trust it is built on all the same.
      const surer = await memory.mama.save({ ...jobs, confidence: 0.9 });
      assert.deepEqual(
        [surer.replaced?.id, surer.warnings],
        [old.id, []],
        'the same text replaces nothing that matters',
      );
      await memory.mama.update({ id: jobs.topic, outcome: 'success', reason: 'Nothing was lost' });
      const { replaced, warnings } = await memory.mama.save({ topic: jobs.topic, decision: 'Redis streams' });
      assert.deepEqual(replaced, {
        id: surer.id,
        topic: jobs.topic,
        text: jobs.decision,
        strength: 'normal',
        scope: 'queue',
        why: 'No second server',
        author: 'Kim',
        via: 'library',
        created_at: new Date(`${DAY}T12:00:00`).toISOString(),
        outcome: 'success',
        outcome_reason: 'Nothing was lost',
        built_on_by: 2,
      });
      assert.deepEqual(warnings, [
        `⚠️ replaced “Move background jobs to pg-boss” (${surer.id}; success, ${DAY}; 2 build on it)${NARROWER}`,
      ]);
    });

    it('[T-5] decision_save and decision_revise say the same, and what was withdrawn too', async () => {
      const memory = await opened();
      await asLee(memory, { topic: 'ui:grid', decision: '여덟 픽셀 격자' });
      const saved = await memory.decision.save({ topic: 'ui:grid', text: '네 픽셀 격자' });
      assert.deepEqual(
        [
          saved.replaced?.text,
          saved.replaced?.author,
          saved.replaced?.builtOnBy,
          saved.replaced?.outcomeReason,
        ],
        ['여덟 픽셀 격자', LEE, 0, null],
      );
      assert.deepEqual(saved.warnings, [
        `⚠️ replaced “여덟 픽셀 격자” (${saved.replaced?.id}; Lee Hyun via library, ${DAY})${NARROWER}`,
      ]);
      const revised = await memory.decision.revise({ id: 'ui:grid', text: 'Two pixels' });
      assert.deepEqual(
        [revised.replaced?.id, revised.warnings],
        [saved.decision.id, []],
        'one’s own, which nobody needs',
      );
      const gone = await memory.decision.revise({ id: 'ui:grid', withdrawn: true, reasoning: 'no grid' });
      assert.equal(gone.replaced?.id, revised.decision.id);
      for (const { replaced } of [
        await memory.mama.save({ topic: 'ui:grid', decision: 'Ten' }),
        await memory.mama.save({ topic: 'ui:grid', decision: 'Ten' }),
        await memory.mama.save({ topic: 'new', decision: 'N' }),
      ])
        assert.equal(replaced, undefined, 'nothing was active, nothing new, nothing before');
    });

    it('[T-5] [RE-1] a save echoes strength and scope, and says where an axis or a lock binds, and when it is read', async () => {
      const memory = await opened();
      const EVERYWHERE = 'everywhere: it is read at the start of every session; nobody has reviewed it yet';
      const saves = [
        [
          { topic: 'lang:typescript', strength: 'axis' },
          ['axis', 'lang', 'lang:* only; with scope global: everywhere'],
        ],
        [
          { topic: '결제:금액', strength: 'lock' },
          ['lock', '결제', '결제:* only; with scope global: everywhere'],
        ],
        [{ topic: 'git:main', strength: 'lock', scope: 'Global' }, ['lock', 'global', EVERYWHERE]],
        [{ topic: 'ui:grid', strength: 'lock', scope: 'web' }, ['lock', 'web', undefined]],
        [{ topic: 'ui:color' }, ['normal', 'ui', undefined]],
      ] as const;
      for (const [input, expected] of saves) {
        const { strength, scope, binds } = await memory.mama.save({ ...input, decision: 'D' });
        assert.deepEqual([strength, scope, binds], expected, input.topic);
        const { decision } = await memory.decision.get({ id: input.topic });
        const revised = await memory.decision.revise({ id: decision.id, strength: 'axis' });
        const { scope: now } = decision;
        assert.equal(
          revised.binds,
          now === 'global' ? EVERYWHERE : `${now}:* only; with scope global: everywhere`,
        );
      }
    });

    it('[T-6] what is close has its strength, scope and outcome; a lock or an axis is warned of, with its reference', async () => {
      const memory = await opened();
      const lock = await memory.mama.save({
        topic: 'payment:amounts',
        decision: 'Amounts are whole won in integers, never floating point',
        strength: 'lock',
      });
      await memory.mama.update({ id: lock.id, outcome: 'success' });
      await memory.mama.save({
        topic: 'patients:rrn',
        decision: '주민등록번호는 저장하지 않는다',
        strength: 'axis',
        scope: 'global',
      });
      const price = {
        topic: 'billing:values',
        decision: 'Amounts are floating point, never whole won in integers',
      };
      const saved = await memory.mama.save(price);
      const [similar] = saved.similar ?? [];
      assert.deepEqual(
        [similar?.id, similar?.strength, similar?.scope, similar?.outcome],
        [lock.id, 'lock', 'payment', 'success'],
      );
      const ref = lock.id.slice(0, 8);
      const warning = `⚠️ close to the lock “payment:amounts”: “Amounts are whole won in integers, never floating point” (${ref}): it binds everything in “payment”, and must not be broken. If both hold, say so in the reasoning: alongside: ${ref}`;
      assert.deepEqual(saved.warnings, [warning]);
      const documented = await memory.decision.save({ topic: 'billing:sums', text: price.decision });
      const [record] = (documented.similar ?? []).filter(({ id }) => id === lock.id);
      assert.deepEqual([record?.strength, record?.scope, record?.outcome], ['lock', 'payment', 'success']);
      assert(documented.warnings.includes(warning), documented.warnings.join());
      const korean = await memory.mama.save({
        topic: 'signup:fields',
        decision: '주민등록번호 전체를 암호화해서 저장한다',
      });
      assert.match(
        korean.warnings.join(),
        /^⚠️ close to the axis “patients:rrn”: “주민등록번호는 저장하지 않는다” \(\w{8}\): it shapes everything everywhere\./,
      );
    });

    it('[T-6] who links a lock or an axis knows of it: that both hold is no contradiction', async () => {
      const memory = await opened();
      const rule = {
        topic: 'payment:amounts',
        decision: 'Amounts are whole won in integers',
        strength: 'lock',
      } as const;
      const lock = await memory.mama.save(rule);
      const saved = await memory.mama.save({
        topic: 'refund:amounts',
        decision: 'Amounts of refunds are whole won in integers, too',
        reasoning: `builds_on: ${lock.id.slice(0, 8)}`,
      });
      assert.deepEqual([saved.similar?.[0]?.id, saved.warnings], [lock.id, []]);
    });

    it('[T-6] `alongside` in the reasoning says that both hold: it is a link, and no contradiction any more', async () => {
      const memory = await opened();
      const freeze = await memory.mama.save({
        topic: 'deploy:freeze',
        decision: 'No production deploys on Friday',
        strength: 'lock',
      });
      const hours = {
        topic: 'release:texts',
        decision: 'Help texts are deployed on Friday as well, in production',
      };
      const ref = freeze.id.slice(0, 8);
      const { warnings } = await memory.mama.save(hours);
      assert.match(warnings.join(), new RegExp(`close to the lock “deploy:freeze”.*alongside: ${ref}`));
      const settled = await memory.mama.save({ ...hours, reasoning: `alongside: ${ref}` });
      assert.deepEqual([settled.warnings, settled.edges?.builds_on], [[], [freeze.id]]);
    });

    it('[T-6] what an import left contradicted is listed with what it contradicts, until either side says that both hold', async () => {
      const memory = await opened();
      const freeze = {
        topic: 'deploy:freeze',
        decision: 'No production deploys on Friday',
        strength: 'lock',
      };
      const texts = {
        topic: 'release:texts',
        decision: 'Help texts are deployed on Friday as well, in production',
      };
      const plain = { topic: 'ui:colour', decision: 'Buttons are green' };
      await memory.batch(
        [freeze, texts, plain].map((each) => JSON.stringify({ operation: 'mama_save', ...each })),
      );
      const later = await opened();
      await later.import(await exported(memory));
      const listed = async (input: object = { filter: 'is:contradicted' }) => {
        const { decisions, total } = await later.decision.list(input);
        assert.equal(decisions.length, total);
        return decisions.map(({ topic, contradicts = [] }) => [topic, contradicts.join()] as const);
      };
      const [first, ...others] = await listed();
      assert.deepEqual([first?.[0], others], ['release:texts', []]);
      assert.match(first?.[1] ?? '', /^close to the lock “deploy:freeze”/);
      assert.deepEqual(await listed({ contradicted: true, limit: 1 }), [first]);
      assert.deepEqual(await listed({ filter: 'is:contradicted scope:ui' }), []);
      assert.deepEqual(await listed({ filter: 'is:contradicted', asOf: new Date(0).toISOString() }), []);
      const { decision } = await later.decision.get({ id: 'release:texts' });
      // The wider rule says it here.
      const lock = await later.mama.save({
        ...freeze,
        strength: 'lock',
        reasoning: `alongside: ${decision.id}`,
      });
      assert.deepEqual(await listed(), []);
      // And a lock that changes is another one.
      const { id } = await later.mama.save({
        ...freeze,
        strength: 'lock',
        decision: 'No production deploys on Friday and Saturday',
        reasoning: 'Nobody is there',
        replaces: lock.id,
      });
      assert.equal((await listed()).length, 1);
      await later.mama.save({ ...texts, reasoning: `alongside: ${id}` });
      assert.deepEqual(await listed(), []);
    });

    it('[T-6] another decision is named where a save says otherwise than it, and not where it only stands beside it', async () => {
      const memory = await opened();
      const metrics = await memory.mama.save({
        topic: 'observability:backend',
        decision: 'Metrics and traces go to Prometheus, which we run',
        reasoning: 'Datadog would have cost more than the servers',
      });
      const save = async (topic: string, decision: string) =>
        (await memory.mama.save({ topic, decision })).warnings;
      assert.deepEqual(await save('monitoring:vendor', 'Metrics and traces go to Datadog'), [
        `⚠️ may contradict or repeat “observability:backend”: “Metrics and traces go to Prometheus, which we run”. If both hold, say so in the reasoning: alongside: ${metrics.id}`,
      ]);
      assert.deepEqual(await save('ui:charts', 'Charts of metrics use one colour for each service'), []);
      await save('알림:통로', '결제 알림은 알림톡으로 보낸다');
      assert.match((await save('알림:이메일', '결제 알림은 이메일로 보낸다')).join(), /“알림:통로”/);
    });
  });
}
