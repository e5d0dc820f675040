import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { type Memory, openMemory } from '../src/index.ts';
import { optionsOf, postgres, scratch } from './support/engines.ts';
import { listedLines } from './support/fill-lists.ts';
import { holder, inside, newDatabaseWithTables, newWorkspace } from './support/postgres.ts';
import { statementsOf } from './support/statements.ts';

/** The indexes in whose order each page is read: one for each kind of what happened. */
const LOG = [
  'anchors_date',
  'changes_date',
  'checkpoints_date',
  'decisions_date',
  'evidence_date',
  'memos_date',
  'observation_revisions_date',
  'observations_date',
  'outcomes_date',
  'redactions_date',
];

/** The first and the second page of a listing; which statements read its rows, and in the order of which indexes. */
const PAGES: [operation: string, isPage: RegExp, indexes: string[], sorts: number, asked?: object][] = [
  ['decision_list', /select d\.\* from decisions as d/, ['decisions_date'], 0, { reverse: true }],
  [
    'mem_list',
    /select o\.id, o\.seq, o\.created_at from observations/,
    ['observations_date'],
    0,
    { reverse: true },
  ],
  ['timeline', /as happened\s+order by/, LOG, 1],
  ['decision_list', /select d\.\* from decisions as d/, ['decisions_date'], 0],
  ['mem_list', /select o\.id, o\.seq, o\.created_at from observations/, ['observations_date'], 0],
];

/** The statements that read the rows of the first page and of the second one. */
async function pagesOf(memory: Memory, operation: string, isPage: RegExp, asked: object) {
  const statements = await statementsOf(async () => {
    const first = await memory.call(operation, { ...asked, limit: 3 });
    await memory.call(operation, { ...asked, limit: 3, cursor: first.nextCursor ?? first.next_cursor });
  });
  const pages = statements.filter(({ text }) => isPage.test(text));
  assert.equal(pages.length, 2, operation);
  return pages;
}

const named = (operation: string, asked: object) => [operation, ...Object.keys(asked)].join(' in ');

describe('pages are read from indexes', () => {
  for (const [operation, isPage, indexes, sorts, asked = {}] of PAGES)
    it(`[W-6] SQLite neither reads a whole table for a page of ${named(operation, asked)} nor sorts one`, async () => {
      const file = join(scratch(), 'memory.db');
      const memory = await openMemory({ db: file });
      await memory.import(await listedLines());
      const database = new DatabaseSync(file, { readOnly: true });
      for (const { text } of await pagesOf(memory, operation, isPage, asked)) {
        const plan = database
          .prepare(`explain query plan ${text}`)
          .all()
          .map(({ detail }) => String(detail));
        const used = plan.flatMap(
          (detail) => detail.match(/USING (?:COVERING )?INDEX (\w+_date)\b/)?.[1] ?? [],
        );
        assert.deepEqual([...new Set(used)].sort(), indexes, plan.join('\n'));
        // A part of a union, or its whole, is no table.
        const whole = plan.filter((detail) => /^SCAN (?!part|happened|d USING|[xo] USING)/.test(detail));
        assert.deepEqual(whole, [], plan.join('\n'));
        const sorted = plan.filter((detail) => detail.includes('TEMP B-TREE'));
        assert.equal(sorted.length, sorts, plan.join('\n'));
      }
      database.close();
      await memory.close();
    });

  // One after the other: each looks at all statements that are sent.
  describe('PostgreSQL', { ...optionsOf(postgres), concurrency: 1 }, () => {
    const workspace = newWorkspace();
    let client: pg.Client;
    let memory: Memory;
    before(async () => {
      // What other tests leave in a table is in its statistics, and so in the plans.
      const { db } = await newDatabaseWithTables();
      memory = await openMemory({ db, workspace });
      await memory.import(await listedLines());
      // A table of a hundred rows is read faster as a whole, and sorted: what matters is whether the indexes would do.
      const only = 'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off';
      client = await holder(db, ...inside(workspace), only);
    });
    after(async () => {
      await client.end();
      await memory.close();
    });

    for (const [operation, isPage, indexes, sorts, asked = {}] of PAGES)
      it(`[W-6] PostgreSQL can read a page of ${named(operation, asked)} in the order of its indexes`, async () => {
        for (const { text, values } of await pagesOf(memory, operation, isPage, asked)) {
          const { rows } = await client.query(`explain (costs off) ${text}`, values);
          const plan = rows.map((row) => String(row['QUERY PLAN']));
          const used = plan.flatMap((line) => line.match(/Scan (?:Backward )?using (\w+_date)\b/)?.[1] ?? []);
          assert.deepEqual([...new Set(used)].sort(), indexes, plan.join('\n'));
          assert.equal(
            plan.filter((line) => /(?:->\s+|^)(?:Incremental )?Sort$/.test(line)).length,
            sorts,
            plan.join('\n'),
          );
        }
      });
  });
});
