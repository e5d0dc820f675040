import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { NOT_ENTERED } from '../src/domain/import/plan.ts';
import { openMemory } from '../src/index.ts';
import { basicMemory, obsidian, okf } from '../src/interchange/importers/notes/notes.ts';
import { sourcesAt } from '../src/memory/importing.ts';
import { bytesOf } from './support/facts.ts';
import { folderOf, IMPORTS, linesOf } from './support/sources.ts';

const machine = { home: '/none', folder: '/none', platform: process.platform, env: {} };
const shown = ({ key }: { key: string }) => key.replace(/^[^:]*:/, '');
const linksOf = (relations: { from: string; type: string; to: string }[]) =>
  relations.map(({ from, type, to }) =>
    [from, type, to].map((each) => each.replace(/^precedent-test[^:]*:/, '')).join(' '),
  );

const BUNDLE = {
  'index.md': '---\nokf_version: "0.2"\n---\n# All\n* [Orders](tables/orders.md)\n',
  'log.md': '# Log\n\n## 2026-05-22\n* **Creation**: all\n',
  'tables/orders.md':
    '---\ntype: BigQuery Table\ntitle: Orders\ndescription: One row an order.\ntags: [sales]\ngenerated: { by: human:kim, at: 2026-05-28T14:30:00Z }\nstatus: draft\nsources:\n  - { id: a, resource: https://example.com }\n---\n\n# Joins\n\nWith [customers](/tables/customers.md#id) and [고객](../%EA%B3%A0%EA%B0%9D.md "title"), not [web](https://example.com/a.md), `[code](x.md)` or [all](../index.md).\n',
  'tables/customers.md':
    '---\ntype: BigQuery Table\ntimestamp: 2026-01-02T00:00:00Z\n---\nSee [gone](./gone.md).\n',
  '고객.MD': '---\ntype: 용어\n---\n손님\n',
  'tables/index.md': '# Tables\n',
  'loose.markdown': 'no front matter',
};

