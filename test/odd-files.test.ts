import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, globSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { workbench } from './support/program.ts';
import { until } from './support/until.ts';

/** A workbench with what stands under a name and is no file. */
async function withOddFiles(test: TestContext) {
  const bench = workbench(test, 'here');
  const inside = (name: string) => join(bench.folder, name);
  execFileSync('mkfifo', [inside('pipe')]);
  mkdirSync(inside('folder'));
  const socket = createServer();
  socket.listen(inside('socket'));
  test.after(() => socket.close());
  await once(socket, 'listening');
  const odd = [
    [inside('pipe'), 'a named pipe'],
    [inside('folder'), 'a folder'],
    [inside('socket'), 'a socket'],
    ['/dev/null', 'a device'],
  ] as const;
  return { bench, inside, odd };
}

describe('CLI: what is no file', { concurrency: 2 }, () => {
  it('is refused as a memory at once, whatever the command', async (test) => {
    const { bench, odd } = await withOddFiles(test);
    const backup = join(bench.folder, 'backup.db');
    await bench.succeed(['tool', 'mem_save', 'a', 'b']);
    await bench.succeed(['backup', backup]);
    for (const [db, what] of odd) {
      const commands = [
        ['--db', db, 'tool', 'mem_save', 'a', 'b'],
        ['--db', db, 'tool', 'mem_search', 'a'],
        ['--db', db, 'doctor'],
        ['--db', db, 'export', '--format', 'jsonl'],
        ['--db', db, 'import', bench.db],
      ];
      // These make a copy beside the memory: one kind is enough.
      if (what === 'a named pipe') {
        commands.push(
          ['--db', db, 'backup', '--restore', backup, '--force', '--yes'],
          ['--db', db, 'import'],
        );
        commands.push(['--db', db, 'backup', backup]);
      }
      for (const command of commands) {
        const ran = await bench.run(command);
        assert.equal(ran.code, 5, `${command.join(' ')}: ${ran.stderr}`);
        assert.match(ran.stderr, new RegExp(`expected a file, found ${what}\\.`));
        assert(ran.stderr.includes(`Path of the file: ${db}`), ran.stderr);
      }
    }
  });

  it('is refused where a file is read or made', async (test) => {
    const { bench, odd } = await withOddFiles(test);
    await bench.succeed(['tool', 'mem_save', 'a', 'b']);
    for (const [path, what] of odd) {
      for (const command of [['backup', '--restore'], ['import']]) {
        if (command[0] === 'import' && what === 'a named pipe') continue;
        const ran = await bench.run([...command, path]);
        assert.equal(ran.code, 3, ran.stderr);
        assert(ran.stderr.includes(`found ${what} at ${path}`), ran.stderr);
      }
      const ran = await bench.run(['backup', path]);
      assert.equal(ran.code, 4, ran.stderr);
      assert.match(ran.stderr, /exists\. Choose another name/);
    }
  });

  it('[E-1] is imported all the same when it is a named pipe, however late its lines come', async (test) => {
    const { bench, inside } = await withOddFiles(test);
    await bench.succeed(['tool', 'mem_save', 'a', 'b']);
    const exported = await bench.succeed(['export', '--format', 'jsonl']);
    const other = ['--db', inside('other.db')];
    const importing = bench.succeed([...other, 'import', inside('pipe')]);
    const pipe = createWriteStream(inside('pipe'));
    await once(pipe, 'open');
    pipe.end(exported);
    assert.match(await importing, /^✔ 1 record/);
    assert.equal(await bench.succeed([...other, 'export', '--format', 'jsonl']), exported);
  });

  it('ends on a signal while it waits for the other end of a pipe, and leaves nothing behind', async (test) => {
    const { bench, inside } = await withOddFiles(test);
    const { child, exited } = bench.start(['--db', inside('other.db'), 'import', inside('pipe')]);
    const copies = () => globSync('*.partial/memory.jsonl', { cwd: bench.folder });
    await until(() => copies().length > 0 || child.exitCode !== null);
    child.kill('SIGTERM');
    assert.equal(await exited, 143);
    assert.deepEqual(globSync('other*', { cwd: bench.folder }), []);
  });
});
