import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { AGENTS } from '../src/agents/agents.ts';
import { FIELDS } from '../src/domain/decision.ts';
import { openMemory } from '../src/index.ts';
import { IMPORTERS } from '../src/interchange/importers/importers.ts';
import { EXPORT_FORMATS } from '../src/memory/exporting.ts';
import { operations } from '../src/operations/index.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { examplesOf, PAGES, terminal } from './support/pages.ts';
import { newWorkspace, SERVER } from './support/postgres.ts';

const pkg = JSON.parse(readFileSync('package.json', 'utf8'));
const POSIX = { skip: process.platform === 'win32' && 'needs a POSIX shell' };

/** What the commands of a page print that are marked `run`: its sessions show their own output. */
const PRINTED: Record<string, RegExp[]> = {
  'README.md': [
    /v2 {2}active.*\n {2}Session cookies, HttpOnly/,
    /! failed before: v1 “Keep JWTs in local storage” — “A script could read them”/,
    /서버 시계가 어긋나/,
    /Clock skew .*deleted/,
    /✔ sound/,
  ],
  'README.ko.md': [
    /v2 {2}active.*\n {2}HttpOnly 세션 쿠키를 쓴다/,
    /failed before: v1 “JWT를 로컬 스토리지에 둔다” — “스크립트가 읽을 수 있었다”/,
  ],
  'docs/cli.md': [
    /"text": "Keep JWTs in local storage"/,
    /✔ sound/,
    /20 records in \d+ rows, checked {2}from workspace try into try/,
    /from workspace why-backup into restored/,
    /checked {2}workspace imported/,
    /blanked in 1 text of observation 2/,
  ],
};

describe('examples', () => {
  const runs = PAGES.map((page) => ({
    page,
    examples: examplesOf(page).filter(({ language }) => ['sh', 'console'].includes(language)),
  }));
  const onServer = ({ mark }: { mark: string }) => mark === 'run on PostgreSQL';

  for (const { page, examples } of runs.filter(({ examples }) => examples.some((each) => !onServer(each)))) {
    it(`the commands of ${page} run as they stand, and its sessions print what they show`, POSIX, () => {
      const { type, play } = terminal();
      let printed = '';
      for (const { mark, code } of examples.filter((each) => !onServer(each))) {
        if (mark !== 'session') printed += type(code);
        else for (const step of play(code)) assert.equal(step.printed, step.shown, step.command);
      }
      for (const pattern of PRINTED[page] ?? [/nothing is expected of this page/])
        assert.match(printed, pattern);
    });
  }

  it(
    'the commands for a team run as they stand, the server and the name excepted',
    optionsOf(postgres),
    () => {
      const examples = runs.flatMap((run) => run.examples.filter(onServer));
      assert.equal(examples.length, 1);
      const workspace = newWorkspace();
      const printed = terminal().type(
        (examples[0]?.code ?? '')
          .replace(/PRECEDENT_DB=\S+/, `PRECEDENT_DB='${SERVER}'`)
          .replaceAll('why', workspace),
      );
      assert.equal(printed.match(/1 record in 6 rows, checked/g)?.length, 2);
      assert.match(printed, /Session cookies, HttpOnly/);
      assert.match(printed, /PostgreSQL/);
    },
  );

  for (const page of ['README.md', 'README.ko.md'])
    it(`[TR-7] ${page} shows what an agent is told with the prompt, after its session`, POSIX, () => {
      const { type, play } = terminal();
      const text = readFileSync(page, 'utf8');
      const [session = { mark: '', code: '' }] = examplesOf(page);
      if (session.mark === 'session') play(session.code);
      else type(session.code);
      const [, db = ''] = session.code.match(/export PRECEDENT_DB=(\S+)/) ?? [];
      const [, prompt = ''] = text.match(/^> (.*)$/m) ?? [];
      const [, written = ''] = text.match(/^<!-- told -->\n```text\n(.*)\n```$/m) ?? [];
      const event = { hook_event_name: 'UserPromptSubmit', session_id: page, prompt };
      const { hookSpecificOutput } = JSON.parse(
        type(`printf '%s' '${JSON.stringify(event)}' | PRECEDENT_DB=${db} precedent hook claude`),
      );
      const line = hookSpecificOutput.additionalContext.split('\n')[1];
      const plain = (text: string) => text.replace(/\d{4}-\d\d-\d\d/, 'day').replace(/[\da-f]{8}\)$/, 'id)');
      assert.equal(plain(line), plain(written));
    });
});

