import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHANGE_KINDS } from '../../src/domain/change.ts';
import { OUTCOMES } from '../../src/domain/outcome.ts';
import { whatHappened } from '../../src/operations/lists/logged.ts';
import { ko } from '../../src/page/words/ko.ts';

describe('the words of the page', () => {
  it('[X-2] whatever the log says that happened is there in Korean', () => {
    const said = [
      ...CHANGE_KINDS.map((kind) => whatHappened('change', kind)),
      ...['decided', 'revised', 'withdrawn'].map((detail) => whatHappened('decision', detail)),
      ...OUTCOMES.map((outcome) => whatHappened('outcome', outcome)),
      ...(['evidence', 'anchor', 'checkpoint', 'observation', 'revision', 'memo', 'redaction'] as const).map(
        (source) => whatHappened(source, ''),
      ),
    ];
    assert.deepEqual(
      said.filter((what) => !(what in ko.happened)),
      [],
    );
  });
});
