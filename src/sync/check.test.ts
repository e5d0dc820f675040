import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RULES } from './check.ts';
import { FORMAT } from './segment.ts';

/**
 * The fields and choices of each kind of fact, by format. A kind or a field that is added is kept by older programs (J-5), and filled in by
 * `src/sync/updated.ts` where it is a column; another choice or meaning is a new format, whose facts they keep whole.
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
  it('[CO-1] a choice that is new has a format of its own, and a kind or a field that is new is one that older programs keep', () => {
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
      'enter a new kind or field in SAID here; for a new choice, or a field that is gone or means something else, raise FORMAT in src/sync/segment.ts, enter SAID of that number, and run "npm run reference"',
    );
  });
});
