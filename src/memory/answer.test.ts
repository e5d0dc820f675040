import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findOperation } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { answerBytes } from './answer.ts';

const operation = (name: string) => findOperation(name) as Operation;

describe('[Z-5] the length of an answer of a server', () => {
  it('is that of its JSON', () => {
    const result = {
      texts: ['a"b\\c\n\u0001', '한글 😀', ''],
      n: 12.5,
      yes: true,
      none: null,
      deep: [{ a: {} }],
    };
    const long = { ...result, more: Array.from({ length: 1_000 }, (_, nr) => ({ nr, ...result })) };
    const whole = { ...long, left: undefined, empty: {}, 열쇠: [] };
    assert.equal(answerBytes(operation('timeline'), whole), Buffer.byteLength(JSON.stringify(whole)));
  });

  it('of a read is limited, and the refusal names what makes it shorter', () => {
    const refused = (name: string) => {
      try {
        answerBytes(operation(name), { text: 'x'.repeat(2 ** 21) }, 2 ** 20);
      } catch (error) {
        return (error as Error).message;
      }
      return undefined;
    };
    assert.equal(
      refused('timeline'),
      'timeline: Expected an answer of at most 1.0 MiB, found 2.0 MiB. Ask with a smaller "limit", or no "full".',
    );
    assert.match(refused('briefing_get') ?? '', /Ask for a part of it, or use the command line/);
    assert.equal(refused('mama_save'), undefined, 'what was written is answered');
  });
});
