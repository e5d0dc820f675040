import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Memory, openMemory } from '../src/index.ts';
import { frontMatter } from '../src/interchange/importers/front-matter.ts';
import { basicMemory, obsidian } from '../src/interchange/importers/notes/notes.ts';
import { readSource } from '../src/memory/importing.ts';
import { fixed, sqlite } from './support/engines.ts';
import { furnish, withVectors } from './support/everything.ts';
import { AWKWARD, filesOf, written } from './support/exported.ts';

/** Names that Windows refuses, and characters that it or Obsidian has another use for. */
const UNSAFE = /[<>:"\\|?*#^[\]\p{Cc}]|(^|\/)(con|prn|aux|nul|com\d|lpt\d)(\.|$)|[. ](\/|$)/iu;
const LONGEST = 255;

async function filled(): Promise<Memory> {
  const memory = await sqlite.openFast({ ...fixed(Date.UTC(2026, 0, 1)), ...withVectors });
  await furnish(memory);
  const auth = await memory.mama.save({ topic: 'auth', decision: 'cookies' });
  for (const text of AWKWARD) {
    const topic = text.slice(0, 150);
    await memory.mama.save({ topic, decision: text, reasoning: `builds_on: ${auth.id}`, evidence: [text] });
    await memory.mem.save({ title: topic, content: text });
  }
  await memory.mama.save({ topic: 'Same/Name', decision: 'One' });
  await memory.mama.save({ topic: 'same name', decision: 'Two' });
  return memory;
}

describe('a memory as a folder of notes', { concurrency: 2 }, () => {
  it('[I-5] names are safe on every system, and none is another in capitals', async () => {
    const memory = await filled();
    for (const format of ['vault', 'okf', 'madr'] as const) {
      const paths = [...(await filesOf(memory, format)).keys()];
      assert.deepEqual(
        paths.filter((path) => UNSAFE.test(path) || path.normalize('NFC') !== path),
        [],
      );
      assert(paths.every((path) => path.split('/').every((part) => Buffer.byteLength(part) <= LONGEST)));
      assert.equal(new Set(paths.map((path) => path.toLowerCase())).size, paths.length);
    }
  });

  it('[I-5] every note of a vault has front matter, and every wiki link has its note, from both ends', async () => {
    const files = await filesOf(await filled(), 'vault');
    const targets = new Map<string, string[]>();
    for (const [path, text] of files) {
      const { values, problem } = frontMatter(text);
      assert.equal(problem, undefined, path);
      assert.equal(values.permalink, path.replace(/\.md$/, ''));
      assert(['decision', 'observation', 'checkpoint', 'memo'].includes(String(values.type)));
      const links = [...text.matchAll(/\[\[((?:decisions|observations)\/[^|\]]+)\|[^\]]+\]\]/g)];
      targets.set(
        path,
        links.map(([, to]) => `${to}.md`),
      );
      // Obsidian shows lists and plain values alone.
      assert(
        Object.values(values).every((value) => typeof value !== 'object' || Array.isArray(value)),
        path,
      );
    }
    const all = [...targets].flatMap(([from, to]) => to.map((each) => [from, each] as const));
    for (const [from, to] of all) {
      assert(files.has(to), `${from}: ${to}`);
      assert(targets.get(to)?.includes(from), `${to} does not lead back to ${from}`);
    }
    assert(all.length > AWKWARD.length);
    const auth = files.get('decisions/auth.md') ?? '';
    assert.match(auth, /^cookies$/m);
    assert.match(
      auth,
      /## Before, until 2026-01-01\n\nJWT\n\n\*\*Outcome, .*: failed\.\*\* a script could read them/,
    );
  });

  it('[I-5] basic-memory’s reader takes a vault, with its links', async () => {
    const memory = await filled();
    const folder = written(await filesOf(memory, 'vault'));
    const facts = basicMemory.read(folder, {});
    assert.deepEqual(facts.skipped, []);
    assert(facts.observations.length > AWKWARD.length * 2);
    const built = facts.relations.filter(({ type }) => type === 'builds_on');
    assert.equal(built.length, AWKWARD.length + 1);
    const other = await sqlite.openFast();
    const { unresolved } = await other.merge(facts);
    // A text of ours that has a link to nowhere has it there, too.
    assert.equal(unresolved.length, 2);
    assert(unresolved.every((each) => /-wiki-link-pipe links_to wiki: no "wiki" came/.test(each)));
  });

  it('[I-5] decisions of a vault and of a bundle come back as they stand, with what they bind and rest on', async () => {
    const memory = await sqlite.openFast(fixed(Date.UTC(2026, 0, 1)));
    await memory.mama.save({ topic: 'auth:token', decision: 'JWT' });
    const reasoning = 'Revocation';
    await memory.mama.save({ topic: 'auth:token', decision: 'Opaque: "tokens"', reasoning, confidence: 0.8 });
    const db = { topic: 'db: main', decision: 'PostgreSQL', strength: 'lock', scope: 'Storage' } as const;
    await memory.mama.save({ ...db, reasoning: 'builds_on: auth:token' });
    for (const [source, format] of [
      ['obsidian', 'vault'],
      ['basic-memory', 'vault'],
      ['okf', 'okf'],
    ] as const) {
      const machine = { home: '/none', folder: '/none', platform: process.platform, env: {} };
      const folder = written(await filesOf(memory, format));
      const { decisions } = readSource(source, folder, machine, { decisions: true });
      assert.deepEqual(
        decisions.map(({ topic, text, scope, strength, confidence, links }) => [
          topic,
          text,
          scope,
          strength,
          confidence,
          links?.map(({ relationship, to }) => `${relationship} ${to.replace(/^.*:/, '')}`),
        ]),
        [
          ['auth:token', 'Opaque: "tokens"', 'auth', 'normal', 0.8, undefined],
          // A link of OKF has no type.
          [
            'db: main',
            'PostgreSQL',
            'Storage',
            'lock',
            0.5,
            format === 'okf' ? undefined : ['builds_on decisions/auth-token'],
          ],
        ],
        source,
      );
    }
  });

  it('[I-5] double brackets in a text are no link that waits when a vault comes back; links between its notes come', async () => {
    await using memory = await openMemory({ db: ':memory:' });
    const one = await memory.mem.save({ title: 'Wiki', content: 'written as [[anything]], `[[code]]`' });
    const other = await memory.mem.save({ title: 'Other', content: 'see [[Wiki]]' });
    await memory.mem.relate({ from_id: other.id, to_id: one.id, relation_type: 'explains' });
    const files = [...(await filesOf(memory, 'vault'))];
    // The command writes its mark into each file.
    const marked = files.map(
      ([path, text]) => [path, text.replace('---\n', '---\nprecedent_export: vault-1\n')] as const,
    );
    const folder = written(new Map(marked));
    for (const reader of [obsidian, basicMemory]) {
      const { relations } = reader.read(folder, {});
      const said = relations.map(({ from, type, to }) =>
        [from, type, to].map((each) => each.replace(/^.*\//, '')),
      );
      assert.deepEqual(
        said.filter(([, type]) => type === 'explains'),
        [['other', 'explains', 'wiki']],
      );
      assert.equal(
        relations.some(({ to }) => /anything|code/.test(to)),
        false,
      );
    }
  });

  it('[I-5] topics that are called as OKF calls its own files come back, too', async () => {
    const memory = await sqlite.openFast();
    for (const topic of ['index', 'log', 'Index'])
      await memory.mama.save({ topic, decision: `about ${topic}` });
    const machine = { home: '/none', folder: '/none', platform: process.platform, env: {} };
    const { decisions } = readSource('okf', written(await filesOf(memory, 'okf')), machine, {
      decisions: true,
    });
    assert.deepEqual(decisions.map(({ text }) => text).sort(), ['about Index', 'about log']);
  });

  it('[I-5] an OKF bundle conforms: a type each, reserved files as they must be, links and sources that are there', async () => {
    const files = await filesOf(await filled(), 'okf');
    for (const [path, text] of files) {
      if (path === 'log.md') continue;
      const { values, body, problem } = frontMatter(text);
      assert.equal(problem, undefined, path);
      for (const [, to = ''] of body.matchAll(/\]\((\/[^)#]+\.md)\)/g))
        assert(files.has(decodeURI(to).slice(1)), `${path}: ${to}`);
      if (path === 'index.md') {
        assert.deepEqual(values, { okf_version: '0.2' });
        continue;
      }
      assert(typeof values.type === 'string' && values.type !== '', path);
      assert(['stable', 'deprecated', 'draft'].includes(String(values.status)));
      const { by, at } = values.generated as { by: string; at: string };
      assert.match(by, /^(human:|process:|\S+\/\S+$)/);
      assert.match(at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      for (const source of (values.sources ?? []) as { resource?: string }[]) assert(source.resource);
    }
    const log = files.get('log.md') ?? '';
    const days = [...log.matchAll(/^## (.*)$/gm)].map(([, day]) => day);
    assert.deepEqual(days, days.toSorted().toReversed());
    assert.match(log, /\[auth\]\(\/decisions\/auth\.md\) failed: JWT — a script could read them/);
  });

  it('[I-5] [K-6] what was deleted or was a mistake is in none, nor is a name when it must not be', async () => {
    const memory = await sqlite.openFast({ writer: { author: 'Kim <kim@example.com>' } });
    const { id } = await memory.mem.save({ title: 'gone', content: 'deleted words' });
    await memory.mem.delete({ id });
    await memory.mama.save({ topic: 'oops', decision: 'mistaken words' });
    await memory.undo();
    await memory.mama.save({ topic: 'kept', decision: 'kept words', evidence: ['grounds'] });
    for (const format of ['vault', 'okf', 'madr'] as const) {
      const all = [...(await filesOf(memory, format))].flat().join('\n');
      assert.match(all, /kept words/);
      assert.doesNotMatch(all, /deleted words|mistaken words/);
      assert.match(all, /kim@example/);
      assert.doesNotMatch(
        [...(await filesOf(memory, format, { authors: false }))].flat().join('\n'),
        /kim@example/i,
      );
    }
  });
});