describe('pages', () => {
  it('[I-1] the lines that any program may write are saved as they stand in the documents', async () => {
    const [, lines = ''] = readFileSync('docs/importing.md', 'utf8').match(/```jsonl\n([\s\S]*?)```/) ?? [];
    const memory = await openMemory({ db: ':memory:' });
    const { saved } = await memory.batch(lines.trim().split('\n'));
    assert.equal(saved, 7);
    const { decision } = await memory.decision.get({ id: 'auth:token' });
    assert.deepEqual([decision.text, decision.version], ['Opaque tokens', 2]);
    await memory.close();
  });

  it('the README has at most seven hundred words', () => {
    const words = readFileSync('README.md', 'utf8').split(/\s+/).filter(Boolean).length;
    assert(words <= 700, `${words} words`);
  });

  it('[CO-1] the pages that list agents, importers or formats name each of them', () => {
    const lists: [pages: string[], names: readonly string[]][] = [
      [['README.md', 'README.ko.md', 'CHANGELOG.md', 'docs/agents.md'], AGENTS.map(({ title }) => title)],
      [['CHANGELOG.md', 'docs/importing.md'], IMPORTERS.map(({ name }) => name)],
      [['docs/exporting.md'], EXPORT_FORMATS],
    ];
    const folded = (text: string) => text.toLowerCase().replace(/[\s-]/g, '');
    const missing = lists.flatMap(([on, names]) =>
      on.flatMap((page) => {
        const text = folded(readFileSync(page, 'utf8'));
        return names.filter((name) => !text.includes(folded(name))).map((name) => `${page} lacks ${name}`);
      }),
    );
    assert.deepEqual(missing, []);
  });

  const pages = [...globSync('*.md'), ...globSync('docs/**/*.md'), 'bench/results.md'];

  it('every script that a page names exists', () => {
    for (const page of pages)
      for (const [, name = ''] of readFileSync(page, 'utf8').matchAll(/npm run ([\w:]+)/g))
        assert(name in pkg.scripts, `${page}: ${name}`);
  });

  it('every page that a page links exists, with the heading that the link names', () => {
    for (const page of pages) {
      for (const [, target = ''] of readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue;
        const [file = '', heading] = target.split('#');
        const text = readFileSync(file === '' ? page : join(dirname(page), file), 'utf8');
        if (heading !== undefined) assert(headingsOf(text).includes(heading), `${page}: ${target}`);
      }
    }
  });

  it('every variable that the product reads is among the settings, and no other', () => {
    const named = (text: string) => new Set(text.match(/\bPRECEDENT_[A-Z_]+/g));
    const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
    const read = named(sources.map((file) => readFileSync(file, 'utf8')).join('\n'));
    assert.deepEqual([...named(readFileSync('docs/settings.md', 'utf8'))].sort(), [...read].sort());
  });

  it('fields are in snake_case, but for the families that the words and rules give camelCase', () => {
    const rules = readFileSync('docs/domain.md', 'utf8');
    const [, camel = ''] = rules.match(/^\| (.*) \| camelCase \|/m) ?? [];
    for (const operation of operations) {
      const family = operation.name.replace(/_.*/, '_*');
      const isSnake = !camel.includes(`\`${family}\``);
      const other = isSnake ? /[A-Z]/ : /_/;
      const fields = [
        ...fieldsOf(z.toJSONSchema(operation.input, { io: 'input' })),
        ...fieldsOf(z.toJSONSchema(operation.output, { io: 'output' })),
      ];
      assert.deepEqual(
        fields.filter((field) => other.test(field)),
        [],
        operation.name,
      );
    }
  });

  it('[CO-1] docs/domain.md says of each field of a decision whether it carries over, and how long it may be', () => {
    const text = readFileSync('docs/domain.md', 'utf8');
    const carries =
      text.split('\n').find((line) => line.startsWith('- **What a new version inherits.**')) ?? '';
    const limits = text.slice(text.indexOf('\n## Limits')).split('\n');
    for (const [name, field] of Object.entries(FIELDS)) {
      assert(new RegExp(`\\b${name}\\b`, 'i').test(carries), `name ${name} in "What a new version inherits"`);
      if (!('limit' in field)) continue;
      const called = name === 'text' ? 'decision' : name;
      const row = new RegExp(`\\b${called}\\b.*\\| ${field.limit.toLocaleString('en')} \\|`);
      assert(
        limits.some((line) => row.test(line)),
        `${called} in "Limits", with ${field.limit}`,
      );
    }
  });
});

/** The anchors that GitHub gives the headings of a page. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The names of all fields in a JSON Schema, however deep. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value) : []),
    ...fieldsOf(value),
  ]);
}
