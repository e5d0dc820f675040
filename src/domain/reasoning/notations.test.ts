import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseReasoning } from './reasoning.ts';

const U = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const V = '3f2504e0-4f89-41d3-9a0c-0305e82c3302';

/** Notations seen in what agents write, each once misread. */
describe('parseReasoning: notations', () => {
  const two = [
    'builds_on:\n- decision_a.\n- decision_b.',
    'builds_on:\n- decision_a — why\n- decision_b — why',
    `builds_on:\n* ${U}: because\n* ${V}`,
    'builds_on: decision_a (reason), decision_b (reason)',
    'builds_on: decision_a or decision_b',
    'debates: decision_a vs decision_b',
    'builds_on: decision_a | decision_b',
    `builds_on: ${U}와, ${V}`,
    `builds_on: ${U}이며, ${V}`,
    `builds_on: ${U}도 ${V}도`,
    `builds_on: ${U}와${V}`,
    `builds_on: ［${U}、${V}］`,
    `builds_on: \`[${U}, ${V}]\``,
    `builds_on: **[${U}, ${V}]**`,
    'synthesizes: [decision_a/decision_b]',
    'synthesizes: [decision_a|decision_b]',
    `synthesizes: [${U}와${V}]`,
    'synthesizes: [decision_a & decision_b]',
    'synthesizes: [decision_a 와 decision_b]',
    'synthesizes: [\n1. decision_a\n2. decision_b\n]',
  ];
  const one = [
    `builds_on은: ${U}`,
    `<b>builds_on</b>: ${U}`,
    'builds_on:\ndecision_abc',
    `builds_on: "[${U}]"`,
    `builds_on: \\[${U}\\]`,
    'builds_on: decision\\_abc\\_def',
    `builds_on:\n+ ${U}`,
    `builds_on: - ${U}`,
    `builds_on: 「${U}」`,
    `builds_on: (${U}).`,
    `builds_on: ${U} because decision_b failed`,
    `builds_on: ${U}\nWe saw decision_b`,
  ];
  for (const [count, notations] of [
    [2, two],
    [1, one],
  ] as const) {
    for (const notation of notations) {
      it(`[G-9] reads ${count} from ${JSON.stringify(notation.replaceAll(U, '<U>').replaceAll(V, '<V>'))}`, () => {
        const { references, warnings } = parseReasoning(notation);
        assert.deepEqual([references.length, warnings], [count, []]);
      });
    }
  }

  it('[G-6] never cuts an id: the front part of a longer one may be the id of another decision', () => {
    for (const text of ['builds_on: decision_cad-wall', `builds_on: decision_${U}-x`, `builds_on: ${U}-x`]) {
      const { references, warnings } = parseReasoning(text);
      assert.deepEqual([references, warnings.length], [[], 1], text);
    }
  });

  it('[G-6] a list that is not closed takes no id of the next relation', () => {
    const { references, warnings } = parseReasoning(`builds_on: [${U}, ${V}\ndebates: decision_x]`);
    assert.deepEqual(references, [{ relationship: 'debates', written: 'decision_x', mayBeTopic: false }]);
    assert.match(warnings.join(), /^builds_on: expected a list closed by "]"/);
  });

  it('names at most twenty problems, and says how many more there are', () => {
    const { warnings } = parseReasoning(`builds_on: [decision_a${' word'.repeat(3_990)}]`);
    assert.equal(warnings.length, 21);
    assert.equal(warnings.at(-1), '3970 more references could not be read.');
  });
});

describe('parseReasoning: any text', () => {
  const pieces = [
    ...[
      'builds_on: ',
      'Debates: ',
      '**synthesizes**: [',
      ']',
      'supersedes: ',
      'based_on는: ',
      'See decision_a1 ',
    ],
    ...[
      U,
      `${U}와`,
      '3f2504e0',
      '#38',
      'infra:cdn',
      'INFRA: cdn',
      '`auth token`',
      '"a: b"',
      '배포:롤백을',
      'https://x.y/z',
    ],
    ...[
      ', ',
      ' and ',
      '및 ',
      '\n',
      '\n- ',
      '. ',
      '(why) ',
      '. Because slow: 10:30. ',
      '이유는 느리다. ',
      '… – “so” ',
    ],
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((each) => each.join(''));

  it('[A-3] [G-10] is read the same where one letter makes patterns for any text necessary', () => {
    fc.assert(
      fc.property(text, (given) => {
        const plain = `${given}\n\nProse.`;
        const any = JSON.stringify(parseReasoning(`${plain}\u00e9`)).replaceAll('\u00e9', '');
        assert.equal(any, JSON.stringify(parseReasoning(plain)));
      }),
      { numRuns: 500 },
    );
  });
});
