import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { HELLO, OF_PROGRAMS, PROGRAM, type Ran, workbench } from './support/program.ts';

const RED = '\u001b[31m';
/** 한글 in EUC-KR. */
const EUC_KR = Buffer.from([0xc7, 0xd1, 0xb1, 0xdb]);

/** Asserts that something was refused as text that is not UTF-8, and where. */
function refusedAt(place: string, { code, stderr }: Ran): void {
  assert.equal(code, 2, stderr);
  assert(stderr.includes(`found bytes in ${place} that are not`) && stderr.includes('iconv'), stderr);
}

describe('what comes in on the command line', () => {
  it('[U-8] a decision typed before its topic is refused with the right order, and a topic of several words is one where it is said', async (test) => {
    const { db, run, succeed } = workbench(test, 'here');
    for (const typed of [
      ['Use tabs', 'because it is simpler'],
      ['탭을 쓴다', '더 간단하다'],
      ['Note: use tabs', 'simpler'],
      ['Use tabs'],
      ['many words '.repeat(100).trim(), 'because'],
    ]) {
      const { code, stderr } = await run(['decide', ...typed]);
      assert.equal(code, 2, typed[0]);
      assert.match(stderr, /Expected the topic first.*Nothing was saved/);
      const [first = ''] = typed;
      if (first.length < 60) assert(stderr.includes(`precedent decide code:style "${first}" --reasoning`));
    }
    assert.equal(existsSync(db), false);
    await succeed(['decide', '--topic', '결제 규칙', '--decision', '서버에서 검증한다']);
    // Whose topic is there, needs to say nothing; another one is refused here, too.
    assert.match(await succeed(['decide', '결제 규칙', '서버에서만 검증한다']), /v2/);
    await succeed(['withdraw', '결제 규칙', '--reasoning', '다시 생각한다']);
    assert.match(await succeed(['decide', '결제 규칙', '서버가 검증한다']), /v4/);
    await succeed(['rename', '결제 규칙', 'pay:rules']);
    assert.match(await succeed(['decide', '결제 규칙', '둘 다 검증한다']), /pay:rules {2}v5/);
    assert.equal((await run(['decide', '결제는 서버에서', '안전하다'])).code, 2);
    for (const topic of ['auth', 'auth:session lifetime']) await succeed(['decide', topic, 'An hour.']);
    await succeed(['tool', 'mama_save', 'Some topic', 'A script knows the order.']);
  });

  it('[U-8] revise takes the new text as decide does, or as an option of either name', async (test) => {
    const { run, succeed } = workbench(test, 'here');
    await succeed(['decide', 'pay:provider', 'Toss']);
    const text = 'Toss + 카카오페이';
    assert.match(await succeed(['revise', 'pay:provider', text, '--reasoning', '수수료가 낮다']), /v2/);
    assert((await succeed(['why', 'pay:provider'])).includes(text));
    assert.match(await succeed(['revise', 'pay:provider', '--text', 'Toss only']), /v3/);
    assert.match(await succeed(['revise', 'pay:provider', '--decision', 'Kakao only']), /v4/);
    const { code, stderr } = await run(['revise', 'pay:provider', 'Toss', '--text', 'Kakao']);
    assert.equal(code, 2);
    assert.match(stderr, /Expected text once/);
  });

  it('[K-6] undo --dry-run takes nothing back', async (test) => {
    const { succeed } = workbench(test, 'here');
    await succeed(['decide', 'auth', 'JWT']);
    const dry = JSON.parse(await succeed(['undo', '--dry-run', '--json']));
    assert.deepEqual([dry.done, dry.effects.length], [false, 1]);
    assert.match(await succeed(['undo', '--dry-run']), /^would be undone/);
    const { decision } = JSON.parse(await succeed(['tool', 'decision_get', 'auth', '--json']));
    assert.deepEqual([decision.isActive, decision.version], [true, 1]);
    assert.match(await succeed(['undo']), /undone/);
  });

  it('[K-7] standard input that is not UTF-8 is refused by its line, and nothing is saved', async (test) => {
    const { run, succeed } = workbench(test, 'here');
    const stdin = Buffer.concat([Buffer.from('첫째 줄\n'), EUC_KR, Buffer.from('\n')]);
    refusedAt('line 2 of standard input', await run(['tool', 'mem_save', 't', '-'], { stdin }));
    refusedAt('line 1 of standard input', await run(['tool', 'trigger', '-'], { stdin: EUC_KR }));
    const saved = Buffer.from('\ufeff첫째 줄 \ufffd\r\n둘째 줄');
    await succeed(['tool', 'mem_save', 't', '-'], { stdin: saved });
    const { content } = JSON.parse(await succeed(['tool', 'mem_get_observation', '1', '--json']));
    assert.equal(
      content,
      '첫째 줄 \ufffd\n둘째 줄',
      'U+FFFD may be quoted, and a byte order mark is no text',
    );
  });

  it('[K-7] text in UTF-16 is refused, with or without a byte order mark', async (test) => {
    const { run } = workbench(test, 'here');
    const utf16 = Buffer.from('\ufeffabc', 'utf16le');
    refusedAt('line 1 of standard input', await run(['tool', 'mem_save', 't', '-'], { stdin: utf16 }));
    const { code, stderr } = await run(['tool', 'mem_save', 't', '-'], { stdin: utf16.subarray(2) });
    assert.equal(code, 2);
    assert.match(stderr, /"content" to be UTF-8 without NUL/);
  });

  const isLinux = process.platform === 'linux';
  it('[K-7] an argument that is not UTF-8 is refused by its place', {
    skip: !isLinux && 'only Linux shows the bytes of arguments',
  }, async (test) => {
    const { folder, db, succeed } = workbench(test, 'here');
    // Node passes no other bytes on to a child.
    const script = join(folder, 'save.sh');
    const command = Buffer.from('exec "$1" "$2" --db "$3" note title "');
    writeFileSync(script, Buffer.concat([command, EUC_KR, Buffer.from('"\n')]));
    const child = spawn('sh', [script, process.execPath, PROGRAM, db], {
      env: { ...process.env, ...OF_PROGRAMS },
    });
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    const [code] = await once(child, 'close');
    refusedAt('argument 5', { code, stdout: '', stderr });
    await succeed(['tool', 'mem_save', 'title', 'a \ufffd that was typed']);
  });

  it('[K-7] a pasted log loses its colours with a warning, and other control characters are shown as escapes', async (test) => {
    const { succeed } = workbench(test, 'here');
    const saved = await succeed(['tool', 'mem_save', 'log', '-'], {
      stdin: `${RED}FAIL\u001b[0m\r\n10%\r20%\u0007`,
    });
    assert.match(saved, /! 2 terminal sequences were cut from "content"\./);
    const shown = await succeed(['show', '#1']);
    assert.match(shown, /^ {2}FAIL\n {2}10%\\u000d20%\\u0007$/m);
  });

  it('[K-7] an export that is not UTF-8 is refused by its line', async (test) => {
    const { folder, run, succeed } = workbench(test, 'here');
    await succeed(['tool', 'mem_save', 't', '한글']);
    const lines = (await succeed(['export', '--format', 'jsonl'])).split('\n');
    const at = lines.findIndex((line) => line.includes('한글'));
    const [before = '', after = ''] = lines.join('\n').split('한글');
    const file = join(folder, 'memory.jsonl');
    writeFileSync(file, Buffer.concat([Buffer.from(before), EUC_KR, Buffer.from(after)]));
    refusedAt(`line ${at + 1}`, await run(['--db', join(folder, 'other.db'), 'import', file]));
  });
});

it('[K-7] a message whose bytes are not UTF-8 is refused, under its id', async (test) => {
  const { serve } = workbench(test, 'here');
  const server = serve();
  await server.ask(0, 'initialize', HELLO);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const input = { title: 'legit \ufffd', content: 'HERE' };
  const message = JSON.stringify({ ...call, params: { name: 'mem_save', arguments: input } });
  const [before = '', after = ''] = message.split('HERE');
  const answered = server.answered(1);
  server.child.stdin.write(Buffer.concat([Buffer.from(before), EUC_KR, Buffer.from(`${after}\n`)]));
  const { error } = await answered;
  assert.match(error?.message ?? '', /^Expected UTF-8 in a line, found other bytes/);
  assert.equal(
    (await server.answer(2, 'tools/call', { name: 'mem_save', arguments: { ...input, content: '한' } }))
      .error,
    undefined,
  );
});
