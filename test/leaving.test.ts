import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { HOW_TO_GET_A_SERVER, newDatabaseWithTables, SERVER } from './support/postgres.ts';
import { workbench } from './support/program.ts';

const PLACES = [
  { name: 'files', place: async () => ({ PRECEDENT_DB: undefined }) },
  {
    name: 'PostgreSQL',
    skip: SERVER === '' && HOW_TO_GET_A_SERVER,
    place: async () => ({ PRECEDENT_DB: (await newDatabaseWithTables()).db }),
  },
];

for (const { name, skip = false, place } of PLACES) {
  describe(`[OP-7] somebody who leaves, on ${name}`, { skip }, () => {
    it('is taken off what they wrote in every workspace, as the dry run said, and every memory is backed up', async (test) => {
      const bench = workbench(test, 'here');
      const at = await place();
      const as = (author: string) => ({
        env: { ...at, PRECEDENT_AUTHOR: author, PRECEDENT_WORKSPACE: undefined },
      });
      const json = async (args: string[]) => JSON.parse(await bench.succeed([...args, '--json'], as('Ops')));
      const decide = (workspace: string, author: string, topic: string, text: string) =>
        bench.succeed(['--workspace', workspace, 'decide', topic, text, '--why', 'r'], as(author));
      const kim = 'Kim Minsu <minsu@example.com>';
      await decide('shop', kim, 'auth:token', 'Session cookies');
      await decide('shop', 'Kim Minsuk', 'auth:ttl', 'Ten minutes');
      await decide('bank', kim, 'api:style', 'REST');
      await decide('bank', 'Lee', 'api:limits', 'Ask MINSU@example.com for more');
      await decide('bank', 'Lee', 'api:errors', 'As Kim Minsu proposed');
      await decide('other', 'Lee', 'api:pages', 'Cursors');

      const erase = ['redact', '--author', kim];
      const would = await json([...erase, '--dry-run']);
      const shown = would.workspaces
        .map((each: Record<string, unknown>) => [each.workspace, each.records])
        .sort();
      assert.deepEqual(shown, [
        ['bank', 1],
        ['shop', 1],
      ]);
      const bank = would.workspaces.find((each: { workspace: string }) => each.workspace === 'bank');
      assert.deepEqual(
        bank.remaining.map(({ what }: { what: string }) => what),
        ['decision', 'decision'],
      );
      assert.match(bank.writer, /^writer:\d+$/);
      const authors = async (workspace: string): Promise<string[]> =>
        (await json(['--workspace', workspace, 'list', 'authors'])).names.map(
          ({ name }: { name: string }) => name,
        );
      assert.ok((await authors('shop')).includes(kim), 'a dry run changes nothing');

      const did = await json([...erase, '--yes']);
      assert.deepEqual(did.workspaces, would.workspaces);
      for (const workspace of ['shop', 'bank']) {
        const now = await authors(workspace);
        assert.ok(!now.includes(kim) && now.some((each) => each.startsWith('[REDACTED]')), now.join());
      }
      assert.ok((await authors('shop')).includes('Kim Minsuk'), 'a longer name is somebody else’s');
      const kept = await bench.succeed(['--workspace', 'shop', 'show', 'auth:token'], as('Ops'));
      assert.match(kept, /Session cookies/);
      assert.equal((await bench.run([...erase, '--yes'], as('Ops'))).code, 3);

      const folder = join(bench.folder, 'backups');
      const { backups } = await json(['backup', folder, '--all', '--keep', '1']);
      assert.equal(backups.length, 3);
      await json(['backup', folder, '--all', '--keep', '1']);
      assert.deepEqual(
        readdirSync(folder)
          .map((file) => file.split('-')[0])
          .sort(),
        ['bank', 'other', 'shop'],
      );
    });
  });
}
