import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { linesOf } from '../../src/cli/input/lines.ts';
import { openMemory } from '../../src/index.ts';
import { readInstructing } from '../../src/interchange/instructing/files.ts';
import { Lines, readHeader } from '../../src/interchange/jsonl/read.ts';
import { readSource } from '../../src/memory/importing.ts';
import { withinProcessorTime } from '../support/clock.ts';
import { refuses } from '../support/expect.ts';
import type { Attack, Scene } from './scene.ts';

const SECRET = 'nobody else may read';
/** What files are full of that want a reader to look at everything again and again. */
const SIGNS = [
  '[',
  '[[a|',
  '![[',
  '![](',
  '<!--',
  '# ',
  '- ',
  '|',
  '`',
  '<a ',
  '---\n',
  '*',
  '_',
  '&',
  '>',
  '{{',
  '\n',
  '\t',
];

const STATED = '# A\n\n## Status\n\nAccepted\n\n## Decision\n\n';
const LOG = '# Decisions\n\n## D-1: We heat with gas\n\n';
const row = (cell: string) => `|${` ${cell} |`.repeat(5_000)}\n`;
/** A text that no pattern with a dot reaches the end of: to `.`, U+2028 is the end of a line. */
const endless = (begin: string) => `${begin}a\u2028a\n`;
const GAP = ' '.repeat(100_000);
/**
 * Texts that are large in one direction; none is too large to be read. Read in time that grows with its length, each takes less
 * than 0.6 s of the processor on every face; in its square or worse, 7 s or more.
 */
const SHAPES: Record<string, () => string> = {
  'nested quotations': () => `${STATED}${'> '.repeat(50_000)}x`,
  'nested lists': () =>
    `${STATED}${Array.from({ length: 750 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')}`,
  'a long gap': () => `${STATED}- a${GAP}a\n`,
  'a long gap in a title': () => `# Decisions\n\n## 2026-01-02 Bake${GAP}rye\n`,
  'a gap in a heading without an end': () => endless(`${STATED}# ${GAP}`),
  'a gap in a field without an end': () => endless(`# A\n\na: ${GAP}`),
  'a gap in a field of a log without an end': () => endless(`${LOG}- Reason: ${GAP}`),
  'a gap in a heading that may be closed': () => `# a${' '.repeat(4_000)}a\n`,
  'a fence without an end': () => endless(STATED + '`'.repeat(100_000)),
  'many marks': () => `${STATED}- a${'**['.repeat(20_000)}a\n`,
  'marks before an option': () =>
    `# A\n\n## Options\n\n1. a\n\n## Decision\n\n${'!'.repeat(100_000)}Option 1\n`,
  'an option without an end': () =>
    endless(`# A\n\n## Decision\n\nOption 1\n\n## Options\n\n1. ${'!'.repeat(50_000)}`),
  'brackets in a template': () => `${LOG}\`\`\`\n# ${'['.repeat(100_000)}\n\`\`\`\n`,
  'a number of zeros': () => `${STATED}ADR-${'0'.repeat(100_000)}\n`,
  'words between numbers': () =>
    `# A\n\n## Status\n\nAccepted\n\nSupersedes ADR-1 ${'및'.repeat(30)}x ADR-2\n\n## Decision\n\nWe heat.\n`,
  'many headings': () => '# A\n'.repeat(20_000),
  'many sections': () => `${STATED}We heat.\n${'## H\n'.repeat(10_000)}`,
  'many entries': () => `# Decisions\n${'## 2026-01-02 Rye is baked at night\n'.repeat(1_000)}`,
  'one line': () => `${STATED}${'a*[`|: '.repeat(55_000)}`,
  'front matter without an end': () => `---\n${'a: b\n'.repeat(20_000)}`,
  'a wide table': () => `# Decisions\n\n${row('decision')}${row('---')}${row('Rye is baked')}`,
  'a block of code without an end': () => `${STATED}\`\`\`\n${'## Decision\n'.repeat(30_000)}`,
};

