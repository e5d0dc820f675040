import assert from 'node:assert/strict';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { findPlace } from '../src/cli/place.ts';
import * as questions from '../src/git/questions.ts';
import { optionsOf, postgres, sqlite } from './support/engines.ts';
import { git, machine, refused } from './support/machine.ts';
import { notOnCitus, query, recordStatements, SERVER } from './support/postgres.ts';
import { until } from './support/until.ts';

interface Listed {
  workspace: string;
  records: number;
  last_use: string | null;
  names: string[];
  folders: string[];
}

for (const { engine, db } of [
  { engine: sqlite, db: undefined },
  { engine: postgres, db: SERVER },
]) {
  /** A machine, and the workspaces of its team, which others on the server have nothing to do with. */
  const here = (test: TestContext) => {
    const made = machine(test, db, undefined, 'here');
    const list = async (cwd: string) => {
      const { workspaces } = (await made.json(cwd, ['workspaces'])) as { workspaces: Listed[] };
      return workspaces.filter(({ workspace }) => workspace.includes(made.team));
    };
    return { ...made, list, name: (name: string) => `${name}-${made.team}` };
  };

  describe(`workspaces, ${engine.name}`, { ...optionsOf(engine), concurrency: 2 }, () => {
    it('[K-3] are listed with records, last use, names and folders, the last used first', async (test) => {
      const { folder, repository, save, run, json, list, url, nameOf, name, data } = here(test);
      const away = folder('away');
      if (db === undefined) {
        assert.deepEqual(await list(away), []);
        assert.deepEqual(readdirSync(data), ['people'], 'a listing creates nothing');
      }
      const app = repository('app', 'first');
      await save(app, 'saved');
      git(app, 'remote', 'add', 'origin', url('app'));
      await save(app, 'saved with a remote');
      await json(away, ['tool', 'mem_save', 'a', 'b', '--workspace', name('기억')]);
      const [newer, older] = await list(app);
      assert.deepEqual(
        [newer?.workspace, newer?.records, newer?.names, newer?.folders],
        [name('기억'), 1, [], []],
      );
      assert.match(older?.workspace ?? '', /^app-\w+~\w{8}$/);
      assert.deepEqual([older?.records, older?.names, older?.folders], [2, [nameOf('app')], [app]]);
      assert((newer?.last_use ?? '') >= (older?.last_use ?? 'none'));
      const { stdout } = await run(app, ['workspaces']);
      assert.match(
        stdout,
        new RegExp(`^${older?.workspace}  here  2 records · last used \\d{4}-\\d\\d-\\d\\d$`, 'm'),
      );
      assert.match(stdout, new RegExp(`^  also ${nameOf('app')}$`, 'm'));
    });

    it('[K-3] the command line names the workspace in every answer and refusal', async (test) => {
      const { folder, run, name, json } = here(test);
      const cwd = folder('away');
      const at = ['--workspace', name('why')];
      const { id } = await json(cwd, [...at, 'tool', 'mama_save', 'a:b', 'c', '--evidence', 'd']);
      for (const args of [
        ['tool', 'mama_search', 'c'],
        ['tool', 'mama_search', 'nowhere'],
        ['search', 'c'],
        ['recall', 'c'],
        ['tool', 'decision_get', id],
        ['tool', 'decision_retrieve', 'a'],
        ['tool', 'decision_retrieve', 'z'],
        ['tool', 'mama_update', id, 'success'],
        ['tool', 'mama_load_checkpoint'],
        ['tool', 'mem_save', 'x', 'y'],
        ['tool', 'mem_get_observation', '1'],
        ['tool', 'mem_stats'],
        ['tool', 'memo_save', 'x', '--keywords', 'x'],
        ['tool', 'memo_list'],
        ['tool', 'keywords_record', 'ok'],
        ['doctor'],
        ['backup', 'why.backup'],
        ['redact', '1', '--yes'],
      ]) {
        const { stdout, stderr } = await run(cwd, [...at, ...args]);
        assert(stdout.includes(name('why')), `${args}: ${stdout}${stderr}`);
        assert(!/workspace\s.*\n.*workspace\s/s.test(stdout), `it is named twice: ${stdout}`);
      }
      for (const args of [
        ['tool', 'decision_get', 'nobody'],
        ['tool', 'mama_search', '--limit', '0'],
        ['redact', '99'],
      ]) {
        const said = await run(cwd, [...at, ...args]);
        assert.match(said.stderr, new RegExp(`\\n  workspace ${name('why')}\\n$`), args.join());
        const { error } = JSON.parse((await run(cwd, [...at, ...args, '--json'])).stderr);
        assert.equal(error.workspace, name('why'));
      }
    });

    it('[K-2] a name that is not there names a near one; a save under it says so first, and makes it', async (test) => {
      const { folder, run, json, name, list } = here(test);
      const cwd = folder('away');
      const first = await run(cwd, ['tool', 'mem_save', 'a', 'b', '--workspace', name('결정기록')]);
      assert.equal(first.stderr, `precedent: New workspace "${name('결정기록')}".\n`);
      const again = await json(cwd, ['tool', 'mem_save', 'a', 'b', '--workspace', name('결정기록')]);
      assert.equal(again.stderr, '');
      for (const command of [
        ['tool', 'mem_stats'],
        ['export', '--format', 'jsonl'],
        ['redact', '1', '--yes'],
        ['backup', 'b.db'],
      ]) {
        const said = await run(cwd, [...command, '--workspace', name('결정기룍')]);
        assert(refused(said, 3).includes(`Did you mean "${name('결정기록')}"?`), said.stderr);
      }
      assert.equal((await list(cwd)).length, 1);
      const typo = await run(cwd, ['tool', 'mem_save', 'a', 'b', '--workspace', name('결정기룍')]);
      assert.equal(
        typo.stderr,
        `precedent: New workspace "${name('결정기룍')}". Did you mean "${name('결정기록')}"?\n`,
      );
      assert.equal((await list(cwd)).length, 2);
    });

    it('[K-2] over MCP the first save says that it made the workspace, once', async (test) => {
      const { repository, connect, list } = here(test);
      const app = repository('app', 'first');
      const server = await connect(app);
      assert.deepEqual(Object.keys(await server.call('mem_search', {})).sort(), [
        'note',
        'results',
        'total',
        'workspace',
      ]);
      const save = async () =>
        ((await server.call('mem_save', { title: 'a', content: 'b' })) as { warnings?: string[] }).warnings;
      const [made] = (await Promise.all([save(), save(), save()])).flatMap((warnings) => warnings ?? []);
      const [{ workspace, records } = { workspace: '', records: 0 }, ...others] = await list(app);
      assert.deepEqual([made, records, others], [`New workspace "${workspace}".`, 1, []]);
      assert.equal(await save(), undefined);
      assert.match(
        await server.refusal('decision_get', { id: 'x' }),
        new RegExp(`\\nworkspace ${workspace}$`),
      );
    });

    it('[K-3] rename keeps all, and whatever led to the memory still does', async (test) => {
      const { folder, repository, clone, save, known, run, json, list, name, url, nameOf } = here(test);
      const app = repository('app', 'first');
      git(app, 'remote', 'add', 'origin', url('app'));
      await save(app, 'saved');
      await json(folder('away'), ['tool', 'mem_save', 'a', 'b', '--workspace', name('taken')]);
      const rename = (...args: string[]) => run(app, ['workspaces', 'rename', ...args]);
      assert.match(refused(await rename(nameOf('app'), name('taken')), 4), /is there\. Nothing was changed/);
      assert.match(refused(await rename(name('takne'), name('x')), 3), /Did you mean "taken-/);
      assert.match(refused(await rename(nameOf('app'), '../x'), 2), /workspace name of letters/);
      const done = await rename(nameOf('app'), name('새이름'));
      assert.deepEqual([done.code, done.stderr], [0, '']);
      assert.deepEqual(await known(app), ['saved']);
      // A clone, which nothing is known of, and whoever types the old name.
      const cloned = clone(app, 'clone', url('app'));
      assert.deepEqual(await known(cloned), ['saved']);
      const old = await run(app, ['tool', 'mem_stats', '--workspace', nameOf('app')]);
      assert.equal(old.code, 0, old.stderr);
      assert(old.stdout.includes(name('새이름')), old.stdout);
      assert.deepEqual(
        (await list(app)).map(({ workspace }) => workspace).sort(),
        [name('taken'), name('새이름')].sort(),
      );
      // And back again.
      await json(app, ['workspaces', 'rename', name('새이름'), nameOf('app')]);
      assert.deepEqual([await known(app), await known(cloned)], [['saved'], ['saved']]);
    });

    it('[K-3] a memory that is renamed while others save in it stays one memory', async (test) => {
      const { repository, save, known, run, list, name, url, nameOf } = here(test);
      const app = repository('app', 'first');
      git(app, 'remote', 'add', 'origin', url('app'));
      await save(app, 'saved 0');
      let saved = 1;
      const saving = (async () => {
        for (let n = 1; n <= 8; n++) {
          const { code, stderr } = await run(app, ['tool', 'mem_save', `saved ${n}`, `saved ${n}`]);
          // Whoever has it open at that moment is told that nothing was saved, and what to do.
          assert(code === 0 || code === 5, stderr);
          assert.doesNotMatch(stderr, /New workspace/);
          saved += code === 0 ? 1 : 0;
        }
      })();
      await until(
        async () => (await run(app, ['workspaces', 'rename', nameOf('app'), name('renamed')])).code === 0,
      );
      await saving;
      assert.equal((await known(app)).length, saved);
      assert.deepEqual(
        (await list(app)).map(({ workspace }) => workspace),
        [name('renamed')],
      );
    });

    it('[K-3] alias lets a repository, or a URL, lead to a memory', async (test) => {
      const { folder, repository, clone, save, known, run, json, name, url, nameOf, data } = here(test);
      const home = join(data, '..', '..', '..');
      const away = folder('away');
      await json(away, ['tool', 'mem_save', 'saved for all', 'b', '--workspace', name('team')]);
      const app = repository('app', 'first');
      git(app, 'remote', 'add', 'origin', url('app'));
      await save(app, 'saved in app');
      assert.match(
        refused(await run(home, ['workspaces', 'join', name('team')]), 2),
        /Expected the folder of a project/,
      );
      assert.match(refused(await run(app, ['workspaces', 'join', name('taem')]), 3), /Did you mean "team-/);
      await json(app, ['workspaces', 'join', name('team')]);
      assert.deepEqual(await known(app), ['saved for all']);
      await save(app, 'saved in app for all');
      // A URL, for repositories that are known and for those that come.
      const one = repository('one', 'first of the shop');
      git(one, 'remote', 'add', 'origin', url('shop'));
      const two = clone(one, 'two', url('shop'));
      await save(one, 'saved in the shop');
      const { workspace, name: joined } = await json(away, ['workspaces', 'join', name('team'), url('shop')]);
      assert.deepEqual([workspace, joined], [name('team'), nameOf('shop')]);
      for (const each of [one, two]) assert.equal((await known(each)).length, 2, each);
      // And back.
      await json(one, ['workspaces', 'join', nameOf('shop'), nameOf('shop')]);
      for (const each of [one, two]) assert.deepEqual(await known(each), ['saved in the shop']);
    });

    it('[K-3] [K-5] remove shows what goes, asks, and takes all of it and nothing else', async (test) => {
      const { folder, json, run, list, name, data } = here(test);
      const cwd = folder('away');
      for (const each of ['one', 'one-more'])
        await json(cwd, ['tool', 'mem_save', 'a', 'b', '--workspace', name(each)]);
      const remove = (...args: string[]) => run(cwd, ['workspaces', 'remove', ...args]);
      assert.match(refused(await remove(name('one')), 2), /Expected --yes/);
      const shown = await remove(name('one'), '--dry-run');
      assert.match(
        shown.stdout,
        new RegExp(`^would remove workspace "${name('one')}" with 1 record\n  .*${name('one')}`),
      );
      assert.equal((await list(cwd)).length, 2);
      const { changed, records } = await json(cwd, ['workspaces', 'remove', name('one'), '--yes']);
      assert.deepEqual([changed, records], [true, 1]);
      assert.deepEqual(
        (await list(cwd)).map(({ workspace }) => workspace),
        [name('one-more')],
      );
      assert.match(refused(await remove(name('one'), '--yes'), 3), /does not exist\. List them/);
      if (db === undefined) assert.deepEqual(readdirSync(data), [`${name('one-more')}.db`, 'people']);
    });

    it('[K-3] a file that is named lies among no others', async (test) => {
      const { folder, run } = here(test);
      for (const args of [['workspaces'], ['workspaces', 'remove', 'x', '--yes']])
        assert.match(
          refused(await run(folder('away'), ['--db', 'why.db', ...args]), 2),
          /the file .*why\.db/,
        );
    });
  });
}

describe('workspaces in files', () => {
  it('[K-3] are neither renamed nor removed while another process has them open', async (test) => {
    const { repository, save, known, run, connect, workspace } = machine(test, undefined, undefined, 'here');
    const app = repository('app', 'first');
    await save(app, 'saved');
    const name = await workspace(app);
    const server = await connect(app);
    assert.equal((await server.call('mem_search', {})).total, 1);
    for (const args of [
      ['rename', name, 'other'],
      ['remove', name, '--yes'],
    ]) {
      const said = await run(app, ['workspaces', ...args]);
      assert.match(refused(said, 4), /another process has it open\. Nothing was changed/);
    }
    await server.call('mem_save', { title: 'saved by the server', content: 'saved' });
    assert.equal((await known(app)).length, 2);
    await server.client.close();
    assert.equal((await run(app, ['workspaces', 'rename', name, 'other'])).code, 0);
    assert.equal((await known(app)).length, 2);
  });

  it('[K-3] that are no memory of ours are left alone', async (test) => {
    const { folder, json, run, data } = machine(test, undefined, undefined, 'here');
    const cwd = folder('away');
    await json(cwd, ['tool', 'mem_save', 'a', 'b', '--workspace', 'ours']);
    writeFileSync(join(data, 'text.db'), 'no database at all, but long enough to look like one to somebody');
    writeFileSync(join(data, 'empty.db'), '');
    symlinkSync(join(data, 'ours.db'), join(data, 'link.db'));
    const { workspaces } = await json(cwd, ['workspaces']);
    const seen = (workspaces as { workspace: string; problem?: string }[]).map((each) => [
      each.workspace,
      !!each.problem,
    ]);
    assert.deepEqual(seen.sort(), [
      ['link', false],
      ['ours', false],
      ['text', true],
    ]);
    for (const name of ['text', 'empty', 'link']) {
      const { code } = await run(cwd, ['workspaces', 'remove', name, '--yes']);
      assert(code === 4 || code === 5, `${name}: ${code}`);
      assert(existsSync(join(data, `${name}.db`)));
    }
  });
});

describe('workspaces on a server', optionsOf(postgres), () => {
  const namesOf = async (workspace: string) =>
    (await query('select names from precedent.workspaces where name = $1', [workspace]))[0].names;

  it('[K-1] another machine finds a memory by every name that its remote has had, with two queries', async (test) => {
    const one = machine(test, SERVER, undefined, 'here');
    const two = machine(test, SERVER, one.team, 'here');
    const app = one.repository('app', 'first');
    await one.save(app, 'saved without a remote');
    const name = await one.workspace(app);
    assert.deepEqual(await namesOf(name), []);
    git(app, 'remote', 'add', 'origin', one.url('app'));
    await one.save(app, 'saved with a remote');
    git(app, 'remote', 'set-url', 'origin', one.url('renamed'));
    await one.save(app, 'saved after it was renamed');
    assert.deepEqual(await namesOf(name), [one.nameOf('app'), one.nameOf('renamed')]);
    for (const [index, remote] of ['app', 'renamed'].entries()) {
      const cloned = two.clone(app, remote, two.url(remote));
      assert.equal((await two.known(cloned)).length, 3 + index, remote);
      assert.equal(await two.workspace(cloned), name);
      await two.save(cloned, `saved in the clone of ${remote}`);
    }
    assert.equal((await one.known(app)).length, 5);
    // Which memory is meant takes no query where this machine remembers, and two where it does not.
    const statements = recordStatements();
    const firstCommit = git(app, 'rev-parse', 'HEAD');
    const asked = async (of: typeof one, cwd: string) => {
      statements.length = 0;
      const place = await findPlace({ db: SERVER }, { XDG_DATA_HOME: join(of.data, '..') }, cwd, {
        ...questions,
        keptBy: async () => [firstCommit],
      });
      assert.equal(place.workspace, name);
      return [...statements];
    };
    assert.deepEqual(await asked(one, app), []);
    const three = machine(test, SERVER, one.team, 'here');
    const queries = await asked(three, three.clone(app, 'third', three.url('renamed')));
    // Whose the schema is, and what is in it.
    assert.equal(queries.length, 2);
    assert.deepEqual(queries.flatMap(notOnCitus), []);
    // Renamed from one machine, it is found by the other, which knows the old name.
    await one.json(app, ['workspaces', 'rename', name, `all-${one.team}`]);
    assert.equal((await two.known(two.folder('app'))).length, 5);
    await two.save(two.folder('app'), 'saved after the rename');
    assert.equal((await one.known(app)).length, 6);
  });

  it('[K-1] who is no member of its owner keeps the name of a memory for himself', async (test) => {
    const one = machine(test, SERVER, undefined, 'here');
    const app = one.repository('app', 'first');
    await one.save(app, 'saved');
    const name = await one.workspace(app);
    git(app, 'remote', 'add', 'origin', one.url('app'));
    await one.save(app, 'saved with a remote');
    const role = `guest_${one.team}`;
    await query(`create role "${role}" login password 'x'`);
    test.after(async () => query(`drop owned by "${role}"; drop role "${role}"`));
    await query(`grant usage on schema precedent to "${role}"`);
    await query(`grant select, insert, update, delete on all tables in schema precedent to "${role}"`);
    const guest = { PRECEDENT_DB: SERVER.replace(/\/\/[^@]*@/, `//${role}:x@`) };
    git(app, 'remote', 'set-url', 'origin', one.url('renamed'));
    assert.match(await one.save(app, 'saved as a guest', guest), /keeps its memory/);
    assert.equal(await one.save(app, 'saved once more', guest), '');
    assert.deepEqual(await namesOf(name), [one.nameOf('app')]);
    assert.deepEqual(one.registry().repositories[0].names, [one.nameOf('renamed'), one.nameOf('app')]);
    const said = refused(await one.run(app, ['workspaces', 'remove', name, '--yes'], guest), 4);
    assert.match(said, /a member of it, found another one\. Nothing was changed/);
    assert.equal((await one.known(app)).length, 4);
  });

  it('[N-4] a memory is removed with all its rows, and the others stay as they are', async (test) => {
    const { folder, json, run, team } = machine(test, SERVER, undefined, 'here');
    const cwd = folder('away');
    const [gone, kept] = [`gone-${team}`, `kept-${team}`];
    for (const workspace of [gone, kept])
      await json(cwd, ['tool', 'mama_save', 'topic', 'A decision', '--workspace', workspace]);
    const before = (await run(cwd, ['export', '--format', 'jsonl', '--workspace', kept])).stdout;
    const [{ id }] = await query('select id from precedent.workspaces where name = $1', [gone]);
    await json(cwd, ['workspaces', 'remove', gone, '--yes']);
    const tables = await query(
      "select table_name as name from information_schema.columns where table_schema = 'precedent' and column_name = 'workspace'",
    );
    assert(tables.length > 25, `${tables.length} tables`);
    for (const { name } of tables)
      assert.deepEqual(await query(`select 1 from precedent.${name} where workspace = $1`, [id]), [], name);
    assert.equal((await run(cwd, ['export', '--format', 'jsonl', '--workspace', kept])).stdout, before);
  });
});
