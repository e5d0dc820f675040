import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { optionsOf, postgres, scratch } from './support/engines.ts';
import { newWorkspace, SERVER } from './support/postgres.ts';

const readme = readFileSync('README.md', 'utf8');
const pkg = JSON.parse(readFileSync('package.json', 'utf8'));

/** The code blocks marked to be run, by language. */
function marked(language: string, mark = 'run'): string[] {
  const pattern = new RegExp(`<!-- ${mark} -->\\n\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g');
  return [...readme.matchAll(pattern)].map((match) => match[1] ?? '');
}

describe('README', () => {
  /** What commands print that are typed as they stand. */
  function typed(commands: string): string {
    const folder = scratch();
    const shim = join(folder, 'precedent');
    writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/precedent.cjs')}" "$@"\n`);
    chmodSync(shim, 0o755);
    const env = {
      ...process.env,
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      PRECEDENT_DB: join(folder, 'readme.db'),
    };
    return execFileSync('sh', ['-ec', commands], { env, cwd: folder, encoding: 'utf8' });
  }

  it('its commands run as they stand', {
    skip: process.platform === 'win32' && 'needs a POSIX shell',
  }, () => {
    const blocks = marked('sh');
    assert.equal(blocks.length, 1);
    const printed = typed(blocks.join('\n'));
    assert.match(printed, /"decision": "Keep JWTs in local storage"/);
    assert.match(printed, /global\+axis/);
    assert.match(printed, /Refresh tokens/);
    assert.match(printed, /sound/);
  });

  it(
    'its commands for a team run as they stand, the server and the name excepted',
    optionsOf(postgres),
    () => {
      const [block = ''] = marked('sh', 'run on PostgreSQL');
      const workspace = newWorkspace();
      const printed = typed(
        block.replace(/PRECEDENT_DB=\S+/, `PRECEDENT_DB='${SERVER}'`).replaceAll('why', workspace),
      );
      assert.match(printed, /1 record in 2 rows, checked/);
      assert.match(printed, /Session cookies, HttpOnly/);
      assert.match(printed, /PostgreSQL/);
    },
  );

  it('its program runs as it stands and prints what its comments say', () => {
    const folder = scratch();
    const blocks = marked('ts');
    assert.equal(blocks.length, 1);
    const library = pathToFileURL(resolve('dist/index.js')).href;
    const file = join(folder, 'example.mjs');
    writeFileSync(file, (blocks[0] ?? '').replace("'precedent-memory'", JSON.stringify(library)));
    const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    assert.match(printed, /earlier version failed/);
    assert.match(printed, /Session cookies, HttpOnly/);
  });

  it('every script it names exists, and every page it links', () => {
    for (const page of ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md']) {
      const text = readFileSync(page, 'utf8');
      for (const [, name = ''] of text.matchAll(/npm run (\w+)/g))
        assert(name in pkg.scripts, `${page}: ${name}`);
      for (const [, target = ''] of text.matchAll(/\]\(([^)#:]+)\)/g)) readFileSync(target);
    }
  });
});
