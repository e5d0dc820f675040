import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forModel, openMemory } from '../../src/index.ts';
import type { Ddl } from '../../src/store/engine.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { openRaw, storeOn } from '../support/raw-engine.ts';

/** The files that decisions bind. */
export function files(engine: EngineUnderTest): void {
  describe('files of decisions', () => {
    it('[F-2] what names a file is answered, the nearest first, with what failed there; nothing else ever is', async () => {
      const memory = await engine.openFast();
      await memory.mama.save({ topic: 'src', decision: 'TypeScript alone', files: 'src/**' });
      const first = await memory.mama.save({
        topic: 'db',
        decision: 'One big file',
        files: 'src/store/engine.ts',
      });
      await memory.mama.update({ id: first.id, outcome: 'failed', reason: 'Two writers' });
      const lock = { topic: 'db', decision: 'One file per project', strength: 'lock' } as const;
      const { id } = await memory.mama.save(lock);
      await memory.mama.save({ topic: 'engine', decision: 'The engine is fast' });
      const { answered, results } = await memory.mama.files({ files: 'src/store/engine.ts' });
      assert.equal(answered, true);
      assert.deepEqual(
        results.map(({ topic, by, earlier_failure }) => [topic, by, earlier_failure?.outcome_reason]),
        [
          ['db', 'src/store/engine.ts', 'Two writers'],
          ['src', 'src/**', undefined],
        ],
      );
      const none = await memory.mama.files({ files: 'engine.md' });
      assert.deepEqual([none.answered, none.results], [false, []]);
      await memory.decision.revise({
        id: 'db',
        withdrawn: true,
        reasoning: 'No files any more',
        replaces: id,
      });
      const left = await memory.mama.files({ files: 'src/store/engine.ts' });
      assert.deepEqual(
        left.results.map(({ topic }) => topic),
        ['src'],
      );
      await refuses(
        memory.mama.files({ files: '/etc/passwd' }),
        'invalid',
        'from the top folder of the repository on',
      );
    });

    it('[F-5] of a change each decision says which files it names, by pattern, earlier name or comment, now and then', async () => {
      const memory = await engine.openFast();
      await memory.mama.save({ topic: 'api:paging', decision: 'By cursor', files: 'src/api/page.ts' });
      await memory.mama.save({ topic: 'ui:grid', decision: 'Eight pixels' });
      const { id } = await memory.mama.save({ topic: 'api:all', decision: 'Clients', files: 'src/api/**' });
      const changed = [
        { file: 'src/api/x.ts' },
        { file: 'ui.ts', formerly: ['src/api/page.ts'] },
        { file: 'docs/../../y', marked: ['UI:grid', 'no:such'] },
      ];
      const { results } = await memory.mama.files({ changed });
      const all = [
        ['api:all', ['src/api/x.ts', 'ui.ts']],
        ['api:paging', ['ui.ts']],
        ['ui:grid', ['docs/../../y']],
      ];
      assert.deepEqual(
        results.map(({ topic, touches }) => [topic, touches]),
        all,
      );
      const as_of = results[0]?.created_at as string;
      await memory.decision.revise({ id, addFiles: 'lib/**', removeFiles: 'src/api/**' });
      const after = await memory.mama.files({ changed: [{ file: 'src/api/x.ts' }] });
      assert.deepEqual(after.results, []);
      const then = await memory.mama.files({ changed: [{ file: 'src/api/x.ts' }], as_of });
      assert.deepEqual(
        then.results.map(({ topic }) => topic),
        ['api:all'],
      );
    });

    it('[F-1] the axes and locks that had the files of their scope in an older memory name them themselves', async () => {
      const place = engine.place();
      const memory = await openMemory(place);
      const lock = { scope: 'Api', strength: 'lock' } as const;
      await memory.mama.save({ ...lock, topic: 'api:errors', decision: 'Errors have codes' });
      await memory.mama.save({ ...lock, topic: 'api:own', decision: 'By cursor', files: 'page.ts' });
      await memory.mama.save({ topic: 'api:dates', decision: 'In UTC' });
      await memory.mama.save({ topic: 'ui:grid', decision: 'Eight', strength: 'lock' });
      await memory.mama.save({ topic: 'scope:api', decision: 'All of it', files: 'src/api/**' });
      const writer = { author: '', host: '', client: 'test', session: 'test' };
      await storeOn(await openRaw(place)).write(writer, async ({ db }) => {
        const upgrade = migrations({} as Ddl)['0022-own-files']?.rows;
        await (upgrade?.(db) ?? assert.fail());
      });
      const { results } = await memory.mama.files({});
      assert.deepEqual(
        new Map(results.map(({ topic, by }) => [topic, by])),
        new Map([
          ['scope:api', 'src/api/**'],
          ['api:own', 'page.ts'],
          ['api:errors', 'src/api/**'],
        ]),
      );
      await memory.close();
    });

    it('[F-3] a file is named by what it was called, after what names it now; review shows what names nothing', async () => {
      const memory = await engine.openFast();
      const { id } = await memory.mama.save({ topic: 'db', decision: 'One file', files: 'src/old.ts' });
      await memory.mama.save({ topic: 'src', decision: 'TypeScript alone', files: 'src/**' });
      const { results } = await memory.mama.files({ files: 'src/new.ts', formerly: 'src/old.ts' });
      assert.deepEqual(
        results.map(({ topic, file, formerly }) => [topic, file, formerly]),
        [
          ['src', 'src/new.ts', undefined],
          ['db', 'src/old.ts', true],
        ],
      );
      const gone = { id, called: 'db', pattern: 'src/old.ts' };
      const review = async () =>
        (await memory.review({ vanished: [{ ...gone, heir: 'src/new.ts' }, gone] })).groups.flatMap(
          ({ kind, items }) => (kind === 'places' ? items.map(({ title, beware }) => [title, beware]) : []),
        );
      assert.deepEqual(await review(), [
        [
          'db',
          [
            "names src/old.ts, which is src/new.ts now: precedent revise db --add-file 'src/new.ts' --remove-file 'src/old.ts'",
            "names src/old.ts, which is gone: precedent revise db --remove-file 'src/old.ts'",
          ],
        ],
      ]);
      await memory.reviewed({ keys: [`r:${id}`] });
      assert.deepEqual(await review(), [], 'kept for a month');
      await memory.decision.revise({ id, addFiles: 'src/new.ts', removeFiles: 'src/old.ts' });
      assert.deepEqual(await review(), [], 'that version is not active');
    });

    it('[F-1] [F-2] what the file says itself names it; what was committed with it is a guess, where nothing names it', async () => {
      const memory = await engine.openFast();
      await memory.mama.save({ topic: 'auth:session', decision: 'Thirty minutes' });
      await memory.mama.save({ topic: 'auth:session', decision: 'Sixty minutes' });
      for (const topic of ['a', 'b', 'c']) await memory.mama.save({ topic, decision: `About ${topic}` });
      await memory.decision.revise({ id: 'c', withdrawn: true, reasoning: 'Gone' });
      const asked = { files: 'src/a.ts', together: ['c', 'b', 'docs/0001-a.md', 'a', 'auth:session'] };
      const named = await memory.mama.files({ ...asked, marked: ['auth:session', 'nothing', 'c'] });
      assert.deepEqual(
        named.results.map(({ decision, file, by }) => [decision, file, by]),
        [['Sixty minutes', 'src/a.ts', '@decision in the file']],
      );
      assert.equal(named.perhaps, undefined);
      const guessed = await memory.mama.files({ ...asked, marked: ['nothing'] });
      assert.deepEqual(
        [guessed.answered, guessed.results, guessed.perhaps?.map(({ topic }) => topic)],
        [false, [], ['b', 'a']],
      );
    });

    it('[F-1] files are inherited, added to, taken away, undone, and as they were', async () => {
      const memory = await engine.openFast();
      await memory.mama.save({ topic: 'db', decision: 'One file', files: 'src/store/**\npackage.json' });
      await memory.mama.save({ topic: 'db', decision: 'One file per project' });
      const filesOf = async () => (await memory.decision.get({ id: 'db' })).decision.files;
      assert.equal(await filesOf(), 'src/store/**\npackage.json');
      await memory.decision.revise({ id: 'db', addFiles: 'src/main.ts', removeFiles: 'package.json' });
      assert.equal(await filesOf(), 'src/store/**\nsrc/main.ts');
      await refuses(
        memory.decision.revise({ id: 'db', removeFiles: 'x' }),
        'not_found',
        'src/store/**, src/main.ts',
        '"x"',
      );
      await memory.undo({});
      assert.equal(await filesOf(), 'src/store/**\npackage.json');
      await memory.decision.revise({ id: 'db', files: '' });
      assert.equal(await filesOf(), null);
      const { decision } = await memory.decision.get({ id: 'db@1' });
      assert.equal(decision.files, 'src/store/**\npackage.json');
      assert.deepEqual((await memory.mama.files({})).results, []);
    });

    it('[F-6] recall and mama_search begin with what names the files of the task', async () => {
      const memory = await engine.openFast();
      await memory.mama.save({
        topic: 'everywhere',
        decision: 'English alone',
        strength: 'axis',
        scope: 'global',
      });
      await memory.mama.save({ topic: 'words', decision: 'Tokens are opaque' });
      await memory.mama.save({ topic: 'db:engine', decision: 'One file per project', files: 'src/store/**' });
      const asked = { files: ['src/store/engine.ts'] } as never;
      const { entries, answered } = await memory.call('recall', {
        task: 'opaque tokens',
        ...(asked as object),
      });
      assert.deepEqual(
        (entries as { title: string; because: string }[])
          .map(({ title, because }) => [title, because])
          .slice(0, 2),
        [
          ['db:engine', 'names this file'],
          ['everywhere', 'binds everything'],
        ],
      );
      assert.notEqual(answered, false);
      const { results } = await memory.mama.search({ query: 'opaque tokens', files: 'src/store/engine.ts' });
      assert.deepEqual(
        results.map(({ topic, matched }) => [topic, matched]),
        [
          ['db:engine', 'names this file (src/store/**)'],
          ['words', undefined],
        ],
      );
      // Files alone: nothing else passes for what binds them.
      const alone = await memory.mama.search({ files: 'src/store/engine.ts' });
      assert.deepEqual([alone.results.map(({ topic }) => topic), alone.total], [['db:engine'], 1]);
      const none = await memory.mama.search({ files: 'src/ui/app.ts' });
      assert.deepEqual([none.results, none.looked?.filter], [[], 'files "src/ui/app.ts"']);
      const told = JSON.stringify(forModel('mama_search', none));
      assert.match(told, /No decision passes files \\"src\/ui\/app\.ts\\" \(\d+ without it\)/);
    });
  });
}
