import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RULES } from './check.ts';
import { FORMAT } from './segment.ts';

/**
 * What a fact of each kind may say, by format. A machine whose program does not know a field leaves it out without a word; a
 * format that is newer than its own it names, and takes in once it is updated.
 */
const SAID: Record<number, Record<string, string>> = {
  1: {
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
  },
};

describe('the format of facts', () => {
  it('[CO-1] a kind, a field or a choice that is new has a format of its own, so that no older program drops it', () => {
    const said = Object.fromEntries(
      Object.entries(RULES).map(([kind, rules]) => [
        kind,
        Object.entries(rules)
          .map(([field, { choices }]) => (choices ? `${field}(${choices.join('|')})` : field))
          .sort()
          .join(' '),
      ]),
    );
    assert.deepEqual(
      said,
      SAID[FORMAT],
      'raise FORMAT in src/sync/segment.ts and add its list to SAID here; only a format that was never released may change',
    );
  });
});
