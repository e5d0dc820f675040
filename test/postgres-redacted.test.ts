import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { HOW_TO_GET_A_SERVER, newWorkspace, query, SERVER } from './support/postgres.ts';
import { until } from './support/until.ts';

const SECRET = 'zq81hunter';
/** Rows of a memory so large that a redaction touches less than 2 % of its pages: then a vacuum leaves indexes alone. */
const OTHERS = 40_000;

describe('what is redacted on a server', { ...(SERVER === '' && { skip: HOW_TO_GET_A_SERVER }) }, () => {
  for (const [what, isLong] of [
    ['a word of a text', false],
    ['a word of a text whose words fill pages of their own', true],
  ] as const)
    it(`[D-16] the bytes of ${what} leave the files of tables and indexes, however much else the memory holds`, async (test) => {
      const workspace = newWorkspace();
      // Of its own: whoever reads anything in the same database may still need what was redacted, and keeps it there.
      const database = `db-${workspace}`;
      await query(`create database "${database}"`);
      test.after(() => query(`drop database "${database}" with (force)`));
      const db = Object.assign(new URL(SERVER), { pathname: `/${database}` }).href;
      const memory = await openMemory({ db, workspace });
      try {
        const words = Array.from({ length: isLong ? 2_000 : 5 }, (_, n) => `word${n}`).join(' ');
        const { id } = await memory.mem.save({ title: 'key', content: `the password is ${SECRET} ${words}` });
        await query(
          `insert into "${workspace}".search_postings (term, seq, weight, length)
          select 'filler' || n, 99999, 1, 1 from generate_series(1, ${OTHERS}) as n`,
          [],
          db,
        );
        assert.notDeepEqual(await filesWith(db, workspace), [], 'the word is looked for where it is');
        const { remaining, warnings } = await memory.redact(String(id), SECRET);
        assert.deepEqual(remaining, []);
        // The server's own upkeep may read there at that moment: then the answer says so, and what to do.
        if (warnings.length > 0) await until(async () => (await memory.repair()).scrubbed);
        assert.deepEqual(await filesWith(db, workspace), []);
      } finally {
        await memory.close();
      }
    });
});

/** The tables and indexes of a workspace whose files hold the word. */
async function filesWith(db: string, workspace: string): Promise<string[]> {
  await query('checkpoint', [], db);
  const rows = await query(
    `select c.relname from pg_class as c
     where c.relnamespace = (select oid from pg_namespace where nspname = $1) and c.relkind in ('r', 'i')
       and position(convert_to($2, 'UTF8') in pg_read_binary_file(pg_relation_filepath(c.oid))) > 0`,
    [workspace, SECRET],
    db,
  );
  return rows.map(({ relname }) => relname);
}
