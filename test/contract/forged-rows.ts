import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { type Memory, openMemory } from '../../src/index.ts';
import { type EngineUnderTest, isTriedOn, type Place } from '../support/engines.ts';
import { furnish, withVectors } from '../support/everything.ts';
import { ONE_OF } from '../support/part.ts';
import { openRaw } from '../support/raw-engine.ts';
import { exported } from '../support/stream.ts';

/** What somebody does to the database behind the program's back, and how doctor calls it. */
type Tampering = [what: string, statement: string, problem: RegExp];

/** Derived: repair makes it anew. */
const MENDED: Tampering[] = [
  [
    'a kind that is another',
    "update records set kind = 'memo' where kind = 'checkpoint'",
    /^record \d+: expected the kind "checkpoint"/,
  ],
  [
    'a kind that there is not',
    "update records set kind = 'thing' where kind = 'decision'",
    /^record 1: expected kind to be one of/,
  ],
  [
    'no active version',
    'update decisions set is_active = 0',
    /^chain .*: expected its newest version alone to be active/,
  ],
  [
    'a version that supersedes nothing',
    "delete from decision_edges where relationship = 'supersedes'",
    /^decision .*: expected a link "supersedes"/,
  ],
  [
    'links between strangers',
    "update decision_edges set relationship = 'supersedes'",
    /^the link "supersedes" of decision .*: expected it to lead to the version before/,
  ],
  [
    'an outcome that is not the newest',
    "update decisions set outcome = 'success' where outcome = 'failed'",
    /^decision .*: expected it to show its newest outcome/,
  ],
  [
    'a hash of another text',
    "update observations set content_hash = 'x'",
    /^observation 1: expected contentHash to be a SHA-256/,
  ],
  [
    'revisions that are not counted',
    'update observations set revision_count = 0',
    /^observation 1: expected revisions 1 to 0.*, found 1,/,
  ],
  [
    'connections that do not add up',
    'update keyword_connections set strength = 99',
    /^the connection of keyword:\d+ to keyword:\d+: expected its strength to be the sum/,
  ],
  ['a connection that is missing', 'delete from keyword_connections', /^the connection of keyword:/],
  [
    'last keywords that are no JSON',
    "update conversations set previous_keywords = '[1'",
    /^the conversation "[\da-f-]{36}": expected previousKeywords to be a JSON list/,
  ],
  [
    'vectors of another size',
    'update vectors set dimensions = 3',
    /^the vector of record 1: expected four bytes for each of its 3 dimensions, found 8 bytes/,
  ],
];

/** In the records themselves: no repair invents what should stand there. */
const LEFT: Tampering[] = [
  [
    'a date that no date can hold',
    'update decisions set created_at = 9000000000000000',
    /^decision .*: expected createdAt to be a time/,
  ],
  [
    'a date of an observation',
    'update observations set updated_at = 9000000000000000',
    /^observation 1: expected updatedAt to be a time/,
  ],
  [
    'a date that is not exact',
    'update observations set created_at = 9007199254740993 where id = 1',
    /^observations? 1: expected/,
  ],
  [
    'another topic within a chain',
    "update decisions set topic = 'other' where version = 2",
    /^decision .*: expected the topic of its chain/,
  ],
  [
    'a topic that is not normal',
    "update decisions set topic = ' cache ' where topic = 'cache'",
    /^decision .*: expected topic to be a name in NFC/,
  ],
  [
    'a text that is too long',
    `update decisions set text = '${'x'.repeat(3_000)}'`,
    /^decision .*: expected text to be a text of at most 2000 characters, found a text of 3000/,
  ],
  [
    'a private part',
    "update evidence set content = '<private>x</private>'",
    /^evidence .*: expected content to be a text without a <private> part/,
  ],
  ['an id with ESC', "update checkpoints set id = 'a\u001b'", /^checkpoint a\\u001b: expected id to be/],
  [
    'an id of two kinds',
    'update checkpoints set id = (select min(id) from evidence)',
    /expected an id of its own/,
  ],
  [
    'open files that are no JSON',
    "update checkpoints set open_files = 'a.ts'",
    /^checkpoint .*: expected openFiles to be a JSON list/,
  ],
  ['a record without a row', 'delete from anchors', /^record \d+: expected a row in anchors/],
  [
    'a revision that is gone',
    'update observation_revisions set revision = 3',
    /^observation 1: expected revisions 1 to/,
  ],
  [
    'an unknown type of a keyword',
    "update keywords set name = 'UNITY' where name = 'unity'",
    /^keyword:\d+: expected name to be a keyword in NFKC/,
  ],
  [
    'a memo that never went so deep',
    'update memos set search_depth = 0 where search_depth > 0; update memo_links set depth = 4, via_seq = keyword_seq',
    /^memo .*: expected links of at most depth/,
  ],
  [
    'evidence of an observation that never was',
    'update evidence set observation_id = 99',
    /^evidence .*: expected observationId to be a number that was given out/,
  ],
  [
    'a redaction of nothing',
    'update redactions set record_seq = 999',
    /^the redaction of record 999: expected recordSeq/,
  ],
];

