import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ATTRIBUTES,
  type Content,
  FIELD_NAMES,
  FIELDS,
  type Field,
  OPTIONAL,
} from '../../src/domain/decision.ts';
import type { Memory } from '../../src/index.ts';
import { decisionGet } from '../../src/operations/decisions/decision-get.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { filesOf, takeRecords, textOf } from '../support/exported.ts';
import { named } from '../support/named.ts';
import { exported, linesOfRows } from '../support/stream.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 1, 12);
const TOPIC = 'cad:wall';

/** Two values of each field. A field that is new does not compile until it has some. */
export const VALUES: { [Name in Field]: [Content[Name], Content[Name]] } = {
  text: ['Walls are 200 mm', 'Walls are 240 mm'],
  reasoning: ['Regulation of 2020', 'Regulation of 2026'],
  strength: ['lock', 'axis'],
  scope: ['cad', 'site'],
  confidence: [0.25, 0.75],
  revisit: ['2027-03-01', '2027-06-30'],
  files: ['src/벽/**\n/wall.ts#Wall', 'docs/walls.md'],
  branch: ['fix/벽', 'walls'],
};

const valuesAt = (place: 0 | 1) =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, VALUES[name][place]])) as unknown as Content;
const before = valuesAt(0);
const after = valuesAt(1);
/** What a result says of the fields, under the names that its family has for them. */
const saidIn = ({ decision, ...result }: Record<string, unknown>, names: readonly Field[] = FIELD_NAMES) =>
  pick({ ...result, ...(decision !== undefined && { text: decision }) }, names);
const pick = (from: object, names: readonly Field[]) =>
  Object.fromEntries(names.map((name) => [name, (from as Content)[name]]));

/** The fields that a revision keeps; its reason is its own. */
const LASTING = FIELD_NAMES.filter((name) => name !== 'reasoning');

