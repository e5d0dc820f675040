import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { readPrompt } from '../src/domain/prompt/reading.ts';
import { promptContext } from '../src/hook/events/prompt.ts';
import { type Briefing, openBriefing } from '../src/memory/briefing.ts';
import { openMemory } from '../src/memory/memory.ts';
import { scratch } from './support/engines.ts';
import { GATE_SETS, type GateMemory, type Judged, openGateMemory, promptedOver } from './support/gate.ts';
import { saveHistories } from './support/history.ts';
import { inTurn, isTried } from './support/part.ts';

const linesOf = (file: string): Record<string, string>[] =>
  readFileSync(`bench/data/${file}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

interface Half {
  /** Prompts of any project, which must be answered with nothing. */
  generic: string[];
  /** Prompts about decisions of the histories, by their keys. */
  telling: { prompt: string; expect: string[] }[];
}
/** They were written before the gate, and the held half was not looked at while it was tuned. */
const HALVES = ['tune', 'held'].map(
  (name): Half => JSON.parse(readFileSync(`bench/data/prompts/${name}.json`, 'utf8')),
);
const TOLD = 0.7;

describe('the gate of prompts', () => {
  let briefing: Briefing;
  let topics: Map<string, string>;

  const db = `${scratch()}/why.db`;

  before(async () => {
    const memory = await openMemory({ db });
    topics = await saveHistories(memory, ['backend', 'product']);
    await memory.close();
    briefing = await openBriefing({ db, workspace: 'why', session: 'gate', client: 'test' });
  });

  after(() => briefing.close());

  /** The lines that are told with a prompt. */
  async function told(prompt: string): Promise<string[]> {
    const about = await briefing.about(readPrompt(prompt), new Set());
    const ids = promptContext(about).shown;
    return [...about.named, ...about.facts].filter(({ id }) => ids.includes(id)).map(({ line }) => line);
  }

  it('[A-3] generic prompts get nothing', async () => {
    for (const prompt of HALVES.flatMap(({ generic }) => generic))
      assert.deepEqual(await told(prompt), [], prompt);
  });

  it('[A-3] of the telling prompts, the right record is among what is shown for 70 %', async (test) => {
    const right = [];
    for (const { telling } of HALVES) {
      let count = 0;
      for (const { prompt, expect } of telling) {
        const wanted = expect.map((key) => topics.get(key) ?? assert.fail(`no decision ${key}`));
        const lines = await told(prompt);
        assert(lines.length <= 3);
        if (lines.some((line) => wanted.some((topic) => line.includes(` ${topic}: `)))) count++;
      }
      right.push(count);
    }
    const all = HALVES.flatMap(({ telling }) => telling).length;
    test.diagnostic(`right for ${right.join(' and ')} of ${all} telling prompts, tuned and held`);
    assert(right.reduce((sum, count) => sum + count, 0) >= TOLD * all, String(right));
  });

  it('[T-10] a topic that is typed in full is telling', async () => {
    const silent = [];
    for (const topic of [...new Set(topics.values())].filter((_, index) => isTried(index)))
      if (!(await told(`why ${topic.toUpperCase()}?`)).some((line) => line.includes(` ${topic}: `)))
        silent.push(topic);
    assert.deepEqual(silent, []);
    assert.deepEqual(await told('why test:nothing-of-this-name?'), []);
  });

  it('[T-10] an error is recognised as it is pasted: with its level, with frames, in a fence', async (test) => {
    const titles = inTurn(['backend', 'product'], 0)
      .flatMap(linesOf)
      .flatMap(({ kind, title = '' }) => (kind === 'observation' ? [title] : []));
    const heard = async (form: (title: string) => string) => {
      const found = [];
      for (const title of titles)
        if ((await told(form(title))).some((line) => line.includes(title.slice(0, 20)))) found.push(title);
      return found.length;
    };
    const bare = await heard((title) => title);
    const forms = [
      (title: string) => `Error: ${title}`,
      (title: string) =>
        `ERROR ${title}\n    at run (/srv/app/zzz.js:10:3)\n    at next (/srv/app/yyy.js:1:1)`,
      (title: string) =>
        `what is this?\n\`\`\`\nUncaught TypeError: ${title}\n    at run (zzz.js:1:1)\n\`\`\``,
    ];
    const pasted = [];
    for (const form of inTurn(forms, 0)) pasted.push(await heard(form));
    test.diagnostic(`${titles.length} observations: ${bare} by their titles, pasted ${pasted.join(', ')}`);
    assert(bare > 20 && pasted.every((count) => count >= 0.95 * bare), `${bare}: ${pasted}`);
  });
});

