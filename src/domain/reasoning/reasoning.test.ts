import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { parseReasoning } from './reasoning.ts';

const A = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const B = '7d444840-9dc0-4ad1-b245-5ffdce74fad2';
const C = 'decision_cad_wall_123_abc';
const WORDS = ['builds_on', 'debates', 'synthesizes'] as const;

/** References as `word id`, after a check that nothing was ignored. */
function links(text: string): string[] {
  const { references, warnings } = parseReasoning(text);
  assert.deepEqual(warnings, [], text);
  return references.map(({ relationship, written }) => `${relationship} ${written}`);
}

describe('parseReasoning: what becomes a reference', () => {
  it('[G-2] builds_on: <id> becomes a reference', () => {
    assert.deepEqual(links(`Thick walls. builds_on: ${C}. It holds.`), [`builds_on ${C}`]);
    assert.deepEqual(links(`builds_on: ${A}`), [`builds_on ${A}`]);
  });

  it('[G-3] debates: <id> becomes a reference', () => {
    assert.deepEqual(links(`debates: ${C}`), [`debates ${C}`]);
    assert.deepEqual(links(`debates: ${A}`), [`debates ${A}`]);
  });

  it('[G-4] synthesizes: [id1, id2, …] becomes one reference per id', () => {
    assert.deepEqual(links(`synthesizes: [${A}, ${B}, ${C}]`), [
      `synthesizes ${A}`,
      `synthesizes ${B}`,
      `synthesizes ${C}`,
    ]);
  });

  it('[G-9] several words in one text are read each with its own ids', () => {
    const text = `builds_on: ${A}, debates: ${B}\nsynthesizes: [${A}, ${C}] and builds_on: ${C}`;
    assert.deepEqual(links(text), [
      `builds_on ${A}`,
      `debates ${B}`,
      `synthesizes ${A}`,
      `synthesizes ${C}`,
      `builds_on ${C}`,
    ]);
    assert.deepEqual(links(`builds_on:[${A}]debates:[${B}]`), [`builds_on ${A}`, `debates ${B}`]);
  });

  it('says an id named twice once, whatever its letter case', () => {
    assert.equal(links(`builds_on: ${A}, ${A}. Again builds_on: ${A.toUpperCase()}`).length, 1);
  });

  it('reads nothing that only looks like a relation word', () => {
    for (const text of [`rebuilds_on: ${A}`, `my_debates: ${A}`, `supersedes: ${A}`, `See ${A} and ${C}.`]) {
      assert.deepEqual(links(text), [], text);
    }
  });

  it('leaves an id in the prose of the next line to the prose', () => {
    assert.deepEqual(links(`builds_on: ${A}\n${B} was another matter.`), [`builds_on ${A}`]);
  });
});

