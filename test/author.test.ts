import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { findAuthor } from '../src/cli/author.ts';
import { resultOf, workbench } from './support/program.ts';

const USER = '[user]\n\tname = 김민수\n\temail = minsu@example.com\n';

/** Who a decision says it was saved by, on the command line, in a home with this git configuration. */
async function authorOf(test: TestContext, config: string | undefined, env: Record<string, string> = {}) {
  const bench = workbench(test, 'here');
  if (config !== undefined) writeFileSync(join(bench.folder, '.gitconfig'), config);
  const saved = JSON.parse(await bench.succeed(['tool', 'mama_save', 't', 'A', '--json'], { env }));
  const found = JSON.parse(await bench.succeed(['tool', 'decision_get', saved.id, '--json']));
  return found.decision.author;
}

describe('who writes on the command line', () => {
  it('[K-4] is git’s user, as git names its authors', async (test) => {
    assert.equal(await authorOf(test, USER), '김민수 <minsu@example.com>');
  });

  it('[K-4] is who PRECEDENT_AUTHOR names, before git’s user', async (test) => {
    assert.equal(await authorOf(test, USER, { PRECEDENT_AUTHOR: ' Lee ' }), 'Lee');
  });

  it('[K-4] is the account where git knows nobody, and where there is no git', async (test) => {
    assert.equal(await authorOf(test, undefined), userInfo().username);
    assert.equal(await authorOf(test, USER, { PATH: '/nowhere' }), userInfo().username);
  });

  it('[K-4] is what of name and e-mail git knows', async (test) => {
    assert.equal(await authorOf(test, '[user]\n\tname = Kim\n'), 'Kim');
    assert.equal(await authorOf(test, '[user]\n\temail = kim@example.com\n'), 'kim@example.com');
  });

  it('[K-4] is never empty by mistake: a blank variable names nobody', async () => {
    assert.notEqual(await findAuthor({ PRECEDENT_AUTHOR: '  ' }), '');
  });

  it('[K-4] [V-1] is said of each version by why: who wrote it, and by what', async (test) => {
    const bench = workbench(test, 'here');
    const kim = { env: { PRECEDENT_AUTHOR: 'Kim' } };
    await bench.succeed(['decide', '인증', 'JWT'], kim);
    const server = await bench.connect({ env: { PRECEDENT_AUTHOR: 'Lee' }, name: 'codex' });
    await server.ask('mama_save', { topic: '인증', decision: 'Opaque tokens' });
    const [, newer, older] = (await bench.succeed(['why', '인증'])).split(/^v\d /m);
    assert.match(newer ?? '', /Lee via codex/);
    assert.match(older ?? '', /Kim/);
    assert.doesNotMatch(older ?? '', /via/);
  });

  it('[K-4] is told by a server too, with the first save', async (test) => {
    const bench = workbench(test, 'here');
    writeFileSync(join(bench.folder, '.gitconfig'), USER);
    const server = await bench.connect();
    const { id } = resultOf(await server.ask('mama_save', { topic: 't', decision: 'A' })) as { id: string };
    const found = await server.ask('decision_get', { id });
    const { by } = resultOf(found) as { by?: string };
    assert.equal(by, '김민수');
  });

  it('[Z-14] is a person at a terminal, at one end where they say so, and in scripts that the data folder names', async (test) => {
    const bench = workbench(test, 'here', { isOfPerson: false });
    const folder = join(bench.folder, '.local', 'share', 'precedent');
    await bench.type('', ['decide', 'a:terminal', 'typed']);
    await bench.run(['decide', 'a:script', 'piped']);
    await bench.run(['decide', 'a:agent', 'piped'], { env: { CLAUDECODE: '1' } });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'people'), 'Release Bot <r@x.invalid>\n', { mode: 0o600 });
    await bench.run(['decide', 'a:other', 'piped']);
    await bench.run(['decide', 'a:named', 'piped'], {
      env: { PRECEDENT_AUTHOR: 'Release Bot <r@x.invalid>' },
    });
    const { decisions } = JSON.parse((await bench.run(['list', '--json'])).stdout);
    assert.deepEqual(
      Object.fromEntries(decisions.map(({ topic, via }: { topic: string; via?: string }) => [topic, via])),
      {
        'a:terminal': undefined,
        'a:script': 'cli, no terminal',
        'a:other': 'cli, no terminal',
        'a:agent': 'cli, from an agent',
        'a:named': undefined,
      },
    );
    // A save by one's own script waits for review, but no agent wrote it (TR-8).
    const listed = JSON.parse((await bench.run(['list', 'via:agent', '--json'])).stdout).decisions;
    assert.deepEqual(
      listed.map(({ topic }: { topic: string }) => topic),
      ['a:agent'],
    );
    const sessions = JSON.parse((await bench.run(['list', 'sessions', '--json'])).stdout).sessions;
    assert.deepEqual(
      sessions.map(({ via }: { via: string }) => via),
      ['cli, from an agent'],
    );
    const { groups } = JSON.parse((await bench.run(['review', '--json'])).stdout);
    const waiting = JSON.stringify(groups);
    assert.deepEqual(
      ['a:script', 'a:other', 'a:agent', 'a:terminal', 'a:named'].map((topic) => waiting.includes(topic)),
      [true, true, true, false, false],
    );
  });
});
