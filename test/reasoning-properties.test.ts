import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Memory, openMemory } from '../src/index.ts';

const MOST_WARNINGS = 20;
const EXISTING = ['infra:cdn', '배포:롤백', 'auth token', '인증 토큰', 'cad:wall:thickness', 'x'];

const opened: Memory[] = [];
after(() => Promise.all(opened.map((memory) => memory.close())));

/** A memory with some topics, and the id that each has. */
async function furnished(): Promise<{ memory: Memory; ids: Map<string, string> }> {
  const memory = await openMemory({ db: ':memory:' });
  opened.push(memory);
  const ids = new Map<string, string>();
  for (const topic of EXISTING) ids.set(topic, (await memory.mama.save({ topic, decision: topic })).id);
  return { memory, ids };
}

const word = fc.constantFrom('builds_on', 'debates', 'synthesizes');
const part = fc.oneof(
  fc.constantFrom(...EXISTING, 'build_on', 'supersedes', 'based on', 'nothing:here', '#38', '3f2504e0', '@2'),
  fc.constantFrom(
    ': ',
    ':',
    '：',
    '[',
    ']',
    '[[',
    '`',
    '"',
    ', ',
    ' ',
    '\n',
    '\n- ',
    '와 ',
    '에',
    '(',
    '**',
    '/',
  ),
  word,
  fc.string({ unit: 'binary', maxLength: 5 }).filter((text) => !text.includes('\0')),
);
const anyText = fc.array(part, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(''));

/** A reference and what it leads to in a memory, if anything. */
const reference = fc.oneof(
  fc.constantFrom(...EXISTING).map((topic) => ({ topic, text: (id: string) => [id, id.slice(0, 13)] })),
  fc
    .constantFrom(...EXISTING.filter((name) => name.includes(':')))
    .map((topic) => ({ topic, text: () => [topic, topic.toUpperCase(), `${topic}@1`] })),
  fc.constantFrom(...EXISTING).map((topic) => ({ topic, text: () => [`\`${topic}\``] })),
  fc
    .constantFrom(
      'nothing:here',
      'no:thing@7',
      '`no topic`',
      '#38',
      'ffffffff',
      '00000000-0000-4000-8000-000000000000',
    )
    .map((text) => ({ topic: undefined, text: () => [text] })),
);
const notations: ((items: string[]) => string)[] = [
  (items) => items.join(', '),
  (items) => items.join(' and '),
  (items) => `[${items.join(', ')}]`,
  (items) => `\n${items.map((item) => `- ${item}`).join('\n')}\n`,
  (items) => `${items.join('와 ')}를 따른다`,
  (items) => items.map((item) => `**${item}**`).join('; '),
];

describe('properties of links in reasoning', () => {
  it('[G-6] [G-10] whatever the reasoning says, the decision is saved', async () => {
    const { memory } = await furnished();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 3 }), async (texts) => {
        const topic = `t${count++ % 7}`;
        for (const text of texts) {
          const reasoning = text.trim() === '' ? 'none' : text;
          const saved = await memory.mama.save({ topic, decision: `${count}`, reasoning });
          assert.equal(saved.topic, topic);
        }
      }),
      { numRuns: 150 },
    );
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[G-6] [G-10] each reference of a well-formed list is a link or is named in a warning', async () => {
    const { memory, ids } = await furnished();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        word,
        fc.array(fc.tuple(reference, fc.nat()), { minLength: 1, maxLength: MOST_WARNINGS }),
        fc.constantFrom(...notations),
        async (relationship, given, render) => {
          const items = given.map(([{ topic, text }, choice]) => {
            const id = topic === undefined ? undefined : ids.get(topic);
            const texts = text(id ?? '');
            return { id, text: texts[choice % texts.length] as string };
          });
          const reasoning = `Because. ${relationship}: ${render(items.map(({ text }) => text))}`;
          const saved = await memory.mama.save({ topic: `t:${count++}`, decision: 'd', reasoning });
          const linked = saved.edges?.[relationship as 'debates'] ?? [];
          for (const { id, text } of items) {
            if (id !== undefined) assert(linked.includes(id), `${text} in ${reasoning}`);
            else
              assert(
                saved.warnings.some((warning) => warning.includes(`"${text.replaceAll('`', '')}`)),
                `${text} in ${reasoning}`,
              );
          }
          assert.equal(linked.length, new Set(items.flatMap(({ id }) => id ?? [])).size, reasoning);
        },
      ),
      { numRuns: 150 },
    );
  });
});