/** How agents write a list of ids after a relation word. */
const notations: Record<string, (word: string, ids: string[]) => string> = {
  'a bare list': (word, ids) => `${word}: ${ids.join(', ')}`,
  'a bare list without a space': (word, ids) => `${word}:${ids.join(',')}`,
  'a bare list with conjunctions': (word, ids) => `${word}: ${ids.join(' and ')} hold.`,
  'a bare list with commas and conjunctions': (word, ids) => `${word}: ${ids.join(', and ')}`,
  'a bare list of Korean conjunctions': (word, ids) => `${word}: ${ids.join(' 그리고 ')}`,
  'a bare list in a sentence': (word, ids) => `Because ${word}: ${ids.join(', ')}, since it held.`,
  'a bracketed list': (word, ids) => `${word}: [${ids.join(', ')}]`,
  'a bracketed list before more text': (word, ids) => `${word}:[${ids.join(',')}]. decision_other was not.`,
  'a bracketed list over lines': (word, ids) => `${word}: [\n  ${ids.join(',\n  ')}\n]`,
  'a bracketed list of quoted ids': (word, ids) => `${word}: [${ids.map((id) => `"${id}"`).join(', ')}]`,
  JSON: (word, ids) => JSON.stringify({ [word]: ids }),
  'a bold key': (word, ids) => `**${word}**: ${ids.join(', ')}`,
  'a bold key and colon': (word, ids) => `**${word}:** [${ids.join(', ')}]`,
  'a bold line': (word, ids) => `**${word}: ${ids.join(', ')}**`,
  'an emphasised key': (word, ids) => `_${word}_: ${ids.join(', ')}`,
  'a key in code': (word, ids) => `\`${word}\`: ${ids.map((id) => `\`${id}\``).join(', ')}`,
  'a key with an escaped underscore': (word, ids) => `${word.replace('_', '\\_')}: ${ids.join(', ')}`,
  'an upper case key': (word, ids) => `${word.toUpperCase()}: ${ids.join(', ')}`,
  'a mixed case key': (word, ids) => `${word.charAt(0).toUpperCase()}${word.slice(1)} : ${ids.join('; ')}`,
  'a full-width colon': (word, ids) => `${word}：${ids.join('、')}`,
  'Korean particles after each id': (word, ids) => `${word}: ${ids.join('와 ')}를 따른다`,
  'Korean particles before commas': (word, ids) => `${word}: ${ids.map((id) => `${id}을`).join(', ')} 종합`,
  'Korean particles in brackets': (word, ids) => `${word}: [${ids.map((id) => `${id}를`).join(', ')}]`,
  'a key glued to Korean text': (word, ids) => `이유는${word}: ${ids.join('과 ')}에서 왔다.`,
  'bold ids': (word, ids) => `${word}: ${ids.map((id) => `**${id}**`).join(' and ')}.`,
  'ids in parentheses': (word, ids) => `${word}: (${ids.join(', ')})`,
  'a bullet list': (word, ids) => `${word}:\n${ids.map((id) => `- ${id}`).join('\n')}\n\nAnd decision_other.`,
  'a bullet list under a bold key': (word, ids) => `**${word}**:\n${ids.map((id) => `  * ${id}`).join('\n')}`,
  'a bullet list with Windows line ends': (word, ids) =>
    `${word}:\r\n${ids.map((id) => `- \`${id}\``).join('\r\n')}\r\n`,
  'a numbered list': (word, ids) => `${word}:\n${ids.map((id, at) => `${at + 1}. ${id}`).join('\n')}`,
};

const anyId = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.uuid().map((id) => `decision_${id}`),
  fc.uuid().map((id) => `decision_${id.replaceAll('-', '_')}`),
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_]{0,30}$/).map((name) => `decision_${name}`),
);
const idList = fc.uniqueArray(anyId, { minLength: 1, maxLength: 6, selector: (id) => id.toLowerCase() });

describe('parseReasoning: any list of ids is read back exactly', () => {
  for (const [name, render] of Object.entries(notations)) {
    it(`[G-9] from ${name}`, () => {
      fc.assert(
        fc.property(fc.constantFrom(...WORDS), idList, (word, ids) => {
          assert.deepEqual(
            links(render(word, ids)),
            ids.map((id) => `${word} ${id}`),
          );
        }),
        { numRuns: 50 },
      );
    });
  }

  it('[G-9] an id ends where a Korean particle or punctuation is glued to it', () => {
    const glued = [
      '를 따른다',
      '은',
      '에서',
      '이며',
      '.',
      ',',
      '!',
      ')',
      '。',
      '」',
      '…',
      '"',
      '**',
      '`',
      ' —',
    ];
    for (const id of [A, C, `decision_${A}`]) {
      for (const rest of glued) assert.deepEqual(links(`debates: ${id}${rest}`), [`debates ${id}`], rest);
    }
  });
});

