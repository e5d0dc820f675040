import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import {
  HOW_TO_GET_A_SERVER,
  newDatabaseWithTables,
  newWorkspace,
  query,
  queryIn,
  SERVER,
} from './support/postgres.ts';
import { exported } from './support/stream.ts';
import { until } from './support/until.ts';

const SECRET = 'zq81hunter';
/** Rows of a memory so large that a redaction touches less than 2 % of its pages: then a vacuum leaves indexes alone. */
const OTHERS = 40_000;

describe('what is redacted on a server', { ...(SERVER === '' && { skip: HOW_TO_GET_A_SERVER }) }, () => {
  for (const [what, isLong] of [
    ['a word of a text', false],
    ['a word of a text whose words fill pages of their own', true],
  ] as const)
    it(`[D-16] the bytes of ${what} leave the files of tables and indexes, however much else the memory holds`, async () => {
      const workspace = newWorkspace();
      // Of its own: whoever reads anything in the same database may still need what was redacted, and keeps it there.
      const { db } = await newDatabaseWithTables();
      const memory = await openMemory({ db, workspace });
      try {
        const words = Array.from({ length: isLong ? 2_000 : 5 }, (_, n) => `word${n}`).join(' ');
        const { id } = await memory.mem.save({ title: 'key', content: `the password is ${SECRET} ${words}` });
        await queryIn(
          workspace,
          `insert into search_postings (term, seq, weight, length)
          select 'filler' || n, 99999, 1, 1 from generate_series(1, ${OTHERS}) as n`,
          [],
          db,
        );
        assert.notDeepEqual(await filesWith(db), [], 'the word is looked for where it is');
        const { remaining, warnings } = await memory.redact(String(id), SECRET);
        assert.deepEqual(remaining, []);
        // The server's own upkeep may read there at that moment: then the answer says so, and what to do.
        if (warnings.length > 0) await until(async () => (await memory.repair()).scrubbed);
        assert.deepEqual(await filesWith(db), []);
      } finally {
        await memory.close();
      }
    });

  it('[N-4] where others share the tables it is gone from the rows, and the answer says what remains', async () => {
    const { db } = await newDatabaseWithTables();
    const [memory, other] = [
      await openMemory({ db, workspace: 'one' }),
      await openMemory({ db, workspace: 'other' }),
    ];
    try {
      const { id } = await memory.mem.save({ title: 'key', content: `the password is ${SECRET}` });
      await other.mem.save({ title: 'key', content: `theirs is ${SECRET}` });
      const before = await exported(other);
      const { remaining, warnings } = await memory.redact(String(id), SECRET);
      assert.deepEqual(remaining, []);
      assert.equal(warnings.length, 1);
      assert.match(String(warnings[0]), /still on the disk/);
      assert.equal((await memory.search({ query: SECRET })).results.length, 0);
      assert.deepEqual(await exported(other), before);
    } finally {
      await memory.close();
      await other.close();
    }
  });
});

/** The tables and indexes whose files hold the word. */
async function filesWith(db: string): Promise<string[]> {
  await query('checkpoint', [], db);
  const rows = await query(
    `select c.relname from pg_class as c
     where c.relnamespace = (select oid from pg_namespace where nspname = 'precedent') and c.relkind in ('r', 'i')
       and position(convert_to($1, 'UTF8') in pg_read_binary_file(pg_relation_filepath(c.oid))) > 0`,
    [SECRET],
    db,
  );
  return rows.map(({ relname }) => relname);
}
