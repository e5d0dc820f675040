import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { isIdle, readPrompt } from './reading.ts';

describe('what a prompt says', () => {
  it('[T-10] lines that say what went wrong are read, without what is around them', () => {
    const frames = '\n    at run (/srv/app/zebra.js:10:3)\n    at next (/srv/app/zebra.js:1:1)';
    for (const prompt of [
      `Error: okapi fence broke${frames}`,
      `look\n\`\`\`\nconst zebra = 1;\nTypeError: okapi fence broke${frames}\n\`\`\``,
      `[2026-11-24 09:00:01] zebra started\n[2026-11-24 09:00:02] ERROR okapi fence broke`,
      'ERROR worker: okapi: fence broke\n\ngoroutine 88 [running]:\ngithub.com/zebra/app/main.go:12',
    ]) {
      const { words } = readPrompt(prompt);
      assert(words.includes('okapi') && words.includes('fence'), prompt);
      assert(!words.some((word) => word.includes('zebra')), words.join(' '));
    }
    const code = '```\nthrow new Error("zebra");\ncatch (error) {\n  console.error(zebra);\n```';
    assert.deepEqual(readPrompt(code).words, []);
    const many = Array.from({ length: 9 }, (_, at) => `Error: okapi${'abcdefghi'[at]} fell`).join('\n');
    assert.equal(readPrompt(many).words.filter((word) => word.startsWith('okapi')).length, 2);
  });

  it('[M-11] of what was pasted nothing is recorded', () => {
    assert.deepEqual(readPrompt('Error: okapi fence broke').recordable, []);
  });

  it('[T-10] paths and topics are names, and the parts of a path are no words', () => {
    const namesOf = (prompt: string) => readPrompt(prompt).names;
    assert.deepEqual(namesOf('edit `apps/api/src/users.ts:12`, please'), ['apps/api/src/users.ts']);
    assert.deepEqual(namesOf('@src/사용자.ts를 고쳐줘, ./packages/db/migrations 도'), [
      'src/사용자.ts',
      'packages/db/migrations',
    ]);
    assert.deepEqual(namesOf('fix .github/workflows/ci.yml and ../src/a.ts, ~/b/c.ts'), [
      '.github/workflows/ci.yml',
      'src/a.ts',
      'b/c.ts',
    ]);
    assert.deepEqual(namesOf('why AUTH:MFA? and 지도:카카오, raw_readings'), [
      'auth:mfa',
      '지도:카카오',
      'raw_readings',
    ]);
    assert.deepEqual(namesOf('read/write and 죽/미음/연식, https://example.com/a/b/c.html'), []);
    assert.deepEqual(namesOf('why 33B01E2F, auth:token@2를 and (#38)? fix #4, zod@4.1.0, #fff'), [
      '33b01e2f',
      'auth:token@2',
      '#38',
    ]);
    assert.deepEqual(namesOf('feat: use KV for the blog (#38)\nfix: revert it (#9)'), []);
    assert.deepEqual(readPrompt('open okapi/zebra/main.ts').words, ['open']);
    assert.equal(isIdle(readPrompt('edit a/b.ts')), false);
  });

  it('[T-10] what programs send in the name of a person says nothing', () => {
    const notice = '<task-notification>\n<task-id>a1</task-id> The okapi agent ended.\n</task-notification>';
    assert.equal(isIdle(readPrompt(notice)), true);
    assert.equal(isIdle(readPrompt('<agent-message from="lead">Use the okapi</agent-message>')), true);
    assert.deepEqual(readPrompt(`${notice}\nfeed the zebra`).words, ['feed', 'zebra']);
  });

  it('[T-10] takes time that grows with the length of the prompt', async () => {
    for (const piece of ['a/', '/', 'a', 'a.', ':', '`', '[', 'error ', 'a-', '~', '(', 'a b '])
      await withinProcessorTime(1_000, () => readPrompt(piece.repeat(80_000)), piece);
  });
});
