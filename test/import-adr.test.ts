import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Facts } from '../src/domain/import/facts.ts';
import { openMemory } from '../src/index.ts';
import { adr } from '../src/interchange/importers/adr/adr.ts';
import { scratch } from './support/engines.ts';
import { bytesOf, rowsOf } from './support/facts.ts';

const SAMPLES = join('test', 'fixtures', 'imports', 'adr');
const expected = JSON.parse(readFileSync(join(SAMPLES, 'expected.json'), 'utf8')).files;

/** A folder of its own, so that the repository of this project is not that of the samples. */
function copyOf(sample: string): string {
  const folder = join(scratch(), 'repo');
  cpSync(join(SAMPLES, sample), folder, { recursive: true });
  mkdirSync(join(folder, '.git'));
  return folder;
}

const counted = (facts: Facts) =>
  facts.skipped.filter(({ why }) => /^(no decision record|a template)/.test(why)).length;

describe('import of decision records', { concurrency: 2 }, () => {
  for (const [path, { counts, records = [], links = [], warnings = [] }] of Object.entries<{
    counts: Record<string, number> & { edges?: Record<string, number> };
    records?: Record<string, unknown>[];
    links?: string[][];
    warnings?: string[];
  }>(expected)) {
    it(`[I-1] [I-2] ${path}: all that its sample must hold, twice as once`, async () => {
      const [sample = ''] = path.split('/');
      const folder = copyOf(sample);
      await using memory = await openMemory({ db: ':memory:' });
      // From the repository, where the folder is found by what says so, and from the folder itself.
      const facts = adr.read(folder, {});
      const merged = await memory.merge(facts);
      const decisions = await rowsOf(memory, 'decisions');
      const edges = await rowsOf(memory, 'decisionEdges');
      const kinds = Map.groupBy(edges, ({ relationship }) => String(relationship));
      assert.equal(facts.decisions.length, counts.files);
      if (counts.skipped_files !== undefined) assert.equal(counted(facts), counts.skipped_files);
      assert.deepEqual(
        {
          versions: decisions.length,
          chains: new Set(decisions.map(({ rootId }) => rootId)).size,
          active: decisions.filter(({ isActive }) => isActive === 1).length,
          evidence: (await rowsOf(memory, 'evidence')).length,
          edges: Object.fromEntries([...kinds].map(([kind, of]) => [kind, of.length])),
        },
        {
          versions: counts.decision_versions,
          chains: counts.chains,
          active: counts.active,
          evidence: counts.evidence,
          edges: counts.edges ?? {},
        },
      );
      const nameOf = (key: string) => (key.split('/').at(-1) ?? '').replace(/\.md$/, '');
      const factOf = (file: string) =>
        facts.decisions.find(({ key }) => nameOf(key) === file) ??
        facts.decisions.find(({ key }) => nameOf(key).startsWith(file));
      for (const { file, created_at, text, topic, rest, confidence, version, reasoning, active } of records) {
        const fact = factOf(String(file));
        assert.ok(fact, String(file));
        const rows = decisions.filter((row) => row.topic === fact.topic);
        const row =
          version === undefined ? rows.find((each) => each.text === fact.text) : rows[Number(version) - 1];
        if (created_at !== undefined) assert.equal(fact.at, Date.parse(String(created_at)));
        if (text !== undefined) assert.equal(fact.text, text);
        if (topic !== undefined) assert.equal(fact.topic, topic);
        if (rest !== undefined) assert.deepEqual(fact.rest, rest);
        if (confidence !== undefined) assert.equal(row?.confidence, confidence);
        if (reasoning !== undefined) assert.equal(row?.reasoning, reasoning);
        if (active !== undefined) assert.equal(row?.isActive, Number(active));
      }
      for (const [from = '', , to = ''] of links) {
        assert.ok(
          factOf(from)?.links?.some((link) => link.to === factOf(to)?.key),
          `${from} ${to}`,
        );
      }
      for (const warning of warnings) {
        const [file = ''] = warning.split(/[\s:]/);
        assert.ok(
          merged.warnings.some((each) => each.includes(file)),
          warning,
        );
      }
      assert.deepEqual((await memory.inspect()).problems, []);
      const before = await bytesOf(memory);
      await memory.merge(adr.read(join(folder, ...path.split('/').slice(1)), {}));
      assert.equal(await bytesOf(memory), before);
    });
  }

  it('[I-2] a decision that is replaced, and one whose text changed, are one version each', async () => {
    const folder = copyOf('madr-3');
    const records = join(folder, 'docs', 'decisions');
    await using memory = await openMemory({ db: ':memory:' });
    await memory.merge(adr.read(folder, {}));
    const old = join(records, '0001-use-hexagonal.md');
    writeFileSync(
      old,
      readFileSync(old, 'utf8').replace('status: accepted', 'status: superseded by ADR-0003'),
    );
    writeFileSync(
      join(records, '0003-use-layers.md'),
      '---\r\nstatus: accepted\r\ndate: 2023-03-01\r\n---\r\n# Use layers\r\n\r\n## Decision Outcome\r\n\r\nChosen option: "Layers", because small.\r\n',
    );
    const merged = await memory.merge(adr.read(folder, {}));
    assert.equal(merged.decisions.new, 1);
    const chain = (await rowsOf(memory, 'decisions')).filter((row) => row.topic === 'adr:0001-use-hexagonal');
    assert.deepEqual(
      chain.map((row) => [row.version, row.isActive, row.text]),
      [
        [1, 0, 'Use ports and adapters: Ports and adapters, because tests run without a database.'],
        [2, 1, 'Use layers: Layers, because small.'],
      ],
    );
    const yarn = join(records, '0002-use-yarn.md');
    writeFileSync(yarn, readFileSync(yarn, 'utf8').replace('because workspaces', 'because speed'));
    assert.equal((await memory.merge(adr.read(folder, {}))).decisions.changed, 1);
    const yarns = (await rowsOf(memory, 'decisions')).filter((row) => row.topic === 'adr:0002-use-yarn');
    assert.deepEqual(
      yarns.map(({ version }) => version),
      [1, 2],
    );
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[I-1] the records of this project come with their topics, strength, grounds and outcomes', async () => {
    const facts = adr.read(join('docs', 'decisions'), {});
    const failed = facts.decisions.filter(({ outcome }) => outcome?.outcome === 'failed');
    assert.deepEqual(
      failed.map(({ topic, outcome, rest }) => [topic, outcome?.reason?.slice(0, 13), rest]),
      [
        ['storage:folders', 'never returns', { status: 'superseded' }],
        ['storage:many-workspaces', 'a schema for ', { status: 'superseded' }],
      ],
    );
    assert.match(failed[0]?.reasoning ?? '', /^Context\nThe data folder does not exist/);
    const folders = facts.decisions.filter(({ topic }) => topic === 'storage:folders');
    assert.deepEqual(
      folders.map(({ key, scope, strength }) => [key, scope, strength]),
      [
        ['docs/decisions/0010-recursive-mkdir.md', 'storage', 'normal'],
        ['docs/decisions/0011-stepwise-mkdir.md', 'storage', 'normal'],
      ],
    );
    const [merge] = facts.decisions.filter(({ topic }) => topic === 'import:merge');
    assert.match(
      merge?.text ?? '',
      /^What other tools remember is merged .*: A reader in `interchange\/importers\/`/,
    );
    assert.match(merge?.reasoning ?? '', /\n\nDecision\nRejected:\n\n- Saving through the operations/);
    assert.deepEqual(
      merge?.links?.map(({ to }) => to.slice(15, 19)),
      ['0005', '0028', '0033'],
    );
  });
});
