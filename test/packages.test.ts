import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import pkg from '../package.json' with { type: 'json' };
import { committed } from '../scripts/manifests.ts';
import { AGENTS } from '../src/agents/agents.ts';
import { inProject } from '../src/agents/shared.ts';
import { programOf } from '../src/cli/demo/introduction.ts';
import { ANYWHERE, IS_PUBLISHED, SETUP_OF_NEWEST } from '../src/domain/release.ts';

/** What fetches a package by its name, or starts one that may be fetched. */
const FETCHES =
  /\b(?:npx|pnpx|bunx|npm (?:x|exec|i|install|add)|pnpm (?:x|dlx|add|i|install)|yarn (?:dlx|add)|bun (?:x|add))((?:\s+-{1,2}[\w=-]*)*)\s+["']?(precedent[\w@./-]*)/g;

/** Whether a command can start nothing but what is ours. */
function isSafe(options: string, name: string): boolean {
  // It fetches nothing, whatever it finds.
  if (name === 'precedent') return /--no-install\b/.test(options);
  return IS_PUBLISHED && name.split('@')[0] === pkg.name;
}

function unsafeIn(text: string): string[] {
  return [...text.matchAll(FETCHES)].flatMap(([whole, options = '', name = '']) =>
    isSafe(options, name) ? [] : [whole],
  );
}

/** Everything that is shipped, printed or read by people. */
const FILES = [
  ...globSync('*.md'),
  ...globSync('{docs,skills,deploy,bench}/**/*.{md,json,yaml,yml,service,conf}'),
  ...committed().map(([path]) => path),
  ...globSync('plugin/**/*.{md,cjs}'),
  ...globSync('{src,scripts}/**/*.{ts,tsx,mjs,cjs}'),
  ...globSync('dist/*.{cjs,1}'),
  ...globSync('.github/**/*.yml'),
].filter((file) => !/node_modules|\.test\.ts$/.test(file));

describe('no package of a stranger', () => {
  it('[Z-8] nothing that is shipped, printed or documented starts a package that may be fetched under a name that is not ours', () => {
    assert(FILES.length > 500, `${FILES.length}`);
    const found = FILES.flatMap((file) =>
      unsafeIn(readFileSync(file, 'utf8')).map((words) => `${file}: ${words}`),
    );
    assert.deepEqual(found, []);
  });

  it('[Z-8] the rule finds what it should', () => {
    for (const text of [
      'npx precedent',
      'npx -y precedent mcp',
      'npm exec precedent-evil',
      'npm install --global precedent',
      'pnpm dlx precedent',
      'npx --yes precedent-memories',
    ])
      assert.equal(unsafeIn(text).length, 1, text);
    for (const text of [
      'npx --no-install precedent why',
      'npm install --global .',
      'npx tsc',
      'precedent mcp',
    ])
      assert.deepEqual(unsafeIn(text), [], text);
    assert.equal(unsafeIn('npx -y precedent-memory').length, IS_PUBLISHED ? 0 : 1);
  });

  it('[Z-8] what is written into the files of a project names a package only when it is published', () => {
    assert.equal(IS_PUBLISHED, !('private' in pkg));
    const texts = [
      ...AGENTS.map((agent) =>
        JSON.stringify(
          inProject(agent, '/project').entries(
            {
              home: '/home',
              environment: {},
              platform: 'linux',
              project: '/project',
              hasProgram: () => true,
            },
            { launch: { node: 'node', program: 'p', pins: [] }, tools: [], skill: '', hooks: false },
          ),
        ),
      ),
      // Pages for people are read above: they may say what is not there yet.
      ...committed().flatMap(([path, text]) => (path.startsWith('docs') ? [] : [text])),
      JSON.stringify(ANYWHERE),
      SETUP_OF_NEWEST,
    ];
    for (const text of texts) {
      assert.equal(/\bnpx\b/.test(text) && !IS_PUBLISHED, false, text);
      assert.equal(text.includes(pkg.name) && !IS_PUBLISHED, false, text);
    }
  });

  it('[Z-8] in a clone and in the cache of npx, a person is told words that fetch nothing', () => {
    const clone = programOf({ npm_command: 'start' }, '/home/kim/precedent');
    const cached = programOf(
      { npm_command: 'exec' },
      '/home/kim/.npm/_npx/1a2b/node_modules/precedent-memory',
    );
    assert.deepEqual([clone, cached].flatMap(unsafeIn), []);
    assert.equal(clone, 'npx --no-install precedent');
    assert.match(cached, /^node \S+precedent\.cjs$/);
  });
});
