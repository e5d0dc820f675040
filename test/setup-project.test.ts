import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AGENTS } from '../src/agents/agents.ts';
import { valueAt } from '../src/agents/edit/value.ts';
import { formatOf, KNOWN } from './support/agents.ts';
import { agentsHome } from './support/agents-home.ts';

const POSIX = { skip: process.platform === 'win32' && 'needs the homes of POSIX' };
const flat = (text: string) => text.replace(/\s+/g, ' ');

describe('precedent setup --project', POSIX, () => {
  it('[A-1] all agents: the server alone in the files of the project, without a path of this machine', async (test) => {
    const { run, read, json: answer, snapshot, everything, home, project } = agentsHome(test, [], 'here');
    const names = AGENTS.map(({ name }) => name);
    const before = snapshot();
    await answer(['setup', '--project', ...names]);
    for (const [name, { shared, path, started }] of Object.entries(KNOWN)) {
      const said = formatOf(shared).read(read(join('project', shared)));
      const { trust, includeTools, ...entered } = valueAt(said, path) as Record<string, unknown>;
      assert.deepEqual(entered, started('precedent', ['mcp']), shared);
      assert.equal(trust, name === 'gemini' ? true : undefined, shared);
      if (!trust) continue;
      const shown = includeTools as string[];
      assert(shown.includes('mama_save') && !shown.some((tool) => /delete|unrelate/.test(tool)), '[A-1]');
    }
    const { permissions, ...others } = JSON.parse(read('project/.claude/settings.json'));
    assert(permissions.allow.includes('mcp__precedent__recall'));
    assert.deepEqual(others, {}, 'hooks are personal');
    const written = Object.entries(snapshot()).filter(([path]) => !(path in before));
    for (const [path, content] of written) {
      assert(path.startsWith(project), path);
      const [, bytes = ''] = content.split(' ');
      assert.doesNotMatch(Buffer.from(bytes, 'base64').toString(), /\/precedent|집/, path);
    }
    const after = everything();
    const again = await run(['setup', '--project', ...names]);
    assert.match(flat(again.stdout), /they start the command "precedent"/);
    assert.match(flat(again.stdout), /they hold no path of this machine/);
    assert.deepEqual(everything(), after);
    await answer(['unsetup', '--project']);
    assert.deepEqual(snapshot(), before);
    assert(!existsSync(join(home, '.local/share/precedent/setup')));
  });

  it('[A-1] the files of a person and of each project are taken back by themselves', async (test) => {
    const { run, read, json: answer, snapshot, home, project } = agentsHome(test, ['gemini'], 'here');
    const other = join(home, '다른 in 프로젝트');
    mkdirSync(join(other, '.git'), { recursive: true });
    await answer(['setup']);
    const personal = snapshot();
    for (const cwd of [project, other]) await answer(['setup', '--project'], { cwd });
    const shared = read('project/.gemini/settings.json');
    await answer(['setup', 'gemini', '--no-hooks']);
    await answer(['setup']);
    assert.equal(read('project/.gemini/settings.json'), shared);
    await answer(['unsetup', '--project'], { cwd: other });
    assert(!existsSync(join(other, '.gemini')));
    const { stdout } = await run(['unsetup']);
    assert.match(
      flat(stdout),
      new RegExp(`The shared files of ${project} stay: "precedent unsetup --project" there removes them`),
    );
    assert.equal(read('project/.gemini/settings.json'), shared);
    assert(!existsSync(join(home, '.gemini')));
    assert(!existsSync(join(home, '.local/share/precedent/app')), 'what is shared starts no copy');
    await answer(['setup']);
    await answer(['unsetup', '--project']);
    assert.deepEqual(snapshot(), personal);
  });

  it('[A-1] doctor sees the server that everybody has, and unsetup whose it is', async (test) => {
    const { run, json: answer } = agentsHome(test, ['claude', 'gemini'], 'here');
    await answer(['setup', '--project', 'claude']);
    const { agents } = await answer(['doctor']);
    assert.deepEqual(
      agents.map(({ agent, server }: Record<string, unknown>) => [agent, server]),
      [
        ['claude', 'project'],
        ['gemini', 'missing'],
      ],
    );
    assert.match(
      flat((await run(['doctor'])).stdout),
      /Claude Code\s+connected by the files of this project/,
    );
    const { stdout } = await run(['unsetup']);
    assert.match(flat(stdout), /^The shared files of/, 'setup has written something');
    await answer(['unsetup', '--project']);
    assert.match((await run(['unsetup'])).stdout, /^Setup has written nothing here/);
  });

  it('[A-1] a memory that all reach is entered, and one of this machine refused', async (test) => {
    const { run, read, json: answer, home, project } = agentsHome(test, [], 'here');
    await answer(['--workspace', '팀', '--db', 'postgres://why.example/why', 'setup', 'cursor', '--project']);
    assert.deepEqual(JSON.parse(read('project/.cursor/mcp.json')).mcpServers.precedent.args, [
      '--db',
      'postgres://why.example/why',
      '--workspace',
      '팀',
      'mcp',
    ]);
    const later = await run(['setup', 'cursor', '--project']);
    assert.match(
      flat(later.stdout),
      /no longer pinned to --db postgres:\S+ ! no longer pinned to --workspace 팀/,
    );
    const file = await run(['--db', 'why.db', 'setup', 'cursor', '--project']);
    assert.equal(file.code, 2);
    assert.match(flat(file.stdout), new RegExp(`found the file ${join(project, 'why.db')}`));
    const nowhere = await run(['setup', 'cursor', '--project'], { cwd: home });
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.stderr, /Expected the folder of a project, found the home folder/);
  });

  it('[A-1] OpenCode’s file of a project is the one that is there, and no config.json', async (test) => {
    const { put, read, json: answer } = agentsHome(test, [], 'here');
    put('project/config.json', '{"port": 1}');
    put('project/opencode.jsonc', '{\n  // mine\n  "theme": "x"\n}\n');
    await answer(['setup', 'opencode', '--project']);
    assert.equal(read('project/config.json'), '{"port": 1}');
    assert.match(read('project/opencode.jsonc'), /\/\/ mine[\s\S]*"precedent"/);
  });
});
