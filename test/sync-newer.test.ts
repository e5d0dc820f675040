import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { canonical, sha256 } from '../src/domain/text/digest.ts';
import type { Memory } from '../src/index.ts';
import { newestFormat, SINCE } from '../src/sync/check.ts';
import { engines, sqlite } from './support/engines.ts';
import { asOlder } from './support/newer.ts';
import { runs } from './support/part.ts';
import { generator } from './support/random.ts';
import { exported } from './support/stream.ts';
import { rowsOf, served, step } from './support/synced.ts';
import { factsIn } from './support/wrong-facts.ts';

function folderFor(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-newer-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Says lines as a machine of a newer program does. */
function say(folder: string, facts: object[], machine = 'm-new'): void {
  const text = facts.map((fact) => `${JSON.stringify(fact)}\n`).join('');
  mkdirSync(join(folder, machine), { recursive: true });
  writeFileSync(join(folder, machine, `${sha256(text).slice(0, 32)}.jsonl`), text);
}

const AT = 1_760_000_000_000;
const BY = ['이', '노트북', 'cli', ''];
const DECISION = {
  ...{ f: 1, k: 'decision', id: 'new-1', at: AT, by: BY, topic: 'x', basedOn: null, withdrawn: 0 },
  ...{ text: '석회로 쌓는다', reasoning: null, strength: 'normal', scope: 'x', confidence: 0.5 },
};
/** Fields, kinds and a format that no program of today knows. */
const FIELD = { ...DECISION, mood: { 기분: 'glad of hunter2-secret', n: [1, 'two'] } };
const COMMENT = {
  f: 1,
  k: 'comment',
  id: 'c-1',
  at: AT,
  by: BY,
  decision: 'new-1',
  said: '비밀은 hunter2-secret',
};
const LATER = { ...DECISION, f: newestFormat() + 1, id: 'new-2', text: ['in', 'parts'] };

const sorted = (facts: object[]) => facts.map(canonical).sort();
/** The facts of a folder that are newer. */
const newerIn = (folder: string) =>
  sorted(
    [...new Map(factsIn(folder).map((fact) => [JSON.stringify(fact), fact])).values()].filter(
      ({ k, id }) => k === 'comment' || (k === 'decision' && String(id).startsWith('new-')),
    ),
  );

describe('facts of a newer program', () => {
  for (const engine of engines) {
    it(`[J-5] an older one keeps them, sends them on by a folder and a server, and says so, on ${engine.name}`, {
      skip: engine.skip,
    }, async (test) => {
      const [first, second, third] = [folderFor(test), folderFor(test), folderFor(test)];
      say(first, [FIELD, COMMENT, LATER]);
      const old = (await engine.open()) as Memory;
      const heard = await old.sync(first);
      assert.match(
        heard?.warnings.join() ?? '',
        /a newer version of Precedent wrote some of it, which is kept/,
      );
      assert.equal((await old.sync())?.said, 0, 'the folder has them');
      assert.deepEqual((await old.inspect()).problems, []);
      assert.match(
        (await old.inspect()).notes.join(),
        /3 facts of a newer version are kept; update to read them/,
      );
      assert.equal((await old.decision.list({})).decisions.length, 1);
      // Another folder, a server between, and an export.
      await old.sync(second);
      const { files, revisit, branch, tidies, ...known } = factsIn(second).find(
        ({ id }) => id === 'new-1',
      ) as never as Record<string, unknown>;
      assert.deepEqual([files, revisit, branch, tidies], [null, null, null, null]);
      assert.deepEqual(
        sorted([known, ...factsIn(second).filter(({ id }) => id !== 'new-1')]),
        sorted([FIELD, COMMENT, LATER]),
      );
      const { at, token } = await served(test, await sqlite.open());
      await old.sync(at, { token });
      const lee = await sqlite.open();
      await lee.sync(at, { token });
      await lee.sync(third);
      assert.deepEqual(newerIn(third), newerIn(second));
      const copy = await engine.open();
      await copy.import(await exported(old));
      const again = folderFor(test);
      await copy.sync(again);
      assert.deepEqual(newerIn(again), newerIn(second));
      const used = await sqlite.open();
      await used.mama.save({ topic: 'own', decision: 'of this machine' });
      await used.import(await exported(old), undefined, { merge: true });
      const merged = folderFor(test);
      await used.sync(merged);
      assert.deepEqual(newerIn(merged), newerIn(second));
    });

    it(`[J-5] [Y-7] a redaction reaches them, here, in the files and on every other machine, on ${engine.name}`, {
      skip: engine.skip,
    }, async (test) => {
      const folder = folderFor(test);
      say(folder, [FIELD, COMMENT, LATER]);
      const [kim, lee] = [(await engine.open()) as Memory, await sqlite.open()];
      for (const memory of [kim, lee]) await memory.sync(folder);
      await kim.redact('new-1', 'hunter2-secret');
      await kim.sync();
      await lee.sync();
      for (const memory of [kim, lee])
        assert(!JSON.stringify(await rowsOf(memory)).includes('hunter2-secret'), 'no row has it');
      assert(!JSON.stringify(factsIn(folder)).includes('hunter2-secret'), 'nor any file');
      assert.match(JSON.stringify(factsIn(folder)), /비밀은 \[REDACTED\]/);
      assert.match(JSON.stringify(factsIn(folder)), /glad of \[REDACTED\]/);
      await kim.redact('new-1');
      assert(!JSON.stringify(await rowsOf(kim)).includes('two'), 'and the whole record all of its fields');
      assert.deepEqual((await kim.inspect()).problems, []);
    });

    it(`[J-5] an update reads what was kept at its next sync: a kind, and a field, on ${engine.name}`, {
      skip: engine.skip,
    }, async (test) => {
      const [folder, other] = [folderFor(test), folderFor(test)];
      const [kim, lee] = [await sqlite.open(), (await engine.open()) as Memory];
      const { id } = await kim.mama.save({ topic: '벽', decision: 'Bricks', files: 'src/**' } as never);
      await kim.anchor.save({ hint: '지붕을 볼 것', type: 'decision_link', targetRef: id });
      await kim.sync(folder);
      await asOlder(() => lee.sync(folder));
      assert.equal((await lee.decision.get({ id })).decision.files, null);
      await asOlder(() => lee.sync(other));
      // The place that they came from is gone: nothing is read anew.
      rmSync(folder, { recursive: true });
      await lee.sync();
      assert.equal((await lee.decision.get({ id })).decision.files, 'src/**');
      assert.match(JSON.stringify(await lee.show({ ref: id })), /지붕을 볼 것/);
      assert.deepEqual((await lee.inspect()).notes, []);
      assert.deepEqual((await lee.inspect()).problems, []);
    });
  }

  it('[J-5] [CO-1] an older one hears all but the facts with a newer word, and those after its update', async (test) => {
    const folder = folderFor(test);
    SINCE.push(['link', 'relationship', 'debates', 2]);
    test.after(() => SINCE.pop());
    const [kim, lee] = [await sqlite.open(), await sqlite.open()];
    const wall = await kim.mama.save({ topic: '벽', decision: 'Bricks' });
    const reasoning = `debates: ${wall.id}`;
    const roof = await kim.mama.save({ topic: '지붕', decision: 'Tiles', reasoning });
    await kim.sync(folder);
    const formats = Map.groupBy(factsIn(folder), ({ f }) => f);
    assert.deepEqual(
      formats.get(2)?.map(({ k, from }) => [k, from]),
      [['link', roof.id]],
    );
    assert.deepEqual([...formats.keys()].sort(), [1, 2]);
    await asOlder(() => lee.sync(folder));
    const shown = async () =>
      (await rowsOf(lee)).filter(({ table }) => table === 'decisionEdges').map(({ fromId }) => fromId);
    assert.equal((await lee.decision.list({})).decisions.length, 2, 'both decisions are here');
    assert.deepEqual(await shown(), [], 'the link is kept');
    await lee.sync(folderFor(test));
    assert.deepEqual(await shown(), [roof.id]);
    assert.deepEqual([(await lee.inspect()).notes, (await lee.inspect()).problems], [[], []]);
  });

  it('[J-5] what is no fact, too long, or of a note that was deleted for good is not kept', async (test) => {
    const folder = folderFor(test);
    const memory = await sqlite.open();
    const note = await memory.mem.save({ title: 'note', content: 'of it' });
    await memory.sync(folder);
    const uid = factsIn(folder).find(({ k }) => k === 'observation')?.id;
    const wrong = [
      { ...COMMENT, k: '' },
      { ...COMMENT, id: 'x'.repeat(600) },
      { ...COMMENT, at: 9e15 },
      { ...COMMENT, '': 1 },
      { ...COMMENT, said: 'x'.repeat(1_100_000) },
      { ...FIELD, id: 'new-3', mood: 'x'.repeat(1_100_000) },
      { ...FIELD, id: 'new-4', 'not a name': 1 },
    ];
    say(folder, [...wrong, { ...COMMENT, id: 'c-2', observation: uid }]);
    // One that waits for its decision comes again with each whole sync.
    const waiting = {
      f: 1,
      k: 'outcome',
      id: 'o-1',
      at: AT,
      by: BY,
      decision: 'nowhere',
      outcome: 'failed',
      reason: null,
    };
    say(folder, [{ ...waiting, mood: 'x' }], 'm-waits');
    const { warnings } = (await memory.sync()) ?? assert.fail();
    await memory.sync(folder);
    assert.equal(warnings.length, wrong.length + 2, warnings.join('\n'));
    assert.match((await memory.inspect()).notes.join(), /2 facts of a newer version are kept/);
    await memory.delete({ ref: note.id, hard_delete: true });
    await memory.sync();
    assert.match(
      (await memory.inspect()).notes.join(),
      /1 fact of a newer version is kept; update to read it/,
    );
    assert(!JSON.stringify(factsIn(folder)).includes('c-2'));
  });

  it('[J-5] a state keeps what a newer program wrote of it where an older one changes it', async (test) => {
    const [folder, other] = [folderFor(test), folderFor(test)];
    const [kim, lee] = [await sqlite.open(), await sqlite.open()];
    const note = await kim.mem.save({ title: 'note', content: 'of it' });
    await kim.sync(folder);
    const place = factsIn(folder).find(({ k }) => k === 'place') as never as { at: number };
    say(folder, [{ ...place, at: place.at + 1, shelf: '선반' }]);
    await kim.sync();
    await kim.mem.update({ id: note.id, project: 'moved' });
    await kim.sync();
    await lee.sync(folder);
    await lee.sync(other);
    const [moved] = factsIn(other).filter(({ k }) => k === 'place');
    assert.deepEqual([moved?.project, moved?.shelf], ['moved', '선반']);
  });

  it('[J-5] whatever two old programs and a new one do, and in which order they are updated, all know the same in the end', async (test) => {
    const { numRuns, seed } = runs(24, 1);
    for (let life = 0; life < numRuns; life++)
      await live(test, generator(seed + 8 * life), `life ${seed + 8 * life}`);
  });
});

/** The latest facts that a memory says in a place of its own. */
async function saidBy(test: TestContext, memory: Memory): Promise<string[]> {
  const folder = folderFor(test);
  await memory.sync(folder);
  return sorted(factsIn(folder));
}

/** Kim meets Lee in a folder, Lee the hub, and the hub Seo: whatever Kim says goes through two old programs. */
async function live(test: TestContext, random: () => number, said: string): Promise<void> {
  const shared = folderFor(test);
  const [kim, lee, hub, seo] = await Promise.all([1, 2, 3, 4].map(() => sqlite.openFast()));
  assert(kim && lee && hub && seo);
  const old = new Set<Memory>([lee, hub, ...(random() < 0.5 ? [seo] : [])]);
  const as = <T>(memory: Memory, work: () => Promise<T>) => (old.has(memory) ? asOlder(work) : work());
  const places = new Map([lee, seo].map((memory) => [memory, folderFor(test)]));
  const meetHub = async (memory: Memory) => {
    const place = places.get(memory) as string;
    const meet = () => as(memory, () => (memory === lee ? memory.sync(place) : memory.sync(place)));
    await meet();
    rmSync(join(place, 'm-hub'), { recursive: true, force: true });
    const lines = factsIn(place).map((fact) => `${JSON.stringify(fact)}\n`);
    await as(hub, () => hub.takeFacts([Buffer.from(lines.join(''))]));
    const [, ...sent] = (await as(hub, () => hub.sendFacts())).trim().split('\n');
    say(
      place,
      sent.map((line) => JSON.parse(line)),
      'm-hub',
    );
    await meet();
  };
  const meetAll = async () => {
    for (const memory of [kim, lee]) await as(memory, () => memory.sync(shared));
    for (const memory of [lee, seo]) await meetHub(memory);
  };
  const decided: string[] = [];
  for (let done = 0; done < 24; done++) {
    const dice = random();
    if (dice < 0.2) {
      const topic = `새:${Math.floor(random() * 3)}`;
      const files = `src/${Math.floor(random() * 9)}/**`;
      decided.push(
        (await kim.mama.save({ topic, decision: `${random()}`, reasoning: 'r', files } as never)).id,
      );
    } else if (dice < 0.35 && decided.length > 0) {
      const targetRef = decided[Math.floor(random() * decided.length)] as string;
      await kim.anchor.save({ hint: `볼 것 ${random()}`, type: 'decision_link', targetRef });
    } else if (dice < 0.7) {
      const memory = [kim, lee, seo][Math.floor(random() * 3)] as Memory;
      await as(memory, () => step(memory, random)).catch(() => {});
    } else if (dice < 0.85) for (const memory of [kim, lee]) await as(memory, () => memory.sync(shared));
    else if (dice < 0.97) await meetHub(random() < 0.5 ? lee : seo);
    else old.delete([lee, hub, seo][Math.floor(random() * 3)] as Memory);
  }
  await meetAll();
  old.clear();
  for (let round = 0; round < 3; round++) await meetAll();
  const all = await Promise.all([kim, lee, hub, seo].map((memory) => saidBy(test, memory)));
  for (const one of all) assert.deepEqual(one, all[0], said);
  for (const memory of [kim, lee, hub, seo]) {
    assert.deepEqual((await memory.inspect()).problems, [], said);
    await memory.close();
  }
}
