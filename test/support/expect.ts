import assert from 'node:assert/strict';
import { type ErrorCode, type ErrorReason, PrecedentError } from '../../src/index.ts';

/** SQL, what a driver says, a path of the code, a stack. */
const LEAK =
  /\b(select .* from|insert into|update \w+ set|constraint failed|SQLITE_\w+)\b|node_modules|\.ts:\d|\n\s+at /i;

/** The name of a refusal below its code. */
export async function reasonOf(call: Promise<unknown>): Promise<ErrorReason> {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (refusal: unknown) => refusal,
  );
  assert(error instanceof PrecedentError, `not a PrecedentError: ${error}`);
  return error.reason;
}

/** Asserts that a call is refused with this code, and a message that has all of these words in it. */
export async function refuses(call: Promise<unknown>, code: ErrorCode, ...words: string[]): Promise<void> {
  await assert.rejects(call, (error) => {
    assert(error instanceof PrecedentError, `not a PrecedentError: ${error}`);
    assert.equal(error.code, code, error.message);
    for (const word of words) assert(error.message.includes(word), `"${word}" is not in: ${error.message}`);
    assert.doesNotMatch(error.message, LEAK);
    return true;
  });
}
