import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { validateXML, type XMLValidationResult } from 'xmllint-wasm';
import type { Memory } from '../src/index.ts';
import { fixed, sqlite } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { AWKWARD, textOf } from './support/exported.ts';

const XSD = readFileSync('test/fixtures/exports/graphml.xsd', 'utf8');
const validate = (contents: string): Promise<XMLValidationResult> =>
  validateXML({ xml: [{ fileName: 'memory.graphml', contents }], schema: [XSD] });

/** What libxml reads where one of our own files says something else than it was given. */
async function awkward(): Promise<Memory> {
  const memory = await sqlite.openFast(fixed(Date.UTC(2026, 0, 1)));
  const first = await memory.mama.save({ topic: 'first', decision: 'First' });
  for (const [index, text] of AWKWARD.entries()) {
    await memory.mama.save({
      topic: `topic ${text.slice(0, 50)} ${index}`,
      decision: text,
      evidence: [text],
    });
    const { id } = await memory.mem.save({ title: text.slice(0, 100), content: `${text}\u0001\ufffe` });
    if (index > 0)
      await memory.mem.relate({ from_id: id, to_id: 1, relation_type: text.slice(0, 50), note: text });
    if (index > 0) await memory.evidence.save({ decisionRef: first.id, observationId: id });
  }
  await memory.memo.save({ fullText: 'a <memo>', keywords: ['unity & mirror', '한글'] });
  return memory;
}

/** The chains of a small memory: a is the ground of b, which is the ground of c; d has no links. */
async function chain(): Promise<Memory> {
  const memory = await sqlite.openFast();
  await memory.mama.save({ topic: 'house:a', decision: 'Ground', scope: 'base' });
  await memory.mama.save({ topic: 'house:b', decision: 'Floor', reasoning: 'builds_on: house:a' });
  await memory.mama.save({ topic: 'house:b', decision: 'Better floor', reasoning: 'builds_on: house:a' });
  const { id } = await memory.mama.save({
    topic: 'house:c',
    decision: 'Roof',
    reasoning: 'debates: house:b',
  });
  await memory.mama.save({ topic: 'house:d', decision: 'Elsewhere' });
  await memory.decision.revise({ id, withdrawn: true, reasoning: 'no roof' });
  return memory;
}

describe('a memory as a graph', { concurrency: 2 }, () => {
  it('[I-5] GraphML is valid, whatever the texts are, and every edge has its ends', async () => {
    const text = await textOf(await awkward(), 'graphml');
    const { valid, errors } = await validate(text);
    assert.deepEqual([valid, errors], [true, []]);
    assert.equal((await validate(text.replace('</node>', '</node><nod/>'))).valid, false);
    const nodes = (kind: string) => text.split(`<data key="node-kind">${kind}</data>`).length - 1;
    assert.deepEqual(['decision', 'evidence', 'observation', 'memo', 'keyword'].map(nodes), [
      AWKWARD.length + 1,
      2 * AWKWARD.length - 1,
      AWKWARD.length,
      1,
      2,
    ]);
    // Of evidence, of what it was taken from, of relations, and of the memo.
    assert.equal(text.split('<edge ').length - 1, 2 * AWKWARD.length - 1 + 2 * (AWKWARD.length - 1) + 2);
    assert(text.includes('<data key="node-text">a/b\\c: "quoted" &lt;tags&gt; &amp; [brackets](x)'));
  });

  it('[I-5] GraphML has a node a version, and kinds of edges; a filter leaves a part', async () => {
    const memory = await chain();
    const text = await textOf(memory, 'graphml');
    const kinds = [...text.matchAll(/<data key="edge-kind">(.*?)<\/data>/g)].map(([, kind]) => kind);
    assert.deepEqual(kinds.sort(), ['builds_on', 'builds_on', 'debates', 'supersedes', 'supersedes']);
    const part = await textOf(memory, 'graphml', { scope: 'base' });
    assert.deepEqual([part.split('<node ').length - 1, part.split('<edge ').length - 1], [1, 0]);
    assert.equal((await validate(part)).valid, true);
    assert.equal((await validate(await textOf(await sqlite.openFast(), 'graphml'))).valid, true);
  });

  it('[I-5] Mermaid draws what is linked to a decision, and says what it leaves out', async () => {
    const memory = await chain();
    assert.equal(
      await textOf(memory, 'mermaid', { around: 'house:b' }),
      `flowchart LR
  %% 3 of 4 decisions: the others are not linked to them
  d1["house:b<br/>Better floor"]
  d2["house:a<br/>Ground"]
  d3("house:c<br/>Roof")
  d1 -->|builds_on| d2
  d3 -.->|debates| d1
`,
    );
    assert.doesNotMatch(await textOf(memory, 'mermaid'), /%%/);
    await refuses(textOf(memory, 'mermaid', { around: 'nothing' }), 'not_found', 'found "nothing"');
    await refuses(
      textOf(memory, 'mermaid', { around: 'house:b', scope: 'base' }),
      'not_found',
      'found "house:b"',
    );
    await refuses(textOf(memory, 'graphml', { around: 'house:b' }), 'invalid', 'found graphml');
  });

  it('[I-5] Mermaid is at most fifty nodes, of labels without a mark of its own', async () => {
    const memory = await awkward();
    for (let index = 0; index < 40; index++)
      await memory.mama.save({ topic: `more:${index}`, decision: 'x' });
    const [, left, ...lines] = (await textOf(memory, 'mermaid')).trimEnd().split('\n');
    const nodes = lines.filter((line) =>
      /^ {2}d\d+\["[^"[\]{}<>|\\`]*(<br\/>[^"[\]{}<>|\\`]*)?"\]$/u.test(line),
    );
    assert.deepEqual(
      [nodes.length, lines.length],
      [50, 50],
      lines.filter((line) => !nodes.includes(line)).join('\n'),
    );
    assert.match(left ?? '', /^ {2}%% 50 of \d+ decisions: those that were decided last/);
  });
});