/** What doctor says of a memory that was tampered with, and what a memory answers then. */
export function forgedRows(engine: EngineUnderTest): void {
  describe('a database that was tampered with', () => {
    const furnished = engine.filled(async (place) => {
      const memory = await openMemory({ ...place, ...withVectors });
      await furnish(memory);
      assert.deepEqual((await memory.inspect()).problems, []);
      await memory.close();
    });
    for (const [isMended, cases] of [
      [true, MENDED],
      [false, LEFT],
    ] as const) {
      for (const [index, [what, statement, problem]] of cases.entries()) {
        // Rows are checked alike, whatever engine has them.
        if (!isTriedOn(engine, index, ONE_OF)) continue;
        const end = isMended ? 'and repaired' : 'and left by repair';
        it(`[E-4] [C-2] ${what} is named by doctor, ${end}`, async () => {
          const place = await furnished();
          const memory = await openMemory({ ...place, ...withVectors });
          await tamper(place, statement);
          const { problems, broken } = await memory.inspect();
          const found = problems.filter((each) => problem.test(each));
          assert(found.length > 0, problems.join('\n'));
          assert.deepEqual(
            broken.filter((each) => problem.test(each)),
            isMended ? [] : found,
          );
          await answersAnyway(memory);
          await memory.repair();
          const left = await memory.inspect();
          assert.deepEqual(left.problems, left.broken);
          assert.equal(
            left.broken.some((each) => problem.test(each)),
            !isMended,
            left.broken.join('\n'),
          );
          await memory.close();
        });
      }
    }

    it('[E-4] what earlier versions wrote otherwise is no problem, and is imported', async () => {
      const place = await furnished();
      const memory = await openMemory({ ...place, ...withVectors });
      await tamper(place, `update writers set client = '${'c'.repeat(300)}' where id = 1`);
      await tamper(place, "update keywords set name = 'uni\u00adty' where name = 'unity'");
      await tamper(place, "update evidence set content = 'a < private>b</private>'");
      await tamper(place, "update decisions set topic = '[REDACTED] 12' where topic = 'cache'");
      assert.deepEqual((await memory.inspect()).problems, []);
      const copy = await engine.open();
      await copy.import(await exported(memory));
      assert.deepEqual((await copy.inspect()).problems, []);
      await memory.close();
    });

    it('[E-4] a conversation goes on without last keywords that are not there', async () => {
      const place = await furnished();
      const memory = await openMemory({ ...place, ...withVectors });
      const record = (text: string) => memory.keywords.record({ sessionId: 'talk', text });
      await record('unity');
      await tamper(place, "update conversations set previous_keywords = '[999]' where session_id = 'talk'");
      assert((await record('shader')).relations.every(({ type }) => type !== 'FOLLOWED_BY'));
      await tamper(place, "update conversations set previous_keywords = '[999]' where session_id = 'talk'");
      assert.deepEqual((await memory.inspect()).problems, []);
      await memory.close();
    });

    it('[E-4] rows that say a date that no date can hold are shown all the same', async () => {
      const place = await furnished();
      const memory = await openMemory({ ...place, ...withVectors });
      for (const table of ['decisions', 'observations', 'checkpoints'])
        await tamper(place, `update ${table} set created_at = 9000000000000000`);
      await tamper(place, "update checkpoints set open_files = 'a.ts'");
      await tamper(place, 'update vectors set dimensions = 3');
      const [found] = (await memory.mama.search({ query: 'cookies' })).results;
      assert.equal(found?.decision, 'cookies');
      assert.equal(found?.created_at, 'unknown');
      const { decisions } = await memory.decision.retrieve({ domain: 'auth' });
      assert.deepEqual(
        decisions.map(({ createdAt }) => createdAt),
        ['unknown'],
      );
      assert.equal((await memory.mem.search({ query: 'two' })).results[0]?.id, 1);
      const { checkpoint } = await memory.mama.loadCheckpoint();
      assert.deepEqual([checkpoint?.summary, checkpoint?.open_files], ['s', []]);
      await memory.close();
    });
  });
}

async function tamper(place: Place, statements: string): Promise<void> {
  const raw = await openRaw(place);
  await raw.transaction({ access: 'write', patience: 'usual' }, async (db) => {
    for (const statement of statements.split(';')) await sql.raw(statement).execute(db);
  });
}

/** Whatever stands in one row: an answer never ends in `internal` because of it. */
async function answersAnyway(memory: Memory): Promise<void> {
  await memory.mama.search({ query: 'cookies' });
  await exported(memory).catch(() => []);
}