describe('parseReasoning: what cannot be read', () => {
  const malformed: [text: string, warning: RegExp][] = [
    [`builds_on ${A}`, /^builds_on: expected a colon before the decision id, found none\./],
    [`synthesizes: [${A}, ${B}`, /^synthesizes: expected a list closed by "]", found none\./],
    ['debates: []', /^debates: expected decision ids in the list, found none\./],
    ['builds_on:', /^builds_on: expected a decision id \(.*\) or a topic with a colon, found nothing\./],
    ['Debates: none', /^debates: expected a decision id .*, found "none"\./],
    ['synthesizes: [***]', /^synthesizes: expected a decision id .*, found "\*\*\*"\./],
    [`builds_on: ${A}-0`, /^builds_on: expected a decision id .*, found "3f2504e0.*-0"\./],
  ];
  for (const [text, warning] of malformed) {
    it(`[G-6] ignores and names: ${text}`, () => {
      const { references, warnings } = parseReasoning(text);
      assert.deepEqual(references, []);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] as string, warning);
      assert.match(warnings[0] as string, /It was ignored\.$/);
    });
  }

  it('[G-6] keeps the ids that can be read beside one that cannot, and names that one', () => {
    for (const list of [`[wall ${A}, ${C}]`, `[wall ${A}, and ${C}]`]) {
      const { references, warnings } = parseReasoning(`synthesizes: ${list}`);
      assert.deepEqual(
        references.map(({ written }) => written),
        [A, C],
      );
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] as string, /found "wall"/);
    }
    const bare = parseReasoning(`debates: ${A}, 7d44484-9dc0-4ad1`);
    assert.deepEqual(bare.references, [{ relationship: 'debates', written: A, mayBeTopic: false }]);
    assert.match(bare.warnings.join(), /found "7d44484-9dc0-4ad1"/);
  });

  it('[G-6] a list that is never closed hides nothing after it', () => {
    const { references, warnings } = parseReasoning(`builds_on: [${A}, debates: [${B}]`);
    assert.deepEqual(references, [{ relationship: 'debates', written: B, mayBeTopic: true }]);
    assert.equal(warnings.length, 1);
  });

  it('[G-6] a warning stays short, however long the text it names', () => {
    for (const text of [`builds_on: ${'가'.repeat(20_000)}`, `debates: [${'x'.repeat(20_000)}]`]) {
      assert.ok((parseReasoning(text).warnings[0] as string).length < 200);
    }
  });
});

/** Text out of the parts that matter to the parser, in any order. */
const troublesome = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...WORDS,
        ': ',
        '：',
        '[',
        ']',
        ', ',
        ' ',
        '\n',
        '\n- ',
        '**',
        '`',
        '"',
        '_',
        '-',
        '\\',
      ),
      fc.constantFrom(
        'builds_on: ',
        'debates: [',
        'SYNTHESIZES:',
        '와 ',
        '을',
        ' and ',
        'decision_',
        '1. ',
        '(',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
      anyId,
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('parseReasoning: any text', () => {
  it('[G-6] never throws, and each warning begins with its relation word', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), troublesome), (text) => {
        for (const warning of parseReasoning(text).warnings) {
          assert.match(warning, /^(?:builds_on|debates|synthesizes): expected .* It was ignored\.$/su);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('[G-9] every reference stands in the text, after its relation word, and may be a topic or is an id', () => {
    fc.assert(
      fc.property(troublesome, (text) => {
        for (const { relationship, written, mayBeTopic } of parseReasoning(text).references) {
          // Markdown escapes an underscore; the parser reads it plain.
          const plain = text.replaceAll('\\_', '_');
          const word = plain.toLowerCase().indexOf(relationship);
          assert.ok(word !== -1 && plain.indexOf(written, word) !== -1, written);
          if (!mayBeTopic) assert.match(written, /^(?:decision_[\w-]+|[0-9a-f-]{8,36}|#\d+)$/i);
        }
      }),
      { numRuns: 1_000, examples: [['builds_on: decision_A\\_']] },
    );
  });

  it('[G-6] takes a moment of the processor for 20,000 characters, however they were chosen', async () => {
    const starts = ['', 'builds_on', 'builds_on: ', 'builds_on: [', `debates: ${C}`, `debates: ${A}, `];
    const repeated = [
      ...[
        '*',
        '_',
        '"',
        '[',
        '[ ',
        ']',
        ' ',
        '\n',
        '-',
        '1',
        'a',
        '(',
        ',',
        '하고 ',
        '을',
        'decision_',
        '\n- ',
      ],
      ...['builds_on', 'builds_on:', 'builds_on: ', 'builds_on*', 'builds_on: [', 'builds_on:\n', '\n1. '],
      ...[`${C}, `, `${C} `, `${A} and `, 'debates: [a,', 'decision_a\n', '0-0-', `debates: ${C} `],
    ];
    for (const start of starts) {
      for (const part of repeated) {
        const text = (start + part.repeat(20_000)).slice(0, 20_000);
        await withinProcessorTime(500, () => parseReasoning(text), JSON.stringify(text.slice(0, 60)));
      }
    }
  });
});
