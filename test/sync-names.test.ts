import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type Memory, openMemory } from '../src/index.ts';
import { type Fact, nameOf } from '../src/sync/facts.ts';
import { nameChains } from '../src/sync/names.ts';
import { withinProcessorTime } from './support/clock.ts';
import { engines, sqlite } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { openRaw, storeOn } from './support/raw-engine.ts';
import { exported } from './support/stream.ts';
import { namesIn, rowsOf, shown } from './support/synced.ts';

const engine = engines.find(({ name, skip }) => name === 'PostgreSQL' && !skip) ?? sqlite;

function folderFor(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-sync-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const calledBy = async (memory: Memory, name: string) =>
  (await memory.decision.get({ id: name })).decision.topic;

describe('names on two machines', () => {
  it('[Y-1] [U-6] every name that a topic had leads to it on a machine that hears all of them at once', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    const names = ['인증', 'auth', 'auth:token', 'login:token'];
    await kim.mama.save({ topic: '인증', decision: 'JWT' });
    for (const [at, name] of names.slice(1).entries()) await kim.rename({ from: names[at] ?? '', to: name });
    for (const memory of [kim, lee]) await memory.sync(folder);
    for (const name of names) assert.equal(await calledBy(lee, name), 'login:token', name);
    await lee.mama.save({ topic: 'auth', decision: 'opaque tokens' });
    for (const memory of [lee, kim]) await memory.sync();
    assert.deepEqual(await shown(kim), await shown(lee));
    assert.deepEqual([(await kim.sync())?.said, (await lee.sync())?.said], [0, 0]);
    // A name that was given by mistake leads nowhere on either.
    await kim.rename({ from: 'auth', to: 'oops' });
    for (const memory of [kim, lee]) await memory.sync();
    assert.equal(await calledBy(lee, 'oops'), 'oops');
    await kim.undo({});
    for (const memory of [kim, lee]) await memory.sync();
    for (const memory of [kim, lee]) {
      assert.equal(await calledBy(memory, 'login:token'), 'login:token');
      await refuses(memory.decision.get({ id: 'oops' }), 'not_found');
      assert.deepEqual((await memory.inspect()).problems, []);
    }
    await kim.redact('auth', 'auth:token');
    for (const memory of [kim, lee]) await memory.sync();
    for (const memory of [kim, lee])
      assert.doesNotMatch(
        (await exported(memory)).join('\n'),
        /auth:token/,
        'a name of long ago is blanked, too',
      );
  });

  it('[Y-1] [U-6] a renaming elsewhere does not take a name from where it was joined, nor its undo from who had it', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    for (const name of ['n:0', 'n:z', 'w:x', 'w:y'])
      await kim.mama.save({ topic: name, decision: `About ${name}` });
    await kim.rename({ from: 'n:0', to: 'n:a' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    await kim.rename({ from: 'n:a', to: 'n:z', join: true });
    await kim.sync();
    assert.equal(await calledBy(kim, 'n:a'), 'n:z');
    await kim.rename({ from: 'w:y', to: 'w:z' });
    await lee.rename({ from: 'n:a', to: 'n:n' });
    await lee.rename({ from: 'w:x', to: 'w:y2' });
    for (const memory of [lee, kim, lee]) await memory.sync();
    assert.equal(await calledBy(kim, 'n:a'), 'n:z');
    for (const memory of [kim, lee]) {
      assert.equal(await calledBy(memory, 'w:y'), 'w:z');
      assert.equal(await calledBy(memory, 'w:x'), 'w:y2');
    }
  });

  it('[Y-1] [U-6] a name that one topic gave up, and another had and lost again, leads to the first', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    await kim.mama.save({ topic: 'w:x', decision: 'Xray' });
    await lee.mama.save({ topic: 'w:y', decision: 'Yankee' });
    await lee.rename({ from: 'w:y', to: 'w:z' });
    await kim.rename({ from: 'w:x', to: 'w:y' });
    await kim.undo({});
    for (const memory of [kim, lee, kim]) await memory.sync(folder);
    for (const memory of [kim, lee]) {
      assert.equal(await calledBy(memory, 'w:y'), 'w:z');
      assert.equal(await calledBy(memory, 'w:x'), 'w:x');
      assert.deepEqual((await memory.inspect()).problems, []);
    }
  });

  it('[Y-1] [Y-4] of two names that two machines gave one topic the later holds on both, the other leads to it, and it is said', async (test) => {
    const folder = folderFor(test);
    const now = Date.UTC(2026, 5, 1);
    const [kim, lee, seo] = [
      await sqlite.open({ clock: () => now }),
      await engine.open({ clock: () => now + 1000 }),
      await sqlite.open(),
    ] as [Memory, Memory, Memory];
    await kim.mama.save({ topic: '인증', decision: 'JWT' });
    for (const memory of [kim, lee, seo]) await memory.sync(folder);
    await kim.rename({ from: '인증', to: 'auth' });
    await kim.rename({ from: 'auth', to: 'auth:token' });
    await lee.rename({ from: '인증', to: 'login' });
    await kim.sync();
    const said = [await lee.sync(), await kim.sync()].map((each) => each?.warnings.join('\n') ?? '');
    for (const warning of said)
      for (const word of ['to "auth:token"', 'called "login" now', 'precedent rename "login" NAME'])
        assert(warning.includes(word), warning);
    await seo.sync();
    for (const memory of [kim, lee, seo]) {
      for (const name of ['인증', 'auth', 'auth:token', 'login'])
        assert.equal(await calledBy(memory, name), 'login', name);
      const { said: again, warnings } = (await memory.sync()) ?? {};
      assert.deepEqual([again, warnings], [0, []], 'it is said once');
      assert.deepEqual((await memory.inspect()).problems, []);
    }
    await kim.rename({ from: 'login', to: 'auth:token' });
    for (const memory of [kim, lee]) assert.deepEqual((await memory.sync())?.warnings, []);
    assert.equal(await calledBy(lee, 'login'), 'auth:token');
    assert.deepEqual(await shown(kim), await shown(lee));
  });

  it('[Y-1] topics that were called alike on one machine, if only for a while, are one on all of them', async (test) => {
    const folder = folderFor(test);
    const [kim, lee, seo] = [await sqlite.open(), await engine.open(), await sqlite.open()] as Memory[];
    const machines = [kim, lee, seo] as [Memory, Memory, Memory];
    for (const memory of machines) await memory.sync(folder);
    const [one, two, three] = machines;
    await two.mama.save({ topic: 'cache', decision: 'of Lee' });
    await one.mama.save({ topic: 'cache', decision: 'of Kim' });
    await two.sync();
    await one.rename({ from: 'cache', to: 'redis' });
    await three.sync();
    await three.rename({ from: 'cache', to: 'redis' });
    for (const memory of [three, one]) await memory.sync();
    await one.undo({});
    for (let round = 0; round < 3; round++) for (const memory of machines) await memory.sync();
    for (const memory of machines) {
      assert.deepEqual(await shown(memory), await shown(one));
      const { versions } = await memory.decision.get({ id: 'cache' });
      assert.deepEqual(
        versions.map(({ text }) => text),
        ['of Lee', 'of Kim'],
      );
      assert.equal((await memory.sync())?.said, 0);
    }
  });

  it('[Z-13] [U-6] a renaming that was undone takes no topic of another machine away, whatever each had heard', async (test) => {
    for (const isHeard of [true, false]) {
      const folder = folderFor(test);
      const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
      await lee.mama.save({ topic: 'db:engine', decision: 'PostgreSQL' });
      for (const memory of [lee, kim]) await memory.sync(folder);
      await kim.mama.save({ topic: 'ui:font', decision: 'Arial' });
      await lee.rename({ from: 'db:engine', to: 'ui:font' });
      for (const memory of isHeard ? [lee, kim, lee] : [lee, kim]) await memory.sync();
      await lee.undo({});
      for (const memory of [lee, kim, lee, kim]) await memory.sync();
      for (const memory of [kim, lee]) {
        for (const name of ['db:engine', 'ui:font']) {
          const { versions } = await memory.decision.get({ id: name });
          assert.deepEqual(versions.map(({ text }) => text).sort(), ['Arial', 'PostgreSQL'], name);
        }
        assert.deepEqual((await memory.inspect()).problems, []);
        assert.equal((await memory.sync())?.said, 0);
      }
      assert.deepEqual(await shown(kim), await shown(lee));
    }
  });

  it('[Y-1] [D-19] a former name that another topic has in capitals leads to one topic everywhere', async (test) => {
    const folder = folderFor(test);
    const machines = [await sqlite.open(), await engine.open(), await sqlite.open()] as Memory[];
    const [kim, lee, seo] = machines as [Memory, Memory, Memory];
    for (const memory of machines) await memory.sync(folder);
    await seo.mama.save({ topic: 'web:cache', decision: 'of Seo' });
    await kim.mama.save({ topic: 'Web:Cache', decision: 'of Kim' });
    await kim.rename({ from: 'Web:Cache', to: 'auth:token' });
    await lee.mama.save({ topic: 'Web:Cache', decision: 'of Lee' });
    for (const memory of [lee, kim, seo, lee]) await memory.sync();
    for (const memory of machines) await memory.sync();
    const [names, ...others] = await namesIn(machines);
    for (const each of others) assert.deepEqual(each, names);
    for (const memory of machines) assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[Y-1] [U-6] a machine whose clock is behind lets a name that it gave up lead where the others do', async (test) => {
    const folder = folderFor(test);
    const now = Date.UTC(2026, 5, 1);
    const [kim, lee] = [await sqlite.open({ clock: () => now }), await engine.open()] as [Memory, Memory];
    await lee.mama.save({ topic: 'cache', decision: 'of Lee' });
    await lee.rename({ from: 'cache', to: 'redis' });
    await lee.sync(folder);
    await kim.mama.save({ topic: 'cache', decision: 'of Kim' });
    await kim.sync(folder);
    await lee.sync();
    for (const memory of [kim, lee]) assert.equal(await calledBy(memory, 'cache'), 'cache');
    await kim.rename({ from: 'cache', to: 'valkey' });
    for (const memory of [kim, lee]) await memory.sync();
    for (const memory of [kim, lee]) assert.equal(await calledBy(memory, 'cache'), 'redis');
  });

  it('[Y-1] [D-19] a spelling that an undone renaming takes away leaves the others found in any spelling', async (test) => {
    const folder = folderFor(test);
    const machines = [await sqlite.open(), await engine.open()] as Memory[];
    const [kim, lee] = machines as [Memory, Memory];
    for (const memory of machines) await memory.sync(folder);
    await lee.mama.save({ topic: 'web:cache', decision: 'of Lee' });
    await kim.mama.save({ topic: 'Web:Cache', decision: 'of Kim' });
    await kim.rename({ from: 'Web:Cache', to: 'web:cache' });
    for (const memory of [kim, lee, kim]) await memory.sync();
    await kim.undo({});
    assert.equal(await calledBy(kim, 'WEB:CACHE'), 'Web:Cache');
    for (const memory of [kim, lee]) await memory.sync();
    for (const memory of machines) {
      for (const name of ['Web:Cache', 'web:cache', 'WEB:CACHE'])
        assert.equal(await calledBy(memory, name), 'Web:Cache', name);
      assert.deepEqual((await memory.inspect()).problems, []);
    }
  });

  it('[Y-4] a command that a sync says names no topic into which a shell reads something', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    const { id } = await kim.mama.save({ topic: '인증', decision: 'JWT' });
    for (const memory of [kim, lee]) await memory.sync(folder);
    const evil = 'auth:$(touch pwned)`id`';
    await kim.rename({ from: '인증', to: 'login' });
    await kim.mama.update({ id, outcome: 'success' });
    await kim.sync();
    await lee.rename({ from: '인증', to: evil });
    await lee.mama.update({ id, outcome: 'failed', reason: 'too long' });
    const said = (await lee.sync())?.warnings ?? [];
    assert.deepEqual(
      said.flatMap((each) => /: (precedent .*)$/.exec(each)?.[1] ?? []),
      [`precedent rename ${id} NAME`, `precedent worked ${id} WHY`],
    );
    await kim.mama.save({ topic: evil, decision: 'opaque tokens' });
    await lee.mama.save({ topic: evil, decision: 'sessions' });
    for (const memory of [lee, kim]) await memory.sync();
    assert.match((await kim.sync())?.decidedTwice[0]?.settle ?? '', /^precedent settle [\da-f-]{36}$/);
  });

  it('[U-6] [O-7] a topic that was renamed at the last moment that there is can be renamed, a decision tried again, and nothing is damaged', async () => {
    const memory = await engine.open({ clock: () => 8_640_000_000_000_000 });
    await memory.mama.save({ topic: '인증', decision: 'JWT' });
    await memory.rename({ from: '인증', to: 'auth' });
    await memory.rename({ from: 'auth', to: 'login' });
    assert.equal(await calledBy(memory, '인증'), 'login');
    for (const outcome of ['success', 'failed'] as const) {
      await memory.mama.update({ id: 'login', outcome });
      assert.equal((await memory.decision.get({ id: 'login' })).decision.outcome, outcome);
    }
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[Z-6] however often another machine renames one topic, the time grows with that', async () => {
    const place = await sqlite.alone();
    await using memory = await openMemory(place);
    const { id: decision } = await memory.mama.save({ topic: '이름', decision: 'One of many names' });
    const by = ['', '', 'test', 'test'] as const;
    const called = Array.from({ length: 60_000 }, (_, at) => ({
      ...{ k: 'called', id: `n${at}`, at, by: [...by], decision, topic: `n:${at + 1}`, was: `n:${at}` },
      gone: false,
    })) as unknown as Fact<'called'>[];
    const ours = new Map(called.map((fact) => [nameOf(fact), fact]));
    const store = storeOn(await openRaw(place));
    const writer = { author: '', host: '', client: 'test', session: 'test' };
    await withinProcessorTime(8_000, () =>
      store.write(writer, (tx) => nameChains(tx, { called, blank: [], ours }, () => tx)),
    );
    assert.equal(await calledBy(memory, '이름'), 'n:60000');
  });

  it('[Y-1] [Y-4] a note that two machines changed keeps both texts, and the sync names the command that shows them', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    for (const title of ['first', '노트'])
      await kim.mem.save({ title, content: 'as it began', topic_key: title });
    for (const memory of [kim, lee]) await memory.sync(folder);
    const save = (memory: Memory, content: string, title = '노트') =>
      memory.mem.save({ title, content, topic_key: title });
    await save(kim, 'of Kim');
    await save(kim, 'of Kim alone', 'first');
    assert.deepEqual((await kim.sync())?.warnings, []);
    const { id } = await save(lee, 'of Lee');
    const [warning = '', ...more] = (await lee.sync())?.warnings ?? [];
    assert.deepEqual(more, [], 'of what only Kim changed nothing is said');
    assert.match(warning, /precedent show "#\d+" --history/);
    const [, number] = /show "#(\d+)" --history/.exec(warning) ?? [];
    assert.equal(Number(number), id);
    const history = JSON.stringify(await lee.call('history', { ref: `#${number}` }));
    for (const text of ['as it began', 'of Kim', 'of Lee']) assert(history.includes(text), history);
    for (const memory of [kim, lee]) assert.deepEqual((await memory.sync())?.warnings, []);
    // Whoever says the same says nothing else.
    for (const memory of [kim, lee]) await save(memory, 'agreed');
    for (const memory of [kim, lee]) assert.deepEqual((await memory.sync())?.warnings, []);
    // One after the other, each has seen what was there.
    await save(kim, 'next');
    for (const memory of [kim, lee]) assert.deepEqual((await memory.sync())?.warnings, []);
  });

  it('[Z-13] [Y-1] of two relations of one type between the same notes the later holds on every machine, and leaves no other behind', async (test) => {
    const folder = folderFor(test);
    const now = Date.UTC(2026, 5, 1);
    const machines = [
      await sqlite.open({ clock: () => now }),
      await engine.open({ clock: () => now + 1000 }),
      await sqlite.open({ clock: () => now }),
    ] as [Memory, Memory, Memory];
    const [kim, lee, seo] = machines;
    for (const title of ['one', 'two']) await kim.mem.save({ title, content: title });
    for (const memory of machines) await memory.sync(folder);
    const relate = (memory: Memory, note: string) =>
      memory.mem.relate({ from_id: 1, to_id: 2, relation_type: 'causes', note });
    for (const [memory, note] of [
      [kim, 'of Kim'],
      [lee, 'of Lee'],
      [seo, 'of Seo'],
    ] as const)
      await relate(memory, note);
    for (let round = 0; round < 3; round++) for (const memory of machines) await memory.sync();
    const notes = async (memory: Memory) =>
      (await rowsOf(memory)).flatMap(({ table, note }) => (table === 'relations' ? [note] : []));
    for (const memory of machines) assert.deepEqual(await notes(memory), ['of Lee']);
    const { relations } = await seo.mem.getObservation({ id: 1 });
    await seo.mem.unrelate({ relation_id: relations.outgoing[0]?.id ?? 0 });
    for (const memory of [seo, ...machines]) await memory.sync();
    for (const memory of machines) assert.deepEqual(await notes(memory), [], 'no other comes back');
  });

  it('[Y-2] [O-7] outcomes that two machines gave one decision are both kept, and who hears of it is told', async (test) => {
    const folder = folderFor(test);
    const [kim, lee] = [await sqlite.open(), await engine.open()] as [Memory, Memory];
    for (const topic of ['q', 'same', 'undone'])
      await kim.mama.save({ topic, decision: `Rows keep the state of ${topic}` });
    for (const memory of [kim, lee]) await memory.sync(folder);
    const tell = (memory: Memory, id: string, outcome: 'failed' | 'success', reason: string) =>
      memory.mama.update({ id, outcome, reason });
    await tell(kim, 'q', 'failed', 'lost a row');
    await tell(kim, 'same', 'success', 'of Kim');
    await tell(kim, 'undone', 'failed', 'of Kim');
    assert.deepEqual((await kim.sync())?.warnings, []);
    await tell(lee, 'undone', 'success', 'by mistake');
    await lee.undo({});
    await tell(lee, 'same', 'success', 'of Lee');
    await tell(lee, 'q', 'success', 'held a month');
    assert.deepEqual((await lee.sync())?.warnings, [
      '"q" was tried on two machines: "failed" on one, "worked" on the other. The later one counts: "worked". Otherwise: precedent failed "q" WHY',
    ]);
    for (const memory of [kim, lee]) assert.deepEqual((await memory.sync())?.warnings, []);
    for (const memory of [kim, lee]) {
      const { versions } = (await memory.call('show', { ref: 'q' })).decision as {
        versions: { outcomes: { outcome: string }[] }[];
      };
      assert.deepEqual(
        versions[0]?.outcomes.map(({ outcome }) => outcome),
        ['failed', 'success'],
      );
    }
    // What was replaced meanwhile is called by its id.
    const { id } = (await lee.decision.get({ id: 'same' })).decision;
    await tell(kim, 'same', 'failed', 'after a year');
    await kim.sync();
    await tell(lee, 'same', 'success', 'still');
    await lee.mama.save({ topic: 'same', decision: 'Rows keep nothing' });
    const [said = '', ...more] = (await lee.sync())?.warnings ?? [];
    assert.match(said, /^"same@1" was tried on two machines/);
    assert(said.endsWith(`precedent failed ${id} WHY`), said);
    assert.deepEqual(more, []);
    await kim.sync();
    // One after the other, each has seen what was there.
    await tell(kim, 'q', 'failed', 'lost another');
    for (const memory of [kim, lee]) assert.deepEqual((await memory.sync())?.warnings, []);
  });
});