/** B-1: whatever is done to a version, none of its fields is forgotten. */
export function fields(engine: EngineUnderTest): void {
  describe('fields of a decision', () => {
    it('[B-1] every operation that saves takes all of them, every one that reads shows them', async () => {
      const memory = await engine.openFast({ ...fixed(START), writer: { author: 'Kim' } });
      const { text: decision, ...others } = after;
      const saves: [topic: string, save: (topic: string) => Promise<unknown>][] = [
        ['a:save', (topic) => memory.call('decision_save', { topic, ...after })],
        ['a:mama', (topic) => memory.call('mama_save', { topic, decision, ...others })],
        [
          'a:batch',
          (topic) => memory.batch([JSON.stringify({ operation: 'decision_save', topic, ...after })]),
        ],
        [
          'a:revise',
          async (topic) => {
            await memory.call('decision_save', { topic, ...before });
            await memory.call('decision_revise', { id: topic, ...after, ...(await named(memory, topic)) });
          },
        ],
      ];
      for (const [topic, save] of saves) {
        await save(topic);
        const { decision: shown } = await memory.call('decision_get', { id: topic });
        assert.deepEqual(saidIn(shown as never), after, topic);
      }
      const read = decisionGet.toModel?.((await memory.call('decision_get', { id: 'a:save' })) as never);
      assert.deepEqual(saidIn(read ?? {}), after, 'as a model reads it');
      const { decisions: listed } = await memory.call('decision_list', { topic: 'a:save' });
      // A list has the reason in a sentence.
      const brief = FIELD_NAMES.filter((name) => name !== 'reasoning');
      assert.deepEqual(saidIn((listed as never[])[0] as never, brief), pick(after, brief), 'list');
      const { versions } = await memory.call('history', { ref: 'a:save' });
      assert.deepEqual(saidIn((versions as never[])[0] as never), after, 'history');
      const { decision: shown } = await memory.call('show', { ref: 'a:save' });
      assert.deepEqual(saidIn((shown as { versions: never[] }).versions[0] as never), after, 'show');
      const { decisions: bound } = await memory.call('decision_retrieve', { domain: after.scope });
      assert.deepEqual(saidIn((bound as never[])[0] as never), after, 'retrieve');
      // Its reason makes the index of the whole decision anew.
      const outcome = { outcome: 'success', reason: 'Nothing fell' };
      const updated = await memory.call('mama_update', { id: 'a:save', ...outcome });
      assert.deepEqual(saidIn(updated as never), after, 'update');
      for (const name of FIELD_NAMES.filter((each) => FIELDS[each].kind === 'words')) {
        const { results } = await memory.call('mama_search', { query: String(after[name]) });
        const found = (results as { topic: string }[]).find(({ topic }) => topic === 'a:save');
        assert.deepEqual(saidIn({ ...found }), after, `found by "${name}"`);
      }
    });

    it('[B-1] every format has all of them, and ours come back', async () => {
      const memory = await engine.openFast(fixed(START));
      await memory.call('decision_save', { topic: TOPIC, ...after });
      const cypher: string[] = [];
      await memory.export('cypher', (line) => cypher.push(line));
      const page = await textOf(memory);
      for (const name of FIELD_NAMES) {
        const value = String(after[name]);
        const isAttribute = ATTRIBUTES.some((each) => each === name);
        const has = (text: string, line: string, what: string) =>
          assert(text.includes(isAttribute ? line : value), `${name} in ${what}`);
        has(cypher.join(), `${name}: ${JSON.stringify(after[name]).replaceAll('"', "'")}`, 'cypher');
        // How sure somebody was tells a reader of the page little; its heading is the scope.
        if (name !== 'confidence') assert(page.includes(value), `${name} in html`);
      }
    });

    for (const field of OPTIONAL)
      it(`[CO-1] [B-1] an empty text takes "${field}" away, in a revision and in a correction of wording`, async () => {
        const memory = await engine.openFast(fixed(START));
        for (const [topic, tidy] of Object.entries({ revised: false, tidied: true })) {
          await memory.call('decision_save', { topic, ...before });
          const meant = { ...(await named(memory, topic)), reasoning: 'Not any more', tidy };
          await memory.call('decision_revise', { id: topic, ...meant, [field]: ' ' });
          const { decision } = (await memory.call('decision_get', { id: topic })) as { decision: Content };
          // A version has the branch on which it is saved.
          assert.deepEqual(
            pick(decision, LASTING),
            pick({ ...before, [field]: null, branch: null }, LASTING),
            topic,
          );
        }
      });

    for (const field of FIELD_NAMES) {
      const changedTo = { ...before, [field]: VALUES[field][1] };

      /** A memory with a version and the next one, which differs in this field. */
      async function changed(): Promise<Memory> {
        const time = { now: START };
        const memory = await engine.openFast({ ...fixed(START), clock: () => time.now });
        await memory.call('decision_save', { topic: TOPIC, ...before });
        time.now += DAY;
        await memory.call('decision_save', {
          topic: TOPIC,
          ...changedTo,
          ...(await named(memory, TOPIC)),
        });
        // One's own is undone without a reason within the hour.
        time.now += 60_000;
        return memory;
      }
      const said = async (memory: Memory, asOf?: number, id = TOPIC): Promise<Content> => {
        const at = asOf === undefined ? {} : { asOf: new Date(asOf).toISOString() };
        const { decision } = (await memory.call('decision_get', { id, ...at })) as { decision: Content };
        return pick(decision, FIELD_NAMES) as unknown as Content;
      };

      it(`[B-1] "${field}" is saved, undone, brought back, told apart and remembered`, async () => {
        const memory = await changed();
        assert.deepEqual(await said(memory), changedTo);
        assert.deepEqual(await said(memory, START), before, 'as of then');
        assert.deepEqual(await said(memory, START + DAY), changedTo, 'as of the change');
        const { compared } = await memory.history({ ref: TOPIC, diff: true });
        assert.deepEqual(
          compared?.fields.map((each) => each.field),
          [field],
        );
        await memory.undo();
        assert.deepEqual(await said(memory), before, 'undone');
        await memory.undo({ redo: true });
        assert.deepEqual(await said(memory), changedTo, 'redone');
        // What is not given carries over, but for a reason, which belongs to its text, and the branch it was taken on.
        await memory.call('decision_save', {
          topic: TOPIC,
          text: 'Walls are 300 mm',
          reasoning: 'Later',
          ...(await named(memory, TOPIC)),
        });
        assert.deepEqual(await said(memory), {
          ...changedTo,
          ...{ text: 'Walls are 300 mm', reasoning: 'Later', branch: null },
        });
      });

      it(`[B-1] "${field}" is exported and imported, and an import that changes it is followed`, async () => {
        const memory = await changed();
        const copy = await engine.openFast(fixed());
        const stream = await exported(memory);
        await copy.import(stream);
        assert.deepEqual(linesOfRows(await exported(copy)), linesOfRows(stream));
        assert.deepEqual(await said(copy), changedTo);

        const merged = await engine.openFast(fixed());
        await takeRecords(merged, await filesOf(memory));
        assert.deepEqual(
          [await said(merged, undefined, `${TOPIC}@1`), await said(merged)],
          [before, changedTo],
          'as decision records',
        );
        assert.equal((await takeRecords(merged, await filesOf(memory))).merged.decisions.changed, 0);

        const followed = await engine.openFast(fixed());
        const fact = { key: 'one', at: START, topic: TOPIC };
        const facts = (...decisions: object[]) =>
          ({
            source: 'x',
            decisions,
            observations: [],
            checkpoints: [],
            relations: [],
            skipped: [],
            warnings: [],
          }) as never;
        await followed.merge(facts({ ...fact, ...before }));
        const { decisions } = await followed.merge(facts({ ...fact, ...changedTo, updatedAt: START + DAY }));
        assert.deepEqual([decisions.changed, await said(followed)], [1, changedTo], 'followed');
      });
    }
  });
}