/** A source that is read by the program, which only looks, and in this process. @param told what the answer says */
function reads(source: string, prepare: (scene: Scene) => void, told: RegExp): Attack['faces'] {
  const check = (text: string) => {
    assert.match(text.replace(/\s+/g, ' ').replaceAll('": "', '":"').replaceAll(', "', ',"'), told);
    assert(!text.includes(SECRET), text);
  };
  return {
    'command line': async (scene) => {
      prepare(scene);
      const { stdout, stderr } = await scene.run(['import', '--from', source, scene.stranger, '--json']);
      check(stdout + stderr);
      const { stdout: all } = await scene.call(['export', '--format', 'jsonl']);
      assert(!all.includes(SECRET), all);
    },
    function: (scene) => {
      prepare(scene);
      check(inProcess(source, scene));
    },
  };
}

function inProcess(source: string, { stranger, home }: Scene): string {
  try {
    const machine = { home, folder: stranger, platform: process.platform, env: {} };
    return JSON.stringify(readSource(source, stranger, machine, {}));
  } catch (error) {
    return (error as Error).message;
  }
}

const linkOut = ({ stranger, outside }: Scene, name: string, target = 'precious.txt') =>
  symlinkSync(join(outside, target), join(stranger, name));

/** What a folder, an archive or a file tries that is imported. */
export const imports: Attack[] = [
  {
    tries: 'notes that are links out of the vault [Z-4]',
    faces: reads(
      'obsidian',
      (scene) => {
        scene.put('real.md', 'text');
        linkOut(scene, 'secret.md');
        symlinkSync(scene.outside, join(scene.stranger, 'up'));
        symlinkSync('.', join(scene.stranger, 'loop'));
      },
      /"what":"secret.md","why":"a link out of the folder".*"what":"up","why":"a link out of the folder"/,
    ),
  },
  {
    tries: 'notes below a thousand folders, each in the one before [Z-6]',
    faces: reads(
      'obsidian',
      ({ put, stranger }) => {
        put('a.md', 'text');
        const deep = Array(1_000).fill('d').join('/');
        mkdirSync(join(stranger, deep), { recursive: true });
        put(`${deep}/deep.md`, 'text');
      },
      /"why":"a folder below too many others"/,
    ),
  },
  {
    tries: 'a repository whose settings lead its records outside [Z-4]',
    faces: reads(
      'adr',
      (scene) => {
        scene.put('.adr-dir', '../outside');
        scene.put('.log4brains.yml', 'project: {adrFolder: ../outside}');
        scene.put('adr/0001-a.md', '# A\n\nStatus: accepted\n');
        linkOut(scene, 'adr/0002-b.md');
      },
      /"what":"\.\.\/outside","why":"a path out of the folder".*0002-b\.md","why":"a link out of the folder"/,
    ),
  },
  {
    tries: 'instructions of agents that are links out of the project [Z-4]',
    faces: reads(
      'agents',
      (scene) => {
        scene.put('AGENTS.md', '# A\n\ntext @../outside/precious.txt\n');
        linkOut(scene, 'CLAUDE.md');
        mkdirSync(join(scene.stranger, '.claude'));
        symlinkSync(scene.outside, join(scene.stranger, '.claude', 'rules'));
      },
      /"what":"CLAUDE.md","why":"a link out of the folder"/,
    ),
  },
  {
    tries: 'a database that is a link to that of another project [Z-4]',
    faces: reads(
      'claude-mem',
      (scene) => linkOut(scene, 'claude-mem.db'),
      /found a link out of it: .*claude-mem\.db leads to/,
    ),
  },
  {
    tries: 'a database whose log is a link, or waits for ever [Z-3]',
    faces: reads(
      'claude-mem',
      (scene) => {
        const database = join(scene.stranger, 'claude-mem.db');
        const made = new DatabaseSync(database);
        made.exec('create table sdk_sessions (project text)');
        made.close();
        execFileSync('mkfifo', [`${database}-journal`]);
        linkOut(scene, 'claude-mem.db-wal');
      },
      /found a link at .*claude-mem\.db-wal/,
    ),
  },
  {
    tries: 'a small chunk that unpacks to all memory [Z-6]',
    faces: reads(
      'engram',
      (scene) => void scene.put('.engram/chunks/a.jsonl.gz', gzipSync(Buffer.alloc(80_000_000, 0x20))),
      /unpack to at most 64 MB in all/,
    ),
  },
  {
    tries: 'a chunk that is a link out, beside a list that waits for ever [Z-4]',
    faces: reads(
      'engram',
      (scene) => {
        mkdirSync(join(scene.stranger, '.engram', 'chunks'), { recursive: true });
        linkOut(scene, '.engram/chunks/a.jsonl.gz');
        execFileSync('mkfifo', [join(scene.stranger, '.engram', 'manifest.json')]);
      },
      /found a link out of it/,
    ),
  },
  {
    tries: 'notes with 100,000 levels, aliases of aliases, or endless front matter [Z-6]',
    faces: reads(
      'okf',
      (scene) => {
        const list = (name: string) => `[${Array(9).fill(name).join(',')}]`;
        const bomb = `a: &a ${list('x')}\nb: &b ${list('*a')}\nc: &c ${list('*b')}\nd: ${list('*c')}`;
        for (const [name, front] of [
          ['deep', `a: ${'['.repeat(60_000)}`],
          ['bomb', bomb],
          ['long', 'a: x\n'.repeat(100_000)],
        ])
          scene.put(`${name}.md`, `---\n${front}\n---\n\ntext`);
      },
      /bomb.md: its front matter is no YAML.*nested too deeply.*longer than 64 kB/,
    ),
  },
  {
    tries: 'JSON with 100,000 levels as a memory of another tool [Z-3]',
    faces: {
      'command line': async (scene) => {
        const file = scene.put('memory.jsonl', '{"type":"entity","name":"a","x":'.padEnd(100_000, '['));
        const { code, stderr } = await scene.run(['import', '--from', 'server-memory', file]);
        assert.equal(code, 2, stderr);
      },
      function: (scene) => {
        scene.put('.engram/chunks/a.jsonl.gz', gzipSync(`{"observations":${'['.repeat(100_000)}`));
        assert.match(inProcess('engram', scene), /cannot be read/);
      },
    },
  },
  {
    tries: 'one line of megabytes that opens a level with each sign, as a stream [Z-6]',
    faces: {
      'command line': async (scene) => {
        const { stdout } = await scene.call(['export', '--format', 'jsonl']);
        const [header = ''] = stdout.split('\n');
        const file = scene.put('memory.jsonl', `${header}\n${'['.repeat(10_000_000)}\n`);
        const { code, stderr } = await scene.run(['import', file]);
        assert.equal(code, 2, stderr);
        assert.match(stderr, /Line 2: Expected a JSON object/);
      },
      function: async () => {
        const lines = new Lines(['['.repeat(60_000_000)]);
        await withinProcessorTime(5_000, () =>
          assert.rejects(() => readHeader(lines, '0001'), /Line 1: Expected the header/),
        );
      },
    },
  },
  {
    tries: 'one sign many times, at which a reader takes the square of its time [Z-6]',
    faces: Object.fromEntries(
      ['adr', 'obsidian', 'okf', 'basic-memory', 'agents'].map((source) => [
        source,
        async (scene: Scene) => {
          for (const sign of SIGNS) {
            const name = source === 'agents' ? 'CLAUDE.md' : '0001-a.md';
            writeFileSync(
              join(scene.stranger, name),
              `# A\n\nStatus: accepted\n\n## Decision\n\n${sign.repeat(200_000 / sign.length)}`,
            );
            // A square takes minutes, this some hundredths of a second.
            await withinProcessorTime(5_000, () => inProcess(source, scene), JSON.stringify(sign));
          }
        },
      ]),
    ),
  },
  {
    tries: 'Markdown of a shape that nobody writes: its time grows with its length [Z-6] [SR-1]',
    faces: Object.fromEntries(
      ['a record', 'a log', 'instructions', 'check --stale', 'a vault'].map((face) => [
        face,
        async (scene: Scene) => {
          const name = { 'a record': 'docs/adr/0001-a.md', 'a log': 'DECISIONS.md' }[face] ?? 'AGENTS.md';
          const source = { instructions: 'agents', 'a vault': 'obsidian' }[face] ?? 'adr';
          for (const [shape, make] of Object.entries(SHAPES)) {
            scene.put(name, make());
            const read = () =>
              face === 'check --stale' ? readInstructing(scene.stranger, [name]) : inProcess(source, scene);
            await withinProcessorTime(3_000, read, shape);
          }
        },
      ]),
    ),
  },
  {
    tries: 'a log of decisions that is named and larger than a text of a person [Z-6] [SR-5]',
    faces: {
      function: async (scene) => {
        const log = scene.put('DECISIONS.md', `# Decisions\n\n${'a'.repeat(20 * 2 ** 20)}\n`);
        const machine = { home: scene.home, folder: scene.stranger, platform: process.platform, env: {} };
        await withinProcessorTime(5_000, () => {
          const { decisions, skipped } = readSource('adr', log, machine, {});
          assert.deepEqual([decisions, skipped], [[], [{ what: 'DECISIONS.md', why: 'larger than 4 MB' }]]);
        });
      },
    },
  },
  {
    tries: 'a file of saves whose first line does not end [Z-6]',
    faces: {
      function: async () => {
        let sent = 0;
        const endless = async function* () {
          for (; sent < 1_000; sent++) yield Buffer.alloc(1_000, 0x20);
        };
        const first = linesOf(endless(), 5_000).next();
        await refuses(first, 'invalid', 'line 1');
        assert(sent < 10, 'the rest is not read');
      },
      'command line': async (scene) => {
        const ran = await scene.run(['import', scene.put('saves.jsonl', Buffer.alloc(65 * 2 ** 20, 0x61))]);
        assert.equal(ran.code, 2);
        assert.match(ran.stderr, /lines of at most 64 MB, found that line 1 is longer/);
      },
    },
  },
  {
    tries: 'a file of saves with more lines than a call has arguments [Z-6]',
    // All 150,000 lines are read twice.
    spends: { cpu: 2, rss: 200 * 1024 * 1024 },
    faces: {
      library: async (scene) => {
        const memory = await openMemory({ db: join(scene.home, 'm.db') });
        const done: string[] = [];
        // Each is saved before the next one is asked for, and a blank one is not kept.
        const lines = function* () {
          for (let at = 1; at <= 3; at++) {
            done.push(`read ${at}`);
            yield JSON.stringify({ operation: 'mem_save', title: `t${at}`, content: 'c' });
            yield '';
          }
        };
        await memory.batch(lines(), (saved) => done.push(`saved ${saved}`));
        assert.deepEqual(done, ['read 1', 'saved 1', 'read 2', 'saved 2', 'read 3', 'saved 3']);
        await memory.close();
      },
      'command line': async (scene) => {
        const ran = await scene.run(['import', '-'], {
          stdin: `${'\n'.repeat(150_000)}{"operation":"mem_save","title":"a","content":"b"}`,
        });
        assert.equal(ran.code, 0, ran.stderr);
        assert.match(ran.stdout, /saved 1 record /);
      },
    },
  },
  {
    tries: 'a memory of another tool with more records than a call has arguments [Z-6]',
    faces: {
      function: (scene) => {
        const entity = (at: number) =>
          `{"type":"entity","name":"e${at}","entityType":"n","observations":["o"]}`;
        const lines = Array.from({ length: 150_000 }, (_, at) => entity(at)).join('\n');
        const machine = { home: scene.home, folder: scene.stranger, platform: process.platform, env: {} };
        const facts = readSource('server-memory', scene.put('memory.jsonl', lines), machine, {});
        assert.equal(facts.observations.length, 150_000);
      },
    },
  },
];
