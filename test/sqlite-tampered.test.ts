import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { scratch } from './support/engines.ts';
import { furnish, withVectors } from './support/everything.ts';

/** Node's driver reads a text up to a NUL before 24: there it is another text, and nothing can be said of what follows. */
const readsNul =
  new DatabaseSync(':memory:').prepare("select 'a' || char(0) || 'b' as text").get()?.text === 'a\0b';

/** What only a database without types of its own lets anybody write. */
describe('a file that was tampered with', () => {
  for (const [what, statement, problem, isMended] of [
    [
      'a date as a text',
      "update decisions set created_at = 'yesterday'",
      /createdAt to be a time.*"yesterday"/,
      false,
    ],
    [
      'bytes as a text',
      "update observations set content = x'00ff'",
      /content to be a text, found an object/,
      false,
    ],
    [
      'a number beyond all others',
      'update decisions set created_at = 9223372036854775807 where version = 2',
      /^decisions \d+: expected numbers up to 9007199254740991/,
      false,
    ],
    ...(readsNul
      ? ([
          [
            'NUL in a text',
            "update decisions set text = 'a' || char(0) || 'b'",
            /text to be a text without NUL/,
            false,
          ],
        ] as const)
      : []),
    [
      'a vector that is a number',
      'update vectors set vector = 5',
      /vector of record 1: expected four bytes.*found 0 bytes/,
      true,
    ],
    [
      'a vector of three bytes',
      "update vectors set vector = x'000000'",
      /vector of record 1: expected four bytes.*found 3 bytes/,
      true,
    ],
    [
      'numbers that are used up',
      "update sqlite_sequence set seq = 9007199254740991 where name = 'records'",
      /^the numbers of records: expected numbers up to/,
      false,
    ],
    [
      'numbers that went back',
      "update sqlite_sequence set seq = 1 where name = 'observations'",
      /^the numbers of observations: expected to go on after 2/,
      true,
    ],
    [
      'a version that nothing comes before',
      "update decisions set previous_version_id = 'nobody' where version = 2",
      /^decision .*: expected version 1 of its chain before version 2/,
      false,
    ],
  ] as const) {
    it(`[E-4] [C-2] ${what} is named by doctor, ${isMended ? 'and repaired' : 'and left by repair'}`, async () => {
      const db = join(scratch(), 'memory.db');
      const memory = await openMemory({ db, ...withVectors });
      await furnish(memory);
      const database = new DatabaseSync(db, { enableForeignKeyConstraints: false });
      database.exec(statement);
      database.close();
      const { problems, broken } = await memory.inspect();
      assert(
        problems.some((each) => problem.test(each)),
        problems.join('\n'),
      );
      assert.equal(
        broken.some((each) => problem.test(each)),
        !isMended,
        broken.join('\n'),
      );
      if (isMended) {
        await memory.repair();
        assert.deepEqual((await memory.inspect()).problems, []);
      }
      await memory.close();
    });
  }

  it('[E-4] a search by meaning passes over vectors that are none, and embed makes them anew after a repair', async () => {
    const db = join(scratch(), 'memory.db');
    const memory = await openMemory({ db, ...withVectors });
    await furnish(memory);
    const database = new DatabaseSync(db);
    database.exec("update vectors set vector = x'000000'");
    database.close();
    assert.equal((await memory.mama.search({ query: 'cookies' })).results[0]?.decision, 'cookies');
    await memory.repair();
    assert.deepEqual((await memory.inspect()).problems, []);
    const counted: number[] = [];
    await memory.embed((done, all) => counted.push(all - done));
    assert((counted[0] ?? 0) > 0, 'they were missing');
    assert.equal(counted.at(-1), 0);
    await memory.close();
  });
});
