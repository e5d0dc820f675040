import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { enginesInTurn, fixed, optionsOf } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { bytesOf, DAY, decided, found, observed, rowsOf, START } from './support/facts.ts';
import { exported, linesOfRows, type Row } from './support/stream.ts';

const clock = () => fixed(START + 400 * DAY);

for (const engine of enginesInTurn(10)) {
  describe(`what other tools remember, on ${engine.name}`, optionsOf(engine), () => {
    it('[I-2] whatever date something has there, an outcome and a text here can follow it', async () => {
      const memory = await engine.openFast(clock());
      const at = 8_640_000_000_000_000;
      const outcome = { outcome: 'failed', reason: null, at } as const;
      await memory.merge(
        found({ decisions: [decided('a', 1, { at, outcome })], observations: [observed('one', 1, { at })] }),
      );
      const [decision] = await rowsOf(memory, 'decisions');
      await memory.mama.update({ id: String(decision?.id), outcome: 'success' });
      await memory.mem.update({ id: 1, content: 'changed here' });
      const [changed] = await rowsOf(memory, 'decisions');
      assert.equal(changed?.outcome, 'success');
      assert.deepEqual((await memory.inspect()).problems, []);
      await memory.close();
    });

    it('[I-2] times that are kept more closely there are in whole milliseconds here', async () => {
      const memory = await engine.openFast(clock());
      const close = START + DAY + 0.75;
      const facts = found({
        decisions: [
          decided('a', 1, {
            at: close,
            updatedAt: close,
            outcome: { outcome: 'failed', reason: null, at: close },
            evidence: [{ text: 'minutes', at: close }],
            withdrawn: { reason: 'gone', at: close },
            rest: { score: 0.75 },
          }),
        ],
        observations: [
          observed('one', 1, {
            at: close,
            lastSeenAt: close,
            deletedAt: close,
            revisions: [{ title: 'one', content: 'before', type: 'note', replacedAt: close }],
          }),
        ],
        checkpoints: [{ key: 'c', at: close, summary: 'half', nextSteps: null, openFiles: [] }],
      });
      await memory.merge(facts);
      const rows = linesOfRows(await exported(memory)).map((line) => JSON.parse(line) as Row);
      for (const row of rows)
        for (const value of Object.values(row))
          if (typeof value === 'number')
            assert(Number.isInteger(value) || value === 0.5, JSON.stringify(row));
      assert(rows.some(({ rest }) => rest === '{"score":0.75}'));
      assert.deepEqual((await memory.inspect()).problems, []);
      assert.equal((await memory.merge(facts)).decisions.same, 1);
    });

    it('[I-1] [I-2] ids, times, sessions and texts are kept, and a second import changes nothing', async () => {
      const memory = await engine.openFast(clock());
      const facts = found({
        decisions: [
          decided('a', 1, {
            session: 's1',
            author: 'Kim <kim@example.com>',
            outcome: { outcome: 'failed', reason: 'it leaked', at: START + 2 * DAY },
            evidence: [{ text: 'minutes', at: START + DAY }],
            rest: { usage_count: 3 },
          }),
          decided('b', 3, { reasoning: 'builds_on: decision_a' }),
        ],
        observations: [observed('one', 2), observed('two', 3, { deletedAt: START + 4 * DAY })],
        checkpoints: [{ key: 'c', at: START, summary: 'half', nextSteps: null, openFiles: ['a.ts'] }],
        relations: [{ key: 'r', at: START, from: 'one', to: 'two', type: 'causes', note: 'n' }],
      });
      const merged = await memory.merge(facts);
      assert.deepEqual(
        [merged.decisions.new, merged.observations.new, merged.checkpoints.new, merged.relations.new],
        [2, 2, 1, 1],
      );
      const [first, second] = await rowsOf(memory, 'decisions');
      assert.deepEqual(
        [first?.id, first?.createdAt, first?.outcome, first?.version, first?.isActive],
        ['decision_a', START + DAY, 'failed', 1, 0],
      );
      assert.deepEqual([second?.rootId, second?.version, second?.isActive], ['decision_a', 2, 1]);
      const writers = await rowsOf(memory, 'writers');
      assert.ok(
        writers.some(
          ({ author, session, client }) =>
            author === 'Kim <kim@example.com>' && session === 's1' && client === 'import:test',
        ),
      );
      const edges = (await rowsOf(memory, 'decisionEdges')).map(({ relationship }) => relationship);
      assert.deepEqual(edges.sort(), ['builds_on', 'supersedes']);
      const kept = (await rowsOf(memory, 'origins')).map(({ rest }) => rest);
      assert.ok(kept.includes('{"usage_count":3}'));
      const before = await bytesOf(memory);
      const again = await memory.merge(facts);
      assert.deepEqual(
        [again.decisions, again.relations],
        [
          { new: 0, changed: 0, same: 2 },
          { new: 0, changed: 0, same: 1 },
        ],
      );
      assert.equal(await bytesOf(memory), before);
      assert.deepEqual((await memory.inspect()).problems, []);
      const { results } = await memory.search({ query: 'minutes' });
      assert.equal(results.length > 0, true);
    });

    it('[I-2] one row that changed there gives one version, one outcome, one revision', async () => {
      const memory = await engine.openFast(clock());
      const a = decided('a', 1);
      const one = observed('one', 2);
      await memory.merge(found({ decisions: [a], observations: [one] }));
      const outcome = { outcome: 'success' as const, reason: 'it held', at: START + 5 * DAY };
      const given = await memory.merge(found({ decisions: [{ ...a, outcome }], observations: [one] }));
      assert.deepEqual(given.decisions, { new: 0, changed: 1, same: 0 });
      assert.equal((await rowsOf(memory, 'outcomes')).length, 1);
      assert.equal((await rowsOf(memory, 'decisions')).length, 1);
      const said = { ...a, outcome, text: 'decided otherwise', updatedAt: START + 6 * DAY };
      const revised = { ...one, content: 'more about one', updatedAt: START + 6 * DAY };
      await memory.merge(found({ decisions: [said], observations: [revised] }));
      const versions = await rowsOf(memory, 'decisions');
      assert.deepEqual(
        versions.map(({ version, text, isActive }) => [version, text, isActive]),
        [
          [1, 'decided a', 0],
          [2, 'decided otherwise', 1],
        ],
      );
      assert.equal((await rowsOf(memory, 'outcomes')).length, 1);
      const [revision, ...more] = await rowsOf(memory, 'observationRevisions');
      assert.deepEqual(
        [revision?.content, revision?.replacedAt, more.length],
        ['about one', START + 6 * DAY, 0],
      );
      const before = await bytesOf(memory);
      await memory.merge(found({ decisions: [said], observations: [revised] }));
      assert.equal(await bytesOf(memory), before);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[I-2] what changed there and here is reported, and neither is touched', async () => {
      const memory = await engine.openFast(clock());
      const a = decided('a', 1);
      const b = decided('b', 1, { topic: 'db' });
      const one = observed('one', 2);
      await memory.merge(found({ decisions: [a, b], observations: [one] }));
      await memory.mama.save({ topic: 'auth', decision: 'decided here' });
      await memory.mama.update({ id: 'decision_b', outcome: 'failed', reason: 'here' });
      const [{ id } = { id: 0 }] = await rowsOf(memory, 'observations');
      await memory.mem.update({ id: Number(id), content: 'changed here' });
      const before = await bytesOf(memory);
      const merged = await memory.merge(
        found({
          decisions: [
            { ...a, text: 'changed there' },
            { ...b, outcome: { outcome: 'success', reason: 'there', at: START + 3 * DAY } },
          ],
          observations: [{ ...one, content: 'changed there' }],
        }),
      );
      assert.equal(merged.conflicts.length, 3);
      assert.equal(await bytesOf(memory), before);
    });

    it('[D-22] an earlier beginning and a version between take their places, and what hangs on versions stays', async () => {
      const memory = await engine.openFast(clock());
      const { id, evidence } = await memory.mama.save({
        topic: 'auth',
        decision: 'decided here first',
        evidence: ['minutes'],
        date: '2026-01-11T00:00:00Z',
      });
      const last = await memory.mama.save({ topic: 'auth', decision: 'then', date: '2026-01-21T00:00:00Z' });
      await memory.mama.update({ id, outcome: 'failed', reason: 'no' });
      const merged = await memory.merge(
        found({ decisions: [decided('early', 1), decided('between', 15), decided('later', 30)] }),
      );
      const chain = (await rowsOf(memory, 'decisions')).sort((x, y) => Number(x.version) - Number(y.version));
      assert.deepEqual(
        chain.map((row) => row.id),
        ['decision_early', id, 'decision_between', last.id, 'decision_later'],
      );
      assert.deepEqual(
        chain.map(({ isActive }) => isActive),
        [0, 0, 0, 0, 1],
      );
      assert.ok(chain.every(({ rootId }) => rootId === 'decision_early'));
      assert.deepEqual(
        merged.renumbered.map((each) => [each.topic, each.id, each.from, each.to]),
        [
          ['auth', id, 1, 2],
          ['auth', last.id, 2, 4],
        ],
      );
      const [ground] = await rowsOf(memory, 'evidence');
      assert.deepEqual([ground?.id, ground?.decisionRef], [evidence?.[0], id]);
      assert.equal(chain[1]?.outcome, 'failed');
      assert.deepEqual((await memory.inspect()).problems, []);
      // An export of it can be imported, though an earlier version has a later number.
      const lines = await exported(memory);
      const copy = await engine.openFast();
      await copy.import(lines);
      assert.deepEqual(linesOfRows(await exported(copy)), linesOfRows(lines));
      // The past lays it out as well.
      const then = await memory.search({ query: 'decided', as_of: '2026-01-25T00:00:00Z' });
      assert.equal(then.results[0]?.id, last.id);
      await memory.unmerge('test');
      const left = (await rowsOf(memory, 'decisions')).map((row) => [row.id, row.version, row.isActive]);
      assert.deepEqual(left, [
        [id, 1, 0],
        [last.id, 2, 1],
      ]);
      assert.deepEqual((await memory.inspect()).problems, []);
      const next = await memory.mama.save({ topic: 'Auth', decision: 'and so on' });
      assert.equal((await rowsOf(memory, 'decisions')).find((row) => row.id === next.id)?.rootId, id);
    });

    it('[D-22] versions keep the order of their source, also where its dates go backwards', async () => {
      const memory = await engine.openFast(clock());
      await memory.merge(found({ decisions: [decided('a', 5), decided('b', 3), decided('c', 4)] }));
      const chain = (await memory.decision.get({ id: 'auth' })).versions;
      assert.deepEqual(
        chain.map(({ id }) => id),
        ['decision_a', 'decision_b', 'decision_c'],
      );
    });

    it('[I-3] a failure in the middle leaves nothing, and a dry run too', async () => {
      const memory = await engine.openFast(clock());
      const before = await bytesOf(memory);
      const facts = found({
        decisions: [decided('a', 1)],
        observations: [observed('one', 1), observed('one', 2)],
      });
      await refuses(memory.merge(facts), 'invalid', '"one" twice');
      assert.equal(await bytesOf(memory), before);
      const late = found({ decisions: [decided('a', 1), decided('b', 2, { confidence: Number.NaN })] });
      await assert.rejects(memory.merge(late));
      assert.equal(await bytesOf(memory), before);
      const tried = await memory.merge(found({ decisions: [decided('a', 1)] }), () => {}, { dryRun: true });
      assert.equal(tried.decisions.new, 1);
      assert.equal(await bytesOf(memory), before);
    });

    it('[I-3] an import is taken back while nothing rests on it', async () => {
      const memory = await engine.openFast(clock());
      await memory.mama.save({ topic: 'auth', decision: 'decided here', date: '2026-01-01T00:00:00Z' });
      const before = (await rowsOf(memory, 'decisions')).map(({ updatedAt: _, ...row }) => row);
      const facts = found({
        decisions: [
          decided('a', 1),
          decided('b', 1, { topic: 'db', links: [{ relationship: 'builds_on', to: 'a' }] }),
        ],
        observations: [observed('one', 1), observed('two', 1)],
        relations: [{ key: 'r', at: START, from: 'one', to: 'two', type: 'causes', note: null }],
      });
      await memory.merge(facts);
      const { id } = await memory.mama.save({
        topic: 'own',
        decision: 'x',
        reasoning: 'builds_on: decision_b',
      });
      await refuses(memory.unmerge('test'), 'conflict', `decision ${id}`);
      await memory.undo();
      await memory.decision.retrieve({});
      const saved = await memory.mama.save({ topic: 'auth', decision: 'and then' });
      await refuses(memory.unmerge('test'), 'conflict', 'version 3 of auth');
      assert.notEqual(saved.id, '');
      const fresh = await engine.openFast(clock());
      await fresh.mama.save({ topic: 'auth', decision: 'decided here', date: '2026-01-01T00:00:00Z' });
      await fresh.merge(facts);
      await refuses(fresh.unmerge('another'), 'not_found', 'none in this memory');
      assert.deepEqual(await fresh.unmerge('test'), {
        source: 'test',
        records: 4,
        kinds: { decision: 2, observation: 2 },
        relations: 1,
      });
      const after = (await rowsOf(fresh, 'decisions')).map(({ updatedAt: _, ...row }) => row);
      assert.deepEqual(
        after.map(({ text, isActive }) => [text, isActive]),
        [['decided here', 1]],
      );
      assert.equal(before.length, after.length);
      for (const table of ['observations', 'relations', 'origins', 'decisionEdges']) {
        assert.deepEqual(await rowsOf(fresh, table), [], table);
      }
      assert((await rowsOf(fresh, 'writers')).every(({ client }) => !String(client).startsWith('import:')));
      assert.deepEqual((await fresh.search({ query: 'about one' })).results, []);
      assert.deepEqual((await fresh.inspect()).problems, []);
      await refuses(fresh.unmerge('test'), 'not_found', 'none in this memory');
    });

    it('[I-3] an import is not undone while anything made here depends on it, and the refusal names all of that', async () => {
      const memory = await engine.openFast(clock());
      const a = decided('a', 1, { evidence: [{ text: 'minutes', at: START }] });
      await memory.merge(found({ decisions: [a], observations: [observed('one', 1), observed('two', 1)] }));
      const [minutes] = await rowsOf(memory, 'evidence');
      const own = await memory.mem.save({ title: 'own', content: 'noted here' });
      const user = await memory.mama.save({
        topic: 'own',
        decision: 'x',
        reasoning: 'builds_on: decision_a',
      });
      await memory.mama.update({ id: 'decision_a', outcome: 'failed', reason: 'it leaked' });
      const attached = await memory.evidence.save({ decisionRef: 'decision_a', content: 'measured' });
      const snapshot = await memory.evidence.save({ decisionRef: user.id, observationId: 1 });
      const anchor = async (targetRef: string, type: 'decision_link' | 'evidence_link') =>
        (await memory.anchor.save({ hint: 'why', targetRef, type })).anchor.id;
      const anchors = [
        await anchor('decision_a', 'decision_link'),
        await anchor(String(minutes?.id), 'evidence_link'),
      ];
      await memory.mem.relate({ from_id: own.id, to_id: 1, relation_type: 'explains' });
      await memory.mem.update({ id: 2, title: 'renamed here' });
      await memory.merge({ ...found({ decisions: [a] }), source: 'another' });
      await memory.mama.save({ topic: 'auth', decision: 'and then' });
      await refuses(
        memory.unmerge('test'),
        'conflict',
        `decision ${user.id}`,
        'outcome "failed" of decision_a',
        `evidence ${attached.evidence.id}`,
        `evidence ${snapshot.evidence.id}`,
        ...anchors.map((id) => `anchor ${id}`),
        'relation 1',
        'what changed here of observation 2',
        'what "another" brought as well',
        'version 2 of auth, decided here',
      );
    });

    it('[I-2] [D-19] topics: any spelling leads to the chain here, what a source keeps apart stays apart', async () => {
      const memory = await engine.openFast(clock());
      await memory.mama.save({ topic: 'Auth', decision: 'here', date: '2026-01-01T00:00:00Z' });
      await memory.merge(found({ decisions: [decided('a', 1)] }));
      assert.deepEqual(
        (await rowsOf(memory, 'decisions')).map(({ version }) => version),
        [1, 2],
      );
      const other = await engine.openFast(clock());
      const two = [decided('a', 1), decided('b', 2, { topic: 'AUTH' })];
      const merged = await other.merge(found({ decisions: two }));
      assert.deepEqual(
        (await rowsOf(other, 'decisions')).map(({ version }) => version),
        [1, 1],
      );
      assert.match(merged.warnings.join('\n'), /two topics there and stay two/);
      const before = await bytesOf(other);
      await other.merge(found({ decisions: two }));
      assert.equal(await bytesOf(other), before);
    });

    it('[I-2] links wait for their other end, and a withdrawal that came late takes its place', async () => {
      const memory = await engine.openFast(clock());
      const a = decided('a', 1, { links: [{ relationship: 'debates', to: 'b' }] });
      const relation = { key: 'r', at: START, from: 'one', to: 'two', type: 'causes', note: null };
      const first = await memory.merge(
        found({ decisions: [a], observations: [observed('one', 1)], relations: [relation] }),
      );
      assert.equal(first.unresolved.length, 2);
      const withdrawn = { reason: 'gone', at: START + 9 * DAY };
      const second = await memory.merge(
        found({
          decisions: [{ ...a, withdrawn }, decided('b', 2, { topic: 'db' })],
          observations: [observed('one', 1), observed('two', 2)],
          relations: [relation],
        }),
      );
      assert.deepEqual([second.unresolved, second.relations.new, second.decisions.changed], [[], 1, 1]);
      const [, , last] = await rowsOf(memory, 'decisions');
      assert.deepEqual(
        (await rowsOf(memory, 'decisions')).map((row) => [row.topic, row.version, row.withdrawn]),
        [
          ['auth', 1, 0],
          ['auth', 2, 1],
          ['db', 1, 0],
        ],
      );
      assert.notEqual(last, undefined);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[D-16] [Z-9] a relation that waits keeps nothing private and no secret of the names that it joins', async () => {
      const memory = await engine.openFast(clock());
      const token = `ghp_${'q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV'}`;
      const waits = {
        key: 'r',
        at: START,
        from: 'one',
        to: `<private>diagnosis</private> ${token}`,
        type: 'has',
        note: null,
      };
      const merged = await memory.merge(found({ observations: [observed('one', 1)], relations: [waits] }));
      assert.equal(merged.unresolved.length, 1);
      assert.match(merged.unresolved[0] ?? '', /\[REDACTED\] \[masked: GitHub token\]/);
      assert.doesNotMatch(await bytesOf(memory), /diagnosis|ghp_q8Z/);
    });

    it('[I-2] [D-16] private parts are redacted, NUL and terminal sequences cut, what is too long stands whole beside its record; what was redacted does not come back', async () => {
      const memory = await engine.openFast(clock());
      const long = 'x'.repeat(30_000);
      const facts = found({
        decisions: [
          decided('a', 1, { text: `NUL \0 \u001b[31mred\u001b[0m <private>sk-1</private> ${long}` }),
        ],
        observations: [
          observed('one', 1, {
            title: 't'.repeat(300),
            topicKey: 'k'.repeat(300),
            rest: { note: 'say "sk-zq81"' },
          }),
        ],
      });
      await memory.merge(facts);
      const [decision] = await rowsOf(memory, 'decisions');
      const whole = `NUL \u2400 red [REDACTED] ${long}`;
      assert.equal(decision?.text, `${whole.slice(0, 1999)}…`);
      assert.equal((await rowsOf(memory, 'evidence'))[0]?.content, whole);
      const kept = (await rowsOf(memory, 'origins')).flatMap(({ rest }) =>
        rest === null ? [] : [JSON.parse(String(rest))],
      );
      assert.ok(kept.some(({ text }) => text === whole));
      assert.ok(kept.some(({ title }) => title === 't'.repeat(300)));
      const [observation] = await rowsOf(memory, 'observations');
      assert.equal(String(observation?.title).length, 200);
      assert.equal(String(observation?.topicKey).length, 200);
      assert.deepEqual((await memory.inspect()).problems, []);
      await memory.redact(String(observation?.id), 'say "sk-zq81"');
      assert.doesNotMatch(await bytesOf(memory), /sk-zq81/);
      await memory.redact('decision_a');
      await memory.merge(facts);
      const merged = await memory.merge(found({ decisions: [decided('a', 1, { text: 'sk-other' })] }));
      assert.match(merged.conflicts[0]?.why ?? '', /redacted here/);
      assert.doesNotMatch(await bytesOf(memory), /sk-zq81|sk-other/);
    });
  });
}
