import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { FIELD_NAMES, FIELDS } from '../src/domain/decision.ts';
import { sha256 } from '../src/domain/text/digest.ts';
import type { Memory } from '../src/index.ts';
import { newestFormat } from '../src/sync/check.ts';
import { engines, sqlite } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { exported } from './support/stream.ts';
import { rowsOf, shown } from './support/synced.ts';

const DAY = 86_400_000;

function folderFor(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-sync-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Alters the file in a folder that holds a text, and keeps its size and its dates. @returns its name */
function alteredIn(folder: string, from: string, to: string): string {
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
  const file = readdirSync(folder).find((each) => textOf(each).includes(from)) ?? assert.fail(from);
  const path = join(folder, file);
  const { atime, mtime } = statSync(path);
  writeFileSync(path, textOf(file).replace(from, to));
  utimesSync(path, atime, mtime);
  return file;
}

/** All that the files of a folder say. */
const textsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((each) => (each.isFile() ? [readFileSync(join(each.parentPath, each.name), 'utf8')] : []))
    .join('');

/** Puts a file of facts into a folder, as the machine `mal-1` would. */
function putInto(folder: string, facts: object[]): void {
  const text = facts.map((fact) => `${JSON.stringify(fact)}\n`).join('');
  mkdirSync(join(folder, 'mal-1'), { recursive: true });
  writeFileSync(join(folder, 'mal-1', `${sha256(text).slice(0, 32)}.jsonl`), text);
}

/** A decision as a stranger may write it. */
const FOREIGN = {
  ...{ f: 1, k: 'decision', id: 'foreign-1', at: 1_760_000_000_000, by: ['Mal', 'h', 'c', 's'] },
  ...{ topic: 'x', basedOn: null, withdrawn: 0, text: 'Of a stranger', reasoning: null },
  ...{ strength: 'normal', scope: 'x', confidence: 0.5, revisit: null, files: null },
};

describe('two machines, one memory', () => {
  const engine = engines.find(({ name, skip }) => name === 'PostgreSQL' && !skip) ?? sqlite;

  it('[Y-1] [Y-2] [Y-6] what two machines decided differently is on both, in one order, and is told on both', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    await kim.mama.save({ topic: '인증:토큰', decision: 'JWT', evidence: ['회의록'] });
    await kim.sync(folder);
    const first = await lee.sync(folder);
    assert.deepEqual(first?.decidedTwice, []);
    assert.deepEqual(
      first?.came.map(({ records }) => records),
      [2],
    );
    await kim.mama.save({ topic: '인증:토큰', decision: 'JWT with a short life' });
    await lee.mama.save({ topic: '인증:토큰', decision: 'opaque tokens' });
    await kim.sync();
    const told = await lee.sync();
    const again = await kim.sync();
    for (const { decidedTwice } of [told, again].map((each) => each ?? { decidedTwice: [] })) {
      assert.equal(decidedTwice.length, 1);
      assert.deepEqual(decidedTwice[0]?.heads.map(({ text }) => text).sort(), [
        'JWT with a short life',
        'opaque tokens',
      ]);
    }
    assert.deepEqual(await shown(kim), await shown(lee));
    for (const memory of [kim, lee]) assert.deepEqual((await memory.inspect()).problems, []);
    assert.deepEqual(
      [(await kim.sync())?.said, (await lee.sync())?.said],
      [0, 0],
      'the same again says nothing',
    );
    const { versions } = await kim.decision.get({ id: '인증:토큰' });
    assert.deepEqual(
      versions.map(({ text, isSide }) => [text, isSide]),
      [['JWT', undefined], ...versions.slice(1).map(({ text }) => [text, true])],
    );
    const kept = told?.decidedTwice[0]?.heads.find(({ text }) => text === 'opaque tokens')?.id;
    const settled = await kim.decision.settle({ topic: '인증:토큰', keep: kept?.slice(0, 8) ?? '' });
    assert.equal(settled.settled.length, 2);
    await kim.sync();
    assert.deepEqual((await lee.sync())?.decidedTwice, []);
    const settles = (await lee.decision.get({ id: '인증:토큰' })).versions.map((version) => version.settles);
    assert.match(
      settles.at(-1) ?? '',
      /^decided twice until then; “JWT with a short life” \(.*\) was overridden$/,
    );
    assert.deepEqual(settles.slice(0, -1), [undefined, undefined, undefined]);
    const [found] = (await lee.mama.search({ query: 'tokens' })).results;
    assert.equal(found?.decision, 'opaque tokens');
    await refuses(lee.decision.settle({ topic: '인증:토큰', text: 'x' }), 'conflict', 'settled');
    assert.deepEqual(await shown(kim), await shown(lee));
  });

  it('[Y-2] whoever decided differently is told that it was settled, also where that comes with the other side', async (test) => {
    const folder = folderFor(test);
    const [kim, lee, seo] = [
      await sqlite.open(),
      await engine.open({ writer: { author: 'Lee' } }),
      await sqlite.open(),
    ] as [Memory, Memory, Memory];
    await kim.mama.save({ topic: '인증', decision: 'JWT' });
    await kim.sync(folder);
    const other = await lee.mama.save({ topic: '인증', decision: 'cookies' });
    await lee.sync(folder);
    await lee.mama.save({ topic: 'web:cookies', decision: 'No cookies' });
    const { warnings: close } = await lee.decision.settle({ topic: '인증', keep: other.id });
    assert.match(close.join(), /may contradict or repeat “web:cookies”/, 'T-6: as any other save');
    await lee.sync();
    await kim.mem.save({ title: 'note', content: 'of Kim' });
    const heard = await kim.sync();
    assert.deepEqual(
      heard?.settled.map(({ topic, text, author }) => [topic, text, author]),
      [['인증', 'cookies', 'Lee']],
    );
    assert.deepEqual((await kim.sync())?.settled, [], 'it is said once');
    // A lock that gave way waits, too.
    await kim.mama.save({ topic: '오류', decision: 'a code', strength: 'lock' });
    await kim.sync();
    await seo.mama.save({ topic: '오류', decision: 'a text' });
    await seo.sync(folder);
    await seo.decision.settle({ topic: '오류', text: 'both', reasoning: 'as agreed' });
    await seo.sync();
    const replaced = await kim.sync();
    const [settled, overridden] = [replaced?.settled, replaced?.overridden.map(({ by }) => by.text)];
    assert.deepEqual([settled, overridden], [[], ['both']]);
    // Nobody has news for who settled it.
    await seo.sync();
    assert.deepEqual(await shown(seo), await shown(kim));
    assert.deepEqual(
      (await (await sqlite.open()).sync(folder))?.settled,
      [],
      'and not to who decided nothing',
    );
  });

  it('[Y-1] [K-6] what was undone elsewhere is of whoever undid it', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [
      await sqlite.open({ writer: { author: 'Kim' } }),
      await engine.open({ writer: { author: 'Lee' } }),
    ] as [Memory, Memory];
    await kim.mama.save({ topic: 'one', decision: 'first' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    await kim.undo();
    for (const memory of [kim, lee, kim]) await memory.sync(folder);
    for (const memory of [kim, lee]) {
      const rows = await rowsOf(memory);
      const undone = rows.filter(({ table, kind }) => table === 'changes' && kind === 'retracted');
      const authors = undone.map(({ writer }) =>
        rows.find((row) => row.table === 'writers' && row.id === writer),
      );
      assert.deepEqual(new Set(authors.map((row) => row?.author)), new Set(['Kim']));
    }
  });

  it('[Y-1] [K-6] an outcome and an anchor that were undone elsewhere are neither shown nor found, until they are redone', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    const { id } = await kim.mama.save({ topic: 'auth', decision: 'JWT' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    const heard = async () => {
      for (const memory of [kim, lee]) await memory.sync();
      const { decision } = await lee.decision.get({ id });
      return [decision.outcome, (await lee.search({ query: 'turnstile' })).results.length];
    };
    const steps: [() => Promise<unknown>, string | null, number][] = [
      [() => kim.mama.update({ id, outcome: 'failed', reason: 'stolen' }), 'failed', 0],
      [() => kim.anchor.save({ hint: 'turnstile', targetRef: id, type: 'decision_link' }), 'failed', 1],
      [() => kim.undo(), 'failed', 0],
      [() => kim.undo(), null, 0],
      [() => kim.undo({ redo: true }), 'failed', 0],
      [() => kim.undo({ redo: true }), 'failed', 1],
    ];
    for (const [step, outcome, found] of steps) {
      await step();
      assert.deepEqual(await heard(), [outcome, found], String(step));
    }
    assert.deepEqual((await lee.inspect()).problems, []);
  });

  it('[Y-2] [K-6] nobody undoes what others decided who did not see it: the refusal says how the other side is kept', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    const topic = 'auth:token';
    await kim.mama.save({ topic, decision: 'JWT', date: '2026-01-01' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    await kim.mama.save({ topic, decision: '짧은 JWT', date: '2026-02-01' });
    const { id } = await lee.mama.save({ topic, decision: 'opaque', date: '2026-03-01' });
    for (const memory of [kim, lee, kim]) await memory.sync();
    await refuses(
      kim.undo({}),
      'conflict',
      '짧은 JWT',
      `precedent settle auth:token --keep ${id.slice(0, 8)}`,
    );
    await lee.undo({});
    await lee.sync();
    assert.deepEqual((await kim.sync())?.decidedTwice, []);
    for (const memory of [kim, lee])
      assert.equal((await memory.decision.get({ id: topic })).decision.text, '짧은 JWT');
  });

  it('[Y-2] [Y-6] where the sides came to agree, what is saved next replaces all of them, and nobody decided twice', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    const sync = async () => {
      for (const memory of [kim, lee, kim]) await memory.sync(folder);
    };
    for (const topic of ['undone', 'settled twice', 'by chance']) {
      await kim.mama.save({ topic, decision: 'one' });
      await sync();
      const { id: ours } = await kim.mama.save({ topic, decision: 'two' });
      const other = topic === 'by chance' ? 'two' : 'another';
      const { id: theirs } = await lee.mama.save({ topic, decision: other });
      await sync();
      if (topic === 'settled twice') {
        await kim.decision.settle({ topic, keep: ours });
        await lee.decision.settle({ topic, keep: theirs });
        await sync();
      }
      if (topic !== 'by chance') {
        await lee.undo({});
        assert.equal((await lee.decision.list({ filter: 'is:forked' })).decisions.length, 0, topic);
        // What was undone and came back is a side again.
        await lee.undo({ redo: true });
        assert.equal((await lee.decision.list({ filter: 'is:forked' })).decisions.length, 1, topic);
        await lee.undo({});
      }
      await sync();
      const { warnings } = await kim.mama.save({ topic, decision: 'three' });
      assert.deepEqual(
        warnings.filter((warning) => warning.includes('decided twice')),
        [],
        topic,
      );
      await kim.sync();
      const heard = await lee.sync();
      assert.deepEqual([heard?.decidedTwice, heard?.settled], [[], []], topic);
      const { versions } = await lee.decision.get({ id: topic });
      assert.deepEqual([versions.at(-1)?.text, versions.at(-1)?.settles], ['three', undefined], topic);
      assert.deepEqual(await shown(kim), await shown(lee));
    }
    for (const memory of [kim, lee]) assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[Y-2] [O-8] a side that says again what failed says so to whoever chooses', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    const sync = async () => {
      for (const memory of [kim, lee]) await memory.sync(folder);
      return await kim.sync();
    };
    const topic = 'auth';
    await kim.mama.save({ topic, decision: 'cookies' });
    await sync();
    const { id: failed } = await kim.mama.save({ topic, decision: 'JWT' });
    await kim.mama.update({ id: failed, outcome: 'failed', reason: 'skew' });
    const { id: other } = await lee.mama.save({ topic, decision: 'Redis' });
    const first = (await sync())?.decidedTwice[0]?.sides.join('\n') ?? '';
    assert.match(first, /“JWT” \(.*, failed: “skew”\)/);
    await kim.decision.settle({ topic, keep: other });
    await lee.decision.settle({ topic, keep: failed });
    const sides = (await sync())?.decidedTwice[0]?.sides ?? [];
    assert.deepEqual(
      sides.map((side) => [side.slice(0, 5), /failed before as v\d: “skew”/.test(side)]).sort(),
      [
        ['“JWT”', true],
        ['“Redi', false],
      ],
    );
    await refuses(kim.decision.settle({ topic }), 'invalid', '“JWT”', 'failed before as v', '“skew”');
    assert.match(
      (await kim.decision.get({ id: topic })).decision.decidedTwice ?? '',
      /failed before as v\d: “skew”/,
    );
  });

  it('[V-2] [Y-1] undo of what came by sync says so, and names what helps', async (test) => {
    const folder = folderFor(test);
    const lee = await engine.open({ writer: { author: 'Lee' } });
    const kim = await sqlite.open();
    await kim.mama.save({ topic: 'u:u', decision: 'JWT' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    await lee.mama.save({ topic: 'u:u', decision: '세션 쿠키' });
    await lee.mama.save({ topic: 'u:w', decision: 'Of Lee alone' });
    for (const memory of [lee, kim]) await memory.sync();
    const refused = async (what: string[], ...said: RegExp[]) => {
      const message = await kim.undo({ what }).then(
        () => assert.fail(`${what} was undone`),
        (error: Error) => error.message,
      );
      said.push(/came by sync can be undone only on the machine that saved it/, /"precedent withdraw /);
      for (const each of said) assert.match(message, each);
      assert(!message.includes('precedent undo'), message);
    };
    for (const what of [[], ['topic:u:u']])
      await refused(what, /version 2 .*, which came by sync or an import\n/, /"precedent withdraw u:u"/);
    for (const what of [['u:u'], ['u:w'], ['topic:u:w']])
      await refused(what, /found only what came by sync/, /earlier text .* back, save it on the topic again/);
    await kim.sync();
    await lee.undo({ what: ['u:w'] });
    for (const memory of [lee, kim]) await memory.sync();
    assert.equal((await kim.decision.get({ id: 'u:w' })).decision.isActive, false);
  });

  it('[Y-2] a save on a topic that was decided twice is answered with both, and settles nothing', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    const topic = 'pay:refund';
    const lock = await kim.mama.save({
      topic,
      decision: 'A person approves refunds',
      strength: 'lock',
      date: '2026-01-01',
    });
    await lee.mama.save({ topic, decision: 'Refunds go by themselves', date: '2026-02-01' });
    for (const memory of [kim, lee, kim]) await memory.sync(folder);
    // What is a lock on one machine binds, although the other one decided later.
    const decided = { topic, decision: 'No refunds', reasoning: 'They cost too much' };
    await refuses(lee.mama.save(decided), 'conflict', 'A person approves refunds');
    const { warnings } = await kim.mama.save({ ...decided, replaces: lock.id });
    const said = warnings.find((warning) => warning.includes('decided twice')) ?? '';
    for (const text of ['Refunds go by themselves', 'No refunds', 'precedent settle pay:refund'])
      assert(said.includes(text), said);
    assert.equal((await kim.decision.list({ filter: 'is:forked' })).decisions.length, 1);
  });

  it('[Y-2] [Y-6] whoever reads what was decided twice is told, until it is settled; of a lock both texts bind and come first', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    await kim.mama.save({ topic: 'auth:login', decision: 'Log in with a session cookie' });
    const saved = await kim.mama.save({ topic: 'auth:token', decision: 'JWT', strength: 'lock' });
    const replaces = 'id' in saved ? saved.id : '';
    await kim.sync(folder);
    await lee.sync(folder);
    await kim.mama.save({ type: 'checkpoint', summary: 'Login is done' });
    const said = ['JWT with a short life', 'opaque tokens'] as const;
    for (const [at, memory] of [kim, lee].entries())
      await memory.mama.save({
        ...{ topic: 'auth:token', decision: said[at] ?? '', reasoning: 'overrides the lock, tokens leaked' },
        ...{ strength: 'lock', replaces },
      });
    await kim.sync();
    await lee.sync();
    await kim.sync();
    const answersOf = async (memory: Memory) => ({
      get: (await memory.decision.get({ id: 'auth:token' })).decision.decidedTwice,
      // Another decision fits the words better.
      search: (await memory.mama.search({ query: 'log in session cookie token' })).results[0]?.decided_twice,
      recall: (await memory.recall({ task: 'log in session cookie', domain: 'auth' })).entries[0]
        ?.decided_twice,
      retrieve: (await memory.decision.retrieve({ domain: 'auth' })).decisions.find(
        ({ topic }) => topic === 'auth:token',
      )?.decidedTwice,
      list: (await memory.decision.list({ filter: 'is:forked' })).decisions.map(
        (each) => each.decidedTwice,
      )[0],
      show: JSON.stringify((await memory.call('show', { ref: 'auth:token' })) as object),
      review: (await memory.review({})).groups.find(({ kind }) => kind === 'twice')?.items[0]?.beware[0],
      doctor: (await memory.inspect()).notes.find((note) => note.startsWith('decided twice')),
      hook: JSON.stringify(
        await memory.call('briefing_get', { at: 'prompt', prompt: 'auth:token: which one do we use?' }),
      ),
    });
    const inKorean = async (memory: Memory) =>
      (await memory.review({ language: 'ko' })).groups.find(({ kind }) => kind === 'twice')?.items[0]
        ?.beware[0];
    for (const memory of [kim, lee])
      assert.match(
        (await inKorean(memory)) ?? '',
        /^필수 규칙 “[^”]+” \([\da-f]{8}.*\) \/ 필수 규칙 .*\. 사람이 정합니다: precedent settle auth:token \(그때까지는 모두 유효\)$/,
        '[TR-2]',
      );
    const sinceThen = async () => String((await kim.mama.loadCheckpoint({})).since);
    assert.match(await sinceThen(), /auth:token decided twice, one side: /);
    for (const memory of [kim, lee])
      for (const { key, acts } of (await memory.review({})).groups.find(({ kind }) => kind === 'twice')
        ?.items ?? []) {
        assert.deepEqual(acts, []);
        // What was put off for another reason is shown too, until it is settled.
        await memory.call('reviewed', { keys: [key] });
      }
    for (const memory of [kim, lee])
      for (const [face, told] of Object.entries(await answersOf(memory)))
        for (const word of [...said, 'precedent settle auth:token'])
          assert(told?.includes(word), `${face} says ${word}: ${told}`);
    const keep = (await kim.mama.search({ query: 'token' })).results[0]?.id ?? '';
    await kim.decision.settle({ topic: 'auth:token', keep });
    assert.match(await sinceThen(), /auth:token decided: /);
    await kim.sync();
    await lee.sync();
    for (const memory of [kim, lee])
      for (const [face, told] of Object.entries(await answersOf(memory)))
        assert(!told?.includes('precedent settle'), `${face} is silent: ${told}`);
  });

  it('[Y-2] [T-6] until it is settled a lock of either machine binds, and the files of either name it', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [
      await sqlite.open({ writer: { author: 'Kim' } }),
      await engine.open({ writer: { author: 'Lee' } }),
    ] as [Memory, Memory];
    const topic = 'api:errors';
    const lock = await kim.mama.save({
      ...{ topic, decision: 'Errors have a code', strength: 'lock', scope: 'global' },
      ...{ files: 'src/api/**', date: '2026-01-01' },
    });
    await lee.mama.save({ topic, decision: '오류는 문장이다', files: 'src/web.ts', date: '2026-02-01' });
    for (const memory of [kim, lee, kim]) await memory.sync(folder);
    const shownBy = async (memory: Memory) => ({
      start: JSON.stringify(await memory.call('briefing_get', { at: 'start' })),
      edit: JSON.stringify(await memory.call('briefing_get', { at: 'files', files: 'src/web.ts' })),
      file: JSON.stringify((await memory.mama.files({ files: 'src/api/a.ts' })).results),
      other: JSON.stringify((await memory.mama.files({ files: 'src/web.ts' })).results),
      rules: JSON.stringify(await memory.decision.retrieve({ domain: 'global' })),
    });
    for (const memory of [kim, lee])
      for (const [face, shown] of Object.entries(await shownBy(memory)))
        for (const word of ['lock', 'Errors have a code', 'Kim', '오류는 문장이다', 'Lee'])
          assert(shown.includes(word), `${face} shows ${word}: ${shown}`);
    await refuses(lee.decision.settle({ topic }), 'invalid', lock.id.slice(0, 8));
    await refuses(
      kim.mama.save({ topic, decision: 'Errors are numbers', reasoning: 'short' }),
      'conflict',
      `It was decided twice: `,
      '오류는 문장이다',
    );
    const kept = (await lee.mama.files({ files: 'src/web.ts' })).results[0]?.id ?? '';
    assert.equal(kept, lock.id, 'the lock is active');
    await lee.decision.settle({ topic, text: 'Errors are JSON', reasoning: 'a mistake' });
    await lee.undo({});
    assert.equal((await lee.decision.list({ filter: 'is:forked' })).decisions.length, 1, 'open again');
    for (const memory of [lee, kim]) await memory.sync();
    assert.equal((await kim.decision.list({ filter: 'is:forked' })).decisions.length, 1);
    await lee.decision.settle({ topic, text: '오류에 번호가 있다', reasoning: 'short' });
    await lee.sync();
    const heard = await kim.sync();
    assert.deepEqual(
      heard?.settled.map((each) => [each.topic, each.text, each.author]),
      [[topic, '오류에 번호가 있다', 'Lee']],
    );
    assert.deepEqual(heard?.overridden, [], 'whoever settled it saw the lock');
    assert.deepEqual((await kim.sync())?.settled, [], 'it is said once');
    assert.deepEqual((await kim.mama.files({ files: 'src/web.ts' })).results, []);
  });

  it('[Y-2] [T-6] of sides in different scopes each is seen in its own scope, until it is settled', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    await lee.mama.save({ topic: 'ui', decision: 'React', scope: 'api' });
    for (const [topic, strength, scope] of [
      ['errors', 'lock', 'api'],
      ['오류', 'axis', 'global'],
    ] as const) {
      await kim.mama.save({
        ...{ topic, decision: `${topic}: a code`, strength, scope, date: '2026-01-01' },
      });
      await lee.mama.save({
        ...{ topic, decision: `${topic}: 문장`, strength: 'lock', scope: 'web', date: '2026-02-01' },
      });
    }
    for (const memory of [kim, lee, kim]) await memory.sync(folder);
    const answersOf = async (memory: Memory) => ({
      list: JSON.stringify(await memory.decision.list({ scope: 'api' })),
      rules: JSON.stringify(await memory.decision.retrieve({ domain: 'api' })),
      recall: JSON.stringify(await memory.recall({ task: 'a button', domain: 'api', token_budget: 4000 })),
    });
    for (const memory of [kim, lee])
      for (const [face, shown] of Object.entries(await answersOf(memory)))
        for (const topic of face === 'list' ? ['errors'] : ['errors', '오류'])
          for (const text of [`${topic}: a code`, `${topic}: 문장`])
            assert(shown.includes(text), `${face} shows ${text}: ${shown}`);
    for (const topic of ['errors', '오류'])
      await kim.decision.settle({ topic, text: 'agreed', reasoning: 'as agreed' });
    for (const [face, shown] of Object.entries(await answersOf(kim)))
      assert(!shown.includes('a code'), `${face} is silent: ${shown}`);
  });

  it('[Y-2] [D-20] the side that is kept keeps its reason and links; an overridden lock needs a reason, and is named on both machines', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [
      await sqlite.open({ writer: { author: 'Kim' } }),
      await engine.open({ writer: { author: 'Lee' } }),
    ] as [Memory, Memory];
    const base = await lee.mama.save({ topic: 'api:style', decision: 'REST' });
    const why = `소음이 적다. builds_on: ${base.id}`;
    const early = { topic: 'api:log', decision: '한 줄', reasoning: why, date: '2026-01-01' };
    const { id: earlier } = await lee.mama.save(early);
    await kim.mama.save({ topic: 'api:log', decision: 'JSON', reasoning: 'parsed', date: '2026-02-01' });
    const topic = 'api:errors';
    const lock = await kim.mama.save({
      ...{ topic, decision: 'Errors have a code', reasoning: 'clients branch on it', strength: 'lock' },
      date: '2026-01-01',
    });
    const normal = await lee.mama.save({
      ...{ topic, decision: '오류는 문장이다', reasoning: '사람이 읽는다' },
      date: '2026-02-01',
    });
    await lee.mama.update({ id: normal.id, outcome: 'failed', reason: 'too dense' });
    for (const memory of [kim, lee, kim]) await memory.sync(folder);
    await lee.decision.settle({ topic: 'api:log', keep: earlier });
    const { decision: log, edges } = await lee.decision.get({ id: 'api:log' });
    const links = edges.outgoing.filter(({ version }) => version === log.version);
    const linked = links.find(({ decision }) => decision.id === base.id)?.relationship;
    assert.deepEqual([log.text, log.reasoning, linked], ['한 줄', why, 'builds_on']);
    const keep = normal.id;
    await refuses(lee.decision.settle({ topic, keep: 'x' }), 'invalid', 'at least four characters of an id');
    await refuses(lee.decision.settle({ topic, keep, text: 'both' }), 'invalid', 'found both');
    await refuses(lee.decision.settle({ topic }), 'invalid', 'failed: “too dense”');
    for (const how of [{ keep }, { text: '오류는 문장이다' }, { text: 'other' }])
      await refuses(lee.decision.settle({ topic, ...how }), 'invalid', 'Expected --reasoning, found none');
    const settled = await lee.decision.settle({ topic, keep, reasoning: '코드를 아무도 쓰지 않는다' });
    assert.match(settled.warnings.join('\n'), /a lock of “api” was replaced: “Errors have a code”.*Kim/);
    assert.match(settled.warnings.join('\n'), /failed.*too dense/s);
    await lee.sync();
    const heard = await kim.sync();
    assert.deepEqual(
      heard?.overridden.map(({ was, by }) => [was.id, by.text, by.author]),
      [[lock.id, '오류는 문장이다', 'Lee']],
    );
    await lee.undo({});
    const active = async () => (await lee.decision.get({ id: topic })).decision;
    const kept = await lee.decision.settle({ topic, keep: (await active()).id });
    const { text, reasoning } = await active();
    assert.deepEqual([text, reasoning], ['Errors have a code', 'clients branch on it'], 'the lock stays');
    assert(!kept.warnings.join().includes('a lock of'), kept.warnings.join());
  });

  it('[Y-4] a segment that is torn, altered or merged by hand is skipped by name, and stops nothing', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await sqlite.open()];
    await kim.mama.save({ topic: 'one', decision: 'first' });
    const said = await kim.sync(folder);
    const own = join(folder, said?.machine ?? '');
    const [torn = ''] = readdirSync(own);
    writeFileSync(join(own, torn), readFileSync(join(own, torn), 'utf8').slice(0, -20));
    const heard = await lee.sync(folder);
    assert.match(heard?.warnings.join() ?? '', new RegExp(`${torn}.*is incomplete`));
    assert.deepEqual((await lee.sync())?.warnings, [], 'it is said once');
    assert.equal(
      (await lee.sync(undefined, { dryRun: true }))?.warnings.length,
      1,
      'and where somebody looks',
    );
    await kim.sync();
    assert.deepEqual((await lee.sync())?.warnings, []);
    assert.deepEqual(await shown(lee), await shown(kim), 'the writer said it again');
  });

  it('[Y-8] [Z-9] what a stranger writes into the folder is taken in only where it could have been saved, and a secret in it is masked', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await sqlite.open()];
    const { id } = await kim.mama.save({ topic: 'db', decision: 'One file', strength: 'lock' });
    await kim.sync(folder);
    const good = { ...FOREIGN, text: 'A token ghp_abcdefghijklmnopqrstuvwxyz0123456789' };
    const bad = [
      { text: '' },
      { text: null },
      { text: ['a'] },
      { text: 'a\u0000b' },
      { text: 'x'.repeat(500_000) },
      { strength: 'super' },
      { confidence: 7 },
      { confidence: 'high' },
      { scope: null },
      { topic: '' },
      { reasoning: { a: 1 } },
      { files: '!x\n../../etc' },
      { files: `${'**/a*/'.repeat(8)}b` },
      { revisit: 'soon' },
      { id: '../../x' },
      { id: '' },
      { by: 'Kim' },
      { by: null },
      { withdrawn: 'yes' },
      { k: 'nonsense' },
      { f: newestFormat() + 1, topic: 'y', text: 'What a later version says in another way' },
      { k: 'link', from: 'foreign-1', to: 'foreign-1', relationship: 'builds_on' },
      { k: 'link', from: 'foreign-1', to: id, relationship: 'supersedes' },
      { k: 'anchor', hint: 'h', type: 'evidence_link', decision: id, evidence: null },
      { id, text: 'Another text under the id of a lock' },
    ].map((each, n) => ({ ...good, id: `bad-${n}`, ...each }));
    // What has the id of a note is no outcome, and what is wrong with neither is not said.
    const same = { f: 1, id: 'same-1', at: FOREIGN.at, by: FOREIGN.by };
    const both = [
      { ...same, k: 'outcome', decision: id, outcome: 'failed', reason: null },
      { ...same, k: 'observation' },
      { ...same, k: 'text', id: 'same-1@1', observation: 'same-1', title: 'a', content: 'b', type: 'c' },
    ];
    // A link to what nobody has waits for it.
    const early = {
      ...{ ...good, k: 'link', id: 'foreign-1 builds_on not-here' },
      ...{ from: 'foreign-1', to: 'not-here', relationship: 'builds_on' },
    };
    putInto(folder, [good, early, ...both, ...bad]);
    for (const memory of [kim, lee]) {
      const said = await memory.sync(folder);
      // What two newer programs wrote is said once.
      assert.equal(said?.warnings.length, bad.length - 1, said?.warnings.join('\n'));
      assert.equal((await memory.decision.get({ id })).decision.outcome, null);
      const { decisions } = await memory.decision.list({});
      assert.deepEqual(decisions.map((each) => each.text).sort(), [
        'A token [masked: GitHub token]',
        'One file',
      ]);
      assert.deepEqual((await memory.inspect()).problems, []);
    }
  });

  it('[Y-8] a machine that was not there before is told of once, and where that is wished kept apart until it is trusted', async (test) => {
    const folder = folderFor(test);
    const [kim, lee, mal] = [await sqlite.open(), await engine.open(), await sqlite.open()] as Memory[];
    assert(kim && lee && mal);
    const first = await kim.mama.save({ topic: 'db', decision: 'One file', strength: 'lock' });
    await lee.mama.save({ topic: 'web', decision: 'No framework' });
    await lee.sync(folder);
    const met = await kim.sync(folder, { ask: true });
    assert.deepEqual(
      met?.newcomers.map(({ decisions, binding, isApart }) => [decisions, binding, isApart]),
      [[1, 0, false]],
      'who was there when the folder was named was shown then',
    );
    assert.deepEqual((await kim.sync())?.newcomers, []);
    await mal.sync(folder);
    const ids = 'id' in first ? first.id : '';
    await mal.mama.save({
      ...{ topic: 'db', decision: 'Two files', strength: 'lock' },
      ...{ reasoning: 'overrides the lock', replaces: ids },
    });
    const said = await mal.sync();
    assert((await lee.sync())?.newcomers.some(({ machine }) => machine === said?.machine));
    assert.deepEqual((await lee.sync())?.newcomers, [], 'it is told of once');
    for (const topic of ['a', 'b']) {
      await lee.mama.save({ topic, decision: topic });
      await lee.sync();
      const heard = await kim.sync();
      assert.deepEqual(
        heard?.newcomers.map(({ machine, isApart, binding }) => [machine, isApart, binding]),
        [[said?.machine, true, 1]],
      );
    }
    assert.equal(
      (await kim.decision.get({ id: 'db' })).decision.text,
      'One file',
      'nothing of it is taken in',
    );
    await refuses(kim.sync(undefined, { trust: 'm-nobody' }), 'not_found', said?.machine ?? '-');
    assert.deepEqual((await kim.sync(undefined, { trust: said?.machine }))?.newcomers, []);
    await mal.sync();
    assert.deepEqual(await shown(kim), await shown(mal));
    await lee.sync();
    assert.deepEqual(await shown(kim), await shown(lee));
  });

  it('[Y-5] where nothing came and only records were added, no file is read, and they alone are said', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await engine.open(), await sqlite.open()] as [Memory, Memory];
    await lee.mama.save({ topic: 'one', decision: 'first' });
    const { machine = '' } = (await lee.sync(folder)) ?? {};
    await kim.sync(folder);
    const file = alteredIn(join(folder, machine), 'first', 'other');
    const { id } = (await kim.mama.save({ topic: 'two', decision: 'second' })) as { id: string };
    await kim.mama.save({ topic: 'two', decision: 'third', reasoning: `debates: ${id}`, evidence: ['x'] });
    const quick = await kim.sync();
    assert.deepEqual([quick?.warnings, quick?.kinds], [[], { decision: 2, evidence: 1, link: 1 }]);
    assert.equal((await kim.sync())?.said, 0);
    await kim.undo({});
    const undone = await kim.sync();
    assert.deepEqual([undone?.warnings, undone?.kinds], [[], { decision: 1, mark: 2 }]);
    // Where something is gone, all is looked at.
    await kim.redact(id);
    const whole = await kim.sync();
    assert.match(whole?.warnings.join() ?? '', new RegExp(`${file}.*is incomplete`));
    alteredIn(join(folder, machine), 'other', 'first');
    await lee.sync();
    await kim.sync();
    assert.deepEqual(await shown(kim), await shown(lee));
    for (const each of readdirSync(folder)) rmSync(join(folder, each), { recursive: true });
    // Those of Lee and Kim, and the one that undo added.
    assert.equal((await kim.sync())?.kinds.decision, 4, 'what is gone is said again');
  });

  it('[J-3] [Y-5] what changed is said and heard alone, and no file is read again for it', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await engine.open(), await sqlite.open()] as [Memory, Memory];
    const first = await lee.sync(folder);
    await lee.mama.save({ topic: 'one', decision: 'first of Lee' });
    await lee.sync();
    await kim.mama.save({ topic: 'token', decision: 'first of Kim' });
    const [note, other] = [
      (await kim.mem.save({ title: 'note', content: 'as it was' })) as { id: number },
      (await kim.mem.save({ title: 'other', content: 'beside it' })) as { id: number },
    ];
    const second = await kim.sync(folder);
    await lee.sync();
    const machines = [first?.machine, second?.machine].map((machine) => join(folder, machine ?? ''));
    const altered = (from: string, to: string) => {
      for (const [at, name] of ['Lee', 'Kim'].entries())
        alteredIn(machines[at] as string, `${from} of ${name}`, `${to} of ${name}`);
    };
    altered('first', 'other');
    const changes: [change: () => Promise<unknown>, kinds: Record<string, number>][] = [
      [() => kim.rename({ from: 'token', to: 'auth:token' }), { called: 1 }],
      [() => kim.undo({}), { called: 1 }],
      [() => kim.mama.save({ topic: 'token', decision: 'second of Kim' }), { decision: 1 }],
      [() => kim.undo({}), { decision: 1, mark: 1 }],
      [() => kim.mama.update({ id: 'token', outcome: 'failed', reason: 'slow' } as never), { outcome: 1 }],
      [() => kim.undo({}), { mark: 1 }],
      [() => kim.mem.update({ id: note.id, content: 'as it is' } as never), { text: 1 }],
      [() => kim.mem.update({ id: note.id, project: 'shop' } as never), { place: 1 }],
      [() => kim.delete({ ref: note.id }), { place: 1 }],
      [() => kim.undelete({ ref: note.id }), { place: 1 }],
      [
        () => kim.mem.relate({ from_id: note.id, to_id: other.id, relation_type: 'explains' } as never),
        { relation: 1 },
      ],
    ];
    for (const [change, kinds] of changes) {
      await change();
      const said = await kim.sync();
      assert.deepEqual([said?.warnings, said?.kinds], [[], kinds]);
      const heard = await lee.sync();
      assert.deepEqual([heard?.warnings, heard?.kinds], [[], {}], `${change}`);
    }
    altered('other', 'first');
    assert.deepEqual(await shown(kim), await shown(lee));
  });

  it('[Y-5] what is new is heard from its files alone, and those that were read are not read again', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await engine.open(), await sqlite.open()] as [Memory, Memory];
    await lee.mama.save({ topic: 'one', decision: 'first' });
    const { machine = '' } = (await lee.sync(folder)) ?? {};
    await kim.sync(folder);
    alteredIn(join(folder, machine), 'first', 'other');
    for (const text of ['second', 'third']) {
      await lee.mama.save({ topic: 'one', decision: text, evidence: [text] });
      await lee.mama.save({ topic: text, decision: text });
      await lee.sync();
      const heard = await kim.sync();
      assert.deepEqual(
        [heard?.warnings, heard?.came.reduce((sum, { records }) => sum + records, 0)],
        [[], 3],
      );
      assert.deepEqual(await shown(kim), await shown(lee));
    }
  });

  it('[Y-1] [Y-4] files that come in another order than they were written end as if they had come in it', async (test) => {
    const [there, here] = [folderFor(test), folderFor(test)];
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    const { machine = '' } = (await lee.sync(there)) ?? {};
    await lee.mama.save({ topic: 'db', decision: 'One file' });
    const files = () => readdirSync(join(there, machine));
    const written: string[] = [];
    const copy = async (file: string) => {
      mkdirSync(join(here, machine), { recursive: true });
      cpSync(join(there, machine, file), join(here, machine, file));
      await kim.sync(written.length > 1 ? undefined : here);
    };
    const { id } = (await lee.mama.save({ topic: 'auth', decision: 'JWT' })) as { id: string };
    await lee.sync();
    written.push(...files());
    await copy(written[0] as string);
    const saves: (() => Promise<unknown>)[] = [
      () => lee.mama.save({ topic: 'web', decision: 'No framework' }),
      () => lee.mama.save({ topic: 'web', decision: 'A small one', evidence: ['measured'] }),
      () => lee.mama.update({ id, outcome: 'failed', reason: 'expired' }),
      () => lee.mem.save({ title: 'a note', content: 'of Lee', topic_key: 'k' }),
      () => lee.mem.update({ id: 1, content: 'of Lee, later' }),
      () => lee.rename({ from: 'auth', to: 'auth:token' }),
      () => lee.mama.save({ topic: 'auth:token', decision: 'Opaque' }),
      () => lee.undo({}),
    ];
    for (const save of saves) {
      await save();
      await lee.sync();
      written.push(...files().filter((file) => !written.includes(file)));
    }
    for (const file of written.slice(1).reverse()) await copy(file);
    assert.deepEqual(await shown(kim), await shown(lee));
    assert.deepEqual((await kim.inspect()).problems, []);
  });

  it('[Y-1] [Y-4] what comes before what it is about waits for that, a withdrawal too, whatever else comes meanwhile', async (test) => {
    const topic = 'queue';
    for (const [what, say] of Object.entries({
      outcome: (lee: Memory) => lee.mama.update({ id: topic, outcome: 'failed', reason: 'lost jobs' }),
      withdrawal: (lee: Memory) =>
        lee.decision.revise({ id: topic, withdrawn: true, reasoning: '필요 없다' }),
      'another name': (lee: Memory) => lee.rename({ from: topic, to: '작업:큐' }),
      'what was undone': (lee: Memory) => lee.undo({}),
    })) {
      const [there, here] = [folderFor(test), folderFor(test)];
      const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
      const { machine = '' } = (await lee.sync(there)) ?? {};
      const written: string[] = [];
      for (const save of [
        () => lee.mama.save({ topic: 'db', decision: 'One file' }),
        () => lee.mama.save({ topic, decision: 'Redis' }),
        () => say(lee),
      ]) {
        await save();
        await lee.sync();
        written.push(...readdirSync(join(there, machine)).filter((file) => !written.includes(file)));
      }
      const [db, queue, last] = written as [string, string, string];
      mkdirSync(join(here, machine), { recursive: true });
      for (const file of [db, last, queue]) {
        cpSync(join(there, machine, file), join(here, machine, file));
        await kim.sync(file === db ? here : undefined);
        assert.deepEqual((await kim.inspect()).problems, [], what);
      }
      assert.deepEqual(await shown(kim), await shown(lee), what);
    }
  });

  it('[Y-5] [Y-1] what waits for what never comes makes no file be read again, and is taken in with that if it comes', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await engine.open(), await sqlite.open()] as [Memory, Memory];
    await lee.mama.save({ topic: 'one', decision: 'first' });
    const { machine = '' } = (await lee.sync(folder)) ?? {};
    await kim.sync(folder);
    const { id, at, by } = FOREIGN;
    putInto(folder, [
      { f: 1, k: 'called', id: 'n', at, by, decision: id, topic: '새 이름', was: 'x', gone: false },
      { f: 1, k: 'outcome', id: 'o', at, by, decision: id, outcome: 'failed', reason: 'lost jobs' },
    ]);
    await kim.sync();
    alteredIn(join(folder, machine), 'first', 'other');
    assert.deepEqual((await kim.sync())?.warnings, []);
    await lee.mama.save({ topic: 'two', decision: 'second' });
    await lee.sync();
    const { warnings, came } = (await kim.sync()) ?? assert.fail();
    assert.deepEqual([warnings, came.map(({ records }) => records)], [[], [1]]);
    alteredIn(join(folder, machine), 'other', 'first');
    putInto(folder, [FOREIGN]);
    for (const memory of [kim, lee]) {
      await memory.sync();
      const { decision } = await memory.decision.get({ id });
      assert.deepEqual([decision.topic, decision.outcome], ['새 이름', 'failed']);
    }
  });

  it('[Y-4] [Y-8] one wrong line of a folder stops neither this sync nor a later one, and is said', async (test) => {
    const folder = folderFor(test);
    const { id, by } = FOREIGN;
    const evidence = { k: 'evidence', id: 'e', by, decision: id, content: 'measured', timestamp: 1 };
    for (const [wrong, said] of [
      [{ k: 'link', id: 'l', from: id, to: id, relationship: 'debates' }, /it leads to itself/],
      [
        { k: 'link', id: 'l', from: id, to: 'foreign-0', relationship: 'supersedes' },
        /follows from the chain/,
      ],
      // After the last day that a date can have, in the year 275760.
      [{ ...evidence, at: 8_640_000_000_000_000 + DAY * 200 }, /"at" is not/],
      // After which no next name or outcome could be dated.
      [{ ...evidence, at: 8_640_000_000_000_000 }, /"at" is not a time that another can follow/],
      [{ ...FOREIGN, id: 'odd', topic: 7 }, /"topic" is not/],
      [
        { k: 'anchor', id: 'a', by, hint: 'h', type: 'decision_link', decision: null, evidence: null },
        /needs exactly one target/,
      ],
    ] as const) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
      await kim.mama.save({ topic: 'one', decision: 'first' });
      putInto(folder, [
        { ...FOREIGN, at: 1 },
        { f: 1, at: 1, ...wrong },
      ]);
      const texts = async (memory: Memory) =>
        (await memory.decision.list({})).decisions.map(({ text }) => text).sort();
      for (const memory of [kim, lee]) {
        const { warnings = [] } = (await memory.sync(folder)) ?? {};
        assert.match(warnings.join(), said);
        assert.equal(warnings.length, 1);
        assert.deepEqual(await texts(memory), ['Of a stranger', 'first'], `${said}`);
      }
      await kim.mama.save({ topic: 'two', decision: 'second' });
      await kim.undo({});
      for (const memory of [kim, lee]) assert.deepEqual((await memory.sync())?.warnings, [], `${said}`);
      assert.deepEqual(await shown(kim), await shown(lee));
      for (const memory of [kim, lee]) assert.deepEqual((await memory.inspect()).problems, []);
    }
  });

  it('[Y-4] a file that could not be read is read by the next sync, also where nothing else is new', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    await lee.mama.save({ topic: 'one', decision: 'first' });
    const { machine = '' } = (await lee.sync(folder)) ?? {};
    await kim.sync(folder);
    await lee.mama.save({ topic: 'two', decision: 'second' });
    await lee.sync();
    const file = alteredIn(join(folder, machine), 'second', 'SECOND');
    assert.match((await kim.sync())?.warnings.join() ?? '', new RegExp(`${file}.*is incomplete`));
    alteredIn(join(folder, machine), 'SECOND', 'second');
    assert.deepEqual(
      (await kim.sync())?.came.map(({ records }) => records),
      [1],
    );
    assert.deepEqual(await shown(kim), await shown(lee));
  });

  it('[Y-3] what was deleted for good does not come back, whenever that is heard', async (test) => {
    const folder = folderFor(test);
    const before = join(folderFor(test), 'before');
    const [kim, lee, fresh] = [await sqlite.open(), await sqlite.open(), await sqlite.open()];
    const { id } = await kim.mem.save({ title: 'secret', content: 'hunter2 of the old server' });
    const [from_id, to_id] = [
      (await kim.mem.save({ title: 'kept', content: 'of the new one' })).id,
      (await kim.mem.save({ title: 'other', content: 'of both' })).id,
    ];
    const { relation_id } = await kim.mem.relate({ from_id, to_id, relation_type: 'r' });
    await kim.mem.relate({ from_id, to_id: id, relation_type: 'r', note: 'it has hunter2' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    await kim.mem.update({ id, project: 'moved' });
    await kim.sync();
    const copying = { recursive: true, preserveTimestamps: true };
    cpSync(folder, before, copying);
    await kim.delete({ ref: id, hard_delete: true });
    await kim.mem.unrelate({ relation_id });
    await kim.sync();
    // A service that shares the folder brings back what was removed.
    cpSync(before, folder, copying);
    await fresh.sync(folder);
    for (const memory of [lee, kim]) await memory.sync();
    for (const memory of [kim, lee, fresh]) {
      assert.equal(JSON.stringify(await exported(memory)).includes('hunter2'), false);
      assert.deepEqual(
        (await rowsOf(memory)).filter(({ table }) => table === 'relations'),
        [],
      );
    }
    assert.equal(textsIn(folder).includes('hunter2'), false);
  });

  it('[Y-7] what else has the letters that were blanked elsewhere is named, and does not go with that sync', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as const;
    const { id } = await kim.mama.save({ topic: 'db:login', decision: 'Log in with hunter2-key' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    const own = await lee.mama.save({ topic: 'db:backup', decision: 'The backup takes hunter2-key, too' });
    await kim.redact(id, 'hunter2-key');
    await kim.sync();
    const heard = await lee.sync();
    assert(
      heard?.warnings.some((warning) => warning.includes(own.id.slice(0, 8))),
      heard?.warnings.join(),
    );
    const said = () => textsIn(folder);
    assert.equal(said().includes('hunter2'), false);
    await lee.sync();
    assert.match(said(), /The backup takes hunter2/, 'it goes with the next one, as was said');
    await lee.redact(own.id, 'hunter2-key');
    await lee.sync();
    assert.match(said(), /The backup takes/);
    assert.equal(said().includes('hunter2'), false);
  });

  it('[Y-7] a name that was blanked does not come back from a machine that renamed and undid that, not having heard of it', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as const;
    await kim.mama.save({ topic: 'db:hunter2-key', decision: 'One password' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    await kim.redact('db:hunter2-key', 'hunter2-key');
    await lee.rename({ from: 'db:hunter2-key', to: 'db:login' });
    await lee.undo({});
    for (const memory of [kim, lee, kim]) await memory.sync();
    for (const memory of [kim, lee])
      assert.equal((await exported(memory)).join('\n').includes('hunter2'), false);
    assert.equal(textsIn(folder).includes('hunter2'), false);
    assert.deepEqual(await shown(kim), await shown(lee));
  });

  it('[Y-7] a file that was removed, and that a service brings back, is written anew by whoever hears of the redaction', async (test) => {
    const folder = folderFor(test);
    const before = join(folderFor(test), 'before');
    const [kim, lee] = [await sqlite.open(), await sqlite.open()];
    const { id } = await kim.mama.save({ topic: 'db:login', decision: 'Log in with hunter2-key' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    const copying = { recursive: true, preserveTimestamps: true };
    cpSync(folder, before, copying);
    await kim.redact(id, 'hunter2-key');
    await kim.sync();
    cpSync(before, folder, copying);
    const said = () => textsIn(folder);
    assert.equal(said().includes('hunter2'), true);
    await lee.sync();
    assert.equal(said().includes('hunter2'), false);
  });

  it('[Y-7] [Y-3] a redaction on one machine reaches every row and every file, whatever a laptop says that was off', async (test) => {
    const folder = folderFor(test);
    const machines = [await sqlite.open(), await engine.open(), await sqlite.open()] as const;
    const [kim, lee, off] = machines;
    const secret = 'hunter2-암호';
    const texts = FIELD_NAMES.filter((name) => ['words', 'name', 'places'].includes(FIELDS[name].kind));
    const { text: decision, ...others } = Object.fromEntries(
      texts.map((name) => [name, `${name}/${secret}`]),
    );
    const { id } = await kim.mama.save({
      ...{ topic: 'db:login', decision: decision ?? '', ...others, evidence: [`they sent ${secret}`] },
    });
    const whole = await kim.mama.save({ topic: 'server', decision: 'the old server is 10.0.0.7-cellar' });
    await kim.mama.update({ id, outcome: 'failed', reason: `${secret} was guessed` });
    const note = await kim.mem.save({ title: `about ${secret}`, content: `use ${secret}`, project: 'shop' });
    await kim.mem.update({ id: note.id, content: `use ${secret} no more` });
    await kim.mama.save({ topic: `made with ${secret}`, decision: 'A topic that names it' });
    for (const memory of machines) await memory.sync(folder);
    // The laptop that is off keeps on writing, and what it has said lies in a folder of its own for the meantime.
    const [far] = (await off.mem.search({ query: 'use' })).results;
    await off.mem.update({ id: far?.id ?? 0, content: `${secret} is what they use` });
    const late = join(folderFor(test), 'late');
    cpSync(folder, late, { recursive: true });
    await off.sync(late);
    const byRef = async (memory: Memory, text: string) => {
      const evidence = (await rowsOf(memory)).find(
        (row) => row.table === 'evidence' && JSON.stringify(row).includes(text),
      );
      return String(evidence?.id);
    };
    await kim.redact(await byRef(kim, secret), secret);
    await kim.redact(id, secret);
    await kim.redact(whole.id);
    await kim.redact(String(note.id), secret);
    await kim.redact(`made with ${secret}`, secret);
    const first = await kim.sync();
    assert.match(first?.warnings.join() ?? '', /git history of the branch still hold them/);
    const heard = await lee.sync();
    assert(heard?.blanked.includes(id), 'it says what it blanked');
    // Its files arrive after everybody else has forgotten.
    cpSync(late, folder, { recursive: true });
    await off.sync(folder);
    for (let round = 0; round < 2; round++) for (const memory of machines) await memory.sync();
    for (const [index, memory] of machines.entries()) {
      const all = (await exported(memory)).join('\n');
      for (const text of [secret, '10.0.0.7'])
        assert.equal(all.includes(text), false, `${index}: ${all.match(`.{80}${text}.{40}`)}`);
      assert.deepEqual((await memory.inspect()).problems, []);
      assert.deepEqual((await memory.mama.search({ query: 'hunter2' })).results, []);
    }
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    )) {
      const text = readFileSync(join(file.parentPath, file.name), 'utf8');
      assert.equal(
        /hunter2|10\.0\.0\.7/.test(text),
        false,
        `${file.name}: ${text.match(/.{90}hunter2.{40}/)}`,
      );
    }
    const [one, other, third] = await Promise.all(machines.map(shown));
    assert.deepEqual(other, one);
    assert.deepEqual(third, one);
    for (const memory of machines) {
      const again = await memory.sync();
      assert.deepEqual(
        [again?.said, again?.warnings, again?.blanked],
        [0, [], []],
        'the same again changes nothing',
      );
    }
  });

  it('[Y-9] an export comes into a memory that has records by the rules of a sync; the same again changes nothing', async () => {
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    for (const memory of [kim, lee])
      await memory.mama.save({
        topic: 'auth:토큰',
        decision: memory === kim ? 'JWT' : 'opaque',
        strength: 'lock',
      });
    const { id } = await kim.mem.save({ title: 'from Kim', content: 'a note' });
    await kim.mem.update({ id, content: 'a longer note' });
    await lee.mem.save({ title: 'from Lee', content: 'another note' });
    const lines = await exported(kim);
    const first = await lee.import(lines, undefined, { merge: true });
    assert.deepEqual(first.merged?.decidedTwice[0]?.heads.map(({ text }) => text).sort(), ['JWT', 'opaque']);
    assert.equal(first.unchanged, false);
    const before = await shown(lee);
    const again = await lee.import(lines, undefined, { merge: true });
    assert.deepEqual([again.unchanged, again.merged?.came], [true, []]);
    assert.deepEqual(await shown(lee), before);
    const notes = (await lee.mem.search({ query: 'note' })).results;
    assert.deepEqual(notes.map(({ title }) => title).sort(), ['from Kim', 'from Lee']);
    assert.deepEqual((await lee.inspect()).problems, []);
    // A later export of the same memory, and a sync with it, mean the same notes.
    const folder = mkdtempSync(join(tmpdir(), 'precedent-sync-'));
    await kim.sync(folder);
    await lee.sync(folder);
    await kim.sync();
    rmSync(folder, { recursive: true });
    assert.deepEqual(await shown(kim), await shown(lee));
    await refuses(lee.import(lines.slice(0, 3), undefined, { merge: true }), 'invalid');
    await refuses(lee.import(lines), 'conflict', 'empty');
  });

  it('[Y-1] [Y-9] a note is since the same moment where it is, on every machine: also one whose key another note has there', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    const { id: gone } = await kim.mem.save({ title: 'gone', content: 'of Kim' });
    await kim.delete({ ref: gone });
    const { id } = await kim.mem.save({ title: 'note', content: 'of Kim', topic_key: 'k' });
    await kim.delete({ ref: id });
    await kim.undelete({ ref: id });
    await lee.mem.save({ title: 'note', content: 'of Lee', topic_key: 'k' });
    const lines = await exported(kim);
    const imports = [];
    for (let time = 0; time < 2; time++) imports.push(await lee.import(lines, undefined, { merge: true }));
    assert.deepEqual(
      imports.map(({ unchanged }) => unchanged),
      [false, true],
    );
    for (const memory of [kim, lee]) await memory.sync(folder);
    await kim.sync();
    assert.deepEqual(await shown(kim), await shown(lee));
  });

  it('[Y-1] [D-19] a topic that leads elsewhere since it was joined leads to its own side again, where one is active again', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    for (const memory of [kim, lee]) {
      await memory.mama.save({ topic: 'cache', decision: memory === kim ? 'five minutes' : 'an hour' });
      await memory.sync(folder);
    }
    await lee.mama.save({ topic: 'db', decision: 'SQLite' });
    await lee.rename({ from: 'cache', to: 'db', join: true });
    for (const memory of [lee, kim]) await memory.sync();
    for (const memory of [lee, kim]) {
      assert.deepEqual((await memory.inspect()).problems, []);
      assert.equal((await memory.decision.get({ id: 'cache' })).decision.text, 'five minutes');
    }
    assert.deepEqual(await shown(kim), await shown(lee));
  });

  it('[Y-9] [D-20] a lock that another machine replaced is named at the sync, and waits in a review until somebody decides again', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [
      await sqlite.open({ writer: { author: 'Kim' } }),
      await engine.open({ writer: { author: 'Lee' } }),
    ] as [Memory, Memory];
    const saved = await kim.mama.save({ topic: 'auth:token', decision: 'JWT', strength: 'lock' });
    await kim.sync(folder);
    await lee.sync(folder);
    await lee.mama.save({
      ...{ topic: 'auth:token', decision: 'opaque tokens', strength: 'lock', replaces: saved.id },
      reasoning: 'JWT leaked twice',
    });
    await lee.sync();
    const heard = await kim.sync();
    assert.deepEqual(
      heard?.overridden.map(({ topic, was, by }) => [topic, was.text, by.text, by.author]),
      [['auth:token', 'JWT', 'opaque tokens', 'Lee']],
    );
    assert.deepEqual(heard?.decidedTwice, []);
    const waiting = async () =>
      (await kim.review({})).groups
        .filter(({ kind }) => kind === 'replacedThere')
        .flatMap(({ items }) => items);
    assert.match((await waiting())[0]?.beware[0] ?? '', /^Lee replaced the lock “JWT”/);
    assert.deepEqual((await kim.sync())?.overridden, [], 'it is named once');
    assert.equal((await waiting()).length, 1, 'and waits on');
    const replaces = (await waiting())[0]?.id ?? '';
    await kim.mama.save({
      ...{ topic: 'auth:token', decision: 'opaque tokens of one day', strength: 'lock', replaces },
      reasoning: 'as Lee says, and shorter',
    });
    assert.deepEqual(await waiting(), []);
  });

  it('[D-20] a lock that somebody says again for another reason still binds: nothing waits', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    const lock = { topic: 'login', decision: 'JWT', strength: 'lock', scope: 'web' } as const;
    const saved = await kim.mama.save(lock);
    for (const memory of [kim, lee]) await memory.sync(folder);
    const again = await kim.mama.save({ ...lock, reasoning: 'as before', replaces: saved.id });
    await kim.sync();
    assert.deepEqual((await lee.sync())?.overridden, []);
    assert.equal((await lee.review({})).groups.filter(({ kind }) => kind === 'replacedThere').length, 0);
    await kim.mama.save({ ...lock, strength: 'axis', reasoning: 'weaker', replaces: again.id });
    await kim.sync();
    assert.equal((await lee.sync())?.overridden.length, 1, 'an axis is no lock');
    const heard = await (await sqlite.open()).sync(folder);
    assert.deepEqual(
      heard?.newcomers.map(({ decisions, binding }) => [decisions, binding]),
      [[1, 1]],
      'it counts once, and binds',
    );
  });

  it('[Y-6] what was saved in one moment is listed in one order on every machine', async (test) => {
    const folder = folderFor(test);
    const now = Date.UTC(2026, 5, 1);
    const [kim, lee] = [await sqlite.open({ clock: () => now }), await engine.open()] as [Memory, Memory];
    for (let at = 0; at < 20; at++) await kim.mama.save({ topic: `t${at}`, decision: `decision ${at}` });
    for (const content of ['first', 'second', 'third'])
      await kim.mem.save({ title: 'rewritten', content, topic_key: 'k' });
    await kim.mem.save({ title: 'other', content: 'text' });
    await kim.mem.relate({ from_id: 1, to_id: 2, relation_type: 'r', note: 'since then' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    assert.deepEqual(
      await shown(lee),
      await shown(kim),
      'with each text of a note, and the notes of relations',
    );
    const listed = async (memory: Memory) =>
      (await memory.decision.list({})).decisions.map(({ topic }) => topic);
    assert.deepEqual(await listed(lee), await listed(kim));
    assert.equal((await listed(lee))[0], 't19');
    // More than one file holds.
    for (let at = 0; at < 45; at++)
      await kim.mem.save({ title: `${at}`, content: `${at} `.padEnd(200_000, '- ') });
    for (const memory of [kim, lee]) await memory.sync();
    const notes = async (memory: Memory) =>
      (await memory.mem.list({ limit: 100 })).results.map(({ title }) => title);
    assert.deepEqual(await notes(lee), await notes(kim));
    assert.equal((await notes(lee))[0], '44');
  });

  for (const [how, given, taken] of [
    ['one note gave up', { clear: ['topic_key' as const] }, [null, 'k']],
    ['one note changed', { topic_key: 'k2' }, ['k2', 'k']],
    ['one note changed for that of the other', { topic_key: 'k3' }, ['k3', 'k']],
  ] as const)
    it(`[Y-1] [Y-6] a key that ${how} is of the other that took it, also where that clock is behind`, async (test) => {
      const folder = folderFor(test);
      let now = Date.UTC(2026, 5, 1);
      const ahead = await sqlite.open({ clock: () => now++ + 365 * DAY });
      const behind = await engine.open({ clock: () => now++ });
      const replicas = [await sqlite.open(), await engine.open()];
      const one = await ahead.mem.save({ title: 'one', content: 'of one', topic_key: 'k' });
      const other = await behind.mem.save({ title: 'other', content: 'of the other', topic_key: 'k3' });
      for (const memory of [ahead, behind, ahead, ...replicas]) await memory.sync(folder);
      await behind.mem.update({ id: other.id, clear: ['topic_key'] });
      for (const memory of [behind, ahead]) await memory.sync();
      await ahead.mem.update({ id: one.id, ...given } as never);
      for (const memory of [ahead, behind]) await memory.sync();
      await behind.mem.update({ id: other.id, topic_key: 'k' });
      for (const memory of [behind, ...replicas, ahead, behind]) await memory.sync();
      for (const memory of [...replicas, ahead]) assert.deepEqual(await shown(memory), await shown(behind));
      const keys = (await rowsOf(ahead)).flatMap(({ table, topicKey }) =>
        table === 'observations' ? [topicKey] : [],
      );
      assert.deepEqual(keys, taken);
      // What it was called before is kept, too.
      for (const memory of replicas) {
        const moves = (await rowsOf(memory)).filter(({ kind }) => kind === 'moved');
        const values = moves.map(({ before, after }) =>
          [before, after].map((each) => JSON.parse(String(each)).topicKey),
        );
        assert.deepEqual(
          new Set(values.map(String)),
          new Set(
            [
              ['k', taken[0]],
              ['k3', 'k'],
            ].map(String),
          ),
        );
      }
    });

  it('[Y-1] [Y-6] who has a key keeps it where it is said again, whatever another note says of an earlier date', async (test) => {
    for (const { open } of [sqlite, engine]) {
      const folder = folderFor(test);
      const lee = await open({ clock: () => Date.UTC(2026, 5, 1) });
      await lee.mem.save({ title: 'one', content: 'of one', topic_key: 'k' });
      await lee.mem.save({ title: 'other', content: 'of the other' });
      await lee.sync(folder);
      const [one, other] = (await rowsOf(lee)).flatMap(({ table, uid }) =>
        table === 'records' ? [uid] : [],
      );
      const place = { f: 1, k: 'place', project: '', scope: 'project', topicKey: 'k', deletedAt: null };
      putInto(folder, [
        { ...place, id: other, at: Date.UTC(2026, 5, 2) },
        { ...place, id: one, at: Date.UTC(2026, 5, 3) },
      ]);
      await lee.sync();
      const keys = (await rowsOf(lee)).flatMap(({ table, topicKey }) =>
        table === 'observations' ? [topicKey] : [],
      );
      assert.deepEqual(keys, ['k', null]);
    }
  });

  it('[Y-7] [U-6] a name that a topic got later is kept where an earlier one was blanked', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    const { id } = await kim.mama.save({ topic: 'db:hunter2-key', decision: 'Rotate it' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    await lee.rename({ from: 'db:hunter2-key', to: 'db:login' });
    await kim.redact(id, 'hunter2-key');
    for (const memory of [kim, lee, kim]) await memory.sync();
    for (const memory of [kim, lee])
      assert.equal((await memory.decision.get({ id })).decision.topic, 'db:login');
  });

  it('[Y-6] whoever deletes, restores, moves or renames something is heard, however far their clock is behind', async (test) => {
    const folder = folderFor(test);
    let ahead = Date.UTC(2027, 0, 1);
    const kim = await sqlite.open({ clock: () => (ahead += 1000) });
    let behind = Date.UTC(2026, 0, 1);
    const lee = await engine.open({ clock: () => (behind += 1000) });
    const note = await kim.mem.save({ title: 'gone', content: 'a note' });
    const back = await kim.mem.save({ title: 'back', content: 'another note' });
    await kim.delete({ ref: back.id });
    await kim.mama.save({ topic: 'one', decision: 'JWT' });
    await kim.rename({ from: 'one', to: 'first' });
    await kim.sync(folder);
    await lee.sync(folder);
    const idOf = async (title: string) =>
      (await rowsOf(lee)).find((row) => row.title === title && row.table === 'observations')?.id as number;
    await lee.delete({ ref: await idOf('gone') });
    await lee.undelete({ ref: await idOf('back') });
    await lee.rename({ from: 'first', to: '처음' });
    const mine = await shown(lee);
    for (const memory of [lee, kim, lee]) await memory.sync();
    assert.deepEqual(await shown(lee), mine);
    assert.deepEqual(await shown(kim), mine);
    assert.equal((await kim.mem.getObservation({ id: note.id })).deleted, true);
  });

  it('[Y-6] a version is dated by its machine, or as the one before it where that is later, and by no other chain', async (test) => {
    const folder = folderFor(test);
    const now = Date.UTC(2026, 5, 1);
    const ahead = await sqlite.open({ clock: () => now + 365 * DAY });
    const behind = await engine.open({ clock: () => now });
    await ahead.mama.save({ topic: 'auth:token', decision: 'JWT' });
    await ahead.sync(folder);
    await behind.sync(folder);
    const next = await behind.mama.save({ topic: 'auth:token', decision: 'opaque tokens' });
    const other = await behind.mama.save({ topic: 'db', decision: 'One file' });
    const dateOf = async (id: string) => (await behind.decision.get({ id })).decision.createdAt;
    assert.equal(Date.parse(String(await dateOf(next.id))), now + 365 * DAY);
    assert.equal(Date.parse(String(await dateOf(other.id))), now);
    await behind.sync();
    await ahead.sync();
    assert.deepEqual(await shown(ahead), await shown(behind));
    for (const memory of [ahead, behind]) assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[Y-1] [U-6] what a topic was called before the first sync leads to it on every machine, through a third one, too', async (test) => {
    const [one, other] = [folderFor(test), folderFor(test)];
    const [kim, between, lee] = [await sqlite.open(), await engine.open(), await sqlite.open()];
    await kim.mama.save({ topic: '인증', decision: 'JWT' });
    await kim.rename({ from: '인증', to: 'auth:token' });
    await kim.sync(one);
    await lee.mama.save({ topic: 'login', decision: 'with a token' });
    await lee.sync(other);
    for (const folder of [one, other, one]) await between.sync(folder);
    for (const [memory, folder] of [
      [lee, other],
      [kim, one],
    ] as const) {
      await memory.sync(folder);
      assert.equal((await memory.decision.get({ id: '인증' })).decision.topic, 'auth:token');
      assert.equal((await memory.sync())?.said, 0);
      assert.deepEqual((await memory.inspect()).problems, []);
      assert.deepEqual(await shown(memory), await shown(between));
    }
    await between.redact('auth:token', '인증');
    await between.rename({ from: 'login', to: '비밀' });
    for (const memory of [between, lee]) await memory.sync(other);
    await between.redact('비밀', '비밀');
    for (const memory of [between, lee, between]) await memory.sync(other);
    for (const memory of [between, lee])
      assert.doesNotMatch((await exported(memory)).join('\n'), /인증|비밀/);
    assert.equal((await lee.decision.get({ id: 'auth:token' })).decision.text, 'JWT');
    assert.deepEqual(await shown(lee), await shown(between));
  });

  it('[Y-1] [U-6] a topic that was renamed elsewhere is found once, with the version that came with its new name', async (test) => {
    const folder = folderFor(test);
    const kim = await sqlite.open();
    const others = [await engine.open(), await sqlite.open()];
    await kim.mama.save({ topic: '인증:토큰', decision: 'JWT' });
    for (const memory of [kim, ...others]) await memory.sync(folder);
    await kim.mama.save({ topic: '인증:토큰', decision: 'opaque tokens' });
    await kim.rename({ from: '인증:토큰', to: 'auth:token' });
    for (const memory of [kim, ...others]) await memory.sync();
    const found = async (memory: Memory) =>
      (await memory.mama.search({ query: 'auth:token' })).results.map(({ decision }) => decision);
    assert.equal((await found(kim)).length, 2);
    for (const memory of others) {
      assert.deepEqual(await shown(memory), await shown(kim));
      assert.deepEqual((await memory.inspect()).problems, []);
      assert.deepEqual(await found(memory), await found(kim));
    }
  });

  it('[Y-6] [O-7] the newest outcome is the same on every machine: of two of one decision the later by date, whatever came first', async (test) => {
    const folder = folderFor(test);
    const now = Date.UTC(2026, 5, 1);
    const ahead = await sqlite.open({ clock: () => now + 365 * DAY });
    const [behind, lee] = [await engine.open({ clock: () => now }), await sqlite.open({ clock: () => now })];
    const all = [ahead, behind, lee];
    const { id } = await behind.mama.save({ topic: 'auth:token', decision: 'JWT' });
    const say = (memory: Memory, outcome: 'failed' | 'success', reason: string) =>
      memory.mama.update({ id, outcome, reason });
    const agreed = async (outcome: string, reason: string) => {
      for (const memory of [...all, ...all]) await memory.sync();
      for (const memory of all) {
        const { decision } = await memory.decision.get({ id });
        assert.deepEqual([decision.outcome, decision.outcomeReason], [outcome, reason]);
        assert.deepEqual(await shown(memory), await shown(ahead));
        assert.deepEqual((await memory.inspect()).problems, []);
      }
    };
    for (const memory of [behind, ahead, lee]) await memory.sync(folder);
    await say(ahead, 'failed', 'said next year');
    await say(behind, 'success', 'said today');
    await agreed('failed', 'said next year');
    await say(lee, 'success', 'whoever says it has seen the other one');
    await agreed('success', 'whoever says it has seen the other one');
    const fresh = await engine.open();
    await fresh.sync(folder);
    assert.deepEqual(await shown(fresh), await shown(ahead));
  });

  it('[Y-1] [Y-6] two machines that are behind a third rewrite one note: all has both texts in one order', async (test) => {
    const folder = folderFor(test);
    const now = Date.UTC(2026, 5, 1);
    const ahead = await sqlite.open({ clock: () => now + 365 * DAY });
    // Of ten thousand notes that both rewrite, some get ids that begin alike.
    const [one, other] = [1, 2].map((digit) => ({
      clock: () => now,
      newId: () => `abc${digit}${randomUUID().slice(4)}`,
    }));
    const all = [ahead, await engine.open(one), await sqlite.open(other)];
    await ahead.mem.save({ title: 'note', content: 'as it began', topic_key: 'k' });
    for (const memory of all) await memory.sync(folder);
    for (const [at, memory] of all.slice(1).entries())
      await memory.mem.save({ title: 'note', content: `as machine ${at} has it`, topic_key: 'k' });
    for (const memory of [...all, ...all]) await memory.sync();
    for (const memory of all) assert.deepEqual(await shown(memory), await shown(ahead));
    assert.equal((await rowsOf(ahead)).filter(({ table }) => table === 'observationRevisions').length, 2);
  });
});