describe('the gate of prompts that name a file', () => {
  it('[T-10] a record is told that has the path or its end with one folder, and none for the parts of a path', async (test) => {
    const file = `${scratch()}/paths.db`;
    const memory = await openMemory({ db: file });
    await memory.mama.save({
      topic: 'users:route',
      decision: 'Handlers of users are thin: api/src/users.ts calls the service',
      reasoning: 'Two copies of the rules drifted apart',
    });
    await memory.mama.save({ topic: 'api:src', decision: 'Routes of the api are written in src by hand' });
    await memory.close();
    const briefing = await openBriefing({ db: file, workspace: 'why', session: 'gate', client: 'test' });
    test.after(() => briefing.close());
    const told = async (prompt: string) =>
      (await briefing.about(readPrompt(prompt), new Set())).facts.map(
        ({ line }) => line.match(/\S+:\S+(?=: “)/)?.[0],
      );
    for (const prompt of [
      'edit `apps/api/src/users.ts`',
      'src/users.ts:12를 고쳐줘',
      '@apps/api/src/users.ts',
    ])
      assert.equal((await told(prompt))[0], 'users:route', prompt);
    for (const prompt of [
      'edit apps/api/src/routes/orders.ts',
      'edit apps/users.ts',
      'edit lib/src/xusers.ts',
    ])
      assert.deepEqual(await told(prompt), [], prompt);
  });
});

