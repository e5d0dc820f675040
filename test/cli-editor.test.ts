import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { scratch } from './support/engines.ts';
import { workbench } from './support/program.ts';

const POSIX = { skip: process.platform === 'win32' && 'its editor is a shell script' };

/** An editor that does to the file what a script of sed says, then ends with a code. */
function editor(script: string, code = 0): string {
  const file = join(scratch(), 'an editor.sh');
  writeFileSync(file, `#!/bin/sh\nsed -i.bak '${script}' "$1"\nexit ${code}\n`);
  chmodSync(file, 0o755);
  return `'${file}'`;
}

describe('[U-6] the editor', POSIX, () => {
  const bench = (test: TestContext) => {
    const { succeed, run } = workbench(test, 'here');
    const edit = (args: string[], VISUAL: string) => run(args, { env: { VISUAL } });
    const json = async (...args: string[]) => JSON.parse(await succeed([...args, '--json']));
    return { succeed, run, edit, json };
  };

  it('what stands is edited, and what was changed is saved', async (test) => {
    const { succeed, edit, json } = bench(test);
    await succeed(['decide', 'auth:token', 'JWT', '--reasoning', '# Why\nno state']);
    const done = await edit(['revise', 'auth:token'], editor('s/^JWT$/Session cookies/'));
    assert.equal(done.code, 0, done.stderr);
    const { decision } = await json('tool', 'decision_get', 'auth:token');
    assert.deepEqual(
      [decision.text, decision.reasoning, decision.version, decision.strength],
      ['Session cookies', '# Why\nno state', 2, 'normal'],
    );
    await succeed(['note', 'Clock', 'two minutes off']);
    await edit(['revise', '#1'], editor('s/two/three/'));
    assert.equal((await json('tool', 'mem_get_observation', '1')).content, 'three minutes off');
    const { infoId } = await json('tool', 'memo_save', 'buy milk', '--keywords', 'milk');
    await edit(['revise', infoId], editor('s/milk$/oat milk/'));
    const [memo] = (await json('tool', 'memo_list', '--info-id', infoId)).memos;
    assert.deepEqual([memo.fullText, memo.revisions.length], ['buy oat milk', 1]);
  });

  it('[TR-3] a better wording keeps when it was decided, by an option or by the answer to its question', async (test) => {
    const { succeed, edit, json } = bench(test);
    await succeed(['decide', 'auth:token', 'Sesion cookies', '--date', '2026-01-05']);
    const read = async () => {
      const { decision } = await json('tool', 'decision_get', 'auth:token');
      return [decision.text, decision.version, decision.createdAt.slice(0, 10), decision.tidied?.how];
    };
    await edit(['revise', 'auth:token', '--tidy'], editor('s/^Sesion/Session/'));
    assert.deepEqual(await read(), ['Session cookies', 2, '2026-01-05', 'worded']);
    await edit(['revise', 'auth:token'], editor('s/^Session cookies$/&./; s/^no$/yes/'));
    assert.deepEqual(await read(), ['Session cookies.', 3, '2026-01-05', 'worded']);
    await edit(['revise', 'auth:token', '--tidy'], editor('s/^Session cookies.$/JWT/; s/^yes$/no/'));
    const [text, version, on, tidied] = await read();
    assert.deepEqual([text, version, on === '2026-01-05', tidied], ['JWT', 4, false, undefined]);
  });

  it('an empty text, one that is left as it was and an editor that fails change nothing', async (test) => {
    const { succeed, run, edit, json } = bench(test);
    await succeed(['decide', 'a', 'A']);
    const same = await edit(['revise', 'a'], 'true');
    assert.deepEqual([same.code, same.stdout.includes('nothing was changed')], [0, true]);
    const empty = await edit(['revise', 'a'], editor('/^[^#]/d'));
    assert.deepEqual([empty.code, empty.stderr.includes('found an empty one')], [2, true]);
    const failed = await edit(['revise', 'a'], 'false');
    assert.match(
      failed.stderr,
      /Expected the editor "false" to exit without an error, found that it ended with code 1/,
    );
    assert.doesNotMatch(failed.stderr, /kept in/);
    assert.equal((await json('tool', 'decision_get', 'a')).decision.version, 1);
    const { code, stderr } = await run(['revise', 'a'], { env: { VISUAL: 'true', CLAUDECODE: '1' } });
    assert.equal(code, 2);
    assert.match(stderr, /Expected at least one of text, /, 'an agent that forgot the text gets no editor');
  });

  it('what cannot be saved is kept in a file that the refusal names', async (test) => {
    const { succeed, edit, json } = bench(test);
    await succeed(['decide', 'a', 'A', '--strength', 'lock']);
    for (const [script, code] of [
      ['s/^A$/much work/', 0],
      ['s/^A$/much work/', 1],
      ['s/^lock$/much work/', 0],
    ] as const) {
      const refused = await edit(['revise', 'a'], editor(script, code));
      assert.notEqual(refused.code, 0);
      const [, file = ''] = refused.stderr.match(/kept in (\S+)/) ?? [];
      assert(readFileSync(file, 'utf8').includes('much work'), refused.stderr);
    }
    assert.equal((await json('tool', 'decision_get', 'a')).decision.version, 1);
  });

  it('a signal that ends the program leaves a file only where something was written, and names it', async (test) => {
    const { succeed, start } = workbench(test);
    await succeed(['decide', 'a', 'A']);
    for (const script of ['', 's/^A$/much work/']) {
      const TMPDIR = scratch();
      const file = join(TMPDIR, 'editor.sh');
      writeFileSync(file, `sed -i '${script}' "$1"\necho open\ncat\n`);
      const { child, exited } = start(['revise', 'a'], { env: { TMPDIR, VISUAL: `sh '${file}'` } });
      let said = '';
      child.stderr.on('data', (text) => {
        said += text;
      });
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      assert.equal(await exited, 143);
      child.stdin.end();
      const left = readdirSync(TMPDIR).filter((name) => name.startsWith('precedent-edit-'));
      assert.equal(left.length, script === '' ? 0 : 1);
      if (script === '') continue;
      const [, kept = ''] = said.match(/What you wrote is kept in (\S+)/) ?? [];
      assert.match(readFileSync(kept, 'utf8'), /much work/);
    }
  });

  it('a save is written there too, beginning with what was typed', async (test) => {
    const { edit, run, json } = bench(test);
    const file = join(scratch(), 'seen');
    const write = `sed -i.bak -e '/\\[decision\\]/a\\\nCookies' -e '/\\[reasoning\\]/a\\\nHttpOnly'`;
    const saved = await edit(['decide', '--edit', 'auth:token'], `cp "$1" ${file} 2>/dev/null; ${write}`);
    assert.equal(saved.code, 0, saved.stderr);
    const { decision } = await json('tool', 'decision_get', 'auth:token');
    assert.deepEqual([decision.text, decision.reasoning], ['Cookies', 'HttpOnly']);
    const aborted = await edit(['note', '--edit'], 'true');
    assert.deepEqual([aborted.code, aborted.stderr.includes('found an empty one')], [2, true]);
    assert(!existsSync(file));
    const none = await run(['note', '--edit'], { env: { VISUAL: '', EDITOR: '' } });
    assert.match(none.stderr, /Expected VISUAL or EDITOR to name an editor/);
  });
});
