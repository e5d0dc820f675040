import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { saidIn } from '../prompt/prompt.ts';
import { namesOf, type Said } from './against.ts';
import { keysOf } from './keys.ts';
import { againstIndex, recordsAgainst } from './match.ts';

const indexOf = (records: (Said & { id: string })[]) =>
  againstIndex(records.map((record) => ({ id: record.id, ...namesOf(record) })));

describe('names of a text and the records that are against them', () => {
  const index = indexOf([
    { id: 'orm', decision: 'SQL by hand.', reasoning: 'Rejected: Prisma.', hasFailed: false },
    { id: 'bus', decision: 'Use Kafka as the bus.', hasFailed: true },
    { id: 'jobs', decision: 'Jobs run on Spark.', hasFailed: true },
    { id: 'grid', decision: 'No AG Grid.', hasFailed: false },
    { id: 'hash', decision: 'No SHA-256 of phone numbers.', hasFailed: false },
    { id: 'state', decision: 'No Terraform Cloud and no Terraform.', hasFailed: false },
    { id: 'infra', decision: 'Terraform makes every bucket.', hasFailed: false },
  ]);
  const found = (text: string) => recordsAgainst(index, keysOf(text)).map(({ id }) => id);

  it('[RE-6] any case, in Hangul too, and within code', () => {
    assert.deepEqual(found('can we use prisma here?'), ['orm']);
    assert.deepEqual(found("import { PrismaClient } from '@prisma/client'"), ['orm']);
    assert.deepEqual(found('이벤트는 카프카로 보내자'), ['bus']);
    assert.deepEqual(found('return h.kafka.WriteMessages(ctx)'), ['bus']);
    assert.deepEqual(found('replace the table with ag-grid'), ['grid']);
    assert.deepEqual(found('take sha256 of the number'), ['hash']);
  });

  it('[RE-6] a use that nobody has reviewed silences nothing but what nobody has reviewed', () => {
    const no = { decision: 'No MongoDB.', hasFailed: false };
    const use = { id: 'use', ...namesOf({ decision: 'MongoDB for the cache.', hasFailed: false }) };
    const found = (byAgent: boolean, isUnreviewed: boolean) =>
      recordsAgainst(
        againstIndex([
          { id: 'no', ...namesOf(no), isUnreviewed: byAgent },
          { ...use, isUnreviewed },
        ]),
        ['mongodb'],
      ).map(({ id }) => id);
    assert.deepEqual(found(false, true), ['no']);
    assert.deepEqual(found(false, false), []);
    assert.deepEqual(found(true, true), []);
  });

  it('[RE-6] a name that is a word counts with its capital alone', () => {
    assert.deepEqual(found('try Spark for it'), ['jobs']);
    assert.deepEqual(found('that will spark a discussion'), []);
  });

  it('[RE-6] a name that an active decision uses never speaks', () => {
    assert.deepEqual(found('write the terraform for a bucket'), []);
    assert.deepEqual(found('move it to Terraform Cloud'), ['state']);
  });

  for (const [set, atLeast] of [
    ['gate-2', 5],
    ['gate-3', 14],
  ] as const)
    it(`[RE-6] ${set}: generic prompts get nothing, telling ones what is right`, () => {
      const gate = indexOf(recordsOf(`bench/data/${set}/memory-300.jsonl`));
      const spoken = linesOf<Prompted>(`bench/data/${set}/prompts-dev.jsonl`)
        .filter(({ memory }) => memory === '300')
        .map((each) => ({
          ...each,
          told: recordsAgainst(gate, keysOf(saidIn(each.prompt))).map(({ id }) => id),
        }))
        .filter(({ told }) => told.length > 0);
      const isRight = ({ told, expect }: { told: string[]; expect: string[] }) =>
        told.some((id) => expect.includes(id));
      assert.ok(spoken.filter(isRight).length >= atLeast);
      assert.ok(
        spoken.filter((each) => !isRight(each)).length <= 3,
        JSON.stringify(spoken.filter((each) => !isRight(each))),
      );
    });

  it('[RE-6] a prompt is compared with 1,500 records in a few milliseconds', async () => {
    const records = Array.from({ length: 1_500 }, (_, at) => ({
      id: String(at),
      decision: `Rule ${at} holds for service${at}.`,
      reasoning: `Rejected: Tool${at}X, since it was slow.`,
      hasFailed: false,
    }));
    const large = indexOf(records);
    await withinProcessorTime(500, () => {
      for (let time = 0; time < 50; time++)
        assert.equal(recordsAgainst(large, keysOf(`${'words of a prompt '.repeat(40)} Tool7X`)).length, 1);
    });
  });
});

interface Prompted {
  memory: string;
  prompt: string;
  expect: string[];
}

interface Line {
  key: string;
  operation: string;
  of?: string;
  topic?: string;
  decision?: string;
  reasoning?: string;
  outcome?: string;
}

/** The newest version of each topic, and what failed. */
function recordsOf(file: string): (Said & { id: string })[] {
  const lines = linesOf<Line>(file);
  const failed = new Set(lines.flatMap(({ of, key, outcome }) => (outcome === 'failed' ? [of ?? key] : [])));
  const decisions = lines.filter(({ operation }) => operation === 'mama_save');
  const newest = new Map(decisions.map(({ topic, key }) => [topic ?? key, key]));
  return decisions
    .map(({ key, topic, decision = '', reasoning }) => ({
      id: key,
      decision,
      reasoning,
      hasFailed: failed.has(key),
      isNewest: newest.get(topic ?? key) === key,
    }))
    .filter(({ hasFailed, isNewest }) => hasFailed || isNewest);
}

function linesOf<Read>(file: string): Read[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
