import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { INSTRUCTIONS } from '../src/agents/agents.ts';
import { adr } from '../src/interchange/importers/adr/adr.ts';
import { agents } from '../src/interchange/importers/agents/agents.ts';
import { hoofy } from '../src/interchange/importers/engram/engram.ts';
import { basicMemory, obsidian } from '../src/interchange/importers/notes/notes.ts';
import { serverMemory } from '../src/interchange/importers/server-memory.ts';
import { readSource } from '../src/memory/importing.ts';

/** A folder of these files, gone after the test. */
function folderOf(test: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-odd-'));
  test.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const machine = (folder: string) => ({ home: folder, folder, platform: process.platform, env: {} });

/** Decisions of records by topic: each as text and whether it was withdrawn. */
const decisionsIn = (folder: string) =>
  adr.read(folder, {}).decisions.map(({ topic, text, withdrawn }) => [topic, text, withdrawn?.reason]);

describe('readers of other tools: sources as people have them', () => {
  it('[I-1] a heading in a block of code begins no section, of instructions and of records', (test) => {
    const code = '```sh\n## run tests\nnpm test\n```\n\nAlways.';
    const told = folderOf(test, { 'CLAUDE.md': `# Shop\n\n## Commands\n\n${code}\n\n## Style\n\nTabs.\n` });
    assert.deepEqual(
      agents.read(told, {}).observations.map(({ title, content }) => [title, content]),
      [
        ['CLAUDE.md: Commands', code],
        ['CLAUDE.md: Style', 'Tabs.'],
      ],
    );
    const record = `# 1. Use X\n\n## Context\n\n~~~\n## Decision\nno\n~~~\nmore\n\n## Decision\n\nWe use X.\n`;
    const [decision] = adr.read(folderOf(test, { '0001-x.md': record }), {}).decisions;
    assert.equal(decision?.text, 'Use X: We use X.');
    assert.equal(decision?.reasoning, 'Context\n~~~\n## Decision\nno\n~~~\nmore');
  });

  it('[I-1] one file that cannot be read is left out by name, and the others come', (test) => {
    const files = {
      'vault/a.md': 'one',
      'vault/folder.md/b.md': 'two',
      'adr/0001-x.md': '# 1. X\n\n## Status\n\nAccepted\n',
      'repo/CLAUDE.md': 'Be short.',
    };
    const folder = folderOf(test, files);
    for (const name of ['vault/gone.md', 'adr/0002-gone.md', 'repo/AGENTS.md'])
      symlinkSync('nowhere.md', join(folder, name));
    const notes = obsidian.read(join(folder, 'vault'), {});
    assert.deepEqual(notes.observations.map(({ title }) => title).sort(), ['a', 'b']);
    assert.deepEqual(notes.skipped, [{ what: 'gone.md', why: 'a link to nothing' }]);
    const records = adr.read(join(folder, 'adr'), {});
    assert.equal(records.decisions.length, 1);
    assert.deepEqual(records.skipped, [{ what: '0002-gone.md', why: 'a link to nothing' }]);
    const told = agents.read(join(folder, 'repo'), {});
    assert.equal(told.observations.length, 1);
    assert.deepEqual(told.skipped, [{ what: 'AGENTS.md', why: 'a link to nothing' }]);
  });

  it('[I-1] notes: links to headings, in code, and to the end of a path', (test) => {
    const folder = folderOf(test, {
      '홈.md': [
        '[[#제목]] `[[code]]` [[폴더/깊은 노트]]',
        '~~~',
        '[[tilde]]',
        '~~~',
        '````md',
        '```',
        '[[nested]]',
        '```',
        '[[inside]]',
        '````',
      ].join('\n'),
      'a/폴더/깊은 노트.md': '깊은',
      '깊은 노트.md': '얕은',
    });
    const links = obsidian.read(folder, {}).relations.map(({ to }) => to.replace(/^.*:/, ''));
    assert.deepEqual(links, ['a/폴더/깊은 노트']);
    // basic-memory reads links in code of one line, too.
    const [first] = basicMemory.read(folder, {}).relations;
    assert.equal(first?.to, 'code');
  });

  it('[I-2] server-memory: a fact that is no text is kept as it is, of a name that comes twice every fact is known', (test) => {
    const line = (observations: unknown[]) =>
      JSON.stringify({ type: 'entity', name: 'Redis', entityType: 'tool', observations });
    const folder = folderOf(test, {
      'memory.jsonl': `${line(['prefers 한국어', 3])}\n${line([{ a: 1 }, 3])}\n`,
    });
    const facts = serverMemory.read(join(folder, 'memory.jsonl'), {});
    assert.equal(facts.observations[0]?.content, '- prefers 한국어\n- 3\n- {"a":1}');
    assert.deepEqual(facts.warnings, ['"Redis" is there 2 times: it came as one']);
  });

  it('[I-1] [I-2] server-memory: what its server 2026.8.31 wrote over MCP, and a fork with dates: every fact, type and relation', (test) => {
    const written = (more: object) =>
      [
        {
          type: 'entity',
          name: 'Kim',
          entityType: 'person',
          observations: ['likes tea ☕', 'moved to 부산'],
        },
        { type: 'entity', name: 'Kim', entityType: 'engineer', observations: ['owns auth', 'likes tea ☕'] },
        { type: 'entity', name: '결제', entityType: '', observations: ['줄\n바꿈', 'fast\u2028line', ' '] },
        { type: 'relation', from: 'Kim', to: '결제', relationType: '담당' },
        { type: 'relation', from: 'Kim', to: '결제', relationType: '담당' },
        { type: 'relation', from: 'Kim', to: 'nobody', relationType: 'knows' },
      ]
        .map((each) => JSON.stringify({ ...each, ...more }))
        .join('\n');
    const folder = folderOf(test, {
      'server.jsonl': written({}),
      'fork.jsonl': written({ createdAt: '2026-11-26T04:46:34.028Z', version: 1 }),
    });
    const [server, fork] = ['server.jsonl', 'fork.jsonl'].map((name) =>
      serverMemory.read(join(folder, name), {}),
    );
    const shown = server?.observations.map(({ title, type, content, rest }) => [title, type, content, rest]);
    assert.deepEqual(shown, [
      [
        'Kim',
        'engineer',
        '- likes tea ☕\n- moved to 부산\n- owns auth',
        { entityTypes: ['person', 'engineer'] },
      ],
      ['결제', 'entity', '- 줄\n바꿈\n- fast\u2028line\n-  ', {}],
    ]);
    assert.deepEqual(
      server?.relations.map(({ from, type, to }) => [from, type, to]),
      [
        ['Kim', '담당', '결제'],
        ['Kim', 'knows', 'nobody'],
      ],
    );
    for (const each of [...(fork?.observations ?? []), ...(fork?.relations ?? [])]) {
      assert.deepEqual(
        [each.at, each.isUndated, each.rest?.version],
        [Date.UTC(2026, 10, 26, 4, 46, 34, 28), undefined, 1],
      );
    }
  });

  it('[I-1] server-memory: a file of another kind is distinguished from one with damaged lines', (test) => {
    const folder = folderOf(test, { 'notes.md': '# Notes\n\nfrom yesterday\n' });
    assert.throws(
      () => serverMemory.read(join(folder, 'notes.md'), {}),
      ({ message }: Error) => /found another file at/.test(message) && !message.includes('--skip-damaged'),
    );
  });

  it('[I-1] a scope is refused where a source has none, and nothing found is said to be so', (test) => {
    const folder = folderOf(test, { 'CLAUDE.md': 'Be short.' });
    const asked = { scope: 'project=/home/kim/shop' };
    for (const source of ['agents', 'engram', '7-division', 'server-memory', 'adr', 'obsidian'])
      assert.throws(
        () => readSource(source, folder, machine(folder), asked),
        /Expected --scope with --from mama alone, found it with/,
      );
    const empty = folderOf(test, {});
    for (const source of ['adr', 'agents', 'obsidian', 'basic-memory']) {
      const { warnings } = readSource(source, empty, machine(empty), {});
      assert.equal(warnings.length, 1, source);
      assert.match(String(warnings[0]), /^There is nothing to import at /);
    }
    assert.throws(() => agents.read(join(folder, 'CLAUDE.md'), {}), /Expected a folder/);
  });

  it('[I-1] adr: names, dates and states as people write them', (test) => {
    const folder = folderOf(test, {
      'ADR-0002-redis.md':
        '# ADR-0002 - Use Redis\n\n- **Status:** Superseded by [ADR-0003](ADR-0003-valkey.md)\n- **Date:** 2021/2/3\n\n## Decision Outcome\n\nChosen option: **Redis**, because fast.\n',
      'ADR-0003-valkey.md':
        '# ADR-0003: Use Valkey\n\n**Status**: Accepted\n**Date**: 2021-05-06\n\n## 1. Decision:\n\nUse Valkey.\n',
      'ADR-0004-wall.md':
        '# 4. 외벽 두께\n\n날짜: 2022년 1월 2일\n\n## 상태\n\n폐기됨\n\n## 맥락\n\n단열.\n\n## 결정 사항\n\n220mm.\n',
      'ADR-0007-old.md':
        '# 7. 2.0 is old\n\nDate: 2022-05-05\n\n## Status\n\nObsolete\n\nReplaced by [8](100%-new.md)\n',
      '0008-new.md':
        '# 8. New\n\nDate: 2022-05-06\nReplaces ADR-0007\n\n## Status\n\nAccepted\n\nRelates to [a](100%.md)\n',
    });
    assert.deepEqual(decisionsIn(folder), [
      ['adr:ADR-0002-redis', 'Use Redis: Redis, because fast.', undefined],
      ['adr:ADR-0002-redis', 'Use Valkey', undefined],
      ['adr:ADR-0004-wall', '외벽 두께: 220mm.', '폐기됨'],
      ['adr:ADR-0007-old', '2.0 is old', undefined],
      ['adr:ADR-0007-old', 'New', undefined],
    ]);
    const dates = adr.read(folder, {}).decisions.map(({ at }) => new Date(at).toISOString().slice(0, 10));
    assert.deepEqual(dates, ['2021-02-03', '2021-05-06', '2022-01-02', '2022-05-05', '2022-05-06']);
  });

  it('[I-1] agents: several files of notes of Codex come side by side, also when they begin alike', (test) => {
    const folder = folderOf(test, {
      '.codex/memories/MEMORY.md': 'One.\n\n## Tests\n\nRun them.\n',
      '.codex/memories/shop.md': 'Two.\n\n## Tests\n\nOnly some.\n',
    });
    const keys = agents.read(folder, {}).observations.map(({ key }) => key);
    assert.deepEqual(keys, [
      'codex:MEMORY.md',
      'codex:MEMORY.md#Tests',
      'codex:shop.md',
      'codex:shop.md#Tests',
    ]);
  });

  it('[I-1] empty front matter is not part of the text', (test) => {
    const folder = folderOf(test, { 'note.md': '---\n---\ntext\n', 'rule.md': '---\nno front matter\n' });
    const contents = obsidian.read(folder, {}).observations.map(({ content }) => content);
    assert.deepEqual(contents, ['text', '---\nno front matter']);
  });

  it('[I-2] notes: a text that is not a date, or a date that has no place, is kept with the note', (test) => {
    const folder = folderOf(test, {
      'a.md': '---\ncreated: yesterday\nmodified: soon\n---\nA',
      'b.md': '---\nmodified: 2024-05-06\n---\nB',
      'c.md': '---\ncreated: 2024-05-05\nmodified: 2024-05-06\n---\nC',
    });
    const rests = obsidian.read(folder, {}).observations.map(({ rest }) => rest);
    assert.deepEqual(rests, [{ created: 'yesterday', modified: 'soon' }, { modified: '2024-05-06' }, {}]);
  });

  it('[I-1] Hoofy has no folder; a change without a date is dated as its row', (test) => {
    const folder = folderOf(test, {
      'export.json': JSON.stringify({
        sessions: [],
        observations: [
          {
            id: 1,
            session_id: 's',
            title: 't',
            content: 'c',
            created_at: '2026-01-01 00:00:00',
            updated_at: '-',
          },
        ],
      }),
    });
    assert.throws(
      () => hoofy.read(folder, {}),
      /Expected the database or the export of Hoofy, found a folder/,
    );
    const [fact] = hoofy.read(join(folder, 'export.json'), {}).observations;
    assert.equal(fact?.updatedAt, Date.parse('2026-01-01T00:00:00Z'));
  });

  it('[I-1] agents: rules of Cursor and of Claude come from a package of a repository, too', (test) => {
    const folder = folderOf(test, {
      'packages/api/.cursor/rules/rpc.mdc': 'Use RPC.',
      'packages/api/.claude/CLAUDE.md': 'Be short.',
    });
    assert.deepEqual(
      agents
        .read(folder, {})
        .observations.map(({ title }) => title)
        .sort(),
      ['packages/api/.claude/CLAUDE.md', 'packages/api/.cursor/rules/rpc.mdc'],
    );
  });

  it('[I-1] the files in which people instruct agents are read as such, in a project and a home, and are no decision records', (test) => {
    const decided = (text: string) => `# ${text}\n\n## Status\n\nAccepted\n\n## Decision\n\nUse ${text}.\n`;
    for (const where of ['home', 'project'] as const) {
      const files = INSTRUCTIONS[where].map((each) => each.replaceAll('**/', '').replace('*', 'some')).sort();
      const folder = folderOf(test, Object.fromEntries(files.map((file) => [file, decided(file)])));
      const { observations } = agents.read(folder, where === 'home' ? { home: folder } : {});
      const read = observations.map(({ key }) => key.replace(/^[^/]*\//, '').replace(/#.*/, ''));
      assert.deepEqual([...new Set(read)].sort(), files);
      const names = files.map((file) => basename(file)).filter((name) => !name.startsWith('some'));
      const records = Object.fromEntries(['0001-x.md', ...names].map((file) => [file, decided(file)]));
      const { decisions } = adr.read(folderOf(test, records), {});
      assert.deepEqual(
        decisions.map(({ topic }) => topic),
        ['adr:0001-x'],
      );
    }
  });

  it('[I-1] adr: a record that was renamed is found by its number, one line may name several, what was replaced comes before what replaced it', (test) => {
    const folder = folderOf(test, {
      '0001-a.md': '# 1. A\n\n## Status\n\nSuperseded by [ADR-0002](0002-old-name.md)\n',
      '0002-b.MD':
        '# 2. B\n\n## Status\n\nAccepted\n\nSupersedes ADR-0004 and ADR-0099\n\nAmends [3](0003-gone.md), [88](0088-x.md)\n',
      '0003-c.markdown': '# 3. C\n\n## Status\n\nSuperseded by ADR-0042\n',
      '0004-d.md': '# 4. D\n\n## Status\n\nAccepted\n',
    });
    const facts = adr.read(folder, {});
    assert.deepEqual(
      facts.decisions.map(({ topic, text, withdrawn, links }) => [
        topic,
        text,
        withdrawn?.reason,
        links?.map(({ to }) => to),
      ]),
      [
        ['adr:0001-a', 'A', 'Superseded by 0002-b.MD on "adr:0004-d".', []],
        ['adr:0004-d', 'D', undefined, []],
        ['adr:0004-d', 'B', undefined, ['0003-c.markdown', '0001-a.md']],
        ['adr:0003-c', 'C', 'Superseded by ADR-0042, which is not there', []],
      ],
    );
    assert.deepEqual(facts.warnings, [
      '0002-b.MD supersedes ADR-0099: no such file',
      '0002-b.MD builds_on 88: no such file',
    ]);
  });
});
