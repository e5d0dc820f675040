import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';

/** Records that still say what was replaced, withdrawn or failed. */
export function copies(engine: EngineUnderTest): void {
  describe('copies of what was corrected', () => {
    const opened = () => engine.open();
    const CACHE = { topic: 'price:cache', decision: 'Responses of the price API are cached for 10 minutes' };
    const FIVE = { ...CACHE, decision: 'Responses of the price API are cached for 5 minutes' };
    const TWIN = {
      topic: 'shop:banner',
      decision: 'Show the sale banner at once; the price API caches its responses for ten minutes',
    };
    const saysOld = /^⚠️ still says what you replaced: /;

    it('[CC-1] a save names the decision, the note and the memo that still say what it replaces, and no other', async () => {
      const memory = await opened();
      await memory.mama.save(CACHE);
      await memory.mama.save(TWIN);
      const note = await memory.mem.save({
        title: 'Price page',
        content: 'The price API caches responses for 10 min.',
      });
      const { infoId } = await memory.memo.save({
        fullText: 'Price API responses stay cached for 10 minutes',
      });
      await memory.mama.save({
        topic: 'shop:session',
        decision: 'Sessions of the shop end after 10 minutes',
      });
      await memory.mama.save({
        topic: 'shop:no-cache',
        decision: 'Never cache responses of the price API for 10 minutes',
      });
      await memory.mama.save({
        topic: 'shop:history',
        decision: 'Price API responses were cached for 10 minutes until March',
      });
      const { warnings } = await memory.mama.save(FIVE);
      const named = warnings.filter((each) => saysOld.test(each)).map((each) => each.replace(saysOld, ''));
      assert.deepEqual(
        named.map((each) => each.split(':')[0]).sort(),
        [`#${note.id} “Price page”`, `memo ${infoId}`, 'shop'].sort(),
      );
      const hows =
        /Save a new version under its topic|Supersede it with mem_save, then mem_relate|Correct it with memo_save/;
      assert.deepEqual(
        named.map((each) => hows.test(each) && /write into its \w+: alongside: /.test(each)),
        [true, false, false],
        'the first says how, and that both may hold',
      );
      assert.ok(named.every((each) => hows.test(each)) && /check --stale/.test(named[0] ?? ''));
      assert.ok(!(await memory.mama.save(FIVE)).warnings.some((each) => saysOld.test(each)));
    });

    it('[CC-1] what links the correction is not named, in lists and show neither', async () => {
      const memory = await opened();
      await memory.mama.save(CACHE);
      await memory.mama.save(TWIN);
      const { id } = await memory.mama.save(FIVE);
      const listed = async () => (await memory.decision.list({ filter: 'is:outdated' })).decisions;
      const [first, ...others] = await listed();
      assert.deepEqual([first?.topic, others], ['shop:banner', []]);
      assert.match(first?.outdated?.join() ?? '', /was replaced: price:cache v2 says “Responses.* 5 minutes/);
      await memory.mama.save({ ...TWIN, reasoning: `alongside: ${id}` });
      assert.deepEqual(await listed(), []);
    });

    it('[CC-1] what is withdrawn and what fails is looked for, and a note that is corrected', async () => {
      const memory = await opened();
      await memory.mama.save({
        topic: 'ui:tests',
        decision: 'Each mail template has a snapshot test of its HTML',
      });
      await memory.mama.save({
        topic: 'mail:new',
        decision: 'A new mail template comes with a snapshot test of its HTML',
      });
      const failed = await memory.mama.update({
        id: 'ui:tests',
        outcome: 'failed',
        reason: 'Nobody read them',
      });
      assert.match((failed.warnings ?? []).join(), /still says what no longer holds: mail:new/);
      await memory.mem.save({
        title: 'Ports',
        content: 'The local API listens on port 4000.',
        topic_key: 'ports',
      });
      await memory.mama.save({
        topic: 'dev:proxy',
        decision: 'The proxy asks the local API, which listens on port 4000',
      });
      const noted = await memory.mem.save({
        title: 'Ports',
        content: 'The local API listens on port 4100.',
        topic_key: 'ports',
      });
      assert.match((noted.warnings ?? []).join(), /still says what you replaced: dev:proxy/);
    });

    it('[CC-1] review names what still says it, until it is kept, or its reason says that both hold', async () => {
      const memory = await opened();
      await memory.mama.save(CACHE);
      await memory.mama.save(TWIN);
      const waiting = async () =>
        (await memory.review()).groups.flatMap(({ kind, items }) => (kind === 'copies' ? items : []));
      assert.deepEqual(await waiting(), []);
      const { id } = await memory.mama.save(FIVE);
      const [item, ...others] = await waiting();
      assert.deepEqual(
        [item?.title, item?.acts, item?.contradicts, others],
        [TWIN.topic, ['keep', 'edit', 'withdraw'], [id], []],
      );
      assert.match(item?.beware.join() ?? '', /may still say what was replaced: price:cache v2 says/);
      const keys = [item?.key ?? ''];
      await memory.reviewed({ keys });
      assert.deepEqual(await waiting(), []);
      await memory.reviewed({ keys, back: true });
      assert.equal((await waiting()).length, 1);
      await memory.mama.save({ ...TWIN, reasoning: `alongside: ${id}` });
      assert.deepEqual(await waiting(), []);
    });

    it('[CC-1] an import counts what it leaves outdated, and what of it is', async () => {
      const [memory, other] = [await opened(), await opened()];
      await memory.mama.save(TWIN);
      await other.mama.save(CACHE);
      await other.mama.save(FIVE);
      const lines = async (from: typeof memory) => {
        const found: string[] = [];
        await from.export('jsonl', (line) => found.push(line));
        return found;
      };
      const [theirs, ours] = [await lines(other), await lines(memory)];
      const counted = async (into: typeof memory, from: string[]) =>
        (await into.import(from, () => {}, { merge: true })).merged?.warnings;
      const expected = ['1 record may still say what was replaced: review lists it.'];
      assert.deepEqual(await counted(memory, theirs), expected);
      assert.deepEqual(await counted(memory, theirs), []);
      assert.deepEqual(await counted(other, ours), expected);
    });

    it('[CC-1] that both hold travels with an export into an empty memory, and with a sync', async (test) => {
      const [memory, copy, synced] = [await opened(), await opened(), await opened()];
      await memory.mama.save(CACHE);
      await memory.mama.save(TWIN);
      const { id } = await memory.mama.save(FIVE);
      const note = { title: 'Price page', content: 'The price API caches responses for 10 min.' };
      await memory.mem.save(note);
      const waiting = async (of: typeof memory) =>
        (await of.review()).groups.flatMap(({ kind, items }) => (kind === 'copies' ? items : [])).length;
      const folder = mkdtempSync(join(tmpdir(), 'precedent-copies-'));
      test.after(() => rmSync(folder, { recursive: true, force: true }));
      const lines: string[] = [];
      const carry = async () => {
        await memory.sync(folder);
        await synced.sync(folder);
        lines.splice(0);
        await memory.export('jsonl', (line) => lines.push(line));
      };
      await carry();
      assert.deepEqual([await waiting(memory), await waiting(synced)], [2, 2]);
      await memory.mama.save({ ...TWIN, reasoning: `alongside: ${id}` });
      const [found] = (await memory.mem.search({ query: 'price page' })).results;
      await memory.mem.update({ id: found?.id ?? 0, content: `${note.content}\nalongside: ${id}` });
      await carry();
      await copy.import(lines, () => {});
      assert.deepEqual(await Promise.all([memory, copy, synced].map(waiting)), [0, 0, 0]);
    });

    it('[CC-1] a note that supersedes another one and a memo that replaces one ask the same', async () => {
      const memory = await opened();
      await memory.mama.save(TWIN);
      const old = await memory.mem.save({ title: 'Prices', content: CACHE.decision });
      const now = await memory.mem.save({ title: 'Prices now', content: FIVE.decision });
      const related = await memory.mem.relate({
        from_id: now.id,
        to_id: old.id,
        relation_type: 'supersedes',
      });
      assert.match((related.warnings ?? []).join(), /still says what you replaced: shop:banner/);
      const { infoId } = await memory.memo.save({ fullText: CACHE.decision });
      const replaced = await memory.memo.save({ fullText: FIVE.decision, replaces: infoId });
      assert.match((replaced.warnings ?? []).join(), /still says what you replaced: shop:banner/);
      const edited = await memory.memo.save({ fullText: 'The export API allows 4 calls a second' });
      await memory.mama.save({ topic: 'export:calls', decision: 'Call the export API 4 times a second' });
      const next = { infoId: edited.infoId, fullText: 'The export API allows 2 calls a second' };
      assert.match(
        ((await memory.memo.edit(next)).warnings ?? []).join(),
        /still says what you replaced: export:calls/,
      );
    });

    it('[CC-1] that both hold with a note that was corrected travels, though its number differs', async (test) => {
      const [memory, other] = [await opened(), await opened()];
      await other.mem.save({ title: 'Lunch', content: 'Eaten at noon.' });
      const note = { title: 'Price page', content: 'The price API caches responses for 10 min.' };
      await memory.mama.save(TWIN);
      await memory.mem.save(note);
      const { infoId } = await memory.memo.save({
        fullText: 'Price API responses stay cached for 10 minutes',
      });
      const first = await memory.mem.save({ title: 'Prices', content: CACHE.decision });
      const next = await memory.mem.save({ title: 'Prices now', content: FIVE.decision });
      const relation = { from_id: next.id, to_id: first.id, relation_type: 'supersedes' } as const;
      const { warnings = [] } = await memory.mem.relate(relation);
      const [, said = ''] = /: (both hold: note [\da-f]{8})/.exec(warnings.join()) ?? [];
      const waiting = async (of: typeof memory) =>
        (await of.review()).groups.flatMap(({ kind, items }) => (kind === 'copies' ? items : []));
      const found = await waiting(memory);
      assert.deepEqual([...new Set(found.flatMap(({ contradicts }) => contradicts))], [said.slice(11)]);
      const folder = mkdtempSync(join(tmpdir(), 'precedent-copies-'));
      test.after(() => rmSync(folder, { recursive: true, force: true }));
      const carry = async () => {
        await memory.sync(folder);
        await other.sync(folder);
      };
      await carry();
      assert.deepEqual([found.length, (await waiting(other)).length], [3, 2]);
      await memory.mama.save({ ...TWIN, reasoning: said });
      const noted = (await memory.mem.search({ query: 'price page' })).results[0];
      await memory.mem.update({ id: noted?.id ?? 0, content: `${note.content}\n${said}` });
      await memory.memo.edit({ infoId, fullText: `Price API responses stay cached for 10 minutes\n${said}` });
      await carry();
      assert.deepEqual(await Promise.all([memory, other].map(waiting)), [[], []]);
      assert.deepEqual((await other.decision.list({ filter: 'is:outdated' })).decisions, []);
      const [{ id } = { id: 0 }] = (await other.mem.search({ query: 'prices now' })).results;
      assert.notEqual(id, next.id);
      assert.equal((await other.show({ ref: 'shop:banner' })).decision?.outdated, undefined);
    });

    it('[CC-1] a record is named once, and the last of three says how many more there are', async () => {
      const memory = await opened();
      await memory.mama.save(CACHE);
      await memory.mama.save(TWIN);
      const named = (await memory.mama.save(FIVE)).warnings.filter((each) => each.includes('shop:banner'));
      assert.deepEqual([named.length, saysOld.test(named[0] ?? '')], [1, true], named.join('\n'));
      const many = await opened();
      await many.mama.save(CACHE);
      for (const at of [1, 2, 3, 4])
        await many.mem.save({
          title: `Page ${at}`,
          content: `The price API caches responses for 10 min, page ${at}.`,
        });
      const { warnings } = await many.mama.save(FIVE);
      assert.deepEqual(
        warnings.map((each) => /\d more: "precedent review" lists it$/.exec(each)?.[0]),
        [undefined, undefined, '1 more: "precedent review" lists it'],
      );
    });

    it('[CC-1] show says of a note and a memo that they are outdated, and review lists them', async () => {
      const memory = await opened();
      const note = await memory.mem.save({ title: 'Price page', content: TWIN.decision });
      const { infoId } = await memory.memo.save({
        fullText: 'Price API responses stay cached for 10 minutes',
      });
      const shown = async () => {
        const { observation } = await memory.show({ ref: `#${note.id}` });
        const { memo } = await memory.show({ ref: infoId });
        return [observation?.outdated, memo?.outdated];
      };
      const first = await memory.mem.save({ title: 'Prices', content: CACHE.decision });
      assert.deepEqual(await shown(), [undefined, undefined]);
      const next = await memory.mem.save({ title: 'Prices now', content: FIVE.decision });
      await memory.mem.relate({ from_id: next.id, to_id: first.id, relation_type: 'supersedes' });
      const said = /^may still say what was replaced: “Prices now” says “Responses.* 5 minutes”$/;
      for (const each of await shown()) assert.match((each ?? []).join(), said);
      const { groups } = await memory.review();
      const waiting = groups.flatMap(({ kind, items }) => (kind === 'copies' ? items : []));
      assert.deepEqual(waiting.map(({ id }) => id).sort(), [`#${note.id}`, infoId].sort());
      await memory.reviewed({ keys: waiting.map(({ key }) => key) });
      assert.ok(!(await memory.review()).groups.some(({ kind }) => kind === 'copies'));
    });

    it('[CC-1] a record that says what was replaced long ago is told what took its place', async () => {
      const memory = await opened();
      await memory.mama.save(CACHE);
      await memory.mama.save(FIVE);
      const { warnings } = await memory.mama.save(TWIN);
      assert.match(
        warnings.join(),
        /⚠️ may say what was replaced: price:cache v2 says “Responses.* 5 minutes”/,
      );
    });
  });
}