describe('import from folders of notes', () => {
  it('[I-1] a vault: the date that a note gives is its date, and one that git left in the middle of a merge is none', () => {
    const folder = folderOf({
      '.obsidian/app.json': '{}',
      'token.md': '---\ndate: 2024-03-05\n---\nJWT.\n',
      'half.md': 'One.\n<<<<<<< HEAD\nTwo.\n=======\nThree.\n>>>>>>> other\n',
    });
    const { observations, skipped } = obsidian.read(folder, {});
    assert.deepEqual(
      observations.map(({ title, at, isUndated }) => [title, new Date(at).toISOString(), isUndated]),
      [['token', '2024-03-05T00:00:00.000Z', undefined]],
    );
    assert.deepEqual(skipped, [
      { what: '.obsidian', why: NOT_ENTERED },
      { what: 'half.md', why: 'line 2 was left by a merge that was not resolved' },
    ]);
  });

  it('[I-1] [I-2] OKF: concepts with their types, dates and paths; links between files; what tells of others is left out; twice as once', async () => {
    const folder = folderOf(BUNDLE);
    const facts = okf.read(folder, {});
    assert.deepEqual(
      facts.observations.map((fact) => [shown(fact), fact.title, fact.type, fact.isUndated ?? false]),
      [
        ['loose', 'loose', 'note', true],
        ['tables/customers', 'customers', 'BigQuery Table', false],
        ['tables/orders', 'Orders', 'BigQuery Table', false],
        ['고객', '고객', '용어', true],
      ],
    );
    const orders = facts.observations.find(({ title }) => title === 'Orders');
    assert.equal(orders?.at, Date.parse('2026-05-28T14:30:00Z'));
    assert.deepEqual(Object.keys(orders?.rest ?? {}), [
      'tags',
      'description',
      'generated',
      'status',
      'sources',
    ]);
    assert.deepEqual(linksOf(facts.relations), [
      'tables/customers links_to tables/gone',
      'tables/orders links_to tables/customers',
      'tables/orders links_to 고객',
    ]);
    assert.deepEqual(
      facts.skipped.map(({ what }) => what),
      ['index.md', 'log.md', 'tables/index.md'],
    );
    assert.match(facts.warnings.join(), /loose.markdown: it has no type/);
    await using memory = await openMemory({ db: ':memory:' });
    const merged = await memory.merge(facts);
    assert.deepEqual([merged.observations.new, merged.relations.new, merged.unresolved.length], [4, 2, 1]);
    const before = await bytesOf(memory);
    await memory.merge(okf.read(folder, {}));
    assert.equal(await bytesOf(memory), before);
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[I-1] links of a note whose front matter is no YAML come, and those of markdown in a vault', () => {
    const broken =
      '---\ntitle: a: b: c\ntags: [open\n---\n- part_of [[Roof]]\n[the roof](roof%20two.md) and [[Roof]]\n';
    const folder = folderOf({ 'wall.md': broken, 'Roof.md': 'x', 'roof two.MARKDOWN': 'y' });
    const facts = obsidian.read(folder, {});
    assert.deepEqual(linksOf(facts.relations), [
      'wall part_of Roof',
      'wall links_to Roof',
      'wall links_to roof two',
    ]);
    assert.deepEqual(linksOf(basicMemory.read(folder, {}).relations), [
      'wall part_of Roof',
      'wall links_to Roof',
    ]);
    assert.match(
      facts.observations.find(({ title }) => title === 'wall')?.content ?? '',
      /^---\ntitle: a: b: c/,
    );
  });

  it('[I-1] basic-memory: a line is a relation as its own parser has it, and loses no link', () => {
    const folder = folderOf({
      'a.md': [
        "- 'decided by' [[b]]",
        '+ implements [[b]] (see (1), and 2)',
        '2. follows [[b]]',
        '- uses [[b]] (first) and [[c]] (second)',
        '- leads_to [[c]] ( )',
        '  - "part of" [[c]]',
        'implements [[c]]',
      ].join('\n'),
      'b.md': 'B',
      'c.md': 'C',
    });
    const { relations } = basicMemory.read(folder, {});
    assert.deepEqual(
      relations.map(({ type, to, note }) => [type, to.replace(/^.*:/, ''), note]),
      [
        ['decided by', 'b', null],
        ['implements', 'b', 'see (1), and 2'],
        ['follows', 'b', null],
        ['links_to', 'b', null],
        ['links_to', 'c', null],
        ['leads_to', 'c', null],
        ['part of', 'c', null],
      ],
    );
  });

  it('[I-2] two files of one name and other endings, or of one permalink, are two notes', async () => {
    const folder = folderOf({
      'a.md': 'one',
      'a.markdown': 'two',
      'b.md': '---\npermalink: a\n---\nthree',
      'c.md': '---\npermalink: x\n---\nfour',
      'x.md': 'five',
    });
    const facts = basicMemory.read(folder, {});
    assert.equal(new Set(facts.observations.map(({ key }) => key)).size, 5);
    await using memory = await openMemory({ db: ':memory:' });
    assert.equal((await memory.merge(facts)).observations.new, 5);
  });

  it('[I-1] auto tells a file or a folder by what is in it, and says so where nothing tells it', () => {
    const folder = folderOf({
      'graph.jsonl': linesOf([{ type: 'entity', name: 'A', entityType: 'x', observations: [] }]),
      'vault/.obsidian/app.json': '{}',
      'vault/a.md': 'x',
      'notes/a.md': '---\npermalink: a\n---\nx',
      'plain/a.md': 'x',
      'text.txt': 'hello',
      ...Object.fromEntries(Object.entries(BUNDLE).map(([name, text]) => [`okf/${name}`, text])),
    });
    const told = (name: string) => sourcesAt(join(folder, name), machine).map(({ source }) => source);
    assert.deepEqual(told('graph.jsonl'), ['server-memory']);
    assert.deepEqual(told('vault'), ['obsidian']);
    assert.deepEqual(told('notes'), ['basic-memory']);
    assert.deepEqual(told('okf'), ['okf']);
    for (const name of ['plain', 'text.txt'])
      assert.throws(() => told(name), /found nothing at .* that tells which tool wrote it/);
    assert.throws(() => told('none'), /found none at/);
    const sample = (name: string) => sourcesAt(join(IMPORTS, name), machine).map(({ source }) => source);
    assert.deepEqual(sample('mama/mama-1.5.11.db'), ['mama']);
    assert.deepEqual(sample('hoofy/memory.db'), ['hoofy']);
    assert.deepEqual(sample('adr/madr-4'), ['adr']);
    assert.deepEqual(sample('basic-memory/main'), ['basic-memory']);
    assert.deepEqual(sample('agent-files/repo'), ['agents']);
  });
});
