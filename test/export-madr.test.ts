import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { REFERENCES } from '../src/domain/edge.ts';
import { type Memory, openMemory } from '../src/index.ts';
import { embedded } from '../src/interchange/exporters/markdown.ts';
import { adr } from '../src/interchange/importers/adr/adr.ts';
import { takenOut } from '../src/interchange/importers/embedded.ts';
import { sectionsIn } from '../src/interchange/importers/markdown.ts';
import { engines, enginesInTurn, fixed, optionsOf, scratch, sqlite } from './support/engines.ts';
import { furnish, withVectors } from './support/everything.ts';
import { AWKWARD, everyFormat, filesOf, takeRecords } from './support/exported.ts';
import { rowsOf } from './support/facts.ts';
import { exported } from './support/stream.ts';

const START = Date.UTC(2026, 0, 1);
/** Names that Windows refuses, and characters that it has another use for. */
const UNSAFE = /[/<>:"\\|?*\p{Cc}]|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)|[. ]$/iu;
/** What a folder of records must bring back of a decision. */
const KEPT = [
  'id',
  'text',
  'reasoning',
  'scope',
  'strength',
  'confidence',
  'outcome',
  'outcomeReason',
  'createdAt',
  'isActive',
  'topic',
];
const AUTHOR = { author: '김민수 <minsu@example.com>' };

/** The rows of decisions, and of what is said of them; the time of the last replacement is not restored. */
const exportedRows = async (memory: Memory) =>
  Promise.all(
    (['decisions', 'outcomes', 'evidence', 'decisionEdges', 'topics'] as const).map(async (table) =>
      (await rowsOf(memory, table)).map(({ updatedAt: _, ...row }) => row),
    ),
  );

/** A memory with everything that a folder of records must bring back. */
async function live(memory: Memory): Promise<void> {
  const save = async (input: object) => (await memory.call('mama_save', input, AUTHOR)) as { id: string };
  for (const [index, text] of AWKWARD.entries()) {
    const { id } = await save({
      topic: `awkward:${index}`,
      decision: text,
      reasoning: AWKWARD[(index + 1) % AWKWARD.length],
      evidence: [AWKWARD[(index + 2) % AWKWARD.length], 'https://example.com/a?b=c#d'],
      confidence: index / AWKWARD.length,
    });
    if (index % 3 === 0)
      await memory.mama.update({ id, outcome: 'failed', reason: AWKWARD[(index + 5) % AWKWARD.length] });
    if (index % 6 === 0) await memory.mama.update({ id, outcome: 'success' });
  }
  // Chains: superseded, withdrawn for good, withdrawn and decided anew; without a topic; names that collide.
  const jwt = await save({ topic: 'auth:token', decision: 'JWT', strength: 'lock', scope: 'Auth Team' });
  await memory.decision.revise({
    id: jwt.id,
    text: 'Opaque tokens',
    reasoning: `debates: ${jwt.id}`,
    replaces: jwt.id,
  });
  const cache = await save({ topic: 'cache', decision: 'Redis', reasoning: 'builds_on: auth:token' });
  await memory.decision.revise({ id: cache.id, withdrawn: true, reasoning: 'It was\nnever needed: 없음' });
  const queue = await save({ topic: 'queue', decision: 'Kafka' });
  await memory.decision.revise({ id: queue.id, withdrawn: true, reasoning: 'too large' });
  await save({ topic: 'queue', decision: 'Rows', reasoning: `synthesizes: ${cache.id}` });
  const nameless = await memory.decision.save({ text: 'Without a topic', scope: 'global' });
  await memory.decision.revise({ id: nameless.decision.id, text: 'Still without a topic' });
  for (const topic of ['same/name', 'same name', 'same-name'])
    await save({ topic, decision: 'The same words' });
  await save({ topic: 'mistake', decision: 'Never meant' });
  await memory.call('undo', {}, AUTHOR);
  await save({ topic: 'after', decision: 'Saved after a mistake' });
}

for (const engine of enginesInTurn(4)) {
  describe(`decision records go out and come back, on ${engine.name}`, optionsOf(engine), () => {
    it('[I-5] the same bytes: statuses, supersessions, withdrawals, outcomes, evidence, any text', async () => {
      const memory = await engine.openFast(fixed(START));
      await live(memory);
      const first = await filesOf(memory);
      assert.deepEqual(await filesOf(memory), first);
      const again = await engine.openFast(fixed(START));
      const { merged, facts } = await takeRecords(again, first);
      assert.deepEqual([facts.skipped, merged.unresolved, merged.conflicts], [[], [], []]);
      assert.deepEqual(await filesOf(again), first);
      assert.deepEqual((await again.inspect()).problems, []);

      const kept = async (of: Memory) =>
        (await rowsOf(of, 'decisions')).map((row) => KEPT.map((name) => row[name]));
      const mistakes = (await kept(memory)).filter(([, text]) => text !== 'Never meant');
      assert.deepEqual((await kept(again)).sort(), mistakes.sort());
      const entries = async (of: Memory) =>
        (await rowsOf(of, 'outcomes')).map(({ decisionId, outcome, reason }) => [
          decisionId,
          outcome,
          reason,
        ]);
      assert.deepEqual((await entries(again)).sort(), (await entries(memory)).sort());
    });

    it('[CO-1] [I-5] a link of each kind comes back, though its topic was renamed since', async () => {
      const memory = await engine.openFast(fixed(START));
      for (const [at, kind] of REFERENCES.entries()) {
        await memory.mama.save({ topic: `old:${at}`, decision: `Number ${at}` });
        await memory.mama.save({ topic: `links:${at}`, decision: 'Links', reasoning: `${kind}: old:${at}` });
        await memory.call('rename', { from: `old:${at}`, to: `new:${at}` });
      }
      const again = await engine.openFast(fixed(START));
      await takeRecords(again, await filesOf(memory));
      for (const [at, kind] of REFERENCES.entries()) {
        const { edges } = await again.decision.get({ id: `links:${at}` });
        const found = edges.outgoing.map(({ relationship, decision }) => [relationship, decision.topic]);
        assert.deepEqual(found, [[kind, `new:${at}`]]);
      }
    });

    it('[I-5] every format has the same bytes on every engine, and once more', async () => {
      const memory = await engine.openFast({ ...fixed(START), ...withVectors });
      await live(memory);
      await furnish(memory);
      const other = await (engines[0] as typeof engine).openFast(fixed(START));
      await other.import(await exported(memory));
      const files = await everyFormat(memory);
      assert.deepEqual(await everyFormat(other), files);
      assert.deepEqual(await everyFormat(memory), files);
    });

    it('[I-2] a folder comes back into the memory that wrote it: as it is, and once edited', async () => {
      const memory = await engine.openFast(fixed(START));
      await live(memory);
      const first = await filesOf(memory);
      const before = await exportedRows(memory);
      const unedited = await takeRecords(memory, first);
      assert.deepEqual(
        [unedited.merged.decisions.new, unedited.merged.decisions.changed, unedited.merged.conflicts],
        [0, 0, []],
      );
      assert.deepEqual(await filesOf(memory), first);
      // What was made here is no import's to take back.
      await memory.unmerge('adr');
      assert.deepEqual(await exportedRows(memory), before);
      const edited = new Map(first);
      const edit = (part: string, from: string, to: string) => {
        const [path, text] = [...edited].find(([, text]) => text.includes(part)) as [string, string];
        assert.match(text, new RegExp(from));
        edited.set(path, text.replaceAll(from, to));
      };
      edit('# Saved after a mistake', 'Saved after', 'Learned from');
      edit('# Still without a topic', 'Still without', 'Ever without');
      edit('# Opaque tokens', 'debates:', 'Reviewed. debates:');
      edit('# JWT', 'JWT', 'PASETO');
      const { merged } = await takeRecords(memory, edited);
      assert.deepEqual([merged.decisions.new, merged.decisions.changed], [0, 3]);
      // What was decided since is not written over.
      assert.deepEqual(
        merged.conflicts.map(({ what }) => what.replace(/ .*/s, '')),
        ['auth:token'],
      );
      const versions = async () =>
        (await rowsOf(memory, 'decisions'))
          .filter(({ isActive }) => isActive === 1)
          .map(({ text, version }) => [version, text]);
      for (const each of [
        [2, 'Learned from a mistake'],
        [3, 'Ever without a topic'],
        [3, 'Opaque tokens'],
      ])
        assert(
          (await versions()).some((known) => known.join() === each.join()),
          each.join(),
        );
      const again = await takeRecords(memory, edited);
      assert.deepEqual([again.merged.decisions.new, again.merged.decisions.changed], [0, 0]);
      assert.deepEqual((await memory.inspect()).problems, []);
      await memory.unmerge('adr');
      assert.deepEqual(await exportedRows(memory), before);
    });

    it('[I-2] strength and scope that are edited in a folder are followed, and nothing that is not said', async () => {
      const memory = await engine.openFast(fixed(START));
      await memory.decision.save({
        topic: 'db',
        text: 'PostgreSQL',
        strength: 'lock',
        scope: 'storage',
      });
      const first = await filesOf(memory);
      const edited = (from: string, to: string) =>
        new Map([...first].map(([path, text]) => [path, text.replace(from, to)]));
      for (const [from, to] of [
        ['strength: lock', ''],
        ['scope: storage', 'scope: STORAGE'],
      ] as const) {
        const { merged } = await takeRecords(memory, edited(from, to));
        assert.deepEqual([merged.decisions.changed, merged.conflicts], [0, []], from);
      }
      const active = async () => {
        const rows = await rowsOf(memory, 'decisions');
        return rows
          .filter(({ isActive }) => isActive === 1)
          .map((row) => [row.version, row.strength, row.scope]);
      };
      await takeRecords(memory, edited('strength: lock', 'strength: axis'));
      assert.deepEqual(await active(), [[2, 'axis', 'storage']]);
      await takeRecords(memory, edited('scope: storage', 'scope: platform'));
      assert.deepEqual(await active(), [[3, 'lock', 'platform']]);
      // Back where it began: nobody can say whether that is an older copy, so a person is asked.
      const { merged } = await takeRecords(memory, first);
      assert.match(merged.warnings.join(), /"db \(.*\)" was changed back to an earlier text/);
      assert.deepEqual(await active(), [[4, 'lock', 'storage']]);
      await memory.mama.save({ topic: 'db', decision: 'SQLite', reasoning: 'one file', replaces: 'db@4' });
      const late = await takeRecords(memory, edited('strength: lock', 'strength: axis'));
      assert.match(late.merged.conflicts[0]?.why ?? '', /decided here since: neither was touched/);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[I-2] an older folder, taken into a memory whose chains went on since, changes nothing', async () => {
      const memory = await engine.openFast(fixed(START));
      await live(memory);
      const old = await filesOf(memory);
      const again = await engine.openFast(fixed(START));
      await takeRecords(again, old);
      for (const each of [memory, again]) {
        const token = (await rowsOf(each, 'decisions')).find(({ text }) => text === 'Opaque tokens');
        await each.mama.update({ id: String(token?.id), outcome: 'failed', reason: 'slow' });
        await each.decision.revise({
          id: String(token?.id),
          text: 'Paseto',
          reasoning: 'slow',
          replaces: String(token?.id),
        });
        await each.mama.save({ topic: 'db', decision: 'Other' });
        const before = await exportedRows(each);
        const { merged } = await takeRecords(each, old);
        assert.deepEqual([merged.decisions.new, merged.decisions.changed, merged.conflicts], [0, 0, []]);
        assert.deepEqual(await exportedRows(each), before);
        // One that was edited before that says another thing of what was decided then: it is named.
        const edited = new Map(
          [...old].map(([path, text]) => [
            path,
            text
              .replace('# Opaque tokens', '# Opaque')
              .replace(/(?<=## Decision Outcome\n\n)Opaque tokens$/m, 'Opaque'),
          ]),
        );
        const late = await takeRecords(each, edited);
        assert.deepEqual(
          late.merged.conflicts.map(({ what, why }) => [
            what.replace(/ .*/s, ''),
            /neither was touched/.test(why),
          ]),
          [['auth:token', true]],
        );
        assert.deepEqual(await exportedRows(each), before);
        assert.deepEqual((await each.inspect()).problems, []);
      }
    });

    it('[I-5] any title goes out and comes back with the same bytes', async () => {
      const memory = await engine.openFast(fixed(START));
      const titles = [
        '- begins as a list',
        '--- # "quoted": yes',
        'Use "quotes", because: colons',
        `${'very long words '.repeat(30)}end`,
        '한글 제목: 불투명 토큰을 쓴다',
        '한글'.normalize('NFD'),
        '한글'.normalize('NFC'),
        '🔑',
        '🔒🔑 keys',
        '..',
        'CON',
        'a/b\\c:d*e?f"g<h>i|j',
        '# heading',
        'ADR-0007: looks like a number',
        '12. also a number',
        'superseded by ADR-0001',
        'Trailing dots...',
        'café'.normalize('NFD'),
        '‮right to left‬',
        '~~~',
        '{proposed | rejected}',
      ];
      for (const [index, text] of titles.entries()) {
        await memory.mama.save({ topic: `t${index}: ${text.slice(0, 60)}`, decision: text, reasoning: text });
        await memory.mama.save({ topic: `u${index}`, decision: text });
      }
      const first = await filesOf(memory);
      assert.equal(first.size, 2 * titles.length);
      const folded = [...first.keys()].map((path) => path.normalize('NFC').toLowerCase());
      assert.equal(new Set(folded).size, first.size);
      const again = await engine.openFast(fixed(START));
      const { merged, facts } = await takeRecords(again, first);
      assert.deepEqual(
        [facts.skipped, facts.warnings, merged.conflicts, merged.unresolved],
        [[], [], [], []],
      );
      assert.deepEqual(await filesOf(again), first);
      const same = await takeRecords(again, first);
      assert.deepEqual([same.merged.decisions.new, same.merged.decisions.changed], [0, 0]);
    });

    it('[I-5] what is saved later changes no number, and what came from a folder keeps its names', async () => {
      const memory = await engine.openFast(fixed(START));
      await live(memory);
      const first = await filesOf(memory);
      const again = await engine.openFast(fixed(START));
      await takeRecords(again, first);
      for (const each of [memory, again]) await each.mama.save({ topic: 'later', decision: 'One more' });
      const [here, there] = [await filesOf(memory), await filesOf(again)];
      assert.deepEqual([...there.keys()], [...here.keys()]);
      assert.equal(here.size, first.size + 1);
      for (const [path, text] of first) assert.equal(here.get(path), text);
    });
  });
}

describe('decision records', { concurrency: 2 }, () => {
  const open = () => engines[0]?.openFast(fixed(START)) as Promise<Memory>;
  const saved = async (memory: Memory, topic: string) =>
    String((await memory.mama.save({ topic, decision: topic })).id);

  it('[I-5] a part of a memory has the numbers of the whole, and names nobody when asked', async () => {
    const memory = await open();
    await live(memory);
    const all = await filesOf(memory);
    const part = await filesOf(memory, { scope: 'auth team' });
    assert.deepEqual(
      [...part.keys()].map((path) => path.slice(4)),
      ['-jwt.md', '-opaque-tokens.md'],
    );
    for (const path of part.keys()) assert(all.has(path), path);
    const unnamed = await filesOf(memory, { authors: false });
    assert.doesNotMatch([...unnamed.values()].join(), /minsu/);
    assert.match([...all.values()].join(), /minsu/);
  });

  for (const sample of ['nygard-adr-tools', 'madr-2', 'madr-4', 'log4brains']) {
    it(`[I-5] ${sample}: what came from other tools goes out, and comes back, with states and people`, async () => {
      const memory = await open();
      const folder = join(scratch(), 'records');
      cpSync(join('test', 'fixtures', 'imports', 'adr', sample), folder, { recursive: true });
      await memory.merge(adr.read(folder, {}));
      const first = await filesOf(memory);
      const again = await open();
      await takeRecords(again, first);
      assert.deepEqual(await filesOf(again), first);
    });
  }

  it('[I-5] a withdrawal whose id is taken here, or is none, comes in under another one', async () => {
    const memory = await open();
    const [kept, gone] = [await saved(memory, 'kept'), await saved(memory, 'gone')];
    await memory.decision.revise({ id: gone, withdrawn: true, reasoning: 'no need' });
    const files = await filesOf(memory);
    const withdrawal = (await rowsOf(memory, 'decisions')).find(({ withdrawn }) => withdrawn === 1);
    const here = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
    const [[path, text] = ['', '']] = files;
    for (const id of [kept, gone, 'x'.repeat(999), '', here]) {
      const other = await open();
      if (id === here)
        await takeRecords(
          other,
          new Map([[path, text.replace(kept, here).replace('topic: kept', 'topic: here')]]),
        );
      const edited = new Map(
        [...files].map(([path, each]) => [path, each.replace(String(withdrawal?.id), `"${id}"`)]),
      );
      assert.notDeepEqual(edited, files);
      assert.equal((await takeRecords(other, edited)).merged.decisions.new, 2);
      const rows = await rowsOf(other, 'decisions');
      assert.equal(rows.length, id === here ? 4 : 3);
      assert.deepEqual((await other.inspect()).problems, []);
    }
    // One that was undone where it was made does not come back with a folder of before.
    await memory.undo();
    const { merged } = await takeRecords(memory, files);
    assert.deepEqual([merged.decisions.changed, merged.conflicts], [0, []]);
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[I-5] [Y-2] what was decided twice goes out as that, and comes back as that, also when it was settled', async () => {
    const rows = async (memory: Memory) =>
      (await rowsOf(memory, 'decisions'))
        .map(({ text, version, basedOn }) => [version, text, basedOn])
        .sort();
    // What began together, and what began apart.
    for (const first of ['One hour', undefined]) {
      await using kim = await openMemory({ db: ':memory:' });
      await using lee = await openMemory({ db: ':memory:' });
      if (first) await kim.mama.save({ topic: 'cache:ttl', decision: first });
      if (first) await lee.import(await exported(kim));
      await kim.mama.save({ topic: 'cache:ttl', decision: '두 시간' });
      await lee.mama.save({ topic: 'cache:ttl', decision: 'Three hours' });
      await lee.import(await exported(kim), undefined, { merge: true });
      for (const isSettled of [false, true]) {
        const files = await filesOf(lee);
        const apart = [...files.values()].filter((text) => text.includes('- Decided twice: not based on ['));
        assert.equal(apart.length, 1);
        const back = await open();
        await takeRecords(back, files);
        assert.deepEqual(await rows(back), await rows(lee));
        assert.deepEqual(await filesOf(back), files);
        const { problems, notes } = await back.inspect();
        assert.deepEqual([problems, notes.length], [[], isSettled ? 0 : 1]);
        if (!isSettled) await lee.decision.settle({ topic: 'cache:ttl', text: 'Three hours' });
      }
    }
  });

  it('[I-5] a file that a person edits is the next version; one that was renamed is the same', async () => {
    const memory = await open();
    await memory.mama.save({ topic: 'db', decision: 'PostgreSQL', reasoning: 'known' });
    const files = await filesOf(memory);
    const other = await open();
    await takeRecords(other, files);
    const [[, text = ''] = []] = files;
    const edited = new Map([['0007-renamed.md', text.replace('\n\nknown', '\n\nknown, and fast')]]);
    const { merged } = await takeRecords(other, edited);
    assert.deepEqual(merged.decisions, { new: 0, changed: 1, same: 0 });
    const versions = (await rowsOf(other, 'decisions')).map(({ reasoning, version }) => [version, reasoning]);
    assert.deepEqual(versions, [
      [1, 'known'],
      [2, 'known, and fast'],
    ]);
  });

  it('[C-1] [I-2] what was redacted where a folder came from is named, with the command that blanks it here too', async () => {
    const memory = await open();
    const { id } = await memory.mama.save({ topic: 'db', decision: 'The password is hunter2' });
    const other = await open();
    await takeRecords(other, await filesOf(memory));
    await memory.redact(String(id), 'hunter2');
    const files = await filesOf(memory);
    const { merged } = await takeRecords(other, files);
    assert.deepEqual(merged.warnings, [
      `db was redacted there, and is whole here: "precedent redact ${id}" blanks it.`,
    ]);
    await other.redact(String(id), 'hunter2');
    assert.doesNotMatch((await exported(other)).join(), /hunter2/);
    assert.deepEqual((await takeRecords(other, files)).merged.warnings, []);
  });

  it('[I-5] names are safe on every system, and none is another in capitals', async () => {
    const memory = await sqlite.openFast(fixed(START));
    await live(memory);
    await memory.mama.save({ topic: 'one', decision: 'Same/Name' });
    await memory.mama.save({ topic: 'two', decision: 'same name' });
    const paths = [...(await filesOf(memory)).keys()];
    const isSafe = (path: string) =>
      !UNSAFE.test(path) && path.normalize('NFC') === path && Buffer.byteLength(path) <= 255;
    assert.deepEqual(
      paths.filter((path) => !isSafe(path)),
      [],
    );
    assert.equal(new Set(paths.map((path) => path.toLowerCase())).size, paths.length);
  });

  it('[I-5] [K-6] what was a mistake is in none, nor is a name where it must not be', async () => {
    const memory = await sqlite.openFast({ writer: { author: 'Kim <kim@example.com>' } });
    await memory.mama.save({ topic: 'oops', decision: 'mistaken words' });
    await memory.undo();
    await memory.mama.save({ topic: 'kept', decision: 'kept words', evidence: ['grounds'] });
    const all = [...(await everyFormat(memory))].join();
    assert.match(all, /kept words/);
    assert.doesNotMatch(all, /mistaken words/);
    assert.match(all, /kim@example/);
    assert.doesNotMatch([...(await everyFormat(memory, { authors: false }))].join(), /kim@example/i);
  });

  it('[I-5] any text comes out from under a heading as it went in', () => {
    const texts = fc.oneof(
      fc.constantFrom(...AWKWARD),
      fc
        .array(fc.constantFrom('#', '## A', '### B', '```', '~~~', '````text', '\n', '\r', ' ', 'x', '"'), {
          maxLength: 12,
        })
        .map((parts) => parts.join('')),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        fc.pre(one.trim() !== '' && other.trim() !== '');
        const page = `# T\n\n## One\n\n${embedded(one)}\n\n## Two\n\n### a\n\n${embedded(other)}\n\n### b\n\n${embedded(one)}\n\n## Last\n`;
        const [first, second, last] = sectionsIn(page.replaceAll('\r\n', '\n')).sections;
        const inner = sectionsIn(second?.body ?? '', 3).sections;
        assert.equal(takenOut(first?.body ?? ''), one);
        assert.deepEqual(
          inner.map(({ heading, body }) => [heading, takenOut(body)]),
          [
            ['a', other],
            ['b', one],
          ],
        );
        assert.equal(last?.heading, 'Last');
      }),
      { numRuns: 2_000 },
    );
  });
});
