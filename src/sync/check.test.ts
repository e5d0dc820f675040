import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RULES, SINCE } from './check.ts';

/**
 * The fields and choices of each kind of fact that a program of version 1 of the format reads. A kind or a field that is added is
 * kept by older programs (J-5), and filled in by `src/sync/updated.ts` where it is a column. A choice is never added here.
 */
const SAID: Record<string, string> = {
  decision:
    'at basedOn branch by confidence files reasoning revisit scope strength(axis|lock|normal) text tidies topic withdrawn',
  outcome: 'at by decision outcome(success|failed|partial) reason',
  evidence: 'at by content decision timestamp',
  anchor: 'at by decision evidence hint type(evidence_link|decision_link)',
  link: 'from relationship(supersedes|builds_on|debates|synthesizes) to',
  observation: 'at by',
  text: 'by content observation title type',
  place: 'deletedAt project scope topicKey',
  relation: 'by from note to type',
  mark: 'by gone',
  called: 'by decision gone topic was',
  joined: 'from to',
  erased: '',
};

describe('the format of facts', () => {
  it('[CO-1] [J-5] a new choice has a version of its own, and older programs keep a new kind or field', () => {
    const isFirst = (kind: string, field: string, word: string) =>
      !SINCE.some((since) => since[0] === kind && since[1] === field && since[2] === word);
    const said = Object.fromEntries(
      Object.entries(RULES).map(([kind, rules]) => [
        kind,
        Object.entries(rules)
          .map(([field, { choices }]) => {
            const first = choices?.filter((word) => isFirst(kind, field, word));
            return first?.length ? `${field}(${first.join('|')})` : field;
          })
          .sort()
          .join(' '),
      ]),
    );
    assert.deepEqual(
      said,
      SAID,
      'enter a new kind or field in SAID here; enter a new choice, or a field that is gone or means something else, in SINCE of src/sync/check.ts, and run "npm run reference"',
    );
  });
});