describe('the gate of prompts that refer to a record', () => {
  it('[T-10] an id, its beginning, a number or a version of a topic tells exactly that record', async (test) => {
    const db = `${scratch()}/references.db`;
    const memory = await openMemory({ db });
    const save = async (decision: string) =>
      (await memory.mama.save({ topic: 'Auth:Token', decision, reasoning: 'The token of okapis' })).id;
    const first = await save('Tokens of okapis are kept in a cookie');
    const second = await save('Tokens of okapis are kept in memory');
    const other = await memory.mama.save({ topic: 'zebra:token', decision: 'Tokens of zebras are signed' });
    const { id } = await memory.mem.save({ title: 'Okapi tokens expire', content: 'After a day' });
    await memory.close();
    const briefing = await openBriefing({ db, workspace: 'why', session: 'gate', client: 'test' });
    test.after(() => briefing.close());
    const told = async (prompt: string, shown: string[] = []) =>
      (await briefing.about(readPrompt(prompt), new Set(shown))).facts;
    const idsOf = async (prompt: string) => (await told(prompt)).map((fact) => fact.id);
    for (const [prompt, expect] of [
      [`why ${second.slice(0, 8)}?`, [second]],
      [`${first}는 왜 그렇게 정했지?`, [first]],
      [`tokens of okapis: see (${first.slice(0, 8).toUpperCase()})`, [first]],
      [`decision_${second} 이건?`, [second]],
      ['tokens of okapis: auth:token@1을 보자', [first]],
      ['AUTH:TOKEN@2', [second]],
      [`#${id}은 왜?`, [`#${id}`]],
      [`#${id}, zebra:token@1 and auth:token@2`, [other.id, second, `#${id}`]],
      [`fix #${id}`, []],
      [`이슈 #${id} 고쳐줘`, []],
      ['#999, 00000000, 33b01e2f and auth:nothing@7', []],
      [`npm i zod@1 and read ${'0'.repeat(8)}-1`, []],
    ] as const)
      assert.deepEqual(await idsOf(prompt), expect, prompt);
    assert.match((await told('auth:token@1'))[0]?.line ?? '', /^- \[superseded · .*in a cookie/);
    assert.deepEqual(await told('auth:token@1', [first]), []);
  });
});

/**
 * Floors over bench/data/gate, which `node bench/gate.ts` measures whole. Of the telling prompts some share no word with the
 * record. Until generic prompts were tried on a memory of one project these floors were two fifths higher: 57 of 310 such prompts got
 * something then, and T-10 allows one of fifty (ADR 0068).
 */
const FLOORS = [
  { files: ['tune', 'spent'], generic: 99, most: 0, right: [0.46, 0.39] },
  { files: ['more'], generic: 160, most: 1, right: [0.31, 0.25] },
  { files: ['fresh'], generic: 60, most: 0, right: [0.49, 0.44] },
] as const;

describe('the gate of prompts, on a memory that was written without knowing how it matches', () => {
  for (const [at, records] of [['memory-500'], ['memory-500', 'memory-5000']].entries()) {
    // The same prompts again, over ten times as many records.
    if (at > 0 && !isTried(at)) continue;
    describe(`of ${records.at(-1)}`, () => {
      const db = `${scratch()}/gate.db`;
      let memory: GateMemory;

      before(async () => {
        memory = await openGateMemory(db, records);
      });

      after(() => memory.close());

      for (const { files, generic, most, right } of inTurn(FLOORS, at))
        it(`[A-3] of ${generic} generic prompts ${most} at most get anything, and the telling ones what is right: ${files.join(', ')}`, async (test) => {
          const judged: Judged[] = [];
          for (const file of files) judged.push(await memory.judge(file));
          const of = (key: 'noise' | 'right' | 'wrong') => judged.flatMap((each) => each[key]);
          const shown = of('right').length;
          const telling = shown + of('wrong').length;
          test.diagnostic(`${of('noise').length} generic; ${shown} of ${telling} telling`);
          assert(of('noise').length <= most, JSON.stringify(of('noise')));
          assert(shown / telling >= (right[at] as number), `${shown} of ${telling}`);
        });
    });
  }
});

describe('the gate of prompts, over memories of 10 and 300 records with locks, axes and failures', () => {
  it('[T-10] of prompts that share words with a record: 80 % of what binds or failed, 60 % of others; 2 % of generic ones', async (test) => {
    const all: Awaited<ReturnType<typeof promptedOver>> = [];
    for (const set of GATE_SETS)
      for (const records of ['10', '300'] as const)
        all.push(...(await promptedOver(`${scratch()}/${set}-${records}.db`, set, records, 'dev')));
    const isRight = ({ expect, shown }: { expect: string[]; shown: string[] }) =>
      shown.some((key) => expect.includes(key));
    const near = all.filter(({ words }) => words === 'near');
    for (const [isBinding, least] of [
      [true, 0.8],
      [false, 0.6],
    ] as const) {
      const some = near.filter(({ binding }) => binding === isBinding);
      const right = some.filter(isRight).length;
      test.diagnostic(`${right} of ${some.length} ${isBinding ? 'that bind or failed' : 'others'}`);
      assert(some.length > 25 && right >= least * some.length, `${right} of ${some.length}`);
    }
    const generic = all.filter(({ expect }) => expect.length === 0);
    const noise = generic.filter(({ shown }) => shown.length > 0);
    assert(generic.length > 150 && noise.length <= 0.02 * generic.length, JSON.stringify(noise));
    // Records next to the surest one, of which few are what a prompt is about.
    const shown = all.flatMap((each) => each.shown.map((key) => each.expect.includes(key)));
    const along = shown.filter((isExpected) => !isExpected).length;
    test.diagnostic(`${along} of ${shown.length} records were not expected`);
    assert(along <= 0.3 * shown.length, `${along} of ${shown.length}`);
    const [spoken, wrong] = [
      all.filter(({ shown }) => shown.length > 0),
      all.filter((each) => !isRight(each)),
    ];
    test.diagnostic(
      `${wrong.filter(({ shown }) => shown.length > 0).length} of ${spoken.length} got nothing that was expected`,
    );
  });
});
