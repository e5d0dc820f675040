import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FOUND_KINDS, KINDS, RECORD_KINDS, type RecordKind, SAVED_KINDS } from '../src/domain/kinds.ts';
import type { Memory } from '../src/index.ts';
import { search } from '../src/operations/search.ts';
import { STORED } from '../src/store/kinds/kinds.ts';
import { PERSONAL } from '../src/sync/recorded.ts';
import { sqlite } from './support/engines.ts';
import { rowsOf } from './support/synced.ts';

/** How a record of a kind is made and changed. The compiler asks for that of a new kind. */
interface Life {
  /** @returns by what it is named */
  make(memory: Memory): Promise<string | number>;
  /** What others must hear; left out where nothing of it ever changes, or where a new record tells it. */
  change?(memory: Memory, ref: string | number): Promise<unknown>;
}

const decided = async (memory: Memory, topic: string) =>
  (await memory.mama.save({ topic, decision: `About ${topic}` })).id;

const LIVES: Record<RecordKind, Life> = {
  decision: {
    make: (memory) => decided(memory, 'wall'),
    change: (memory) => memory.rename({ from: 'wall', to: 'walls' }),
  },
  outcome: {
    make: async (memory) => {
      const id = await decided(memory, 'judged');
      await memory.mama.update({ id, outcome: 'failed', reason: 'Frost' });
      return id;
    },
  },
  evidence: {
    make: async (memory) =>
      (await memory.evidence.save({ decisionRef: await decided(memory, 'roof'), content: 'It leaks' }))
        .evidence.id,
  },
  anchor: {
    make: async (memory) =>
      (
        await memory.anchor.save({
          ...{ hint: 'see there', type: 'decision_link' },
          targetRef: await decided(memory, 'door'),
        })
      ).anchor.id,
  },
  checkpoint: {
    make: async (memory) => (await memory.mama.save({ type: 'checkpoint', summary: 'Half done' })).id,
  },
  observation: {
    make: async (memory) => (await memory.mem.save({ title: 'Frost', content: 'In March' })).id,
    change: async (memory, id) => {
      await memory.mem.update({ id: Number(id), content: 'In April', project: 'house' });
      await memory.delete({ ref: Number(id) });
    },
  },
  keyword: {
    make: async (memory) => {
      await memory.keywords.record({ keywords: ['mortar'] });
      return 'mortar';
    },
  },
  memo: {
    make: async (memory) => (await memory.memo.save({ fullText: 'Mortar', keywords: ['mortar'] })).infoId,
    change: (memory, infoId) => memory.memo.edit({ infoId: String(infoId), fullText: 'Lime mortar' }),
  },
  redaction: {
    make: async (memory) => {
      const { id } = await memory.mem.save({ title: 'Key', content: 'The key is under the mat' });
      await memory.redact(String(id), 'under the mat');
      return id;
    },
  },
};

/** What the table of a kind holds, without what belongs to one machine. */
async function heldOf(memory: Memory, kind: RecordKind): Promise<string[]> {
  const rows = (await rowsOf(memory)).filter(({ table }) => table === STORED[kind].table);
  const local = /^(seq|id|writer|uid|recordSeq|.*At|timestamp|version|rootId|.*Hash)$/;
  const own = rows.map((row) => Object.entries(row).filter(([name]) => !local.test(name)));
  return own.map((row) => JSON.stringify(row.sort())).sort();
}

describe('every kind of record', () => {
  for (const kind of RECORD_KINDS) {
    const { make, change } = LIVES[kind];
    const stays = (PERSONAL as readonly RecordKind[]).includes(kind) || kind === 'redaction';

    it(`${stays ? '[Y-5]' : '[Y-1]'} ${kind}: ${stays ? 'stays on its machine' : 'is synced, with what changes of it'}`, async (test) => {
      const folder = mkdtempSync(join(tmpdir(), 'precedent-kinds-'));
      test.after(() => rmSync(folder, { recursive: true, force: true }));
      const [here, there] = [await sqlite.open(), await sqlite.open()];
      const sync = async () => {
        for (const memory of [here, there]) await memory.sync(folder);
        return [await heldOf(here, kind), await heldOf(there, kind)];
      };
      const ref = await make(here);
      const [made, heard] = await sync();
      assert(made && made.length > 0, 'there is one');
      assert.deepEqual(heard, stays ? [] : made);
      if (!change) return;
      await change(here, ref);
      const [changed, heardChanged] = await sync();
      assert.notDeepEqual(changed, made, 'it changed');
      assert.deepEqual(heardChanged, stays ? [] : changed);
    });
  }

  /** The next checkpoint soon replaces one, and a redaction is never undone. */
  const unseen: RecordKind[] = ['checkpoint', 'redaction'];
  for (const kind of SAVED_KINDS)
    it(`[V-3] ${kind}: ${unseen.includes(kind) ? 'does not wait' : 'waits'} for a review when an agent saved it`, async () => {
      const memory = await sqlite.open({ writer: { client: 'claude-code' } });
      await LIVES[kind].make(memory);
      const groups = (await memory.call('review', {})).groups as { items: { kind: RecordKind }[] }[];
      const kinds = groups.flatMap(({ items }) => items.map((item) => item.kind));
      assert.equal(kinds.includes(kind), !unseen.includes(kind), kinds.join());
    });

  it('[U-3] what a search finds is named in what it says of itself', () => {
    for (const kind of FOUND_KINDS) assert(search.summary.includes(KINDS[kind].plural), kind);
  });
});
