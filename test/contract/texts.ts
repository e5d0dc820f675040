import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIELD_NAMES, FIELDS } from '../../src/domain/decision.ts';
import type { Embedder, Memory } from '../../src/index.ts';
import { TABLE_NAMES } from '../../src/store/tables.ts';
import { textsOf } from '../../src/store/texts.ts';
import { type EngineUnderTest, isTriedOn } from '../support/engines.ts';
import { exported, type Row, withRows } from '../support/stream.ts';
import { VALUES } from './fields.ts';

/** Names that say again how decisions are called: they hold the same secrets as those. */
const LEAD_TO = { topics: 'topic', scopes: 'scope' } as const;

/** Every other column that can hold what was written in a memory, each with a secret of its own. */
const COLUMNS = TABLE_NAMES.filter((table) => !(table in LEAD_TO)).flatMap((table) =>
  textsOf(table)
    .filter(({ kind }) => ['words', 'list', 'name', 'values'].includes(kind))
    .map(({ column, kind }) => ({ table, column, kind, secret: `hunter-${table}-${column}-2` })),
);

const embedder: Embedder = {
  model: 'm',
  embed: async (texts) => texts.map(() => Float32Array.of(0.6, 0.8)),
};

/** A value of each text that a decision may have. */
const TEXTS = Object.fromEntries(
  FIELD_NAMES.filter((name) => FIELDS[name].first === null && FIELDS[name].kind !== 'day').map((name) => [
    name,
    VALUES[name][0],
  ]),
);

/** Rows in every table, with a text in every column that can hold one. */
async function furnish(memory: Memory): Promise<void> {
  const { id } = await memory.mama.save({
    topic: 'deploy',
    decision: 'one',
    ...TEXTS,
    evidence: ['e'],
  });
  await memory.decision.revise({ id, text: 'two' });
  await memory.mama.update({ id, outcome: 'failed', reason: 'so' });
  await memory.anchor.save({ hint: 'h', targetRef: id, type: 'decision_link' });
  await memory.mama.save({ type: 'checkpoint', summary: 's', next_steps: 'n', open_files: ['a.ts', '"b"'] });
  const first = await memory.mem.save({ title: 't', content: 'one', topic_key: 'k', project: 'p' });
  await memory.mem.save({ title: 't', content: 'two', topic_key: 'k', project: 'p' });
  const { id: to_id } = await memory.mem.save({ title: 'other', content: 'to be blanked' });
  await memory.mem.update({ id: to_id, project: 'q' });
  await memory.mem.relate({ from_id: first.id, to_id, relation_type: 'because', note: 'n' });
  await memory.redact(String(to_id), 'blanked');
  await memory.keywords.record({ keywords: ['unity', 'mirror'] });
  const { infoId } = await memory.memo.save({ fullText: 'm', keywords: ['unity'] });
  await memory.memo.edit({ infoId, fullText: 'a memo' });
  await memory.embed();
}

/** What all secrets have in common. */
const ANY = 'hunter-';

/** Adds the secrets of these columns to every text in them. */
function addSecrets(rows: Row[], columns: typeof COLUMNS): void {
  for (const { table, column, kind, secret } of columns) {
    const written = rows.filter((row) => row.table === table && typeof row[column] === 'string');
    assert(written.length > 0, `${table}.${column} holds nothing`);
    for (const row of written) {
      const text = String(row[column]);
      row[column] =
        kind === 'list'
          ? JSON.stringify([...JSON.parse(text), secret])
          : kind === 'values'
            ? JSON.stringify({ ...JSON.parse(text), more: secret })
            : `${text} ${secret}`;
    }
  }
  for (const row of rows) {
    const column = LEAD_TO[row.table as keyof typeof LEAD_TO];
    if (!columns.some((each) => each.table === 'decisions' && each.column === column)) continue;
    row.name = `${row.name} hunter-decisions-${column}-2`;
    row.key = row.name;
    if (row.scope) row.scope = row.name;
  }
}

async function openWithSecrets(engine: EngineUnderTest, columns = COLUMNS): Promise<Memory> {
  const source = await engine.openFast({ embedder });
  await furnish(source);
  const memory = await engine.openFast();
  // Also in texts that others are derived from, which are left as they were.
  const edited = withRows(await exported(source), (rows) => addSecrets(rows, columns));
  await memory.import(edited, undefined, { asItIs: true });
  return memory;
}

/** What a redaction elsewhere finds of a secret. */
async function remainingOf(memory: Memory, secret: string) {
  const { id } = await memory.mem.save({ title: 'probe', content: secret });
  return (await memory.redact(String(id), secret)).remaining;
}

/** Redaction reads which columns hold texts from the schema: none is left out. */
export function texts(engine: EngineUnderTest): void {
  describe('redaction of every text column', () => {
    it('[C-1] a secret in any column is found, and blanked in the record that is named', async () => {
      const memory = await openWithSecrets(engine);
      const tried = COLUMNS.filter((_, index) => isTriedOn(engine, index));
      // Vectors first: they go with the first redaction of their record.
      for (const { table, column, secret } of tried.toReversed()) {
        const found = await remainingOf(memory, secret);
        assert(found.length > 0, `${table}.${column}: not found`);
        let remaining = found;
        for (const { id } of found) {
          if (!remaining.some((place) => place.id === id)) continue;
          remaining = (await memory.redact(id, secret)).remaining;
        }
        assert.deepEqual(remaining, [], `${table}.${column}: not blanked`);
      }
      const left = (await exported(memory)).join('\n');
      assert.deepEqual(
        tried.filter(({ secret }) => left.includes(secret)),
        [],
      );
    });

    it('[C-1] what stays on record of a redaction is named too, when its record was deleted', async () => {
      const source = await engine.openFast();
      const { id } = await source.mem.save({ title: 'gone', content: 'to be blanked' });
      await source.redact(String(id), 'blanked');
      await source.delete({ ref: id, hard_delete: true });
      const memory = await engine.openFast();
      const edit = (rows: Row[]) => {
        for (const row of rows.filter(({ table }) => table === 'writers')) row.client = 'hunter2';
      };
      await memory.import(withRows(await exported(source), edit));
      const remaining = await remainingOf(memory, 'hunter2');
      assert.deepEqual(remaining, [{ what: 'who wrote,', id: 'writer:1' }]);
      assert.deepEqual((await memory.redact('writer:1', 'hunter2')).remaining, []);
    });

    it('[C-1] whatever was written in a record is gone when it was blanked as a whole', async () => {
      const words = COLUMNS.filter(({ kind }) => kind === 'words' || kind === 'list');
      const memory = await openWithSecrets(engine, words);
      const ids = new Set((await remainingOf(memory, ANY)).map(({ id }) => id));
      for (const id of ids) await memory.redact(id);
      const left = (await exported(memory)).join('\n');
      assert.deepEqual(
        words.filter(({ secret }) => left.includes(secret)),
        [],
      );
    });
  });
}
