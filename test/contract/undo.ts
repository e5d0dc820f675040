import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const KIM = { author: 'Kim <kim@example.com>' };
const LEE = { author: 'Lee <lee@example.com>' };

/** What every list says there is. */
async function shown(memory: Memory) {
  const { decisions } = await memory.decision.list({ limit: 100 });
  const { names } = await memory.list.names({ kind: 'topics', limit: 100 });
  const { results: observations } = await memory.mem.list({ limit: 100 });
  const { memos } = await memory.memo.list({ limit: 100 });
  return {
    decisions: decisions.map(({ topic, text, failure, outcome, evidence }) => [
      topic,
      text,
      failure,
      outcome,
      evidence,
    ]),
    topics: names.map(({ name }) => name),
    observations: observations.map(({ id, title, project }) => [id, title, project]),
    memos: memos.map(({ summary }) => summary),
  };
}

/** K-6: undo adds, and never erases. */
export function undo(engine: EngineUnderTest): void {
  const open = (writer: object = KIM) => engine.open({ ...fixed(), writer });

  describe('undo', () => {
    it('[K-6] an outcome that is undone leaves its decision without one, whatever others have', async () => {
      const memory = await open();
      const one = await memory.mama.save({ topic: 'auth', decision: 'JWT' });
      const other = await memory.mama.save({ topic: 'db', decision: 'SQLite' });
      await memory.mama.update({ id: other.id, outcome: 'failed', reason: 'locked' });
      await memory.mama.update({ id: one.id, outcome: 'success', reason: 'quick' });
      await memory.undo();
      const outcomes = (await memory.decision.list({})).decisions.map(({ id, outcome }) => [
        id,
        outcome ?? null,
      ]);
      assert.deepEqual(
        new Map(outcomes as [string, string | null][]),
        new Map([
          [other.id, 'failed'],
          [one.id, null],
        ]),
      );
    });

    it('[K-6] a first version is withdrawn and marked, a later one followed by what was said before it', async () => {
      const memory = await open();
      await memory.mama.save({ topic: 'auth', decision: 'JWT', reasoning: 'no state', evidence: ['a log'] });
      await memory.mama.save({ topic: 'auth', decision: 'cookies' });
      const plan = await memory.undo({ dry_run: true });
      assert.deepEqual(
        [plan.done, plan.effects.map(({ kind, text }) => [kind, text])],
        [false, [['decision', 'cookies']]],
      );
      assert.equal((await memory.decision.get({ id: 'auth' })).decision.text, 'cookies', 'only said');

      await memory.undo();
      const { versions, decision } = await memory.decision.get({ id: 'auth' });
      assert.deepEqual(
        versions.map(({ text, isActive, mistaken }) => [text, isActive, mistaken ?? false]),
        [
          ['JWT', false, false],
          ['cookies', false, true],
          ['JWT', true, false],
        ],
      );
      assert.equal(decision.reasoning, 'no state');

      await memory.undo();
      assert.deepEqual(await shown(memory), { decisions: [], topics: [], observations: [], memos: [] });
      assert.equal((await memory.mama.search({ query: 'JWT' })).total, 0);
      assert.equal((await memory.mama.search({ query: 'log' })).total, 0, 'nor by its evidence');
      assert.equal((await memory.mama.search()).total, 0);
      assert.deepEqual((await memory.recall({ task: 'JWT' })).entries, []);
      const whole = await memory.show({ ref: 'auth' });
      assert(
        whole.decision?.versions.every(({ mistaken }) => mistaken),
        'the topic still answers',
      );
      const { decisions } = await memory.decision.list({ filter: 'state:mistaken' });
      assert.deepEqual(
        decisions.map(({ text }) => text).sort(),
        ['JWT', 'cookies'],
        'asked for, each is there once',
      );
      const said = await memory.decision.list({ filter: 'is:mistaken cookies' });
      assert.deepEqual(
        said.decisions.map(({ text }) => text),
        ['cookies'],
        'also by its words',
      );
      await refuses(memory.undo(), 'not_found', 'a save of yours here that can be undone');
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[K-6] redo brings back what was taken back, one by one, until something else is saved', async () => {
      const memory = await open();
      await memory.mama.save({ topic: 'auth', decision: 'JWT', evidence: ['a log'] });
      await memory.mama.update({ id: 'auth', outcome: 'failed', reason: 'XSS' });
      await memory.mama.save({ topic: 'auth', decision: 'cookies', reasoning: 'HttpOnly' });
      const after = await shown(memory);
      for (let each = 0; each < 3; each++) await memory.undo();
      await refuses(memory.undo(), 'not_found');
      for (let each = 0; each < 3; each++) await memory.undo({ redo: true });
      assert.deepEqual(await shown(memory), after);
      await refuses(memory.undo({ redo: true }), 'not_found', 'nothing to redo');
      await memory.undo();
      assert.deepEqual((await shown(memory)).decisions[0]?.slice(1), ['JWT', 'XSS', 'failed', 1]);
      await memory.mem.save({ title: 'another future', content: 'x' });
      await refuses(memory.undo({ redo: true }), 'not_found');
    });

    it('[K-6] what is brought back counts as it did: older versions, their links and their failures', async () => {
      const memory = await open();
      await memory.mama.save({ topic: 'store', decision: 'one file' });
      await memory.mama.save({ topic: 'auth', decision: 'JWT in a file', reasoning: 'builds_on: `store`' });
      await memory.mama.update({ id: 'auth', outcome: 'failed', reason: 'XSS' });
      await memory.mama.save({ topic: 'auth', decision: 'sessions in a file' });
      const told = async () => {
        const { versions } = (await memory.show({ ref: 'auth' })).decision ?? {};
        const { results } = await memory.mama.search({ query: 'file' });
        return {
          counting: versions?.flatMap(({ text, mistaken }) => (mistaken ? [] : [text])),
          found: results.map(({ decision, earlier_failure }) => [decision, earlier_failure?.decision]),
          rests: (await memory.show({ ref: 'store' })).decision?.edges.incoming.map(
            ({ decision }) => decision.topic,
          ),
        };
      };
      const before = await told();
      assert.deepEqual(before.rests, ['auth']);
      for (let each = 0; each < 3; each++) await memory.undo();
      for (let each = 0; each < 3; each++) await memory.undo({ redo: true });
      const { counting, ...after } = await told();
      assert.deepEqual([...new Set(counting)], before.counting);
      assert.deepEqual(after, { found: before.found, rests: before.rests });
      for (let each = 0; each < 2; each++) await memory.undo();
      const once = (await told()).found.map(([text]) => text).sort();
      assert.deepEqual(once, ['JWT in a file', 'one file'], 'what stands again is not shown twice');
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[K-6] an outcome that is taken back stays in the log, and the one before is shown', async () => {
      const memory = await open();
      await memory.mama.save({ topic: 'auth', decision: 'JWT' });
      await memory.mama.update({ id: 'auth', outcome: 'success', reason: 'fine' });
      await memory.mama.update({ id: 'auth', outcome: 'failed', reason: 'stolen by a script' });
      await memory.undo();
      const { decision, versions } = await memory.decision.get({ id: 'auth' });
      assert.deepEqual([decision.outcome, decision.outcomeReason], ['success', 'fine']);
      assert.deepEqual(
        versions[0]?.outcomes.map(({ outcome, retracted }) => [outcome, retracted ?? false]),
        [
          ['success', false],
          ['failed', true],
        ],
      );
      assert.equal((await memory.mama.search({ query: 'stolen' })).total, 0);
      await memory.undo({ redo: true });
      assert.equal((await memory.decision.get({ id: 'auth' })).decision.outcome, 'failed');
      assert.equal((await memory.mama.search({ query: 'stolen' })).total, 1);
      await memory.mama.save({ topic: 'auth', decision: 'cookies' });
      for (let each = 0; each < 2; each++) await memory.undo();
      const other = await engine.reopen(memory, { writer: LEE });
      await other.mama.update({ id: 'auth', outcome: 'success' });
      await memory.undo({ redo: true });
      const { outcome } = (await memory.decision.get({ id: 'auth' })).decision;
      assert.equal(outcome, 'success', 'what came back is not newer than what others said since');
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[K-6] evidence, an anchor and a checkpoint are hidden, and answer by their ids', async () => {
      const memory = await open();
      const { id } = await memory.mama.save({ topic: 'auth', decision: 'JWT' });
      const { evidence } = await memory.evidence.save({ decisionRef: id, content: 'measured' });
      const { anchor } = await memory.anchor.save({
        hint: 'turnstile',
        targetRef: id,
        type: 'decision_link',
      });
      const first = await memory.mama.save({ type: 'checkpoint', summary: 'half way' });
      const second = await memory.mama.save({ type: 'checkpoint', summary: 'done' });
      await memory.undo();
      assert.equal((await memory.mama.loadCheckpoint()).checkpoint?.id, first.id);
      for (let each = 0; each < 3; each++) await memory.undo();
      const whole = await memory.decision.get({ id });
      assert.deepEqual([whole.evidence, whole.anchors], [[], []]);
      assert.equal((await memory.decision.list({ noEvidence: true })).total, 1);
      assert.equal((await memory.search({ query: 'measured half done turnstile' })).results.length, 0);
      for (const ref of [evidence.id, anchor.id, first.id, second.id]) {
        const { kind, ...found } = await memory.show({ ref });
        assert.equal(found[kind as 'evidence']?.mistaken, true, ref);
      }
      for (let each = 0; each < 4; each++) await memory.undo({ redo: true });
      assert.equal((await memory.mama.loadCheckpoint()).checkpoint?.id, second.id);
      for (const query of ['measured', 'turnstile'])
        assert.equal((await memory.search({ query })).results.length, 1, query);
      assert.equal((await memory.decision.get({ id })).anchors.length, 1);
      for (let each = 0; each < 4; each++) await memory.undo();
      assert.deepEqual((await memory.decision.get({ id })).anchors, []);
      assert.equal((await memory.search({ query: 'measured half done turnstile' })).results.length, 0);
    });

    it('[K-6] observations and memos are deleted softly; what was rewritten, moved or deleted goes back', async () => {
      const memory = await open();
      const states: unknown[] = [await shown(memory)];
      const step = async (work: Promise<unknown>) => {
        await work;
        states.push(await shown(memory));
      };
      await step(memory.mem.save({ title: 'one', content: 'first text' }));
      await step(memory.mem.update({ id: 1, title: 'renamed', project: 'p' }));
      await step(memory.mem.save({ title: 'two', content: 'second' }));
      await step(memory.mem.relate({ from_id: 1, to_id: 2, relation_type: 'because', bidirectional: true }));
      await step(memory.delete({ ref: 1 }));
      const memo = await memory.memo.save({ fullText: 'buy milk', keywords: ['milk'] });
      states.push(await shown(memory));
      await step(memory.memo.edit({ infoId: memo.infoId, fullText: 'buy oat milk' }));
      await step(memory.delete({ ref: memo.infoId }));
      for (const state of states.toReversed().slice(1)) {
        await memory.undo();
        assert.deepEqual(await shown(memory), state);
      }
      assert.equal((await memory.mem.getObservation({ id: 1 })).deleted, true);
      assert.equal((await memory.mem.relations({ observation_id: 1 })).total.outgoing, 0);
      for (const state of states.slice(1)) {
        await memory.undo({ redo: true });
        assert.deepEqual(await shown(memory), state);
      }
      assert.equal((await memory.mem.relations({ observation_id: 1 })).total.outgoing, 1);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[K-6] a batch is taken back whole and brought back whole, and ends redo like any save', async () => {
      const memory = await open();
      const lines = [
        {
          operation: 'mama_save',
          topic: 'auth',
          decision: 'JWT',
          reasoning: 'no state',
          evidence: ['a log'],
        },
        { operation: 'mama_update', id: 'auth', outcome: 'failed', reason: 'stolen' },
        { operation: 'mama_save', topic: 'auth', decision: 'cookies' },
        { operation: 'mama_save', topic: 'api', decision: 'REST' },
        { operation: 'mem_save', title: 'n', content: 'one', topic_key: 'k' },
        { operation: 'mem_save', title: 'n', content: 'two', topic_key: 'k' },
        { operation: 'memo_save', fullText: 'buy milk', keywords: ['milk'] },
      ].map((each) => JSON.stringify(each));
      await memory.mama.save({ topic: 'before', decision: 'stays' });
      const before = await shown(memory);
      await memory.batch(lines);
      const after = await shown(memory);
      assert.equal(after.decisions.length, 3);
      await memory.undo();
      assert.deepEqual(await shown(memory), before);
      await memory.undo({ redo: true });
      assert.deepEqual(await shown(memory), after);
      await memory.undo();
      assert.deepEqual(await shown(memory), before);
      await memory.batch([JSON.stringify({ operation: 'mama_save', topic: 'other', decision: 'x' })]);
      await refuses(memory.undo({ redo: true }), 'not_found');
      await memory.undo();
      await memory.undo();
      assert.deepEqual((await shown(memory)).decisions, []);
      await refuses(memory.batch(['{"operation":"undo"}']), 'invalid', 'Line 1', 'takes a date');
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[K-6] nothing is taken back on which something of others rests, and the refusal lists it', async () => {
      const { clock, newId } = fixed();
      const memory = await engine.open({ clock, newId, writer: KIM });
      const other = await engine.reopen(memory, { clock, writer: LEE });
      const { id } = await memory.mama.save({ topic: 'auth', decision: 'JWT', evidence: ['e'] });
      const next = await other.mama.save({ topic: 'auth', decision: 'cookies' });
      const user = await other.mama.save({ topic: 'api', decision: 'bearer', reasoning: `builds_on: ${id}` });
      const { evidence } = await other.evidence.save({ decisionRef: id, content: 'theirs' });
      const { anchor } = await other.anchor.save({ hint: 'why', targetRef: id, type: 'decision_link' });
      const resting = [next.id, user.id, evidence.id, anchor.id];
      await refuses(memory.undo(), 'conflict', ...resting, 'Lee', 'Nothing was changed');
      assert.equal((await memory.decision.get({ id: 'auth' })).decision.text, 'cookies');
      // What others saved is theirs to take back.
      for (let each = 0; each < 4; each++) await other.undo();
      await memory.undo();
      assert.deepEqual((await shown(memory)).decisions, []);

      const { id: noted } = await memory.mem.save({ title: 'noted', content: 'x' });
      const relation = await other.mem.save({ title: 'other', content: 'y' });
      await other.mem.relate({ from_id: relation.id, to_id: noted, relation_type: 'r' });
      await refuses(memory.undo(), 'conflict', 'relation r', 'Lee');
      const why = await memory.undo().then(String, (refusal: Error) => refusal.message);
      assert.equal(why.split('relation r').length, 2, why);
      // A relation depends on the note, not on what the note says; evidence is of what it said before.
      await other.evidence.save({ decisionRef: user.id, observationId: noted });
      await memory.mem.update({ id: noted, content: 'y' });
      await memory.undo();
      assert.equal((await memory.mem.getObservation({ id: noted })).content, 'x');

      const measured = await memory.evidence.save({ decisionRef: user.id, content: 'measured' });
      const targetRef = measured.evidence.id;
      const hint = await other.anchor.save({ hint: 'see', targetRef, type: 'evidence_link' });
      await refuses(memory.undo(), 'conflict', hint.anchor.id, 'Lee');
    });

    it('[K-6] [R-7] what was deleted for good is said to be skipped, once', async () => {
      const memory = await open();
      await memory.mama.save({ topic: 'db', decision: 'SQLite' });
      await memory.mama.save({ topic: 'auth', decision: 'JWT' });
      const { id } = await memory.mem.save({ title: 'noted', content: 'x' });
      await memory.delete({ ref: id, hard_delete: true });
      for (const dry_run of [true, false]) {
        const { effects, warnings } = await memory.undo({ dry_run });
        assert.equal(effects[0]?.name, 'auth');
        assert.match(String(warnings), /^Skipped.*deleted for good \(2026-.*; something .* no longer exists/);
      }
      assert.equal((await memory.undo()).warnings, undefined);
      for (let each = 0; each < 2; each++)
        assert.equal((await memory.undo({ redo: true })).warnings, undefined);
      await memory.mama.save({ topic: 'api', decision: 'REST' });
      for (let each = 0; each < 3; each++) assert.equal((await memory.undo()).warnings, undefined);
      await memory.delete({
        ref: (await memory.mem.save({ title: 't', content: 'y' })).id,
        hard_delete: true,
      });
      await refuses(memory.undo(), 'not_found', 'Skipped', 'deleted for good');
      const [a, b] = [
        await memory.mem.save({ title: 'a', content: 'one' }),
        await memory.mem.save({ title: 'b', content: 'two' }),
      ];
      const { relation_id } = await memory.mem.relate({ from_id: a.id, to_id: b.id, relation_type: 'r' });
      await memory.mem.unrelate({ relation_id });
      await (await engine.reopen(memory, { writer: LEE })).delete({ ref: b.id });
      const { effects, warnings } = await memory.undo();
      assert.deepEqual([effects.length, effects[0]?.name], [1, 'a']);
      assert.match(String(warnings), /a relation was removed for good/);
    });

    it('[K-6] names: a topic that was renamed or joined leads again where it led', async () => {
      const memory = await open();
      await memory.mama.save({ topic: 'infar:cdn', decision: 'one CDN', scope: 'infra' });
      await memory.mama.save({ topic: 'other', decision: 'two', scope: 'x' });
      await memory.rename({ kind: 'scope', from: 'x', to: 'y', join: true });
      await memory.rename({ from: 'infar:cdn', to: 'infra:cdn' });
      const before = await shown(memory);
      await memory.rename({ from: 'other', to: 'infra:cdn', join: true });
      await memory.undo();
      assert.deepEqual(await shown(memory), before);
      await memory.undo();
      assert.deepEqual((await shown(memory)).topics, ['infar:cdn', 'other']);
      await memory.undo();
      assert.deepEqual((await memory.decision.list({ scope: 'x' })).total, 1);
      for (let each = 0; each < 2; each++) await memory.undo({ redo: true });
      assert.deepEqual(await shown(memory), before);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[K-6] [C-1] a renaming is taken back, and brought back, after a name of it was redacted', async () => {
      for (const [before, after, secret] of [
        ['plain', 'zebra', 'zebra'],
        ['zebra', 'plain', 'zebra'],
        ['zebra:one', 'zebra:two', 'zebra'],
      ] as const) {
        const memory = await open();
        const { id } = await memory.mama.save({ topic: before, decision: 'one' });
        await memory.rename({ from: before, to: after });
        await memory.redact(id, secret);
        const topics = async () => {
          const { topic = '' } = (await memory.decision.get({ id })).decision;
          assert.equal(
            (await memory.decision.get({ id: topic ?? '' })).decision.id,
            id,
            'its topic leads to it',
          );
          return topic === 'plain' ? topic : topic?.startsWith('[REDACTED] ');
        };
        const called = [await topics()];
        for (const redo of [false, true, false]) {
          await memory.undo({ redo });
          called.push(await topics());
        }
        const [was, now] = [before, after].map((name) => (name === 'plain' ? name : true));
        assert.deepEqual(called, [now, was, now, was]);
        assert.deepEqual((await memory.inspect()).problems, []);
      }
    });

    it('[K-6] what was called nothing is told by its text, when it gets its name again', async () => {
      const memory = await open();
      const { decision } = await memory.decision.save({ text: 'nameless' });
      await memory.rename({ from: decision.id, to: 'named' });
      await memory.undo();
      assert.deepEqual((await memory.undo({ redo: true })).effects, [
        { kind: 'decision', id: decision.id, text: 'nameless', becomes: 'called "named" again' },
      ]);
    });

    it('[K-6] what others changed and took back again keeps nothing from being taken back', async () => {
      const memory = await open();
      const other = await engine.reopen(memory, { writer: LEE });
      const { id } = await memory.mem.save({ title: 'mine', content: 'first text' });
      const { infoId } = await memory.memo.save({ fullText: 'buy milk', keywords: ['milk'] });
      await other.mem.update({ id, content: 'theirs' });
      await other.memo.edit({ infoId, fullText: 'buy oat milk' });
      await other.undo();
      await other.undo({ redo: true });
      await refuses(memory.undo(), 'conflict', 'Lee');
      await other.undo();
      await memory.undo();
      await refuses(memory.undo(), 'conflict', 'Lee');
      await other.undo();
      await memory.undo();
      assert.deepEqual(await shown(memory), { decisions: [], topics: [], observations: [], memos: [] });
      for (let each = 0; each < 2; each++) await memory.undo({ redo: true });
      const { content } = await memory.mem.getObservation({ id });
      assert.deepEqual([content, (await shown(memory)).memos], ['first text', ['buy milk']]);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[K-6] a renaming stays while something that others saved under the new name does', async () => {
      const memory = await open();
      const other = await engine.reopen(memory, { writer: LEE });
      const { id } = await memory.mama.save({ topic: 'infar', decision: 'one' });
      const theirs = await other.evidence.save({ decisionRef: id, content: 'before' });
      await memory.rename({ from: 'infar', to: 'infra' });
      const next = await other.mama.save({ topic: 'infra', decision: 'two' });
      const { evidence } = await other.evidence.save({ decisionRef: 'infra', content: 'theirs' });
      await refuses(memory.undo(), 'conflict', 'topic infra', next.id, evidence.id, 'Lee');
      assert.equal((await memory.decision.get({ id: 'infra' })).decision.text, 'two');
      for (let each = 0; each < 2; each++) await other.undo();
      await memory.undo();
      assert.equal((await memory.decision.get({ id: 'infar' })).decision.text, 'one');
      assert.equal((await memory.decision.get({ id: 'infar' })).evidence[0]?.id, theirs.evidence.id);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[K-6] [D-20] [T-6] an axis or a lock of one’s own gives way within the hour, and later with a reason, a lock with its name', async () => {
      let now = Date.UTC(2026, 0, 1);
      const memory = await engine.open({ writer: KIM, clock: () => now });
      await memory.mama.save({ topic: 'a', decision: 'A', strength: 'axis' });
      await memory.undo();
      await memory.mama.save({ topic: 'l', decision: 'L', strength: 'lock' });
      assert.equal((await memory.undo({ dry_run: true })).needs, undefined);
      await memory.undo();
      await memory.undo({ redo: true });
      const { id } = await memory.mama.save({ topic: 'b', decision: 'B', strength: 'lock' });
      now += 3_600_001;
      await refuses(memory.undo(), 'conflict', 'reasoning', 'B');
      assert.deepEqual((await memory.undo({ dry_run: true })).needs, { replaces: [id], reasoning: true });
      await refuses(
        memory.undo({ reasoning: 'it was the wrong repository' }),
        'conflict',
        `replaces: "${id.slice(0, 8)}"`,
      );
      await memory.undo({ reasoning: 'it was the wrong repository', replaces: [id] });
      const { decision } = await memory.decision.get({ id: 'b' });
      assert.deepEqual([decision.withdrawn, decision.reasoning], [true, 'it was the wrong repository']);
    });

    it('[K-6] [T-6] a lock gives back the files that it was given within the hour, and later by a call that names it', async () => {
      let now = Date.UTC(2026, 0, 1);
      const memory = await engine.open({ writer: KIM, clock: () => now });
      await memory.mama.save({ topic: 'l', decision: 'L', strength: 'lock' });
      const add = () => memory.call('decision_revise', { id: 'l', addFiles: ['src/l/**'] });
      await add();
      await memory.undo();
      await add();
      now += 3_600_001;
      const { decision } = await memory.decision.get({ id: 'l' });
      await refuses(
        memory.undo({ reasoning: 'moved' }),
        'conflict',
        `replaces: "${decision.id.slice(0, 8)}"`,
      );
      await memory.undo({ reasoning: 'moved', replaces: [decision.id] });
      assert.equal((await memory.decision.get({ id: 'l' })).decision.files, null);
    });

    it('[K-6] [T-6] a lock that is active again since an undo has the name of either version; what one call restores needs none', async () => {
      let now = Date.UTC(2026, 0, 1);
      const memory = await engine.open({ writer: KIM, clock: () => now });
      const reasoning = 'we sell abroad';
      const lock = await memory.mama.save({ topic: 'l', decision: 'L', strength: 'lock' });
      const freed = { topic: 'l', decision: 'Free', strength: 'normal', reasoning } as const;
      await memory.mama.save({ ...freed, replaces: lock.id });
      await memory.undo();
      const again = (await memory.decision.get({ id: 'l' })).decision;
      assert.deepEqual([again.text, again.isActive, again.id === lock.id], ['L', true, false]);
      now += 3_600_001;
      await refuses(memory.undo({ reasoning }), 'conflict', again.id);
      for (const id of [lock.id, again.id])
        assert.equal((await memory.undo({ dry_run: true, reasoning, replaces: [id] })).needs, undefined);
      await memory.undo({ redo: true, reasoning, replaces: [again.id] });
      await memory.undo({ last: 2, reasoning });
      assert.deepEqual((await memory.decision.list()).decisions, []);
    });

    it('[K-6] [T-6] a lock gets its earlier topic back within the hour, and later by a call that names it', async () => {
      let now = Date.UTC(2026, 0, 1);
      const memory = await engine.open({ writer: KIM, clock: () => now });
      const { id } = await memory.mama.save({ topic: 'auth:tokn', decision: 'Cookies', strength: 'lock' });
      const rename = () => memory.rename({ from: 'auth:tokn', to: 'auth:token', replaces: [id] });
      const called = async () => (await memory.decision.get({ id })).decision.topic;
      await rename();
      await memory.undo();
      await rename();
      now += 3_600_001;
      await refuses(memory.undo(), 'conflict', 'Renaming “auth:token”', `replaces: "${id.slice(0, 8)}"`);
      assert.equal(await called(), 'auth:token');
      await memory.undo({ replaces: [id] });
      assert.equal(await called(), 'auth:tokn');
    });

    it('[K-6] what is saved anew under the topic of a mistake takes nothing over from it', async () => {
      const memory = await open();
      await memory.mama.save({ topic: 'db', decision: 'no floats', strength: 'lock', scope: 'payment' });
      await memory.undo();
      await memory.mama.save({ topic: 'db', decision: 'SQLite' });
      const { decision } = await memory.decision.get({ id: 'db' });
      assert.deepEqual([decision.strength, decision.scope, decision.version], ['normal', 'db', 3]);
      await memory.undo();
      assert.deepEqual((await shown(memory)).topics, []);
    });

    it('[K-6] what was taken back comes through an export, and can be brought back there', async () => {
      const memory = await open();
      await memory.mama.save({ topic: 'auth', decision: 'JWT', evidence: ['e'] });
      await memory.undo();
      const lines: string[] = [];
      await memory.export('jsonl', (line) => lines.push(line));
      const copy = await engine.open({ writer: KIM });
      await copy.import(lines);
      assert.equal((await copy.mama.search()).total, 0);
      await copy.undo({ redo: true });
      assert.equal((await copy.mama.search({ query: 'JWT' })).total, 1);
      assert.deepEqual((await copy.inspect()).problems, []);
    });

    it('[K-6] [U-3] the log says what was retracted, and changed_since that something was', async () => {
      const memory = await open();
      await memory.mama.save({ topic: 'auth', decision: 'JWT' });
      const { state } = await memory.changed.since();
      await memory.undo();
      assert.equal((await memory.changed.since({ state })).changed, true);
      await assert.rejects(
        memory.changed.since({ state: 'yesterday' }),
        /Expected "state" from an earlier answer.*found "yesterday"/,
      );
      const { entries } = await memory.timeline();
      assert.deepEqual(
        entries.map(({ what, topic }) => [what, topic]),
        [
          ['undone', 'auth'],
          ['decided', 'auth'],
        ],
      );
    });
  });
}
