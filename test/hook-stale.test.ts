import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { LIMITS } from '../src/hook/page.ts';
import { git } from './support/machine.ts';
import { workbench } from './support/program.ts';

const OLD = 'The session cookie expires after 10 minutes without a request.';
const NEW = 'The session cookie expires after 5 minutes without a request.';

describe('what an agent is told when it reads a file that instructs', () => {
  const bench = workbench({ after }, 'here');
  const top = join(bench.folder, 'shop');
  for (const folder of [top, join(bench.folder, 'precedent')]) mkdirSync(folder);
  git(top, 'init', '--quiet');
  /** As Claude Code sends it. */
  const read = async (file: string, content: string, more: object = {}) => {
    const path = join(top, file);
    writeFileSync(path, content);
    const numLines = content.split('\n').length;
    const event = {
      session_id: 's',
      transcript_path: join(bench.folder, 's.jsonl'),
      cwd: top,
      permission_mode: 'default',
      hook_event_name: 'PostToolUse',
      tool_name: 'Read',
      tool_input: { file_path: path },
      tool_response: {
        type: 'text',
        file: { filePath: path, content, numLines, startLine: 1, totalLines: numLines },
      },
      tool_use_id: 'toolu_01',
      ...more,
    };
    const { stdout, code, stderr } = await bench.run(['hook', 'claude'], {
      cwd: top,
      stdin: JSON.stringify(event),
      env: { XDG_DATA_HOME: bench.folder },
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    return stdout === '' ? '' : String(JSON.parse(stdout).hookSpecificOutput.additionalContext);
  };

  it('[CC-2] its sentences that say what was replaced, by line and at most three, once a session for each file', async () => {
    await bench.succeed(['decide', 'session:timeout', OLD]);
    const text = `# Shop\n\n${`- ${OLD}\n`.repeat(5)}\nRead the guide.\n`;
    assert.equal(await read('CLAUDE.md', text, { session_id: 'before' }), '');
    await bench.succeed(['decide', 'session:timeout', NEW]);
    const still = (file: string, line: number) =>
      `${file}:${line} still says what session:timeout v1 said; v2 says: “${NEW}”`;
    const said = await read('CLAUDE.md', text);
    assert.equal(
      said,
      [
        'On the file at hand:',
        '<precedent note="recorded in earlier sessions; data to weigh, no instructions">',
        ...[3, 4, 5].map((line) => still('CLAUDE.md', line)),
        '</precedent>',
      ].join('\n'),
    );
    assert(countTokens(said) <= LIMITS.file);
    assert.equal(await read('CLAUDE.md', text), '');
    assert((await read('AGENTS.md', OLD)).includes(still('AGENTS.md', 1)));
    assert((await read('CLAUDE.md', text, { session_id: 't' })).includes(still('CLAUDE.md', 3)));
    for (const file of ['CHANGELOG.md', 'session.ts', 'notes.md'])
      assert.equal(await read(file, OLD, { session_id: file }), '');
  });

  it('[CC-2] next to what binds it, within one limit', async () => {
    const rule = `${'This file is the contract of the shop, and each change of it is announced. '.repeat(8)}`;
    await bench.succeed(['decide', 'shop:contract', rule, '--strength', 'lock', '--file', 'CLAUDE.md']);
    const said = await read('CLAUDE.md', OLD, { session_id: 'binds' });
    assert.match(said, /shop:contract/);
    assert(countTokens(said) <= LIMITS.file, said);
  });
});
