import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { type Memory, openMemory } from '../src/index.ts';
import { optionsOf, postgres, scratch } from './support/engines.ts';
import { listedLines } from './support/fill-lists.ts';
import { holder, inside, newDatabaseWithTables, newWorkspace } from './support/postgres.ts';
import { type Statement, statementsOf } from './support/statements.ts';

/** What reads a part of a tier, and what counts the decisions of scopes. */
const OF_TIERS = /where (d\.)?is_active = 1 and (d\.)?scope/;

/** The statements that read and count the tiers of a scope that has decisions, a page of one decision a tier. */
async function tiersOf(memory: Memory): Promise<Statement[]> {
  await memory.decision.save({ text: 'Buttons are blue', scope: 'ui' });
  const statements = await statementsOf(() => memory.decision.retrieve({ domain: 'ui', limit: 1 }));
  const found = statements.filter(({ text }) => OF_TIERS.test(text));
  assert.equal(found.length, 2, statements.map(({ text }) => text).join('\n'));
  return found;
}

/** The statements that ask which decisions of other scopes were decided twice with a side in one (Y-2). */
async function forksAskedIn(memory: Memory): Promise<Statement[]> {
  await memory.decision.save({ text: 'Buttons are blue', scope: 'ui' });
  const statements = await statementsOf(async () => {
    await memory.decision.list({ scope: 'ui' });
    await memory.decision.retrieve({ domain: 'ui' });
    await memory.recall({ task: 'a button', domain: 'ui' });
  });
  const found = statements.filter(({ text }) => text.includes('x.based_on is distinct from'));
  assert(found.length > 1, statements.map(({ text }) => text).join('\n'));
  return found;
}

// One after the other: each looks at all statements that are sent.
describe('tiers are read from their index', { concurrency: 1 }, () => {
  it('[D-10] SQLite reads of a tier what is shown, sorts nothing, and counts without reading a row', async (test) => {
    const file = join(scratch(), 'memory.db');
    const memory = await openMemory({ db: file });
    test.after(() => memory.close());
    await memory.import(await listedLines());
    const database = new DatabaseSync(file, { readOnly: true });
    test.after(() => database.close());
    for (const { text } of await tiersOf(memory)) {
      const plan = database.prepare(`explain query plan ${text}`).all();
      const isCount = text.includes('count(*)');
      // All decisions are counted in the same statement.
      const [ofScope = '', ...others] = plan
        .map(({ detail }) => String(detail))
        .filter((detail) => !isCount || /^(SEARCH|SCAN)/.test(detail));
      const index = isCount ? 'COVERING INDEX' : 'INDEX';
      assert.match(ofScope, new RegExp(`^SEARCH \\w+ USING ${index} decisions_tier \\(scope=`));
      assert.equal(others.length, isCount ? 1 : 0, others.join('\n'));
      for (const each of others) assert.match(each, /^SCAN \w+ USING COVERING INDEX/);
    }
  });

  it('[Y-2] SQLite reads no chain that was not decided twice to show both sides in either scope', async (test) => {
    const file = join(scratch(), 'memory.db');
    const memory = await openMemory({ db: file });
    test.after(() => memory.close());
    await memory.import(await listedLines());
    const database = new DatabaseSync(file, { readOnly: true });
    test.after(() => database.close());
    for (const { text } of await forksAskedIn(memory)) {
      const plan = database.prepare(`explain query plan ${text}`).all();
      const read = plan.map(({ detail }) => String(detail));
      // A list that is asked about is no table, nor is what the statement itself makes of the index.
      const scans = read.filter((detail) => /^SCAN (?!json_each|asked$|wanted$)/.test(detail));
      assert(scans.length > 0, read.join('\n'));
      for (const each of scans)
        assert.match(each, /^SCAN \w+ USING INDEX decisions_forked$/, read.join('\n'));
    }
  });

  it('[D-10] PostgreSQL can read a tier in the order of its index', optionsOf(postgres), async (test) => {
    // What other tests leave in a table is in its statistics, and so in the plans.
    const { db } = await newDatabaseWithTables();
    const workspace = newWorkspace();
    const memory = await openMemory({ db, workspace });
    test.after(() => memory.close());
    await memory.import(await listedLines());
    // A table of a hundred rows is read faster as a whole: what matters is whether the index would do.
    const only = 'set enable_seqscan = off; set enable_bitmapscan = off';
    const client = await holder(db, ...inside(workspace), only);
    test.after(() => client.end());
    for (const { text, values } of await tiersOf(memory)) {
      const { rows } = await client.query(`explain (costs off) ${text}`, values);
      const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
      assert.match(plan, /using decisions_tier /, plan);
      assert.doesNotMatch(plan, /Sort/, plan);
    }
  });

  it('[Y-2] PostgreSQL can find what was decided twice by its index', optionsOf(postgres), async (test) => {
    const { db } = await newDatabaseWithTables();
    const workspace = newWorkspace();
    const memory = await openMemory({ db, workspace });
    test.after(() => memory.close());
    await memory.import(await listedLines());
    const client = await holder(db, ...inside(workspace), 'set enable_seqscan = off');
    test.after(() => client.end());
    for (const { text, values } of await forksAskedIn(memory)) {
      const { rows } = await client.query(`explain (costs off) ${text}`, values);
      const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
      assert.match(plan, / decisions_forked/, plan);
      assert.doesNotMatch(plan, /Seq Scan/, plan);
    }
  });
});
