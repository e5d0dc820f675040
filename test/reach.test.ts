import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readSet } from '../bench/reach/set.ts';

/** Nobody listens there. */
const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:1/', npm_config_fetch_retries: '0' };
const run = (...args: string[]) =>
  spawnSync(process.execPath, ['bench/reach/run.ts', ...args], { encoding: 'utf8', env });
const BOTH = ['test/fixtures/reach/set', '--memory', 'test/fixtures/reach/memories.ts'];

describe('The bench of reach drives any MCP server and any hook command', () => {
  const { stdout, status, stderr } = run(...BOTH);
  const rows = (name: string) => stdout.split('\n').filter((line) => line.startsWith(`| ${name} |`));

  it('counts a moment as told when the text names the record, and with why when it holds the danger', () => {
    assert.equal(status, 0, stderr);
    // Near words, other words, edit or command, failing command, bound file.
    assert.equal(rows('server')[0], '| server | 1 · 1 | 1 · 1 | 0 · 0 | 0 · 0 | 0 · 0 |');
    assert.equal(rows('hook')[0], '| hook | 0 · 0 | 0 · 0 | 1 · 0 | 1 · 1 | 0 · 0 |');
  });

  it('counts what is said at innocent moments, of the half that is asked for', () => {
    assert.equal(rows('server')[1], '| server | 0 | 0 | 0 |');
    assert.equal(rows('hook')[1], '| hook | 2 | 1 | 0 |');
    assert.match(run(...BOTH, '--held').stdout, /\| hook \| 0 \| 1 \|/);
  });

  it('counts tokens of tools and of what is said', () => {
    const [, tools, start, prompt] = (rows('server')[2] ?? '').split('|').slice(1);
    assert.ok(Number(tools) > 10);
    assert.equal(Number(start), 0);
    assert.match(prompt ?? '', /^ [1-9]\d* · 0 $/);
  });

  it('leaves out a memory that cannot be installed, and says so', () => {
    assert.match(
      stdout,
      /^absent is left out: absent@1\.0\.0 could not be installed; is the registry within reach/m,
    );
  });

  it('refuses a set whose record does not hold the danger of its case', (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'reach-set-'));
    test.after(() => rmSync(folder, { recursive: true }));
    cpSync('test/fixtures/reach/set', folder, { recursive: true });
    const [line = ''] = readFileSync(join(folder, 'files.jsonl'), 'utf8').split('\n');
    writeFileSync(join(folder, 'files.jsonl'), line.replace('took production', 'brought production'));
    assert.throws(
      () => readSet(folder),
      /files\.jsonl, f1: expected the records r1 to be there and hold the danger/,
    );
  });

  it('says what it expected of a folder that is no set', () => {
    assert.throws(() => readSet('test'), /Expected a folder with the files of a set, found none at "test"/);
  });
});
